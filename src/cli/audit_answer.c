/* The verdict of an audit on standard output. */
#include <stdio.h>
#include <string.h>

#include "cli/audit.h"
#include "cli/output.h"

static const char blind_spots[] = "other pairs of inputs; events of less than about one output in the "
                                  "sample; events that no feature\n"
                                  "            describes; outputs that are not independent; time, power, "
                                  "and whatever was not written down";

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
    const bool violation = strcmp(pby_json_string(v, "verdict"), "violation") == 0;
    pby_print_line("verdict", pby_json_string(v, "verdict"));
    if (json_object_get(v, "reason") != NULL)
        pby_print_line("reason", pby_json_string(v, "reason"));
    snprintf(text, sizeof text, "epsilon %s, delta %s", pby_json_string(claim, "epsilon"),
             pby_json_string(claim, "delta"));
    pby_print_line("claim", text);
    snprintf(text, sizeof text, "epsilon > %s at delta %s", pby_json_string(v, "epsilon_lower"),
             pby_json_string(claim, "delta"));
    pby_print_line("shown", text);
    snprintf(text, sizeof text, "delta > %s at epsilon %s", pby_json_string(v, "delta_lower"),
             pby_json_string(claim, "epsilon"));
    pby_print_line("", text);
    snprintf(text, sizeof text, "wrong with a chance of at most %s", pby_json_string(v, "error"));
    pby_print_line("error", text);
    if (json_is_object(event)) {
        if (violation)
            snprintf(text, sizeof text, "%s has it too often: %s", pby_json_string(event, "accused"),
                     pby_json_string(event, "text"));
        else
            snprintf(text, sizeof text, "the one that promised most: %s", pby_json_string(event, "text"));
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
             pby_json_string(v, "smallest_visible"), pby_json_string(v, "largest_visible"));
    pby_print_line("could see", text);
    pby_print_line("cannot see", blind_spots);
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
    if (strcmp(pby_json_string(verdict, "verdict"), "inconclusive") == 0)
        return pby_fail(err, PBY_INCONCLUSIVE, "inconclusive: %s", pby_json_string(verdict, "reason"));
    if (strcmp(pby_json_string(verdict, "verdict"), "violation") != 0)
        return PBY_OK;
    return pby_fail(err, PBY_NO,
                    "violation: epsilon > %s at the claimed delta, delta > %s at the claimed epsilon",
                    pby_json_string(verdict, "epsilon_lower"), pby_json_string(verdict, "delta_lower"));
}

/* ---- a law ------------------------------------------------------------------------------------ */

static void print_law(json_t *answer)
{
    const char *key;
    json_t *value;
    json_object_foreach(answer, key, value)
    {
        char number[32];
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        pby_print_line(strcmp(key, "smallest_visible") == 0 ? "could see" : key,
                       json_is_string(value) ? json_string_value(value) : number);
    }
}

pby_status pby_audit_answer_law(const pby_audit_request *r, bool violation, json_t *answer, pby_error *err)
{
    pby_status status = PBY_OK;
    if (r->json)
        status = pby_print_json(json_incref(answer), err);
    else
        print_law(answer);
    if (status != PBY_OK)
        return status;
    return violation ? pby_fail(err, PBY_NO, "the outputs do not follow the law") : PBY_OK;
}
