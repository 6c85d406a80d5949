/* SPDX-License-Identifier: MIT */
/* tmicrodata:eps=e,bound=B: geometric noise of rate e/2, clipped at -B and B, on every bar and the total. */
#include "kernel/silent.h"
#include "law/laws.h"
#include "mechanism/microdata/microdata.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, BOUND };

static pby_status tmicrodata_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    PBY_FMPQ(rate);
    fmpq_div_2exp(rate, &m->value[EPS], 1);
    return pby_law_tgeometric(out, rate, pby_mechanism_natural(m, BOUND), err);
}

static pby_status tmicrodata_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                   pby_error *err)
{
    if (pby_mechanism_natural(m, BOUND) > PBY_ATOMS_MAX / 4)
        return pby_fail(err, PBY_BAD, "tmicrodata:bound is too large: expected at most %d",
                        PBY_ATOMS_MAX / 4);
    return pby_microdata_pairs(out, m, wanted, err);
}

/* delta = 4 exp(-eps (B - 1)/2), out of B >= (2/eps) log(4/delta) + 1. */
static bool tmicrodata_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation,
                             const fmpq_t epsilon, slong prec)
{
    if (relation != PBY_ADD_REMOVE || fmpq_cmp(epsilon, &m->value[EPS]) < 0)
        return false;
    pby_decay(delta, m, pby_mechanism_natural(m, BOUND) - 1, 2, prec);
    arb_mul_2exp_si(delta, delta, 2);
    return true;
}

static const pby_story tmicrodata_stories[] = {
    {.what = "Two-sided geometric noise of rate eps/2, clamped to [-bound, bound]," PBY_MICRODATA_ADDED,
     .neighbours = PBY_MICRODATA_NEIGHBOURS,
     .pair = PBY_MICRODATA_PAIR,
     .accuracy =
         "every bar and the total are always within bound of the truth; probity accuracy encloses the "
         "probability of a smaller error; of weights: probity microdata error",
     .pages = {"microdata.md", "geometric.md", "drawing.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = NULL},
};

static const char *const tmicrodata_examples[] = {"tmicrodata:eps=1,bound=20", "tmicrodata:eps=2,bound=3",
                                                  NULL};

/* ---- selection -------------------------------------------------------------------------------- */

/* Both measurements by one: no shift reaches from one end to the other. */
static int64_t first_bound(const pby_mechanism *m)
{
    (void)m;
    return 1;
}

static int64_t last_bound(const pby_mechanism *m, const pby_target *target)
{
    return pby_horizon(m, target, 2);
}

/* The bar or the total has noise at the end that the other neighbour does not reach: 1 - (1 - h)^2, h the
 * mass of an end, a^B/(1 + a). */
static void floor_of(arb_t floor, const pby_mechanism *m, slong prec)
{
    PBY_ARB(a);
    pby_decay(floor, m, pby_mechanism_natural(m, BOUND), 2, prec);
    pby_decay(a, m, 1, 2, prec);
    arb_add_ui(a, a, 1, prec);
    arb_div(floor, floor, a, prec);
    arb_mul(a, floor, floor, prec);
    arb_mul_2exp_si(floor, floor, 1);
    arb_sub(floor, floor, a, prec);
}

/* Noise clipped farther out is other noise only beyond the bound, on a bar or on the total. */
static void tail_of(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec)
{
    (void)relation;
    pby_decay(tail, m, pby_mechanism_natural(m, BOUND), 2, prec);
    arb_mul_2exp_si(tail, tail, 2);
}

static const pby_integers bounds = {1, first_bound, last_bound, floor_of, tail_of};

static const pby_select_row tmicrodata_selection = {
    .chosen = PBY_ROLE_MOST,
    .rising = true,
    .shares = true,
    .integers = &bounds,
    .monotone = "delta falls as the bound rises",
    .recipe = PBY_RECIPE_CLAIMED,
    .source = "4 exp(-eps (bound-1)/2), epsilon and delta shared by the uses",
    .never_zero = PBY_SELECT_BETRAYED,
    .binds = PBY_SELECT_RATE,
};

static const char *const tmicrodata_manual[] = {
    "tmicrodata:eps=E,bound=B",
    "The same, clipped at -B and B.",
    NULL,
};

const pby_family pby_family_tmicrodata = {
    .name = "tmicrodata",
    .summary = "bars and their total, with clipped geometric noise",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, twice the rate of the noise, a rational above 0",
                    PBY_ROLE_EPSILON},
                   {"bound", PBY_NATURAL, NULL, "bound=B, the most that the noise is, an integer from 1 on",
                    PBY_ROLE_MOST}},
    .law = tmicrodata_law,
    .list[PBY_ABOVE] = tmicrodata_pairs,
    .list[PBY_APART] = pby_microdata_group,
    .claim = tmicrodata_claim,
    .statement = {.source = "4 exp(-eps (bound-1)/2), Survey/Theorem 9.6", .row = "Survey/Theorem 9.6"},
    .form = PBY_RELEASE_TOTAL,
    .release = pby_noise_every,
    .silent = pby_silent_perturb,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_QUERY},
    .select = &tmicrodata_selection,
    .stories = tmicrodata_stories,
    .manual = tmicrodata_manual,
    .examples = tmicrodata_examples,
};
