/* SPDX-License-Identifier: MIT */
/* Ed25519 keys for certificates, as one line of text each.
 *
 *     probity-ed25519-secret:HEX     64 hexadecimal digits, the seed of RFC 8032; keep it to yourself
 *     probity-ed25519-public:HEX     64 hexadecimal digits, the public key; hand it to anyone
 *
 * A newline stands at the end. The digits are in lower case.
 */
#ifndef PROBITY_KEY_H
#define PROBITY_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "probity/certificate.h"
#include "probity/status.h"

PBY_BEGIN_API

/* Bytes of a key's text with its newline and the NUL behind it. */
enum { PBY_KEY_SIZE = 23 + 64 + 2 };

/* A new pair of keys, from the system's generator. The caller wipes secret. */
PBY_CHECKED
pby_status pby_key_generate(char secret[PBY_KEY_SIZE], char public_key[PBY_KEY_SIZE], pby_error *err)
    PBY_NONNULL(1, 2);

/* A new pair of keys in two files: the secret one in path, for its owner alone, the public one in path with
 * .pub behind it, and in public_key. Refused when one of the files exists; both are on the disk, or neither
 * is there. */
PBY_CHECKED
pby_status pby_key_write_pair(const char *path, char public_key[PBY_KEY_SIZE], pby_error *err)
    PBY_NONNULL(1, 2);

/* Return true if the text is a secret key, or a public one: its line, with or without the newline. */
PBY_CHECKED
bool pby_key_is_secret(const char *text) PBY_NONNULL(1);
PBY_CHECKED
bool pby_key_is_public(const char *text) PBY_NONNULL(1);

/* A certificate, signed or not, with the signature of a secret key over its canonical bytes; free it with
 * free(3). The certificate must be in its form and have its digest; whether its numbers are right is for
 * pby_verify. Text that is no secret key is refused, and is not shown. */
PBY_CHECKED
pby_status pby_certificate_sign(char **out, const char *text, size_t length, const char *secret,
                                pby_error *err) PBY_NONNULL(1, 4);

/* As pby_verify, and PBY_NO unless the certificate is signed with the key that belongs to public_key. Text
 * that is no public key is refused, and is not shown. */
PBY_CHECKED
pby_status pby_verify_signed(pby_certificate **out, const char *text, size_t length, const char *public_key,
                             pby_error *err) PBY_NONNULL(4);

PBY_END_API

#endif
