/* SPDX-License-Identifier: MIT */
/* The text of a state of a sequential audit is refused, or it is one, whose counts are refused on one line or
 * read. Few bytes have their own digest, so a text that is JSON is also tried with the digest computed again.
 */
#include "audit/run/state.h"

#include <stdint.h>
#include <string.h>

#include "audit/count/counts.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const char *text, size_t size)
{
    json_t *state = pby_state_read(text, size);
    if (state == NULL)
        return;
    const json_int_t looks = json_integer_value(json_object_get(state, "looks"));
    must(looks >= 0 && looks <= PBY_STATE_LOOKS_MAX, "looks that can be");
    pby_error err = PBY_NO_ERROR;
    pby_audit *audit = NULL;
    if (pby_audit_of_counts(&audit, json_object_get(state, "counts"), &err) != PBY_OK)
        must(audit == NULL && err.status == PBY_BAD && strchr(err.text, '\n') == NULL, "one line");
    pby_audit_free(audit);
    json_decref(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check((const char *)data, size);
    json_t *object = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(object) && json_object_size(object) > 0) {
        json_object_del(object, "digest");
        char *text = json_object_size(object) == 0 ? NULL : pby_state_text(json_incref(object));
        if (text != NULL)
            check(text, strlen(text));
        free(text);
    }
    json_decref(object);
    return 0;
}
