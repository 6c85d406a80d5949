/* SPDX-License-Identifier: MIT */
/* The subcommands, one file each. To add one: write src/cli/NAME.c with one pby_command, and add it to
 * the list in main.c. */
#ifndef PBY_CLI_COMMAND_H
#define PBY_CLI_COMMAND_H

#include "cli/options.h"
#include "probity/status.h"

typedef struct pby_command {
    const char *name;
    const char *summary;       /* one line of the list of subcommands */
    const char *help;          /* the usage, the description and the operands, a newline at its end */
    const pby_option *options; /* the last has no name */
    const char *end;           /* what --help prints behind the options: a newline, remarks and examples */
    /* argv holds the arguments after the subcommand's name. What it returns is the exit status; the
     * text of err is printed on standard error when it is not PBY_OK. */
    pby_status (*run)(int argc, char **argv, pby_error *err);
} pby_command;

extern const pby_command pby_command_loss, pby_command_certify, pby_command_verify, pby_command_release,
    pby_command_draw, pby_command_audit, pby_command_accuracy, pby_command_stat, pby_command_select,
    pby_command_keygen, pby_command_ledger, pby_command_explain, pby_command_session, pby_command_report,
    pby_command_smalldb, pby_command_estimate, pby_command_microdata, pby_command_condensed,
    pby_command_geometry, pby_command_experiment, pby_command_prove, pby_command_random,
    pby_command_deployment, pby_command_plan;

#endif
