/* SPDX-License-Identifier: MIT */
/* buckethist:eps=e,q=q,bound=B,width=w[,dimension=d][,outside=refuse|clamp]: points of [0, B)^d are counted
 * into cubes of side w (probity/experimental/bucketing.h), and the counts are released as by stlap:eps=e,q=q.
 *
 * One point is in one cube, so that one record more is one count more by one, and one record changed moves
 * one from a cube to another: the pairs are those of stlap. Moving a point into [0, B)^d first is a map of
 * records, and changes nothing of this. */
#include "kernel/silent.h"
#include "law/laws.h"
#include "mechanism/buckethist/buckets.h"
#include "mechanism/family.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "mechanism/stlap/stlap.h"

enum { EPS, Q, BOUND, WIDTH, DIMENSION, OUTSIDE };

pby_status pby_buckets_of(pby_buckets *out, const pby_mechanism *m, pby_error *err)
{
    const char *expected =
        pby_buckets_set(out, &m->value[BOUND], &m->value[WIDTH], pby_mechanism_natural(m, DIMENSION));
    out->clamp = !fmpq_is_zero(&m->value[OUTSIDE]);
    return expected == NULL ? PBY_OK : pby_mechanism_refuse(m, expected, err);
}

static pby_status buckethist_check(const pby_mechanism *m, pby_error *err)
{
    pby_buckets buckets;
    return pby_buckets_of(&buckets, m, err);
}

static pby_status buckethist_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_stlap(out, &m->value[EPS], &m->value[Q], err);
}

static pby_status buckethist_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                   pby_error *err)
{
    pby_buckets buckets;
    const pby_status status = pby_buckets_of(&buckets, m, err);
    return status == PBY_OK
               ? pby_stlap_pairs(out, &m->value[EPS], &m->value[Q], wanted->relation, buckets.cubes == 1, err)
               : status;
}

static bool buckethist_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation,
                             const fmpq_t epsilon, slong prec)
{
    return pby_stlap_claim(delta, &m->value[EPS], &m->value[Q], relation, epsilon, prec);
}

static bool buckethist_claim_terms(pby_expsum_t numerator, pby_expsum_t denominator, const pby_mechanism *m,
                                   pby_neighbours relation, const fmpq_t epsilon)
{
    return pby_stlap_claim_terms(numerator, denominator, &m->value[EPS], &m->value[Q], relation, epsilon);
}

static const pby_story buckethist_stories[] = {
    {.what =
         "Exact arithmetic counts the points of [0, bound)^dimension in cubes of side width, which go by "
         "their centres. The counts are released as stlap:eps,q releases them. A point outside is refused "
         "or clamped.",
     .neighbours = {"one point more or fewer: one count moves by one",
                    "one point changed: one count loses one, another gains one"},
     .pair = {"(R, R+1) and (R+1, R), as for stlap: each point is in one cube",
              "the product of (R, R+1) and (R+1, R), as for stlap"},
     .pages = {"buckethist.md", "stlap.md", "accuracy.md"},
     .kernel = {{"pby_bucket", "bucket.h"}, {"pby_shrink", "histogram.h"}}},
    {.what = NULL},
};

static const char *const buckethist_examples[] = {
    "buckethist:eps=1/2,q=40,bound=100,width=10",
    "buckethist:eps=1,q=12,bound=1,width=1/4,dimension=2,outside=clamp", NULL};

static const pby_select_row buckethist_selection = {PBY_SELECT_STLAP, .unplanned = &pby_family_stlap};

static const char *const buckethist_manual[] = {
    "buckethist:eps=E,q=Q,bound=B,width=W[,dimension=D][,outside=O]",
    "Points of [0, B)^D counted into cubes of side W, then stlap. O is refuse or clamp. There may be 2^62 "
    "cubes, and D is at most 62.",
    NULL,
};

const pby_family pby_family_buckethist = {
    .name = "buckethist",
    .summary = "points counted into cubes, then stlap",
    .relations = PBY_CENTRAL,
    .parameters =
        {{"eps", PBY_POSITIVE, NULL, "eps=E, the rate of the noise, a rational above 0", PBY_ROLE_EPSILON},
         {"q", PBY_POSITIVE, NULL, "q=Q, the most that a bucket may lose, a rational above 0",
          PBY_ROLE_LOSES},
         {"bound", PBY_POSITIVE, NULL, "bound=B, where the coordinates end, a rational above 0",
          PBY_ROLE_NONE},
         {"width", PBY_POSITIVE, NULL, "width=W, the side of a bucket, a rational above 0", PBY_ROLE_WIDTH},
         {"dimension", PBY_NATURAL, "1", "dimension=D, the coordinates of a point", PBY_ROLE_DIMENSION},
         {"outside", PBY_CHOICE, "refuse", "outside=refuse or outside=clamp", PBY_ROLE_OUTSIDE}},
    .words = {"refuse", "clamp"},
    .check = buckethist_check,
    .law = buckethist_law,
    .list[PBY_ABOVE] = buckethist_pairs,
    .claim = buckethist_claim,
    .claim_terms = buckethist_claim_terms,
    .statement = {.source = "(exp(eps)-1)/(2(exp(eps q/2)-1)), Flex/Corollary 3",
                  .row = "Flex/Corollary 3",
                  .refuted = true},
    .takes = PBY_TAKES_POINTS,
    .release = pby_stlap_release,
    .silent = pby_silent_shrink,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_DROPS},
    .select = &buckethist_selection,
    .stories = buckethist_stories,
    .manual = buckethist_manual,
    .examples = buckethist_examples,
};
