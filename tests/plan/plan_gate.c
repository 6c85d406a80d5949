/* SPDX-License-Identifier: MIT */
/* Hidden groups: the third example of docs/plan.md, and all neighbours of small tables against the list. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/plan_error.h"
#include "plan/plan_json.h"
#include "plan/plan_quantity.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"

static pby_release_plan *terms(const char *relation)
{
    char text[1024];
    pby_release_plan *plan;
    pby_error err = PBY_NO_ERROR;
    snprintf(text, sizeof text,
             "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"visitor\"\nrows = 3\n"
             "neighbours = \"%s\"\n[budget]\nepsilon = 1\ndelta = 1e-6\n[horizon]\ntimes = 4\n"
             "[columns.seconds]\nlow = 0\nhigh = 600\nstep = 1\n"
             "[groupings.terms]\nby = [\"term\"]\nhidden = true\ngroups_per_user = 3\nrows_per_group = 1\n"
             "[[statistics]]\nname = \"users\"\nkind = \"users\"\ngroup = \"terms\"\n"
             "[[statistics]]\nname = \"median\"\nkind = \"quantile\"\nof = \"seconds\"\nq = [\"1/2\"]\n",
             relation);
    cr_assert_eq(pby_plan_parse(&plan, "p", NULL, text, strlen(text), &err), PBY_OK, "%s", err.text);
    return plan;
}

static void delta_of(double *lo, double *hi, const pby_spec *spec, pby_neighbours relation)
{
    pby_enclosure delta;
    mpq_t one;
    pby_error err = PBY_NO_ERROR;
    pby_enclosure_init(&delta);
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    cr_assert_eq(pby_loss_delta(&delta, spec, relation, one, 4, &err), PBY_OK, "%s", err.text);
    *lo = mpfr_get_d(delta.lo, MPFR_RNDD);
    *hi = mpfr_get_d(delta.hi, MPFR_RNDU);
    mpq_clear(one);
    pby_enclosure_clear(&delta);
}

/* Epsilon is shared 0.7 to 0.3, and all of delta is for new terms. */
Test(plan_gate, search_terms_of_four_weeks)
{
    pby_release_plan *plan = terms("add-remove");
    pby_plan_quantities q;
    pby_spec *spec;
    pby_error err = PBY_NO_ERROR;
    mpq_t error;
    double lo, hi;
    mpq_init(error);
    cr_assert_eq(pby_plan_quantities_of(&q, plan, &err), PBY_OK);
    cr_assert(q.count == 2 && q.quantity[0].gate && q.quantity[1].part == PBY_PART_QUANTILE);
    mpq_set_ui(q.quantity[0].noise, 7, 120);
    mpq_set_ui(q.quantity[1].noise, 3, 40);
    q.quantity[0].pass = -expm1(log1p(-1e-6) / 12);
    pby_plan_set_threshold(&q.quantity[0]);
    cr_assert_eq(pby_plan_spec(&spec, &q, 4, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_spec_text(spec),
                     "12*threshold:eps=7/120,T=270 4*exponential:eps=3/40,sensitivity=3/2");
    delta_of(&lo, &hi, spec, PBY_ADD_REMOVE);
    cr_assert(lo >= 9.458e-7 && hi <= 9.460e-7, "[%g, %g]", lo, hi);
    pby_spec_free(spec);
    cr_assert_eq(pby_plan_error(error, &q.quantity[0], 1, 20, &err), PBY_OK);
    cr_assert_eq(mpq_cmp_ui(error, 51, 1), 0);
    cr_assert_eq(pby_plan_error(error, &q.quantity[1], 1, 20, &err), PBY_OK);
    cr_assert(mpq_cmp_ui(error, 373, 1) > 0 && mpq_cmp_ui(error, 374, 1) <= 0);
    mpq_clear(error);
    pby_plan_quantities_clear(&q);
    pby_plan_free(plan);
}

/* As JSON it is the same plan, T is one of its numbers, and a gate without T is refused. */
Test(plan_gate, json_and_back)
{
    pby_release_plan *plan = terms("substitute"), *again;
    pby_plan_quantities q, other;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_plan_quantities_of(&q, plan, &err), PBY_OK);
    cr_assert_eq(q.quantity[0].moves.count[0], 6, "two users of three terms each");
    for (size_t i = 0; i < q.count; i++)
        mpq_set_ui(q.quantity[i].noise, 1, 3);
    q.quantity[0].threshold = 77;
    json_t *json = pby_plan_json(plan, &q);
    cr_assert_eq(pby_plan_of_json(&again, &other, json, &err), PBY_OK, "%s", err.text);
    cr_assert(other.quantity[0].gate && other.quantity[0].threshold == 77);
    pby_plan_quantities_clear(&other);
    pby_plan_free(again);
    json_object_del(json_array_get(json_object_get(json, "noise"), 0), "T");
    cr_assert_eq(pby_plan_of_json(&again, &other, json, &err), PBY_BAD);
    json_decref(json);
    pby_plan_quantities_clear(&q);
    pby_plan_free(plan);
}

/* ---- neighbours ---------------------------------------------------------------------------------- */

enum { OUTCOMES = 60, LEAST = 4 };

/* The law of a bar under geometric noise of rate 1/2 and the threshold: outcome 0 is that it is not told. */
static void law_of(double *p, int users)
{
    const double a = exp(-0.5);
    double told = 0;
    for (int i = 1; i < OUTCOMES; i++) {
        p[i] = users == 0 ? 0 : (1 - a) / (1 + a) * pow(a, abs(LEAST + i - 1 - users));
        told += p[i];
    }
    p[0] = 1 - told; /* with what is beyond the last */
}

/* delta at 1 between two tables of two bars. */
static double delta_between(const int x[2], const int y[2])
{
    double p[2][OUTCOMES], q[2][OUTCOMES], delta = 0;
    for (int i = 0; i < 2; i++) {
        law_of(p[i], x[i]);
        law_of(q[i], y[i]);
    }
    for (int i = 0; i < OUTCOMES; i++)
        for (int j = 0; j < OUTCOMES; j++)
            delta += fmax(0, p[0][i] * p[1][j] - exp(1) * q[0][i] * q[1][j]);
    return delta;
}

static double list_delta(pby_neighbours relation)
{
    const char *const text[] = {"2*threshold:eps=1/2,T=4"};
    pby_spec *spec;
    pby_error err = PBY_NO_ERROR;
    double lo, hi;
    cr_assert_eq(pby_spec_parse(&spec, text, 1, &err), PBY_OK);
    delta_of(&lo, &hi, spec, relation);
    pby_spec_free(spec);
    return hi;
}

/* A user joins two bars of any users, new ones among them: two uses cover it, and are needed. */
Test(plan_gate, a_user_of_two_hidden_groups)
{
    const double most = list_delta(PBY_ADD_REMOVE);
    double found = 0;
    for (int a = 0; a < 12; a++)
        for (int b = 0; b < 12; b++) {
            const int x[] = {a, b}, y[] = {a + 1, b + 1};
            found = fmax(found, fmax(delta_between(x, y), delta_between(y, x)));
        }
    cr_assert(found <= most + 1e-12 && found > 0.98 * most, "%g, not %g", found, most);
}

/* Under substitute one user leaves a bar and another enters one: with one group each, two uses. These
 * cover two bars that both appear as well, so that the list is a bound. */
Test(plan_gate, a_user_in_the_place_of_another)
{
    const double most = list_delta(PBY_SUBSTITUTE);
    double found = 0;
    for (int a = 0; a < 12; a++)
        for (int b = 0; b < 12; b++) {
            const int x[] = {a + 1, b}, y[] = {a, b + 1};
            found = fmax(found, delta_between(x, y));
        }
    cr_assert(found <= most + 1e-12 && found > 0.5 * most, "%g, not %g", found, most);
}
