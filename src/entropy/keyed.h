/* SPDX-License-Identifier: MIT */
/* Words that a name decides: for each name a stream of its own, out of one key. */
#ifndef PBY_ENTROPY_KEYED_H
#define PBY_ENTROPY_KEYED_H

#include <stdbool.h>

#include "probity/experimental/entropy.h"

/* Has no words before its first name. */
PBY_CHECKED
pby_status pby_entropy_keyed(pby_entropy **out, const uint8_t key[PBY_SEED_SIZE], pby_error *err);

/* From here on the words are those of a name: the ChaCha20 keystream, zero nonce, of BLAKE2b(key, label and
 * name). The source must be a keyed one. */
void pby_entropy_keyed_turn(pby_entropy *source, const uint8_t *label, size_t label_size, const void *name,
                            size_t name_size);

/* True if the source was made by pby_entropy_keyed. */
PBY_CHECKED
bool pby_entropy_is_keyed(const pby_entropy *source);

#endif
