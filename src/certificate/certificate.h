/* What the writing, the reading and the checking of a certificate share.
 *
 * Canonical form: one JSON object, keys sorted, two spaces of indentation, no byte beyond ASCII, one
 * newline at the end. Every text in it has one spelling: the spec is pby_spec_text, epsilon is in
 * lowest terms, a decimal is what pby_decimal writes. The digest is the SHA-256 of the file without
 * the line that holds it; it guards the fields that no recomputation can check.
 */
#ifndef PBY_CERTIFICATE_CERTIFICATE_H
#define PBY_CERTIFICATE_CERTIFICATE_H

#include <gmp.h>
#include <jansson.h>

#include "probity/certificate.h"
#include "probity/enclosure.h"
#include "status.h"

#define PBY_CERTIFICATE_FORMAT "probity-certificate"

enum {
    PBY_DIGEST_TEXT_SIZE = 7 + 64 + 1, /* "sha256:", the digits in hexadecimal, NUL */
    PBY_CERTIFICATE_TOOLS = 5
};

/* The programs whose versions stand under computed_with, sorted. */
extern const char *const pby_certificate_tools[PBY_CERTIFICATE_TOOLS];

struct pby_certificate {
    pby_spec *spec;
    pby_neighbours relation;
    mpq_t epsilon;
    pby_enclosure delta; /* rounded inwards, so that what holds of it holds of the decimals */
    char *epsilon_text, *lo_text, *hi_text;
};

/* The canonical text of a JSON value, for free(3); NULL when there is no memory. */
char *pby_certificate_encode(const json_t *root);

/* The digest of a certificate, as it stands in the file; the object may have one already, and is left
 * as it was. */
pby_status pby_certificate_digest(char digest[PBY_DIGEST_TEXT_SIZE], const json_t *root, pby_error *err);

/* Reads the canonical text of a spec back: uses separated by one space. */
pby_status pby_certificate_spec_parse(pby_spec **out, const char *text, pby_error *err);

/* Reads a certificate strictly: form, version, fields, spelling and digest, but not whether its
 * numbers are right. PBY_NO with the reason when it is none. *digest_holds is told apart, so that a
 * wrong number can be named as such first. */
pby_status pby_certificate_read(pby_certificate **out, int *digest_holds, const char *text, size_t length,
                                pby_error *err);

#endif
