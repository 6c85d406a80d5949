/* SPDX-License-Identifier: MIT */
#include "law/law.h"

#include <stdlib.h>

#include "number/ball.h"
#include "number/scoped.h"

enum { WORD = 64, CUT_PRECISION = 2 * WORD, RUN = 1024, RUN_PRECISION = 3 * WORD };

bool pby_law_bounded_below(const pby_law *law)
{
    return law->lo != INT64_MIN;
}

bool pby_law_bounded_above(const pby_law *law)
{
    return law->hi != INT64_MAX;
}

/* True if the law is a quotient of sums of exponentials. */
static bool is_exact(const pby_law *law)
{
    return law->class->below != NULL;
}

void pby_law_below(pby_expsum_t out, const pby_law *law, int64_t k)
{
    if (k < law->lo)
        pby_expsum_zero(out);
    else if (k >= law->hi)
        pby_expsum_set(out, law->norm);
    else
        law->class->below(out, law, k);
}

void pby_law_mass(pby_expsum_t out, const pby_law *law, int64_t k)
{
    if (k < law->lo || k > law->hi) {
        pby_expsum_zero(out);
    } else if (law->class->mass != NULL) {
        law->class->mass(out, law, k);
    } else {
        pby_expsum_t before;
        pby_expsum_init(before);
        pby_law_below(out, law, k);
        if (k > law->lo)
            pby_law_below(before, law, k - 1);
        pby_expsum_sub(out, out, before);
        pby_expsum_clear(before);
    }
}

/* numerator / norm */
static void over_norm(arb_t ball, const pby_expsum_t numerator, const pby_law *law, slong prec)
{
    PBY_ARB(norm);
    pby_expsum_get_arb(ball, numerator, prec);
    pby_expsum_get_arb(norm, law->norm, prec);
    arb_div(ball, ball, norm, prec);
}

typedef void numerator_at(pby_expsum_t out, const pby_law *law, int64_t k);

static void quotient(arb_t ball, numerator_at *at, const pby_law *law, int64_t k, slong prec)
{
    pby_expsum_t numerator;
    pby_expsum_init(numerator);
    at(numerator, law, k);
    over_norm(ball, numerator, law, prec);
    pby_expsum_clear(numerator);
}

void pby_law_cdf_arb(arb_t ball, const pby_law *law, int64_t k, slong prec)
{
    if (is_exact(law)) {
        quotient(ball, pby_law_below, law, k, prec);
    } else if (k < law->lo || k >= law->hi) {
        arb_set_ui(ball, k >= law->hi);
    } else {
        PBY_ARB(above);
        law->class->tails_arb(ball, above, law, k, prec);
    }
}

void pby_law_mass_arb(arb_t ball, const pby_law *law, int64_t k, slong prec)
{
    if (is_exact(law))
        quotient(ball, pby_law_mass, law, k, prec);
    else if (k < law->lo || k > law->hi)
        arb_zero(ball);
    else
        law->class->mass_arb(ball, law, k, prec);
}

/* True if numerator * 2^64 >= m * norm, exactly. */
static bool reaches(const pby_expsum_t numerator, const pby_law *law, const fmpz_t m)
{
    pby_expsum_t left, right;
    pby_expsum_init(left);
    pby_expsum_init(right);
    PBY_FMPQ(factor, zero);
    fmpz_one_2exp(fmpq_numref(factor), WORD);
    pby_expsum_mul_term(left, numerator, factor, zero);
    fmpz_set(fmpq_numref(factor), m);
    pby_expsum_mul_term(right, law->norm, factor, zero);
    pby_expsum_sub(left, left, right);
    const bool yes = pby_expsum_sign(left) >= 0;
    pby_expsum_clear(right);
    pby_expsum_clear(left);
    return yes;
}

/* ---- cuts ------------------------------------------------------------------------------------- */

/* A ball that holds no integer in its inside tells the floor at once. One that does is within a
 * hair of that integer, which the sign of an exact sum then places: a cut may be an integer (the
 * middle of a symmetric law is 2^63), and no precision would ever show that. */
static void exact_cut(fmpz_t cut, const pby_law *law, int64_t k)
{
    pby_expsum_t numerator;
    pby_expsum_init(numerator);
    PBY_ARB(ball, down);
    pby_law_below(numerator, law, k);
    slong prec = CUT_PRECISION;
    do {
        over_norm(ball, numerator, law, prec);
        arb_mul_2exp_si(ball, ball, WORD);
        prec *= 2;
    } while (mag_cmp_2exp_si(arb_radref(ball), -2) > 0);
    arb_floor(down, ball, prec);
    if (!arb_get_unique_fmpz(cut, down)) {
        arf_get_fmpz(cut, arb_midref(ball), ARF_RND_NEAR);
        if (!reaches(numerator, law, cut))
            fmpz_sub_ui(cut, cut, 1);
    }
    pby_expsum_clear(numerator);
}

/* The floor from the side that is small: a cdf of 1 - 10^-1000 has a certain floor at a few bits of what
 * it lacks, and at no fewer than thousands of its own. */
static bool floor_of_tails(fmpz_t cut, const pby_law *law, int64_t k, slong prec)
{
    PBY_ARB(below, above);
    law->class->tails_arb(below, above, law, k, prec);
    const bool upper = arf_cmp(arb_midref(above), arb_midref(below)) < 0;
    if (upper) {
        arb_mul_2exp_si(above, above, WORD);
        arb_ceil(below, above, prec);
    } else {
        arb_mul_2exp_si(below, below, WORD);
        arb_floor(below, below, prec);
    }
    const bool certain = arb_get_unique_fmpz(cut, below);
    if (certain && upper) {
        PBY_FMPZ(words);
        fmpz_one_2exp(words, WORD);
        fmpz_sub(cut, words, cut);
    }
    return certain;
}

pby_status pby_law_cut(fmpz_t cut, const pby_law *law, int64_t k, pby_error *err)
{
    if (is_exact(law)) {
        exact_cut(cut, law, k);
        return PBY_OK;
    }
    for (slong prec = CUT_PRECISION; prec <= PBY_PRECISION_MAX; prec *= 2)
        if (floor_of_tails(cut, law, k, prec))
            return PBY_OK;
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION, "a cut is undecided at %d bits of precision",
                       PBY_PRECISION_MAX);
}

/* n cuts, one by one; or in a pass, and one by one only where that leaves the floor open. */
static pby_status cut_run(uint64_t *cut, const pby_law *law, int64_t from, slong n, pby_error *err)
{
    arb_ptr cdf = _arb_vec_init(RUN);
    pby_status status = PBY_OK;
    const bool pass = law->class->run_arb != NULL;
    PBY_ARB(ball);
    PBY_FMPZ(floor);
    if (pass)
        law->class->run_arb(cdf, law, from, n, RUN_PRECISION);
    for (slong i = 0; i < n && status == PBY_OK; i++) {
        arb_mul_2exp_si(ball, cdf + i, WORD);
        arb_floor(ball, ball, RUN_PRECISION);
        if (!pass || !arb_get_unique_fmpz(floor, ball))
            status = pby_law_cut(floor, law, from + i, err);
        cut[i] = fmpz_get_ui(floor);
    }
    _arb_vec_clear(cdf, RUN);
    return status;
}

pby_status pby_law_cuts(uint64_t *cut, const pby_law *law, int64_t from, size_t n, pby_error *err)
{
    for (size_t at = 0; at < n; at += RUN)
        PBY_TRY(cut_run(cut + at, law, from + (int64_t)at, FLINT_MIN((slong)(n - at), RUN), err));
    return PBY_OK;
}

void pby_law_free(pby_law *law)
{
    if (law == NULL)
        return;
    pby_expsum_clear(law->norm);
    law->class->free(law);
}
