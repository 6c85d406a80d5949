/* SPDX-License-Identifier: MIT */
#include "cli/clock.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads from a terminal until the text holds what is waited for. */
static void read_until(int terminal, char *text, size_t size, const char *wanted)
{
    for (size_t at = strlen(text); at + 1 < size && strstr(text, wanted) == NULL;) {
        const ssize_t n = read(terminal, text + at, size - 1 - at);
        cr_assert_gt(n, 0);
        at += (size_t)n;
        text[at] = '\0';
    }
}

Test(clock, seconds_on_a_terminal_and_the_line_taken_away)
{
    char text[256] = "";
    pby_clock w;
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY), before = dup(STDERR_FILENO);
    cr_assert(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    const int side = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    cr_assert_geq(side, 0);
    fflush(stderr);
    dup2(side, STDERR_FILENO);
    pby_clock_begin(&w, "composing");
    read_until(terminal, text, sizeof text, " s");
    pby_clock_end(&w);
    fflush(stderr);
    read_until(terminal, text, sizeof text, "\033[K");
    dup2(before, STDERR_FILENO);
    cr_assert_eq(strncmp(text, "\rcomposing: 1 s", strlen("\rcomposing: 1 s")), 0, "%s", text);
    close(before);
    close(side);
    close(terminal);
}

Test(clock, nothing_elsewhere)
{
    pby_clock w;
    FILE *file = tmpfile();
    const int before = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    pby_clock_begin(&w, "composing");
    const bool started = w.started;
    pby_clock_end(&w);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    cr_assert_not(started);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    cr_assert_eq(ftell(file), 0);
    fclose(file);
}
