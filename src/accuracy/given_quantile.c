/* SPDX-License-Identifier: MIT */
/* The law of a quantile of bars with independent noise.
 *
 * With the share p = num/den, the quantile is bar i or one before it exactly if (den - num) A_i >= num B_i,
 * A_i being the records in the bars up to i and B_i those behind it, or if there are none at all. Both are
 * sums of independent counts: products of polynomials. Coefficients at their ends that hardly count are cut
 * off, and so is noise beyond reach; both go into the balls. */
#include <arb_poly.h>
#include <stdlib.h>

#include "accuracy/given.h"
#include "number/scoped.h"
#include "number/text.h"

enum { LENGTH_MAX = 1 << 20, ALL_MAX = 1 << 22 };

/* The law of a sum: coefficient k is the chance of shift + k. */
struct sum {
    arb_poly_t poly;
    int64_t shift;
};

struct quantile {
    pby_given *g;
    int64_t num, den;
    struct sum *behind; /* B_i of each bar */
    struct sum up;      /* A_i */
    arb_t lost;         /* the mass that was cut off, at most */
    bool exact;         /* nothing was */
};

/* ---- sums --------------------------------------------------------------------------------------- */

/* P(R <= k) - P(R <= k-1) */
static void mass_of(arb_t out, const pby_given *g, int64_t k)
{
    arb_srcptr at = g->cdf + k + g->reach + 1;
    arb_sub(out, at, at - 1, g->prec);
}

/* The published count of bar i; what is not published, or below 1, is 0. */
static pby_status count_of(struct sum *out, const pby_given *g, size_t i, pby_error *err)
{
    const int64_t x = g->x[i], level = g->least > 1 ? g->least : 1, from = x - g->reach, to = x + g->reach;
    arb_t one;
    arb_poly_one(out->poly);
    out->shift = 0;
    if ((g->occupied && x == 0) || to < level)
        return PBY_OK;
    arb_init(one);
    if (from >= level)
        out->shift = from;
    if (to - out->shift >= LENGTH_MAX) {
        arb_clear(one);
        return pby_fail(err, PBY_BAD,
                        "input: expected smaller counts, or less noise, for the law of a quantile");
    }
    arb_poly_zero(out->poly);
    for (int64_t v = to; v >= (from >= level ? from : level); v--) {
        mass_of(one, g, v - x);
        arb_poly_set_coeff_arb(out->poly, v - out->shift, one);
    }
    if (from < level)
        arb_poly_set_coeff_arb(out->poly, 0, g->cdf + level - 1 - x + g->reach + 1);
    arb_clear(one);
    return PBY_OK;
}

/* Cuts ends off that come to less than a small mass together. */
static void cut(struct quantile *q, struct sum *s)
{
    const slong length = arb_poly_length(s->poly);
    slong first = 0, last = length;
    PBY_ARB(some, coefficient, small);
    arb_one(small);
    arb_mul_2exp_si(small, small, -q->g->prec / 2 - 8);
    for (; first < length && arb_lt(some, small); first++) {
        arb_poly_get_coeff_arb(coefficient, s->poly, first);
        arb_add(some, some, coefficient, q->g->prec);
    }
    for (first = first > 0 ? first - 1 : 0; last > first && arb_lt(some, small); last--) {
        arb_poly_get_coeff_arb(coefficient, s->poly, last - 1);
        arb_add(some, some, coefficient, q->g->prec);
    }
    last = last < length ? last + 1 : length;
    arb_poly_truncate(s->poly, last);
    arb_poly_shift_right(s->poly, s->poly, first);
    s->shift += first;
    arb_add(q->lost, q->lost, small, q->g->prec);
    arb_add(q->lost, q->lost, small, q->g->prec);
}

/* out = a + b, independent; out may be a */
static pby_status add(struct quantile *q, struct sum *out, const struct sum *a, const struct sum *b,
                      pby_error *err)
{
    if (arb_poly_length(a->poly) + arb_poly_length(b->poly) > 2 * LENGTH_MAX)
        return pby_fail(err, PBY_BAD, "input: expected fewer bars, or less noise, for the law of a quantile");
    arb_poly_mul(out->poly, a->poly, b->poly, q->g->prec);
    out->shift = a->shift + b->shift;
    if (!q->exact)
        cut(q, out);
    return PBY_OK;
}

/* ---- the law ------------------------------------------------------------------------------------ */

/* The least A that is enough where B is b: ceil(num b/(den - num)); -1 where none is. */
static int64_t enough(const struct quantile *q, int64_t b)
{
    if (q->num == q->den)
        return b == 0 ? 0 : -1;
    PBY_FMPZ(x);
    fmpz_set_si(x, b);
    fmpz_mul_si(x, x, q->num);
    fmpz_cdiv_q_si(x, x, q->den - q->num);
    return fmpz_abs_fits_ui(x) && fmpz_cmp_si(x, INT64_MAX) <= 0 ? fmpz_get_si(x) : -1;
}

/* P((den - num) A >= num B) */
static void chance_of(arb_t out, const struct quantile *q, const struct sum *a, const struct sum *b)
{
    const slong length = arb_poly_length(a->poly), width = arb_poly_length(b->poly), prec = q->g->prec;
    arb_ptr from = _arb_vec_init(length + 1); /* P(A >= shift + k) */
    PBY_ARB(one);
    for (slong k = length - 1; k >= 0; k--) {
        arb_poly_get_coeff_arb(one, a->poly, k);
        arb_add(from + k, from + k + 1, one, prec);
    }
    arb_zero(out);
    bool all = true, none = true;
    for (slong k = 0; k < width; k++) {
        int64_t least = enough(q, b->shift + k);
        least = least < 0 ? length : least - a->shift;
        least = least < 0 ? 0 : least > length ? length : least;
        arb_poly_get_coeff_arb(one, b->poly, k);
        if (arb_is_zero(one))
            continue;
        arb_addmul(out, one, from + least, prec);
        all &= least == 0;
        none &= least == length;
    }
    if (q->exact && (all || none))
        arb_set_ui(out, all ? 1 : 0);
    else
        arb_add_error(out, q->lost);
    _arb_vec_clear(from, length + 1);
}

/* behind[i] for all i, and how much memory that is. */
static pby_status add_from_behind(struct quantile *q, pby_error *err)
{
    const size_t n = q->g->n;
    slong all = 0;
    struct sum one;
    pby_status status = PBY_OK;
    arb_poly_init(one.poly);
    arb_poly_one(q->behind[n - 1].poly);
    for (size_t i = n - 1; i > 0 && status == PBY_OK; i--) {
        status = count_of(&one, q->g, i, err);
        if (status == PBY_OK)
            status = add(q, &q->behind[i - 1], &q->behind[i], &one, err);
        all += arb_poly_length(q->behind[i - 1].poly);
        if (status == PBY_OK && all > ALL_MAX)
            status = pby_fail(err, PBY_BAD,
                              "input: expected fewer bars, or less noise, for the law of a quantile");
    }
    arb_poly_clear(one.poly);
    return status;
}

/* The chance of bar i is that of i or before, less that of a bar before it. */
static pby_status add_from_front(struct quantile *q, pby_error *err)
{
    pby_given *g = q->g;
    struct sum one;
    pby_status status = PBY_OK;
    arb_poly_init(one.poly);
    PBY_ARB(before, now);
    arb_poly_one(q->up.poly);
    arb_one(g->chance + g->n);
    for (size_t i = 0; i < g->n && status == PBY_OK; i++) {
        status = count_of(&one, g, i, err);
        if (status == PBY_OK && one.shift > 0)
            arb_zero(now);
        else if (status == PBY_OK)
            arb_poly_get_coeff_arb(now, one.poly, 0);
        arb_mul(g->chance + g->n, g->chance + g->n, now, g->prec);
        if (status == PBY_OK && one.shift > 0)
            arb_add_error(g->chance + g->n, g->tail);
    }
    arb_set(before, g->chance + g->n);
    for (size_t i = 0; i < g->n && status == PBY_OK; i++) {
        status = count_of(&one, g, i, err);
        if (status == PBY_OK)
            status = add(q, &q->up, &q->up, &one, err);
        if (status != PBY_OK)
            break;
        if (g->occupied && g->x[i] == 0) {
            arb_zero(g->chance + i);
            continue;
        }
        chance_of(now, q, &q->up, &q->behind[i]);
        if (i + 1 == g->n)
            arb_one(now);
        arb_sub(g->chance + i, now, before, g->prec);
        arb_set(before, now);
    }
    arb_poly_clear(one.poly);
    return status;
}

pby_status pby_given_quantile(pby_given *g, pby_error *err)
{
    const bool median = g->statistic->name == PBY_STATISTIC_MEDIAN;
    struct quantile q = {.g = g,
                         .num = median ? 1 : g->statistic->num,
                         .den = median ? 2 : g->statistic->den,
                         .behind = calloc(g->n, sizeof *q.behind),
                         .exact = arb_is_zero(g->tail)};
    if (q.behind == NULL)
        return pby_no_memory(err);
    arb_init(q.lost);
    arb_mul_ui(q.lost, g->tail, g->n, g->prec);
    arb_poly_init(q.up.poly);
    for (size_t i = 0; i < g->n; i++)
        arb_poly_init(q.behind[i].poly);
    pby_status status = add_from_behind(&q, err);
    if (status == PBY_OK)
        status = add_from_front(&q, err);
    for (size_t i = 0; i < g->n; i++)
        arb_poly_clear(q.behind[i].poly);
    arb_poly_clear(q.up.poly);
    arb_clear(q.lost);
    free(q.behind);
    return status;
}

/* ---- what dropping records explains -------------------------------------------------------------- */

/* With L records before bar i, X in it and G behind: (den - num) L < num (X + G), or some of L must go, and
 * (den
 * - num) (L + X) >= num G, or some of G. Where the fewest go, the other inequality holds. */
bool pby_given_quantile_explained(const pby_given *g, size_t i)
{
    const bool median = g->statistic->name == PBY_STATISTIC_MEDIAN;
    const slong num = median ? 1 : g->statistic->num, rest = median ? 1 : g->statistic->den - num;
    uint64_t before = 0, behind = 0;
    if (i == g->n || g->x[i] < 1)
        return i == g->n && g->may_go >= g->records;
    for (size_t j = 0; j < g->n; j++)
        if (j != i)
            *(j < i ? &before : &behind) += (uint64_t)g->x[j];
    fmpz_t cost;
    PBY_FMPZ(most);
    fmpz_init_set_ui(cost, 0);
    if (rest > 0) { /* before <= ceil(num (X + G)/rest) - 1 */
        fmpz_set_ui(most, behind + (uint64_t)g->x[i]);
        fmpz_mul_si(most, most, num);
        fmpz_cdiv_q_si(most, most, rest);
        fmpz_sub_ui(most, most, 1);
        if (fmpz_cmp_ui(most, before) < 0) {
            fmpz_set_ui(cost, before);
            fmpz_sub(cost, cost, most);
        }
    }
    fmpz_set_ui(most, before + (uint64_t)g->x[i]); /* behind <= floor(rest (L + X)/num) */
    fmpz_mul_si(most, most, rest);
    fmpz_fdiv_q_si(most, most, num);
    if (fmpz_cmp_ui(most, behind) < 0) {
        fmpz_set_ui(cost, behind);
        fmpz_sub(cost, cost, most);
    }
    const bool good = fmpz_cmp_ui(cost, g->may_go) <= 0;
    fmpz_clear(cost);
    return good;
}
