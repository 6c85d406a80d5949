/* SPDX-License-Identifier: MIT */
/* Written by proofs/claimed.py out of statements.toml: what is proved of pby_ranges. */
#ifndef PBY_PRIVATE_RANGES_H
#define PBY_PRIVATE_RANGES_H

/* clang-format off */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) && \valid_read(z + (0
        .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1), z +
            (0 .. n - 1), w + (0 .. n - 1));
    requires domain: 0 <= reach <= INT32_MAX && Within(x, n, 0, INT64_MAX - 2 * reach) && Within(y, n, 0,
            INT64_MAX - 2 * reach);
    requires neighbour: Distance(x, y, n) <= charge;
    requires aligned: \forall integer i; 0 <= i < n ==> w[i] == z[i] + Shift(z[i], reach, x[i] - y[i]);
    requires holds: \forall integer i; 0 <= i < n ==> !(Reaching(z[i], reach) && reach < Apart(z[i], y[i]
            - x[i]));
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures reached: \result == 1;
*/
int private_ranges(const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w, size_t n,
        int64_t reach, int64_t charge, int64_t *a, int64_t *b)
{
    align_ranges(x, y, z, w, n, reach, charge, a, b);
    /*@ assert injective: \forall integer i; 0 <= i < n ==> \at(z[i], Pre) == \at(w[i], Pre) - (a[i] ==
            Suppressed ? 0 : \at(x[i] - y[i], Pre)); */
    /*@ assert cost: Distance{Pre}(z, w, n) <= charge; */
    /*@ assert first: \forall integer i; 0 <= i < n ==> a[i] == Ranged(\at(x[i], Pre), \at(z[i], Pre),
            reach); */
    /*@ assert second: \forall integer i; 0 <= i < n ==> b[i] == Ranged(\at(y[i], Pre), \at(w[i], Pre),
            reach); */
    /*@ assert same: \forall integer i; 0 <= i < n ==> a[i] == b[i]; */
    return 1;
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_private_ranges(void)
{
    const int64_t x[2] = {7, 1};
    const int64_t y[2] = {6, 1};
    const int64_t z[2] = {-2, 9};
    const int64_t w[2] = {-1, 9};
    const size_t n = 2;
    const int64_t reach = 3;
    const int64_t charge = 1;
    int64_t a[2];
    int64_t b[2];
    return private_ranges(x, y, z, w, n, reach, charge, a, b);
}

#endif
