/* SPDX-License-Identifier: MIT */
/* choosing:eps=e,counts=c: a histogram of chosen bars. Round after round one of the public bars that are
 * left is chosen with weight exp(e x), x its count, and published with its count under two-sided geometric
 * noise of rate c.
 *
 * The order in which bars are chosen is that in which independent exponential clocks of rates exp(e x) ring
 * (docs/theory/choosing.md). One record more changes one clock and one count. So every number of rounds, also
 * one that depends on what was published, is a post-processing of all clocks and all noisy counts, whose pair
 * is that of one bar (choosing/curve.h). With many bars of equal counts their order tells the time of the
 * clock to any precision, so that no less is true of all inputs together. */
#include "law/laws.h"
#include "mechanism/choosing/choosing_curve.h"
#include "mechanism/family.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"

enum { EPS, COUNTS };

static pby_status choosing_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                 pby_error *err)
{
    (void)wanted;
    pby_status status = pby_pairs_init(out, 2, err);
    for (int i = 0; i < 2 && status == PBY_OK; i++) {
        status = pby_clock_curve(&out->pair[i].curve, &m->value[EPS], &m->value[COUNTS], i == 1, err);
        out->pair[i].direction = i == 0 ? PBY_FORWARD : PBY_BACKWARD;
    }
    return status;
}

static void choosing_privacy(pby_privacy *p, const pby_mechanism *m)
{
    (void)m;
    p->integral = true;
}

/* The law of the noise on counts; bars are chosen with the chances of the exponential mechanism. */
static pby_status choosing_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_geometric(out, &m->value[COUNTS], err);
}

static void choosing_rate(fmpq_t rate, const pby_mechanism *m)
{
    fmpq_set(rate, &m->value[EPS]);
}

static const pby_select_row choosing_selection = {
    .chosen = PBY_ROLE_EPSILON,
    .monotone = "clocks of rates that are further apart are easier to tell apart, at every epsilon",
    .recipe = PBY_RECIPE_NONE,
    .never_zero = "its loss has no largest value",
    .binds = "counts, the rate of the noise on the counts,",
};

static const pby_story choosing_stories[] = {
    {.what = "One bar after the other is chosen among the public bars that are left, with weight exp(eps "
             "count), and published with its count under two-sided geometric noise of rate counts. The loss "
             "holds for every number of rounds.",
     .neighbours = {"one record more or fewer: one bar moves by one"},
     .pair = {"one bar: the time that its clock rings at, exponential of rate 1 or exp(eps), and its noisy "
              "count; in both orders"},
     .accuracy = "none in closed form: which bars are chosen depends on all counts",
     .pages = {"choosing.md", "exponential.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = NULL},
};

static const char *const choosing_examples[] = {"choosing:eps=1/20,counts=1/2", "choosing:eps=2,counts=1",
                                                NULL};

static const char *const choosing_manual[] = {
    "choosing:eps=E,counts=C",
    "A histogram of chosen bars: any number of rounds, each of which chooses one of the bars left with "
    "weight exp(E count), and publishes its count with geometric noise of rate C. Add-remove neighbours.",
    NULL,
};

const pby_family pby_family_choosing = {
    .name = "choosing",
    .summary = "a histogram of bars chosen one after the other",
    .relations = 1 << PBY_ADD_REMOVE,
    .parameters = {{"eps", PBY_POSITIVE, NULL,
                    "eps=E, by which a record more raises the logarithm of a weight, above 0",
                    PBY_ROLE_EPSILON},
                   {"counts", PBY_POSITIVE, NULL, "counts=C, the rate of the noise on a count, above 0",
                    PBY_ROLE_NONE}},
    .form = PBY_RELEASE_CHOSEN,
    .takes = PBY_TAKES_COUNTS,
    .law = choosing_law,
    .rate = choosing_rate,
    .list[PBY_ABOVE] = choosing_pairs,
    .privacy = choosing_privacy,
    .select = &choosing_selection,
    .stories = choosing_stories,
    .manual = choosing_manual,
    .examples = choosing_examples,
};
