/* SPDX-License-Identifier: MIT */
/* Written by proofs/claimed.py out of statements.toml: what is proved of pby_noisy_max. */
#ifndef PBY_PRIVATE_NOISY_MAX_H
#define PBY_PRIVATE_NOISY_MAX_H

/* clang-format off */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) && \valid_read(z + (0
        .. n - 1));
    requires place: \valid(w + (0 .. n - 1)) && \valid(a) && \valid(b);
    requires apart: \separated(w + (0 .. n - 1), a, b, x + (0 .. n - 1), y + (0 .. n - 1), z + (0 .. n -
            1));
    requires domain: 0 < n && 0 <= d <= INT32_MAX && 0 <= by && Within(z, n, INT64_MIN, INT64_MAX - by);
    requires neighbour: (by == 2 * d && Near(x, y, n, d)) || (by == d && Together(x, y, n, d));
    terminates \true;
    assigns w[0 .. n - 1], *a, *b;
    ensures reached: \result == 1;
*/
int private_noisy_max(const int64_t *x, const int64_t *y, const int64_t *z, int64_t *w, size_t n, int64_t
        d, int64_t by, size_t *a, size_t *b)
{
    align_noisy_max(x, y, z, w, n, d, by, a, b);
    const size_t first = pby_noisy_max(x, z, n);
    const size_t second = pby_noisy_max(y, w, n);
    /*@ assert injective: \forall integer i; 0 <= i < n ==> z[i] == w[i] - (i == *a ? by : 0); */
    /*@ assert cost: Distance(z, w, n) <= by; */
    /*@ assert first: first == *a; */
    /*@ assert second: second == *b; */
    /*@ assert same: first == second; */
    return 1;
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_private_noisy_max(void)
{
    const int64_t x[3] = {4, 9, 5};
    const int64_t y[3] = {5, 8, 5};
    const int64_t z[3] = {1, -1, 0};
    const size_t n = 3;
    const int64_t d = 1;
    const int64_t by = 2;
    int64_t w[3];
    size_t a[1];
    size_t b[1];
    return private_noisy_max(x, y, z, w, n, d, by, a, b);
}

#endif
