/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "loss/compose/compose.h"
#include "loss/loss.h"
#include "mechanism/run/noise_bars.h"
#include "probity/certificate.h"
#include "tests/claims/decide.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/spec.h"

static void delta_of(arb_t ball, const char *spec, const char *at)
{
    fmpq_t epsilon;
    fmpq_init(epsilon);
    set_text(epsilon, at);
    ask_delta(ball, spec, epsilon, 25);
    fmpq_clear(epsilon);
}

/* The closed bound of docs/theory/stlap-size.md at its own epsilon.
 * claims: Flex/Theorem 3; Flex/Lemma 5; Flex/Corollary 3; Flex/Lemma 11; Flex/Claim 2 */
Test(stlap_size, the_corrected_bound_holds)
{
    static const char *const specs[] = {"stlap:eps=1/2,tau=1/75,n=3000,bars=3",
                                        "stlap:eps=1,tau=1/3,n=9,bars=2",
                                        "stlap:eps=1/2,tau=1/75,n=3000,bars=30"};
    static const char *const epsilons[] = {"0.5033339", "1.0864", "0.5933500"}, *const taus[] = {
                                                                                    "1/75", "1/3", "1/75"};
    static const double eps[] = {0.5, 1, 0.5};
    static const int n[] = {3000, 9, 3000}, bars[] = {3, 2, 30};
    for (int i = 0; i < 3; i++) {
        arb_t exact, bound, part;
        fmpq_t tau;
        arb_init(exact);
        arb_init(bound);
        arb_init(part);
        fmpq_init(tau);
        set_text(tau, taus[i]);
        delta_of(exact, specs[i], epsilons[i]);
        arb_set_fmpq(part, tau, 128); /* (e^eps - 1 + (bars - 1)(e^(eps tau) - 1)) / (2 (e^(eps q/2) - 1)) */
        arb_set_d(bound, eps[i]);
        arb_mul(part, part, bound, 128);
        arb_expm1(part, part, 128);
        arb_mul_si(part, part, bars[i] - 1, 128);
        arb_expm1(bound, bound, 128);
        arb_add(bound, bound, part, 128);
        arb_set_fmpq(part, tau, 128);
        arb_mul_si(part, part, n[i], 128);
        arb_mul_2exp_si(part, part, -1);
        arb_t e;
        arb_init(e);
        arb_set_d(e, eps[i]);
        arb_mul(part, part, e, 128);
        arb_expm1(part, part, 128);
        arb_mul_2exp_si(part, part, 1);
        arb_div(bound, bound, part, 128);
        cr_assert(claims_le_arb(CLAIMS_ALL, exact, bound), "%s", specs[i]);
        arb_clear(e);
        fmpq_clear(tau);
        arb_clear(part);
        arb_clear(bound);
        arb_clear(exact);
    }
}

/* The product written out and the composition of its factors are one number. */
Test(stlap_size, composition_agrees_with_the_product)
{
    pby_spec *spec = spec_of("stlap:eps=1,tau=1/4,n=16,bars=3");
    const pby_mechanism *m = &spec->use[0].mechanism;
    pby_parts parts = {calloc(2, sizeof(pby_part)), 2};
    pby_profile *profile;
    fmpq_t epsilon;
    arb_t exact, composed;
    fmpq_init(epsilon);
    arb_init(exact);
    arb_init(composed);
    fmpq_one(epsilon);
    for (size_t i = 0; i < 2; i++) {
        const pby_wanted wanted = {PBY_ABOVE, PBY_ADD_REMOVE, .factors = true};
        pby_factor f = {.times = 0};
        cr_assert_eq(m->family->factor(&f, m, &wanted, i, NULL), PBY_OK);
        parts.part[i] = (pby_part){.pairs = f.pairs, .times = f.times, .reached = f.reached};
    }
    cr_assert_eq(parts.part[1].times, 2);
    cr_assert_eq(pby_profile_of_parts(&profile, &parts, NULL, NULL), PBY_OK);
    cr_assert_eq(pby_profile_delta(composed, profile, epsilon, 9, NULL), PBY_OK);
    ask_delta(exact, "stlap:eps=1,tau=1/4,n=16,bars=3", epsilon, 20);
    cr_assert(arb_overlaps(exact, composed));
    pby_profile_free(profile);
    arb_clear(composed);
    arb_clear(exact);
    fmpq_clear(epsilon);
    pby_spec_free(spec);
}

Test(stlap_size, many_bars_are_composed)
{
    arb_t few, many;
    arb_init(few);
    arb_init(many);
    delta_of(few, "stlap:eps=1/2,tau=1/75,n=3000,bars=4", "1/2");
    delta_of(many, "stlap:eps=1/2,tau=1/75,n=3000,bars=40", "1/2");
    cr_assert(arb_gt(many, few));
    arb_clear(many);
    arb_clear(few);
}

static void check_certificate(const char *spec_text, const char *route)
{
    pby_spec *spec = spec_of(spec_text);
    pby_certificate *c;
    char *text = NULL;
    mpq_t epsilon;
    mpq_init(epsilon);
    mpq_set_si(epsilon, 1, 2);
    cr_assert_eq(pby_certify(&text, spec, PBY_ADD_REMOVE, epsilon, NULL), PBY_OK);
    cr_assert_not_null(strstr(text, spec_text));
    cr_assert_eq(pby_verify(&c, text, strlen(text), NULL), PBY_OK);
    cr_assert_not_null(strstr(pby_certificate_route(c), route), "%s", pby_certificate_route(c));
    pby_certificate_free(c);
    free(text);
    pby_spec_free(spec);
    mpq_clear(epsilon);
}

/* A law that cannot be summed outcome by outcome is composed, twice. */
Test(stlap_size, certificates)
{
    check_certificate("stlap:eps=1/2,tau=1/75,n=3000,bars=3", "direct sum");
    check_certificate("stlap:eps=1/2,tau=1/75,n=3000,bars=12", "exact composition");
    check_certificate("stlap:eps=1/2,tau=1/75,n=3000,bars=40", "two grids");
}

Test(stlap_size, parameters)
{
    static const char *const bad[] = {"stlap:eps=1",
                                      "stlap:eps=1,q=4,tau=1/2",
                                      "stlap:eps=1,tau=1/2,n=4",
                                      "stlap:eps=1,tau=1,n=4,bars=2",
                                      "stlap:eps=1,n=4,bars=2",
                                      "stlap:eps=1,q=4,bars=2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pby_spec *spec;
        pby_error err;
        cr_assert_eq(pby_spec_parse(&spec, &bad[i], 1, &err), PBY_BAD, "%s", bad[i]);
        cr_assert_not_null(strstr(err.text, "stlap"));
    }
}

/* A record that is alone is shown as it is with a chance above 1/2, and no epsilon makes up for that: it is
 * the chance that the noise of the spec with q = tau is 0. */
Test(stlap_size, there_is_no_bound_over_all_sizes)
{
    static const char *const tau[] = {"1/10", "1/2", "51/100", "3/4", "99/100"};
    static const char *const eps[] = {"1/10", "1", "10"};
    const char *without = "stlap:eps=1,tau=1/10";
    pby_spec *spec;
    pby_error err;
    arb_t half, delta;
    arb_init(half);
    arb_init(delta);
    arb_set_d(half, 0.5);
    for (size_t i = 0; i < sizeof tau / sizeof *tau; i++)
        for (size_t e = 0; e < sizeof eps / sizeof *eps; e++) {
            char text[64];
            snprintf(text, sizeof text, "stlap:eps=%s,q=%s", eps[e], tau[i]);
            delta_of(delta, text, "1000");
            cr_assert(arb_gt(delta, half), "%s", text);
        }
    delta_of(delta, "stlap:eps=1,tau=1/10,n=4,bars=1", "1000");
    cr_assert(arb_is_one(delta));
    cr_assert_eq(pby_spec_parse(&spec, &without, 1, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "over all sizes delta is above 1/2"), "%s", err.text);
    arb_clear(delta);
    arb_clear(half);
}

/* Data of n or n + 1 records in so many bars, each with the noise of its own size; no other. */
Test(stlap_size, release_refuses_other_data)
{
    pby_spec *spec = spec_of("stlap:eps=1,tau=1/10,n=1000,bars=3");
    pby_release *release = NULL;
    pby_error err;
    const int64_t x[3] = {400, 300, 300};
    int64_t y[3];
    cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, x, y, 3, NULL), PBY_BAD, "the size must be told");
    cr_assert_eq(pby_release_size(release, 999, 3, &err), PBY_BAD);
    cr_assert_null(strstr(err.text, "999"), "the error shows the size: %s", err.text);
    cr_assert_eq(pby_release_size(release, 1002, 3, NULL), PBY_BAD);
    cr_assert_eq(pby_release_size(release, UINT64_MAX, 3, NULL), PBY_BAD);
    cr_assert_eq(pby_release_size(release, 1000, 4, NULL), PBY_BAD);
    cr_assert_eq(pby_release_size(release, 1001, 3, NULL), PBY_OK);
    cr_assert_eq(pby_release_size(release, 1000, 3, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, x, y, 3, NULL), PBY_OK);
    for (int i = 0; i < 3; i++)
        cr_assert(y[i] <= x[i] && x[i] - y[i] <= 100);
    pby_release_free(release);
    pby_spec_free(spec);
}
