/* SPDX-License-Identifier: MIT */
#include "loss/divergence/branch.h"

#include <stdlib.h>

#include "loss/divergence/chord.h"
#include "number/ball.h"
#include "number/scoped.h"

/* ---- bounds ----------------------------------------------------------------------------------- */

static void set_bound(pby_span *span, const pby_branch *s)
{
    PBY_ARB(q);
    arf_zero(span->bound);
    if (span->open) {
        arb_set_fmpq(q, span->x, s->prec);
        arb_div(q, s->limit, q, s->prec);
        pby_raise_upper(span->bound, q, s->prec);
    } else {
        pby_chord_bound(span->bound, span->x, span->y, span->kx, span->ky, span->bend, s->prec);
    }
    arb_set_arf(q, span->bound);
    arb_add(q, q, s->base, s->prec);
    arb_get_ubound_arf(span->bound, q, s->prec);
}

bool pby_branch_narrow(const arb_t ball, slong bits)
{
    return arb_is_exact(ball) || arb_rel_accuracy_bits(ball) >= bits;
}

/* ---- evaluation ------------------------------------------------------------------------------- */

/* Raises s->reached to a lower bound of (D_a - xi) / a, the closed parts at their true value. */
static pby_status reach(pby_branch *s, const fmpq_t order)
{
    PBY_ARB(d, x);
    PBY_ARF(end);
    const pby_status status = pby_spectrum_one_way(d, s->s, s->way, order, true, s->prec, s->err);
    arb_set_fmpq(x, s->xi, s->prec);
    arb_sub(d, d, x, s->prec);
    arb_set_fmpq(x, order, s->prec);
    arb_div(d, d, x, s->prec);
    arb_set_fmpq(x, s->s->line.rho, s->prec);
    arb_add(d, d, x, s->prec);
    arb_get_lbound_arf(end, d, s->prec);
    if (arf_cmp(end, s->reached) > 0)
        arf_set(s->reached, end);
    return status;
}

/* K(a), and what it shows about rho. */
static pby_status evaluate(arb_t k, pby_branch *s, const fmpq_t order)
{
    PBY_ARB(x);
    PBY_FMPQ(b);
    s->work++;
    pby_status status = pby_spectrum_one_way(k, s->s, s->way, order, false, s->prec, s->err);
    s->weak = s->weak || !pby_branch_narrow(k, s->bits);
    arb_set_fmpq(x, s->xi, s->prec);
    arb_sub(k, k, x, s->prec);
    fmpq_sub_si(b, order, 1);
    arb_set_fmpq(x, b, s->prec);
    arb_mul(k, k, x, s->prec);
    if (status == PBY_OK)
        status = reach(s, order);
    return status;
}

/* ---- the spans -------------------------------------------------------------------------------- */

static void span_init(pby_span *span)
{
    fmpq_init(span->x);
    fmpq_init(span->y);
    arb_init(span->kx);
    arb_init(span->ky);
    arf_init(span->bend);
    arf_init(span->bound);
    span->open = false;
}

static void span_clear(pby_span *span)
{
    fmpq_clear(span->x);
    fmpq_clear(span->y);
    arb_clear(span->kx);
    arb_clear(span->ky);
    arf_clear(span->bound);
    arf_clear(span->bend);
}

/* A new span from the last. The pointer holds until the next one. */
static pby_span *push(pby_branch *s)
{
    if (s->count == s->room) {
        const size_t room = s->room == 0 ? 64 : 2 * s->room;
        pby_span *more = realloc(s->span, room * sizeof *more);
        if (more == NULL)
            return NULL;
        s->span = more;
        s->room = room;
    }
    span_init(&s->span[s->count]);
    return &s->span[s->count++];
}

/* K'' = Var(L) under the tilted law, and |K'''| <= range K'', so that K'' is nowhere below its average over
 * a span by more than exp(range width). */
static void raise_bend(pby_span *left, pby_span *right, const pby_branch *s)
{
    PBY_ARB(half, fall);
    PBY_ARF(least);
    PBY_FMPQ(width);
    pby_chord_bend(half, left->x, right->x, right->y, left->kx, right->kx, right->ky, s->prec);
    fmpq_sub(width, left->x, right->y);
    arb_set_fmpq(fall, width, s->prec);
    arb_mul(fall, fall, s->range, s->prec);
    arb_exp(fall, fall, s->prec);
    arb_mul(half, half, fall, s->prec);
    arb_get_lbound_arf(least, half, s->prec);
    arf_set(right->bend, left->bend);
    if (arf_is_finite(least) && arf_cmp(least, left->bend) > 0) {
        arf_set(left->bend, least);
        arf_set(right->bend, least);
    }
}

pby_status pby_branch_split(pby_branch *s, size_t i)
{
    pby_span *right = push(s);
    if (right == NULL)
        return pby_no_memory(s->err);
    pby_span *left = &s->span[i];
    right->open = left->open;
    if (left->open) {
        fmpq_mul_2exp(right->x, left->x, 1);
    } else {
        fmpq_add(right->x, left->x, left->y);
        fmpq_div_2exp(right->x, right->x, 1);
        fmpq_set(right->y, left->y);
        arb_set(right->ky, left->ky);
    }
    left->open = false;
    fmpq_set(left->y, right->x);
    const pby_status status = evaluate(right->kx, s, right->x);
    arb_set(left->ky, right->kx);
    if (!right->open && arb_is_finite(s->range))
        raise_bend(left, right, s);
    set_bound(left, s);
    set_bound(right, s);
    return status;
}

size_t pby_branch_widest(pby_branch *s)
{
    size_t best = 0;
    for (size_t i = 0; i < s->count;) {
        if (s->count > 1 && arf_cmp(s->span[i].bound, s->reached) < 0) {
            span_clear(&s->span[i]);
            s->span[i] = s->span[--s->count];
            continue;
        }
        if (best >= s->count || arf_cmp(s->span[i].bound, s->span[best].bound) > 0)
            best = i;
        i++;
    }
    return best;
}

pby_status pby_branch_start(pby_branch *s)
{
    PBY_FMPQ(one);
    PBY_ARB(k);
    fmpq_one(one);
    pby_span *span = push(s);
    pby_status status = span == NULL ? pby_no_memory(s->err) : evaluate(k, s, one);
    if (status == PBY_OK) {
        span->open = true;
        fmpq_set(span->x, one);
        arf_pos_inf(span->bound);
        status = pby_branch_split(s, 0);
    }
    return status;
}

/* ---- the search ------------------------------------------------------------------------------- */

void pby_branch_init(pby_branch *s, const pby_spectrum *spectrum, const fmpq_t xi, pby_error *err)
{
    *s = (pby_branch){.s = spectrum, .err = err};
    fmpq_init(s->xi);
    arb_init(s->base);
    arb_init(s->limit);
    arb_init(s->range);
    arf_init(s->reached);
    PBY_FMPQ(rho, sum);
    fmpq_sub(s->xi, xi, spectrum->line.xi);
    fmpq_set(sum, spectrum->line.rho);
    for (size_t i = 0; i < spectrum->count; i++)
        if (pby_spectrum_rho(rho, &spectrum->part[i]))
            fmpq_add(sum, sum, rho);
    s->prec = pby_precision_for_digits(PBY_DIGITS_MAX);
    arb_set_fmpq(s->base, sum, s->prec);
}

void pby_branch_restart(pby_branch *s)
{
    for (size_t i = 0; i < s->count; i++)
        span_clear(&s->span[i]);
    s->count = 0;
    s->weak = false;
    /* along the integers the closed parts reach their rho and the others go to 0 */
    arb_get_lbound_arf(s->reached, s->base, s->prec);
}

void pby_branch_clear(pby_branch *s)
{
    pby_branch_restart(s);
    free(s->span);
    arf_clear(s->reached);
    arb_clear(s->range);
    arb_clear(s->limit);
    arb_clear(s->base);
    fmpq_clear(s->xi);
}
