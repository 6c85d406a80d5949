/* SPDX-License-Identifier: MIT */
/* Accuracies that fail with a chance: what may be asked of them, and of which mechanisms. */
#include <criterion/criterion.h>

#include "accuracy/accuracy.h"
#include "tests/accuracy/make.h"
#include "tests/spec.h"

Test(noisy, the_least_beta_for_a_gamma)
{
    static const char *const specs[] = {"geometric:eps=1/2", "dgauss:sigma2=100",
                                        "tgeometric:eps=1/10,bound=7"};
    static const char *const gammas[] = {"1", "1/2", "1/1000", "1/1000000000"};
    pby_noisy_accuracy a;
    pby_noisy_accuracy_init(&a);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t j = 0; j < sizeof gammas / sizeof *gammas; j++) {
            pby_spec *spec = spec_of(specs[i]);
            mpq_t gamma;
            mpq_init(gamma);
            mpq_set_str(gamma, gammas[j], 10);
            cr_assert_eq(ask_noisy(&a, spec, 1, 5, NULL, gammas[j]), PBY_OK);
            cr_assert(mpfr_cmp_q(a.chance.hi, gamma) <= 0);
            const long beta = mpz_get_si(mpq_numref(a.release.beta.value));
            char less[32];
            snprintf(less, sizeof less, "%ld", beta - 1);
            if (beta > 0) {
                cr_assert_eq(ask_noisy(&a, spec, 1, 5, less, NULL), PBY_OK);
                cr_assert(mpfr_cmp_q(a.chance.lo, gamma) > 0);
            }
            mpq_clear(gamma);
            pby_spec_free(spec);
        }
    pby_noisy_accuracy_clear(&a);
}

Test(noisy, as_far_as_it_goes_when_nothing_is_asked)
{
    pby_noisy_accuracy a;
    pby_spec *bounded = spec_of("tgeometric:eps=1,bound=9"), *range = spec_of("range:eps=1,L=20");
    pby_noisy_accuracy_init(&a);
    cr_assert_eq(ask_noisy(&a, bounded, 1, 3, NULL, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&a.release.beta), "9");
    cr_assert(mpfr_zero_p(a.chance.hi) && mpq_sgn(a.release.gamma) == 0);
    cr_assert_eq(ask_noisy(&a, bounded, 1, 3, NULL, "0"), PBY_OK);
    cr_assert_str_eq(text_of(&a.release.beta), "9");
    cr_assert_eq(ask_noisy(&a, range, 1, 3, "50", NULL), PBY_OK);
    cr_assert_str_eq(text_of(&a.release.beta), "20"); /* no interval is farther off */
    cr_assert(mpfr_sgn(a.chance.lo) > 0);
    cr_assert_eq(ask_noisy(&a, range, 1, 3, NULL, "1/1000"), PBY_OK);
    cr_assert_eq(ask_noisy(&a, range, 1, 3, NULL, "1/1000000000000"), PBY_BAD); /* more often there is none */
    pby_noisy_accuracy_clear(&a);
    pby_spec_free(bounded);
    pby_spec_free(range);
}

/* The noise of one of three hundred thousand bars goes farther than 0 with a chance that no computation tells
 * from 1. */
Test(noisy, everything_may_fail_at_gamma_one)
{
    pby_noisy_accuracy a;
    pby_spec *spec = spec_of("geometric:eps=1");
    pby_noisy_accuracy_init(&a);
    cr_assert_eq(ask_noisy(&a, spec, 1, 300000, NULL, "1"), PBY_OK);
    cr_assert_str_eq(text_of(&a.release.beta), "0");
    pby_noisy_accuracy_clear(&a);
    pby_spec_free(spec);
}

/* A chance of 0.0727... rounds up to 0.0728 or 0.073, and one of nearly 0 to 1e-10000. */
Test(noisy, gamma_is_what_was_asked_or_less)
{
    pby_noisy_accuracy a;
    pby_spec *geometric = spec_of("geometric:eps=1"), *gauss = spec_of("dgauss:sigma2=4");
    const pby_input_class inputs = {1, 1, NULL};
    mpq_t gamma, beta;
    mpq_inits(gamma, beta, NULL);
    pby_noisy_accuracy_init(&a);
    mpq_set_ui(gamma, 728, 10000);
    mpq_canonicalize(gamma);
    cr_assert_eq(pby_accuracy_noisy(&a, geometric, &inputs, NULL, gamma, 2, NULL), PBY_OK);
    cr_assert(mpq_equal(a.release.gamma, gamma));
    cr_assert(mpfr_cmp_q(a.chance.hi, gamma) <= 0);
    mpq_set_ui(beta, 1000000000000000000, 1);
    cr_assert_eq(pby_accuracy_noisy(&a, gauss, &inputs, beta, NULL, 9, NULL), PBY_OK);
    mpz_ui_pow_ui(mpq_denref(gamma), 10, 10000);
    mpz_set_ui(mpq_numref(gamma), 1);
    cr_assert(mpq_equal(a.release.gamma, gamma) && mpfr_zero_p(a.chance.lo));
    pby_noisy_accuracy_clear(&a);
    mpq_clears(gamma, beta, NULL);
    pby_spec_free(geometric);
    pby_spec_free(gauss);
}

/* Two records occupy two bars at most, and only those have noise. */
Test(noisy, a_threshold_has_no_more_bars_than_records)
{
    pby_noisy_accuracy many, two;
    pby_spec *spec = spec_of("threshold:eps=1,T=2");
    pby_noisy_accuracy_init(&many);
    pby_noisy_accuracy_init(&two);
    cr_assert_eq(ask_noisy(&many, spec, 2, 1000, "3", NULL), PBY_OK);
    cr_assert_eq(ask_noisy(&two, spec, 2, 2, "3", NULL), PBY_OK);
    cr_assert(mpq_equal(many.release.gamma, two.release.gamma) && mpq_equal(many.kept.gamma, two.kept.gamma));
    pby_noisy_accuracy_clear(&two);
    pby_noisy_accuracy_clear(&many);
    pby_spec_free(spec);
}

Test(noisy, refuses)
{
    static const char *const without[] = {
        "stlap:eps=1,q=3", "partition:eps=1,delta=1/9",    "pure:eps=1",
        "laplace:scale=1", "gauss:sigma2=1,sensitivity=1", "2*geometric:eps=1"};
    static const char *const behind[] = {"buckethist:eps=1,q=3,bound=9,width=1", "partition:eps=1,delta=1/9",
                                         "threshold:eps=1,T=3", "stlap:eps=1/2,tau=1/75,n=3000,bars=3",
                                         "2*geometric:eps=1"};
    pby_noisy_accuracy a;
    pby_noisy_accuracy_init(&a);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        pby_spec *spec = spec_of(without[i]);
        cr_assert_eq(ask_noisy(&a, spec, 9, 1, "1", NULL), PBY_BAD, "%s", without[i]);
        pby_spec_free(spec);
    }
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        pby_spec *spec = spec_of_both("threshold:eps=1,T=3", behind[i]);
        cr_assert_eq(ask_noisy(&a, spec, 9, 1, "1", NULL), PBY_BAD, "%s", behind[i]);
        pby_spec_free(spec);
    }
    pby_spec *spec = spec_of("geometric:eps=1");
    cr_assert_eq(ask_noisy(&a, spec, 9, 1, NULL, NULL), PBY_BAD);
    cr_assert_eq(ask_noisy(&a, spec, 9, 1, NULL, "0"), PBY_BAD);
    cr_assert_eq(ask_noisy(&a, spec, 9, 1, NULL, "2"), PBY_BAD);
    cr_assert_eq(ask_noisy(&a, spec, 9, 1, "-1", NULL), PBY_BAD);
    cr_assert_eq(ask_noisy(&a, spec, 9, 1, "5000000000000000000", NULL), PBY_BAD);
    pby_spec_free(spec);
    pby_noisy_accuracy_clear(&a);
}
