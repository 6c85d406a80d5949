/* SPDX-License-Identifier: MIT */
/* A description of inputs, in words or in a file. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/run/audit_run.h"
#include "audit/search/search_rows.h"
#include "io/file.h"
#include "probity/experimental/search.h"

static pby_status read_rows(pby_inputs **out, const char *text, pby_neighbours neighbours, pby_error *err)
{
    char *file, *program, *lines = NULL, *source = NULL;
    size_t n, size = 0, source_size = 0;
    PBY_TRY(pby_rows_named(&n, &file, &program, text, err));
    pby_status status = pby_file_read_table(&lines, &size, file, err);
    if (status == PBY_OK && program != NULL)
        status = pby_file_read_table(&source, &source_size, program, err);
    if (status == PBY_OK)
        status = pby_rows_inputs(out, n, lines, size, source, source_size, neighbours, err);
    free(file);
    free(program);
    free(lines);
    free(source);
    return status;
}

pby_status pby_audit_inputs(pby_inputs **out, const char *text, pby_neighbours neighbours, pby_error *err)
{
    char *csv = NULL;
    size_t size;
    *out = NULL;
    if (strncmp(text, PBY_INPUTS_ROWS, sizeof PBY_INPUTS_ROWS - 1) == 0)
        return read_rows(out, text, neighbours, err);
    if (strchr(text, ':') != NULL && access(text, F_OK) != 0)
        return pby_inputs_parse(out, text, neighbours, err);
    pby_status status = pby_file_read_table(&csv, &size, text, err);
    if (status == PBY_OK)
        status = pby_inputs_ranges(out, csv, size, neighbours, err);
    free(csv);
    return status;
}
