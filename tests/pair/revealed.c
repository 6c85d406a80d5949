/* SPDX-License-Identifier: MIT */
/* Noise on a random query against the outputs themselves, enumerated: the law of the answer convolved with
 * the noise, on either input. */
#include "pair/revealed.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>
#include <string.h>

#include "probity/experimental/accuracy.h"
#include "probity/experimental/draw.h"
#include "probity/select.h"
#include "tests/claims/decide.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/loss/brute.h"
#include "tests/spec.h"

static const char *const epsilons[] = {"0", "1/100", "1/10", "1/3", "1/2", "3/4", "1", "3/2", "2", "-1/4"};
enum { EPSILONS = sizeof epsilons / sizeof *epsilons };

/* An answer's law: masses over a common whole at integers. */
enum { ATOMS = 4 };
struct answer {
    slong at[ATOMS];
    ulong mass[ATOMS], whole;
};

/* out = the law of the answer plus the noise, on lo .. lo + n - 1 */
static void noisy(brute *out, const struct answer *a, const brute *noise, slong lo, slong n)
{
    arb_t share;
    arb_init(share);
    *out = (brute){lo, n, _arb_vec_init(n)};
    for (size_t i = 0; i < ATOMS; i++) {
        arb_set_ui(share, a->mass[i]);
        arb_div_ui(share, share, a->whole, BRUTE_PREC);
        for (slong k = 0; k < noise->n; k++)
            arb_addmul(out->mass + (a->at[i] + noise->lo + k - lo), noise->mass + k, share, BRUTE_PREC);
    }
    arb_clear(share);
}

/* The sum over outputs of max(0, P - exp(e) Q). */
static void excess(arb_t sum, const brute *p, const brute *q, const fmpq_t epsilon)
{
    arb_t x, factor;
    arb_init(x);
    arb_init(factor);
    arb_set_fmpq(factor, epsilon, BRUTE_PREC);
    arb_exp(factor, factor, BRUTE_PREC);
    arb_zero(sum);
    for (slong i = 0; i < p->n; i++) {
        arb_mul(x, q->mass + i, factor, BRUTE_PREC);
        arb_sub(x, p->mass + i, x, BRUTE_PREC);
        if (arb_is_positive(x))
            arb_add(sum, sum, x, BRUTE_PREC);
    }
    arb_clear(factor);
    arb_clear(x);
}

/* claimed - delta, both orders, at every epsilon: the least, and the greatest. */
static void slack(double *least, double *most, const char *spec, const struct answer *one,
                  const struct answer *other, const brute *noise)
{
    const slong reach = 400, lo = noise->lo - reach, n = noise->n + 2 * reach;
    brute p, q;
    arb_t claimed, delta;
    fmpq_t epsilon;
    arb_init(claimed);
    arb_init(delta);
    fmpq_init(epsilon);
    noisy(&p, one, noise, lo, n);
    noisy(&q, other, noise, lo, n);
    *least = 1;
    *most = 0;
    for (size_t i = 0; i < EPSILONS; i++)
        for (int turned = 0; turned < 2; turned++) {
            set_text(epsilon, epsilons[i]);
            ask_delta(claimed, spec, epsilon, 40);
            excess(delta, turned ? &q : &p, turned ? &p : &q, epsilon);
            arb_sub(delta, claimed, delta, BRUTE_PREC);
            const double short_of = arf_get_d(arb_midref(delta), ARF_RND_NEAR);
            *least = short_of < *least ? short_of : *least;
            *most = short_of > *most ? short_of : *most;
        }
    brute_clear(&q);
    brute_clear(&p);
    fmpq_clear(epsilon);
    arb_clear(delta);
    arb_clear(claimed);
}

static pby_measure *measure_of(const struct answer *a)
{
    pby_measure *m;
    cr_assert_eq(pby_measure_new(&m, NULL), PBY_OK);
    mpq_t at, mass;
    mpq_inits(at, mass, NULL);
    for (size_t i = 0; i < ATOMS; i++) {
        mpq_set_si(at, a->at[i], 1);
        mpq_set_ui(mass, a->mass[i], 1);
        cr_assert_eq(pby_measure_add(m, at, mass, NULL), PBY_OK);
    }
    mpq_clears(at, mass, NULL);
    return m;
}

static void random_answer(struct answer *a, flint_rand_t state)
{
    a->whole = 60;
    ulong left = a->whole;
    for (size_t i = 0; i < ATOMS; i++) {
        a->at[i] = (slong)n_randint(state, 9) - 4;
        a->mass[i] = i + 1 < ATOMS ? n_randint(state, left + 1) : left;
        left -= a->mass[i];
    }
}

/* Whatever the two laws are: the distance that theta leaves is the sensitivity, and no output tells more.
 * claims: Robust/Theorem 3 */
Test(revealed, no_two_laws_are_worse_than_the_pair)
{
    static const char *const thetas[] = {"0", "1/60", "1/10", "1/2"};
    flint_rand_t state;
    brute noise;
    fmpq_t rate;
    mpq_t theta, distance;
    flint_randinit(state);
    fmpq_init(rate);
    mpq_inits(theta, distance, NULL);
    set_text(rate, "1/3");
    brute_geometric(&noise, rate);
    for (int round = 0; round < 40; round++) {
        const char *text = thetas[round % 4];
        struct answer one, other;
        random_answer(&one, state);
        random_answer(&other, state);
        pby_measure *const laws[] = {measure_of(&one), measure_of(&other)};
        const pby_law_pair neighbours[] = {{0, 1}};
        size_t worst;
        cr_assert_eq(mpq_set_str(theta, text, 10), 0);
        cr_assert_eq(pby_query_sensitivity(distance, &worst, (const pby_measure *const *)laws, neighbours, 1,
                                           theta, NULL),
                     PBY_OK);
        const unsigned long d = mpz_get_ui(mpq_numref(distance));
        char spec[96];
        snprintf(spec, sizeof spec, "geometric:eps=%lu/3,sensitivity=%lu,theta=%s", d > 0 ? d : 1,
                 d > 0 ? d : 1, text);
        double least, most;
        slack(&least, &most, spec, &one, &other, &noise);
        cr_assert(claims_le_d(CLAIMS_ALL, -1e-30, least), "%s: a loss above the pair's by %g", spec, -least);
        pby_measure_free(laws[0]);
        pby_measure_free(laws[1]);
    }
    mpq_clears(theta, distance, NULL);
    brute_clear(&noise);
    fmpq_clear(rate);
    flint_randclear(state);
}

/* Answers that lie far on either side with the chance theta reach it, but for what the noise carries across.
 * claims: Robust/Theorem 3 */
Test(revealed, far_atoms_reach_the_pair)
{
    static const struct answer one = {{0, -300, 0, 0}, {57, 3, 0, 0}, 60};
    static const struct answer other = {{2, 300, 2, 2}, {57, 3, 0, 0}, 60};
    brute noise;
    fmpq_t rate;
    double least, most;
    fmpq_init(rate);
    set_text(rate, "1/3");
    brute_geometric(&noise, rate);
    slack(&least, &most, "geometric:eps=2/3,sensitivity=2,theta=1/20", &one, &other, &noise);
    cr_assert_gt(least, -1e-30);
    cr_assert(claims_le_d(CLAIMS_ALL, most, 1e-20), "%g", most);
    brute_clear(&noise);
    fmpq_clear(rate);
}

/* delta = theta + (1 - theta) times that without, at every epsilon from 0 on. */
Test(revealed, delta_is_a_mixture)
{
    fmpq_t epsilon, theta;
    arb_t with, without;
    fmpq_init(epsilon);
    fmpq_init(theta);
    arb_init(with);
    arb_init(without);
    set_text(theta, "1/7");
    for (size_t i = 0; i < EPSILONS - 1; i++) {
        set_text(epsilon, epsilons[i]);
        ask_delta(with, "laplace:scale=3/2,grid=1/2,sensitivity=5/4,theta=1/7", epsilon, 40);
        ask_delta(without, "laplace:scale=3/2,grid=1/2,sensitivity=5/4", epsilon, 40);
        arb_mul_ui(without, without, 6, BRUTE_PREC);
        arb_add_ui(without, without, 1, BRUTE_PREC);
        arb_div_ui(without, without, 7, BRUTE_PREC);
        cr_assert(brute_close(with, without), "at %s", epsilons[i]);
    }
    arb_clear(without);
    arb_clear(with);
    fmpq_clear(theta);
    fmpq_clear(epsilon);
}

/* Several uses: some use reveals, or none does and the shifts compose. */
Test(revealed, uses_reveal_one_by_one)
{
    fmpq_t epsilon;
    arb_t with, without;
    fmpq_init(epsilon);
    arb_init(with);
    arb_init(without);
    for (size_t i = 0; i < EPSILONS - 1; i++) {
        set_text(epsilon, epsilons[i]);
        ask_delta(with, "3*geometric:eps=1/2,theta=1/10", epsilon, 35);
        ask_delta(without, "3*geometric:eps=1/2", epsilon, 35);
        arb_mul_ui(without, without, 729, BRUTE_PREC);
        arb_add_ui(without, without, 271, BRUTE_PREC);
        arb_div_ui(without, without, 1000, BRUTE_PREC);
        cr_assert(brute_close(with, without), "at %s", epsilons[i]);
    }
    arb_clear(without);
    arb_clear(with);
    fmpq_clear(epsilon);
}

/* A group of k sees k theta, at most all; theta 0 is the spec without it, and theta 1 reveals everything. */
Test(revealed, groups_and_ends)
{
    pby_spec *spec = spec_of("geometric:eps=1/2,theta=1/10"), *group;
    cr_assert_eq(pby_spec_group(&group, spec, 3, NULL), PBY_OK);
    cr_assert_str_eq(pby_spec_text(group), "geometric:eps=3/2,sensitivity=3,theta=3/10");
    pby_spec_free(group);
    cr_assert_eq(pby_spec_group(&group, spec, 11, NULL), PBY_OK);
    cr_assert_str_eq(pby_spec_text(group), "geometric:eps=11/2,sensitivity=11,theta=1");
    pby_spec_free(group);
    pby_spec_free(spec);
    spec = spec_of("geometric:eps=1/2,theta=0");
    cr_assert_str_eq(pby_spec_text(spec), "geometric:eps=1/2");
    pby_spec_free(spec);
    fmpq_t epsilon;
    arb_t all;
    fmpq_init(epsilon);
    arb_init(all);
    set_text(epsilon, "5");
    ask_delta(all, "geometric:eps=1/2,theta=1", epsilon, 30);
    cr_assert(arb_is_one(all));
    arb_clear(all);
    fmpq_clear(epsilon);
}

static void check_refused(const char *text, const char *expected)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_BAD);
    cr_assert_str_eq(err.text, expected);
}

Test(revealed, refusals)
{
    check_refused("geometric:eps=1,theta=-1/2", "geometric:theta '-1/2': expected a rational from 0 to 1");
    check_refused(
        "laplace:scale=1,theta=1/2",
        "SPEC 'laplace:scale=1,theta=1/2': expected a grid beside theta: a continuous random query is "
        "not supported");
}

/* Where theta alone exceeds delta no noise helps, and above it some does. */
Test(revealed, select_knows_what_theta_leaves)
{
    pby_choice *choice;
    pby_error err;
    pby_target target = {.relation = PBY_ADD_REMOVE, .uses = 2};
    mpq_t epsilon, delta;
    mpq_inits(epsilon, delta, NULL);
    mpq_set_ui(epsilon, 1, 1);
    mpq_set_ui(delta, 18, 100);
    mpq_canonicalize(delta);
    target.epsilon = epsilon;
    target.delta = delta;
    cr_assert_eq(pby_select(&choice, "geometric:theta=1/10", &target, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "at least the chance that theta leaves"), "%s", err.text);
    mpq_set_ui(delta, 1, 5);
    cr_assert_eq(pby_select(&choice, "geometric:theta=1/10", &target, &err), PBY_OK, "%s", err.text);
    cr_assert(mpfr_cmp_q(choice->chosen.delta.hi, delta) <= 0);
    cr_assert(mpfr_cmp_q(choice->better.delta.lo, delta) > 0);
    pby_choice_free(choice);
    mpq_clears(epsilon, delta, NULL);
}
