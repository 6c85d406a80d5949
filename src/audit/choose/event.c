/* SPDX-License-Identifier: MIT */
#include "audit/choose/event.h"
#include "base/printed.h"
#include "base/sorted.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 6, LABEL_SHOWN = 40 };

void pby_event_init(pby_event *event)
{
    *event = (pby_event){.key = NULL};
    fmpq_init(event->share.error);
}

void pby_event_clear(pby_event *event)
{
    free(event->key);
    fmpq_clear(event->share.error);
}

bool pby_event_holds(const pby_event *event, uint64_t key, unsigned level)
{
    const unsigned cut = event->level - level;
    key = cut >= 64 ? 0 : key >> cut;
    if (event->range)
        return event->lo <= key && key <= event->hi;
    return bsearch(&key, event->key, event->count, sizeof key, pby_compare_uint64) != NULL;
}

pby_event_kind pby_event_kind_of(const pby_event *event)
{
    const bool half_line = event->range && (event->lo == 0 || event->hi == UINT64_MAX >> event->level);
    return half_line ? pby_kind_of_half_line(event->feature) : pby_kind_of_set(event->feature);
}

pby_evidence pby_event_count(const pby_event *event, const pby_audit *audit, unsigned parts)
{
    const pby_frequencies *table = &audit->table[event->feature];
    const int p = event->accused, q = 1 - p;
    pby_evidence e = {0, 0, 0, 0};
    for (int part = 0; part < PBY_STAGES; part++)
        if (parts >> part & 1) {
            e.n += pby_audit_given(audit, event->feature, p, part);
            e.m += pby_audit_given(audit, event->feature, q, part);
        }
    for (size_t i = 0; i < table->room; i++) {
        const pby_tally_cell *cell = &table->cell[i];
        if (pby_cell_empty(cell) || !pby_event_holds(event, cell->key, table->level))
            continue;
        for (int part = 0; part < PBY_STAGES; part++)
            if (parts >> part & 1) {
                e.x += cell->count[p][part];
                e.y += cell->count[q][part];
            }
    }
    return e;
}

/* ---- in words --------------------------------------------------------------------------------- */

static const char *label_of(const pby_frequencies *table, uint64_t key)
{
    for (size_t i = 0; i < table->room; i++)
        if (!pby_cell_empty(&table->cell[i]) && table->cell[i].key == key)
            return table->cell[i].label;
    return NULL;
}

static void write_cell(FILE *out, const pby_event *event, const pby_frequencies *table, uint64_t key)
{
    if (!pby_feature_labelled(event->feature)) {
        fprintf(out, "%#" PRIx64, key);
        return;
    }
    const char *label = label_of(table, key);
    fprintf(out, "\"%.*s%s\"", LABEL_SHOWN, label == NULL ? "" : label,
            label != NULL && strlen(label) > LABEL_SHOWN ? "..." : "");
}

static void write_list(FILE *out, const pby_event *event, const pby_frequencies *table)
{
    fprintf(out, event->count == 1 ? "is " : "is one of ");
    for (size_t i = 0; i < event->count && i < SHOWN; i++) {
        fputs(i == 0 ? "" : ", ", out);
        write_cell(out, event, table, event->key[i]);
    }
    if (event->count > SHOWN)
        fprintf(out, " and %zu more", event->count - SHOWN);
}

enum { NUMBER = 40 };

/* The shortest decimal that reads back as the same double. */
static void format_number(char text[NUMBER], double x)
{
    int digits = 6; /* so that -50 is not -5e+01 */
    do
        snprintf(text, NUMBER, "%.*g", digits, x);
    while (strtod(text, NULL) != x && digits++ < 17);
}

static void write_number(FILE *out, double x)
{
    char text[NUMBER];
    format_number(text, x);
    fputs(text, out);
}

/* ---- where a range ends ----------------------------------------------------------------------- */

/* Cuts of coarse cells stand at powers of two far from any output, such as 2^-1024 for "above 0". */
#define TINY 1e-30
#define VAST 1e30

struct words {
    FILE *out;
    const pby_event *event;
    const pby_frequencies *table;
    unsigned block; /* that the range lies in; 0 where there are none */
};

/* True if an output was seen in the block with a value in [from, to), as far as the table tells values apart.
 */
static bool seen_within(const struct words *w, double from, double to)
{
    const unsigned f = w->event->feature, level = w->table->level;
    for (size_t i = 0; i < w->table->room; i++) {
        const pby_tally_cell *cell = &w->table->cell[i];
        if (pby_cell_empty(cell) || pby_key_block(f, cell->key, level) != w->block)
            continue;
        const double value =
            pby_key_value(pby_key_inside(f, cell->key, level), level + pby_feature_block_bits(f));
        if (from <= value && value < to)
            return true;
    }
    return false;
}

/* One end of a range: the values from `at` on, or those below it; or, where `beyond` is set, from behind `at`
 * on, or up to it. */
struct end {
    double at;
    bool beyond, none; /* none: the range has no such end */
};

/* No output lies between 0 and a tiny cut: the cut is at 0, on the side where it separates the same outputs.
 * And none lies beyond a huge one: the range has no end there. */
static struct end plain_end(const struct words *w, double at, bool from)
{
    struct end e = {.at = at, .none = isinf(at)};
    if (at > 0 && at < TINY && !seen_within(w, nextafter(0, 1), at))
        e = (struct end){.at = 0, .beyond = true};
    else if (at < 0 && at > -TINY && !seen_within(w, at, 0))
        e.at = 0;
    else if (fabs(at) > VAST)
        e.none = from ? at < 0 && !seen_within(w, -INFINITY, at) : at > 0 && !seen_within(w, at, INFINITY);
    return e;
}

/* From the least double of a key on, or what is the same, above the one before: the shorter of the two. */
static void write_from(FILE *out, uint64_t lo, unsigned level)
{
    char from[NUMBER], above[NUMBER];
    format_number(from, pby_key_value(lo, level));
    format_number(above, pby_key_value(lo - 1, level));
    const bool shorter = level == 0 && strlen(above) < strlen(from);
    fprintf(out, shorter ? "> %s" : ">= %s", shorter ? above : from);
}

/* The values from the least of key lo up to those of key hi: below the least of the next key. */
static void write_range(const struct words *w, uint64_t lo, uint64_t hi, unsigned level)
{
    FILE *out = w->out;
    const bool exact = level == 0;
    const double least = pby_key_value(lo, level), most = pby_key_value(exact ? hi : hi + 1, level);
    struct end from = exact ? (struct end){.at = least, .none = isinf(least)} : plain_end(w, least, true),
               to = exact ? (struct end){.at = most, .beyond = true, .none = isinf(most)}
                          : plain_end(w, most, false);
    from.none |= lo == 0;
    to.none |= hi == UINT64_MAX >> level;
    if (!from.none && !to.none && from.at == to.at) {
        fputs("= ", out);
        write_number(out, from.at);
    } else if (from.none && to.none) {
        fputs("any", out);
    } else if (to.none && exact) {
        write_from(out, lo, level);
    } else if (to.none) {
        fputs(from.beyond ? "> " : ">= ", out);
        write_number(out, from.at);
    } else if (from.none) {
        fputs(to.beyond ? "<= " : "< ", out);
        write_number(out, to.at);
    } else {
        fputs(from.beyond ? "in (" : "in [", out);
        write_number(out, from.at);
        fputs(", ", out);
        write_number(out, to.at);
        fputs(to.beyond ? "]" : ")", out);
    }
}

/* A range of a feature in blocks lies in one block, which comes first. The few low bits of a value that the
 * block took the place of are not worth a word. */
static void write_in_block(struct words *w, uint64_t lo, uint64_t hi)
{
    const unsigned f = w->event->feature, level = w->event->level;
    const unsigned bits = pby_feature_block_bits(f), back = level == 0 ? bits : 0;
    w->block = pby_key_block(f, lo, level);
    if (w->block > 0)
        fprintf(w->out, "at place %u ", w->block);
    write_range(w, pby_key_inside(f, lo, level) << back, pby_key_inside(f, hi, level) << back,
                level + bits - back);
}

/* Neighbouring keys make one range. */
static void write_ranges(struct words *w, size_t most)
{
    const pby_event *event = w->event;
    size_t shown = 0, ranges = 0;
    for (size_t i = 0, j; i < event->count; i = j) {
        j = i + 1;
        while (j < event->count && event->key[j] == event->key[j - 1] + 1)
            j++;
        ranges++;
        if (shown < most) {
            fputs(shown++ == 0 ? "" : " or ", w->out);
            write_in_block(w, event->key[i], event->key[j - 1]);
        }
    }
    if (ranges > shown)
        fprintf(w->out, " or in %zu more ranges", ranges - shown);
}

static void write_name(FILE *out, const pby_event *event, const pby_audit *audit)
{
    char name[PBY_FEATURE_NAME_SIZE], relation[PBY_RELATION_NAME_SIZE];
    pby_feature_name(name, event->feature);
    pby_relation_name(relation, &audit->model.relation);
    fprintf(out, "%s ", event->feature == PBY_FEATURE_RELATION ? relation : name);
}

char *pby_event_text(const pby_event *event, const pby_audit *audit)
{
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return NULL;
    struct words w = {.out = out, .event = event, .table = &audit->table[event->feature]};
    write_name(out, event, audit);
    if (event->range)
        write_range(&w, event->lo, event->hi, event->level);
    else if (pby_feature_ordered(event->feature))
        write_ranges(&w, SHOWN);
    else
        write_list(out, event, &audit->table[event->feature]);
    return pby_printed_text(&printed);
}

char *pby_event_ranges(const pby_event *event, const pby_audit *audit)
{
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return NULL;
    if (!event->range && pby_feature_ordered(event->feature)) {
        struct words w = {.out = out, .event = event, .table = &audit->table[event->feature]};
        write_name(out, event, audit);
        write_ranges(&w, SIZE_MAX);
    }
    return pby_printed_text(&printed);
}
