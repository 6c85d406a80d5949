/* SPDX-License-Identifier: MIT */
#include "table/row/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/printed.h"
#include "io/file.h"

enum { SHOWN = 40 };

/* Not within a character. */
static size_t cut_at(const uint8_t *name, size_t size)
{
    if (size <= SHOWN)
        return size;
    size_t at = SHOWN;
    while (at > 0 && (name[at] & 0xc0) == 0x80)
        at--;
    return at;
}

void pby_layout_name(char out[PBY_LAYOUT_NAME], const uint8_t *name, size_t size)
{
    const size_t shown = cut_at(name, size);
    for (size_t i = 0; i < shown; i++)
        out[i] = name[i] < 0x20 || name[i] == 0x7f ? '?' : (char)name[i];
    snprintf(out + shown, PBY_LAYOUT_NAME - shown, "%s", shown < size ? "..." : "");
}

static void put_column(FILE *out, unsigned column, const char *name, bool named)
{
    if (named)
        fprintf(out, "column %u '%s'", column, name);
    else
        fprintf(out, "column %u", column);
}

/* The meaning of a line, and the assumption about it; NULL where that depends on the ledger. */
static const struct {
    const char *line, *taken;
} lines[] = {
    [PBY_TAKES_POINTS] = {"each line is a point", NULL},
    [PBY_TAKES_ANSWERS] = {"each line is the answer of a user",
                           "users are not told apart: one user is in one line"},
    [PBY_TAKES_SCORES] = {"each line is a candidate and its score",
                          "no record moves a score by more than the sensitivity"},
};

static void put_columns(FILE *out, const pby_layout *r, bool names)
{
    const bool named = r->header && (names || r->chosen);
    if (r->input != PBY_TAKES_COUNTS) {
        fputs(lines[r->input].line, out);
        return;
    }
    if (r->records && r->keys == 0) {
        fputs("all rows are in one bar", out);
        return;
    }
    if (!r->header)
        fputs("no header: ", out);
    for (size_t i = 0; i < r->keys; i++) {
        if (i > 0)
            fputs(i + 1 < r->keys ? ", " : " and ", out);
        put_column(out, r->key[i], r->key_name[i], named);
    }
    if (r->records) {
        fputs(r->keys > 1 ? " name the bar of a record" : " names the bar of a record", out);
        return;
    }
    fputs(r->keys > 1 ? " name a bar, " : " names a bar, ", out);
    put_column(out, r->count, r->count_name, named);
    fputs(" is taken as its count", out);
}

static void put_user(FILE *out, const pby_layout *r)
{
    if (r->user == 0) {
        fputs("; each row is a record of its own", out);
        return;
    }
    fputs("; at most ", out);
    fprintf(out, "%" PRIu64 " row%s of a user, whom ", r->contributions, r->contributions == 1 ? "" : "s");
    put_column(out, r->user, r->user_name, true);
    fputs(r->contributions == 1 ? " names, is counted" : " names, are counted", out);
}

char *pby_layout_text(const pby_layout *layout, const char *path, bool names, unsigned long rows)
{
    char shown[PBY_LAYOUT_NAME];
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return NULL;
    path = pby_path_text(path);
    pby_layout_name(shown, (const uint8_t *)path, strlen(path));
    fprintf(out, "%s: ", shown);
    put_columns(out, layout, names);
    const bool counts = layout->input == PBY_TAKES_COUNTS;
    const char *taken = counts ? NULL : lines[layout->input].taken;
    if (layout->records)
        put_user(out, layout);
    else if (taken != NULL)
        fprintf(out, "; %s", taken);
    else if (rows == 1)
        fprintf(out, "; %s are disjoint: one record is in one %s", counts ? "rows" : "points",
                counts ? "row" : "point");
    else
        fprintf(out, "; %s overlap: one record is in at most %lu of them", counts ? "rows" : "points", rows);
    return pby_printed_text(&printed);
}
