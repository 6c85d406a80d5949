#include "accuracy/measure.h"

#include <stdlib.h>
#include <string.h>

pby_status pby_measure_new(pby_measure **out, pby_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? PBY_OK : pby_no_memory(err);
}

void pby_measure_free(pby_measure *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->count; i++) {
        fmpq_clear(&m->point[i].at);
        fmpq_clear(&m->point[i].mass);
    }
    free(m->point);
    free(m);
}

static pby_status make_room(pby_measure *m, pby_error *err)
{
    if (m->count < m->room)
        return PBY_OK;
    const size_t room = m->room == 0 ? 16 : 2 * m->room;
    pby_point *point = reallocarray(m->point, room, sizeof *point);
    if (point == NULL)
        return pby_no_memory(err);
    m->point = point;
    m->room = room;
    return PBY_OK;
}

pby_status pby_measure_add(pby_measure *m, mpq_srcptr at, mpq_srcptr mass, pby_error *err)
{
    if (mpq_sgn(mass) < 0)
        return pby_fail(err, PBY_BAD, "mass: expected a rational from 0 on");
    const pby_status status = make_room(m, err);
    if (status != PBY_OK)
        return status;
    pby_point *point = &m->point[m->count++];
    fmpq_init(&point->at);
    fmpq_init(&point->mass);
    fmpq_set_mpq(&point->at, at);
    fmpq_set_mpq(&point->mass, mass);
    return PBY_OK;
}

/* ---- one integer scale ------------------------------------------------------------------------ */

/* unit and grain become common denominators of the points and of the masses. */
static void common_denominators(fmpz_t unit, fmpz_t grain, const pby_measure *m)
{
    for (size_t i = 0; i < m->count && fmpz_bits(unit) <= PBY_SCALE_BITS &&
         fmpz_bits(grain) <= PBY_SCALE_BITS; i++) {
        const fmpz *at = fmpq_denref(&m->point[i].at), *mass = fmpq_denref(&m->point[i].mass);
        if (!fmpz_divisible(unit, at))
            fmpz_lcm(unit, unit, at);
        if (!fmpz_divisible(grain, mass))
            fmpz_lcm(grain, grain, mass);
    }
}

static int by_position(const void *a, const void *b)
{
    return fmpz_cmp(&((const pby_point_mass *)a)->at, &((const pby_point_mass *)b)->at);
}

static void scale(fmpz_t out, const fmpq_t q, const fmpz_t unit)
{
    fmpz_divexact(out, unit, fmpq_denref(q));
    fmpz_mul(out, out, fmpq_numref(q));
}

/* Adds up the atoms at one position; the array is sorted. */
static void merge(pby_line *line)
{
    size_t kept = 0;
    for (size_t i = 0; i < line->count; i++) {
        pby_point_mass *last = kept > 0 ? &line->atom[kept - 1] : NULL, *next = &line->atom[i];
        if (last != NULL && fmpz_equal(&last->at, &next->at)) {
            fmpz_add(&last->mass, &last->mass, &next->mass);
            fmpz_clear(&next->at);
            fmpz_clear(&next->mass);
        } else {
            line->atom[kept++] = *next;
        }
    }
    line->count = kept;
}

static pby_status line_set(pby_line *line, const pby_measure *m, const fmpz_t unit, const fmpz_t grain,
                           pby_error *err)
{
    line->atom = malloc((m->count + 1) * sizeof *line->atom);
    if (line->atom == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < m->count; i++) {
        if (fmpq_is_zero(&m->point[i].mass))
            continue;
        pby_point_mass *atom = &line->atom[line->count++];
        fmpz_init(&atom->at);
        fmpz_init(&atom->mass);
        scale(&atom->at, &m->point[i].at, unit);
        scale(&atom->mass, &m->point[i].mass, grain);
        fmpz_add(line->total, line->total, &atom->mass);
    }
    qsort(line->atom, line->count, sizeof *line->atom, by_position);
    merge(line);
    return PBY_OK;
}

pby_status pby_lines_init(pby_lines *out, const pby_measure *x, const pby_measure *y, pby_error *err)
{
    memset(out, 0, sizeof *out);
    fmpz_init(out->x.total);
    fmpz_init(out->y.total);
    fmpz_init_set_ui(out->unit, 1);
    fmpz_t grain;
    fmpz_init_set_ui(grain, 1);
    common_denominators(out->unit, grain, x);
    common_denominators(out->unit, grain, y);
    pby_status status = PBY_OK;
    if (fmpz_bits(out->unit) > PBY_SCALE_BITS || fmpz_bits(grain) > PBY_SCALE_BITS)
        status = pby_fail(err, PBY_BAD, "points and masses: expected common denominators of at most %d bits",
                          PBY_SCALE_BITS);
    if (status == PBY_OK)
        status = line_set(&out->x, x, out->unit, grain, err);
    if (status == PBY_OK)
        status = line_set(&out->y, y, out->unit, grain, err);
    fmpz_clear(grain);
    return status;
}

static void line_clear(pby_line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        fmpz_clear(&line->atom[i].at);
        fmpz_clear(&line->atom[i].mass);
    }
    free(line->atom);
    fmpz_clear(line->total);
}

void pby_lines_clear(pby_lines *lines)
{
    line_clear(&lines->x);
    line_clear(&lines->y);
    fmpz_clear(lines->unit);
}

static void multiply(pby_line *line, const fmpz_t factor)
{
    for (size_t i = 0; i < line->count && !fmpz_is_one(factor); i++)
        fmpz_mul(&line->atom[i].mass, &line->atom[i].mass, factor);
    fmpz_mul(line->total, line->total, factor);
}

pby_status pby_lines_normalise(pby_lines *lines, pby_error *err)
{
    const bool first = fmpz_is_zero(lines->x.total);
    if (first || fmpz_is_zero(lines->y.total))
        return pby_refuse(err, first ? "mass of the first measure" : "mass of the second measure", "0",
                          "one above 0: an empty histogram is in proportion to no law");
    fmpz_t common, of_x, of_y;
    fmpz_init(common);
    fmpz_init(of_x);
    fmpz_init(of_y);
    fmpz_gcd(common, lines->x.total, lines->y.total);
    fmpz_divexact(of_x, lines->y.total, common);
    fmpz_divexact(of_y, lines->x.total, common);
    multiply(&lines->x, of_x);
    multiply(&lines->y, of_y);
    fmpz_clear(of_y);
    fmpz_clear(of_x);
    fmpz_clear(common);
    return PBY_OK;
}

void pby_lines_refine(pby_lines *lines, mpq_srcptr gamma)
{
    fmpz_t grain;
    fmpz_init(grain);
    fmpz_set_mpz(grain, mpq_denref(gamma));
    multiply(&lines->x, grain);
    multiply(&lines->y, grain);
    fmpz_clear(grain);
}

pby_status pby_check_gamma(mpq_srcptr gamma, pby_error *err)
{
    return mpq_sgn(gamma) >= 0 && mpq_cmp_ui(gamma, 1, 1) <= 0
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "gamma: expected a rational from 0 to 1");
}

void pby_kept(fmpz_t kept, const fmpz_t total, mpq_srcptr gamma)
{
    fmpq_t g;
    fmpz_t rest;
    fmpq_init(g);
    fmpz_init(rest);
    fmpq_set_mpq(g, gamma);
    fmpz_sub(rest, fmpq_denref(g), fmpq_numref(g));
    fmpz_mul(kept, total, rest);
    fmpz_cdiv_q(kept, kept, fmpq_denref(g));
    fmpz_clear(rest);
    fmpq_clear(g);
}

int pby_measure_empty(const pby_measure *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (!fmpq_is_zero(&m->point[i].mass))
            return 0;
    return 1;
}
