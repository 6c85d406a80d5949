/* SPDX-License-Identifier: MIT */
/* The program probity-verify: the subcommand verify, and nothing else of the command. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/guard.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/output.h"
#include "probity/status.h"

int main(int argc, char **argv)
{
    pby_error err = PBY_NO_ERROR;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            pby_help_print(&pby_command_verify, true);
            return 0;
        }
    int count = argc - 1;
    pby_options_common = pby_guard_options;
    pby_status status = pby_guard_begin("probity-verify", "verify", &count, argv + 1, &err);
    if (status == PBY_OK)
        status = pby_command_verify.run(count, argv + 1, &err);
    status = pby_guard_end(status, &err);
    if (status == PBY_OK)
        status = pby_print_end(&err);
    if (status != PBY_OK)
        fprintf(stderr, "probity-verify: %s\n", err.text);
    return (int)status;
}
