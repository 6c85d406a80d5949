/* SPDX-License-Identifier: MIT */
/* Certificates (probity/certificate.h) of accuracies and of divergences, and certificates as theorems of Coq.
 */
#ifndef PROBITY_EXPERIMENTAL_CERTIFIED_H
#define PROBITY_EXPERIMENTAL_CERTIFIED_H

#include <gmp.h>
#include <stdint.h>

#include "probity/certificate.h"
#include "probity/status.h"

PBY_BEGIN_API

/* Certifies the accuracy on a class of inputs (probity/experimental/accuracy.h) as well: of a mechanism that
 * drops or hides, or of tgeometric or range, as far as their noise goes. */
PBY_CHECKED
pby_status pby_certify_accuracy(char **text, const pby_spec *spec, pby_neighbours relation,
                                mpq_srcptr epsilon, const pby_input_class *inputs, pby_error *err)
    PBY_NONNULL(1, 2, 4);

/* The certificate of a divergence, which is of version 2: rho beside an xi (PBY_ASK_RHO), the Renyi
 * divergence of an order (PBY_ASK_RENYI) or mu of a Gaussian (PBY_ASK_MU, without a value). Refused:
 * promises, whose divergence is what they say, a divergence that is infinite or known only to lie between two
 * bounds, and mu of anything but Gaussians of all records. */
PBY_CHECKED
pby_status pby_certify_divergence(char **text, const pby_spec *spec, pby_neighbours relation,
                                  pby_question question, mpq_srcptr value, pby_error *err) PBY_NONNULL(1, 2);
PBY_CHECKED
pby_status pby_certify_divergence_text(char **text, const pby_spec *spec, pby_neighbours relation,
                                       pby_question question, const char *value, pby_error *err)
    PBY_NONNULL(1, 2);

/* Its accuracy, and the inputs that it is promised for; NULL when it states none. inputs may be NULL; *inputs
 * has 0 records where it does not say how many. */
PBY_CHECKED
const pby_accuracy *pby_certificate_accuracy(const pby_certificate *certificate,
                                             const pby_input_class **inputs) PBY_NONNULL(1);

/* The certificate with the deployment that this file describes (docs/deployment.md): its name, unit, model
 * and horizon, and the digest of the file. Nothing computes these, so what comes out, which has no signature,
 * holds only once it is signed (pby_certificate_sign). *text is for free(3). */
PBY_CHECKED
pby_status pby_certify_deployment(char **text, const char *certificate, const char *file, size_t length,
                                  pby_error *err) PBY_NONNULL(1, 2, 3);

/* The deployment that it is about, in the words of whoever signed it: a JSON object; NULL where there is
 * none. */
PBY_CHECKED
const char *pby_certificate_deployment(const pby_certificate *certificate) PBY_NONNULL(1);

/* Writes the certificate as a theorem of Coq, for free(3): a file that compiles with Coq and its library
 * Interval, and only if the certified delta is a bound. Of one use of rr, krr, tgeometric, or stlap with a
 * public q, of a few hundred outcomes, where delta is above 0; refused of others. */
PBY_CHECKED
pby_status pby_certificate_theorem(char **text, const pby_certificate *certificate, pby_error *err)
    PBY_NONNULL(1, 2);

/* ---- numbers as text --------------------------------------------------------------------------- */

/* pby_certificate_accuracy with texts: all NULL when it states none, and *width where points are not moved.
 * accuracy is to be cleared when it succeeds; *width is for free(3). n, support and width may be NULL. */
PBY_CHECKED
pby_status pby_certificate_accuracy_text(pby_accuracy_words *accuracy, uint64_t *n, uint64_t *support,
                                         char **width, const pby_certificate *certificate, pby_error *err)
    PBY_NONNULL(1, 5);

PBY_END_API

#endif
