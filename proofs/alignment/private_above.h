/* SPDX-License-Identifier: MIT */
/* Written by proofs/claimed.py out of statements.toml: what is proved of pby_above. */
#ifndef PBY_PRIVATE_ABOVE_H
#define PBY_PRIVATE_ABOVE_H

/* clang-format off */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) && \valid_read(z + (0
        .. n - 1));
    requires place: \valid(w + (0 .. n - 1)) && \valid(a) && \valid(b);
    requires apart: \separated(w + (0 .. n - 1), a, b, x + (0 .. n - 1), y + (0 .. n - 1), z + (0 .. n -
            1));
    requires domain: 0 <= down <= INT32_MAX && 0 <= up <= INT32_MAX && Within(z, n, INT64_MIN, INT64_MAX -
            (down + up));
    requires neighbour: Moved(x, y, n, down, up);
    requires aligned: s == t + up;
    terminates \true;
    assigns w[0 .. n - 1], *a, *b;
    ensures reached: \result == 1;
*/
int private_above(const int64_t *x, const int64_t *y, const int64_t *z, int64_t *w, size_t n, int64_t t,
        int64_t s, int64_t down, int64_t up, size_t *a, size_t *b)
{
    align_above(x, y, z, w, n, t, s, down, up, a, b);
    const size_t first = pby_above(x, z, 0, n, t);
    const size_t second = pby_above(y, w, 0, n, s);
    /*@ assert injective: \forall integer i; 0 <= i < n ==> z[i] == w[i] - (i == *a ? down + up : 0); */
    /*@ assert cost: Apart(t, s) <= up && Distance(z, w, n) <= down + up; */
    /*@ assert first: first == *a; */
    /*@ assert second: second == *b; */
    /*@ assert same: first == second; */
    return 1;
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_private_above(void)
{
    const int64_t x[3] = {4, 9, 5};
    const int64_t y[3] = {5, 8, 5};
    const int64_t z[3] = {1, -1, 7};
    const size_t n = 3;
    const int64_t t = 7;
    const int64_t s = 8;
    const int64_t down = 1;
    const int64_t up = 1;
    int64_t w[3];
    size_t a[1];
    size_t b[1];
    return private_above(x, y, z, w, n, t, s, down, up, a, b);
}

#endif
