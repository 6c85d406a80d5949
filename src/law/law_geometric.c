/* SPDX-License-Identifier: MIT */
/* The two-sided geometric law and the one-sided laws that its tail is made of.
 *
 * With a = exp(-rate):
 *   cdf(k) = a^-k / (1 + a)               for k < 0
 *   cdf(k) = (1 + a - a^(k+1)) / (1 + a)  for k >= 0
 */
#include <stdlib.h>

#include "law/law_exponential.h"
#include "law/laws.h"
#include "law/tail.h"
#include "number/scoped.h"
#include "number/text.h"

/* The body leaves less than 2^-64 on either side, so that no decided word falls in a tail, unless that takes
 * more cells than stay in a first-level cache: exp(-45) < 2^-64. */
enum { BODY_LEVEL = 45, BODY_HALF_MAX = 2047 };

struct one_rate {
    pby_law base;
    fmpq_t rate;
};

static const struct one_rate *as_one_rate(const pby_law *law)
{
    return (const struct one_rate *)law;
}

static void one_rate_free(pby_law *law)
{
    struct one_rate *g = (struct one_rate *)law;
    fmpq_clear(g->rate);
    free(g);
}

static struct one_rate *one_rate_new(const pby_law_class *class, const fmpq_t rate)
{
    struct one_rate *g = malloc(sizeof *g);
    if (g == NULL)
        return NULL;
    g->base = (pby_law){.class = class};
    pby_expsum_init(g->base.norm);
    fmpq_init(g->rate);
    fmpq_set(g->rate, rate);
    return g;
}

/* ---- two-sided -------------------------------------------------------------------------------- */

static void geometric_below(pby_expsum_t out, const pby_law *law, int64_t k)
{
    const struct one_rate *g = as_one_rate(law);
    pby_expsum_zero(out);
    if (k < 0) {
        pby_add_power(out, 1, g->rate, -k);
    } else {
        pby_expsum_set(out, law->norm);
        pby_add_power(out, -1, g->rate, k + 1);
    }
}

static void geometric_mass(pby_expsum_t out, const pby_law *law, int64_t k)
{
    const struct one_rate *g = as_one_rate(law);
    const int64_t size = k < 0 ? -k : k;
    pby_expsum_zero(out);
    pby_add_power(out, 1, g->rate, size);
    pby_add_power(out, -1, g->rate, size + 1);
}

static bool geometric_formal(FILE *out, const pby_law *law)
{
    char *rate = fmpq_get_str(NULL, 10, as_one_rate(law)->rate);
    fprintf(out,
            "(* Two-sided geometric noise of this rate. *)\n"
            "Definition rate : R := %s.\n"
            "Definition law (k : Z) : R :=\n"
            "  (1 - exp (- rate)) / (1 + exp (- rate)) * exp (- rate * IZR (Z.abs k)).\n"
            "Definition cdf (k : Z) : R :=\n"
            "  if (k <? 0)%%Z then exp (rate * IZR k) / (1 + exp (- rate))\n"
            "  else 1 - exp (- (rate * IZR (k + 1))) / (1 + exp (- rate)).\n"
            "\n"
            "Lemma mass (k : Z) : cdf k - cdf (k - 1) = law k.\n"
            "Proof.\n"
            "  unfold cdf, law; assert (P := exp_pos (- rate)).\n"
            "  destruct (Z.ltb_spec k 0), (Z.ltb_spec (k - 1) 0); try lia.\n"
            "  - rewrite Z.abs_neq, opp_IZR, minus_IZR by lia.\n"
            "    replace (- rate * - IZR k) with (rate * IZR k) by ring.\n"
            "    replace (rate * (IZR k - 1)) with (rate * IZR k + - rate) by ring; rewrite exp_plus.\n"
            "    field; lra.\n"
            "  - replace k with 0%%Z by lia; cbn [Z.abs Z.add Z.sub Z.opp Z.pos_sub].\n"
            "    replace (rate * IZR (-1)) with (- rate) by (simpl; ring).\n"
            "    replace (- (rate * 1)) with (- rate) by ring.\n"
            "    replace (- rate * 0) with 0 by ring; rewrite exp_0; field; lra.\n"
            "  - rewrite Z.abs_eq by lia; replace (k - 1 + 1)%%Z with k by lia; rewrite plus_IZR.\n"
            "    replace (- (rate * (IZR k + 1))) with (- rate * IZR k + - rate) by ring.\n"
            "    replace (- (rate * IZR k)) with (- rate * IZR k) by ring; rewrite exp_plus; field; lra.\n"
            "Qed.\n",
            rate);
    flint_free(rate);
    return true;
}

static const pby_law_class GEOMETRIC = {
    .name = "geometric",
    .below = geometric_below,
    .mass = geometric_mass,
    .tail = &pby_geometric_tail,
    .formal = geometric_formal,
    .free = one_rate_free,
};

/* A scale beyond 2^40 would leave 64-bit integers too often to be of use. */
static bool samplable(const fmpq_t rate)
{
    PBY_FMPQ(least);
    fmpq_set_si(least, 1, 1);
    fmpq_div_2exp(least, least, 40);
    return fmpq_cmp(rate, least) >= 0;
}

static pby_status check_rate(const fmpq_t rate, pby_error *err)
{
    return samplable(rate) ? PBY_OK
                           : pby_refuse_rational(err, "rate of the noise", rate,
                                                 "at least 2^-40, so that the noise fits 64-bit integers");
}

pby_status pby_law_geometric(pby_law **out, const fmpq_t rate, pby_error *err)
{
    *out = NULL;
    const pby_status status = check_rate(rate, err);
    if (status != PBY_OK)
        return status;
    struct one_rate *g = one_rate_new(&GEOMETRIC, rate);
    if (g == NULL)
        return pby_no_memory(err);
    pby_add_power(g->base.norm, 1, rate, 0);
    pby_add_power(g->base.norm, 1, rate, 1);
    const int64_t half = FLINT_MIN(pby_decay_length(rate, BODY_LEVEL), BODY_HALF_MAX);
    g->base.lo = INT64_MIN;
    g->base.hi = INT64_MAX;
    g->base.body_lo = -half;
    g->base.body_hi = half;
    g->base.bend_lo = g->base.bend_hi = 0;
    *out = &g->base;
    return PBY_OK;
}

pby_status pby_law_geometric_over(pby_law **out, const fmpq_t eps, const fmpq_t sensitivity, pby_error *err)
{
    PBY_FMPQ(rate);
    fmpq_div(rate, eps, sensitivity);
    return pby_law_geometric(out, rate, err);
}

void pby_law_geometric_rate(fmpq_t rate, const pby_law *law)
{
    fmpq_set(rate, as_one_rate(law)->rate);
}

/* ---- one-sided, whole and cut at a base ------------------------------------------------------- */

static void rising_below(pby_expsum_t out, const pby_law *law, int64_t k)
{
    pby_expsum_zero(out);
    pby_add_power(out, 1, as_one_rate(law)->rate, 0);
    pby_add_power(out, -1, as_one_rate(law)->rate, k + 1);
}

static const pby_law_class DIGIT = {.name = "digit", .below = rising_below, .free = one_rate_free};
static const pby_law_class MAGNITUDE = {.name = "magnitude", .below = rising_below, .free = one_rate_free};
static const pby_law_class ONE_SIDED = {
    .name = "one-sided", .below = rising_below, .tail = &pby_geometric_tail, .free = one_rate_free};

static pby_status rising(pby_law **out, const pby_law_class *class, const fmpq_t rate, int64_t base,
                         int64_t hi, pby_error *err)
{
    *out = NULL;
    struct one_rate *g = one_rate_new(class, rate);
    if (g == NULL)
        return pby_no_memory(err);
    g->base.hi = hi;
    g->base.body_hi = base - 1;
    g->base.bend_hi = hi;
    *out = &g->base;
    return PBY_OK;
}

pby_status pby_law_digit(pby_law **out, const fmpq_t rate, int64_t base, pby_error *err)
{
    const pby_status status = rising(out, &DIGIT, rate, base, base - 1, err);
    if (status == PBY_OK) {
        pby_add_power((*out)->norm, 1, rate, 0);
        pby_add_power((*out)->norm, -1, rate, base);
    }
    return status;
}

pby_status pby_law_magnitude(pby_law **out, const fmpq_t rate, int64_t base, pby_error *err)
{
    const pby_status status = rising(out, &MAGNITUDE, rate, base, INT64_MAX, err);
    if (status == PBY_OK)
        pby_add_power((*out)->norm, 1, rate, 0);
    return status;
}

pby_status pby_law_one_sided(pby_law **out, const fmpq_t rate, pby_error *err)
{
    *out = NULL;
    const int64_t body = FLINT_MIN(pby_decay_length(rate, BODY_LEVEL), 2 * BODY_HALF_MAX);
    PBY_TRY(check_rate(rate, err));
    PBY_TRY(rising(out, &ONE_SIDED, rate, body, INT64_MAX, err));
    pby_add_power((*out)->norm, 1, rate, 0);
    return PBY_OK;
}
