/* SPDX-License-Identifier: MIT */
#include "audit/run/neighbouring.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/excerpt.h"
#include "base/status.h"
#include "io/file.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "release/databases.h"
#include "table/csv/csv.h"
#include "table/row/lines.h"
#include "table/scored.h"

enum { CHUNK = 1 << 10 };

/* ---- an input --------------------------------------------------------------------------------- */

struct row {
    char *key;
    size_t size, place;
    mpq_t value;
};

/* An input as numbers by name: counts of bars, scores of candidates, how often a line occurs, the answers of
 * users. */
struct rows {
    struct row *row;
    size_t count, room;
};

static void clear_rows(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->row[i].key);
        mpq_clear(rows->row[i].value);
    }
    free(rows->row);
}

/* A row of the value 1. */
static pby_status add_row(struct rows *rows, const void *key, size_t size, pby_error *err)
{
    PBY_RESERVE(rows->row, rows->room, rows->count + 1, err);
    struct row *row = &rows->row[rows->count];
    *row = (struct row){.key = malloc(size + 1), .size = size, .place = rows->count};
    if (row->key == NULL)
        return pby_no_memory(err);
    memcpy(row->key, key, size);
    mpq_init(row->value);
    mpq_set_ui(row->value, 1, 1);
    rows->count++;
    return PBY_OK;
}

static pby_status read_chunk(struct rows *out, size_t *n, pby_csv *csv, uint8_t *scratch, pby_error *err)
{
    int64_t count[CHUNK];
    pby_status status = pby_csv_next_chunk(csv, count, CHUNK, n, err);
    for (size_t i = 0; i < *n && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *key = pby_csv_key(csv, i, scratch, &size);
        status = add_row(out, key, size, err);
        if (status == PBY_OK)
            mpq_set_si(out->row[out->count - 1].value, count[i], 1);
    }
    return status;
}

static pby_status read_counts(struct rows *out, const char *path, pby_error *err)
{
    pby_csv *csv = NULL;
    uint64_t all;
    size_t n = 1;
    uint8_t *scratch = malloc(PBY_ROW_KEY_MAX);
    pby_status status = scratch == NULL ? pby_no_memory(err) : pby_csv_open(&csv, path, err);
    if (status == PBY_OK) {
        pby_csv_allow_empty(csv);
        status = pby_csv_scan(csv, &all, err);
    }
    while (status == PBY_OK && n > 0)
        status = read_chunk(out, &n, csv, scratch, err);
    pby_csv_free(csv);
    free(scratch);
    return status;
}

/* Each line is a record, or where `users`, the answer of a user, who is known by the place. */
static pby_status read_records(struct rows *out, const char *path, bool users, pby_error *err)
{
    pby_lines *in = NULL;
    char *line = NULL, place[32];
    pby_status status = pby_lines_open(&in, path, err);
    while (status == PBY_OK && (status = pby_lines_next(in, &line, err)) == PBY_OK && line != NULL) {
        status = add_row(out, line, strlen(line), err);
        if (status == PBY_OK && users) {
            snprintf(place, sizeof place, "%020" PRIu64 " ", pby_lines_number(in));
            struct row *row = &out->row[out->count - 1];
            char *named = malloc(strlen(place) + row->size + 1);
            if (named == NULL)
                status = pby_no_memory(err);
            else {
                memcpy(named, place, strlen(place));
                memcpy(named + strlen(place), row->key, row->size);
                free(row->key);
                row->key = named;
                row->size += strlen(place);
            }
        }
    }
    pby_lines_close(in);
    return status;
}

static pby_status take_score(void *what, mpq_srcptr score, pby_error *err)
{
    struct rows *out = what;
    const pby_status status = add_row(out, "", 0, err);
    if (status == PBY_OK)
        mpq_set(out->row[out->count - 1].value, score);
    return status;
}

static pby_status read_scores(struct rows *out, const char *path, pby_error *err)
{
    pby_scored *scored = NULL;
    pby_status status = pby_scored_read(&scored, path, take_score, out, "a score", err);
    for (size_t i = 0; i < out->count && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = pby_scored_name(scored, i, &size);
        char *key = malloc(size + 1);
        if (key == NULL)
            status = pby_no_memory(err);
        else {
            memcpy(key, name, size);
            free(out->row[i].key);
            out->row[i].key = key;
            out->row[i].size = size;
        }
    }
    pby_scored_free(scored);
    return status;
}

static int by_key(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    const int order = memcmp(x->key, y->key, x->size < y->size ? x->size : y->size);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

/* In the order of the keys, each once, with the sum of its values. */
static void sort_rows(struct rows *rows)
{
    size_t last = 0;
    if (rows->count == 0)
        return;
    qsort(rows->row, rows->count, sizeof *rows->row, by_key);
    for (size_t i = 1; i < rows->count; i++)
        if (by_key(&rows->row[last], &rows->row[i]) == 0) {
            mpq_add(rows->row[last].value, rows->row[last].value, rows->row[i].value);
            free(rows->row[i].key);
            mpq_clear(rows->row[i].value);
        } else
            rows->row[++last] = rows->row[i];
    rows->count = last + 1;
}

/* ---- two inputs ------------------------------------------------------------------------------- */

struct moves {
    mpq_t up, down, most; /* what rows gain and lose in all, and the most that one moves */
    size_t moved, lonely; /* rows that move, and that one input alone has */
    size_t rises, falls;  /* of those that move */
    bool turned;          /* the same keys stand in another order */
};

/* A row that is not there has the value 0. */
static void note_move(struct moves *m, const struct row *left, const struct row *right)
{
    PBY_MPQ(change);
    if (right != NULL)
        mpq_set(change, right->value);
    if (left != NULL)
        mpq_sub(change, change, left->value);
    m->lonely += left == NULL || right == NULL;
    m->turned = m->turned || (left != NULL && right != NULL && left->place != right->place);
    m->moved += mpq_sgn(change) != 0;
    m->rises += mpq_sgn(change) > 0;
    m->falls += mpq_sgn(change) < 0;
    if (mpq_sgn(change) > 0)
        mpq_add(m->up, m->up, change);
    else
        mpq_sub(m->down, m->down, change);
    mpq_abs(change, change);
    if (mpq_cmp(change, m->most) > 0)
        mpq_set(m->most, change);
}

static void compare(struct moves *m, const struct rows *left, const struct rows *right)
{
    size_t i = 0, j = 0;
    while (i < left->count || j < right->count) {
        const struct row *a = i < left->count ? &left->row[i] : NULL,
                         *b = j < right->count ? &right->row[j] : NULL;
        const int order = a == NULL ? 1 : b == NULL ? -1 : by_key(a, b);
        note_move(m, order <= 0 ? a : NULL, order >= 0 ? b : NULL);
        i += order <= 0;
        j += order >= 0;
    }
}

/* ---- the relation ----------------------------------------------------------------------------- */

/* The keys of such a release are public, and so the same on neighbours. */
static bool keys_are_public(const pby_mechanism *m)
{
    const pby_release_form form = m->family->form;
    return form == PBY_RELEASE_COUNTS || form == PBY_RELEASE_RANGES || form == PBY_RELEASE_TOTAL ||
           form == PBY_RELEASE_STATISTIC || form == PBY_RELEASE_CHOSEN || form == PBY_RELEASE_CANDIDATE;
}

static const char *const one_record[] = {[PBY_ADD_REMOVE] = "one record more or fewer",
                                         [PBY_SUBSTITUTE] = "one record changed",
                                         [PBY_LOCAL] = "one user's answer changed"};

/* At most so many bars rise and as many fall, each by at most so much; one way all rise, or all fall. */
static bool bars_fit(const struct moves *m, const pby_mechanism *of, pby_neighbours relation)
{
    const fmpq *each = pby_mechanism_value(of, PBY_ROLE_EACH);
    if (each == NULL)
        return true;
    const fmpq *bars = pby_mechanism_value(of, PBY_ROLE_DIMENSIONS),
               *ways = pby_mechanism_value(of, PBY_ROLE_MOVES);
    const bool both = relation == PBY_SUBSTITUTE || ways != NULL;
    PBY_MPQ(most);
    fmpq_get_mpq(most, each);
    return mpq_cmp(m->most, most) <= 0 && fmpq_cmp_ui(bars, m->rises) >= 0 &&
           fmpq_cmp_ui(bars, m->falls) >= 0 && (both || m->rises == 0 || m->falls == 0);
}

/* Counts may move by the distance in all; where no sensitivity says how, one record changed leaves their sum
 * as it is. */
static bool counts_fit(char *expected, size_t size, const struct moves *m, const pby_mechanism *of,
                       pby_neighbours relation)
{
    const int64_t distance = pby_mechanism_distance(of, relation);
    const fmpq *dimensions = pby_mechanism_value(of, PBY_ROLE_DIMENSIONS);
    const bool kept = relation == PBY_SUBSTITUTE && pby_mechanism_value(of, PBY_ROLE_SENSITIVITY) == NULL &&
                      pby_mechanism_value(of, PBY_ROLE_NORM) == NULL &&
                      pby_mechanism_value(of, PBY_ROLE_EACH) == NULL;
    const bool each = pby_mechanism_value(of, PBY_ROLE_EACH) != NULL;
    const size_t places = relation == PBY_SUBSTITUTE ? (m->moved + 1) / 2 : m->moved;
    PBY_MPQ(all);
    mpq_add(all, m->up, m->down);
    const bool fits = mpq_sgn(all) > 0 && mpq_cmp_si(all, distance, 1) <= 0 &&
                      (!kept || mpq_equal(m->up, m->down)) && bars_fit(m, of, relation) &&
                      (each || dimensions == NULL || fmpq_cmp_ui(dimensions, places) >= 0);
    snprintf(expected, size, "%s, so that the counts differ by %s%" PRId64 " in all", one_record[relation],
             distance == 1 ? "" : "at most ", distance);
    return fits;
}

static bool scores_fit(char *expected, size_t size, const struct moves *m, const pby_mechanism *of)
{
    const fmpq *sensitivity = pby_mechanism_value(of, PBY_ROLE_SENSITIVITY);
    PBY_MPQ(most);
    mpq_set_ui(most, 1, 1);
    if (sensitivity != NULL)
        fmpq_get_mpq(most, sensitivity);
    const bool fits = mpq_sgn(m->most) > 0 && mpq_cmp(m->most, most) <= 0;
    char *text = mpq_get_str(NULL, 10, most);
    snprintf(expected, size, "no score moves by more than the sensitivity, %s", text);
    free(text);
    return fits;
}

/* Lines are records; of users' answers one line is another, at its place. */
static bool records_fit(char *expected, size_t size, const struct moves *m, pby_neighbours relation)
{
    const int up = mpq_cmp_ui(m->up, 1, 1), down = mpq_cmp_ui(m->down, 1, 1);
    snprintf(expected, size, "%s: one line", one_record[relation]);
    return relation == PBY_ADD_REMOVE
               ? (up == 0 && mpq_sgn(m->down) == 0) || (down == 0 && mpq_sgn(m->up) == 0)
               : up == 0 && down == 0;
}

static bool fit(char *expected, size_t size, const struct moves *m, const pby_mechanism *of, bool database,
                pby_neighbours relation)
{
    const pby_input takes = of->family->takes;
    if (!database && takes != PBY_TAKES_POINTS && takes != PBY_TAKES_ANSWERS && keys_are_public(of) &&
        (m->lonely > 0 || m->turned)) {
        snprintf(expected, size, "the same keys in the same order, as %s publishes them%s", of->family->name,
                 m->lonely > 0 ? ": write an empty bar with the count 0" : "");
        return false;
    }
    if (takes == PBY_TAKES_POINTS || takes == PBY_TAKES_ANSWERS)
        return records_fit(expected, size, m, relation);
    return database || takes == PBY_TAKES_COUNTS ? counts_fit(expected, size, m, of, relation)
                                                 : scores_fit(expected, size, m, of);
}

/* ---- the request ------------------------------------------------------------------------------ */

pby_status pby_audit_apart(const pby_audit_request *r, pby_error *err)
{
    struct stat about;
    const char *left = r->operand[0], *right = r->operand[1];
    if (pby_path_named(left) == NULL || pby_path_named(right) == NULL || stat(right, &about) != 0 ||
        !S_ISREG(about.st_mode) || !pby_file_same(left, right))
        return PBY_OK;
    return r->command == NULL && r->release == NULL
               ? pby_refuse(err, "RIGHT", right, "the outputs on the other input, not the file of LEFT again")
               : pby_refuse(err, "inputs", right, "two neighbouring inputs, not the same file twice");
}

static pby_status read_input(struct rows *out, const char *path, const pby_mechanism *m, bool database,
                             pby_error *err)
{
    const pby_input takes = m->family->takes;
    const pby_status status = database || takes == PBY_TAKES_COUNTS ? read_counts(out, path, err)
                              : takes == PBY_TAKES_POINTS || takes == PBY_TAKES_ANSWERS
                                  ? read_records(out, path, takes == PBY_TAKES_ANSWERS, err)
                                  : read_scores(out, path, err);
    if (status == PBY_OK)
        sort_rows(out);
    return status;
}

static pby_status judge(const struct rows rows[2], const pby_audit_request *r, const pby_mechanism *m,
                        pby_error *err)
{
    struct moves moves = {.moved = 0};
    char expected[256], whole[512];
    mpq_inits(moves.up, moves.down, moves.most, NULL);
    compare(&moves, &rows[0], &rows[1]);
    const bool same = moves.moved == 0 && moves.lonely == 0 && !moves.turned,
               fits = fit(expected, sizeof expected, &moves, m, r->queries != NULL, r->neighbours);
    mpq_clears(moves.up, moves.down, moves.most, NULL);
    if (fits && !same)
        return PBY_OK;
    snprintf(whole, sizeof whole, "a neighbour of %s%s (%s): %s", PBY_EXCERPT(r->operand[0]),
             same ? ", not the same data" : "", pby_neighbours_text(r->neighbours), expected);
    return pby_refuse(err, "inputs", r->operand[1], whole);
}

pby_status pby_audit_neighbouring(const pby_audit_request *r, pby_error *err)
{
    pby_spec *spec = NULL;
    struct rows rows[2] = {{.count = 0}, {.count = 0}};
    pby_status status = r->queries != NULL
                            ? pby_databases_spec(&spec, r->release, r->queries, "queries", 0, err)
                            : pby_spec_parse(&spec, &r->release, 1, err);
    const pby_mechanism *m = status == PBY_OK ? &spec->use[0].mechanism : NULL;
    for (int side = 0; side < 2 && status == PBY_OK; side++)
        status = read_input(&rows[side], r->operand[side], m, r->queries != NULL, err);
    for (size_t i = 0; status == PBY_OK && i < spec->count; i++)
        status = judge(rows, r, &spec->use[i].mechanism, err);
    clear_rows(&rows[0]);
    clear_rows(&rows[1]);
    pby_spec_free(spec);
    return status;
}
