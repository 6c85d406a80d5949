/* SPDX-License-Identifier: MIT */
/* The manual that --help prints, from the table of a command's options. */
#ifndef PBY_CLI_HELP_H
#define PBY_CLI_HELP_H

#include <stdbool.h>

#include "cli/command.h"

/* `limited`: the options of cli/guard.h stand behind those of the command. */
void pby_help_print(const pby_command *command, bool limited);

/* The text of one of the options of cli/guard.h with its default, for free(3); NULL without memory. */
char *pby_help_limit(const pby_option *option, const char *command);

#endif
