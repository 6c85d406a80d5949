/* SPDX-License-Identifier: MIT */
/* A description of inputs, in words or in a file. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/run/audit_run.h"
#include "io/file.h"
#include "probity/experimental/search.h"

pby_status pby_audit_inputs(pby_inputs **out, const char *text, pby_neighbours neighbours, pby_error *err)
{
    char *csv = NULL;
    size_t size;
    *out = NULL;
    if (strchr(text, ':') != NULL && access(text, F_OK) != 0)
        return pby_inputs_parse(out, text, neighbours, err);
    pby_status status = pby_file_read_table(&csv, &size, text, err);
    if (status == PBY_OK)
        status = pby_inputs_ranges(out, csv, size, neighbours, err);
    free(csv);
    return status;
}
