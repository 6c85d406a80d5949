/* SPDX-License-Identifier: MIT */
/* The end of a target whose statement does not hold. */
#ifndef PBY_TESTS_FUZZ_MUST_H
#define PBY_TESTS_FUZZ_MUST_H

#include <stdio.h>
#include <stdlib.h>

static inline void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

#endif
