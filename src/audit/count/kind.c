/* SPDX-License-Identifier: MIT */
#include "audit/count/kind.h"

#include <string.h>

#include "base/nearest.h"

enum { NAME_MOST = 60 };

static const char *const names[PBY_EVENT_KINDS + 1] = {
    [PBY_EVENT_OUTPUT] = "output", [PBY_EVENT_SHAPE] = "shape", [PBY_EVENT_ORDER] = "order",
    [PBY_EVENT_VALUE] = "value",   [PBY_EVENT_TAIL] = "tail",   [PBY_EVENT_BITS] = "bits",
    [PBY_EVENT_SCORE] = "score"};

const char *pby_kind_name(pby_event_kind kind)
{
    return names[kind];
}

pby_event_kind pby_kind_of_set(unsigned feature)
{
    switch (feature) {
    case PBY_FEATURE_OUTPUT:
        return PBY_EVENT_OUTPUT;
    case PBY_FEATURE_PATTERN:
    case PBY_FEATURE_FORM:
    case PBY_FEATURE_LENGTH:
    case PBY_FEATURE_DISTINCT:
    case PBY_FEATURE_EMPTY:
    case PBY_FEATURE_RUN:
        return PBY_EVENT_SHAPE;
    case PBY_FEATURE_ORDER:
    case PBY_FEATURE_LARGEST:
    case PBY_FEATURE_SMALLEST:
        return PBY_EVENT_ORDER;
    case PBY_FEATURE_FIRST: /* its sets are a half line at each place */
        return PBY_EVENT_TAIL;
    case PBY_FEATURE_SCORE:
    case PBY_FEATURE_RELATION:
        return PBY_EVENT_SCORE;
    default:
        return feature >= PBY_FEATURE_GRID ? PBY_EVENT_BITS : PBY_EVENT_VALUE;
    }
}

pby_event_kind pby_kind_of_half_line(unsigned feature)
{
    const pby_event_kind kind = pby_kind_of_set(feature);
    return kind == PBY_EVENT_VALUE ? PBY_EVENT_TAIL : kind;
}

pby_status pby_kinds_parse(unsigned *out, const char *argument, const char *text, pby_error *err)
{
    const bool except = text[0] == '-';
    unsigned named = 0;
    for (const char *at = text; at != NULL;) {
        char name[NAME_MOST + 1];
        const size_t length = strcspn(at, ",");
        size_t kind;
        if ((at[0] == '-') != except)
            return pby_refuse(err, argument, text,
                              "kinds to judge by, or each behind a minus kinds to leave out, not both");
        if (length - except > NAME_MOST)
            return pby_refuse(err, argument, text, "kinds of event separated by commas");
        memcpy(name, at + except, length - except);
        name[length - except] = '\0';
        const pby_status status = pby_name_find(&kind, names, argument, name, err);
        if (status != PBY_OK)
            return status;
        named |= 1u << kind;
        at = at[length] == '\0' ? NULL : at + length + 1;
    }
    *out = except ? PBY_EVENT_KINDS_ALL & ~named : named;
    return *out != 0 ? PBY_OK : pby_refuse(err, argument, text, "some kind of event to be left");
}

void pby_kinds_text(char text[PBY_EVENT_KINDS_TEXT_SIZE], unsigned kinds)
{
    text[0] = '\0';
    for (size_t i = 0; i < PBY_EVENT_KINDS; i++)
        if (kinds >> i & 1) {
            strcat(text, text[0] == '\0' ? "" : ",");
            strcat(text, names[i]);
        }
}
