/* SPDX-License-Identifier: MIT */
/* Checks the stated accuracy of releases with noise by a million of them: for the histogram, and for each
 * statistic. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "accuracy/accuracy.h"
#include "audit/bound/bound.h"
#include "mechanism/run/noise_bars.h"
#include "tests/accuracy/explain.h"
#include "tests/accuracy/make.h"
#include "tests/law/fit.h"
#include "tests/spec.h"

enum { BARS = EXPLAIN_BARS, RELEASES = 1000000, STATISTICS = EXPLAIN_STATISTICS };

/* So many of a million may fail when the chance is at most hi, or at least lo: the exact confidence bound at
 * an error of 5e-10 meets it. */
static void expect_failures(uint64_t failed, const arb_t chance, bool at_least, const char *what)
{
    arb_t bound;
    fmpq_t error;
    arb_init(bound);
    fmpq_init(error);
    fmpq_set_si(error, 1, 2000000000);
    (at_least ? pby_clopper_upper : pby_clopper_lower)(bound, RELEASES, failed, error);
    cr_assert(at_least ? !arb_lt(bound, chance) : !arb_gt(bound, chance), "%s: %d failed", what, (int)failed);
    fmpq_clear(error);
    arb_clear(bound);
}

static void judge(uint64_t failed, mpq_srcptr gamma, const char *what)
{
    arb_t level;
    fmpq_t q;
    arb_init(level);
    fmpq_init(q);
    fmpq_set_mpq(q, gamma);
    arb_set_fmpq(level, q, 128);
    expect_failures(failed, level, false, what);
    fmpq_clear(q);
    arb_clear(level);
}

/* ---- releases ------------------------------------------------------------------------------------ */

struct trial {
    const char *first, *second;
    int64_t x[BARS];
    size_t bars;
    const char *beta, *k;
    uint8_t seed;
    bool reached; /* the chance that is told of the release is that of this input */
};

static uint64_t size_of(const struct trial *t)
{
    return (uint64_t)(t->x[0] + t->x[1] + t->x[2]);
}

static int64_t *releases_of(const struct trial *t, const pby_spec *spec)
{
    pby_release *release;
    const size_t n = RELEASES * t->bars;
    int64_t *y = malloc(n * sizeof *y);
    cr_assert_not_null(y);
    for (size_t i = 0; i < n; i++)
        y[i] = t->x[i % t->bars];
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(t->seed), NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, y, y, n, NULL), PBY_OK);
    pby_release_free(release);
    return y;
}

/* Counts the histograms that no part of x explains which lacks at most the allowed records and is within
 * beta. */
static uint64_t unexplained(const struct trial *t, const pby_accuracy *a, const int64_t *y)
{
    const int64_t allowed = allowed_of(a, size_of(t)), beta = mpz_get_si(mpq_numref(a->beta.value));
    uint64_t failed = 0;
    for (size_t r = 0; r < RELEASES; r++) {
        int64_t dropped = 0;
        for (size_t i = 0; i < t->bars && dropped >= 0; i++) {
            const int64_t count = y[r * t->bars + i];
            const int64_t here = least_drop(t->x[i], count == PBY_SUPPRESSED ? 0 : count, beta);
            dropped = here < 0 ? -1 : dropped + here;
        }
        failed += dropped < 0 || dropped > allowed;
    }
    return failed;
}

/* Counts the answers of a statistic that no part of x explains which lacks at most the allowed records. */
static uint64_t unanswered(const struct trial *t, const explanation *why, size_t s, const pby_accuracy *a,
                           const int64_t *y)
{
    const int64_t allowed = allowed_of(a, size_of(t));
    uint64_t failed = 0;
    for (size_t r = 0; r < RELEASES; r++) {
        const int64_t drop = why->drop[s][answer_of(&why->statistic[s], y + r * t->bars, t->bars)];
        failed += drop < 0 || drop > allowed;
    }
    return failed;
}

/* Returns how many statistics have an accuracy. */
static int judge_statistics(const struct trial *t, const pby_noisy_accuracy *a, const int64_t *y)
{
    const pby_input_class inputs = {size_of(t), t->bars, NULL};
    explanation why;
    pby_accuracy told;
    int known = 0;
    pby_accuracy_init(&told);
    explain(&why, t->k, t->x, t->bars);
    for (size_t s = 0; s < STATISTICS; s++) {
        const char *unknown;
        (void)pby_accuracy_counted(&told, &unknown, a, &inputs, &why.statistic[s]);
        if (unknown != NULL)
            continue;
        judge(unanswered(t, &why, s, &told, y), told.gamma, pby_statistic_text(why.statistic[s].name));
        known++;
    }
    pby_accuracy_clear(&told);
    return known;
}

static void judge_release(const struct trial *t, const pby_noisy_accuracy *a, const int64_t *y)
{
    const uint64_t failed = unexplained(t, &a->release, y);
    arb_t lo;
    arb_init(lo);
    arf_set_mpfr(arb_midref(lo), a->chance.lo);
    judge(failed, a->release.gamma, t->first);
    if (t->reached)
        expect_failures(failed, lo, true, t->first);
    arb_clear(lo);
}

/* Returns how many statistics were held against it; -1 where intervals are released, of which there are none.
 */
static int hold(const struct trial *t)
{
    pby_spec *spec = spec_of_both(t->first, t->second);
    int64_t *y = releases_of(t, spec);
    pby_noisy_accuracy a;
    pby_statistic support;
    pby_noisy_accuracy_init(&a);
    cr_assert_eq(pby_statistic_parse(&support, "support", NULL, NULL, NULL), PBY_OK);
    cr_assert_eq(ask_noisy(&a, spec, size_of(t), t->bars, t->beta, NULL), PBY_OK);
    judge_release(t, &a, y);
    const bool counts = pby_statistic_admitted(spec, &support, NULL) == PBY_OK;
    const int known = counts ? judge_statistics(t, &a, y) : -1;
    pby_noisy_accuracy_clear(&a);
    pby_spec_free(spec);
    free(y);
    return known;
}

Test(million, of_noise_on_every_bar)
{
    cr_assert_eq(hold(&(struct trial){"geometric:eps=1", NULL, {4, 30, 0}, 3, "6", "5", 1, true}),
                 1); /* the mode */
    cr_assert_eq(hold(&(struct trial){"geometric:eps=1", NULL, {14, 16}, 2, "3", "5", 2, true}), 2);
    cr_assert_eq(hold(&(struct trial){"range:eps=1,L=3", NULL, {4, 30}, 2, "2", "5", 3, true}), -1);
}

/* A bar of T - 1 + b is hidden as often as its noise is -b, and T - 1 of it must go; at 14 with T = 10 and b
 * = 4 none would have to. */
Test(million, of_a_threshold)
{
    cr_assert_eq(hold(&(struct trial){"threshold:eps=1,T=10", NULL, {13, 30}, 2, "4", "5", 4, false}),
                 STATISTICS);
    cr_assert_eq(hold(&(struct trial){"threshold:eps=1,T=10", NULL, {13, 13, 30}, 3, "4", "8", 5, false}),
                 STATISTICS - 2);
}

Test(million, of_what_stands_behind_a_threshold)
{
    cr_assert_eq(
        hold(&(struct trial){"threshold:eps=1,T=10", "stlap:eps=1,q=5", {13, 3, 30}, 3, "4", "5", 6, false}),
        STATISTICS);
    cr_assert_eq(
        hold(&(struct trial){"threshold:eps=1,T=10", "geometric:eps=1", {12, 13, 31}, 3, "4", "5", 7, false}),
        STATISTICS - 2);
    /* one bar, which either noise makes vanish */
    cr_assert_eq(hold(&(struct trial){"threshold:eps=1,T=1", "geometric:eps=1", {5}, 1, "4", "5", 12, false}),
                 STATISTICS - 2);
    hold(&(struct trial){"threshold:eps=1,T=10", "range:eps=1,L=6", {14, 30}, 2, "4", "5", 8, false});
    hold(&(struct trial){"threshold:eps=1,T=10", "range:eps=1,L=6", {60, 70}, 2, "9", "5", 9, false});
}

/* ---- what only takes records away ---------------------------------------------------------------- */

/* gamma is 0: every one of a million. Returns the most that a statistic of the support needed. */
static int64_t hold_support(const char *text, const int64_t *x, size_t bars, uint8_t seed)
{
    struct trial t = {.first = text, .bars = bars, .k = "1", .seed = seed};
    memcpy(t.x, x, bars * sizeof *x);
    pby_spec *spec = spec_of(text);
    int64_t *y = releases_of(&t, spec), most = 0;
    const pby_input_class inputs = {size_of(&t), bars, NULL};
    explanation why;
    pby_accuracy seen;
    pby_accuracy_init(&seen);
    cr_assert_eq(pby_accuracy_seen(&seen, spec, &inputs, NULL), PBY_OK);
    explain(&why, t.k, t.x, bars);
    for (size_t s = 0; s < STATISTICS; s++)
        for (size_t r = 0; r < RELEASES && pby_statistic_of_support(&why.statistic[s]); r++) {
            const int64_t drop = why.drop[s][answer_of(&why.statistic[s], y + r * bars, bars)];
            cr_assert(drop >= 0 && drop <= allowed_of(&seen, inputs.n));
            most = drop > most ? drop : most;
        }
    pby_accuracy_clear(&seen);
    pby_spec_free(spec);
    free(y);
    return most;
}

/* Bars that may be emptied, and one that may not; both are as full as they can be, so that all that is told
 * is lost. */
Test(million, of_the_support_of_what_takes_records_away)
{
    cr_assert_eq(hold_support("partition:eps=1,delta=1/5", (const int64_t[]){3, 3, 20}, 3, 10), 6);
    cr_assert_eq(hold_support("stlap:eps=1/2,q=3", (const int64_t[]){3, 20, 3}, 3, 11), 6);
}
