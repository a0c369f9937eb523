# throttlog. `make demo` and `make check` install what they need; every other target assumes it.
# Variants: SAN=address,undefined or SAN=thread, CC=clang, WERROR=1, V=1.

VERSION   := 0.1.0
CC        ?= cc
PREFIX    ?= /usr/local
BINDIR    ?= $(PREFIX)/bin
MANDIR    ?= $(PREFIX)/share/man
UDEVDIR   ?= $(PREFIX)/lib/udev/rules.d
DESTDIR   ?=
CFLAGS    ?= -O2 -g

empty :=
comma := ,
B     := build/$(notdir $(CC))$(if $(SAN),-$(subst $(comma),-,$(SAN)))$(if $(COVERAGE),-coverage)
Q     := $(if $(V),,@)
say    = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))

# libnvme.pc names private requirements that libnvme-dev does not install, hence the plain fallback;
# libsensors has no .pc file.
PKGS    := blkid cairo cairo-ft freetype2 libpng liburing json-c libudev ncursesw
NVME    := $(shell pkg-config --exists libnvme3 2>/dev/null && echo -DHAVE_LIBNVME3 -lnvme3 || echo -lnvme)
LIBINC  := $(subst -I,-isystem ,$(filter -I%,$(shell pkg-config --cflags $(PKGS) 2>/dev/null; \
	pkg-config --cflags libnvme3 2>/dev/null)))
LIBS    := $(shell pkg-config --libs $(PKGS) 2>/dev/null) $(filter -l%,$(NVME)) -lsensors -laio -lm

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wold-style-definition -Wundef -Wvla -Walloca -Wformat=2 -Wwrite-strings \
	-Wcast-qual -Wpointer-arith -Wnull-dereference -Wswitch-enum \
	-Wredundant-decls -Wdate-time
WARN_GCC := -Wcast-align=strict -Wdouble-promotion -Wduplicated-cond -Wduplicated-branches -Wlogical-op \
	-Wimplicit-fallthrough=5 -Wstack-usage=8192
IS_GCC := $(shell $(CC) -v 2>&1 | grep -q '^gcc version' && echo 1)
WARN   += $(if $(IS_GCC),$(WARN_GCC)) $(if $(WERROR),-Werror)

HARDEN := $(if $(SAN)$(COVERAGE),$(if $(IS_GCC),-ftrivial-auto-var-init=pattern),-D_FORTIFY_SOURCE=2 \
	$(if $(IS_GCC),-ftrivial-auto-var-init=zero)) -fstack-protector-strong -fPIE
SANITIZE := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all)
COV := $(if $(COVERAGE),--coverage -O0)

CPPFLAGS += -D_GNU_SOURCE -Iinclude -Isrc -I$(B)/gen -DTHROTTLOG_VERSION='"$(VERSION)"' \
	$(filter -D%,$(NVME)) $(LIBINC)
ALL_CFLAGS = -std=gnu11 -pthread -MMD -MP $(CPPFLAGS) $(WARN) $(CFLAGS) $(HARDEN) $(SANITIZE) $(COV)
ALL_LDFLAGS = $(LDFLAGS) -pthread -pie -Wl,-z,relro,-z,now,--as-needed $(SANITIZE) $(COV)

SRC   := $(sort $(wildcard src/*/*.c src/*/*/*.c))
MAIN  := src/edge/main.c
OBJ   := $(SRC:%.c=$(B)/%.o)
LIB   := $(B)/libthrottlog.a
BIN   := $(B)/throttlog
TESTS := $(patsubst tests/%.c,$(B)/tests/%,$(sort $(wildcard tests/test_*.c)))

# The picture's font, taken into the program: from FONTDIR, or from where distributions keep it.
FONTS   := $(addprefix /usr/share/fonts/,truetype/dejavu dejavu dejavu-sans-fonts TTF \
	truetype ttf-dejavu) /usr/local/share/fonts/dejavu \
	$(dir $(shell fc-match -f '%{file}' 'DejaVu Sans:style=Book' 2>/dev/null))
FONTDIR ?= $(patsubst %/,%,$(dir $(firstword $(wildcard $(addsuffix /DejaVuSans.ttf,$(FONTS))))))
CFLAGS_font_data = $(if $(wildcard $(FONTDIR)/DejaVuSans-Bold.ttf),-DFONTDIR='"$(FONTDIR)"',$(error \
	DejaVu Sans is not there: install fonts-dejavu-core, or name its directory with FONTDIR=)) \
	-Wno-pedantic

all: throttlog

throttlog: $(BIN)
	$(Q)ln -sf $(BIN:build/%=%) build/throttlog

$(BIN): $(MAIN:%.c=$(B)/%.o) $(LIB)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(LIB): $(filter-out $(MAIN:%.c=$(B)/%.o),$(OBJ))
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(B)/%.o: %.c Makefile
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) $(CFLAGS_$(notdir $*)) -c -o $@ $<

$(B)/tests/%: $(B)/tests/%.o $(LIB)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDFLAGS_$*) $(LIBS) -lcmocka $(LIBS_$*)

include tests/tests.mk
include tests/install.mk
-include $(OBJ:.o=.d) $(TESTS:%=%.d)

clean:
	rm -rf build

.PHONY: all throttlog clean
.SECONDARY:
