/* SPDX-License-Identifier: MIT */
#include "session/digests.h"

#include <stdint.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "io/digest.h"
#include "probity/experimental/session.h"

static json_t *digests_of(const json_t *state)
{
    return json_object_get(state, "digests");
}

const char *pby_digests_last(const json_t *state)
{
    const json_t *all = digests_of(state);
    const size_t count = json_array_size(all);
    const char *last = count == 0 ? NULL : json_string_value(json_array_get(all, count - 1));
    return last == NULL ? "" : last;
}

pby_status pby_digests_after(const json_t *state, const char *digest, pby_error *err)
{
    if (!pby_digest_is(digest))
        return pby_refuse(err, "after", digest, "a digest of 64 hexadecimal digits in lower case");
    const json_t *all = digests_of(state);
    for (size_t i = 0; i < json_array_size(all); i++) {
        const char *one = json_string_value(json_array_get(all, i));
        if (one != NULL && strcmp(one, digest) == 0)
            return PBY_OK;
    }
    return pby_refuse(err, "after", digest,
                      "one of the last 256 digests of the session: it may be an older copy");
}

pby_status pby_digests_add(json_t *state, pby_entropy *fresh, pby_error *err)
{
    const char *before = pby_digests_last(state);
    uint64_t words[4];
    pby_digesting bytes;
    pby_digest digest;
    pby_status status = pby_entropy_words(fresh, words, sizeof words / sizeof *words, err);
    if (status == PBY_OK && digests_of(state) == NULL)
        status = pby_json_set(state, "digests", json_array(), err);
    if (status != PBY_OK)
        return status;
    pby_digesting_begin(&bytes);
    pby_digesting_add(&bytes, before, strlen(before));
    pby_digesting_add(&bytes, words, sizeof words);
    pby_digesting_so_far(&digest, &bytes);
    while (json_array_size(digests_of(state)) >= PBY_SESSION_DIGESTS)
        json_array_remove(digests_of(state), 0);
    return json_array_append_new(digests_of(state), json_string(digest.sha256)) == 0 ? PBY_OK
                                                                                     : pby_no_memory(err);
}
