# Test targets. `make check` is what a user runs; it installs what is missing first.

tests: $(TESTS)

# Not the virtual machine and the longer looks at a terminal, which take half a minute each.
QUICK_SCRIPTS := $(filter-out tests/check_vm.sh tests/check_hang.sh tests/check_terminals.sh,$(sort $(wildcard tests/check_*.sh)))

check-quick: $(TESTS) throttlog
	$(Q)THROTTLOG=$(BIN) BUILD=$(B) tests/run.sh $(TESTS) $(QUICK_SCRIPTS)

# A real kernel with drives, under QEMU; one topic: tests/check_vm.sh guard. deps-vm downloads a kernel where none is installed.
check-vm: throttlog
	$(Q)THROTTLOG=$(BIN) BUILD=$(B) tests/run.sh tests/check_vm.sh

# Every simulated drive and quirk behind the kernel: needs a machine that carries them at full speed.
check-rig: throttlog $(B)/tests/rig/throttlog-rig
	$(Q)THROTTLOG=$(BIN) BUILD=$(B) tests/check_vm.sh presets quirks

.PHONY: check-rig

deps-vm:
	$(Q)tests/vm/kernel.sh fetch build/vm

# All tests, one line of totals.
check-all: $(TESTS) throttlog
	$(Q)THROTTLOG=$(BIN) BUILD=$(B) tests/run.sh $(TESTS) $(sort $(wildcard tests/check_*.sh))

# Threads under ThreadSanitizer: load, poller, queue.
check-tsan:
	$(Q)$(MAKE) --no-print-directory SAN=thread tests
	$(Q)BUILD=build/$(notdir $(CC))-thread tests/run.sh $(foreach t,base load poller,\
		build/$(notdir $(CC))-thread/tests/test_$(t))

# For builds with sanitizers: not the screens in tmux, whose waits are for a fast program.
check-programs: $(TESTS) throttlog
	$(Q)THROTTLOG=$(BIN) BUILD=$(B) tests/run.sh $(TESTS) tests/check_cli.sh

.PHONY: tests check-quick check-vm deps-vm check-all check-tsan check-programs

# The load path against fio; about three minutes.
bench-load: $(B)/tests/bench/load_driver
	$(Q)tests/bench/bench_load.sh $<

.PHONY: bench-load

check-all: $(B)/tests/view_driver
# Drives the live view without a conductor; `make bench-view` counts bytes and CPU time a frame.
VIEW_DRIVER := $(B)/tests/view_driver
check-quick: $(VIEW_DRIVER)

# Stands in for libsensors in tests/check_hang.sh.
SLOW_SENSORS := $(B)/tests/slow_sensors.so
check-quick check-all: $(SLOW_SENSORS)
$(SLOW_SENSORS): tests/slow_sensors.c
	$(Q)mkdir -p $(@D) && $(CC) -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -fPIC -shared -o $@ $<

bench-view: $(VIEW_DRIVER)
	$(Q)for size in "40 12" "80 24" "120 40" "200 60"; do \
		LC_ALL=C.UTF-8 $(VIEW_DRIVER) bench $$size xterm-256color || exit 1; done
	$(Q)LC_ALL=C.UTF-8 $(VIEW_DRIVER) bench 120 40 linux
	$(Q)LC_ALL=C $(VIEW_DRIVER) bench 120 40 vt100
	$(Q)LC_ALL=C.UTF-8 TERM=xterm-256color $(VIEW_DRIVER) keys

# The golden screens of tests/test_views.c, written anew. Read the difference before you commit it.
golden-screens: $(B)/tests/test_views
	$(Q)GOLDEN_UPDATE=1 $< >/dev/null; git diff --stat tests/golden

.PHONY: bench-view golden-screens

# The verdict measured on synthetic drives: RUNS, SEED, MODE (passive, active, bare, review, protocol).
RUNS ?= 3000
SEED ?= 20261
MODE ?= passive
EVAL := $(patsubst %.c,$(B)/%.o,$(wildcard tests/eval/*.c))

$(B)/tests/eval/eval: $(EVAL) $(LIB)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

eval: $(B)/tests/eval/eval
	$(Q)$< $(RUNS) $(SEED) $(MODE)

# The same on drives of another generator: `make eval-logs GENERATOR=DIR`, a directory with a sim.py.
eval-logs: $(B)/tests/eval/eval
	$(Q)python3 tests/eval/dump_prototype.py $(GENERATOR) $(RUNS) $(SEED) $(B)/eval-logs
	$(Q)$< logs $(B)/eval-logs

-include $(EVAL:.o=.d)
.PHONY: eval eval-logs

# The synthetic drives without the program around them.
SYNTH := $(addprefix $(B)/tests/eval/,synth.o spec.o dice.o log.o)
$(B)/tests/test_rules: | $(SYNTH)
LIBS_test_rules = $(SYNTH) $(LIB)

$(B)/tests/bench/bench_analysis: $(B)/tests/bench/bench_analysis.o $(LIB)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

bench-analysis: $(B)/tests/bench/bench_analysis
	$(Q)$<

.PHONY: bench-analysis

# Format, scripts, manual, static analysis. clang-tidy takes minutes.
C_FILES = $(sort $(shell git ls-files '*.c'))
H_FILES = $(sort $(shell git ls-files '*.h'))

lint: lint-quick
	$(Q)cppcheck --quiet --std=c11 --enable=warning,style,performance,portability --inline-suppr \
		--error-exitcode=1 --suppress=missingIncludeSystem --suppress=variableScope \
		--suppress=unusedStructMember --suppress=legacyUninitvar --suppress=constVariable --suppress=knownConditionTrueFalse -j2 -D_GNU_SOURCE -Iinclude -Isrc src

# Minutes. The font's file holds no code.
tidy:
	$(Q)printf '%s\n' $(filter-out %/font_data.c,$(filter src/%,$(C_FILES))) | xargs -P2 -n8 sh -c \
		'clang-tidy --quiet "$$@" -- -std=gnu11 -D_GNU_SOURCE -Iinclude -Isrc \
		-DTHROTTLOG_VERSION=\"0\" $(LIBINC) 2>/dev/null' sh

lint-quick:
	$(Q)clang-format --dry-run -Werror $(C_FILES) $(H_FILES)
	$(Q)shellcheck -s sh -S warning $$(git ls-files '*.sh') .ci/run
	$(Q)mandoc -Tlint -Wwarning man/throttlog.1

.PHONY: lint lint-quick tidy

bench-ticks: throttlog
	$(Q)tests/bench/bench_ticks.sh build/throttlog

# All measurements, some ten minutes.
bench: bench-load bench-ticks bench-view bench-analysis bench-picture

.PHONY: bench bench-ticks

# Programs beside the tests: made again when a header changes.
-include $(VIEW_DRIVER).d $(B)/tests/bench/load_driver.d $(B)/tests/bench/bench_analysis.d \
	$(B)/tests/picture_zoo.d

# Pictures of all kinds of logs, for people to look at: build/pictures.
PICTURE_ZOO := $(B)/tests/picture_zoo
pictures: $(PICTURE_ZOO)
	$(Q)rm -rf build/pictures && mkdir -p $(addprefix build/pictures/,dark print small overlay bytes)
	$(Q)$< build/pictures && $< build/pictures/small 800x600 && \
		$< build/pictures/dark 1600x900 dark && $< build/pictures/print 1600x900 print && \
		$< build/pictures/overlay 1600x900 light overlay && \
		$< build/pictures/bytes 1600x900 light bytes

.PHONY: pictures

# The picture against gnuplot's pngcairo.
bench-picture: throttlog
	$(Q)tests/bench/bench_picture.sh $(BIN)

.PHONY: bench-picture

# The NVMe/TCP target of the virtual machine's cases.
RIG := $(B)/tests/rig/throttlog-rig
RIG_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard tests/rig/*.c))

$(RIG): $(RIG_OBJ) $(LIB)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

tests check-quick check-programs check-vm check-all: $(RIG)
-include $(RIG_OBJ:.o=.d)

# libsensors as the test wants it.
LDFLAGS_test_hwmon := $(addprefix -Wl$(comma)--wrap=sensors_,init cleanup get_detected_chips \
	get_features get_subfeature get_value)

# A SATA drive with a temperature, for the virtual machine.
SATA_DISK := $(B)/tests/vm/sata_disk
$(SATA_DISK): $(B)/tests/vm/sata_disk.o
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^

check-vm check-all: $(SATA_DISK)
-include $(SATA_DISK).d
