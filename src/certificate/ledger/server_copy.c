/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/server_copy.h"

#include <stdio.h>
#include <stdlib.h>

/* A statement for each entry would give the rows of the last digest and of the sums as many states, which the
 * server keeps until the transaction ends and searches each time: n entries would take n^2. */
enum { BATCH = 2000, NUMBER_SIZE = 24 };

/* The fields of entries travel apart, each as an array of SQL. */
enum { AT, SPEC, BOUND, DELTA, DIGEST, COLUMNS };

struct batch {
    pby_server_link *link;
    FILE *out[COLUMNS]; /* NULL: nothing was put yet */
    char *array[COLUMNS];
    size_t size[COLUMNS], entries;
    long long past; /* the number of the last entry that was sent */
};

static void put_text(FILE *out, const char *text)
{
    fputs(ftell(out) == 1 ? "\"" : ",\"", out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static pby_status begin(struct batch *b, pby_error *err)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        b->out[i] = open_memstream(&b->array[i], &b->size[i]);
        if (b->out[i] == NULL)
            return pby_no_memory(err);
        fputc('{', b->out[i]);
    }
    return PBY_OK;
}

/* Closes and frees the arrays; false if one of them lacks memory. */
static bool end(struct batch *b)
{
    bool whole = true;
    for (size_t i = 0; i < COLUMNS; i++) {
        if (b->out[i] != NULL)
            whole = fclose(b->out[i]) == 0 && whole;
        b->out[i] = NULL;
    }
    return whole;
}

static void clear(struct batch *b)
{
    (void)end(b);
    for (size_t i = 0; i < COLUMNS; i++) {
        free(b->array[i]);
        b->array[i] = NULL;
    }
    b->entries = 0;
}

static pby_status send(struct batch *b, pby_error *err)
{
    char past[NUMBER_SIZE];
    const char *texts[2 + COLUMNS] = {b->link->name.ledger, past};
    if (b->entries == 0)
        return PBY_OK;
    for (size_t i = 0; i < COLUMNS; i++)
        fputc('}', b->out[i]);
    if (!end(b))
        return pby_no_memory(err);
    for (size_t i = 0; i < COLUMNS; i++)
        texts[2 + i] = b->array[i];
    snprintf(past, sizeof past, "%lld", b->past);
    PBY_TRY(pby_link_run(NULL, b->link,
                         "SELECT probity.adopt($1, $2::bigint, $3::text[], $4::text[], $5::text[],"
                         " $6::text[], $7::text[])",
                         texts, sizeof texts / sizeof *texts, err));
    b->past += (long long)b->entries;
    clear(b);
    return PBY_OK;
}

static pby_status put(const pby_ledger_entry *entry, const pby_chain *chain, void *what, pby_error *err)
{
    struct batch *b = what;
    const char *const texts[COLUMNS] = {
        [AT] = entry->at,       [SPEC] = entry->spec,     [BOUND] = entry->epsilon,
        [DELTA] = entry->delta, [DIGEST] = chain->digest,
    };
    if (b->entries == 0)
        PBY_TRY(begin(b, err));
    for (size_t i = 0; i < COLUMNS; i++)
        put_text(b->out[i], texts[i]);
    return ++b->entries < BATCH ? PBY_OK : send(b, err);
}

pby_status pby_server_copy(pby_server_link *link, pby_ledger *source, pby_error *err)
{
    struct batch b = {.link = link};
    pby_status status = pby_store_copy(NULL, source, put, &b, err);
    if (status == PBY_OK)
        status = send(&b, err);
    clear(&b);
    return status;
}
