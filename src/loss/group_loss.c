/* SPDX-License-Identifier: MIT */
/* The loss of a group, of any profile (public face: probity/loss.h).
 *
 * Where a spec has no group of its own, delta(e) of neighbours becomes delta(e) (1 + exp(e) + ... + exp((k-1)
 * e)) at k e. This is a bound, and some inputs that far apart are put below it.
 */
#include <stdlib.h>

#include "loss/compose/grid.h"
#include "loss/loss.h"
#include "mechanism/shared/crowd.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"

/* A question about a group. */
struct asked {
    pby_profiles list; /* of neighbours */
    const pby_spec *spec;
    unsigned long size;
    unsigned digits;
    bool normed; /* and so large that a greater norm is a better bound than the theorem, which is not asked */
};

/* 1 + exp(e) + ... + exp((size-1) e); at e = 0, size. */
static void geometric_sum(arb_t sum, const fmpq_t e, unsigned long size, slong prec)
{
    if (fmpq_is_zero(e)) {
        arb_set_ui(sum, size);
        return;
    }
    PBY_ARB(below);
    arb_set_fmpq(below, e, prec);
    arb_mul_ui(sum, below, size, prec);
    arb_expm1(sum, sum, prec);
    arb_expm1(below, below, prec);
    arb_div(sum, sum, below, prec);
}

/* The bound of the theorem, from the profiles of a single step. */
static pby_status by_theorem(arb_t ball, const pby_profiles *list, unsigned long size, const fmpq_t epsilon,
                             unsigned digits, pby_error *err)
{
    const slong prec = pby_precision_for_digits(digits);
    fmpz_t k;
    PBY_FMPQ(e);
    fmpz_init_set_ui(k, size);
    PBY_ARB(sum);
    fmpq_div_fmpz(e, epsilon, k);
    const pby_status status = pby_profiles_delta(ball, list, e, digits, err);
    geometric_sum(sum, e, size, prec);
    arb_mul(ball, ball, sum, prec);
    arb_one(sum);
    arb_min(ball, ball, sum, prec);
    fmpz_clear(k);
    return status;
}

/* Pairs of some inputs of one use that are so far apart; none where no such are known. */
static pby_status group_pairs(pby_pairs *out, const pby_mechanism *m, unsigned long size, pby_error *err)
{
    const pby_wanted wanted = {.list = PBY_APART, .size = size};
    pby_product product = {.count = 0};
    const bool sampled = pby_mechanism_sample(m) != NULL;
    pby_status status = sampled ? pby_crowd_pairs(&product.factor->pairs, m, size, err)
                                : pby_product_of(&product, m, &wanted, err);
    *out = product.factor->pairs;
    for (size_t i = 0; i < out->count && status == PBY_OK; i++)
        pby_pair_merge(&out->pair[i]);
    if (status != PBY_OK)
        pby_pairs_clear(out);
    return status;
}

/* Bars and their total move alike, and a curve is that of one of the two. */
static uint64_t measurements(const pby_mechanism *m, const pby_pairs *pairs)
{
    return m->family->form == PBY_RELEASE_TOTAL && pairs->count > 0 && pairs->pair[0].curve != NULL ? 2 : 1;
}

static pby_status profiles_of_pairs(pby_profiles *out, pby_pairs *pairs, pby_error *err)
{
    PBY_TRY(pby_profiles_init(out, pairs->count, err));
    for (size_t i = 0; i < pairs->count; i++)
        PBY_TRY(pby_profile_of_pair(&out->profile[i], &pairs->pair[i], err));
    return PBY_OK;
}

/* Makes profiles for the case that every use sees the same inputs. The parts are moved out of `parts`. */
static pby_status profiles_of_parts(pby_profiles *out, pby_parts *parts, pby_error *err)
{
    if (parts->count == 1 && parts->part[0].times == 1)
        return profiles_of_pairs(out, &parts->part[0].pairs, err);
    const pby_status status = pby_profiles_init(out, 1, err);
    return status == PBY_OK ? pby_profile_of_parts(&out->profile[0], parts, NULL, err) : status;
}

/* The profiles of some inputs that are so far apart; none where some use knows of no such. */
static pby_status group_profiles(pby_profiles *out, const pby_spec *spec, unsigned long size, pby_error *err)
{
    pby_parts parts = {calloc(spec->count, sizeof *parts.part), 0};
    pby_status status = parts.part == NULL ? pby_no_memory(err) : PBY_OK;
    bool known = true;
    *out = (pby_profiles){NULL, 0};
    for (size_t i = 0; i < spec->count && known && status == PBY_OK; i++) {
        pby_part *part = &parts.part[parts.count++];
        status = group_pairs(&part->pairs, &spec->use[i].mechanism, size, err);
        part->times = spec->use[i].times * measurements(&spec->use[i].mechanism, &part->pairs);
        part->reached = part->times;
        known = part->pairs.count > 0;
    }
    if (status == PBY_OK && known)
        status = profiles_of_parts(out, &parts, err);
    pby_parts_clear(&parts);
    return status;
}

/* least = what some inputs lose: those that are as far apart as can be, and neighbours, which are a group of
 * one; in a large group with a norm, the former alone where there are any. */
static pby_status from_below(arb_t least, const struct asked *asked, const fmpq_t epsilon, pby_error *err)
{
    pby_profiles group;
    PBY_ARB(ball);
    arb_zero(least);
    pby_status status = group_profiles(&group, asked->spec, asked->size, err);
    if (status == PBY_OK && (group.count == 0 || !asked->normed))
        status = pby_profiles_delta(least, &asked->list, epsilon, asked->digits, err);
    if (status == PBY_OK && group.count > 0) {
        status = pby_profiles_delta(ball, &group, epsilon, asked->digits, err);
        arb_max(least, least, ball, pby_precision_for_digits(asked->digits));
    }
    pby_profiles_clear(&group);
    return status;
}

/* ---- delta ------------------------------------------------------------------------------------ */

static pby_status between(pby_enclosure *delta, bool *wider, const struct asked *asked, mpq_srcptr epsilon,
                          pby_error *err)
{
    PBY_FMPQ(at, width);
    PBY_ARB(most, least);
    fmpq_set_mpq(at, epsilon);
    fmpq_set_si(width, 1, PBY_WIDTH);
    arb_one(most);
    pby_status status = asked->normed ? PBY_OK
                                      : by_theorem(most, &asked->list, asked->size, at, asked->digits, err);
    if (status == PBY_OK)
        status = from_below(least, asked, at, err);
    if (status == PBY_OK) {
        arb_union(most, most, least, pby_precision_for_digits(asked->digits));
        pby_enclosure_set_arb(delta, most, asked->digits);
        pby_enclosure_keep_in_unit(delta);
        *wider = pby_loss_exceeds(most, width, asked->digits);
    }
    return status;
}

/* ---- epsilon ---------------------------------------------------------------------------------- */

/* The least epsilon of what some inputs lose at a level. */
static pby_status epsilon_below(arb_t least, const struct asked *asked, const fmpq_t level, pby_error *err)
{
    pby_profiles group;
    PBY_ARB(ball);
    arb_neg_inf(least);
    pby_status status = group_profiles(&group, asked->spec, asked->size, err);
    if (status == PBY_OK && (group.count == 0 || !asked->normed))
        status = pby_profiles_epsilon(least, &asked->list, level, asked->digits, err);
    if (status == PBY_OK && group.count > 0) {
        status = pby_profiles_epsilon(ball, &group, level, asked->digits, err);
        pby_raise_to(least, ball, pby_precision_for_digits(asked->digits));
    }
    pby_profiles_clear(&group);
    return status;
}

/* Sets *yes if the theorem's bound at size t is certainly at most the level. */
static pby_status allows(bool *yes, const struct asked *asked, const fmpq_t t, const fmpq_t level,
                         pby_error *err)
{
    fmpz_t k;
    PBY_FMPQ(epsilon);
    fmpz_init_set_ui(k, asked->size);
    PBY_ARB(bound, at);
    fmpq_mul_fmpz(epsilon, t, k);
    const pby_status status = by_theorem(bound, &asked->list, asked->size, epsilon, asked->digits, err);
    arb_set_fmpq(at, level, pby_precision_for_digits(asked->digits));
    *yes = status == PBY_OK && arb_le(bound, at);
    fmpz_clear(k);
    return status;
}

/* next = an epsilon of neighbours at level / (1 + exp(t) + ... + exp((size-1) t)), from above; false where it
 * is inf. */
static pby_status follow(fmpq_t next, bool *finite, const struct asked *asked, const fmpq_t t,
                         const fmpq_t level, pby_error *err)
{
    const slong prec = pby_precision_for_digits(asked->digits);
    PBY_ARB(sum, at);
    PBY_ARF(end);
    PBY_FMPQ(share);
    geometric_sum(sum, t, asked->size, prec);
    arb_set_fmpq(at, level, prec);
    arb_div(at, at, sum, prec);
    arb_get_lbound_arf(end, at, prec);
    arf_get_fmpq(share, end);
    const pby_status status = pby_profiles_epsilon(at, &asked->list, share, asked->digits, err);
    *finite = status == PBY_OK && arb_is_finite(at);
    if (*finite) {
        arb_get_ubound_arf(end, at, prec);
        arf_get_fmpq(next, end);
    }
    return status;
}

/* out = x + by + 2^-bits (|x| + 1) */
static void step_over(fmpq_t out, const fmpq_t x, const fmpq_t by, unsigned digits)
{
    fmpq_abs(out, x);
    fmpq_add_si(out, out, 1);
    fmpq_div_2exp(out, out, (flint_bitcnt_t)pby_bits_for_digits(digits));
    fmpq_add(out, out, by);
    fmpq_add(out, out, x);
}

/* The theorem allows the level from the least t with t = epsilon(level / sum(t)) on, for a while: the right
 * side grows with t, so that what is put in for t comes closer from below. A step over it is taken where the
 * bound says so, and of each point tried the bound alone is believed. *found is false where there is no such
 * t, or it is not come to. */
static pby_status least_allowed(fmpq_t t, bool *found, const struct asked *asked, const fmpq_t level,
                                pby_error *err)
{
    enum { ROUNDS = 64, NEAR = 3 };
    bool finite = true;
    PBY_FMPQ(next, gap);
    pby_status status = PBY_OK;
    *found = false;
    for (int i = 0; i < ROUNDS && finite && !*found && status == PBY_OK; i++) {
        status = follow(next, &finite, asked, t, level, err);
        if (status != PBY_OK || !finite)
            break;
        fmpq_sub(gap, next, t);
        fmpq_set(t, next);
        /* the next gap is no larger, if it is not near where two roots meet */
        if (i >= NEAR && i % NEAR != 0)
            fmpq_zero(gap);
        step_over(next, t, gap, asked->digits);
        status = allows(found, asked, next, level, err);
        if (*found)
            fmpq_set(t, next);
    }
    return status;
}

/* Halves the distance between a t that the theorem allows and one below it that it does not, as often as the
 * digits need. */
static pby_status sharpen(fmpq_t t, const fmpq_t least, const struct asked *asked, const fmpq_t level,
                          pby_error *err)
{
    bool yes;
    pby_status status = PBY_OK;
    PBY_FMPQ(low, middle);
    fmpq_set(low, least);
    for (slong i = pby_bits_for_digits(asked->digits); i > 0 && status == PBY_OK && fmpq_cmp(low, t) < 0;
         i--) {
        fmpq_add(middle, low, t);
        fmpq_div_2exp(middle, middle, 1);
        status = allows(&yes, asked, middle, level, err);
        fmpq_set(yes ? t : low, middle);
    }
    return status;
}

/* most = an epsilon at which the theorem allows the level; inf where none is found. */
static pby_status epsilon_above(arb_t most, const struct asked *asked, const fmpq_t level, pby_error *err)
{
    const slong prec = pby_precision_for_digits(asked->digits);
    bool found = false;
    PBY_FMPQ(t, start);
    PBY_ARF(end);
    pby_status status = pby_profiles_epsilon(most, &asked->list, level, asked->digits, err);
    if (status == PBY_OK && arb_is_finite(most)) {
        arb_get_lbound_arf(end, most, prec);
        arf_get_fmpq(start, end);
        fmpq_set(t, start);
        status = least_allowed(t, &found, asked, level, err);
        if (status == PBY_OK && found)
            status = sharpen(t, start, asked, level, err);
    }
    arb_set_fmpq(most, t, prec);
    arb_mul_ui(most, most, asked->size, prec);
    if (!found)
        arb_pos_inf(most);
    return status;
}

static pby_status epsilon_between(pby_enclosure *epsilon, bool *wider, const struct asked *asked,
                                  mpq_srcptr delta, pby_error *err)
{
    pby_enclosure upper;
    PBY_FMPQ(level, width);
    PBY_ARB(least, most);
    pby_enclosure_init(&upper);
    fmpq_set_mpq(level, delta);
    fmpq_set_si(width, 1, PBY_WIDTH);
    pby_status status = epsilon_below(least, asked, level, err);
    arb_set(most, least);
    if (status == PBY_OK && asked->normed)
        arb_pos_inf(most);
    else if (status == PBY_OK && arb_is_finite(least))
        status = epsilon_above(most, asked, level, err);
    if (status == PBY_OK) {
        pby_enclosure_set_arb(epsilon, least, asked->digits);
        pby_enclosure_set_arb(&upper, most, asked->digits);
        if (mpfr_greater_p(upper.hi, epsilon->hi))
            mpfr_swap(epsilon->hi, upper.hi);
        *wider = arb_is_finite(least) && !arb_is_finite(most);
        if (arb_is_finite(most)) {
            arb_union(most, most, least, pby_precision_for_digits(asked->digits));
            *wider = pby_loss_exceeds(most, width, asked->digits);
        }
    }
    pby_enclosure_clear(&upper);
    return status;
}

/* ---- both ------------------------------------------------------------------------------------- */

static bool has_norms(const pby_spec *spec)
{
    for (size_t i = 0; i < spec->count; i++) {
        const pby_mechanism *m = &spec->use[i].mechanism;
        if (pby_mechanism_value(m, PBY_ROLE_NORM) == NULL || pby_mechanism_sample(m) != NULL)
            return false;
    }
    return true;
}

/* The spec of all that are as far apart as a group of shifts may be: norms are size times as long, in size
 * times as many coordinates. NULL where these are too large. */
static pby_status spec_of_norms(pby_spec **out, const pby_spec *spec, unsigned long size, pby_error *err)
{
    pby_use *use = calloc(spec->count, sizeof *use);
    *out = NULL;
    if (use == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < spec->count; i++) {
        pby_mechanism *m = &use[i].mechanism;
        use[i].times = spec->use[i].times;
        pby_mechanism_init(m, NULL);
        pby_mechanism_copy(m, &spec->use[i].mechanism);
        fmpq *norm = &m->value[pby_family_with(m->family, PBY_ROLE_NORM)];
        fmpq *bars = &m->value[pby_family_with(m->family, PBY_ROLE_DIMENSIONS)];
        if (fmpq_is_zero(bars) || fmpq_cmp(bars, norm) > 0)
            fmpq_set(bars, norm); /* no shift has more coordinates */
        fmpq_mul_ui(bars, bars, size);
        fmpq_mul_ui(norm, norm, size);
        fmpq_mul_ui(norm, norm, size);
    }
    const pby_status status = pby_spec_of_uses(out, use, spec->count, NULL);
    for (size_t i = 0; i < spec->count; i++)
        pby_mechanism_clear(&use[i].mechanism);
    free(use);
    return status == PBY_BAD ? PBY_OK : status;
}

/* Lowers the upper end to that of mechanisms with a greater norm, where that is known and less. */
static pby_status lower_by_norms(pby_enclosure *answer, bool *wider, bool delta, const pby_spec *spec,
                                 pby_neighbours relation, unsigned long size, mpq_srcptr value,
                                 unsigned digits, pby_error *err)
{
    pby_spec *norms;
    pby_enclosure x;
    bool loose = false;
    pby_status status = spec_of_norms(&norms, spec, size, err);
    if (status != PBY_OK || norms == NULL)
        return status;
    pby_enclosure_init(&x);
    status = pby_loss(&x, delta ? PBY_ASK_DELTA : PBY_ASK_EPSILON, norms, relation, value,
                      &(pby_loss_options){.digits = digits, .wider = &loose}, NULL);
    if (status == PBY_OK && mpfr_less_p(x.hi, answer->hi) && mpfr_lessequal_p(answer->lo, x.hi)) {
        mpfr_swap(answer->hi, x.hi);
        PBY_FMPQ(width);
        PBY_ARB(ball);
        fmpq_set_si(width, 1, PBY_WIDTH);
        arb_set_interval_mpfr(ball, answer->lo, answer->hi, pby_precision_for_digits(digits));
        *wider = pby_loss_exceeds(ball, width, digits);
    }
    pby_enclosure_clear(&x);
    pby_spec_free(norms);
    return PBY_OK;
}

static pby_status ask_theorem(pby_enclosure *answer, bool *wider, bool delta, const pby_spec *spec,
                              pby_neighbours relation, unsigned long size, mpq_srcptr value, unsigned digits,
                              pby_error *err)
{
    enum { THEOREM_MOST = 8 };
    const bool norms = has_norms(spec);
    struct asked asked = {{NULL, 0}, spec, size, digits, norms && size > THEOREM_MOST};
    pby_status status = pby_loss_profiles(&asked.list, spec, relation, err);
    if (status == PBY_OK)
        status = (delta ? between : epsilon_between)(answer, wider, &asked, value, err);
    if (status == PBY_OK && norms)
        status = lower_by_norms(answer, wider, delta, spec, relation, size, value, digits, err);
    pby_profiles_clear(&asked.list);
    return status;
}

/* By the spec that the group sees, where there is one; else by the theorem. Local inputs are all neighbours:
 * a promise about them is about any two, and does not grow. */
static pby_status ask_group(pby_enclosure *answer, bool *wider, bool delta, const pby_spec *spec,
                            pby_neighbours relation, unsigned long size, mpq_srcptr value, unsigned digits,
                            pby_error *err)
{
    bool unseen;
    wider = wider == NULL ? &unseen : wider;
    const bool within = size >= 1 && size <= PBY_GROUP_MAX, local = within && relation == PBY_LOCAL;
    pby_spec *grown = NULL;
    pby_status status = local ? PBY_OK : pby_spec_group(&grown, spec, size, err);
    if (status == PBY_OK)
        status = pby_loss(answer, delta ? PBY_ASK_DELTA : PBY_ASK_EPSILON, local ? spec : grown, relation,
                          value, &(pby_loss_options){.digits = digits, .wider = wider}, err);
    else if (status == PBY_BAD && within && !pby_spec_grows(spec))
        status = ask_theorem(answer, wider, delta, spec, relation, size, value, digits, err);
    pby_spec_free(grown);
    return status;
}

pby_status pby_loss_group_delta(pby_enclosure *delta, bool *wider, const pby_spec *spec,
                                pby_neighbours relation, unsigned long size, mpq_srcptr epsilon,
                                unsigned digits, pby_error *err)
{
    return ask_group(delta, wider, true, spec, relation, size, epsilon, digits, err);
}

pby_status pby_loss_group_epsilon(pby_enclosure *epsilon, bool *wider, const pby_spec *spec,
                                  pby_neighbours relation, unsigned long size, mpq_srcptr delta,
                                  unsigned digits, pby_error *err)
{
    if (mpq_sgn(delta) < 0)
        return pby_fail(err, PBY_BAD, "delta is negative: expected a rational from 0 on");
    return ask_group(epsilon, wider, false, spec, relation, size, delta, digits, err);
}
