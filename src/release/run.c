/* SPDX-License-Identifier: MIT */
#include "release/run.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "certificate/unit.h"
#include "io/file.h"
#include "io/spool.h"
#include "mechanism/family.h"
#include "mechanism/noise_bars.h"
#include "number/exact.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/accuracy.h"
#include "probity/release.h"
#include "release/answers.h"
#include "release/candidates.h"
#include "release/databases.h"
#include "release/moment.h"
#include "release/points.h"
#include "release/publish.h"
#include "release/quantile.h"
#include "release/release_steady.h"
#include "release/scattered.h"
#include "table/answer.h"
#include "table/columns.h"
#include "table/csv.h"
#include "table/lines.h"
#include "table/universe.h"

enum { CHUNK = 1 << 14, USES_CHUNK = 1 << 18 /* counts of all uses together */ };

_Static_assert(USES_CHUNK / PBY_RELEASE_USES_MAX > 0, "a row of any number of uses");

/* The most records that a statistic is made of: half of what the kernel can add up; the other half is for
 * noise. */
#define RECORDS_MAX ((uint64_t)1 << 62)

/* The counts of a chunk and what is released of them, in one buffer, which is wiped. One use may write over
 * its counts. */
struct buffer {
    size_t uses, room; /* rows, of each */
    size_t most;       /* that a chunk had */
    int64_t *counts, *noisy;
    int64_t *utility; /* of the rows; NULL: none decide */
    bool *kept;       /* in any case; NULL: none is */
};

static pby_status buffer_new(struct buffer *b, size_t uses, pby_error *err)
{
    const size_t room = uses == 1 ? CHUNK : USES_CHUNK / uses, wide = uses == 1 ? 1 : uses + 1;
    *b = (struct buffer){.uses = uses, .room = room, .counts = malloc(wide * room * sizeof *b->counts)};
    if (b->counts == NULL)
        return pby_no_memory(err);
    b->noisy = uses == 1 ? b->counts : b->counts + room;
    return PBY_OK;
}

/* Of one use only what chunks had needs wiping, unless a chunk was cut short. */
static void buffer_free(struct buffer *b, bool complete)
{
    const size_t whole = (b->uses == 1 ? 1 : b->uses + 1) * b->room;
    sodium_memzero(b->counts, (complete && b->uses == 1 ? b->most : whole) * sizeof *b->counts);
    free(b->counts);
    if (b->utility != NULL)
        sodium_memzero(b->utility, b->room * sizeof *b->utility);
    free(b->utility);
    free(b->kept);
}

/* Every use is a release of its own. */
static pby_status release_chunk(struct buffer *b, pby_release *release, size_t n, pby_error *err)
{
    const pby_gate by = {b->utility, b->kept};
    for (size_t u = 0; u < b->uses; u++)
        PBY_TRY(pby_release_gated(release, b->counts, &by, b->noisy + u * n, n, err));
    return PBY_OK;
}

/* ---- a total behind the bars ------------------------------------------------------------------- */

enum { TOTAL_SIZE = sizeof "total" + PBY_LAYOUT_KEYS };

static bool has_total(const pby_release *release)
{
    return pby_release_form_of(release) == PBY_RELEASE_TOTAL;
}

/* True if raw records are counted. */
static bool has_records(const pby_pipeline *p)
{
    return p->table != NULL && pby_table_contributions(p->table) > 0;
}

/* How many columns name a bar. */
static size_t key_columns(const pby_pipeline *p)
{
    if (p->table != NULL)
        return pby_table_key_columns(p->table);
    return p->keys == NULL ? 1 : p->keys->count;
}

/* The key of the total: of a key of several columns the others are empty. */
static const char *total_key(char key[TOTAL_SIZE], const pby_pipeline *p)
{
    const size_t commas = key_columns(p) - 1;
    strcpy(key, "total");
    memset(key + strlen("total"), ',', commas);
    key[strlen("total") + commas] = '\0';
    return key;
}

static pby_status release_total(const pby_pipeline *p, struct buffer *b, const pby_csv *csv,
                                pby_release *release, pby_publish *publish, pby_rows *rows, pby_error *err)
{
    char key[TOTAL_SIZE];
    b->counts[0] = (int64_t)pby_csv_records(csv);
    b->most = b->most == 0 ? 1 : b->most;
    const pby_status status = release_chunk(b, release, 1, err);
    return status == PBY_OK ? pby_publish_total(publish, rows, total_key(key, p), b->noisy, err) : status;
}

/* What a histogram is read from; NULL where there is none such. */
struct source {
    pby_csv *input;
    pby_csv *bars;      /* that a map counts of the input, or that stand in it and in a list */
    pby_csv *utility;   /* of the same rows, in their order */
    pby_csv *utilities; /* of these, and of a list's */
    pby_universe *keep; /* the list */
};

static void source_clear(struct source *s)
{
    pby_csv_free(s->bars);
    pby_csv_free(s->input);
    pby_csv_free(s->utilities);
    pby_csv_free(s->utility);
    pby_universe_free(s->keep);
}

static pby_csv *utilities_of(const struct source *s)
{
    return s->utilities != NULL ? s->utilities : s->utility;
}

/* What decides beside the counts. */
static pby_status buffer_gate(struct buffer *b, const struct source *s, pby_error *err)
{
    if (utilities_of(s) != NULL)
        b->utility = malloc(b->room * sizeof *b->utility);
    if (s->keep != NULL)
        b->kept = calloc(b->room, sizeof *b->kept);
    return (utilities_of(s) != NULL && b->utility == NULL) || (s->keep != NULL && b->kept == NULL)
               ? pby_no_memory(err)
               : PBY_OK;
}

/* The next n rows of it. */
static pby_status read_gate(struct buffer *b, const struct source *s, const pby_csv *csv, size_t n,
                            pby_error *err)
{
    size_t some = 1;
    pby_status status = PBY_OK;
    if (b->kept != NULL)
        pby_universe_marks(b->kept, s->keep, csv, n);
    if (b->utility == NULL)
        return PBY_OK;
    if (n == 0)
        return pby_csv_next_chunk(utilities_of(s), b->utility, 1, &some, err);
    for (size_t done = 0; done < n && some > 0 && status == PBY_OK; done += some)
        status = pby_csv_next_chunk(utilities_of(s), b->utility + done, n - done, &some, err);
    return status;
}

/* How many bars there are is nobody's to see where some are hidden: beside what is published it would tell
 * how many these are. */
static pby_status release_rows(const pby_pipeline *p, const struct source *s, pby_csv *csv, pby_rows *rows,
                               pby_release *release, pby_publish *publish, uint64_t bars, pby_error *err)
{
    struct buffer buffer;
    pby_status status = buffer_new(&buffer, pby_release_uses(release), err);
    if (status != PBY_OK)
        return status;
    status = buffer_gate(&buffer, s, err);
    size_t n = 1;
    for (uint64_t done = 0; status == PBY_OK && n > 0; done += n) {
        status = pby_csv_next_chunk(csv, buffer.counts, buffer.room, &n, err);
        if (status == PBY_OK)
            status = read_gate(&buffer, s, csv, n, err);
        if (status == PBY_OK)
            status = release_chunk(&buffer, release, n, err);
        if (status == PBY_OK)
            status = pby_publish_chunk(publish, rows, buffer.noisy, n, err);
        pby_observe(&p->observer, done, bars);
        buffer.most = n > buffer.most ? n : buffer.most;
    }
    if (status == PBY_OK && has_total(release))
        status = release_total(p, &buffer, csv, release, publish, rows, err);
    buffer_free(&buffer, status == PBY_OK);
    return status == PBY_OK ? pby_publish_end(publish, rows, err) : status;
}

/* Where suppressed bars must leave no trace, none at all must look like some that were suppressed. */
static bool hides_bars(const pby_release *release)
{
    const pby_release_form form = pby_release_form_of(release);
    return form == PBY_RELEASE_PASSED || form == PBY_RELEASE_PRESENT || form == PBY_RELEASE_PASSED_RANGES;
}

/* Suppressed keys must not decide what is refused: of these, two that are one number are two bars in one
 * place. */
static pby_csv_demand demand_of(char key[TOTAL_SIZE], const pby_pipeline *p, const pby_release *release)
{
    const bool statistic = p->statistic != NULL;
    return (pby_csv_demand){.most = pby_release_most(release),
                            .limit = p->limit,
                            .sum = statistic || has_total(release) ? RECORDS_MAX : UINT64_MAX,
                            .positions = statistic && !hides_bars(release),
                            .reserved = has_total(release) ? total_key(key, p) : NULL};
}

/* Two columns of one table. */
static pby_status open_both(const pby_pipeline *p, struct source *s, const pby_columns_choice *counts,
                            pby_error *err)
{
    pby_arguments names = *p->names;
    const pby_columns_choice utility = {p->keys, p->utility, &names, NULL};
    char *text;
    size_t size;
    names.counts = p->names->utility;
    pby_status status = pby_file_read_table(&text, &size, p->in, err);
    if (status != PBY_OK)
        return status;
    status = pby_columns_parse(&s->input, p->in, text, size, counts, err);
    if (status == PBY_OK)
        status = pby_columns_parse(&s->utility, p->in, text, size, &utility, err);
    sodium_memzero(text, size);
    free(text);
    return status;
}

/* Bars that are kept stand in the histogram whether the data have them or not. */
static pby_status add_kept(const pby_pipeline *p, struct source *s, pby_csv **csv, pby_error *err)
{
    pby_status status = pby_universe_read(&s->keep, p->keep, false, p->names->keep, p->in, err);
    if (status == PBY_OK && p->learned != NULL)
        p->learned->table = *pby_universe_digest(s->keep);
    if (status == PBY_OK)
        status = pby_universe_add(&s->bars, s->keep, s->input, "the data and the list of kept keys", err);
    if (status == PBY_OK && s->utility != NULL)
        status = pby_universe_add(&s->utilities, s->keep, s->utility, "the utilities", err);
    *csv = s->bars;
    return status;
}

static pby_status open_input(const pby_pipeline *p, struct source *s, pby_error *err)
{
    const pby_columns_choice counts = {p->keys, p->counts, p->names, p->step};
    if (p->keys == NULL && p->counts == NULL)
        return pby_csv_open(&s->input, p->in, err);
    return p->utility == NULL ? pby_columns_read(&s->input, p->in, &counts, err)
                              : open_both(p, s, &counts, err);
}

static const char *map_name(const pby_pipeline *p)
{
    return p->group != NULL ? p->names->group : p->names->filter;
}

/* The histogram that the mechanism sees: that of a table, the input's own, or that of the table's bars, whose
 * rows are those that a release of all of them would have. */
static pby_status open_histogram(const pby_pipeline *p, struct source *s, pby_csv **csv, pby_error *err)
{
    const bool grouped = p->group != NULL;
    const char *table = grouped ? p->group : p->filter;
    pby_universe *universe = NULL;
    char name[64];
    pby_status status = PBY_OK;
    if (p->table != NULL) {
        if (p->learned != NULL && pby_table_map_digest(p->table) != NULL)
            p->learned->table = *pby_table_map_digest(p->table);
        return pby_table_histogram(p->table, csv, err);
    }
    if (p->scatter != NULL && p->learned != NULL)
        p->learned->table = p->scatter->digest;
    snprintf(name, sizeof name, "the bars of %s", map_name(p));
    if (table != NULL)
        status = pby_universe_read(&universe, table, grouped, map_name(p), p->in, err);
    if (status == PBY_OK && table != NULL && p->learned != NULL)
        p->learned->table = *pby_universe_digest(universe);
    if (status == PBY_OK)
        status = open_input(p, s, err);
    if (status == PBY_OK && table != NULL)
        status = pby_universe_count(&s->bars, universe, s->input, name, err);
    pby_universe_free(universe);
    *csv = table != NULL ? s->bars : s->input;
    return status == PBY_OK && p->keep != NULL ? add_kept(p, s, csv, err) : status;
}

/* Once all has been scanned. */
static void learn_layout(const pby_pipeline *p, const struct source *s, const pby_csv *csv,
                         const pby_release *release)
{
    if (p->learned != NULL && has_records(p))
        p->learned->layout = *pby_csv_layout(csv);
    if (p->learned == NULL || s->input == NULL)
        return;
    p->learned->layout = *pby_csv_layout(s->input);
    p->learned->named = !hides_bars(release) &&
                        s->bars == NULL; /* a map's bars are public, not the input's */
}

/* Checks all that can be refused. */
static pby_status scan_histogram(const pby_pipeline *p, const pby_release *release, pby_csv *csv,
                                 uint64_t *bars, pby_error *err)
{
    char key[TOTAL_SIZE];
    const pby_csv_demand demand = demand_of(key, p, release);
    if (hides_bars(release)) {
        pby_csv_allow_empty(csv);
        pby_csv_learn_spread(csv);
    }
    pby_csv_demands(csv, &demand);
    pby_status status = pby_csv_scan(csv, bars, err);
    if (status == PBY_OK && p->statistic != NULL && pby_release_has_last(release))
        status = pby_stat_numeric(p->names->statistic, p->statistic, pby_csv_kinds(csv), err);
    return status == PBY_OK && p->statistic != NULL ? pby_stat_order(p->statistic, pby_csv_kinds(csv), err)
                                                    : status;
}

static pby_status scan_utilities(pby_csv *csv, const pby_release *release, pby_error *err)
{
    const pby_csv_demand demand = {
        .most = pby_release_gate_most(release), .limit = INT64_MAX, .sum = UINT64_MAX};
    uint64_t rows;
    pby_csv_allow_empty(csv);
    pby_csv_demands(csv, &demand);
    return pby_csv_scan(csv, &rows, err);
}

static pby_input input_of(const pby_spec *spec)
{
    return spec->count == 1 ? spec->use[0].mechanism.family->takes : PBY_TAKES_COUNTS;
}

static bool reads_lines(const pby_spec *spec)
{
    return input_of(spec) != PBY_TAKES_COUNTS;
}

/* A table of chances is for a spec that names it, and no other. */
static pby_status check_scatter(const pby_pipeline *p, pby_error *err)
{
    const pby_spec *spec = p->budget->spec;
    const pby_mechanism *first = &spec->first;
    char expected[160], named[PBY_DIGEST_SIZE];
    if (p->scatter == NULL)
        return first->family == NULL ? PBY_OK
                                     : pby_fail(err, PBY_BAD, "%s: expected the table that SPEC '%s' names",
                                                p->names->scatter, pby_spec_text(spec));
    if (has_records(p))
        return pby_refuse(err, p->names->scatter, p->scatter->path, "none beside raw records");
    if (first->family == NULL) {
        snprintf(expected, sizeof expected, "a SPEC that names it: scatter:table=%s in front",
                 p->scatter->digest.sha256);
        return pby_refuse(err, p->names->scatter, p->scatter->path, expected);
    }
    pby_mechanism_digest(named, first, pby_family_with(first->family, PBY_ROLE_TABLE));
    snprintf(expected, sizeof expected, "the table whose SHA-256 is %s", named);
    return strcmp(named, p->scatter->digest.sha256) == 0
               ? PBY_OK
               : pby_refuse(err, p->names->scatter, p->scatter->path, expected);
}

struct pby_checked {
    struct source source;
    pby_csv *csv;             /* what is released: the source's input, or its bars */
    pby_scattered *scattered; /* by which the source's bars are drawn in each release; NULL: they are not */
    uint64_t bars;
    bool released; /* once at least, so that the rows have been read to their end */
};

static void checked_clear(pby_checked *checked)
{
    source_clear(&checked->source);
    pby_scattered_free(checked->scattered);
}

void pby_checked_free(pby_checked *checked)
{
    if (checked == NULL)
        return;
    checked_clear(checked);
    free(checked);
}

/* Which keys a draw has is public, and so is all that can be refused of it. */
static pby_status check_scattered(pby_checked *c, const pby_pipeline *p, pby_error *err)
{
    pby_status status =
        pby_scattered_new(&c->scattered, p->scatter, c->csv, "the new keys of the table", err);
    if (status == PBY_OK)
        status = pby_scattered_bars(&c->source.bars, c->scattered, err);
    c->csv = c->source.bars;
    return status;
}

/* Records move anew in each release, once it is charged. */
static pby_status draw_scattered(pby_checked *c, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    pby_csv *moved;
    pby_status status = pby_budget_spend(p->budget, err);
    if (status == PBY_OK)
        status = pby_scattered_draw(&moved, c->scattered, release, err);
    if (status != PBY_OK)
        return status;
    pby_csv_free(c->source.bars);
    c->csv = c->source.bars = moved;
    return scan_histogram(p, release, c->csv, &c->bars, err);
}

static pby_status check_histogram(pby_checked *c, const pby_pipeline *p, const pby_release *release,
                                  pby_error *err)
{
    pby_status status = open_histogram(p, &c->source, &c->csv, err);
    if (status == PBY_OK && p->scatter != NULL)
        status = check_scattered(c, p, err);
    if (status == PBY_OK)
        status = scan_histogram(p, release, c->csv, &c->bars, err);
    return status == PBY_OK && utilities_of(&c->source) != NULL
               ? scan_utilities(utilities_of(&c->source), release, err)
               : status;
}

pby_status pby_pipeline_check(pby_checked **out, const pby_pipeline *p, const pby_release *release,
                              pby_error *err)
{
    *out = NULL;
    if (reads_lines(p->budget->spec))
        return PBY_OK;
    pby_checked *checked = calloc(1, sizeof *checked);
    if (checked == NULL)
        return pby_no_memory(err);
    pby_status status = check_scatter(p, err);
    if (status == PBY_OK)
        status = check_histogram(checked, p, release, err);
    if (status != PBY_OK)
        pby_checked_free(checked);
    else
        *out = checked;
    return status;
}

/* Mechanisms that look at all bars at once. rows, for chosen bars, or a spool for an answer. */
static pby_status release_steady(const pby_pipeline *p, pby_release *release, pby_checked *c, pby_rows *rows,
                                 pby_spool *spool, bool json, pby_error *err)
{
    pby_bars bars = {.count = 0};
    if (c->released)
        pby_csv_again(c->csv);
    c->released = true;
    pby_status status = pby_steady_bars(&bars, c->csv, err);
    if (status == PBY_OK) {
        learn_layout(p, &c->source, c->csv, release);
        status = rows != NULL ? pby_steady_chosen(p->budget, release, &bars, p->rounds, rows, err)
                              : pby_steady_answer(p->budget, release, p->statistic, &bars, spool, json, err);
    }
    if (status == PBY_OK && p->learned != NULL && rows == NULL)
        p->learned->numbers = pby_key_kinds_numbers(&bars.kinds);
    pby_bars_clear(&bars);
    return status;
}

static pby_status release_checked(const pby_pipeline *p, pby_release *release, pby_checked *c, pby_rows *rows,
                                  pby_error *err)
{
    pby_publish *publish = NULL;
    if (pby_release_form_of(release) == PBY_RELEASE_CHOSEN)
        return release_steady(p, release, c, rows, NULL, false, err);
    const bool scattered = c->scattered != NULL;
    if (c->released && !scattered) {
        pby_csv_again(c->csv);
        if (utilities_of(&c->source) != NULL)
            pby_csv_again(utilities_of(&c->source));
    }
    c->released = true;
    pby_status status = scattered ? draw_scattered(c, p, release, err) : PBY_OK;
    if (status == PBY_OK)
        status = pby_release_size(release, pby_csv_records(c->csv), c->bars, err);
    if (status == PBY_OK)
        status = pby_publish_new(&publish, pby_release_form_of(release), pby_release_reach(release),
                                 pby_release_uses(release), c->csv, err);
    if (status == PBY_OK && !scattered)
        status = pby_budget_spend(p->budget, err);
    if (status == PBY_OK) {
        learn_layout(p, &c->source, c->csv, release);
        status = release_rows(p, &c->source, c->csv, rows, release, publish, c->bars, err);
    }
    pby_publish_free(publish);
    return status;
}

static pby_status release_histogram(const pby_pipeline *p, pby_release *release, pby_rows *rows,
                                    pby_error *err)
{
    pby_checked checked = {.csv = NULL};
    pby_status status = check_histogram(&checked, p, release, err);
    if (status == PBY_OK)
        status = release_checked(p, release, &checked, rows, err);
    checked_clear(&checked);
    return status;
}

static pby_status release_lines(const pby_pipeline *p, pby_release *release, pby_input takes, pby_rows *rows,
                                pby_error *err)
{
    pby_csv_input *input;
    pby_lines *lines;
    pby_status status = p->table != NULL ? pby_table_lines(p->table, &input, err) : PBY_OK;
    if (status == PBY_OK)
        status = p->table != NULL ? pby_lines_of(&lines, input, err) : pby_lines_open(&lines, p->in, err);
    if (status != PBY_OK)
        return status;
    if (pby_release_form_of(release) == PBY_RELEASE_POINT)
        status = pby_release_records(p->budget, release, lines, p->along, rows, err);
    else
        status = takes == PBY_TAKES_POINTS ? pby_release_points(p->budget, release, lines, rows, err)
                                           : pby_release_answers(p->budget, release, lines, rows, err);
    pby_lines_close(lines);
    return status;
}

/* The table that the mechanism names, and no other. */
static pby_status check_queries(const pby_pipeline *p, const pby_mechanism *m, const pby_queries *q,
                                pby_error *err)
{
    char named[PBY_DIGEST_SIZE], expected[128];
    pby_mechanism_digest(named, m, pby_family_with(m->family, PBY_ROLE_TABLE));
    snprintf(expected, sizeof expected, "the table whose SHA-256 is %s", named);
    return strcmp(named, q->digest.sha256) == 0 ? PBY_OK
                                                : pby_refuse(err, p->names->queries, p->queries, expected);
}

static pby_status check_size(const pby_mechanism *m, const pby_queries *q, size_t size, pby_error *err)
{
    char expected[128];
    snprintf(expected, sizeof expected, "at most %d databases of that size, for %zu kinds", PBY_DATABASES_MAX,
             pby_names_count(q->kinds));
    return pby_databases_count(pby_names_count(q->kinds), size) != 0 ? PBY_OK
                                                                     : pby_mechanism_refuse(m, expected, err);
}

/* A small database in the place of the data. */
static pby_status release_database(const pby_pipeline *p, pby_release *release, pby_rows *rows,
                                   pby_error *err)
{
    const pby_mechanism *m = &p->budget->spec->use[0].mechanism;
    const size_t size = (size_t)pby_mechanism_natural(m, pby_family_with(m->family, PBY_ROLE_RECORDS));
    pby_queries *q;
    pby_status status = pby_queries_read(&q, p->queries, err);
    if (status != PBY_OK)
        return status;
    if (p->learned != NULL)
        p->learned->table = q->digest;
    status = check_queries(p, m, q, err);
    if (status == PBY_OK)
        status = check_size(m, q, size, err);
    if (status == PBY_OK)
        status = pby_release_database(p->budget, release, p->table, p->in, q, size, rows, err);
    pby_queries_free(q);
    return status;
}

static pby_status release_scores(const pby_pipeline *p, pby_release *release, pby_rows *rows, pby_error *err)
{
    return p->queries != NULL
               ? release_database(p, release, rows, err)
               : pby_release_candidates(p->budget, release, p->table, p->in, p->range, rows, err);
}

/* A histogram; or points, answers or candidates, one a line, whatever the header calls them. */
static pby_status release_input(const pby_pipeline *p, pby_release *release, pby_rows *rows, pby_error *err)
{
    const pby_input input = input_of(p->budget->spec);
    if (p->learned != NULL && input != PBY_TAKES_COUNTS)
        p->learned->layout = (pby_layout){.input = input};
    switch (input) {
    case PBY_TAKES_POINTS:
    case PBY_TAKES_ANSWERS:
        return release_lines(p, release, input, rows, err);
    case PBY_TAKES_SCORES:
        return release_scores(p, release, rows, err);
    case PBY_TAKES_COUNTS:
        break;
    }
    return release_histogram(p, release, rows, err);
}

static pby_status release_rows_of(const pby_pipeline *p, pby_release *release, pby_checked *checked,
                                  pby_rows *rows, pby_error *err)
{
    PBY_MPQ(unit);
    pby_release_unit(unit, release);
    if (p->step != NULL)
        mpq_set(unit, p->step);
    rows->unit = mpq_cmp_ui(unit, 1, 1) == 0 ? NULL : unit;
    PBY_TRY(pby_rows_open(rows, err));
    PBY_TRY(checked != NULL ? release_checked(p, release, checked, rows, err)
                            : release_input(p, release, rows, err));
    return pby_rows_close(rows, err);
}

static pby_status release_data(const pby_pipeline *p, pby_release *release, pby_checked *checked,
                               pby_spool *spool, bool json, pby_error *err)
{
    pby_rows rows = {.spool = spool,
                     .json = json,
                     .tuples = key_columns(p) > 1,
                     .gaps = pby_release_form_of(release) != PBY_RELEASE_COUNTS};
    return release_rows_of(p, release, checked, &rows, err);
}

/* ---- a statistic behind ----------------------------------------------------------------------- */

static pby_status write_json(const pby_statistic *statistic, const pby_bars *bars, pby_spool *spool,
                             pby_error *err)
{
    json_t *value;
    pby_status status = pby_stat_json(&value, statistic, bars, err);
    if (status != PBY_OK)
        return status;
    char *text = pby_json_text(value, JSON_ENCODE_ANY);
    status = text == NULL ? pby_no_memory(err) : pby_spool_write(spool, text, strlen(text), err);
    free(text);
    return status;
}

static pby_status write_text(const pby_statistic *statistic, const pby_bars *bars, pby_spool *spool,
                             pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return pby_no_memory(err);
    pby_status status = pby_stat_print(out, statistic, bars, err);
    if (fclose(out) != 0 && status == PBY_OK)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = pby_spool_write(spool, text, size, err);
    free(text);
    return status;
}

/* The answer behind a last step, in quotes as JSON has it. */
static pby_status write_last(const pby_statistic *statistic, const pby_bars *bars, pby_release *release,
                             pby_spool *spool, bool json, pby_error *err)
{
    bool none = false;
    char *text = NULL;
    PBY_MPQ(number);
    pby_status status = pby_stat_number(number, &none, statistic, bars, err);
    if (status == PBY_OK && !none)
        status = pby_release_take_last(number, release, number, err);
    if (status == PBY_OK) {
        text = none ? strdup(json ? "null" : "none") : pby_exact_text(number);
        status = text == NULL ? pby_no_memory(err) : PBY_OK;
    }
    if (status == PBY_OK && json && !none)
        status = pby_spool_write(spool, "\"", 1, err);
    if (status == PBY_OK)
        status = pby_spool_write(spool, text, strlen(text), err);
    if (status == PBY_OK && (!json || !none))
        status = pby_spool_write(spool, json ? "\"" : "\n", 1, err);
    free(text);
    return status;
}

/* Which keys passed is known only now: where they are hidden, this refusal comes behind the charge. */
static pby_status learn_order(const pby_pipeline *p, const pby_key_kinds *kinds, pby_error *err)
{
    if (p->learned != NULL) {
        p->learned->numbers = pby_key_kinds_numbers(kinds);
        p->learned->mixed = pby_stat_mixed(p->statistic, kinds);
    }
    return pby_stat_order(p->statistic, kinds, err);
}

/* Of the released histogram, which stays in memory. */
static pby_status release_statistic(const pby_pipeline *p, pby_release *release, pby_checked *checked,
                                    pby_spool *spool, bool json, pby_error *err)
{
    pby_store *released;
    pby_bars bars = {.count = 0};
    pby_status status = pby_store_new(&released, err);
    if (status != PBY_OK)
        return status;
    pby_rows rows = {.store = released, .gaps = pby_release_form_of(release) != PBY_RELEASE_COUNTS};
    status = release_rows_of(p, release, checked, &rows, err);
    if (status == PBY_OK)
        status = pby_bars_of(&bars, released, err);
    if (status == PBY_OK)
        status = learn_order(p, &bars.kinds, err);
    if (status == PBY_OK && pby_release_has_last(release))
        status = write_last(p->statistic, &bars, release, spool, json, err);
    else if (status == PBY_OK)
        status = json ? write_json(p->statistic, &bars, spool, err)
                      : write_text(p->statistic, &bars, spool, err);
    pby_bars_clear(&bars);
    pby_store_free(released);
    return status;
}

/* ---- what is asked for ------------------------------------------------------------------------ */

/* A statistic is of one histogram of whole counts. */
static pby_status check_counts(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    const char *name = pby_statistic_text(p->statistic->name);
    PBY_MPQ(unit);
    pby_release_unit(unit, release);
    const bool whole = mpq_cmp_ui(unit, 1, 1) == 0 && p->step == NULL;
    if (pby_release_uses(release) > 1)
        return pby_refuse(err, p->names->statistic, name, "one use: several release several histograms");
    return whole ? PBY_OK
                 : pby_refuse(err, p->names->statistic, name,
                              "a mechanism that releases whole counts: a grid of 1");
}

static pby_status check_statistic(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    const pby_release_form form = pby_release_form_of(release);
    if (form == PBY_RELEASE_STATISTIC)
        return p->statistic != NULL
                   ? PBY_OK
                   : pby_fail(err, PBY_BAD,
                              "%s: expected max, max_k or mode, whose answer SPEC '%s' publishes",
                              p->names->statistic, pby_spec_text(p->budget->spec));
    if (p->statistic == NULL)
        return pby_release_check_last(release, err);
    if (pby_release_has_last(release) && p->statistic->name == PBY_STATISTIC_SUPPORT)
        return pby_refuse(err, p->names->statistic, "support", "a number behind the last step");
    if (form != PBY_RELEASE_COUNTS && form != PBY_RELEASE_PASSED)
        return pby_refuse(err, p->names->statistic, pby_statistic_text(p->statistic->name),
                          "a mechanism that releases counts");
    const pby_status status = check_counts(p, release, err);
    return status == PBY_OK ? pby_statistic_released(p->budget->spec, p->statistic, err) : status;
}

static bool names_table(const pby_spec *spec)
{
    return pby_family_with(spec->use[0].mechanism.family, PBY_ROLE_TABLE) != PBY_PARAMETERS_MAX;
}

/* Queries are for a mechanism that names them, and a range for what reads scores. */
static pby_status check_scores(const pby_pipeline *p, pby_error *err)
{
    static const char expected[] = "a mechanism that chooses a candidate";
    const pby_spec *spec = p->budget->spec;
    if (p->queries != NULL && !names_table(spec))
        return pby_refuse(err, p->names->queries, p->queries, "a mechanism that answers queries: smalldb");
    if (p->queries == NULL && names_table(spec))
        return pby_fail(err, PBY_BAD, "%s: expected the table that SPEC '%s' names", p->names->queries,
                        pby_spec_text(spec));
    if (p->range != NULL && p->queries != NULL)
        return pby_fail(err, PBY_BAD, "%s: expected no %s, as scores are worked out", p->names->range,
                        p->names->queries);
    return p->range != NULL && input_of(spec) != PBY_TAKES_SCORES
               ? pby_fail(err, PBY_BAD, "%s: expected %s", p->names->range, expected)
               : PBY_OK;
}

static bool gives_point(const pby_spec *spec)
{
    return spec->count == 1 && spec->use[0].mechanism.family->form == PBY_RELEASE_POINT;
}

/* A direction turns points into numbers. */
static pby_status check_direction(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    return p->along == NULL || pby_release_dimension(release) == 1
               ? PBY_OK
               : pby_refuse(err, p->names->along, p->along->text,
                            "a mechanism that reads numbers: fbquantile");
}

/* A map or chosen columns are of a histogram. */
static pby_status check_lines(const pby_pipeline *p, pby_error *err)
{
    static const char expected[] = "a mechanism that reads KEY,COUNT";
    const char *map = p->group != NULL ? p->group : p->filter;
    if (!reads_lines(p->budget->spec))
        return PBY_OK;
    if (map != NULL)
        return pby_refuse(err, map_name(p), map, expected);
    if (p->keys != NULL || p->counts != NULL)
        return pby_refuse(err, p->keys != NULL ? p->names->keys : p->names->counts,
                          p->keys != NULL ? p->keys->text : p->counts, expected);
    if (p->limit < INT64_MAX &&
        (input_of(p->budget->spec) >= PBY_TAKES_ANSWERS || gives_point(p->budget->spec)))
        return pby_fail(err, PBY_BAD, "%s: expected a mechanism that reads counts", p->names->truncate);
    return PBY_OK;
}

static pby_status check_groups(const pby_pipeline *p, pby_error *err)
{
    static const char expected[] =
        "a ledger whose rows are disjoint: two rows of one record may be in one group";
    if (pby_budget_rows(p->budget) == 1)
        return PBY_OK;
    if (p->group != NULL || p->scatter != NULL)
        return pby_refuse(err, p->group != NULL ? p->names->group : p->names->scatter,
                          p->group != NULL ? p->group : p->scatter->path, expected);
    return p->table != NULL && pby_table_grouped(p->table)
               ? pby_fail(err, PBY_BAD, "table: expected %s", expected)
               : PBY_OK;
}

/* A table or a statistic knows bars by one name. */
static pby_status check_keys(const pby_pipeline *p, pby_error *err)
{
    char expected[96];
    const bool records = has_records(p);
    if (key_columns(p) == 1)
        return PBY_OK;
    snprintf(expected, sizeof expected, "one column of %s: a bar has one name there",
             records ? p->names->by : p->names->keys);
    if (p->statistic != NULL)
        return pby_refuse(err, p->names->statistic, pby_statistic_text(p->statistic->name), expected);
    if (records)
        return PBY_OK;
    if (p->scatter != NULL)
        return pby_refuse(err, p->names->scatter, p->scatter->path, expected);
    const char *map = p->group != NULL ? p->group : p->filter;
    return map != NULL ? pby_refuse(err, map_name(p), map, expected) : PBY_OK;
}

/* A radius counts changes of the histogram that the mechanism sees: a changed record that a map drops would
 * be another change. Rounds are those of choosing. */
static pby_status check_steady(const pby_pipeline *p, const pby_release *release, bool mapped, pby_error *err)
{
    const pby_release_form form = pby_release_form_of(release);
    const char *text = pby_spec_text(p->budget->spec);
    if (p->rounds > 0 && form != PBY_RELEASE_CHOSEN)
        return pby_fail(err, PBY_BAD, "%s: expected a mechanism that chooses bars: choosing",
                        p->names->rounds);
    if (form < PBY_RELEASE_STATISTIC)
        return PBY_OK;
    if (p->limit < INT64_MAX)
        return pby_fail(err, PBY_BAD, "%s: expected a mechanism that releases every bar", p->names->truncate);
    if (mapped && pby_release_relation(release) != PBY_ADD_REMOVE)
        return pby_refuse(err, "SPEC", text, "add-remove neighbours behind a filter or groups");
    return pby_budget_rows(p->budget) == 1
               ? PBY_OK
               : pby_refuse(err, "SPEC", text, "a ledger whose rows are disjoint: a record is in one bar");
}

/* Utilities are for a threshold of them; a list of kept bars for any threshold, in front of no map. */
static pby_status check_gate(const pby_pipeline *p, const pby_release *release, bool mapped, pby_error *err)
{
    const bool asks = pby_release_by_utility(release);
    if (p->utility == NULL && asks)
        return pby_fail(err, PBY_BAD, "%s: expected the column by which SPEC '%s' keeps bars",
                        p->names->utility, pby_spec_text(p->budget->spec));
    if (p->utility != NULL && !asks)
        return pby_refuse(err, p->names->utility, p->utility,
                          "a threshold with of=utility in front of a mechanism");
    if (p->utility != NULL && (mapped || p->keys == NULL || p->counts == NULL))
        return pby_refuse(err, p->names->utility, p->utility,
                          "the names of the keys and the counts beside it, and no map");
    if (p->keep != NULL && (mapped || key_columns(p) > 1 || !hides_bars(release) ||
                            pby_release_form_of(release) == PBY_RELEASE_PRESENT))
        return pby_refuse(err, p->names->keep, p->keep,
                          "a threshold of the rows KEY,COUNT, without a map in front of it");
    return PBY_OK;
}

/* Steps are told apart by a sensitivity that is counted in them. */
static pby_status check_step(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    const pby_spec *spec = p->budget->spec;
    const pby_release_form form = pby_release_form_of(release);
    if (p->step == NULL)
        return PBY_OK;
    PBY_MPQ(unit);
    pby_release_unit(unit, release);
    bool fits = mpq_cmp_ui(unit, 1, 1) == 0 &&
                (form == PBY_RELEASE_COUNTS || form == PBY_RELEASE_PASSED || form == PBY_RELEASE_RANGES ||
                 form == PBY_RELEASE_PASSED_RANGES);
    for (size_t i = 0; i < spec->count; i++)
        fits = fits && pby_mechanism_value(&spec->use[i].mechanism, PBY_ROLE_SENSITIVITY) != NULL;
    if (!fits)
        return pby_refuse_mpq(err, p->names->step, p->step,
                              "a mechanism of counts or ranges with a sensitivity, which is in steps");
    return p->counts != NULL
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "%s: expected %s beside it", p->names->step, p->names->counts);
}

/* ---- raw records ------------------------------------------------------------------------------ */

/* Whether a mechanism takes a user with so many records to be as far from none as these may be: all in one
 * bar, or each in one of its own; under substitute they leave as many bars and enter as many. */
static pby_status check_mechanism(const pby_mechanism *m, uint64_t contributions, pby_neighbours relation,
                                  pby_error *err)
{
    const uint64_t distance = contributions * (relation == PBY_SUBSTITUTE ? 2 : 1);
    const fmpq *dimensions = pby_mechanism_value(m, PBY_ROLE_DIMENSIONS);
    char expected[128];
    if (pby_mechanism_value(m, PBY_ROLE_NORM) != NULL)
        return pby_mechanism_lengths(m, relation, contributions, err);
    if ((uint64_t)pby_mechanism_distance(m, relation) < distance) {
        if (pby_mechanism_value(m, PBY_ROLE_SENSITIVITY) == NULL)
            snprintf(expected, sizeof expected, "one record of a user: it has no sensitivity for more");
        else
            snprintf(expected, sizeof expected,
                     "sensitivity=%" PRIu64 " or more: a user's records move the counts by that", distance);
        return pby_mechanism_refuse(m, expected, err);
    }
    const fmpq *new = pby_mechanism_value(m, PBY_ROLE_NEW);
    if (new != NULL && fmpq_cmp_ui(new, (ulong)contributions) < 0) {
        snprintf(expected, sizeof expected, "new=%" PRIu64 " or more: a user's records bring as many bars",
                 contributions);
        return pby_mechanism_refuse(m, expected, err);
    }
    if (dimensions != NULL && fmpq_cmp_ui(dimensions, (ulong)contributions) < 0) {
        snprintf(expected, sizeof expected, "dimensions=%" PRIu64 " or more: a user's records are in as many",
                 contributions);
        return pby_mechanism_refuse(m, expected, err);
    }
    return PBY_OK;
}

static pby_status check_distances(const pby_pipeline *p, pby_error *err)
{
    const pby_spec *spec = p->budget->spec;
    pby_neighbours relation;
    PBY_TRY(pby_budget_neighbours(&relation, p->budget, err));
    for (size_t i = 0; i < spec->count; i++)
        PBY_TRY(check_mechanism(&spec->use[i].mechanism, pby_table_contributions(p->table), relation, err));
    return PBY_OK;
}

/* Where keys are published that nobody has listed, which of them occur is told. Without a release it is about
 * numbers, whose distances are checked apart. */
static pby_status check_records(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    if (release != NULL && reads_lines(p->budget->spec))
        return pby_fail(err, PBY_BAD, "%s: expected a mechanism that reads counts", p->names->by);
    if (pby_budget_rows(p->budget) > 1)
        return pby_fail(err, PBY_BAD,
                        "%s: expected a ledger whose rows are disjoint: records are counted once",
                        p->names->by);
    if (!pby_table_mapped(p->table) && p->moment != PBY_MOMENT_NONE)
        return pby_fail(
            err, PBY_BAD,
            "%s: expected a public list of the groups, or %s a map of them: no threshold stands in "
            "front of sums, means, variances and quantiles",
            p->names->filter, p->names->group);
    if (!pby_table_mapped(p->table) && (release == NULL || !hides_bars(release)))
        return pby_fail(err, PBY_BAD,
                        "%s: expected a public list of the groups, or a mechanism that hides which occur: "
                        "threshold, partition",
                        p->names->filter);
    return release == NULL ? PBY_OK : check_distances(p, err);
}

/* The unit of privacy is that of the records, or what the caller says of a histogram. */
static pby_status check_unit(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    const bool records = has_records(p);
    const char *user = records ? pby_table_user(p->table) : p->user;
    if (records && p->user != NULL && !pby_unit_same(p->user, user))
        return pby_refuse(err, p->names->user, p->user, "the column of the records, or none");
    const pby_status status = pby_budget_unit(p->budget, user, p->names->ledger, err);
    return status == PBY_OK && records ? check_records(p, release, err) : status;
}

static pby_status prepare(const pby_pipeline *p, pby_release *release, pby_error *err)
{
    const bool mapped = p->group != NULL || p->filter != NULL || p->scatter != NULL || has_records(p) ||
                        (p->table != NULL && pby_table_mapped(p->table));
    PBY_TRY(check_unit(p, release, err));
    PBY_TRY(check_statistic(p, release, err));
    if (p->statistic != NULL)
        pby_release_hold_last(release);
    PBY_TRY(check_keys(p, err));
    PBY_TRY(check_lines(p, err));
    PBY_TRY(check_direction(p, release, err));
    PBY_TRY(check_scores(p, err));
    PBY_TRY(check_scatter(p, err));
    PBY_TRY(check_steady(p, release, mapped, err));
    PBY_TRY(check_groups(p, err));
    PBY_TRY(check_gate(p, release, mapped, err));
    PBY_TRY(check_step(p, release, err));
    if (p->timing_safe && p->scatter != NULL)
        PBY_TRY(pby_refuse(err, p->names->scatter, p->scatter->path,
                           "none beside a timing-safe release: more records take longer to move"));
    if (p->timing_safe)
        PBY_TRY(pby_release_timing_safe(release, err));
    if (p->timing_safe)
        PBY_TRY(pby_points_timing_safe(p->budget->spec, p->names->timing_safe, err));
    if (mapped)
        PBY_TRY(pby_release_mapped(release, err));
    if (p->limit < INT64_MAX)
        return pby_release_truncate(release, p->limit, err);
    return PBY_OK;
}

/* Of records with a number, and of nothing that is made of counts. */
static pby_status check_moment(const pby_pipeline *p, pby_error *err)
{
    static const char expected[] = "counts, in the place of sums, means, variances or quantiles";
    if (!has_records(p) || p->table->records == NULL || p->table->records->value == NULL)
        return pby_fail(err, PBY_BAD, "%s: expected the column of a number", p->names->value);
    if (p->statistic != NULL)
        return pby_refuse(err, p->names->statistic, pby_statistic_text(p->statistic->name), expected);
    if (p->limit < INT64_MAX || p->timing_safe)
        return pby_fail(err, PBY_BAD, "%s: expected %s",
                        p->timing_safe ? p->names->timing_safe : p->names->truncate, expected);
    pby_quantiles quantiles;
    pby_status status = check_unit(p, NULL, err);
    if (status == PBY_OK && p->moment != PBY_MOMENT_QUANTILE)
        return pby_moment_check(p->budget, p->table->records, p->moment, err);
    if (status == PBY_OK)
        status = pby_quantiles_parse(&quantiles, p->names->quantiles, p->quantiles, err);
    return status == PBY_OK ? pby_quantile_check(p->budget, p->table->records, &quantiles, err) : status;
}

pby_status pby_pipeline_begin(pby_release **out, const pby_pipeline *p, pby_error *err)
{
    pby_neighbours relation;
    *out = NULL;
    if (p->moment != PBY_MOMENT_NONE)
        return check_moment(p, err);
    pby_status status = pby_budget_neighbours(&relation, p->budget, err);
    if (status == PBY_OK)
        status = pby_release_new(out, p->budget->spec, relation, err);
    if (status == PBY_OK)
        status = prepare(p, *out, err);
    if (status != PBY_OK) {
        pby_release_free(*out);
        *out = NULL;
    }
    return status;
}

/* The answer of a statistic that the mechanism itself asks for. */
static pby_status release_answer(const pby_pipeline *p, pby_release *release, pby_checked *checked,
                                 pby_spool *spool, bool json, pby_error *err)
{
    pby_checked own = {.csv = NULL};
    pby_status status = checked != NULL ? PBY_OK : check_histogram(&own, p, release, err);
    if (status == PBY_OK)
        status = release_steady(p, release, checked != NULL ? checked : &own, NULL, spool, json, err);
    checked_clear(&own);
    return status;
}

bool pby_pipeline_object(const pby_pipeline *p)
{
    return p->json && p->out == NULL;
}

/* Numbers in the place of counts. */
static pby_status release_moment(const pby_pipeline *p, pby_rows *rows, pby_error *err)
{
    pby_quantiles quantiles;
    pby_status status = PBY_OK;
    if (p->moment == PBY_MOMENT_QUANTILE)
        status = pby_quantiles_parse(&quantiles, p->names->quantiles, p->quantiles, err);
    if (status == PBY_OK)
        status = p->moment == PBY_MOMENT_QUANTILE
                     ? pby_quantile_release(p->budget, p->table->records, &quantiles, rows, err)
                     : pby_moment_release(p->budget, p->table->records, p->moment, rows, err);
    if (p->learned != NULL && status == PBY_OK) {
        p->learned->layout = p->table->records->layout;
        if (pby_table_map_digest(p->table) != NULL)
            p->learned->table = *pby_table_map_digest(p->table);
    }
    return status;
}

pby_status pby_pipeline_again(pby_spool *spool, const pby_pipeline *p, pby_release *release,
                              pby_checked *checked, pby_error *err)
{
    const bool object = pby_pipeline_object(p);
    if (p->moment != PBY_MOMENT_NONE) {
        pby_rows rows = {.spool = spool, .json = object, .tuples = key_columns(p) > 1};
        return release_moment(p, &rows, err);
    }
    if (pby_release_form_of(release) == PBY_RELEASE_STATISTIC)
        return release_answer(p, release, checked, spool, object, err);
    return p->statistic != NULL ? release_statistic(p, release, checked, spool, object, err)
                                : release_data(p, release, checked, spool, object, err);
}

pby_status pby_pipeline_store(pby_store *store, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    pby_store_split(store, key_columns(p));
    if (p->moment != PBY_MOMENT_NONE) {
        pby_rows rows = {.store = store};
        return release_moment(p, &rows, err);
    }
    pby_rows rows = {.store = store, .gaps = pby_release_form_of(release) != PBY_RELEASE_COUNTS};
    return release_rows_of(p, release, NULL, &rows, err);
}

pby_status pby_pipeline_into(pby_spool *spool, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    return pby_pipeline_again(spool, p, release, NULL, err);
}
