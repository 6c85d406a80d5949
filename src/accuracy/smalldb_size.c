/* SPDX-License-Identifier: MIT */
/* Draw `size` records from the data: their average answer to a query is farther than alpha from that of the
 * data with a chance of at most 2 exp(-2 size alpha^2) (Hoeffding). Where so many times the number of
 * queries is below 1, some database is within alpha for all of them. The rest is the exponential mechanism
 * among N databases: a score is t or more below the best with a chance of at most (N - 1) w/(1 + (N - 1) w),
 * w = exp(-rate t), and a score is minus the number of records times an error. */
#include "accuracy/smalldb_size.h"

#include <arb.h>

#include "number/ball.h"
#include "number/scoped.h"
#include "number/text.h"

struct sized {
    uint64_t queries, twice; /* log(twice queries)/(twice alpha^2), twice being 1 or 2 */
    const fmpq *alpha;
};

static pby_status size_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct sized *s = what;
    PBY_FMPQ(by);
    PBY_ARB(scale);
    PBY_FMPZ(all);
    (void)err;
    fmpq_mul(by, s->alpha, s->alpha);
    fmpq_mul_ui(by, by, s->twice);
    fmpz_set_ui(all, s->queries);
    fmpz_mul_ui(all, all, s->twice);
    arb_log_fmpz(ball, all, prec);
    arb_set_fmpq(scale, by, prec);
    arb_div(ball, ball, scale, prec);
    return PBY_OK;
}

pby_status pby_smalldb_size(uint64_t *size, uint64_t queries, const fmpq_t alpha, pby_error *err)
{
    const struct sized s = {queries, 2, alpha};
    PBY_ARB(ball);
    PBY_FMPZ(whole);
    PBY_FMPQ(at);
    int sign;
    PBY_TRY(pby_enclose(ball, size_ball, &s, PBY_DIGITS_DEFAULT, err));
    arb_sub_ui(ball, ball, PBY_SMALLDB_SIZE_MOST, PBY_PRECISION_FIRST);
    if (!arb_is_negative(ball))
        return pby_refuse_rational(err, "alpha", alpha, "one for which 1000000 records are enough");
    arb_add_ui(ball, ball, PBY_SMALLDB_SIZE_MOST, PBY_PRECISION_FIRST);
    arf_get_fmpz(whole, arb_midref(ball), ARF_RND_FLOOR);
    for (fmpz_add_ui(whole, whole, 2); fmpz_sgn(whole) > 0; fmpz_sub_ui(whole, whole, 1)) {
        fmpq_set_fmpz(at, whole); /* downwards while one less is still above the ball, which is no rational */
        fmpq_sub_si(at, at, 1);
        PBY_TRY(pby_compare(&sign, size_ball, &s, at, err));
        if (sign > 0)
            break;
    }
    *size = fmpz_get_ui(whole);
    return PBY_OK;
}

pby_status pby_smalldb_printed_size(pby_enclosure *size, uint64_t queries, const fmpq_t alpha,
                                    unsigned digits, pby_error *err)
{
    const struct sized s = {queries, 1, alpha};
    return pby_enclosure_real(size, size_ball, &s, digits, err);
}

struct asked {
    const pby_smalldb *release;
    pby_smalldb_bound bound;
};

static void log_fmpq(arb_t out, const fmpq_t x, slong prec)
{
    arb_set_fmpq(out, x, prec);
    arb_log(out, out, prec);
}

/* log((N - 1)(1 - beta)/beta), or 0 where that is below */
static void sharp(arb_t out, const fmpz_t databases, const fmpq_t beta, slong prec)
{
    PBY_FMPQ(odds, others);
    fmpq_inv(odds, beta);
    fmpq_sub_si(odds, odds, 1);
    fmpq_set_fmpz(others, databases);
    fmpq_sub_si(others, others, 1);
    fmpq_mul(odds, odds, others);
    arb_zero(out);
    if (fmpq_cmp_si(odds, 1) > 0)
        log_fmpq(out, odds, prec);
}

/* How far the score may be below the best one, times the rate. */
static pby_status below_best(arb_t out, const struct asked *a, slong prec, pby_error *err)
{
    const pby_smalldb *x = a->release;
    PBY_FMPZ(databases);
    PBY_FMPQ(inverse);
    PBY_ARB(term);
    fmpq_inv(inverse, x->beta);
    if (a->bound == PBY_SMALLDB_PRINTED) {
        const struct sized s = {x->queries, 1, x->alpha};
        PBY_TRY(size_ball(out, &s, prec, err));
        arb_log_ui(term, x->kinds, prec);
        arb_mul(out, out, term, prec);
        log_fmpq(term, inverse, prec);
        arb_add(out, out, term, prec);
        return PBY_OK;
    }
    fmpz_bin_uiui(databases, x->kinds + x->size - 1, x->size);
    if (a->bound == PBY_SMALLDB_SHARP) {
        sharp(out, databases, x->beta, prec);
        return PBY_OK;
    }
    fmpq_mul_fmpz(inverse, inverse, databases);
    log_fmpq(out, inverse, prec);
    return PBY_OK;
}

static pby_status error_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct asked *a = what;
    PBY_FMPQ(scale);
    PBY_ARB(alpha);
    PBY_TRY(below_best(ball, a, prec, err));
    fmpq_mul_ui(scale, a->release->rate, a->release->records);
    arb_set_fmpq(alpha, scale, prec);
    arb_div(ball, ball, alpha, prec);
    arb_set_fmpq(alpha, a->release->alpha, prec);
    arb_add(ball, ball, alpha, prec);
    return PBY_OK;
}

pby_status pby_smalldb_error(pby_enclosure *error, const pby_smalldb *x, pby_smalldb_bound bound,
                             unsigned digits, pby_error *err)
{
    const struct asked a = {x, bound};
    return pby_enclosure_real(error, error_ball, &a, digits, err);
}
