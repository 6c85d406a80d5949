#include "nearest.h"
#include "probity/spec.h"

static const char *const NAMES[] = {[PBY_ADD_REMOVE] = "add-remove", [PBY_SUBSTITUTE] = "substitute", NULL};

pby_status pby_neighbours_parse(pby_neighbours *out, const char *name, const char *text, pby_error *err)
{
    size_t i;
    const pby_status status = pby_name_find(&i, NAMES, name, text, err);
    if (status == PBY_OK)
        *out = (pby_neighbours)i;
    return status;
}

const char *pby_neighbours_text(pby_neighbours relation)
{
    return NAMES[relation];
}
