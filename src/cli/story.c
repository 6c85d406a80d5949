#include "cli/story.h"

#define ONE_BAR \
    {"one record more or fewer: one bar moves by one", \
     "one record changed: one bar loses one, another gains one"}
#define A_QUERY \
    {"one record more or fewer: the query moves by at most the sensitivity", \
     "one record changed: the query moves by at most the sensitivity, which is then that of a change"}
#define A_HISTOGRAM \
    {"one record more or fewer: the query, or all bars together, move by at most the sensitivity", \
     "one record changed: the same, with the sensitivity of a change, which for a histogram is 2 or more"}
#define SPREAD \
    {"one record more or fewer: bars move by the sensitivity in all, and may appear or vanish", \
     "one record changed: bars move by the sensitivity in all, 2 or more, some up, some down"}
#define PUBLIC_BARS \
    {"one record more or fewer: bars, which are public, move by the sensitivity in all", \
     "one record changed: bars, which are public, move by the sensitivity in all, some up, some down"}
#define ANY \
    {"one record more or fewer, as its guarantee has it", "one record changed, as its guarantee has it"}

#define NOISE(what) what " within b of the truth, but for a chance that probity accuracy --beta b encloses"
#define FULL_SHIFT "the law and the law shifted by the sensitivity, its own reverse: no smaller shift is worse"

const pby_story pby_stories[] = {
    {.family = &pby_family_stlap,
     .with = "tau",
     .what = "Every occupied bar x of a histogram is released as max(0, x + R), as by stlap with q = tau times the "
             "number of records; an empty bar stays empty. So the size of the input is read, and the noise of "
             "every bar changes with it. The spec is about inputs of n and n + 1 records in so many bars.",
     .neighbours = ONE_BAR,
     .pair = {"n and n + 1 records, in both orders: the product of the bar that moves by one and of the others, whose noise "
              "is that of the other size. All are full where the records fill them; where not, all ways to spread few "
              "records, and of many bounds on the worst",
              "the size stays, n or n + 1, and q with it: two bars that move by one in opposite directions"},
     .pages = {"stlap-size.md", "stlap.md", "accuracy.md"},
     .kernel = {{"pby_shrink", "histogram.h"}}},
    {.family = &pby_family_stlap,
     .what = "Every occupied bar x of a histogram is released as max(0, x + R); an empty bar stays empty and draws "
             "nothing. R is Laplace noise of rate eps around -q/2, cut to [-q, 0] and rounded: no count grows, and "
             "none loses more than ceil(q - 1/2).",
     .neighbours = ONE_BAR,
     .pair = {"(R, R+1) and (R+1, R): a bar that holds more than q records, with and without one of them",
              "the product of (R, R+1) and (R+1, R): two such bars, of which one gains what the other loses"},
     .pages = {"stlap.md", "accuracy.md"},
     .kernel = {{"pby_shrink", "histogram.h"}}},
    {.family = &pby_family_buckethist,
     .what = "Points of [0, bound)^dimension are counted into cubes of side width, each told by its centre, in "
             "exact arithmetic; the counts are released as by stlap:eps,q. A point outside is refused or clamped.",
     .neighbours = {"one point more or fewer: one count moves by one",
                    "one point changed: one count loses one, another gains one"},
     .pair = {"(R, R+1) and (R+1, R), those of stlap: one point is in one cube",
              "the product of (R, R+1) and (R+1, R), as for stlap"},
     .pages = {"buckethist.md", "stlap.md", "accuracy.md"},
     .kernel = {{"pby_bucket", "bucket.h"}, {"pby_shrink", "histogram.h"}}},
    {.family = &pby_family_geometric,
     .what = "Two-sided geometric noise R of rate eps/sensitivity is added to an integer query, or to every bar of a "
             "histogram over a public set of bars, the empty ones too.",
     .neighbours = A_HISTOGRAM,
     .pair = {FULL_SHIFT, FULL_SHIFT},
     .accuracy = NOISE("every bar is"),
     .pages = {"geometric.md", "drawing.md", "accuracy.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.family = &pby_family_tgeometric,
     .what = "Two-sided geometric noise of rate eps/sensitivity, clipped at -bound and bound with the tails heaped on "
             "the ends, is added to an integer query.",
     .neighbours = A_QUERY,
     .pair = {"the law and the law shifted by s, for every s up to the sensitivity: clipping can make a smaller shift "
              "the worse one",
              "the law and the law shifted by s, for every s up to the sensitivity"},
     .accuracy = "the answer is always within the bound of the query, and closer by chance: probity accuracy",
     .pages = {"geometric.md", "drawing.md", "accuracy.md"}},
    {.family = &pby_family_dgauss,
     .what = "Discrete Gaussian noise, proportional to exp(-k^2/(2 sigma2)) on the integers, is added to an integer "
             "query, or to every bar of a histogram, empty ones too; the set of bars is public.",
     .neighbours = A_QUERY,
     .pair = {FULL_SHIFT, FULL_SHIFT},
     .accuracy = NOISE("the answer is"),
     .pages = {"dgauss.md", "drawing.md", "zcdp.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.family = &pby_family_laplace,
     .with = "grid",
     .what = "A real query is rounded to the grid, and grid times two-sided geometric noise of rate grid/scale is "
             "added. Draws count in steps of the grid. A histogram is released so too, every bar of a public set.",
     .neighbours = A_QUERY,
     .pair = {"the law and the law shifted by the sensitivity in steps, rounded up: the rounding is charged",
              "the law and the law shifted by the sensitivity in steps, rounded up"},
     .accuracy = NOISE("the answer is"),
     .pages = {"laplace.md", "geometric.md", "drawing.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.family = &pby_family_laplace,
     .what = "Continuous Laplace noise of that scale on a real query. No machine draws it: for loss alone; give a grid "
             "to draw.",
     .neighbours = A_QUERY,
     .pair = {FULL_SHIFT, FULL_SHIFT},
     .accuracy = "none: nothing is drawn",
     .pages = {"laplace.md", "zcdp.md"}},
    {.family = &pby_family_threshold,
     .what = "Only bars that occur get noise, two-sided geometric of rate eps/sensitivity, and only noisy counts from T "
             "on are published, with their names: for a universe of names that is not public.",
     .neighbours = SPREAD,
     .pair = {"one bar of both inputs that moves by the sensitivity, or new bars of it in all, one or many, in either order; "
              "in a composition also the ways to divide it between the two",
              "one bar of both inputs that moves by the sensitivity, or new bars of it in all, or vanished ones; in a "
              "composition also the ways to divide it among the three"},
     .accuracy = "of n records in t occupied bars at most t (T - 1) need be dropped for " NOISE("every count to be"),
     .pages = {"threshold.md", "geometric.md", "accuracy.md"},
     .kernel = {{"pby_threshold", "threshold.h"}}},
    {.family = &pby_family_range,
     .what = "Every bar gets two-sided geometric noise of rate eps/sensitivity, and the interval of L either way of the "
             "noisy count is published if it holds the count, else nothing.",
     .neighbours = PUBLIC_BARS,
     .pair = {"the ways to divide the sensitivity among bars that can be the worst, often one bar alone, each its own reverse",
              "the ways to divide the sensitivity among bars that can be the worst, in up to twice the dimensions"},
     .accuracy = "a published interval always holds the count; probity accuracy has the chance that there is none",
     .pages = {"range.md", "geometric.md", "accuracy.md"},
     .kernel = {{"pby_ranges", "range.h"}}},
    {.family = &pby_family_partition,
     .what = "A bar of k records is shown to be there with the largest chance p_k that eps and delta allow, and nothing "
             "else of it is published.",
     .neighbours = ONE_BAR,
     .pair = {"the coins (p_k, p_(k+1)) in both orders, for the at most five k of which all others are mixtures",
              "the products of two such coins, one up and one down"},
     .accuracy = "a bar that is shown is there; a large enough one is always shown: probity accuracy has how large, and "
                 "what part of the records may stay hidden",
     .pages = {"partition.md", "drawing.md", "accuracy.md"},
     .kernel = {{"pby_present", "partition.h"}}},
    {.family = &pby_family_gauss,
     .what = "Continuous Gaussian noise of variance sigma2 on a real query. No machine draws it: for loss alone; dgauss "
             "can be drawn.",
     .neighbours = A_QUERY,
     .pair = {FULL_SHIFT, FULL_SHIFT},
     .accuracy = "none: nothing is drawn",
     .pages = {"dgauss.md", "zcdp.md"}},
    {.family = &pby_family_pure,
     .what = "Any mechanism that is eps-private, known by that alone.",
     .neighbours = ANY,
     .pair = {"randomised response at eps, of which every such mechanism is a post-processing",
              "randomised response at eps, of which every such mechanism is a post-processing"},
     .accuracy = "none: only its privacy is known",
     .pages = {"geometric.md", "conversions.md"}},
    {.family = &pby_family_approx,
     .what = "Any mechanism that is (eps, delta)-private, known by that alone.",
     .neighbours = ANY,
     .pair = {"randomised response at eps that says outright which input it has with chance delta",
              "randomised response at eps that says outright which input it has with chance delta"},
     .accuracy = "none: only its privacy is known",
     .pages = {"geometric.md", "conversions.md"}},
    {.family = &pby_family_rdp,
     .what = "Any mechanism whose Renyi divergence of that order is at most eps between neighbours, known by that "
             "alone. Its epsilon and delta are conversions.",
     .neighbours = ANY,
     .pair = {"none: a promise about a divergence, not a pair", "none: a promise about a divergence, not a pair"},
     .accuracy = "none: only its privacy is known",
     .pages = {"conversions.md", "renyi.md"}},
    {.family = &pby_family_zcdp,
     .what = "Any mechanism whose Renyi divergence of every order a is at most xi + rho a between neighbours, known by "
             "that alone. Its epsilon and delta are conversions.",
     .neighbours = ANY,
     .pair = {"none: a promise about divergences, not a pair", "none: a promise about divergences, not a pair"},
     .accuracy = "none: only its privacy is known",
     .pages = {"conversions.md", "zcdp.md"}},
    {.family = NULL},
};

const pby_story *pby_story_of(const pby_mechanism *m)
{
    for (const pby_story *story = pby_stories; story->family != NULL; story++)
        if (story->family == m->family && (story->with == NULL || pby_mechanism_value(m, story->with) != NULL))
            return story;
    return NULL;
}
