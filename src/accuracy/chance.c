/* SPDX-License-Identifier: MIT */
#include "accuracy/chance.h"

#include "number/ball.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/rational.h"

/* The chance for one bar. A query that lies u in [-1/2, 1/2] of a step from where it was rounded to is off by
 * |R + u| steps. The worst u for a whole number k is next to 1/2, and R >= k and R <= -k-1 fail; for k + 1/2
 * it is 0. */
static void part_of(arb_t part, const pby_noise *noise, int64_t reach, slong prec)
{
    if (!noise->halves) {
        pby_law_cdf_arb(part, noise->law, -reach - 1, prec);
        arb_mul_si(part, part, noise->sides, prec);
        return;
    }
    PBY_ARB(other);
    pby_law_cdf_arb(part, noise->law, -(reach + 1) / 2, prec);
    pby_law_cdf_arb(other, noise->law, -reach / 2 - 1, prec);
    arb_add(part, part, other, prec);
}

/* 1 - (product over the noises of 1 - part)^bars */
static pby_status chance_of(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const pby_miss *miss = what;
    PBY_ARB(part);
    arb_zero(ball);
    for (size_t i = 0; i < PBY_NOISES; i++)
        if (miss->noise[i].sides > 0) {
            part_of(part, &miss->noise[i], miss->reach, prec);
            arb_neg(part, part);
            arb_log1p(part, part, prec);
            arb_add(ball, ball, part, prec);
        }
    arb_mul_ui(ball, ball, miss->bars, prec);
    arb_expm1(ball, ball, prec);
    arb_neg(ball, ball);
    return PBY_OK;
}

static const char LEAST[] = "1e-10000";

/* No enclosure has fewer bits: the least, rounded down to its bits, is not below the least rounded down to
 * these. */
enum { LEAST_BITS = 64 };

/* True if a chance that is not 0 is below the least. */
static bool is_negligible(const arb_t chance)
{
    PBY_MPFR(LEAST_BITS, least);
    PBY_ARB(level);
    mpfr_set_str(least, LEAST, 10, MPFR_RNDD);
    arf_set_mpfr(arb_midref(level), least);
    return !arb_is_zero(chance) && arb_lt(chance, level);
}

pby_status pby_chance_set(pby_enclosure *out, mpq_t gamma, const arb_t chance, unsigned digits,
                          pby_error *err)
{
    char text[PBY_DECIMAL_SIZE];
    pby_enclosure_set_arb(out, chance, digits);
    if (is_negligible(chance)) {
        mpfr_set_zero(out->lo, 1);
        mpfr_set_str(out->hi, LEAST, 10, MPFR_RNDD); /* above the chance, and printed as LEAST */
        return pby_rational_parse(gamma, "chance", LEAST, err);
    }
    pby_enclosure_keep_in_unit(out);
    pby_decimal(text, out->hi, digits < PBY_DIGITS_DEFAULT ? digits : PBY_DIGITS_DEFAULT, false);
    return pby_rational_parse(gamma, "chance", text, err);
}

pby_status pby_decimal_above(mpq_t out, pby_real f, const void *what, pby_error *err)
{
    char text[PBY_DECIMAL_SIZE];
    pby_enclosure x;
    PBY_ARB(ball);
    pby_enclosure_init(&x);
    pby_status status = pby_enclose(ball, f, what, 2 * PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK) {
        pby_enclosure_set_arb(&x, ball, 2 * PBY_DIGITS_DEFAULT);
        pby_decimal(text, x.hi, PBY_DIGITS_DEFAULT, false);
        status = pby_rational_parse(out, "beta", text, err);
    }
    pby_enclosure_clear(&x);
    return status;
}

pby_status pby_miss_chance(pby_enclosure *out, mpq_t gamma, const pby_miss *miss, unsigned digits,
                           pby_error *err)
{
    PBY_ARB(ball);
    PBY_TRY(chance_of(ball, miss, PBY_PRECISION_FIRST, err));
    if (!is_negligible(ball))
        PBY_TRY(pby_enclose(ball, chance_of, miss, digits, err));
    return pby_chance_set(out, gamma, ball, digits, err);
}

static pby_status is_likely(bool *likely, pby_miss *miss, int64_t reach, mpq_srcptr gamma, pby_error *err)
{
    int sign = 0;
    miss->reach = reach;
    PBY_FMPQ(level);
    fmpq_set_mpq(level, gamma);
    const pby_status status = pby_compare(&sign, chance_of, miss, level, err);
    *likely = sign > 0;
    return status;
}

/* Doubled, then halved in. No chance is above 1, and next to 1 none can be told from it. */
pby_status pby_miss_reach(pby_miss *miss, int64_t least, mpq_srcptr gamma, pby_error *err)
{
    enum { DOUBLINGS = 61 };
    int64_t below = least - 1, enough = least;
    bool likely = false;
    pby_status status = mpq_cmp_ui(gamma, 1, 1) < 0 ? is_likely(&likely, miss, least, gamma, err) : PBY_OK;
    for (int i = 0; i < DOUBLINGS && status == PBY_OK && likely; i++) {
        below = enough;
        enough = least + (INT64_C(1) << i);
        status = is_likely(&likely, miss, enough, gamma, err);
    }
    if (status == PBY_OK && likely)
        return pby_refuse_mpq(err, "gamma", gamma, "one that a beta below 2^60 steps allows");
    while (status == PBY_OK && enough - below > 1) {
        const int64_t middle = below + (enough - below) / 2;
        status = is_likely(&likely, miss, middle, gamma, err);
        *(likely ? &below : &enough) = middle;
    }
    miss->reach = enough;
    return status;
}
