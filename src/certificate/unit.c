/* SPDX-License-Identifier: MIT */
#include "certificate/unit.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/readable.h"
#include "base/status.h"

enum { NAME_MAX_BYTES = 1000, TEXT_SIZE = 96, SHOWN = 60 };

static bool is_name(const char *user)
{
    const size_t size = strlen(user);
    json_t *text = size == 0 || size > NAME_MAX_BYTES ? NULL : json_string(user);
    const bool good = text != NULL && pby_readable(user, false);
    json_decref(text);
    return good;
}

pby_status pby_unit_check(const char *argument, const char *user, pby_error *err)
{
    return is_name(user) ? PBY_OK
                         : pby_refuse(err, argument, user, "the name of a column of at most 1000 bytes");
}

bool pby_unit_same(const char *user, const char *other)
{
    return user == NULL || other == NULL ? user == other : strcmp(user, other) == 0;
}

static const char *unit_text(char text[TEXT_SIZE], const char *user)
{
    if (user == NULL)
        return "a record";
    snprintf(text, TEXT_SIZE, "a user by '%.*s'", SHOWN, user);
    return text;
}

pby_status pby_unit_refuse(pby_error *err, const char *argument, const char *user, const char *release)
{
    char one[TEXT_SIZE], other[TEXT_SIZE];
    return pby_fail(err, PBY_BAD, "%s: its unit of privacy is %s: expected %s, as of the release", argument,
                    unit_text(one, user), unit_text(other, release));
}
