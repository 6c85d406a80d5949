/* SPDX-License-Identifier: MIT */
/* The budget of work of a command: processor time and memory, and an end with status 3 where it is used up.
 *
 * The command owns its process, so the guard may do here what a library must not: it bounds the memory of the
 * process, takes over the allocators of GMP and FLINT, which abort when there is no memory, and ends the
 * process when its time is over. The library has limits of its own for that (interrupt.h, work.h), which the
 * guard sets as well: what they stop ends in order. Programs that the command starts have the limits that the
 * command was started with.
 *
 * Nothing is left behind by a sudden end: an output has no name until it is whole (io/spool.h), and while one
 * is being named or a ledger written, the time limit waits. */
#ifndef PBY_CLI_GUARD_H
#define PBY_CLI_GUARD_H

#include "base/status.h"
#include "cli/command.h"

/* Takes --seconds and --memory out of the arguments, *argc and argv, and holds the process to them from here
 * on; to the defaults of the command where they are not given. `program` begins the line of an end. */
PBY_CHECKED
pby_status pby_guard_begin(const char *program, const char *command, int *argc, char **argv, pby_error *err);

/* The two options. */
extern const pby_option pby_guard_options[];

/* The status of a command whose answer is that status and err: where a limit was in its way, 3 and a text
 * that states the limit. */
PBY_CHECKED
pby_status pby_guard_end(pby_status status, pby_error *err);

enum { PBY_GUARD_DEFAULT_SIZE = 32 };

/* Writes the value that the option, a row of the two, has for a command where it is not given. */
void pby_guard_default(char out[PBY_GUARD_DEFAULT_SIZE], const pby_option *option, const char *command);

#endif
