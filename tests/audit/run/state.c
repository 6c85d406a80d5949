/* SPDX-License-Identifier: MIT */
#include "audit/run/state.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/counts.h"

/* The state of a few outputs, for free(3). */
static char *small(int version)
{
    pby_audit *audit;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    for (size_t i = 0; i < 6; i++)
        cr_assert_eq(pby_audit_add(audit, i % 2 == 0 ? PBY_LEFT : PBY_RIGHT, "1,2", i % 3 + 1, NULL), PBY_OK);
    json_t *state = json_pack("{s:s, s:i, s:i, s:{s:s}, s:n, s:o}", "probity", "audit state", "version",
                              version, "looks", 0, "claim", "epsilon", "1", "last", "counts",
                              pby_audit_counted(audit));
    pby_audit_free(audit);
    cr_assert_not_null(state);
    char *text = version == 1 ? json_dumps(state, JSON_COMPACT) : pby_state_text(json_incref(state));
    json_decref(state);
    cr_assert_not_null(text);
    return text;
}

/* A space or a newline at the end is the only byte that may come and go. */
Test(audit_state, every_flipped_bit_is_noticed)
{
    char *text = small(PBY_STATE_VERSION);
    const size_t size = strlen(text);
    json_t *state = pby_state_read(text, size);
    cr_assert_not_null(state, "%s", text);
    json_decref(state);
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit++) {
            text[i] = (char)(text[i] ^ 1 << bit);
            cr_assert_null(pby_state_read(text, size), "byte %zu, bit %d", i, bit);
            text[i] = (char)(text[i] ^ 1 << bit);
        }
    for (size_t n = 0; n < size; n++)
        cr_assert_null(pby_state_read(text, n), "%zu bytes of it", n);
    free(text);
}

Test(audit_state, version_1_is_read_without_a_digest)
{
    char *text = small(1);
    json_t *state = pby_state_read(text, strlen(text));
    cr_assert_not_null(state);
    cr_assert_eq(json_object_set_new(state, "digest", json_string("sha256:")), 0);
    free(text);
    text = json_dumps(state, JSON_COMPACT);
    cr_assert_null(pby_state_read(text, strlen(text)), "a digest that version 1 does not have");
    free(text);
    json_decref(state);
}
