/* SPDX-License-Identifier: MIT */
/* A verdict by canaries for people. */
#include "audit/canary/canary_verdict.h"

#include <string.h>

#include "base/json.h"
#include "number/text.h"
#include "report/sheet.h"

/* Prints one bound, which the evidence has as an object. */
static void print_bound(pby_sheet *s, const json_t *bound, const char *delta)
{
    char text[512];
    int used = snprintf(text, sizeof text, "epsilon > %s at delta %s",
                        pby_json_string(bound, "epsilon_lower"), delta);
    const json_t *guesses = json_object_get(bound, "guesses");
    if (guesses != NULL)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         ", by %" JSON_INTEGER_FORMAT " correct of %" JSON_INTEGER_FORMAT " guesses",
                         json_integer_value(json_object_get(guesses, "correct")),
                         json_integer_value(json_object_get(guesses, "made")));
    if (json_object_get(bound, "mu_lower") != NULL)
        snprintf(text + used, sizeof text - (size_t)used, "; mu > %s, if the curve is Gaussian",
                 pby_json_string(bound, "mu_lower"));
    if (json_is_false(json_object_get(bound, "proved")))
        snprintf(text + used, sizeof text - (size_t)used, "; as published, not proved");
    pby_sheet_line(s, pby_json_string(bound, "name"), "%s", text);
}

pby_status pby_canary_verdict_lines(char **text, const pby_canary_verdict *v, pby_error *err)
{
    char epsilon[PBY_DECIMAL_SIZE], delta[PBY_DECIMAL_SIZE], error[PBY_DECIMAL_SIZE];
    const json_t *bound, *canaries = json_object_get(v->evidence, "canaries");
    pby_sheet s;
    size_t i;
    pby_rational_text(epsilon, &v->epsilon);
    pby_rational_text(delta, &v->delta);
    pby_rational_text(error, &v->error);
    pby_sheet_begin(&s, PBY_REPORT_LINES);
    if (v->claimed) {
        pby_sheet_line(&s, "verdict", "%s", pby_canary_verdict_word(v));
        pby_sheet_line(&s, "claim", "epsilon %s, delta %s", epsilon, delta);
    }
    pby_sheet_line(&s, "shown", "epsilon > %s at delta %s", v->lower_text, delta);
    pby_sheet_line(&s, "error", "wrong with a chance of at most %s", error);
    json_array_foreach(json_object_get(v->evidence, "bounds"), i, bound) print_bound(&s, bound, delta);
    if (canaries != NULL) {
        pby_sheet_line(&s, "canaries", "%" JSON_INTEGER_FORMAT, json_integer_value(canaries));
        pby_sheet_line(&s, "assumes",
                       "each canary was included by a fair coin of its own; the guesser saw no coin");
    } else {
        pby_sheet_line(&s, "assumes", "the runs are independent, and the guesser saw only their outputs");
    }
    return pby_sheet_end(text, &s, PBY_OK, err);
}
