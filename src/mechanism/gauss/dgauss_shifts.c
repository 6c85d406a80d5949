/* SPDX-License-Identifier: MIT */
#include "mechanism/gauss/dgauss_shifts.h"

#include <flint/ulong_extras.h>

/* One more may not fit: `rest` is what is left of the squared length and `left` of the coordinates. */
static bool is_maximal(const pby_shift *v, ulong rest, ulong left)
{
    return rest == 0 || (left == 0 && rest < 2 * v->value[v->count - 1] + 1);
}

static bool keep(pby_shifts *out, const pby_shift *v)
{
    if (out->count == PBY_SHIFTS_MAX)
        return false;
    out->shift[out->count++] = *v;
    return true;
}

/* All ways to go on with values of at most `most`. A vector that stops while a coordinate and some length are
 * left is not maximal. */
static bool extend(pby_shifts *out, pby_shift *v, ulong most, ulong rest, ulong left)
{
    if (rest == 0 || left == 0)
        return is_maximal(v, rest, left) ? keep(out, v) : true;
    if (v->count == PBY_SHIFT_VALUES)
        return false;
    for (ulong value = FLINT_MIN(most, n_sqrt(rest)); value >= 1; value--) {
        const ulong all = FLINT_MIN(rest / (value * value), left);
        const ulong fewest = value == 1 ? all : 1;
        for (ulong times = all; times >= fewest; times--) {
            v->value[v->count] = value;
            v->times[v->count++] = times;
            const bool good = extend(out, v, value - 1, rest - times * value * value, left - times);
            v->count--;
            if (!good)
                return false;
        }
    }
    return true;
}

bool pby_shifts_all(pby_shifts *out, ulong norm2, ulong dimensions)
{
    pby_shift v = {.count = 0};
    out->count = 0;
    return extend(out, &v, norm2, norm2, dimensions);
}

static bool is_two_squares(ulong n)
{
    for (ulong a = 0; 2 * a * a <= n; a++)
        if (n_is_square(n - a * a))
            return true;
    return false;
}

/* Legendre: all but 4^a (8b + 7). */
static bool is_three_squares(ulong n)
{
    while (n > 0 && n % 4 == 0)
        n /= 4;
    return n % 8 != 7;
}

/* Every number is a sum of four (Lagrange). */
ulong pby_shifts_longest(ulong norm2, ulong dimensions)
{
    ulong n = norm2;
    while (dimensions == 1   ? !n_is_square(n)
           : dimensions == 2 ? !is_two_squares(n)
           : dimensions == 3 ? !is_three_squares(n)
                             : false)
        n--;
    return n;
}

/* As many of the greatest value as fit, then of the next. */
static void add_greedy(pby_shifts *out, ulong most, ulong norm2, ulong dimensions)
{
    pby_shift v = {.count = 0};
    for (ulong value = most; value >= 1 && norm2 > 0 && dimensions > 0 && v.count < PBY_SHIFT_VALUES;) {
        const ulong times = FLINT_MIN(norm2 / (value * value), dimensions);
        v.value[v.count] = value;
        v.times[v.count++] = times;
        norm2 -= times * value * value;
        dimensions -= times;
        value = FLINT_MIN(value - 1, n_sqrt(norm2));
    }
    keep(out, &v);
}

void pby_shifts_some(pby_shifts *out, ulong norm2, ulong dimensions)
{
    out->count = 0;
    add_greedy(out, n_sqrt(norm2), norm2, dimensions);
    if (norm2 < 4 || dimensions == 1)
        return;
    add_greedy(out, 2, norm2, dimensions);
    add_greedy(out, 1, norm2, dimensions);
    if (dimensions < norm2 / 4)
        add_greedy(out, n_sqrt(norm2 / dimensions), norm2, dimensions);
}
