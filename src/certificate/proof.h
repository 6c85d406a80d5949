/* SPDX-License-Identifier: MIT */
/* A receipt of probity prove in a certificate: which sources were proved, with which tools, and what follows.
 *
 * A receipt is canonical JSON as a certificate is, with a digest and a signature of its own. It names the
 * spec that it proves, pure:eps or approx:eps,delta, and a certificate of that spec takes it as it is, in the
 * field `proof`. The receipt promises no less than the certificate says: its epsilon is not above the
 * certificate's, and its delta not above the upper decimal. A receipt of version 1 names no spec; a
 * certificate that has one is still read. Whether the proof can be run again is not asked here:
 * docs/prove.md.
 */
#ifndef PBY_CERTIFICATE_PROOF_H
#define PBY_CERTIFICATE_PROOF_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "certificate/certificate.h"
#include "probity/certificate.h"

enum { PBY_PROOF_VERSION = 2 };

/* Signs a receipt; *out is for free(3). */
PBY_CHECKED
pby_status pby_proof_sign(char **out, const char *text, size_t length, const char *secret, pby_error *err);

/* The certificate with the receipt in it, for free(3). A certificate that is signed already is refused, and
 * so is a receipt of another spec. */
PBY_CHECKED
pby_status pby_proof_bind(char **out, const char *certificate, const char *receipt, size_t length,
                          pby_error *err);

/* Checks that a JSON object is a receipt whose digest holds; PBY_NO when it is not. */
PBY_CHECKED
pby_status pby_proof_check(const json_t *receipt, pby_error *err);

/* True if JSON (or NULL) says that it is a receipt; its content is for pby_proof_open to check. */
bool pby_proof_is(const json_t *root);

/* Reads a receipt that stands by itself, for json_decref, and who signed it, "" for nobody. PBY_NO unless its
 * form, digest and signature are right, and its spec is the one of its epsilon and delta. */
PBY_CHECKED
pby_status pby_proof_open(json_t **out, char signer[PBY_SIGNER_SIZE], const char *text, size_t length,
                          pby_error *err);

/* Reads the receipt of a certificate, NULL for none, once its epsilon and delta are read. */
PBY_CHECKED
pby_status pby_proof_read(pby_certificate *c, const json_t *receipt, pby_error *err);

/* Says that the receipt was proved again; and whether it was, and who signed it. */
void pby_proof_set_rerun(pby_certificate *c);
bool pby_proof_is_rerun(const pby_certificate *c);
const char *pby_proof_signer(const pby_certificate *c);

#endif
