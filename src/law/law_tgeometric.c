/* SPDX-License-Identifier: MIT */
/* The clipped two-sided geometric law: max(-bound, min(bound, X)) for a geometric X.
 *
 * Clipping moves no mass across any k with -bound <= k < bound, so that the cdf there is that of X:
 *   cdf(k) = a^-k / (1 + a)               for k < 0
 *   cdf(k) = (1 + a - a^(k+1)) / (1 + a)  for k >= 0,  a = exp(-rate)
 */
#include <stdlib.h>

#include "law/law_exponential.h"
#include "law/laws.h"

struct tgeometric {
    pby_law base;
    fmpq_t rate;
};

static void tgeometric_below(pby_expsum_t out, const pby_law *law, int64_t k)
{
    const struct tgeometric *t = (const struct tgeometric *)law;
    pby_expsum_zero(out);
    if (k < 0) {
        pby_add_power(out, 1, t->rate, -k);
    } else {
        pby_expsum_set(out, law->norm);
        pby_add_power(out, -1, t->rate, k + 1);
    }
}

void pby_law_tgeometric_state(FILE *out, const fmpq_t rate, int64_t bound)
{
    char *text = fmpq_get_str(NULL, 10, rate);
    fprintf(out,
            "(* Two-sided geometric noise of this rate, clipped at -%lld and %lld. *)\n"
            "Definition rate : R := %s.\n"
            "Definition cdf (k : Z) : R :=\n"
            "  if (k <? -%lld)%%Z then 0\n"
            "  else if (%lld <=? k)%%Z then 1\n"
            "  else if (k <? 0)%%Z then exp (rate * IZR k) / (1 + exp (- rate))\n"
            "  else 1 - exp (- (rate * IZR (k + 1))) / (1 + exp (- rate)).\n",
            (long long)bound, (long long)bound, text, (long long)bound, (long long)bound);
    flint_free(text);
}

static bool tgeometric_formal(FILE *out, const pby_law *law)
{
    pby_law_tgeometric_state(out, ((const struct tgeometric *)law)->rate, law->hi);
    fputs("Definition law (k : Z) : R := cdf k - cdf (k - 1).\n", out);
    return true;
}

static void tgeometric_free(pby_law *law)
{
    struct tgeometric *t = (struct tgeometric *)law;
    fmpq_clear(t->rate);
    free(t);
}

static const pby_law_class TGEOMETRIC = {
    .name = "tgeometric",
    .below = tgeometric_below,
    .formal = tgeometric_formal,
    .free = tgeometric_free,
};

pby_status pby_law_tgeometric(pby_law **out, const fmpq_t rate, int64_t bound, pby_error *err)
{
    *out = NULL;
    if (bound > PBY_CELLS_MAX / 2 - 1)
        return pby_fail(err, PBY_BAD,
                        "tgeometric:bound '%lld': expected at most %d, so that a table holds the law",
                        (long long)bound, PBY_CELLS_MAX / 2 - 1);
    struct tgeometric *t = malloc(sizeof *t);
    if (t == NULL)
        return pby_no_memory(err);
    t->base = (pby_law){.class = &TGEOMETRIC,
                        .lo = -bound,
                        .hi = bound,
                        .body_lo = -bound,
                        .body_hi = bound,
                        .bend_lo = -bound,
                        .bend_hi = bound,
                        .run = {{1 - bound, 0}, {0, bound - 1}}};
    fmpq_init(t->rate);
    fmpq_set(t->rate, rate);
    pby_expsum_init(t->base.norm);
    pby_add_power(t->base.norm, 1, rate, 0);
    pby_add_power(t->base.norm, 1, rate, 1);
    *out = &t->base;
    return PBY_OK;
}
