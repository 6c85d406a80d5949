/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "loss/compose/compose.h"
#include "mechanism/family.h"
#include "probity/certificate.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "tests/law/make.h"
#include "tests/mechanism/outcomes.h"
#include "tests/mechanism/sized.h"
#include "tests/spec.h"

static const pby_wanted wanted = {PBY_ABOVE, PBY_ADD_REMOVE, .factors = true};

/* The parts of a spec, each as often as it is at most, or as some input has it. */
static void list_parts(pby_parts *out, const pby_spec *spec, bool most)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    *out = (pby_parts){calloc(PBY_PARTS_MAX, sizeof *out->part), 0};
    for (size_t i = 0; i < PBY_PARTS_MAX; i++) {
        pby_factor f = {.times = 0};
        cr_assert_eq(m->family->factor(&f, m, &wanted, i, NULL), PBY_OK);
        if ((most ? f.times : f.reached) > 0)
            out->part[out->count++] =
                (pby_part){.pairs = f.pairs, .times = most ? f.times : f.reached, .reached = f.reached};
        else
            pby_pairs_clear(&f.pairs);
    }
}

static void bound(arb_t delta, const pby_spec *spec, bool most, const fmpq_t epsilon)
{
    pby_parts parts;
    pby_profile *profile;
    pby_error err;
    list_parts(&parts, spec, most);
    cr_assert_eq(pby_profile_of_parts(&profile, &parts, NULL, &err), PBY_OK);
    cr_assert_eq(pby_profile_delta(delta, profile, epsilon, 9, &err), PBY_OK, "%s", err.text);
    pby_profile_free(profile);
}

/* The bounds of what is not listed, where the worst of all inputs can be found by going through them. */
static void check(const sized *s, const char *at)
{
    char text[SIZED_TEXT];
    pby_spec *spec = spec_of(sized_spec(text, s));
    fmpq_t epsilon;
    arb_t worst, delta;
    fmpq_init(epsilon);
    arb_init(worst);
    arb_init(delta);
    set_text(epsilon, at);
    sized_worst(worst, s, PBY_ADD_REMOVE, epsilon);
    bound(delta, spec, false, epsilon);
    cr_assert_not(arb_gt(delta, worst), "%s: the lower end is above the truth", text);
    bound(delta, spec, true, epsilon);
    cr_assert_not(arb_lt(delta, worst), "%s: the upper end is below the truth", text);
    arb_clear(delta);
    arb_clear(worst);
    fmpq_clear(epsilon);
    pby_spec_free(spec);
}

Test(stlap_part, bounds_surround_the_worst_of_all_inputs)
{
    check(&(sized){"1", "3/4", 17, 2}, "1");
    check(&(sized){"1/4", "7/8", 20, 2}, "1/4");
    check(&(sized){"2", "2/3", 17, 2}, "0");
    check(&(sized){"1", "1/2", 17, 3}, "1");
}

/* The parts of a spec: how many of each at most, and how many some input has. */
static void parts_of(uint64_t times[PBY_PARTS_MAX], uint64_t reached[PBY_PARTS_MAX], const char *text)
{
    pby_spec *spec = spec_of(text);
    const pby_mechanism *m = &spec->use[0].mechanism;
    for (size_t i = 0; i < PBY_PARTS_MAX; i++) {
        pby_factor f = {.times = 0};
        cr_assert_eq(m->family->factor(&f, m, &wanted, i, NULL), PBY_OK);
        times[i] = f.times;
        reached[i] = f.reached;
        pby_pairs_clear(&f.pairs);
    }
    pby_spec_free(spec);
}

Test(stlap_part, how_many_bars)
{
    uint64_t times[PBY_PARTS_MAX], reached[PBY_PARTS_MAX];
    parts_of(times, reached, "stlap:eps=1/2,tau=1/75,n=3000,bars=75");
    cr_assert(times[0] == 1 && times[1] == 74 && times[2] == 0, "75 bars of 40 records are full");
    cr_assert(reached[0] == 1 && reached[1] == 74);
    parts_of(times, reached, "stlap:eps=1/2,tau=1/75,n=3000,bars=76");
    cr_assert(times[0] == 1 && times[1] == 75 && times[2] == 0);
    cr_assert(reached[0] == 1 && reached[1] == 74 && reached[2] == 0);
    parts_of(times, reached, "stlap:eps=1/2,tau=1/75,n=3000,bars=2147483647");
    cr_assert(times[1] < 3000 && times[2] == 3000 && reached[1] == 74 && reached[2] == 0);
}

/* A certificate has both ends, and is held to them. */
Test(stlap_part, certificate)
{
    pby_spec *spec = spec_of("stlap:eps=1,tau=1/2,n=30,bars=9");
    pby_certificate *c;
    char *text = NULL;
    mpq_t epsilon;
    mpq_init(epsilon);
    mpq_set_ui(epsilon, 1, 1);
    cr_assert_eq(pby_certify(&text, spec, PBY_ADD_REMOVE, epsilon, NULL), PBY_OK);
    cr_assert_eq(pby_verify(&c, text, strlen(text), NULL), PBY_OK);
    cr_assert_not_null(strstr(pby_certificate_route(c), "two grids"));
    pby_certificate_free(c);
    free(text);
    mpq_clear(epsilon);
    pby_spec_free(spec);
}

/* Some output is possible on one input alone, whichever is worst; what is left without it is not known. */
Test(stlap_part, orders)
{
    pby_spec *spec = spec_of("stlap:eps=1,tau=1/2,n=30,bars=9");
    pby_enclosure renyi;
    pby_approximate beside;
    pby_error err;
    mpq_t order;
    mpq_init(order);
    mpq_set_ui(order, 2, 1);
    pby_enclosure_init(&renyi);
    pby_approximate_init(&beside);
    cr_assert_eq(pby_loss_renyi(&renyi, NULL, spec, PBY_ADD_REMOVE, order, 9, NULL), PBY_OK);
    cr_assert(mpfr_inf_p(renyi.lo));
    cr_assert_eq(pby_loss_renyi(&renyi, &beside, spec, PBY_ADD_REMOVE, order, 9, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "worst neighbours are not known"), "%s", err.text);
    pby_approximate_clear(&beside);
    pby_enclosure_clear(&renyi);
    mpq_clear(order);
    pby_spec_free(spec);
}
