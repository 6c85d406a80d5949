/* SPDX-License-Identifier: MIT */
#include "audit/timing/times_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/count_table.h"

static pby_status refuse_line(const pby_lines *lines, pby_error *err)
{
    return pby_fail(err, PBY_BAD,
                    "%s, line %" PRIu64 ": expected left or right, a comma and a time, an integer below 2^63",
                    pby_lines_name(lines), pby_lines_number(lines));
}

static pby_status add_line(pby_times *t, const pby_lines *lines, const char *line, pby_error *err)
{
    for (int side = 0; side < 2; side++) {
        const size_t length = strlen(pby_side_names[side]);
        const char *digits = line + length + 1;
        if (strncmp(line, pby_side_names[side], length) != 0 || line[length] != ',' || *digits == '\0' ||
            strlen(digits) > 19 || strspn(digits, "0123456789") != strlen(digits))
            continue;
        const uint64_t time = strtoull(digits, NULL, 10);
        return time > INT64_MAX ? refuse_line(lines, err)
                                : pby_times_add(t, side == 0 ? PBY_LEFT : PBY_RIGHT, time, err);
    }
    return refuse_line(lines, err);
}

pby_status pby_times_read(pby_times *times, pby_lines *lines, pby_error *err)
{
    char *line;
    pby_status status = pby_lines_next(lines, &line, err);
    if (status == PBY_OK && line != NULL && strcmp(line, PBY_TIMES_HEADING) == 0)
        status = pby_lines_next(lines, &line, err);
    while (status == PBY_OK && line != NULL) {
        status = add_line(times, lines, line, err);
        if (status == PBY_OK)
            status = pby_lines_next(lines, &line, err);
    }
    return status;
}
