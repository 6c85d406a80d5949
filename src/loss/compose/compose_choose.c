/* SPDX-License-Identifier: MIT */
#include "loss/compose/compose_choose.h"

#include <stdlib.h>

/* ---- after every output ----------------------------------------------------------------------- */

/* The window on which V is worked out: all of the loss, and zero. */
static void set_window(slong *low, slong *n, const pby_pld *upper)
{
    *low = FLINT_MIN(upper->grain * upper->low, 0) - 1;
    *n = FLINT_MAX(upper->grain * (upper->low + fmpz_poly_length(upper->mass)), 1) + 1 - *low;
}

/* The parts that have several pairs, in room for all; their choices are still to be made. */
static size_t list_menus(pby_menu *menu, const pby_round *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->tailed[i].count > 1)
            menu[count++] = (pby_menu){NULL, r->tailed[i].count, r->tailed[i].times};
    return count;
}

/* True if products of so many plds with the values cost little enough. */
static bool affordable(uint64_t work, const pby_round *r, const pby_pld *upper)
{
    enum { WORK_MAX = 1 << 24 };
    slong low, n, longest = 0;
    set_window(&low, &n, upper);
    for (size_t i = 0; i < r->count; i++)
        longest = FLINT_MAX(longest, r->tailed[i].tails[0].n);
    return work < (uint64_t)WORK_MAX / (uint64_t)(n + longest);
}

static pby_status menu_init(pby_menu *menu, const pby_tailed *t, const pby_round *r, bool upper,
                            pby_error *err)
{
    pby_status status = PBY_OK;
    menu->choice = calloc(t->count, sizeof *menu->choice);
    if (menu->choice == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < t->count; i++)
        pby_pld_init(&menu->choice[i], r->bits, upper);
    for (size_t i = 0; i < t->count && status == PBY_OK; i++)
        status = pby_pld_from_tails(&menu->choice[i], &t->tails[i], 1, r->grid->step, r->share, err);
    return status;
}

static void menu_clear(pby_menu *menu)
{
    for (size_t i = 0; menu->choice != NULL && i < menu->count; i++)
        pby_pld_clear(&menu->choice[i]);
    free(menu->choice);
    menu->choice = NULL;
}

/* The values of all uses: those of the parts that choose come last, when there is most to know. */
static pby_status use_all(pby_values *v, pby_menu *menu, size_t count, const pby_round *r, pby_error *err)
{
    pby_pld rest;
    pby_status status = PBY_OK;
    pby_pld_init(&rest, r->bits, v->upper);
    for (size_t i = 0, next = 0; i < r->count && status == PBY_OK; i++)
        if (r->tailed[i].count > 1)
            status = menu_init(&menu[next++], &r->tailed[i], r, v->upper, err);
    if (status == PBY_OK)
        status = pby_menus_use(v, menu, count, r->grid->step, err);
    if (status == PBY_OK)
        status = pby_round_multiply(&rest, r, false, err);
    if (status == PBY_OK && r->count > count)
        pby_values_use(v, &rest, 1, r->grid->step);
    for (size_t i = 0; i < count; i++)
        menu_clear(&menu[i]);
    pby_pld_clear(&rest);
    return status;
}

/* Better bounds from both sides, by the choice that is worst after each output. */
static pby_status free_choices(pby_bounds *bounds, const pby_pld *upper, pby_menu *menu, size_t count,
                               pby_round *r, pby_error *err)
{
    slong low, n;
    pby_status status = PBY_OK;
    set_window(&low, &n, upper);
    for (int side = 0; side < 2 && status == PBY_OK; side++) {
        pby_values v;
        pby_values_init(&v, low, n, r->grid->step, r->bits, side == 1);
        status = use_all(&v, menu, count, r, err);
        if (status == PBY_OK)
            pby_round_read_values(v.upper ? bounds->upper : bounds->lower, &v, r);
        pby_values_clear(&v);
    }
    return status;
}

/* ---- once and for all ------------------------------------------------------------------------- */

static pby_status fixed_choice(pby_bounds *bounds, bool *better, pby_round *r, pby_error *err)
{
    pby_pld lower;
    pby_pld_init(&lower, r->bits, false);
    const pby_status status = pby_round_multiply(&lower, r, true, err);
    *better = status == PBY_OK && pby_round_read_pld(bounds->lower, &lower, r);
    pby_pld_clear(&lower);
    return status;
}

/* Part i goes through its pairs, and stays with the last that made some bound better. */
static pby_status try_pairs(pby_bounds *bounds, bool *gained, size_t i, pby_round *r, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t c = 0; c < r->tailed[i].count && status == PBY_OK; c++) {
        const size_t held = r->choice[i];
        bool better = false;
        if (c == held)
            continue;
        r->choice[i] = c;
        status = fixed_choice(bounds, &better, r, err);
        if (!better)
            r->choice[i] = held;
        *gained = *gained || better;
    }
    return status;
}

/* Lower bounds by one pair of each part, kept in every use. Any choice is one; with several parts that choose
 * the best for one depends on the others, and more passes may find it. */
static pby_status fixed_choices(pby_bounds *bounds, size_t choosing, pby_round *r, pby_error *err)
{
    enum { PASSES = 3 };
    bool gained = true;
    pby_status status = fixed_choice(bounds, &gained, r, err);
    for (int pass = 0; pass < (choosing > 1 ? PASSES : 1) && gained && status == PBY_OK; pass++) {
        gained = false;
        for (size_t i = 0; i < r->count && status == PBY_OK; i++)
            status = try_pairs(bounds, &gained, i, r, err);
    }
    return status;
}

/* ---- both ------------------------------------------------------------------------------------- */

static bool too_wide(const pby_bounds *bounds, const pby_grid *grid)
{
    for (size_t i = 0; i < bounds->count; i++)
        if (pby_bounds_excess(bounds, i, grid->width) != 1)
            return true;
    return false;
}

pby_status pby_round_choose(pby_bounds *bounds, const pby_pld *upper, pby_round *r, pby_error *err)
{
    enum { POWER = 8 }; /* about what a power costs, in products */
    pby_menu *menu = calloc(r->count, sizeof *menu);
    if (menu == NULL)
        return pby_no_memory(err);
    const size_t count = list_menus(menu, r);
    const uint64_t work = count == 0 ? UINT64_MAX : pby_menus_work(menu, count);
    const bool fit = affordable(work, r, upper);
    uint64_t choices = 1;
    for (size_t i = 0; i < count; i++)
        choices += menu[i].count - 1;
    pby_status status = PBY_OK;
    if (!fit || choices * POWER < work)
        status = fixed_choices(bounds, count, r, err);
    if (status == PBY_OK && fit && too_wide(bounds, r->grid))
        status = free_choices(bounds, upper, menu, count, r, err);
    free(menu);
    return status;
}
