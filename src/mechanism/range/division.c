/* SPDX-License-Identifier: MIT */
#include "mechanism/range/division.h"

#include <stdlib.h>
#include <string.h>

#include "mechanism/range/range_potential.h"
#include "number/scoped.h"

/* The most divisions kept of one number, and the most points of potentials worked out: some seconds. */
enum { KEPT_MAX = 32, WORK_MAX = 2000000 };

/* The bits of a potential, and how many more for each bit that the rate is below 1. */
enum { PRECISION = 96, PRECISION_EACH = 4 };

/* A division of `all`, and its potential. */
struct kept {
    int64_t *part; /* falling */
    int64_t count, all;
    arb_ptr potential;
};

/* The divisions of one number that are kept. */
struct frontier {
    struct kept kept[KEPT_MAX];
    size_t count;
};

struct search {
    pby_range_noise noise;
    int64_t all, bars, sure; /* up to `sure` one bar is worse than two */
    struct frontier *of;     /* 1 .. all */
    int64_t work;            /* that is left */
};

/* ---- what counts ------------------------------------------------------------------------------ */

static void kept_clear(struct kept *k)
{
    free(k->part);
    _arb_vec_clear(k->potential, (slong)k->all + 1);
}

static pby_status kept_init(struct kept *k, int64_t count, int64_t all, pby_error *err)
{
    *k = (struct kept){malloc((size_t)count * sizeof *k->part), count, all, _arb_vec_init((slong)all + 1)};
    if (k->part != NULL)
        return PBY_OK;
    kept_clear(k);
    return pby_no_memory(err);
}

/* One bar beside the rest, or alone where that is NULL. */
static pby_status kept_make(struct kept *k, const struct kept *rest, int64_t part, const struct search *s,
                            pby_error *err)
{
    const int64_t others = rest == NULL ? 0 : rest->count;
    const pby_status status = kept_init(k, others + 1, part + (rest == NULL ? 0 : rest->all), err);
    if (status != PBY_OK)
        return status;
    int64_t i = others;
    for (; i > 0 && rest->part[i - 1] < part; i--)
        k->part[i] = rest->part[i - 1];
    k->part[i] = part;
    if (rest == NULL) {
        pby_range_one(k->potential, &s->noise, part);
    } else {
        memcpy(k->part, rest->part, (size_t)i * sizeof *k->part);
        pby_range_join(k->potential, &s->noise, rest->potential, rest->all, part);
    }
    return PBY_OK;
}

static bool same(const struct kept *a, const struct kept *b)
{
    return a->count == b->count && memcmp(a->part, b->part, (size_t)a->count * sizeof *a->part) == 0;
}

/* True if a is certainly nowhere below b, with no more bars. */
static bool covers(const struct kept *a, const struct kept *b)
{
    if (a->count > b->count)
        return false;
    for (int64_t k = 0; k <= a->all; k++)
        if (!arb_le(b->potential + k, a->potential + k))
            return false;
    return true;
}

/* Takes k over; false where there is no room for it. */
static bool keep(struct frontier *f, struct kept *k)
{
    for (size_t i = 0; i < f->count; i++)
        if (same(&f->kept[i], k) || covers(&f->kept[i], k)) {
            kept_clear(k);
            return true;
        }
    size_t left = 0;
    for (size_t i = 0; i < f->count; i++)
        if (covers(k, &f->kept[i]))
            kept_clear(&f->kept[i]);
        else
            f->kept[left++] = f->kept[i];
    f->count = left;
    if (left == KEPT_MAX) {
        kept_clear(k);
        return false;
    }
    f->kept[f->count++] = *k;
    return true;
}

/* True if the part and the least of the rest are certainly worse as one bar. */
static bool better_as_one(const struct kept *rest, int64_t part, const struct search *s)
{
    return part + rest->part[rest->count - 1] <= s->sure;
}

/* All of it in one bar, and each part up to half of it with what counts of the rest: a division of several
 * parts has one that is at most half. A part beyond 2 reach + 1 loses no more than that. */
static pby_status search_at(bool *found, struct search *s, int64_t all, pby_error *err)
{
    struct kept next;
    pby_status status = kept_make(&next, NULL, all, s, err);
    if (status == PBY_OK)
        *found = keep(&s->of[all], &next);
    for (int64_t part = 1; part <= FLINT_MIN(all / 2, 2 * s->noise.reach + 1); part++) {
        const struct frontier *rest = &s->of[all - part];
        for (size_t i = 0; i < rest->count && status == PBY_OK && *found; i++) {
            if (rest->kept[i].count >= s->bars || better_as_one(&rest->kept[i], part, s))
                continue;
            s->work -= all;
            status = kept_make(&next, &rest->kept[i], part, s, err);
            if (status == PBY_OK)
                *found = keep(&s->of[all], &next) && s->work > 0;
        }
    }
    return status;
}

/* ---- the search ------------------------------------------------------------------------------- */

/* The greatest r up to all and reach with 4 a^(2 reach + 1 - r) <= 1: up to there one bar is worse than two
 * (docs/theory/range.md). */
static int64_t sure_of(const fmpq_t rate, int64_t reach, int64_t all)
{
    PBY_ARB(x);
    PBY_ARF(low);
    PBY_FMPZ(n);
    arb_const_log2(x, PRECISION);
    arb_mul_2exp_si(x, x, 1);
    arb_div_fmpz(x, x, fmpq_numref(rate), PRECISION);
    arb_mul_fmpz(x, x, fmpq_denref(rate), PRECISION);
    arb_sub_ui(x, x, (ulong)(2 * reach + 1), PRECISION);
    arb_neg(x, x);
    arb_get_lbound_arf(low, x, PRECISION);
    arf_get_fmpz(n, low, ARF_RND_FLOOR);
    const int64_t most = FLINT_MIN(all, reach);
    return fmpz_cmp_si(n, 1) < 0 ? 1 : fmpz_cmp_si(n, most) > 0 ? most : fmpz_get_si(n);
}

/* Potentials come closer as the rate falls. */
static slong precision_for(const fmpq_t rate)
{
    const slong small = (slong)fmpz_bits(fmpq_denref(rate)) - (slong)fmpz_bits(fmpq_numref(rate));
    return PRECISION + PRECISION_EACH * FLINT_MAX(0, small);
}

static void search_clear(struct search *s)
{
    for (int64_t t = 1; s->of != NULL && t <= s->all; t++)
        for (size_t i = 0; i < s->of[t].count; i++)
            kept_clear(&s->of[t].kept[i]);
    free(s->of);
    pby_range_noise_clear(&s->noise);
}

static pby_status search_all(bool *found, struct search *s, pby_error *err)
{
    pby_status status = PBY_OK;
    s->of = calloc((size_t)s->all + 1, sizeof *s->of);
    if (s->of == NULL)
        return pby_no_memory(err);
    for (int64_t t = 1; t <= s->all && status == PBY_OK && *found; t++)
        status = search_at(found, s, t, err);
    return status;
}

/* Moves the parts of what counts for all of it. */
static pby_status take(pby_divisions *out, const struct search *s, pby_error *err)
{
    struct frontier *f = &s->of[s->all];
    out->division = calloc(f->count, sizeof *out->division);
    if (out->division == NULL)
        return pby_no_memory(err);
    for (; out->count < f->count; out->count++) {
        struct kept *k = &f->kept[out->count];
        out->division[out->count] = (pby_division){k->part, k->count};
        k->part = NULL;
    }
    return PBY_OK;
}

static pby_status single(pby_divisions *out, int64_t all, pby_error *err)
{
    out->division = calloc(1, sizeof *out->division);
    int64_t *part = malloc(sizeof *part);
    if (out->division == NULL || part == NULL) {
        free(part);
        return pby_no_memory(err);
    }
    *part = all;
    out->division[0] = (pby_division){part, 1};
    out->count = 1;
    return PBY_OK;
}

/* Returns true if the least work of the search, one division of each number and each of its parts, is above
 * WORK_MAX. */
static bool too_long(int64_t all, int64_t reach)
{
    int64_t work = 0;
    for (int64_t t = 1; t <= all && work <= WORK_MAX; t++)
        work += t * FLINT_MIN(t / 2, 2 * reach + 1);
    return work > WORK_MAX;
}

pby_status pby_range_divisions(pby_divisions *out, bool *found, const fmpq_t rate, int64_t reach, int64_t all,
                               int64_t bars, pby_error *err)
{
    struct search s = {.all = all, .bars = bars, .sure = sure_of(rate, reach, all), .work = WORK_MAX};
    *out = (pby_divisions){NULL, 0};
    *found = true;
    if (bars == 1 || s.sure == all)
        return single(out, all, err);
    *found = !too_long(all, reach);
    if (!*found)
        return PBY_OK;
    pby_range_noise_init(&s.noise, rate, reach, all, precision_for(rate));
    pby_status status = search_all(found, &s, err);
    if (status == PBY_OK && *found)
        status = take(out, &s, err);
    search_clear(&s);
    return status;
}

void pby_divisions_clear(pby_divisions *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->division[i].part);
    free(list->division);
    *list = (pby_divisions){NULL, 0};
}
