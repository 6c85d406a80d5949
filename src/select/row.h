/* What can be chosen, one row a family. */
#ifndef PBY_SELECT_ROW_H
#define PBY_SELECT_ROW_H

#include <stdbool.h>

#include "mechanism/family.h"
#include "probity/select.h"
#include "select/search.h"

typedef struct pby_select_row {
    const char *family;
    const char *parameter; /* the one that is chosen */
    const char *instead;   /* one that stands in its place, and is not chosen; NULL without such */
    bool rising;           /* delta falls as it rises */
    bool natural;          /* an integer; otherwise a multiple of the resolution */
    bool shares;           /* eps, if left out, is the target's epsilon shared by the uses */
    bool unit;             /* not an integer, and at most 1 */
    bool both;             /* a record changed is charged eps twice */
    int64_t stride;        /* integers: candidates so far apart are in order of their deltas */

    /* The first candidate from which on that is so; those before it are asked one by one. */
    int64_t (*ordered_from)(const pby_mechanism *m);

    /* For integers, the last candidate: beyond it delta is as good as that of no truncation at all. */
    int64_t (*last)(const pby_mechanism *m, const pby_target *target);
    const char *monotone; /* why it is so; NULL where it is not so: then all are asked, where that is quick */

    /* The paper's recipe: whether it accepts a candidate, given as one use and as all of them. */
    pby_status (*recipe)(pby_told *verdict, const pby_spec *one, const pby_spec *all, const pby_target *target,
                         pby_error *err);
    const char *source;

    /* NULL, or a family of the same parameters whose delta is that of this one, between add-remove neighbours and at
     * an epsilon that is not below the eps of all uses together. Several uses are judged as those of it; the order
     * is known for such an epsilon alone. */
    const char *composes_as;

    const char *never_zero; /* why no candidate has delta 0; NULL where one may */
    const char *binds;      /* what binds when no candidate suffices */
} pby_select_row;

/* The row of a family; NULL, with a refusal that lists the families, when there is none. */
const pby_select_row *pby_select_row_find(const char *family, size_t length, pby_error *err);

#endif
