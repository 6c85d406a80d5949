/* SPDX-License-Identifier: MIT */
#include "release/direction.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/status.h"

pby_status pby_project_parse(pby_project *out, const char *name, const char *text, pby_error *err)
{
    static const char expected[] =
        "up to 62 integers separated by commas, not all of them 0, none above 2^31, such as 3,-2";
    bool some = false;
    const char *at = text;
    *out = (pby_project){.text = text};
    for (; out->dimension < PBY_PROJECT_MAX; at++) {
        char *end;
        const long factor = strtol(at, &end, 10);
        const char *digits = at + (*at == '-');
        if (*digits < '0' || *digits > '9' || end - at > 12 || labs(factor) > (1L << 31))
            break;
        out->factor[out->dimension++] = factor;
        some = some || factor != 0;
        at = end;
        if (*at == '\0' && some)
            return PBY_OK;
        if (*at != ',')
            break;
    }
    return pby_refuse(err, name, text, expected);
}
