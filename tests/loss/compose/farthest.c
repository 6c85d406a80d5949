/* SPDX-License-Identifier: MIT */
/* Many uses of a mechanism whose worst neighbours are not known: which pair stands below them. */
#include "loss/compose/farthest.h"

#include <criterion/criterion.h>
#include <math.h>

#include "loss/compose/parts.h"
#include "tests/loss/ask.h"

static double mass(const pby_expsum_t x, const pby_expsum_t norm)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    pby_expsum_get_arb(a, x, 128);
    pby_expsum_get_arb(b, norm, 128);
    arb_div(a, a, b, 128);
    const double d = arf_get_d(arb_midref(a), ARF_RND_NEAR);
    arb_clear(b);
    arb_clear(a);
    return d;
}

/* exp(D_2) - 1, another way than the library: the mean of the ratio under P, less 1. */
static double divergence(const pby_pair *pair)
{
    double sum = -1;
    for (size_t i = 0; i < pair->count; i++) {
        const double p = mass(pair->atoms[i].p, pair->norm_p), q = mass(pair->atoms[i].q, pair->norm_q);
        sum += q > 0 ? p * p / q : 0; /* a chance such as exp(-65536) */
    }
    return sum;
}

static void mechanism_of(pby_spec **spec, const char *text)
{
    pby_error err;
    cr_assert_eq(pby_spec_parse(spec, &text, 1, &err), PBY_OK, "%s", err.text);
}

Test(farthest, none_of_those_left_out_diverges_more)
{
    static const char *const specs[] = {"above:eps=1/2", "above:eps=1/2,queries=monotone",
                                        "sparse:rate=1/4,tops=2", "noisymax:eps=1/3", "permuteflip:eps=1/2"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        pby_pairs all = {NULL, 0}, kept;
        pby_spec *spec;
        pby_error err;
        mechanism_of(&spec, specs[i]);
        const pby_mechanism *m = &spec->use[0].mechanism;
        cr_assert_eq(pby_pairs_diverge(&all, m, PBY_ADD_REMOVE, &err), PBY_OK, "%s", err.text);
        cr_assert_gt(all.count, 2, "%s lists nothing", specs[i]);
        cr_assert_eq(pby_pairs_copy(&kept, &all, &err), PBY_OK);
        pby_pairs_keep_farthest(&kept);
        for (size_t j = 0; j < all.count; j++) {
            size_t same = 0;
            for (size_t k = 0; k < kept.count; k++)
                if (kept.pair[k].direction == all.pair[j].direction) {
                    same++;
                    cr_assert_geq(divergence(&kept.pair[k]), divergence(&all.pair[j]) * (1 - 1e-9),
                                  "%s: pair %zu diverges more", specs[i], j);
                }
            cr_assert_eq(same, 1, "%s: %zu pairs of a direction", specs[i], same);
        }
        pby_pairs_clear(&kept);
        pby_pairs_clear(&all);
        pby_spec_free(spec);
    }
}

/* A thousand uses lose nearly what a Gaussian does whose square is the sum of exp(D_2) - 1: the lower end is
 * there, and the choice after every output, which does not end, is not made. */
Test(farthest, a_thousand_uses_add_up_as_a_gaussian)
{
    static const char *const one[] = {"above:eps=1/100", "noisymax:eps=1/100"};
    static const char *const many[] = {"1000*above:eps=1/100", "1000*noisymax:eps=1/100"};
    for (size_t i = 0; i < 2; i++) {
        pby_pairs pairs = {NULL, 0};
        pby_spec *spec;
        pby_error err;
        arb_t ball;
        arf_t lower;
        fmpq_t zero;
        arb_init(ball);
        arf_init(lower);
        fmpq_init(zero);
        mechanism_of(&spec, one[i]);
        cr_assert_eq(pby_pairs_diverge(&pairs, &spec->use[0].mechanism, PBY_ADD_REMOVE, &err), PBY_OK);
        pby_pairs_keep_farthest(&pairs);
        const double mu = sqrt(1000 * divergence(&pairs.pair[0])), truth = erf(mu / 2 / sqrt(2));
        ask_delta(ball, many[i], zero, 9);
        arb_get_lbound_arf(lower, ball, 64);
        const double lo = arf_get_d(lower, ARF_RND_NEAR);
        cr_assert_float_eq(lo, truth, truth / 100, "%s: %g, and a Gaussian %g", many[i], lo, truth);
        pby_pairs_clear(&pairs);
        pby_spec_free(spec);
        fmpq_clear(zero);
        arf_clear(lower);
        arb_clear(ball);
    }
}
