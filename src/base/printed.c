/* SPDX-License-Identifier: MIT */
#include "base/printed.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/status.h"

FILE *pby_printed_begin(pby_printed *p)
{
    p->text = NULL;
    p->size = 0;
    p->out = open_memstream(&p->text, &p->size);
    return p->out;
}

char *pby_printed_text(pby_printed *p)
{
    const bool failed = ferror(p->out) != 0;
    if (fclose(p->out) == 0 && !failed)
        return p->text;
    free(p->text);
    return NULL;
}

pby_status pby_printed_end(char **text, pby_printed *p, pby_status status, pby_error *err)
{
    *text = pby_printed_text(p);
    if (status == PBY_OK && *text == NULL)
        return pby_no_memory(err);
    if (status != PBY_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
