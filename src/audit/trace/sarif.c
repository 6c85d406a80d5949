/* SPDX-License-Identifier: MIT */
/* A verdict on two traces as a SARIF 2.1.0 log: a result for each finding, at its site. */
#include <stdlib.h>
#include <string.h>

#include "audit/trace/trace_finding.h"
#include "base/json.h"
#include "probity.h"

/* A site is file:line:column. The file may contain colons. */
static json_t *location(const char *site)
{
    const char *column = strrchr(site, ':'), *line = column;
    while (line != NULL && line > site && *--line != ':')
        ;
    if (line == NULL || line == site)
        return json_array();
    const long row = strtol(line + 1, NULL, 10), at = strtol(column + 1, NULL, 10);
    if (row < 1)
        return json_array();
    return json_pack("[{s:{s:{s:s%},s:{s:I,s:I}}}]", "physicalLocation", "artifactLocation", "uri", site,
                     (size_t)(line - site), "region", "startLine", (json_int_t)row, "startColumn",
                     (json_int_t)(at < 1 ? 1 : at));
}

static json_t *result(const json_t *finding)
{
    return json_pack("{s:s,s:s,s:{s:s},s:o}", "ruleId", pby_json_string(finding, "finding"), "level",
                     pby_json_string(finding, "level"), "message", "text",
                     pby_json_string(finding, "message"), "locations",
                     location(pby_json_string(finding, "site")));
}

static json_t *rules(void)
{
    json_t *all = json_array();
    for (pby_finding_kind i = 0; i < PBY_FINDINGS; i++)
        all = pby_json_append(all, json_pack("{s:s}", "id", pby_finding_name(i)));
    return all;
}

pby_status pby_trace_sarif(char **text, const char *answer, pby_error *err)
{
    json_t *verdict = json_loads(answer, JSON_REJECT_DUPLICATES, NULL), *finding, *results = json_array();
    size_t i;
    *text = NULL;
    if (!json_is_object(verdict) || !json_is_array(json_object_get(verdict, "findings"))) {
        json_decref(verdict);
        json_decref(results);
        return pby_refuse(err, "answer", "", "the answer of pby_trace_judge as JSON");
    }
    json_array_foreach(json_object_get(verdict, "findings"), i, finding)
        results = pby_json_append(results, result(finding));
    json_t *log = json_pack("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:o}},s:o}]}", "$schema",
                            "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                            "tool", "driver", "name", "probity", "version", pby_version(), "rules", rules(),
                            "results", results);
    json_decref(verdict);
    *text = pby_json_text(log, JSON_INDENT(1));
    return *text == NULL ? pby_no_memory(err) : PBY_OK;
}
