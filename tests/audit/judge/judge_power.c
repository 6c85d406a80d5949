/* SPDX-License-Identifier: MIT */
#include "audit/judge/judge_power.h"
#include "probity/experimental/auditing.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/bound/bound.h"
#include "tests/audit/mechanisms.h"

static bool suffices(uint64_t n, uint64_t m, const char *epsilon, const char *delta, const char *error)
{
    fmpq_t e, d, a;
    fmpq_init(e);
    fmpq_init(d);
    fmpq_init(a);
    fmpq_set_str(e, epsilon, 10);
    fmpq_set_str(d, delta, 10);
    fmpq_set_str(a, error, 10);
    const bool yes = pby_power_suffices(n, m, e, d, a);
    fmpq_clear(a);
    fmpq_clear(d);
    fmpq_clear(e);
    return yes;
}

static uint64_t outputs(const char *epsilon, const char *error)
{
    fmpq_t e, d, a;
    fmpq_init(e);
    fmpq_init(d);
    fmpq_init(a);
    fmpq_set_str(e, epsilon, 10);
    fmpq_set_str(a, error, 10);
    const uint64_t n = pby_power_outputs(e, d, a);
    fmpq_clear(a);
    fmpq_clear(d);
    fmpq_clear(e);
    return n;
}

Test(audit_power, the_target_is_the_lesser_of_twice_and_one_more)
{
    static const char *const cases[][2] = {{"1/10", "1/5"}, {"1", "2"}, {"2", "3"}, {"1/2", "1"}, {"0", "1"}};
    fmpq_t e, t, expected;
    fmpq_init(e);
    fmpq_init(t);
    fmpq_init(expected);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fmpq_set_str(e, cases[i][0], 10);
        fmpq_set_str(expected, cases[i][1], 10);
        pby_power_target(t, e);
        cr_assert(fmpq_equal(t, expected), "at %s", cases[i][0]);
        pby_power_target(e, e);
        cr_assert(fmpq_equal(e, expected), "in place, at %s", cases[i][0]);
    }
    fmpq_clear(expected);
    fmpq_clear(t);
    fmpq_clear(e);
}

/* ---- randomised response itself, summed over all its counts ------------------------------------ */

static double mass(uint64_t n, uint64_t k, double p)
{
    return exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) +
               (double)k * log(p) + (double)(n - k) * log1p(-p));
}

/* The chance that one bound refutes the claim on n judges a side of randomised response with T and D. */
static double power(uint64_t n, double target, double d, const fmpq_t epsilon, const fmpq_t delta,
                    pby_share *share)
{
    const double q = (1 - d) / (1 + exp(target));
    double sum = 0;
    arb_t lower, claimed;
    arb_init(lower);
    arb_init(claimed);
    arb_set_fmpq(claimed, epsilon, 64);
    uint64_t most = 0; /* of y that is refuted: it grows with x */
    for (uint64_t x = 0; x <= n; x++) {
        double below = 0;
        for (; most <= n; most++) {
            const pby_evidence e = {n, x, n, most};
            pby_refuted_epsilon(lower, &e, delta, share);
            if (!arb_is_finite(lower) || !arb_gt(lower, claimed))
                break;
        }
        for (uint64_t y = 0; y < most; y++)
            below += mass(n, y, q);
        sum += mass(n, x, 1 - q) * below;
    }
    arb_clear(claimed);
    arb_clear(lower);
    return sum;
}

/* Whoever is told that a sample suffices would have seen the violation with even chance by one of the bounds;
 * and a sample is not turned away by far. */
Test(audit_power, a_sample_that_suffices_shows_it_with_even_chance)
{
    static const struct {
        const char *epsilon, *delta;
        double target, d;
    } claims[] = {{"1", "0", 2, 0}, {"2", "0", 3, 0}, {"1/2", "1/20", 1, 0.05}, {"0", "0", 1, 0}};
    static const unsigned splits[] = {0, 32, 4, 60};
    for (size_t c = 0; c < sizeof claims / sizeof *claims; c++) {
        uint64_t n = 1;
        while (!suffices(n, n, claims[c].epsilon, claims[c].delta, "1/10"))
            cr_assert_lt(n += 1 + n / 16, 500);
        fmpq_t e, d;
        pby_share share = {.split = 0};
        double most = 0;
        fmpq_init(e);
        fmpq_init(d);
        fmpq_init(share.error);
        fmpq_set_str(e, claims[c].epsilon, 10);
        fmpq_set_str(d, claims[c].delta, 10);
        fmpq_set_si(share.error, 45, 1000);
        for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
            share.split = splits[i];
            most = fmax(most, power(n, claims[c].target, claims[c].d, e, d, &share));
        }
        cr_expect_geq(most, 0.5, "claim %zu, %zu judges", c, (size_t)n);
        cr_expect_leq(most, 0.85, "claim %zu, %zu judges", c, (size_t)n);
        fmpq_clear(share.error);
        fmpq_clear(d);
        fmpq_clear(e);
    }
}

Test(audit_power, tells_about_how_many_outputs_would_do)
{
    static const char *const epsilons[] = {"0", "1/100", "1/10", "1/2", "1", "3", "6"};
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        const uint64_t n = outputs(epsilons[i], "1/1000000");
        cr_expect(suffices(3 * n / 4, 3 * n / 4, epsilons[i], "0", "1/1000000"), "%s: %zu", epsilons[i],
                  (size_t)n);
        cr_expect(!suffices(n / 2, n / 2, epsilons[i], "0", "1/1000000"), "%s: %zu", epsilons[i], (size_t)n);
    }
    cr_assert_eq(outputs("1000", "1/1000000"), 0, "no audit has so many");
}

Test(audit_power, both_sides_count)
{
    cr_assert(!suffices(0, 1000, "1", "0", "1/1000000"));
    cr_assert(!suffices(1000000, 10, "1", "0", "1/1000000"));
    cr_assert(!suffices(10, 1000000, "1", "0", "1/1000000"));
    cr_assert(suffices(1000000, 400, "1", "0", "1/1000000"));
    cr_assert(suffices(400, 1000000, "1", "0", "1/1000000"));
    cr_assert(suffices(UINT64_C(1) << 36, UINT64_C(1) << 36, "1/1000", "0", "1/1000000"));
}

/* ---- verdicts --------------------------------------------------------------------------------- */

static void is(const char *word, const pby_verdict *v)
{
    cr_expect_eq(pby_verdict_inconclusive(v), strcmp(word, "inconclusive") == 0, "%s", pby_verdict_reason(v));
    cr_expect_eq(pby_verdict_violation(v), strcmp(word, "violation") == 0);
    cr_expect_eq(pby_verdict_reason(v)[0] != '\0', pby_verdict_inconclusive(v));
}

Test(audit_power, few_outputs_are_inconclusive_and_a_violation_never_is)
{
    pby_verdict *v = specimen_judge(specimen_find("randomised response"), "1", 40, "1e-6", 5);
    is("inconclusive", v);
    cr_assert_not_null(strstr(pby_verdict_reason(v),
                              "40 and 40 outputs could not show an epsilon of 2 where 1 is "
                              "claimed"));
    pby_verdict_free(v);
    v = specimen_judge(specimen_find("randomised response"), "1", 1000, "1e-6", 5);
    is("consistent", v);
    pby_verdict_free(v);
    v = specimen_judge(specimen_find("noisy histogram 2"), "0.1", 1000, "1e-6", 5);
    is("violation", v);
    pby_verdict_free(v);
}

/* One output a side, which may be no judge at all, is some evidence for nothing. */
Test(audit_power, single_outputs_are_inconclusive)
{
    for (size_t n = 1; n < 6; n++) {
        pby_verdict *v = specimen_judge(specimen_find("laplace"), "1", n, "1e-6", 5);
        char *text;
        is("inconclusive", v);
        cr_assert_eq(pby_verdict_json(&text, v, NULL), PBY_OK);
        free(text);
        cr_assert_eq(pby_verdict_html(&text, v, &(pby_report){.how = ""}, NULL), PBY_OK);
        cr_assert_null(strstr(text, "nan"));
        free(text);
        pby_verdict_free(v);
    }
}

Test(audit_power, missing_outputs_make_it_inconclusive_and_travel_with_the_counts)
{
    pby_audit *audit, *more;
    char *text;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    for (int i = 0; i < 2000; i++)
        for (int side = 0; side < 2; side++)
            cr_assert_eq(pby_audit_add(audit, side == 0 ? PBY_LEFT : PBY_RIGHT, i % 2 ? "a" : "b", 1, NULL),
                         PBY_OK);
    pby_verdict *v = specimen_verdict(audit, "1", "0", "1e-6");
    is("consistent", v);
    pby_verdict_free(v);
    pby_audit_missing(audit, PBY_RIGHT, 7);
    v = specimen_verdict(audit, "1", "0", "1e-6");
    is("inconclusive", v);
    pby_verdict_free(v);
    cr_assert_eq(pby_audit_write(&text, audit, NULL), PBY_OK);
    cr_assert_eq(pby_audit_read(&more, text, strlen(text), NULL), PBY_OK);
    cr_assert_eq(pby_audit_merge(audit, more, NULL), PBY_OK);
    v = specimen_verdict(audit, "1", "0", "1e-6");
    cr_assert_not_null(strstr(pby_verdict_reason(v), "0 outputs on the left and 14 on the right"), "%s",
                       pby_verdict_reason(v));
    pby_verdict_free(v);
    free(text);
    pby_audit_free(more);
    pby_audit_free(audit);
}

/* Words have no order of coordinates to judge by. */
Test(audit_power, nothing_to_judge_is_inconclusive)
{
    pby_audit *audit;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    for (int i = 0; i < 2000; i++)
        for (int side = 0; side < 2; side++)
            cr_assert_eq(pby_audit_add(audit, side == 0 ? PBY_LEFT : PBY_RIGHT, i % 2 ? "a" : "b", 1, NULL),
                         PBY_OK);
    cr_assert_eq(pby_audit_features(audit, "order", NULL), PBY_OK);
    pby_verdict *v = specimen_verdict(audit, "1", "0", "1e-6");
    is("inconclusive", v);
    cr_assert_str_eq(pby_verdict_event(v), "");
    pby_verdict_free(v);
    pby_audit_free(audit);
}
