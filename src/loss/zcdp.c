#include "loss/zcdp.h"

#include <stdlib.h>

#include "number/ball.h"

/* Orders from x to y, or from x on; k is K there, of the parts that are not in closed form. */
struct span {
    fmpq_t x, y;
    bool open;
    arb_t kx, ky;
    arf_t bound; /* the quotient is nowhere greater */
};

struct search {
    const pby_spectrum *s;
    fmpq_t xi;    /* what is left of the xi asked for when the line has taken its own */
    arb_t base;   /* the rho of the line and of the closed parts */
    arb_t limit;  /* D_inf - xi of the others */
    arf_t reached; /* rho is at least that */
    struct span *span;
    size_t count, room;
    unsigned work;
    slong prec, bits; /* bits is what the divergences must be good for */
    bool weak;        /* one of them was not */
    pby_error *err;
};

/* ---- bounds ----------------------------------------------------------------------------------- */

/* x = max(x, the upper end of ball) */
static void raise_upper(arf_t x, const arb_t ball, slong prec)
{
    arf_t end;
    arf_init(end);
    arb_get_ubound_arf(end, ball, prec);
    if (arf_is_nan(end))
        arf_pos_inf(end);
    if (arf_cmp(end, x) > 0)
        arf_set(x, end);
    arf_clear(end);
}

/* quotient = k / (a (a-1)), a > 1 */
static void quotient(arb_t q, const arb_t k, const fmpq_t a, slong prec)
{
    arb_t below;
    fmpq_t x;
    arb_init(below);
    fmpq_init(x);
    fmpq_sub_si(x, a, 1);
    fmpq_mul(x, x, a);
    arb_set_fmpq(below, x, prec);
    arb_div(q, k, below, prec);
    fmpq_clear(x);
    arb_clear(below);
}

/* The chord of a span: its slope, and the order at which it crosses zero, which convexity puts at 1 or
 * beyond. */
static void chord(arb_t slope, arb_t cross, const struct span *span, slong prec)
{
    arb_t width;
    fmpq_t x;
    arb_init(width);
    fmpq_init(x);
    fmpq_sub(x, span->y, span->x);
    arb_set_fmpq(width, x, prec);
    arb_sub(slope, span->ky, span->kx, prec);
    arb_div(slope, slope, width, prec);
    arb_div(cross, span->kx, slope, prec);
    arb_set_fmpq(width, span->x, prec);
    arb_sub(cross, width, cross, prec);
    fmpq_clear(x);
    arb_clear(width);
}

/* Whether an order may lie between the span's ends. */
static bool may_lie_in(const struct span *span, const arb_t order, slong prec)
{
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    arb_set_fmpq(x, span->x, prec);
    arb_set_fmpq(y, span->y, prec);
    const bool outside = arb_lt(order, x) || arb_gt(order, y);
    arb_clear(y);
    arb_clear(x);
    return !outside;
}

/* The summit that the chord's quotient has at c + root, root = sqrt(c (c-1)): slope / (2 c - 1 + 2 root).
 * A chord that is nowhere positive has none. */
static void raise_summit(arf_t bound, const struct span *span, slong prec)
{
    if (arb_is_nonpositive(span->kx) && arb_is_nonpositive(span->ky))
        return;
    arb_t slope, c, root, order;
    arb_init(slope);
    arb_init(c);
    arb_init(root);
    arb_init(order);
    chord(slope, c, span, prec);
    arb_sub_ui(root, c, 1, prec);
    arb_mul(root, root, c, prec);
    arb_sqrtpos(root, root, prec);
    arb_add(order, c, root, prec);
    if (may_lie_in(span, order, prec)) {
        arb_mul_2exp_si(order, order, 1);
        arb_sub_ui(order, order, 1, prec);
        arb_div(slope, slope, order, prec);
        raise_upper(bound, slope, prec);
    }
    arb_clear(order);
    arb_clear(root);
    arb_clear(c);
    arb_clear(slope);
}

static void set_bound(struct span *span, const struct search *s)
{
    arb_t q;
    arb_init(q);
    arf_zero(span->bound);
    if (span->open) {
        arb_set_fmpq(q, span->x, s->prec);
        arb_div(q, s->limit, q, s->prec);
        raise_upper(span->bound, q, s->prec);
    } else if (fmpq_is_one(span->x)) {
        arb_set_fmpq(q, span->y, s->prec);
        arb_sub_ui(q, q, 1, s->prec);
        arb_div(q, span->ky, q, s->prec);
        raise_upper(span->bound, q, s->prec);
    } else {
        quotient(q, span->kx, span->x, s->prec);
        raise_upper(span->bound, q, s->prec);
        quotient(q, span->ky, span->y, s->prec);
        raise_upper(span->bound, q, s->prec);
        raise_summit(span->bound, span, s->prec);
    }
    arb_set_arf(q, span->bound);
    arb_add(q, q, s->base, s->prec);
    arb_get_ubound_arf(span->bound, q, s->prec);
    arb_clear(q);
}

static bool narrow(const arb_t ball, slong bits)
{
    return arb_is_exact(ball) || arb_rel_accuracy_bits(ball) >= bits;
}

/* ---- evaluation ------------------------------------------------------------------------------- */

/* What (D_a - xi) / a is at least, the closed parts at their true value. */
static pby_status reach(struct search *s, const fmpq_t order)
{
    arb_t d, x;
    arf_t end;
    arb_init(d);
    arb_init(x);
    arf_init(end);
    const pby_status status = pby_spectrum_pairs(d, s->s, order, true, s->prec, s->err);
    arb_set_fmpq(x, s->xi, s->prec);
    arb_sub(d, d, x, s->prec);
    arb_set_fmpq(x, order, s->prec);
    arb_div(d, d, x, s->prec);
    arb_set_fmpq(x, s->s->line.rho, s->prec);
    arb_add(d, d, x, s->prec);
    arb_get_lbound_arf(end, d, s->prec);
    if (arf_cmp(end, s->reached) > 0)
        arf_set(s->reached, end);
    arf_clear(end);
    arb_clear(x);
    arb_clear(d);
    return status;
}

/* K(a), and what it shows about rho. */
static pby_status evaluate(arb_t k, struct search *s, const fmpq_t order)
{
    arb_t x;
    fmpq_t b;
    arb_init(x);
    fmpq_init(b);
    s->work++;
    pby_status status = pby_spectrum_pairs(k, s->s, order, false, s->prec, s->err);
    s->weak = s->weak || !narrow(k, s->bits);
    arb_set_fmpq(x, s->xi, s->prec);
    arb_sub(k, k, x, s->prec);
    fmpq_sub_si(b, order, 1);
    arb_set_fmpq(x, b, s->prec);
    arb_mul(k, k, x, s->prec);
    if (status == PBY_OK)
        status = reach(s, order);
    fmpq_clear(b);
    arb_clear(x);
    return status;
}

/* ---- the spans -------------------------------------------------------------------------------- */

static void span_init(struct span *span)
{
    fmpq_init(span->x);
    fmpq_init(span->y);
    arb_init(span->kx);
    arb_init(span->ky);
    arf_init(span->bound);
    span->open = false;
}

static void span_clear(struct span *span)
{
    fmpq_clear(span->x);
    fmpq_clear(span->y);
    arb_clear(span->kx);
    arb_clear(span->ky);
    arf_clear(span->bound);
}

/* A new span from the last. The pointer holds until the next one. */
static struct span *push(struct search *s)
{
    if (s->count == s->room) {
        const size_t room = s->room == 0 ? 64 : 2 * s->room;
        struct span *more = realloc(s->span, room * sizeof *more);
        if (more == NULL)
            return NULL;
        s->span = more;
        s->room = room;
    }
    span_init(&s->span[s->count]);
    return &s->span[s->count++];
}

/* Cuts span i in two: an open one at twice its start. */
static pby_status split(struct search *s, size_t i)
{
    struct span *right = push(s);
    if (right == NULL)
        return pby_no_memory(s->err);
    struct span *left = &s->span[i];
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
    set_bound(left, s);
    set_bound(right, s);
    return status;
}

/* The span with the greatest bound; those that cannot hold rho are let go. */
static size_t widest(struct search *s)
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

/* ---- rho -------------------------------------------------------------------------------------- */

static pby_status start(struct search *s)
{
    fmpq_t one;
    arb_t k;
    fmpq_init(one);
    arb_init(k);
    fmpq_one(one);
    struct span *span = push(s);
    pby_status status = span == NULL ? pby_no_memory(s->err) : evaluate(k, s, one);
    if (status == PBY_OK) {
        span->open = true;
        fmpq_set(span->x, one);
        arf_pos_inf(span->bound);
        status = split(s, 0);
    }
    arb_clear(k);
    fmpq_clear(one);
    return status;
}

static void set_between(arb_t ball, const arf_t lo, const arf_t hi, slong prec)
{
    if (arf_equal(lo, hi))
        arb_set_arf(ball, lo);
    else
        arb_set_interval_arf(ball, lo, hi, prec);
}

/* Splits the worst span until rho lies between two numbers that are close enough, or until nothing more
 * is gained at this precision. */
static pby_status close_in(arb_t ball, struct search *s, slong bits)
{
    pby_status status = start(s);
    while (status == PBY_OK) {
        const size_t i = widest(s);
        arf_t hi;
        arf_init(hi);
        arf_set(hi, s->span[i].bound);
        if (arf_cmp(hi, s->reached) < 0)
            arf_set(hi, s->reached);
        set_between(ball, s->reached, hi, s->prec);
        arf_clear(hi);
        if (narrow(ball, bits) || s->weak || s->work >= PBY_ZCDP_WORK)
            break;
        status = split(s, i);
    }
    return status;
}

static void search_init(struct search *s, const pby_spectrum *spectrum, const fmpq_t xi, pby_error *err)
{
    fmpq_t rho, sum;
    *s = (struct search){.s = spectrum, .err = err};
    fmpq_init(s->xi);
    arb_init(s->base);
    arb_init(s->limit);
    arf_init(s->reached);
    fmpq_init(rho);
    fmpq_init(sum);
    fmpq_sub(s->xi, xi, spectrum->line.xi);
    fmpq_set(sum, spectrum->line.rho);
    for (size_t i = 0; i < spectrum->count; i++)
        if (pby_spectrum_rho(rho, &spectrum->part[i]))
            fmpq_add(sum, sum, rho);
    s->prec = PBY_PRECISION_FIRST + 2 * pby_bits_for_digits(PBY_DIGITS_LIMIT);
    arb_set_fmpq(s->base, sum, s->prec);
    fmpq_clear(sum);
    fmpq_clear(rho);
}

static void search_restart(struct search *s)
{
    for (size_t i = 0; i < s->count; i++)
        span_clear(&s->span[i]);
    s->count = 0;
    s->weak = false;
    /* along the integers the closed parts reach their rho and the others go to 0 */
    arb_get_lbound_arf(s->reached, s->base, s->prec);
}

static void search_clear(struct search *s)
{
    search_restart(s);
    free(s->span);
    arf_clear(s->reached);
    arb_clear(s->limit);
    arb_clear(s->base);
    fmpq_clear(s->xi);
}

/* D_inf - xi of what is not in closed form. */
static pby_status set_limit(struct search *s)
{
    arb_t x;
    arb_init(x);
    const pby_status status = pby_spectrum_pairs(s->limit, s->s, NULL, false, s->prec, s->err);
    arb_set_fmpq(x, s->xi, s->prec);
    arb_sub(s->limit, s->limit, x, s->prec);
    arb_clear(x);
    return status;
}

/* One round at the precision in force: false when a greater one could do better. */
static pby_status one_round(arb_t ball, struct search *s, slong bits, bool *done)
{
    search_restart(s);
    pby_status status = set_limit(s);
    if (status != PBY_OK)
        return status;
    if (arf_is_pos_inf(arb_midref(s->limit)))
        return pby_fail(s->err, PBY_BAD, "--zcdp: expected mechanisms of bounded loss, or Gaussian ones");
    if (arb_is_nonpositive(s->limit)) {
        arb_set(ball, s->base);
        *done = true;
        return PBY_OK;
    }
    status = close_in(ball, s, bits);
    *done = !s->weak;
    return status;
}

pby_status pby_zcdp_rho(arb_t ball, const pby_spectrum *spectrum, const fmpq_t xi, unsigned digits, pby_error *err)
{
    if (spectrum->line.bounded) {
        arb_pos_inf(ball);
        return PBY_OK;
    }
    const slong bits = pby_bits_for_digits(digits);
    struct search s;
    search_init(&s, spectrum, xi, err);
    s.bits = 2 * bits + 16;
    pby_status status = PBY_OK;
    bool done = false;
    for (s.prec = PBY_PRECISION_FIRST + 4 * bits; status == PBY_OK && !done; s.prec *= 2)
        status = s.prec <= PBY_PRECISION_MAX ? one_round(ball, &s, bits, &done)
                                             : pby_fail(err, PBY_FAILED, "rho: undecided at %d bits of precision",
                                                        PBY_PRECISION_MAX);
    search_clear(&s);
    return status;
}
