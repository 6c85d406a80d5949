/* SPDX-License-Identifier: MIT */
#include "tests/audit/binomial.h"

#include "audit/bound/bound_tail.h"

void binomial_mass(fmpq_t out, uint64_t n, const fmpq_t p, uint64_t x)
{
    fmpq_t q, power;
    fmpz_t choose;
    fmpq_init(q);
    fmpq_init(power);
    fmpz_init(choose);
    fmpz_bin_uiui(choose, n, x);
    fmpq_set_si(q, 1, 1);
    fmpq_sub(q, q, p);
    fmpq_pow_si(power, p, (slong)x);
    fmpq_pow_si(q, q, (slong)(n - x));
    fmpq_mul(out, power, q);
    fmpq_mul_fmpz(out, out, choose);
    fmpz_clear(choose);
    fmpq_clear(power);
    fmpq_clear(q);
}

static void sum(fmpq_t out, uint64_t n, const fmpq_t p, uint64_t from, uint64_t to)
{
    fmpq_t mass;
    fmpq_init(mass);
    fmpq_zero(out);
    for (uint64_t x = from; x <= to; x++) {
        binomial_mass(mass, n, p, x);
        fmpq_add(out, out, mass);
    }
    fmpq_clear(mass);
}

void binomial_above(fmpq_t out, uint64_t n, const fmpq_t p, uint64_t x)
{
    sum(out, n, p, x, n);
}

void binomial_below(fmpq_t out, uint64_t n, const fmpq_t p, uint64_t x)
{
    sum(out, n, p, 0, x);
}

void binomial_exact(fmpq_t out, const arb_t x)
{
    arf_get_fmpq(out, arb_midref(x));
}

bool binomial_believable(uint64_t n, uint64_t x, double p)
{
    pby_binomial_tail tail;
    arb_t chance, ball, least;
    arb_init(chance);
    arb_init(ball);
    arb_init(least);
    pby_binomial_tail_init(&tail, n, x);
    arb_set_d(ball, p);
    arb_set_d(least, 1e-9);
    pby_binomial_tail_bound(chance, &tail, ball);
    const bool yes = arb_gt(chance, least) != 0;
    pby_binomial_tail_clear(&tail);
    arb_clear(least);
    arb_clear(ball);
    arb_clear(chance);
    return yes;
}
