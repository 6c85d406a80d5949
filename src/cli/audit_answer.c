/* What an audit hands out: the verdict on standard output, and files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/report/answer.h"
#include "cli/audit.h"
#include "cli/output.h"
#include "io/spool.h"

static const char blind_spots[] = "other pairs of inputs; events of less than about one output in the "
                                  "sample; events that no feature\n"
                                  "            describes; outputs that are not independent; time, power, and "
                                  "whatever was not written down";

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

static void print_counts(const json_t *event)
{
    const json_t *judged = json_object_get(event, "judged");
    static const char *const sides[] = {"left", "right"};
    for (size_t i = 0; i < 2; i++) {
        char text[96];
        const json_t *pair = json_object_get(judged, sides[i]);
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " judges",
                 json_integer_value(json_array_get(pair, 0)), json_integer_value(json_array_get(pair, 1)));
        pby_print_line(sides[i], text);
    }
}

static void print_kinds(const json_t *kinds)
{
    char text[128] = "";
    for (size_t i = 0; i < json_array_size(kinds); i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i == 0 ? "" : ", ",
                 json_string_value(json_array_get(kinds, i)));
    pby_print_line("features", text);
}

static void print_people(const json_t *v)
{
    char text[512];
    const json_t *claim = json_object_get(v, "claim"), *event = json_object_get(v, "event");
    const bool violation = strcmp(text_of(v, "verdict"), "violation") == 0;
    pby_print_line("verdict", text_of(v, "verdict"));
    if (json_object_get(v, "reason") != NULL)
        pby_print_line("reason", text_of(v, "reason"));
    snprintf(text, sizeof text, "epsilon %s, delta %s", text_of(claim, "epsilon"), text_of(claim, "delta"));
    pby_print_line("claim", text);
    snprintf(text, sizeof text, "epsilon > %s at delta %s", text_of(v, "epsilon_lower"),
             text_of(claim, "delta"));
    pby_print_line("shown", text);
    snprintf(text, sizeof text, "delta > %s at epsilon %s", text_of(v, "delta_lower"),
             text_of(claim, "epsilon"));
    pby_print_line("", text);
    snprintf(text, sizeof text, "wrong with a chance of at most %s", text_of(v, "error"));
    pby_print_line("error", text);
    if (json_is_object(event)) {
        if (violation)
            snprintf(text, sizeof text, "%s has it too often: %s", text_of(event, "accused"),
                     text_of(event, "text"));
        else
            snprintf(text, sizeof text, "the one that promised most: %s", text_of(event, "text"));
        pby_print_line("event", text);
        print_counts(event);
    }
    snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT " outputs",
             json_integer_value(json_object_get(v, "samples")));
    pby_print_line("samples", text);
    if (json_object_get(v, "features") != NULL)
        print_kinds(json_object_get(v, "features"));
    if (json_object_get(v, "looks") != NULL) {
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(v, "looks")));
        pby_print_line("looks", text);
    }
    snprintf(text, sizeof text, "an epsilon of about %s at least (randomised response), of %s at most",
             text_of(v, "smallest_visible"), text_of(v, "largest_visible"));
    pby_print_line("could see", text);
    pby_print_line("cannot see", blind_spots);
}

/* Says which option named the file. */
static pby_status of_option(const char *option, pby_status status, const pby_error *why, pby_error *err)
{
    return status == PBY_OK ? PBY_OK : pby_fail(err, status, "%s: %s", option, why->text);
}

pby_status pby_audit_keep_path(char **path, const pby_audit_request *r, int side, pby_error *err)
{
    *path = NULL;
    if (r->keep != NULL && asprintf(path, "%s/%s.txt", r->keep, side == 0 ? "left" : "right") < 0)
        return pby_no_memory(err);
    return PBY_OK;
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

pby_status pby_audit_report(const pby_audit_request *r, const pby_verdict *verdict, pby_error *err)
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
                              .neighbours = r->neighbours};
    pby_status status = pby_verdict_html(&page, verdict, &about, err);
    if (status == PBY_OK)
        status = pby_audit_save("--report", r->report, page, err);
    free(page);
    free(source);
    return status;
}

pby_status pby_audit_object(json_t **out, const pby_verdict *verdict, uint64_t looks, pby_error *err)
{
    *out = pby_verdict_object(verdict);
    if (*out == NULL)
        return pby_no_memory(err);
    return looks > 0 ? pby_json_set(*out, "looks", json_integer((json_int_t)looks), err) : PBY_OK;
}

pby_status pby_audit_answer(const pby_audit_request *r, const json_t *verdict, pby_error *err)
{
    if (r->json) {
        const pby_status status = pby_print_json(json_deep_copy(verdict), err);
        if (status != PBY_OK)
            return status;
    } else {
        print_people(verdict);
    }
    if (strcmp(text_of(verdict, "verdict"), "inconclusive") == 0)
        return pby_fail(err, PBY_INCONCLUSIVE, "inconclusive: %s", text_of(verdict, "reason"));
    if (strcmp(text_of(verdict, "verdict"), "violation") != 0)
        return PBY_OK;
    return pby_fail(err, PBY_NO,
                    "violation: epsilon > %s at the claimed delta, delta > %s at the claimed epsilon",
                    text_of(verdict, "epsilon_lower"), text_of(verdict, "delta_lower"));
}
