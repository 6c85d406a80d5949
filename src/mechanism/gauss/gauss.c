/* SPDX-License-Identifier: MIT */
/* gauss:sigma2=s[,sensitivity=D]: continuous Gaussian noise on a real query, for loss alone.
 *
 * The pair is the law and the law shifted by D: the density is log-concave, so that smaller shifts are
 * dominated, and symmetric, so that the pair is its own reverse (docs/theory/dgauss.md). With
 * m = D^2/(2s) the loss L is normal of variance 2m, and of mean m under P and -m under Q:
 *   P(L > t) = erfc((t - m) / (2 sqrt(m))) / 2,   Q(L > t) = erfc((t + m) / (2 sqrt(m))) / 2
 * The direct route knows none of this: it integrates the two densities (mechanism/gauss/gauss_integral.h).
 */
#include "mechanism/gauss/gauss.h"

#include <stdlib.h>

#include "mechanism/gauss/allocated.h"
#include "mechanism/gauss/gauss_integral.h"
#include "mechanism/gauss/triangles.h"
#include "mechanism/matrix/family_matrix.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/ball.h"
#include "number/erfc.h"
#include "number/scoped.h"
#include "pair/sided.h"

enum { SIGMA2, SENSITIVITY, SAMPLE, FIXED, ALLOCATE, BATCH, RECORDS, CLIPPED };

struct gauss {
    pby_sided base;
    fmpq_t m, sigma2, shift;
};

static const struct gauss *as_gauss(const void *curve)
{
    return curve;
}

static bool gauss_side(arb_t weight, const pby_sided *curve, pby_which which, const fmpq_t t, slong prec)
{
    const struct gauss *g = as_gauss(curve);
    PBY_FMPQ(z);
    PBY_ARB(root);
    if (which == PBY_P)
        fmpq_sub(z, t, g->m);
    else
        fmpq_add(z, t, g->m);
    const bool above = fmpq_sgn(z) >= 0;
    fmpq_abs(z, z);
    fmpq_div_2exp(z, z, 1);
    arb_set_fmpq(root, g->m, prec);
    arb_sqrt(root, root, prec);
    arb_set_fmpq(weight, z, prec);
    arb_div(weight, weight, root, prec);
    pby_erfc(weight, weight, prec);
    arb_mul_2exp_si(weight, weight, -1);
    return above;
}

static void gauss_near(arb_t p, arb_t q, const pby_curve *curve, const arb_t t, slong prec)
{
    PBY_ARB(m, root);
    arb_set_fmpq(m, as_gauss(curve)->m, prec);
    arb_sqrt(root, m, prec);
    arb_mul_2exp_si(root, root, 1);
    arb_add(q, t, m, prec);
    arb_sub(p, t, m, prec);
    arb_div(p, p, root, prec);
    arb_div(q, q, root, prec);
    pby_erfc(p, p, prec);
    pby_erfc(q, q, prec);
    arb_mul_2exp_si(p, p, -1);
    arb_mul_2exp_si(q, q, -1);
}

/* a m, for order 1 as well. */
static pby_status gauss_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                              pby_error *err)
{
    (void)err;
    PBY_FMPQ(d);
    fmpq_mul(d, as_gauss(curve)->m, order);
    arb_set_fmpq(ball, d, prec);
    return PBY_OK;
}

static void gauss_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    (void)curve;
    (void)prec;
    arb_pos_inf(ball);
}

/* D_a / a is the same at every order. */
static void gauss_rho(fmpq_t rho, const pby_curve *curve)
{
    fmpq_set(rho, as_gauss(curve)->m);
}

static pby_status gauss_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                               pby_error *err)
{
    (void)err;
    const struct gauss *g = as_gauss(curve);
    pby_gauss_integral(ball, g->sigma2, g->shift, epsilon, prec);
    return PBY_OK;
}

static void gauss_free(pby_curve *curve)
{
    struct gauss *g = (struct gauss *)curve;
    fmpq_clear(g->shift);
    fmpq_clear(g->sigma2);
    fmpq_clear(g->m);
    free(g);
}

static const pby_curve_class GAUSS = {
    .tails = pby_sided_tails,
    .near = gauss_near,
    .cells = pby_sided_cells,
    .renyi = gauss_renyi,
    .direct = gauss_direct,
    .largest = gauss_largest,
    .rho = gauss_rho,
    .free = gauss_free,
};

/* D^2/sigma2 */
static void squared_ratio(fmpq_t out, const pby_mechanism *m)
{
    fmpq_mul(out, &m->value[SENSITIVITY], &m->value[SENSITIVITY]);
    fmpq_div(out, out, &m->value[SIGMA2]);
}

/* ---- random allocation -------------------------------------------------------------------------- */

static pby_status allocated_pairs(pby_pairs *out, const pby_mechanism *m, bool upper, pby_error *err)
{
    PBY_FMPQ(ratio);
    squared_ratio(ratio, m);
    return pby_allocated_pairs(out, ratio, pby_mechanism_natural(m, ALLOCATE), upper, err);
}

static pby_status gauss_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                 pby_error *err)
{
    (void)wanted;
    return pby_mechanism_allocated(m) ? allocated_pairs(out, m, false, err) : PBY_OK;
}

/* ---- samples of fixed size ---------------------------------------------------------------------- */

static bool is_clipped(const pby_mechanism *m)
{
    return m->family == &pby_family_gauss && pby_mechanism_has(m, CLIPPED) && pby_mechanism_fixed(m);
}

/* Records that are clipped lie in a ball of the diameter D. */
pby_status pby_gauss_clipped(pby_pairs *out, const pby_mechanism *m, pby_error *err)
{
    PBY_FMPQ(ratio);
    *out = (pby_pairs){NULL, 0};
    if (!is_clipped(m))
        return PBY_OK;
    squared_ratio(ratio, m);
    return pby_triangles_pairs(out, ratio, pby_mechanism_sample(m), err);
}

static pby_status gauss_check(const pby_mechanism *m, pby_error *err)
{
    if (pby_mechanism_has(m, CLIPPED) && !pby_mechanism_fixed(m))
        return pby_mechanism_refuse(m, "clipped beside fixed alone: it is about samples of fixed size", err);
    return pby_mechanism_allocated(m) && pby_mechanism_sample(m) != NULL
               ? pby_mechanism_refuse(m, "sample, fixed or allocate, and not two of them", err)
               : PBY_OK;
}

/* ---- the family --------------------------------------------------------------------------------- */

static pby_status gauss_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                              pby_error *err)
{
    (void)wanted;
    if (pby_mechanism_allocated(m))
        return allocated_pairs(out, m, true, err);
    struct gauss *g = malloc(sizeof *g);
    if (g == NULL)
        return pby_no_memory(err);
    g->base = (pby_sided){.base.class = &GAUSS, .side = gauss_side};
    fmpq_init(g->m);
    fmpq_init(g->sigma2);
    fmpq_init(g->shift);
    fmpq_set(g->sigma2, &m->value[SIGMA2]);
    fmpq_set(g->shift, &m->value[SENSITIVITY]);
    fmpq_mul(g->m, g->shift, g->shift);
    fmpq_div(g->m, g->m, g->sigma2);
    fmpq_div_2exp(g->m, g->m, 1);
    const pby_status status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        out->pair[0].curve = &g->base.base;
    else
        gauss_free(&g->base.base);
    return status;
}

bool pby_gauss_gathers(const pby_mechanism *m)
{
    return (m->family == &pby_family_gauss || m->family == &pby_family_gdp ||
            (m->family == &pby_family_matrix && pby_mechanism_value(m, PBY_ROLE_GRID) == NULL)) &&
           pby_mechanism_sample(m) == NULL && !pby_mechanism_allocated(m);
}

void pby_gauss_squared_distance(fmpq_t out, const pby_mechanism *m)
{
    if (m->family == &pby_family_gdp) {
        fmpq_mul(out, &m->value[0], &m->value[0]);
        return;
    }
    if (m->family == &pby_family_matrix)
        pby_matrix_squared_distance(out, m);
    else
        squared_ratio(out, m);
}

/* The loss is normal of mean m and variance 2m under P; sums of such are such, so that Gaussians together are
 * one with sensitivity 1 and 1/sigma2 = sum of D^2/sigma2. */
bool pby_gauss_gather(pby_mechanism *all, const pby_spec *spec)
{
    PBY_FMPQ(part, sum);
    PBY_FMPZ(times);
    for (size_t i = 0; i < spec->count; i++) {
        const pby_mechanism *m = &spec->use[i].mechanism;
        if (!pby_gauss_gathers(m))
            continue;
        pby_gauss_squared_distance(part, m);
        fmpz_set_ui(times, spec->use[i].times);
        fmpq_mul_fmpz(part, part, times);
        fmpq_add(sum, sum, part);
    }
    const bool some = !fmpq_is_zero(sum);
    if (some)
        fmpq_inv(&all->value[SIGMA2], sum);
    fmpq_one(&all->value[SENSITIVITY]);
    return some;
}

static void gauss_privacy(pby_privacy *p, const pby_mechanism *m)
{
    p->integral = !pby_mechanism_allocated(m);
    if (is_clipped(m))
        p->single = PBY_SINGLE_EXACT;
}

static const pby_story gauss_stories[] = {
    {.with = PBY_ROLE_ALLOCATE,
     .what = "A use is an epoch of as many steps as allocate says. Each record is in one of them, drawn at "
             "random and not published, and continuous Gaussian noise of variance sigma2 is added to every "
             "step's query. probity only computes the loss.",
     .neighbours = {"one record more or fewer: the query of its step moves by at most the sensitivity",
                    "none: a record that is changed is in some step on either side, which is not known"},
     .pair = {"noise of which one step, no one knows which, is shifted by the sensitivity, and noise alone, "
              "in both orders; known to lie between two pairs on a grid",
              "none"},
     .accuracy = "none: nothing is drawn",
     .pages = {"allocation.md", "composition.md"}},
    {.what =
         "Continuous Gaussian noise of variance sigma2 is added to a real query, or to each coordinate "
         "of one with many: the sensitivity is then the L2 norm, the Euclidean length, of what neighbours "
         "move the query by. A computer cannot draw it exactly, so probity only computes its loss; dgauss "
         "can be drawn.",
     .neighbours = PBY_STORY_A_QUERY,
     .pair = {PBY_STORY_FULL_SHIFT, PBY_STORY_FULL_SHIFT},
     .accuracy = "none: nothing is drawn",
     .pages = {"dgauss.md", "zcdp.md"}},
    {.what = NULL},
};

/* sigma^2 = 2 log(1.25/delta) D^2/epsilon^2, solved for delta. It is known to hold below epsilon = 1. */
static bool gauss_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                        slong prec)
{
    (void)relation;
    if (fmpq_sgn(epsilon) <= 0 || pby_mechanism_allocated(m))
        return false;
    PBY_FMPQ(x);
    fmpq_div(x, epsilon, &m->value[SENSITIVITY]);
    fmpq_mul(x, x, x);
    fmpq_mul(x, x, &m->value[SIGMA2]);
    fmpq_div_2exp(x, x, 1);
    fmpq_neg(x, x);
    pby_exp_fmpq(delta, x, prec);
    arb_mul_ui(delta, delta, 5, prec);
    arb_mul_2exp_si(delta, delta, -2);
    return true;
}

static const char *const gauss_examples[] = {"gauss:sigma2=16,sensitivity=3/2",
                                             "gauss:sigma2=4,sample=1/100",
                                             "gauss:sigma2=16,sensitivity=2,fixed=1/100",
                                             "gauss:sigma2=16,sensitivity=2,fixed=1/100,clipped=yes",
                                             "gauss:sigma2=4,sample=1/100,batch=700,records=60000",
                                             NULL};

static const pby_select_row gauss_selection = {
    .chosen = PBY_ROLE_VARIANCE,
    .rising = true,
    .monotone = "noise of a greater sigma2 is noise of a smaller one plus more noise",
    .recipe = PBY_RECIPE_CONCENTRATED,
    .source = PBY_SELECT_RENYI,
    .rho_monotone = PBY_SELECT_PROPORTIONAL,
    .never_zero = "its loss has no largest value",
};

static const char *const gauss_manual[] = {
    "gauss:sigma2=S[,sensitivity=D][,sample=R[,batch=B,records=N]][,fixed=R[,clipped=yes]][,allocate=K]",
    "Continuous Gaussian noise, for loss only.",
    NULL,
};

const pby_family pby_family_gauss = {
    .name = "gauss",
    .summary = "continuous Gaussian noise, loss only",
    .relations = PBY_CENTRAL,
    .parameters =
        {{"sigma2", PBY_POSITIVE, NULL, "sigma2=S, the variance, a rational above 0", PBY_ROLE_VARIANCE},
         {"sensitivity", PBY_POSITIVE, "1", "sensitivity=D, the most that a query moves, in the L2 norm",
          PBY_ROLE_SENSITIVITY},
         PBY_SAMPLE_PARAMETER,
         PBY_FIXED_PARAMETER,
         {"allocate", PBY_NATURAL, "1",
          "allocate=K, a use is K steps, and each record is in one of them, drawn at random",
          PBY_ROLE_ALLOCATE},
         {"batch", PBY_NATURAL, "",
          "batch=B, the most records of a sample that are used, the others being left out at random",
          PBY_ROLE_BATCH},
         {"records", PBY_NATURAL, "", "records=N, the most records in all, where batch is given",
          PBY_ROLE_AMONG},
         {"clipped", PBY_CHOICE, "no",
          "clipped=yes, beside fixed: each record is a vector of norm at most D/2, the query their sum",
          PBY_ROLE_NONE}},
    .words = {"no", "yes"},
    .check = gauss_check,
    .list[PBY_ABOVE] = gauss_pairs,
    .list[PBY_BELOW] = gauss_attained,
    .privacy = gauss_privacy,
    .claim = gauss_claim,
    .statement = {.source = "1.25 exp(-sigma2 epsilon^2/(2 D^2)), Survey/Algorithm 3",
                  .row = "Survey/Algorithm 3",
                  .refuted = true},
    .select = &gauss_selection,
    .stories = gauss_stories,
    .instead = "dgauss has, the discrete Gaussian",
    .manual = gauss_manual,
    .examples = gauss_examples,
};
