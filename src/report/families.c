/* SPDX-License-Identifier: MIT */
/* The registry as JSON. docs/families.py makes the manual's list of specs and the shells' completions of it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "mechanism/shared/selection.h"
#include "probity/report.h"

static json_t *strings(const char *const *text)
{
    json_t *list = json_array();
    for (; *text != NULL; text++)
        list = pby_json_append(list, json_string(*text));
    return list;
}

static json_t *parameters_of(const pby_family *family)
{
    json_t *list = json_array();
    for (size_t i = 0; i < pby_family_parameters(family); i++) {
        const pby_parameter *p = &family->parameters[i];
        list = pby_json_append(list, json_pack("{s:s, s:b, s:s}", "name", p->name, "required",
                                               p->fallback == NULL, "meaning", p->meaning));
    }
    return list;
}

static const char *chosen_of(const pby_family *family)
{
    return family->select == NULL ? NULL
                                  : family->parameters[pby_family_with(family, family->select->chosen)].name;
}

pby_status pby_report_families(char **text, pby_error *err)
{
    json_t *all = json_array();
    for (size_t i = 0; pby_families[i] != NULL; i++) {
        const pby_family *family = pby_families[i];
        all = pby_json_append(all, json_pack("{s:s, s:s, s:o, s:s?, s:o, s:o}", "name", family->name,
                                             "summary", family->summary, "parameters", parameters_of(family),
                                             "selects", chosen_of(family), "manual", strings(family->manual),
                                             "examples", strings(family->examples)));
    }
    char *array = pby_json_text(all, JSON_PRESERVE_ORDER);
    if (array == NULL || asprintf(text, "%s\n", array) < 0)
        *text = NULL;
    free(array);
    return *text == NULL ? pby_no_memory(err) : PBY_OK;
}
