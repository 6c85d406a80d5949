/* SPDX-License-Identifier: MIT */
/* A command that is run on an input: its text, and the refusals of what went wrong. */
#ifndef PBY_AUDIT_RUN_INPUT_COMMAND_H
#define PBY_AUDIT_RUN_INPUT_COMMAND_H

#include <stdint.h>

#include "base/status.h"

/* The command with {input} replaced by the input, quoted for the shell, and {n} by a number; for free(3).
 * NULL when there is no memory. */
char *pby_input_command(const char *command, const char *input, uint64_t n);

/* Refuses a command that said nothing for so many seconds. */
pby_status pby_input_command_silent(const char *input, unsigned patience, pby_error *err);

/* Refuses a command that failed; the status is that of pby_child_end. */
pby_status pby_input_command_failed(const char *input, int status, pby_error *err);

#endif
