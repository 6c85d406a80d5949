/* What can be chosen, one row a family. */
#ifndef PBY_SELECT_ROW_H
#define PBY_SELECT_ROW_H

#include <stdbool.h>

#include "mechanism/family.h"
#include "select/order.h"
#include "select/recipe.h"

typedef struct pby_select_row {
    const pby_family *family;
    const char *parameter; /* the one that is chosen */
    const char *instead;   /* one that stands in its place, and is not chosen; NULL without such */
    bool rising;           /* the loss falls as it rises */
    bool shares;           /* eps, if left out, is the target's epsilon shared by the uses */
    bool unit;             /* not an integer, and at most 1 */
    bool both;             /* a record changed is charged eps twice */

    const pby_integers *integers; /* NULL: the candidates are multiples of the resolution */
    const char *monotone;         /* why they are in order; NULL: they are not, and are all asked if few */

    pby_recipe *recipe; /* the paper's, for epsilon and delta */
    const char *source;

    /* For a target rho: why the candidates are in order, NULL where no rho is finite; and the recipe, NULL
     * where it is the rho itself. */
    const char *rho_monotone;
    pby_recipe *rho_recipe;
    const char *rho_source;

    /* NULL, or a family with parameters of the same names whose delta is that of this one, between add-remove
     * neighbours and at an epsilon that is not below the eps of all uses together. Several uses are judged as
     * those of it; the order is known for such an epsilon alone. */
    const pby_family *composes_as;

    const char *never_zero; /* why no candidate has delta 0; NULL where one may */
    const char *binds;      /* what binds when no candidate suffices */
} pby_select_row;

/* The row of a family; NULL, with a refusal that lists the families, when there is none. */
const pby_select_row *pby_select_row_find(const char *family, size_t length, pby_error *err);

#endif
