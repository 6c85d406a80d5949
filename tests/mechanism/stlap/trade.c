/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "mechanism/run/noise_bars.h"
#include "probity/certificate.h"
#include "probity/experimental/losses.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"
#include "tests/mechanism/sized.h"
#include "tests/spec.h"

static void check(const sized *s, const char *at)
{
    char spec[SIZED_TEXT];
    arb_t bound, worst;
    fmpq_t epsilon;
    arb_init(bound);
    arb_init(worst);
    fmpq_init(epsilon);
    set_text(epsilon, at);
    sized_worst(worst, s, PBY_SUBSTITUTE, epsilon);
    outcomes_bound(bound, sized_spec(spec, s), PBY_SUBSTITUTE, epsilon);
    outcomes_check(bound, worst, 1, spec);
    fmpq_clear(epsilon);
    arb_clear(worst);
    arb_clear(bound);
}

Test(stlap_trade, the_worst_of_all_inputs_on_a_grid)
{
    static const char *const eps[] = {"1/2", "2"}, *const tau[] = {"1/6", "1/2", "3/4", "8/9"};
    for (size_t e = 0; e < sizeof eps / sizeof *eps; e++)
        for (size_t t = 0; t < sizeof tau / sizeof *tau; t++)
            for (slong n = 1; n <= 5; n++)
                for (int bars = 2; bars <= 3; bars++) {
                    const sized s = {eps[e], tau[t], n, bars};
                    check(&s, "1/4");
                    check(&s, eps[e]);
                }
}

/* The certificate covers all that may be released: at n + 1 = 15 records these neighbours are further apart
 * than any at n. */
Test(stlap_trade, the_larger_size_is_certified_because_it_is_released)
{
    static const sized s = {"1", "1/2", 14, 3};
    static const slong x[] = {8, 7, 0}, y[] = {7, 8, 0};
    static const int64_t counts[] = {8, 7, 0};
    char text[SIZED_TEXT];
    fmpq_t epsilon;
    arb_t apart, delta, smaller;
    pby_release *release = NULL;
    pby_spec *spec = spec_of(sized_spec(text, &s));
    int64_t noisy[3];
    fmpq_init(epsilon);
    arb_init(apart);
    arb_init(delta);
    arb_init(smaller);
    fmpq_one(epsilon);
    cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pby_release_size(release, 15, 3, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, counts, noisy, 3, NULL), PBY_OK);
    sized_divergence(apart, &s, x, y, epsilon);
    ask_delta_for(delta, text, PBY_SUBSTITUTE, epsilon, 30);
    ask_delta_for(smaller, "stlap:eps=1,q=7", PBY_SUBSTITUTE, epsilon, 30);
    cr_assert(arb_gt(apart, smaller), "the size n alone would do");
    cr_assert(arb_overlaps(delta, apart));
    cr_assert_gt(arb_rel_accuracy_bits(delta), 90);
    pby_release_free(release);
    pby_spec_free(spec);
    arb_clear(smaller);
    arb_clear(delta);
    arb_clear(apart);
    fmpq_clear(epsilon);
}

/* The certificate says so too, and holds. */
Test(stlap_trade, certificate)
{
    pby_spec *spec = spec_of("stlap:eps=1,tau=1/2,n=14,bars=3");
    char *text = NULL;
    mpq_t epsilon;
    mpq_init(epsilon);
    mpq_set_ui(epsilon, 1, 1);
    cr_assert_eq(pby_certify(&text, spec, PBY_SUBSTITUTE, epsilon, NULL), PBY_OK);
    cr_assert_not_null(strstr(text, "\"hi\": \"0.23894095435"), "%s", text);
    cr_assert_eq(pby_verify(NULL, text, strlen(text), NULL), PBY_OK);
    free(text);
    pby_spec_free(spec);
    mpq_clear(epsilon);
}

/* Where both sizes fill two bars, it is the public threshold of the worse; and a lone bar never changes. */
Test(stlap_trade, is_that_of_a_public_threshold)
{
    fmpq_t epsilon;
    arb_t size, fixed;
    fmpq_init(epsilon);
    arb_init(size);
    arb_init(fixed);
    set_text(epsilon, "1/2");
    ask_delta_for(size, "stlap:eps=1/2,tau=1/75,n=3000,bars=3", PBY_SUBSTITUTE, epsilon, 20);
    ask_delta_for(fixed, "stlap:eps=1/2,q=40", PBY_SUBSTITUTE, epsilon, 20);
    cr_assert(arb_equal(size, fixed));
    ask_delta_for(size, "stlap:eps=1/2,tau=1/75,n=3000,bars=1", PBY_SUBSTITUTE, epsilon, 20);
    cr_assert(arb_is_zero(size));
    arb_clear(fixed);
    arb_clear(size);
    fmpq_clear(epsilon);
}

/* Many records that do not fill two bars can be spread in too many ways. */
Test(stlap_trade, refuses_what_it_cannot_list)
{
    pby_spec *spec = spec_of("stlap:eps=1,tau=9/10,n=4000,bars=3");
    pby_enclosure delta;
    pby_error err;
    mpq_t epsilon;
    mpq_init(epsilon);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_SUBSTITUTE, epsilon, 9, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "at most 1/2"), "%s", err.text);
    pby_enclosure_clear(&delta);
    mpq_clear(epsilon);
    pby_spec_free(spec);
}
