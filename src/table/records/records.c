/* SPDX-License-Identifier: MIT */
#include "table/records/records.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/status.h"
#include "table/key/key_kind.h"
#include "table/records/lots.h"
#include "table/records/piles.h"
#include "table/store/entries.h"

enum { PILES = 256, MEMORY = 1 << 26, OBSERVED = 1 << 14 };

/* ---- what is asked for -------------------------------------------------------------------------- */

static pby_status check_options(const pby_records_options *o, const pby_arguments *names, pby_error *err)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, o->contributions);
    if (o->by == NULL && (o->value == NULL || o->map != NULL))
        return pby_fail(err, PBY_BAD, "%s: expected the columns that name a group",
                        pby_argument_name(names, PBY_ARG_BY));
    if (o->user == NULL)
        return o->contributions == 0
                   ? PBY_OK
                   : pby_fail(err, PBY_BAD, "%s '%s': expected the column of the user beside it, as %s",
                              pby_argument_name(names, PBY_ARG_CONTRIBUTIONS), text,
                              pby_argument_name(names, PBY_ARG_USER));
    if (o->contributions == 0)
        return pby_fail(
            err, PBY_BAD,
            "%s: expected it beside %s '%.60s': the most records of a user that are counted, such "
            "as 3",
            pby_argument_name(names, PBY_ARG_CONTRIBUTIONS), pby_argument_name(names, PBY_ARG_USER), o->user);
    return o->contributions <= PBY_CONTRIBUTIONS_MAX
               ? PBY_OK
               : pby_refuse(err, pby_argument_name(names, PBY_ARG_CONTRIBUTIONS), text,
                            "an integer from 1 to 1000000000, the most records of a user that are counted");
}

static pby_status read_value(pby_records *r, const char *text, pby_error *err)
{
    static const char expected[] = "NAME:LO:HI:STEP with LO < HI, both multiples of STEP > 0, and at most "
                                   "1048576 of these";
    bool found = false;
    r->value = strdup(text);
    if (r->value == NULL)
        return pby_no_memory(err);
    if (pby_number_cells_parse(&r->points, &found, r->value, pby_argument_name(r->names, r->names->value),
                               NULL) != PBY_OK ||
        !found) {
        free(r->value);
        r->value = NULL;
        return pby_refuse(err, pby_argument_name(r->names, r->names->value), text, expected);
    }
    return pby_number_cells_nearest(&r->points, &r->first)
               ? PBY_OK
               : pby_refuse(err, pby_argument_name(r->names, r->names->value), text, expected);
}

pby_status pby_records_new(pby_records **out, pby_csv_input *in, const pby_records_options *o,
                           const char *data, const pby_arguments *names, pby_error *err)
{
    pby_records *r = *out = calloc(1, sizeof *r);
    if (r == NULL) {
        pby_csv_input_free(in);
        return pby_no_memory(err);
    }
    r->in = in;
    r->names = names;
    r->memory = MEMORY;
    r->contributions = o->user == NULL ? 1 : o->contributions;
    if (in != NULL)
        pby_csv_input_once(in);
    pby_status status = check_options(o, names, err);
    if (status == PBY_OK && o->user != NULL && (r->user = strdup(o->user)) == NULL)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = pby_groups_make(&r->groups, o->by, o->map, data, names, err);
    if (status == PBY_OK && o->value != NULL)
        status = read_value(r, o->value, err);
    if (status == PBY_OK)
        return PBY_OK;
    pby_records_free(r);
    *out = NULL;
    return status;
}

void pby_records_free(pby_records *r)
{
    if (r == NULL)
        return;
    pby_csv_input_free(r->in);
    pby_arrow_free(r->arrow);
    pby_groups_clear(&r->groups);
    if (r->value != NULL)
        pby_number_cells_clear(&r->points);
    free(r->value);
    free(r->user);
    free(r);
}

/* ---- counting ----------------------------------------------------------------------------------- */

/* A record on its pile; the name of its user stands behind it. */
struct head {
    uint64_t record, word;
    uint32_t bar, cell, user_size;
};

/* Numbers of a group, added up without an end. */
__extension__ typedef __int128 wide;
struct sums {
    wide sum, square;
};

struct counting {
    pby_records *records;
    pby_raw raw;
    pby_lots lots;
    pby_piles *piles;
    uint8_t key[crypto_shorthash_KEYBYTES]; /* of the piles */
    uint8_t *scratch;
    int64_t *counts;   /* of the groups */
    struct sums *sums; /* of the groups, where numbers are added up; else NULL */
    int64_t centre;
    int64_t *cells; /* of the numbers of each group, where these are counted; else NULL. The caller's */
    size_t room;
};

static void counting_clear(struct counting *c)
{
    pby_raw_clear(&c->raw);
    pby_lots_clear(&c->lots);
    pby_piles_free(c->piles);
    if (c->counts != NULL)
        sodium_memzero(c->counts, c->room * sizeof *c->counts);
    free(c->counts);
    if (c->sums != NULL)
        sodium_memzero(c->sums, c->room * sizeof *c->sums);
    free(c->sums);
    if (c->scratch != NULL)
        sodium_memzero(c->scratch, PBY_ROW_KEY_MAX);
    free(c->scratch);
}

/* Room for the count of a group. */
static pby_status make_room(struct counting *c, size_t group, pby_error *err)
{
    if (group < c->room)
        return PBY_OK;
    if (group >= UINT32_MAX)
        return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "%s: expected fewer than 4294967295 groups",
                           pby_argument_name(c->records->names, PBY_ARG_BY));
    const size_t room = 2 * group + 64;
    int64_t *counts = calloc(room, sizeof *counts);
    if (counts == NULL)
        return pby_no_memory(err);
    if (c->counts != NULL) {
        memcpy(counts, c->counts, c->room * sizeof *counts);
        sodium_memzero(c->counts, c->room * sizeof *counts);
    }
    free(c->counts);
    c->counts = counts;
    c->room = room;
    return PBY_OK;
}

/* A record that was chosen. */
static void count_record(struct counting *c, size_t group, uint32_t cell)
{
    c->counts[group]++;
    if (c->cells != NULL)
        c->cells[group * c->records->points.cells + cell]++;
    if (c->sums == NULL)
        return;
    const wide x = (wide)c->records->first + cell - c->centre;
    c->sums[group].sum += x;
    c->sums[group].square += x * x;
}

/* The cell of the row's number, behind its groups and its user. */
static pby_status read_cell(struct counting *c, uint32_t *cell, pby_error *err)
{
    const size_t at = c->raw.wanted - 1;
    uint64_t k = 0;
    size_t size;
    *cell = 0;
    if (c->records->value == NULL)
        return PBY_OK;
    const uint8_t *text = pby_csv_row_key(&c->raw.field[at], c->scratch, &size);
    if (!pby_number_cells_find(&c->records->points, &k, text, size))
        return pby_raw_refuse(&c->raw, at, pby_key_kinds_expected, err);
    *cell = (uint32_t)k;
    return PBY_OK;
}

static pby_status add_record(struct counting *c, uint64_t record, size_t group, uint32_t cell, pby_error *err)
{
    pby_status status = make_room(c, group, err);
    if (status != PBY_OK || c->records->user == NULL) {
        if (status == PBY_OK)
            count_record(c, group, cell);
        return status;
    }
    uint64_t hash;
    size_t size;
    const uint8_t *user = pby_csv_row_key(&c->raw.field[c->records->groups.by.count], c->scratch, &size);
    const struct head head = {record, pby_lots_word(&c->lots, record), (uint32_t)group, cell, (uint32_t)size};
    crypto_shorthash((uint8_t *)&hash, user, size, c->key);
    return pby_piles_add(c->piles, (size_t)(hash % PILES), &head, sizeof head, user, size, err);
}

static pby_status read_records(struct counting *c, pby_error *err)
{
    pby_records *r = c->records;
    const uint64_t size = r->in == NULL ? 0 : pby_csv_input_size(r->in);
    bool found = true;
    pby_status status = PBY_OK;
    for (uint64_t record = 0; status == PBY_OK; record++) {
        size_t group = PBY_NO_NAME;
        uint32_t cell = 0;
        status = pby_raw_next(&c->raw, &found, err);
        if (status != PBY_OK || !found)
            break;
        status = pby_groups_find(&r->groups, &c->raw, &group, err);
        if (status == PBY_OK)
            status = read_cell(c, &cell, err);
        if (status == PBY_OK && group != PBY_NO_NAME)
            status = add_record(c, record, group, cell, err);
        if (record % OBSERVED == 0)
            pby_observe(&r->observer, c->raw.consumed, size);
    }
    return status;
}

/* ---- the users of a pile ------------------------------------------------------------------------ */

struct pile {
    pby_names *users;
    size_t *user;     /* of each record, as they come */
    pby_lot *records; /* user by user */
    size_t *end;      /* of each user's records */
    size_t n, room;
};

static void pile_clear(struct pile *p)
{
    pby_names_free(p->users);
    if (p->records != NULL)
        sodium_memzero(p->records, p->n * sizeof *p->records);
    free(p->records);
    free(p->user);
    free(p->end);
}

/* A record of a pile, and what stands behind it. */
static const uint8_t *next_record(struct head *head, const uint8_t **user, const uint8_t *at)
{
    memcpy(head, at, sizeof *head);
    *user = at + sizeof *head;
    return *user + head->user_size;
}

static pby_status note_user(struct pile *p, size_t number, pby_error *err)
{
    PBY_RESERVE(p->user, p->room, p->n + 1, err);
    p->user[p->n++] = number;
    return PBY_OK;
}

/* The user of each record, by a number. */
static pby_status number_users(struct pile *p, const uint8_t *bytes, size_t size, pby_error *err)
{
    struct head head;
    const uint8_t *user;
    size_t number;
    pby_status status = pby_names_new(&p->users, err);
    for (const uint8_t *at = bytes; at < bytes + size && status == PBY_OK;) {
        at = next_record(&head, &user, at);
        status = pby_names_add(p->users, user, head.user_size, &number, err);
        if (status == PBY_OK)
            status = note_user(p, number, err);
    }
    return status;
}

/* The records of each user side by side: they are counted, then put into their places. */
static pby_status gather_users(struct pile *p, const uint8_t *bytes, size_t size, pby_error *err)
{
    struct head head;
    const uint8_t *user;
    pby_status status = number_users(p, bytes, size, err);
    if (status != PBY_OK)
        return status;
    const size_t users = pby_names_count(p->users);
    p->records = malloc((p->n + 1) * sizeof *p->records);
    p->end = calloc(users + 1, sizeof *p->end);
    if (p->records == NULL || p->end == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < p->n; i++)
        p->end[p->user[i] + 1]++;
    for (size_t i = 1; i <= users; i++)
        p->end[i] += p->end[i - 1];
    const uint8_t *at = bytes;
    for (size_t i = 0; i < p->n; i++) {
        at = next_record(&head, &user, at);
        p->records[p->end[p->user[i]]++] = (pby_lot){head.record, head.word, head.bar, head.cell};
    }
    return PBY_OK;
}

static void count_user(struct counting *c, pby_lot *records, size_t n)
{
    const size_t chosen = pby_lots_draw(&c->lots, records, n, c->records->contributions);
    for (size_t i = 0; i < chosen; i++)
        count_record(c, records[i].bar, records[i].cell);
}

static pby_status count_pile(struct counting *c, size_t number, pby_error *err)
{
    struct pile p = {.n = 0};
    const uint8_t *bytes;
    size_t size, begin = 0;
    pby_status status = pby_piles_take(c->piles, number, &bytes, &size, err);
    if (status == PBY_OK)
        status = gather_users(&p, bytes, size, err);
    for (size_t i = 0; status == PBY_OK && i < pby_names_count(p.users); begin = p.end[i], i++)
        count_user(c, p.records + begin, p.end[i] - begin);
    pile_clear(&p);
    return status;
}

/* ---- the histogram ------------------------------------------------------------------------------ */

static void learn_layout(const struct counting *c)
{
    pby_records *r = c->records;
    const pby_key_names *by = &r->groups.by;
    pby_layout *layout = &r->layout;
    *layout = (pby_layout){.header = true, .chosen = true, .keys = by->count, .records = true};
    for (size_t i = 0; i < by->count; i++) {
        layout->key[i] = c->raw.column[i];
        pby_layout_name(layout->key_name[i], (const uint8_t *)by->name[i], strlen(by->name[i]));
    }
    if (r->user == NULL)
        return;
    layout->user = c->raw.column[by->count];
    pby_layout_name(layout->user_name, (const uint8_t *)r->user, strlen(r->user));
    layout->contributions = r->contributions;
}

/* Writes the header of the groups: the names of the columns, which the caller knows. */
pby_status pby_records_head(pby_key_row *head, const pby_records *r, pby_error *err)
{
    const pby_key_names *by = &r->groups.by;
    pby_status status = PBY_OK;
    if (r->groups.grouped || by->count == 0)
        return pby_key_row_add(head, (const uint8_t *)"key", strlen("key"), err);
    for (size_t i = 0; i < by->count && status == PBY_OK; i++)
        status = pby_key_row_add(head, (const uint8_t *)by->name[i], strlen(by->name[i]), err);
    return status;
}

/* Sets the header to the plain name of one column, or to a row of the names of several. */
static pby_status set_header(pby_entries *entries, const pby_records *r, pby_error *err)
{
    const pby_key_names *by = &r->groups.by;
    pby_key_row names = {.bytes = NULL};
    entries->layout = r->layout;
    if (by->count == 1 && !r->groups.grouped)
        return pby_entries_head(entries, by->name[0], strlen(by->name[0]), err);
    pby_status status = pby_records_head(&names, r, err);
    if (status == PBY_OK)
        status = pby_entries_head(entries, names.bytes, names.size, err);
    pby_key_row_clear(&names);
    return status;
}

static pby_status write_counts(pby_csv **out, struct counting *c, pby_error *err)
{
    const pby_names *names = pby_groups_names(&c->records->groups);
    const bool all = pby_groups_public(&c->records->groups);
    pby_entries *entries;
    pby_status status = pby_entries_new(&entries, "the groups of the records", err);
    if (status == PBY_OK)
        status = set_header(entries, c->records, err);
    for (size_t i = 0; i < pby_names_count(names) && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = pby_names_get(names, i, &size);
        const int64_t count = i < c->room ? c->counts[i] : 0;
        if (all || count > 0)
            status = pby_entries_append(entries, name, size, count, err);
    }
    if (status == PBY_OK)
        return pby_csv_of_entries(out, entries, err);
    pby_entries_free(entries);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------------- */

static pby_status begin(struct counting *c, pby_entropy *source, pby_error *err)
{
    pby_records *r = c->records;
    pby_raw_wanted wanted[PBY_LAYOUT_KEYS + 2];
    const size_t by = r->groups.by.count;
    size_t count = by;
    for (size_t i = 0; i < by; i++)
        wanted[i] = (pby_raw_wanted){pby_argument_name(r->names, PBY_ARG_BY), r->groups.by.name[i],
                                     r->groups.in_cells[i]};
    if (r->user != NULL)
        wanted[count++] = (pby_raw_wanted){pby_argument_name(r->names, PBY_ARG_USER), r->user, false};
    if (r->value != NULL)
        wanted[count++] = (pby_raw_wanted){pby_argument_name(r->names, r->names->value), r->value, true};
    c->scratch = malloc(PBY_ROW_KEY_MAX);
    pby_status status = c->scratch == NULL ? pby_no_memory(err) : pby_lots_begin(&c->lots, source, err);
    c->lots.word = r->word;
    crypto_shorthash_keygen(c->key);
    if (status == PBY_OK)
        status = pby_piles_new(&c->piles, PILES, r->memory, err);
    if (status == PBY_OK)
        status = r->arrow != NULL ? pby_raw_open_arrow(&c->raw, r->arrow, wanted, count, err)
                                  : pby_raw_open(&c->raw, r->in, wanted, count, err);
    return status;
}

/* All that is read, counted; the caller clears. */
static pby_status count_all(struct counting *c, pby_entropy *source, pby_error *err)
{
    if (c->records->tried)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "table: its records have been read, once");
    c->records->tried = true;
    pby_status status = begin(c, source, err);
    if (status == PBY_OK)
        learn_layout(c);
    if (status == PBY_OK)
        status = read_records(c, err);
    for (size_t i = 0; i < PILES && status == PBY_OK && c->records->user != NULL; i++)
        status = count_pile(c, i, err);
    return status;
}

pby_status pby_records_count(pby_csv **out, pby_records *r, pby_entropy *source, pby_error *err)
{
    struct counting *c = calloc(1, sizeof *c);
    *out = NULL;
    if (c == NULL)
        return pby_no_memory(err);
    c->records = r;
    pby_status status = count_all(c, source, err);
    if (status == PBY_OK)
        status = write_counts(out, c, err);
    counting_clear(c);
    free(c);
    return status;
}

/* ---- numbers ------------------------------------------------------------------------------------ */

/* No two sums are further apart behind this than before. */
static int64_t hold(wide x)
{
    const wide most = (wide)1 << 61;
    return (int64_t)(x > most ? most : x < -most ? -most : x);
}

pby_status pby_records_measure(pby_moments *m, pby_records *r, int64_t centre, pby_entropy *source,
                               pby_error *err)
{
    struct counting *c = calloc(1, sizeof *c);
    const size_t n = pby_names_count(pby_groups_names(&r->groups));
    *m = (pby_moments){n, calloc(n + 1, sizeof(int64_t)), calloc(n + 1, sizeof(int64_t)),
                       calloc(n + 1, sizeof(int64_t))};
    if (c == NULL || m->count == NULL || m->sum == NULL || m->square == NULL) {
        free(c);
        return pby_no_memory(err);
    }
    c->records = r;
    c->centre = centre;
    c->room = n;
    c->counts = calloc(n + 1, sizeof *c->counts);
    c->sums = calloc(n + 1, sizeof *c->sums);
    pby_status status = c->counts == NULL || c->sums == NULL ? pby_no_memory(err) : count_all(c, source, err);
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        m->count[i] = c->counts[i];
        m->sum[i] = hold(c->sums[i].sum);
        m->square[i] = hold(c->sums[i].square);
    }
    counting_clear(c);
    free(c);
    return status;
}

pby_status pby_records_tally(pby_tally *t, pby_records *r, pby_entropy *source, pby_error *err)
{
    struct counting *c = calloc(1, sizeof *c);
    *t = (pby_tally){pby_names_count(pby_groups_names(&r->groups)), (size_t)r->points.cells, NULL};
    if (t->groups <= PBY_TALLY_MAX / t->points)
        t->count = calloc(t->groups * t->points + 1, sizeof *t->count);
    if (c == NULL || t->count == NULL) {
        free(c);
        return pby_no_memory(err);
    }
    c->records = r;
    c->cells = t->count;
    const pby_status status = count_all(c, source, err);
    counting_clear(c);
    free(c);
    return status;
}

void pby_tally_clear(pby_tally *t)
{
    if (t->count != NULL)
        sodium_memzero(t->count, t->groups * t->points * sizeof *t->count);
    free(t->count);
}

void pby_moments_clear(pby_moments *m)
{
    int64_t *parts[] = {m->count, m->sum, m->square};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i] != NULL)
            sodium_memzero(parts[i], m->groups * sizeof(int64_t));
        free(parts[i]);
    }
}
