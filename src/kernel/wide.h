/* For which machines a function is built. */
#ifndef PBY_KERNEL_WIDE_H
#define PBY_KERNEL_WIDE_H

/* Built once for machines with 256-bit compares and once for all others, from one source: a compiler that can
 * picks the better one when the program is loaded. PBY_PLAIN asks for the second alone: tests/timing looks at
 * both. */
#if defined __amd64__ && defined __gnu_linux__ && defined __GNUC__ && !defined __clang__ && !defined PBY_PLAIN
#define PBY_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define PBY_WIDE
#endif

#endif
