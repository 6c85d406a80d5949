/* SPDX-License-Identifier: MIT */
/* A verdict on two traces as an object and as lines. */
#include <stdlib.h>
#include <string.h>

#include "audit/trace/trace_case.h"
#include "base/json.h"
#include "number/ball.h"
#include "number/exact.h"
#include "number/number_json.h"
#include "report/sheet.h"

enum { DIGITS = 9 };

static const char *const verdicts[] = {[PBY_TRACE_CONSISTENT] = "consistent",
                                       [PBY_TRACE_VIOLATION] = "violation",
                                       [PBY_TRACE_INCONCLUSIVE] = "inconclusive"};

static const char *const reasons[] = {[PBY_TRACE_NO_REASON] = "",
                                      [PBY_TRACE_UNRECORDED] = "unrecorded",
                                      [PBY_TRACE_OPEN] = "open",
                                      [PBY_TRACE_SEED] = "seed",
                                      [PBY_TRACE_UNALIGNED] = "unaligned",
                                      [PBY_TRACE_ASSUMED] = "assumed",
                                      [PBY_TRACE_UNPUBLISHED] = "unpublished",
                                      [PBY_TRACE_WIDTH] = "width"};

static const char *const evidences[] = {[PBY_EVIDENCE_NONE] = "none",
                                        [PBY_EVIDENCE_ASSUMED] = "assumed",
                                        [PBY_EVIDENCE_STATISTICAL] = "statistical",
                                        [PBY_EVIDENCE_EXACT] = "exact"};

static const char assumes[] =
    "the stated laws, real arithmetic, independent draws, no unrecorded randomness, code that "
    "does not ask for a number's type, and inputs that are neighbours";

/* ---- the object -------------------------------------------------------------------------------- */

/* An enclosure of a ball that is no chance below 0. */
static json_t *ball_object(const arb_t ball, bool chance)
{
    pby_enclosure x;
    pby_enclosure_init(&x);
    pby_enclosure_set_arb(&x, ball, DIGITS);
    if (chance)
        pby_enclosure_keep_in_unit(&x);
    json_t *object = pby_json_enclosure(&x, DIGITS);
    pby_enclosure_clear(&x);
    return object;
}

static json_t *number_object(const pby_trace_number *x)
{
    if (x->kind == PBY_TRACE_FINITE)
        return pby_exact_json(x->q);
    return json_string(x->kind == PBY_TRACE_NAN ? "nan" : mpq_sgn(x->q) > 0 ? "inf" : "-inf");
}

static json_t *site_object(const pby_trace_site *s)
{
    return json_pack("{s:s,s:s,s:o,s:o,s:o}", "site", s->site, "law", pby_trace_law_name[s->law], "scale",
                     number_object(&s->scale), "shift", number_object(&s->shift), "declared",
                     s->has_declared ? number_object(&s->declared) : json_null());
}

static json_t *sites_object(const pby_alignment *a)
{
    json_t *all = json_array();
    for (size_t i = 0; i < a->sites_count; i++)
        all = pby_json_append(all, site_object(&a->sites[i]));
    return all;
}

static json_t *ends_object(const arb_t lower, const arb_t upper, bool known, bool chance)
{
    return json_pack("{s:o,s:o}", "lower", ball_object(lower, chance), "upper",
                     known ? ball_object(upper, chance) : json_null());
}

json_t *pby_trace_case_object(const pby_trace_case *c)
{
    json_t *claim =
        json_pack("{s:o,s:o}", "epsilon", pby_exact_json(c->epsilon), "delta", pby_exact_json(c->delta));
    json_t *ends = json_pack("{s:o,s:o}", "epsilon",
                             ends_object(c->epsilon_lower, c->epsilon_upper, c->has_upper, false), "delta",
                             ends_object(c->delta_lower, c->delta_upper, c->has_upper, true));
    json_t *object = json_pack("{s:s,s:s,s:o,s:o,s:s,s:I,s:I,s:b,s:o,s:o,s:o,s:o,s:s}", "verdict",
                               verdicts[c->verdict], "reason", reasons[c->reason], "claim", claim, "ends",
                               ends, "evidence", evidences[c->evidence], "runs", (json_int_t)c->side[0].count,
                               "counted", (json_int_t)c->counted, "probed", c->probed, "error",
                               pby_exact_json(c->error), "slack", pby_exact_json(c->slack), "findings",
                               pby_findings_object(&c->alignment.findings), "sites",
                               sites_object(&c->alignment), "assumes", assumes);
    return object;
}

/* ---- lines ------------------------------------------------------------------------------------- */

static const char *end_of(const json_t *ends, const char *name, const char *side, const char *end)
{
    const json_t *x = json_object_get(json_object_get(ends, name), side);
    return x == NULL || json_is_null(x) ? NULL : pby_json_string(x, end);
}

/* [lower end of the lower bound, upper end of the upper bound] */
static void print_ends(pby_sheet *s, const json_t *ends, const char *name, const char *at,
                       const char *claimed)
{
    const char *upper = end_of(ends, name, "upper", "hi");
    pby_sheet_line(s, name, "at least %s%s%s, at %s %s", end_of(ends, name, "lower", "lo"),
                   upper != NULL ? ", at most " : "", upper != NULL ? upper : "", at, claimed);
}

static void print_evidence(pby_sheet *s, const json_t *answer)
{
    const char *evidence = pby_json_string(answer, "evidence");
    const json_int_t counted = json_integer_value(json_object_get(answer, "counted"));
    if (strcmp(evidence, "statistical") == 0)
        pby_sheet_line(s, "evidence", "statistical: %" JSON_INTEGER_FORMAT " runs a side agree, error %s",
                       counted, pby_json_string(answer, "error"));
    else
        pby_sheet_line(s, "evidence", "%s", evidence);
    pby_sheet_line(s, "runs", "%" JSON_INTEGER_FORMAT " a side%s",
                   json_integer_value(json_object_get(answer, "runs")),
                   json_is_true(json_object_get(answer, "probed")) ? ", probed: for every noise" : "");
}

static void print_site(pby_sheet *s, const json_t *site)
{
    const char *declared = pby_json_string(site, "declared");
    pby_sheet_line(s, "site", "%s: %s of scale %s, shift %s%s%s", pby_json_string(site, "site"),
                   pby_json_string(site, "law"), pby_json_string(site, "scale"),
                   pby_json_string(site, "shift"), declared[0] != '\0' ? ", declared " : "", declared);
}

pby_status pby_trace_object_lines(char **text, const json_t *answer, pby_error *err)
{
    const json_t *claim = json_object_get(answer, "claim"), *ends = json_object_get(answer, "ends"), *item;
    const char *reason = pby_json_string(answer, "reason");
    pby_sheet s;
    size_t i;
    pby_sheet_begin(&s, PBY_REPORT_LINES);
    pby_sheet_line(&s, "verdict", "%s%s%s", pby_json_string(answer, "verdict"), reason[0] != '\0' ? ": " : "",
                   reason);
    pby_sheet_line(&s, "claim", "epsilon %s, delta %s", pby_json_string(claim, "epsilon"),
                   pby_json_string(claim, "delta"));
    print_ends(&s, ends, "epsilon", "delta", pby_json_string(claim, "delta"));
    print_ends(&s, ends, "delta", "epsilon", pby_json_string(claim, "epsilon"));
    print_evidence(&s, answer);
    json_array_foreach(json_object_get(answer, "findings"), i, item) pby_sheet_line(
        &s, pby_json_string(item, "finding"), "%s%s%s", pby_json_string(item, "site"),
        pby_json_string(item, "site")[0] != '\0' ? ": " : "", pby_json_string(item, "message"));
    json_array_foreach(json_object_get(answer, "sites"), i, item) print_site(&s, item);
    pby_sheet_line(&s, "assumes", "%s", assumes);
    return pby_sheet_end(text, &s, PBY_OK, err);
}
