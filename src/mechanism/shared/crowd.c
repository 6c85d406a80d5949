/* SPDX-License-Identifier: MIT */
/* With k records that are each seen with chance q, and move the query by d if they are, the outputs are
 *
 *     sum over b of C(k, b) q^b (1-q)^(k-b) (noise + b d)      against      noise.
 *
 * The output is cut into cells, which is post-processing: the pair of the cells' chances loses no more, and
 * as the likelihood ratio rises along the line, narrow cells lose little of it. */
#include "mechanism/shared/crowd.h"

#include <math.h>

#include "number/ball.h"
#include "number/erfc.h"
#include "number/scoped.h"
#include "pair/rounded.h"

enum { CELLS = 256, BITS = 192 };

/* The noise on the query: a law on the integers, or a continuous one of a variance or a scale. */
struct noise {
    pby_law *law;
    const fmpq *sigma2, *scale;
    fmpq_t shift;
    double width; /* how far beyond the shifts cells go */
};

struct crowd {
    struct noise noise;
    arb_ptr weight; /* that so many of the records are seen */
    slong members;
};

/* ---- the noise -------------------------------------------------------------------------------- */

static bool is_whole(const fmpq_t x)
{
    return fmpz_is_one(fmpq_denref(x)) && fmpz_cmp_si(fmpq_numref(x), 1 << 20) < 0;
}

/* Integer noise: the query moves by whole steps of the grid. */
static bool of_law(struct noise *noise, const pby_mechanism *m)
{
    const fmpq *unit = pby_mechanism_unit(m);
    if (m->family->law == NULL || m->family->law(&noise->law, m, NULL) != PBY_OK)
        return false;
    if (unit != NULL)
        fmpq_div(noise->shift, noise->shift, unit);
    return is_whole(noise->shift);
}

/* Beyond 0 and all shifts together exponential noise has one ratio; of Gaussian noise some exp(-40) is left.
 */
static double width_of(const struct noise *noise)
{
    return noise->sigma2 != NULL ? 9 * sqrt(fmpq_get_d(noise->sigma2)) : fmpq_get_d(noise->shift);
}

/* False where the noise is none of these. */
static bool noise_init(struct noise *noise, const pby_mechanism *m)
{
    const fmpq *by = pby_mechanism_value(m, PBY_ROLE_SENSITIVITY);
    *noise = (struct noise){.sigma2 = pby_mechanism_value(m, PBY_ROLE_VARIANCE),
                            .scale = pby_mechanism_value(m, PBY_ROLE_SCALE)};
    fmpq_init(noise->shift);
    if (by == NULL)
        return false;
    fmpq_set(noise->shift, by);
    PBY_PRIVACY(p, m);
    if (p.integral ? noise->sigma2 == NULL && noise->scale == NULL : !of_law(noise, m))
        return false;
    noise->width = width_of(noise);
    return noise->width < 0x1p50;
}

static void noise_clear(struct noise *noise)
{
    pby_law_free(noise->law);
    fmpq_clear(noise->shift);
}

/* P(noise <= t) of continuous noise. */
static void continuous_cdf(arb_t out, const struct noise *noise, const fmpq_t t, slong prec)
{
    PBY_ARB(x);
    arb_set_fmpq(x, t, prec);
    if (noise->sigma2 != NULL) {
        PBY_ARB(s);
        arb_set_fmpq(s, noise->sigma2, prec);
        arb_mul_2exp_si(s, s, 1);
        arb_sqrt(s, s, prec);
        arb_div(x, x, s, prec);
        arb_neg(x, x);
        pby_erfc(out, x, prec);
        arb_mul_2exp_si(out, out, -1);
    } else {
        arb_mul_fmpz(x, x, fmpq_denref(noise->scale), prec);
        arb_div_fmpz(x, x, fmpq_numref(noise->scale), prec);
        if (fmpq_sgn(t) > 0)
            arb_neg(x, x);
        arb_exp(out, x, prec);
        arb_mul_2exp_si(out, out, -1);
        if (fmpq_sgn(t) > 0) {
            arb_sub_ui(out, out, 1, prec);
            arb_neg(out, out);
        }
    }
}

static void cdf(arb_t out, const struct noise *noise, const fmpq_t t, slong prec)
{
    if (noise->law == NULL) {
        continuous_cdf(out, noise, t, prec);
        return;
    }
    PBY_FMPZ(k);
    fmpz_fdiv_q(k, fmpq_numref(t), fmpq_denref(t));
    pby_law_cdf_arb(out, noise->law, fmpz_get_si(k), prec);
}

/* ---- the crowd -------------------------------------------------------------------------------- */

static void set_weights(struct crowd *c, const fmpq_t rate)
{
    PBY_ARB(q, rest);
    PBY_FMPZ(ways);
    arb_set_fmpq(q, rate, BITS);
    arb_sub_ui(rest, q, 1, BITS);
    arb_neg(rest, rest);
    for (slong b = 0; b <= c->members; b++) {
        PBY_ARB(part);
        fmpz_bin_uiui(ways, (ulong)c->members, (ulong)b);
        arb_pow_ui(c->weight + b, q, (ulong)b, BITS);
        arb_pow_ui(part, rest, (ulong)(c->members - b), BITS);
        arb_mul(c->weight + b, c->weight + b, part, BITS);
        arb_mul_fmpz(c->weight + b, c->weight + b, ways, BITS);
    }
}

/* P(output <= t) with the records, and without them. */
static void both_cdfs(arb_t with, arb_t without, const struct crowd *c, const fmpq_t t)
{
    PBY_FMPQ(at);
    PBY_ARB(one);
    fmpq_set(at, t);
    arb_zero(with);
    for (slong b = 0; b <= c->members; b++) {
        cdf(one, &c->noise, at, BITS);
        if (b == 0)
            arb_set(without, one);
        arb_addmul(with, c->weight + b, one, BITS);
        fmpq_sub(at, at, c->noise.shift);
    }
}

/* The i-th end of a cell, from below all noise to above all outputs; whole for noise on the integers. */
static void end_of_cell(fmpq_t t, const struct crowd *c, slong i)
{
    const double far = c->noise.width, all = 2 * far + (double)c->members * fmpq_get_d(c->noise.shift);
    const double at = -far + all * (double)i / CELLS;
    PBY_ARF(x);
    arf_set_d(x, c->noise.law != NULL ? floor(at) : at);
    arf_set_round(x, x, 40, ARF_RND_DOWN);
    arf_get_fmpq(t, x);
}

static void find_cells(arb_ptr p, arb_ptr q, const struct crowd *c)
{
    arb_t last_p, last_q, with, without;
    arb_init(last_p), arb_init(last_q), arb_init(with), arb_init(without);
    PBY_FMPQ(t);
    for (slong i = 0; i <= CELLS; i++) {
        end_of_cell(t, c, i);
        both_cdfs(with, without, c, t);
        arb_sub(p + i, with, last_p, BITS);
        arb_sub(q + i, without, last_q, BITS);
        arb_swap(last_p, with);
        arb_swap(last_q, without);
    }
    arb_sub_ui(p + CELLS + 1, last_p, 1, BITS);
    arb_neg(p + CELLS + 1, p + CELLS + 1);
    arb_sub_ui(q + CELLS + 1, last_q, 1, BITS);
    arb_neg(q + CELLS + 1, q + CELLS + 1);
    arb_clear(last_p), arb_clear(last_q), arb_clear(with), arb_clear(without);
}

static pby_status pairs_of_cells(pby_pairs *out, const struct crowd *c, pby_error *err)
{
    arb_ptr p = _arb_vec_init(CELLS + 2), q = _arb_vec_init(CELLS + 2);
    find_cells(p, q, c);
    pby_status status = pby_pairs_init(out, 2, err);
    if (status == PBY_OK) {
        out->pair[0].direction = PBY_BACKWARD;
        out->pair[1].direction = PBY_FORWARD;
        status = pby_pair_of_balls(&out->pair[0], p, q, CELLS + 2, err);
    }
    if (status == PBY_OK)
        status = pby_pair_of_balls(&out->pair[1], q, p, CELLS + 2, err);
    _arb_vec_clear(q, CELLS + 2);
    _arb_vec_clear(p, CELLS + 2);
    return status;
}

pby_status pby_crowd_pairs(pby_pairs *out, const pby_mechanism *m, unsigned long size, pby_error *err)
{
    const fmpq *rate = pby_mechanism_sample(m);
    if (rate == NULL || pby_mechanism_fixed(m) || pby_mechanism_truncated(m) || pby_mechanism_allocated(m) ||
        pby_mechanism_value(m, PBY_ROLE_NORM) != NULL || pby_mechanism_value(m, PBY_ROLE_THETA) != NULL)
        return PBY_OK;
    struct crowd c = {.members = (slong)(size < PBY_CROWD_MOST ? size : PBY_CROWD_MOST)};
    pby_status status = PBY_OK;
    if (noise_init(&c.noise, m)) {
        c.weight = _arb_vec_init(c.members + 1);
        set_weights(&c, rate);
        status = pairs_of_cells(out, &c, err);
        _arb_vec_clear(c.weight, c.members + 1);
    }
    noise_clear(&c.noise);
    return status;
}
