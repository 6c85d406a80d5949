/* SPDX-License-Identifier: MIT */
/* The quantities that get noise: what the statistics of a plan need, each once.
 *
 * Statistics of one grouping share the number of rows, and those of one column its sums. */
#ifndef PBY_PLAN_PLAN_QUANTITY_H
#define PBY_PLAN_PLAN_QUANTITY_H

#include "plan/plan.h"
#include "plan/plan_moves.h"

typedef enum pby_plan_part {
    PBY_PART_ROWS,
    PBY_PART_USERS,
    PBY_PART_SUM,      /* of j, the value in steps */
    PBY_PART_CENTRED,  /* of j - c, c being the middle of the bounds */
    PBY_PART_SQUARES,  /* of (j - c)^2 - floor(R^2/2), R being the farthest that j is from c */
    PBY_PART_BUCKETS,  /* rows of each bucket of a column */
    PBY_PART_QUANTILE, /* a point of a column's grid in each group, chosen by its score */
    PBY_PART_TOP       /* groups, chosen one after the other by their rows */
} pby_plan_part;

extern const char *const pby_plan_parts[];

/* True if the part is made of a column's numbers: a row without one is dropped. */
bool pby_plan_part_has_column(pby_plan_part part);

typedef enum pby_plan_family {
    PBY_PLAN_DGAUSS,
    PBY_PLAN_GEOMETRIC,
    PBY_PLAN_EXPONENTIAL,
    PBY_PLAN_THRESHOLD
} pby_plan_family;

extern const char *const pby_plan_families[];

typedef struct pby_plan_quantity {
    pby_plan_part part;
    size_t grouping, column;
    int64_t width;        /* of buckets, in steps */
    pby_plan_share share; /* of a quantile */
    size_t cells;         /* numbers that are released, of all groups together */
    size_t tallied;       /* numbers that they are made of */
    size_t tally;         /* the quantity that holds these: itself, or another quantile of the column */
    size_t candidates;    /* of a choice: points of the grid, groups */
    uint64_t factor;      /* the most that one row moves a cell by, in parts of `unit` */
    uint64_t unit;        /* 1; of a score of a quantile its share's denominator */
    pby_plan_moves moves; /* sizes are multiplied by the factor, and in parts of `unit` */
    bool general;         /* of a choice: scores may move both ways */
    mpq_t weight;         /* of the statistics that need it */
    mpq_t scale;          /* errors are divided by this: the expected rows times the factor */
    bool bounded;         /* its error must stay within `within`, in steps */
    mpq_t within;
    pby_plan_family family;
    bool fixed;        /* no other family serves */
    bool gate;         /* users of hidden groups, which decide which groups are told */
    int64_t threshold; /* T of a gate */
    double pass;       /* of a gate: the chance of one new group that T is chosen for */
    mpq_t noise;       /* sigma2 of dgauss; else eps, for the first of its moves */
} pby_plan_quantity;

enum { PBY_PLAN_NEEDS_MAX = PBY_PLAN_SHARES_MAX };

/* The quantities of a statistic, in the order rows, centred, squares; or those of its shares. */
typedef struct pby_plan_needs {
    size_t count, at[PBY_PLAN_NEEDS_MAX];
} pby_plan_needs;

typedef struct pby_plan_quantities {
    size_t count;
    pby_plan_quantity *quantity;
    pby_plan_needs *needs; /* of each statistic */
} pby_plan_quantities;

/* Noise is left at 0. To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_plan_quantities_of(pby_plan_quantities *out, const pby_release_plan *plan, pby_error *err);
void pby_plan_quantities_clear(pby_plan_quantities *q);

/* The middle of a column's bounds, and the farthest that a value is from it, in steps. */
int64_t pby_plan_centre(const pby_plan_column *c);
uint64_t pby_plan_reach(const pby_plan_column *c);

/* floor(R^2/2), which is taken from each square. */
uint64_t pby_plan_half_square(const pby_plan_column *c);

pby_plan_bounds pby_plan_bounds_of(const pby_plan_grouping *g);

/* Sets T of a gate to the least that a new group passes with a chance of at most `pass`, about: only the loss
 * of the list decides. */
void pby_plan_set_threshold(pby_plan_quantity *q);

/* The list of one release, or of all K of them, as a spec; and the noise of one cell. */
PBY_CHECKED
pby_status pby_plan_spec(pby_spec **out, const pby_plan_quantities *q, uint64_t times, pby_error *err);
PBY_CHECKED
pby_status pby_plan_cell_spec(pby_spec **out, const pby_plan_quantity *q, pby_error *err);

#endif
