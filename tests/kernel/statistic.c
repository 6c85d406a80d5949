/* SPDX-License-Identifier: MIT */
/* The statistics against what their definitions say, on random histograms and at the edges. */
#include "kernel/statistic.h"

#include <criterion/criterion.h>
#include <gmp.h>

#include "tests/kernel/stream.h"

enum { BARS_MAX = 9, ROUNDS = 20000 };

/* The bars as a sorted list of records, one index each; 0 .. 6 records a bar. */
struct model {
    int64_t x[BARS_MAX];
    size_t n, record[6 * BARS_MAX], records;
};

static void fill(struct model *m, uint64_t *state)
{
    m->n = (size_t)(stream_next(state) % (BARS_MAX + 1));
    m->records = 0;
    const uint64_t most = stream_next(state) % 7; /* often few, sometimes none at all */
    for (size_t i = 0; i < m->n; i++) {
        m->x[i] = (int64_t)(stream_next(state) % (most + 1));
        for (int64_t r = 0; r < m->x[i]; r++)
            m->record[m->records++] = i;
    }
}

/* The greatest and the least element of a set of bars given as bits; n when it is empty. */
static size_t last_of(unsigned bars, size_t n)
{
    size_t last = n;
    for (size_t i = 0; i < n; i++)
        if (bars >> i & 1)
            last = i;
    return last;
}

static size_t first_of(unsigned bars, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bars >> i & 1)
            return i;
    return n;
}

static unsigned reaching(const struct model *m, int64_t k)
{
    unsigned bars = 0;
    for (size_t i = 0; i < m->n; i++)
        bars |= (unsigned)(m->x[i] >= k) << i;
    return bars;
}

Test(kernel_statistic, ends_match_the_model)
{
    uint64_t state = 1;
    struct model m;
    for (int round = 0; round < ROUNDS; round++) {
        fill(&m, &state);
        for (int64_t k = -1; k <= 8; k++) {
            cr_assert_eq(pby_stat_max_k(m.x, m.n, k), last_of(reaching(&m, k), m.n));
            cr_assert_eq(pby_stat_min_k(m.x, m.n, k), first_of(reaching(&m, k), m.n));
        }
        const size_t width = m.records == 0 ? m.n : m.record[m.records - 1] - m.record[0];
        cr_assert_eq(pby_stat_range(m.x, m.n), width);
    }
}

Test(kernel_statistic, support_lists_the_occupied_bars)
{
    uint64_t state = 2;
    struct model m;
    for (int round = 0; round < ROUNDS; round++) {
        fill(&m, &state);
        size_t bars[BARS_MAX], expected[BARS_MAX], count = 0;
        for (size_t i = 0; i < m.n; i++)
            if (m.x[i] > 0)
                expected[count++] = i;
        cr_assert_eq(pby_stat_support(bars, m.x, m.n), count);
        for (size_t i = 0; i < count; i++)
            cr_assert_eq(bars[i], expected[i]);
    }
}

Test(kernel_statistic, mode_is_the_first_of_the_fullest)
{
    uint64_t state = 3;
    struct model m;
    for (int round = 0; round < ROUNDS; round++) {
        fill(&m, &state);
        int64_t fullest = 0;
        for (size_t i = 0; i < m.n; i++)
            fullest = m.x[i] > fullest ? m.x[i] : fullest;
        const size_t expected = fullest == 0 ? m.n : first_of(reaching(&m, fullest), m.n);
        cr_assert_eq(pby_stat_mode(m.x, m.n), expected);
    }
}

Test(kernel_statistic, ranks_and_quantiles_are_positions_in_the_list_of_records)
{
    uint64_t state = 4;
    struct model m;
    for (int round = 0; round < ROUNDS / 4; round++) {
        fill(&m, &state);
        cr_assert_eq(pby_stat_total(m.x, m.n), (int64_t)m.records);
        for (size_t r = 1; r <= m.records + 2; r++)
            cr_assert_eq(pby_stat_rank(m.x, m.n, (int64_t)r), r <= m.records ? m.record[r - 1] : m.n);
        cr_assert_eq(pby_stat_median(m.x, m.n), m.records == 0 ? m.n : m.record[(m.records - 1) / 2]);
        for (int32_t den = 1; den <= 7; den++)
            for (int32_t num = 0; num <= den; num++) {
                size_t r = 1; /* the least number of records that is num/den of all, but at least one */
                while ((size_t)den * r < (size_t)num * m.records)
                    r++;
                cr_assert_eq(pby_stat_quantile(m.x, m.n, num, den), m.records == 0 ? m.n : m.record[r - 1]);
            }
    }
}

Test(kernel_statistic, an_empty_histogram_has_none)
{
    const int64_t x[3] = {0, 0, 0};
    size_t bars[3];
    for (size_t n = 0; n <= 3; n++) {
        cr_assert_eq(pby_stat_max_k(x, n, 1), n);
        cr_assert_eq(pby_stat_min_k(x, n, 1), n);
        cr_assert_eq(pby_stat_range(x, n), n);
        cr_assert_eq(pby_stat_mode(x, n), n);
        cr_assert_eq(pby_stat_median(x, n), n);
        cr_assert_eq(pby_stat_quantile(x, n, 0, 1), n);
        cr_assert_eq(pby_stat_rank(x, n, 1), n);
        cr_assert_eq(pby_stat_support(bars, x, n), 0);
        cr_assert_eq(pby_stat_total(x, n), 0);
    }
}

Test(kernel_statistic, the_largest_counts_do_not_overflow)
{
    const int64_t x[4] = {INT64_MAX - 1, 0, 1, 1};
    cr_assert_eq(pby_stat_total(x, 3), INT64_MAX);
    cr_assert_eq(pby_stat_total(x, 4), -1);
    cr_assert_eq(pby_stat_rank(x, 4, INT64_MAX), 2);
    cr_assert_eq(pby_stat_median(x, 3), 0);
    cr_assert_eq(pby_stat_quantile(x, 3, 1, 1), 2);
    cr_assert_eq(pby_stat_quantile(x, 3, INT32_MAX - 1, INT32_MAX), 0);
    cr_assert_eq(pby_stat_mode(x, 4), 0);
    cr_assert_eq(pby_stat_max_k(x, 4, INT64_MAX), 4);
}

/* ceil(total num / den) is computed in parts; here in one, by GMP. Two bars tell the rank: the share is
 * within the first exactly when it is not above it. */
Test(kernel_statistic, large_shares_are_exact)
{
    uint64_t state = 5;
    mpz_t share;
    mpz_init(share);
    for (int round = 0; round < ROUNDS; round++) {
        const int64_t total = (int64_t)(stream_next(&state) >> (1 + stream_next(&state) % 40)) + 1;
        const int32_t den = (int32_t)(stream_next(&state) % INT32_MAX) + 1;
        const int32_t num = (int32_t)(stream_next(&state) % ((uint64_t)den + 1));
        mpz_set_si(share, total);
        mpz_mul_si(share, share, num);
        mpz_cdiv_q_ui(share, share, (unsigned long)den);
        const int64_t r = mpz_get_si(share);
        if (r < 2)
            continue;
        const int64_t exact[2] = {r, total - r}, short_of[2] = {r - 1, total - r + 1};
        cr_assert_eq(pby_stat_quantile(exact, 2, num, den), 0);
        cr_assert_eq(pby_stat_quantile(short_of, 2, num, den), 1);
    }
    mpz_clear(share);
}
