/* SPDX-License-Identifier: MIT */
#include "audit/run/state.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "io/digest.h"

/* Between the object's last member and its closing brace. */
#define BEFORE ",\"digest\":\"sha256:"
#define BEHIND "\"}"
enum { MEMBERS = 7, HEX = 64, SEAL = sizeof BEFORE - 1 + HEX + sizeof BEHIND - 1 };

static void write_seal(char seal[SEAL + 1], const char *text, size_t size)
{
    pby_digest digest;
    pby_digest_bytes(&digest, text, size);
    snprintf(seal, SEAL + 1, BEFORE "%s" BEHIND, digest.sha256);
}

char *pby_state_text(json_t *state)
{
    char *text = pby_json_text(state, JSON_COMPACT | JSON_PRESERVE_ORDER);
    const size_t size = text == NULL ? 0 : strlen(text) - 1; /* without its brace */
    char *sealed = text == NULL ? NULL : malloc(size + SEAL + 1);
    if (sealed != NULL) {
        memcpy(sealed, text, size);
        write_seal(sealed + size, text, size);
    }
    free(text);
    return sealed;
}

/* True if a text ends with the digest of what stands before it. */
static bool is_sealed(const char *text, size_t size)
{
    char seal[SEAL + 1];
    if (size > 0 && text[size - 1] == '\n')
        size--;
    if (size < SEAL)
        return false;
    write_seal(seal, text, size - SEAL);
    return memcmp(text + size - SEAL, seal, SEAL) == 0;
}

json_t *pby_state_read(const char *text, size_t size)
{
    json_t *state = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    const json_int_t looks = json_integer_value(json_object_get(state, "looks")),
                     version = json_integer_value(json_object_get(state, "version"));
    const bool sealed = version == 1 ? json_object_get(state, "digest") == NULL
                                     : version == PBY_STATE_VERSION && json_object_size(state) == MEMBERS &&
                                           is_sealed(text, size);
    if (sealed && strcmp(pby_json_string(state, "probity"), "audit state") == 0 && looks >= 0 &&
        looks <= PBY_STATE_LOOKS_MAX)
        return state;
    json_decref(state);
    return NULL;
}
