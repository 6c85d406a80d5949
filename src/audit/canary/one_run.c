/* SPDX-License-Identifier: MIT */
/* The verdict on the canaries of one run. */
#include <math.h>
#include <stdio.h>

#include "audit/bound/bound_tail.h"
#include "audit/bound/guess.h"
#include "audit/canary/canary_bound.h"
#include "audit/canary/canary_scores.h"
#include "audit/canary/canary_verdict.h"
#include "audit/judge/judge_power.h"
#include "base/json.h"
#include "base/status.h"
#include "number/scoped.h"
#include "number/text.h"

enum { WORK = 96 };

static const char method[] =
    "every list of guesses was fixed before the labels were seen, and has an equal part of the error; the "
    "epsilon comes from what (epsilon, delta)-privacy says about the number of correct guesses, by linear "
    "programming, proved with certified arithmetic; the other bounds hold with the same error, each alone";

/* ---- what could be shown ----------------------------------------------------------------------- */

/* True if canaries that are guessed as randomised response of the target guesses them refute the claim half
 * of the time: a binomial count is at least its mean rounded down with a chance of at least one half. */
static bool could_show(const pby_canary_verdict *v, const pby_canary_guesses *list, size_t lists,
                       const fmpq_t share)
{
    PBY_FMPQ(target);
    pby_power_target(target, &v->epsilon);
    const double truth = 1 / (1 + exp(-pby_guess_of(target)));
    for (size_t i = 0; i < lists; i++) {
        pby_canary_guesses g = list[i];
        g.correct = (uint64_t)((double)g.made * truth * (1 - 0x1p-40));
        if (pby_canary_exact.guess(&g, pby_guess_of(&v->epsilon), pby_guess_of(&v->delta),
                                   pby_guess_of(share)))
            return true;
    }
    return false;
}

/* A mechanism that gives all away with a chance of delta, and nothing otherwise, keeps every claim with that
 * delta, and then all guesses are right. */
static void judge_power(pby_canary_verdict *v, const pby_canary_guesses *list, size_t lists,
                        const fmpq_t share)
{
    char text[PBY_DECIMAL_SIZE];
    if (!v->claimed || v->violation || could_show(v, list, lists, share))
        return;
    if (fmpq_cmp(share, &v->delta) > 0) {
        snprintf(v->reason, sizeof v->reason, "%llu canaries are too few to refute this claim at this error",
                 (unsigned long long)list[0].canaries);
        return;
    }
    pby_rational_text(text, &v->delta);
    snprintf(
        v->reason, sizeof v->reason,
        "no number of canaries refutes a claim of delta %.60s at this error: with that chance all may be "
        "given away; expected an error above %zu times delta",
        text, lists);
}

/* ---- the bounds -------------------------------------------------------------------------------- */

static json_t *json_guesses(const pby_canary_guesses *g)
{
    return json_pack("{s:I, s:I, s:I}", "correct", (json_int_t)g->correct, "made", (json_int_t)g->made,
                     "canaries", (json_int_t)g->canaries);
}

static json_t *json_bound(const char *name, const arb_t lower, const pby_canary_guesses *g)
{
    char text[PBY_DECIMAL_SIZE];
    pby_canary_decimal(text, lower);
    return json_pack("{s:s, s:s, s:o}", "name", name, "epsilon_lower", text, "guesses", json_guesses(g));
}

/* Proved for delta 0; for others it is what was published. */
static json_t *json_independent(const pby_canary_verdict *v, const arb_t lower, const pby_canary_guesses *g)
{
    json_t *object = json_bound(pby_canary_independent.name, lower, g);
    if (pby_json_set(object, "proved", json_boolean(fmpq_is_zero(&v->delta)), NULL) == PBY_OK)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *json_gaussian(const arb_t epsilon, const arb_t mu, const pby_canary_guesses *g)
{
    char text[PBY_DECIMAL_SIZE];
    json_t *object = json_bound(pby_canary_gaussian.name, epsilon, g);
    pby_canary_decimal(text, mu);
    if (pby_json_set(object, "mu_lower", json_string(text), NULL) == PBY_OK &&
        pby_json_set(object, "assumes", json_string("the trade-off curve is Gaussian"), NULL) == PBY_OK)
        return object;
    json_decref(object);
    return NULL;
}

/* Each bound is the best of the lists, which share its error. */
static pby_status judge_lists(pby_canary_verdict *v, const pby_canary_guesses *list, size_t lists,
                              pby_error *err)
{
    size_t which;
    PBY_ARB(lower, epsilon);
    PBY_FMPQ(share);
    fmpq_set_si(share, 1, lists);
    fmpq_mul(share, share, &v->error);
    pby_canary_greatest(lower, &which, &pby_canary_exact, list, lists, &v->delta, share);
    pby_canary_verdict_settle(v, lower);
    judge_power(v, list, lists, share);
    json_t *bounds = pby_json_append(json_array(), json_bound(pby_canary_exact.name, lower, &list[which]));
    pby_canary_greatest(lower, &which, &pby_canary_independent, list, lists, &v->delta, share);
    bounds = pby_json_append(bounds, json_independent(v, lower, &list[which]));
    pby_canary_greatest(lower, &which, &pby_canary_gaussian, list, lists, &v->delta, share);
    const pby_status status = pby_canary_gaussian_epsilon(epsilon, lower, &v->delta, err);
    bounds = pby_json_append(bounds, json_gaussian(epsilon, lower, &list[which]));
    v->method = method;
    v->evidence = json_pack("{s:I, s:I, s:o}", "canaries", (json_int_t)list[0].canaries, "lists",
                            (json_int_t)lists, "bounds", bounds);
    return status != PBY_OK || v->evidence != NULL ? status : pby_no_memory(err);
}

/* ---- the assumptions --------------------------------------------------------------------------- */

/* True if fair coins give k or more of n less often than once in so many times. */
static bool is_rare(uint64_t n, uint64_t k, unsigned long times)
{
    pby_binomial_tail tail;
    PBY_ARB(chance, half);
    arb_one(half);
    arb_mul_2exp_si(half, half, -1);
    pby_binomial_tail_init(&tail, n, k);
    pby_binomial_tail_bound(chance, &tail, half);
    arb_mul_ui(chance, chance, times, WORK);
    arb_sub_ui(chance, chance, 1, WORK);
    const bool rare = arb_is_negative(chance);
    pby_binomial_tail_clear(&tail);
    return rare;
}

/* Warns of a number of included canaries that fair coins give less often than once in a million. A claim is
 * not judged by such coins: with all canaries included, whoever guesses "included" is always right. */
static void check_coins(pby_canary_verdict *v, const pby_canary_tally *t)
{
    const uint64_t n = t->canaries, out = n - t->included, most = t->included > out ? t->included : out;
    if (!is_rare(n, most, 2000000))
        return;
    snprintf(v->warning, sizeof v->warning,
             "%llu of %llu canaries were included: fair coins do this less often than once in a million, "
             "and the bounds hold for fair coins only",
             (unsigned long long)t->included, (unsigned long long)n);
    v->violation = false;
    if (v->claimed)
        snprintf(v->reason, sizeof v->reason, "the canaries were not included by fair coins");
}

/* Warns of guesses that are wrong more often than coins would be, but for once in a hundred: scores with the
 * other sign are, and what they show is nothing. Of several lists the longest is told. */
static void check_sign(pby_canary_verdict *v, const pby_canary_guesses *list, size_t lists)
{
    const pby_canary_guesses *g = &list[0];
    for (size_t i = 1; i < lists; i++)
        if (list[i].made > g->made)
            g = &list[i];
    if (v->warning[0] != '\0' || 2 * g->correct >= g->made || !is_rare(g->made, g->made - g->correct, 100))
        return;
    snprintf(
        v->warning, sizeof v->warning,
        "%llu of %llu guesses are right, fewer than half: the sign of the scores may be turned; a higher "
        "score must mean that the canary was included, as minus its loss does",
        (unsigned long long)g->correct, (unsigned long long)g->made);
}

/* ---- what is asked for ------------------------------------------------------------------------- */

/* The counts, by which anyone can judge again. */
static pby_status add_counts(pby_canary_verdict *v, const pby_canary_tally *t, pby_error *err)
{
    json_t *correct = json_array();
    for (size_t i = 0; i < pby_canary_lists(t->canaries); i++)
        correct = pby_json_append(correct, json_integer((json_int_t)t->correct[i]));
    PBY_TRY(pby_json_set(v->evidence, "correct", correct, err));
    return pby_json_set(v->evidence, "included", json_integer((json_int_t)t->included), err);
}

pby_status pby_canary_tally_judge(pby_canary_verdict **out, const pby_canary_tally *t, pby_value epsilon,
                                  pby_value delta, pby_value error, pby_error *err)
{
    pby_canary_guesses list[PBY_GUESS_LISTS];
    pby_canary_verdict *v = NULL;
    const size_t lists = pby_canary_lists(t->canaries);
    for (size_t i = 0; i < lists; i++)
        list[i] = (pby_canary_guesses){
            .correct = t->correct[i], .made = pby_canary_list_made(t->canaries, i), .canaries = t->canaries};
    *out = NULL;
    pby_status status = pby_canary_verdict_new(&v, epsilon, delta, error, err);
    if (status == PBY_OK)
        status = judge_lists(v, list, lists, err);
    if (status == PBY_OK) {
        check_coins(v, t);
        check_sign(v, list, lists);
        status = add_counts(v, t, err);
    }
    return pby_canary_verdict_end(out, v, status);
}

pby_status pby_canaries_judge(pby_canary_verdict **out, const pby_canaries *c, pby_value epsilon,
                              pby_value delta, pby_value error, pby_error *err)
{
    pby_canary_tally tally;
    *out = NULL;
    if (c->n == 0)
        return pby_fail(err, PBY_BAD, "scores: expected the score of at least one canary");
    PBY_TRY(pby_canaries_count(&tally, c, err));
    return pby_canary_tally_judge(out, &tally, epsilon, delta, error, err);
}

pby_status pby_canary_guesses_judge(pby_canary_verdict **out, const pby_canary_guesses *g, pby_value epsilon,
                                    pby_value delta, pby_value error, pby_error *err)
{
    pby_canary_verdict *v = NULL;
    *out = NULL;
    if (g->made == 0 || g->correct > g->made || g->made > g->canaries || g->canaries > PBY_CANARIES_MAX)
        return pby_fail(err, PBY_BAD,
                        "guesses: %llu correct of %llu made on %llu canaries: expected no more correct than "
                        "made, at least one made, no more made than canaries, and at most 2^27 of these",
                        (unsigned long long)g->correct, (unsigned long long)g->made,
                        (unsigned long long)g->canaries);
    pby_status status = pby_canary_verdict_new(&v, epsilon, delta, error, err);
    if (status == PBY_OK)
        status = judge_lists(v, g, 1, err);
    if (status == PBY_OK)
        check_sign(v, g, 1);
    return pby_canary_verdict_end(out, v, status);
}
