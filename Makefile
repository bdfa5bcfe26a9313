# lpmln - `make` builds, `make demo` shows, `make test` tests, `make install`.
#
# Missing Debian packages are installed by scripts/bootstrap; BOOTSTRAP=no skips that.

CC ?= gcc
PREFIX ?= /usr/local
BUILD ?= build
MODE ?= release

# `make V=1` shows the commands.
Q = $(if $(V),,@)
silent = $(findstring s,$(firstword -$(MAKEFLAGS)))
say = @$(if $(V)$(silent),:,echo "  $(1) $(patsubst $(CURDIR)/%,%,$@)")

WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
CPPFLAGS += -D_GNU_SOURCE -Iinclude -Isrc -DLPMLN_LIBEXEC='"$(PREFIX)/libexec/lpmln"'
ifeq ($(MODE),release)
CFLAGS ?= -O2 -g
CPPFLAGS += -DNDEBUG
endif
ifeq ($(MODE),sanitize)
CFLAGS = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
LDFLAGS += -fsanitize=address,undefined
endif
ifeq ($(MODE),fuzz)
CFLAGS = -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
endif
CFLAGS += -std=c11 -fPIC -fvisibility=default $(WARNINGS) $(WERROR)
LIBS = -lgmp -llbfgs -lm -lpthread

LIBRARY = $(filter-out src/cli/% src/report/% src/solver/worker/%,$(shell find src -name "*.c"))
PROGRAM = src/cli/main.c src/cli/learn.c src/cli/options.c src/cli/output.c src/cli/progress.c $(wildcard src/report/*.c)
objects = $(patsubst src/%.c,$(BUILD)/obj/%.o,$(1))

.PHONY: all demo test test-long unit fuzz bench bench-peers paper install bootstrap clean
all: $(BUILD)/lpmln $(BUILD)/lpmln-worker $(BUILD)/liblpmln.a $(BUILD)/liblpmln.so \
     $(BUILD)/lpmln.1 $(BUILD)/lpmln.bash

# Debian has libclingo without the name that -lclingo looks for.
CLINGO = $(firstword $(wildcard /usr/lib/libclingo.so /usr/lib/*/libclingo.so /usr/lib/libclingo.so.* /usr/lib/*/libclingo.so.*))

$(BUILD)/obj/%.o: src/%.c | bootstrap
	@mkdir -p $(@D)
	$(call say,CC  )
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/liblpmln.a: $(call objects,$(LIBRARY))
	@rm -f $@
	$(call say,AR  )
	$(Q)$(AR) rcs $@ $^

$(BUILD)/liblpmln.so: $(call objects,$(LIBRARY)) src/lpmln.map
	$(call say,LD  )
	$(Q)$(CC) -shared -Wl,-soname,liblpmln.so.0 -Wl,--version-script=src/lpmln.map $(LDFLAGS) \
	  $(filter %.o,$^) $(LIBS) -o $@

$(BUILD)/lpmln: $(call objects,$(PROGRAM)) $(BUILD)/liblpmln.a
	$(call say,LD  )
	$(Q)$(CC) $(LDFLAGS) $^ -ljansson $(LIBS) -o $@

$(BUILD)/lpmln-worker: $(call objects,$(wildcard src/solver/worker/*.c))
	$(call say,LD  )
	$(Q)$(CC) $(LDFLAGS) $^ $(or $(CLINGO),-lclingo) -lpthread -o $@

$(BUILD)/generate: $(call objects,src/cli/generate.c src/cli/options.c) $(BUILD)/liblpmln.a
	$(call say,LD  )
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

$(BUILD)/lpmln.1: $(BUILD)/generate
	$(Q)$(BUILD)/generate man > $@

$(BUILD)/lpmln.bash: $(BUILD)/generate
	$(Q)$(BUILD)/generate bash > $@

bootstrap:
	@[ "$(BOOTSTRAP)" = no ] || scripts/bootstrap build

demo: all
	@scripts/demo $(BUILD)

test:
	@[ "$(BOOTSTRAP)" = no ] || scripts/bootstrap test
	@tests/run

test-long:
	@[ "$(BOOTSTRAP)" = no ] || scripts/bootstrap test
	@LONG=1 tests/run

UNITS = $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))
$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/liblpmln.a
	@mkdir -p $(@D)
	$(call say,LD  )
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -Itests -Itests/unit $(LDFLAGS) $^ -lcmocka $(LIBS) -o $@

unit: $(UNITS) $(BUILD)/lpmln-worker
	@tests/unit/run $(BUILD) $(UNITS)

# The library is built once for all fuzzers.
SECONDS_OF_FUZZ ?= 600
FUZZERS = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
fuzz:
	$(Q)$(MAKE) --no-print-directory CC=clang MODE=fuzz BUILD=$(BUILD)/fuzz $(FUZZERS:%=$(BUILD)/fuzz/%)
	@tests/fuzz/run $(BUILD)/fuzz $(SECONDS_OF_FUZZ) $(FUZZERS)

$(FUZZERS:%=$(BUILD)/%): $(BUILD)/%: tests/fuzz/fuzz_%.c $(BUILD)/liblpmln.a
	$(call say,LD  )
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -Itests -fsanitize=fuzzer $^ $(LIBS) -o $@

$(BUILD)/bench-%: bench/%.c $(BUILD)/liblpmln.a
	$(call say,LD  )
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

bench: all $(BUILD)/bench-evaluate $(BUILD)/bench-sample
	@python3 bench/run.py --lpmln $(BUILD)/lpmln $(BENCH)

# The same beside other systems, which are installed below build/peers if that works.
bench-peers: all $(BUILD)/bench-evaluate $(BUILD)/bench-sample
	@python3 bench/run.py --peers --lpmln $(BUILD)/lpmln $(BENCH)

# Every table and figure of the paper, in paper/.
paper: all
	@python3 scripts/paper/run.py --lpmln $(BUILD)/lpmln $(PAPER)

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/libexec/lpmln \
	  $(DESTDIR)$(PREFIX)/include/lpmln $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install $(BUILD)/lpmln $(DESTDIR)$(PREFIX)/bin/lpmln
	install $(BUILD)/lpmln-worker $(DESTDIR)$(PREFIX)/libexec/lpmln/lpmln-worker
	install -m 644 $(BUILD)/liblpmln.a $(DESTDIR)$(PREFIX)/lib/liblpmln.a
	install $(BUILD)/liblpmln.so $(DESTDIR)$(PREFIX)/lib/liblpmln.so.0
	ln -sf liblpmln.so.0 $(DESTDIR)$(PREFIX)/lib/liblpmln.so
	install -m 644 include/lpmln/lpmln.h $(DESTDIR)$(PREFIX)/include/lpmln/lpmln.h
	install -m 644 $(BUILD)/lpmln.1 $(DESTDIR)$(PREFIX)/share/man/man1/lpmln.1
	install -m 644 $(BUILD)/lpmln.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/lpmln

clean:
	rm -rf build

-include $(shell find $(BUILD)/obj -name "*.d" 2>/dev/null)
