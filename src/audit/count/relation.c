/* SPDX-License-Identifier: MIT */
#include "audit/count/relation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COORDINATES = 24, EXAMPLES = 512 }; /* of a side */

bool pby_relation_value(double *value, const pby_relation *relation, const pby_outcome *o)
{
    const double last = (double)o->count - 1;
    if (!(0 <= relation->first && relation->first <= last && 0 <= relation->second &&
          relation->second <= last))
        return false;
    const pby_token *a = &o->token[(size_t)relation->first], *b = &o->token[(size_t)relation->second];
    if (a->kind != PBY_NUMBER || b->kind != PBY_NUMBER)
        return false;
    if (relation->operation == PBY_SUM)
        *value = a->value + b->value;
    else if (relation->operation == PBY_DIFFERENCE)
        *value = a->value - b->value;
    else if (relation->operation == PBY_PRODUCT)
        *value = a->value * b->value;
    else if (relation->operation == PBY_RATIO)
        *value = a->value / b->value;
    else
        return false;
    return isfinite(*value);
}

void pby_relation_name(char name[PBY_RELATION_NAME_SIZE], const pby_relation *relation)
{
    static const char signs[] = "+-*/";
    const double operation = relation->operation;
    snprintf(name, PBY_RELATION_NAME_SIZE, "coordinate %.0f %c coordinate %.0f", relation->first + 1,
             0 <= operation && operation < PBY_OPERATIONS ? signs[(size_t)operation] : '?',
             relation->second + 1);
}

/* ---- learning --------------------------------------------------------------------------------- */

struct point {
    double value;
    int side;
};

static int by_value(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* The largest difference of the two empirical cdfs; 0 where one side has no value. */
static double distance(struct point *point, size_t count)
{
    double all[2] = {0, 0}, below[2] = {0, 0}, most = 0;
    for (size_t i = 0; i < count; i++)
        all[point[i].side]++;
    if (all[0] == 0 || all[1] == 0)
        return 0;
    qsort(point, count, sizeof *point, by_value);
    for (size_t i = 0; i < count; i++) {
        below[point[i].side]++;
        if (i + 1 == count || point[i].value < point[i + 1].value)
            most = fmax(most, fabs(below[0] / all[0] - below[1] / all[1]));
    }
    return most;
}

/* On the first outcomes of each side. */
static double distance_by(const pby_relation *relation, struct point room[2 * EXAMPLES + 1],
                          const pby_outcome *outcome, const int *side, size_t count)
{
    size_t points = 0, seen[2] = {0, 0};
    for (size_t k = 0; k < count; k++) {
        if (seen[side[k]]++ >= EXAMPLES)
            continue;
        room[points].side = side[k];
        points += pby_relation_value(&room[points].value, relation, &outcome[k]);
    }
    return distance(room, points);
}

pby_status pby_relation_learn(pby_relation *relation, const pby_outcome *outcome, const int *side,
                              size_t count, pby_error *err)
{
    size_t longest = 0;
    double best = 0;
    *relation = (pby_relation){0, 0, PBY_OPERATIONS};
    struct point *room = malloc((2 * EXAMPLES + 1) * sizeof *room);
    if (room == NULL)
        return pby_no_memory(err);
    for (size_t k = 0; k < count; k++)
        longest = outcome[k].count > longest ? outcome[k].count : longest;
    longest = longest < COORDINATES ? longest : COORDINATES;
    for (size_t i = 1; i < longest; i++)
        for (size_t j = 0; j < i; j++)
            for (int operation = 0; operation < PBY_OPERATIONS; operation++) {
                const pby_relation tried = {(double)i, (double)j, operation};
                const double found = distance_by(&tried, room, outcome, side, count);
                if (found > best) {
                    best = found;
                    *relation = tried;
                }
            }
    free(room);
    return PBY_OK;
}
