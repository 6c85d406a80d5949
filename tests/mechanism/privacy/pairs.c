/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "loss/loss.h"
#include "mechanism/family.h"
#include "probity/experimental/losses.h"
#include "tests/spec.h"

typedef pby_status asked(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation, pby_error *err);

/* Refused, with nothing left in what was full of something else before. */
static void expect_none(asked *ask, const char *text, pby_neighbours relation)
{
    pby_spec *spec = spec_of(text);
    pby_pair stale;
    pby_pairs out = {&stale, 1};
    pby_error err;
    cr_assert_eq(ask(&out, &spec->use[0].mechanism, relation, &err), PBY_BAD, "%s", text);
    cr_assert(out.pair == NULL && out.count == 0, "%s: half of its pairs are left", text);
    pby_spec_free(spec);
}

/* Refusals before the pairs, between them and in the middle of one. */
static const char *const refused[] = {
    "geometric:eps=1,sensitivity=5000000",
    "laplace:scale=1,grid=1/99999999",
    "tgeometric:eps=1,bound=3000000",
    "stlap:eps=1/2,q=5000000",
    "range:eps=1,L=30000000,sensitivity=20000000",
    "threshold:eps=1,T=5,sensitivity=5000000",
    "zcdp:rho=1",
};

Test(pairs, nothing_is_left_of_pairs_that_are_refused)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        for (int r = PBY_ADD_REMOVE; r <= PBY_SUBSTITUTE; r++) {
            expect_none(pby_mechanism_pairs, refused[i], (pby_neighbours)r);
            expect_none(pby_mechanism_alone, refused[i], (pby_neighbours)r);
        }
}

Test(pairs, nothing_is_left_of_a_product_that_is_refused)
{
    static const char *const texts[] = {"range:eps=1,L=3000,sensitivity=2000000",
                                        "stlap:eps=1/2,tau=1/2,n=1000000000,bars=5"};
    const pby_wanted wanted = {PBY_ABOVE, PBY_ADD_REMOVE, .factors = true};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pby_spec *spec = spec_of(texts[i]);
        pby_pair stale;
        pby_product out = {.count = 1, .factor = {{.pairs = {&stale, 1}}}};
        pby_error err;
        cr_assert_eq(pby_product_of(&out, &spec->use[0].mechanism, &wanted, &err), PBY_BAD, "%s", texts[i]);
        cr_assert_eq(out.count, 0);
        for (size_t k = 0; k < PBY_PARTS_MAX; k++)
            cr_assert(out.factor[k].pairs.pair == NULL && out.factor[k].pairs.count == 0,
                      "%s: half of its pairs are left", texts[i]);
        pby_spec_free(spec);
    }
}

/* A composition asks for one after the other until there is none. */
Test(pairs, other_neighbours_of_a_product_come_to_an_end)
{
    enum { FAR = 1000000 };
    static const char *const texts[] = {"range:eps=1,L=1,sensitivity=300", "rappor:bits=8,f=1/2",
                                        "gmicrodata:sigma2=16", "geometric:eps=1", "noisymax:eps=1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pby_spec *spec = spec_of(texts[i]);
        pby_neighbours relation;
        pby_product out;
        pby_error err;
        cr_assert_eq(pby_spec_neighbours(&relation, spec, &err), PBY_OK);
        const pby_wanted wanted = {PBY_BELOW, relation, .input = FAR};
        cr_assert_eq(pby_product_of(&out, &spec->use[0].mechanism, &wanted, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(out.count, 0, "%s has no last neighbours", texts[i]);
        pby_spec_free(spec);
    }
}

/* Every question that needs the pairs: what it leaves behind, the sanitizers tell. */
Test(pairs, every_question_about_refused_pairs_is_refused)
{
    pby_enclosure x;
    pby_error err;
    mpq_t at;
    mpq_init(at);
    mpq_set_ui(at, 2, 1);
    pby_enclosure_init(&x);
    for (size_t i = 0; i + 1 < sizeof refused / sizeof *refused; i++) {
        pby_spec *spec = spec_of(refused[i]);
        cr_assert_eq(pby_loss_delta(&x, spec, PBY_ADD_REMOVE, at, 9, &err), PBY_BAD, "%s", refused[i]);
        cr_assert_eq(pby_loss_renyi(&x, NULL, spec, PBY_ADD_REMOVE, at, 9, &err), PBY_BAD, "%s", refused[i]);
        cr_assert_eq(pby_loss_zcdp(&x, NULL, spec, PBY_ADD_REMOVE, at, 9, &err), PBY_BAD, "%s", refused[i]);
        cr_assert_eq(pby_loss_delta_direct(&x, spec, PBY_ADD_REMOVE, at, 9, &err), PBY_BAD, "%s", refused[i]);
        pby_spec_free(spec);
    }
    pby_enclosure_clear(&x);
    mpq_clear(at);
}

static void expect_same(const pby_pair *a, const pby_pair *b)
{
    cr_assert_eq(a->direction, b->direction);
    cr_assert_eq(a->count, b->count);
    cr_assert_eq(a->curve, b->curve);
    cr_assert(pby_expsum_equal(a->norm_p, b->norm_p) && pby_expsum_equal(a->norm_q, b->norm_q));
    for (size_t i = 0; i < a->count; i++)
        cr_assert(pby_expsum_equal(a->atoms[i].p, b->atoms[i].p) &&
                  pby_expsum_equal(a->atoms[i].q, b->atoms[i].q));
}

/* Atoms are a copy's own, a curve is shared: either side may go first. */
Test(pairs, copies)
{
    static const char *const texts[] = {"stlap:eps=1/2,q=4", "dgauss:sigma2=3",
                                        "threshold:eps=1,T=3,sensitivity=2"};
    for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
        pby_spec *spec = spec_of(texts[i / 2]);
        pby_pairs pairs, copy;
        cr_assert_eq(pby_mechanism_pairs(&pairs, &spec->use[0].mechanism, PBY_ADD_REMOVE, NULL), PBY_OK);
        cr_assert_eq(pby_pairs_copy(&copy, &pairs, NULL), PBY_OK);
        cr_assert_eq(copy.count, pairs.count);
        for (size_t j = 0; j < copy.count; j++)
            expect_same(&copy.pair[j], &pairs.pair[j]);
        pby_pairs *first = i % 2 == 0 ? &pairs : &copy, *last = i % 2 == 0 ? &copy : &pairs;
        pby_pairs_clear(first);
        for (size_t j = 0; j < last->count; j++)
            if (last->pair[j].curve != NULL)
                cr_assert_not_null(last->pair[j].curve->class->tails);
        pby_pairs_clear(last);
        pby_spec_free(spec);
    }
}
