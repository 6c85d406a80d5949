/* SPDX-License-Identifier: MIT */
/* Several mechanisms that choose, composed in any order.
 *
 * With uses n_1, n_2, ... left of each, the greatest potential is
 *     V_n(x) = max over mechanisms i with n_i > 0, and over the pairs of i, of
 *         E[V_(n - one use of i)(x exp(-L))],
 * for the order too may depend on earlier outputs (docs/theory/composition.md). */
#ifndef PBY_LOSS_ADAPTIVE_MENU_H
#define PBY_LOSS_ADAPTIVE_MENU_H

#include "loss/adaptive/adaptive.h"

/* A mechanism's plds, of which each of its uses is the worst. */
typedef struct pby_menu {
    pby_pld *choice;
    size_t count;
    uint64_t times;
} pby_menu;

/* The number of plds that must be worked in for all uses of all menus, one or more, whose choices are not
 * looked at; UINT64_MAX if the values that must be kept meanwhile, or the plds, are too many. */
uint64_t pby_menus_work(const pby_menu *menu, size_t count);

/* V of all uses of all menus, v being V_0. There is a menu, and their work is below UINT64_MAX. */
pby_status pby_menus_use(pby_values *v, const pby_menu *menu, size_t count, const fmpq_t step,
                         pby_error *err);

#endif
