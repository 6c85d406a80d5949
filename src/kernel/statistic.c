/* SPDX-License-Identifier: MIT */
#include "kernel/statistic.h"

size_t pby_stat_max_k(const int64_t *x, size_t n, int64_t k)
{
    /*@ loop invariant range: i <= n;
        loop invariant above: NoneReaches(x, i, n, k);
        loop assigns i;
        loop variant i; */
    for (size_t i = n; i > 0; i--)
        if (x[i - 1] >= k)
            return i - 1;
    return n;
}

size_t pby_stat_min_k(const int64_t *x, size_t n, int64_t k)
{
    /*@ loop invariant range: i <= n;
        loop invariant below: NoneReaches(x, 0, i, k);
        loop assigns i;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        if (x[i] >= k)
            return i;
    return n;
}

size_t pby_stat_range(const int64_t *x, size_t n)
{
    const size_t lo = pby_stat_min_k(x, n, 1);
    if (lo == n)
        return n;
    const size_t hi = pby_stat_max_k(x, n, 1);
    /*@ assert order: lo <= hi < n; */
    return hi - lo;
}

size_t pby_stat_support(size_t *bars, const int64_t *x, size_t n)
{
    size_t s = 0;
    /*@ ghost lemma_support(x, n); */
    /*@ loop invariant range: i <= n;
        loop invariant count: s == Support(x, i) <= i;
        loop invariant same:  Same{Pre, Here}((int64_t *)x, 0, n);
        loop invariant bars:  \forall integer j; 0 <= j < i ==> x[j] != 0 ==> bars[Support(x, j)] == j;
        loop invariant order: \forall integer j; 0 <= j < i ==> x[j] != 0 ==> Support(x, j) < s;
        loop assigns i, s, bars[0 .. Support(x, n) - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        if (x[i] == 0)
            continue;
        bars[s] = i;
        s++;
    }
    return s;
}

size_t pby_stat_mode(const int64_t *x, size_t n)
{
    size_t m = n;
    int64_t fullest = 0;
    /*@ loop invariant range:   i <= n;
        loop invariant none:    m == n ==> fullest == 0 && NoneReaches(x, 0, i, 1);
        loop invariant some:    m != n ==> m < i && x[m] == fullest && 1 <= fullest;
        loop invariant fullest: \forall integer j; 0 <= j < i ==> x[j] <= fullest;
        loop invariant first:   m != n ==> \forall integer j; 0 <= j < m ==> x[j] < fullest;
        loop assigns i, m, fullest;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        if (x[i] > fullest) {
            fullest = x[i];
            m = i;
        }
    return m;
}

int64_t pby_stat_total(const int64_t *x, size_t n)
{
    int64_t total = 0;
    /*@ ghost lemma_mass(x, n); */
    /*@ loop invariant range: i <= n;
        loop invariant total: total == Mass(x, i);
        loop invariant sign:  0 <= total;
        loop assigns i, total;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        if (x[i] > INT64_MAX - total) {
            /*@ assert beyond: Mass(x, i + 1) > INT64_MAX; */
            return -1;
        }
        total += x[i];
    }
    return total;
}

size_t pby_stat_rank(const int64_t *x, size_t n, int64_t r)
{
    int64_t left = r;
    /*@ loop invariant range: i <= n;
        loop invariant left:  left == r - Mass(x, i);
        loop invariant more:  1 <= left <= r;
        loop assigns i, left;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        if (x[i] >= left) {
            /*@ ghost lemma_mass(x, n); */
            /*@ assert here: Mass(x, i + 1) >= r; */
            return i;
        }
        left -= x[i];
    }
    return n;
}

size_t pby_stat_median(const int64_t *x, size_t n)
{
    const int64_t total = pby_stat_total(x, n);
    return total == 0 ? n : pby_stat_rank(x, n, total / 2 + total % 2);
}

/* ceil(total num / den), in parts that do not overflow. */
/*@ requires total: 0 <= total;
    requires share: 0 <= num <= den && 0 < den <= INT32_MAX;
    terminates \true;
    assigns \nothing;
    ensures enough: \forall integer m; \result <= m ==> Share(m, total, num, den);
    ensures least:  \forall integer m; m < \result ==> !Share(m, total, num, den);
    ensures range:  0 <= \result <= total;
*/
static int64_t pby_share(int64_t total, int64_t num, int64_t den)
{
    const int64_t turns = total / den, rest = total % den;
    const int64_t part = rest * num;
    const int64_t whole = part / den, over = part % den;
    const int64_t share = turns * num + whole + (over != 0);
    /*@ assert enough: num * total <= den * share; */
    /*@ assert least:  den * (share - 1) < num * total; */
    /*@ ghost lemma_share(share - 1, total, num, den); */
    return share;
}

size_t pby_stat_quantile(const int64_t *x, size_t n, int32_t num, int32_t den)
{
    const int64_t total = pby_stat_total(x, n);
    if (total == 0)
        return n;
    const int64_t share = pby_share(total, num, den);
    const size_t i = pby_stat_rank(x, n, share > 0 ? share : 1);
    /*@ ghost lemma_mass(x, n); */
    return i;
}
