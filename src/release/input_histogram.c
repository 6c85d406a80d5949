/* SPDX-License-Identifier: MIT */
#include "release/input_histogram.h"
#include "probity/experimental/parts.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"
#include "mechanism/run/noise_bars.h"
#include "table/answer/answer.h"
#include "table/map/columns.h"

/* Half of the largest sum that the kernel can add up bounds the records of a statistic; the other half is for
 * noise. */
#define RECORDS_MAX ((uint64_t)1 << 62)

bool pby_histogram_has_total(const pby_release *release)
{
    return pby_release_form_of(release) == PBY_RELEASE_TOTAL;
}

const char *pby_histogram_total(char key[PBY_TOTAL_SIZE], const pby_pipeline *p)
{
    const size_t commas = pby_pipeline_key_columns(p) - 1;
    strcpy(key, "total");
    memset(key + strlen("total"), ',', commas);
    key[strlen("total") + commas] = '\0';
    return key;
}

bool pby_histogram_hides(const pby_release *release)
{
    const pby_release_form form = pby_release_form_of(release);
    return form == PBY_RELEASE_PASSED || form == PBY_RELEASE_PRESENT || form == PBY_RELEASE_PASSED_RANGES ||
           form == PBY_RELEASE_PASSED_CANDIDATE;
}

void pby_histogram_clear(pby_histogram *h)
{
    pby_csv_free(h->bars);
    pby_csv_free(h->input);
    pby_csv_free(h->kept_utility);
    pby_csv_free(h->utility);
    pby_universe_free(h->keep);
    pby_scattered_free(h->scattered);
}

/* ---- reading ----------------------------------------------------------------------------------- */

/* Reads the counts and the utilities out of one reading of the file: it may be a pipe, and may change. */
static pby_status open_both(const pby_pipeline *p, pby_histogram *h, const pby_columns_choice *counts,
                            pby_error *err)
{
    const pby_columns_choice utility = {p->keys, p->utility, p->names, NULL, PBY_ARG_UTILITY};
    char *text;
    size_t size;
    PBY_TRY(pby_file_read_table(&text, &size, p->in, err));
    pby_status status = pby_columns_parse(&h->input, p->in, text, size, counts, err);
    if (status == PBY_OK)
        status = pby_columns_parse(&h->utility, p->in, text, size, &utility, err);
    sodium_memzero(text, size);
    free(text);
    h->utilities = h->utility;
    return status;
}

static pby_status open_input(const pby_pipeline *p, pby_histogram *h, pby_error *err)
{
    const pby_columns_choice counts = {p->keys, p->counts, p->names, p->step, PBY_ARG_COUNTS};
    if (p->keys == NULL && p->counts == NULL)
        return pby_csv_open(&h->input, p->in, err);
    return p->utility == NULL ? pby_columns_read(&h->input, p->in, &counts, err)
                              : open_both(p, h, &counts, err);
}

/* Bars that are kept stand in the histogram whether the data have them or not. */
static pby_status add_kept(const pby_pipeline *p, pby_histogram *h, pby_error *err)
{
    PBY_TRY(pby_universe_read(&h->keep, p->keep, false, pby_pipeline_name(p, PBY_ARG_KEEP), p->in, err));
    h->table = *pby_universe_digest(h->keep);
    PBY_TRY(pby_universe_add(&h->bars, h->keep, h->input, "the data and the list of kept keys", err));
    h->csv = h->bars;
    if (h->utility == NULL)
        return PBY_OK;
    PBY_TRY(pby_universe_add(&h->kept_utility, h->keep, h->utility, "the utilities", err));
    h->utilities = h->kept_utility;
    return PBY_OK;
}

/* The rows of a map are those that a release of all its bars would have. */
static pby_status count_map(const pby_pipeline *p, const pby_universe *universe, pby_histogram *h,
                            pby_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "the bars of %s", pby_pipeline_name(p, pby_pipeline_map(p)));
    PBY_TRY(open_input(p, h, err));
    PBY_TRY(pby_universe_count(&h->bars, universe, h->input, name, err));
    h->csv = h->bars;
    return PBY_OK;
}

static pby_status open_mapped(const pby_pipeline *p, pby_histogram *h, pby_error *err)
{
    const bool grouped = p->group != NULL;
    pby_universe *universe;
    PBY_TRY(pby_universe_read(&universe, grouped ? p->group : p->filter, grouped,
                              pby_pipeline_name(p, pby_pipeline_map(p)), p->in, err));
    h->table = *pby_universe_digest(universe);
    const pby_status status = count_map(p, universe, h, err);
    pby_universe_free(universe);
    return status;
}

static pby_status open_rows(const pby_pipeline *p, pby_histogram *h, pby_error *err)
{
    if (p->table != NULL) {
        if (pby_table_map_digest(p->table) != NULL)
            h->table = *pby_table_map_digest(p->table);
        return pby_table_histogram(p->table, &h->csv, err);
    }
    if (p->scatter != NULL)
        h->table = p->scatter->digest;
    if (p->group != NULL || p->filter != NULL)
        PBY_TRY(open_mapped(p, h, err));
    else {
        PBY_TRY(open_input(p, h, err));
        h->csv = h->input;
    }
    return p->keep != NULL ? add_kept(p, h, err) : PBY_OK;
}

/* ---- checks ------------------------------------------------------------------------------------ */

/* Suppressed keys must not decide what is refused: of these, two that are one number are two bars in one
 * place. */
static pby_csv_demand demand_of(char key[PBY_TOTAL_SIZE], const pby_pipeline *p, const pby_release *release)
{
    const bool statistic = p->statistic != NULL, total = pby_histogram_has_total(release);
    return (pby_csv_demand){.most = pby_release_most(release),
                            .limit = p->limit,
                            .sum = statistic || total ? RECORDS_MAX : UINT64_MAX,
                            .positions = statistic && !pby_histogram_hides(release),
                            .reserved = total ? pby_histogram_total(key, p) : NULL};
}

/* An empty input must look exactly like one whose bars were all suppressed. */
static pby_status scan_rows(const pby_pipeline *p, const pby_release *release, pby_histogram *h,
                            pby_error *err)
{
    char key[PBY_TOTAL_SIZE];
    const pby_csv_demand demand = demand_of(key, p, release);
    if (pby_histogram_hides(release)) {
        pby_csv_allow_empty(h->csv);
        pby_csv_learn_spread(h->csv);
    }
    pby_csv_demands(h->csv, &demand);
    PBY_TRY(pby_csv_scan(h->csv, &h->rows, err));
    if (p->statistic == NULL)
        return PBY_OK;
    if (pby_release_has_last(release))
        PBY_TRY(pby_stat_numeric(pby_pipeline_name(p, PBY_ARG_STATISTIC), p->statistic, pby_csv_kinds(h->csv),
                                 err));
    return pby_stat_order(p->statistic, pby_csv_kinds(h->csv), err);
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

/* The keys of a draw are public, and so is all that can be refused of one: it is refused here of a histogram
 * without a record. */
static pby_status check_scattered(pby_histogram *h, const pby_pipeline *p, pby_error *err)
{
    PBY_TRY(pby_scattered_new(&h->scattered, p->scatter, h->csv, "the new keys of the table", err));
    PBY_TRY(pby_scattered_bars(&h->bars, h->scattered, err));
    h->csv = h->bars;
    return PBY_OK;
}

pby_status pby_histogram_open(pby_histogram *h, const pby_pipeline *p, const pby_release *release,
                              pby_error *err)
{
    PBY_TRY(open_rows(p, h, err));
    if (p->scatter != NULL)
        PBY_TRY(check_scattered(h, p, err));
    PBY_TRY(scan_rows(p, release, h, err));
    return h->utilities != NULL ? scan_utilities(h->utilities, release, err) : PBY_OK;
}

/* ---- releases ---------------------------------------------------------------------------------- */

void pby_histogram_again(pby_histogram *h)
{
    pby_csv_again(h->csv);
    if (h->utilities != NULL)
        pby_csv_again(h->utilities);
}

pby_status pby_histogram_move(pby_histogram *h, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    pby_csv *moved;
    PBY_TRY(pby_scattered_draw(&moved, h->scattered, release, err));
    pby_csv_free(h->bars);
    h->csv = h->bars = moved;
    return scan_rows(p, release, h, err);
}

void pby_histogram_learn(pby_learned *out, const pby_histogram *h, const pby_pipeline *p,
                         const pby_release *release)
{
    out->table = h->table;
    if (pby_pipeline_has_records(p))
        out->layout = *pby_csv_layout(h->csv);
    if (h->input == NULL)
        return;
    out->layout = *pby_csv_layout(h->input);
    out->named = !pby_histogram_hides(release) &&
                 h->bars == NULL; /* a map's bars are public, not the input's */
}
