/* SPDX-License-Identifier: MIT */
/* A law on finitely many levels 0, 1, ..., each less likely than the one before but for how often it occurs:
 * the mass of level l is in proportion to times[l] exp(-fall[l]), where 0 = fall[0] < fall[1] < ...
 *
 * The chance of a level not above k is irrational for every k but the last: were it rational, the
 * exponentials would be linearly dependent over the rationals, with the coefficients 1 - q of level 0 and -q
 * of the last, and exponentials of different rationals never are (Lindemann and Weierstrass). So every cut is
 * decided at some precision.
 *
 * The sums from either end are kept at a precision that decides nearly every cut; only a refinement adds them
 * up anew. */
#include <fmpq_vec.h>
#include <sodium.h>
#include <stdlib.h>

#include "law/laws.h"
#include "number/scoped.h"

enum { GUARD = 64, FIRST = 128 };

struct levels {
    pby_law base;
    size_t n;
    fmpq *fall;
    uint64_t *times;
    slong prec;       /* that the sums below are good to, of their own size */
    arb_ptr up, down; /* up[l] is the sum of the weights of 0 .. l, down[l] of l .. n-1 */
};

static void weight(arb_t out, const struct levels *s, size_t l, slong prec)
{
    PBY_FMPQ(minus);
    fmpq_neg(minus, s->fall + l);
    arb_set_fmpq(out, minus, prec + GUARD + (slong)fmpz_bits(fmpq_numref(minus)));
    arb_exp(out, out, prec + GUARD);
    arb_mul_ui(out, out, s->times[l], prec + GUARD);
}

/* The weights of from .. to, in their order of growing size. */
static void sum(arb_t out, const struct levels *s, size_t from, size_t to, slong prec)
{
    PBY_ARB(one);
    arb_zero(out);
    for (size_t l = to + 1; l-- > from;) {
        weight(one, s, l, prec);
        arb_add(out, out, one, prec + GUARD);
    }
}

static void levels_tails(arb_t below, arb_t above, const pby_law *law, int64_t k, slong prec)
{
    const struct levels *s = (const struct levels *)law;
    PBY_ARB(all);
    if (prec <= s->prec) {
        arb_set(below, s->up + k);
        arb_set(above, s->down + k + 1);
    } else {
        sum(below, s, 0, (size_t)k, prec);
        sum(above, s, (size_t)k + 1, s->n - 1, prec);
    }
    arb_add(all, below, above, prec + GUARD);
    arb_div(below, below, all, prec + GUARD);
    arb_div(above, above, all, prec + GUARD);
}

static void levels_mass(arb_t ball, const pby_law *law, int64_t k, slong prec)
{
    const struct levels *s = (const struct levels *)law;
    PBY_ARB(all);
    if (prec <= s->prec)
        arb_set(all, s->up + s->n - 1);
    else
        sum(all, s, 0, s->n - 1, prec);
    weight(ball, s, (size_t)k, prec);
    arb_div(ball, ball, all, prec);
}

static void levels_free(pby_law *law)
{
    struct levels *s = (struct levels *)law;
    if (s->up != NULL)
        _arb_vec_clear(s->up, (slong)s->n);
    if (s->down != NULL)
        _arb_vec_clear(s->down, (slong)s->n);
    if (s->fall != NULL)
        _fmpq_vec_clear(s->fall, (slong)s->n);
    if (s->times != NULL)
        sodium_memzero(s->times, s->n * sizeof *s->times);
    free(s->times);
    free(s);
}

static const pby_law_class LEVELS = {
    .name = "levels", .tails_arb = levels_tails, .mass_arb = levels_mass, .free = levels_free};

/* A fall that is a small fraction brings cuts near to integers: as many bits more as its denominator has. */
static slong enough(const struct levels *s)
{
    slong bits = 0, prec = FIRST;
    for (size_t l = 0; l < s->n; l++)
        bits = FLINT_MAX(bits, (slong)fmpz_bits(fmpq_denref(s->fall + l)));
    while (prec < FIRST + bits)
        prec *= 2;
    return prec;
}

static void add_up(struct levels *s)
{
    const slong n = (slong)s->n;
    s->prec = enough(s);
    s->up = _arb_vec_init(n);
    s->down = _arb_vec_init(n);
    for (slong l = 0; l < n; l++)
        weight(s->up + l, s, (size_t)l, s->prec);
    for (slong l = n; l-- > 0;) {
        arb_set(s->down + l, s->up + l);
        if (l + 1 < n)
            arb_add(s->down + l, s->down + l, s->down + l + 1, s->prec + GUARD);
    }
    for (slong l = 1; l < n; l++)
        arb_add(s->up + l, s->up + l, s->up + l - 1, s->prec + GUARD);
}

pby_status pby_law_levels(pby_law **out, const fmpq *fall, const uint64_t *times, size_t n, pby_error *err)
{
    *out = NULL;
    struct levels *s = calloc(1, sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    const int64_t last = (int64_t)n - 1;
    s->base = (pby_law){.class = &LEVELS, .hi = last, .body_hi = last, .bend_hi = last};
    s->n = n;
    pby_expsum_init(s->base.norm);
    s->fall = _fmpq_vec_init((slong)n);
    s->times = reallocarray(NULL, n, sizeof *s->times);
    if (s->times == NULL) {
        pby_law_free(&s->base);
        return pby_no_memory(err);
    }
    for (size_t l = 0; l < n; l++) {
        fmpq_set(s->fall + l, fall + l);
        s->times[l] = times[l];
    }
    add_up(s);
    *out = &s->base;
    return PBY_OK;
}
