/* SPDX-License-Identifier: MIT */
#include "law/inner.h"

#include <arb_poly.h>

#include "law/gauss_sum.h"
#include "number/scoped.h"

/* A part of the sum: the coefficient of i is the chance of i - reach. */
struct part {
    arb_poly_t poly;
    slong reach;
    ulong norm2;
    mag_t missing;
};

/* The values that all steps share. */
struct making {
    const fmpq *s;
    ulong nats;
    slong prec;
};

ulong pby_shift_norm2(const pby_shift *v)
{
    ulong sum = 0;
    for (size_t i = 0; i < v->count; i++)
        sum += v->times[i] * v->value[i] * v->value[i];
    return sum;
}

ulong pby_shift_coordinates(const pby_shift *v)
{
    ulong sum = 0;
    for (size_t i = 0; i < v->count; i++)
        sum += v->times[i];
    return sum;
}

static void part_init(struct part *p)
{
    arb_poly_init(p->poly);
    mag_init(p->missing);
    p->reach = 0;
    p->norm2 = 0;
}

static void part_clear(struct part *p)
{
    mag_clear(p->missing);
    arb_poly_clear(p->poly);
}

/* The least integer with reach^2 >= 2 norm2 s nats; -1 where it is beyond PBY_INNER_MAX. */
static slong reach_of(ulong norm2, const struct making *of)
{
    PBY_FMPQ(x);
    PBY_FMPZ(root);
    fmpq_mul_ui(x, of->s, norm2);
    fmpq_mul_ui(x, x, of->nats);
    fmpq_mul_2exp(x, x, 1);
    fmpz_cdiv_q(root, fmpq_numref(x), fmpq_denref(x));
    fmpz_sqrt(root, root);
    fmpz_add_ui(root, root, 1);
    return fmpz_cmp_si(root, PBY_INNER_MAX) <= 0 ? fmpz_get_si(root) : -1;
}

/* missing += 2 exp(-nats) */
static void leave_out(struct part *p, const struct making *of)
{
    PBY_MAG(rest);
    mag_set_ui(rest, of->nats);
    mag_expinv(rest, rest);
    mag_mul_2exp_si(rest, rest, 1);
    mag_add(p->missing, p->missing, rest);
}

/* One coordinate: a X. */
static bool part_of_value(struct part *p, ulong a, const struct making *of)
{
    const slong far = reach_of(1, of);
    if (far < 0 || a > PBY_INNER_MAX || (ulong)far > PBY_INNER_MAX / a)
        return false;
    const slong step = (slong)a;
    pby_gauss_walk walk;
    PBY_FMPQ(zero);
    PBY_ARB(total);
    pby_gauss_total(total, of->s, of->prec);
    pby_gauss_walk_init(&walk, of->s, zero, of->prec);
    p->reach = step * far;
    p->norm2 = a * a;
    arb_poly_fit_length(p->poly, 2 * p->reach + 1);
    _arb_poly_set_length(p->poly, 2 * p->reach + 1);
    arb_ptr mass = p->poly->coeffs + p->reach;
    for (slong k = 0; k <= far; k++) {
        arb_div(mass + k * step, walk.term, total, of->prec);
        arb_set(mass - k * step, mass + k * step);
        pby_gauss_walk_step(&walk, of->prec);
    }
    leave_out(p, of);
    pby_gauss_walk_clear(&walk);
    return true;
}

/* Cuts what lies beyond the reach of its norm. */
static bool trim(struct part *p, const struct making *of)
{
    const slong reach = reach_of(p->norm2, of);
    if (reach < 0)
        return false;
    if (reach >= p->reach)
        return true;
    arb_poly_shift_right(p->poly, p->poly, p->reach - reach);
    arb_poly_truncate(p->poly, 2 * reach + 1);
    p->reach = reach;
    leave_out(p, of);
    return true;
}

/* p = p + q, independent of each other. */
static bool add(struct part *p, const struct part *q, const struct making *of)
{
    arb_poly_mul(p->poly, p->poly, q->poly, of->prec);
    p->reach += q->reach;
    p->norm2 += q->norm2;
    mag_add(p->missing, p->missing, q->missing);
    return trim(p, of);
}

/* sum = so many independent copies of p together, p being changed. */
static bool add_copies(struct part *sum, struct part *p, ulong times, const struct making *of)
{
    bool good = true;
    for (; good && times > 0; times /= 2) {
        if (times % 2 == 1)
            good = add(sum, p, of);
        if (good && times > 1)
            good = add(p, p, of);
    }
    return good;
}

bool pby_inner_init(pby_inner *law, const pby_shift *v, const fmpq_t s, ulong nats, slong prec)
{
    const struct making of = {.s = s, .nats = nats, .prec = prec};
    struct part sum;
    part_init(&sum);
    arb_poly_one(sum.poly);
    bool good = reach_of(pby_shift_norm2(v), &of) >= 0;
    for (size_t i = 0; i < v->count && good; i++) {
        struct part one;
        part_init(&one);
        good = part_of_value(&one, v->value[i], &of) && add_copies(&sum, &one, v->times[i], &of);
        part_clear(&one);
    }
    if (good) {
        const slong n = 2 * sum.reach + 1;
        law->reach = sum.reach;
        law->mass = _arb_vec_init(n);
        mag_init(law->missing);
        mag_set(law->missing, sum.missing);
        for (slong i = 0; i < arb_poly_length(sum.poly); i++)
            arb_swap(law->mass + i, sum.poly->coeffs + i);
    }
    part_clear(&sum);
    return good;
}

void pby_inner_clear(pby_inner *law)
{
    mag_clear(law->missing);
    _arb_vec_clear(law->mass, 2 * law->reach + 1);
}

/* chance = P(J >= x), x >= 0, from the far end on. */
static void above(arb_t chance, const pby_inner *law, const fmpz_t x, slong prec)
{
    PBY_ARB(rest);
    arb_zero(chance);
    if (fmpz_cmp_si(x, law->reach) <= 0)
        for (slong j = law->reach; j >= fmpz_get_si(x); j--)
            arb_add(chance, chance, law->mass + law->reach + j, prec);
    mag_set(arb_radref(rest), law->missing);
    arb_nonnegative_part(rest, rest);
    arb_add(chance, chance, rest, prec);
}

/* J and -J have one law. */
void pby_inner_below(arb_t chance, const pby_inner *law, const fmpz_t c, slong prec)
{
    PBY_FMPZ(x);
    const bool low = fmpz_sgn(c) < 0;
    if (low)
        fmpz_neg(x, c);
    else
        fmpz_add_ui(x, c, 1);
    above(chance, law, x, prec);
    if (!low) {
        arb_sub_ui(chance, chance, 1, prec);
        arb_neg(chance, chance);
    }
}

/* exp(-x^2/(2 |v|^2 s)) */
void pby_inner_tail(mag_t most, const pby_shift *v, const fmpq_t s, const fmpz_t x)
{
    PBY_FMPQ(spread, at);
    PBY_ARB(term);
    fmpq_mul_ui(spread, s, pby_shift_norm2(v));
    fmpq_set_fmpz(at, x);
    pby_gauss_term(term, spread, at, MAG_BITS);
    arb_get_mag(most, term);
}
