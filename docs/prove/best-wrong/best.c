/* SPDX-License-Identifier: MIT */
#include "best.h"

size_t noisy_best(const struct candidate *x, size_t n, const int64_t *z)
{
    size_t best = 0;
    /*@ loop invariant range: 1 <= i <= n;
        loop invariant best:  Best(x, z, i, best);
        loop assigns i, best;
        loop variant n - i; */
    for (size_t i = 1; i < n; i++)
        if (x[i].score + z[i] > x[best].score + z[best] ||
            (x[i].score + z[i] == x[best].score + z[best] && x[i].score > x[best].score))
            best = i;
    return best;
}
