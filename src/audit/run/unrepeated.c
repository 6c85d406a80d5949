/* SPDX-License-Identifier: MIT */
#include "audit/run/unrepeated.h"

#include <stdlib.h>
#include <string.h>

#include "audit/count/outcome.h"
#include "audit/run/heading.h"
#include "base/status.h"

/* Fewer than LEAST outputs prove nothing if no value repeats. */
enum { ROOM = 1 << 14, FULL = ROOM / 2, LEAST = 10 };

struct column {
    bool repeats, fractions, falls;
    double last[2];
    uint64_t seen[2], mask; /* hashes that are kept have no bit of the mask */
    size_t kept;
    uint64_t hash[ROOM]; /* 0: free */
};

struct pby_unrepeated {
    size_t columns;
    struct column *column[PBY_UNREPEATED_COLUMNS];
};

pby_status pby_unrepeated_new(pby_unrepeated **out, pby_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out == NULL ? pby_no_memory(err) : PBY_OK;
}

void pby_unrepeated_free(pby_unrepeated *of)
{
    for (size_t i = 0; of != NULL && i < of->columns; i++)
        free(of->column[i]);
    free(of);
}

/* False where it is there already. */
static bool put(struct column *c, uint64_t hash)
{
    size_t at = (size_t)(hash >> 32) % ROOM;
    while (c->hash[at] != 0 && c->hash[at] != hash)
        at = (at + 1) % ROOM;
    const bool is_new = c->hash[at] == 0;
    c->hash[at] = hash;
    c->kept += is_new;
    return is_new;
}

/* Keeps half of them. */
static void thin(struct column *c)
{
    uint64_t *all = malloc(sizeof c->hash);
    if (all == NULL) { /* nothing is claimed of what cannot be looked at */
        c->repeats = true;
        return;
    }
    memcpy(all, c->hash, sizeof c->hash);
    memset(c->hash, 0, sizeof c->hash);
    c->mask = c->mask << 1 | 1;
    c->kept = 0;
    for (size_t i = 0; i < ROOM; i++)
        if (all[i] != 0 && (all[i] & c->mask) == 0)
            put(c, all[i]);
    free(all);
}

static void note_order(struct column *c, int side, const char *field, size_t size)
{
    pby_outcome outcome;
    pby_outcome_read(&outcome, field, size);
    const bool number = outcome.count == 1 && outcome.token[0].kind == PBY_NUMBER;
    if (!number)
        return;
    const double value = outcome.token[0].value;
    c->fractions = c->fractions || memchr(field, '.', size) != NULL || memchr(field, 'e', size) != NULL ||
                   memchr(field, 'x', size) != NULL;
    c->falls = c->falls || (c->seen[side] > 0 && value < c->last[side]);
    c->last[side] = value;
}

static void look(struct column *c, int side, const char *field, size_t size)
{
    if (c->repeats)
        return;
    const uint64_t hash = pby_audit_hash(field, size);
    note_order(c, side, field, size);
    c->seen[side]++;
    if ((hash & c->mask) != 0 || hash == 0)
        return;
    c->repeats = !put(c, hash);
    if (!c->repeats && c->kept == FULL)
        thin(c);
}

void pby_unrepeated_add(pby_unrepeated *of, int side, const char *line, size_t length)
{
    const char *at = line, *field;
    size_t size;
    for (size_t i = 0; i < PBY_UNREPEATED_COLUMNS && pby_heading_field(&field, &size, &at, line + length);
         i++) {
        if (i == of->columns) {
            of->column[i] = calloc(1, sizeof *of->column[i]);
            if (of->column[i] == NULL)
                return;
            of->columns++;
        }
        look(of->column[i], side, field, size);
    }
}

size_t pby_unrepeated_columns(const pby_unrepeated *of)
{
    return of->columns;
}

bool pby_unrepeated_is(const pby_unrepeated *of, size_t column)
{
    const struct column *c = of->column[column];
    return !c->repeats && c->seen[0] >= LEAST && c->seen[1] >= LEAST && !(c->fractions && c->falls);
}
