/* SPDX-License-Identifier: MIT */
/* The least alpha of a channel and a metric.
 *
 * For two inputs the output with the greatest ratio p/q decides, and ratios of rationals are compared
 * exactly. The inputs need alpha = log(p/q)/d. That is compared with a rational alpha by log(p/q) - alpha d,
 * which is 0 only if both are: exp of a rational that is not 0 is irrational. Two inputs may need the same
 * alpha; then, and where PREC_MAX bits do not tell them apart, the first is named, and the enclosure is
 * around the greatest anyway. */
#include <arb.h>
#include <flint/fmpq.h>
#include <stdlib.h>

#include "number/ball.h"
#include "number/number_texts.h"
#include "number/numbers.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/experimental/condensed.h"
#include "probity/rational.h"
#include "transport/channel.h"

enum { PREC_FIRST = 128, PREC_MAX = 1 << 12, WORK_BITS = 28 };

struct channel {
    mpq_srcptr p, d;
    size_t inputs, outputs;
};

static mpq_srcptr chance(const struct channel *c, size_t x, size_t z)
{
    return &c->p[x * c->outputs + z];
}

static mpq_srcptr apart(const struct channel *c, size_t x, size_t y)
{
    return &c->d[x * c->inputs + y];
}

/* ---- what is taken ----------------------------------------------------------------------------- */

static pby_status check_metric(const struct channel *c, pby_error *err)
{
    for (size_t x = 0; x < c->inputs; x++)
        for (size_t y = 0; y <= x; y++) {
            const bool good = x == y
                                  ? mpq_sgn(apart(c, x, x)) == 0
                                  : mpq_sgn(apart(c, x, y)) >= 0 && mpq_equal(apart(c, x, y), apart(c, y, x));
            if (!good)
                return pby_fail(
                    err, PBY_BAD,
                    "metric: inputs %zu and %zu: expected a distance from 0 on, the same both ways, "
                    "and 0 from an input to itself",
                    y + 1, x + 1);
        }
    return PBY_OK;
}

static pby_status check(const struct channel *c, pby_error *err)
{
    const size_t most = (size_t)1 << WORK_BITS;
    if (c->inputs == 0 || c->outputs == 0)
        return pby_fail(err, PBY_BAD, "channel: expected an input and an output at least");
    if (c->inputs > most || c->outputs > most || c->inputs > most / c->inputs / c->outputs)
        return pby_fail(err, PBY_BAD, "channel: expected inputs^2 times outputs to be at most 2^%d",
                        WORK_BITS);
    const pby_status status = pby_channel_check(c->p, c->inputs, c->outputs, err);
    return status == PBY_OK ? check_metric(c, err) : status;
}

/* ---- what inputs need -------------------------------------------------------------------------- */

/* The alpha that two inputs need: log(ratio)/d, or more than any number. */
struct need {
    fmpq_t ratio, d;
    bool infinite;
    pby_condensed_pair pair;
};

static void need_init(struct need *n)
{
    fmpq_init(n->ratio);
    fmpq_init(n->d);
    fmpq_one(n->ratio);
    fmpq_one(n->d);
    n->infinite = false;
    n->pair = (pby_condensed_pair){0, 0, 0};
}

static void need_clear(struct need *n)
{
    fmpq_clear(n->ratio);
    fmpq_clear(n->d);
}

static void need_set(struct need *n, const struct need *m)
{
    fmpq_set(n->ratio, m->ratio);
    fmpq_set(n->d, m->d);
    n->infinite = m->infinite;
    n->pair = m->pair;
}

/* The output with the greatest chance on x beside that on y. */
static void need_of(struct need *n, const struct channel *c, size_t x, size_t y)
{
    PBY_FMPQ(p, q);
    fmpq_one(n->ratio);
    n->infinite = false;
    n->pair = (pby_condensed_pair){x, y, 0};
    fmpq_set_mpq(n->d, apart(c, x, y));
    for (size_t z = 0; z < c->outputs && !n->infinite; z++) {
        fmpq_set_mpq(p, chance(c, x, z));
        fmpq_set_mpq(q, chance(c, y, z));
        n->infinite = !fmpq_is_zero(p) && fmpq_is_zero(q);
        if (!fmpq_is_zero(q))
            fmpq_div(p, p, q);
        if (n->infinite || (!fmpq_is_zero(q) && fmpq_cmp(p, n->ratio) > 0)) {
            fmpq_set(n->ratio, p);
            n->pair.output = z;
        }
    }
    if (!n->infinite && fmpq_is_zero(n->d)) {
        n->infinite = !fmpq_is_one(n->ratio);
        fmpq_one(n->d);
    }
}

static void need_ball(arb_t out, const struct need *n, slong prec)
{
    if (n->infinite) {
        arb_pos_inf(out);
        return;
    }
    PBY_ARB(d);
    arb_set_fmpq(out, n->ratio, prec);
    arb_log(out, out, prec);
    arb_set_fmpq(d, n->d, prec);
    arb_div(out, out, d, prec);
}

/* True if n is known to need more than m. */
static bool more(const struct need *n, const struct need *m)
{
    bool is = false, decided = n->infinite || m->infinite || fmpq_is_one(n->ratio) ||
                               (fmpq_equal(n->ratio, m->ratio) && fmpq_equal(n->d, m->d));
    if (decided)
        return n->infinite && !m->infinite;
    PBY_ARB(a, b);
    for (slong prec = PREC_FIRST; prec <= PREC_MAX && !decided; prec *= 2) {
        need_ball(a, n, prec);
        need_ball(b, m, prec);
        is = arb_gt(a, b);
        decided = is || arb_lt(a, b);
    }
    return is;
}

/* The first of those that need the most. */
static void worst_of(struct need *worst, const struct channel *c)
{
    struct need n;
    need_init(&n);
    for (size_t x = 0; x < c->inputs; x++)
        for (size_t y = 0; y < c->inputs; y++) {
            if (x == y)
                continue;
            need_of(&n, c, x, y);
            if (more(&n, worst))
                need_set(worst, &n);
        }
    need_clear(&n);
}

static pby_status enclose_need(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    need_ball(ball, what, prec);
    return PBY_OK;
}

pby_status pby_condensed_least(pby_enclosure *alpha, pby_condensed_pair *worst, mpq_srcptr channel,
                               mpq_srcptr metric, size_t inputs, size_t outputs, unsigned digits,
                               pby_error *err)
{
    const struct channel c = {channel, metric, inputs, outputs};
    const unsigned wanted = digits == 0 ? PBY_DIGITS_DEFAULT : digits;
    struct need n;
    pby_status status = check(&c, err);
    if (status != PBY_OK)
        return status;
    need_init(&n);
    PBY_ARB(ball);
    worst_of(&n, &c);
    status = pby_enclose(ball, enclose_need, &n, wanted, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(alpha, ball, wanted);
    *worst = n.pair;
    need_clear(&n);
    return status;
}

/* Sets *yes if the need is above alpha: the sign of log(ratio) - alpha d decides. */
static pby_status exceeds(bool *yes, const struct need *n, const fmpq_t alpha, pby_error *err)
{
    int sign = 0;
    *yes = n->infinite;
    if (n->infinite || fmpq_is_one(n->ratio))
        return PBY_OK;
    const pby_status status = pby_compare(&sign, enclose_need, n, alpha, err);
    *yes = sign > 0;
    return status;
}

pby_status pby_condensed_holds(bool *holds, pby_condensed_pair *worst, mpq_srcptr channel, mpq_srcptr metric,
                               size_t inputs, size_t outputs, mpq_srcptr alpha, pby_error *err)
{
    const struct channel c = {channel, metric, inputs, outputs};
    struct need n;
    bool yes = false;
    pby_status status = check(&c, err);
    if (status == PBY_OK && mpq_sgn(alpha) < 0)
        status = pby_refuse_mpq(err, "alpha", alpha, "a rational from 0 on");
    if (status != PBY_OK)
        return status;
    need_init(&n);
    PBY_FMPQ(at);
    fmpq_set_mpq(at, alpha);
    worst_of(&n, &c);
    status = exceeds(&yes, &n, at, err);
    *holds = !yes;
    *worst = n.pair;
    need_clear(&n);
    return status;
}

/* ---- as texts ---------------------------------------------------------------------------------- */

struct tables {
    mpq_t *channel, *metric;
    size_t chances, distances;
};

static pby_status tables_init(struct tables *t, const char *const *channel, const char *const *metric,
                              size_t inputs, size_t outputs, pby_error *err)
{
    *t = (struct tables){NULL, NULL, inputs * outputs, inputs * inputs};
    const pby_status status = pby_numbers_parse(&t->channel, "channel", channel, t->chances, err);
    return status == PBY_OK ? pby_numbers_parse(&t->metric, "metric", metric, t->distances, err) : status;
}

static void tables_clear(struct tables *t)
{
    pby_numbers_free(t->channel, t->chances);
    pby_numbers_free(t->metric, t->distances);
}

pby_status pby_condensed_least_text(pby_decimals *alpha, pby_condensed_pair *worst,
                                    const char *const *channel, const char *const *metric, size_t inputs,
                                    size_t outputs, unsigned digits, pby_error *err)
{
    struct tables t;
    pby_worded w;
    pby_status status = pby_worded_begin(&w, "alpha", NULL, err);
    const pby_status read = tables_init(&t, channel, metric, inputs, outputs, err);
    status = status == PBY_OK ? read : status;
    if (status == PBY_OK)
        status = pby_condensed_least(&w.answer, worst, *t.channel, *t.metric, inputs, outputs, digits, err);
    tables_clear(&t);
    return pby_worded_end(&w, alpha, digits, status);
}

pby_status pby_condensed_holds_text(bool *holds, pby_condensed_pair *worst, const char *const *channel,
                                    const char *const *metric, size_t inputs, size_t outputs,
                                    const char *alpha, pby_error *err)
{
    struct tables t;
    PBY_MPQ(at);
    pby_status status = tables_init(&t, channel, metric, inputs, outputs, err);
    if (status == PBY_OK)
        status = pby_rational_parse(at, "alpha", alpha, err);
    if (status == PBY_OK)
        status = pby_condensed_holds(holds, worst, *t.channel, *t.metric, inputs, outputs, at, err);
    tables_clear(&t);
    return status;
}
