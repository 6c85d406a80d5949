/* SPDX-License-Identifier: MIT */
#ifndef PBY_AUDIT_RUN_FILLED_H
#define PBY_AUDIT_RUN_FILLED_H

#include <stdint.h>

/* The command with {input} replaced by the input, quoted for the shell, and {n} by a number; for free(3).
 * NULL when there is no memory. */
char *pby_filled_command(const char *command, const char *input, uint64_t n);

#endif
