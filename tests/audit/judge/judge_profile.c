/* SPDX-License-Identifier: MIT */
#include "audit/judge/judge_profile.h"

#include <criterion/criterion.h>
#include <math.h>

#include "tests/audit/mechanisms.h"

static double middle(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

struct point {
    double lower, seen, upper;
};

static struct point at(const pby_empirical *profile, double epsilon)
{
    fmpq_t error;
    arb_t e, lower, seen, upper;
    fmpq_init(error);
    arb_init(e);
    arb_init(lower);
    arb_init(seen);
    arb_init(upper);
    fmpq_set_si(error, 1, 1000);
    arb_set_d(e, epsilon);
    pby_empirical_at(lower, seen, upper, profile, e, error);
    const struct point p = {middle(lower), middle(seen), middle(upper)};
    arb_clear(upper);
    arb_clear(seen);
    arb_clear(lower);
    arb_clear(e);
    fmpq_clear(error);
    return p;
}

/* Two cells, by hand: P = (60, 40) of 100, Q = (20, 180) of 200. */
Test(audit_profile, is_the_hockey_stick_of_the_counts)
{
    const pby_empirical f = {.total = {100, 200}, .within = {{60, 100}, {20, 200}}, .cells = 2};
    const double d[2] = {sqrt(log(4000) / 200), sqrt(log(4000) / 400)};
    struct point p = at(&f, 0);
    cr_assert_float_eq(p.seen, 0.5, 1e-12);
    cr_assert_float_eq(p.lower, 0.5 - d[0] - d[1], 1e-12);
    cr_assert_float_eq(p.upper, 0.6 + d[0] - fmax(0, 0.1 - d[1]), 1e-12);
    p = at(&f, 1); /* left accused: 0.6 - e 0.1; right accused: 0.9 - e 0.4 < 0 */
    cr_assert_float_eq(p.seen, 0.6 - 0.1 * exp(1), 1e-12);
    cr_assert_eq(at(&f, 5).lower, 0);
}

/* The true profile of randomised response lies in the band; the cells are those of a feature. */
Test(audit_profile, holds_the_truth)
{
    pby_audit *audit;
    pby_empirical f;
    specimen_random *random = specimen_random_new(61);
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    specimen_count(audit, specimen_find("randomised response"), 1, 20000, random);
    cr_assert_eq(pby_empirical_count(&f, audit, PBY_FEATURE_OUTPUT, NULL), PBY_OK);
    cr_assert_eq(f.cells, 2);
    for (double epsilon = 0; epsilon < 1.5; epsilon += 0.1) {
        const struct point p = at(&f, epsilon);
        const double truth = fmax(0, (exp(1) - exp(epsilon)) / (1 + exp(1)));
        cr_assert(p.lower <= truth && truth <= p.upper, "at %g: %g not in [%g, %g]", epsilon, truth, p.lower,
                  p.upper);
        cr_assert(p.lower <= p.seen && p.seen <= p.upper);
    }
    pby_audit_free(audit);
    specimen_random_free(random);
}

Test(audit_profile, many_cells_are_joined)
{
    pby_audit *audit;
    pby_empirical f;
    specimen_random *random = specimen_random_new(62);
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    specimen_count(audit, specimen_find("laplace"), 1, 20000, random);
    for (unsigned feature = 0; feature <= PBY_FEATURE_VALUE; feature += PBY_FEATURE_VALUE) {
        cr_assert_eq(pby_empirical_count(&f, audit, feature, NULL), PBY_OK);
        cr_assert(0 < f.cells && f.cells <= PBY_EMPIRICAL_CELLS);
        for (int side = 0; side < 2; side++) {
            cr_assert_eq(f.within[side][f.cells - 1], f.total[side], "the last holds all");
            for (size_t i = 1; i < f.cells; i++)
                cr_assert_leq(f.within[side][i - 1], f.within[side][i]);
        }
    }
    cr_assert_gt(at(&f, 0.5).lower, 0.1);
    pby_audit_free(audit);
    specimen_random_free(random);
}
