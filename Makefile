# SPDX-License-Identifier: MIT
# Probity: differential privacy that can be checked.  `make help` lists what can be made.

VERSION   := 1.0.0-rc1
# The number of the interface, which may still change until 1.0.0: that will be 1; those before it were 0.1 and 0.2.
SOVERSION := 0

PREFIX   ?= /usr/local
DESTDIR  ?=
BUILD    ?= build
SANITIZE ?=
OUT      := $(if $(SANITIZE),$(BUILD)/sanitized,$(BUILD))

# Every core, unless the caller says otherwise.
ifeq ($(MAKELEVEL)$(filter -j% --jobs%,$(MAKEFLAGS)),0)
MAKEFLAGS += --jobs=$(shell nproc 2>/dev/null || echo 1)
endif

# FLINT 3 holds what was Arb (Debian 13, Ubuntu 24.04); Debian 12 has FLINT 2 and Arb beside it.
FLINT    ?= /usr/include/flint

# ---- packages, by Debian name, each for one thing ---------------------------------------------
# A|B is the first of the two that is there or that the system offers (tests/system/need.sh).
BUILD_PACKAGES := gcc libc6-dev pkg-config libgmp-dev libmpfr-dev libflint-dev 'libflint-arb-dev|$(FLINT)/arb.h' \
                  libsodium-dev libjansson-dev libsqlite3-dev
# Ubuntu has its browser as a snap, which this package installs.
BROWSER        := 'chromium|chromium-browser'
TEST_PACKAGES  := $(BUILD_PACKAGES) libcriterion-dev gnuplot-nox python3 zsh
CHECK_PACKAGES := $(TEST_PACKAGES) postgresql g++ clang clang-format libclang-rt-dev valgrind python3-dev python3-venv python3-pycparser $(BROWSER) cmake
# Where Frama-C is not offered, a root of Debian 12 has it (proofs/toolroot.py).
PROVERS        := 'frama-c-base&z3&cvc4&why3&coq&libcoq-interval|mmdebstrap&uidmap'
PROVE_PACKAGES := gcc libc6-dev make $(PROVERS) python3 python3-pycparser
CLAIMS_PACKAGES := $(BUILD_PACKAGES) libcriterion-dev $(PROVE_PACKAGES)
LINT_PACKAGES  := $(BUILD_PACKAGES) clang-tidy
BENCH_PACKAGES := $(BUILD_PACKAGES) python3-venv time
PYTHON_PACKAGES := $(BUILD_PACKAGES) python3-dev python3-venv
SPARK_PACKAGES := $(PYTHON_PACKAGES) default-jre-headless procps
DEB_PACKAGES := $(BUILD_PACKAGES) dpkg-dev debhelper dh-python chrpath fakeroot lintian python3-cffi python3-dev
# The ports of docs/packaging/ports need these; zig itself comes from pip, by digest.
PORT_PACKAGES := $(BUILD_PACKAGES) make m4 tcl dpkg-dev autoconf automake libtool llvm debian-archive-keyring python3-venv
WEB_PACKAGES  := $(PORT_PACKAGES) nodejs 'npm|/usr/bin/npm' libcriterion-dev $(BROWSER)
# It runs the programs for aarch64. From Debian 13 on qemu-user itself is static.
EMULATOR      := 'qemu-user-static|qemu-user'
SITE_PACKAGES := $(BUILD_PACKAGES) pandoc mandoc python3

# $(call need,PACKAGES): installs those that are missing; says and installs nothing when none is.
define need
@sh tests/system/need.sh $(BUILD) $(1)
endef

# $(call begin,GOAL) and $(call end,GOAL): the goal has passed on these bytes, for the statement of make dist.
begin = python3 docs/packaging/passed.py begin $(BUILD) $(1)
end   = python3 docs/packaging/passed.py end $(BUILD) $(1)

# The search path with which a proof runs: where the system has no Frama-C, its tools come from a root of Debian 12.
tools = PATH="$$(python3 proofs/toolroot.py --path)"

# ---- flags ------------------------------------------------------------------------------------
LIBS     := -lsqlite3 -ljansson -lsodium $(if $(wildcard $(FLINT)/arb.h),,-lflint-arb) -lflint -lmpfr -lgmp -lm -ldl
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wwrite-strings -Wcast-qual -Wvla -Wformat=2 -Werror
CFLAGS   ?= -O2 -g
# Arb's headers are not ours to warn about. src/base/widths.h stands before every source and says why.
INCLUDES := -Iinclude -Isrc -I. -isystem $(FLINT) -include base/widths.h
# The flags with which every compiler reads every source but the kernel's.
BASE       := -std=c11 -D_GNU_SOURCE -DPBY_VERSION='"$(VERSION)"' $(INCLUDES)
ALL_CFLAGS := $(BASE) $(WARNINGS) -fPIC -fvisibility=hidden -fstack-protector-strong $(CFLAGS)
# The kernel's flags are a closed list: make prove compares its objects with what these make of the text that was proved.
include acsl/c11/flags.mk

# Two builds in two folders give the same bytes, build id included (make same): the folder's name is in nothing that is linked.
FOLDERLESS := '-ffile-prefix-map=$(CURDIR)=.'

# Objects come from ccache where it is installed.
CCACHE := $(shell command -v ccache 2>/dev/null)
ifneq ($(CCACHE),)
ifeq ($(origin CC),default)
CC := $(CCACHE) gcc
endif
endif

# Sanitized sources are compiled by clang, which counts their branches: the suite and the fuzzers share the objects.
SANITIZERS    := -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -fno-omit-frame-pointer
ifneq ($(SANITIZE),)
override CC   := $(CCACHE) clang
ALL_CFLAGS    += $(SANITIZERS) -O1 -DPBY_SANITIZED
LDFLAGS       += $(SANITIZERS)
endif
ifneq ($(findstring clang,$(CC)),)
# Constants of an enumeration are named numbers here, as in enum { STEPS = 64 }; clang 19 warns of one beside a double.
ALL_CFLAGS    += -Wno-enum-float-conversion
# The kernel's text has the preprocessor's line markers, of which clang 19 warns; clang 14 does not know that warning.
TEXT_MARKERS  := -Wno-unknown-warning-option -Wno-gnu-line-marker
endif

# A row passes through short functions in files of their own, which the linker joins: a fifth less time for a row. clang
# would need another linker for it.
ifeq ($(SANITIZE)$(findstring clang,$(CC)),)
JOINED := -flto=auto -ffat-lto-objects
AR     := gcc-ar
# At -O3 gcc 12 splits a rational of FLINT into its two halves and takes each for the whole.
ALL_CFLAGS += -Wno-stringop-overread
endif

# ---- what there is ----------------------------------------------------------------------------
SOURCES        := $(sort $(shell find src -name '*.c' -not -path 'src/python/*' -not -path 'src/web/*'))
KERNEL_SOURCES := $(sort $(wildcard src/kernel/*.c))
CLI_SOURCES    := $(filter-out src/cli/verifier/%,$(filter src/cli/%,$(SOURCES)))
LIB_SOURCES    := $(filter-out src/kernel/% src/cli/%,$(SOURCES))
TEST_SOURCES   := $(filter-out tests/bench/% tests/fuzz/% tests/timing/% tests/faulty/% tests/threads/%,$(sort $(shell find tests -name '*.c')))
FUZZ_SOURCES   := $(wildcard tests/fuzz/*.c)
FUZZ_NAMES     := $(addprefix fuzz-,$(notdir $(basename $(FUZZ_SOURCES))))

object          = $(patsubst %.c,$(OUT)/obj/%.o,$(1))
KERNEL_TEXTS   := $(patsubst src/kernel/%.c,$(OUT)/kernel/%.i,$(KERNEL_SOURCES))
KERNEL_OBJECTS := $(call object,$(KERNEL_SOURCES))
LIB_OBJECTS    := $(call object,$(LIB_SOURCES)) $(KERNEL_OBJECTS)
CLI_OBJECTS    := $(call object,$(CLI_SOURCES))
TEST_OBJECTS   := $(call object,$(TEST_SOURCES))

STATIC  := $(OUT)/libprobity.a
SHARED  := $(OUT)/libprobity.so.$(VERSION)
COMMAND := $(OUT)/probity
SUITE   := $(OUT)/suite
# The folder for findings of a sanitizer in a process that a test started: any word there fails the check, since the
# test itself may pass (a leak is found after its last line).
REPORTS := $(abspath $(OUT))/reports

VERIFIER         := $(OUT)/probity-verify
VERIFIER_SOURCES := $(addprefix src/cli/,verifier/verifier_main.c cmd_verify.c statement.c options.c output.c clock.c driver.c guard.c help.c)

.PHONY: all build verifier demo test check prove proofs claims site bench peers python check-spark check-contracts same dist deb install clean help strict lists format lint families options deployments fuzz \
        $(FUZZ_NAMES) \
        setup-build setup-test setup-check setup-lint setup-prove setup-claims setup-bench setup-python setup-spark setup-site setup-deb
.DEFAULT_GOAL := all

all: setup-build ## the library, shared and static, and the command, into build/
	@$(MAKE) --no-print-directory build

build: $(STATIC) $(SHARED) $(COMMAND)

verifier: setup-build ## the program that checks certificates, and nothing else
	@$(MAKE) --no-print-directory $(VERIFIER)

setup-build:
	$(call need,$(BUILD_PACKAGES))
setup-test:
	$(call need,$(TEST_PACKAGES))
setup-check:
	$(call need,$(CHECK_PACKAGES))
setup-prove:
	$(call need,$(PROVE_PACKAGES))
	@python3 proofs/toolroot.py
setup-claims:
	$(call need,$(CLAIMS_PACKAGES))
	@python3 proofs/toolroot.py
setup-lint:
	$(call need,$(LINT_PACKAGES))
setup-bench:
	$(call need,$(BENCH_PACKAGES))
setup-python:
	$(call need,$(PYTHON_PACKAGES))
setup-spark:
	$(call need,$(SPARK_PACKAGES))
setup-deb:
	$(call need,$(DEB_PACKAGES))
setup-port:
	$(call need,$(PORT_PACKAGES))
setup-web:
	$(call need,$(WEB_PACKAGES))
setup-static:
	$(call need,$(PORT_PACKAGES) $(EMULATOR))
setup-site:
	$(call need,$(SITE_PACKAGES))

# The kernel is compiled from the text that Frama-C reads, which is made with headers of its own (acsl/c11) and with nothing
# of the caller's environment.
$(KERNEL_TEXTS): $(OUT)/kernel/%.i: src/kernel/%.c acsl/c11/flags.mk
	@mkdir -p $(@D)
	@env -i PATH="$$PATH" gcc $(TEXT_FLAGS) -MD -MP -MF $(@:.i=.d) -MT $@ $< -o $@.raw
	@{ $(TEXT_LIMITS); $(if $(findstring clang,$(CC)),echo '$(TEXT_PLAIN)';) } | sed -f /dev/stdin $@.raw > $@.new
	@rm $@.raw && mv $@.new $@

$(KERNEL_OBJECTS): $(OUT)/obj/src/kernel/%.o: $(OUT)/kernel/%.i
	@mkdir -p $(@D)
	@echo "  cc src/kernel/$*.c"
	@$(CC) $(OBJECT_FLAGS) $(TEXT_MARKERS) $(FOLDERLESS) $(if $(SANITIZE),$(SANITIZERS)) -c $< -o $@

$(OUT)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  cc $<"
	@$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(STATIC): $(LIB_OBJECTS)
	@echo "  ar $@"
	@rm -f $@
	@$(AR) rcs $@ $^

$(SHARED): $(LIB_OBJECTS) src/exports.map
	@echo "  ld $@"
	@$(CC) -shared -Wl,-soname,libprobity.so.$(SOVERSION) -Wl,--version-script=src/exports.map $(LDFLAGS) -o $@ \
	  $(LIB_OBJECTS) $(LIBS)
	@ln -sf $(notdir $@) $(OUT)/libprobity.so.$(SOVERSION)
	@ln -sf libprobity.so.$(SOVERSION) $(OUT)/libprobity.so

$(COMMAND): $(CLI_OBJECTS) $(STATIC)
	@echo "  ld $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

# The verifier links what checking a certificate needs, and nothing else.
$(VERIFIER): $(call object,$(VERIFIER_SOURCES)) $(STATIC)
	@echo "  ld $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(filter-out -lsqlite3,$(LIBS))

$(SUITE): $(TEST_OBJECTS) $(filter-out %/main.o,$(CLI_OBJECTS)) $(STATIC) | $(OUT)/faulty.so
	@echo "  ld $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(LIBS) -lcriterion

# The contracts of the kernel, compiled to C, around the objects of the kernel in the suite and the command (proofs/contracts.py).
check-contracts: setup-prove setup-test ## runs the suite with the kernel's contracts executed at each call of it
	@$(MAKE) --no-print-directory build $(VERIFIER) $(SUITE)
	@mkdir -p $(OUT)/contracts
	@echo '$(LDFLAGS) $(TEST_OBJECTS) $(filter-out %/main.o,$(CLI_OBJECTS)) $(STATIC) $(LIBS) -lcriterion' > $(OUT)/contracts/link.suite
	@echo '$(LDFLAGS) $(CLI_OBJECTS) $(STATIC) $(LIBS)' > $(OUT)/contracts/link.command
	@$(tools) python3 proofs/contracts.py --build $(OUT) --cc '$(CC)' --flags '$(OBJECT_FLAGS)' $(if $(FILTER),--filter '$(FILTER)')

# The suite preloads it to kill the command, or to fail it, at each operation on its files.
$(OUT)/faulty.so: tests/faulty/faulty.c
	@echo "  ld $@"
	@mkdir -p $(@D)
	@$(CC) -D_GNU_SOURCE -D_LARGEFILE64_SOURCE $(WARNINGS) -Wno-missing-prototypes -Wno-pedantic $(if $(SANITIZE),-DPBY_SANITIZED) -O1 -fPIC -shared -o $@ $< -ldl

$(CLI_OBJECTS) $(filter $(OUT)/obj/src/io/% $(OUT)/obj/src/table/% $(OUT)/obj/src/release/%,$(LIB_OBJECTS)): \
  ALL_CFLAGS += $(JOINED)
$(COMMAND) $(VERIFIER) $(SUITE) $(SHARED): LDFLAGS += $(JOINED)
$(call object,$(LIB_SOURCES) $(CLI_SOURCES) $(VERIFIER_SOURCES)): ALL_CFLAGS += $(FOLDERLESS)
$(COMMAND) $(VERIFIER) $(SHARED): LDFLAGS += $(FOLDERLESS)

# To compile the tests takes longer than to run most of them.
$(TEST_OBJECTS): ALL_CFLAGS += $(if $(SANITIZE),-O0)

-include $(patsubst %.c,$(OUT)/obj/%.d,$(VERIFIER_SOURCES)) $(KERNEL_TEXTS:.i=.d) $(LIB_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d)

# ---- the two commands -------------------------------------------------------------------------
demo: all ## sets everything up and runs the main job on a built-in example
	@tests/demo.sh $(COMMAND)

test: setup-test ## the tests but for the slow ones (tests/slow.txt), for the daily loop
	@$(MAKE) --no-print-directory build $(VERIFIER) $(SUITE)
	PROBITY=$(COMMAND) PROBITY_SLOW=tests/slow.txt $(SUITE) --timeout 900

# tests/slow.txt and tests/long.txt name tests that exist. The sanitized suite lacks some of the slow ones, and reads only
# tests/long.txt, which it checks itself.
lists: $(SUITE)
	@for list in tests/slow.txt tests/long.txt; do PROBITY_SLOW=$$list $(SUITE) --list >/dev/null || exit 1; done

ifeq ($(SANITIZE),)
check: setup-check ## sets everything up and passes all tests (SANITIZE=1: under ASan and UBSan)
	@$(call begin,check)
	@$(MAKE) --no-print-directory strict build $(VERIFIER) $(SUITE) lists
	@python3 tests/claims/kept.py $(OUT)
	@$(MAKE) --no-print-directory --output-sync=target $(addprefix check-,$(CHECKS_OF_TEXTS))
	PROBITY=$(COMMAND) CLAIMS_REPORT=$(abspath $(OUT))/ran/told $(SUITE) --timeout 900 --json=$(OUT)/ran/result.json
	@$(MAKE) --no-print-directory --output-sync=target $(addprefix check-,$(CHECKS)) fuzz
	@$(call end,check)

# Parts of make check. Those that read texts take seconds and come first, so that a fault in one is told at once.
CHECKS_OF_TEXTS := format headers schema families options symbols texts layers docs deployments
CHECKS          := install dist action python postgres threads scratch timing examples prove packages
check-install:
	@MAKE='$(MAKE)' tests/system/install.sh $(BUILD)
check-action:
	@python3 tests/system/action.py $(OUT)
check-dist:
	@python3 tests/system/dist.py $(OUT)
check-python:
	@tests/python/check.sh $(BUILD)
# A server in a folder of its own; KILLS=200 kills it as often.
check-postgres:
	@python3 tests/system/postgres.py $(OUT)
check-threads:
	@FLINT=$(FLINT) CC='$(CC)' tests/threads/check.sh $(OUT) $(VERSION) $(LIBS)
check-scratch:
	@python3 tests/scratch.py $(BUILD)
check-timing:
	@FLINT=$(FLINT) tests/timing/check.sh $(STATIC) $(OUT)/timing
check-examples:
	@$(MAKE) --no-print-directory install PREFIX=$(abspath $(OUT))/installed >/dev/null
	@tests/examples.sh $(OUT)/installed
check-format:
	@python3 tests/licences.py
	@python3 tests/comments.py
	@tests/format.sh
check-headers:
	@FLINT='$(FLINT)' tests/headers.sh
check-prove:
	@python3 tests/prove/evidence.py
	@python3 tests/prove/judged.py
	@python3 tests/prove/kept.py
	@python3 tests/prove/executed.py
	@python3 tests/prove/check.py $(COMMAND)
check-schema:
	@python3 tests/schema.py
check-packages:
	@tests/packages.sh
check-families:
	@python3 docs/families.py --check $(COMMAND)
check-options:
	@python3 docs/options.py --check $(COMMAND)
check-deployments:
	@python3 docs/deployments.py --check $(COMMAND)
check-symbols:
	@tests/symbols.sh $(STATIC) $(SHARED)
check-texts:
	@python3 tests/texts.py
check-layers:
	@python3 tests/layers.py
check-docs:
	@python3 tests/docs.py
.PHONY: $(addprefix check-,$(CHECKS))
else
# Checks what is compiled, and no more: sources and documents are the same in both builds. The tests of tests/long.txt
# take most of the time, nearly all of it in libraries that are not instrumented; LONG=1 runs them too.
check: setup-check
	@$(call begin,check-sanitized)
	@$(MAKE) --no-print-directory build $(VERIFIER) $(SUITE)
	@rm -rf $(REPORTS) && mkdir -p $(REPORTS)
	$(if $(LONG),,PROBITY_SLOW=tests/long.txt) ASAN_OPTIONS=log_path=$(REPORTS)/report PROBITY=$(COMMAND) $(SUITE) --timeout 900
	@! cat $(REPORTS)/* 2>/dev/null
	@$(MAKE) --no-print-directory install PREFIX=$(abspath $(OUT))/installed >/dev/null
	@CC=clang CXX=clang++ CFLAGS="$(SANITIZERS)" tests/examples.sh $(OUT)/installed
	@$(call end,check-sanitized)
endif

# clang compiles every source but the tests' with its own warnings as errors.
STRICT_OBJECTS := $(LIB_OBJECTS) $(CLI_OBJECTS) $(call object,$(VERIFIER_SOURCES))
strict: $(if $(SANITIZE),$(STRICT_OBJECTS))
	@$(if $(SANITIZE),,$(MAKE) --no-print-directory SANITIZE=1 strict)

format: setup-check ## lays out every C source as .clang-format says, and adds licences that are missing
	@python3 tests/licences.py --add
	@find src include acsl proofs tests docs/examples docs/prove \( -name '*.[ch]' -o -name '*.[ch]pp' \) | xargs clang-format -i

# clang-tidy's checks of .clang-tidy, a file at a time: some minutes.
lint: setup-lint ## reads every source with clang-tidy; SINCE=COMMIT only those that changed since
	@SINCE='$(SINCE)' tests/lint.sh $(BASE)

families: build ## writes the manual's list of specs and the completions, out of the registry
	@python3 docs/families.py $(COMMAND)

options: build ## writes the options in the manual and in the completions, out of the commands' tables
	@python3 docs/options.py $(COMMAND)

deployments: build ## judges docs/deployments/*.json and writes docs/deployments.md
	@python3 docs/deployments.py $(COMMAND)

# Each parser meets mutated inputs, as many as tests/fuzz/edges.txt says, sanitized in every build; the seed is
# fixed, so that a failure is found again. For a longer hunt: make fuzz FUZZ_RUNS=100000000
FUZZERS   := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(FUZZ_SOURCES))

fuzz: $(if $(SANITIZE),$(FUZZ_NAMES)) ## meets every parser with mutated inputs
	@$(if $(SANITIZE),,$(MAKE) --no-print-directory SANITIZE=1 fuzz)

$(FUZZ_NAMES): fuzz-%: $(BUILD)/fuzz/%
	@tests/fuzz/run.sh $< $* $(FUZZ_RUNS)

$(FUZZERS): $(BUILD)/fuzz/%: tests/fuzz/%.c $(filter-out %/main.o,$(CLI_OBJECTS)) $(STATIC)
	@mkdir -p $(@D)
	@echo "  ld $@"
	@$(CC) $(BASE) $(WARNINGS) -g $(SANITIZERS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

# ---- proofs -----------------------------------------------------------------------------------
prove: setup-prove setup-build ## proves every contract of the kernel; MUTATE=1 plants faults that must be caught, MUTATE=NAME one; REPLAY=1 reruns the last proof
	@$(if $(REPLAY),,$(call begin,prove))
	@$(tools) $(if $(REPLAY),python3 proofs/replay.py --build $(BUILD) $(if $(SEED),--seed $(SEED)),$(MAKE) --no-print-directory proofs)
	@$(if $(REPLAY),,$(if $(filter-out 1,$(MUTATE)),,$(call end,prove)))

proofs:
	@$(MAKE) --no-print-directory build
	@python3 proofs/prove.py --build $(BUILD) --cc '$(CC)' --json $(BUILD)/proofs.json --record $(BUILD)/proofs.record.json $(if $(MUTATE),$(if $(filter 1,$(MUTATE)),--mutate,--fault $(MUTATE)))
	@python3 proofs/certificates.py --build $(BUILD)
	@$(if $(filter 1,$(MUTATE)),python3 proofs/tricks.py --build $(BUILD) && python3 proofs/coqtricks.py && python3 tests/prove/kept.py && python3 tests/prove/check.py $(COMMAND) Receipts)
	@$(COMMAND) prove docs/prove/count --cache $(BUILD)/proofs --quiet && echo 'docs/prove/count: proved'

# ---- the papers -------------------------------------------------------------------------------
# PAPERS=DIR, a folder with the papers' texts, compares the inventory with them.
claims: setup-claims ## runs the evidence of every row of docs/claims, and writes build/claims.html (MUTATE=1: moves what decides each row)
	@$(call begin,claims)
	@$(MAKE) --no-print-directory build $(SUITE)
	@python3 tests/claims/faults.py
	@$(tools) PAPERS='$(PAPERS)' python3 tests/claims/claims.py --build $(OUT) --page $(BUILD)/claims.html $(if $(filter 1,$(MUTATE)),--mutate)
	@$(call end,claims)

# ---- the site ---------------------------------------------------------------------------------
# The ledger of claims is the page that make claims wrote last; a site without one says so.
site: setup-site ## docs/ as static pages with mathematics and search, in build/site
	@$(MAKE) --no-print-directory build
	@[ -f $(BUILD)/web/verify.html ] || echo 'site: no pages that compute: make web writes them'
	@[ -f $(BUILD)/claims.html ] || echo 'site: no ledger of claims: make claims writes it'
	@docs/site/reports.sh $(COMMAND) $(BUILD)/reports
	@python3 docs/site/build.py --out $(BUILD)/site --version $(VERSION) $(if $(wildcard $(BUILD)/claims.html),--report claims=$(BUILD)/claims.html) \
	  $(foreach name,verify loss,$(if $(wildcard $(BUILD)/web/$(name).html),--report $(name)=$(BUILD)/web/$(name).html)) \
	  --report explain=$(BUILD)/reports/explain.html --report audit=$(BUILD)/reports/audit.html

# ---- the browser ------------------------------------------------------------------------------
.PHONY: web check-web same-web setup-port setup-web

# Fetches zig and the sources of the libraries, and compiles them once into build/port (docs/web.md).
web: setup-port ## the verifier as a page that works offline in a browser, in build/web; fetches 120 MB
	@$(MAKE) --no-print-directory build
	@src/web/build.sh $(BUILD) $(VERSION) '$(WARNINGS)'

check-web: setup-web ## compares the module with the command, and drives the pages in a browser: some minutes
	@$(call begin,check-web)
	@$(MAKE) --no-print-directory web $(SUITE)
	@tests/web/check.sh $(BUILD)
	@$(call end,check-web)

same-web: setup-web ## builds the module and its pages once more, in another folder and by another user: the bytes must be the same
	@$(MAKE) --no-print-directory web
	@tests/web/same.sh $(BUILD)

# ---- static programs --------------------------------------------------------------------------
ARCH ?= x86_64 aarch64
.PHONY: static check-static objects setup-static

# Compiler and libraries are those of make web, and like them compiled once for each machine into build/port.
static: setup-port ## probity and probity-verify as files that need nothing else, in build/static; ARCH=aarch64: for one machine
	@for arch in $(ARCH); do docs/packaging/ports/static.sh $(BUILD) $$arch || exit 1; done

check-static: setup-static ## compares what the static programs answer with the command here, those for aarch64 under qemu
	@for arch in $(ARCH); do $(call begin,check-static-$$arch) || exit 1; done
	@$(MAKE) --no-print-directory build $(VERIFIER) static
	@tests/system/static.sh $(BUILD) $(ARCH)

# port.sh makes these before it knows which sources of FLINT are needed.
objects: $(STATIC) $(CLI_OBJECTS) $(call object,$(VERIFIER_SOURCES))

# ---- Python -----------------------------------------------------------------------------------
python: setup-python ## the Python package: a wheel that brings its libraries along, and the sdist, into build/wheels
	@$(MAKE) --no-print-directory build
	@src/python/wheel.sh $(BUILD) portable
	@src/python/wheel.sh $(BUILD) sdist

check-spark: setup-spark ## releases on a real Spark, whose tasks and executors are killed; fetches 450 MB
	@$(call begin,check-spark)
	@$(MAKE) --no-print-directory build
	@{ [ -x $(BUILD)/python/fresh/bin/pytest ] && [ $(BUILD)/python/wheels -nt $(SHARED) ]; } || tests/python/check.sh $(BUILD)
	@tests/spark/check.sh $(BUILD)
	@$(call end,check-spark)

# ---- benchmarks -------------------------------------------------------------------------------
bench: setup-bench ## benchmarks, each with a ratio against a named peer in the same run (ONLY=NAME: one)
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory -f tests/bench/Makefile BUILD=$(OUT) FLINT=$(FLINT)

# ---- other libraries --------------------------------------------------------------------------
peers: ## docs/peers.md: what pinned libraries from pip claim, and what their outputs show (PART=grey: their functions alone)
	@$(MAKE) --no-print-directory build
	@wheel=$$(sh src/python/wheel.sh $(BUILD) plain) && sh tests/peers/run.sh $(COMMAND) $(BUILD)/peer "$$wheel" $(or $(PART),all)

# ---- releases ---------------------------------------------------------------------------------
same: setup-build ## builds the tree twice, in two folders and by two users: the bytes must be the same
	@tests/system/same.sh

dist: setup-build ## a release in build/dist: sources, bill of materials, sums, and what has passed; KEY=FILE signs it
	@$(MAKE) --no-print-directory build
	@python3 docs/packaging/dist.py $(BUILD) $(VERSION) '$(KEY)'

deb: setup-deb ## the packages of Debian, from the last commit, into build/deb
	@docs/packaging/deb.sh $(BUILD) $(VERSION)

# ---- installation -----------------------------------------------------------------------------
# $(call at,PATH): below PREFIX, quoted for the shell, since DESTDIR and PREFIX may have blanks. Packages of Debian have
# libraries in a folder of their architecture (LIBDIR).
LIBDIR ?= lib
at      = "$(DESTDIR)$(PREFIX)/$(1)"
# The documents that help texts and manual pages name, without what makes the site, the completions and the packages.
DOCUMENTS := README.md LICENSE $(shell find docs -type f \( -name '*.md' -o -name '*.json' -o -name '*.svg' -o -name '*.toml' -o -name '*.[ch]' \
               -o -path 'docs/examples/*' \) -not -path 'docs/packaging/*' | sort)

install: all ## into PREFIX (/usr/local), below DESTDIR
	install -d $(call at,bin) $(call at,$(LIBDIR)/pkgconfig) $(call at,$(LIBDIR)/cmake/probity) $(call at,include/probity/experimental) \
	  $(call at,share/man/man1) $(call at,share/probity/coq) $(call at,share/probity/prove/acsl/c11) \
	  $(call at,share/probity/prove/docs) $(call at,share/probity/prove/proofs/alignment) $(call at,share/probity/prove/proofs/shapes) \
	  $(call at,share/bash-completion/completions) $(call at,share/zsh/site-functions)
	install -m 755 $(COMMAND) $(call at,bin/probity)
	install -m 644 $(STATIC) $(call at,$(LIBDIR)/)
	install -m 755 $(SHARED) $(call at,$(LIBDIR)/)
	ln -sf $(notdir $(SHARED)) $(call at,$(LIBDIR)/libprobity.so.$(SOVERSION))
	ln -sf libprobity.so.$(SOVERSION) $(call at,$(LIBDIR)/libprobity.so)
	install -m 644 include/probity.h include/probity.hpp $(call at,include/)
	install -m 644 include/probity/*.h $(call at,include/probity/)
	install -m 644 include/probity/experimental/*.h $(call at,include/probity/experimental/)
	install -m 644 proofs/coq/*.v $(call at,share/probity/coq/)
	install -m 644 acsl/*.[ch] $(call at,share/probity/prove/acsl/)
	install -m 644 acsl/c11/* $(call at,share/probity/prove/acsl/c11/)
	install -m 644 proofs/*.py proofs/baseline.json $(call at,share/probity/prove/proofs/)
	install -m 644 proofs/alignment/noise.[ch] $(call at,share/probity/prove/proofs/alignment/)
	install -m 644 docs/trust.md $(call at,share/probity/prove/docs/)
	cp -r proofs/shapes/. $(call at,share/probity/prove/proofs/shapes/)
	ln -sfn ../../coq $(call at,share/probity/prove/proofs/coq)
	@# The pages for browsers are there after make web, and certify --page takes one of them.
	for f in $(wildcard $(BUILD)/web/*.html $(BUILD)/web/probity.wasm); do install -D -m 644 $$f $(call at,share/probity/web/)"$${f##*/}" || exit 1; done
	install -m 644 docs/*.1 $(call at,share/man/man1/)
	for f in $(DOCUMENTS); do install -D -m 644 $$f $(call at,share/doc/probity/)"$${f#docs/}" || exit 1; done
	install -m 644 docs/completion/probity.bash $(call at,share/bash-completion/completions/probity)
	install -m 644 docs/completion/_probity $(call at,share/zsh/site-functions/)
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/$(LIBDIR)' 'includedir=$${prefix}/include' '' \
	  'Name: probity' 'Description: Differential privacy that can be checked' 'Version: $(VERSION)' \
	  'Requires: gmp mpfr' 'Libs: -L$${libdir} -lprobity' \
	  'Libs.private: $(LIBS)' 'Cflags: -I$${includedir}' \
	  > $(call at,$(LIBDIR)/pkgconfig/probity.pc)
	for f in probityConfig probityConfigVersion; do \
	  sed 's/@VERSION@/$(VERSION)/; s/@SOVERSION@/$(SOVERSION)/; s,@LIBDIR@,$(LIBDIR),g' src/$$f.cmake.in \
	    > $(call at,$(LIBDIR)/cmake/probity/)$$f.cmake || exit 1; done

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

clean: ## removes what was built: build/, or the BUILD that is named
	rm -rf $(BUILD)
