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
CPPFLAGS += -D_GNU_SOURCE -Iinclude -Isrc
ifeq ($(MODE),release)
CFLAGS ?= -O2 -g
CPPFLAGS += -DNDEBUG
endif
ifeq ($(MODE),sanitize)
CFLAGS = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
LDFLAGS += -fsanitize=address,undefined
endif
ifeq ($(MODE),threads)
CFLAGS = -O1 -g -fno-omit-frame-pointer -fsanitize=thread
LDFLAGS += -fsanitize=thread
endif
ifeq ($(MODE),coverage)
CFLAGS = -O0 -g --coverage -fprofile-update=atomic
CPPFLAGS += -DNDEBUG -DCOVERAGE
LDFLAGS += --coverage
endif
ifeq ($(MODE),fuzz)
CFLAGS = -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
endif
CFLAGS += -std=c11 -fPIC -fvisibility=hidden $(WARNINGS) $(WERROR)
LIBS = -lgmp -llbfgs -lz -lm -lpthread
VERSION = $(shell sed -n 's/.*define LPMLN_VERSION "\(.*\)"/\1/p' include/lpmln/lpmln.h)
ABI = $(shell sed -n 's/.*define LPMLN_ABI \([0-9]*\).*/\1/p' include/lpmln/lpmln.h)

sources = $(sort $(shell find $(1) -name '*.c'))
objects = $(patsubst src/%.c,$(BUILD)/obj/%.o,$(1))
BASE = $(filter-out src/base/big.c,$(call sources,src/base)) # what clients of the library use, too
LIBRARY = $(filter-out src/cli/% src/cluster/% src/report/% src/solver/worker/%,$(call sources,src))
PROGRAM = $(filter-out src/cli/generate.c,$(call sources,src/cli src/report)) $(BASE)
CLUSTER = $(filter-out src/cli/main.c,$(PROGRAM)) $(call sources,src/cluster)
GENERATE = $(filter-out src/cli/main.c,$(PROGRAM)) src/cli/generate.c
WORKER = $(call sources,src/solver/worker) src/base/memory.c

.PHONY: all mpi demo test test-long tests unit api threads fuzz coverage campaign bench bench-peers paper wheel bench-python docs install bootstrap clean format lint lint-cppcheck lint-tidy FORCE
all: $(BUILD)/lpmln $(BUILD)/lpmln-worker $(BUILD)/liblpmln.a $(BUILD)/liblpmln.so \
     $(BUILD)/lpmln.1 $(BUILD)/lpmln.bash $(BUILD)/lpmln.zsh $(BUILD)/lpmln.fish $(BUILD)/lpmln.pc

# Debian has libclingo without the name that -lclingo looks for.
CLINGO = $(firstword $(wildcard /usr/lib/libclingo.so /usr/lib/*/libclingo.so /usr/lib/libclingo.so.* /usr/lib/*/libclingo.so.*))

$(BUILD)/obj/%.o: src/%.c | bootstrap
	@mkdir -p $(@D)
	$(call say,CC  )
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# What depends on PREFIX is made again when that changes.
$(BUILD)/prefix: FORCE
	@mkdir -p $(@D)
	@echo '$(PREFIX)' | cmp -s - $@ || echo '$(PREFIX)' > $@

$(BUILD)/obj/solver/place.o: CPPFLAGS += -DLPMLN_LIBEXEC='"$(PREFIX)/libexec/lpmln"'
$(BUILD)/obj/solver/place.o: $(BUILD)/prefix

# All objects, for tests that look inside.
$(BUILD)/inside.a: $(call objects,$(LIBRARY))
	@rm -f $@
	$(call say,AR  )
	$(Q)$(AR) rcs $@ $^

# One object in which only what the header declares is global.
$(BUILD)/liblpmln.a: $(call objects,$(LIBRARY))
	@rm -f $@
	$(call say,AR  )
	$(Q)$(LD) -r $^ -o $(BUILD)/liblpmln.o
	$(Q)objcopy --localize-hidden $(BUILD)/liblpmln.o
	$(Q)$(AR) rcs $@ $(BUILD)/liblpmln.o

$(BUILD)/liblpmln.so.$(ABI): $(call objects,$(LIBRARY))
	$(call say,LD  )
	$(Q)$(CC) -shared -Wl,-soname,liblpmln.so.$(ABI) $(LDFLAGS) $^ $(LIBS) -o $@

$(BUILD)/liblpmln.so: $(BUILD)/liblpmln.so.$(ABI)
	@ln -sf liblpmln.so.$(ABI) $@

$(BUILD)/lpmln: $(call objects,$(PROGRAM)) $(BUILD)/liblpmln.so
	$(call say,LD  )
	$(Q)$(CC) $(LDFLAGS) $(filter %.o,$^) -L$(BUILD) -llpmln -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../lib' \
	  -ljansson -lz -lm -lpthread -o $@

# On several machines, with OpenMPI; nothing else is linked with it.
mpi: all
	@[ "$(BOOTSTRAP)" = no ] || scripts/bootstrap mpi
	$(Q)$(MAKE) --no-print-directory $(BUILD)/lpmln-mpi

$(BUILD)/obj/cluster/%.o: CPPFLAGS += $(shell mpicc --showme:compile 2>/dev/null)
$(BUILD)/lpmln-mpi: $(call objects,$(CLUSTER)) $(BUILD)/liblpmln.so
	$(call say,LD  )
	$(Q)$(CC) $(LDFLAGS) $(filter %.o,$^) -L$(BUILD) -llpmln -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../lib' \
	  -ljansson -lz -lm -lpthread $$(mpicc --showme:link) -o $@

$(BUILD)/lpmln-worker: $(call objects,$(WORKER))
	$(call say,LD  )
	$(Q)$(CC) $(LDFLAGS) $^ $(or $(CLINGO),-lclingo) -lpthread -o $@

$(BUILD)/generate: $(call objects,$(GENERATE)) $(BUILD)/liblpmln.so
	$(call say,LD  )
	$(Q)$(CC) $(LDFLAGS) $(filter %.o,$^) -L$(BUILD) -llpmln -Wl,-rpath,'$$ORIGIN' \
	  -ljansson -lz -lm -lpthread -o $@

$(BUILD)/lpmln.1: $(BUILD)/generate
	$(Q)$(BUILD)/generate man > $@

$(BUILD)/lpmln.bash $(BUILD)/lpmln.zsh $(BUILD)/lpmln.fish: $(BUILD)/lpmln.%: $(BUILD)/generate
	$(Q)$(BUILD)/generate $* > $@

$(BUILD)/lpmln.pc: lpmln.pc.in $(BUILD)/prefix
	$(Q)sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' $< > $@

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

# Tests that look inside, and tests that see the public header and the library alone.
UNITS = $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))
$(BUILD)/unit/%: tests/unit/%.c $(wildcard tests/unit/*.h) $(BUILD)/inside.a
	@mkdir -p $(@D)
	$(call say,LD  )
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -Itests -Itests/unit $(LDFLAGS) $(filter %.c %.a,$^) -lcmocka $(LIBS) -o $@

USERS = $(patsubst tests/api/%.c,$(BUILD)/api/%,$(wildcard tests/api/test_*.c))
$(BUILD)/api/test_memory $(BUILD)/api/test_sweep $(BUILD)/api/test_calls: LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup
$(BUILD)/api/%: tests/api/%.c $(wildcard tests/api/*.h) $(BUILD)/liblpmln.a
	@mkdir -p $(@D)
	$(call say,LD  )
	$(Q)$(CC) -D_GNU_SOURCE -Iinclude $(CFLAGS) $(LDFLAGS) $(filter %.c %.a,$^) -lcmocka $(LIBS) -o $@

tests: $(UNITS) $(USERS)

unit: $(UNITS) $(BUILD)/lpmln-worker
	@tests/unit/run $(BUILD) $(UNITS)

api: $(USERS) $(BUILD)/lpmln-worker
	@tests/unit/run $(BUILD) $(USERS)

# ThreadSanitizer takes more address space than the worker's limit: the worker is another one.
threads: $(BUILD)/api/test_threads $(BUILD)/unit/test_ahead
	@tests/unit/run $(or $(WORKER_IN),$(BUILD)) $^

# The library is built once for all fuzzers.
SECONDS_OF_FUZZ ?= 600
FUZZERS = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
fuzz: $(BUILD)/lpmln $(BUILD)/lpmln-worker
	@tests/fuzz/seeds $(BUILD)/lpmln $(BUILD)/fuzz/compiled-seeds
	$(Q)$(MAKE) --no-print-directory CC=clang MODE=fuzz BUILD=$(BUILD)/fuzz $(FUZZERS:%=$(BUILD)/fuzz/%)
	@tests/fuzz/run $(BUILD)/fuzz $(SECONDS_OF_FUZZ) $(FUZZERS)

$(FUZZERS:%=$(BUILD)/%): $(BUILD)/%: tests/fuzz/fuzz_%.c $(BUILD)/inside.a
	$(call say,LD  )
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -Itests -fsanitize=fuzzer $^ $(LIBS) -o $@

# Lines and branches that the suites named (COVERED=…) reach, without assertions.
coverage:
	@tests/coverage/run $(COVERED)

# Questions of the oracle, thousands of programs in one process.
$(BUILD)/ask: tests/oracle/ask.c $(call objects,$(call sources,src/report)) $(BUILD)/inside.a
	$(call say,LD  )
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -ljansson -o $@

# Everything random with fresh seeds; appends to docs/trust.md.
HOURS ?= 1
JOBS ?= $(shell nproc)
campaign: all $(BUILD)/ask $(BUILD)/api/test_sweep $(BUILD)/api/test_stream $(BUILD)/api/test_calls
	@tests/fuzz/seeds $(BUILD)/lpmln $(BUILD)/fuzz/compiled-seeds
	$(Q)$(MAKE) --no-print-directory CC=clang MODE=fuzz BUILD=$(BUILD)/fuzz $(FUZZERS:%=$(BUILD)/fuzz/%)
	@python3 tests/campaign/run.py --hours $(HOURS) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(if $(MPIRUN),--mpirun "$(MPIRUN)")

$(BUILD)/bench-%: bench/%.c $(BUILD)/inside.a
	$(call say,LD  )
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

BENCHES = $(patsubst bench/%.c,$(BUILD)/bench-%,$(wildcard bench/*.c))
bench: all $(BENCHES)
	@python3 bench/run.py --lpmln $(BUILD)/lpmln $(BENCH)

# The same beside other systems, which are installed below build/peers if that works.
bench-peers: all $(BENCHES)
	@python3 bench/run.py --peers --lpmln $(BUILD)/lpmln $(BENCH)

# Every table and figure of the paper, in paper/.
paper: all
	@python3 scripts/paper/run.py --lpmln $(BUILD)/lpmln $(PAPER)

# The Python package, in build/python/dist; its documents and those of docs/ as a site, in build/site.
wheel:
	@[ "$(BOOTSTRAP)" = no ] || scripts/bootstrap wheel
	@scripts/wheel

bench-python: wheel
	@python3 -m venv $(BUILD)/python/bench
	@$(BUILD)/python/bench/bin/pip install --quiet --force-reinstall --no-deps $(BUILD)/python/dist/*.whl
	@$(BUILD)/python/bench/bin/pip install --quiet numpy cffi pgmpy problog
	@$(BUILD)/python/bench/bin/python -W ignore bench/python.py

docs:
	@[ "$(BOOTSTRAP)" = no ] || scripts/bootstrap wheel
	@scripts/site

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/libexec/lpmln \
	  $(DESTDIR)$(PREFIX)/include/lpmln $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install $(BUILD)/lpmln $(DESTDIR)$(PREFIX)/bin/lpmln
	install $(BUILD)/lpmln-worker $(DESTDIR)$(PREFIX)/libexec/lpmln/lpmln-worker
	install -m 644 $(BUILD)/liblpmln.a $(DESTDIR)$(PREFIX)/lib/liblpmln.a
	install $(BUILD)/liblpmln.so.$(ABI) $(DESTDIR)$(PREFIX)/lib/liblpmln.so.$(ABI)
	ln -sf liblpmln.so.$(ABI) $(DESTDIR)$(PREFIX)/lib/liblpmln.so
	install -m 644 $(BUILD)/lpmln.pc $(DESTDIR)$(PREFIX)/lib/pkgconfig/lpmln.pc
	install -m 644 include/lpmln/lpmln.h $(DESTDIR)$(PREFIX)/include/lpmln/lpmln.h
	install -m 644 $(BUILD)/lpmln.1 $(DESTDIR)$(PREFIX)/share/man/man1/lpmln.1
	install -m 644 $(BUILD)/lpmln.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/lpmln
	install -m 644 $(BUILD)/lpmln.zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_lpmln
	install -m 644 $(BUILD)/lpmln.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/lpmln.fish

# The tree as .clang-format wants it.
format:
	$(Q)clang-format -i $$(git ls-files '*.c' '*.h')

# What compilers do not see.  cppcheck takes seconds, clang-tidy minutes.
LINT_FLAGS = -D_GNU_SOURCE -Iinclude -Isrc
lint: lint-cppcheck lint-tidy

lint-cppcheck:
	$(Q)cppcheck --std=c11 $(LINT_FLAGS) --enable=warning,performance,portability,style \
	  --inline-suppr --suppressions-list=scripts/lint/cppcheck --quiet --error-exitcode=1 src

lint-tidy:
	$(Q)printf '%s\n' $(call sources,src) | \
	  xargs -n 8 -P $$(nproc) sh -c 'clang-tidy --quiet "$$@" -- -std=c11 $(LINT_FLAGS) 2>/dev/null' clang-tidy

clean:
	rm -rf build

-include $(shell find $(BUILD)/obj -name "*.d" 2>/dev/null)
