#include "cli/exact.h"

#include <stdlib.h>

#include "cli/output.h"
#include "number/exact.h"

json_t *pby_exact_json(mpq_srcptr q)
{
    char *text = pby_exact_text(q);
    json_t *value = text == NULL ? NULL : json_string(text);
    free(text);
    return value;
}

json_t *pby_distance_json(const pby_distance *x)
{
    return x->infinite ? json_string("inf") : pby_exact_json(x->value);
}

pby_status pby_print_exact(const char *name, mpq_srcptr q, pby_error *err)
{
    char *text = pby_exact_text(q);
    if (text == NULL)
        return pby_no_memory(err);
    pby_print_line(name, text);
    free(text);
    return PBY_OK;
}

pby_status pby_print_distance(const char *name, const pby_distance *x, pby_error *err)
{
    if (!x->infinite)
        return pby_print_exact(name, x->value, err);
    pby_print_line(name, "inf");
    return PBY_OK;
}
