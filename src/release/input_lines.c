/* SPDX-License-Identifier: MIT */
#include "release/input_lines.h"

#include "base/status.h"
#include "table/row/csv_row.h"

static pby_status open_lines(pby_lines **out, const pby_pipeline *p, pby_error *err)
{
    pby_csv_input *input;
    *out = NULL;
    if (p->table == NULL)
        return pby_lines_open(out, p->in, err);
    PBY_TRY(pby_table_lines(p->table, &input, err));
    return pby_lines_of(out, input, err);
}

pby_status pby_input_lines(const pby_pipeline *p, size_t columns, pby_line_taker *header,
                           pby_line_taker *take, void *what, pby_error *err)
{
    pby_lines *in;
    char *line;
    PBY_TRY(open_lines(&in, p, err));
    pby_status status = PBY_OK;
    while (status == PBY_OK && (status = pby_lines_next(in, &line, err)) == PBY_OK && line != NULL) {
        const bool names = pby_lines_number(in) == 1 && pby_csv_row_names_columns(line, columns);
        if (!names)
            status = take(what, in, line, err);
        else if (header != NULL)
            status = header(what, in, line, err);
    }
    pby_lines_close(in);
    return status;
}
