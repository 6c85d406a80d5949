/* Accuracies that fail with a chance: what may be asked of them, and of which mechanisms. */
#include <criterion/criterion.h>

#include "make.h"

Test(noisy, the_least_beta_for_a_gamma)
{
    static const char *const specs[] = {"geometric:eps=1/2", "dgauss:sigma2=100", "tgeometric:eps=1/10,bound=7"};
    static const char *const gammas[] = {"1", "1/2", "1/1000", "1/1000000000"};
    pby_noisy_accuracy a;
    pby_noisy_accuracy_init(&a);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t j = 0; j < sizeof gammas / sizeof *gammas; j++) {
            pby_spec *spec = spec_of(specs[i], NULL);
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
    pby_spec *bounded = spec_of("tgeometric:eps=1,bound=9", NULL), *range = spec_of("range:eps=1,L=20", NULL);
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

Test(noisy, refuses)
{
    static const char *const without[] = {"stlap:eps=1,q=3", "partition:eps=1,delta=1/9", "pure:eps=1", "laplace:scale=1",
                                          "gauss:sigma2=1,sensitivity=1", "2*geometric:eps=1"};
    static const char *const behind[] = {"range:eps=1,L=3", "partition:eps=1,delta=1/9", "threshold:eps=1,T=3",
                                         "stlap:eps=1/2,tau=1/75,n=3000,bars=3", "2*geometric:eps=1"};
    pby_noisy_accuracy a;
    pby_noisy_accuracy_init(&a);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        pby_spec *spec = spec_of(without[i], NULL);
        cr_assert_eq(ask_noisy(&a, spec, 9, 1, "1", NULL), PBY_BAD, "%s", without[i]);
        pby_spec_free(spec);
    }
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        pby_spec *spec = spec_of("threshold:eps=1,T=3", behind[i]);
        cr_assert_eq(ask_noisy(&a, spec, 9, 1, "1", NULL), PBY_BAD, "%s", behind[i]);
        pby_spec_free(spec);
    }
    pby_spec *spec = spec_of("geometric:eps=1", NULL);
    cr_assert_eq(ask_noisy(&a, spec, 9, 1, NULL, NULL), PBY_BAD);
    cr_assert_eq(ask_noisy(&a, spec, 9, 1, NULL, "0"), PBY_BAD);
    cr_assert_eq(ask_noisy(&a, spec, 9, 1, NULL, "2"), PBY_BAD);
    cr_assert_eq(ask_noisy(&a, spec, 9, 1, "-1", NULL), PBY_BAD);
    cr_assert_eq(ask_noisy(&a, spec, 9, 1, "5000000000000000000", NULL), PBY_BAD);
    pby_spec_free(spec);
    pby_noisy_accuracy_clear(&a);
}
