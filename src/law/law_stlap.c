/* SPDX-License-Identifier: MIT */
/* The shifted truncated Laplace law, rounded to the nearest integer or up.
 *
 * With E = exp(-eps q/2) and u = eps (z + q/2), the density on [-q, 0] gives, over the norm 2 - 2E,
 *   F(z) = exp(u) - E          for -q <= z <= -q/2
 *   F(z) = 2 - E - exp(-u)     for -q/2 <= z <= 0
 * and cdf(k) = F(k + 1/2), except that everything above -1/2 rounds to 0. Rounded up, cdf(k) = F(k).
 */
#include <stdlib.h>

#include "law/laws.h"
#include "number/scoped.h"
#include "number/text.h"

struct stlap {
    pby_law base;
    fmpq_t eps, half; /* half = q/2 */
    bool up;
};

static void stlap_below(pby_expsum_t out, const pby_law *law, int64_t k)
{
    const struct stlap *s = (const struct stlap *)law;
    PBY_FMPQ(u, e);
    fmpq_set_si(u, 2 * k + (s->up ? 0 : 1), 2);
    fmpq_add(u, u, s->half);
    fmpq_mul(u, u, s->eps);
    fmpq_mul(e, s->eps, s->half);
    fmpq_neg(e, e);
    pby_expsum_zero(out);
    pby_expsum_add_term_si(out, -1, e);
    if (fmpq_sgn(u) <= 0) {
        pby_expsum_add_term_si(out, 1, u);
    } else {
        fmpq_neg(u, u);
        pby_expsum_add_term_si(out, -1, u);
        fmpq_zero(e);
        pby_expsum_add_term_si(out, 2, e);
    }
}

static bool stlap_formal(FILE *out, const pby_law *law)
{
    const struct stlap *s = (const struct stlap *)law;
    PBY_FMPQ(width);
    fmpq_mul_2exp(width, s->half, 1);
    char *eps = fmpq_get_str(NULL, 10, s->eps), *q = fmpq_get_str(NULL, 10, width);
    char *num = fmpz_get_str(NULL, 10, fmpq_numref(width)), *den = fmpz_get_str(NULL, 10, fmpq_denref(width));
    const char *end = s->up ? "2 * k" : "2 * k + 1"; /* twice that of a cell */
    fprintf(out,
            "(* Laplace noise of rate eps on [-q, 0] around -q/2, truncated and rounded %s:\n"
            "   what is at most k is at most (%s)/2 before. *)\n"
            "Definition eps : R := %s.\n"
            "Definition q : R := %s.\n"
            "Definition least : R := exp (- (eps * q / 2)).\n"
            "Definition at_end (k : Z) : R := eps * (IZR (%s) / 2 + q / 2).\n"
            "Definition cdf (k : Z) : R :=\n"
            "  if (k <? %lld)%%Z then 0\n"
            "  else if (0 <=? k)%%Z then 1\n"
            "  else if ((%s) * %s + %s <=? 0)%%Z then (exp (at_end k) - least) / (2 - 2 * least)\n"
            "  else (2 - least - exp (- at_end k)) / (2 - 2 * least).\n"
            "Definition law (k : Z) : R := cdf k - cdf (k - 1).\n",
            s->up ? "up" : "to the nearest integer", end, eps, q, end, (long long)law->lo, end, den, num);
    flint_free(den);
    flint_free(num);
    flint_free(q);
    flint_free(eps);
    return true;
}

static void stlap_free(pby_law *law)
{
    struct stlap *s = (struct stlap *)law;
    fmpq_clear(s->eps);
    fmpq_clear(s->half);
    free(s);
}

static const pby_law_class STLAP = {
    .name = "stlap", .below = stlap_below, .formal = stlap_formal, .free = stlap_free};

/* ceil(q - 1/2), or ceil(q) - 1, the farthest that a value is rounded to; -1 when it is beyond PBY_CELLS_MAX.
 */
static int64_t farthest(const fmpq_t q, bool up)
{
    PBY_FMPQ(shifted);
    PBY_FMPZ(j);
    fmpq_set_si(shifted, up ? -2 : -1, 2);
    fmpq_add(shifted, shifted, q);
    fmpz_cdiv_q(j, fmpq_numref(shifted), fmpq_denref(shifted));
    return fmpz_cmp_si(j, PBY_CELLS_MAX - 1) <= 0 ? fmpz_get_si(j) : -1;
}

static int64_t floor_of(const fmpq_t x)
{
    PBY_FMPZ(n);
    fmpz_fdiv_q(n, fmpq_numref(x), fmpq_denref(x));
    return fmpz_get_si(n);
}

/* The cells that lie on one side of the middle and wholly in the support: k - b >= -q and k + a <= -q/2, and
 * k - b >= -q/2 and k + a <= 0, where a cell goes from k - b to k + a: a = b = 1/2, or a = 0 and b = 1. */
static void set_runs(pby_law *law, const fmpq_t q, const fmpq_t half, bool up)
{
    PBY_FMPQ(x, above, below);
    fmpq_set_si(above, up ? 0 : 1, 2);
    fmpq_set_si(below, up ? 2 : 1, 2);
    fmpq_sub(x, q, below);
    law->run[0].from = -floor_of(x);
    fmpq_sub(x, half, below);
    law->run[1].from = -floor_of(x);
    law->run[1].to = up ? 0 : -1;
    fmpq_add(x, half, above);
    fmpq_neg(x, x);
    law->run[0].to = floor_of(x);
    for (int i = 0; i < 2; i++)
        law->run[i].to = FLINT_MAX(law->run[i].from, law->run[i].to);
}

static pby_status law_of(pby_law **out, const fmpq_t eps, const fmpq_t q, bool up, pby_error *err)
{
    *out = NULL;
    const int64_t far = farthest(q, up);
    if (far < 0)
        return pby_refuse_rational(err, "stlap:q", q, "at most 1048575.5, so that a table holds the law");
    struct stlap *s = malloc(sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    s->base = (pby_law){.class = &STLAP, .lo = -far, .body_lo = -far, .bend_lo = -far};
    s->up = up;
    fmpq_init(s->eps);
    fmpq_init(s->half);
    fmpq_set(s->eps, eps);
    fmpq_div_2exp(s->half, q, 1);
    set_runs(&s->base, q, s->half, up);
    pby_expsum_init(s->base.norm);
    PBY_FMPQ(e);
    pby_expsum_add_term_si(s->base.norm, 2, e);
    fmpq_mul(e, s->eps, s->half);
    fmpq_neg(e, e);
    pby_expsum_add_term_si(s->base.norm, -2, e);
    *out = &s->base;
    return PBY_OK;
}

pby_status pby_law_stlap(pby_law **out, const fmpq_t eps, const fmpq_t q, pby_error *err)
{
    return law_of(out, eps, q, false, err);
}

pby_status pby_law_stlap_up(pby_law **out, const fmpq_t eps, const fmpq_t q, pby_error *err)
{
    return law_of(out, eps, q, true, err);
}
