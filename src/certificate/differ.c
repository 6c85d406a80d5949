/* SPDX-License-Identifier: MIT */
#include "certificate/differ.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

enum { PLACE_SIZE = 160, SHOWN = 60 };

pby_status pby_differ_deny(pby_error *err, const char *name, const char *expected)
{
    return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "%s: expected %s", name, expected);
}

/* The start of a value, for a line. */
static void show(char text[SHOWN + 1], const json_t *value)
{
    char *all = pby_json_text(json_deep_copy(value), JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII);
    snprintf(text, SHOWN + 1, "%s", all == NULL ? "a value" : all);
    free(all);
}

static pby_status refuse_difference(const char *name, const json_t *stated, const json_t *computed,
                                    pby_error *err)
{
    char said[SHOWN + 1], found[SHOWN + 1];
    if (stated == NULL)
        return pby_differ_deny(err, name, "this member");
    if (computed == NULL)
        return pby_differ_deny(err, name, "no such member");
    show(said, stated);
    show(found, computed);
    return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "%s: it says %s, but recomputed it is %s", name,
                       said, found);
}

static pby_status differ_object(const char *name, const json_t *stated, const json_t *computed,
                                pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < 2; i++) {
        json_t *of = (json_t *)(uintptr_t)(i == 0 ? stated : computed), *value;
        const char *key;
        json_object_foreach(of, key, value)
        {
            char at[PLACE_SIZE];
            snprintf(at, sizeof at, "%.90s.%.60s", name, key);
            if (status == PBY_OK)
                status = pby_differ(at, json_object_get(stated, key), json_object_get(computed, key), err);
        }
    }
    return status;
}

static pby_status differ_list(const char *name, const json_t *stated, const json_t *computed, pby_error *err)
{
    const size_t n = json_array_size(stated), m = json_array_size(computed);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < (n > m ? n : m) && status == PBY_OK; i++) {
        char at[PLACE_SIZE];
        snprintf(at, sizeof at, "%.120s[%zu]", name, i);
        status = pby_differ(at, json_array_get(stated, i), json_array_get(computed, i), err);
    }
    return status;
}

pby_status pby_differ(const char *name, const json_t *stated, const json_t *computed, pby_error *err)
{
    if (json_is_object(stated) && json_is_object(computed))
        return differ_object(name, stated, computed, err);
    if (json_is_array(stated) && json_is_array(computed))
        return differ_list(name, stated, computed, err);
    return stated != NULL && computed != NULL && json_equal(stated, computed)
               ? PBY_OK
               : refuse_difference(name, stated, computed, err);
}
