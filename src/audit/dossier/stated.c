/* SPDX-License-Identifier: MIT */
#include "audit/dossier/stated.h"

#include <string.h>

#include "base/json.h"
#include "certificate/certificate.h"
#include "certificate/differ.h"

const pby_stated pby_stated_result[] = {
    {"began", "when the audit began"},
    {"computed_with", "with which versions it was computed"},
    {"ended", "when it ended"},
    {"starts", "how often it was begun"},
    {"verdict.events[].accused", "of each event: the input whose outputs have it too often"},
    {"verdict.events[].chosen", "its counts in the outputs that chose it"},
    {"verdict.events[].judged", "its counts in the outputs that judged it"},
    {"verdict.events[].kind", "its kind"},
    {"verdict.events[].ranges", "its ranges"},
    {"verdict.events[].text", "its name in words"},
    {"verdict.missing", "how many outputs did not come"},
    {"verdict.profile_counts", "the counts of the profile"},
    {"verdict.search", "of a search: the inputs that were found, and how many were tried"},
    {"verdict.sources", "the names and digests of what was read"},
    {NULL, NULL}};

const pby_stated pby_stated_point[] = {
    {"verdict.claim.delta", "the delta that the claim allows at that epsilon, to five digits"},
    {"verdict.claim.epsilon", "of a claim of rho or mu: at which of seven epsilons it was judged"},
    {NULL, NULL}};

const pby_stated pby_stated_canaries[] = {{"began", "when the audit began"},
                                          {"computed_with", "with which versions it was computed"},
                                          {"ended", "when it ended"},
                                          {"starts", "how often it was begun"},
                                          {"verdict.canaries", "of scores: the number of canaries"},
                                          {"verdict.correct", "of scores: the correct guesses of each list"},
                                          {"verdict.included", "of scores: how many canaries were included"},
                                          {"verdict.sources", "the names and digests of the files of scores"},
                                          {NULL, NULL}};

const pby_stated *pby_stated_of(const pby_planned_audit *a)
{
    return a->canaries.kind == PBY_CANARIES_NONE ? pby_stated_result : pby_stated_canaries;
}

const pby_stated pby_stated_dossier[] = {{"computed_with", "with which versions the page was made"},
                                         {"made", "when it was made"},
                                         {"not_run[].reason", "why an audit was not run"},
                                         {"plan", "what was asked, and by which command"},
                                         {"plan_sha256", "the digest of the plan's file"},
                                         {NULL, NULL}};

const pby_stated pby_stated_once[] = {{"verdict.profile", "the profile: version 1 lacks its counts"},
                                      {NULL, NULL}};

json_t *pby_stated_list(const pby_stated *stated, const pby_stated *more)
{
    json_t *list = json_array();
    for (; stated->path != NULL; stated++)
        list = pby_json_append(list, json_string(stated->path));
    for (; more != NULL && more->path != NULL; more++)
        list = pby_json_append(list, json_string(more->path));
    return list;
}

pby_status pby_stated_check(const json_t *document, const pby_stated *stated, const pby_stated *more,
                            pby_error *err)
{
    json_t *list = pby_stated_list(stated, more);
    const pby_status status = list == NULL ? pby_no_memory(err)
                              : json_equal(json_object_get(document, "stated"), list)
                                  ? PBY_OK
                                  : pby_differ_deny(err, "stated", "the members that version 2 states");
    json_decref(list);
    return status;
}

pby_status pby_stated_date(const json_t *document, const char *name, pby_error *err)
{
    static const char form[] = "0000-00-00 00:00 UTC";
    const char *text = pby_json_string(document, name);
    size_t i = 0;
    while (form[i] != '\0' && (form[i] == '0' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i]))
        i++;
    return form[i] == '\0' && text[i] == '\0'
               ? PBY_OK
               : pby_differ_deny(err, name, "a date such as 2026-01-31 12:00 UTC");
}
