/* SPDX-License-Identifier: MIT */
/* The digests of the states that a session has been in, the last PBY_SESSION_DIGESTS of them, as a part of
 * its state. An older copy that was put back, and one that went on from there, lack those of the session. */
#ifndef PBY_SESSION_DIGESTS_H
#define PBY_SESSION_DIGESTS_H

#include <jansson.h>

#include "probity/experimental/entropy.h"
#include "probity/status.h"

/* The last digest; "" where there is none. */
const char *pby_digests_last(const json_t *state);

/* Refuses a text that is no digest, and one that is not among those of the state. */
PBY_CHECKED
pby_status pby_digests_after(const json_t *state, const char *digest, pby_error *err);

/* Adds one, of the last and of fresh words, so that it tells nothing of the state: two sessions that go on
 * from one state have different digests, whatever they answer. */
PBY_CHECKED
pby_status pby_digests_add(json_t *state, pby_entropy *fresh, pby_error *err);

#endif
