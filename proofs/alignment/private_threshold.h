/* SPDX-License-Identifier: MIT */
/* Written by proofs/claimed.py out of statements.toml: what is proved of pby_threshold. */
#ifndef PBY_PRIVATE_THRESHOLD_H
#define PBY_PRIVATE_THRESHOLD_H

/* clang-format off */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) && \valid_read(z + (0
        .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(noise + (0 .. n - 1)) && \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(noise + (0 .. n - 1), a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1),
            y + (0 .. n - 1), z + (0 .. n - 1), w + (0 .. n - 1));
    requires domain: Counts(x, n) && Counts(y, n) && 1 <= threshold;
    requires neighbour: Distance(x, y, n) <= charge;
    requires aligned: \forall integer i; 0 <= i < n ==> w[i] == z[i] + Shift(x[i], y[i]);
    requires holds: \forall integer i; 0 <= i < n ==> !Surfaces(x[i], y[i], z[i], threshold);
    terminates \true;
    assigns noise[0 .. n - 1], a[0 .. n - 1], b[0 .. n - 1];
    ensures reached: \result == 1;
*/
int private_threshold(const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w, size_t n,
        int64_t threshold, int64_t charge, int64_t *noise, int64_t *a, int64_t *b)
{
    align_threshold(x, y, z, w, n, threshold, charge, noise, a, b);
    /*@ assert injective: \forall integer i; 0 <= i < n ==> \at(z[i] == w[i] - Shift(x[i], y[i]), Pre); */
    /*@ assert cost: Distance{Pre}(z, w, n) <= charge; */
    /*@ assert first: \forall integer i; 0 <= i < n ==> a[i] == Published(\at(x[i], Pre), \at(z[i], Pre),
            threshold); */
    /*@ assert second: \forall integer i; 0 <= i < n ==> b[i] == Published(\at(y[i], Pre), \at(w[i], Pre),
            threshold); */
    /*@ assert same: \forall integer i; 0 <= i < n ==> a[i] == b[i]; */
    return 1;
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_private_threshold(void)
{
    const int64_t x[3] = {7, 1, 0};
    const int64_t y[3] = {6, 0, 0};
    const int64_t z[3] = {-2, 0, 9};
    const int64_t w[3] = {-1, 0, 9};
    const size_t n = 3;
    const int64_t threshold = 4;
    const int64_t charge = 2;
    int64_t noise[3];
    int64_t a[3];
    int64_t b[3];
    return private_threshold(x, y, z, w, n, threshold, charge, noise, a, b);
}

#endif
