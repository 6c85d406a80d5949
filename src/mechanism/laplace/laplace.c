/* SPDX-License-Identifier: MIT */
/* laplace:scale=b[,grid=g][,sensitivity=D][,theta=t]: Laplace noise on a real query.
 *
 * With a grid the query x is rounded to n g, n = floor(x/g + 1/2), and g R is added, R two-sided geometric
 * of rate g/b; the law counts in steps of the grid. Two queries at most D apart round to at most
 * ceil(D/g) steps apart, and some do (docs/theory/laplace.md): that is the shift of the pair.
 *
 * theta on a grid is that of geometric, for a query that is random.
 *
 * A histogram is released over a public set of bars, every one of which gets noise, as of geometric; what is
 * released is a multiple of the grid, and counted in its steps.
 *
 * Without a grid the law is continuous and for loss alone (mechanism/laplace/laplace_curve.h).
 */
#include <sodium.h>
#include <stdlib.h>

#include "kernel/silent.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/laplace/laplace_curve.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { SCALE, GRID, SENSITIVITY, SAMPLE, FIXED, THETA };

/* The most steps of the grid that the sensitivity may be: a pair has an atom for each. */
enum { STEPS_MAX = 1 << 20 };

static bool laplace_continuous(const pby_mechanism *m)
{
    return !pby_mechanism_has(m, GRID);
}

static void laplace_privacy(pby_privacy *p, const pby_mechanism *m)
{
    p->integral = laplace_continuous(m);
}

static pby_status laplace_check(const pby_mechanism *m, pby_error *err)
{
    return laplace_continuous(m) && pby_mechanism_has(m, THETA)
               ? pby_mechanism_refuse(m, "a grid beside theta: a continuous random query is not supported",
                                      err)
               : PBY_OK;
}

static pby_status laplace_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    *out = NULL;
    if (laplace_continuous(m))
        return pby_refuse(err, "laplace:grid", "", "a grid to draw on: the continuous law is for loss alone");
    PBY_FMPQ(rate);
    fmpq_div(rate, &m->value[GRID], &m->value[SCALE]);
    return pby_law_geometric(out, rate, err);
}

/* ceil(D/g) */
static pby_status grid_shift(int64_t *shift, const pby_mechanism *m, pby_error *err)
{
    PBY_FMPQ(steps);
    PBY_FMPZ(whole);
    fmpq_div(steps, &m->value[SENSITIVITY], &m->value[GRID]);
    fmpz_cdiv_q(whole, fmpq_numref(steps), fmpq_denref(steps));
    const bool fits = fmpz_cmp_si(whole, STEPS_MAX) <= 0;
    *shift = fits ? fmpz_get_si(whole) : 0;
    return fits
               ? PBY_OK
               : pby_fail(err, PBY_BAD,
                          "laplace:grid is below sensitivity/%d: expected a coarser one, or none", STEPS_MAX);
}

static pby_status grid_pair(pby_pair *pair, const pby_mechanism *m, pby_error *err)
{
    pby_law *law = NULL;
    int64_t shift = 0;
    pby_status status = grid_shift(&shift, m, err);
    if (status == PBY_OK)
        status = laplace_law(&law, m, err);
    if (status == PBY_OK)
        status = pby_pair_shift(pair, law, shift, err);
    pby_law_free(law);
    return status;
}

static pby_status continuous_pair(pby_pair *pair, const pby_mechanism *m, pby_error *err)
{
    PBY_FMPQ(size);
    fmpq_div(size, &m->value[SENSITIVITY], &m->value[SCALE]);
    return pby_laplace_curve(&pair->curve, size, err);
}

static pby_status laplace_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                pby_error *err)
{
    (void)wanted;
    const pby_status status = pby_pairs_init(out, 1, err);
    if (status != PBY_OK)
        return status;
    return laplace_continuous(m) ? continuous_pair(&out->pair[0], m, err) : grid_pair(&out->pair[0], m, err);
}

/* ---- release ----------------------------------------------------------------------------------- */

static const fmpq *laplace_unit(const pby_mechanism *m)
{
    return pby_mechanism_value(m, PBY_ROLE_GRID);
}

/* floor(x/g + 1/2), cut at INT64_MAX, which brings no two counts further apart. */
static void round_counts(int64_t *steps, const fmpq_t grid, const int64_t *counts, size_t n)
{
    PBY_FMPZ(up, down);
    fmpz_mul_ui(down, fmpq_numref(grid), 2);
    for (size_t i = 0; i < n; i++) {
        fmpz_set_si(up, counts[i]);
        fmpz_mul(up, up, fmpq_denref(grid));
        fmpz_mul_ui(up, up, 2);
        fmpz_add(up, up, fmpq_numref(grid));
        fmpz_fdiv_q(up, up, down);
        steps[i] = fmpz_cmp_si(up, INT64_MAX) < 0 ? fmpz_get_si(up) : INT64_MAX;
    }
    fmpz_zero(up);
}

static pby_status laplace_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                                  const int64_t *counts, int64_t *noisy, size_t n, pby_error *err)
{
    const fmpq *grid = pby_mechanism_unit(m);
    if (grid == NULL)
        return pby_noise_every(m, sampler, source, counts, noisy, n, err);
    int64_t *steps = malloc((n + 1) * sizeof *steps);
    if (steps == NULL)
        return pby_no_memory(err);
    round_counts(steps, grid, counts, n);
    const pby_status status = pby_noise_every(m, sampler, source, steps, noisy, n, err);
    sodium_memzero(steps, n * sizeof *steps);
    free(steps);
    return status;
}

static const pby_story laplace_stories[] = {
    {.with = PBY_ROLE_THETA,
     .what =
         "A query is random: its answer on each input has a law. One answer is drawn and rounded to a "
         "multiple of the grid, and grid times two-sided geometric noise of rate grid/scale is added to it. "
         "Between neighbours, answers can be coupled so that they differ by at most the sensitivity except "
         "with probability theta.",
     .neighbours = PBY_STORY_RANDOM,
     .pair = {PBY_STORY_REVEALED, PBY_STORY_REVEALED},
     .accuracy = PBY_STORY_DRAWN,
     .pages = {"random-queries.md", "laplace.md", "drawing.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.with = PBY_ROLE_GRID,
     .what = "A real query is rounded to a multiple of the grid, and grid times two-sided geometric noise of "
             "rate grid/scale is added to it. Draws are in steps of the grid. The same noise is added to "
             "every bar of a histogram over a public set of bars.",
     .neighbours = PBY_STORY_A_QUERY,
     .pair =
         {"the noise and the noise shifted by the sensitivity in steps, rounded up: rounding the query may "
          "cost a step",
          "the noise and the noise shifted by the sensitivity in steps, rounded up"},
     .accuracy = PBY_STORY_NOISE("the answer is"),
     .pages = {"laplace.md", "geometric.md", "drawing.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = "Continuous Laplace noise of that scale is added to a real query. A computer cannot draw it "
             "exactly, so probity only computes its loss; with grid= it can be drawn.",
     .neighbours = PBY_STORY_A_QUERY,
     .pair = {PBY_STORY_FULL_SHIFT, PBY_STORY_FULL_SHIFT},
     .accuracy = "none: nothing is drawn",
     .pages = {"laplace.md", "zcdp.md"}},
    {.what = NULL},
};

static const char *const laplace_examples[] = {"laplace:scale=2", "laplace:scale=2,grid=1/4,sensitivity=3/2",
                                               "laplace:scale=2,grid=1/4,theta=1/1000", NULL};

#define MORE_SCALE "noise of a greater scale is noise of a smaller one plus more noise"

static const pby_select_row laplace_selection = {
    .chosen = PBY_ROLE_SCALE,
    .rising = true,
    .monotone = MORE_SCALE,
    .recipe = PBY_RECIPE_THEOREMS,
    .source = PBY_SELECT_THEOREMS,
    .rho_monotone = MORE_SCALE,
    .rho_recipe = PBY_RECIPE_PURE,
    .rho_source = PBY_SELECT_SQUARED,
};

static const char *const laplace_manual[] = {
    "laplace:scale=B[,grid=G][,sensitivity=D][,sample=R][,fixed=R][,theta=T]",
    "Laplace noise on a grid of step G; without a grid it is continuous, for loss only.",
    NULL,
};

const pby_family pby_family_laplace = {
    .name = "laplace",
    .summary = "Laplace noise, on a grid; without one continuous, loss only",
    .relations = PBY_CENTRAL,
    .parameters = {{"scale", PBY_POSITIVE, NULL, "scale=B, the scale of the noise, a rational above 0",
                    PBY_ROLE_SCALE},
                   {"grid", PBY_POSITIVE, "",
                    "grid=G, what query and noise are multiples of, a rational above 0", PBY_ROLE_GRID},
                   {"sensitivity", PBY_POSITIVE, "1",
                    "sensitivity=D, the most that a query moves before rounding", PBY_ROLE_SENSITIVITY},
                   PBY_SAMPLE_PARAMETER,
                   PBY_FIXED_PARAMETER,
                   PBY_THETA_PARAMETER},
    .check = laplace_check,
    .law = laplace_law,
    .list[PBY_ABOVE] = laplace_pairs,
    .privacy = laplace_privacy,
    .unit = laplace_unit,
    .release = laplace_release,
    .silent = pby_silent_perturb,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_QUERY, .needs = PBY_ROLE_GRID},
    .select = &laplace_selection,
    .stories = laplace_stories,
    .instead = "laplace has with grid=1, or geometric",
    .manual = laplace_manual,
    .examples = laplace_examples,
};
