/* SPDX-License-Identifier: MIT */
/* The mean error of counts under a threshold, but for a mass gamma (docs/theory/average.md).
 *
 * A bar of x records is published as x + R if that is T or more; otherwise as 0, which is x off. Its error is
 * above j with the chance
 *
 *     P_x(j) = [j < x] P(R < T - x) + P(|R| > j, R >= T - x),
 *
 * which no x has more of than x = j + 1. Of one bar the mean is the greatest over x, and that of |R| for
 * large x. Of several, the greatest of whose errors counts, it lies between that of bars which are all x and
 * the sum over j of max(0, 1 - (1 - P_(j+1)(j))^bars - gamma). */
#include "accuracy/average.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "number/text.h"

enum { REACH_MAX = 1 << 20, WORK_MAX = 1 << 27, T_MAX = 1 << 24 };

struct gate {
    const pby_law *law;
    const fmpq *gamma;
    int64_t T;
    uint64_t bars;

    /* At one precision. */
    arb_ptr cdf; /* of -reach - 1 to reach */
    int64_t reach;
    slong prec;
    arb_t level, tail; /* gamma, and P(|R| > reach) of all bars */
    uint64_t work;
};

/* ---- chances ------------------------------------------------------------------------------------- */

/* P(R <= k) */
static void below(arb_t out, const struct gate *g, int64_t k)
{
    if (k < -g->reach - 1 || k > g->reach) {
        arb_zero(out);
        arb_add_error(out, g->tail);
        if (k > 0) {
            arb_sub_ui(out, out, 1, g->prec);
            arb_neg(out, out);
        }
    } else {
        arb_set(out, g->cdf + k + g->reach + 1);
    }
}

/* out += P(R > k) */
static void add_above(arb_t out, const struct gate *g, int64_t k)
{
    PBY_ARB(x);
    below(x, g, -k - 1);
    arb_add(out, out, x, g->prec);
}

/* P_x(j) */
static void off(arb_t out, const struct gate *g, int64_t x, int64_t j)
{
    const int64_t least = g->T - x;
    PBY_ARB(some);
    arb_zero(out);
    if (j < x)
        below(out, g, least - 1);
    add_above(out, g, least - 1 > j ? least - 1 : j);
    if (least < -j) {
        below(some, g, -j - 1);
        arb_add(out, out, some, g->prec);
        below(some, g, least - 1);
        arb_sub(out, out, some, g->prec);
    }
}

/* The greatest over x. */
static void worst(arb_t out, const struct gate *g, int64_t x, int64_t j)
{
    (void)x;
    off(out, g, j + 1, j);
}

/* P(|R| > j) */
static void noise(arb_t out, const struct gate *g, int64_t x, int64_t j)
{
    (void)x;
    below(out, g, -j - 1);
    arb_mul_2exp_si(out, out, 1);
}

typedef void chance_of(arb_t out, const struct gate *g, int64_t x, int64_t j);

/* The sum over j of max(0, 1 - (1 - chance)^bars - gamma), up to an end beyond which it is that of noise
 * alone, and hardly anything. */
static void sum_up(arb_t out, struct gate *g, chance_of *chance, int64_t x, int64_t end)
{
    bool over = false;
    PBY_ARB(term, zero);
    arb_zero(out);
    for (int64_t j = 0, step = 1; j < end; j += step) {
        step = chance == off && j > g->reach && x > j ? x - j : 1; /* the ball holds all chances up to x */
        chance(term, g, x, j);
        pby_once_of(term, g->bars, g->prec);
        over = arb_le(term, g->level); /* and so are all that follow */
        if (over)
            break;
        arb_sub(term, term, g->level, g->prec);
        pby_raise_to(term, zero, g->prec);
        arb_addmul_si(out, term, step, g->prec);
        g->work++;
    }
    if (!over) { /* under the worst x, hidden bars come to as much again */
        arb_add_error(out, g->tail);
        arb_add_error(out, g->tail);
    }
}

/* ---- one precision ------------------------------------------------------------------------------- */

static pby_status open_at(struct gate *g, slong prec, pby_error *err)
{
    g->prec = prec;
    g->work = 0;
    arb_init(g->level);
    arb_init(g->tail);
    PBY_ARB(next);
    arb_set_fmpq(g->level, g->gamma, prec);
    /* tail is to bound the sum over j >= reach of P(|R| > j), of all bars */
    for (g->reach = 16; g->reach <= REACH_MAX; g->reach *= 2) {
        pby_law_cdf_arb(g->tail, g->law, -g->reach - 1, prec);
        pby_law_cdf_arb(next, g->law, -g->reach, prec);
        pby_mean_rest(g->tail, g->tail, next, prec);
        arb_mul_ui(g->tail, g->tail, g->bars, prec);
        arb_mul_2exp_si(g->tail, g->tail, 1);
        if (arf_cmp_2exp_si(arb_midref(g->tail), -prec / 2) < 0)
            break;
    }
    if (g->reach > REACH_MAX)
        return pby_fail(err, PBY_BAD, "SPEC: expected noise of less than about %d records", REACH_MAX);
    g->cdf = _arb_vec_init(2 * g->reach + 2);
    for (int64_t k = -g->reach - 1; k <= g->reach; k++)
        pby_law_cdf_arb(g->cdf + k + g->reach + 1, g->law, k, prec);
    return PBY_OK;
}

static void close_at(struct gate *g)
{
    if (g->cdf != NULL)
        _arb_vec_clear(g->cdf, 2 * g->reach + 2);
    g->cdf = NULL;
    arb_clear(g->tail);
    arb_clear(g->level);
}

/* Beyond which errors are those of noise. */
static int64_t end_of(const struct gate *g, int64_t x)
{
    return x > g->reach ? x : g->reach;
}

/* Bounds the mean error of bars of x records: the mean of the noise, and x if some bar is hidden. */
static void at_most(arb_t out, const struct gate *g, const arb_t plain, int64_t x)
{
    below(out, g, g->T - x - 1);
    pby_once_of(out, g->bars, g->prec);
    arb_mul_si(out, out, x, g->prec);
    arb_add(out, out, plain, g->prec);
}

/* The x of which a bar is most likely hidden, times x: a good place to begin. */
static int64_t likely_worst(const struct gate *g)
{
    int64_t found = g->T;
    PBY_ARB(one, zero);
    PBY_ARF(most);
    for (int64_t x = g->T - g->reach > 1 ? g->T - g->reach : 1; x <= g->T + g->reach; x++) {
        at_most(one, g, zero, x);
        if (arf_cmp(arb_midref(one), most) > 0) {
            arf_set(most, arb_midref(one));
            found = x;
        }
    }
    return found;
}

/* A bar of x records has at most x more than the mean of noise: those below this have no more than `best`. */
static int64_t first_to_try(const arb_t best, const arb_t plain, slong prec)
{
    PBY_ARB(more);
    PBY_ARF(low);
    arb_sub(more, best, plain, prec);
    arb_get_lbound_arf(low, more, prec);
    return arf_cmp_si(low, 1) > 0 ? arf_get_si(low, ARF_RND_FLOOR) : 1;
}

/* True if gamma covers every error of bars beyond T + reach. */
static bool nothing_beyond(const struct gate *g)
{
    PBY_ARB(some);
    noise(some, g, 0, 0);
    pby_once_of(some, g->bars, g->prec);
    arb_add(some, some, g->tail, g->prec);
    return arb_le(some, g->level);
}

/* The greatest over all x, those being left out that cannot have more. From x = T + reach on hidden bars come
 * to x times a tail, which falls. */
static pby_status search(arb_t best, struct gate *g, pby_error *err)
{
    PBY_ARB(plain, one, bound);
    sum_up(plain, g, noise, 0, g->reach);
    const int64_t first = likely_worst(g), last = g->T + g->reach;
    sum_up(best, g, off, first, end_of(g, first));
    pby_raise_to(best, plain, g->prec);
    for (int64_t x = first_to_try(best, plain, g->prec); x <= last && g->work < WORK_MAX; x++) {
        at_most(bound, g, plain, x);
        if (x == first || arb_le(bound, best))
            continue;
        sum_up(one, g, off, x, end_of(g, x));
        pby_raise_to(best, one, g->prec);
    }
    if (!nothing_beyond(g)) {
        arb_mul_si(one, g->tail, last, g->prec);
        arb_add_error(best, one);
    }
    return g->work < WORK_MAX
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "SPEC: expected a smaller T, or less noise, for a mean");
}

static pby_status attained(arb_t out, const void *what, slong prec, pby_error *err)
{
    struct gate g = *(const struct gate *)what;
    pby_status status = open_at(&g, prec, err);
    if (status == PBY_OK)
        status = search(out, &g, err);
    close_at(&g);
    return status;
}

static pby_status bound(arb_t out, const void *what, slong prec, pby_error *err)
{
    struct gate g = *(const struct gate *)what;
    const pby_status status = open_at(&g, prec, err);
    if (status == PBY_OK) {
        sum_up(out, &g, worst, 0, g.T + g.reach);
    }
    close_at(&g);
    return status;
}

pby_status pby_mean_of_gate(arb_t beta, const pby_mean *of, pby_error *err)
{
    const pby_mechanism *m = of->mechanism;
    pby_law *law = NULL;
    arb_t most;
    struct gate g = {.gamma = of->gamma,
                     .T = fmpz_get_si(fmpq_numref(pby_mechanism_value(m, PBY_ROLE_LEAST))),
                     .bars = of->support};
    if (g.T > T_MAX)
        return pby_mechanism_refuse(m, "a T of at most 2^24 for a mean", err);
    arb_init(most);
    pby_status status = m->family->law(&law, m, err);
    g.law = law;
    if (status == PBY_OK)
        status = pby_enclose(beta, attained, &g, of->digits, err);
    if (status == PBY_OK && g.bars > 1) {
        status = pby_enclose(most, bound, &g, of->digits, err);
        arb_union(beta, beta, most, pby_precision_for_digits(of->digits));
    }
    pby_law_free(law);
    arb_clear(most);
    return status;
}
