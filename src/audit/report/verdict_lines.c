/* SPDX-License-Identifier: MIT */
#include "audit/report/verdict_lines.h"

#include <string.h>

#include "audit/report/verdict_answer.h"
#include "base/json.h"
#include "report/sheet.h"

static const char blind_spots[] = "other pairs of inputs; events of less than about one output in the "
                                  "sample; events that no feature\n"
                                  "            describes; outputs that are not independent; time, power, "
                                  "and whatever was not written down";

static void print_counts(pby_sheet *s, const json_t *judged, const char *side)
{
    const json_t *pair = json_object_get(judged, side);
    pby_sheet_line(s, side, "%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " judges",
                   json_integer_value(json_array_get(pair, 0)), json_integer_value(json_array_get(pair, 1)));
}

static void print_event(pby_sheet *s, const json_t *event, bool violation)
{
    if (!json_is_object(event))
        return;
    if (violation)
        pby_sheet_line(s, "event", "%s has it too often: %s", pby_json_string(event, "accused"),
                       pby_json_string(event, "text"));
    else
        pby_sheet_line(s, "event", "strongest event found (not significant): %s",
                       pby_json_string(event, "text"));
    print_counts(s, json_object_get(event, "judged"), "left");
    print_counts(s, json_object_get(event, "judged"), "right");
}

static void print_kinds(pby_sheet *s, const json_t *kinds)
{
    char text[128] = "";
    for (size_t i = 0; i < json_array_size(kinds); i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i == 0 ? "" : ", ",
                 json_string_value(json_array_get(kinds, i)));
    if (kinds != NULL)
        pby_sheet_line(s, "features", "%s", text);
}

/* One input in a line: what ended a line is a space, and a long one is cut. */
static void print_input(pby_sheet *s, const char *name, const char *text)
{
    char line[256];
    const int length = snprintf(line, sizeof line, "%s", text[0] == '\0' ? "nothing" : text);
    for (char *c = line; *c != '\0'; c++)
        if (*c == '\n')
            *c = ' ';
    pby_sheet_line(s, name, "%s%s", line, length >= (int)sizeof line ? "..." : "");
}

static void print_search(pby_sheet *s, const json_t *search)
{
    if (search == NULL)
        return;
    pby_sheet_line(s, "search",
                   "%" JSON_INTEGER_FORMAT " pairs of %s, %" JSON_INTEGER_FORMAT
                   " outputs; the worst (%s), judged on new outputs:",
                   json_integer_value(json_object_get(search, "pairs")), pby_json_string(search, "inputs"),
                   json_integer_value(json_object_get(search, "outputs")),
                   pby_json_string(search, "pattern"));
    print_input(s, "left", pby_json_string(search, "left"));
    print_input(s, "right", pby_json_string(search, "right"));
}

static void print_claim(pby_sheet *s, const json_t *claim, const char *epsilon, const char *delta)
{
    const char *const kinds[] = {"rho", "mu"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (json_object_get(claim, kinds[i]) != NULL) {
            pby_sheet_line(s, "claim", "%s %s", kinds[i], pby_json_string(claim, kinds[i]));
            pby_sheet_line(s, "", "judged at epsilon %s, where it allows delta %s", epsilon, delta);
            return;
        }
    pby_sheet_line(s, "claim", "epsilon %s, delta %s", epsilon, delta);
}

static void print_verdict(pby_sheet *s, const json_t *v)
{
    const json_t *claim = json_object_get(v, "claim"), *looks = json_object_get(v, "looks");
    const char *word = pby_json_string(v, "verdict"), *epsilon = pby_json_string(claim, "epsilon"),
               *delta = pby_json_string(claim, "delta");
    pby_sheet_line(s, "verdict", "%s", word);
    if (json_object_get(v, "reason") != NULL)
        pby_sheet_line(s, "reason", "%s", pby_json_string(v, "reason"));
    print_claim(s, claim, epsilon, delta);
    pby_sheet_line(s, "shown", "epsilon > %s at delta %s", pby_json_string(v, "epsilon_lower"), delta);
    pby_sheet_line(s, "", "delta > %s at epsilon %s", pby_json_string(v, "delta_lower"), epsilon);
    pby_sheet_line(s, "error", "wrong with a chance of at most %s", pby_json_string(v, "error"));
    print_search(s, json_object_get(v, "search"));
    print_event(s, json_object_get(v, "event"), strcmp(word, "violation") == 0);
    pby_sheet_line(s, "samples", "%" JSON_INTEGER_FORMAT " outputs",
                   json_integer_value(json_object_get(v, "samples")));
    print_kinds(s, json_object_get(v, "features"));
    if (looks != NULL)
        pby_sheet_line(s, "looks", "%" JSON_INTEGER_FORMAT, json_integer_value(looks));
    pby_sheet_line(s, "could see", "an epsilon of about %s at least (randomised response), of %s at most",
                   pby_json_string(v, "smallest_visible"), pby_json_string(v, "largest_visible"));
    pby_sheet_line(s, "cannot see", "%s", blind_spots);
}

pby_status pby_verdict_object_lines(char **text, const json_t *verdict, pby_error *err)
{
    pby_sheet s;
    pby_sheet_begin(&s, PBY_REPORT_LINES);
    print_verdict(&s, verdict);
    return pby_sheet_end(text, &s, PBY_OK, err);
}

pby_status pby_verdict_lines(char **text, const pby_verdict *verdict, pby_error *err)
{
    json_t *object = pby_verdict_object(verdict);
    *text = NULL;
    const pby_status status = object == NULL ? pby_no_memory(err)
                                             : pby_verdict_object_lines(text, object, err);
    json_decref(object);
    return status;
}

pby_status pby_law_object_lines(char **text, json_t *answer, pby_error *err)
{
    pby_sheet s;
    const char *key;
    json_t *value;
    pby_sheet_begin(&s, PBY_REPORT_LINES);
    json_object_foreach(answer, key, value)
    {
        const char *name = strcmp(key, "smallest_visible") == 0 ? "could see" : key;
        if (json_is_string(value))
            pby_sheet_line(&s, name, "%s", json_string_value(value));
        else
            pby_sheet_line(&s, name, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    }
    return pby_sheet_end(text, &s, PBY_OK, err);
}
