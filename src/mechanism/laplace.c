/* laplace:scale=b[,grid=g][,sensitivity=D]: Laplace noise on a real query.
 *
 * With a grid the query x is rounded to n g, n = floor(x/g + 1/2), and g R is added, R two-sided geometric
 * of rate g/b; the law counts in steps of the grid. Two queries at most D apart round to at most
 * ceil(D/g) steps apart, and some do (docs/theory/laplace.md): that is the shift of the pair.
 *
 * Without a grid the law is continuous and for loss alone. The pair is the density and the density
 * shifted by D, log-concave and symmetric. With m = D/b the loss is m below 0, -m above D, and falls
 * linearly between, so that for -m <= t < m
 *   P(L <= t) = exp((t - m)/2)/2,   Q(L > t) = exp(-(t + m)/2)/2.
 */
#include <stdlib.h>

#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/sided.h"

enum { SCALE, GRID, SENSITIVITY };

/* The most steps of the grid that the sensitivity may be: a pair has an atom for each. */
enum { STEPS_MAX = 1 << 20 };

/* ---- on a grid -------------------------------------------------------------------------------- */

static pby_status laplace_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    *out = NULL;
    if (!pby_mechanism_has(m, GRID))
        return pby_refuse(err, "laplace:grid", "", "a grid to draw on: the continuous law is for loss alone");
    fmpq_t rate;
    fmpq_init(rate);
    fmpq_div(rate, &m->value[GRID], &m->value[SCALE]);
    const pby_status status = pby_law_geometric(out, rate, err);
    fmpq_clear(rate);
    return status;
}

/* ceil(D/g) */
static pby_status grid_shift(int64_t *shift, const pby_mechanism *m, pby_error *err)
{
    fmpq_t steps;
    fmpz_t whole;
    fmpq_init(steps);
    fmpz_init(whole);
    fmpq_div(steps, &m->value[SENSITIVITY], &m->value[GRID]);
    fmpz_cdiv_q(whole, fmpq_numref(steps), fmpq_denref(steps));
    const bool fits = fmpz_cmp_si(whole, STEPS_MAX) <= 0;
    *shift = fits ? fmpz_get_si(whole) : 0;
    fmpz_clear(whole);
    fmpq_clear(steps);
    return fits ? PBY_OK
                : pby_fail(err, PBY_BAD, "laplace:grid is below sensitivity/%d: expected a coarser one, or none",
                           STEPS_MAX);
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

/* ---- continuous ------------------------------------------------------------------------------- */

struct laplace {
    pby_sided base;
    fmpq_t m;
};

static const struct laplace *as_laplace(const void *curve)
{
    return curve;
}

/* out = exp(x) */
static void exp_fmpq(arb_t out, const fmpq_t x, slong prec)
{
    arb_set_fmpq(out, x, 2 * prec);
    arb_exp(out, out, prec);
}

static bool laplace_side(arb_t weight, const pby_sided *curve, pby_which which, const fmpq_t t, slong prec)
{
    const struct laplace *l = as_laplace(curve);
    fmpq_t x;
    fmpq_init(x);
    fmpq_neg(x, l->m);
    const bool least = fmpq_cmp(t, x) < 0, most = fmpq_cmp(t, l->m) >= 0;
    if (least || most) {
        arb_zero(weight);
    } else {
        if (which == PBY_P)
            fmpq_sub(x, t, l->m);
        else
            fmpq_sub(x, x, t);
        fmpq_div_2exp(x, x, 1);
        exp_fmpq(weight, x, prec);
        arb_mul_2exp_si(weight, weight, -1);
    }
    fmpq_clear(x);
    return most || (!least && which == PBY_Q);
}

/* log((a exp((a-1) m) + (a-1) exp(-a m)) / (2a-1)) / (a-1), and m - 1 + exp(-m) for a = 1. */
static pby_status laplace_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec, pby_error *err)
{
    (void)err;
    const fmpq *m = as_laplace(curve)->m;
    arb_t a, less, part;
    fmpq_t x;
    arb_init(a);
    arb_init(less);
    arb_init(part);
    fmpq_init(x);
    arb_set_fmpq(a, order, prec);
    fmpq_sub_si(x, order, 1);
    arb_set_fmpq(less, x, prec);
    fmpq_mul(x, x, m);
    exp_fmpq(ball, x, prec);
    fmpq_mul(x, order, m);
    fmpq_neg(x, x);
    exp_fmpq(part, x, prec);
    if (fmpq_is_one(order)) {
        arb_set_fmpq(ball, m, prec);
        arb_sub_ui(ball, ball, 1, prec);
        arb_add(ball, ball, part, prec);
    } else {
        arb_mul(ball, ball, a, prec);
        arb_addmul(ball, part, less, prec);
        arb_add(a, a, less, prec);
        arb_div(ball, ball, a, prec);
        arb_log(ball, ball, prec);
        arb_div(ball, ball, less, prec);
    }
    fmpq_clear(x);
    arb_clear(part);
    arb_clear(less);
    arb_clear(a);
    return PBY_OK;
}

static void laplace_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    arb_set_fmpq(ball, as_laplace(curve)->m, prec);
}

static void laplace_free(pby_curve *curve)
{
    struct laplace *l = (struct laplace *)curve;
    fmpq_clear(l->m);
    free(l);
}

static const pby_curve_class LAPLACE = {
    .tails = pby_sided_tails,
    .cells = pby_sided_cells,
    .renyi = laplace_renyi,
    .largest = laplace_largest,
    .free = laplace_free,
};

static pby_status continuous_pair(pby_pair *pair, const pby_mechanism *m, pby_error *err)
{
    struct laplace *l = malloc(sizeof *l);
    if (l == NULL)
        return pby_no_memory(err);
    l->base = (pby_sided){.base.class = &LAPLACE, .side = laplace_side};
    fmpq_init(l->m);
    fmpq_div(l->m, &m->value[SENSITIVITY], &m->value[SCALE]);
    pair->curve = &l->base.base;
    return PBY_OK;
}

/* ---- the family ------------------------------------------------------------------------------- */

static pby_status laplace_pairs(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    (void)relation;
    const pby_status status = pby_pairs_init(out, 1, err);
    if (status != PBY_OK)
        return status;
    return pby_mechanism_has(m, GRID) ? grid_pair(&out->pair[0], m, err) : continuous_pair(&out->pair[0], m, err);
}

const pby_family pby_family_laplace = {
    .name = "laplace",
    .summary = "Laplace noise, on a grid; without one continuous, loss only",
    .parameters = {{"scale", PBY_POSITIVE, NULL, "scale=B, the scale of the noise, a rational above 0"},
                   {"grid", PBY_POSITIVE, "", "grid=G, what query and noise are multiples of, a rational above 0"},
                   {"sensitivity", PBY_POSITIVE, "1", "sensitivity=D, the most that a query moves before rounding"}},
    .law = laplace_law,
    .pairs = laplace_pairs,
};
