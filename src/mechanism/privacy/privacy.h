/* SPDX-License-Identifier: MIT */
/* The loss of a mechanism: lists of pairs of output distributions, and what is known of them.
 *
 * A family fills in `list`, where it is a product `factor`, and where the usual facts do not hold `privacy`
 * (family.h). Everything above src/mechanism asks here and reads none of these.
 */
#ifndef PBY_MECHANISM_PRIVACY_PRIVACY_H
#define PBY_MECHANISM_PRIVACY_PRIVACY_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

#include "number/scoped.h"
#include "pair/pair.h"
#include "probity/spec.h"

enum { PBY_PARTS_MAX = 3 };

typedef struct pby_mechanism pby_mechanism;

/* ---- pairs ------------------------------------------------------------------------------------- */

/* A list of pairs is asked for by what it is good for. */
typedef enum pby_list {
    PBY_ABOVE,     /* they dominate every two neighbours, in any composition */
    PBY_ONCE,      /* fewer pairs, which dominate in a single use: at every epsilon the worst of them is the
                    * worst of all. In a composition one that is the worst nowhere may add up to more */
    PBY_BELOW,     /* the pairs of some neighbours, the input-th */
    PBY_DIVERGING, /* the pairs of some neighbours whose Renyi divergence of `order` is great, in both orders
                    * of P and Q; PBY_BELOW where no others are known */
    PBY_APART,     /* the pairs of some inputs that are `size` neighbours apart, by either relation */
    PBY_LISTS
} pby_list;

typedef struct pby_wanted {
    pby_list list;
    pby_neighbours relation;
    size_t input;       /* PBY_BELOW: 0 what every use attains; 1, 2, ... other neighbours of a product */
    const fmpq *order;  /* PBY_DIVERGING; NULL: pairs that are good at any, infinity included */
    unsigned long size; /* PBY_APART */
    bool factors;       /* PBY_ABOVE: list the factors of a product that is too large */
} pby_wanted;

/* Independent uses of the same pairs. No neighbours have more than `times` of them, and some have `reached`:
 * where that is less, the loss is only known to lie between. */
typedef struct pby_factor {
    pby_pairs pairs;
    uint64_t times, reached;
} pby_factor;

/* The mechanism is the product of its factors on the same two neighbours. */
typedef struct pby_product {
    pby_factor factor[PBY_PARTS_MAX];
    size_t count;  /* 0: none are known, or listed */
    bool factored; /* too large to be multiplied out */
} pby_product;

/* A family's list. *out is empty on entry and stays so where no such pairs are known, or where they are a
 * product that is too large; the caller clears what a failure leaves. */
typedef pby_status pby_pairs_of(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                pby_error *err);

/* The i-th factor of a product, without pairs and with times 0 on entry and beyond the last. It is asked for
 * PBY_ABOVE where that list is empty, and for PBY_BELOW from input 1 on, whose first factor has times 0
 * behind the last of such neighbours. */
typedef pby_status pby_factor_of(pby_factor *out, const pby_mechanism *m, const pby_wanted *wanted, size_t i,
                                 pby_error *err);

/* Asks a mechanism for a list, sampled and truncated as the mechanism is. A mechanism without PBY_ABOVE is
 * refused; other lists that it does not have are empty, but PBY_ONCE is then PBY_ABOVE. On failure *out is
 * empty. */
PBY_CHECKED
pby_status pby_product_of(pby_product *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err);

/* Returns true if the family of a mechanism has a list of its own of that kind. */
bool pby_mechanism_lists(const pby_mechanism *m, pby_list list);

/* The factors of a mechanism whose family has `factor`, also where PBY_ABOVE lists their product. */
PBY_CHECKED
pby_status pby_factors_of(pby_product *out, const pby_mechanism *m, pby_neighbours relation, pby_error *err);

void pby_product_clear(pby_product *product);

/* ---- facts ------------------------------------------------------------------------------------- */

/* A promise about Renyi divergences: D_a <= xi + rho a + B/(a-1), for every order a from 1 to `most`, or for
 * every order when it is not bounded. */
typedef struct pby_promise {
    bool made, bounded;
    fmpq_t xi, rho, most;
    pby_status (*constant)(arb_t b, const pby_mechanism *m, slong prec, pby_error *err); /* B; NULL: 0 */
} pby_promise;

/* A promise that is not made. */
void pby_promise_init(pby_promise *p);
void pby_promise_set(pby_promise *out, const pby_promise *p);
void pby_promise_clear(pby_promise *p);

/* PBY_ONCE of a single use. */
typedef enum pby_single {
    PBY_SINGLE_NONE,  /* there are no fewer pairs than PBY_ABOVE */
    PBY_SINGLE_EXACT, /* some neighbours reach them */
    PBY_SINGLE_BOUND  /* they only bound it */
} pby_single;

typedef struct pby_privacy {
    bool paired;     /* it has dominating pairs; else the promise is all that is known */
    bool unlisted;   /* the pairs are too many: PBY_ABOVE is refused, and the promise bounds the loss */
    bool loose;      /* no neighbours are known to reach PBY_ABOVE */
    bool searched;   /* PBY_ABOVE is no pair of neighbours; PBY_BELOW lists some */
    bool integral;   /* the pairs have densities: the direct route is an integral and not a sum */
    bool product;    /* PBY_ABOVE may be a product */
    bool single_use; /* PBY_ABOVE is refused: no composition is known */
    pby_single single;

    /* The losses of any two neighbours lie in an interval of length units, or units log(base) where base is
     * not 0; and every two losses t and t - length with 0 < t < length are all those of some neighbours, or
     * approached by such, unless it is loose. Compositions of such alone are known to any width
     * (loss/bounded). */
    bool interval;
    fmpq_t units, base;

    pby_promise promise;
} pby_privacy;

void pby_privacy_init(pby_privacy *p, const pby_mechanism *m);
void pby_privacy_clear(pby_privacy *p);

/* Facts that are cleared at the end of their block. */
#define PBY_PRIVACY(p, m)                        \
    PBY_SCOPED(pby_privacy_clear) pby_privacy p; \
    pby_privacy_init(&(p), m)

#endif
