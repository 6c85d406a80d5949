/* SPDX-License-Identifier: MIT */
#include "audit/run/date.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

pby_status pby_audit_date(char text[PBY_DATE_SIZE], pby_error *err)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    time_t now = time(NULL);
    struct tm parts;
    if (fixed != NULL && fixed[0] != '\0') {
        char *end;
        errno = 0;
        now = (time_t)strtoll(fixed, &end, 10);
        if (errno != 0 || *end != '\0' || now < 0 || gmtime_r(&now, &parts) == NULL || parts.tm_year > 8099)
            return pby_refuse(err, "SOURCE_DATE_EPOCH", fixed, "seconds since 1970");
    }
    if (gmtime_r(&now, &parts) == NULL)
        return pby_fail(err, PBY_FAILED, "the clock has no date");
    strftime(text, PBY_DATE_SIZE, "%Y-%m-%d %H:%M UTC", &parts);
    return PBY_OK;
}
