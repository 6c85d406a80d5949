/* geometric:eps=e[,sensitivity=D][,theta=t]: two-sided geometric noise of rate e/D on an integer query.
 *
 * The sensitivity is that of the query under the neighbour relation in force, so that both relations
 * have one pair: the law and the law shifted by D. A smaller shift is dominated, because the law is
 * log-concave (docs/theory/geometric.md), and the pair is its own reverse by symmetry.
 *
 * A random query has a law on each input. theta is the mass that the coupling of two neighbours' laws within
 * D may leave out: with that chance the pair reveals its input (docs/theory/random-queries.md).
 *
 * A histogram is released over a public set of bars, every one of which gets noise, the empty ones too: a
 * bar that stays 0 would show that it is empty, and a bar that is left out that it is.
 */
#include "kernel/silent.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/noise.h"
#include "mechanism/selection.h"
#include "mechanism/story.h"

enum { EPS, SENSITIVITY };

static pby_status geometric_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_geometric_over(out, &m->value[EPS], &m->value[SENSITIVITY], err);
}

static pby_status geometric_pairs(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                                  pby_error *err)
{
    (void)relation;
    pby_law *law = NULL;
    pby_status status = geometric_law(&law, m, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        status = pby_pair_shift(&out->pair[0], law, pby_mechanism_natural(m, SENSITIVITY), err);
    pby_law_free(law);
    return status;
}

static const pby_story geometric_stories[] = {
    {.with = PBY_ROLE_THETA,
     .what = "A query is random: its answer on each input has a law. One answer is drawn, and two-sided "
             "geometric noise R of rate eps/sensitivity is added to it. The answers of neighbours can be "
             "coupled so that they differ by at most the sensitivity except with probability theta.",
     .neighbours = PBY_STORY_RANDOM,
     .pair = {PBY_STORY_REVEALED, PBY_STORY_REVEALED},
     .accuracy = PBY_STORY_DRAWN,
     .pages = {"random-queries.md", "geometric.md", "drawing.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = "Two-sided geometric noise R of rate eps/sensitivity is added to an integer query, or to every "
             "bar of a histogram over a public set of bars, including the empty ones.",
     .neighbours = PBY_STORY_A_HISTOGRAM,
     .pair = {PBY_STORY_FULL_SHIFT, PBY_STORY_FULL_SHIFT},
     .accuracy = PBY_STORY_NOISE("every bar is"),
     .pages = {"geometric.md", "drawing.md", "accuracy.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = NULL},
};

static const char *const geometric_examples[] = {"geometric:eps=1/2", "geometric:eps=1,sensitivity=2",
                                                 "geometric:eps=1,sample=1/10",
                                                 "geometric:eps=1,theta=1/1000", NULL};

static const pby_select_row geometric_selection = {PBY_SELECT_PURE(PBY_SELECT_LESS_EPS)};

static const char *const geometric_manual[] = {
    "geometric:eps=E[,sensitivity=D][,sample=R][,theta=T]",
    "Two-sided geometric noise of rate E/D on an integer query or on every bar of a histogram.",
    NULL,
};

const pby_family pby_family_geometric = {
    .name = "geometric",
    .summary = "two-sided geometric noise (discrete Laplace)",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss at the given sensitivity, a rational above 0",
                    PBY_ROLE_EPSILON},
                   {"sensitivity", PBY_NATURAL, "1", "sensitivity=D, the most that a query moves",
                    PBY_ROLE_SENSITIVITY},
                   PBY_SAMPLE_PARAMETER,
                   PBY_THETA_PARAMETER},
    .law = geometric_law,
    .pairs = geometric_pairs,
    .release = pby_noise_every,
    .silent = pby_silent_perturb,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_NOISY},
    .select = &geometric_selection,
    .stories = geometric_stories,
    .manual = geometric_manual,
    .examples = geometric_examples,
};
