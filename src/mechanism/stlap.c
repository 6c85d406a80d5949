/* stlap:eps=e,q=q: the shifted truncated Laplace histogram with a public threshold.
 *
 * Every occupied bar x is released as max(0, x + R), R on -ceil(q - 1/2) .. 0; an empty bar stays
 * empty and draws nothing, which is what max(0, 0 + R) would give as well. So the release is a
 * post-processing of x + R in every bar, and the pairs are those of x + R:
 *   add-remove   one bar moves by one: (R, R+1) and (R+1, R)
 *   substitute   one bar loses one and another gains one: the product of the two
 */
#include <sodium.h>
#include <stdlib.h>

#include "kernel/histogram.h"
#include "law/laws.h"
#include "mechanism/family.h"

enum { EPS, Q };

static pby_status stlap_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_stlap(out, &m->value[EPS], &m->value[Q], err);
}

static pby_status substitute_pair(pby_pair *out, pby_pair *down, pby_pair *up, pby_error *err)
{
    pby_pair_merge(down);
    pby_pair_merge(up);
    return pby_pair_product(out, down, up, err);
}

static pby_status stlap_pairs(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    pby_law *law = NULL;
    pby_pairs one;
    pby_status status = pby_pairs_init(&one, 2, err);
    if (status == PBY_OK)
        status = stlap_law(&law, m, err);
    for (size_t i = 0; i < 2 && status == PBY_OK; i++) {
        one.pair[i].direction = i == 0 ? PBY_FORWARD : PBY_BACKWARD;
        status = pby_pair_shift(&one.pair[i], law, i == 0 ? 1 : -1, err);
    }
    pby_law_free(law);
    if (status == PBY_OK && relation == PBY_SUBSTITUTE) {
        status = pby_pairs_init(out, 1, err);
        if (status == PBY_OK)
            status = substitute_pair(&out->pair[0], &one.pair[0], &one.pair[1], err);
        pby_pairs_clear(&one);
    } else if (status == PBY_OK) {
        *out = one;
    } else {
        pby_pairs_clear(&one);
    }
    return status;
}

/* (exp(e) - 1) / (2 (exp(e q/2) - 1)) at the mechanism's own epsilon. */
static bool stlap_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                        slong prec)
{
    if (relation != PBY_ADD_REMOVE || !fmpq_equal(epsilon, &m->value[EPS]))
        return false;
    arb_t e;
    fmpq_t half;
    arb_init(e);
    fmpq_init(half);
    arb_set_fmpq(e, epsilon, prec);
    arb_expm1(delta, e, prec);
    fmpq_mul(half, epsilon, &m->value[Q]);
    fmpq_div_2exp(half, half, 1);
    arb_set_fmpq(e, half, prec);
    arb_expm1(e, e, prec);
    arb_mul_2exp_si(e, e, 1);
    arb_div(delta, delta, e, prec);
    fmpq_clear(half);
    arb_clear(e);
    return true;
}

static pby_status stlap_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                                const int64_t *counts, int64_t *noisy, size_t n, pby_error *err)
{
    (void)m;
    const size_t occupied = pby_support(counts, n);
    int64_t *noise = malloc((occupied + 1) * sizeof *noise);
    if (noise == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_draw_many(sampler, source, noise, occupied, err);
    if (status == PBY_OK)
        pby_shrink(noisy, counts, n, noise, -sampler->law->lo);
    sodium_memzero(noise, occupied * sizeof *noise);
    free(noise);
    return status;
}

const pby_family pby_family_stlap = {
    .name = "stlap",
    .summary = "shifted truncated Laplace histogram, public threshold",
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the rate of the noise, a rational above 0"},
                   {"q", PBY_POSITIVE, NULL, "q=Q, the most that a bar may lose, a rational above 0"}},
    .law = stlap_law,
    .pairs = stlap_pairs,
    .claim = stlap_claim,
    .claim_source = "(exp(eps)-1)/(2(exp(eps q/2)-1))",
    .release = stlap_release,
};
