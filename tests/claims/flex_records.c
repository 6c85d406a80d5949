/* SPDX-License-Identifier: MIT */
/* [Flex] on histograms, in whole records: accuracies that forget rounding, distortions, and the construction
 * of Lemma 6. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"
#include "tests/claims/stlap.h"
#include "tests/exact/coupling.h"

enum { BARS = 3, MOST = 3, FAR = 100 };

static unsigned size(const unsigned *x)
{
    return x[0] + x[1] + x[2];
}

/* The next histogram of at most MOST records a bar; false behind the last. */
static bool next(unsigned *x)
{
    for (size_t i = 0; i < BARS; i++) {
        if (x[i]++ < MOST)
            return true;
        x[i] = 0;
    }
    return false;
}

static const long at[BARS] = {0, 1, 3};

/* The least b such that the records of x can be moved by at most b each to make y: in order; FAR if the sizes
 * differ. */
static long moved(const unsigned *x, const unsigned *y)
{
    unsigned left[BARS], open[BARS];
    long most = 0;
    if (size(x) != size(y))
        return FAR;
    memcpy(left, x, sizeof left);
    memcpy(open, y, sizeof open);
    for (size_t i = 0, j = 0; i < BARS && j < BARS;) {
        if (left[i] == 0)
            i++;
        else if (open[j] == 0)
            j++;
        else {
            const long far = labs(at[i] - at[j]);
            most = far > most ? far : most;
            left[i]--;
            open[j]--;
        }
    }
    return most;
}

static bool part_of(const unsigned *y, const unsigned *x)
{
    return y[0] <= x[0] && y[1] <= x[1] && y[2] <= x[2];
}

/* The distance of the laws y/|y| and x/|x|, for points at[0..2] scaled by `scale`. */
static void proportions(mpq_t out, const unsigned *x, const unsigned *y, long scale)
{
    exact_law p, q;
    mpq_t d[BARS * BARS], zero;
    mpq_init(zero);
    exact_init(&p, BARS);
    exact_init(&q, BARS);
    for (size_t k = 0; k < BARS * BARS; k++) {
        mpq_init(d[k]);
        mpq_set_si(d[k], scale * labs((long)(k / BARS) - (long)(k % BARS)), 1);
    }
    for (size_t i = 0; i < BARS; i++) {
        exact_set(&p, i, x[i], size(x));
        exact_set(&q, i, y[i], size(y));
    }
    exact_distance(out, &p, &q, d, zero);
    for (size_t k = 0; k < BARS * BARS; k++)
        mpq_clear(d[k]);
    exact_clear(&p);
    exact_clear(&q);
    mpq_clear(zero);
}

/* The most records that a bar may lose, for a threshold of 6 units of which `unit` make a record: the
 * greatest k for which z is below 1/2 - k with a chance. */
static long may_be_lost(long unit)
{
    mpq_t r, chance;
    long most = 0;
    mpq_inits(r, chance, NULL);
    mpq_set_ui(r, 1, 2);
    for (long k = 1; k <= MOST && unit / 2 - k * unit > -6; k++) {
        claims_noise(chance, r, 6, -6, unit / 2 - k * unit);
        most = mpq_sgn(chance) > 0 ? k : most;
    }
    mpq_clears(r, chance, NULL);
    return most;
}

static void tell(const char *row, long found, unsigned long over, long promised, unsigned long under)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    mpq_set_si(a, found, over);
    mpq_canonicalize(a);
    mpq_set_si(b, promised, under);
    mpq_canonicalize(b);
    cr_assert(mpq_cmp(a, b) > 0);
    claims_tell(row, a, b);
    mpq_clears(a, b, NULL);
}

/* One record in one bar, tau = 3/4: q = 3/4, the record may be lost, and all of the data is dropped where 3/4
 * was promised.
 * claims: Flex/Theorem 3 */
Test(claims_records, rounding_drops_more_than_tau_of_a_bar)
{
    tell("Flex/Theorem 3 (accuracy)", may_be_lost(8), 1, 3, 4); /* 3/4 of a record are 6 eighths */
}

/* The least distance, in units of beta, from the release y to anything that an x' with at most `dropped`
 * records less gives; centres are 2 beta apart. what: 0 the proportions, 1 the maximum, 2 the support. */
static long nearest(const unsigned *x, const unsigned *y, unsigned dropped, int what)
{
    unsigned z[BARS] = {0, 0, 0};
    long least = FAR;
    mpq_t far;
    mpq_init(far);
    do {
        long here = 0;
        if (!part_of(z, x) || size(z) == 0 || size(x) - size(z) > dropped)
            continue;
        if (what == 0) {
            proportions(far, y, z, 2);
            here = mpz_get_si(mpq_numref(far));
        } else {
            const long last_y = y[2] ? 2 : y[1] ? 1 : 0, last_z = z[2] ? 2 : z[1] ? 1 : 0;
            const long first_y = y[0] ? 0 : y[1] ? 1 : 2, first_z = z[0] ? 0 : z[1] ? 1 : 2;
            here = 2 * labs(last_y - last_z);
            if (what == 2 && 2 * labs(first_y - first_z) > here)
                here = 2 * labs(first_y - first_z); /* a lower bound of the Hausdorff distance */
        }
        least = here < least ? here : least;
    } while (next(z));
    mpq_clear(far);
    return least;
}

/* Two buckets of width 2 beta, alpha = 6/25, five records: tau = alpha/2 = 3/25 as Algorithm 3 has it, q =
 * 3/5, and each bar may lose one record. (3, 2) may become (2, 1); an x' within alpha has four records at
 * least, and none of them is in the proportion 2 : 1. So some mass must move by a whole width.
 * claims: Flex/Theorem 4; Flex/Theorem 5; Flex/Theorem 6 */
Test(claims_records, a_release_that_no_allowed_input_explains)
{
    static const unsigned x[BARS] = {3, 2, 0}, y[BARS] = {2, 1, 0};
    cr_assert_eq(may_be_lost(10), 1);       /* 3/5 of a record are 6 tenths */
    const long found = nearest(x, y, 1, 0); /* floor(6/25 5) = 1 */
    tell("Flex/Theorem 4 (accuracy)", found, 1, 1, 1);
    tell("Flex/Theorem 5 (accuracy)", found, 1, 1, 1);
    /* Under drop-and-move the identity must be explained by y itself: two of five are dropped; eta beta =
     * 1/25. */
    tell("Flex/Theorem 6 (accuracy)", (long)(size(x) - size(y)), size(x), 6 + 1, 25);
}

/* Three buckets, alpha = 9/25, five records: tau = 3/25, q = 3/5 again. (3, 1, 1) may lose both of its last
 * bars; one record at most may be dropped from x', whose maximum is then in the second bucket or the third.
 * claims: Flex/Corollary 1; Flex/Corollary 2 */
Test(claims_records, a_maximum_that_no_allowed_input_has)
{
    static const unsigned x[BARS] = {3, 1, 1}, y[BARS] = {3, 0, 0};
    cr_assert_eq(may_be_lost(10), 1); /* 3/5 of a record are 6 tenths */
    tell("Flex/Corollary 1 (accuracy)", nearest(x, y, 1, 1), 1, 1, 1);
    tell("Flex/Corollary 2 (accuracy)", nearest(x, y, 1, 2), 1, 1, 1);
}

/* x = (2, 2), x' = (1, 1) are in proportion: beta = 0. tau = 1/4, so q = 1 and alpha = 1/2. x may become (1,
 * 2), which is in proportion to none of (1, 1), (1, 0), (0, 1).
 * claims: Flex/Lemma 6 */
Test(claims_records, fractions_of_records_are_not_histograms)
{
    static const unsigned x[BARS] = {1, 1, 0}, y[BARS] = {1, 2, 0};
    unsigned z[BARS] = {0, 0, 0};
    mpq_t r, far, least, chance;
    mpq_inits(r, far, least, chance, NULL);
    mpq_set_ui(r, 1, 2);
    claims_noise(chance, r, 4, -4, -2);
    cr_assert_eq(mpq_cmp_ui(chance, 1, 2), 0);
    mpq_set_ui(least, FAR, 1);
    do {
        if (!part_of(z, x) || size(z) == 0)
            continue;
        proportions(far, y, z, 1);
        if (mpq_cmp(far, least) < 0)
            mpq_set(least, far);
    } while (next(z));
    mpq_set_ui(far, 0, 1);
    cr_assert(mpq_cmp(least, far) > 0);
    claims_tell("Flex/Lemma 6", least, far);
    mpq_clears(r, far, least, chance, NULL);
}

/* claims: Flex/Claim 12 */
Test(claims_records, moving_is_a_metric)
{
    unsigned x[BARS] = {0, 0, 0};
    do {
        unsigned y[BARS] = {0, 0, 0};
        do {
            unsigned z[BARS] = {0, 0, 0};
            const long here = moved(x, y);
            cr_assert_eq(here, moved(y, x));
            cr_assert_eq(here == 0, memcmp(x, y, sizeof x) == 0);
            do
                cr_assert(claims_le_si("Flex/Claim 12", here, moved(x, z) + moved(z, y)));
            while (next(z));
        } while (next(y));
    } while (next(x));
}

/* For every x moved into z and every part y of z there is a part s of x, as large as y, that moves no farther
 * into y. In whole records, which the printed proof does not give.
 * claims: Flex/Lemma 6; Flex/Lemma 13; Flex/Theorem 6 */
Test(claims_records, dropping_may_come_before_moving)
{
    unsigned x[BARS] = {0, 0, 0};
    do {
        unsigned z[BARS] = {0, 0, 0};
        do {
            unsigned y[BARS] = {0, 0, 0};
            const long far = moved(x, z);
            if (far == FAR || size(x) == 0)
                continue;
            do {
                unsigned s[BARS] = {0, 0, 0};
                bool found = false;
                if (!part_of(y, z) || size(y) == 0)
                    continue;
                do
                    found = part_of(s, x) && moved(s, y) <= far;
                while (!found && next(s));
                cr_assert(claims_is("Flex/Lemma 6; Flex/Lemma 13; Flex/Theorem 6", found));
            } while (next(y));
        } while (next(z));
    } while (next(x));
}

/* f_phi(z) of the proof of Lemma 6 for a coupling phi of x/|x| and x'/|x'| within their distance, in
 * fractions of records. */
static void follow(exact_law *out, const exact_law *phi, const unsigned *x, const unsigned *other,
                   const unsigned *z)
{
    mpq_t t;
    mpq_init(t);
    for (size_t b = 0; b < BARS; b++) {
        mpq_set_ui(out->p[b], 0, 1);
        for (size_t a = 0; a < BARS; a++) {
            if (x[a] == 0)
                continue;
            mpq_set_ui(t, (unsigned long)z[a] * size(other), x[a]);
            mpq_canonicalize(t);
            mpq_mul(t, t, phi->p[a * BARS + b]);
            mpq_add(out->p[b], out->p[b], t);
        }
    }
    mpq_clear(t);
}

/* Asserts of one z: f_phi(z) is part of x', keeps the share of z, and is no farther from z than x' from x. */
static void assert_followed(const exact_law *phi, const unsigned *x, const unsigned *other, const unsigned *z,
                            mpq_t *d, mpq_srcptr far)
{
    exact_law made, law;
    mpq_t sum, share, zero;
    mpq_inits(sum, share, zero, NULL);
    exact_init(&made, BARS);
    exact_init(&law, BARS);
    follow(&made, phi, x, other, z);
    for (size_t b = 0; b < BARS; b++) {
        mpq_set_ui(share, other[b], 1);
        cr_assert(claims_le("Flex/Claim 5", made.p[b], share));
        mpq_add(sum, sum, made.p[b]);
        exact_set(&law, b, z[b], size(z));
    }
    mpq_set_ui(share, (unsigned long)size(z) * size(other), size(x));
    mpq_canonicalize(share);
    cr_assert(claims_eq("Flex/Claim 6; Flex/Claim 10", sum, share));
    for (size_t b = 0; b < BARS; b++)
        mpq_div(made.p[b], made.p[b], sum);
    exact_distance(share, &law, &made, d, zero);
    cr_assert(claims_le("Flex/Claim 7", share, far));
    exact_clear(&made);
    exact_clear(&law);
    mpq_clears(sum, share, zero, NULL);
}

/* claims: Flex/Claim 5; Flex/Claim 6; Flex/Claim 7; Flex/Claim 10 */
Test(claims_records, in_fractions_a_distortion_follows)
{
    static const unsigned pairs[][2][BARS] = {{{2, 2, 0}, {1, 1, 0}},
                                              {{1, 2, 1}, {2, 0, 1}},
                                              {{3, 0, 2}, {1, 1, 1}},
                                              {{1, 1, 1}, {3, 2, 1}},
                                              {{2, 1, 3}, {0, 3, 1}}};
    mpq_t d[BARS * BARS], far, zero, none;
    bool allowed[BARS * BARS];
    exact_law p, q, phi;
    mpq_inits(far, zero, none, NULL);
    exact_init(&p, BARS);
    exact_init(&q, BARS);
    exact_init(&phi, BARS * BARS);
    for (size_t k = 0; k < BARS * BARS; k++) {
        mpq_init(d[k]);
        mpq_set_si(d[k], labs(at[k / BARS] - at[k % BARS]), 1);
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const unsigned *x = pairs[i][0], *other = pairs[i][1];
        unsigned z[BARS] = {0, 0, 0};
        for (size_t b = 0; b < BARS; b++) {
            exact_set(&p, b, x[b], size(x));
            exact_set(&q, b, other[b], size(other));
        }
        exact_distance(far, &p, &q, d, zero);
        for (size_t k = 0; k < BARS * BARS; k++)
            allowed[k] = mpq_cmp(d[k], far) <= 0;
        const exact_couple ask = {&p, &q, allowed, zero, NULL, NULL};
        cr_assert(exact_coupling(&ask, none, &phi));
        do
            if (part_of(z, x) && size(z) > 0)
                assert_followed(&phi, x, other, z, d, far);
        while (next(z));
    }
    for (size_t k = 0; k < BARS * BARS; k++)
        mpq_clear(d[k]);
    exact_clear(&p);
    exact_clear(&q);
    exact_clear(&phi);
    mpq_clears(far, zero, none, NULL);
}

/* The centre of a cube of side w is within w sqrt(d)/2 of its points, and of its corner exactly that:
 * squares, in units of w/2.
 * claims: Flex/Claim 11 */
Test(claims_records, a_cube_reaches_to_its_corner)
{
    for (unsigned dimension = 1; dimension <= 4; dimension++) {
        unsigned most = 0;
        for (unsigned point = 0; point < 1u << (2 * dimension);
             point++) { /* coordinates 0, 1/2, 1, 3/2 of w/2 from the corner */
            unsigned square = 0;
            for (unsigned i = 0; i < dimension; i++) {
                const unsigned c = point >> (2 * i) & 3u;
                square += (2 - c) * (2 - c); /* quarters of (w/2)^2 */
            }
            most = square > most ? square : most;
        }
        cr_assert(claims_eq_si("Flex/Claim 11", most, 4 * dimension));
    }
}

/* Drop-and-move with eta = 0, the least over all z of drop(x, z) + eta move(z, y): one record at 0 and one at
 * 1 are at distance 0, and different.
 * claims: Flex/Claim 13 */
Test(claims_records, a_free_move_is_no_distance)
{
    static const unsigned x[BARS] = {1, 0, 0}, y[BARS] = {0, 1, 0};
    unsigned z[BARS] = {0, 0, 0};
    mpq_t found, here, promised;
    mpq_inits(found, here, promised, NULL);
    mpq_set_ui(found, FAR, 1);
    do {
        if (!part_of(z, x) || moved(z, y) == FAR)
            continue;
        mpq_set_ui(here, size(x) - size(z), size(x));
        mpq_canonicalize(here);
        if (mpq_cmp(here, found) < 0)
            mpq_set(found, here);
    } while (next(z));
    cr_assert_eq(mpq_sgn(found), 0);
    claims_tell("Flex/Claim 13", found, promised);
    mpq_clears(found, here, promised, NULL);
}
