/* SPDX-License-Identifier: MIT */
/* Written by proofs/claimed.py out of statements.toml: what is proved of pby_shrink. */
#ifndef PBY_PRIVATE_SHRINK_H
#define PBY_PRIVATE_SHRINK_H

/* clang-format off */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) && \valid_read(z + (0
        .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(noise + (0 .. n - 1)) && \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(noise + (0 .. n - 1), a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1),
            y + (0 .. n - 1), z + (0 .. n - 1), w + (0 .. n - 1));
    requires domain: Counts(x, n) && Counts(y, n) && 0 <= bound && Within(z, n, -bound, 0);
    requires neighbour: Distance(x, y, n) <= charge;
    requires aligned: Shifted(z, w, x, y, n);
    requires holds: \forall integer i; 0 <= i < n ==> y[i] - x[i] - bound <= z[i] <= y[i] - x[i];
    terminates \true;
    assigns noise[0 .. n - 1], a[0 .. n - 1], b[0 .. n - 1];
    ensures reached: \result == 1;
*/
int private_shrink(const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w, size_t n,
        int64_t bound, int64_t charge, int64_t *noise, int64_t *a, int64_t *b)
{
    const int held = align_shrink(x, y, z, w, n, bound, charge, noise, a, b);
    /*@ assert held: held == 1; */
    /*@ assert injective: \forall integer i; 0 <= i < n ==> \at(z[i] == w[i] - (x[i] - y[i]), Pre); */
    /*@ assert cost: Distance{Pre}(z, w, n) <= charge; */
    /*@ assert first: \forall integer i; 0 <= i < n ==> a[i] == Clamped(\at(x[i] + z[i], Pre)); */
    /*@ assert second: \forall integer i; 0 <= i < n ==> b[i] == Clamped(\at(y[i] + w[i], Pre)); */
    /*@ assert same: \forall integer i; 0 <= i < n ==> a[i] == b[i]; */
    return 1;
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_private_shrink(void)
{
    const int64_t x[2] = {4, 1};
    const int64_t y[2] = {3, 1};
    const int64_t z[2] = {-2, -3};
    const int64_t w[2] = {-1, -3};
    const size_t n = 2;
    const int64_t bound = 3;
    const int64_t charge = 1;
    int64_t noise[2];
    int64_t a[2];
    int64_t b[2];
    return private_shrink(x, y, z, w, n, bound, charge, noise, a, b);
}

#endif
