/* SPDX-License-Identifier: MIT */
/* A shell command whose standard output is read. */
#ifndef PBY_IO_CHILD_H
#define PBY_IO_CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/status.h"

/* A command may print nothing for so many seconds, unless the caller sets another number. */
enum { PBY_CHILD_PATIENCE = 600 };

typedef struct pby_child {
    pid_t pid;         /* of the watcher, which ends as the shell does */
    FILE *out;         /* what it prints, read by pby_child_byte; NULL when there is no command */
    int life;          /* closed, it ends the command and all that the command has started */
    unsigned patience; /* seconds */
    bool silent;       /* it has said nothing for so long */
} pby_child;

/* Starts it through /bin/sh, in a process group of its own that ends with the shell, and with this process,
 * however that ends. */
PBY_CHECKED
pby_status pby_child_start(pby_child *child, const char *command, unsigned patience, pby_error *err);

/* Starts it as pby_child_start does, with its standard error in the open file `errors`; -1: where ours is. */
PBY_CHECKED
pby_status pby_child_start_with(pby_child *child, const char *command, unsigned patience, int errors,
                                pby_error *err);

/* The next byte of what it prints; EOF at the end, on an error (ferror(3)) and when nothing has come for so
 * long that it counts as silent. */
int pby_child_byte(pby_child *child);

/* Waits until there is something to read, or the end; false when nothing has come in time. */
bool pby_child_wait(pby_child *child);

/* Waits for its end, and says how it ended as waitpid(2) does; 128 and the number for a signal. One that does
 * not end in time is ended, and counts as silent. */
int pby_child_end(pby_child *child);

/* Writes text as one word of the shell: in single quotes, which nothing but a single quote ends; and as an
 * argument, which needs no quotes where no character means something to the shell. */
void pby_shell_quote(FILE *out, const char *text);
void pby_shell_argument(FILE *out, const char *text);

/* Ends it, and all that it has started. Waits for that. */
void pby_child_stop(pby_child *child);

#endif
