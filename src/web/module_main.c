/* SPDX-License-Identifier: MIT */
/* The program of the WebAssembly module (docs/web.md): those commands that need no other process, no ledger
 * and no file. They are the ones of the command here, with the same words and the same exit statuses. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/work.h"
#include "cli/advice.h"
#include "cli/command.h"
#include "cli/guard.h"
#include "cli/options.h"
#include "cli/output.h"
#include "probity.h"
#include "probity/interrupt.h"

static const pby_command *const commands[] = {&pby_command_loss, &pby_command_select, &pby_command_explain,
                                              &pby_command_verify};

/* WebAssembly has no timer that interrupts: whoever starts the module gives it the last moment, and the long
 * calls look at the clock. A call that looks too late is ended from outside (page/worker.js). */
static double now(void)
{
    struct timespec t;
    return clock_gettime(CLOCK_MONOTONIC, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

static bool is_over(void *end)
{
    return now() > *(const double *)end;
}

static const pby_command *find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* Where PROBITY_SECONDS is given, --seconds cannot be: the refusal would not name an option of the page. */
static pby_status run_command(const pby_command *command, int argc, char **argv, pby_error *err)
{
    static double end;
    const char *seconds = getenv("PROBITY_SECONDS");
    pby_options_common = pby_guard_options;
    pby_status status = pby_guard_begin("probity", command->name, &argc, argv, err);
    if (status == PBY_OK && seconds != NULL) {
        end = now() + strtod(seconds, NULL);
        pby_interrupt_by(is_over, &end);
        pby_work_time((uint64_t)(1e6 * strtod(seconds, NULL)));
    }
    if (status == PBY_OK)
        status = command->run(argc, argv, err);
    return pby_guard_end(status, err);
}

int main(int argc, char **argv)
{
    pby_error err = PBY_NO_ERROR;
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("probity %s\n", pby_version());
        return 0;
    }
    const pby_command *command = argc < 2 ? NULL : find(argv[1]);
    pby_status status = command == NULL ? pby_refuse(&err, "command", argc < 2 ? "" : argv[1],
                                                     "loss, select, explain or verify")
                                        : run_command(command, argc - 2, argv + 2, &err);
    if (status == PBY_OK)
        status = pby_print_end(&err);
    if (status == PBY_BAD || status == PBY_NO)
        pby_advise(&err);
    if (status != PBY_OK)
        fprintf(stderr, "probity: %s\n", err.text);
    return (int)status;
}
