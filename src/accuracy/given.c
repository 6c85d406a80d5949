/* SPDX-License-Identifier: MIT */
/* The accuracy of a statistic on given data, from the exact law of its answer (docs/theory/given.md).
 *
 * Bars get independent noise R, so P(y_i >= v) for v >= 1 is P(R >= v - x_i), or 0 of an empty bar that gets
 * none; behind a threshold T it is that of max(v, T). From these come the laws of max_k, min_k and mode;
 * quantiles and mechanisms that publish an answer have files of their own. The cdf of R is looked up in a
 * table from -reach to reach; beyond it lies `tail`, which goes into every ball.
 */
#include <arb.h>
#include <stdlib.h>

#include "accuracy/accuracy.h"
#include "accuracy/given.h"
#include "accuracy/row.h"
#include "mechanism/family.h"
#include "number/ball.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/experimental/accuracy.h"
#include "probity/rational.h"

enum { REACH_MAX = 1 << 20, WORK_BITS = 26, BARS_MAX = 1 << 16 };

/* ---- the mechanism ----------------------------------------------------------------------------- */

static pby_status read_mechanism(pby_given *g, const pby_spec *spec, pby_error *err)
{
    static const char expected[] =
        "ptr, smooth, or a mechanism that releases whole counts of a histogram, used once";
    const pby_mechanism *m;
    pby_accuracy_kind kind;
    pby_status status = pby_accuracy_kind_of(&kind, spec, err);
    if (status == PBY_OK)
        status = pby_spec_single(&m, spec, "one mechanism, used once", err);
    if (status != PBY_OK)
        return status;
    const bool gated = kind == PBY_ACCURACY_GATED, drops = kind == PBY_ACCURACY_DROPS;
    const bool counts = m->family->form == PBY_RELEASE_COUNTS || m->family->form == PBY_RELEASE_PASSED;
    if (!(gated || drops || kind == PBY_ACCURACY_NOISY || kind == PBY_ACCURACY_QUERY) || !counts ||
        m->family->takes != PBY_TAKES_COUNTS || m->family->release == NULL || pby_mechanism_unit(m) != NULL)
        return pby_refuse(err, "SPEC", pby_spec_text(spec), expected);
    g->occupied = gated || drops;
    g->least = gated ? fmpz_get_si(fmpq_numref(pby_mechanism_value(m, PBY_ROLE_LEAST))) : 1;
    return pby_mechanism_size(m) > 0 ? m->family->law_for(&g->law, m, g->records, g->n, err)
                                     : m->family->law(&g->law, m, err);
}

/* tail = P(|R| > reach) */
static void set_tail(pby_given *g)
{
    PBY_ARB(above);
    pby_law_cdf_arb(g->tail, g->law, -g->reach - 1, g->prec);
    pby_law_cdf_arb(above, g->law, g->reach, g->prec);
    arb_sub_ui(above, above, 1, g->prec);
    arb_sub(g->tail, g->tail, above, g->prec);
}

static pby_status make_table(pby_given *g, pby_error *err)
{
    const bool ends = pby_law_bounded_below(g->law) && pby_law_bounded_above(g->law);
    if (ends) {
        g->reach = FLINT_MAX(FLINT_MAX(-g->law->lo, g->law->hi), 1);
        if (g->reach <= REACH_MAX)
            arb_zero(g->tail);
    } else {
        PBY_ARF(small);
        arf_set_si_2exp_si(small, 1, -g->prec / 2);
        for (g->reach = 16; g->reach <= REACH_MAX; g->reach *= 2) {
            set_tail(g);
            if (arf_cmp(arb_midref(g->tail), small) < 0)
                break;
        }
    }
    if (g->reach > REACH_MAX)
        return pby_fail(err, PBY_BAD, "SPEC: expected noise of less than about %d records", REACH_MAX);
    g->cdf = _arb_vec_init(2 * g->reach + 2);
    for (int64_t k = -g->reach - 1; k <= g->reach; k++) {
        arb_ptr at = g->cdf + k + g->reach + 1;
        if (k < g->law->lo || k >= g->law->hi)
            arb_set_ui(at, k < g->law->lo ? 0 : 1); /* exactly: what cannot happen has no chance */
        else
            pby_law_cdf_arb(at, g->law, k, g->prec);
    }
    return PBY_OK;
}

/* P(y_i >= v), v >= 1 */
static void at_least(arb_t out, const pby_given *g, size_t i, int64_t v)
{
    const int64_t level = v > g->least ? v : g->least;
    const int64_t k = level - 1 - g->x[i]; /* no overflow: level is within reach of some count */
    if (g->occupied && g->x[i] == 0) {
        arb_zero(out);
    } else if (k < -g->reach - 1 || k > g->reach) {
        arb_zero(out);
        arb_add_error(out, g->tail);
        if (k < 0) {
            arb_sub_ui(out, out, 1, g->prec);
            arb_neg(out, out);
        }
    } else {
        arb_sub_ui(out, g->cdf + k + g->reach + 1, 1, g->prec);
        arb_neg(out, out);
    }
}

/* ---- the laws ---------------------------------------------------------------------------------- */

/* The last bar with k records or more, or the first: chances from that end on. */
static void law_of_end(pby_given *g, bool last, int64_t k)
{
    PBY_ARB(left, one);
    arb_one(left);
    for (size_t s = 0; s < g->n; s++) {
        const size_t i = last ? g->n - 1 - s : s;
        at_least(one, g, i, k);
        arb_mul(g->chance + i, left, one, g->prec);
        arb_sub_ui(one, one, 1, g->prec);
        arb_neg(one, one);
        arb_mul(left, left, one, g->prec);
    }
    arb_set(g->chance + g->n, left);
}

/* One height of the first fullest bar: those before are below v, those behind not above it. */
static void add_height(pby_given *g, arb_ptr behind, int64_t v)
{
    PBY_ARB(more, same, before);
    arb_one(behind + g->n);
    for (size_t i = g->n; i-- > 0;) {
        at_least(more, g, i, v + 1);
        arb_sub_ui(more, more, 1, g->prec);
        arb_neg(more, more);
        arb_mul(behind + i, behind + i + 1, more, g->prec);
    }
    arb_one(before);
    for (size_t i = 0; i < g->n; i++) {
        at_least(same, g, i, v);
        at_least(more, g, i, v + 1);
        arb_sub(more, same, more, g->prec);
        arb_mul(more, more, before, g->prec);
        arb_addmul(g->chance + i, more, behind + i + 1, g->prec);
        arb_sub_ui(same, same, 1, g->prec);
        arb_neg(same, same);
        arb_mul(before, before, same, g->prec);
    }
}

static pby_status law_of_mode(pby_given *g, pby_error *err)
{
    int64_t most = 0;
    for (size_t i = 0; i < g->n; i++)
        most = g->x[i] > most ? g->x[i] : most;
    const int64_t first = most - g->reach > 1 ? most - g->reach : 1, last = most + g->reach;
    if ((uint64_t)(last - first + 1) > ((uint64_t)1 << WORK_BITS) / g->n)
        return pby_fail(err, PBY_BAD, "input: expected fewer bars, or less noise, for the law of the mode");
    arb_ptr behind = _arb_vec_init((slong)g->n + 1);
    for (int64_t v = first; v <= last; v++)
        add_height(g, behind, v);
    _arb_vec_clear(behind, (slong)g->n + 1);
    PBY_ARB(one);
    arb_one(g->chance + g->n);
    for (size_t i = 0; i < g->n; i++) {
        at_least(one, g, i, 1);
        arb_sub_ui(one, one, 1, g->prec);
        arb_neg(one, one);
        arb_mul(g->chance + g->n, g->chance + g->n, one, g->prec);
    }
    /* heights that were left out: the fullest bar lower than first, or some bar above last */
    arb_mul_ui(one, g->tail, g->n + 1, g->prec);
    for (size_t i = 0; i < g->n; i++)
        arb_add_error(g->chance + i, one);
    return PBY_OK;
}

static pby_status find_law(pby_given *g, pby_error *err)
{
    switch (g->statistic->name) {
    case PBY_STATISTIC_MAX:
    case PBY_STATISTIC_MIN:
        law_of_end(g, g->statistic->name == PBY_STATISTIC_MAX, 1);
        return PBY_OK;
    case PBY_STATISTIC_MAX_K:
    case PBY_STATISTIC_MIN_K:
        law_of_end(g, g->statistic->name == PBY_STATISTIC_MAX_K, g->statistic->k);
        return PBY_OK;
    case PBY_STATISTIC_MODE:
        return law_of_mode(g, err);
    case PBY_STATISTIC_MEDIAN:
    case PBY_STATISTIC_QUANTILE:
        return pby_given_quantile(g, err);
    case PBY_STATISTIC_RANGE:
    case PBY_STATISTIC_SUPPORT:
        break;
    }
    return pby_refuse(err, "statistic", pby_statistic_text(g->statistic->name),
                      "max, min, max_k, min_k, mode, median or quantile");
}

static pby_status find_noisy(pby_given *g, const pby_spec *spec, pby_error *err)
{
    pby_status status = read_mechanism(g, spec, err);
    if (status == PBY_OK)
        status = make_table(g, err);
    return status == PBY_OK ? find_law(g, err) : status;
}

/* ---- what dropping records explains ------------------------------------------------------------ */

/* Adds records that must go; false once these are too many. */
static bool spend(uint64_t *left, int64_t records)
{
    if (records <= 0)
        return true;
    if ((uint64_t)records > *left)
        return false;
    *left -= (uint64_t)records;
    return true;
}

/* True if the last (or first) bar with k records may become i; n: no bar. */
static bool end_explained(const pby_given *g, bool last, int64_t k, size_t i)
{
    uint64_t left = g->may_go;
    bool good = i == g->n || g->x[i] >= k;
    for (size_t j = 0; j < g->n && good; j++)
        if (i == g->n || (last ? j > i : j < i))
            good = spend(&left, g->x[j] - k + 1);
    return good;
}

static bool mode_explained(const pby_given *g, size_t i)
{
    uint64_t left = g->may_go;
    if (i == g->n)
        return g->may_go >= g->records;
    bool good = g->x[i] >= 1;
    for (size_t j = 0; j < g->n && good; j++)
        if (j != i)
            good = spend(&left, g->x[j] - g->x[i] + (j < i));
    return good;
}

static bool explained(const pby_given *g, size_t i)
{
    const pby_statistic_name name = g->statistic->name;
    if (name == PBY_STATISTIC_MODE)
        return mode_explained(g, i);
    if (name == PBY_STATISTIC_MEDIAN || name == PBY_STATISTIC_QUANTILE)
        return pby_given_quantile_explained(g, i);
    const bool last = name == PBY_STATISTIC_MAX || name == PBY_STATISTIC_MAX_K;
    const bool any = name == PBY_STATISTIC_MAX || name == PBY_STATISTIC_MIN;
    return end_explained(g, last, any ? 1 : g->statistic->k, i);
}

/* ---- distances --------------------------------------------------------------------------------- */

/* The error of an answer, for sorting. */
struct off {
    mpq_t by;
    size_t answer;
};

static int by_distance(const void *a, const void *b)
{
    const struct off *x = a, *y = b;
    return mpq_cmp(x->by, y->by);
}

/* out = |at[i] - at[j]|, where none is `none` from every bar. */
static void apart(mpq_t out, const pby_given *g, mpq_srcptr none, size_t i, size_t j)
{
    if (i == j) {
        mpq_set_ui(out, 0, 1);
    } else if (i == g->n || j == g->n) {
        mpq_set(out, none);
    } else {
        mpq_sub(out, &g->at[i], &g->at[j]);
        mpq_abs(out, out);
    }
}

/* The least distance of each answer from one that dropping explains: from the left, then from the right. */
static void find_offs(struct off *off, const pby_given *g, const bool *good, mpq_srcptr none)
{
    PBY_MPQ(x);
    for (size_t pass = 0; pass < 2; pass++) {
        size_t nearest = g->n;
        for (size_t s = 0; s < g->n; s++) {
            const size_t i = pass == 0 ? s : g->n - 1 - s;
            nearest = good[i] ? i : nearest;
            apart(x, g, none, i, nearest);
            if (pass == 0 || mpq_cmp(x, off[i].by) < 0)
                mpq_set(off[i].by, x);
            off[i].answer = i;
        }
    }
    off[g->n].answer = g->n;
    apart(off[g->n].by, g, none, g->n, good[g->n] ? g->n : 0);
}

static void arb_mul_mpq(arb_t x, mpq_srcptr y, slong prec)
{
    PBY_FMPQ(q);
    PBY_ARB(ball);
    fmpq_set_mpq(q, y);
    arb_set_fmpq(ball, q, prec);
    arb_mul(x, x, ball, prec);
}

static void mean_error(arb_t out, const pby_given *g, size_t truth, mpq_srcptr none)
{
    PBY_ARB(part);
    PBY_MPQ(x);
    arb_zero(out);
    for (size_t i = 0; i <= g->n; i++) {
        apart(x, g, none, i, truth);
        arb_set(part, g->chance + i);
        arb_mul_mpq(part, x, g->prec);
        arb_add(out, out, part, g->prec);
    }
}

/* off[0] is at distance 0: the truth is explained. The sum over steps of the distance of max(0, P(farther) -
 * gamma), from the farthest answer down; and the first distance that no more than gamma is beyond. */
static void flexible_error(arb_t out, mpq_t beta, bool *least, const pby_given *g, const struct off *off,
                           mpq_srcptr gamma)
{
    bool sure = true;
    PBY_ARB(beyond, part, level, zero);
    PBY_FMPQ(q);
    PBY_MPQ(width);
    fmpq_set_mpq(q, gamma);
    arb_set_fmpq(level, q, g->prec);
    arb_zero(out);
    *least = true;
    mpq_set(beta, off[g->n].by);
    for (size_t s = g->n; s > 0; s--) {
        arb_add(beyond, beyond, g->chance + off[s].answer, g->prec);
        mpq_sub(width, off[s].by, off[s - 1].by);
        if (mpq_sgn(width) == 0)
            continue;
        arb_sub(part, beyond, level, g->prec);
        pby_raise_to(part, zero, g->prec);
        arb_mul_mpq(part, width, g->prec);
        arb_add(out, out, part, g->prec);
        if (sure && arb_le(beyond, level))
            mpq_set(beta, off[s - 1].by);
        else if (sure) {
            sure = false;
            *least = arb_gt(beyond, level);
        }
    }
}

/* ---- all of it --------------------------------------------------------------------------------- */

static pby_status check_given(pby_given *g, mpq_srcptr alpha, mpq_srcptr gamma, pby_error *err)
{
    mpq_t x;
    if (g->n == 0 || g->n > BARS_MAX)
        return pby_fail(err, PBY_BAD, "input: expected from 1 to %d bars", BARS_MAX);
    if (mpq_sgn(alpha) < 0 || mpq_cmp_ui(alpha, 1, 1) > 0)
        return pby_refuse_mpq(err, "alpha", alpha, "a rational from 0 to 1");
    if (mpq_sgn(gamma) < 0 || mpq_cmp_ui(gamma, 1, 1) > 0)
        return pby_refuse_mpq(err, "gamma", gamma, "a rational from 0 to 1");
    for (size_t i = 0; i < g->n; i++) {
        if (g->x[i] < 0 || g->x[i] > INT64_MAX / 4 || g->records > INT64_MAX / 4)
            return pby_fail(err, PBY_BAD, "input: expected counts from 0 on, of less than 2^61 records");
        if (i > 0 && mpq_cmp(&g->at[i - 1], &g->at[i]) >= 0)
            return pby_fail(err, PBY_BAD, "input: expected positions that grow");
        g->records += (uint64_t)g->x[i];
    }
    mpq_init(x);
    PBY_MPZ(whole);
    mpq_set_ui(x, g->records, 1);
    mpq_mul(x, x, alpha);
    mpz_fdiv_q(whole, mpq_numref(x), mpq_denref(x));
    g->may_go = mpz_get_ui(whole);
    mpq_clear(x);
    return PBY_OK;
}

void pby_given_accuracy_init(pby_given_accuracy *a)
{
    *a = (pby_given_accuracy){.truth = 0};
    pby_enclosure_init(&a->error);
    pby_enclosure_init(&a->flexible);
    mpq_inits(a->beta, a->none, NULL);
}

void pby_given_accuracy_clear(pby_given_accuracy *a)
{
    for (size_t i = 0; a->law != NULL && i <= a->bars; i++)
        pby_enclosure_clear(&a->law[i]);
    free(a->law);
    free(a->explained);
    mpq_clears(a->beta, a->none, NULL);
    pby_enclosure_clear(&a->flexible);
    pby_enclosure_clear(&a->error);
}

static pby_status make_room(pby_given_accuracy *out, struct off **off, size_t n, pby_error *err)
{
    *off = calloc(n + 1, sizeof **off);
    out->law = calloc(n + 1, sizeof *out->law);
    out->explained = calloc(n + 1, sizeof *out->explained);
    for (size_t i = 0; i <= n && *off != NULL; i++)
        mpq_init((*off)[i].by);
    for (size_t i = 0; i <= n && out->law != NULL; i++)
        pby_enclosure_init(&out->law[i]);
    out->bars = n;
    return *off != NULL && out->law != NULL && out->explained != NULL ? PBY_OK : pby_no_memory(err);
}

static pby_status answer(pby_given_accuracy *out, pby_given *g, mpq_srcptr gamma, unsigned digits,
                         pby_error *err)
{
    struct off *off = NULL;
    size_t found, *bars = calloc(g->n, sizeof *bars);
    PBY_ARB(ball, zero);
    pby_status status = make_room(out, &off, g->n, err);
    if (status == PBY_OK && bars == NULL)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = pby_statistic_bars(bars, &found, g->statistic, g->x, g->n, err);
    if (status == PBY_OK) {
        out->truth = found == 0 ? g->n : bars[0];
        mpq_sub(out->none, &g->at[g->n - 1], &g->at[0]);
        if (mpq_sgn(out->none) == 0)
            mpq_set_ui(out->none, 1, 1);
        for (size_t i = 0; i <= g->n; i++) {
            out->explained[i] = explained(g, i);
            pby_enclosure_set_arb(&out->law[i], g->chance + i, digits);
            pby_enclosure_keep_in_unit(&out->law[i]);
        }
        mean_error(ball, g, out->truth, out->none);
        pby_raise_to(ball, zero, g->prec);
        pby_enclosure_set_arb(&out->error, ball, digits);
        find_offs(off, g, out->explained, out->none);
        qsort(off, g->n + 1, sizeof *off, by_distance);
        flexible_error(ball, out->beta, &out->least, g, off, gamma);
        pby_raise_to(ball, zero, g->prec);
        pby_enclosure_set_arb(&out->flexible, ball, digits);
    }
    for (size_t i = 0; i <= g->n && off != NULL; i++)
        mpq_clear(off[i].by);
    free(off);
    free(bars);
    return status;
}

pby_status pby_accuracy_given(pby_given_accuracy *out, const pby_spec *spec, const pby_statistic *statistic,
                              const int64_t *counts, mpq_srcptr at, size_t n, mpq_srcptr alpha,
                              mpq_srcptr gamma, unsigned digits, pby_error *err)
{
    const unsigned wanted = digits == 0 ? PBY_DIGITS_DEFAULT : digits;
    pby_statistic asked = *statistic;
    if (asked.name == PBY_STATISTIC_QUANTILE && asked.num == 0)
        asked.name = PBY_STATISTIC_MIN; /* which it is */
    if (asked.name == PBY_STATISTIC_MAX || asked.name == PBY_STATISTIC_MIN)
        asked.k = 1;
    pby_given g = {
        .statistic = &asked, .x = counts, .at = at, .n = n, .prec = 2 * pby_precision_for_digits(wanted)};
    pby_status status = check_given(&g, alpha, gamma, err);
    if (status != PBY_OK)
        return status;
    arb_init(g.tail);
    g.chance = _arb_vec_init((slong)n + 1);
    const pby_mechanism *m = &spec->use[0].mechanism;
    if (m->family->form == PBY_RELEASE_STATISTIC) {
        status = pby_spec_single(&m, spec, "one mechanism, used once", err);
        if (status == PBY_OK)
            status = pby_given_steady(&g, m, err);
    } else {
        status = find_noisy(&g, spec, err);
    }
    if (status == PBY_OK)
        status = answer(out, &g, gamma, wanted, err);
    if (g.cdf != NULL)
        _arb_vec_clear(g.cdf, 2 * g.reach + 2);
    _arb_vec_clear(g.chance, (slong)n + 1);
    pby_law_free(g.law);
    arb_clear(g.tail);
    return status;
}
