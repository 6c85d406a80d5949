/* SPDX-License-Identifier: MIT */
/* Robust noise: a last step behind a mechanism that is private (docs/theory/robust.md).
 *
 * A released number, rounded to a multiple of the grid, gets grid times two-sided geometric noise. The rate
 * is the greatest for which outputs within rho, whatever the laws of the input, are as close as epsilon says.
 * Nothing is known of neighbours here, so there are no pairs, and no loss: it comes from what stands in
 * front.
 */
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/robust/scale.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { RHO, EPSILON, GRID };

static pby_status robust_check(const pby_mechanism *m, pby_error *err)
{
    int64_t k;
    const pby_status status = pby_robust_steps(&k, &m->value[RHO], &m->value[GRID], err);
    return status == PBY_OK && k == 0 ? pby_mechanism_refuse(m, "rho from the grid on", err) : status;
}

static pby_status robust_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    int64_t k;
    *out = NULL;
    PBY_FMPQ(rate);
    PBY_TRY(pby_robust_steps(&k, &m->value[RHO], &m->value[GRID], err));
    PBY_TRY(pby_robust_rate(rate, k, &m->value[EPSILON], err));
    return pby_law_geometric(out, rate, err);
}

static const fmpq *robust_unit(const pby_mechanism *m)
{
    return &m->value[GRID];
}

static const pby_story robust_stories[] = {
    {.what =
         "A last step behind another mechanism: a released number, rounded to a multiple of the grid, gets "
         "grid times two-sided geometric noise. Outputs whose laws are within rho of each other are then "
         "within the factor exp(eps).",
     .accuracy = "the number is off by the noise and half a step of the grid",
     .pages = {"robust.md", "geometric.md", "drawing.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = NULL},
};

static const char *const robust_examples[] = {"robust:rho=1,eps=1", "robust:rho=5/2,eps=1/2,grid=1/4", NULL};

static const char *const robust_manual[] = {
    "robust:rho=R,eps=E[,grid=G]",
    "Robust noise, a last step behind another mechanism; alone it is not private.",
    NULL,
};

const pby_family pby_family_robust = {
    .name = "robust",
    .summary = "robust noise, a last step behind another mechanism",
    .relations = PBY_EVERY_RELATION,
    .parameters = {{"rho", PBY_POSITIVE, NULL,
                    "rho=R, the distance of laws that are close, a rational above 0", PBY_ROLE_NONE},
                   {"eps", PBY_POSITIVE, NULL,
                    "eps=E, how far close laws may be told apart, a rational above 0", PBY_ROLE_NONE},
                   {"grid", PBY_POSITIVE, "1", "grid=G, what number and noise are multiples of",
                    PBY_ROLE_GRID}},
    .last = true,
    .check = robust_check,
    .law = robust_law,
    .unit = robust_unit,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_QUERY},
    .stories = robust_stories,
    .manual = robust_manual,
    .examples = robust_examples,
};
