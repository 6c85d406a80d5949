/* SPDX-License-Identifier: MIT */
/* The exact law of the winner.
 *
 * With a = exp(-rate), p the mass and F the cdf of the noise, the i-th answer wins with the value t, ties
 * going to the first, with the chance
 *
 *     p(t - x_i) times the product over j != i of F(t - s_j),    s_j = x_j + 1 for j < i, else x_j.
 *
 * Two-sided, g = 1 + a:   F(k) = 1 - a^(k+1)/g from k = -1 on, and a^-k/g up to -1
 * One-sided, g = 1:       F(k) = 1 - a^(k+1) from k = -1 on, and 0 up to -1
 *
 * So between two of the places s_j - 1 and x_i the chance is, but for a constant, a power of y = a^t times a
 * polynomial in y, and the sum over t of each power is geometric. The places are passed from left to right;
 * at each one factor more enters the polynomial. */
#include <stdlib.h>

#include "mechanism/noisymax/noisymax.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { GUARD = 64, BITS_EACH_MAX = 256 };

/* Where a factor turns from its left form to its right one. */
struct place {
    int64_t at;
    size_t which;
};

/* The chance at t, over (1 - a)/g: a^(fixed + t (sign - left)) g^-left times the polynomial at y. */
struct run {
    const pby_max_noise *noise;
    arb_ptr coefficient;
    slong degree, left, sign;
    fmpz_t fixed;
    arb_t g, total;
    slong prec;
};

/* out = a^e, or a^e - 1 */
static void power(arb_t out, const pby_max_noise *noise, const fmpz_t e, bool less_one, slong prec)
{
    PBY_FMPQ(x);
    fmpq_mul_fmpz(x, noise->rate, e);
    fmpq_neg(x, x);
    arb_set_fmpq(out, x, prec + (slong)fmpz_bits(fmpq_numref(x)));
    if (less_one)
        pby_expm1(out, out, prec);
    else
        arb_exp(out, out, prec);
}

/* out = sum of a^(u e), u = 0 .. length - 1; or without an end, where length is 0 and e is above 0. */
static void geometric_sum(arb_t out, const struct run *r, slong e, int64_t length)
{
    fmpz_t k;
    fmpz_init_set_si(k, e);
    PBY_ARB(below);
    if (e == 0) {
        arb_set_si(out, length);
    } else {
        power(below, r->noise, k, true, r->prec);
        fmpz_mul_si(k, k, length);
        if (length == 0)
            arb_set_si(out, -1);
        else
            power(out, r->noise, k, true, r->prec);
        arb_div(out, out, below, r->prec);
    }
    fmpz_clear(k);
}

/* Adds the chances of `length` values from t on. */
static void add_run(struct run *r, int64_t t, int64_t length)
{
    PBY_ARB(sum, one, part);
    PBY_FMPZ(e);
    for (slong k = 0; k <= r->degree; k++) {
        const slong steps = k + r->sign - r->left;
        fmpz_set_si(e, t);
        fmpz_mul_si(e, e, steps);
        fmpz_add(e, e, r->fixed);
        power(one, r->noise, e, false, r->prec);
        geometric_sum(part, r, steps, length);
        arb_mul(one, one, part, r->prec);
        arb_addmul(sum, one, r->coefficient + k, r->prec);
    }
    arb_pow_ui(one, r->g, (ulong)r->left, r->prec);
    arb_div(sum, sum, one, r->prec);
    arb_add(r->total, r->total, sum, r->prec);
}

/* Adds the chances of all values below t, where every factor has its left form. */
static void add_far_left(struct run *r, int64_t t)
{
    fmpz_t e;
    PBY_ARB(one, part);
    fmpz_init_set_si(e, 1 - t);
    fmpz_mul_si(e, e, r->left + 1);
    fmpz_add(e, e, r->fixed);
    power(one, r->noise, e, false, r->prec);
    geometric_sum(part, r, r->left + 1, 0);
    arb_mul(one, one, part, r->prec);
    arb_pow_ui(part, r->g, (ulong)r->left, r->prec);
    arb_div(one, one, part, r->prec);
    arb_add(r->total, r->total, one, r->prec);
    fmpz_clear(e);
}

/* The factor F(t - s) takes its right form, 1 - a^(1-s) y/g; at s = at + 1. */
static void pass_factor(struct run *r, int64_t at)
{
    fmpz_t e;
    PBY_ARB(b);
    fmpz_init_set_si(e, -at);
    power(b, r->noise, e, false, r->prec);
    arb_div(b, b, r->g, r->prec);
    fmpz_sub_ui(e, e, 1);
    fmpz_add(r->fixed, r->fixed, e);
    r->left--;
    r->degree++;
    for (slong k = r->degree; k > 0; k--)
        arb_submul(r->coefficient + k, b, r->coefficient + k - 1, r->prec);
    fmpz_clear(e);
}

/* So does the mass: a^(t - x) in the place of a^(x - t). */
static void pass_mass(struct run *r, int64_t x)
{
    fmpz_t twice;
    fmpz_init_set_si(twice, x);
    fmpz_mul_si(twice, twice, -2);
    fmpz_add(r->fixed, r->fixed, twice);
    r->sign = 1;
    fmpz_clear(twice);
}

static int by_place(const void *one, const void *other)
{
    const struct place *a = one, *b = other;
    return (a->at > b->at) - (a->at < b->at);
}

static void find_places(struct place *place, fmpz_t fixed, const int64_t *x, size_t n, size_t i)
{
    fmpz_set_si(fixed, x[i]);
    for (size_t j = 0; j < n; j++) {
        const int64_t s = x[j] + (j < i);
        place[j] = (struct place){j == i ? x[i] : s - 1, j};
        if (j != i) {
            fmpz_t more;
            fmpz_init_set_si(more, s);
            fmpz_add(fixed, fixed, more);
            fmpz_clear(more);
        }
    }
    qsort(place, n, sizeof *place, by_place);
}

/* As many bits more as the alternating terms of the polynomial may cancel. */
static slong enough(const pby_max_noise *noise, size_t n, slong prec)
{
    PBY_FMPZ(up, down);
    fmpz_cdiv_q(up, fmpq_numref(noise->rate), fmpq_denref(noise->rate));
    fmpz_cdiv_q(down, fmpq_denref(noise->rate), fmpq_numref(noise->rate));
    const slong each = fmpz_cmp_si(up, BITS_EACH_MAX) > 0 ? BITS_EACH_MAX
                                                          : 2 * fmpz_get_si(up) + (slong)fmpz_bits(down) + 2;
    return prec + GUARD + (slong)n * each;
}

static void pass_all(struct run *r, const struct place *place, size_t n, size_t i)
{
    if (!r->noise->one_sided)
        add_far_left(r, place[0].at);
    for (size_t k = 0; k < n; k++) {
        const int64_t length = k + 1 < n ? place[k + 1].at - place[k].at : 0;
        if (place[k].which == i)
            pass_mass(r, place[k].at);
        else
            pass_factor(r, place[k].at);
        if (k + 1 == n || (length > 0 && !r->noise->one_sided))
            add_run(r, place[k].at, length);
    }
}

pby_status pby_max_chance(arb_t chance, const pby_max_noise *noise, const int64_t *x, size_t n, size_t i,
                          slong prec, pby_error *err)
{
    struct place *place = calloc(n, sizeof *place);
    if (place == NULL)
        return pby_no_memory(err);
    struct run r = {.noise = noise, .left = (slong)n - 1, .sign = -1, .prec = enough(noise, n, prec)};
    fmpz_t one;
    fmpz_init_set_ui(one, 1);
    fmpz_init(r.fixed);
    arb_init(r.g);
    arb_init(r.total);
    r.coefficient = _arb_vec_init((slong)n);
    arb_one(r.coefficient);
    find_places(place, r.fixed, x, n, i);
    if (!noise->one_sided)
        power(r.g, noise, one, false, r.prec);
    arb_add_ui(r.g, r.g, 1, r.prec);
    pass_all(&r, place, n, i);
    power(chance, noise, one, true, r.prec);
    arb_neg(chance, chance);
    arb_div(chance, chance, r.g, r.prec);
    arb_mul(chance, chance, r.total, prec);
    _arb_vec_clear(r.coefficient, (slong)n);
    arb_clear(r.total);
    arb_clear(r.g);
    fmpz_clear(r.fixed);
    fmpz_clear(one);
    free(place);
    return PBY_OK;
}
