/* SPDX-License-Identifier: MIT */
#include "audit/run/input_command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/printed.h"
#include "io/child.h"

char *pby_input_command(const char *command, const char *input, uint64_t n)
{
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    while (out != NULL && *command != '\0') {
        if (strncmp(command, "{input}", 7) == 0) {
            pby_shell_quote(out, input);
            command += 7;
        } else if (strncmp(command, "{n}", 3) == 0) {
            fprintf(out, "%" PRIu64, n);
            command += 3;
        } else {
            fputc(*command++, out);
        }
    }
    return out == NULL ? NULL : pby_printed_text(&printed);
}

pby_status pby_input_command_silent(const char *input, unsigned patience, pby_error *err)
{
    return pby_fail(err, PBY_FAILED,
                    "command: nothing came from it for %u s on %s, and it was ended (--command-seconds)",
                    patience, input);
}

pby_status pby_input_command_failed(const char *input, int status, pby_error *err)
{
    return pby_fail(err, PBY_BAD, "command: expected it to succeed on %s, but it ended with status %d", input,
                    WIFEXITED(status) ? WEXITSTATUS(status) : status);
}
