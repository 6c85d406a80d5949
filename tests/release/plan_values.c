/* SPDX-License-Identifier: MIT */
#include "release/plan_values.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static pby_release_plan *plan_of(const char *kind)
{
    char text[512];
    pby_release_plan *plan;
    pby_error err = PBY_NO_ERROR;
    snprintf(text, sizeof text,
             "format = \"probity-plan\"\nversion = 1\n[budget]\nepsilon = 1\n"
             "[columns.v]\nlow = \"-1/2\"\nhigh = 1\nstep = \"1/2\"\n"
             "[[statistics]]\nname = \"x\"\nkind = \"%s\"\nof = \"v\"\n",
             kind);
    cr_assert_eq(pby_plan_parse(&plan, "p", NULL, text, strlen(text), &err), PBY_OK, "%s", err.text);
    return plan;
}

/* j from -1 to 2, c = 0, R = 2, floor(R^2/2) = 2. Rows of each value, and off of each noisy quantity. */
struct group {
    int64_t count[4], off[3];
};

static void sums(int64_t out[3], const struct group *g)
{
    out[0] = out[1] = out[2] = 0;
    for (int64_t j = -1; j <= 2; j++) {
        out[0] += g->count[j + 1];
        out[1] += g->count[j + 1] * j;
        out[2] += g->count[j + 1] * (j * j - 2);
    }
}

/* The true mean or variance, in the column's unit. */
static void truth(mpq_t out, const struct group *g, bool variance)
{
    int64_t x[3];
    mpq_t mean;
    sums(x, g);
    mpq_init(mean);
    mpq_set_si(mean, x[1], (unsigned long)x[0]);
    mpq_canonicalize(mean);
    mpq_set(out, mean);
    if (variance) {
        mpq_set_si(out, x[2] + 2 * x[0], (unsigned long)x[0]);
        mpq_canonicalize(out);
        mpq_mul(mean, mean, mean);
        mpq_sub(out, out, mean);
    }
    mpq_div_2exp(out, out, variance ? 2 : 1);
    mpq_clear(mean);
}

static void holds(const pby_release_plan *plan, const struct group *g, bool variance)
{
    int64_t noisy[3];
    mpq_t error[3], true_value;
    pby_plan_value v;
    sums(noisy, g);
    if (noisy[0] == 0)
        return;
    mpq_init(true_value);
    for (size_t i = 0; i < 3; i++) {
        mpq_init(error[i]);
        mpq_set_si(error[i], 2, 1);
        noisy[i] += g->off[i];
    }
    pby_plan_value_init(&v);
    truth(true_value, g, variance);
    pby_plan_value_of(&v, plan, &plan->statistic[0], noisy, (const mpq_t *)error);
    cr_assert_eq(v.some, noisy[0] >= 1);
    cr_assert(!v.some || (mpq_cmp(v.low, true_value) <= 0 && mpq_cmp(true_value, v.high) <= 0 &&
                          mpq_cmp(v.low, v.value) <= 0 && mpq_cmp(v.value, v.high) <= 0));
    pby_plan_value_clear(&v);
    for (size_t i = 0; i < 3; i++)
        mpq_clear(error[i]);
    mpq_clear(true_value);
}

/* Every small group, with every noise within the error: the interval has the truth and the value in it. */
static void all_groups(const char *kind, bool variance)
{
    pby_release_plan *plan = plan_of(kind);
    for (int64_t i = 0; i < 3 * 3 * 3 * 5; i++)
        for (int64_t n = 0; n < (variance ? 125 : 25); n++) {
            const struct group g = {{i % 3, i / 3 % 3, i / 9 % 3, i / 27},
                                    {n % 5 - 2, n / 5 % 5 - 2, n / 25 - 2}};
            holds(plan, &g, variance);
        }
    pby_plan_free(plan);
}

Test(plan_values, a_mean_lies_in_its_interval)
{
    all_groups("mean", false);
}

Test(plan_values, a_variance_lies_in_its_interval)
{
    all_groups("variance", true);
}
