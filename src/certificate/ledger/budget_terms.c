/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/budget_terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "certificate/unit.h"

enum { HOUR = 3600, DAY = 24 * HOUR, WEEK = 7 * DAY, PART_BYTES = 200, NUMBER_MAX = 100000 };

static const char every_key[] = ";every=", from_key[] = ";from=", parts_key[] = ";parts=",
                  part_key[] = " part=";

/* ---- times --------------------------------------------------------------------------------------- */

static bool read_time(long long *out, const char *text, const char *form)
{
    struct tm utc = {.tm_mday = 1};
    *out = 0;
    const char *end = strptime(text, form, &utc);
    if (end == NULL || *end != '\0')
        return false;
    *out = timegm(&utc);
    return true;
}

static pby_status parse_time(long long *out, const char *name, const char *text, pby_error *err)
{
    return read_time(out, text, "%Y-%m-%dT%H:%M:%SZ") || read_time(out, text, "%Y-%m-%d")
               ? PBY_OK
               : pby_refuse(err, name, text, "a date such as 2026-11-18, or 2026-11-18T12:00:00Z, in UTC");
}

static void print_time(char at[PBY_STORE_TIME], long long seconds)
{
    struct tm utc;
    const time_t t = (time_t)seconds;
    at[0] = '\0';
    if (gmtime_r(&t, &utc) == NULL || strftime(at, PBY_STORE_TIME, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        at[0] = '\0';
}

static pby_status parse_every(long long *out, const char *text, pby_error *err)
{
    char *end = NULL;
    const bool digits = '1' <= text[0] && text[0] <= '9';
    const long count = digits ? strtol(text, &end, 10) : 0;
    const long long unit = !digits                 ? 0
                           : strcmp(end, "h") == 0 ? HOUR
                           : strcmp(end, "d") == 0 ? DAY
                           : strcmp(end, "w") == 0 ? WEEK
                                                   : 0;
    const bool good = unit > 0 && count <= NUMBER_MAX;
    *out = good ? count * unit : 0;
    return good ? PBY_OK
                : pby_refuse(err, "every", text, "a time such as 12h, 30d or 4w, of at most 100000 of these");
}

pby_status pby_terms_period(long long *out, const pby_budget_terms *terms, const char *at, pby_error *err)
{
    long long t;
    *out = 0;
    if (terms->every == 0)
        return PBY_OK;
    PBY_TRY(parse_time(&t, "ledger entry's time", at, err));
    t -= terms->from;
    *out = t / terms->every - (t % terms->every < 0); /* rounded down */
    return PBY_OK;
}

void pby_terms_begin(char at[PBY_STORE_TIME], const pby_budget_terms *terms, long long period)
{
    print_time(at, terms->from + period * terms->every);
}

/* ---- the text ------------------------------------------------------------------------------------ */

/* Takes the value behind a key off the end of a text, in place; NULL where it has none. */
static char *take(char *text, const char *key)
{
    char *at = strstr(text, key);
    if (at == NULL)
        return NULL;
    *at = '\0';
    return at + strlen(key);
}

static pby_status read_terms(pby_budget_terms *out, char *text, pby_error *err)
{
    const char *parts = take(text, parts_key), *from = take(text, from_key), *every = take(text, every_key);
    if (parts != NULL)
        PBY_TRY(pby_terms_part_check("ledger parts", parts, err));
    if (parts != NULL && (out->parts = strdup(parts)) == NULL)
        return pby_no_memory(err);
    if ((every == NULL) != (from == NULL))
        return pby_refuse(err, "ledger accounting", text, "every and from together, or neither");
    if (every == NULL)
        return PBY_OK;
    PBY_TRY(parse_every(&out->every, every, err));
    return parse_time(&out->from, "from", from, err);
}

pby_status pby_terms_read(char **mode, pby_budget_terms *out, const char *text, pby_error *err)
{
    *out = (pby_budget_terms){.every = 0};
    *mode = strdup(text);
    if (*mode == NULL)
        return pby_no_memory(err);
    const pby_status status = read_terms(out, *mode, err);
    if (status != PBY_OK) {
        free(*mode);
        free(out->parts);
        *mode = out->parts = NULL;
    }
    return status;
}

static pby_status set_from(char at[PBY_STORE_TIME], const char *from, pby_error *err)
{
    long long seconds = (long long)time(NULL);
    seconds -= seconds % DAY;
    if (from != NULL)
        PBY_TRY(parse_time(&seconds, "from", from, err));
    print_time(at, seconds);
    return at[0] != '\0' ? PBY_OK
                         : pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "the clock does not tell the time");
}

pby_status pby_terms_write(char **text, const char *mode, const char *every, const char *from,
                           const char *parts, pby_error *err)
{
    char at[PBY_STORE_TIME] = "";
    long long seconds;
    *text = NULL;
    if (every == NULL && from != NULL)
        return pby_refuse(err, "from", from, "it beside 'every', the length of a period");
    if (every != NULL)
        PBY_TRY(parse_every(&seconds, every, err));
    if (every != NULL)
        PBY_TRY(set_from(at, from, err));
    if (parts != NULL)
        PBY_TRY(pby_terms_part_check("parts", parts, err));
    const bool periods = every != NULL, divided = parts != NULL;
    return asprintf(text, "%s%s%s%s%s%s%s", mode, periods ? every_key : "", periods ? every : "",
                    periods ? from_key : "", at, divided ? parts_key : "", divided ? parts : "") < 0
               ? pby_no_memory(err)
               : PBY_OK;
}

/* ---- parts --------------------------------------------------------------------------------------- */

pby_status pby_terms_part_check(const char *argument, const char *name, pby_error *err)
{
    pby_error why;
    return strlen(name) <= PART_BYTES && pby_unit_check(argument, name, &why) == PBY_OK
               ? PBY_OK
               : pby_refuse(err, argument, name, "a name of 1 to 200 bytes that print");
}

char *pby_terms_join(const char *spec, const char *part)
{
    char *text = NULL;
    return asprintf(&text, "%s%s%s", spec, part == NULL ? "" : part_key, part == NULL ? "" : part) < 0 ? NULL
                                                                                                       : text;
}

size_t pby_terms_split(const char **part, const char *text)
{
    const char *at = strstr(text, part_key);
    *part = at == NULL ? "" : at + strlen(part_key);
    return at == NULL ? strlen(text) : (size_t)(at - text);
}
