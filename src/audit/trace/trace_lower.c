/* SPDX-License-Identifier: MIT */
#include "audit/trace/trace_lower.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { PREC = 192, CAP = 1000, STEPS = 44 };

void pby_trace_lower_init(pby_trace_lower *x)
{
    *x = (pby_trace_lower){.certain = false};
    pby_trace_terms_init(&x->terms);
    arb_init(x->missed);
}

void pby_trace_lower_clear(pby_trace_lower *x)
{
    for (size_t i = 0; i < x->laws_count; i++)
        pby_two_laws_clear(&x->laws[i]);
    free(x->laws);
    pby_trace_atoms_clear(&x->atoms);
    pby_trace_terms_clear(&x->terms);
    arb_clear(x->missed);
}

/* ---- members ----------------------------------------------------------------------------------- */

/* out = the scale of a member's noise on a side, in the units of the output */
static void scale_of(mpq_t out, const pby_published *p)
{
    mpq_mul(out, p->scale, p->factor);
    mpq_abs(out, out);
}

static pby_status add_two_laws(pby_trace_lower *x, const pby_member *m, pby_error *err)
{
    PBY_MPQ(scale);
    PBY_RESERVE(x->laws, x->laws_room, x->laws_count + 1, err);
    pby_two_laws *l = &x->laws[x->laws_count++];
    l->law = m->side[0].law;
    pby_two_laws_init(l);
    for (int s = 0; s < 2; s++) {
        fmpq_set_mpq(l->centre[s], m->side[s].centre.q);
        scale_of(scale, &m->side[s]);
        fmpq_set_mpq(l->scale[s], scale);
    }
    return PBY_OK;
}

/* Laplace or normal noise. Of scales that differ by rounding the greater loses less. */
static pby_status add_continuous(pby_trace_lower *x, const pby_member *m, mpq_srcptr shift, pby_error *err)
{
    PBY_MPQ(left, right, ratio);
    scale_of(left, &m->side[0]);
    scale_of(right, &m->side[1]);
    if (mpq_sgn(left) == 0 || mpq_sgn(right) == 0) {
        x->certain = x->certain || mpq_sgn(left) != mpq_sgn(right) || mpq_sgn(shift) != 0;
        return PBY_OK;
    }
    if (!pby_trace_close(left, right))
        return add_two_laws(x, m, err);
    mpq_div(ratio, shift, mpq_cmp(left, right) > 0 ? left : right);
    if (m->side[0].law == PBY_TRACE_LAPLACE)
        return pby_trace_terms_laplace(&x->terms, ratio, err);
    pby_trace_terms_gauss(&x->terms, ratio);
    return PBY_OK;
}

/* The nearest integer, where x is one but for rounding. */
static bool nearest(mpq_t out, mpq_srcptr x)
{
    PBY_MPQ(half);
    mpq_set_ui(half, 1, 2);
    mpq_add(half, half, x);
    mpq_set_ui(out, 0, 1);
    mpz_fdiv_q(mpq_numref(out), mpq_numref(half), mpq_denref(half));
    return pby_trace_close(out, x);
}

/* Integer noise: of centres that are no whole number of steps apart no output is common. */
static pby_status add_integer(pby_trace_lower *x, const pby_member *m, mpq_srcptr shift, pby_error *err)
{
    PBY_MPQ(left, right, steps, whole);
    mpq_abs(left, m->side[0].factor);
    mpq_abs(right, m->side[1].factor);
    if (!pby_trace_close(left, right) || !pby_trace_close(m->side[0].scale, m->side[1].scale))
        return PBY_OK;
    mpq_div(steps, shift, left);
    mpq_abs(steps, steps);
    if (!nearest(whole, steps)) {
        x->certain = true;
        return PBY_OK;
    }
    return mpq_sgn(whole) == 0
               ? PBY_OK
               : pby_trace_terms_integer(&x->terms, m->side[0].law, m->side[0].scale, whole, err);
}

static bool same_chances(const pby_trace_noise *a, const pby_trace_noise *b)
{
    bool same = a->labels_count == b->labels_count;
    for (size_t i = 0; i < a->labels_count && same; i++)
        same = pby_trace_close(a->p[i].q, b->p[i].q) && strcmp(a->labels[i], b->labels[i]) == 0;
    return same;
}

static pby_status add_member(pby_trace_lower *x, const pby_member *m, pby_findings *findings, pby_error *err)
{
    PBY_MPQ(shift);
    const pby_published *left = &m->side[0], *right = &m->side[1];
    if (left->law == PBY_TRACE_CHOICE)
        return same_chances(left->of, right->of)
                   ? PBY_OK
                   : pby_trace_terms_choice(&x->terms, left->of, right->of, err);
    if (!pby_trace_number_finite(&left->centre) || !pby_trace_number_finite(&right->centre)) {
        if (pby_trace_number_equal(&left->centre, &right->centre))
            return PBY_OK;
        x->certain = true;
        PBY_TRY(pby_findings_add(findings, PBY_FOUND_VALUE, left->of->site,
                                 "the output is NaN or an infinity on one side", err));
        pby_findings_refute(findings, PBY_FOUND_VALUE);
        return PBY_OK;
    }
    mpq_sub(shift, left->centre.q, right->centre.q);
    return left->law == PBY_TRACE_LAPLACE || left->law == PBY_TRACE_GAUSS ? add_continuous(x, m, shift, err)
                                                                          : add_integer(x, m, shift, err);
}

/* ---- one draw in two coordinates --------------------------------------------------------------- */

/* The noise as a coordinate would show it if it were all noise: centre / factor. */
static bool place(mpq_t out, const pby_published *p)
{
    if (!pby_trace_number_finite(&p->centre))
        return false;
    mpq_div(out, p->centre.q, p->factor);
    return true;
}

/* |x| <= 2^-40 |y| */
static bool negligible(mpq_srcptr x, mpq_srcptr y)
{
    PBY_MPQ(size, least);
    mpq_abs(size, x);
    mpq_abs(least, y);
    mpq_div_2exp(least, least, 40);
    return mpq_cmp(size, least) <= 0;
}

/* The constant that two coordinates of one draw show moves between the sides. */
static bool shows_constant(const pby_member *m, const pby_member *n)
{
    PBY_MPQ(left, right, other, scale);
    if (!place(left, &m->side[0]) || !place(right, &m->side[1]) ||
        !pby_trace_close(m->side[0].factor, m->side[1].factor) ||
        !pby_trace_close(n->side[0].factor, n->side[1].factor))
        return false;
    mpq_abs(scale, left);
    mpq_add(scale, scale, m->side[0].scale);
    if (!place(other, &n->side[0]))
        return false;
    mpq_sub(left, left, other);
    if (!place(other, &n->side[1]))
        return false;
    mpq_sub(right, right, other);
    mpq_sub(left, left, right);
    return !negligible(left, scale);
}

static pby_status add_reuse(pby_trace_lower *x, const pby_members *members, pby_findings *findings,
                            pby_error *err)
{
    for (size_t i = 0; i < members->count; i++)
        for (size_t j = 0; j < i && !members->item[i].first; j++) {
            const pby_member *m = &members->item[i], *n = &members->item[j];
            bool one = m->side[0].law != PBY_TRACE_CHOICE;
            for (int s = 0; s < 2; s++)
                one = one && m->side[s].noise == n->side[s].noise && m->side[s].element == n->side[s].element;
            if (!one || !shows_constant(m, n))
                continue;
            x->certain = true;
            PBY_TRY(pby_findings_add(findings, PBY_FOUND_REUSE, m->side[0].of->site,
                                     "two outputs have one draw of noise: their difference has none", err));
            pby_findings_refute(findings, PBY_FOUND_REUSE);
            return PBY_OK;
        }
    return PBY_OK;
}

/* ---- seeds ------------------------------------------------------------------------------------- */

/* True if the generator behind a draw gives the noise of `first` in every run on a side. */
static bool repeats(const pby_trace_side *side, size_t noise, const pby_trace_noise *first)
{
    for (size_t i = 0; i < side->count; i++) {
        if (noise >= side->runs[i].noise_count)
            return false;
        const pby_trace_noise *n = &side->runs[i].noise[noise];
        if (n->own == NULL || n->count != first->count || first->own == NULL)
            return false;
        for (size_t e = 0; e < n->count; e++)
            if (!pby_trace_number_equal(&n->own[e], &first->own[e]))
                return false;
    }
    return true;
}

/* True if two generators of some run have one seed: their noise is not independent. */
static bool shares_seeds(const char **site, const pby_trace_side *side)
{
    for (size_t i = 0; i < side->count; i++)
        for (size_t j = 0; j < side->runs[i].seeds_count; j++)
            if (side->runs[i].seeds[j].same) {
                *site = side->runs[i].seeds[j].site;
                return true;
            }
    return false;
}

pby_status pby_trace_seeds(bool *blocked, bool *shared, const pby_trace_side side[2], pby_findings *findings,
                           bool allowed, pby_error *err)
{
    *blocked = *shared = false;
    for (int s = 0; s < 2; s++) {
        const pby_trace_run *first = &side[s].runs[0];
        const char *site = NULL;
        if (shares_seeds(&site, &side[s])) {
            *blocked = *shared = true;
            PBY_TRY(pby_findings_add(findings, PBY_FOUND_SEED, site,
                                     "two generators have one seed: their noise is not independent", err));
        }
        for (size_t i = 0; i < first->noise_count; i++) {
            if (first->noise[i].seed < 0)
                continue;
            const bool same = side[s].count > 1 && repeats(&side[s], i, &first->noise[i]) && !allowed;
            *blocked = *blocked || same;
            PBY_TRY(pby_findings_add(findings, PBY_FOUND_SEED, first->noise[i].site,
                                     same ? "a seeded generator gives the same noise in every run"
                                          : "the generator is seeded",
                                     err));
        }
    }
    return PBY_OK;
}

/* The noise of a member is known to everybody who reads the source. */
static pby_status add_seed(pby_trace_lower *x, const pby_member *m, const pby_trace_side side[2],
                           pby_findings *findings, pby_error *err)
{
    const pby_published *left = &m->side[0], *right = &m->side[1];
    if (left->law == PBY_TRACE_CHOICE || left->of->seed < 0 || right->of->seed < 0 ||
        left->noise != right->noise || !repeats(&side[0], left->noise, left->of) ||
        !repeats(&side[1], left->noise, left->of) || !side[0].runs[0].seeds[left->of->seed].literal ||
        !side[1].runs[0].seeds[right->of->seed].literal || !pby_trace_close(left->factor, right->factor) ||
        pby_trace_number_equal(&left->centre, &right->centre))
        return PBY_OK;
    x->certain = true;
    PBY_TRY(pby_findings_add(findings, PBY_FOUND_SEED, left->of->site,
                             "a seed in the source gives the same noise in every run", err));
    pby_findings_refute(findings, PBY_FOUND_SEED);
    return PBY_OK;
}

pby_status pby_trace_lower_add(pby_trace_lower *x, const pby_members *members, const pby_trace_side side[2],
                               pby_findings *findings, bool allow_seeds, pby_error *err)
{
    for (size_t i = 0; i < members->count; i++) {
        if (members->item[i].first)
            PBY_TRY(add_member(x, &members->item[i], findings, err));
        if (!allow_seeds)
            PBY_TRY(add_seed(x, &members->item[i], side, findings, err));
    }
    if (members->told || members->told_by_error) {
        x->certain = true;
        PBY_TRY(pby_findings_add(findings, PBY_FOUND_OUTPUT, "",
                                 "what no noise is in differs between the inputs", err));
    }
    return add_reuse(x, members, findings, err);
}

/* ---- delta ------------------------------------------------------------------------------------- */

/* The terms with no ratio above CAP: a shorter shift loses less, and a grid has no room for more. */
static pby_status capped(pby_trace_terms *out, const pby_trace_terms *t, pby_error *err)
{
    PBY_MPQ(cap);
    mpq_set_ui(cap, CAP, 1);
    for (size_t i = 0; i < t->laplace_count; i++)
        PBY_TRY(pby_trace_terms_laplace(out, mpq_cmp(t->laplace[i], cap) > 0 ? cap : t->laplace[i], err));
    mpq_mul(cap, cap, cap);
    mpq_set(out->squares, mpq_cmp(t->squares, cap) > 0 ? cap : t->squares);
    for (size_t i = 0; i < t->specs_count; i++)
        PBY_TRY(pby_trace_terms_spec(out, t->specs[i], err));
    return PBY_OK;
}

/* The terms by themselves: choices where the composition of all has no answer. */
static pby_status terms_delta(arb_t ball, const pby_trace_terms *t, const fmpq_t epsilon, const fmpq *width,
                              pby_error *err)
{
    pby_trace_terms most;
    pby_trace_terms_init(&most);
    pby_status status = capped(&most, t, err);
    most.pairs = t->pairs;
    most.pairs_count = t->pairs_count;
    if (status == PBY_OK)
        status = pby_trace_terms_ask(ball, &most, PBY_ASK_DELTA, epsilon, width, err);
    most.pairs = NULL;
    most.pairs_count = 0;
    pby_trace_terms_clear(&most);
    return status;
}

/* ball = max(ball, y), of which either may be wide. */
static void raise_to(arb_t ball, const arb_t y)
{
    pby_raise_to(ball, y, PREC);
}

/* The greatest delta of the two laws, in either order. */
static void laws_delta(arb_t ball, const pby_trace_lower *x, const fmpq_t epsilon)
{
    PBY_ARB(one);
    for (size_t i = 0; i < x->laws_count; i++)
        for (int reverse = 0; reverse < 2; reverse++) {
            pby_two_laws_delta(one, &x->laws[i], reverse, epsilon, PREC);
            raise_to(ball, one);
        }
}

pby_status pby_trace_lower_delta(arb_t ball, const pby_trace_lower *x, const fmpq_t epsilon,
                                 const fmpq *width, pby_error *err)
{
    PBY_ARB(missed, atoms);
    pby_status status = PBY_OK;
    arb_one(ball);
    if (!x->certain) {
        status = terms_delta(ball, &x->terms, epsilon, width, err);
        laws_delta(ball, x, epsilon);
        pby_trace_atoms_delta(atoms, &x->atoms, epsilon);
        raise_to(ball, atoms);
    }
    if (!arb_is_zero(x->missed)) {
        arb_set_fmpq(missed, epsilon, PREC);
        arb_exp(missed, missed, PREC);
        arb_add_ui(missed, missed, 1, PREC);
        arb_mul(missed, missed, x->missed, PREC);
        arb_sub(ball, ball, missed, PREC);
    }
    return status;
}

/* ---- epsilon ----------------------------------------------------------------------------------- */

/* True if delta(epsilon) is certainly above the level. */
static pby_status exceeds(bool *yes, const pby_trace_lower *x, const fmpq_t epsilon, const fmpq_t level,
                          const fmpq *width, pby_error *err)
{
    PBY_ARB(ball, bound);
    PBY_TRY(pby_trace_lower_delta(ball, x, epsilon, width, err));
    arb_set_fmpq(bound, level, PREC);
    *yes = arb_gt(ball, bound);
    return PBY_OK;
}

/* Bisection from 0 to an epsilon at which nothing is shown. */
static pby_status bisect(arb_t ball, const pby_trace_lower *x, const fmpq_t level, const fmpq *width,
                         pby_error *err)
{
    PBY_FMPQ(from, to, middle);
    bool yes;
    fmpq_set_si(to, 1, 1);
    PBY_TRY(exceeds(&yes, x, from, level, width, err));
    arb_zero(ball);
    if (!yes)
        return PBY_OK;
    for (int i = 0; i < 40 && yes; i++) {
        PBY_TRY(exceeds(&yes, x, to, level, width, err));
        fmpq_set(yes ? from : middle, to);
        if (yes)
            fmpq_mul_2exp(to, to, 1);
    }
    for (int i = 0; i < STEPS && !yes; i++) {
        bool above;
        fmpq_add(middle, from, to);
        fmpq_div_2exp(middle, middle, 1);
        PBY_TRY(exceeds(&above, x, middle, level, width, err));
        fmpq_swap(above ? from : to, middle);
    }
    arb_set_fmpq(ball, from, PREC);
    return PBY_OK;
}

pby_status pby_trace_lower_epsilon(arb_t ball, const pby_trace_lower *x, const fmpq_t delta,
                                   const fmpq *width, pby_error *err)
{
    if (!arb_is_zero(x->missed))
        return bisect(ball, x, delta, width, err);
    if (x->certain || (x->laws_count > 0 && fmpq_is_zero(delta))) {
        arb_pos_inf(ball);
        return PBY_OK;
    }
    if (x->laws_count > 0)
        return bisect(ball, x, delta, width, err);
    PBY_ARB(atoms);
    pby_trace_atoms_epsilon(atoms, &x->atoms, delta);
    if (arb_is_finite(atoms))
        PBY_TRY(pby_trace_terms_ask(ball, &x->terms, PBY_ASK_EPSILON, delta, width, err));
    raise_to(ball, atoms);
    return PBY_OK;
}
