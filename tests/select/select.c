/* SPDX-License-Identifier: MIT */
#include "probity/select.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probity/loss.h"
#include "probity/rational.h"
#include "tests/select/fill.h"

struct question {
    mpq_t epsilon, delta, resolution;
    pby_target target;
};

static void ask(struct question *q, const char *epsilon, const char *delta, unsigned long uses)
{
    mpq_inits(q->epsilon, q->delta, q->resolution, (mpq_ptr)0);
    cr_assert_eq(pby_rational_parse(q->epsilon, "epsilon", epsilon, NULL), PBY_OK);
    cr_assert_eq(pby_rational_parse(q->delta, "delta", delta, NULL), PBY_OK);
    q->target =
        (pby_target){.epsilon = q->epsilon, .delta = q->delta, .relation = PBY_ADD_REMOVE, .uses = uses};
}

static void clear(struct question *q)
{
    mpq_clears(q->epsilon, q->delta, q->resolution, (mpq_ptr)0);
}

static pby_choice *chosen(const char *family, const struct question *q)
{
    pby_choice *choice;
    pby_error err;
    cr_assert_eq(pby_select(&choice, family, &q->target, &err), PBY_OK, "%s: %s", family, err.text);
    return choice;
}

/* The delta of a spec by the library's own means. */
static void delta_of(pby_enclosure *delta, const char *text, pby_neighbours relation, mpq_srcptr epsilon)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_loss_delta(delta, spec, relation, epsilon, 20, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
}

static bool suffices(const char *text, const struct question *q)
{
    pby_enclosure delta;
    pby_enclosure_init(&delta);
    delta_of(&delta, text, q->target.relation, q->epsilon);
    const bool within = mpfr_cmp_q(delta.hi, q->delta) <= 0;
    pby_enclosure_clear(&delta);
    return within;
}

/* The choice and its neighbour say what they should of their own deltas. */
static void check_consistent(const pby_choice *choice, const struct question *q)
{
    cr_assert_leq(mpfr_cmp_q(choice->chosen.delta.hi, q->delta), 0);
    if (choice->better.spec != NULL)
        cr_assert_gt(mpfr_cmp_q(choice->better.delta.lo, q->delta), 0);
}

/* ---- the least, found by trying all ------------------------------------------------------------ */

static void least_of_all(const char *family, const char *pattern, const char *epsilon, const char *delta,
                         pby_neighbours relation, unsigned long last)
{
    char text[TEXT_SIZE];
    struct question q;
    ask(&q, epsilon, delta, 1);
    q.target.relation = relation;
    pby_choice *choice = chosen(family, &q);
    check_consistent(choice, &q);
    unsigned long i = 1;
    for (; i <= last; i++) {
        fill(text, pattern, i);
        if (suffices(text, &q))
            break;
    }
    cr_assert_eq(mpq_cmp_ui(choice->chosen.value, i, 1), 0, "%s: %s, but %lu suffices", family,
                 pby_spec_text(choice->chosen.spec), i);
    cr_assert_str_eq(pby_spec_text(choice->chosen.spec), text);
    cr_assert(choice->adjacent);
    pby_choice_free(choice);
    clear(&q);
}

Test(select_select, the_least_integer_is_the_least_of_all)
{
    least_of_all("stlap", "stlap:eps=1/2,q=#", "1/2", "1e-6", PBY_ADD_REMOVE, 100);
    least_of_all("stlap", "stlap:eps=2,q=#", "2", "0.3", PBY_ADD_REMOVE, 100);
    least_of_all("stlap:eps=1/4", "stlap:eps=1/4,q=#", "1/2", "1e-3", PBY_ADD_REMOVE, 100);
    least_of_all("stlap", "stlap:eps=1/2,q=#", "1", "1e-4", PBY_SUBSTITUTE, 100);
    least_of_all("tgeometric", "tgeometric:eps=1/2,bound=#", "1/2", "1e-4", PBY_ADD_REMOVE, 100);
    least_of_all("tgeometric:sensitivity=3", "tgeometric:eps=1,bound=#,sensitivity=3", "1", "1e-3",
                 PBY_ADD_REMOVE, 100);
    least_of_all("tgeometric:sensitivity=2", "tgeometric:eps=2,bound=#,sensitivity=2", "2", "1e-3",
                 PBY_ADD_REMOVE, 100);
    least_of_all("tgeometric:eps=1/2,sensitivity=5", "tgeometric:eps=1/2,bound=#,sensitivity=5", "1/4", "1/5",
                 PBY_ADD_REMOVE, 100);
    least_of_all("tgeometric:eps=1/10,sensitivity=4", "tgeometric:eps=1/10,bound=#,sensitivity=4", "1/10",
                 "2/5", PBY_ADD_REMOVE, 100);
    least_of_all("threshold", "threshold:eps=1/2,T=#", "1/2", "1e-4", PBY_ADD_REMOVE, 100);
    least_of_all("threshold:sensitivity=2", "threshold:eps=1,T=#,sensitivity=2", "1", "1e-4", PBY_SUBSTITUTE,
                 100);
    least_of_all("range", "range:eps=1/2,L=#", "1/2", "1e-4", PBY_ADD_REMOVE, 100);
    least_of_all("range:sensitivity=4", "range:eps=1,L=#,sensitivity=4", "1", "1e-4", PBY_ADD_REMOVE, 100);
    least_of_all("range:sensitivity=9,dimensions=1", "range:eps=1,L=#,sensitivity=9,dimensions=1", "1",
                 "1e-3", PBY_ADD_REMOVE, 100);
    least_of_all("range:eps=3,sensitivity=9,dimensions=1", "range:eps=3,L=#,sensitivity=9,dimensions=1",
                 "21/50", "9/20", PBY_ADD_REMOVE, 100);
}

/* Where eps exceeds epsilon the parity of q decides: the least q need not lie next to the frontier of its
 * own class. At epsilon 1/4 and eps 1, odd q tends to 0.264 and even q to 0.307. */
Test(select_select, the_parity_of_q_is_seen)
{
    least_of_all("stlap:eps=1", "stlap:eps=1,q=#", "1/4", "0.28", PBY_ADD_REMOVE, 60);
    least_of_all("stlap:eps=1", "stlap:eps=1,q=#", "1/4", "0.31", PBY_ADD_REMOVE, 60);
}

/* ---- rationals --------------------------------------------------------------------------------- */

/* The neighbour is one step away, on the side with less noise. */
static void one_step_away(const char *family, const char *epsilon, const char *delta, unsigned long uses,
                          int side)
{
    struct question q;
    mpq_t step;
    ask(&q, epsilon, delta, uses);
    mpq_init(step);
    pby_choice *choice = chosen(family, &q);
    check_consistent(choice, &q);
    cr_assert_not_null(choice->better.spec);
    mpq_sub(step, choice->better.value, choice->chosen.value);
    cr_assert_eq(mpq_sgn(step), side);
    mpq_abs(step, step);
    cr_assert(mpq_equal(step, choice->resolution));
    /* four digits: 1000 to 10000 steps */
    mpq_div(step, choice->chosen.value, choice->resolution);
    cr_assert(mpq_cmp_ui(step, 1000, 1) >= 0 && mpq_cmp_ui(step, 10000, 1) <= 0);
    pby_choice_free(choice);
    mpq_clear(step);
    clear(&q);
}

Test(select_select, a_rational_has_four_digits)
{
    one_step_away("geometric", "1", "1e-6", 1, 1);
    one_step_away("geometric:sensitivity=7", "1/10", "1e-3", 1, 1);
    one_step_away("geometric", "1", "1e-6", 10, 1);
    one_step_away("laplace", "1", "1e-6", 1, -1);
    one_step_away("laplace:grid=1/10", "1", "1e-6", 3, -1);
    one_step_away("gauss", "1", "1e-6", 1, -1);
    one_step_away("gauss:sensitivity=1/3", "2", "1e-9", 100, -1);
    one_step_away("dgauss", "1", "1e-6", 1, -1);
    one_step_away("dgauss:sensitivity=5", "1/10", "1e-9", 1, -1);
    one_step_away("dgauss", "1", "1e-6", 10, -1);
}

Test(select_select, keeps_to_the_resolution_asked_for)
{
    struct question q;
    ask(&q, "1", "1e-6", 1);
    mpq_set_ui(q.resolution, 1, 3);
    q.target.resolution = q.resolution;
    pby_choice *choice = chosen("dgauss", &q);
    check_consistent(choice, &q);
    cr_assert_str_eq(pby_spec_text(choice->chosen.spec), "dgauss:sigma2=18");
    cr_assert_str_eq(pby_spec_text(choice->better.spec), "dgauss:sigma2=53/3");
    pby_choice_free(choice);
    clear(&q);
}

/* At epsilon 5 the deltas of sigma2 = 1/100, 2/100, ... are not in order: 1/10 is within 0.007 and 11/100 to
 * 29/100 are not. The least that suffices is found all the same, and every smaller one does not. */
Test(select_select, asks_all_where_there_is_no_order)
{
    struct question q;
    char text[TEXT_SIZE];
    ask(&q, "5", "0.007", 1);
    mpq_set_ui(q.resolution, 1, 100);
    q.target.resolution = q.resolution;
    pby_choice *choice = chosen("dgauss", &q);
    check_consistent(choice, &q);
    cr_assert_str_eq(pby_spec_text(choice->chosen.spec), "dgauss:sigma2=1/10");
    cr_assert_str_eq(pby_spec_text(choice->better.spec), "dgauss:sigma2=9/100");
    cr_assert_str_eq(choice->monotone, "every smaller multiple of the step was asked");
    for (unsigned long i = 1; i < 30; i++) {
        fill(text, "dgauss:sigma2=#/100", i);
        cr_assert_eq(suffices(text, &q), i == 10, "%s", text);
    }
    pby_choice_free(choice);
    q.target.uses = 2;
    choice = chosen("dgauss", &q);
    cr_assert_null(choice->monotone, "not all of several uses are asked");
    pby_choice_free(choice);
    clear(&q);
}

/* A pure mechanism at delta 0: decided by an exact sign, and met exactly. */
Test(select_select, an_exact_tie_is_within)
{
    struct question q;
    ask(&q, "1", "0", 1);
    pby_choice *choice = chosen("geometric", &q);
    cr_assert_str_eq(pby_spec_text(choice->chosen.spec), "geometric:eps=1");
    cr_assert(mpfr_zero_p(choice->chosen.delta.hi));
    pby_choice_free(choice);
    choice = chosen("laplace:sensitivity=3", &q);
    cr_assert_str_eq(pby_spec_text(choice->chosen.spec), "laplace:scale=3,sensitivity=3");
    pby_choice_free(choice);
    clear(&q);
}

/* ---- uses -------------------------------------------------------------------------------------- */

Test(select_select, uses_compose_exactly)
{
    struct question q;
    ask(&q, "1", "1e-6", 3);
    pby_choice *choice = chosen("stlap", &q);
    check_consistent(choice, &q);
    cr_assert_eq(strncmp(pby_spec_text(choice->chosen.spec), "3*stlap:eps=1/3,q=", 18), 0);
    cr_assert(suffices(pby_spec_text(choice->chosen.spec), &q));
    cr_assert(!suffices(pby_spec_text(choice->better.spec), &q));
    cr_assert_lt(mpq_cmp(choice->chosen.value, choice->recipe.value), 0);
    pby_choice_free(choice);
    clear(&q);
}

/* 20 scales of 20 add up to epsilon itself, which basic composition cannot tell; the choice does not depend
 * on it. */
Test(select_select, a_recipe_that_is_undecided_does_not_stop_it)
{
    struct question q;
    ask(&q, "1", "1e-5", 20);
    pby_choice *choice = chosen("laplace", &q);
    check_consistent(choice, &q);
    cr_assert_lt(mpq_cmp_ui(choice->chosen.value, 20, 1), 0);
    pby_choice_free(choice);
    clear(&q);
}

/* ---- rho --------------------------------------------------------------------------------------- */

static pby_choice *chosen_for_rho(const char *family, const char *rho, unsigned long uses)
{
    struct question q;
    ask(&q, "1", "0", uses);
    cr_assert_eq(pby_rational_parse(q.delta, "rho", rho, NULL), PBY_OK);
    q.target.epsilon = q.target.delta = NULL;
    q.target.rho = q.delta;
    pby_choice *choice = chosen(family, &q);
    clear(&q);
    return choice;
}

/* sigma2 = uses D^2/(2 rho), which is met exactly. */
Test(select_select, gaussians_meet_a_rho)
{
    static const struct {
        const char *family, *rho, *spec, *better;
        unsigned long uses;
    } cases[] = {
        {"gauss", "1/3", "10*gauss:sigma2=15", "10*gauss:sigma2=1499/100", 10},
        {"dgauss:sensitivity=3", "1/3", "dgauss:sigma2=27/2,sensitivity=3",
         "dgauss:sigma2=1349/100,sensitivity=3", 1},
        {"gauss", "7/10", "gauss:sigma2=7143/10000", "gauss:sigma2=3571/5000",
         1}, /* 5/7 = 0.71428... is no multiple */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_choice *choice = chosen_for_rho(cases[i].family, cases[i].rho, cases[i].uses);
        cr_assert_str_eq(pby_spec_text(choice->chosen.spec), cases[i].spec);
        cr_assert_str_eq(pby_spec_text(choice->better.spec), cases[i].better);
        cr_assert_not_null(choice->monotone);
        cr_assert_null(choice->recipe.spec);
        pby_choice_free(choice);
    }
}

/* Against the least rho of each mechanism, asked for by itself. */
static void check_rho(const char *family, const char *rho, unsigned long uses)
{
    pby_choice *choice = chosen_for_rho(family, rho, uses);
    const pby_spec *const specs[] = {choice->chosen.spec, choice->better.spec};
    pby_enclosure loss;
    mpq_t most, xi;
    mpq_inits(most, xi, (mpq_ptr)0);
    pby_enclosure_init(&loss);
    cr_assert_eq(pby_rational_parse(most, "rho", rho, NULL), PBY_OK);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(pby_loss_zcdp(&loss, NULL, specs[i], PBY_ADD_REMOVE, xi, 15, NULL), PBY_OK);
        cr_assert(i == 0 ? mpfr_cmp_q(loss.hi, most) <= 0 : mpfr_cmp_q(loss.lo, most) > 0, "%s",
                  pby_spec_text(specs[i]));
    }
    cr_assert(mpfr_nan_p(choice->chosen.delta.hi));
    cr_assert_not_null(choice->recipe.spec);
    pby_enclosure_clear(&loss);
    mpq_clears(most, xi, (mpq_ptr)0);
    pby_choice_free(choice);
}

Test(select_select, laplace_and_geometric_meet_a_rho)
{
    check_rho("geometric", "1/8", 1);
    check_rho("geometric:sensitivity=3", "1e-4", 7);
    check_rho("laplace", "2", 1);
    check_rho("laplace:grid=1/10", "1/8", 5);
}

/* ---- mu ---------------------------------------------------------------------------------------- */

static pby_choice *chosen_for_mu(const char *family, const char *mu, unsigned long uses,
                                 pby_neighbours relation)
{
    struct question q;
    ask(&q, "1", "0", uses);
    cr_assert_eq(pby_rational_parse(q.delta, "mu", mu, NULL), PBY_OK);
    q.target.epsilon = q.target.delta = NULL;
    q.target.mu = q.delta;
    q.target.relation = relation;
    pby_choice *choice = chosen(family, &q);
    clear(&q);
    return choice;
}

/* sigma2 = uses D^2/mu^2, and mu sqrt(uses) of a promise: met exactly where it is a multiple of the step. */
Test(select_select, gaussians_meet_a_mu)
{
    static const struct {
        const char *family, *mu, *spec, *better;
        unsigned long uses;
    } cases[] = {
        {"gauss", "1/2", "10*gauss:sigma2=40", "10*gauss:sigma2=3999/100", 10},
        {"gauss:sensitivity=3", "1/3", "gauss:sigma2=81,sensitivity=3", "gauss:sigma2=8099/100,sensitivity=3",
         1},
        {"gdp", "1", "4*gdp:mu=1/2", "4*gdp:mu=5001/10000", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_choice *choice = chosen_for_mu(cases[i].family, cases[i].mu, cases[i].uses, PBY_ADD_REMOVE);
        cr_assert_str_eq(pby_spec_text(choice->chosen.spec), cases[i].spec);
        cr_assert_str_eq(pby_spec_text(choice->better.spec), cases[i].better);
        cr_assert(mpfr_nan_p(choice->chosen.delta.hi) && mpfr_nan_p(choice->chosen.rho.hi));
        cr_assert_not_null(choice->monotone);
        pby_choice_free(choice);
    }
}

static double normal_tail(double x)
{
    return erfc(x / sqrt(2)) / 2;
}

/* -2 Phi^-1(p), by bisection in doubles: no formula is shared. */
static double twice_quantile(double p)
{
    double low = 0, high = 40;
    for (int i = 0; i < 200; i++) {
        const double middle = (low + high) / 2;
        *(normal_tail(middle) > p ? &low : &high) = middle;
    }
    return 2 * low;
}

/* The vertex of rr is at 1/(1 + exp(eps)), that of Laplace noise at exp(-1/(2 scale))/2; several uses are
 * chosen by the root of the sum of squares, their upper bound. */
Test(select_select, vertices_meet_a_mu)
{
    static const struct {
        const char *family;
        pby_neighbours relation;
        unsigned long uses;
    } cases[] = {{"rr", PBY_LOCAL, 1}, {"laplace", PBY_ADD_REMOVE, 1}, {"laplace", PBY_ADD_REMOVE, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_choice *choice = chosen_for_mu(cases[i].family, "1/2", cases[i].uses, cases[i].relation);
        const double ours = mpq_get_d(choice->chosen.value), next = mpq_get_d(choice->better.value);
        const double root = sqrt((double)cases[i].uses);
        for (int k = 0; k < 2; k++) {
            const double x = k == 0 ? ours : next;
            const double mu = root * twice_quantile(i == 0 ? 1 / (1 + exp(x)) : exp(-1 / (2 * x)) / 2);
            cr_assert(k == 0 ? mu <= 0.5 : mu > 0.5, "%s: mu %.9g at %.9g", cases[i].family, mu, x);
        }
        cr_assert_float_eq(fabs(ours - next), mpq_get_d(choice->resolution), 1e-12);
        cr_assert_leq(mpfr_cmp_d(choice->chosen.mu.hi, 0.5), 0);
        cr_assert_eq(mpfr_cmp_d(choice->better.mu.lo, 0.5) > 0, cases[i].uses == 1);
        cr_assert(choice->by_bound);
        pby_choice_free(choice);
    }
}

Test(select_select, a_mu_that_is_not_finite_is_refused)
{
    static const struct {
        const char *family, *why;
    } cases[] = {{"zcdp", "no zcdp is known to have a finite mu"}, {"stlap", "no stlap has a finite mu"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pby_target_words target = {.mu = "1", .relation = PBY_ADD_REMOVE, .uses = 1};
        pby_choice *choice;
        pby_error err = PBY_NO_ERROR;
        cr_assert_eq(pby_select_text(&choice, cases[i].family, &target, &err), PBY_BAD);
        cr_assert_not_null(strstr(err.text, cases[i].why), "%s", err.text);
    }
}

/* An eps that is not chosen is shared out of an epsilon, and of nothing else. */
Test(select_select, no_eps_is_shared_out_of_a_rho)
{
    const pby_target_words targets[] = {{.rho = "1/2", .relation = PBY_ADD_REMOVE, .uses = 1},
                                        {.mu = "1/2", .relation = PBY_ADD_REMOVE, .uses = 3}};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        pby_choice *choice;
        pby_error err = PBY_NO_ERROR;
        cr_assert_eq(pby_select_text(&choice, "ptr", &targets[i], &err), PBY_BAD);
        cr_assert_not_null(strstr(err.text, "ptr: expected eps among its parameters"), "%s", err.text);
    }
}

/* ---- numbers of any length --------------------------------------------------------------------- */

/* 0.111...1 of 250 digits is as good as 1/9: the same multiple of it is chosen, and the same by the recipe.
 */
Test(select_select, a_long_resolution_is_not_cut)
{
    enum { LENGTH = 250 };
    char text[LENGTH + 3] = "0.";
    long steps[2], recipe[2];
    struct question q;
    memset(text + 2, '1', LENGTH);
    text[LENGTH + 2] = '\0';
    const char *const resolutions[] = {text, "1/9"};
    ask(&q, "1", "1e-6", 1);
    q.target.resolution = q.resolution;
    for (int i = 0; i < 2; i++) {
        mpq_t part;
        mpq_init(part);
        cr_assert_eq(pby_rational_parse(q.resolution, "resolution", resolutions[i], NULL), PBY_OK);
        pby_choice *choice = chosen("dgauss", &q);
        mpq_div(part, choice->chosen.value, q.resolution);
        steps[i] = mpz_get_si(mpq_numref(part));
        mpq_div(part, choice->recipe.value, q.resolution);
        recipe[i] = mpz_get_si(mpq_numref(part));
        pby_choice_free(choice);
        mpq_clear(part);
    }
    cr_assert_eq(steps[0], steps[1]);
    cr_assert_eq(recipe[0], recipe[1], "%ld and %ld", recipe[0], recipe[1]);
    clear(&q);
}

/* ---- refusals ---------------------------------------------------------------------------------- */

static void refused(const char *family, const char *epsilon, const char *delta, const char *reason)
{
    struct question q;
    pby_choice *choice;
    pby_error err;
    ask(&q, epsilon, delta, 1);
    cr_assert_eq(pby_select(&choice, family, &q.target, &err), PBY_BAD, "%s", family);
    cr_assert_null(choice);
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
    clear(&q);
}

Test(select_select, says_what_binds)
{
    refused("stlap:eps=1", "1/2", "1e-6", "eps, the rate of the noise, binds");
    refused("stlap:eps=1", "1/2", "1e-6", "expected at least 0.1967");
    refused("threshold:eps=1", "1/2", "1e-6", "binds");
    refused("stlap", "1/2", "0", "no stlap has delta 0");
    refused("dgauss", "1/2", "0", "no largest value");
}

/* ---- the number in a refusal -------------------------------------------------------------------- */

/* No candidate of 1 .. last has a delta below the number that the refusal names, and some have hardly more.
 */
static void names_the_least(const char *family, const char *pattern, const char *epsilon, const char *delta,
                            pby_neighbours relation, unsigned long uses, unsigned long last)
{
    static const char before[] = "expected at least ";
    struct question q;
    pby_choice *choice;
    pby_error err;
    pby_enclosure one;
    mpfr_t least, named;
    ask(&q, epsilon, delta, uses);
    q.target.relation = relation;
    cr_assert_eq(pby_select(&choice, family, &q.target, &err), PBY_BAD, "%s", family);
    const char *at = strstr(err.text, before);
    cr_assert_not_null(at, "%s", err.text);
    pby_enclosure_init(&one);
    mpfr_inits2(128, least, named, (mpfr_ptr)0);
    mpfr_strtofr(named, at + strlen(before), NULL, 10, MPFR_RNDD);
    mpfr_set_ui(least, 1, MPFR_RNDU);
    for (unsigned long i = 1; i <= last; i++) {
        char text[TEXT_SIZE];
        fill(text, pattern, i);
        delta_of(&one, text, relation, q.epsilon);
        cr_assert(mpfr_lessequal_p(named, one.hi), "%s has less than %s", text, err.text);
        mpfr_min(least, least, one.hi, MPFR_RNDU);
    }
    mpfr_mul_d(least, least, 0.98, MPFR_RNDD);
    cr_assert(mpfr_lessequal_p(least, named), "%s: far from the least", err.text);
    cr_assert_gt(mpfr_cmp_q(named, q.delta), 0);
    mpfr_clears(least, named, (mpfr_ptr)0);
    pby_enclosure_clear(&one);
    clear(&q);
}

Test(select_select, a_refusal_names_the_least_of_all)
{
    names_the_least("stlap:eps=1", "stlap:eps=1,q=#", "1/4", "1/4", PBY_ADD_REMOVE, 1, 150);
    names_the_least("stlap:eps=1", "stlap:eps=1,q=#", "1/4", "1/10", PBY_SUBSTITUTE, 1, 40);
    names_the_least("stlap:eps=1/2", "2*stlap:eps=1/2,q=#", "1/4", "1/10", PBY_ADD_REMOVE, 2, 24);
    names_the_least("range:eps=3,sensitivity=9,dimensions=1", "range:eps=3,L=#,sensitivity=9,dimensions=1",
                    "21/50", "1/20", PBY_ADD_REMOVE, 1, 200);
    names_the_least("range:eps=2,sensitivity=3", "range:eps=2,L=#,sensitivity=3", "1/2", "1/20",
                    PBY_ADD_REMOVE, 1, 100);
    names_the_least("tgeometric:eps=1/2,sensitivity=5", "tgeometric:eps=1/2,bound=#,sensitivity=5", "1/4",
                    "1/20", PBY_ADD_REMOVE, 1, 70);
    names_the_least("tgeometric:eps=2,sensitivity=4", "tgeometric:eps=2,bound=#,sensitivity=4", "1/2",
                    "1/1000", PBY_ADD_REMOVE, 1, 60);
    names_the_least("tgeometric:eps=2", "tgeometric:eps=2,bound=#", "1", "1/10", PBY_ADD_REMOVE, 1, 60);
    names_the_least("threshold:eps=1,sensitivity=2", "threshold:eps=1,T=#,sensitivity=2", "1/2", "1/10",
                    PBY_SUBSTITUTE, 1, 100);
}

/* Where a greater candidate would suffice, or none is known to be the least, no number is named. */
Test(select_select, no_number_where_none_is_known)
{
    refused("stlap", "1e-6", "1e-9", "no q up to 131072 suffices, and no greater one is tried");
    refused("threshold:sensitivity=2147483647", "1", "1e-6", "no T up to 131072 suffices");
    refused("partition:eps=1", "1/2", "1/10",
            "no delta that was tried suffices: eps, or the resolution, binds");
    refused("tgeometric:sensitivity=1000000", "1", "1e-6",
            "tgeometric:sensitivity '1000000': expected a smaller one");
    refused("range:sensitivity=2147483647", "1", "1e-6",
            "range:sensitivity '2147483647': expected a smaller one");
}

Test(select_select, names_the_step_that_is_too_fine)
{
    struct question q;
    pby_choice *choice;
    pby_error err;
    ask(&q, "1", "0", 1);
    q.target.resolution = q.resolution;
    cr_assert_eq(pby_rational_parse(q.resolution, "resolution", "1e-12", NULL), PBY_OK);
    cr_assert_eq(pby_select(&choice, "laplace", &q.target, &err), PBY_BAD);
    cr_assert_str_eq(err.text,
                     "resolution '1e-12': expected a larger step, because no scale of up to 1073741824 steps "
                     "suffices");
    cr_assert_eq(pby_rational_parse(q.resolution, "resolution", "1e-4001", NULL), PBY_OK);
    cr_assert_eq(pby_select(&choice, "laplace", &q.target, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "expected at most 4000 digits"), "%s", err.text);
    mpq_set_ui(q.resolution, 3, 1); /* eps = 3 is the smallest multiple */
    cr_assert_eq(pby_select(&choice, "geometric", &q.target, &err), PBY_BAD);
    cr_assert_not_null(
        strstr(err.text, "expected at least 0.823657237, which no eps of these steps goes below"), "%s",
        err.text);
    clear(&q);
}

static void count_asked(void *what, uint64_t asked)
{
    cr_assert_eq(*(uint64_t *)what, asked);
    ++*(uint64_t *)what;
}

Test(select_select, tells_each_candidate_that_it_asks)
{
    struct question q;
    uint64_t asked = 0;
    ask(&q, "1", "1e-6", 10);
    q.target.asking = count_asked;
    q.target.what = &asked;
    pby_choice_free(chosen("stlap", &q));
    cr_assert_gt(asked, 10);
    clear(&q);
}

/* The choice at delta 0 is the greatest eps itself, exactly; a delta above 0 allows more. */
Test(select_select, one_candidate_or_one_report)
{
    static const struct {
        const char *family, *delta, *chosen, *better;
        pby_neighbours relation;
    } cases[] = {{"exponential", "0", "exponential:eps=1", "exponential:eps=1001/1000", PBY_ADD_REMOVE},
                 {"exponential:scores=monotone", "1/100", NULL, NULL, PBY_ADD_REMOVE},
                 {"noisymax", "0", "noisymax:eps=1", "noisymax:eps=1001/1000", PBY_ADD_REMOVE},
                 {"permuteflip", "0", "permuteflip:eps=1", "permuteflip:eps=1001/1000", PBY_ADD_REMOVE},
                 {"rr", "0", "rr:eps=1", "rr:eps=1001/1000", PBY_LOCAL},
                 {"krr:k=5", "0", "krr:eps=1,k=5", "krr:eps=1001/1000,k=5", PBY_LOCAL},
                 {"krr:k=5", "1/100", NULL, NULL, PBY_LOCAL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct question q;
        pby_choice *choice;
        pby_error err;
        ask(&q, "1", cases[i].delta, 1);
        q.target.relation = cases[i].relation;
        cr_assert_eq(pby_select(&choice, cases[i].family, &q.target, &err), PBY_OK, "%s", err.text);
        cr_assert(choice->adjacent);
        if (cases[i].chosen != NULL) {
            cr_assert_str_eq(pby_spec_text(choice->chosen.spec), cases[i].chosen);
            cr_assert_str_eq(pby_spec_text(choice->better.spec), cases[i].better);
        } else {
            cr_assert(mpfr_cmp_d(choice->chosen.delta.hi, 0.01) <= 0);
            cr_assert(mpfr_cmp_d(choice->better.delta.lo, 0.01) > 0);
            cr_assert(mpq_cmp_ui(choice->chosen.value, 1, 1) > 0);
        }
        pby_choice_free(choice);
        clear(&q);
    }
}

/* Points of a grid: the greatest eps at delta 0, above which only bounds are known. */
Test(select_select, points_of_a_grid)
{
    static const struct {
        const char *family, *chosen;
        pby_neighbours relation;
    } cases[] = {
        {"depth:level=20,bound=10", "depth:eps=1,level=20,bound=10", PBY_ADD_REMOVE},
        {"fbsupport:level=5,x=1,y=1,bound=9", "fbsupport:eps=1,level=5,x=1,y=1,bound=9", PBY_SUBSTITUTE},
        {"fbquantile:q=1/2,n=9,bound=8", "fbquantile:eps=1,q=1/2,n=9,bound=8", PBY_SUBSTITUTE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct question q;
        pby_choice *choice;
        pby_error err;
        ask(&q, "1", "0", 1);
        q.target.relation = cases[i].relation;
        cr_assert_eq(pby_select(&choice, cases[i].family, &q.target, &err), PBY_OK, "%s", err.text);
        cr_assert_str_eq(pby_spec_text(choice->chosen.spec), cases[i].chosen);
        cr_assert(!choice->adjacent && mpfr_zero_p(choice->chosen.delta.hi));
        cr_assert(mpfr_sgn(choice->better.delta.lo) > 0 && mpq_cmp_ui(choice->better.value, 3, 1) < 0);
        pby_choice_free(choice);
        clear(&q);
    }
}

Test(select_select, refuses_what_it_cannot_read)
{
    refused("rr:odds=3", "1", "1e-6", "expected no odds: what is chosen is eps");
    refused("nosuch", "1", "1e-6", "FAMILY 'nosuch': expected one of geometric, tgeometric, dgauss");
    refused("", "1", "1e-6", "FAMILY ''");
    refused("stlap:q=4", "1", "1e-6", "expected the parameters that are not to be chosen");
    refused("stlap:tau=1/10,n=1000,bars=3", "1", "1e-6", "expected no tau: what is chosen is q");
    refused("stlap:nosuch=4", "1", "1e-6", "stlap parameter 'nosuch'");
    refused("stlap:eps=x", "1", "1e-6", "stlap:eps 'x'");
    refused("stlap", "0", "1e-6", "epsilon");
    refused("stlap", "-1", "1e-6", "epsilon");
    refused("stlap", "1", "1", "delta");
    refused("stlap", "1", "-1", "delta");
}

Test(select_select, refuses_a_rho_that_is_infinite)
{
    static const char *const families[] = {
        "stlap", "buckethist:bound=100,width=1", "tgeometric", "threshold", "range", "partition"};
    struct question q;
    pby_choice *choice;
    pby_error err;
    ask(&q, "1", "1", 1);
    q.target.rho = q.delta;
    q.target.epsilon = q.target.delta = NULL;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        cr_assert_eq(pby_select(&choice, families[i], &q.target, &err), PBY_BAD);
        cr_assert_not_null(strstr(err.text, "has a finite rho"), "%s", err.text);
    }
    mpq_set_ui(q.delta, 0, 1);
    cr_assert_eq(pby_select(&choice, "gauss", &q.target, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "rho '0': expected a rational above 0");
    clear(&q);
}

Test(select_select, refuses_a_resolution_of_integers)
{
    struct question q;
    pby_choice *choice;
    pby_error err;
    ask(&q, "1", "1e-6", 1);
    q.target.resolution = q.resolution;
    cr_assert_eq(pby_select(&choice, "dgauss", &q.target, &err), PBY_BAD);
    mpq_set_ui(q.resolution, 1, 2);
    cr_assert_eq(pby_select(&choice, "stlap", &q.target, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "q of stlap is an integer"), "%s", err.text);
    q.target.resolution = NULL;
    q.target.uses = 0;
    cr_assert_eq(pby_select(&choice, "stlap", &q.target, &err), PBY_BAD);
    clear(&q);
}

/* ---- the order that docs/theory/selection.md proves ------------------------------------------- */

/* delta(pattern at i + stride) <= delta(pattern at i), for i from `from` on, at some epsilons. */
static void falls(const char *pattern, unsigned long from, unsigned long to, unsigned long stride,
                  pby_neighbours relation)
{
    static const char *const epsilons[] = {"-1", "-1/10", "0", "1/10", "1/2", "1", "2"};
    pby_enclosure a, b;
    mpq_t epsilon;
    mpq_init(epsilon);
    pby_enclosure_init(&a);
    pby_enclosure_init(&b);
    for (size_t e = 0; e < sizeof epsilons / sizeof *epsilons; e++) {
        cr_assert_eq(pby_rational_parse(epsilon, "epsilon", epsilons[e], NULL), PBY_OK);
        for (unsigned long i = from; i <= to; i++) {
            char less[TEXT_SIZE], more[TEXT_SIZE];
            fill(less, pattern, i);
            fill(more, pattern, i + stride);
            delta_of(&a, less, relation, epsilon);
            delta_of(&b, more, relation, epsilon);
            cr_assert(mpfr_lessequal_p(b.lo, a.hi), "%s is worse than %s at %s", more, less, epsilons[e]);
        }
    }
    pby_enclosure_clear(&b);
    pby_enclosure_clear(&a);
    mpq_clear(epsilon);
}

Test(select_select, the_order_holds_where_it_is_relied_on)
{
    falls("stlap:eps=1/2,q=#", 3, 24, 2, PBY_ADD_REMOVE);
    falls("stlap:eps=2,q=#", 3, 12, 2, PBY_ADD_REMOVE);
    falls("stlap:eps=1,q=#", 3, 10, 2, PBY_SUBSTITUTE);
    falls("tgeometric:eps=1/2,bound=#", 1, 20, 1, PBY_ADD_REMOVE);
    falls("tgeometric:eps=1/20,bound=#", 1, 20, 1, PBY_ADD_REMOVE);
    falls("tgeometric:eps=3,bound=#", 1, 8, 1, PBY_ADD_REMOVE);
    falls("tgeometric:eps=1/2,bound=#,sensitivity=5", 3, 12, 1, PBY_ADD_REMOVE);
    falls("tgeometric:eps=1/50,bound=#,sensitivity=6", 4, 12, 1, PBY_ADD_REMOVE);
    falls("tgeometric:eps=6,bound=#,sensitivity=4", 3, 12, 1, PBY_ADD_REMOVE);
    falls("range:eps=1/2,L=#", 1, 20, 1, PBY_ADD_REMOVE);
    falls("range:eps=1,L=#,sensitivity=4", 2, 16, 1, PBY_ADD_REMOVE);
    falls("range:eps=3,L=#,sensitivity=9,dimensions=1", 4, 16, 1, PBY_ADD_REMOVE);
    falls("range:eps=1/3,L=#,sensitivity=8,dimensions=2", 4, 12, 1, PBY_ADD_REMOVE);
    falls("threshold:eps=1/2,T=#", 1, 20, 1, PBY_ADD_REMOVE);
    falls("threshold:eps=1,T=#,sensitivity=3", 1, 12, 1, PBY_SUBSTITUTE);
    falls("geometric:eps=1/#,sensitivity=3", 1, 20, 1, PBY_ADD_REMOVE);
    falls("laplace:scale=#,sensitivity=3", 1, 20, 1, PBY_ADD_REMOVE);
}

static int compare(const char *a, const char *b, const char *at)
{
    pby_enclosure x, y;
    mpq_t epsilon;
    mpq_init(epsilon);
    pby_enclosure_init(&x);
    pby_enclosure_init(&y);
    cr_assert_eq(pby_rational_parse(epsilon, "epsilon", at, NULL), PBY_OK);
    delta_of(&x, a, PBY_ADD_REMOVE, epsilon);
    delta_of(&y, b, PBY_ADD_REMOVE, epsilon);
    const int sign = mpfr_less_p(x.hi, y.lo) ? -1 : mpfr_less_p(y.hi, x.lo) ? 1 : 0;
    pby_enclosure_clear(&y);
    pby_enclosure_clear(&x);
    mpq_clear(epsilon);
    return sign;
}

/* The counterexamples that the same page gives: where the search does not rely on an order, there is none. */
Test(select_select, there_is_no_order_elsewhere)
{
    cr_assert_eq(compare("dgauss:sigma2=1/10", "dgauss:sigma2=1/5", "5"), -1);
    cr_assert_eq(compare("stlap:eps=1,q=41", "stlap:eps=1,q=42", "1/4"), -1);
    cr_assert_eq(compare("range:eps=1,L=1,sensitivity=5,dimensions=1",
                         "range:eps=1,L=2,sensitivity=5,dimensions=1", "1"),
                 -1);
    cr_assert_eq(compare("range:eps=3,L=3,sensitivity=8,dimensions=1",
                         "range:eps=3,L=4,sensitivity=8,dimensions=1", "1"),
                 -1);
    cr_assert_eq(compare("stlap:eps=1/2,q=20", "stlap:eps=1/2,q=41/2", "1"), -1);
}

/* Sampled: the choice suffices and one step less does not, by the loss itself; no recipe counts the sampling.
 */
Test(select_select, sampled_noise_is_chosen_to_three_digits)
{
    pby_choice *choice;
    pby_error err;
    mpq_t epsilon, delta;
    mpq_init(epsilon);
    mpq_init(delta);
    mpq_set_ui(epsilon, 1, 2);
    mpq_set_ui(delta, 1, 100000);
    const pby_target target = {.epsilon = epsilon, .delta = delta, .relation = PBY_ADD_REMOVE, .uses = 20};
    cr_assert_eq(pby_select(&choice, "gauss:sample=1/20", &target, &err), PBY_OK, "%s", err.text);
    cr_assert_null(choice->recipe.spec);
    cr_assert_null(choice->source);
    cr_assert(choice->adjacent);
    cr_assert_not_null(choice->monotone);
    pby_enclosure found;
    pby_enclosure_init(&found);
    cr_assert_eq(pby_loss_delta(&found, choice->chosen.spec, PBY_ADD_REMOVE, epsilon, 9, &err), PBY_OK);
    cr_assert(mpfr_cmp_q(found.lo, delta) <= 0);
    cr_assert_eq(pby_loss_delta(&found, choice->better.spec, PBY_ADD_REMOVE, epsilon, 9, &err), PBY_OK);
    cr_assert(mpfr_cmp_q(found.hi, delta) > 0);
    cr_assert(mpfr_cmp_q(choice->chosen.delta.hi, delta) <= 0);
    pby_enclosure_clear(&found);
    pby_choice_free(choice);
    const pby_target changed = {.epsilon = epsilon, .delta = delta, .relation = PBY_SUBSTITUTE, .uses = 20};
    cr_assert_eq(pby_select(&choice, "gauss:sample=1/20", &changed, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "expected add-remove"), "%s", err.text);
    mpq_clear(delta);
    mpq_clear(epsilon);
}

/* ---- rates, uses and rho ---------------------------------------------------------------------- */

/* 1 + q (e - 1) <= exp(1/2) for q = 0.377 and not for 0.378; at delta 0 the largest loss decides. */
Test(select_select, the_greatest_rate)
{
    struct question q;
    ask(&q, "1/2", "0", 1);
    pby_choice *choice = chosen("geometric:eps=1", &q);
    cr_assert_str_eq(choice->parameter, "sample");
    cr_assert_str_eq(pby_spec_text(choice->chosen.spec), "geometric:eps=1,sample=377/1000");
    cr_assert_str_eq(pby_spec_text(choice->better.spec), "geometric:eps=1,sample=189/500");
    cr_assert(choice->adjacent && choice->monotone != NULL);
    pby_choice_free(choice);
    choice = chosen("geometric:eps=1/4", &q);
    cr_assert_str_eq(pby_spec_text(choice->chosen.spec), "geometric:eps=1/4", "all records");
    cr_assert_null(choice->better.spec);
    pby_choice_free(choice);
    q.target.uses = 2;
    pby_choice *none;
    pby_error err;
    cr_assert_eq(pby_select(&none, "exponential:eps=1", &q.target, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "for a sample of exponential"), "%s", err.text);
    q.target.uses = 1;
    mpq_set_ui(q.resolution, 2, 7);
    q.target.resolution = q.resolution;
    choice = chosen("geometric:eps=1", &q);
    cr_assert_str_eq(pby_spec_text(choice->chosen.spec), "geometric:eps=1,sample=2/7");
    pby_choice_free(choice);
    clear(&q);
}

Test(select_select, the_greatest_rate_of_several_uses)
{
    struct question q;
    ask(&q, "1/2", "1e-5", 20);
    pby_choice *choice = chosen("gauss:sigma2=1", &q);
    cr_assert_str_eq(choice->parameter, "sample");
    cr_assert(choice->adjacent);
    cr_assert(suffices(pby_spec_text(choice->chosen.spec), &q));
    cr_assert_not(suffices(pby_spec_text(choice->better.spec), &q));
    cr_assert(mpq_cmp(choice->chosen.value, choice->better.value) < 0);
    pby_choice_free(choice);
    clear(&q);
}

Test(select_select, as_many_uses_as_suffice)
{
    struct question q;
    ask(&q, "1/2", "0", PBY_USES_MOST);
    pby_choice *choice = chosen("geometric:eps=1/10", &q);
    cr_assert_str_eq(choice->parameter, "uses");
    cr_assert_str_eq(pby_spec_text(choice->chosen.spec), "5*geometric:eps=1/10");
    cr_assert_str_eq(pby_spec_text(choice->better.spec), "6*geometric:eps=1/10");
    pby_choice_free(choice);
    choice = chosen("geometric:eps=1/2", &q);
    cr_assert_str_eq(pby_spec_text(choice->chosen.spec), "geometric:eps=1/2", "one, and no more");
    pby_choice_free(choice);
    clear(&q);
    ask(&q, "1", "1e-6", PBY_USES_MOST);
    static const char *const specs[] = {"gauss:sigma2=2000", "gauss:sigma2=4,sample=1/20",
                                        "stlap:eps=1/50,q=2000"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        choice = chosen(specs[i], &q);
        cr_assert(choice->adjacent, "%s", specs[i]);
        cr_assert(suffices(pby_spec_text(choice->chosen.spec), &q), "%s", specs[i]);
        cr_assert_not(suffices(pby_spec_text(choice->better.spec), &q), "%s", specs[i]);
        pby_choice_free(choice);
    }
    /* four digits: rho = K/(2 sigma2) of 0.0182... takes many thousands */
    choice = chosen("gauss:sigma2=1000000", &q);
    cr_assert_eq(mpq_cmp_ui(choice->resolution, 10, 1), 0);
    cr_assert(choice->adjacent && suffices(pby_spec_text(choice->chosen.spec), &q));
    pby_choice_free(choice);
    clear(&q);
}

Test(select_select, refuses_uses_that_cannot_be_chosen)
{
    struct question q;
    pby_choice *choice;
    pby_error err;
    ask(&q, "1/2", "1e-6", PBY_USES_MOST);
    cr_assert_eq(pby_select(&choice, "gauss", &q.target, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "uses 'most': expected a number, or a mechanism with sigma2");
    cr_assert_eq(pby_select(&choice, "stlap:q=100", &q.target, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "uses 'most': expected a mechanism with eps, which the uses would share");
    cr_assert_eq(pby_select(&choice, "partition:delta=1e-9,eps=1/10", &q.target, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "uses 'most': expected a number for partition");
    cr_assert_eq(pby_select(&choice, "gauss:sigma2=1", &q.target, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "which one use loses"), "%s", err.text);
    q.target.resolution = q.resolution;
    mpq_set_ui(q.resolution, 1, 2);
    cr_assert_eq(pby_select(&choice, "gauss:sigma2=1000", &q.target, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "resolution '0.5': expected an integer, as uses are chosen");
    clear(&q);
}

/* rho of a budget: ten uses of what is chosen convert to no more, and of the next to more. */
Test(select_select, the_greatest_rho)
{
    struct question q;
    ask(&q, "2", "1e-6", 10);
    pby_choice *choice = chosen("zcdp", &q);
    cr_assert_str_eq(choice->parameter, "rho");
    cr_assert_str_eq(pby_spec_text(choice->chosen.spec), "10*zcdp:rho=1763/200000");
    cr_assert(suffices("10*zcdp:rho=1763/200000", &q));
    cr_assert_not(suffices("10*zcdp:rho=8816/1000000", &q));
    pby_choice_free(choice);
    clear(&q);
}
