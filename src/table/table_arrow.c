/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/arrow/arrow_rows.h"
#include "table/arrow/arrow_stream.h"
#include "table/map/arguments.h"
#include "table/store/entries.h"
#include "table/table.h"

/* The columns of keys and counts: those that are named, and of a stream of two the other. */
static pby_status choose(size_t child[2], const pby_arrow *a, const pby_csv_options *o, pby_error *err)
{
    static const pby_csv_options none;
    const char *argument[] = {pby_argument_name(&pby_arguments_library, PBY_ARG_KEYS),
                              pby_argument_name(&pby_arguments_library, PBY_ARG_COUNTS)};
    const char *name[] = {(o == NULL ? &none : o)->keys, (o == NULL ? &none : o)->counts};
    for (size_t i = 0; i < 2; i++) {
        const pby_status status = name[i] == NULL ? PBY_OK
                                                  : pby_arrow_find(&child[i], a, argument[i], name[i], err);
        if (status != PBY_OK)
            return status;
    }
    for (size_t i = 0; i < 2; i++)
        if (name[i] == NULL && pby_arrow_columns(a) != 2)
            return pby_fail(err, PBY_BAD, "%s: expected the name of a column; without names, a stream of two",
                            argument[i]);
    child[0] = name[0] != NULL ? child[0] : name[1] != NULL ? 1 - child[1] : 0;
    child[1] = name[1] != NULL ? child[1] : 1 - child[0];
    return child[0] != child[1]
               ? PBY_OK
               : pby_refuse(err, argument[1], name[1], "another column than that of the keys");
}

static pby_status read_rows(pby_entries *entries, pby_arrow *a, const pby_csv_options *o, pby_error *err)
{
    size_t child[2] = {0, 0};
    pby_arrow_rows *rows;
    pby_status status = choose(child, a, o, err);
    if (status == PBY_OK)
        status = pby_arrow_want(a, child[0], PBY_ARROW_NAMES, err);
    if (status == PBY_OK)
        status = pby_arrow_want(a, child[1], PBY_ARROW_COUNTS, err);
    const char *name = status == PBY_OK ? pby_arrow_column_name(a, child[0]) : "";
    if (status == PBY_OK)
        status = pby_entries_head(entries, name, strlen(name), err);
    if (status == PBY_OK)
        status = pby_arrow_rows_read(&rows, a, err);
    if (status == PBY_OK)
        pby_entries_lend(entries, rows);
    return status;
}

pby_status pby_table_arrow(pby_table **out, struct ArrowArrayStream *stream, const pby_csv_options *options,
                           pby_error *err)
{
    const char *name = options == NULL || options->name == NULL ? "the input" : options->name;
    pby_arrow *arrow;
    pby_entries *entries = NULL;
    *out = NULL;
    pby_status status = pby_arrow_open(&arrow, stream, name, err);
    if (status == PBY_OK)
        status = pby_entries_new(&entries, arrow->name, err);
    if (status == PBY_OK)
        status = read_rows(entries, arrow, options, err);
    pby_arrow_free(arrow);
    if (status == PBY_OK)
        return pby_table_of_entries(out, entries, err);
    pby_entries_free(entries);
    return status;
}

pby_status pby_table_records_arrow(pby_table **out, struct ArrowArrayStream *stream,
                                   const pby_records_options *options, pby_error *err)
{
    pby_arrow *arrow;
    *out = NULL;
    pby_status status =
        pby_arrow_open(&arrow, stream, options->name == NULL ? "the input" : options->name, err);
    if (status == PBY_OK)
        status = pby_table_records_of(out, NULL, NULL, options, &pby_arguments_library, err);
    if (status == PBY_OK)
        (*out)->records->arrow = arrow;
    else
        pby_arrow_free(arrow);
    return status;
}
