/* SPDX-License-Identifier: MIT */
/* Noise that is discrete becomes nearly continuous when a little continuous noise is added to it: Z + N(0,
 * t) has the density of N(0, s + t), up to a factor between exp(-K) and exp(K) for all coordinates
 * together. So every event of two Gaussians of the distance mu, mu^2 = norm2/(s + t), bounds the potential
 * from below by the line exp(-K) P(event) - x exp(K) Q(event) (docs/theory/matrix.md). */
#include "mechanism/matrix/matrix_below.h"

#include "number/erfc.h"
#include "number/scoped.h"
#include "pair/tangents.h"

/* Events are placed PLACES to a standard deviation, up to REACH of these on either side of the middle. */
enum { PREC = 128, PLACES = 32, REACH = 12, WIDE = 1 << 14 };

/* out = 2 (q + q^4 + q^9 + ...), q = exp(-2 pi^2 variance), of which all behind q is less than q^3. */
static void ripple(arb_t out, const fmpq_t variance)
{
    PBY_ARB(q, rest);
    arb_const_pi(q, PREC);
    arb_sqr(q, q, PREC);
    arb_mul_fmpz(q, q, fmpq_numref(variance), PREC);
    arb_div_fmpz(q, q, fmpq_denref(variance), PREC);
    arb_mul_2exp_si(q, q, 1);
    arb_neg(q, q);
    arb_exp(q, q, PREC);
    arb_pow_ui(rest, q, 3, PREC);
    arb_add_error(q, rest);
    arb_mul_2exp_si(out, q, 1);
}

/* The ratio of densities is (1 +- ripple(s t/(s + t)))/(1 + ripple(s)) in one coordinate. */
void pby_matrix_smoothing(fmpq_t added, arb_t factor, const fmpq_t sigma2, int64_t coordinates)
{
    PBY_FMPQ(harmonic, sum);
    PBY_ARB(x, y);
    fmpq_set_si(added, fmpq_cmp_si(sigma2, WIDE) < 0 ? 1 : 2, 1);
    fmpq_add(sum, sigma2, added);
    fmpq_mul(harmonic, sigma2, added);
    fmpq_div(harmonic, harmonic, sum);
    ripple(x, harmonic);
    ripple(y, sigma2);
    arb_neg(x, x);
    arb_log1p(x, x, PREC);
    arb_log1p(y, y, PREC);
    arb_sub(x, x, y, PREC);
    arb_mul_si(x, x, coordinates, PREC);
    arb_exp(factor, x, PREC);
}

/* out = Phi(x) */
static void normal(arb_t out, const arb_t x)
{
    PBY_ARB(z);
    arb_sqrt_ui(z, 2, PREC);
    arb_div(z, x, z, PREC);
    arb_neg(z, z);
    pby_erfc(out, z, PREC);
    arb_mul_2exp_si(out, out, -1);
}

static void lower_end(fmpq_t out, const arb_t ball)
{
    PBY_ARF(end);
    arb_get_lbound_arf(end, ball, PREC);
    arf_get_fmpq(out, end);
}

/* The line of the event that the likelihood ratio is above that at z standard deviations. */
static void add_event(pby_tangents *l, const arb_t mu, const arb_t factor, slong place)
{
    PBY_FMPQ(at, slope);
    PBY_ARB(z, p, q);
    arb_set_si(z, place);
    arb_div_si(z, z, PLACES, PREC);
    arb_mul_2exp_si(p, mu, -1);
    arb_sub(q, z, p, PREC);
    arb_add(p, z, p, PREC);
    normal(p, p);
    normal(q, q);
    arb_mul(p, p, factor, PREC);
    arb_div(q, q, factor, PREC);
    arb_neg(q, q);
    lower_end(at, p);
    lower_end(slope, q);
    pby_tangents_add(l, at, slope);
}

/* Events from the widest to the narrowest, so that slopes rise; then the level line 0. */
static void add_events(pby_tangents *l, const arb_t mu, const arb_t factor)
{
    PBY_FMPQ(zero);
    pby_tangents_first(l);
    for (slong place = REACH * PLACES; place >= -REACH * PLACES; place--)
        add_event(l, mu, factor, place);
    pby_tangents_add(l, zero, zero);
}

pby_status pby_matrix_below(pby_pair *pair, const fmpq_t sigma2, const fmpz_t norm2, int64_t coordinates,
                            pby_error *err)
{
    PBY_FMPQ(added, sum);
    PBY_ARB(mu, factor);
    pby_tangents l;
    pby_matrix_smoothing(added, factor, sigma2, coordinates);
    fmpq_add(sum, sigma2, added);
    arb_set_fmpz(mu, norm2);
    arb_div_fmpz(mu, mu, fmpq_numref(sum), PREC);
    arb_mul_fmpz(mu, mu, fmpq_denref(sum), PREC);
    arb_sqrt(mu, mu, PREC);
    const bool good = pby_tangents_init(&l, 2 * REACH * PLACES + 3);
    if (good)
        add_events(&l, mu, factor);
    const pby_status status = good ? pby_tangents_pair(pair, &l, err) : pby_no_memory(err);
    pby_tangents_clear(&l);
    return status;
}
