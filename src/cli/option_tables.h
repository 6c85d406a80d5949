/* SPDX-License-Identifier: MIT */
/* The tables of options as JSON, of which docs/options.py makes the manual pages and the completions. */
#ifndef PBY_CLI_OPTION_TABLES_H
#define PBY_CLI_OPTION_TABLES_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/command.h"

/* One command; NULL without memory. `limited`: it has the options of cli/guard.h as well. */
json_t *pby_option_table(const pby_command *command, bool limited);

#endif
