/* SPDX-License-Identifier: MIT */
#include "lab/geometry/region.h"
#include "number/scoped.h"

#include <flint/ulong_extras.h>
#include <stdbool.h>
#include <stdlib.h>

void pby_region_init(pby_region *r)
{
    *r = (pby_region){NULL, 0, 0};
}

static void free_corners(fmpq *corner, size_t room)
{
    for (size_t i = 0; corner != NULL && i < 2 * room; i++)
        fmpq_clear(corner + i);
    free(corner);
}

void pby_region_clear(pby_region *r)
{
    free_corners(r->corner, r->room);
    pby_region_init(r);
}

static fmpq *x_of(const pby_region *r, size_t i)
{
    return r->corner + 2 * i;
}

/* An empty region with room for so many corners. */
static pby_status make_room(pby_region *r, size_t room, pby_error *err)
{
    *r = (pby_region){reallocarray(NULL, 2 * room, sizeof *r->corner), 0, room};
    if (r->corner == NULL) {
        r->room = 0;
        return pby_no_memory(err);
    }
    for (size_t i = 0; i < 2 * room; i++)
        fmpq_init(r->corner + i);
    return PBY_OK;
}

void pby_region_support(fmpq_t out, const pby_region *r, const fmpq_t a, const fmpq_t b)
{
    PBY_FMPQ(x);
    for (size_t i = 0; i < r->count; i++) {
        fmpq_mul(x, a, x_of(r, i));
        fmpq_addmul(x, b, x_of(r, i) + 1);
        if (i == 0 || fmpq_cmp(x, out) > 0)
            fmpq_set(out, x);
    }
}

/* ---- cuts ---------------------------------------------------------------------------------------- */

/* A corner behind the last, unless it is that one. */
static void append(pby_region *r, const fmpq *at)
{
    const fmpq *last = r->count == 0 ? NULL : x_of(r, r->count - 1);
    if (last != NULL && fmpq_equal(last, at) && fmpq_equal(last + 1, at + 1))
        return;
    fmpq_set(x_of(r, r->count), at);
    fmpq_set(x_of(r, r->count) + 1, at + 1);
    r->count++;
}

void pby_point_between(fmpq *at, const fmpq *p, const fmpq *q, const fmpq_t share)
{
    PBY_FMPQ(step);
    for (int j = 0; j < 2; j++) {
        fmpq_sub(step, q + j, p + j);
        fmpq_mul(step, step, share);
        fmpq_add(at + j, p + j, step);
    }
}

/* at = p + (q - p) s/(s - t), s and t being how far p and q are beyond the border, one of them below 0. */
static void meet(fmpq *at, const fmpq *p, const fmpq *q, const fmpq_t s, const fmpq_t t)
{
    PBY_FMPQ(share);
    fmpq_sub(share, s, t);
    fmpq_div(share, s, share);
    pby_point_between(at, p, q, share);
}

/* beyond = a x + b y - c */
static void measure(fmpq_t beyond, const fmpq *at, const fmpq_t a, const fmpq_t b, const fmpq_t c)
{
    fmpq_mul(beyond, a, at);
    fmpq_addmul(beyond, b, at + 1);
    fmpq_sub(beyond, beyond, c);
}

/* Twice the area of the triangle of three corners. */
static int turn(const fmpq *p, const fmpq *q, const fmpq *r)
{
    PBY_FMPQ(u, v, w);
    fmpq_sub(u, q, p);
    fmpq_sub(v, r + 1, p + 1);
    fmpq_mul(w, u, v);
    fmpq_sub(u, q + 1, p + 1);
    fmpq_sub(v, r, p);
    fmpq_submul(w, u, v);
    return fmpq_sgn(w);
}

/* True if q is on the segment from p to s, the three being on a line. */
static bool is_between(const fmpq *p, const fmpq *q, const fmpq *s)
{
    PBY_FMPQ(u, v, w);
    for (int j = 0; j < 2; j++) {
        fmpq_sub(u, p + j, q + j);
        fmpq_sub(v, s + j, q + j);
        fmpq_addmul(w, u, v);
    }
    return fmpq_sgn(w) <= 0;
}

static void drop(pby_region *r, size_t i)
{
    for (; i + 1 < r->count; i++) {
        fmpq_swap(x_of(r, i), x_of(r, i + 1));
        fmpq_swap(x_of(r, i) + 1, x_of(r, i + 1) + 1);
    }
    r->count--;
}

/* Drops corners that are between their neighbours, or are the same as the one behind. */
static void tidy(pby_region *r)
{
    for (size_t i = 0; i < r->count && r->count > 1;) {
        const fmpq *p = x_of(r, (i + r->count - 1) % r->count), *q = x_of(r, i),
                   *s = x_of(r, (i + 1) % r->count);
        const bool same = fmpq_equal(q, s) && fmpq_equal(q + 1, s + 1);
        if (same || (r->count > 2 && turn(p, q, s) == 0 && is_between(p, q, s))) {
            drop(r, i);
            i = i > 0 ? i - 1 : 0;
        } else {
            i++;
        }
    }
}

static void cut_into(pby_region *out, const pby_region *r, const fmpq_t a, const fmpq_t b, const fmpq_t c)
{
    fmpq at[2];
    PBY_FMPQ(here, there);
    fmpq_init(at);
    fmpq_init(at + 1);
    for (size_t i = 0; i < r->count; i++) {
        const fmpq *p = x_of(r, i), *q = x_of(r, (i + 1) % r->count);
        measure(here, p, a, b, c);
        measure(there, q, a, b, c);
        if (fmpq_sgn(here) <= 0)
            append(out, p);
        if (fmpq_sgn(here) * fmpq_sgn(there) < 0) {
            meet(at, p, q, here, there);
            append(out, at);
        }
    }
    fmpq_clear(at + 1);
    fmpq_clear(at);
}

pby_status pby_region_cut(pby_region *r, const fmpq_t a, const fmpq_t b, const fmpq_t c, pby_error *err)
{
    pby_region out;
    PBY_FMPQ(most);
    pby_region_support(most, r, a, b);
    const bool whole = fmpq_cmp(most, c) <= 0;
    if (whole)
        return PBY_OK;
    const pby_status status = make_room(&out, 2 * r->count + 2, err);
    if (status != PBY_OK)
        return status;
    cut_into(&out, r, a, b, c);
    tidy(&out);
    pby_region_clear(r);
    *r = out;
    return PBY_OK;
}

/* ---- depth regions ------------------------------------------------------------------------------- */

struct place {
    int64_t at;
    uint64_t records;
};

static void swap(struct place *a, struct place *b)
{
    const struct place kept = *a;
    *a = *b;
    *b = kept;
}

/* The least place such that at least `rank` records, from 1 to all, have none beyond it. Puts the places that
 * are below the one in the middle in front, those above it behind, and goes on with the part that has it. */
static int64_t place_of_rank(struct place *p, size_t n, uint64_t rank)
{
    for (;;) {
        const int64_t pivot = p[n / 2].at;
        size_t below = 0, above = n;
        uint64_t less = 0, equal = 0;
        for (size_t i = 0; i < above;)
            if (p[i].at < pivot) {
                less += p[i].records;
                swap(&p[below++], &p[i++]);
            } else if (p[i].at > pivot) {
                swap(&p[--above], &p[i]);
            } else {
                equal += p[i++].records;
            }
        if (less < rank && rank <= less + equal)
            return pivot;
        if (less < rank) {
            rank -= less + equal;
            p += above;
            n -= above;
        } else {
            n = below;
        }
    }
}

/* The least c such that at least `rank` records have u x + v y <= c. */
static int64_t quantile(const pby_site *site, size_t n, int64_t u, int64_t v, uint64_t rank,
                        struct place *room)
{
    for (size_t i = 0; i < n; i++)
        room[i] = (struct place){u * site[i].x + v * site[i].y, site[i].records};
    return place_of_rank(room, n, rank);
}

struct cutter {
    pby_region *region;
    const pby_site *site;
    size_t n;
    uint64_t rank; /* records - level + 1 */
    struct place *room;
};

static pby_status cut_along(const struct cutter *k, int64_t u, int64_t v, pby_error *err)
{
    PBY_FMPQ(a, b, c);
    fmpq_set_si(a, u, 1);
    fmpq_set_si(b, v, 1);
    fmpq_set_si(c, quantile(k->site, k->n, u, v, k->rank, k->room), 1);
    return k->region->count == 0 ? PBY_OK : pby_region_cut(k->region, a, b, c, err);
}

/* The box of all sites. */
static pby_status start(pby_region *r, const pby_site *site, size_t n, pby_error *err)
{
    int64_t x[2] = {site[0].x, site[0].x}, y[2] = {site[0].y, site[0].y};
    for (size_t i = 1; i < n; i++) {
        x[0] = site[i].x < x[0] ? site[i].x : x[0];
        x[1] = site[i].x > x[1] ? site[i].x : x[1];
        y[0] = site[i].y < y[0] ? site[i].y : y[0];
        y[1] = site[i].y > y[1] ? site[i].y : y[1];
    }
    const pby_status status = make_room(r, 4, err);
    for (size_t i = 0; i < 4 && status == PBY_OK; i++) {
        fmpq_set_si(x_of(r, i), x[i == 1 || i == 2], 1);
        fmpq_set_si(x_of(r, i) + 1, y[i >= 2], 1);
        r->count = i + 1;
    }
    tidy(r);
    return status;
}

/* A vector without a common divisor, and which of it and its opposite: the one to the right, or upwards. */
struct direction {
    int64_t x, y;
};

static struct direction direction_of(const pby_site *p, const pby_site *q)
{
    int64_t dx = q->x - p->x, dy = q->y - p->y;
    const int64_t divisor = (int64_t)n_gcd((ulong)(dx < 0 ? -dx : dx), (ulong)(dy < 0 ? -dy : dy));
    const int64_t sign = dx < 0 || (dx == 0 && dy < 0) ? -1 : 1;
    return (struct direction){sign * dx / divisor, sign * dy / divisor};
}

static int by_direction(const void *a, const void *b)
{
    const struct direction *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* The directions from one site to another, each once: sites on a grid have few. */
static pby_status find_directions(struct direction **out, size_t *count, const pby_site *site, size_t n,
                                  pby_error *err)
{
    size_t pairs = 0;
    *count = 0;
    struct direction *d = *out = reallocarray(NULL, n * (n - 1) / 2 + 1, sizeof *d);
    if (d == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            d[pairs++] = direction_of(&site[j], &site[i]);
    qsort(d, pairs, sizeof *d, by_direction);
    for (size_t i = 0; i < pairs; i++)
        if (i == 0 || by_direction(&d[i], &d[*count - 1]) != 0)
            d[(*count)++] = d[i];
    return PBY_OK;
}

/* Both normals of a direction and both ways along it: without the latter, sites on one line would bound
 * nothing along it. */
static pby_status cut_direction(const struct cutter *k, const struct direction *d, pby_error *err)
{
    const int64_t u[] = {-d->y, d->y, d->x, -d->x}, v[] = {d->x, -d->x, d->y, -d->y};
    for (int t = 0; t < 4; t++)
        PBY_TRY(cut_along(k, u[t], v[t], err));
    return PBY_OK;
}

pby_status pby_region_depth(pby_region *out, const pby_site *site, size_t n, uint64_t level, pby_error *err)
{
    uint64_t records = 0;
    for (size_t i = 0; i < n; i++)
        records += site[i].records;
    pby_region_init(out);
    if (level > records)
        return PBY_OK;
    struct cutter k = {out, site, n, records - level + 1, reallocarray(NULL, n, sizeof *k.room)};
    struct direction *direction = NULL;
    size_t directions = 0;
    pby_status status = k.room == NULL ? pby_no_memory(err) : start(out, site, n, err);
    if (status == PBY_OK)
        status = find_directions(&direction, &directions, site, n, err);
    for (size_t i = 0; i < directions && status == PBY_OK && out->count > 0; i++)
        status = cut_direction(&k, &direction[i], err);
    free(direction);
    free(k.room);
    if (status != PBY_OK)
        pby_region_clear(out);
    return status;
}
