/* SPDX-License-Identifier: MIT */
#include "kernel/digits.h"

int pby_number(int64_t *value, const int64_t *digit, size_t n)
{
    int64_t v = *value;
    /*@ loop invariant range: i <= n;
        loop invariant v:     0 <= v < 0x4000000000000000 && v == Number{Pre}(digit, \at(*value, Pre), i);
        loop assigns i, v;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        /*@ assert next: Number{Pre}(digit, \at(*value, Pre), i + 1) == v * 256 + digit[i]; */
        if (v >= 0x40000000000000) {
            /*@ ghost
              /@ loop invariant range: i + 1 <= k <= n;
                 loop invariant above: Number{Pre}(digit, \at(*value, Pre), k) >= 0x4000000000000000;
                 loop assigns k;
                 loop variant n - k; @/
              for (size_t k = i + 1; k < n; k++)
                /@ assert next: Number{Pre}(digit, \at(*value, Pre), k + 1) ==
                                Number{Pre}(digit, \at(*value, Pre), k) * 256 + digit[k]; @/ {}
            */
            return 0;
        }
        v = v * 256 + digit[i];
    }
    *value = v;
    return 1;
}
