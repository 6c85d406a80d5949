/* SPDX-License-Identifier: MIT */
/* Written by proofs/claimed.py out of statements.toml: what is proved of pby_respond. */
#ifndef PBY_PRIVATE_RESPOND_H
#define PBY_PRIVATE_RESPOND_H

/* clang-format off */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) && \valid_read(z + (0
        .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1), z +
            (0 .. n - 1), w + (0 .. n - 1));
    requires domain: 1 <= k <= INT64_MAX / 2 && Within(x, n, 0, k - 1) && Within(y, n, 0, k - 1) &&
            Within(z, n, 0, k - 1);
    requires neighbour: Unlike(x, y, n) <= charge;
    requires aligned: \forall integer i; 0 <= i < n ==> w[i] == Wrapped(x[i] + z[i] - y[i], k);
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures reached: \result == 1;
*/
int private_respond(const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w, size_t n,
        int64_t k, int64_t charge, int64_t *a, int64_t *b)
{
    align_respond(x, y, z, w, n, k, charge, a, b);
    /*@ assert injective: \forall integer i; 0 <= i < n ==> \at(z[i] == Wrapped(y[i] + w[i] - x[i], k),
            Pre); */
    /*@ assert cost: Unlike{Pre}(z, w, n) <= charge; */
    /*@ assert first: \forall integer i; 0 <= i < n ==> a[i] == Turned(\at(x[i], Pre), \at(z[i], Pre), k);
            */
    /*@ assert second: \forall integer i; 0 <= i < n ==> b[i] == Turned(\at(y[i], Pre), \at(w[i], Pre),
            k); */
    /*@ assert same: \forall integer i; 0 <= i < n ==> a[i] == b[i]; */
    return 1;
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_private_respond(void)
{
    const int64_t x[2] = {2, 1};
    const int64_t y[2] = {0, 1};
    const int64_t z[2] = {0, 1};
    const int64_t w[2] = {2, 1};
    const size_t n = 2;
    const int64_t k = 3;
    const int64_t charge = 1;
    int64_t a[2];
    int64_t b[2];
    return private_respond(x, y, z, w, n, k, charge, a, b);
}

#endif
