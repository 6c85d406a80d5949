/* SPDX-License-Identifier: MIT */
/* Test input, the same in every run: splitmix64. Not a source of randomness for anything else. */
#ifndef PBY_TESTS_KERNEL_STREAM_H
#define PBY_TESTS_KERNEL_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static inline uint64_t stream_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline int stream_order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* A table of n cells whose ends lie below 2^bits: few bits make equal cuts. */
static inline void stream_table(uint64_t *state, uint64_t *t, size_t n, unsigned bits)
{
    for (size_t i = 0; i < n; i++)
        t[i] = stream_next(state) >> (64 - bits);
    t[0] = 0;
    qsort(t, n, sizeof *t, stream_order);
}

#endif
