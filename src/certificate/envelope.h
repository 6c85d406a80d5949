/* SPDX-License-Identifier: MIT */
/* Statements of in-toto, signed in an envelope of DSSE, as tools of supply chains read them: the payload is
 * the bytes of the statement in base64, and Ed25519 signs them together with their type.
 *
 * The key's name in an envelope is the public key in hexadecimal.
 */
#ifndef PBY_CERTIFICATE_ENVELOPE_H
#define PBY_CERTIFICATE_ENVELOPE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "certificate/certificate.h"

enum { PBY_SUBJECTS_MAX = 1000 };

/* True if JSON (or NULL) says that it is a statement, or an envelope; its content is for others to check. */
bool pby_statement_is(const json_t *root);
bool pby_envelope_is(const json_t *root);

/* Puts a statement into an envelope, for free(3). PBY_NO when it is no statement: version 1, with subjects
 * that have the name of a file and a SHA-256, and a type of predicate. */
PBY_CHECKED
pby_status pby_envelope_sign(char **out, const char *text, size_t length, const char *secret, pby_error *err);

/* The statement in an envelope, for json_decref, and who signed it. PBY_NO unless the signature is valid and
 * the statement one that pby_envelope_sign takes. */
PBY_CHECKED
pby_status pby_envelope_open(json_t **statement, char signer[PBY_SIGNER_SIZE], const char *text,
                             size_t length, pby_error *err);

/* PBY_NO unless the key of the public key is the one that signed. */
PBY_CHECKED
pby_status pby_envelope_signed_by(const char *signer, const char *public_key, pby_error *err);

#endif
