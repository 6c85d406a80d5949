/* SPDX-License-Identifier: MIT */
#include "probity/experimental/accuracy.h"

void pby_distance_init(pby_distance *x)
{
    mpq_init(x->value);
    x->infinite = false;
}

void pby_distance_clear(pby_distance *x)
{
    mpq_clear(x->value);
}

void pby_distance_set(pby_distance *x, const pby_distance *y)
{
    mpq_set(x->value, y->value);
    x->infinite = y->infinite;
}

int pby_distance_cmp(const pby_distance *x, const pby_distance *y)
{
    if (x->infinite || y->infinite)
        return x->infinite - y->infinite;
    return mpq_cmp(x->value, y->value);
}
