# SPDX-License-Identifier: MIT
# The WebAssembly module, from the list of its sources (src/web/build.sh).
#   make -f src/web/module.mk DIR=... VERSION=... WARNINGS=... BUILD=... $(DIR)/objects
# zig names the target by a word that clang calls old (-Wno-deprecated); its clang is newer than the one that reads the sources strictly, and
# warns where a double meets a constant of an enumeration (-Wno-enum-float-conversion).
# The kernel is compiled from its sources with the headers of wasi-libc: the text that is proved has 64-bit sizes, and
# WebAssembly's have 32 (docs/web.md).
CC      := $(DIR)/bin/clang
INCLUDE := $(DIR)/deps/include
FLAGS   := -std=c11 -D_GNU_SOURCE -DPBY_VERSION='"$(VERSION)"' -Isrc/web/wasi -I$(DIR)/ours -Iinclude -Isrc -I. -isystem $(INCLUDE)/flint \
           -include port.h -include base/widths.h $(WARNINGS) -Wno-deprecated -Wno-enum-float-conversion -Wno-gnu-statement-expression-from-macro-expansion -O2 -fvisibility=hidden '-ffile-prefix-map=$(CURDIR)=.'
SOURCES := $(shell cat $(DIR)/sources.txt) src/web/wasi/port.c
OBJECTS := $(patsubst %.c,$(DIR)/obj/%.o,$(SOURCES))

# clang does not warn of a 64-bit number that is cut to a long in a call through a macro of a system header, and every function of GMP and
# MPFR is one: here their headers are ours. What they do themselves is not.
OURS := $(DIR)/ours/gmp.h $(DIR)/ours/mpfr.h
$(OURS): $(DIR)/ours/%.h: $(INCLUDE)/%.h
	@mkdir -p $(@D)
	@{ echo '#pragma clang diagnostic push'; echo '#pragma clang diagnostic ignored "-Weverything"'; cat $<; \
	   echo '#pragma clang diagnostic pop'; } > $@
$(OBJECTS): | $(OURS)

$(DIR)/objects: $(OBJECTS)
	@echo $(OBJECTS) | tr ' ' '\n' > $@

$(DIR)/obj/%.o: %.c src/web/module.mk $(DIR)/bin/clang
	@mkdir -p $(@D)
	@echo "  wasm $<"
	@$(CC) $(FLAGS) -MMD -MP -c $< -o $@

-include $(OBJECTS:.o=.d)
