/* SPDX-License-Identifier: MIT */
/* The distance by which an answer of randomised response lies behind the truth, on a circle of k answers: 0
 * with odds g, and each of 1 .. k-1 with odds 1.
 *
 * cdf(j) = (g + j)/(g + k - 1) for 0 <= j < k. The odds are a rational, or exp(eps). */
#include <stdlib.h>

#include "law/laws.h"
#include "number/scoped.h"

struct response {
    pby_law base;
    fmpq_t odds, eps; /* g = odds exp(eps) */
};

/* out = g + j */
static void weight(pby_expsum_t out, const struct response *r, int64_t j)
{
    PBY_FMPQ(zero, rest);
    fmpq_set_si(rest, j, 1);
    pby_expsum_zero(out);
    pby_expsum_add_term(out, r->odds, r->eps);
    pby_expsum_add_term(out, rest, zero);
}

static void response_below(pby_expsum_t out, const pby_law *law, int64_t k)
{
    weight(out, (const struct response *)law, k);
}

static bool response_formal(FILE *out, const pby_law *law)
{
    const struct response *r = (const struct response *)law;
    const long long last = (long long)law->hi;
    char *odds = fmpq_get_str(NULL, 10, r->odds), *eps = fmpq_get_str(NULL, 10, r->eps);
    fprintf(
        out,
        "(* How far the answer lies behind the truth, on a circle of %lld: 0 with odds of `odds` against\n"
        "   any one other. *)\n"
        "Definition odds : R := %s * exp (%s).\n"
        "Definition law (k : Z) : R :=\n"
        "  if (0 <=? k)%%Z && (k <=? %lld)%%Z\n"
        "  then (if (k =? 0)%%Z then odds else 1) / (odds + %lld) else 0.\n"
        "Definition cdf (k : Z) : R :=\n"
        "  if (k <? 0)%%Z then 0 else if (%lld <=? k)%%Z then 1 else (odds + IZR k) / (odds + %lld).\n"
        "\n"
        "Lemma mass (k : Z) : cdf k - cdf (k - 1) = law k.\n"
        "Proof.\n"
        "  assert (P : 0 < odds) by (unfold odds; interval with (i_prec 64)); unfold cdf, law.\n"
        "  destruct (Z.ltb_spec k 0), (Z.leb_spec %lld k), (Z.ltb_spec (k - 1) 0),\n"
        "    (Z.leb_spec %lld (k - 1)), (Z.leb_spec 0 k), (Z.leb_spec k %lld), (Z.eqb_spec k 0);\n"
        "    cbn [andb]; try lia; try lra; rewrite ?minus_IZR; try (replace k with 0%%Z by lia);\n"
        "    try (replace k with %lld%%Z by lia); field; lra.\n"
        "Qed.\n",
        last + 1, odds, eps, last, last, last, last, last, last, last, last);
    flint_free(eps);
    flint_free(odds);
    return true;
}

static void response_free(pby_law *law)
{
    struct response *r = (struct response *)law;
    fmpq_clear(r->odds);
    fmpq_clear(r->eps);
    free(r);
}

static const pby_law_class RESPONSE = {
    .name = "response", .below = response_below, .formal = response_formal, .free = response_free};

pby_status pby_law_response(pby_law **out, const fmpq_t odds, const fmpq_t eps, int64_t answers,
                            pby_error *err)
{
    *out = NULL;
    if (answers > PBY_CELLS_MAX)
        return pby_fail(err, PBY_BAD, "krr:k '%lld': expected at most %d, so that a table holds the law",
                        (long long)answers, PBY_CELLS_MAX);
    struct response *r = malloc(sizeof *r);
    if (r == NULL)
        return pby_no_memory(err);
    const int64_t last = answers - 1;
    r->base = (pby_law){.class = &RESPONSE, .hi = last, .body_hi = last, .bend_hi = last};
    fmpq_init(r->odds);
    fmpq_init(r->eps);
    fmpq_set(r->odds, odds);
    fmpq_set(r->eps, eps);
    pby_expsum_init(r->base.norm);
    weight(r->base.norm, r, last);
    *out = &r->base;
    return PBY_OK;
}
