/* SPDX-License-Identifier: MIT */
#include "release/uses.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"

static pby_status name_columns(char **columns, const char *const *stems, size_t uses, pby_error *err)
{
    for (size_t use = 1; use <= uses; use++)
        for (size_t i = 0; stems[i] != NULL; i++, columns++)
            if (asprintf(columns, "%s_%zu", stems[i], use) < 0) {
                *columns = NULL;
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

pby_status pby_uses_name(pby_uses *out, const char *const *stems, size_t uses, pby_error *err)
{
    size_t each = 0;
    while (stems[each] != NULL)
        each++;
    *out = (pby_uses){calloc(each * uses + 1, sizeof *out->columns), NULL};
    const pby_status status = out->columns == NULL ? pby_no_memory(err)
                                                   : name_columns(out->columns, stems, uses, err);
    return status == PBY_OK ? join(out, err) : status;
}

void pby_uses_clear(pby_uses *u)
{
    for (size_t i = 0; u->columns != NULL && u->columns[i] != NULL; i++)
        free(u->columns[i]);
    free(u->columns);
    free(u->header);
}
