/* SPDX-License-Identifier: MIT */
/* Two-sided geometric noise G of ratio a = exp(-w), and a threshold T.
 *
 * A bar of 0 passes with g = a^T/(1+a), so that of N bars N g pass on average and none with (1 - g)^N.
 *
 * A bar of c passes and is off by more than eta c: if c (1 + eta) < T, all that pass are, and the chance
 * P(G >= T - c) rises with c; if not, it is at most P(|G| > eta c), which falls with c, and at least half of
 * that for the least such c. */
#include "accuracy/passing.h"

#include <arb.h>

#include "mechanism/family.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "number/text.h"

struct passing {
    fmpq_t rate;
    int64_t threshold;
    unsigned long zeros;
    fmpz_t lifted; /* T - c for the greatest c with c (1 + eta) < T; 0: there is no such c */
    fmpz_t off;    /* floor(eta c) + 1 for the least c with c (1 + eta) >= T */
};

/* a^k/(1+a) */
static void tail(arb_t out, const struct passing *p, const fmpz_t k, slong prec)
{
    PBY_FMPQ(x);
    PBY_ARB(norm);
    fmpq_neg(x, p->rate);
    pby_exp_fmpq(norm, x, prec);
    arb_add_ui(norm, norm, 1, prec);
    fmpq_mul_fmpz(x, x, k);
    pby_exp_fmpq(out, x, prec);
    arb_div(out, out, norm, prec);
}

static void one_passes(arb_t out, const struct passing *p, slong prec)
{
    fmpz_t k;
    fmpz_init_set_si(k, p->threshold);
    tail(out, p, k, prec);
    fmpz_clear(k);
}

static pby_status passed_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct passing *p = what;
    (void)err;
    one_passes(ball, p, prec);
    arb_mul_ui(ball, ball, p->zeros, prec);
    return PBY_OK;
}

static pby_status none_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct passing *p = what;
    (void)err;
    one_passes(ball, p, prec);
    arb_neg(ball, ball);
    arb_log1p(ball, ball, prec);
    arb_mul_ui(ball, ball, p->zeros, prec);
    arb_exp(ball, ball, prec);
    return PBY_OK;
}

/* The greater of the two kinds of counts, where both tails of the noise count, 2^1 of them, or one. */
static void off_by(arb_t ball, const struct passing *p, slong tails, slong prec)
{
    PBY_ARB(other);
    tail(ball, p, p->off, prec);
    arb_mul_2exp_si(ball, ball, tails);
    if (!fmpz_is_zero(p->lifted)) {
        tail(other, p, p->lifted, prec);
        arb_max(ball, ball, other, prec);
    }
}

static pby_status most_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    off_by(ball, what, 1, prec);
    return PBY_OK;
}

static pby_status least_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    off_by(ball, what, 0, prec);
    return PBY_OK;
}

static void passing_clear(struct passing *p)
{
    fmpq_clear(p->rate);
    fmpz_clear(p->lifted);
    fmpz_clear(p->off);
}

static pby_status passing_of(struct passing *p, const pby_spec *spec, pby_error *err)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    const bool fits = pby_spec_is_single(spec) && m->family->form == PBY_RELEASE_PASSED &&
                      pby_mechanism_value(m, PBY_ROLE_LEAST) != NULL &&
                      pby_mechanism_value(m, PBY_ROLE_EPSILON) != NULL;
    fmpq_init(p->rate);
    fmpz_init(p->lifted);
    fmpz_init(p->off);
    if (!fits)
        return pby_refuse(err, "SPEC", pby_spec_text(spec), "one threshold, such as threshold:eps=1,T=20");
    fmpq_div(p->rate, pby_mechanism_value(m, PBY_ROLE_EPSILON), pby_mechanism_value(m, PBY_ROLE_SENSITIVITY));
    p->threshold = fmpz_get_si(fmpq_numref(pby_mechanism_value(m, PBY_ROLE_LEAST)));
    return PBY_OK;
}

pby_status pby_passing_zeros(pby_enclosure *passed, pby_enclosure *none, const pby_spec *spec,
                             unsigned long zeros, unsigned digits, pby_error *err)
{
    struct passing p = {.zeros = zeros};
    pby_status status = passing_of(&p, spec, err);
    if (status == PBY_OK)
        status = pby_enclosure_real(passed, passed_ball, &p, digits, err);
    if (status == PBY_OK)
        status = pby_enclosure_real(none, none_ball, &p, digits, err);
    passing_clear(&p);
    return status;
}

/* The two numbers of a part eta. */
static void set_counts(struct passing *p, const fmpq_t eta)
{
    PBY_FMPQ(x);
    PBY_FMPZ(c);
    fmpq_add_si(x, eta, 1);
    fmpq_inv(x, x);
    fmpq_mul_si(x, x, p->threshold);
    fmpz_cdiv_q(c, fmpq_numref(x), fmpq_denref(x)); /* the least c with c (1 + eta) >= T, from 1 on */
    if (fmpz_cmp_si(c, 1) > 0) {
        fmpz_sub_si(p->lifted, c, 1 + p->threshold);
        fmpz_neg(p->lifted, p->lifted);
    }
    fmpq_mul_fmpz(x, eta, c);
    fmpz_fdiv_q(p->off, fmpq_numref(x), fmpq_denref(x));
    fmpz_add_ui(p->off, p->off, 1);
}

pby_status pby_passing_relative(pby_enclosure *chance, const pby_spec *spec, mpq_srcptr eta, unsigned digits,
                                pby_error *err)
{
    struct passing p = {.zeros = 0};
    pby_enclosure least;
    PBY_FMPQ(part);
    pby_enclosure_init(&least);
    fmpq_set_mpq(part, eta);
    pby_status status = passing_of(&p, spec, err);
    if (status == PBY_OK)
        set_counts(&p, part);
    if (status == PBY_OK)
        status = pby_enclosure_real(chance, most_ball, &p, digits, err);
    if (status == PBY_OK)
        status = pby_enclosure_real(&least, least_ball, &p, digits, err);
    if (status == PBY_OK)
        mpfr_set(chance->lo, least.lo, MPFR_RNDD);
    if (status == PBY_OK && mpfr_cmp_ui(chance->hi, 1) > 0)
        mpfr_set_ui(chance->hi, 1, MPFR_RNDU);
    pby_enclosure_clear(&least);
    passing_clear(&p);
    return status;
}
