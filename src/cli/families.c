/* probity families: what the registry says, as JSON. docs/families.py makes the manual's list of specs and
 * the shells' completions of it; it is in no list of subcommands. */
#include "cli/families.h"

#include <jansson.h>

#include "base/status.h"
#include "cli/output.h"
#include "mechanism/selection.h"

static json_t *strings(const char *const *text)
{
    json_t *list = json_array();
    for (; *text != NULL; text++)
        json_array_append_new(list, json_string(*text));
    return list;
}

static json_t *parameters_of(const pby_family *family)
{
    json_t *list = json_array();
    for (size_t i = 0; i < pby_family_parameters(family); i++) {
        const pby_parameter *p = &family->parameters[i];
        json_array_append_new(list, json_pack("{s:s, s:b, s:s}", "name", p->name, "required",
                                              p->fallback == NULL, "meaning", p->meaning));
    }
    return list;
}

static const char *chosen_of(const pby_family *family)
{
    return family->select == NULL ? NULL
                                  : family->parameters[pby_family_with(family, family->select->chosen)].name;
}

pby_status pby_families_print(pby_error *err)
{
    json_t *all = json_array();
    for (size_t i = 0; pby_families[i] != NULL; i++) {
        const pby_family *family = pby_families[i];
        json_t *one = json_pack("{s:s, s:s, s:o, s:s?, s:o, s:o}", "name", family->name, "summary",
                                family->summary, "parameters", parameters_of(family), "selects",
                                chosen_of(family), "manual", strings(family->manual), "examples",
                                strings(family->examples));
        json_array_append_new(all, one);
    }
    return all == NULL ? pby_no_memory(err) : pby_print_json(all, err);
}
