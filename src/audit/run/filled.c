/* SPDX-License-Identifier: MIT */
#include "audit/run/filled.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/child.h"

char *pby_filled_command(const char *command, const char *input, uint64_t n)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
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
    if (out != NULL && fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
