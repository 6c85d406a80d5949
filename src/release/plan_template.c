/* SPDX-License-Identifier: MIT */
#include "release/plan_template.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printed.h"
#include "io/file.h"
#include "io/source.h"
#include "kernel/scan.h"

enum { HEADER_MAX = 1 << 16 };

/* ---- the header ---------------------------------------------------------------------------------- */

/* One field, without quotes and escapes, from *at on, which is moved behind the comma or to the end. */
static void next_field(char *out, const char **at, const char *end)
{
    const char *p = *at;
    const bool quoted = p < end && *p == '"';
    p += quoted;
    while (p < end && (quoted || *p != ',')) {
        if (quoted && *p == '"' && (p + 1 == end || p[1] != '"'))
            break;
        p += quoted && *p == '"';
        *out++ = *p++;
    }
    *out = '\0';
    while (p < end && *p != ',')
        p++;
    *at = p < end ? p + 1 : end;
}

/* The first line, with its end; a line in quotes may have more lines in it, which no name has. */
static pby_status read_header(char *line, size_t *size, const char *data, pby_error *err)
{
    pby_csv_input *in;
    size_t got = 0;
    PBY_TRY(pby_csv_input_open(&in, data, err));
    pby_csv_input_once(in);
    pby_status status = pby_csv_input_read(in, line, HEADER_MAX, &got, err);
    pby_csv_input_free(in);
    PBY_TRY(status);
    const size_t mark = got >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    memmove(line, line + mark, got - mark);
    const char *end = memchr(line, '\n', got - mark);
    *size = end == NULL ? got - mark : (size_t)(end - line);
    if (*size > 0 && line[*size - 1] == '\r')
        --*size;
    if (*size == 0 || *size == HEADER_MAX || pby_scan_utf8((const uint8_t *)line, *size) != *size ||
        memchr(line, '\0', *size) != NULL)
        return pby_refuse(err, "DATA", pby_path_text(data), "a first line that names the columns, in UTF-8");
    return PBY_OK;
}

/* ---- the plan ------------------------------------------------------------------------------------ */

/* A text of TOML. */
static void put_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', f);
        if ((unsigned char)*text < ' ')
            fprintf(f, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            fputc(*text, f);
    }
    fputc('"', f);
}

static void put_columns(FILE *f, const char *line, size_t size, const char *before, const char *after)
{
    char *name = malloc(size + 1);
    for (const char *at = line; name != NULL && at < line + size;) {
        next_field(name, &at, line + size);
        fputs(before, f);
        put_text(f, name);
        fputs(after, f);
    }
    free(name);
}

static void put_plan(FILE *f, const char *line, size_t size, const char *data)
{
    fprintf(
        f,
        "# A release plan for %s, to be filled in; docs/plan.md has the format.\n"
        "# KNOWN marks what must be known without the data: read off the data it would tell about them.\n"
        "# Then: probity plan check PLAN\n"
        "format = \"probity-plan\"\n"
        "version = 1\n\n"
        "[unit]\n"
        "user = \"\"    # the column of users; delete this line and the next if a user has one row at most\n"
        "rows = 1     # KNOWN: at most so many rows of a user are used in each grouping\n"
        "# expect = 1000  # KNOWN: a guess of the table's rows, by which errors are compared\n\n"
        "[budget]     # of all releases together\n"
        "epsilon = 1\n"
        "delta = \"1e-6\"\n\n"
        "[horizon]\n"
        "times = 1    # how many releases the budget is for\n\n"
        "# The columns of the table. Take the marks off those whose numbers are released:\n"
        "# low and high are KNOWN (values outside are moved to them), step is what values are rounded to,\n"
        "# and a row without a number is dropped (missing = \"drop\"), or counts as a number of yours.\n",
        data);
    put_columns(f, line, size, "# [columns.",
                "]\n"
                "# low = 0\n"
                "# high = 100\n"
                "# step = 1\n"
                "# missing = \"drop\"\n");
    fputs("\n"
          "# [groupings.NAME]\n"
          "# by = [\"COLUMN\"]\n"
          "# groups = [\"A\", \"B\"]    # KNOWN: which groups there are; or file = \"groups.txt\"\n"
          "#                        # or hidden = true: only groups with many users are told\n"
          "# groups_per_user = 1    # at most so many groups of a user\n"
          "# rows_per_group = 1     # at most so many rows of a user in a group\n"
          "# expect = 100           # KNOWN: a guess of a group's rows\n\n"
          "[[statistics]]\n"
          "name = \"rows\"\n"
          "kind = \"count\"         # or users, sum, mean, variance, quantile, histogram, top\n"
          "# group = \"NAME\"       # a grouping; the whole table if left out\n"
          "# of = \"COLUMN\"        # of sum, mean, variance, quantile and histogram\n",
          f);
}

pby_status pby_plan_template(char **text, const char *data, pby_error *err)
{
    char *line = malloc(HEADER_MAX);
    size_t size = 0;
    pby_printed printed;
    *text = NULL;
    pby_status status = line == NULL ? pby_no_memory(err) : read_header(line, &size, data, err);
    FILE *f = status == PBY_OK ? pby_printed_begin(&printed) : NULL;
    if (f != NULL) {
        put_plan(f, line, size, pby_path_text(data));
        status = pby_printed_end(text, &printed, PBY_OK, err);
    } else if (status == PBY_OK)
        status = pby_no_memory(err);
    free(line);
    return status;
}
