#include "NAME.h"

size_t NAME(const int64_t *x, size_t n, const int64_t *z)
{
    size_t best = 0;
    /*@ loop invariant range: 1 <= i <= n;
        loop invariant best:  Winner(x, z, i, best);
        loop assigns i, best;
        loop variant n - i; */
    for (size_t i = 1; i < n; i++)
        if (x[i] + z[i] > x[best] + z[best])
            best = i;
    return best;
}
