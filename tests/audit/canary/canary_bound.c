/* SPDX-License-Identifier: MIT */
#include "audit/canary/canary_bound.h"

#include <criterion/criterion.h>
#include <math.h>

#include "tests/audit/binomial.h"
#include "tests/audit/mechanisms.h"

static const pby_canary_bound *const all[] = {&pby_canary_exact, &pby_canary_independent};

/* Randomised response of odds 3 on every canary: c or more of m guesses are right with a chance t, and so no
 * bound may refute log 3 at t. */
Test(audit_canary, randomised_response_is_never_refuted)
{
    arb_t epsilon;
    fmpq_t q, t, delta;
    arb_init(epsilon);
    fmpq_init(q);
    fmpq_init(t);
    fmpq_init(delta);
    arb_log_ui(epsilon, 3, 96);
    fmpq_set_si(q, 3, 4);
    for (uint64_t m = 1; m <= 24; m++)
        for (uint64_t c = 1; c <= m; c++)
            for (int b = 0; b < 2; b++) {
                const pby_canary_guesses g = {.correct = c, .made = m, .canaries = m};
                binomial_above(t, m, q, c);
                cr_assert(!all[b]->refutes(&g, epsilon, delta, t), "%s m %lu c %lu", all[b]->name, m, c);
            }
    fmpq_clear(delta);
    fmpq_clear(t);
    fmpq_clear(q);
    arb_clear(epsilon);
}

/* With one canary all bounds are exact: a chance of 3/4 belongs to odds 3, and a little more refutes them. */
Test(audit_canary, one_canary_is_exact)
{
    const pby_canary_guesses g = {.correct = 1, .made = 1, .canaries = 1};
    arb_t epsilon;
    fmpq_t t, delta;
    arb_init(epsilon);
    fmpq_init(t);
    fmpq_init(delta);
    arb_log_ui(epsilon, 3, 96);
    fmpq_set_si(t, 750001, 1000000);
    cr_assert(pby_canary_exact.refutes(&g, epsilon, delta, t));
    cr_assert(pby_canary_independent.refutes(&g, epsilon, delta, t));
    fmpq_set_si(t, 749999, 1000000);
    cr_assert(!pby_canary_exact.refutes(&g, epsilon, delta, t));
    cr_assert(!pby_canary_independent.refutes(&g, epsilon, delta, t));
    /* a Gaussian of mu = 2 is guessed with the chance of the normal law below 1, 0.84134474606... */
    arb_set_ui(epsilon, 2);
    fmpq_set_si(t, 84134475, 100000000);
    cr_assert(pby_canary_gaussian.refutes(&g, epsilon, delta, t));
    fmpq_set_si(t, 84134474, 100000000);
    cr_assert(!pby_canary_gaussian.refutes(&g, epsilon, delta, t));
    fmpq_clear(delta);
    fmpq_clear(t);
    arb_clear(epsilon);
}

/* ---- every symmetric mechanism on a few canaries ----------------------------------------------- */

enum { CANARIES = 6 };

static double choose(unsigned n, unsigned k)
{
    double c = 1;
    for (unsigned i = 1; i <= k; i++)
        c = c * (n - k + i) / i;
    return c;
}

/* The delta of a mechanism that is wrong on any given set of canaries with a chance that only the number of
 * right guesses i decides, w[i] of a set: a flipped coin turns one guess, from right to wrong or back. */
static double exact_delta(const double w[CANARIES + 1], double epsilon)
{
    double delta = 0;
    for (unsigned i = 1; i <= CANARIES; i++)
        delta += choose(CANARIES - 1, i - 1) *
                 (fmax(0, w[i] - exp(epsilon) * w[i - 1]) + fmax(0, w[i - 1] - exp(epsilon) * w[i]));
    return delta;
}

/* No bound refutes an (epsilon, delta) that a mechanism has, at the chance of c or more correct guesses. The
 * mechanisms are random; chances are doubles, made a little smaller, and deltas a little larger. */
Test(audit_canary, no_symmetric_mechanism_is_refuted)
{
    specimen_random *random = specimen_random_new(7);
    arb_t epsilon;
    fmpq_t t, delta;
    mpq_t exact;
    unsigned sharp = 0;
    arb_init(epsilon);
    fmpq_init(t);
    fmpq_init(delta);
    mpq_init(exact);
    for (int round = 0; round < 400; round++) {
        double w[CANARIES + 1], total = 0;
        for (unsigned i = 0; i <= CANARIES; i++) {
            const double u = specimen_uniform(random);
            w[i] = round % 3 == 0
                       ? u
                       : exp((double)i * (round % 7) / 4) * (round % 2 == 0 ? 1 + u / 9 : u * u * u);
            total += w[i] * choose(CANARIES, i);
        }
        for (unsigned i = 0; i <= CANARIES; i++)
            w[i] /= total;
        for (int k = 0; k < 5; k++) {
            double tail = 0;
            arb_set_d(epsilon, k * 0.5);
            mpq_set_d(exact, fmin(0.999, exact_delta(w, k * 0.5) * (1 + 1e-9) + 1e-12));
            fmpq_set_mpq(delta, exact);
            for (unsigned c = CANARIES; c > 0; c--) {
                const pby_canary_guesses g = {.correct = c, .made = CANARIES, .canaries = CANARIES};
                tail += w[c] * choose(CANARIES, c);
                mpq_set_d(exact, tail * (1 - 1e-9));
                fmpq_set_mpq(t, exact);
                cr_assert(!pby_canary_exact.refutes(&g, epsilon, delta, t), "round %d k %d c %u", round, k,
                          c);
                mpq_set_d(exact, fmin(0.999999, tail * 1.25));
                fmpq_set_mpq(t, exact);
                sharp += pby_canary_exact.refutes(&g, epsilon, delta, t);
            }
        }
    }
    cr_assert_gt(sharp, 100); /* and a quarter more is often refuted */
    mpq_clear(exact);
    fmpq_clear(delta);
    fmpq_clear(t);
    arb_clear(epsilon);
    specimen_random_free(random);
}

/* Two canaries, of which at least one is always guessed rightly: both with a chance of 7/9, one or the other
 * with 1/9 each. That is (log 7, 1/9)-private. The published bound refutes it at an error of 0.992, though
 * what it calls so unlikely happens always; the exact bound does not. */
Test(audit_canary, the_published_term_for_delta_is_too_small)
{
    const pby_canary_guesses one = {.correct = 1, .made = 2, .canaries = 2},
                             both = {.correct = 2, .made = 2, .canaries = 2};
    arb_t epsilon;
    fmpq_t t, delta;
    arb_init(epsilon);
    fmpq_init(t);
    fmpq_init(delta);
    arb_log_ui(epsilon, 7, 96);
    fmpq_set_si(delta, 1, 9);
    fmpq_set_si(t, 992, 1000);
    cr_assert(pby_canary_independent.refutes(&one, epsilon, delta, t));
    fmpq_set_si(t, 999999, 1000000);
    cr_assert(!pby_canary_exact.refutes(&one, epsilon, delta, t));
    fmpq_set_si(t, 7, 9);
    cr_assert(!pby_canary_exact.refutes(&both, epsilon, delta, t));
    /* with a smaller delta the mechanism would not be possible */
    fmpq_set_si(delta, 1, 10);
    fmpq_set_si(t, 999999, 1000000);
    cr_assert(pby_canary_exact.refutes(&one, epsilon, delta, t));
    fmpq_clear(delta);
    fmpq_clear(t);
    arb_clear(epsilon);
}

/* Ten canaries at epsilon 1 and delta 0.01: the best mechanism of the linear programme, solved elsewhere, has
 * seven or more right with a chance of 0.74087538, and all ten with 0.05316751. */
Test(audit_canary, the_bound_is_that_of_the_best_mechanism)
{
    static const struct {
        uint64_t correct;
        slong chance; /* in units of 1e-8 */
    } best[] = {{7, 74087538}, {10, 5316751}};
    arb_t epsilon;
    fmpq_t t, delta;
    arb_init(epsilon);
    fmpq_init(t);
    fmpq_init(delta);
    arb_one(epsilon);
    fmpq_set_si(delta, 1, 100);
    for (size_t i = 0; i < 2; i++) {
        const pby_canary_guesses g = {.correct = best[i].correct, .made = 10, .canaries = 10};
        fmpq_set_si(t, best[i].chance - 2, 100000000);
        cr_assert(!pby_canary_exact.refutes(&g, epsilon, delta, t));
        fmpq_set_si(t, best[i].chance + 2, 100000000);
        cr_assert(pby_canary_exact.refutes(&g, epsilon, delta, t));
    }
    fmpq_clear(delta);
    fmpq_clear(t);
    arb_clear(epsilon);
}

/* Independent Gaussian canaries, each guessed by the sign of its observation. */
Test(audit_canary, gaussian_canaries_are_never_refuted)
{
    arb_t mu;
    fmpq_t q, t, delta;
    arb_init(mu);
    fmpq_init(q);
    fmpq_init(t);
    fmpq_init(delta);
    arb_set_ui(mu, 2);
    fmpq_set_si(q, 84134474, 100000000); /* less than what the normal law has below 1 */
    for (uint64_t m = 1; m <= 16; m++)
        for (uint64_t c = 1; c <= m; c++) {
            const pby_canary_guesses g = {.correct = c, .made = m, .canaries = m};
            binomial_above(t, m, q, c);
            cr_assert(!pby_canary_gaussian.refutes(&g, mu, delta, t), "m %lu c %lu", m, c);
        }
    fmpq_clear(delta);
    fmpq_clear(t);
    fmpq_clear(q);
    arb_clear(mu);
}

/* The epsilon of mu = 1 at delta = 1e-5 is 4.37717809..., as the exact loss of a Gaussian of variance 1 says.
 */
Test(audit_canary, mu_means_an_epsilon)
{
    arb_t mu, epsilon;
    fmpq_t delta;
    arb_init(mu);
    arb_init(epsilon);
    fmpq_init(delta);
    arb_one(mu);
    fmpq_set_si(delta, 1, 100000);
    cr_assert_eq(pby_canary_gaussian_epsilon(epsilon, mu, delta, NULL), PBY_OK);
    cr_assert_float_eq(arf_get_d(arb_midref(epsilon), ARF_RND_NEAR), 4.37717809, 1e-8);
    fmpq_set_si(delta, 1, 2);
    cr_assert_eq(pby_canary_gaussian_epsilon(epsilon, mu, delta, NULL), PBY_OK);
    cr_assert(arf_is_neg_inf(arb_midref(epsilon)));
    fmpq_zero(delta);
    cr_assert_eq(pby_canary_gaussian_epsilon(epsilon, mu, delta, NULL), PBY_OK);
    cr_assert(arf_is_pos_inf(arb_midref(epsilon)));
    fmpq_clear(delta);
    arb_clear(epsilon);
    arb_clear(mu);
}
