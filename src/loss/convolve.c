/* Products of privacy-loss distributions, and what is read off them. */
#include "loss/pld.h"
#include "number/ball.h"

enum { GUARD = 64 };

/* ---- products --------------------------------------------------------------------------------- */

/* An upper bound on the memory of a product: its coefficients, and the integers that the polynomials are
 * packed into with the room that their multiplication takes. */
static bool fits_memory(const pby_pld *a, const pby_pld *b)
{
    const slong length = fmpz_poly_length(a->mass) + fmpz_poly_length(b->mass);
    const slong limbs = (2 * a->bits + 63) / 64 + 1;
    const slong bytes_each = 48 + 8 * limbs * 10;
    return length < ((slong)PBY_MEMORY_MAX_MIB << 20) / bytes_each;
}

static void scale_back(fmpz_t x, const pby_pld *pld)
{
    if (pld->upper)
        fmpz_cdiv_q_2exp(x, x, (flint_bitcnt_t)pld->bits);
    else
        fmpz_fdiv_q_2exp(x, x, (flint_bitcnt_t)pld->bits);
}

static void sum_of(fmpz_t sum, const fmpz_poly_t mass)
{
    fmpz_zero(sum);
    for (slong i = 0; i < fmpz_poly_length(mass); i++)
        fmpz_add(sum, sum, mass->coeffs + i);
}

/* Infinite is what is infinite in a, and what is finite in a and infinite in b. */
static void infinite_of(fmpz_t out, const pby_pld *a, const pby_pld *b)
{
    fmpz_t sum;
    fmpz_init(sum);
    sum_of(sum, b->mass);
    fmpz_add(sum, sum, b->infinite);
    fmpz_mul(out, a->infinite, sum);
    sum_of(sum, a->mass);
    fmpz_addmul(out, sum, b->infinite);
    fmpz_clear(sum);
}

pby_status pby_pld_mul(pby_pld *c, const pby_pld *a, const pby_pld *b, pby_error *err)
{
    if (!fits_memory(a, b))
        return pby_fail(err, PBY_BAD,
                        "a composition this fine needs more than %d MiB of memory (%ld losses of %ld bits each): "
                        "ask for a wider answer",
                        PBY_MEMORY_MAX_MIB, (long)(fmpz_poly_length(a->mass) + fmpz_poly_length(b->mass)),
                        (long)a->bits);
    if (a == b)
        fmpz_poly_sqr(c->mass, a->mass);
    else
        fmpz_poly_mul(c->mass, a->mass, b->mass);
    for (slong i = 0; i < fmpz_poly_length(c->mass); i++)
        scale_back(c->mass->coeffs + i, a);
    _fmpz_poly_normalise(c->mass);
    infinite_of(c->infinite, a, b);
    scale_back(c->infinite, a);
    c->low = a->low + b->low;
    return PBY_OK;
}

void pby_pld_trim(pby_pld *pld, const fmpz_t budget)
{
    slong from = 0, to = fmpz_poly_length(pld->mass);
    fmpz_t cut, next;
    fmpz_init(cut);
    fmpz_init(next);
    for (; to > 0; to--, fmpz_set(cut, next)) {
        fmpz_add(next, cut, pld->mass->coeffs + to - 1);
        if (fmpz_cmp(next, budget) > 0)
            break;
    }
    if (pld->upper)
        fmpz_add(pld->infinite, pld->infinite, cut);
    fmpz_poly_truncate(pld->mass, to);
    fmpz_zero(cut);
    for (; from < to; from++, fmpz_set(cut, next)) {
        fmpz_add(next, cut, pld->mass->coeffs + from);
        if (fmpz_cmp(next, budget) > 0)
            break;
    }
    fmpz_poly_shift_right(pld->mass, pld->mass, from);
    pld->low += from;
    if (pld->upper && from < to)
        fmpz_add(pld->mass->coeffs, pld->mass->coeffs, cut);
    fmpz_clear(next);
    fmpz_clear(cut);
}

/* What is cut from the power `reached` weighs times/reached as much in the end, and there are at most two
 * cuts for every bit of times. */
static void trim_share(pby_pld *pld, uint64_t reached, uint64_t times, slong log_budget)
{
    fmpz_t share;
    fmpz_init_set_ui(share, reached);
    fmpz_mul_2exp(share, share, (flint_bitcnt_t)log_budget);
    fmpz_fdiv_q_ui(share, share, times);
    fmpz_fdiv_q_ui(share, share, 2 * FLINT_BIT_COUNT(times));
    pby_pld_trim(pld, share);
    fmpz_clear(share);
}

static void pld_swap(pby_pld *a, pby_pld *b)
{
    const pby_pld held = *a;
    *a = *b;
    *b = held;
}

pby_status pby_pld_power(pby_pld *pld, const pby_pld *base, uint64_t times, slong log_budget, pby_error *err)
{
    pby_pld next, first;
    pby_status status = PBY_OK;
    pby_pld_init(&next, base->bits, base->upper);
    pby_pld_init(&first, base->bits, base->upper);
    fmpz_poly_set(first.mass, base->mass);
    fmpz_set(first.infinite, base->infinite);
    first.low = base->low;
    trim_share(&first, 1, times, log_budget);
    pby_pld_one(pld);
    uint64_t reached = 0;
    for (unsigned bit = (unsigned)FLINT_BIT_COUNT(times); bit-- > 0 && status == PBY_OK;) {
        if (reached > 0) {
            status = pby_pld_mul(&next, pld, pld, err);
            if (status != PBY_OK)
                break;
            pld_swap(pld, &next);
            reached *= 2;
            trim_share(pld, reached, times, log_budget);
        }
        if ((times >> bit & 1) != 0) {
            status = pby_pld_mul(&next, pld, &first, err);
            if (status != PBY_OK)
                break;
            pld_swap(pld, &next);
            reached++;
            trim_share(pld, reached, times, log_budget);
        }
    }
    pby_pld_clear(&first);
    pby_pld_clear(&next);
    return status;
}

/* ---- what is read off ------------------------------------------------------------------------- */

/* The walk down from the top: at point `at`, whole = the mass from there on with the infinite, and tilted
 * = the finite part of it weighted by exp(l_at - l), so that the potential there is whole - tilted. */
struct walk {
    const pby_pld *pld;
    fmpz_t whole;
    arb_t tilted, decay;
    slong at, prec; /* at counts from the pld's low */
};

static void walk_init(struct walk *w, const pby_pld *pld, const fmpq_t step)
{
    *w = (struct walk){.pld = pld, .at = fmpz_poly_length(pld->mass), .prec = pld->bits + GUARD};
    fmpz_init_set(w->whole, pld->infinite);
    arb_init(w->tilted);
    arb_init(w->decay);
    arb_set_fmpq(w->decay, step, w->prec);
    arb_neg(w->decay, w->decay);
    arb_exp(w->decay, w->decay, w->prec);
}

static void walk_clear(struct walk *w)
{
    fmpz_clear(w->whole);
    arb_clear(w->tilted);
    arb_clear(w->decay);
}

static void walk_down(struct walk *w)
{
    const fmpz *mass = w->pld->mass->coeffs + --w->at;
    arb_mul(w->tilted, w->tilted, w->decay, w->prec);
    arb_add_fmpz(w->tilted, w->tilted, mass, w->prec);
    fmpz_add(w->whole, w->whole, mass);
}

/* The loss at the walk's point. */
static void walk_loss(fmpq_t loss, const struct walk *w, const fmpq_t step)
{
    fmpq_mul_si(loss, step, w->pld->low + w->at);
}

void pby_pld_delta(arb_t delta, const pby_pld *pld, const fmpq_t step, const fmpq_t epsilon)
{
    struct walk w;
    fmpz_t index;
    fmpq_t loss;
    fmpz_init(index);
    fmpq_init(loss);
    walk_init(&w, pld, step);
    fmpq_div(loss, epsilon, step);
    fmpz_cdiv_q(index, fmpq_numref(loss), fmpq_denref(loss));
    fmpz_sub_si(index, index, pld->low);
    while (w.at > 0 && fmpz_cmp_si(index, w.at) < 0)
        walk_down(&w);
    walk_loss(loss, &w, step);
    fmpq_sub(loss, epsilon, loss);
    arb_set_fmpq(delta, loss, w.prec);
    arb_exp(delta, delta, w.prec);
    arb_mul(delta, delta, w.tilted, w.prec);
    arb_sub_fmpz(delta, delta, w.whole, w.prec);
    arb_neg(delta, delta);
    arb_mul_2exp_si(delta, delta, -pld->bits);
    walk_clear(&w);
    fmpq_clear(loss);
    fmpz_clear(index);
}

/* The root of the line whole - exp(epsilon - l) tilted = level at the walk's point, as a ball. */
static void root_of_line(arb_t epsilon, const struct walk *w, const arb_t level, const fmpq_t step)
{
    arb_t at;
    fmpq_t loss;
    arb_init(at);
    fmpq_init(loss);
    arb_sub_fmpz(epsilon, level, w->whole, w->prec);
    arb_neg(epsilon, epsilon);
    arb_div(epsilon, epsilon, w->tilted, w->prec);
    arb_log(epsilon, epsilon, w->prec);
    walk_loss(loss, w, step);
    arb_set_fmpq(at, loss, w->prec);
    arb_add(epsilon, epsilon, at, w->prec);
    fmpq_clear(loss);
    arb_clear(at);
}

/* Whether whole - tilted may be above the level. */
static bool may_exceed(const struct walk *w, const arb_t level)
{
    arb_t height;
    arb_init(height);
    arb_sub_fmpz(height, w->tilted, w->whole, w->prec);
    arb_neg(height, height);
    const bool may = !arb_le(height, level);
    arb_clear(height);
    return may;
}

/* Walks down to the first point whose potential may exceed the level, and stops one above it: from there the
 * potential is a line in exp(epsilon) down to that point, or to -inf when no point is left. */
static bool walk_to(struct walk *w, const arb_t level)
{
    struct walk ahead = *w;
    fmpz_init_set(ahead.whole, w->whole);
    arb_init(ahead.tilted);
    bool crossed = false;
    while (ahead.at > 0 && !crossed) {
        walk_down(&ahead);
        crossed = may_exceed(&ahead, level);
        if (!crossed) {
            fmpz_set(w->whole, ahead.whole);
            arb_set(w->tilted, ahead.tilted);
            w->at = ahead.at;
        }
    }
    fmpz_clear(ahead.whole);
    arb_clear(ahead.tilted);
    return crossed;
}

/* The line through the walk's point carries on below the next one; a convex potential lies above it there,
 * so that for an upper pld the root counts no further than that point, and for a lower one it does. */
static void bound_from_line(arf_t bound, const struct walk *w, const arb_t level, bool crossed,
                            const fmpq_t step)
{
    arb_t epsilon, floor;
    fmpq_t loss;
    arb_init(epsilon);
    arb_init(floor);
    fmpq_init(loss);
    root_of_line(epsilon, w, level, step);
    if (!arb_is_finite(epsilon)) {
        if (w->pld->upper)
            arf_pos_inf(bound);
        else
            arf_neg_inf(bound);
    } else if (w->pld->upper) {
        arb_get_ubound_arf(bound, epsilon, w->prec);
        walk_loss(loss, w, step);
        fmpq_sub(loss, loss, step);
        arb_set_fmpq(floor, loss, w->prec);
        arb_get_ubound_arf(arb_midref(floor), floor, w->prec);
        if (crossed && arf_cmp(bound, arb_midref(floor)) < 0)
            arf_set(bound, arb_midref(floor));
    } else {
        arb_get_lbound_arf(bound, epsilon, w->prec);
    }
    fmpq_clear(loss);
    arb_clear(floor);
    arb_clear(epsilon);
}

void pby_pld_epsilon(arf_t epsilon, const pby_pld *pld, const fmpq_t step, const fmpq_t delta)
{
    struct walk w;
    arb_t level, infinite;
    arb_init(level);
    arb_init(infinite);
    walk_init(&w, pld, step);
    arb_set_fmpq(level, delta, w.prec);
    arb_mul_2exp_si(level, level, pld->bits);
    arb_set_fmpz(infinite, pld->infinite);
    if (pld->upper ? !arb_le(infinite, level) : arb_gt(infinite, level)) {
        arf_pos_inf(epsilon);
    } else {
        const bool crossed = walk_to(&w, level);
        bound_from_line(epsilon, &w, level, crossed, step);
    }
    arb_clear(infinite);
    walk_clear(&w);
    arb_clear(level);
}
