/* SPDX-License-Identifier: MIT */
/* The worst pair: how likely each privacy loss log(P/Q) is under either law. */
#include "report/explain/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loss/divergence/divergence.h"
#include "number/scoped.h"
#include "picture/svg.h"

enum { CELLS = 24, ROWS = 12, BITS = 64 };

/* Outcomes of one privacy loss, or of one cell of losses. */
struct outcome {
    double loss, p, q; /* loss is the upper end of a cell, or inf or -inf */
};

static double middle(const arb_t ball)
{
    return arf_get_d(arb_midref(ball), ARF_RND_NEAR);
}

static int by_loss(const void *a, const void *b)
{
    const double x = ((const struct outcome *)a)->loss, y = ((const struct outcome *)b)->loss;
    return x < y ? -1 : x > y;
}

/* ---- which pair ------------------------------------------------------------------------------- */

/* Where the pairs are compared: the spec's own epsilon, else a use's share of the one at the usual delta,
 * else 1. */
static void set_epsilon(fmpq_t epsilon, const pby_explanation *x)
{
    if (x->owns_epsilon) {
        fmpq_set_mpq(epsilon, x->own_epsilon);
    } else if (mpfr_number_p(x->epsilon.hi) && mpfr_sgn(x->epsilon.hi) > 0) {
        PBY_MPQ(q);
        mpfr_get_q(q, x->epsilon.hi);
        fmpq_set_mpq(epsilon, q);
        fmpz_t times;
        fmpz_init_set_ui(times, x->spec->use[0].times);
        fmpq_div_fmpz(epsilon, epsilon, times);
        fmpz_clear(times);
    } else {
        fmpq_one(epsilon);
    }
}

static double divergence(const pby_pair *pair, const fmpq_t epsilon)
{
    double value = -1;
    PBY_ARB(ball);
    if (pair->curve == NULL) {
        pby_hockey_stick_direct(ball, pair, epsilon, BITS);
        value = middle(ball);
    } else if (pby_curve_hockey_stick(ball, pair->curve, epsilon, BITS, NULL) == PBY_OK) {
        value = middle(ball);
    }
    return value;
}

static const pby_pair *worst_of(const pby_pairs *pairs, const pby_explanation *x)
{
    double most = -INFINITY;
    const pby_pair *worst = NULL;
    PBY_FMPQ(epsilon);
    set_epsilon(epsilon, x);
    for (size_t i = 0; i < pairs->count; i++) {
        const double delta = divergence(&pairs->pair[i], epsilon);
        if (delta > most) {
            most = delta;
            worst = &pairs->pair[i];
        }
    }
    return worst;
}

/* ---- its outcomes ----------------------------------------------------------------------------- */

static void set_atom(struct outcome *o, const pby_pair *pair, const pby_atom *atom)
{
    PBY_ARB(p, q, norm);
    pby_expsum_get_arb(p, atom->p, BITS);
    pby_expsum_get_arb(norm, pair->norm_p, BITS);
    arb_div(p, p, norm, BITS);
    pby_expsum_get_arb(q, atom->q, BITS);
    pby_expsum_get_arb(norm, pair->norm_q, BITS);
    arb_div(q, q, norm, BITS);
    o->p = middle(p);
    o->q = middle(q);
    if (pby_expsum_is_zero(atom->q)) {
        o->loss = INFINITY;
    } else if (pby_expsum_is_zero(atom->p)) {
        o->loss = -INFINITY;
    } else {
        arb_div(p, p, q, BITS);
        arb_log(p, p, BITS);
        o->loss = middle(p);
    }
}

/* Sorted outcomes of nearly equal loss become one. */
static size_t join(struct outcome *o, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && (o[i].loss == o[kept - 1].loss || fabs(o[i].loss - o[kept - 1].loss) < 1e-9)) {
            o[kept - 1].p += o[i].p;
            o[kept - 1].q += o[i].q;
        } else {
            o[kept++] = o[i];
        }
    }
    return kept;
}

/* Many finite losses become CELLS cells; those without end stay what they are. */
static size_t bin(struct outcome *o, size_t n)
{
    struct outcome cell[CELLS + 2] = {{0}};
    double least = INFINITY, most = -INFINITY;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(o[i].loss)) {
            least = fmin(least, o[i].loss);
            most = fmax(most, o[i].loss);
        }
    cell[0].loss = -INFINITY;
    cell[CELLS + 1].loss = INFINITY;
    for (int i = 1; i <= CELLS; i++)
        cell[i].loss = least + (most - least) * i / CELLS;
    for (size_t i = 0; i < n; i++) {
        const size_t at =
            o[i].loss == -INFINITY ? 0
            : o[i].loss == INFINITY
                ? CELLS + 1
                : 1 + (size_t)fmin(CELLS - 1, floor((o[i].loss - least) / (most - least) * CELLS));
        cell[at].p += o[i].p;
        cell[at].q += o[i].q;
    }
    for (size_t i = 0; i < CELLS + 2; i++)
        if (isfinite(cell[i].loss) || cell[i].p + cell[i].q > 0)
            o[count++] = cell[i];
    return count;
}

/* Room for CELLS + 2 at least; NULL when there is no memory. */
static struct outcome *of_atoms(size_t *n, bool *cells, const pby_pair *pair)
{
    struct outcome *o = calloc(pair->count + CELLS + 2, sizeof *o);
    if (o == NULL)
        return NULL;
    for (size_t i = 0; i < pair->count; i++)
        set_atom(&o[i], pair, &pair->atoms[i]);
    qsort(o, pair->count, sizeof *o, by_loss);
    *n = join(o, pair->count);
    *cells = *n > CELLS;
    if (*cells)
        *n = bin(o, *n);
    return o;
}

static void set_double(fmpq_t q, double x)
{
    PBY_MPQ(exact);
    mpq_set_d(exact, x);
    fmpq_set_mpq(q, exact);
}

/* Returns the loss up to which the curve is drawn: the largest, or the point with mass below 1/1000 above
 * it. */
static double reach(const pby_curve *curve)
{
    PBY_ARB(p, q);
    PBY_FMPQ(t);
    curve->class->largest(p, curve, BITS);
    double most = arb_is_finite(p) ? middle(p) : 1e-9;
    bool above = !arb_is_finite(p);
    while (above && most < 1e6) {
        set_double(t, most);
        above = curve->class->tails(p, q, curve, t, BITS, NULL) == PBY_OK && middle(p) >= 1e-3;
        most *= 1.2;
    }
    return most;
}

static double depth(const pby_curve *curve, double most)
{
    double least = -most;
    if (curve->class->smallest == NULL)
        return least;
    PBY_ARB(ball);
    curve->class->smallest(ball, curve, BITS);
    if (arb_is_finite(ball))
        least = middle(ball);
    return least;
}

/* One cell more below, which holds the least loss if that has a chance of its own. */
static bool fill_cells(struct outcome *o, const pby_curve *curve, double least, double most)
{
    const double step = (most - least) / (CELLS - 1) * (1 + 1e-9);
    PBY_FMPQ(from, by);
    set_double(from, least - step);
    set_double(by, step);
    arb_ptr p = _arb_vec_init(CELLS), q = _arb_vec_init(CELLS);
    const bool good = curve->class->cells(p, q, curve, from, by, CELLS, BITS, NULL) == PBY_OK;
    for (slong i = 0; i < CELLS && good; i++)
        o[i] = (struct outcome){least + step * (double)i, fmax(0, middle(p + i)), fmax(0, middle(q + i))};
    _arb_vec_clear(q, CELLS);
    _arb_vec_clear(p, CELLS);
    return good;
}

/* *n is 0 where the curve has no cells to draw. */
static struct outcome *of_curve(size_t *n, const pby_curve *curve)
{
    struct outcome *o = calloc(CELLS + 2, sizeof *o);
    *n = 0;
    if (o == NULL || curve->class->cells == NULL)
        return o;
    const double most = reach(curve), least = depth(curve, most);
    if (least < most && fill_cells(o, curve, least, most))
        *n = CELLS;
    if (*n > 0 && curve->class->infinite != NULL) {
        PBY_ARB(ball);
        curve->class->infinite(ball, curve, BITS);
        o[(*n)++] = (struct outcome){INFINITY, middle(ball), 0};
    }
    return o;
}

/* ---- drawn and told --------------------------------------------------------------------------- */

static void put_loss(char *text, size_t size, double loss)
{
    if (isinf(loss))
        snprintf(text, size, loss > 0 ? "inf" : "-inf");
    else
        snprintf(text, size, "%.3g", fabs(loss) < 1e-9 ? 0 : loss);
}

static void draw(FILE *out, const struct outcome *o, size_t n)
{
    pby_svg_bar bar[CELLS + 2];
    char text[CELLS + 2][24];
    for (size_t i = 0; i < n; i++) {
        put_loss(text[i], sizeof text[i], o[i].loss);
        bar[i] = (pby_svg_bar){text[i], {o[i].p, o[i].q}, false};
    }
    pby_legend_begin(out);
    pby_legend_key(out, "left-key", "P, one input");
    pby_legend_key(out, "right-key", "Q, its neighbour");
    pby_legend_end(out);
    pby_svg_bars(out, bar, n, 2, "the chance of each privacy loss under P and under Q", "chance",
                 "privacy loss log(P/Q)");
}

static void table(FILE *out, const struct outcome *o, size_t n)
{
    char text[24];
    fputs("<table>\n<tr><th class=\"number\">privacy loss</th><th class=\"number\">chance under P</th>"
          "<th class=\"number\">chance under Q</th></tr>\n",
          out);
    for (size_t i = n; i-- > 0;) {
        put_loss(text, sizeof text, o[i].loss);
        fprintf(out,
                "<tr><td class=\"number\">%s</td><td class=\"number\">%.6g</td><td "
                "class=\"number\">%.6g</td></tr>\n",
                text, o[i].p, o[i].q);
    }
    fputs("</table>\n", out);
}

/* Outcomes of one loss each, or cells. */
static void print_outcomes(FILE *out, const struct outcome *o, size_t n, bool cells, size_t pairs,
                           uint64_t times)
{
    fputs("<figure>\n", out);
    draw(out, o, n);
    fputs("<figcaption>How likely each privacy loss is on the one input and on the other: 0 tells nothing, "
          "inf gives the input away.",
          out);
    fputs(cells ? " A bar is a range of losses up to the number below it."
                : " Outcomes of one loss are one bar.",
          out);
    if (pairs > 1)
        fprintf(out, " This is the worst of %zu pairs.", pairs);
    if (times > 1)
        fprintf(out, " The whole is a product: this factor occurs %llu times.", (unsigned long long)times);
    fputs("</figcaption>\n</figure>\n", out);
    if (n <= ROWS)
        table(out, o, n);
}

/* *drawn says whether there was anything to draw. */
static pby_status show(bool *drawn, FILE *out, const pby_pairs *pairs, uint64_t times,
                       const pby_explanation *x, pby_error *err)
{
    const pby_pair *pair = worst_of(pairs, x);
    size_t n = 0;
    bool cells = true;
    *drawn = false;
    if (pair == NULL)
        return PBY_OK;
    struct outcome *o = pair->curve == NULL ? of_atoms(&n, &cells, pair) : of_curve(&n, pair->curve);
    if (o == NULL)
        return pby_no_memory(err);
    *drawn = n > 0;
    if (*drawn)
        print_outcomes(out, o, n, cells, pairs->count, times);
    free(o);
    return PBY_OK;
}

/* The pairs for so many uses; the first factor where they are products too large to be written out. */
static pby_status get_pairs(pby_pairs *pairs, uint64_t *times, bool alone, const pby_explanation *x,
                            pby_error *err)
{
    const pby_wanted wanted = {alone ? PBY_ONCE : PBY_ABOVE, x->relation, .factors = true};
    pby_product product;
    const pby_status status = pby_product_of(&product, x->mechanism, &wanted, err);
    *pairs = product.factor->pairs;
    *times = x->spec->use[0].times * (product.count > 0 ? product.factor->times : 1);
    product.factor->pairs = (pby_pairs){NULL, 0};
    pby_product_clear(&product);
    return status;
}

/* A mechanism without pairs is known by its promise, and has nothing to draw. The pairs for a single use may
 * be curves that cannot be divided into cells; those for a composition are drawn then, where there are such.
 */
pby_status pby_explain_pair(FILE *out, const pby_explanation *x, pby_error *err)
{
    pby_pairs pairs = {NULL, 0};
    uint64_t times;
    bool drawn = false;
    PBY_PRIVACY(p, x->mechanism);
    if (!p.paired)
        return PBY_OK;
    pby_status status = get_pairs(&pairs, &times, x->spec->use[0].times == 1, x, err);
    if (status == PBY_OK)
        status = show(&drawn, out, &pairs, times, x, err);
    pby_pairs_clear(&pairs);
    if (status == PBY_OK && !drawn && get_pairs(&pairs, &times, false, x, NULL) == PBY_OK)
        status = show(&drawn, out, &pairs, times, x, err);
    pby_pairs_clear(&pairs);
    return status;
}
