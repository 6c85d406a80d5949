/* What the papers would choose: whether their formulas accept a candidate. */
#ifndef PBY_SELECT_RECIPE_H
#define PBY_SELECT_RECIPE_H

#include "probity/select.h"
#include "probity/spec.h"
#include "select/search.h"

/* A candidate is given as one use and as all of them. */
typedef pby_status pby_recipe(pby_decision *verdict, const pby_spec *one, const pby_spec *all,
                              const pby_target *target, pby_error *err);

/* The paper's delta, as often as the mechanism is used: epsilons and deltas add. */
pby_recipe pby_recipe_claimed;

/* The deltas that the mechanisms are named by add up. */
pby_recipe pby_recipe_named;

/* bound >= log(4 uses/delta)/eps + 1, at sensitivity 1. */
pby_recipe pby_recipe_clipped;

/* Basic or advanced composition, whichever accepts it. */
pby_recipe pby_recipe_theorems;

/* rho = uses D^2/(2 sigma2), and then the classical conversion. */
pby_recipe pby_recipe_concentrated;

/* rho = uses eps^2/2, eps the largest loss. */
pby_recipe pby_recipe_pure;

#endif
