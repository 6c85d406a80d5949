/* SPDX-License-Identifier: MIT */
/* The best parameters that provably suffice.
 *
 * A family of mechanisms and a target, (epsilon, delta), rho or mu, in; out comes the parameter with the
 * least noise whose certified loss is within the target, its better neighbour, whose loss is not, and what
 * the paper's own recipe would have chosen. Every decision is one between "the upper bound is at most the
 * target" and "the lower bound is above it"; docs/theory/selection.md says for which parameters delta is
 * known to fall as the noise grows, so that nothing better lies beyond the better neighbour.
 *
 *     pby_target target = {.epsilon = e, .delta = d, .relation = PBY_ADD_REMOVE, .uses = 1};
 *     pby_choice *choice;
 *     if (pby_select(&choice, "stlap", &target, err) == PBY_OK)
 *         puts(pby_spec_text(choice->chosen.spec));
 *     pby_choice_free(choice);
 */
#ifndef PROBITY_SELECT_H
#define PROBITY_SELECT_H

#include <gmp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "probity/enclosure.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

/* As the uses of a target: as many as suffice. */
#define PBY_USES_MOST ULONG_MAX

typedef struct pby_target {
    mpq_srcptr epsilon, delta; /* epsilon > 0, 0 <= delta < 1; both NULL with a rho or a mu */
    mpq_srcptr rho;            /* NULL, or above 0: zero-concentrated privacy in place of epsilon and delta */
    mpq_srcptr mu;             /* NULL, or above 0: Gaussian differential privacy in place of both */
    pby_neighbours relation;
    unsigned long uses; /* how often the mechanism is used, 1 or more; composed exactly. PBY_USES_MOST: that
                         * is what is chosen, the most uses, and all parameters are given */
    mpq_srcptr resolution; /* the step of a parameter that is not an integer; NULL: four digits */

    /* NULL, or called each time that a candidate is about to be asked, with how many were before it. */
    void (*asking)(void *what, uint64_t asked);
    void *what;
} pby_target;

/* A candidate: its spec, all uses of it; the value of the parameter; and its delta at the target's
 * epsilon, or its rho or its mu where that is the target: the other two are no numbers. */
typedef struct pby_candidate {
    pby_spec *spec; /* NULL where there is none */
    mpq_t value;
    pby_enclosure delta, rho, mu;
} pby_candidate;

typedef struct pby_choice {
    const char *parameter; /* the one that was chosen, such as q, or "uses" */
    mpq_t resolution;      /* its step */
    pby_candidate chosen;  /* delta.hi, rho.hi or mu.hi is within the target */
    pby_candidate better;  /* the nearest with less noise that is shown to exceed the target, its .lo being
                            * above it; none when the choice has the least noise that there is */
    pby_candidate recipe;  /* what the recipe chooses; none where it has no answer */
    const char *source;    /* the recipe */
    const char *monotone;  /* why no candidate beyond the better neighbour suffices; NULL where that is not
                            * known and only the neighbour and some candidates beyond it were tried */
    bool adjacent;         /* whether the better neighbour is one step away; if not, the bounds of those
                            * between do not tell */
    bool by_bound;         /* whether candidates were judged by an upper bound, because their worst neighbours
                            * are not known: the better neighbour is then the next one, whose upper bound is
                            * above the target; it exceeds the target where its .lo is above it too */
    pby_candidate other;   /* what a second recipe of the paper chooses; none where there is no such */
    const char *other_source; /* that recipe; NULL: none */
} pby_choice;

/* FAMILY, or FAMILY:name=value,... with the parameters that are not to be chosen. Of a mechanism that may be
 * sampled, where the parameter that is otherwise chosen is given and the rate is not, the rate is chosen: the
 * greatest. Parameters left out have the family's defaults, and eps is the target's epsilon shared by the
 * uses, half of that where a changed record is charged twice. Refused with the constraint that binds when no
 * parameter suffices; a number in that refusal is one that no candidate's delta is below. A rho is refused
 * for a family whose loss may be infinite, and a mu for one that is not known to have a finite one. */
PBY_CHECKED
pby_status pby_select(pby_choice **out, const char *family, const pby_target *target, pby_error *err)
    PBY_NONNULL(1, 2, 3);
void pby_choice_free(pby_choice *choice);

/* ---- numbers as text --------------------------------------------------------------------------- */

/* pby_target with rationals as text; what is not asked for is NULL. */
typedef struct pby_target_words {
    const char *epsilon, *delta, *rho, *mu;
    pby_neighbours relation;
    unsigned long uses;
    const char *resolution;
} pby_target_words;

PBY_CHECKED
pby_status pby_select_text(pby_choice **out, const char *family, const pby_target_words *target,
                           pby_error *err) PBY_NONNULL(1, 2, 3);

/* A candidate of a choice: its spec, which belongs to the choice and is NULL where there is none such; and
 * its delta, rho or mu, whichever was the target, with the value of the parameter. value is for free(3), and
 * may be NULL. */
typedef enum pby_candidate_name { PBY_CHOSEN, PBY_BETTER, PBY_RECIPE } pby_candidate_name;
PBY_CHECKED
const pby_spec *pby_choice_spec(const pby_choice *choice, pby_candidate_name which) PBY_NONNULL(1);
PBY_CHECKED
pby_status pby_choice_text(char **value, pby_decimals *loss, const pby_choice *choice,
                           pby_candidate_name which, unsigned digits, pby_error *err) PBY_NONNULL(2, 3);

PBY_END_API

#endif
