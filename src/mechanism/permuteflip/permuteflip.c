/* SPDX-License-Identifier: MIT */
/* permuteflip:eps=e[,sensitivity=d][,scores=general|monotone]: permute-and-flip. In a random order each
 * candidate flips a coin of chance exp(-r (best - score)), r = eps/(2 d), or eps/d for monotone scores; the
 * first that shows heads is chosen.
 *
 * It is report noisy max with exponential noise of rate r (docs/theory/permuteflip.md), and no two neighbours
 * lose more than Laplace noise of rate 1 that is shifted by eps: the difference of two such noises. Two
 * candidates, the one x/r behind, let that one win with exp(-x)/2 from x = 0 on, and a neighbour moves x by
 * eps: at every epsilon some x loses just as much. */
#include "mechanism/permuteflip/permuteflip.h"

#include <math.h>

#include "mechanism/laplace/laplace_curve.h"
#include "mechanism/shared/monotone.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS };

/* Attained pairs: from two that are equal in the middle of the move to two that are equal before it. */
enum { STEPS = 8 };

static pby_status flip_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    pby_status status = pby_monotone_about(m, wanted->relation, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 1, err);
    return status == PBY_OK ? pby_laplace_curve(&out->pair[0].curve, &m->value[EPS], err) : status;
}

/* out = c exp(r) */
static void term(pby_expsum_t out, slong c, const fmpq_t r)
{
    pby_expsum_zero(out);
    pby_expsum_add_term_si(out, c, r);
}

/* The chance, over norm = 2, of the one of two candidates that is x/r behind. */
static void behind(pby_expsum_t one, const pby_expsum_t norm, const fmpq_t x)
{
    PBY_FMPQ(minus);
    fmpq_abs(minus, x);
    fmpq_neg(minus, minus);
    term(one, 1, minus);
    if (fmpq_sgn(x) < 0)
        pby_expsum_sub(one, norm, one);
}

/* Two candidates, x/r and (x + eps)/r apart. */
static pby_status flip_pair(pby_pair *pair, const fmpq_t x, const fmpq_t eps, pby_error *err)
{
    pby_expsum_t norm, here, there;
    PBY_FMPQ(at);
    pby_expsum_init(norm);
    pby_expsum_init(here);
    pby_expsum_init(there);
    term(norm, 2, at);
    behind(here, norm, x);
    fmpq_add(at, x, eps);
    behind(there, norm, at);
    const pby_status status = pby_pair_two(pair, norm, here, there, err);
    pby_expsum_clear(there);
    pby_expsum_clear(here);
    pby_expsum_clear(norm);
    return status;
}

/* Those with x = -eps/2 .. 0: at epsilon the worst of two candidates have x = (epsilon - eps)/2. */
static pby_status flip_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                pby_error *err)
{
    pby_status status = pby_monotone_about(m, wanted->relation, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, STEPS + 1, err);
    PBY_FMPQ(x);
    for (int i = 0; i <= STEPS && status == PBY_OK; i++) {
        fmpq_set_si(x, -i, 2 * STEPS);
        fmpq_mul(x, x, &m->value[EPS]);
        status = flip_pair(&out->pair[i], x, &m->value[EPS], err);
    }
    return status;
}

/* ---- Renyi divergences ------------------------------------------------------------------------ */

/* log u(x) and log(1 - u(x)), u(x) the chance of the one that is x/r behind. */
static double log_chance(double x)
{
    return x >= 0 ? -x - log(2) : log1p(-exp(x) / 2);
}

/* (a-1) D_a of two candidates in a double, or D_1; the search only chooses among neighbours. */
static double divergence(double x, double eps, double a)
{
    const double p = log_chance(x), q = log_chance(x + eps), p_not = log_chance(-x),
                 q_not = log_chance(-x - eps);
    if (a - 1 < 1e-6)
        return exp(p) * (p - q) + exp(p_not) * (p_not - q_not);
    const double one = a * p + (1 - a) * q, other = a * p_not + (1 - a) * q_not, most = fmax(one, other);
    return most + log(exp(one - most) + exp(other - most));
}

/* The x of -eps .. 0 that is the worst at an order; the reverse of x is that of -eps - x. */
static double worst_place(double eps, double a)
{
    enum { PLACES = 64 };
    double best = 0, most = divergence(0, eps, a);
    for (int i = 1; i <= PLACES; i++) {
        const double x = -eps * i / PLACES, value = divergence(x, eps, a);
        if (value > most) {
            most = value;
            best = x;
        }
    }
    for (int halved = 1; halved < 40; halved++)
        for (int side = -1; side <= 1; side += 2) {
            const double step = ldexp(eps / PLACES, -halved);
            const double x = fmin(0, fmax(-eps, best + side * step)), value = divergence(x, eps, a);
            if (value > most) {
                most = value;
                best = x;
            }
        }
    return best;
}

/* x = that place in units of eps, with few bits, so that nothing depends on how a double prints. */
static void set_place(fmpq_t x, double place, const fmpq_t eps)
{
    enum { BITS = 30 };
    const double share = place / fmpq_get_d(eps);
    fmpq_set_si(x, isfinite(share) ? (slong)floor(ldexp(share, BITS) + 0.5) : 0, 1);
    fmpq_div_2exp(x, x, BITS);
    fmpq_mul(x, x, eps);
}

/* Two candidates at every 32nd of the move, and at the worst place for the order. */
static pby_status flip_diverging(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                 pby_error *err)
{
    enum { PLACES = 32 };
    const fmpq *eps = &m->value[EPS];
    pby_status status = pby_monotone_about(m, wanted->relation, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, PLACES + 2, err);
    PBY_FMPQ(x);
    for (int i = 0; i <= PLACES + 1 && status == PBY_OK; i++) {
        fmpq_set_si(x, -(i % (PLACES + 1)), PLACES);
        fmpq_mul(x, x, eps);
        if (i > PLACES && wanted->order != NULL)
            set_place(x, worst_place(fmpq_get_d(eps), fmpq_get_d(wanted->order)), eps);
        status = flip_pair(&out->pair[i], x, eps, err);
    }
    return status;
}

#define FLIP_PAIR                                                                              \
    "Laplace noise of rate 1 and the same shifted by eps: it dominates, and at every epsilon " \
    "two candidates, one of which falls behind, lose as much"

static const pby_story flip_stories[] = {
    {.what =
         "One of several public candidates is chosen: in a random order each flips a coin that shows heads "
         "with the chance exp(-r (best - score)), r = eps/(2 sensitivity), or eps/sensitivity for monotone "
         "scores, and the first that shows heads is it. " PBY_STORY_ASSUMED,
     .neighbours = PBY_STORY_SCORES,
     .pair = {FLIP_PAIR, FLIP_PAIR},
     .accuracy =
         "probity accuracy --beta b encloses the probability that the chosen score is more than b below the "
         "best: at most 1 - (1 - (1 - w)^n)/(n w), w = exp(-r b), for n candidates",
     .pages = {"permuteflip.md", "noisymax.md"},
     .kernel = {{"pby_uniform", "uniform.h"}}},
    {.what = NULL},
};

static const char *const flip_examples[] = {"permuteflip:eps=1",
                                            "permuteflip:eps=1/2,sensitivity=3/2,scores=monotone", NULL};

static const char *const flip_manual[] = {
    "permuteflip:eps=E[,sensitivity=D][,scores=S]",
    "Permute-and-flip: one of several candidates, by its score. S as for exponential.",
    NULL,
};

#define PARAMETERS                                                                              \
    {                                                                                           \
        {"eps", PBY_POSITIVE, NULL, "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},   \
            {"sensitivity", PBY_POSITIVE, "1", "sensitivity=D, the most that a score moves",    \
             PBY_ROLE_SENSITIVITY},                                                             \
        {                                                                                       \
            "scores", PBY_CHOICE, "general", "scores=general or scores=monotone", PBY_ROLE_NONE \
        }                                                                                       \
    }

/* The bound itself, as if several uses reached it: what select judges by. It has no line in the registry. */
static const pby_family flip_bound = {
    .name = "permuteflip",
    .summary = "the bound of permute-and-flip",
    .relations = PBY_CENTRAL,
    .parameters = PARAMETERS,
    .words = {"general", "monotone"},
    .list[PBY_ABOVE] = flip_pairs,
};

static const pby_select_row flip_selection = {PBY_SELECT_PURE(PBY_MONOTONE_ORDER), .bound = &flip_bound};

const pby_family pby_family_permuteflip = {
    .name = "permuteflip",
    .summary = "permute-and-flip: one candidate by its score",
    .relations = PBY_CENTRAL,
    .parameters = PARAMETERS,
    .words = {"general", "monotone"},
    .list[PBY_ABOVE] = flip_pairs,
    .list[PBY_BELOW] = flip_attained,
    .list[PBY_DIVERGING] = flip_diverging,
    .loose = true,
    .list[PBY_ONCE] = flip_pairs,
    .once = &pby_family_pure,
    .claim = pby_monotone_claim,
    .statement = {.source = "0 from eps on"},
    .form = PBY_RELEASE_CANDIDATE,
    .takes = PBY_TAKES_SCORES,
    .rate = pby_monotone_rate,
    .chooser = &pby_flip_chooser,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_CHOICE},
    .select = &flip_selection,
    .stories = flip_stories,
    .manual = flip_manual,
    .examples = flip_examples,
};
