/* SPDX-License-Identifier: MIT */
/* noisymax:eps=e[,sensitivity=d][,scores=general|monotone][,noise=two-sided|one-sided]: report noisy max.
 * Every integer score gets geometric noise of rate r = eps/(2 d), or eps/d for monotone scores, and only the
 * place of the largest is told, the first of equals.
 *
 * The winner's noise is raised by 2 d, or by d (proofs/alignment/noisy_max.c): no loss is beyond eps. Taken
 * step by step the same says more: at most what two-sided geometric noise of rate r loses when it is shifted
 * by 2 d, or by d. One-sided noise loses that much with two candidates (pairs.c). */
#include "mechanism/noisymax/noisymax.h"

#include "mechanism/shared/monotone.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"

/* ---- the family ------------------------------------------------------------------------------- */

#define MAX_PAIR                                                                                       \
    "two-sided geometric noise of rate r and the same shifted by 2 sensitivity, or by sensitivity "    \
    "for monotone scores: it dominates, and two candidates with one-sided noise reach it at every "    \
    "epsilon; two-sided noise loses less, because no maximum grows as fast, and its largest loss "     \
    "comes near eps; its lower ends are those of two candidates, one ahead of the other, and of some " \
    "larger fields"

static const pby_story max_stories[] = {
    {.what =
         "Every candidate's integer score gets geometric noise of rate r = eps/(2 sensitivity), or "
         "eps/sensitivity for monotone scores, and only the candidate of the largest is released, the first "
         "of equals. The noisy score itself must not be released. " PBY_STORY_ASSUMED,
     .neighbours = PBY_STORY_SCORES,
     .pair = {MAX_PAIR, MAX_PAIR},
     .accuracy =
         "probity accuracy --beta b encloses the probability that the chosen score is more than b below the "
         "best, at the worst scores: the best candidate is the last, and all others are just more than "
         "b below it",
     .pages = {"noisymax.md", "alignment.md", "drawing.md"},
     .kernel = {{"pby_noisy_max", "noisy_max.h"}}},
    {.what = NULL},
};

static const char *const max_examples[] = {
    "noisymax:eps=1", "noisymax:eps=1/2,sensitivity=3,scores=monotone,noise=one-sided", NULL};

static const char *const max_manual[] = {
    "noisymax:eps=E[,sensitivity=D][,scores=S][,noise=N]",
    "Report noisy max: the candidate whose integer score with noise is the largest. S is general, or "
    "monotone where a record more moves no two scores in opposite directions; N is two-sided or one-sided.",
    NULL,
};

#define PARAMETERS                                                                                 \
    {                                                                                              \
        {"eps", PBY_POSITIVE, NULL, "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},      \
            {"sensitivity", PBY_NATURAL, "1", "sensitivity=D, the most that a score moves",        \
             PBY_ROLE_SENSITIVITY},                                                                \
            {"scores", PBY_CHOICE, "general", "scores=general or scores=monotone", PBY_ROLE_NONE}, \
        {                                                                                          \
            "noise", PBY_CHOICE, "two-sided", "noise=two-sided or noise=one-sided", PBY_ROLE_NONE  \
        }                                                                                          \
    }

/* A single use is known exactly, or by its pairs alone. */
static void max_privacy(pby_privacy *p, const pby_mechanism *m)
{
    p->single = pby_max_is_exact(m) ? PBY_SINGLE_EXACT : PBY_SINGLE_NONE;
}

/* The bound itself, as if it were reached: what select judges by. It has no line in the registry. */
static const pby_family max_bound = {
    .name = "noisymax",
    .summary = "the bound of report noisy max",
    .relations = PBY_CENTRAL,
    .parameters = PARAMETERS,
    .words = {"general", "monotone", "two-sided", "one-sided"},
    .list[PBY_ABOVE] = pby_max_pairs,
};

static const pby_select_row max_selection = {PBY_SELECT_PURE(PBY_MONOTONE_ORDER), .bound = &max_bound};

const pby_family pby_family_noisymax = {
    .name = "noisymax",
    .summary = "report noisy max: the candidate whose noisy score is the largest",
    .relations = PBY_CENTRAL,
    .parameters = PARAMETERS,
    .words = {"general", "monotone", "two-sided", "one-sided"},
    .list[PBY_ABOVE] = pby_max_pairs,
    .list[PBY_BELOW] = pby_max_attained,
    .list[PBY_DIVERGING] = pby_max_diverging,
    .loose = true,
    .list[PBY_ONCE] = pby_max_pairs,
    .privacy = max_privacy,
    .once = &pby_family_pure,
    .claim = pby_monotone_claim,
    .statement = {.source = "0 from eps on"},
    .form = PBY_RELEASE_CANDIDATE,
    .takes = PBY_TAKES_SCORES,
    .rate = pby_monotone_rate,
    .chooser = &pby_max_chooser,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_CHOICE},
    .select = &max_selection,
    .stories = max_stories,
    .manual = max_manual,
    .examples = max_examples,
};
