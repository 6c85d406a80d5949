# SPDX-License-Identifier: MIT
# The one list of flags for whatever is proved: how the text of a unit is made, and how it is compiled. make reads it, and so do
# the proofs (proofs/text.py), which make each text and each object again and compare. No other flag reaches either, but
# one of make's that takes the folder's name out of what serves a debugger.

# No header of a system is read. Contracts are comments, and stay.
TEXT_FLAGS := -E -C -std=c11 -nostdinc -Iacsl/c11 -I. -Isrc

# Frama-C reads no macros, so the limits in contracts are put in their places, out of the headers here; in the code they are
# already. clang is given the text without the one attribute (src/kernel/wide.h).
TEXT_LIMITS := sed -n 's/^\#define \([A-Z0-9]*_M[AI][XN]\)  *\(.*\)$$/s,\\b\1\\b,\2,g/p' acsl/c11/stdint.h acsl/c11/limits.h
TEXT_PLAIN  := s/__attribute__((target_clones("avx2", "default"))) //

# No meaning is left to the compiler: types say nothing about what overlaps, no function is taken for one of the C library's, and
# characters have a sign.
MEANING_FLAGS := -std=c11 -ffreestanding -fno-strict-aliasing -fsigned-char -Werror=incompatible-pointer-types -Werror=int-conversion \
                 -Werror=pointer-sign -Werror=implicit-function-declaration -Werror=implicit-int -Werror=return-type
# gcc's names for what else a pointer may not lose; it judges each text, whoever compiles it.
JUDGE_FLAGS   := -Werror=discarded-qualifiers -Werror=discarded-array-qualifiers
OBJECT_FLAGS  := $(MEANING_FLAGS) -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
                 -Wmissing-prototypes -Wwrite-strings -Wcast-qual -Wvla -Wformat=2 -Werror -fPIC -fvisibility=hidden -O3 -g
