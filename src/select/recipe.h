/* SPDX-License-Identifier: MIT */
/* The choices of the papers: a recipe decides if their formulas accept a candidate. */
#ifndef PBY_SELECT_RECIPE_H
#define PBY_SELECT_RECIPE_H

#include "mechanism/shared/selection.h"
#include "probity/select.h"
#include "probity/spec.h"
#include "select/select_bisect.h"

/* A candidate is given as one use and as all of them. */
typedef pby_status pby_recipe(pby_decision *verdict, const pby_spec *one, const pby_spec *all,
                              const pby_target *target, pby_error *err);

/* That of a name; NULL for PBY_RECIPE_NONE. */
pby_recipe *pby_recipe_of(pby_recipe_name name);

#endif
