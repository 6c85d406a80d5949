/* SPDX-License-Identifier: MIT */
#include "loss/divergence/divergence_zcdp.h"

#include <stdlib.h>

#include "loss/divergence/branch.h"
#include "number/ball.h"
#include "number/scoped.h"

/* A smaller loss would take orders beyond 2^LOSS_BITS, and more than as many bits of each divergence. */
enum { LOSS_BITS = 1024 };

/* A line with a B, and the xi that is asked for. */
struct bent {
    const pby_spectrum *s;
    const fmpq *asked;
};

static void set_between(arb_t ball, const arf_t lo, const arf_t hi, slong prec)
{
    if (arf_equal(lo, hi))
        arb_set_arf(ball, lo);
    else
        arb_set_interval_arf(ball, lo, hi, prec);
}

/* Splits the worst span until rho lies between two numbers that are close enough, or until nothing more
 * is gained at this precision. */
static pby_status close_in(arb_t ball, pby_branch *s, slong bits)
{
    pby_status status = pby_branch_start(s);
    while (status == PBY_OK) {
        const size_t i = pby_branch_widest(s);
        PBY_ARF(hi);
        arf_set(hi, s->span[i].bound);
        if (arf_cmp(hi, s->reached) < 0)
            arf_set(hi, s->reached);
        set_between(ball, s->reached, hi, s->prec);
        if (pby_branch_narrow(ball, bits) || s->weak || s->work >= PBY_ZCDP_WORK)
            break;
        status = pby_branch_split(s, i);
    }
    return status;
}

/* D_inf - xi, and the range of the losses, of what is not in closed form. */
static pby_status set_limit(pby_branch *s)
{
    PBY_ARB(x);
    pby_spectrum_range(s->range, s->s, s->way, s->prec);
    const pby_status status = pby_spectrum_one_way(s->limit, s->s, s->way, NULL, false, s->prec, s->err);
    arb_set_fmpq(x, s->xi, s->prec);
    arb_sub(s->limit, s->limit, x, s->prec);
    return status;
}

/* One round at the precision in force: false when a greater one could do better. */
static pby_status one_round(arb_t ball, pby_branch *s, slong bits, bool *done)
{
    pby_branch_restart(s);
    pby_status status = set_limit(s);
    if (status != PBY_OK)
        return status;
    if (arf_is_pos_inf(arb_midref(s->limit)))
        return pby_fail(s->err, PBY_BAD, "rho: expected mechanisms of bounded loss, or Gaussian ones");
    if (arb_is_nonpositive(s->limit)) {
        arb_set(ball, s->base);
        *done = true;
        return PBY_OK;
    }
    if (arb_is_positive(s->limit) && arf_cmpabs_2exp_si(arb_midref(s->limit), -LOSS_BITS) < 0)
        return pby_fail(s->err, PBY_BAD, "rho: expected a largest loss, less xi, of at least 2^-%d",
                        LOSS_BITS);
    status = close_in(ball, s, bits);
    *done = !s->weak;
    return status;
}

/* The least rho of the pairs in one direction. */
static pby_status rho_one_way(arb_t ball, pby_branch *s, slong bits)
{
    pby_status status = PBY_OK;
    bool done = false;
    s->bits = 2 * bits + 16;
    s->work = 0;
    for (s->prec = PBY_PRECISION_FIRST + 4 * bits; status == PBY_OK && !done; s->prec *= 2)
        status = s->prec <= PBY_PRECISION_MAX
                     ? one_round(ball, s, bits, &done)
                     : pby_fail_by(s->err, PBY_FAILED, PBY_REASON_PRECISION,
                                   "rho: undecided at %d bits of precision", PBY_PRECISION_MAX);
    return status;
}

/* The rho of the pairs and a line without a B. */
static pby_status rho_without(arb_t ball, const pby_spectrum *spectrum, const fmpq_t xi, unsigned digits,
                              pby_error *err)
{
    const slong bits = pby_bits_for_digits(digits);
    pby_branch s;
    pby_branch_init(&s, spectrum, xi, err);
    s.way = PBY_FORWARD;
    pby_status status = rho_one_way(ball, &s, bits);
    if (status == PBY_OK && pby_spectrum_one_sided(spectrum)) {
        PBY_ARB(back);
        s.way = PBY_BACKWARD;
        status = rho_one_way(back, &s, bits);
        arb_max(ball, ball, back, s.prec);
    }
    pby_branch_clear(&s);
    return status;
}

/* A ball around max(rho, xi + rho + 2 sqrt(rho B) - asked), the least rho of the line alone
 * (docs/theory/zcdp.md). */
static pby_status rho_of_line(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct bent *bent = what;
    PBY_ARB(b, x);
    const pby_status status = pby_spectrum_constant(b, bent->s, prec, err);
    pby_spectrum_lowest(ball, bent->s, b, prec);
    arb_set_fmpq(x, bent->asked, prec);
    arb_sub(ball, ball, x, prec);
    arb_set_fmpq(x, bent->s->line.rho, prec);
    arb_max(ball, ball, x, prec);
    return status;
}

/* The line takes all of xi, and the pairs beside it what they need without any. */
static pby_status rho_with(arb_t ball, const pby_spectrum *spectrum, const fmpq_t xi, unsigned digits,
                           pby_error *err)
{
    const struct bent bent = {spectrum, xi};
    pby_spectrum pairs = *spectrum;
    PBY_ARB(line);
    PBY_FMPQ(none);
    fmpq_init(pairs.line.xi);
    fmpq_init(pairs.line.rho);
    pairs.constants = 0;
    pby_status status = rho_without(ball, &pairs, none, digits, err);
    if (status == PBY_OK)
        status = pby_enclose(line, rho_of_line, &bent, digits, err);
    arb_add(ball, ball, line, pby_precision_for_digits(digits));
    fmpq_clear(pairs.line.rho);
    fmpq_clear(pairs.line.xi);
    return status;
}

/* True if some pair's divergences are infinite from an order on, because of its tails or because a side may
 * give itself away, which the pair of some direction then does. */
static bool heavy(const pby_spectrum *s)
{
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->part[i].count; j++) {
            const pby_curve *curve = s->part[i].renyi[j].pair.curve;
            if (curve != NULL && (curve->class->heavy || curve->class->infinite != NULL))
                return true;
        }
    return false;
}

static pby_status rho_of_all(arb_t ball, const pby_spectrum *spectrum, const fmpq_t xi, unsigned digits,
                             pby_error *err)
{
    return spectrum->constants > 0 ? rho_with(ball, spectrum, xi, digits, err)
                                   : rho_without(ball, spectrum, xi, digits, err);
}

/* The spectrum without the parts that come up to their rho far out alone, which share their contents with it,
 * and the rho of those parts. */
static pby_status set_late_apart(pby_spectrum *rest, fmpq_t late, const pby_spectrum *s, pby_error *err)
{
    PBY_FMPQ(one);
    *rest = *s;
    rest->count = 0;
    rest->part = malloc((s->count + 1) * sizeof *rest->part);
    if (rest->part == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < s->count; i++)
        if (!pby_spectrum_late(&s->part[i]))
            rest->part[rest->count++] = s->part[i];
        else if (pby_spectrum_rho(one, &s->part[i]))
            fmpq_add(late, late, one);
    return PBY_OK;
}

/* True if all that is left needs its rho far out too. */
static bool is_closed(const pby_spectrum *rest, const fmpq_t xi)
{
    bool closed = rest->constants == 0 && fmpq_cmp(rest->line.xi, xi) <= 0;
    PBY_FMPQ(rho);
    for (size_t i = 0; i < rest->count; i++)
        closed = closed && pby_spectrum_rho(rho, &rest->part[i]);
    return closed;
}

/* Late parts need their rho where the orders go to infinity, and beside others no more than the sum. The
 * greater of what the others need and of all that has a rho is needed. */
static pby_status rho_with_late(arb_t ball, const pby_spectrum *rest, const fmpq_t late, const fmpq_t xi,
                                unsigned digits, pby_error *err)
{
    const slong prec = pby_precision_for_digits(digits);
    PBY_ARB(least, most);
    PBY_FMPQ(closed);
    PBY_TRY(rho_of_all(ball, rest, xi, digits, err));
    arb_set_fmpq(most, late, prec);
    arb_add(most, ball, most, prec);
    if (is_closed(rest, xi)) {
        arb_set(ball, most);
        return PBY_OK;
    }
    pby_spectrum_closed(closed, rest);
    fmpq_add(closed, closed, late);
    fmpq_add(closed, closed, rest->line.rho);
    arb_set_fmpq(least, closed, prec);
    arb_max(least, least, ball, prec);
    arb_union(ball, least, most, prec);
    return PBY_OK;
}

pby_status pby_zcdp_rho(arb_t ball, const pby_spectrum *spectrum, const fmpq_t xi, unsigned digits,
                        pby_error *err)
{
    if (spectrum->line.bounded || heavy(spectrum)) {
        arb_pos_inf(ball);
        return PBY_OK;
    }
    pby_spectrum rest;
    PBY_FMPQ(late);
    pby_status status = set_late_apart(&rest, late, spectrum, err);
    if (status == PBY_OK)
        status = rho_with_late(ball, &rest, late, xi, digits, err);
    free(rest.part);
    return status;
}
