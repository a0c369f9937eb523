# Test targets. `make check` is what a user runs; it installs what is missing first.

tests: $(TESTS)

check-quick: $(TESTS) throttlog
	$(Q)THROTTLOG=$(BIN) BUILD=$(B) tests/run.sh $(TESTS) $(sort $(wildcard tests/check_*.sh))

.PHONY: tests check-quick

# The load path against fio; about three minutes.
bench-load: $(B)/tests/bench/load_driver
	$(Q)tests/bench/bench_load.sh $<

.PHONY: bench-load
