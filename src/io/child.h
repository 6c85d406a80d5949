/* A shell command whose standard output is read. */
#ifndef PBY_IO_CHILD_H
#define PBY_IO_CHILD_H

#include <stdio.h>
#include <sys/types.h>

#include "base/status.h"

typedef struct pby_child {
    pid_t pid;
    FILE *out; /* what it prints; NULL when there is no command */
} pby_child;

/* Starts it through /bin/sh. */
PBY_CHECKED
pby_status pby_child_start(pby_child *child, const char *command, pby_error *err);

/* The same with its standard error in a file that is open; -1: where ours is. */
PBY_CHECKED
pby_status pby_child_start_with(pby_child *child, const char *command, int errors, pby_error *err);

/* Waits for its end, and says how it ended as waitpid(2) does. */
int pby_child_end(pby_child *child);

/* Writes text as one word of the shell: in single quotes, which nothing but a single quote ends; and as an
 * argument, which needs no quotes where no character means something to the shell. */
void pby_shell_quote(FILE *out, const char *text);
void pby_shell_argument(FILE *out, const char *text);

/* Ends it: the shell is killed, and what it has started finds nobody to write to. Waits for the shell. */
void pby_child_stop(pby_child *child);

#endif
