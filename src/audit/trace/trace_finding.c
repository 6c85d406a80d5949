/* SPDX-License-Identifier: MIT */
#include "audit/trace/trace_finding.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"

enum { KEPT_MAX = 1000 };

static const struct {
    const char *name, *level;
} kinds[PBY_FINDINGS] = {[PBY_FOUND_UNRECORDED] = {"unrecorded", "warning"},
                         [PBY_FOUND_OPEN] = {"open", "warning"},
                         [PBY_FOUND_CALLS] = {"calls", "warning"},
                         [PBY_FOUND_SHAPE] = {"shape", "warning"},
                         [PBY_FOUND_LAW] = {"law", "warning"},
                         [PBY_FOUND_BRANCH] = {"branch", "note"},
                         [PBY_FOUND_OUTPUT] = {"output", "warning"},
                         [PBY_FOUND_VALUE] = {"value", "warning"},
                         [PBY_FOUND_REUSE] = {"reuse", "warning"},
                         [PBY_FOUND_SEED] = {"seed", "warning"},
                         [PBY_FOUND_SENSITIVITY] = {"sensitivity", "warning"},
                         [PBY_FOUND_LOSS] = {"loss", "error"},
                         [PBY_FOUND_ROUNDING] = {"rounding", "note"}};

const char *pby_finding_name(pby_finding_kind kind)
{
    return kinds[kind].name;
}

void pby_findings_clear(pby_findings *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->item[i].site);
    free(list->item);
    *list = (pby_findings){.count = 0};
}

pby_status pby_findings_add(pby_findings *list, pby_finding_kind kind, const char *site, const char *message,
                            pby_error *err)
{
    list->found[kind] = true;
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].kind == kind && strcmp(list->item[i].site, site) == 0)
            return PBY_OK;
    if (list->count == KEPT_MAX)
        return PBY_OK;
    PBY_RESERVE(list->item, list->room, list->count + 1, err);
    char *copy = strdup(site);
    if (copy == NULL)
        return pby_no_memory(err);
    list->item[list->count++] = (pby_finding){kind, copy, kinds[kind].level, message};
    return PBY_OK;
}

void pby_findings_refute(pby_findings *list, pby_finding_kind kind)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].kind == kind)
            list->item[i].level = "error";
}

json_t *pby_findings_object(const pby_findings *list)
{
    json_t *all = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const pby_finding *f = &list->item[i];
        all = pby_json_append(all, json_pack("{s:s,s:s,s:s,s:s}", "finding", kinds[f->kind].name, "site",
                                             f->site, "level", f->level, "message", f->message));
    }
    return all;
}
