/* SPDX-License-Identifier: MIT */
/* The discrete Gaussian law.
 *
 * With f(t) = exp(-t^2/(2s)), S(k) = f(k) + f(k+1) + ... and the normaliser N = 1 + 2 S(1):
 *   cdf(k) = S(-k) / N         for k < 0
 *   cdf(k) = 1 - S(k+1) / N    for k >= 0
 */
#include <stdlib.h>

#include "law/gauss_formal.h"
#include "law/gauss_sum.h"
#include "law/laws.h"
#include "number/scoped.h"
#include "number/text.h"

/* exp(-BODY_LEVEL) bounds the mass beyond the body, up to a factor near 1. A table of 2 BODY_HALF_MAX + 3
 * cells is the largest; where it would hold but a small part of the mass, one of few cells is made, and
 * nearly every draw inverts the cdf. */
enum { BODY_LEVEL = 28, BODY_HALF_MAX = (1 << 19) - 2, BODY_HALF_FEW = 511, SIGMA2_BITS = 80, GUARD = 32 };

struct dgauss {
    pby_law base;
    fmpq_t sigma2;
};

static const fmpq *sigma2_of(const pby_law *law)
{
    return ((const struct dgauss *)law)->sigma2;
}

/* The chance of a value of at least k, k >= 1. */
static void upper(arb_t ball, const fmpq_t s, int64_t k, slong prec)
{
    PBY_ARB(total);
    PBY_FMPQ(x);
    fmpq_set_si(x, k, 1);
    pby_gauss_sum(ball, s, x, prec);
    pby_gauss_total(total, s, prec);
    arb_div(ball, ball, total, prec);
}

static void dgauss_tails(arb_t below, arb_t above, const pby_law *law, int64_t k, slong prec)
{
    arb_ptr small = k < 0 ? below : above, large = k < 0 ? above : below;
    upper(small, sigma2_of(law), k < 0 ? -k : k + 1, prec);
    arb_sub_ui(large, small, 1, prec);
    arb_neg(large, large);
}

static void dgauss_mass(arb_t ball, const pby_law *law, int64_t k, slong prec)
{
    PBY_ARB(total);
    PBY_FMPQ(x);
    fmpq_set_si(x, k, 1);
    pby_gauss_term(ball, sigma2_of(law), x, prec);
    pby_gauss_total(total, sigma2_of(law), prec);
    arb_div(ball, ball, total, prec);
}

/* The walk's terms are divided by the normaliser once, at its start. */
static void dgauss_run(arb_ptr cdf, const pby_law *law, int64_t from, slong n, slong prec)
{
    const slong working = prec + GUARD;
    pby_gauss_walk walk;
    PBY_ARB(sum);
    PBY_FMPQ(x);
    fmpq_set_si(x, from, 1);
    pby_law_cdf_arb(sum, law, from - 1, working);
    pby_gauss_walk_init(&walk, sigma2_of(law), x, working);
    dgauss_mass(walk.term, law, from, working);
    for (slong i = 0; i < n; i++) {
        arb_add(sum, sum, walk.term, working);
        arb_set(cdf + i, sum);
        pby_gauss_walk_step(&walk, working);
    }
    pby_gauss_walk_clear(&walk);
}

static bool dgauss_formal(FILE *out, const pby_law *law)
{
    return pby_gauss_formal(out, sigma2_of(law));
}

static void dgauss_free(pby_law *law)
{
    struct dgauss *d = (struct dgauss *)law;
    fmpq_clear(d->sigma2);
    free(d);
}

static const pby_law_class DGAUSS = {
    .name = "dgauss",
    .tails_arb = dgauss_tails,
    .mass_arb = dgauss_mass,
    .run_arb = dgauss_run,
    .formal = dgauss_formal,
    .free = dgauss_free,
};

/* The least k with exp(-k^2/(2s)) <= exp(-BODY_LEVEL), or as much of that as a table may have. */
static int64_t body_half(const fmpq_t s)
{
    PBY_FMPZ(k);
    pby_gauss_reach(k, s, BODY_LEVEL);
    int64_t half = BODY_HALF_FEW;
    if (fmpz_cmp_si(k, 16 * (slong)BODY_HALF_MAX) <= 0)
        half = FLINT_MIN(fmpz_get_si(k), BODY_HALF_MAX);
    return half;
}

pby_status pby_law_dgauss(pby_law **out, const fmpq_t sigma2, pby_error *err)
{
    *out = NULL;
    PBY_FMPQ(most);
    fmpz_one_2exp(fmpq_numref(most), SIGMA2_BITS);
    const bool fits = fmpq_cmp(sigma2, most) <= 0;
    if (!fits)
        return pby_refuse_rational(err, "sigma2", sigma2,
                                   "at most 2^80, so that the noise fits 64-bit integers");
    struct dgauss *d = malloc(sizeof *d);
    if (d == NULL)
        return pby_no_memory(err);
    const int64_t half = body_half(sigma2);
    d->base = (pby_law){.class = &DGAUSS,
                        .lo = INT64_MIN,
                        .hi = INT64_MAX,
                        .body_lo = -half,
                        .body_hi = half,
                        .bend_lo = INT64_MIN,
                        .bend_hi = INT64_MAX};
    pby_expsum_init(d->base.norm);
    fmpq_init(d->sigma2);
    fmpq_set(d->sigma2, sigma2);
    *out = &d->base;
    return PBY_OK;
}
