/* SPDX-License-Identifier: MIT */
#include "loss/claim.h"
#include "probity/experimental/losses.h"

#include <string.h>

#include "loss/divergence/divergence.h"
#include "loss/loss.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity/enclosure.h"

const pby_statement *pby_claim_statement(const pby_spec *spec)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    const pby_statement *other = m->family->other_statement != NULL ? m->family->other_statement(m) : NULL;
    return other != NULL ? other : &m->family->statement;
}

pby_status pby_loss_claimed(pby_enclosure *delta, const char **source, const pby_spec *spec,
                            pby_neighbours relation, mpq_srcptr epsilon, unsigned digits, pby_error *err)
{
    *source = NULL;
    if (!pby_spec_is_single(spec))
        return PBY_OK;
    const pby_mechanism *m = &spec->use[0].mechanism;
    if (m->family->claim == NULL || pby_mechanism_sample(m) != NULL)
        return PBY_OK;
    (void)err;
    PBY_FMPQ(at);
    PBY_ARB(ball);
    fmpq_set_mpq(at, epsilon);
    if (m->family->claim(ball, m, relation, at, pby_precision_for_digits(digits)) && arb_is_finite(ball)) {
        *source = pby_claim_statement(spec)->source;
        pby_enclosure_set_arb(delta, ball, digits);
        if (mpfr_sgn(delta->lo) < 0)
            mpfr_set_zero(delta->lo, 1);
    }
    return PBY_OK;
}

/* Compares the lower end a with the upper end b as they are printed. Both decimals are read at a precision
 * that keeps different decimals of so many digits apart; equal ones are equal texts. */
static int compare_printed(mpfr_srcptr a, mpfr_srcptr b, unsigned digits)
{
    char lower[PBY_DECIMAL_SIZE], upper[PBY_DECIMAL_SIZE];
    pby_decimal(lower, a, digits, true);
    pby_decimal(upper, b, digits, false);
    if (strcmp(lower, upper) == 0)
        return 0;
    mpfr_t x, y;
    mpfr_inits2(64 + 8 * (mpfr_prec_t)digits, x, y, NULL);
    mpfr_set_str(x, lower, 10, MPFR_RNDN);
    mpfr_set_str(y, upper, 10, MPFR_RNDN);
    const int sign = mpfr_cmp(x, y);
    mpfr_clears(x, y, NULL);
    return sign;
}

/* ---- claims that are the exact delta ------------------------------------------------------------ */

/* The exact route adds a term for each outcome that counts. */
enum { OUTCOMES_MAX = 1 << 10 };

/* True if the pair's delta, a quotient, is at most the claim n/d. */
static bool is_at_most(const pby_pair *pair, const fmpq_t epsilon, const pby_expsum_t n, const pby_expsum_t d)
{
    pby_expsum_t numerator, denominator;
    pby_expsum_init(numerator);
    pby_expsum_init(denominator);
    pby_hockey_stick(numerator, denominator, pair, epsilon);
    pby_expsum_mul(numerator, numerator, d);
    pby_expsum_mul(denominator, denominator, n);
    pby_expsum_sub(numerator, numerator, denominator);
    const bool within = pby_expsum_sign(numerator) <= 0;
    pby_expsum_clear(denominator);
    pby_expsum_clear(numerator);
    return within;
}

static bool none_exceeds(const pby_pairs *pairs, const fmpq_t epsilon, const pby_expsum_t n,
                         const pby_expsum_t d)
{
    bool within = pby_expsum_sign(d) > 0;
    for (size_t i = 0; i < pairs->count && within; i++)
        within = pairs->pair[i].curve == NULL && pairs->pair[i].count <= OUTCOMES_MAX &&
                 is_at_most(&pairs->pair[i], epsilon, n, d);
    return within;
}

/* By the pairs for one use, or by those for any number where the former are no atoms. */
static pby_status compare_pairs(bool *holds, const pby_spec *spec, pby_neighbours relation,
                                const fmpq_t epsilon, const pby_expsum_t n, const pby_expsum_t d,
                                pby_error *err)
{
    pby_status status = PBY_OK;
    *holds = false;
    for (int alone = 1; alone >= 0 && status == PBY_OK && !*holds; alone--) {
        pby_pairs pairs;
        status = pby_loss_pairs(&pairs, spec, relation, alone != 0, err);
        *holds = status == PBY_OK && none_exceeds(&pairs, epsilon, n, d);
        pby_pairs_clear(&pairs);
    }
    return status == PBY_BAD ? PBY_OK : status; /* outcomes that are too many leave it undecided */
}

static pby_status holds_exactly(bool *holds, const pby_spec *spec, pby_neighbours relation,
                                mpq_srcptr epsilon, pby_error *err)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    pby_status status = PBY_OK;
    pby_expsum_t n, d;
    *holds = false;
    if (m->family->claim_terms == NULL)
        return PBY_OK;
    pby_expsum_init(n);
    pby_expsum_init(d);
    PBY_FMPQ(at);
    fmpq_set_mpq(at, epsilon);
    if (m->family->claim_terms(n, d, m, relation, at))
        status = compare_pairs(holds, spec, relation, at, n, d, err);
    pby_expsum_clear(d);
    pby_expsum_clear(n);
    return status;
}

pby_status pby_claim_here(pby_here *here, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                          const pby_enclosure *delta, const pby_enclosure *claimed, unsigned digits,
                          pby_error *err)
{
    bool holds = compare_printed(claimed->lo, delta->hi, digits) >= 0;
    const bool fails = compare_printed(delta->lo, claimed->hi, digits) > 0;
    pby_status status = PBY_OK;
    if (!holds && !fails)
        status = holds_exactly(&holds, spec, relation, epsilon, err);
    *here = holds ? PBY_HERE_HOLDS : fails ? PBY_HERE_FAILS : PBY_HERE_UNDECIDED;
    return status;
}
