# What a user asks for: the packages, the demo, the checks, the installation.

# Debian 12 and newer, Ubuntu 24.04. The second list is for the tests.
DEPS := gcc make pkg-config libnvme-dev libsensors-dev libncurses-dev libpng-dev libcairo2-dev \
	libfreetype-dev liburing-dev libaio-dev libjson-c-dev libudev-dev libblkid-dev \
	fonts-dejavu-core
DEPS_TESTS := libcmocka-dev tmux qemu-system-x86 busybox-static cpio kmod zstd xz-utils \
	util-linux e2fsprogs dmsetup libcap2-bin fio nvme-cli smartmontools lm-sensors lvm2
DEPS_CI := clang clang-tidy clang-format libclang-rt-14-dev cppcheck shellcheck mandoc

SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# $(1): packages. Says what it does; does nothing where all are there.
define install_missing
@missing=$$(for p in $(1); do \
	dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
if [ -n "$$missing" ]; then \
	command -v apt-get >/dev/null || { echo "please install:" $$missing >&2; exit 1; }; \
	echo "installing with apt-get:" $$missing; \
	$(SUDO) apt-get update -qq && \
	$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
		$$missing >/dev/null; \
fi
endef

deps:
	$(call install_missing,$(DEPS))

deps-tests:
	$(call install_missing,$(DEPS) $(DEPS_TESTS))

deps-ci:
	$(call install_missing,$(DEPS) $(DEPS_TESTS) $(DEPS_CI))

# A simulated drive that throttles, twenty times faster than real time: about 40 s.
demo: deps
	$(Q)$(MAKE) --no-print-directory throttlog
	build/throttlog run sim:xg5-p --op write --speed 20 --no-tui -o demo

check: deps-tests
	$(Q)$(MAKE) --no-print-directory deps-vm
	$(Q)$(MAKE) --no-print-directory check-all

# The sample files, made again from the simulated drive; a test compares them.
samples: throttlog
	$(Q)rm -f samples/xg5-p-write.*
	$(Q)build/throttlog run sim:xg5-p --op write --speed max --no-tui --quiet \
		--note 'open bench, no airflow' --ambient 24 -o samples/xg5-p-write >/dev/null

install: throttlog
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(UDEVDIR)
	install -m 755 $(BIN) $(DESTDIR)$(BINDIR)/throttlog
	install -m 644 man/throttlog.1 $(DESTDIR)$(MANDIR)/man1/throttlog.1
	install -m 644 udev/60-throttlog.rules $(DESTDIR)$(UDEVDIR)/60-throttlog.rules

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/throttlog $(DESTDIR)$(MANDIR)/man1/throttlog.1 \
		$(DESTDIR)$(UDEVDIR)/60-throttlog.rules

.PHONY: deps deps-tests deps-ci demo check samples install uninstall
