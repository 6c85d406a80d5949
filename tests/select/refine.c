/* SPDX-License-Identifier: MIT */
#include "select/refine.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <stdint.h>

#include "probity/loss.h"
#include "probity/rational.h"

static bool never(const pby_enclosure *bounds, const void *what)
{
    (void)bounds;
    (void)what;
    return false;
}

static bool at_once(const pby_enclosure *bounds, const void *count)
{
    (void)bounds;
    ++*(int *)(uintptr_t)count;
    return true;
}

struct question {
    pby_spec *spec;
    mpq_t epsilon;
    mpfr_t near;
};

static void ask(struct question *q, const char *const *texts, size_t count, const char *epsilon)
{
    pby_error err;
    mpq_init(q->epsilon);
    mpfr_init2(q->near, 53);
    mpfr_set_zero(q->near, 1);
    cr_assert_eq(pby_spec_parse(&q->spec, texts, count, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_rational_parse(q->epsilon, "epsilon", epsilon, &err), PBY_OK);
}

static void clear(struct question *q)
{
    pby_spec_free(q->spec);
    mpq_clear(q->epsilon);
    mpfr_clear(q->near);
}

/* The grid's bounds surround the exact composition, after one round and after three, and draw closer. */
static void surrounds(const char *const *texts, size_t count, const char *epsilon)
{
    struct question q;
    pby_error err;
    pby_enclosure exact, once, thrice;
    ask(&q, texts, count, epsilon);
    pby_enclosure_init(&exact);
    pby_enclosure_init(&once);
    pby_enclosure_init(&thrice);
    cr_assert_eq(pby_loss_delta(&exact, q.spec, PBY_ADD_REMOVE, q.epsilon, 40, &err), PBY_OK);
    mpfr_sub(q.near, exact.hi, exact.lo, MPFR_RNDU);
    cr_assert_lt(mpfr_cmp_d(q.near, 1e-30), 0, "%s has no exact composition", texts[0]);
    mpfr_set(q.near, exact.hi, MPFR_RNDN);
    cr_assert_eq(pby_refine(&once, q.spec, PBY_ADD_REMOVE, q.epsilon, q.near, 1, never, NULL, &err), PBY_OK,
                 "%s", err.text);
    cr_assert_eq(pby_refine(&thrice, q.spec, PBY_ADD_REMOVE, q.epsilon, q.near, 3, never, NULL, &err),
                 PBY_OK);
    cr_assert(mpfr_lessequal_p(once.lo, exact.lo) && mpfr_lessequal_p(exact.hi, once.hi),
              "%s: [%.20g, %.20g]", texts[0], mpfr_get_d(once.lo, MPFR_RNDN), mpfr_get_d(once.hi, MPFR_RNDN));
    cr_assert(mpfr_lessequal_p(thrice.lo, exact.lo) && mpfr_lessequal_p(exact.hi, thrice.hi));
    mpfr_sub(once.hi, once.hi, once.lo, MPFR_RNDN);
    mpfr_sub(thrice.hi, thrice.hi, thrice.lo, MPFR_RNDN);
    cr_assert(mpfr_lessequal_p(thrice.hi, once.hi));
    pby_enclosure_clear(&thrice);
    pby_enclosure_clear(&once);
    pby_enclosure_clear(&exact);
    clear(&q);
}

Test(select_refine, the_bounds_surround_the_exact_composition)
{
    surrounds((const char *const[]){"3*geometric:eps=1/10", "stlap:eps=1/2,q=40"}, 2, "1/2");
    surrounds((const char *const[]){"2*stlap:eps=1/4,q=30"}, 1, "1/2");
    surrounds((const char *const[]){"5*gauss:sigma2=10"}, 1, "1");
    surrounds((const char *const[]){"2*tgeometric:eps=1,bound=3"}, 1, "1/3");
}

Test(select_refine, ends_as_soon_as_it_may)
{
    struct question q;
    pby_enclosure bounds;
    int asked = 0;
    ask(&q, (const char *const[]){"10*dgauss:sigma2=50"}, 1, "1");
    pby_enclosure_init(&bounds);
    cr_assert_eq(pby_refine(&bounds, q.spec, PBY_ADD_REMOVE, q.epsilon, q.near, 5, at_once, &asked, NULL),
                 PBY_OK);
    cr_assert_eq(asked, 1);
    pby_enclosure_clear(&bounds);
    clear(&q);
}

Test(select_refine, refuses_what_has_no_pairs)
{
    struct question q;
    pby_enclosure bounds;
    ask(&q, (const char *const[]){"2*zcdp:rho=1/10"}, 1, "1");
    pby_enclosure_init(&bounds);
    cr_assert_eq(pby_refine(&bounds, q.spec, PBY_ADD_REMOVE, q.epsilon, q.near, 1, never, NULL, NULL),
                 PBY_BAD);
    pby_enclosure_clear(&bounds);
    clear(&q);
}

/* Truncated samples are only bounded: the lower end is that of samples, which some neighbours have, and not
 * that of the pairs that dominate. */
Test(select_refine, a_bound_has_the_lower_end_of_some_neighbours)
{
    static const char *const truncated = "5*gauss:sigma2=1,sample=1/10,batch=12,records=100";
    static const char *const sampled = "5*gauss:sigma2=1,sample=1/10";
    struct question q, plain;
    pby_error err;
    pby_enclosure bounds, least;
    ask(&q, &truncated, 1, "1");
    ask(&plain, &sampled, 1, "1");
    pby_enclosure_init(&bounds);
    pby_enclosure_init(&least);
    cr_assert_eq(pby_loss_delta(&least, plain.spec, PBY_ADD_REMOVE, plain.epsilon, 9, &err), PBY_OK);
    mpfr_set(q.near, least.hi, MPFR_RNDN);
    cr_assert_eq(pby_refine(&bounds, q.spec, PBY_ADD_REMOVE, q.epsilon, q.near, 1, never, NULL, &err), PBY_OK,
                 "%s", err.text);
    cr_assert(mpfr_lessequal_p(bounds.lo, least.hi));
    mpfr_mul_ui(least.hi, least.hi, 2, MPFR_RNDU);
    cr_assert(mpfr_greater_p(bounds.hi, least.hi));
    pby_enclosure_clear(&least);
    pby_enclosure_clear(&bounds);
    clear(&plain);
    clear(&q);
}
