/* SPDX-License-Identifier: MIT */
#include "loss/adaptive/menu.h"

#include <stdlib.h>

/* The uses of the menu that has most of them are counted by time; at each time there is a state for every
 * number of uses that are left of the others. */
enum { STATES_MAX = 64 };

static size_t longest(const pby_menu *menu, size_t count)
{
    size_t most = 0;
    for (size_t i = 1; i < count; i++)
        if (menu[i].times > menu[most].times)
            most = i;
    return most;
}

/* Returns the number of states, or 0 if it is above STATES_MAX. */
static size_t count_states(const pby_menu *menu, size_t count)
{
    const size_t by_time = longest(menu, count);
    size_t states = 1;
    for (size_t i = 0; i < count; i++) {
        if (i == by_time)
            continue;
        if (menu[i].times >= STATES_MAX || states * (menu[i].times + 1) > STATES_MAX)
            return 0;
        states *= menu[i].times + 1;
    }
    return states;
}

uint64_t pby_menus_work(const pby_menu *menu, size_t count)
{
    const uint64_t states = count_states(menu, count), times = menu[longest(menu, count)].times;
    uint64_t choices = 0;
    for (size_t i = 0; i < count; i++)
        choices += menu[i].count;
    return states == 0 || times > UINT32_MAX ? UINT64_MAX : states * choices * (times + 1);
}

struct table {
    const pby_menu *menu;
    size_t count, by_time, states;
    const fmpq *step;
    pby_values *state;
};

/* Raises v to what a use of the menu makes of `before`; the first only sets it. */
static void raise_to(pby_values *v, bool *first, const pby_values *before, const pby_menu *menu,
                     const fmpq *step)
{
    pby_values more;
    pby_values_init_set(&more, before);
    pby_values_use(&more, menu->choice, menu->count, step);
    if (!*first)
        pby_values_max(&more, v);
    pby_values_swap(v, &more);
    *first = false;
    pby_values_clear(&more);
}

/* State s at one time more, the states before it being there already. At time 0 only uses of the others lead
 * to it. */
static void advance(struct table *t, size_t s, bool later)
{
    bool first = true;
    size_t stride = 1;
    if (later)
        raise_to(&t->state[s], &first, &t->state[s], &t->menu[t->by_time], t->step);
    for (size_t i = 0; i < t->count; i++) {
        const size_t size = (size_t)t->menu[i].times + 1;
        if (i == t->by_time)
            continue;
        if (s / stride % size > 0)
            raise_to(&t->state[s], &first, &t->state[s - stride], &t->menu[i], t->step);
        stride *= size;
    }
}

pby_status pby_menus_use(pby_values *v, const pby_menu *menu, size_t count, const fmpq_t step, pby_error *err)
{
    struct table t = {menu, count, longest(menu, count), count_states(menu, count), step, NULL};
    t.state = calloc(t.states, sizeof *t.state);
    if (t.state == NULL)
        return pby_no_memory(err);
    for (size_t s = 0; s < t.states; s++)
        pby_values_init_set(&t.state[s], v);
    for (uint64_t time = 0; time <= menu[t.by_time].times; time++)
        for (size_t s = 0; s < t.states; s++)
            advance(&t, s, time > 0);
    pby_values_swap(v, &t.state[t.states - 1]);
    for (size_t s = 0; s < t.states; s++)
        pby_values_clear(&t.state[s]);
    free(t.state);
    return PBY_OK;
}
