/* SPDX-License-Identifier: MIT */
/* One release by the kind of its input.
 *
 * run.c alone calls these functions, in the order in which they stand here, and alone charges the budget:
 * between open, which reads and refuses and draws nothing, and run, which draws. So no kind can draw before
 * it has paid, and none can be refused for its input behind the charge without saying why in its run.
 */
#ifndef PBY_RELEASE_INPUT_KIND_H
#define PBY_RELEASE_INPUT_KIND_H

#include <stdbool.h>

#include "release/pipeline.h"
#include "table/store/rows.h"

typedef struct pby_input_kind {
    const char *name;
    bool histogram; /* reads KEY,COUNT: columns may be chosen, and a map may stand in front */
    bool truncates; /* counts, which a limit may cut */
    bool scored;    /* candidates with scores, which queries may give and a range may hold */
    bool parts;     /* each mechanism of the spec is released by itself: `release` is NULL throughout */
    bool answer;    /* writes a single answer to the spool and no rows */

    /* Refuses, before the input is read, what this kind cannot do. NULL: everything has been checked. */
    pby_status (*check)(const pby_pipeline *p, const pby_release *release, pby_error *err);

    /* Sets the unit of the values, which is 1 before, and whether some may be missing. NULL: the unit and the
     * form of the release say so. */
    void (*shape)(pby_rows *rows, mpq_t unit, const pby_pipeline *p);

    /* Reads and checks the input. Whether it succeeds or not, *in is for close. */
    pby_status (*open)(void **in, const pby_pipeline *p, pby_release *release, pby_error *err);

    /* Makes an input that has been run ready for another run. NULL: the input is opened anew for each. */
    pby_status (*again)(void *in, const pby_pipeline *p, pby_release *release, pby_error *err);

    /* Draws and writes; the budget has been charged. */
    pby_status (*run)(pby_rows *rows, void *in, const pby_pipeline *p, pby_release *release, pby_error *err);

    /* Tells a receipt how the input was read. */
    void (*learn)(pby_learned *out, const void *in, const pby_pipeline *p, const pby_release *release);

    /* Wipes and frees. NULL is allowed. */
    void (*close)(void *in);
} pby_input_kind;

extern const pby_input_kind pby_kind_counts;    /* a histogram, and one of the same bars behind it */
extern const pby_input_kind pby_kind_chosen;    /* a histogram, and some of its bars */
extern const pby_input_kind pby_kind_settled;   /* a histogram, and the answer of a statistic */
extern const pby_input_kind pby_kind_points;    /* points, and buckets */
extern const pby_input_kind pby_kind_lattice;   /* points, and one point of a grid for each use */
extern const pby_input_kind pby_kind_answers;   /* answers of users, and others in their place */
extern const pby_input_kind pby_kind_scores;    /* candidates with scores, and one of them */
extern const pby_input_kind pby_kind_passed;    /* a histogram, and one of the bars that passed, or none */
extern const pby_input_kind pby_kind_databases; /* a histogram, and a small database like it */
extern const pby_input_kind pby_kind_moments;   /* raw records, and their sums, means or variances */
extern const pby_input_kind pby_kind_quantiles; /* raw records, and their quantiles */

#endif
