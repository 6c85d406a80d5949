#include "table/uses.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"

static pby_status name_columns(char **columns, size_t uses, pby_error *err)
{
    for (size_t i = 0; i < uses; i++)
        if (asprintf(&columns[i], "count_%zu", i + 1) < 0) {
            columns[i] = NULL;
            return pby_no_memory(err);
        }
    return PBY_OK;
}

static pby_status join(pby_uses *u, pby_error *err)
{
    size_t size;
    FILE *out = open_memstream(&u->header, &size);
    if (out == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; u->columns[i] != NULL; i++)
        fprintf(out, ",%s", u->columns[i]);
    return fclose(out) == 0 ? PBY_OK : pby_no_memory(err);
}

pby_status pby_uses_name(pby_uses *out, size_t uses, pby_error *err)
{
    *out = (pby_uses){calloc(uses + 1, sizeof *out->columns), NULL};
    const pby_status status = out->columns == NULL ? pby_no_memory(err)
                                                   : name_columns(out->columns, uses, err);
    return status == PBY_OK ? join(out, err) : status;
}

void pby_uses_clear(pby_uses *u)
{
    for (size_t i = 0; u->columns != NULL && u->columns[i] != NULL; i++)
        free(u->columns[i]);
    free(u->columns);
    free(u->header);
}
