/* SPDX-License-Identifier: MIT */
/* The hockey-stick divergence of discrete Gaussian noise on many coordinates, outcome by outcome.
 *
 * The law of J = <v, k> is built a coordinate at a time, every k of it by itself, over no normaliser; k
 * beyond w is left out, and its sum is bounded term by term. Then p(j) - exp(e) p(j - |v|^2) is added up over
 * all j with a loss above e: no polynomial is multiplied and no tail taken, and no bound by moments is used.
 */
#include <stdlib.h>

#include "law/gauss_sum.h"
#include "mechanism/gauss/dgauss_vector.h"
#include "number/scoped.h"
#include "number/text.h"

enum { GUARD = 64, NATS = 16, WORK_MAX = 1 << 26 };

/* A law on -reach, ..., reach. */
struct listed {
    arb_ptr weight;
    slong reach;
};

/* Returns the width w to which a coordinate is followed: w^2 >= 2 s (bits + NATS + e + x^2/(2 |v|^2 s)), x
 * being where the excess begins; -1 where that is too far. */
static slong width(const pby_dgauss_vector *d, const fmpz_t c, const fmpq_t epsilon, slong prec)
{
    PBY_FMPQ(y, part);
    PBY_FMPZ(root);
    fmpq_set_fmpz(y, c);
    fmpq_mul(y, y, y);
    fmpq_div_fmpz(y, y, d->norm2);
    fmpq_abs(part, epsilon);
    fmpq_add_si(part, part, prec + NATS);
    fmpq_mul(part, part, d->sigma2);
    fmpq_mul_2exp(part, part, 1);
    fmpq_add(y, y, part);
    fmpz_cdiv_q(root, fmpq_numref(y), fmpq_denref(y));
    fmpz_sqrt(root, root);
    fmpz_add_ui(root, root, 1);
    return fmpz_cmp_si(root, WORK_MAX) < 0 ? fmpz_get_si(root) : -1;
}

/* The sum of all values, and whether so many multiplications are few enough. */
static bool is_short(slong w, const pby_dgauss_vector *d)
{
    double reach = 0, work = 0;
    for (size_t i = 0; i < d->shift.count; i++)
        for (ulong k = 0; k < d->shift.times[i] && work < WORK_MAX; k++) {
            reach += (double)d->shift.value[i] * (double)w;
            work += (2 * reach + 1) * (double)(2 * w + 1);
        }
    return w > 0 && work < WORK_MAX;
}

/* law = law + a k, f[|k|] the weight of k. */
static void add_coordinate(struct listed *law, slong a, arb_srcptr f, slong w, slong prec)
{
    const slong reach = law->reach + a * w;
    arb_ptr sum = _arb_vec_init(2 * reach + 1);
    for (slong j = -law->reach; j <= law->reach; j++)
        for (slong k = -w; k <= w; k++)
            arb_addmul(sum + reach + j + a * k, law->weight + law->reach + j, f + (k < 0 ? -k : k), prec);
    _arb_vec_clear(law->weight, 2 * law->reach + 1);
    law->weight = sum;
    law->reach = reach;
}

static void law_init(struct listed *law, const pby_dgauss_vector *d, arb_srcptr f, slong w, slong prec)
{
    law->weight = _arb_vec_init(1);
    law->reach = 0;
    arb_one(law->weight);
    for (size_t i = 0; i < d->shift.count; i++)
        for (ulong k = 0; k < d->shift.times[i]; k++)
            add_coordinate(law, (slong)d->shift.value[i], f, w, prec);
}

/* f(0), ..., f(w), and in f[w+1] and total the sums of f(w+1) + ... and of all integers. */
static void weights(arb_ptr f, arb_t total, slong w, const fmpq_t s, slong prec)
{
    PBY_FMPQ(x);
    arb_zero(total);
    for (slong k = 0; k <= w; k++) {
        fmpq_set_si(x, k, 1);
        pby_gauss_term(f + k, s, x, prec);
        arb_add(total, total, f + k, prec);
    }
    fmpq_set_si(x, w + 1, 1);
    pby_gauss_sum_by_terms(f + w + 1, s, x, prec);
    arb_add(total, total, f + w + 1, prec);
    arb_mul_2exp_si(total, total, 1);
    arb_sub_ui(total, total, 1, prec);
}

/* sum = the excesses of all listed outcomes up to c; those of one that is only shifted into the list as well.
 */
static void excesses(arb_t sum, const struct listed *law, const pby_dgauss_vector *d, const fmpz_t c,
                     const arb_t growth, slong prec)
{
    const slong shift = fmpz_get_si(d->norm2);
    const slong last = fmpz_cmp_si(c, law->reach + shift) > 0 ? law->reach + shift
                       : fmpz_cmp_si(c, -law->reach) < 0      ? -law->reach - 1
                                                              : fmpz_get_si(c);
    arb_zero(sum);
    for (slong j = -law->reach; j <= last; j++) {
        if (j <= law->reach)
            arb_add(sum, sum, law->weight + law->reach + j, prec);
        if (j - shift >= -law->reach)
            arb_submul(sum, growth, law->weight + law->reach + j - shift, prec);
    }
}

/* Widens delta by the mass left out, which under P and under Q is at most the chance that some coordinate is
 * beyond w. */
static void add_missing(arb_t delta, const pby_dgauss_vector *d, const arb_t beyond, const arb_t total,
                        const arb_t growth, slong prec)
{
    PBY_ARB(missing);
    PBY_MAG(most);
    arb_div(missing, beyond, total, prec);
    arb_mul_ui(missing, missing, 2 * pby_shift_coordinates(&d->shift), prec);
    arb_get_mag(most, missing);
    arb_add_error_mag(delta, most);
    arb_mul(missing, missing, growth, prec);
    arb_get_mag(most, missing);
    arb_add_error_mag(delta, most);
}

static void normalise(arb_t sum, const arb_t total, const pby_dgauss_vector *d, slong prec)
{
    PBY_ARB(all);
    arb_pow_ui(all, total, pby_shift_coordinates(&d->shift), prec);
    arb_div(sum, sum, all, prec);
}

void pby_dgauss_vector_edge(fmpz_t c, const pby_dgauss_vector *d, const fmpq_t t)
{
    PBY_FMPQ(x, half);
    fmpq_mul(x, d->sigma2, t);
    fmpq_set_fmpz(half, d->norm2);
    fmpq_div_2exp(half, half, 1);
    fmpq_sub(x, half, x);
    fmpz_cdiv_q(c, fmpq_numref(x), fmpq_denref(x));
    fmpz_sub_ui(c, c, 1);
}

pby_status pby_dgauss_vector_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                                    pby_error *err)
{
    const pby_dgauss_vector *d = (const pby_dgauss_vector *)curve;
    const slong working = prec + GUARD;
    pby_status status = PBY_OK;
    PBY_ARB(total, growth);
    PBY_FMPZ(c);
    pby_dgauss_vector_edge(c, d, epsilon);
    const slong w = width(d, c, epsilon, prec);
    if (is_short(w, d)) {
        struct listed law;
        arb_ptr f = _arb_vec_init(w + 2);
        arb_set_fmpq(growth, epsilon, 2 * working);
        arb_exp(growth, growth, working);
        weights(f, total, w, d->sigma2, working);
        law_init(&law, d, f, w, working);
        excesses(ball, &law, d, c, growth, working);
        normalise(ball, total, d, working);
        add_missing(ball, d, f + w + 1, total, growth, working);
        _arb_vec_clear(law.weight, 2 * law.reach + 1);
        _arb_vec_clear(f, w + 2);
    } else {
        status = pby_refuse_rational(err, "dgauss:sigma2", d->sigma2,
                                     "one for which a certificate multiplies at most 2^26 times");
    }
    return status;
}
