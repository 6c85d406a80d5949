/* SPDX-License-Identifier: MIT */
/* A verdict follows from the counts of its events, the claim and the error, and from nothing else: what wrote
 * it and what checks it later both call this. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/bound/guess.h"
#include "audit/judge/judge_power.h"
#include "audit/judge/verdict.h"
#include "number/scoped.h"

enum { WORK = 96 };

/* ---- bounds ----------------------------------------------------------------------------------- */

static void prove(arb_t lower, int question, const pby_verdict *v, const pby_judged *j)
{
    if (question == PBY_REFUTE_EPSILON)
        pby_refuted_epsilon(lower, &j->judged, &v->delta, &j->event.share);
    else
        pby_refuted_delta(lower, &j->judged, &v->epsilon, &j->event.share);
}

static double guess(int question, const pby_verdict *v, const pby_judged *j)
{
    if (j->judged.n == 0 || j->judged.m == 0)
        return -INFINITY;
    return question == PBY_REFUTE_EPSILON
               ? pby_guess_epsilon(&j->judged, pby_guess_of(&v->delta), &j->event.share)
               : pby_guess_delta(&j->judged, pby_guess_of(&v->epsilon), &j->event.share);
}

/* Returns the answer that the frequencies themselves give; no proved bound reaches it. */
static double frequency(int question, const pby_verdict *v, const pby_judged *j)
{
    const double p = (double)j->judged.x / (double)j->judged.n, q = (double)j->judged.y / (double)j->judged.m;
    return question == PBY_REFUTE_EPSILON ? log((p - pby_guess_of(&v->delta)) / q)
                                          : p - exp(pby_guess_of(&v->epsilon)) * q;
}

/* The events hold their bounds all at once, so the greatest counts. Bounds are proved in the order of
 * what doubles expect of them, until none is expected to be greater. */
static void answer(pby_verdict *v, int question)
{
    double expected[PBY_EVENTS], most = 0;
    PBY_ARB(lower);
    for (size_t i = 0; i < v->events; i++) {
        const bool hopeless = !(frequency(question, v, &v->event[i]) > most);
        expected[i] = hopeless ? -INFINITY : guess(question, v, &v->event[i]);
        most = fmax(most, expected[i]);
    }
    for (;;) {
        size_t best = 0;
        for (size_t i = 1; i < v->events; i++)
            if (expected[i] > expected[best])
                best = i;
        if (v->events == 0 || !(expected[best] >= 0) ||
            arf_cmp_d(arb_midref(v->lower[question]), expected[best]) >= 0)
            break;
        expected[best] = -INFINITY;
        prove(lower, question, v, &v->event[best]);
        if (arb_gt(lower, v->lower[question])) {
            arb_swap(v->lower[question], lower);
            v->witness[question] = best;
        }
    }
}

/* True if an exact dyadic number is above a rational. */
static bool above(const arb_t x, const fmpq_t level)
{
    if (!arb_is_finite(x))
        return false;
    PBY_FMPQ(exact);
    arf_get_fmpq(exact, arb_midref(x));
    return fmpq_cmp(exact, level) > 0;
}

static void write_lower(char *text, const arb_t lower)
{
    PBY_MPFR(WORK, x);
    arf_get_mpfr(x, arb_midref(lower), MPFR_RNDD);
    if (arb_is_finite(lower) && mpfr_sgn(x) > 0)
        pby_decimal(text, x, PBY_VERDICT_DIGITS, true);
    else
        strcpy(text, "0");
}

/* Returns the first event that some output lacks: where nothing is refuted, an event that every output has,
 * such as being one number, is not worth showing. */
static size_t first_telling(const pby_verdict *v)
{
    for (size_t i = 0; i < v->events; i++)
        if (v->event[i].chosen.x < v->event[i].chosen.n || v->event[i].chosen.y < v->event[i].chosen.m)
            return i;
    return 0;
}

static void decide(pby_verdict *v)
{
    const fmpq *claimed[PBY_REFUTABLE] = {&v->epsilon, &v->delta};
    for (int q = 0; q < PBY_REFUTABLE; q++) {
        answer(v, q);
        v->refuted[q] = above(v->lower[q], claimed[q]);
        write_lower(v->lower_text[q], v->lower[q]);
    }
    v->violation = v->refuted[PBY_REFUTE_EPSILON] || v->refuted[PBY_REFUTE_DELTA];
    for (int q = 0; q < PBY_REFUTABLE && !v->violation; q++)
        if (!arb_is_finite(v->lower[q]))
            v->witness[q] = first_telling(v);
}

/* ---- what could have been seen ---------------------------------------------------------------- */

/* True if randomised response with this epsilon, which everything with that epsilon can be simulated
 * from, would be seen at its expected counts. */
static bool visible(const pby_verdict *v, double epsilon, double log_c)
{
    const double p = 1 / (1 + exp(-epsilon)), d = pby_guess_of(&v->delta);
    const double left = (double)v->judges[0], right = (double)v->judges[1];
    const pby_evidence e = {v->judges[0], (uint64_t)floor(left * (d + (1 - d) * p)), v->judges[1],
                            (uint64_t)ceil(right * (1 - d) * (1 - p))};
    return pby_joint_guess(&e, pby_guess_of(&v->epsilon), d, log_c) < 0;
}

static void say_what_is_visible(pby_verdict *v)
{
    const double error = 0.45 * pby_guess_of(&v->error), log_c = pby_joint_level(error);
    const double n = (double)v->judges[0], m = (double)v->judges[1];
    v->least_visible = INFINITY;
    if (n == 0 || m == 0)
        return;
    v->most_visible =
        fmax(0, log((exp(log(error / 2) / n) - pby_guess_of(&v->delta)) / -expm1(log(error / 2) / m)));
    double a = pby_guess_of(&v->epsilon), b = a + 1;
    while (b < 700 && !visible(v, b, log_c))
        b *= 2;
    for (int i = 0; i < 20 && b < 700; i++) {
        const double middle = (a + b) / 2;
        if (visible(v, middle, log_c))
            b = middle;
        else
            a = middle;
        v->least_visible = b;
    }
}

/* ---- what could not --------------------------------------------------------------------------- */

static void say_too_few(pby_verdict *v)
{
    char target[PBY_DECIMAL_SIZE], claimed[PBY_DECIMAL_SIZE], more[64] = "";
    fmpq_t epsilon;
    fmpq_init(epsilon);
    pby_power_target(epsilon, &v->epsilon);
    pby_rational_text(target, epsilon);
    pby_rational_text(claimed, &v->epsilon);
    fmpq_clear(epsilon);
    v->enough = pby_power_outputs(&v->epsilon, &v->delta, &v->error);
    if (v->enough > 0)
        snprintf(more, sizeof more, "; about %llu a side could", (unsigned long long)v->enough);
    snprintf(v->reason, sizeof v->reason,
             "%llu and %llu outputs could not show an epsilon of %.40s where %.40s is claimed%s",
             (unsigned long long)v->outputs[0], (unsigned long long)v->outputs[1], target, claimed, more);
}

/* True if some event has counts: those of a table that is blind have none. */
static bool has_evidence(const pby_verdict *v)
{
    for (size_t i = 0; i < v->events; i++)
        if (v->event[i].judged.n > 0 && v->event[i].judged.m > 0)
            return true;
    return false;
}

/* Why the evidence that shows no violation shows nothing, if that is so. */
static void say_inconclusive(pby_verdict *v)
{
    if (v->violation)
        return;
    if (v->missing[0] + v->missing[1] > 0)
        pby_reason_missing(v->reason, v->missing);
    else if (!pby_power_suffices(v->judges[0], v->judges[1], &v->epsilon, &v->delta, &v->error))
        say_too_few(v);
    else if (!has_evidence(v))
        snprintf(v->reason, sizeof v->reason, "there was no event to judge of the kinds that were asked for");
}

void pby_verdict_conclude(pby_verdict *v)
{
    decide(v);
    say_inconclusive(v);
    say_what_is_visible(v);
}
