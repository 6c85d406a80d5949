#include "table/records/records.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/entries.h"
#include "table/records/lots.h"
#include "table/records/piles.h"

enum { PILES = 256, MEMORY = 1 << 26, OBSERVED = 1 << 14 };

/* ---- what is asked for -------------------------------------------------------------------------- */

static pby_status check_options(const pby_records_options *o, const pby_arguments *names, pby_error *err)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, o->contributions);
    if (o->by == NULL)
        return pby_fail(err, PBY_BAD, "%s: expected the columns that name a group", names->by);
    if (o->user == NULL)
        return o->contributions == 0
                   ? PBY_OK
                   : pby_refuse(err, names->contributions, text, "the column of the user beside it");
    return 1 <= o->contributions && o->contributions <= PBY_CONTRIBUTIONS_MAX
               ? PBY_OK
               : pby_refuse(err, names->contributions, text,
                            "an integer from 1 to 1000000000, the most records of a user that are counted");
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
    pby_csv_input_once(in);
    pby_status status = check_options(o, names, err);
    if (status == PBY_OK && o->user != NULL && (r->user = strdup(o->user)) == NULL)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = pby_groups_make(&r->groups, o->by, o->map, data, names, err);
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
    pby_groups_clear(&r->groups);
    free(r->user);
    free(r);
}

/* ---- counting ----------------------------------------------------------------------------------- */

/* A record on its pile; the name of its user stands behind it. */
struct head {
    uint64_t record, word;
    uint32_t bar, user_size;
};

struct counting {
    pby_records *records;
    pby_raw raw;
    pby_lots lots;
    pby_piles *piles;
    uint8_t key[crypto_shorthash_KEYBYTES]; /* of the piles */
    uint8_t *scratch;
    int64_t *counts; /* of the groups */
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
                           c->records->names->by);
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

static pby_status add_record(struct counting *c, uint64_t record, size_t group, pby_error *err)
{
    pby_status status = make_room(c, group, err);
    if (status != PBY_OK || c->records->user == NULL) {
        if (status == PBY_OK)
            c->counts[group]++;
        return status;
    }
    uint64_t hash;
    size_t size;
    const uint8_t *user = pby_csv_row_key(&c->raw.field[c->raw.wanted - 1], c->scratch, &size);
    const struct head head = {record, pby_lots_word(&c->lots, record), (uint32_t)group, (uint32_t)size};
    crypto_shorthash((uint8_t *)&hash, user, size, c->key);
    return pby_piles_add(c->piles, (size_t)(hash % PILES), &head, sizeof head, user, size, err);
}

static pby_status read_records(struct counting *c, pby_error *err)
{
    pby_records *r = c->records;
    const uint64_t size = pby_csv_input_size(r->in);
    bool found = true;
    pby_status status = PBY_OK;
    for (uint64_t record = 0; status == PBY_OK; record++) {
        size_t group = PBY_NO_NAME;
        status = pby_raw_next(&c->raw, &found, err);
        if (status != PBY_OK || !found)
            break;
        status = pby_groups_find(&r->groups, &c->raw, &group, err);
        if (status == PBY_OK && group != PBY_NO_NAME)
            status = add_record(c, record, group, err);
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
    if (p->n == p->room) {
        const size_t room = 2 * p->room + 64;
        size_t *user = reallocarray(p->user, room, sizeof *user);
        if (user == NULL)
            return pby_no_memory(err);
        p->user = user;
        p->room = room;
    }
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
        p->records[p->end[p->user[i]]++] = (pby_lot){head.record, head.word, head.bar};
    }
    return PBY_OK;
}

static void count_user(struct counting *c, pby_lot *records, size_t n)
{
    const size_t chosen = pby_lots_draw(&c->lots, records, n, c->records->contributions);
    for (size_t i = 0; i < chosen; i++)
        c->counts[records[i].bar]++;
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

static pby_status set_header(pby_entries *entries, const struct counting *c, pby_error *err)
{
    const pby_records *r = c->records;
    const pby_key_names *by = &r->groups.by;
    pby_layout *layout = &entries->layout;
    pby_key_row names = {.bytes = NULL};
    pby_status status = PBY_OK;
    *layout = (pby_layout){.header = true, .chosen = true, .keys = by->count, .records = true};
    for (size_t i = 0; i < by->count && status == PBY_OK; i++) {
        const uint8_t *name = (const uint8_t *)by->name[i];
        layout->key[i] = c->raw.column[i];
        pby_layout_name(layout->key_name[i], name, strlen(by->name[i]));
        status = pby_key_row_add(&names, name, strlen(by->name[i]), err);
    }
    if (r->user != NULL) {
        layout->user = c->raw.column[by->count];
        pby_layout_name(layout->user_name, (const uint8_t *)r->user, strlen(r->user));
        layout->contributions = r->contributions;
    }
    if (status == PBY_OK && r->groups.grouped)
        status = pby_entries_head(entries, "key", strlen("key"), err);
    else if (status == PBY_OK)
        status = by->count == 1 ? pby_entries_head(entries, by->name[0], strlen(by->name[0]), err)
                                : pby_entries_head(entries, names.bytes, names.size, err);
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
        status = set_header(entries, c, err);
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
    pby_raw_wanted wanted[PBY_LAYOUT_KEYS + 1];
    const size_t by = r->groups.by.count;
    for (size_t i = 0; i < by; i++)
        wanted[i] = (pby_raw_wanted){r->names->by, r->groups.by.name[i]};
    wanted[by] = (pby_raw_wanted){r->names->user, r->user};
    c->scratch = malloc(PBY_ROW_KEY_MAX);
    pby_status status = c->scratch == NULL ? pby_no_memory(err) : pby_lots_begin(&c->lots, source, err);
    c->lots.word = r->word;
    crypto_shorthash_keygen(c->key);
    if (status == PBY_OK)
        status = pby_piles_new(&c->piles, PILES, r->memory, err);
    return status == PBY_OK ? pby_raw_open(&c->raw, r->in, wanted, by + (r->user != NULL ? 1 : 0), err)
                            : status;
}

pby_status pby_records_count(pby_csv **out, pby_records *r, pby_entropy *source, pby_error *err)
{
    struct counting *c = calloc(1, sizeof *c);
    *out = NULL;
    if (c == NULL)
        return pby_no_memory(err);
    c->records = r;
    pby_status status = begin(c, source, err);
    if (status == PBY_OK)
        status = read_records(c, err);
    for (size_t i = 0; i < PILES && status == PBY_OK && r->user != NULL; i++)
        status = count_pile(c, i, err);
    if (status == PBY_OK)
        status = write_counts(out, c, err);
    counting_clear(c);
    free(c);
    return status;
}
