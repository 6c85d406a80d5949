/* SPDX-License-Identifier: MIT */
/* Declarations that the writing, the reading and the checking of a certificate share.
 *
 * Canonical form: one JSON object, keys sorted, two spaces of indentation, no byte beyond ASCII, one
 * newline at the end. Every text in it has one spelling: the spec is pby_spec_text, epsilon is in
 * lowest terms, a decimal is what pby_decimal writes. The digest is the SHA-256 of the file without
 * its own line and the signature's; it guards the fields that no recomputation can check. The
 * signature is over the file without its own line.
 */
#ifndef PBY_CERTIFICATE_CERTIFICATE_H
#define PBY_CERTIFICATE_CERTIFICATE_H

#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>

#include "base/status.h"
#include "probity/certificate.h"
#include "probity/enclosure.h"
#include "probity/experimental/accuracy.h"

#define PBY_CERTIFICATE_FORMAT "probity-certificate"

/* The text before the column in the unit of privacy; a certificate without a unit is about records. */
#define PBY_CERTIFICATE_USER "user by "

enum {
    PBY_DIGEST_TEXT_SIZE = 7 + 64 + 1, /* "sha256:", the digits in hexadecimal, NUL */
    PBY_CERTIFICATE_TOOLS = 5,
    PBY_SIGNER_SIZE = 64 + 1 /* a public key in hexadecimal, NUL */
};

/* The programs whose versions stand under computed_with, sorted. */
extern const char *const pby_certificate_tools[PBY_CERTIFICATE_TOOLS];

struct pby_certificate {
    pby_spec *spec;
    pby_neighbours relation;
    pby_question
        question;     /* PBY_ASK_DELTA in version 1; else epsilon is the xi or the order, delta the ends */
    char *value_text; /* of these, or NULL */
    mpq_t epsilon;
    pby_enclosure delta; /* rounded inwards, so that what holds of it holds of the decimals */
    char *epsilon_text, *lo_text, *hi_text;
    char *user;                         /* NULL: the unit of privacy is a record */
    const char *route;                  /* set by the check of delta */
    char signer[PBY_SIGNER_SIZE];       /* "" without a signature */
    char *proof;                        /* the receipt of probity prove in it, or NULL */
    char prover[PBY_SIGNER_SIZE];       /* who signed that */
    bool rerun;                         /* whether it was proved again */
    char theorem[PBY_DIGEST_TEXT_SIZE]; /* the digest of the theorem of Coq that was written with it, or "" */
    char plan[PBY_DIGEST_TEXT_SIZE - 7]; /* the digest of the release plan in it, or "" */
    char *deployment;                    /* the member of that name as JSON text, or NULL */
    bool compiled;                       /* whether Coq accepted that */
    bool has_accuracy;
    pby_accuracy accuracy;
    pby_input_class inputs; /* its width is the one below; 0 records are not stated */
    mpq_t width;
};

/* The canonical text of a JSON value, for free(3); NULL when there is no memory. */
char *pby_certificate_encode(const json_t *root);

/* The canonical text without some of its fields, up to a NULL; for free(3). */
char *pby_certificate_without(const json_t *root, const char *const *fields);

/* The digest of a certificate, as it stands in the file; the object may have one already, and is left
 * as it was. */
pby_status pby_certificate_digest(char digest[PBY_DIGEST_TEXT_SIZE], const json_t *root, pby_error *err);

/* A field that is a string; PBY_NO when it is not. */
pby_status pby_certificate_string(const char **out, const json_t *object, const char *name, pby_error *err);

/* An object with exactly these fields, of which the last `optional` ones may be missing. */
pby_status pby_certificate_object(const json_t *object, const char *what, const char *const *names,
                                  size_t count, size_t optional, pby_error *err);

/* As pby_refuse, but a verdict on the certificate and not on the caller. */
pby_status pby_certificate_deny(pby_error *err, const char *name, const char *value, const char *expected);

/* Bad input inside a certificate is a certificate that does not hold; but what takes more memory than there
 * is for it is no verdict. */
pby_status pby_certificate_verdict(pby_status status, pby_error *err);

/* A decimal of at most 20 digits in canonical form, WHAT.NAME in a refusal; *copy is for free(3). */
pby_status pby_certificate_decimal(mpfr_t value, char **copy, const json_t *object, const char *what,
                                   const char *name, mpfr_rnd_t inwards, pby_error *err);

/* A rational in lowest terms. */
pby_status pby_certificate_rational(mpq_t out, const json_t *object, const char *name, pby_error *err);

/* The statement of accuracy: computed and written, as pby_certify_with asks for it; and read, once the spec
 * is, to be held against what is computed again. */
pby_status pby_accuracy_state(json_t **out, const pby_spec *spec, const pby_input_class *inputs,
                              mpq_srcptr beta, mpq_srcptr gamma, pby_error *err);
pby_status pby_accuracy_read(pby_certificate *c, const json_t *statement, pby_error *err);
pby_status pby_accuracy_check(const pby_certificate *c, pby_error *err);

/* Exactly 2n hexadecimal digits in lower case; whatever is behind them is not looked at. */
bool pby_hex_read(unsigned char *out, size_t n, const char *text);

/* Signs a certificate with the key of a seed, of crypto_sign_SEEDBYTES; a signature that it has is replaced.
 */
pby_status pby_signature_set(json_t *root, const unsigned char *seed, pby_error *err);

/* Reads the signature, if there is one, and who signed; PBY_NO when it is not valid. */
pby_status pby_signature_read(char signer[PBY_SIGNER_SIZE], const json_t *root, pby_error *err);

/* The seed of a secret key, of crypto_sign_SEEDBYTES, which the caller wipes; and a public key as a signature
 * names it. Text that is no such key is refused, and is not shown. */
pby_status pby_secret_read(unsigned char *seed, const char *secret, pby_error *err);
pby_status pby_signer_read(char signer[PBY_SIGNER_SIZE], const char *public_key, pby_error *err);

/* The way in which delta is computed a second time: outcome by outcome for one use of one mechanism whose
 * outcomes can be written out, from its densities if it is continuous, and by composition for anything
 * else. */
typedef enum pby_way { PBY_BY_SUM, PBY_BY_INTEGRAL, PBY_BY_SEARCH, PBY_BY_COMPOSITION } pby_way;

/* Refused: what has no dominating pairs, and so no second way. */
pby_status pby_certificate_way(pby_way *way, const pby_spec *spec, pby_neighbours relation, pby_error *err);

/* Reads a certificate strictly: form, version, fields, spelling and digest, but not whether its
 * numbers are right. PBY_NO with the reason when it is none. *digest_holds is told apart, so that a
 * wrong number can be named as such first. */
pby_status pby_certificate_read(pby_certificate **out, bool *digest_holds, const char *text, size_t length,
                                pby_error *err);

#endif
