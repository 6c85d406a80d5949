#include <string.h>

#include "probity/spec.h"
#include "status.h"

static const char *const NAMES[] = {[PBY_ADD_REMOVE] = "add-remove", [PBY_SUBSTITUTE] = "substitute"};

pby_status pby_neighbours_parse(pby_neighbours *out, const char *name, const char *text, pby_error *err)
{
    for (int i = PBY_ADD_REMOVE; i <= PBY_SUBSTITUTE; i++)
        if (strcmp(text, NAMES[i]) == 0) {
            *out = (pby_neighbours)i;
            return PBY_OK;
        }
    return pby_refuse(err, name, text, "add-remove or substitute");
}

const char *pby_neighbours_text(pby_neighbours relation)
{
    return NAMES[relation];
}
