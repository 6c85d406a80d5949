/* SPDX-License-Identifier: MIT */
/* The nearest points of two hulls by Wolfe's method, in rationals, so that it ends.
 *
 * The differences p - q of points of the two sets span a polytope, and w is its point nearest to 0. A corral
 * is a set of differences that are affinely independent, with w inside their hull and nearest to 0 in their
 * whole affine span. While some difference v has w v < w w, it is added; where the nearest point of the new
 * span lies outside the hull, the corral loses the first difference on the way there. |w| falls each time,
 * and there are finitely many corrals. The differences are never written out: the least w v is that of the
 * least w p and the greatest w q. */
#include "probity/experimental/separator.h"
#include "base/printed.h"

#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpq_vec.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "number/scoped.h"
#include "probity/rational.h"

enum { DIMENSION_MAX = 64 };

struct hulls {
    fmpq *point; /* n rows of d */
    const bool *second;
    size_t n, d;
};

/* A difference, by its two points, and its part in w. */
struct member {
    size_t first, second;
    fmpq_t part;
};

struct corral {
    struct member member[DIMENSION_MAX + 2];
    size_t size;
    fmpq *w; /* d */
};

static fmpq *entry(const fmpq_mat_t m, size_t row, size_t column)
{
    return fmpq_mat_entry(m, (slong)row, (slong)column);
}

static const fmpq *point_at(const struct hulls *h, size_t i)
{
    return h->point + i * h->d;
}

/* out = the sum of x[k] y[k] */
static void dot(fmpq_t out, const fmpq *x, const fmpq *y, size_t d)
{
    PBY_FMPQ(term);
    fmpq_zero(out);
    for (size_t k = 0; k < d; k++) {
        fmpq_mul(term, &x[k], &y[k]);
        fmpq_add(out, out, term);
    }
}

/* out[k] = the difference of a member */
static void difference(fmpq *out, const struct hulls *h, const struct member *m)
{
    for (size_t k = 0; k < h->d; k++)
        fmpq_sub(&out[k], &point_at(h, m->first)[k], &point_at(h, m->second)[k]);
}

/* w = the sum of the parts */
static void gather(struct corral *c, const struct hulls *h)
{
    fmpq *v = _fmpq_vec_init((slong)h->d);
    for (size_t k = 0; k < h->d; k++)
        fmpq_zero(&c->w[k]);
    for (size_t i = 0; i < c->size; i++) {
        difference(v, h, &c->member[i]);
        for (size_t k = 0; k < h->d; k++)
            fmpq_addmul(&c->w[k], &v[k], c->member[i].part);
    }
    _fmpq_vec_clear(v, (slong)h->d);
}

/* The parts of the point of the affine span that is nearest to 0: G part + m 1 = 0 and the parts add up to 1,
 * G being the products of the differences. */
static bool span_parts(fmpq_mat_t parts, const struct corral *c, const struct hulls *h)
{
    const size_t n = c->size;
    fmpq *v = _fmpq_vec_init((slong)(n * h->d));
    fmpq_mat_t system, right;
    fmpq_mat_init(system, (slong)n + 1, (slong)n + 1);
    fmpq_mat_init(right, (slong)n + 1, 1);
    for (size_t i = 0; i < n; i++)
        difference(v + i * h->d, h, &c->member[i]);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            dot(entry(system, i, j), v + i * h->d, v + j * h->d, h->d);
        fmpq_one(entry(system, i, n));
        fmpq_one(entry(system, n, i));
    }
    fmpq_one(entry(right, n, 0));
    const bool solved = fmpq_mat_solve(parts, system, right) != 0;
    fmpq_mat_clear(right);
    fmpq_mat_clear(system);
    _fmpq_vec_clear(v, (slong)(n * h->d));
    return solved;
}

/* Sets step to the largest part of the way from the old parts to the new ones on which none falls below 0; 1
 * if all new ones are above 0. */
static void find_step(fmpq_t step, const struct corral *c, const fmpq_mat_t parts)
{
    PBY_FMPQ(ratio);
    fmpq_one(step);
    for (size_t i = 0; i < c->size; i++) {
        const fmpq *to = entry(parts, i, 0);
        if (fmpq_sgn(to) > 0)
            continue;
        fmpq_sub(ratio, c->member[i].part, to);
        if (fmpq_is_zero(ratio))
            fmpq_zero(step);
        else {
            fmpq_div(ratio, c->member[i].part, ratio);
            if (fmpq_cmp(ratio, step) < 0)
                fmpq_set(step, ratio);
        }
    }
}

/* Takes the step, and drops who has no part any more; whether nobody did. */
static bool take_step(struct corral *c, const fmpq_t step, const fmpq_mat_t parts)
{
    size_t kept = 0;
    const size_t before = c->size;
    PBY_FMPQ(way);
    for (size_t i = 0; i < before; i++) {
        fmpq_sub(way, entry(parts, i, 0), c->member[i].part);
        fmpq_addmul(c->member[i].part, way, step);
        if (fmpq_is_zero(c->member[i].part))
            continue;
        c->member[kept].first = c->member[i].first;
        c->member[kept].second = c->member[i].second;
        fmpq_set(c->member[kept].part, c->member[i].part);
        kept++;
    }
    c->size = kept;
    return kept == before;
}

/* Brings w to the nearest point of the hull of a corral that has just grown. */
static pby_status settle(struct corral *c, const struct hulls *h, pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_FMPQ(step);
    for (bool inside = false; !inside && status == PBY_OK;) {
        fmpq_mat_t parts;
        fmpq_mat_init(parts, (slong)c->size + 1, 1);
        if (!span_parts(parts, c, h)) {
            status = pby_fail(err, PBY_FAILED, "separator: differences that depend on each other");
        } else {
            find_step(step, c, parts);
            inside = take_step(c, step, parts) && fmpq_is_one(step);
        }
        fmpq_mat_clear(parts);
    }
    gather(c, h);
    return status;
}

/* The first point with the least w p and the second with the greatest w q; whether their difference has less
 * than w w. */
static bool find_nearer(struct member *m, const struct corral *c, const struct hulls *h)
{
    bool some[2] = {false, false};
    PBY_FMPQ(at, least, most);
    for (size_t i = 0; i < h->n; i++) {
        dot(at, c->w, point_at(h, i), h->d);
        if (h->second[i] && (!some[1] || fmpq_cmp(at, most) > 0)) {
            some[1] = true;
            m->second = i;
            fmpq_set(most, at);
        } else if (!h->second[i] && (!some[0] || fmpq_cmp(at, least) < 0)) {
            some[0] = true;
            m->first = i;
            fmpq_set(least, at);
        }
    }
    fmpq_sub(least, least, most);
    dot(at, c->w, c->w, h->d);
    return fmpq_cmp(least, at) < 0;
}

static pby_status nearest(struct corral *c, const struct hulls *h, pby_error *err)
{
    pby_status status = PBY_OK;
    find_nearer(&c->member[0], c, h);
    fmpq_one(c->member[0].part);
    c->size = 1;
    gather(c, h);
    while (status == PBY_OK) {
        struct member *added = &c->member[c->size];
        if (!find_nearer(added, c, h))
            break;
        fmpq_zero(added->part);
        c->size++;
        status = settle(c, h, err);
    }
    return status;
}

/* ---- the face --------------------------------------------------------------------------------- */

static pby_separator *separator_new(size_t d)
{
    pby_separator *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->normal = calloc(d + 1, sizeof *s->normal);
    mpq_inits(s->level, s->distance, NULL);
    for (size_t k = 0; s->normal != NULL && k < d; k++)
        mpq_init(s->normal[k]);
    s->dimension = s->normal == NULL ? 0 : d;
    if (s->normal != NULL)
        return s;
    pby_separator_free(s);
    return NULL;
}

void pby_separator_free(pby_separator *s)
{
    if (s == NULL)
        return;
    for (size_t k = 0; k < s->dimension; k++)
        mpq_clear(s->normal[k]);
    mpq_clears(s->level, s->distance, NULL);
    free(s->normal);
    free(s);
}

/* w, |w|^2, and the level between the least w p and the greatest w q: half of their sum. */
static void set_separator(pby_separator *s, const struct corral *c, const struct hulls *h)
{
    struct member ends;
    PBY_FMPQ(p, q);
    find_nearer(&ends, c, h);
    dot(p, c->w, point_at(h, ends.first), h->d);
    dot(q, c->w, point_at(h, ends.second), h->d);
    fmpq_add(p, p, q);
    fmpq_div_2exp(p, p, 1);
    fmpq_get_mpq(s->level, p);
    dot(p, c->w, c->w, h->d);
    fmpq_get_mpq(s->distance, p);
    for (size_t k = 0; k < h->d; k++)
        fmpq_get_mpq(s->normal[k], &c->w[k]);
}

static pby_status separate(pby_separator *s, const struct hulls *h, pby_error *err)
{
    struct corral *c = calloc(1, sizeof *c);
    if (c == NULL)
        return pby_no_memory(err);
    c->w = _fmpq_vec_init((slong)h->d);
    for (size_t i = 0; i < DIMENSION_MAX + 2; i++)
        fmpq_init(c->member[i].part);
    const pby_status status = nearest(c, h, err);
    if (status == PBY_OK)
        set_separator(s, c, h);
    for (size_t i = 0; i < DIMENSION_MAX + 2; i++)
        fmpq_clear(c->member[i].part);
    _fmpq_vec_clear(c->w, (slong)h->d);
    free(c);
    return status;
}

pby_status pby_separate(pby_separator **out, const mpq_t *point, const bool *second, size_t n,
                        size_t dimension, pby_error *err)
{
    *out = NULL;
    if (dimension < 1 || dimension > DIMENSION_MAX)
        return pby_fail(err, PBY_BAD, "dimension: expected an integer from 1 to %d", DIMENSION_MAX);
    pby_separator *s = separator_new(dimension);
    if (s == NULL)
        return pby_no_memory(err);
    bool some[2] = {false, false};
    struct hulls h = {.second = second, .n = n, .d = dimension};
    h.point = _fmpq_vec_init((slong)(n * dimension));
    for (size_t i = 0; i < n; i++) {
        some[second[i] ? 1 : 0] = true;
        for (size_t k = 0; k < dimension; k++)
            fmpq_set_mpq(&h.point[i * dimension + k], point[i * dimension + k]);
    }
    s->both = some[0] && some[1];
    const pby_status status = s->both ? separate(s, &h, err) : PBY_OK;
    _fmpq_vec_clear(h.point, (slong)(n * dimension));
    if (status == PBY_OK)
        *out = s;
    else
        pby_separator_free(s);
    return status;
}

/* ---- in text ---------------------------------------------------------------------------------- */

/* The coordinates, separated by spaces. */
static pby_status normal_text(char **text, const pby_separator *s, pby_error *err)
{
    pby_printed printed;
    pby_status status = PBY_OK;
    *text = NULL;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    for (size_t k = 0; k < s->dimension && status == PBY_OK; k++) {
        char *one = NULL;
        status = pby_rational_print(&one, s->normal[k], err);
        if (status == PBY_OK)
            fprintf(out, "%s%s", k == 0 ? "" : " ", one);
        free(one);
    }
    return pby_printed_end(text, &printed, status, err);
}

static pby_status texts_of(char **normal, char **level, char **distance, const pby_separator *s,
                           pby_error *err)
{
    if (s->both)
        PBY_TRY(normal_text(normal, s, err));
    if (s->both)
        PBY_TRY(pby_rational_print(level, s->level, err));
    if (s->both)
        return pby_rational_print(distance, s->distance, err);
    return PBY_OK;
}

pby_status pby_separate_text(char **normal, char **level, char **distance, const char *const *point,
                             const bool *second, size_t n, size_t dimension, pby_error *err)
{
    *normal = *level = *distance = NULL;
    const size_t count = n * dimension;
    mpq_t *x = calloc(count + 1, sizeof *x);
    if (x == NULL)
        return pby_no_memory(err);
    pby_separator *s = NULL;
    pby_status status = PBY_OK;
    for (size_t i = 0; i < count; i++)
        mpq_init(x[i]);
    for (size_t i = 0; i < count && status == PBY_OK; i++)
        status = pby_rational_parse(x[i], "point", point[i], err);
    if (status == PBY_OK)
        status = pby_separate(&s, (const mpq_t *)x, second, n, dimension, err);
    if (status == PBY_OK)
        status = texts_of(normal, level, distance, s, err);
    if (status != PBY_OK) {
        free(*normal);
        free(*level);
        free(*distance);
        *normal = *level = *distance = NULL;
    }
    pby_separator_free(s);
    for (size_t i = 0; i < count; i++)
        mpq_clear(x[i]);
    free(x);
    return status;
}
