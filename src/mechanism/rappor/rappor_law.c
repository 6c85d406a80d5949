/* SPDX-License-Identifier: MIT */
/* The law of the reports on one memoised value, bit by bit.
 *
 * A bit of the value stays what it is in the permanent response with the chance s = 1 - f/2. Each of n
 * reports then shows a one with the chance p where the permanent bit is one, and q where it is zero, so that
 * j ones have the chances
 *
 *   C(n, j) (s p^j (1-p)^(n-j) + (1-s) q^j (1-q)^(n-j))   where the value has the bit,
 *   C(n, j) ((1-s) p^j (1-p)^(n-j) + s q^j (1-q)^(n-j))   where it has not.
 *
 * The order of the reports tells nothing, and the bits are independent of each other. */
#include "mechanism/rappor/rappor.h"
#include "number/scoped.h"

/* The parameters, in the order of the family (rappor.c). */
enum { BITS, HASHES, F, P, Q, REPORTS, VALUES, COHORTS, SEED };

void pby_rappor_of(pby_rappor *out, const pby_mechanism *m)
{
    *out = (pby_rappor){.f = &m->value[F],
                        .p = &m->value[P],
                        .q = &m->value[Q],
                        .bits = pby_mechanism_natural(m, BITS),
                        .hashes = pby_mechanism_natural(m, HASHES),
                        .reports = pby_mechanism_natural(m, REPORTS),
                        .values = pby_mechanism_natural(m, VALUES),
                        .cohorts = pby_mechanism_natural(m, COHORTS),
                        .seed = pby_mechanism_natural(m, SEED)};
}

bool pby_rappor_once(const pby_rappor *r)
{
    return fmpq_is_one(r->p) && fmpq_is_zero(r->q);
}

bool pby_rappor_even(const pby_rappor *r)
{
    PBY_FMPQ(sum);
    fmpq_add(sum, r->p, r->q);
    return fmpq_is_one(sum) || r->reports == 0;
}

/* kept = 1 - f/2, turned = f/2 */
static void permanent(fmpq_t kept, fmpq_t turned, const pby_rappor *r)
{
    fmpq_div_2exp(turned, r->f, 1);
    fmpq_one(kept);
    fmpq_sub(kept, kept, turned);
}

/* out = kept x + turned y */
static void mix(fmpq_t out, const fmpq_t kept, const fmpq_t x, const fmpq_t turned, const fmpq_t y)
{
    PBY_FMPQ(other);
    fmpq_mul(other, turned, y);
    fmpq_mul(out, kept, x);
    fmpq_add(out, out, other);
}

void pby_rappor_chances(fmpq_t with, fmpq_t without, const pby_rappor *r)
{
    PBY_FMPQ(kept, turned);
    permanent(kept, turned, r);
    mix(with, kept, r->p, turned, r->q);
    mix(without, turned, r->p, kept, r->q);
}

/* x = C(n, j) t^j (1-t)^(n-j) */
static void binomial(fmpq_t x, const fmpq_t t, ulong n, ulong j)
{
    PBY_FMPZ(ways);
    PBY_FMPQ(rest);
    fmpz_bin_uiui(ways, n, j);
    fmpq_one(rest);
    fmpq_sub(rest, rest, t);
    fmpq_pow_si(rest, rest, (slong)(n - j));
    fmpq_pow_si(x, t, (slong)j);
    fmpq_mul(x, x, rest);
    fmpq_mul_fmpz(x, x, ways);
}

static pby_status append(pby_pair *pair, const fmpq_t with, const fmpq_t without, pby_error *err)
{
    pby_expsum_t p, q;
    PBY_FMPQ(zero);
    pby_expsum_init(p);
    pby_expsum_init(q);
    if (!fmpq_is_zero(with))
        pby_expsum_add_term(p, with, zero);
    if (!fmpq_is_zero(without))
        pby_expsum_add_term(q, without, zero);
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

/* n reports by p and q, which are 1 and 0 for the permanent response. */
static pby_status fill_pair(pby_pair *pair, const pby_rappor *r, const fmpq_t p, const fmpq_t q, ulong n,
                            pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_FMPQ(kept, turned, one, zero, with, without);
    permanent(kept, turned, r);
    for (ulong j = 0; j <= n && status == PBY_OK; j++) {
        binomial(one, p, n, j);
        binomial(zero, q, n, j);
        mix(with, kept, one, turned, zero);
        mix(without, turned, one, kept, zero);
        status = append(pair, with, without, err);
    }
    return status;
}

pby_status pby_rappor_bit(pby_pair *pair, const pby_rappor *r, pby_error *err)
{
    PBY_FMPQ(one, zero);
    fmpq_one(one);
    pby_expsum_one(pair->norm_p);
    pby_expsum_one(pair->norm_q);
    return r->reports == 0 ? fill_pair(pair, r, one, zero, 1, err)
                           : fill_pair(pair, r, r->p, r->q, (ulong)r->reports, err);
}
