/* SPDX-License-Identifier: MIT */
#include "kernel/thin.h"

size_t pby_ones(const uint64_t *bits, size_t m)
{
    uint64_t rest = 0; /* the bits of a word that are still to come */
    size_t ones = 0;
    /*@ loop invariant range: k <= m;
        loop invariant count: 0 <= ones <= k;
        loop invariant ones:  ones == Ones(bits, k);
        loop invariant bits:  k % 64 != 0 ==> rest == Halved(bits[k / 64], k % 64);
        loop assigns k, rest, ones;
        loop variant m - k; */
    for (size_t k = 0; k < m; k++) {
        if (k % 64 == 0)
            rest = bits[k / 64];
        /*@ assert bit: rest % 2 == Bit(bits, k); */
        ones += (size_t)(rest % 2);
        rest /= 2;
        /*@ assert place: (k + 1) % 64 != 0 ==> (k + 1) / 64 == k / 64 && (k + 1) % 64 == k % 64 + 1; */
    }
    return ones;
}

void pby_thin(int64_t *seen, int64_t *left, int digit, int64_t ones)
{
    const int64_t zeros = *left - ones;
    *seen += digit == 1 ? zeros : 0;
    *left = digit == 1 ? ones : zeros;
}
