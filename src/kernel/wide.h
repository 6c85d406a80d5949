/* SPDX-License-Identifier: MIT */
/* For which machines a function is built. */
#ifndef PBY_KERNEL_WIDE_H
#define PBY_KERNEL_WIDE_H

/* Built once for machines with 256-bit compares and once for all others, from one text: the better one is
 * picked when the program is loaded. clang 14 drops the function itself, and is given the text without the
 * attribute (Makefile); tests/timing looks at both. */
#if defined __amd64__ && defined __gnu_linux__
#define PBY_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define PBY_WIDE
#endif

#endif
