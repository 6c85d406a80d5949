/* SPDX-License-Identifier: MIT */
/* power:base=b[,sensitivity=d][,scores=general|monotone]: one candidate, chosen with weight b^score, b a
 * rational above 1 and scores integers. All chances are rational, and the draw is one of integers.
 *
 * It is the exponential mechanism at eps = 2 d log b, or d log b where a record more moves all scores up or
 * all down: the losses of two neighbours lie in one interval of that length. Which two ends t and t - length
 * they have depends on how many candidates move up and how many down, and these shares of the weight are
 * dense in all: every pair of exponential/curve.h is approached. */
#include "mechanism/power/power.h"

#include "mechanism/exponential/pieces.h"
#include "mechanism/shared/monotone.h"
#include "mechanism/spec/story.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { BASE, SENSITIVITY };

/* The bits of the rationals on either side of the length, for a composition with other families. */
enum { ROUNDED_BITS = 20 };

void pby_power_log(arb_t out, const pby_mechanism *m, slong prec)
{
    arb_set_fmpq(out, &m->value[BASE], 2 * prec);
    arb_log(out, out, prec);
}

uint64_t pby_power_units(const pby_mechanism *m)
{
    return (pby_monotone(m) ? 1 : 2) * (uint64_t)pby_mechanism_natural(m, SENSITIVITY);
}

/* So that the gaps that count have weights down to 2^-1024: q/p to that many. */
static pby_status power_check(const pby_mechanism *m, pby_error *err)
{
    enum { LEAST_BITS = 1024 };
    PBY_ARB(all, least);
    pby_power_log(all, m, PBY_PRECISION_FIRST);
    arb_mul_ui(all, all, pby_power_reach(m), PBY_PRECISION_FIRST);
    arb_const_log2(least, PBY_PRECISION_FIRST);
    arb_mul_ui(least, least, LEAST_BITS, PBY_PRECISION_FIRST);
    const bool good = arb_gt(all, least);
    return good
               ? PBY_OK
               : pby_mechanism_refuse(
                     m, "a base whose numerator is no more than its 1000th power, such as 2 or 101/100", err);
}

/* ---- pairs ------------------------------------------------------------------------------------ */

/* The length, rounded up or down. Losses that lie in an interval lie in every longer one. */
static void rounded_length(fmpq_t out, const pby_mechanism *m, bool up)
{
    PBY_ARB(ball);
    PBY_ARF(end);
    pby_power_log(ball, m, PBY_PRECISION_FIRST);
    arb_mul_ui(ball, ball, pby_power_units(m), PBY_PRECISION_FIRST);
    if (up)
        arb_get_ubound_arf(end, ball, ROUNDED_BITS);
    else
        arb_get_lbound_arf(end, ball, ROUNDED_BITS);
    arf_get_fmpq(out, end);
}

static pby_status power_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                              pby_error *err)
{
    pby_status status = pby_monotone_about(m, wanted->relation, err);
    if (status != PBY_OK)
        return status;
    PBY_FMPQ(eps);
    rounded_length(eps, m, true);
    return pby_bounded_pieces(out, eps, err);
}

static pby_status power_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                 pby_error *err)
{
    pby_status status = pby_monotone_about(m, wanted->relation, err);
    if (status != PBY_OK)
        return status;
    PBY_FMPQ(eps);
    rounded_length(eps, m, false);
    return pby_bounded_middles(out, eps, err);
}

static pby_status power_alone(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                              pby_error *err)
{
    pby_status status = pby_monotone_about(m, wanted->relation, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 1, err);
    return status == PBY_OK ? pby_power_curve(&out->pair[0].curve, &m->value[BASE], pby_power_units(m), err)
                            : status;
}

static void power_privacy(pby_privacy *p, const pby_mechanism *m)
{
    fmpq_set_ui(p->units, pby_power_units(m), 1);
    fmpq_set(p->base, &m->value[BASE]);
}

/* ---- the family ------------------------------------------------------------------------------- */

/* The length is no rational, so that some precision decides. */
static bool power_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                        slong prec)
{
    (void)relation;
    int sign = 0;
    PBY_ARB(length, at);
    for (; sign == 0; prec *= 2) {
        pby_power_log(length, m, prec);
        arb_mul_ui(length, length, pby_power_units(m), prec);
        arb_set_fmpq(at, epsilon, prec);
        sign = arb_gt(at, length) ? 1 : arb_lt(at, length) ? -1 : 0;
    }
    arb_zero(delta);
    return sign > 0;
}

/* About log(base): only guesses take it, since the chooser works with the base. */
static void power_rate(fmpq_t rate, const pby_mechanism *m)
{
    PBY_ARB(ball);
    PBY_ARF(end);
    pby_power_log(ball, m, PBY_PRECISION_FIRST);
    arb_get_lbound_arf(end, ball, ROUNDED_BITS);
    arf_get_fmpq(rate, end);
}

#define POWER_PAIR "candidates of losses t and t - length: the t that is the worst at the epsilon asked for"

static const pby_story power_stories[] = {
    {.what = "One of several public candidates is chosen, with a chance proportional to base^score, scores "
             "being integers: the exponential mechanism at eps = 2 sensitivity log(base), or sensitivity "
             "log(base) for monotone scores, with rational chances. " PBY_STORY_ASSUMED,
     .neighbours = PBY_STORY_SCORES,
     .pair = {POWER_PAIR ", in a composition another in every use", POWER_PAIR ", likewise"},
     .accuracy =
         "probity accuracy --beta b encloses the probability that the chosen score is more than b below the "
         "best: at most (n - 1) w/(1 + (n - 1) w), w = base^-k, k the next integer beyond b, for n "
         "candidates",
     .pages = {"exponential.md", "composition.md"}},
    {.what = NULL},
};

static const char *const power_examples[] = {"power:base=2", "power:base=3/2,sensitivity=2,scores=monotone",
                                             NULL};

#define LONGER "losses that lie in an interval lie in every longer one, and its length grows with the base"

static const pby_select_row power_selection = {
    .chosen = PBY_ROLE_BASE,
    .beyond_one = true,
    .monotone = LONGER,
    .recipe = PBY_RECIPE_THEOREMS,
    .source = PBY_SELECT_THEOREMS,
    .rho_monotone = LONGER,
    .rho_recipe = PBY_RECIPE_PURE,
    .rho_source = PBY_SELECT_SQUARED,
    .binds = "the resolution",
};

static const char *const power_manual[] = {
    "power:base=B[,sensitivity=D][,scores=S]",
    "The exponential mechanism by powers of a rational base above 1, of integer scores: B^score is the "
    "weight of a candidate. All chances are rational. S is general, or monotone as of exponential.",
    NULL,
};

const pby_family pby_family_power = {
    .name = "power",
    .summary = "exponential mechanism by powers of a rational base",
    .relations = PBY_CENTRAL,
    .parameters = {{"base", PBY_ABOVE_ONE, NULL, "base=B, a rational above 1: weights are its powers",
                    PBY_ROLE_BASE},
                   {"sensitivity", PBY_NATURAL, "1", "sensitivity=D, the most that a score moves",
                    PBY_ROLE_SENSITIVITY},
                   {"scores", PBY_CHOICE, "general", "scores=general or scores=monotone", PBY_ROLE_NONE}},
    .words = {"general", "monotone"},
    .check = power_check,
    .list[PBY_ABOVE] = power_pairs,
    .list[PBY_BELOW] = power_attained,
    .list[PBY_ONCE] = power_alone,
    .interval = true,
    .privacy = power_privacy,
    .claim = power_claim,
    .statement = {.source = "0 from 2 d log(base) on, or from d log(base) on"},
    .form = PBY_RELEASE_CANDIDATE,
    .takes = PBY_TAKES_SCORES,
    .rate = power_rate,
    .chooser = &pby_power_chooser,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_CHOICE},
    .select = &power_selection,
    .stories = power_stories,
    .manual = power_manual,
    .examples = power_examples,
};
