/* SPDX-License-Identifier: MIT */
/* Claims of rho and mu: their curves against formulas in doubles, and verdicts on mechanisms that keep and
 * break them. Every verdict has an error of at most 1e-10. */
#include "audit/judge/claimed_curve.h"
#include "probity/experimental/auditing.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/judge/verdict.h"
#include "probity/rational.h"
#include "tests/audit/mechanisms.h"

struct claim {
    mpq_t value, epsilon, delta;
    pby_divergence_claim claimed;
};

static void begin(struct claim *c, pby_question kind, const char *value)
{
    mpq_inits(c->value, c->epsilon, c->delta, NULL);
    cr_assert_eq(pby_rational_parse(c->value, "value", value, NULL), PBY_OK);
    c->claimed = (pby_divergence_claim){kind, c->value};
}

static void end(struct claim *c)
{
    mpq_clears(c->value, c->epsilon, c->delta, NULL);
}

static double cdf(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

/* delta of N(mu, 1) against N(0, 1). */
static double gaussian(double mu, double epsilon)
{
    return cdf(mu / 2 - epsilon / mu) - exp(epsilon) * cdf(-mu / 2 - epsilon / mu);
}

/* A mu has the very curve of its Gaussians; a rho at least that of Gaussian noise with this rho, and at most
 * the classical bound exp(-(epsilon - rho)^2/(4 rho)). */
Test(claimed_curve, points_lie_on_the_curve)
{
    static const char *const values[] = {"1/100", "1/8", "1", "5"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (size_t point = 0; point < PBY_CLAIMED_POINTS; point++) {
            struct claim c;
            begin(&c, PBY_ASK_MU, values[i]);
            cr_assert_eq(pby_claimed_point(c.epsilon, c.delta, &c.claimed, point, NULL), PBY_OK);
            const double value = mpq_get_d(c.value);
            double epsilon = mpq_get_d(c.epsilon), delta = mpq_get_d(c.delta);
            cr_assert_float_eq(delta / gaussian(value, epsilon), 1 + 1e-5, 2e-5, "mu %s at %g: %g", values[i],
                               epsilon, delta);
            c.claimed.kind = PBY_ASK_RHO;
            cr_assert_eq(pby_claimed_point(c.epsilon, c.delta, &c.claimed, point, NULL), PBY_OK);
            epsilon = mpq_get_d(c.epsilon);
            delta = mpq_get_d(c.delta);
            cr_assert_geq(delta, gaussian(sqrt(2 * value), epsilon) * (1 - 1e-9));
            if (epsilon > value)
                cr_assert_leq(delta, exp(-pow(epsilon - value, 2) / (4 * value)) * 1.00002);
            end(&c);
        }
}

Test(claimed_curve, other_points_are_not_taken)
{
    struct claim c;
    begin(&c, PBY_ASK_RHO, "1/8");
    mpq_t x;
    mpq_init(x);
    for (size_t point = 0; point < PBY_CLAIMED_POINTS; point++) {
        cr_assert_eq(pby_claimed_point(c.epsilon, c.delta, &c.claimed, point, NULL), PBY_OK);
        cr_assert(pby_claimed_allows(&c.claimed, c.epsilon, c.delta));
        mpq_set_ui(x, 9999, 10000);
        mpq_mul(x, x, c.delta);
        cr_assert_not(pby_claimed_allows(&c.claimed, c.epsilon, x), "less than the claim allows");
        mpq_set_ui(x, 10001, 10000);
        mpq_mul(x, x, c.delta);
        cr_assert_not(pby_claimed_allows(&c.claimed, c.epsilon, x), "more");
        mpq_set_ui(x, 1, 1000);
        mpq_add(x, x, c.epsilon);
        cr_assert_not(pby_claimed_allows(&c.claimed, x, c.delta), "another epsilon");
    }
    mpq_clear(x);
    end(&c);
}

/* Randomised response: 1 with the chance p on the left and 1 - p on the right. Its mu is -2 Phi^-1(1 - p). */
static pby_verdict *judge(pby_question kind, const char *value, double p, uint64_t seed)
{
    enum { OUTPUTS = 20000 };
    specimen_random *random = specimen_random_new(seed);
    pby_audit *audit;
    pby_verdict *v = NULL;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_audit_new(&audit, &err), PBY_OK);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < OUTPUTS; i++) {
            const bool one = (specimen_uniform(random) < p) == (side == 0);
            cr_assert_eq(pby_audit_add(audit, side == 0 ? PBY_LEFT : PBY_RIGHT, one ? "1" : "0", 1, &err),
                         PBY_OK);
        }
    cr_assert_eq(pby_audit_settle(audit, &err), PBY_OK);
    cr_assert_eq(
        pby_audit_judge_divergence(&v, audit, kind, pby_value_text(value), pby_value_text("1e-10"), &err),
        PBY_OK, "%s", err.text);
    pby_audit_free(audit);
    specimen_random_free(random);
    return v;
}

/* eps = 1 has p = 0.7310586, mu = 1.2320354 and rho at most 1 tanh(1/2) = 0.4621172. */
Test(claimed_curve, a_kept_claim_is_not_refuted_and_a_broken_one_is)
{
    static const struct {
        pby_question kind;
        const char *value;
        bool broken;
    } cases[] = {{PBY_ASK_MU, "1.2321", false},  {PBY_ASK_MU, "0.9", true},  {PBY_ASK_MU, "1/2", true},
                 {PBY_ASK_RHO, "0.4622", false}, {PBY_ASK_RHO, "0.2", true}, {PBY_ASK_RHO, "1/100", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_verdict *v = judge(cases[i].kind, cases[i].value, 0.7310585786300049, 100 + i);
        cr_assert_eq(pby_verdict_violation(v), cases[i].broken, "%s %s: delta > %s", i < 3 ? "mu" : "rho",
                     cases[i].value, pby_verdict_delta_lower(v));
        char *text;
        cr_assert_eq(pby_verdict_json(&text, v, NULL), PBY_OK);
        cr_assert_not_null(strstr(text, i < 3 ? "\"mu\":\"" : "\"rho\":\""), "%s", text);
        free(text);
        pby_verdict_free(v);
    }
}

Test(claimed_curve, claims_that_cannot_be_judged_are_refused)
{
    static const char *const values[] = {"0", "-1", "101", "1e-40"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct claim c;
        pby_error err = PBY_NO_ERROR;
        begin(&c, PBY_ASK_RHO, values[i]);
        cr_assert_eq(pby_claimed_check(&c.claimed, "rho", &err), PBY_BAD);
        cr_assert_not_null(strstr(err.text, "expected a rational above 0 and at most 100"), "%s", err.text);
        end(&c);
    }
}
