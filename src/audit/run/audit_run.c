/* SPDX-License-Identifier: MIT */
#include "audit/run/audit_run.h"
#include "audit/judge/verdict.h"
#include "base/excerpt.h"
#include "base/printed.h"
#include "probity/experimental/auditing.h"

#include <stdio.h>
#include <stdlib.h>

#include "audit/report/verdict_answer.h"
#include "audit/run/neighbouring.h"
#include "audit/run/run_publish.h"
#include "base/json.h"
#include "io/file.h"

enum { COUNTS_LIMIT = 1 << 30 };

static pby_status start_side(pby_feed *lines, const pby_audit_request *r, int side, pby_error *err)
{
    const char *operand = r->operand[side];
    if (r->command != NULL)
        return side == 0 ? pby_feed_run(lines, r->command, r->patience, operand, r->n, err)
                         : pby_feed_run_hushed(lines, r->command, r->patience, operand, r->n, err);
    return r->release != NULL
               ? pby_feed_release(lines, r->release, r->queries, r->neighbours, operand, r->n, err)
               : pby_feed_open_columns(lines, operand, r->columns, err);
}

static pby_status open_side(pby_feed *lines, const pby_audit_request *r, int side, pby_error *err)
{
    char *keep = NULL;
    pby_status status = pby_audit_keep_path(&keep, r, side, err);
    if (status == PBY_OK)
        status = start_side(lines, r, side, err);
    if (status == PBY_OK)
        status = pby_feed_copy(lines, r->report != NULL || r->digests, keep, err);
    free(keep);
    return status;
}

/* ---- what was read ---------------------------------------------------------------------------- */

static pby_status note_side(const pby_audit_request *r, const pby_feed *lines, int side, pby_error *err)
{
    static const char *const inputs[] = {"input on the left", "input on the right"},
                             *const outputs[][2] = {
                                 {"outputs on the left", "outputs on the left, cut off"},
                                 {"outputs on the right", "outputs on the right, cut off"}};
    const bool made = r->command != NULL || r->release != NULL;
    pby_digest digest;
    pby_status status = made ? pby_sources_add_file(r->sources, inputs[side], r->operand[side], err) : PBY_OK;
    if (lines->arrow) /* what was read is not what the file holds */
        return pby_sources_add_file(r->sources, outputs[side][0], r->operand[side], err);
    pby_digesting_so_far(&digest, &lines->digest);
    const char *name = made ? "as they were read" : r->operand[side];
    return status == PBY_OK ? pby_sources_add(r->sources, outputs[side][lines->cut], name, &digest, err)
                            : status;
}

pby_status pby_audit_note_sources(const pby_audit_request *r, const pby_feed lines[2], pby_error *err)
{
    pby_status status = PBY_OK;
    pby_sources_clear(r->sources);
    for (int side = 0; side < 2 && status == PBY_OK && (r->report != NULL || r->digests); side++)
        status = note_side(r, &lines[side], side, err);
    return status;
}

pby_status pby_audit_open(pby_feed lines[2], const pby_audit_request *r, pby_error *err)
{
    lines[0] = lines[1] = (pby_feed){.name = NULL};
    pby_status status = PBY_OK;
    if (r->command == NULL && pby_path_named(r->operand[0]) == NULL && pby_path_named(r->operand[1]) == NULL)
        status = pby_refuse(err, "RIGHT", "-", "a file: standard input is LEFT already");
    if (status == PBY_OK && r->search == NULL)
        status = pby_audit_apart(r, err);
    for (int side = 0; side < 2 && status == PBY_OK; side++)
        status = open_side(&lines[side], r, side, err);
    return status;
}

pby_status pby_audit_begin(pby_feed lines[2], const pby_audit_request *r, pby_compared *compared,
                           pby_error *err)
{
    pby_status status = pby_audit_open(lines, r, err);
    if (status == PBY_OK && r->release != NULL && r->search == NULL)
        status = pby_audit_neighbouring(r, err);
    if (status == PBY_OK)
        status = pby_feed_head(lines, 2, r->columns, err);
    return status == PBY_OK && r->release == NULL ? pby_unrepeated_new(&compared->columns, err) : status;
}

/* ---- what the outputs look like ---------------------------------------------------------------- */

/* A column by its place among those that are judged. */
static const char *column_name(char place[32], const pby_heading *heading, size_t column)
{
    snprintf(place, 32, "%zu", column + 1);
    if (!heading->there)
        return place;
    return heading->chosen > 0 ? heading->name[heading->column[column]] : heading->name[column];
}

static void warn(FILE *out, const pby_heading *heading, const pby_unrepeated *columns)
{
    const size_t count = pby_unrepeated_columns(columns);
    char place[32];
    size_t named = 0;
    for (size_t i = 0; i < count; i++)
        if (pby_unrepeated_is(columns, i))
            fprintf(out, "%s'%s'", named++ == 0 ? "column " : ", ", column_name(place, heading, i));
    fputs(": no value occurs twice on both sides together, as with the number of a run, a time or an "
          "identifier, which tells the sides apart whatever the mechanism does; if it is one, judge the "
          "others: --columns ",
          out);
    for (size_t i = named = 0; i < count; i++)
        if (!pby_unrepeated_is(columns, i))
            fprintf(out, "%s%s", named++ == 0 ? "" : ",",
                    heading->there ? column_name(place, heading, i) : "NAME");
    fputs(named == 0 ? "NAMES" : "", out);
    fputs(heading->there ? "" : ", by a first line that names them", out);
}

/* One column alone, without a header, is the answer itself. */
static bool is_suspicious(const pby_heading *heading, const pby_unrepeated *columns)
{
    const size_t count = columns == NULL ? 0 : pby_unrepeated_columns(columns);
    for (size_t i = 0; i < count; i++)
        if (pby_unrepeated_is(columns, i) && (count > 1 || (heading->there && heading->width > 1)))
            return true;
    return false;
}

static pby_status refuse_same(const pby_audit_request *r, pby_error *err)
{
    if (r->command != NULL)
        return pby_fail(err, PBY_BAD,
                        "command: expected independent outputs on %s and on %s, but it printed the "
                        "same ones in the same order; does it use a fixed seed?",
                        PBY_EXCERPT(r->operand[0]), PBY_EXCERPT(r->operand[1]));
    return pby_refuse(err, "RIGHT", r->operand[1],
                      "the outputs on the other input, not those of LEFT again: all lines are the same");
}

pby_status pby_audit_compared(const pby_audit_request *r, const pby_feed lines[2],
                              const pby_compared *compared, pby_error *err)
{
    if (r->release == NULL && pby_compared_same(compared))
        return refuse_same(r, err);
    if (r->warning == NULL || *r->warning != NULL || !is_suspicious(&lines[0].heading, compared->columns))
        return PBY_OK;
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    warn(out, &lines[0].heading, compared->columns);
    return pby_printed_end(r->warning, &printed, PBY_OK, err);
}

void pby_audit_note_missing(pby_audit *audit, const pby_feed lines[2])
{
    pby_audit_missing(audit, PBY_LEFT, pby_feed_missing(&lines[0]));
    pby_audit_missing(audit, PBY_RIGHT, pby_feed_missing(&lines[1]));
}

pby_status pby_audit_close(bool cut[2], pby_feed lines[2], bool early, pby_status status, pby_error *err)
{
    for (int side = 0; side < 2; side++) {
        cut[side] = lines[side].cut;
        const pby_status closed =
            pby_feed_close(&lines[side], early, status != PBY_OK, status == PBY_OK ? err : NULL);
        if (status == PBY_OK)
            status = closed;
    }
    return status;
}

pby_status pby_audit_select(const pby_audit_request *r, pby_audit *audit, pby_error *err)
{
    return r->features == NULL ? PBY_OK : pby_audit_features(audit, r->features, err);
}

static pby_status save_counts(const char *path, const pby_audit *audit, pby_error *err)
{
    char *text;
    pby_status status = pby_audit_write(&text, audit, err);
    if (status == PBY_OK)
        status = pby_audit_save("count_to", path, text, err);
    free(text);
    return status;
}

pby_status pby_audit_judge_request(pby_verdict **out, const pby_audit_request *r, const pby_audit *audit,
                                   mpq_srcptr error, pby_error *err)
{
    return r->claimed.value != NULL ? pby_audit_judge_claimed(out, audit, &r->claimed, error, err)
                                    : pby_audit_judge_point(out, audit, r->epsilon, r->delta, error, err);
}

/* Judges what was counted, or keeps it for another machine to judge. */
static pby_status finish(json_t **out, const pby_audit_request *r, pby_audit *audit, pby_error *err)
{
    pby_status status = r->count_to == NULL ? PBY_OK : save_counts(r->count_to, audit, err);
    if (status != PBY_OK || !r->judge)
        return status;
    pby_verdict *verdict = NULL;
    status = pby_audit_settle(audit, err);
    if (status == PBY_OK)
        status = pby_audit_select(r, audit, err);
    if (status == PBY_OK)
        status = pby_audit_judge_request(&verdict, r, audit, r->error, err);
    if (status == PBY_OK)
        status = pby_audit_report(r, verdict, err);
    if (status == PBY_OK)
        status = pby_audit_object(out, verdict, 0, err);
    if (status == PBY_OK && r->digests)
        status = pby_verdict_add_counts(*out, verdict, err);
    if (status == PBY_OK && r->digests)
        status = pby_json_set(*out, "sources", pby_sources_object(r->sources), err);
    pby_verdict_free(verdict);
    return status;
}

/* A command that printed nothing leaves nothing to judge. */
static pby_status expect_some(const pby_audit_request *r, const pby_audit *audit, pby_error *err)
{
    for (int side = 0; side < 2; side++)
        if (pby_audit_outputs(audit, side == 0 ? PBY_LEFT : PBY_RIGHT) == 0)
            return pby_fail(err, PBY_INCONCLUSIVE,
                            "inconclusive: the command printed none of the %llu outputs on %s",
                            (unsigned long long)r->n, r->operand[side]);
    return PBY_OK;
}

pby_status pby_audit_samples(json_t **out, const pby_audit_request *r, pby_error *err)
{
    pby_feed lines[2];
    pby_audit *audit = NULL;
    bool stopped = false;
    pby_compared compared = {.apart = false};
    *out = NULL;
    pby_status status = pby_audit_begin(lines, r, &compared, err);
    if (status == PBY_OK)
        status = pby_audit_new(&audit, err);
    if (status == PBY_OK)
        status = pby_feed_count(audit, lines, NULL, NULL, &compared, &r->observer, &stopped, err);
    if (status == PBY_OK)
        status = pby_audit_compared(r, lines, &compared, err);
    pby_unrepeated_free(compared.columns);
    if (status == PBY_OK)
        pby_audit_note_missing(audit, lines);
    if (status == PBY_OK)
        status = pby_audit_note_sources(r, lines, err);
    status = pby_audit_close(r->cut, lines, false, status, err);
    if (status == PBY_OK && r->command != NULL && r->judge)
        status = expect_some(r, audit, err);
    if (status == PBY_OK)
        status = finish(out, r, audit, err);
    if (status == PBY_OK && r->search == NULL)
        status = pby_audit_keep_verdict(r, *out, err);
    pby_audit_free(audit);
    return status;
}

/* ---- counts ----------------------------------------------------------------------------------- */

static pby_status read_counts(pby_audit **out, const char *path, pby_sources *sources, pby_error *err)
{
    char *text = NULL;
    size_t size;
    *out = NULL;
    pby_status status = pby_file_read(&text, &size, path, COUNTS_LIMIT, err);
    if (status == PBY_OK && size > COUNTS_LIMIT)
        status = pby_refuse(err, "counts", path, "a file of at most 2^30 bytes");
    if (status == PBY_OK) {
        pby_error why = PBY_NO_ERROR;
        status = pby_audit_read(out, text, size, &why);
        if (status != PBY_OK)
            pby_fail(err, status, "%s: %s", path, why.text);
    }
    if (status == PBY_OK) {
        pby_digest digest;
        pby_digest_bytes(&digest, text, size);
        status = pby_sources_add(sources, "counts", path, &digest, err);
    }
    free(text);
    return status;
}

pby_status pby_audit_counts(json_t **out, const pby_audit_request *r, pby_error *err)
{
    pby_audit *all = NULL;
    *out = NULL;
    pby_status status = read_counts(&all, r->operand[0], r->sources, err);
    for (int i = 1; i < r->operands && status == PBY_OK; i++) {
        pby_audit *more;
        status = read_counts(&more, r->operand[i], r->sources, err);
        if (status == PBY_OK)
            status = pby_audit_merge(all, more, err);
        pby_audit_free(more);
    }
    if (status == PBY_OK)
        status = finish(out, r, all, err);
    pby_audit_free(all);
    return status;
}
