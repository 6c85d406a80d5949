/* SPDX-License-Identifier: MIT */
#include "tests/loss/brute.h"

/* exp(-LEVEL) < 1e-35 */
enum { LEVEL = 84 };

static void exp_fmpq(arb_t out, const fmpq_t x)
{
    arb_set_fmpq(out, x, BRUTE_PREC);
    arb_exp(out, out, BRUTE_PREC);
}

static void fill(brute *law, slong lo, slong n)
{
    *law = (brute){lo, n, _arb_vec_init(n)};
}

/* Divides by the sum of all. */
static void normalise(brute *law)
{
    arb_t sum;
    arb_init(sum);
    for (slong i = 0; i < law->n; i++)
        arb_add(sum, sum, law->mass + i, BRUTE_PREC);
    _arb_vec_scalar_div(law->mass, law->mass, law->n, sum, BRUTE_PREC);
    arb_clear(sum);
}

/* a^|k| for all k with a^|k| above exp(-LEVEL), normalised. */
void brute_geometric(brute *law, const fmpq_t rate)
{
    fmpq_t x;
    fmpz_t z;
    fmpq_init(x);
    fmpz_init(z);
    fmpq_set_si(x, LEVEL, 1);
    fmpq_div(x, x, rate);
    fmpz_cdiv_q(z, fmpq_numref(x), fmpq_denref(x));
    const slong far = fmpz_get_si(z);
    fill(law, -far, 2 * far + 1);
    for (slong k = -far; k <= far; k++) {
        fmpq_mul_si(x, rate, -FLINT_ABS(k));
        exp_fmpq(law->mass + k + far, x);
    }
    normalise(law);
    fmpz_clear(z);
    fmpq_clear(x);
}

void brute_dgauss(brute *law, const fmpq_t sigma2)
{
    fmpq_t x;
    slong far = 1;
    fmpq_init(x);
    do {
        far++;
        fmpq_set_si(x, (far - 2) * (far - 2), 2 * LEVEL);
    } while (fmpq_cmp(x, sigma2) < 0);
    fill(law, -far, 2 * far + 1);
    for (slong k = -far; k <= far; k++) {
        fmpq_set_si(x, -k * k, 2);
        fmpq_div(x, x, sigma2);
        exp_fmpq(law->mass + k + far, x);
    }
    normalise(law);
    fmpq_clear(x);
}

/* The integral of exp(-eps |z + q/2|) from -q/2 to -q/2 + z, for z of either sign, times eps. */
static void primitive(arb_t out, const fmpq_t eps, const fmpq_t z)
{
    fmpq_t x;
    fmpq_init(x);
    fmpq_abs(x, z);
    fmpq_mul(x, x, eps);
    fmpq_neg(x, x);
    exp_fmpq(out, x);
    arb_sub_ui(out, out, 1, BRUTE_PREC);
    arb_mul_si(out, out, -fmpq_sgn(z), BRUTE_PREC);
    fmpq_clear(x);
}

/* x = k + 1/2 + q/2, kept within -q/2 .. q/2 */
static void boundary(fmpq_t x, slong k, const fmpq_t q)
{
    fmpq_t half;
    fmpq_init(half);
    fmpq_div_2exp(half, q, 1);
    fmpq_set_si(x, 2 * k + 1, 2);
    fmpq_add(x, x, half);
    if (fmpq_cmp(x, half) > 0)
        fmpq_set(x, half);
    fmpq_neg(half, half);
    if (fmpq_cmp(x, half) < 0)
        fmpq_set(x, half);
    fmpq_clear(half);
}

void brute_stlap(brute *law, const fmpq_t eps, const fmpq_t q)
{
    fmpq_t x;
    fmpz_t z;
    arb_t below;
    fmpq_init(x);
    fmpz_init(z);
    arb_init(below);
    fmpz_cdiv_q(z, fmpq_numref(q), fmpq_denref(q));
    const slong far = fmpz_get_si(z);
    fill(law, -far, far + 1);
    for (slong k = -far; k <= 0; k++) {
        boundary(x, k, q);
        primitive(law->mass + k + far, eps, x);
        boundary(x, k - 1, q);
        primitive(below, eps, x);
        arb_sub(law->mass + k + far, law->mass + k + far, below, BRUTE_PREC);
    }
    normalise(law);
    arb_clear(below);
    fmpz_clear(z);
    fmpq_clear(x);
}

void brute_clip(brute *law, slong bound)
{
    brute clipped;
    fill(&clipped, -bound, 2 * bound + 1);
    for (slong i = 0; i < law->n; i++) {
        const slong k = FLINT_MAX(-bound, FLINT_MIN(bound, law->lo + i));
        arb_add(clipped.mass + k + bound, clipped.mass + k + bound, law->mass + i, BRUTE_PREC);
    }
    brute_clear(law);
    *law = clipped;
}

void brute_clear(brute *law)
{
    _arb_vec_clear(law->mass, law->n);
}

static void mass_at(arb_t out, const brute *law, slong k)
{
    if (k < law->lo || k >= law->lo + law->n)
        arb_zero(out);
    else
        arb_set(out, law->mass + k - law->lo);
}

/* out += max(0, p - growth q) */
static void add_excess(arb_t out, arb_t p, const arb_t q, const arb_t growth)
{
    arb_t zero;
    arb_init(zero);
    arb_submul(p, growth, q, BRUTE_PREC);
    arb_max(p, p, zero, BRUTE_PREC);
    arb_add(out, out, p, BRUTE_PREC);
    arb_clear(zero);
}

void brute_hockey_stick(arb_t out, const brute *law, slong shift, const fmpq_t epsilon)
{
    arb_t p, q, growth;
    arb_init(p);
    arb_init(q);
    arb_init(growth);
    exp_fmpq(growth, epsilon);
    arb_zero(out);
    for (slong k = law->lo - FLINT_ABS(shift); k < law->lo + law->n + FLINT_ABS(shift); k++) {
        mass_at(p, law, k);
        mass_at(q, law, k - shift);
        add_excess(out, p, q, growth);
    }
    arb_clear(growth);
    arb_clear(q);
    arb_clear(p);
}

void brute_hockey_stick_twice(arb_t out, const brute *law, slong one, slong two, const fmpq_t epsilon)
{
    const slong reach = FLINT_ABS(one) + FLINT_ABS(two);
    arb_t p, q, x, growth;
    arb_init(p);
    arb_init(q);
    arb_init(x);
    arb_init(growth);
    exp_fmpq(growth, epsilon);
    arb_zero(out);
    for (slong k = law->lo - reach; k < law->lo + law->n + reach; k++)
        for (slong l = law->lo - reach; l < law->lo + law->n + reach; l++) {
            mass_at(p, law, k);
            mass_at(x, law, l);
            arb_mul(p, p, x, BRUTE_PREC);
            mass_at(q, law, k - one);
            mass_at(x, law, l - two);
            arb_mul(q, q, x, BRUTE_PREC);
            add_excess(out, p, q, growth);
        }
    arb_clear(growth);
    arb_clear(x);
    arb_clear(q);
    arb_clear(p);
}

bool brute_close(const arb_t x, const arb_t y)
{
    arb_t gap, most;
    arb_init(gap);
    arb_init(most);
    arb_sub(gap, x, y, BRUTE_PREC);
    arb_abs(gap, gap);
    arb_set_str(most, "1e-30", BRUTE_PREC);
    const bool close = arb_lt(gap, most);
    arb_clear(most);
    arb_clear(gap);
    return close;
}
