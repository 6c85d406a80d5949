/* SPDX-License-Identifier: MIT */
#include "deployment/contribution.h"

#include <stdio.h>
#include <string.h>

#include "number/scoped.h"
#include "number/text.h"

/* A sum over groups and a sum of squares, each infinite if nothing bounds it. */
struct moved {
    fmpq_t sum, squares, most; /* most: in one group */
    bool sum_finite, squares_finite, most_finite;
};

static void moved_init(struct moved *x)
{
    fmpq_init(x->sum);
    fmpq_init(x->squares);
    fmpq_init(x->most);
}

static void moved_clear(struct moved *x)
{
    fmpq_clear(x->sum);
    fmpq_clear(x->squares);
    fmpq_clear(x->most);
}

static void take_less(fmpq_t x, bool *finite, const fmpq_t y)
{
    if (!*finite || fmpq_cmp(y, x) < 0)
        fmpq_set(x, y);
    *finite = true;
}

/* The squares are the greatest where as many groups as there may be are full: k m^2 and the rest. */
static void set_squares(struct moved *x, const fmpq_t groups, bool has_groups, const fmpq_t total)
{
    PBY_FMPQ(full, rest);
    PBY_FMPZ(k);
    x->squares_finite = x->most_finite && x->sum_finite;
    if (!x->squares_finite)
        return;
    fmpq_mul(full, groups, x->most);
    if (has_groups && fmpq_equal(full, x->sum)) {
        fmpq_mul(x->squares, full, x->most);
        return;
    }
    fmpq_div(full, total, x->most);
    fmpz_fdiv_q(k, fmpq_numref(full), fmpq_denref(full));
    fmpq_mul_fmpz(full, x->most, k);
    fmpq_sub(rest, total, full);
    fmpq_mul(rest, rest, rest);
    fmpq_mul(full, full, x->most);
    fmpq_add(x->squares, full, rest);
}

/* One unit more: min(C, g m), and the squares; of sums v and v^2 times that. */
static void move(struct moved *x, const pby_contribution *b)
{
    PBY_FMPQ(groups, total, v, product);
    const bool has_groups = b->groups.text != NULL, has_total = b->total.text != NULL;
    x->sum_finite = x->most_finite = false;
    fmpq_set_mpq(groups, b->groups.value);
    fmpq_set_mpq(total, b->total.value);
    if (b->per_group.text != NULL) {
        fmpq_set_mpq(x->most, b->per_group.value);
        x->most_finite = true;
    }
    if (has_total) {
        take_less(x->most, &x->most_finite, total);
        take_less(x->sum, &x->sum_finite, total);
    }
    if (has_groups && x->most_finite) {
        fmpq_mul(product, groups, x->most);
        take_less(x->sum, &x->sum_finite, product);
    }
    set_squares(x, groups, has_groups, total);
    if (b->value.text == NULL)
        return;
    fmpq_set_mpq(v, b->value.value);
    fmpq_mul(x->sum, x->sum, v);
    fmpq_mul(x->most, x->most, v);
    fmpq_mul(x->squares, x->squares, v);
    fmpq_mul(x->squares, x->squares, v);
}

static bool is_of(const pby_mechanism *m, const char *family)
{
    return strcmp(m->family->name, family) == 0;
}

static bool say(char why[PBY_ERROR_SIZE], const char *name, const char *what, const fmpq_t has,
                const char *needed, const fmpq_t needs, bool finite)
{
    char a[PBY_DECIMAL_SIZE], b[PBY_DECIMAL_SIZE];
    pby_rational_text(a, has);
    pby_rational_text(b, needs);
    if (finite)
        snprintf(why, PBY_ERROR_SIZE, "the spec of %.64s has %s %.60s, and %s is %.60s", name, what, a,
                 needed, b);
    else
        snprintf(why, PBY_ERROR_SIZE, "the bounds of %.64s leave %s without an end", name, needed);
    return false;
}

static bool fits_one(char why[PBY_ERROR_SIZE], const pby_deployed *d, const pby_mechanism *m,
                     const struct moved *x, bool substitute)
{
    const fmpq *sensitivity = pby_mechanism_value(m, PBY_ROLE_SENSITIVITY);
    const fmpq *norm = pby_mechanism_value(m, PBY_ROLE_NORM);
    const fmpq *dimensions = pby_mechanism_value(m, PBY_ROLE_DIMENSIONS);
    PBY_FMPQ(square, groups);
    if (norm != NULL) {
        if (!x->squares_finite || fmpq_cmp(norm, x->squares) < 0)
            return say(why, d->name, "norm2", norm, "the sum of squares that one unit moves", x->squares,
                       x->squares_finite);
        fmpq_set_mpq(groups, d->bounds.groups.value);
        fmpq_mul_ui(groups, groups, substitute ? 2 : 1);
        return dimensions == NULL || (d->bounds.groups.text != NULL && fmpq_cmp(dimensions, groups) >= 0)
                   ? true
                   : say(why, d->name, "dimensions", dimensions, "the number of groups of one unit", groups,
                         d->bounds.groups.text != NULL);
    }
    if (sensitivity == NULL)
        return true;
    if (is_of(m, "gauss")) {
        fmpq_mul(square, sensitivity, sensitivity);
        return x->squares_finite && fmpq_cmp(square, x->squares) >= 0
                   ? true
                   : say(why, d->name, "a squared sensitivity of", square,
                         "the sum of squares that one unit moves", x->squares, x->squares_finite);
    }
    if (!is_of(m, "laplace") && !is_of(m, "geometric") && !is_of(m, "dgauss"))
        return true;
    return x->sum_finite && fmpq_cmp(sensitivity, x->sum) >= 0
               ? true
               : say(why, d->name, "sensitivity", sensitivity, "the sum that one unit moves", x->sum,
                     x->sum_finite);
}

bool pby_contribution_fits(char why[PBY_ERROR_SIZE], const pby_deployed *m, bool substitute)
{
    if (!m->bounds.given || m->spec == NULL)
        return true;
    if (!m->bounds.enforced) {
        snprintf(why, PBY_ERROR_SIZE, "the bounds of %.64s are not enforced", m->name);
        return false;
    }
    struct moved x;
    bool good = true;
    moved_init(&x);
    move(&x, &m->bounds);
    if (substitute) {
        fmpq_mul_ui(x.sum, x.sum, 2);
        fmpq_mul_ui(x.squares, x.squares, 2);
    }
    for (size_t i = 0; i < m->spec->count && good; i++)
        good = fits_one(why, m, &m->spec->use[i].mechanism, &x, substitute);
    moved_clear(&x);
    return good;
}

bool pby_contribution_reaches(const pby_deployed *m, const pby_mechanism *use, bool pure)
{
    const fmpq *sensitivity = pby_mechanism_value(use, PBY_ROLE_SENSITIVITY);
    if (!m->bounds.given)
        return true;
    if (pby_mechanism_value(use, PBY_ROLE_NORM) != NULL)
        return false;
    if (sensitivity == NULL)
        return true;
    struct moved x;
    PBY_FMPQ(square);
    moved_init(&x);
    move(&x, &m->bounds);
    fmpq_mul(square, sensitivity, sensitivity);
    const bool yes = is_of(use, "gauss") ? !x.squares_finite || fmpq_cmp(x.squares, square) >= 0
                                         : !x.most_finite || fmpq_cmp(x.most, sensitivity) >= 0 ||
                                               (pure && (!x.sum_finite || fmpq_cmp(x.sum, sensitivity) >= 0));
    moved_clear(&x);
    return yes;
}
