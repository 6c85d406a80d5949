/* SPDX-License-Identifier: MIT */
/* Written by proofs/claimed.py out of statements.toml: what is proved of pby_sparse. */
#ifndef PBY_PRIVATE_SPARSE_H
#define PBY_PRIVATE_SPARSE_H

/* clang-format off */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) && \valid_read(z + (0
        .. n - 1)) && \valid_read(t + (0 .. c - 1)) && \valid_read(s + (0 .. c - 1));
    requires place: \valid(w + (0 .. n - 1)) && \valid(a + (0 .. c - 1)) && \valid(b + (0 .. c - 1));
    requires apart: \separated(w + (0 .. n - 1), a + (0 .. c - 1), b + (0 .. c - 1), x + (0 .. n - 1), y +
            (0 .. n - 1), z + (0 .. n - 1), t + (0 .. c - 1), s + (0 .. c - 1));
    requires domain: 0 <= down <= INT32_MAX && 0 <= up <= INT32_MAX && Within(z, n, INT64_MIN, INT64_MAX -
            (down + up));
    requires neighbour: Moved(x, y, n, down, up);
    requires aligned: \forall integer j; 0 <= j < c ==> s[j] == t[j] + up;
    terminates \true;
    assigns w[0 .. n - 1], a[0 .. c - 1], b[0 .. c - 1];
    ensures reached: \result == 1;
*/
int private_sparse(const int64_t *x, const int64_t *y, const int64_t *z, int64_t *w, size_t n, const
        int64_t *t, const int64_t *s, size_t c, int64_t down, int64_t up, size_t *a, size_t *b)
{
    const size_t held = align_sparse(x, y, z, w, n, t, s, c, down, up, a, b);
    /*@ assert injective: Places(a, held, n) && Raised(z, w, a, held, n, down + up); */
    /*@ assert cost: held <= c && Distance(t, s, c) <= up * c && Distance(z, w, n) <= (down + up) * held;
            */
    /*@ assert first: Answers(x, z, n, t, c, a, held); */
    /*@ assert second: Answers(y, w, n, s, c, b, held); */
    /*@ assert same: \forall integer i; 0 <= i < held ==> a[i] == b[i]; */
    return 1;
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_private_sparse(void)
{
    const int64_t x[3] = {4, 9, 5};
    const int64_t y[3] = {5, 8, 5};
    const int64_t z[3] = {1, -1, 7};
    const size_t n = 3;
    const int64_t t[2] = {7, 3};
    const int64_t s[2] = {8, 4};
    const size_t c = 2;
    const int64_t down = 1;
    const int64_t up = 1;
    int64_t w[3];
    size_t a[2];
    size_t b[2];
    return private_sparse(x, y, z, w, n, t, s, c, down, up, a, b);
}

#endif
