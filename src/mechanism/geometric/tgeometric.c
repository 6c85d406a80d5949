/* SPDX-License-Identifier: MIT */
/* tgeometric:eps=e,bound=B[,sensitivity=D]: two-sided geometric noise of rate e/D, clipped at -B and B,
 * on an integer query.
 *
 * The heaps on the ends break log-concavity, and a smaller shift may be worse than a larger one: at a
 * small rate nearly all mass lies on the two ends, a shift of 1 moves both where nothing was, and one of
 * 2B moves one onto the other. So there is a pair for every shift from 1 to D; each is its own reverse by
 * symmetry. From 2B + 1 on the supports are disjoint and no shift is worse than another.
 *
 * Nor does one bar that moves by D dominate several that move by D in all: a histogram is released where a
 * record moves one bar by one, and only there.
 */
#include "kernel/silent.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, BOUND, SENSITIVITY };

static pby_status tgeometric_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    PBY_FMPQ(rate);
    fmpq_div(rate, &m->value[EPS], &m->value[SENSITIVITY]);
    return pby_law_tgeometric(out, rate, pby_mechanism_natural(m, BOUND), err);
}

static pby_status tgeometric_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                   pby_error *err)
{
    (void)wanted;
    const int64_t width = 2 * pby_mechanism_natural(m, BOUND) + 1;
    const int64_t sensitivity = pby_mechanism_natural(m, SENSITIVITY);
    const int64_t first = sensitivity < width ? 1 : width, last = FLINT_MIN(sensitivity, width);
    if ((last - first + 1) * (width + last) > PBY_ATOMS_MAX)
        return pby_fail(err, PBY_BAD,
                        "tgeometric:bound and sensitivity are too large: expected at most %d outcomes",
                        PBY_ATOMS_MAX);
    pby_law *law = NULL;
    pby_status status = tgeometric_law(&law, m, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, (size_t)(last - first + 1), err);
    for (int64_t shift = first; shift <= last && status == PBY_OK; shift++) {
        pby_pair *pair = &out->pair[shift - first];
        status = pby_pair_shift(pair, law, shift, err);
    }
    pby_law_free(law);
    return status;
}

/* The formulas of law/law_tgeometric.c. A query is one number, whoever the neighbours are. */
static pby_status tgeometric_formal(FILE *out, pby_formal *formal, const pby_mechanism *m,
                                    pby_neighbours relation, pby_error *err)
{
    (void)relation;
    (void)err;
    const int64_t bound = pby_mechanism_natural(m, BOUND);
    PBY_FMPQ(rate);
    fmpq_div(rate, &m->value[EPS], &m->value[SENSITIVITY]);
    *formal = (pby_formal){-bound, bound, pby_mechanism_natural(m, SENSITIVITY)};
    pby_law_tgeometric_state(out, rate, bound);
    fputs("Definition law (truth k : Z) : R := cdf (k - truth) - cdf (k - truth - 1).\n", out);
    return PBY_OK;
}

static const pby_story tgeometric_stories[] = {
    {.what = "Two-sided geometric noise of rate eps/sensitivity, clamped to [-bound, bound], is added to an "
             "integer query, or, where the sensitivity is 1, to every bar of a histogram over a public set "
             "of bars, including the empty ones.",
     .neighbours = PBY_STORY_A_QUERY,
     .pair = {"the noise and the noise shifted by s, for every s up to the sensitivity: because of the clamp "
              "a smaller shift can be worse",
              "the noise and the noise shifted by s, for every s up to the sensitivity"},
     .accuracy =
         "the answer is always within bound of the query; probity accuracy encloses the probability of a "
         "smaller error",
     .pages = {"geometric.md", "drawing.md", "accuracy.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = NULL},
};

static const char *const tgeometric_examples[] = {"tgeometric:eps=1/2,bound=40",
                                                  "tgeometric:eps=1,bound=12,sensitivity=2", NULL};

/* ---- selection -------------------------------------------------------------------------------- */

static int64_t sensitivity_of(const pby_mechanism *m)
{
    return pby_mechanism_integer(m, PBY_ROLE_SENSITIVITY);
}

static int64_t bound_of(const pby_mechanism *m)
{
    return pby_mechanism_integer(m, PBY_ROLE_MOST);
}

/* Where a shift is 2 bound, one heap lies on the other. */
static int64_t ordered_from(const pby_mechanism *m)
{
    return sensitivity_of(m) / 2 + 1;
}

/* No more than the pairs may have outcomes. */
static int64_t last_bound(const pby_mechanism *m, const pby_target *target)
{
    const int64_t last = pby_horizon_sensitive(m, target), sensitivity = sensitivity_of(m),
                  most = (PBY_ATOMS_MAX / sensitivity - sensitivity - 1) / 2;
    return last < most ? last : most;
}

/* A shift by 1 leaves the heap at the lower end alone; one by more than 2 bound has nothing in common with no
 * shift. */
static void floor_of(arb_t floor, const pby_mechanism *m, slong prec)
{
    if (2 * bound_of(m) < sensitivity_of(m))
        arb_one(floor);
    else
        pby_upper_tail(floor, m, bound_of(m), prec);
}

/* Noise clipped farther out is other noise only beyond the bound. */
static void tail_of(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec)
{
    (void)relation;
    pby_decay(tail, m, bound_of(m), sensitivity_of(m), prec);
    arb_mul_2exp_si(tail, tail, 1);
}

static const pby_integers bounds = {1, ordered_from, last_bound, floor_of, tail_of};

static const pby_select_row tgeometric_selection = {
    .chosen = PBY_ROLE_MOST,
    .rising = true,
    .shares = true,
    .integers = &bounds,
    .monotone = "delta falls as the bound rises above half the sensitivity",
    .recipe = PBY_RECIPE_CLIPPED,
    .source = "bound >= log(4 uses/delta)/eps + 1, eps shared by the uses",
    .never_zero = PBY_SELECT_BETRAYED,
    .binds = PBY_SELECT_RATE,
};

static const char *const tgeometric_manual[] = {
    "tgeometric:eps=E,bound=B[,sensitivity=D]",
    "The same, clipped at -B and B; a histogram where a record moves one bar by one.",
    NULL,
};

const pby_family pby_family_tgeometric = {
    .name = "tgeometric",
    .summary = "two-sided geometric noise, clipped",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, rate times sensitivity, a rational above 0",
                    PBY_ROLE_EPSILON},
                   {"bound", PBY_NATURAL, NULL, "bound=B, the most that the noise is, an integer from 1 on",
                    PBY_ROLE_MOST},
                   {"sensitivity", PBY_NATURAL, "1", "sensitivity=D, the most that a query moves",
                    PBY_ROLE_SENSITIVITY}},
    .law = tgeometric_law,
    .list[PBY_ABOVE] = tgeometric_pairs,
    .formal = tgeometric_formal,
    .one_bar = true,
    .release = pby_noise_every,
    .silent = pby_silent_perturb,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_QUERY},
    .select = &tgeometric_selection,
    .stories = tgeometric_stories,
    .manual = tgeometric_manual,
    .examples = tgeometric_examples,
};
