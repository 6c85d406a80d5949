/* SPDX-License-Identifier: MIT */
/* Commands that are started end: with their shell, with this process, and when nothing comes from them. */
#include "io/child.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONG = 100 };

/* Reads all that a command prints. */
static size_t read_all(pby_child *child, char *text, size_t size)
{
    size_t n = 0;
    for (int c; n + 1 < size && (c = pby_child_byte(child)) != EOF;)
        text[n++] = (char)c;
    text[n] = '\0';
    return n;
}

/* Waits until a process that a command has started is gone: it may be dying still. */
static void is_gone(pid_t pid)
{
    while (kill(pid, 0) == 0) {
        char path[64], line[256] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        FILE *in = fopen(path, "r");
        if (in == NULL || fgets(line, sizeof line, in) == NULL || strstr(line, ") Z ") != NULL) {
            if (in != NULL)
                fclose(in);
            return; /* dead, and not collected by who has inherited it */
        }
        fclose(in);
        usleep(1000);
    }
    cr_assert_eq(errno, ESRCH);
}

Test(child, what_it_prints_is_read_and_its_end_told)
{
    char text[64];
    pby_child child;
    cr_assert_eq(pby_child_start(&child, "echo a; sleep 0.05; echo b; exit 7", LONG, NULL), PBY_OK);
    read_all(&child, text, sizeof text);
    cr_assert_str_eq(text, "a\nb\n");
    const int status = pby_child_end(&child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    cr_assert_not(child.silent);
    cr_assert_eq(pby_child_start(&child, "kill -9 $$", LONG, NULL), PBY_OK);
    cr_assert_eq(read_all(&child, text, sizeof text), 0);
    cr_assert_eq(WEXITSTATUS(pby_child_end(&child)), 128 + SIGKILL);
}

Test(child, a_silent_one_is_noticed_and_ended_with_all_that_it_started)
{
    char text[64];
    pby_child child;
    cr_assert_eq(pby_child_start(&child, "sleep 1000 & echo $!; wait", 1, NULL), PBY_OK);
    read_all(&child, text, sizeof text);
    cr_assert(child.silent);
    pby_child_stop(&child);
    is_gone((pid_t)atol(text));
}

Test(child, one_that_closes_its_output_and_stays_is_ended)
{
    char text[64];
    pby_child child;
    cr_assert_eq(pby_child_start(&child, "exec >/dev/null; sleep 1000", 1, NULL), PBY_OK);
    cr_assert_eq(read_all(&child, text, sizeof text), 0);
    cr_assert_not(child.silent);
    cr_assert_neq(pby_child_end(&child), 0);
    cr_assert(child.silent);
}

/* Otherwise the output would stay open, and its reader wait. */
Test(child, what_a_shell_leaves_behind_ends_with_it)
{
    char text[64];
    pby_child child;
    cr_assert_eq(pby_child_start(&child, "sleep 1000 & echo $!", LONG, NULL), PBY_OK);
    read_all(&child, text, sizeof text);
    cr_assert_not(child.silent);
    cr_assert_eq(pby_child_end(&child), 0);
    is_gone((pid_t)atol(text));
}

/* A process that starts two commands, says which processes they started, and waits. */
static pid_t start_parent(int out)
{
    const pid_t parent = fork();
    cr_assert_geq(parent, 0);
    if (parent > 0)
        return parent;
    pby_child child[2];
    for (int i = 0; i < 2; i++) {
        char text[64];
        size_t n = 0;
        if (pby_child_start(&child[i], "sleep 1000 & echo $!; wait", LONG, NULL) != PBY_OK)
            _exit(1);
        for (int c = 0; c != '\n' && (c = pby_child_byte(&child[i])) != EOF;)
            text[n++] = (char)c;
        if (write(out, text, n) != (ssize_t)n)
            _exit(1);
    }
    for (;;)
        pause();
}

static void ends_with_its_parent(int number)
{
    int ends[2];
    long pid[2];
    cr_assert_eq(pipe(ends), 0);
    const pid_t parent = start_parent(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    cr_assert_eq(fscanf(in, "%ld %ld", &pid[0], &pid[1]), 2);
    cr_assert_eq(kill((pid_t)pid[0], 0), 0);
    cr_assert_eq(kill(parent, number), 0);
    cr_assert_eq(waitpid(parent, NULL, 0), parent);
    is_gone((pid_t)pid[0]);
    is_gone((pid_t)pid[1]);
    fclose(in);
    close(ends[1]);
}

Test(child, all_that_it_started_ends_with_this_process)
{
    signal(SIGINT, SIG_DFL);
    ends_with_its_parent(SIGTERM);
    ends_with_its_parent(SIGINT);
    ends_with_its_parent(SIGKILL);
}
