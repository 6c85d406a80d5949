/* SPDX-License-Identifier: MIT */
/* The file of Coq that was written with a certificate.
 *
 * A certificate names it by its digest, in the field `theorem`. Whether the file compiles, and proves what
 * the certificate says, is for Coq to tell (probity verify --coq, proofs/theorem.py); the answer is kept
 * here.
 */
#ifndef PBY_CERTIFICATE_COQFILE_H
#define PBY_CERTIFICATE_COQFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "probity/certificate.h"

/* The certificate with the digest of its theorem in it, for free(3); one that is signed already is refused.
 */
PBY_CHECKED
pby_status pby_coqfile_bind(char **out, const char *certificate, const char *theorem, pby_error *err);

/* PBY_NO when the certificate names another file. One that names none may have been written with any. */
PBY_CHECKED
pby_status pby_coqfile_check(const pby_certificate *c, const char *text, size_t size, pby_error *err);

/* The digest that the certificate names, or "". */
const char *pby_coqfile_digest(const pby_certificate *c);

/* Says that Coq accepted the file; and whether it did. */
void pby_coqfile_set_compiled(pby_certificate *c);
bool pby_coqfile_is_compiled(const pby_certificate *c);

#endif
