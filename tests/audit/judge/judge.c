/* SPDX-License-Identifier: MIT */
#include "audit/judge/verdict.h"
#include "probity/experimental/auditing.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/audit/binomial.h"
#include "tests/audit/mechanisms.h"

/* ---- correct and broken ----------------------------------------------------------------------- */

struct trial {
    const char *name, *epsilon;
    size_t n;
    double least; /* the epsilon that must be shown; 0 for a correct mechanism */
};

static void try(const struct trial *t)
{
    const specimen *s = specimen_find(t->name);
    pby_verdict *v = specimen_judge(s, t->epsilon, t->n, "1e-9", 77);
    cr_assert_eq(pby_verdict_violation(v), s->broken, "%s: epsilon > %s by %s", t->name,
                 pby_verdict_epsilon_lower(v), pby_verdict_event(v));
    if (s->broken)
        cr_assert_geq(atof(pby_verdict_epsilon_lower(v)), t->least, "%s", t->name);
    pby_verdict_free(v);
}

Test(audit_judge, broken_additive_noise_is_caught)
{
    try(&(struct trial){"noisy histogram 2", "0.1", 10000, 4.6});
    try(&(struct trial){"floating laplace", "0.1", 20000, 1.5});
    try(&(struct trial){"floating laplace", "1", 5000, 2});
    try(&(struct trial){"single laplace", "1", 5000, 3});
    try(&(struct trial){"noisy histogram 3", "1", 20000, 3.5});
    try(&(struct trial){"noisy histogram 4", "1", 20000, 6});
}

/* The noise may be right and the text tell; and numbers are found in any text. */
Test(audit_judge, what_is_written_otherwise_is_caught)
{
    try(&(struct trial){"written laplace", "1", 5000, 4.5});
    try(&(struct trial){"stepped laplace", "1", 5000, 4.5});
    try(&(struct trial){"worded laplace", "1", 20000, 1.6});
}

Test(audit_judge, broken_noisy_max_is_caught)
{
    try(&(struct trial){"noisy max 3", "1", 30000, 1.1});
    try(&(struct trial){"noisy max 4", "1", 20000, 2});
    try(&(struct trial){"noisy max 5", "2", 60000, 2.02});
    try(&(struct trial){"noisy max 6", "1", 20000, 1.7});
}

Test(audit_judge, broken_sparse_vector_is_caught)
{
    try(&(struct trial){"sparse vector 3", "1", 150000, 1.02});
    try(&(struct trial){"sparse vector 4", "1", 20000, 1.2});
    try(&(struct trial){"sparse vector 5", "0.1", 20000, 1.76});
    try(&(struct trial){"sparse vector 6", "1", 30000, 1.2});
    try(&(struct trial){"sparse vector 7", "1", 20000, 3});
    try(&(struct trial){"sparse vector 8", "1", 60000, 1.2});
    try(&(struct trial){"numeric sparse 2", "1", 20000, 3});
}

Test(audit_judge, correct_mechanisms_are_not_accused)
{
    for (const specimen *s = specimens; s->name != NULL; s++)
        if (!s->broken)
            try(&(struct trial){s->name, "1", 10000, 0});
}

/* ---- honesty ---------------------------------------------------------------------------------- */

/* A mechanism that is exactly (epsilon, delta)-private and no better. */
typedef const char *pby_exact(int side, specimen_random *random);

static const char *response(int side, specimen_random *random)
{
    return (specimen_uniform(random) < 0.75) == (side == 0) ? "yes" : "no"; /* epsilon log 3 */
}

/* With chance 1/20 it tells, otherwise as above. */
static const char *leaky(int side, specimen_random *random)
{
    if (specimen_uniform(random) < 0.05)
        return side == 0 ? "left" : "right";
    return response(side, random);
}

/* Two-sided geometric noise with ratio 1/2, clipped at -3 and 3: epsilon log 2. */
static const char *noisy(int side, specimen_random *random)
{
    static const char *const words[] = {"-3", "-2", "-1", "0", "1", "2", "3"};
    int value = side;
    while (specimen_uniform(random) < 0.5)
        value++;
    while (specimen_uniform(random) < 0.5)
        value--;
    return words[(value < -3 ? -3 : value > 3 ? 3 : value) + 3];
}

static void fill(pby_audit *audit, pby_exact *mechanism, size_t n, specimen_random *random)
{
    for (size_t i = 0; i < n; i++)
        for (int side = 0; side < 2; side++) {
            const char *text = mechanism(side, random);
            cr_assert_eq(pby_audit_add(audit, side == 0 ? PBY_LEFT : PBY_RIGHT, text, strlen(text), NULL),
                         PBY_OK);
        }
}

/* Accused in at most a tenth of many audits at error 1/10, tested with error 1e-9. The claim is the truth
 * rounded up in the sixth decimal, so that any slip of the bounds would show. */
static void is_honest(pby_exact *mechanism, const char *epsilon, const char *delta, size_t audits,
                      uint64_t seed)
{
    specimen_random *random = specimen_random_new(seed);
    size_t accused = 0;
    for (size_t i = 0; i < audits; i++) {
        pby_audit *audit;
        cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
        fill(audit, mechanism, 150, random);
        pby_verdict *v = specimen_verdict(audit, epsilon, delta, "1/10");
        accused += pby_verdict_violation(v);
        pby_verdict_free(v);
        pby_audit_free(audit);
    }
    cr_assert(binomial_believable(audits, accused, 0.1), "%zu of %zu", accused, audits);
    specimen_random_free(random);
}

Test(audit_judge, randomised_response_is_seldom_accused)
{
    is_honest(response, "1.098613", "0", 1500, 101);
}

Test(audit_judge, a_mechanism_with_delta_is_seldom_accused)
{
    is_honest(leaky, "1.098613", "0.05", 1000, 102);
}

Test(audit_judge, geometric_noise_is_seldom_accused)
{
    is_honest(noisy, "0.693148", "0", 1000, 103);
}

/* A claim that is a little too small is refuted: power, and a proof that the tests above can fail. */
Test(audit_judge, a_claim_that_is_too_small_is_refuted)
{
    specimen_random *random = specimen_random_new(104);
    pby_audit *audit;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    fill(audit, response, 20000, random);
    pby_verdict *v = specimen_verdict(audit, "1", "0", "1/10");
    cr_assert(pby_verdict_violation(v));
    cr_assert_gt(atof(pby_verdict_epsilon_lower(v)), 1.05);
    cr_assert_lt(atof(pby_verdict_epsilon_lower(v)), 1.098613);
    pby_verdict_free(v);
    v = specimen_verdict(audit, "1.098613", "0", "1/10");
    cr_assert(!pby_verdict_violation(v));
    pby_verdict_free(v);
    pby_audit_free(audit);
    specimen_random_free(random);
}

/* A sequence of looks, each with its part of the error, accuses no more often than one look. */
Test(audit_judge, looks_again_and_again_are_honest)
{
    enum { SEQUENCES = 250, LOOKS = 4 };
    specimen_random *random = specimen_random_new(105);
    mpq_t epsilon, delta, error, share;
    mpq_inits(epsilon, delta, error, share, NULL);
    mpq_set_str(epsilon, "1098613/1000000", 10);
    mpq_set_str(error, "1/5", 10);
    size_t accused = 0;
    for (size_t i = 0; i < SEQUENCES; i++) {
        pby_audit *audit;
        bool shown = false;
        cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
        for (uint64_t look = 1; look <= LOOKS && !shown; look++) {
            pby_verdict *v;
            fill(audit, response, 100 * look, random);
            pby_audit_look_error(share, error, look);
            cr_assert_eq(pby_audit_judge(&v, audit, pby_value_rational(epsilon), pby_value_rational(delta),
                                         pby_value_rational(share), NULL),
                         PBY_OK);
            shown = pby_verdict_violation(v);
            pby_verdict_free(v);
        }
        accused += shown;
        pby_audit_free(audit);
    }
    cr_assert(binomial_believable(SEQUENCES, accused, 0.2), "%zu", accused);
    mpq_clears(epsilon, delta, error, share, NULL);
    specimen_random_free(random);
}

Test(audit_judge, the_looks_spend_no_more_than_the_error)
{
    mpq_t error, share, sum;
    mpq_inits(error, share, sum, NULL);
    mpq_set_ui(error, 1, 7);
    for (uint64_t look = 1; look <= 1000; look++) {
        pby_audit_look_error(share, error, look);
        cr_assert_gt(mpq_sgn(share), 0);
        mpq_add(sum, sum, share);
    }
    cr_assert_lt(mpq_cmp(sum, error), 0);
    mpq_clears(error, share, sum, NULL);
}

/* ---- both directions, delta, refusals --------------------------------------------------------- */

static pby_audit *two_words(size_t left_yes, size_t right_yes, size_t n)
{
    pby_audit *audit;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    const size_t yes[2] = {left_yes, right_yes};
    for (size_t i = 0; i < n; i++)
        for (int side = 0; side < 2; side++) {
            const bool say = i * yes[side] / n != (i + 1) * yes[side] / n; /* spread evenly */
            cr_assert_eq(
                pby_audit_add(audit, side == 0 ? PBY_LEFT : PBY_RIGHT, say ? "yes" : "", say ? 3 : 0, NULL),
                PBY_OK);
        }
    return audit;
}

Test(audit_judge, either_side_can_be_accused)
{
    for (int flip = 0; flip < 2; flip++) {
        pby_audit *audit = flip ? two_words(100, 2000, 20000) : two_words(2000, 100, 20000);
        pby_verdict *v = specimen_verdict(audit, "1", "0", "1e-6");
        cr_assert(pby_verdict_violation(v));
        cr_assert_eq(pby_verdict_witness(v)->event.accused, flip ? PBY_RIGHT : PBY_LEFT);
        cr_assert_str_eq(pby_verdict_event(v), "output is \"yes\"");
        pby_verdict_free(v);
        pby_audit_free(audit);
    }
}

/* An output that one side never has costs delta: the claimed delta forgives it. */
Test(audit_judge, delta_forgives)
{
    pby_audit *audit = two_words(400, 0, 20000); /* 2% */
    pby_verdict *v = specimen_verdict(audit, "10", "0", "1e-6");
    cr_assert(!pby_verdict_violation(v), "so few judges cannot show 10");
    pby_verdict_free(v);
    v = specimen_verdict(audit, "1", "0", "1e-6");
    cr_assert(pby_verdict_violation(v));
    cr_assert_gt(atof(pby_verdict_delta_lower(v)), 0.01);
    pby_verdict_free(v);
    v = specimen_verdict(audit, "1", "0.02", "1e-6");
    cr_assert(!pby_verdict_violation(v));
    cr_assert_str_eq(pby_verdict_epsilon_lower(v), "0");
    pby_verdict_free(v);
    pby_audit_free(audit);
}

static void refused(const pby_audit *audit, const char *epsilon, const char *delta, const char *error)
{
    mpq_t e, d, a;
    pby_verdict *v;
    pby_error err = PBY_NO_ERROR;
    mpq_inits(e, d, a, NULL);
    mpq_set_str(e, epsilon, 10);
    mpq_set_str(d, delta, 10);
    mpq_set_str(a, error, 10);
    cr_assert_eq(
        pby_audit_judge(&v, audit, pby_value_rational(e), pby_value_rational(d), pby_value_rational(a), &err),
        PBY_BAD);
    cr_assert_null(v);
    cr_assert_str_not_empty(err.text);
    mpq_clears(e, d, a, NULL);
}

Test(audit_judge, refuses_absurd_claims_and_empty_sides)
{
    pby_audit *audit = two_words(10, 10, 100), *empty;
    refused(audit, "-1", "0", "1/10");
    refused(audit, "1", "1", "1/10");
    refused(audit, "1", "-1/10", "1/10");
    refused(audit, "1", "0", "0");
    refused(audit, "1", "0", "1/2");
    cr_assert_eq(pby_audit_new(&empty, NULL), PBY_OK);
    refused(empty, "1", "0", "1/10");
    for (int i = 0; i < 50; i++)
        cr_assert_eq(pby_audit_add(empty, PBY_LEFT, "1", 1, NULL), PBY_OK);
    refused(empty, "1", "0", "1/10");
    pby_audit_free(empty);
    pby_audit_free(audit);
}

/* A handful of outputs is judged without a fault, and shows nothing. */
Test(audit_judge, tiny_samples_show_nothing)
{
    for (size_t n = 12; n < 40; n += 9) {
        pby_audit *audit = two_words(n, 0, n);
        pby_verdict *v = specimen_verdict(audit, "1", "0", "1e-6");
        cr_assert(!pby_verdict_violation(v));
        pby_verdict_free(v);
        pby_audit_free(audit);
    }
}
