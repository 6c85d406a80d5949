/* SPDX-License-Identifier: MIT */
#include "audit/run/run_publish.h"

#include <stdio.h>
#include <stdlib.h>

#include "audit/report/verdict_answer.h"
#include "base/json.h"
#include "io/spool.h"

/* Says which option named the file. */
static pby_status of_option(const char *option, pby_status status, const pby_error *why, pby_error *err)
{
    return status == PBY_OK ? PBY_OK : pby_fail(err, status, "%s: %s", option, why->text);
}

/* The path of a file among what is kept, for free(3); NULL where nothing is. */
static pby_status kept_path(char **path, const pby_audit_request *r, const char *name, pby_error *err)
{
    *path = NULL;
    return r->keep != NULL && asprintf(path, "%s/%s", r->keep, name) < 0 ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_audit_keep_path(char **path, const pby_audit_request *r, int side, pby_error *err)
{
    return kept_path(path, r, side == 0 ? "left.txt" : "right.txt", err);
}

pby_status pby_audit_times_path(char **path, const pby_audit_request *r, pby_error *err)
{
    return kept_path(path, r, "times.csv", err);
}

pby_status pby_audit_can_save(const char *option, const char *path, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    pby_spool *spool = NULL;
    const pby_status status = path == NULL ? PBY_OK : pby_spool_open(&spool, path, &why);
    pby_spool_abort(spool);
    return of_option(option, status, &why, err);
}

pby_status pby_audit_save(const char *option, const char *path, const char *text, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    const pby_status status = pby_spool_text(path, text, "\n", &why);
    return of_option(option, status, &why, err);
}

/* The name that was given, or else what made the outputs as far as it is known. */
static const char *mechanism_of(const pby_audit_request *r)
{
    if (r->name != NULL)
        return r->name;
    if (r->release != NULL)
        return r->release;
    return r->certified != NULL ? pby_spec_text(r->certified) : r->command;
}

pby_status pby_audit_publish(const pby_audit_request *r, pby_page_maker *make, const void *what,
                             pby_error *err)
{
    char *page = NULL;
    if (r->report == NULL)
        return PBY_OK;
    pby_report_source *source = pby_sources_table(r->sources);
    if (source == NULL)
        return pby_no_memory(err);
    const pby_report about = {.mechanism = mechanism_of(r),
                              .date = r->date,
                              .how = r->how,
                              .source = source,
                              .sources = r->sources->count,
                              .certified = r->certified,
                              .neighbours = r->neighbours,
                              .warning = r->warning == NULL ? NULL : *r->warning};
    pby_status status = make(&page, what, &about, err);
    if (status == PBY_OK)
        status = pby_audit_save("report", r->report, page, err);
    free(page);
    free(source);
    return status;
}

static pby_status verdict_page(char **page, const void *verdict, const pby_report *about, pby_error *err)
{
    return pby_verdict_html(page, verdict, about, err);
}

pby_status pby_audit_report(const pby_audit_request *r, const pby_verdict *verdict, pby_error *err)
{
    return pby_audit_publish(r, verdict_page, verdict, err);
}

pby_status pby_audit_keep_verdict(const pby_audit_request *r, const json_t *verdict, pby_error *err)
{
    char *path;
    if (r->keep == NULL || verdict == NULL)
        return PBY_OK;
    PBY_TRY(kept_path(&path, r, "verdict.json", err));
    char *text = pby_json_text(json_deep_copy(verdict), JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    const pby_status status = text == NULL ? pby_no_memory(err) : pby_audit_save("keep", path, text, err);
    free(text);
    free(path);
    return status;
}

pby_status pby_audit_object(json_t **out, const pby_verdict *verdict, uint64_t looks, pby_error *err)
{
    *out = pby_verdict_object(verdict);
    if (*out == NULL)
        return pby_no_memory(err);
    return looks > 0 ? pby_json_set(*out, "looks", json_integer((json_int_t)looks), err) : PBY_OK;
}
