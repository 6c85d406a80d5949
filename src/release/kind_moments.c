/* SPDX-License-Identifier: MIT */
#include "release/kind_moments.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "release/check_request.h"
#include "release/release_numbers.h"

__extension__ typedef __int128 wide;

enum { PARTS_MAX = 3 };

static const struct {
    const char *const columns[2];
    size_t parts;
} moments[] = {
    [PBY_MOMENT_SUM] = {{"sum", NULL}, 1},
    [PBY_MOMENT_MEAN] = {{"mean", NULL}, 2},
    [PBY_MOMENT_VARIANCE] = {{"variance", NULL}, 3},
};

/* Where numbers are measured from, and how far one may be from there, in steps. */
struct span {
    int64_t first, last, centre, reach;
};

static struct span span_of(const pby_records *r, pby_moment moment)
{
    struct span s = {.first = r->first, .last = r->first + (int64_t)r->points.cells - 1};
    if (moment != PBY_MOMENT_SUM)
        s.centre = s.first + (s.last - s.first) / 2;
    const int64_t below = s.centre - s.first, above = s.last - s.centre;
    s.reach = above > below ? above : below;
    return s;
}

/* ---- checks ------------------------------------------------------------------------------------- */

/* Returns the most that one record moves this part of a moment by. */
static wide moves(pby_moment moment, size_t part, const struct span *s)
{
    const size_t power = moment == PBY_MOMENT_SUM ? 1 : part;
    return power == 0 ? 1 : power == 1 ? s->reach : (wide)s->reach * s->reach;
}

/* Additive noise on all records, and on what is not random itself. */
static bool is_plain_noise(const pby_mechanism *m)
{
    const fmpq *sample = pby_mechanism_value(m, PBY_ROLE_SAMPLE),
               *theta = pby_mechanism_value(m, PBY_ROLE_THETA);
    return (strcmp(m->family->name, "geometric") == 0 || strcmp(m->family->name, "dgauss") == 0) &&
           (sample == NULL || fmpq_is_one(sample)) && (theta == NULL || fmpq_is_zero(theta));
}

static pby_status check_part(const pby_mechanism *m, wide distance, pby_neighbours relation, pby_error *err)
{
    char expected[128];
    if (!is_plain_noise(m))
        return pby_mechanism_refuse(m, "geometric or dgauss, without sample and theta", err);
    if (distance > INT64_MAX)
        return pby_mechanism_refuse(m, "fewer steps between the bounds: no sensitivity is as large", err);
    if (pby_mechanism_distance(m, relation) >= distance)
        return PBY_OK;
    snprintf(expected, sizeof expected,
             "sensitivity=%" PRId64 " or more: a user's records move this part by that", (int64_t)distance);
    return pby_mechanism_refuse(m, expected, err);
}

static pby_status check_moment(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    (void)release;
    static const char *const expected[] = {
        [PBY_MOMENT_SUM] = "one mechanism: of the sum",
        [PBY_MOMENT_MEAN] = "two mechanisms: of the count and of the sum",
        [PBY_MOMENT_VARIANCE] = "three mechanisms: of the count, of the sum and of the sum of squares"};
    const pby_mechanism *part[PARTS_MAX];
    const pby_moment moment = p->moment;
    pby_neighbours relation;
    PBY_TRY(pby_check_numbers(p, err));
    const pby_records *r = p->table->records;
    const struct span s = span_of(r, moment);
    if (!pby_list_parts(part, moments[moment].parts, p->budget->spec))
        return pby_refuse(err, "SPEC", pby_spec_text(p->budget->spec), expected[moment]);
    PBY_TRY(pby_budget_neighbours(&relation, p->budget, err));
    for (size_t i = 0; i < moments[moment].parts; i++)
        PBY_TRY(check_part(
            part[i], moves(moment, i, &s) * (wide)r->contributions * (relation == PBY_SUBSTITUTE ? 2 : 1),
            relation, err));
    return PBY_OK;
}

/* ---- what is released --------------------------------------------------------------------------- */

/* Noise on one part, in its place. */
static pby_status draw_part(const pby_mechanism *m, pby_neighbours relation, int64_t *x, size_t n,
                            pby_error *err)
{
    pby_spec *spec;
    pby_status status = pby_spec_of(&spec, m, 1, err);
    if (status == PBY_OK)
        status = pby_release_numbers(spec, relation, x, n, err);
    else
        memset(x, 0, n * sizeof *x);
    pby_spec_free(spec);
    return status;
}

/* over/under, rounded to the nearest, halves up, and held between two ends; under is above 0. */
static int64_t quotient(wide over, wide under, int64_t least, int64_t most)
{
    const wide twice = 2 * over + under, below = 2 * under;
    const wide q = twice / below - (twice % below < 0 ? 1 : 0);
    return q < least ? least : q > most ? most : (int64_t)q;
}

/* The answer of a group out of what was drawn; none where the count leaves nothing to divide by. */
static int64_t answer(pby_moment moment, const pby_moments *m, size_t i, const struct span *s)
{
    const wide count = m->count[i], sum = m->sum[i];
    if (moment == PBY_MOMENT_SUM)
        return m->sum[i];
    if (count <= 0)
        return PBY_SUPPRESSED;
    if (moment == PBY_MOMENT_MEAN)
        return quotient(sum + s->centre * count, count, s->first, s->last);
    return quotient(m->square[i] * count - sum * sum, count * count, 0, s->reach * s->reach);
}

static pby_status write_line(pby_spool *spool, const pby_key_row *head, const char *const *columns,
                             pby_error *err)
{
    pby_status status = pby_spool_write(spool, head->bytes, head->size, err);
    for (; *columns != NULL && status == PBY_OK; columns++) {
        status = pby_spool_write(spool, ",", 1, err);
        if (status == PBY_OK)
            status = pby_spool_write(spool, *columns, strlen(*columns), err);
    }
    return status == PBY_OK ? pby_spool_write(spool, "\n", 1, err) : status;
}

pby_status pby_moment_header(pby_rows *rows, const pby_records *r, const char *const *columns, pby_error *err)
{
    pby_key_row head = {.bytes = NULL};
    pby_status status = pby_records_head(&head, r, err);
    if (status == PBY_OK && rows->store != NULL) {
        status = pby_store_shape(rows->store, columns, rows->unit, true, err);
        if (status == PBY_OK)
            status = pby_store_head(rows->store, head.bytes, head.size, err);
    } else if (status == PBY_OK && !rows->json)
        status = write_line(rows->spool, &head, columns, err);
    pby_key_row_clear(&head);
    return status;
}

static pby_status write_rows(pby_rows *rows, const pby_records *r, pby_moment moment, const pby_moments *m,
                             const struct span *s, pby_error *err)
{
    const pby_names *names = pby_groups_names(&r->groups);
    PBY_TRY(pby_moment_header(rows, r, moments[moment].columns, err));
    for (size_t i = 0; i < m->groups; i++) {
        size_t size;
        const uint8_t *name = pby_names_get(names, i, &size);
        const int64_t value = answer(moment, m, i, s);
        PBY_TRY(pby_rows_add(rows, name, size, moments[moment].columns, &value, err));
    }
    return PBY_OK;
}

/* Draws every part before anything is written: a sum alone must not appear if its count fails. */
static pby_status draw_all(const pby_budget *budget, pby_moment moment, pby_moments *m, pby_error *err)
{
    const pby_mechanism *part[PARTS_MAX];
    int64_t *of[PARTS_MAX] = {m->count, m->sum, m->square};
    int64_t **x = moment == PBY_MOMENT_SUM ? of + 1 : of;
    pby_neighbours relation;
    pby_status status = pby_budget_neighbours(&relation, budget, err);
    if (!pby_list_parts(part, moments[moment].parts, budget->spec))
        return pby_refuse(err, "SPEC", pby_spec_text(budget->spec), "the mechanisms that were checked");
    for (size_t i = 0; i < moments[moment].parts && status == PBY_OK; i++)
        status = draw_part(part[i], relation, x[i], m->groups, err);
    return status;
}

/* ---- the kind ----------------------------------------------------------------------------------- */

/* A variance is in squares of the step. */
static void shape_moment(pby_rows *rows, mpq_t unit, const pby_pipeline *p)
{
    rows->gaps = true;
    mpq_set(unit, p->table->records->points.width);
    if (p->moment == PBY_MOMENT_VARIANCE)
        mpq_mul(unit, unit, unit);
}

static pby_status open_moment(void **in, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    (void)release;
    pby_records *r = p->table->records;
    pby_moments *m = *in = calloc(1, sizeof *m);
    if (m == NULL)
        return pby_no_memory(err);
    return pby_records_measure(m, r, span_of(r, p->moment).centre, NULL, err);
}

static pby_status run_moment(pby_rows *rows, void *in, const pby_pipeline *p, pby_release *release,
                             pby_error *err)
{
    (void)release;
    const pby_records *r = p->table->records;
    const struct span s = span_of(r, p->moment);
    PBY_TRY(draw_all(p->budget, p->moment, in, err));
    return write_rows(rows, r, p->moment, in, &s, err);
}

void pby_moment_learn(pby_learned *out, const void *in, const pby_pipeline *p, const pby_release *release)
{
    (void)in;
    (void)release;
    out->layout = p->table->records->layout;
    if (pby_table_map_digest(p->table) != NULL)
        out->table = *pby_table_map_digest(p->table);
}

static void close_moment(void *in)
{
    if (in != NULL)
        pby_moments_clear(in);
    free(in);
}

const pby_input_kind pby_kind_moments = {
    .name = "moments",
    .parts = true,
    .check = check_moment,
    .shape = shape_moment,
    .open = open_moment,
    .run = run_moment,
    .learn = pby_moment_learn,
    .close = close_moment,
};
