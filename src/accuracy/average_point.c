/* SPDX-License-Identifier: MIT */
/* The mean error of a point of a grid, but for a mass gamma (docs/theory/average.md).
 *
 * Where the error is a fall it is a choice by weights, whose errors are integers up to a greatest. Otherwise
 * all records are in one cell f of a line, and the output is off by k with a weight w_k that f does not
 * change. With V(k) = w_1 + .. + w_k the error is above b with the chance
 *
 *     (V(f) - V(min(f, b)) + V(g) - V(min(g, b)))/(1 + V(f) + V(g)),    g the cells beyond f,
 *
 * and the mean is the greatest over f. */
#include <stdlib.h>

#include "accuracy/average.h"
#include "mechanism/shared/chooser.h"
#include "mechanism/shared/lattice.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "number/text.h"

enum { CELLS_MAX = 1 << 20, WORK_MAX = 1 << 26 };

/* ---- falls ---------------------------------------------------------------------------------------- */

/* A fall of all others to `most`, of which alone it is known that data have it. */
struct last {
    const fmpq *rate, *gamma;
    uint64_t outcomes, most;
};

static pby_status mean_at_last(arb_t out, const void *what, slong prec, pby_error *err)
{
    const struct last *l = what;
    (void)err;
    PBY_ARB(s, slope);
    arb_set_fmpq(s, l->rate, prec);
    arb_mul_ui(s, s, l->most, prec);
    pby_weighed_level(out, slope, l->outcomes, s, prec);
    arb_set_fmpq(s, l->gamma, prec);
    arb_sub(out, out, s, prec);
    arb_mul_ui(out, out, l->most, prec);
    return PBY_OK;
}

static pby_status mean_of_falls(arb_t beta, const pby_mean *of, const fmpq_t rate, uint64_t outcomes,
                                uint64_t most, bool reached, pby_error *err)
{
    const struct last l = {rate, of->gamma, outcomes, most};
    PBY_ARB(low, zero);
    pby_status status = pby_mean_fall(beta, rate, outcomes, most, of->gamma, of->digits, err);
    if (status == PBY_OK && !reached) {
        status = pby_enclose(low, mean_at_last, &l, of->digits, err);
        pby_raise_to(low, zero, pby_precision_for_digits(of->digits));
        arb_union(beta, beta, low, pby_precision_for_digits(of->digits));
    }
    return status;
}

/* ---- distances ------------------------------------------------------------------------------------ */

struct line {
    const fmpq *rate, *gamma;
    const uint64_t *fall; /* where all records are in the first cell */
    size_t cells;
};

/* sum[k] = w_1 + .. + w_k, and moment[k] the sum of j w_j */
static void set_sums(arb_ptr sum, arb_ptr moment, const struct line *l, slong prec)
{
    PBY_ARB(w, x);
    PBY_FMPQ(power);
    for (size_t k = 1; k < l->cells; k++) {
        if (k == 1 || l->fall[k] != l->fall[k - 1]) {
            fmpz_set_ui(fmpq_numref(power), l->fall[k]);
            fmpz_one(fmpq_denref(power));
            fmpq_mul(power, power, l->rate);
            fmpq_neg(power, power);
            pby_exp_fmpq(w, power, prec);
        }
        arb_add(sum + k, sum + k - 1, w, prec);
        arb_mul_ui(x, w, k, prec);
        arb_add(moment + k, moment + k - 1, x, prec);
    }
}

/* The mean at f: the sum over b of max(0, chance - gamma), or the quotient of moments where gamma is 0. */
static void mean_at(arb_t out, const struct line *l, arb_srcptr sum, arb_srcptr moment, size_t f, slong prec)
{
    const size_t g = l->cells - 1 - f;
    PBY_ARB(all, term, level, zero);
    arb_add(all, sum + f, sum + g, prec);
    arb_add_ui(term, all, 1, prec);
    arb_set_fmpq(level, l->gamma, prec);
    arb_mul(level, level, term, prec);
    arb_add(out, moment + f, moment + g, prec);
    if (!fmpq_is_zero(l->gamma))
        arb_zero(out);
    for (size_t b = 0; !fmpq_is_zero(l->gamma) && b < g; b++) { /* g is the longer side */
        arb_sub(term, all, sum + (b < f ? b : f), prec);
        arb_sub(term, term, sum + b, prec);
        arb_sub(term, term, level, prec);
        if (arb_is_nonpositive(term))
            break;
        pby_raise_to(term, zero, prec);
        arb_add(out, out, term, prec);
    }
    arb_add_ui(all, all, 1, prec);
    arb_div(out, out, all, prec);
}

static pby_status mean_of_line(arb_t out, const void *what, slong prec, pby_error *err)
{
    const struct line *l = what;
    arb_ptr sum = _arb_vec_init((slong)l->cells), moment = _arb_vec_init((slong)l->cells);
    (void)err;
    PBY_ARB(one);
    set_sums(sum, moment, l, prec);
    arb_zero(out);
    for (size_t f = 0; 2 * f < l->cells; f++) {
        mean_at(one, l, sum, moment, f, prec);
        pby_raise_to(out, one, prec);
    }
    _arb_vec_clear(moment, (slong)l->cells);
    _arb_vec_clear(sum, (slong)l->cells);
    return PBY_OK;
}

static pby_status mean_of_distances(arb_t beta, const pby_mean *of, const fmpq_t rate,
                                    const pby_lattice_shape *shape, pby_error *err)
{
    const size_t most = fmpq_is_zero(of->gamma) ? CELLS_MAX : WORK_MAX / shape->cells;
    if (shape->cells > most)
        return pby_mechanism_refuse(
            of->mechanism, "a bound of at most 1048576 for a mean, and 8192 if gamma is above 0", err);
    uint64_t *fall = calloc(shape->cells, sizeof *fall);
    int64_t *count = calloc(shape->cells, sizeof *count);
    const struct line l = {rate, of->gamma, fall, shape->cells};
    pby_status status = fall != NULL && count != NULL ? PBY_OK : pby_no_memory(err);
    if (status == PBY_OK) {
        count[0] = (int64_t)shape->records;
        status = of->mechanism->family->lattice->falls(fall, of->mechanism, count, err);
    }
    if (status == PBY_OK)
        status = pby_enclose(beta, mean_of_line, &l, of->digits, err);
    free(count);
    free(fall);
    return status;
}

pby_status pby_mean_of_point(arb_t beta, const pby_mean *of, pby_error *err)
{
    const pby_lattice_class *class = of->mechanism->family->lattice;
    pby_lattice_shape shape;
    uint64_t most = 0;
    bool reached = false;
    PBY_FMPQ(rate);
    class->shape(&shape, of->mechanism);
    class->rate(rate, of->mechanism);
    return class->level(&most, &reached, of->mechanism)
               ? mean_of_falls(beta, of, rate, shape.outputs > 0 ? shape.outputs : shape.cells, most, reached,
                               err)
               : mean_of_distances(beta, of, rate, &shape, err);
}
