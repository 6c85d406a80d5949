/* SPDX-License-Identifier: MIT */
/* Distortions against enumeration of everything that could be done to the records. */
#include <criterion/criterion.h>
#include <flint/ulong_extras.h>

#include "tests/accuracy/make.h"
#include "tests/claims/decide.h"

enum { BARS = 4, RECORDS = 4 * BARS };

static const long AT[BARS] = {0, 1, 3, 7};

/* Counts at AT. */
struct histogram {
    unsigned long count[BARS];
};

static struct histogram random_histogram(flint_rand_t state, unsigned long most)
{
    struct histogram h;
    for (int i = 0; i < BARS; i++)
        h.count[i] = n_randint(state, most + 1);
    return h;
}

static unsigned long size_of(const struct histogram *h)
{
    unsigned long n = 0;
    for (int i = 0; i < BARS; i++)
        n += h->count[i];
    return n;
}

static size_t records_of(long *record, const struct histogram *h)
{
    size_t n = 0;
    for (int i = 0; i < BARS; i++)
        for (unsigned long c = 0; c < h->count[i]; c++)
            record[n++] = AT[i];
    return n;
}

/* On the line the best way to move records keeps their order. */
static long move_by_order(const struct histogram *x, const struct histogram *y)
{
    long a[RECORDS], b[RECORDS], farthest = 0;
    const size_t n = records_of(a, x);
    cr_assert_eq(records_of(b, y), n);
    for (size_t i = 0; i < n; i++)
        farthest = labs(a[i] - b[i]) > farthest ? labs(a[i] - b[i]) : farthest;
    return farthest;
}

/* The least move over every z that is part of x and has the size of y; -1 when there is none. */
static long least_move(const struct histogram *x, const struct histogram *y)
{
    long least = -1;
    struct histogram z;
    for (z.count[0] = 0; z.count[0] <= x->count[0]; z.count[0]++)
        for (z.count[1] = 0; z.count[1] <= x->count[1]; z.count[1]++)
            for (z.count[2] = 0; z.count[2] <= x->count[2]; z.count[2]++)
                for (z.count[3] = 0; z.count[3] <= x->count[3]; z.count[3]++)
                    if (size_of(&z) == size_of(y)) {
                        const long b = move_by_order(&z, y);
                        least = least < 0 || b < least ? b : least;
                    }
    return least;
}

static pby_measure *measure_of(const struct histogram *h)
{
    return make_measure(AT, 1, h->count, BARS);
}

static void drop_move(pby_distance *out, const struct histogram *x, const struct histogram *y, mpq_srcptr eta)
{
    pby_measure *a = measure_of(x), *b = measure_of(y);
    cr_assert_eq(pby_distortion_drop_move(out, a, b, eta, NULL), PBY_OK);
    pby_measure_free(a);
    pby_measure_free(b);
}

Test(distortion, drop_is_the_part_that_is_gone)
{
    flint_rand_t state;
    pby_distance found;
    mpq_t expected;
    flint_randinit(state);
    pby_distance_init(&found);
    mpq_init(expected);
    for (int round = 0; round < 2000; round++) {
        const struct histogram x = random_histogram(state, 3), y = random_histogram(state, 2);
        int part = 1;
        for (int i = 0; i < BARS; i++)
            part &= y.count[i] <= x.count[i];
        pby_measure *a = measure_of(&x), *b = measure_of(&y);
        cr_assert_eq(pby_distortion_drop(&found, a, b, NULL), PBY_OK);
        cr_assert_eq(found.infinite, !part);
        if (part && size_of(&x) > 0) {
            mpq_set_ui(expected, size_of(&x) - size_of(&y), size_of(&x));
            mpq_canonicalize(expected);
            cr_assert(mpq_equal(found.value, expected));
        } else if (part) {
            cr_assert_eq(mpq_sgn(found.value), 0); /* the formula is 0/0 there */
        }
        pby_measure_free(a);
        pby_measure_free(b);
    }
    mpq_clear(expected);
    pby_distance_clear(&found);
    flint_randclear(state);
}

Test(distortion, drop_and_move_is_the_best_over_all_that_may_be_left)
{
    flint_rand_t state;
    pby_distance found, move;
    mpq_t eta, expected, dropped;
    flint_randinit(state);
    pby_distance_init(&found);
    pby_distance_init(&move);
    mpq_inits(eta, expected, dropped, NULL);
    for (int round = 0; round < 2000; round++) {
        const struct histogram x = random_histogram(state, 3), y = random_histogram(state, 2);
        const long least = least_move(&x, &y);
        mpq_set_ui(eta, n_randint(state, 4), 3);
        mpq_canonicalize(eta);
        drop_move(&found, &x, &y, eta);
        cr_assert_eq(found.infinite, least < 0);
        if (least >= 0) {
            mpq_set_ui(dropped, size_of(&x) - size_of(&y), size_of(&x) + (size_of(&x) == 0));
            mpq_canonicalize(dropped);
            mpq_set_si(expected, least, 1);
            mpq_mul(expected, expected, eta);
            mpq_add(expected, expected, dropped);
            cr_assert(mpq_equal(found.value, expected), "%s, not %s", text_of(&found), text_of_q(expected));
        }
        pby_measure *a = measure_of(&x), *b = measure_of(&y);
        cr_assert_eq(pby_distortion_move(&move, a, b, NULL), PBY_OK);
        cr_assert_eq(move.infinite, size_of(&x) != size_of(&y));
        cr_assert(move.infinite || mpq_cmp_si(move.value, least, 1) == 0);
        pby_measure_free(a);
        pby_measure_free(b);
    }
    mpq_clears(eta, expected, dropped, NULL);
    pby_distance_clear(&move);
    pby_distance_clear(&found);
    flint_randclear(state);
}

/* The lemma that a move and then a drop can be done as a drop and then a move makes this hold.
 * claims: Flex/Claim 13 */
Test(distortion, drop_and_move_keeps_the_triangle_inequality)
{
    flint_rand_t state;
    pby_distance d[3];
    mpq_t eta;
    flint_randinit(state);
    for (int i = 0; i < 3; i++)
        pby_distance_init(&d[i]);
    mpq_init(eta);
    for (int round = 0; round < 4000; round++) {
        const struct histogram x = random_histogram(state, 3), y = random_histogram(state, 3),
                               z = random_histogram(state, 2);
        mpq_set_ui(eta, n_randint(state, 9), 20);
        mpq_canonicalize(eta);
        drop_move(&d[0], &x, &z, eta);
        drop_move(&d[1], &x, &y, eta);
        drop_move(&d[2], &y, &z, eta);
        d[1].infinite |= d[2].infinite;
        mpq_add(d[1].value, d[1].value, d[2].value);
        cr_assert(claims_is(CLAIMS_ALL, pby_distance_cmp(&d[0], &d[1]) <= 0));
    }
    mpq_clear(eta);
    for (int i = 0; i < 3; i++)
        pby_distance_clear(&d[i]);
    flint_randclear(state);
}

/* Said to be a quasi-metric for every eta from 0 on. At 0 it is none: one record at 0, one record at 1.
 * claims: Flex/Claim 13 */
Test(distortion, drop_and_move_is_no_quasi_metric_at_eta_zero)
{
    const struct histogram x = {{1, 0, 0, 0}}, y = {{0, 1, 0, 0}};
    pby_distance found;
    mpq_t eta;
    pby_distance_init(&found);
    mpq_init(eta);
    drop_move(&found, &x, &y, eta);
    cr_assert(claims_eq_text(CLAIMS_ALL, text_of(&found), "0"));
    mpq_set_ui(eta, 1, 1000);
    drop_move(&found, &x, &y, eta);
    cr_assert_str_eq(text_of(&found), "1/1000");
    mpq_set_si(eta, -1, 1000);
    pby_measure *a = measure_of(&x);
    cr_assert_eq(pby_distortion_drop_move(&found, a, a, eta, NULL), PBY_BAD);
    pby_measure_free(a);
    mpq_clear(eta);
    pby_distance_clear(&found);
}

Test(distortion, the_empty_histogram_is_an_end_not_an_error)
{
    const struct histogram empty = {{0, 0, 0, 0}}, one = {{0, 0, 5, 0}};
    pby_measure *a = measure_of(&empty), *b = measure_of(&one);
    pby_distance found;
    pby_distance_init(&found);
    cr_assert_eq(pby_distortion_drop(&found, b, a, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "1");
    cr_assert_eq(pby_distortion_drop(&found, a, b, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "inf");
    cr_assert_eq(pby_distortion_move(&found, a, a, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "0");
    cr_assert_eq(pby_distortion_move(&found, a, b, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "inf");
    pby_distance_clear(&found);
    pby_measure_free(a);
    pby_measure_free(b);
}
