/* SPDX-License-Identifier: MIT */
/* A release in parts, each of which may be made again: for a cluster, whose tasks are retried and run twice.
 *
 *     pby_keyed_secret(secret, err);                               fresh, behind the charge of the ledger
 *     pby_keyed_digest(digest, &bars, err);                        of every part of the counts, in any order
 *     pby_keyed_new(&release, spec, relation, secret, digest, err);
 *     pby_keyed_bars(release, &bars, 0, noisy, err);               a part; again, the same bytes
 *     pby_release_free(release);
 *
 * The noise of a bar is a function of the secret, of the spec, of the digest of all counts, and of the bar's
 * key and count. Another attempt at a part gives the same bytes, and a bar that was counted anew meets other
 * noise. Whoever has the secret can take the noise off: it goes to the machines that see the counts, and
 * nowhere else. docs/theory/keyed.md says what is assumed.
 */
#ifndef PROBITY_EXPERIMENTAL_KEYED_H
#define PROBITY_EXPERIMENTAL_KEYED_H

#include <stddef.h>
#include <stdint.h>

#include "probity/release.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

enum { PBY_KEYED_SIZE = 32 }; /* bytes of a secret, and of a digest */

/* Bars as columns: the key of bar i is bytes[offsets[i]] up to bytes[offsets[i + 1]]. */
typedef struct pby_keyed_part {
    const char *bytes;
    const int64_t *offsets; /* n + 1 of them, which do not fall */
    const int64_t *counts;
    size_t n;
} pby_keyed_part;

/* A secret from the system's generator; the caller wipes it. */
PBY_CHECKED
pby_status pby_keyed_secret(uint8_t secret[PBY_KEYED_SIZE], pby_error *err) PBY_NONNULL(1);

/* Adds bars to a digest, which is all 0 before the first of them: the same for all bars in any order and in
 * any parts. It is a secret as the counts are. */
PBY_CHECKED
pby_status pby_keyed_digest(uint8_t digest[PBY_KEYED_SIZE], const pby_keyed_part *bars, pby_error *err)
    PBY_NONNULL(1, 2);

/* Adds the digest of another part. */
void pby_keyed_join(uint8_t digest[PBY_KEYED_SIZE], const uint8_t other[PBY_KEYED_SIZE]) PBY_NONNULL(1, 2);

/* As pby_release_new, but for where its words come from. Refused for what is no histogram, and for a
 * mechanism that has a total. The secret and the digest are copied. */
PBY_CHECKED
pby_status pby_keyed_new(pby_release **out, const pby_spec *spec, pby_neighbours relation,
                         const uint8_t secret[PBY_KEYED_SIZE], const uint8_t digest[PBY_KEYED_SIZE],
                         pby_error *err) PBY_NONNULL(1, 2, 4, 5);

/* noisy[i] is the released count of bar i, or PBY_SUPPRESSED, for use number 0, 1, ... of pby_release_uses.
 * No two bars of all parts may have one key. Refused for a release of another kind. */
PBY_CHECKED
pby_status pby_keyed_bars(pby_release *release, const pby_keyed_part *bars, size_t use, int64_t *noisy,
                          pby_error *err) PBY_NONNULL(1, 2);

PBY_END_API

#endif
