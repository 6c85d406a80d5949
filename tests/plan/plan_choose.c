/* SPDX-License-Identifier: MIT */
#include "plan/plan_choose.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/plan_error.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "select/refine.h"

/* The plan of docs/plan.md with 12 shops, so many releases and a budget. */
static pby_release_plan *shops_of(unsigned times, const char *budget, const char *more)
{
    char text[2048];
    pby_release_plan *plan;
    pby_error err = PBY_NO_ERROR;
    snprintf(text, sizeof text,
             "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"customer\"\nrows = 4\n"
             "[budget]\n%s\n[horizon]\ntimes = %u\n[columns.amount]\nlow = 0\nhigh = 60\nstep = 1\n"
             "[groupings.shops]\nby = [\"shop\"]\n"
             "groups = [\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\",\"10\",\"11\",\"12\"]\n"
             "groups_per_user = 2\nrows_per_group = 2\nexpect = 2000\n"
             "[[statistics]]\nname = \"visits\"\nkind = \"count\"\ngroup = \"shops\"\n"
             "[[statistics]]\nname = \"spend\"\nkind = \"mean\"\nof = \"amount\"\ngroup = \"shops\"\n%s",
             budget, times, more);
    cr_assert_eq(pby_plan_parse(&plan, "p", NULL, text, strlen(text), &err), PBY_OK, "%s", err.text);
    return plan;
}

static pby_release_plan *shops(unsigned times, const char *delta, const char *more)
{
    char budget[64];
    snprintf(budget, sizeof budget, "epsilon = 1\ndelta = \"%s\"", delta);
    return shops_of(times, budget, more);
}

static void is_error(const pby_plan_quantity *q, size_t cells, unsigned long under, unsigned long expected)
{
    mpq_t error;
    pby_error err = PBY_NO_ERROR;
    mpq_init(error);
    cr_assert_eq(pby_plan_error(error, q, cells, under, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(mpq_cmp_ui(error, expected, 1), 0, "%s, not %lu", mpq_get_str(NULL, 10, error), expected);
    mpq_clear(error);
}

/* The mean's error, rounded to hundredths. */
static void is_mean_error(const pby_release_plan *plan, const pby_plan_choice *c, const char *expected)
{
    char text[32];
    pby_plan_promise promise;
    pby_error err = PBY_NO_ERROR;
    pby_plan_promise_init(&promise);
    cr_assert_eq(pby_plan_promise_of(&promise, plan, &c->quantities, 1, &err), PBY_OK, "%s", err.text);
    cr_assert(promise.known);
    snprintf(text, sizeof text, "%.2f", mpq_get_d(promise.error));
    cr_assert_str_eq(text, expected);
    pby_plan_promise_clear(&promise);
}

/* Example 2 of docs/plan.md. */
Test(plan_choose, twelve_months_of_twelve_shops)
{
    pby_release_plan *plan = shops(12, "1e-6", "");
    pby_plan_choice c;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_plan_choose(&c, plan, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_spec_text(c.all),
                     "24*dgauss:sigma2=2791,sensitivity=2 24*dgauss:sigma2=3995000,sensitivity=60");
    cr_assert_eq(mpq_cmp_ui(c.scale, 4283, 10), 0);
    cr_assert(c.share[0] == 614 && c.share[1] == 386);
    cr_assert(mpfr_cmp_d(c.loss.lo, 9.98e-7) > 0 && mpfr_cmp_d(c.loss.hi, 1e-6) <= 0);
    is_error(&c.quantities.quantity[0], 1, 20, 104);
    is_error(&c.quantities.quantity[1], 1, 20, 3917);
    is_error(&c.quantities.quantity[0], 12, 40, 162);
    is_error(&c.quantities.quantity[1], 12, 40, 6145);
    is_mean_error(plan, &c, "5.99");
    pby_plan_choice_clear(&c);
    pby_plan_free(plan);
}

Test(plan_choose, one_month_of_twelve_shops)
{
    pby_release_plan *plan = shops(1, "1e-6", "");
    pby_plan_choice c;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_plan_choose(&c, plan, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_spec_text(c.all), "2*geometric:eps=2789/10000,sensitivity=2 "
                                           "2*geometric:eps=2211/10000,sensitivity=60");
    cr_assert_eq(mpq_cmp_ui(c.scale, 7889, 1000), 0);
    cr_assert(mpfr_zero_p(c.loss.hi));
    is_error(&c.quantities.quantity[0], 1, 20, 21);
    is_error(&c.quantities.quantity[1], 1, 20, 813);
    is_error(&c.quantities.quantity[0], 12, 40, 44);
    is_error(&c.quantities.quantity[1], 12, 40, 1672);
    is_mean_error(plan, &c, "1.53");
    pby_plan_choice_clear(&c);
    pby_plan_free(plan);
}

/* Example 1 of docs/plan.md: 30 histograms of 200 bars, at most 3 rows of a user, and 1 in each bar. */
static pby_release_plan *bars(const char *bounds)
{
    char text[4096];
    pby_release_plan *plan;
    pby_error err = PBY_NO_ERROR;
    size_t size = (size_t)snprintf(text, sizeof text,
                                   "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"u\"\nrows = 3\n"
                                   "[budget]\nepsilon = 1\ndelta = 1e-6\n[horizon]\ntimes = 30\n"
                                   "[groupings.bars]\nby = [\"bar\"]\n%s\ngroups = [",
                                   bounds);
    for (int i = 0; i < 200; i++)
        size += (size_t)sprintf(text + size, "\"%d\",", i);
    strcpy(text + size, "]\n[[statistics]]\nname = \"n\"\nkind = \"count\"\ngroup = \"bars\"\n");
    cr_assert_eq(pby_plan_parse(&plan, "p", NULL, text, strlen(text), &err), PBY_OK, "%s", err.text);
    return plan;
}

static void is_example(const char *bounds, const char *spec, unsigned long cell, unsigned long all)
{
    pby_release_plan *plan = bars(bounds);
    pby_plan_choice c;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_plan_choose(&c, plan, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_spec_text(c.all), spec);
    is_error(&c.quantities.quantity[0], 1, 20, cell);
    is_error(&c.quantities.quantity[0], 200, 20, all);
    pby_plan_choice_clear(&c);
    pby_plan_free(plan);
}

Test(plan_choose, thirty_histograms)
{
    is_example("", "30*dgauss:sigma2=4819,sensitivity=3", 136, 254);
    is_example("rows_per_group = 1", "90*dgauss:sigma2=1607", 79, 147);
}

/* One family alone, and the errors of its first two quantities in one cell and in all cells at 1/20. */
static void is_family(pby_release_plan *plan, pby_plan_family family, const char *spec,
                      const unsigned long (*errors)[2])
{
    pby_plan_choice c;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_plan_choose_family(&c, plan, family, &err), PBY_OK, "%s", err.text);
    cr_assert(spec == NULL || strcmp(pby_spec_text(c.all), spec) == 0, "%s", pby_spec_text(c.all));
    for (size_t i = 0; i < c.quantities.count; i++) {
        const pby_plan_quantity *q = &c.quantities.quantity[i];
        is_error(q, 1, 20, errors[i][0]);
        if (errors[i][1] > 0)
            is_error(q, q->cells, 20, errors[i][1]);
    }
    pby_plan_choice_clear(&c);
    pby_plan_free(plan);
}

/* The families that examples 1 and 2 pass over, with their errors. */
Test(plan_choose, the_other_family_is_worse)
{
    is_family(bars(""), PBY_PLAN_GEOMETRIC, NULL, (const unsigned long[][2]){{196, 541}});
    is_family(bars("rows_per_group = 1"), PBY_PLAN_GEOMETRIC, "90*geometric:eps=633/25000",
              (const unsigned long[][2]){{118, 327}});
    is_family(shops(12, "1e-6", ""), PBY_PLAN_GEOMETRIC, NULL,
              (const unsigned long[][2]){{152, 0}, {5767, 0}});
    is_family(shops(1, "1e-6", ""), PBY_PLAN_DGAUSS, NULL, (const unsigned long[][2]){{30, 0}, {1131, 0}});
}

static bool is_narrow(const pby_enclosure *bounds, const void *what)
{
    (void)what;
    return mpfr_get_d(bounds->hi, MPFR_RNDU) < 1.001 * mpfr_get_d(bounds->lo, MPFR_RNDD);
}

/* delta at 1 lies in [lo, hi]; the enclosure is within a thousandth. */
static void is_delta(const char *const *text, size_t count, double lo, double hi)
{
    pby_spec *spec;
    pby_enclosure delta;
    mpq_t one;
    mpfr_t near;
    pby_error err = PBY_NO_ERROR;
    pby_enclosure_init(&delta);
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpfr_init_set_d(near, 1e-6, MPFR_RNDN);
    cr_assert_eq(pby_spec_parse(&spec, text, count, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_refine(&delta, spec, PBY_ADD_REMOVE, one, near, 8, is_narrow, NULL, &err), PBY_OK, "%s",
                 err.text);
    cr_assert(mpfr_get_d(delta.hi, MPFR_RNDU) >= lo && mpfr_get_d(delta.lo, MPFR_RNDD) <= hi &&
                  mpfr_get_d(delta.lo, MPFR_RNDD) >= lo * 0.9995 &&
                  mpfr_get_d(delta.hi, MPFR_RNDU) <= hi * 1.0005,
              "%s: [%.9g, %.9g]", text[0], mpfr_get_d(delta.lo, MPFR_RNDD), mpfr_get_d(delta.hi, MPFR_RNDU));
    mpfr_clear(near);
    mpq_clear(one);
    pby_enclosure_clear(&delta);
    pby_spec_free(spec);
}

/* The losses that docs/plan.md's examples state, and those of the least noise below. */
Test(plan_choose, the_next_noise_is_beyond)
{
    static const char *const year[] = {"24*dgauss:sigma2=2791,sensitivity=2",
                                       "24*dgauss:sigma2=3995000,sensitivity=60"};
    static const char *const below[] = {"24*dgauss:sigma2=2790,sensitivity=2",
                                        "24*dgauss:sigma2=3994000,sensitivity=60"};
    is_delta((const char *[]){"90*dgauss:sigma2=1607"}, 1, 9.955e-7, 9.958e-7);
    is_delta((const char *[]){"90*dgauss:sigma2=1606"}, 1, 1.0019e-6, 1.0022e-6);
    is_delta((const char *[]){"2*dgauss:sigma2=200,sensitivity=3"}, 1, 5.494e-5, 5.495e-5);
    is_delta(year, 2, 9.987e-7, 9.995e-7);
    is_delta(below, 2, 1.0019e-6, 1.0030e-6);
}

/* With delta 0 the epsilons add up to that of the budget, exactly. */
Test(plan_choose, a_pure_budget_is_spent_exactly)
{
    pby_release_plan *plan =
        shops(3, "0", "[[statistics]]\nname = \"all\"\nkind = \"sum\"\nof = \"amount\"\n");
    pby_plan_choice c;
    pby_error err = PBY_NO_ERROR;
    mpq_t sum, term;
    mpq_inits(sum, term, (mpq_ptr)0);
    cr_assert_eq(pby_plan_choose(&c, plan, &err), PBY_OK, "%s", err.text);
    for (size_t i = 0; i < c.quantities.count; i++) {
        const pby_plan_quantity *q = &c.quantities.quantity[i];
        cr_assert_eq(q->family, PBY_PLAN_GEOMETRIC);
        mpq_set_ui(term, 3 * q->moves.count[0], 1);
        mpq_mul(term, term, q->noise);
        mpq_add(sum, sum, term);
    }
    cr_assert_eq(c.quantities.count, 3);
    cr_assert_eq(mpq_cmp_ui(sum, 1, 1), 0);
    cr_assert(mpfr_zero_p(c.loss.hi));
    mpq_clears(sum, term, (mpq_ptr)0);
    pby_plan_choice_clear(&c);
    pby_plan_free(plan);
}

/* A count that must be within 30 is, the others share what is left, and the whole is within the budget. */
Test(plan_choose, an_error_that_is_asked_for)
{
    pby_release_plan *plan =
        shops(1, "1e-6", "[[statistics]]\nname = \"all\"\nkind = \"count\"\nwithin = 30\n");
    pby_plan_choice c;
    pby_error err = PBY_NO_ERROR;
    mpq_t error;
    mpq_init(error);
    cr_assert_eq(pby_plan_choose(&c, plan, &err), PBY_OK, "%s", err.text);
    const pby_plan_quantity *q = &c.quantities.quantity[2];
    cr_assert(q->bounded && q->part == PBY_PART_ROWS && q->grouping == 0);
    cr_assert_eq(pby_plan_error(error, q, q->cells, 20, &err), PBY_OK);
    cr_assert_leq(mpq_cmp_ui(error, 30, 1), 0);
    cr_assert_gt(mpq_cmp_ui(error, 28, 1), 0);
    cr_assert(mpfr_cmp_d(c.loss.hi, 1e-6) <= 0);
    pby_plan_choice_clear(&c);
    pby_plan_free(plan);
    plan = shops(1, "1e-6", "[[statistics]]\nname = \"all\"\nkind = \"count\"\nwithin = 2\n");
    cr_assert_eq(pby_plan_choose(&c, plan, &err), PBY_NO, "%s", err.text);
    pby_plan_choice_clear(&c);
    pby_plan_free(plan);
    mpq_clear(error);
}

/* ---- mu ----------------------------------------------------------------------------------------- */

/* The squares of the mus of a list, in doubles: of discrete Gaussian noise by its formula, of a choice as of
 * two answers, by bisection. */
static double squares(const pby_plan_choice *c, const pby_release_plan *plan)
{
    double sum = 0;
    for (size_t i = 0; i < c->quantities.count; i++) {
        const pby_plan_quantity *q = &c->quantities.quantity[i];
        const double noise = mpq_get_d(q->noise), d = (double)q->moves.size[0] / (double)q->unit;
        double low = 0, high = 100;
        for (int k = 0; k < 100; k++) {
            const double x = (low + high) / 2;
            *(erfc(x / sqrt(8)) / 2 > 1 / (1 + exp(noise)) ? &low : &high) = x;
        }
        const double square = q->family == PBY_PLAN_DGAUSS ? d * d * 6 * (1 - sqrt(1 - 1 / (3 * noise)))
                                                           : low * low;
        sum += square * (double)(plan->times * q->moves.count[0]);
        cr_assert_eq(q->moves.parts, 1);
    }
    return sum;
}

/* delta of N(mu, 1) against N(0, 1). */
static double gaussian(double mu, double epsilon)
{
    return (erfc((epsilon / mu - mu / 2) / sqrt(2)) -
            exp(epsilon) * erfc((epsilon / mu + mu / 2) / sqrt(2))) /
           2;
}

/* At all of these epsilons the exact composition is below the Gaussian: what mu promises. */
static void stays_below(const pby_plan_choice *c, const pby_release_plan *plan, double mu)
{
    static const char *const at[] = {"1/4", "1/2", "1", "2", "4"};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        mpq_t epsilon;
        pby_enclosure delta;
        pby_error err = PBY_NO_ERROR;
        mpq_init(epsilon);
        mpq_set_str(epsilon, at[i], 10);
        pby_enclosure_init(&delta);
        cr_assert_eq(pby_loss_delta(&delta, c->all, plan->relation, epsilon, 9, &err), PBY_OK, "%s",
                     err.text);
        cr_assert_leq(mpfr_get_d(delta.lo, MPFR_RNDD), gaussian(mu, mpq_get_d(epsilon)) * (1 + 1e-9), "%s",
                      at[i]);
        pby_enclosure_clear(&delta);
        mpq_clear(epsilon);
    }
}

static void keeps_mu(const char *budget, double mu, unsigned times, const char *more, bool gaussians)
{
    pby_release_plan *plan = shops_of(times, budget, more);
    pby_plan_choice c;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_plan_choose(&c, plan, &err), PBY_OK, "%s", err.text);
    const double root = sqrt(squares(&c, plan)), hi = mpfr_get_d(c.loss.hi, MPFR_RNDU);
    cr_assert_leq(root, mu * (1 + 1e-12), "%s: %s has %.12g", budget, pby_spec_text(c.all), root);
    cr_assert_geq(root, 0.999 * mu, "%s: %s has %.12g", budget, pby_spec_text(c.all), root);
    cr_assert(fabs(hi - root) <= 1e-9 * root && mpfr_zero_p(c.loss.lo), "%.12g, %.12g", hi, root);
    if (gaussians)
        stays_below(&c, plan, mu);
    pby_plan_choice_clear(&c);
    pby_plan_free(plan);
}

Test(plan_choose, a_budget_of_mu_is_kept_and_used)
{
    static const char quantile[] = "[[statistics]]\nname = \"half\"\nkind = \"quantile\"\nof = \"amount\"\n"
                                   "q = [\"1/2\"]\ngroup = \"shops\"\n";
    keeps_mu("mu = \"1/2\"", 0.5, 12, "", true);
    keeps_mu("mu = \"1/20\"", 0.05, 1, "", true);
    keeps_mu("mu = 2", 2, 3, "", true);
    keeps_mu("mu = 1", 1, 4, quantile, false);
}

/* Less noise than the theorem is about is never chosen, however great the budget. */
Test(plan_choose, a_great_mu_has_noise_all_the_same)
{
    pby_release_plan *plan = shops_of(1, "mu = 100", "");
    pby_plan_choice c;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_plan_choose(&c, plan, &err), PBY_OK, "%s", err.text);
    cr_assert(mpfr_number_p(c.loss.hi) && mpfr_cmp_ui(c.loss.hi, 100) <= 0);
    for (size_t i = 0; i < c.quantities.count; i++)
        cr_assert(c.quantities.quantity[i].family != PBY_PLAN_DGAUSS ||
                  mpq_cmp_ui(c.quantities.quantity[i].noise, 1, 3) > 0);
    pby_plan_choice_clear(&c);
    pby_plan_free(plan);
}

/* The search began at the least scale of all where exp(epsilon) was beyond doubles, and did not end. */
Test(plan_choose, a_great_epsilon_is_no_great_work)
{
    pby_release_plan *plan = shops_of(2, "epsilon = 1000\ndelta = \"1e-6\"", "");
    pby_plan_choice c;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_plan_choose_family(&c, plan, PBY_PLAN_DGAUSS, &err), PBY_OK, "%s", err.text);
    cr_assert(mpfr_cmp_d(c.loss.hi, 1e-6) <= 0);
    cr_assert(mpq_cmp_ui(c.scale, 1, 1000) > 0 && mpq_cmp_ui(c.scale, 1, 10) < 0);
    pby_plan_choice_clear(&c);
    pby_plan_free(plan);
}

/* A composition that is too large is refused by the plan's name, and not by a spec that nobody typed. */
Test(plan_choose, a_plan_that_is_too_large_is_named)
{
    pby_release_plan *plan;
    pby_plan_choice c;
    pby_error err = PBY_NO_ERROR;
    static const char text[] =
        "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"u\"\nrows = 7\n"
        "[budget]\nmu = 5\n[horizon]\ntimes = 5000\n"
        "[columns.amount]\nlow = 0\nhigh = 1000000\nstep = 1\n"
        "[[statistics]]\nname = \"s\"\nkind = \"sum\"\nof = \"amount\"\nwithin = 100\n";
    cr_assert_eq(pby_plan_parse(&plan, "p", NULL, text, strlen(text), &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_plan_choose(&c, plan, &err), PBY_BAD);
    cr_assert_str_eq(
        err.text,
        "p: the noise of its statistics: expected noise and sensitivity of at most 4194304 outcomes "
        "together: coarser steps or tighter bounds need less");
    pby_plan_choice_clear(&c);
    pby_plan_free(plan);
}
