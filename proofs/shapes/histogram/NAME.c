#include "NAME.h"

void NAME(int64_t *a, const int64_t *x, const int64_t *z, size_t n)
{
    /*@ loop invariant range: i <= n;
        loop invariant sums:  \forall integer j; 0 <= j < i ==> a[j] == x[j] + z[j];
        loop assigns i, a[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        a[i] = x[i] + z[i];
}
