/* SPDX-License-Identifier: MIT */
/* The choice of a family's parameter: a row of data in the family, which src/select interprets
 * (docs/theory/selection.md). */
#ifndef PBY_MECHANISM_SHARED_SELECTION_H
#define PBY_MECHANISM_SHARED_SELECTION_H

#include "mechanism/family.h"
#include "probity/select.h"

/* The recipes of the papers (src/select/recipe.h). */
typedef enum pby_recipe_name {
    PBY_RECIPE_NONE,
    PBY_RECIPE_CLAIMED,  /* the paper's delta, as often as the mechanism is used: epsilons and deltas add */
    PBY_RECIPE_NAMED,    /* the deltas that the mechanisms are named by add up */
    PBY_RECIPE_CLIPPED,  /* a bound of at least log(4 uses/delta)/eps + 1, at sensitivity 1 */
    PBY_RECIPE_THEOREMS, /* basic or advanced composition, whichever accepts it */
    PBY_RECIPE_CONCENTRATED, /* rho = uses D^2/(2 sigma2), and then the classical conversion */
    PBY_RECIPE_PURE,         /* rho = uses eps^2/2, eps the largest loss */
    PBY_RECIPE_RATED,        /* a threshold of at least D (1 + log(uses D/delta)/eps) */
    PBY_RECIPES
} pby_recipe_name;

/* Parameters that are integers: which of them are candidates, and which of these are in order. Other
 * parameters than the one that is chosen decide on the first three; floor and tail are about the candidate m.
 */
typedef struct pby_integers {
    int64_t stride; /* candidates so far apart are in order of their deltas, from the first on that is so */
    int64_t (*ordered_from)(const pby_mechanism *m); /* those before it are asked one by one */
    int64_t (*last)(const pby_mechanism *m, const pby_target *target); /* the last that is asked */

    /* At most the chance, for one use and some neighbours, of an output that the other neighbour cannot give:
     * in closed form, so that most of what is far off the target needs no pairs. */
    void (*floor)(arb_t floor, const pby_mechanism *m, slong prec);

    /* At least the total variation between the outputs of m, the last of its class, and those of any
     * candidate behind it, for one use and one input. */
    void (*tail)(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec);
} pby_integers;

struct pby_select_row {
    /* NULL, or another row for the parameters that were given, a bit for each; NULL where this one is it. */
    const pby_select_row *(*for_given)(unsigned named);

    pby_role chosen;  /* the parameter that is chosen */
    pby_role instead; /* one that stands in its place, and is not chosen; PBY_ROLE_NONE without such */
    bool rising;      /* the loss falls as it rises */
    bool shares;      /* eps, if left out, is the target's epsilon shared by the uses */
    bool unit;        /* not an integer, and at most 1 */
    bool both;        /* a record changed is charged eps twice */
    bool beyond_one;  /* not an integer, and above 1: candidates are 1 and multiples of the resolution */

    const pby_integers *integers; /* NULL: the candidates are multiples of the resolution */
    const char *monotone;         /* why they are in order; NULL: they are not, and are all asked if few */

    pby_recipe_name recipe; /* the paper's, for epsilon and delta */
    const char *source;
    pby_recipe_name other; /* another of the paper's, likewise; none as a rule */
    const char *other_source;

    /* For a target rho: why the candidates are in order, NULL where no rho is finite; and the recipe, none
     * where it is the rho itself. */
    const char *rho_monotone;
    pby_recipe_name rho_recipe;
    const char *rho_source;

    /* NULL, or a family with parameters of the same roles whose delta is that of this one, between add-remove
     * neighbours and at an epsilon that is not below the eps of all uses together. Several uses are judged as
     * those of it; the order is known for such an epsilon alone. */
    const pby_family *composes_as;

    /* NULL, or a family of the same parameters whose pairs bound this one and are taken as attained:
     * candidates are judged by it, and what is beyond the target is only known to be so for the bound. */
    const pby_family *bound;

    /* NULL, or the family whose parameter of this role is chosen while the buckets are only planned. */
    const pby_family *unplanned;

    const char *never_zero; /* why no candidate has delta 0; NULL where one may */
    const char *binds;      /* what binds when no candidate suffices */
};

/* floor for so many uses: 1 - (1 - floor)^uses. */
void pby_integers_floor(arb_t floor, const pby_integers *integers, const pby_mechanism *m, unsigned long uses,
                        slong prec);

/* ---- what several families share -------------------------------------------------------------- */

/* x = exp(-eps far/spread) */
void pby_decay(arb_t x, const pby_mechanism *m, int64_t far, int64_t spread, slong prec);

/* a^far/(1 + a), the chance that noise of rate eps/D is at least far, a = exp(-eps/D), D the sensitivity. */
void pby_upper_tail(arb_t tail, const pby_mechanism *m, int64_t far, slong prec);

/* The least integer that is not below spread (log2(1/delta) + 60)/eps: what a law of rate eps/spread has
 * beyond it is less than 2^-60 of delta. 2^17 at most. */
int64_t pby_horizon(const pby_mechanism *m, const pby_target *target, int64_t spread);

/* pby_horizon with the sensitivity as spread. */
int64_t pby_horizon_sensitive(const pby_mechanism *m, const pby_target *target);

/* Parameters of roles that the family has, as integers. */
int64_t pby_mechanism_integer(const pby_mechanism *m, pby_role role);

/* The candidates of q of the shifted truncated Laplace law. */
extern const pby_integers pby_integers_stlap;

/* The members that all rows for a pure eps share; `why` tells that no candidate beyond suffices. */
#define PBY_SELECT_PURE(why)                                                             \
    .chosen = PBY_ROLE_EPSILON, .monotone = (why), .recipe = PBY_RECIPE_THEOREMS,        \
    .source = PBY_SELECT_THEOREMS, .rho_monotone = (why), .rho_recipe = PBY_RECIPE_PURE, \
    .rho_source = PBY_SELECT_SQUARED, .binds = "the resolution"

/* The members that the rows for the shifted truncated Laplace law share. */
#define PBY_SELECT_STLAP                                                                                     \
    .chosen = PBY_ROLE_LOSES, .rising = true, .shares = true, .both = true, .integers = &pby_integers_stlap, \
    .monotone = PBY_SELECT_BY_TWO, .recipe = PBY_RECIPE_CLAIMED, .source = PBY_SELECT_DOUBLED,               \
    .never_zero = PBY_SELECT_BETRAYED, .binds = PBY_SELECT_RATE

#define PBY_SELECT_BETRAYED     "the ends of the law's range betray the neighbour"
#define PBY_SELECT_RATE         "eps, the rate of the noise,"
#define PBY_SELECT_THEOREMS     "basic or advanced composition of the largest loss"
#define PBY_SELECT_SQUARED      "rho = uses eps^2/2 of the largest loss eps"
#define PBY_SELECT_RENYI        "rho = uses D^2/(2 sigma2), epsilon = rho + 2 sqrt(rho log(1/delta))"
#define PBY_SELECT_LESS_EPS     "noise of a smaller eps is noise of a greater one plus more noise"
#define PBY_SELECT_BY_TWO       "in steps of two, delta falls as q rises, at every epsilon"
#define PBY_SELECT_DOUBLED      "(exp(eps)-1)/(2(exp(eps q/2)-1)), epsilon and delta shared by the uses"
#define PBY_SELECT_PROPORTIONAL "rho is D^2/(2 sigma2) for each use, exactly"

#endif
