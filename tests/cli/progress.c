/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

/* Writes the progress of 8 out of a total, as on a terminal and without the wait of a second. */
static void shown(char *text, size_t size, void (*begin)(pby_progress *, const char *, uint64_t),
                  uint64_t total)
{
    pby_progress p;
    FILE *file = tmpfile();
    const int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    begin(&p, "released", total);
    p.terminal = true;
    p.next.tv_sec = 0;
    pby_progress_at(&p, 8);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

Test(progress, by_number_or_by_share_alone)
{
    char text[128];
    shown(text, sizeof text, pby_progress_begin, 400);
    cr_assert_str_eq(text, "\rreleased: 8 of 400 (2%)");
    shown(text, sizeof text, pby_progress_begin_share, 400);
    cr_assert_str_eq(text, "\rreleased: 2%");
    shown(text, sizeof text, pby_progress_begin, 0);
    cr_assert_str_eq(text, "\rreleased: 8", "without a total");
}
