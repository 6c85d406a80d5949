/* SPDX-License-Identifier: MIT */
/* Certificates: a file that says which mechanism, which neighbours, which loss, and that anyone can
 * check again from nothing. The format is described in docs/certificate.md.
 *
 *     char *text;
 *     pby_certify(&text, spec, PBY_ADD_REMOVE, epsilon, err);
 *     ...
 *     pby_certificate *c;
 *     if (pby_verify(&c, text, strlen(text), err) == PBY_OK)
 *         printf("%s keeps delta at most %s\n", pby_spec_text(pby_certificate_spec(c)),
 *                pby_certificate_delta_hi(c));
 */
#ifndef PROBITY_CERTIFICATE_H
#define PROBITY_CERTIFICATE_H

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/loss.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

/* Accuracies and the inputs that they are about (probity/experimental/accuracy.h). */
typedef struct pby_accuracy pby_accuracy;
typedef struct pby_accuracy_words pby_accuracy_words;
typedef struct pby_input_class pby_input_class;

enum {
    PBY_CERTIFICATE_VERSION = 1,
    PBY_CERTIFICATE_CLAIMING = 2,      /* the version of a certificate of rho, a Renyi divergence or mu */
    PBY_CERTIFICATE_DIGITS = 20,       /* significant digits of the certified delta */
    PBY_CERTIFICATE_SIZE_MAX = 1 << 20 /* bytes; anything longer is not a certificate */
};

/* The certificate of a spec at epsilon, as canonical JSON text (NUL-terminated, ending in a newline);
 * free it with free(3). The loss is computed twice: of one mechanism from the merged pairs and by the
 * direct sum over outcomes, or the integral of its densities; of several uses by their composition and on a
 * grid of losses of its own. Where the two contradict each other nothing is certified (PBY_FAILED). A spec or
 * an epsilon whose canonical text could not be read back (see probity/rational.h) is refused. */
PBY_CHECKED
pby_status pby_certify(char **text, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                       pby_error *err) PBY_NONNULL(1, 2, 4);

/* Options of a certificate; a member that is NULL asks for nothing. The accuracy of a mechanism whose noise
 * may go farther than any bound is stated at an error beta from 0 on, or at the least error that fails with a
 * chance of at most gamma; the other is NULL, as both are for one that drops or hides, or whose noise has an
 * end that is asked for. Records that have no part in the accuracy, where every bar or query gets noise, may
 * be 0, and then are not stated; of a query they must be. */
typedef struct pby_certify_options {
    mpq_srcptr delta;              /* a target: the certified delta may not exceed it */
    const pby_input_class *inputs; /* those that the accuracy is stated for */
    mpq_srcptr beta, gamma;
    const char *user; /* the unit of privacy is a user, whom a column of this name tells; NULL: a record is */
} pby_certify_options;

/* Certifies with these options. For a target a composition on a grid is refined until its upper end meets it:
 * PBY_NO, with what delta is, when it does not meet it or no grid shows that it does. */
PBY_CHECKED
pby_status pby_certify_with(char **text, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                            const pby_certify_options *options, pby_error *err) PBY_NONNULL(1, 2, 4, 5);

/* A certificate that holds. */
typedef struct pby_certificate pby_certificate;

/* Checks a certificate from nothing: parses it strictly, recomputes the loss from the spec by another
 * route than the one it was written by (docs/certificate.md), and compares; a signature in it must be valid
 * too. PBY_OK when it holds; PBY_NO with the reason when it does not: not a certificate, not canonical,
 * an unknown version, a number that is not the certified one. When it holds and out is not NULL, *out is
 * what it says, for the caller to free; otherwise *out is NULL. */
PBY_CHECKED
pby_status pby_verify(pby_certificate **out, const char *text, size_t length, pby_error *err);
void pby_certificate_free(pby_certificate *certificate);

/* The members of a certificate; the texts and the spec belong to the certificate. */
PBY_CHECKED
const pby_spec *pby_certificate_spec(const pby_certificate *certificate) PBY_NONNULL(1);
PBY_CHECKED
pby_neighbours pby_certificate_neighbours(const pby_certificate *certificate) PBY_NONNULL(1);
PBY_CHECKED
const char *pby_certificate_epsilon(const pby_certificate *certificate) PBY_NONNULL(1);
PBY_CHECKED
const char *pby_certificate_delta_lo(const pby_certificate *certificate) PBY_NONNULL(1);
PBY_CHECKED
const char *pby_certificate_delta_hi(const pby_certificate *certificate) PBY_NONNULL(1);

/* The question that it answers: PBY_ASK_DELTA in version 1. In version 2 it is that of a divergence, whose
 * ends are below; the three texts above are then "". The value is the xi or the order, and "" of mu. */
PBY_CHECKED
pby_question pby_certificate_question(const pby_certificate *certificate) PBY_NONNULL(1);
PBY_CHECKED
const char *pby_certificate_value(const pby_certificate *certificate) PBY_NONNULL(1);
PBY_CHECKED
const char *pby_certificate_divergence_lo(const pby_certificate *certificate) PBY_NONNULL(1);
PBY_CHECKED
const char *pby_certificate_divergence_hi(const pby_certificate *certificate) PBY_NONNULL(1);

/* The column that names the user where the unit of privacy is one; NULL: it is a record. */
PBY_CHECKED
const char *pby_certificate_user(const pby_certificate *certificate) PBY_NONNULL(1);

/* By which route delta was recomputed, in words. */
PBY_CHECKED
const char *pby_certificate_route(const pby_certificate *certificate) PBY_NONNULL(1);

/* The public key that signed it, 64 hexadecimal digits; NULL when nobody did. */
PBY_CHECKED
const char *pby_certificate_signer(const pby_certificate *certificate) PBY_NONNULL(1);

/* The receipt of probity prove that it has, as JSON text with a valid signature; NULL when it has none. What
 * the receipt says was not proved again. */
PBY_CHECKED
const char *pby_certificate_proof(const pby_certificate *certificate) PBY_NONNULL(1);

/* ---- numbers as text --------------------------------------------------------------------------- */

/* pby_certify_options with rationals as text, each NULL where it is not asked for; support 0: no accuracy is
 * stated. */
typedef struct pby_certify_words {
    const char *delta;
    uint64_t n, support;
    const char *width, *beta, *gamma;
    const char *user; /* as in pby_certify_options */
} pby_certify_words;

/* pby_certify_with, and pby_certify where options is NULL. */
PBY_CHECKED
pby_status pby_certify_text(char **text, const pby_spec *spec, pby_neighbours relation, const char *epsilon,
                            const pby_certify_words *options, pby_error *err) PBY_NONNULL(1, 2, 4);

PBY_END_API

#endif
