/* SPDX-License-Identifier: MIT */
/* Documents in the canonical form of a certificate: sorted JSON with a digest, and perhaps a signature.
 *
 * A certificate, a receipt of probity prove and the results of an audit are such documents.
 */
#ifndef PBY_CERTIFICATE_DOCUMENT_H
#define PBY_CERTIFICATE_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* The versions of what computed it, by the names of pby_certificate_tools; NULL when there is no memory. */
json_t *pby_document_tools(void);

/* PBY_NO unless the member computed_with has them, and nothing else. */
PBY_CHECKED
pby_status pby_document_tools_check(const json_t *root, pby_error *err);

/* Sets the digest of all other members but the signature. */
PBY_CHECKED
pby_status pby_document_seal(json_t *root, pby_error *err);

/* Signs with a secret key, the text of its file; a signature that is there is replaced. Text that is no
 * secret key is refused, and is not shown. */
PBY_CHECKED
pby_status pby_document_sign(json_t *root, const char *secret, pby_error *err);

/* Reads a document, for json_decref: PBY_NO unless it is in canonical form and has its digest. Its members
 * and its signature are for the caller to check. */
PBY_CHECKED
pby_status pby_document_read(json_t **out, const char *text, size_t length, pby_error *err);

/* PBY_NO unless the document is signed with the key that belongs to public_key. Text that is no public key is
 * refused, and is not shown. */
PBY_CHECKED
pby_status pby_document_signed_by(const json_t *root, const char *public_key, pby_error *err);

#endif
