#include <criterion/criterion.h>
#include <string.h>

#include "mechanism/family.h"
#include "probity/certificate.h"
#include "probity/loss.h"
#include "tests/law/make.h"
#include "tests/mechanism/outcomes.h"
#include "tests/mechanism/sized.h"
#include "tests/spec.h"

/* Whether both ends surround the worst of all inputs, and are told to be apart where they are. */
static void check(const sized *s, const char *at, bool apart)
{
    char text[SIZED_TEXT];
    pby_spec *spec = spec_of(sized_spec(text, s));
    pby_enclosure delta;
    pby_error err;
    bool wider = false;
    mpq_t epsilon;
    fmpq_t e;
    arb_t worst, end;
    mpq_init(epsilon);
    fmpq_init(e);
    arb_init(worst);
    arb_init(end);
    pby_enclosure_init(&delta);
    set_text(e, at);
    fmpq_get_mpq(epsilon, e);
    cr_assert_eq(pby_loss_deltas_within(&delta, &wider, spec, PBY_ADD_REMOVE, epsilon, 1, NULL, 9, &err), PBY_OK, "%s",
                 err.text);
    sized_worst(worst, s, PBY_ADD_REMOVE, e);
    arb_set_interval_mpfr(end, delta.lo, delta.lo, OUTCOMES_PREC);
    cr_assert(arb_le(end, worst), "%s: the lower end is above the truth", text);
    arb_set_interval_mpfr(end, delta.hi, delta.hi, OUTCOMES_PREC);
    cr_assert(arb_ge(end, worst), "%s: the upper end is below the truth", text);
    cr_assert_eq(wider, apart, "%s: it is %s that the ends are apart", text, wider ? "told" : "not told");
    pby_enclosure_clear(&delta);
    arb_clear(end);
    arb_clear(worst);
    fmpq_clear(e);
    mpq_clear(epsilon);
    pby_spec_free(spec);
}

/* Too many records to list their inputs, too few to fill the bars. */
Test(stlap_part, bounds_surround_the_worst_of_all_inputs)
{
    check(&(sized){"1", "3/4", 17, 2}, "1", true);
    check(&(sized){"1/4", "7/8", 20, 2}, "1/4", true);
    check(&(sized){"2", "2/3", 17, 2}, "0", false);
    check(&(sized){"1", "1/2", 17, 3}, "1", true);
}

/* The parts of a spec: how many of each at most, and how many some input has. */
static void parts_of(uint64_t times[PBY_PARTS_MAX], uint64_t reached[PBY_PARTS_MAX], const char *text)
{
    pby_spec *spec = spec_of(text);
    const pby_mechanism *m = &spec->use[0].mechanism;
    for (size_t i = 0; i < PBY_PARTS_MAX; i++) {
        pby_pairs pairs;
        cr_assert_eq(m->family->part(&pairs, &times[i], &reached[i], m, PBY_ADD_REMOVE, i, NULL), PBY_OK);
        pby_pairs_clear(&pairs);
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
