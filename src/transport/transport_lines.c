/* SPDX-License-Identifier: MIT */
/* Two measures on one integer scale, sorted. */
#include <stdlib.h>
#include <string.h>

#include "number/scoped.h"
#include "transport/transport_measure.h"

/* Two gigabytes: what all rows together may have. */
#define LIMBS_MAX ((size_t)1 << 28)

struct scale {
    fmpz *unit;       /* a common denominator of the positions */
    fmpz_t grain;     /* and of the masses */
    fmpz_t low, high; /* the ends of the positions */
    bool any;         /* whether there is a position */
};

/* ---- its size ----------------------------------------------------------------------------------- */

static void common_denominators(struct scale *s, const pby_measure *m)
{
    for (size_t i = 0; i < m->count && fmpz_bits(s->unit) <= PBY_SCALE_BITS_MAX &&
                       fmpz_bits(s->grain) <= PBY_SCALE_BITS_MAX;
         i++) {
        const fmpz *at = fmpq_denref(&m->point[i].at), *mass = fmpq_denref(&m->point[i].mass);
        if (!fmpz_divisible(s->unit, at))
            fmpz_lcm(s->unit, s->unit, at);
        if (!fmpz_divisible(s->grain, mass))
            fmpz_lcm(s->grain, s->grain, mass);
    }
}

static void times(fmpz_t out, const fmpq_t q, const fmpz_t unit)
{
    fmpz_divexact(out, unit, fmpq_denref(q));
    fmpz_mul(out, out, fmpq_numref(q));
}

/* Counts the atoms of a line, and finds their mass and the ends of their positions. */
static void survey(pby_line *line, struct scale *s, const pby_measure *m)
{
    PBY_FMPZ(value);
    for (size_t i = 0; i < m->count; i++) {
        if (fmpq_is_zero(&m->point[i].mass))
            continue;
        line->count++;
        times(value, &m->point[i].mass, s->grain);
        fmpz_add(line->total, line->total, value);
        times(value, &m->point[i].at, s->unit);
        if (!s->any || fmpz_cmp(value, s->low) < 0)
            fmpz_set(s->low, value);
        if (!s->any || fmpz_cmp(value, s->high) > 0)
            fmpz_set(s->high, value);
        s->any = true;
    }
}

/* Room for the sum of two positions, and for what the totals become as laws. The unit is made finer, so that
 * positions fill their highest limb but for that one bit: almost always it tells two of them apart. */
static void choose_limbs(pby_lines *out, struct scale *s)
{
    PBY_FMPZ(widest);
    fmpz_sub(widest, s->high, s->low);
    const size_t span = (size_t)fmpz_bits(widest);
    const size_t at_limbs = span / FLINT_BITS + 1;
    const size_t spare = FLINT_BITS * at_limbs - 1 - span;
    fmpz_mul_2exp(s->unit, s->unit, spare);
    fmpz_mul_2exp(s->low, s->low, spare);
    fmpz_lcm(widest, out->x.total, out->y.total);
    if (fmpz_is_zero(widest))
        fmpz_add(widest, out->x.total, out->y.total);
    out->x.at_limbs = out->y.at_limbs = at_limbs;
    out->x.mass_limbs = out->y.mass_limbs = (size_t)fmpz_bits(widest) / FLINT_BITS + 1;
}

static pby_status measure_scale(pby_lines *out, struct scale *s, const pby_measure *x, const pby_measure *y,
                                pby_error *err)
{
    common_denominators(s, x);
    common_denominators(s, y);
    if (fmpz_bits(s->unit) > PBY_SCALE_BITS_MAX || fmpz_bits(s->grain) > PBY_SCALE_BITS_MAX)
        return pby_fail(err, PBY_BAD, "points and masses: expected common denominators of at most %d bits",
                        PBY_SCALE_BITS_MAX);
    survey(&out->x, s, x);
    survey(&out->y, s, y);
    choose_limbs(out, s);
    if (out->x.count + out->y.count > LIMBS_MAX / (out->x.at_limbs + out->x.mass_limbs))
        return pby_fail(err, PBY_BAD,
                        "points and masses: expected at most 2^28 words of 64 bits on one scale");
    return PBY_OK;
}

/* ---- its atoms ---------------------------------------------------------------------------------- */

struct key {
    mp_limb_t highest; /* of the position */
    const mp_limb_t *row;
};

static int by_position(const void *a, const void *b, void *at_limbs)
{
    const struct key *x = a, *y = b;
    if (x->highest != y->highest)
        return x->highest < y->highest ? -1 : 1;
    return mpn_cmp(x->row, y->row, *(const mp_size_t *)at_limbs);
}

static void set_rows(mp_limb_t *row, struct key *key, const pby_line *line, const struct scale *s,
                     const pby_measure *m)
{
    PBY_FMPZ(value);
    for (size_t i = 0; i < m->count; i++) {
        if (fmpq_is_zero(&m->point[i].mass))
            continue;
        times(value, &m->point[i].at, s->unit);
        fmpz_sub(value, value, s->low);
        fmpz_get_ui_array(row, (slong)line->at_limbs, value);
        *key++ = (struct key){row[line->at_limbs - 1], row};
        row += line->at_limbs;
        times(value, &m->point[i].mass, s->grain);
        fmpz_get_ui_array(row, (slong)line->mass_limbs, value);
        row += line->mass_limbs;
    }
}

/* The rows in the order of their keys, those of one position added up. */
static void gather(pby_line *line, const struct key *key)
{
    const size_t limbs = line->at_limbs + line->mass_limbs;
    mp_limb_t *end = line->row;
    for (size_t i = 0; i < line->count; i++) {
        const mp_limb_t *row = key[i].row;
        if (i > 0 && mpn_cmp(end - limbs, row, (mp_size_t)line->at_limbs) == 0) {
            mp_limb_t *mass = end - line->mass_limbs;
            mpn_add_n(mass, mass, row + line->at_limbs, (mp_size_t)line->mass_limbs);
        } else {
            memcpy(end, row, limbs * sizeof *end);
            end += limbs;
        }
    }
    line->count = (size_t)(end - line->row) / limbs;
}

static pby_status line_set(pby_line *line, const struct scale *s, const pby_measure *m, pby_error *err)
{
    mp_size_t at_limbs = (mp_size_t)line->at_limbs;
    const size_t size = (line->count * (line->at_limbs + line->mass_limbs) + 1) * sizeof *line->row;
    mp_limb_t *row = malloc(size);
    const size_t keys = (line->count + 1) * sizeof(struct key);
    struct key *key = malloc(keys);
    line->row = malloc(size);
    const bool room = row != NULL && key != NULL && line->row != NULL;
    if (room) {
        set_rows(row, key, line, s, m);
        qsort_r(key, line->count, sizeof *key, by_position, &at_limbs);
        gather(line, key);
    }
    pby_wipe_free(key, keys);
    pby_wipe_free(row, size);
    return room ? PBY_OK : pby_no_memory(err);
}

pby_status pby_lines_init(pby_lines *out, const pby_measure *x, const pby_measure *y, pby_error *err)
{
    memset(out, 0, sizeof *out);
    fmpz_init(out->x.total);
    fmpz_init(out->y.total);
    fmpz_init_set_ui(out->unit, 1);
    struct scale s = {.unit = out->unit, .any = false};
    fmpz_init_set_ui(s.grain, 1);
    fmpz_init(s.low);
    fmpz_init(s.high);
    pby_status status = measure_scale(out, &s, x, y, err);
    if (status == PBY_OK)
        status = line_set(&out->x, &s, x, err);
    if (status == PBY_OK)
        status = line_set(&out->y, &s, y, err);
    fmpz_clear(s.high);
    fmpz_clear(s.low);
    fmpz_clear(s.grain);
    return status;
}

static void line_clear(pby_line *line)
{
    pby_wipe_free(line->row, line->count * (line->at_limbs + line->mass_limbs) * sizeof *line->row);
    fmpz_clear(line->total);
}

void pby_lines_clear(pby_lines *lines)
{
    line_clear(&lines->x);
    line_clear(&lines->y);
    fmpz_clear(lines->unit);
}

/* ---- as laws ------------------------------------------------------------------------------------ */

static void multiply(pby_line *line, const fmpz_t factor)
{
    const size_t limbs = line->at_limbs + line->mass_limbs;
    PBY_FMPZ(value);
    for (size_t i = 0; i < line->count && !fmpz_is_one(factor); i++) {
        mp_limb_t *mass = line->row + i * limbs + line->at_limbs;
        fmpz_set_ui_array(value, mass, (slong)line->mass_limbs);
        fmpz_mul(value, value, factor);
        fmpz_get_ui_array(mass, (slong)line->mass_limbs, value);
    }
    fmpz_mul(line->total, line->total, factor);
}

pby_status pby_lines_normalise(pby_lines *lines, pby_error *err)
{
    const pby_status status = pby_check_totals(lines->x.total, lines->y.total, err);
    if (status != PBY_OK)
        return status;
    PBY_FMPZ(common, of_x, of_y);
    fmpz_gcd(common, lines->x.total, lines->y.total);
    fmpz_divexact(of_x, lines->y.total, common);
    fmpz_divexact(of_y, lines->x.total, common);
    multiply(&lines->x, of_x);
    multiply(&lines->y, of_y);
    return PBY_OK;
}

/* ---- both in one pass --------------------------------------------------------------------------- */

bool pby_stop_next(pby_stop *s, const pby_lines *l)
{
    const mp_limb_t *x = s->i < l->x.count ? pby_line_at(&l->x, s->i) : NULL;
    const mp_limb_t *y = s->j < l->y.count ? pby_line_at(&l->y, s->j) : NULL;
    if (x == NULL && y == NULL)
        return false;
    const int order = x == NULL ? 1 : y == NULL ? -1 : mpn_cmp(x, y, (mp_size_t)l->x.at_limbs);
    s->at = order <= 0 ? x : y;
    s->x = order <= 0 ? pby_line_mass(&l->x, s->i++) : NULL;
    s->y = order >= 0 ? pby_line_mass(&l->y, s->j++) : NULL;
    return true;
}

void pby_stop_surplus(fmpz_t out, const pby_stop *s, const pby_lines *l)
{
    const slong limbs = (slong)l->x.mass_limbs;
    PBY_FMPZ(less);
    fmpz_zero(out);
    if (s->x != NULL)
        fmpz_set_ui_array(out, s->x, limbs);
    if (s->y != NULL)
        fmpz_set_ui_array(less, s->y, limbs);
    fmpz_sub(out, out, less);
}
