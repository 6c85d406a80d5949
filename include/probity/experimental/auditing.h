/* SPDX-License-Identifier: MIT */
/* More of an audit (probity/audit.h): counts that are merged and kept, the kinds of event, claims of rho and
 * mu, audits that look more than once, and whether integers follow the certified law of a spec's noise.
 */
#ifndef PROBITY_EXPERIMENTAL_AUDITING_H
#define PROBITY_EXPERIMENTAL_AUDITING_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/audit.h"
#include "probity/status.h"
#include "probity/value.h"

PBY_BEGIN_API

/* ---- counting --------------------------------------------------------------------------------- */

/* Returns the number of outputs that have been counted. */
PBY_CHECKED
uint64_t pby_audit_outputs(const pby_audit *audit, pby_side side) PBY_NONNULL(1);

/* Adds the counts of `from`, as if its outputs had been counted here. The learned score is dropped when
 * the two have learned different ones. */
PBY_CHECKED
pby_status pby_audit_merge(pby_audit *audit, const pby_audit *from, pby_error *err) PBY_NONNULL(1, 2);

/* Counts as JSON text, for pby_audit_read; free it with free(3). Reading it back and counting on gives
 * what counting on would have given. */
PBY_CHECKED
pby_status pby_audit_write(char **text, const pby_audit *audit, pby_error *err) PBY_NONNULL(1, 2);
PBY_CHECKED
pby_status pby_audit_read(pby_audit **out, const char *text, size_t length, pby_error *err) PBY_NONNULL(1);

/* ---- judging ---------------------------------------------------------------------------------- */

/* Which kinds of event a verdict may rest on, all unless this says otherwise: names separated by commas, or
 * each behind a minus the kinds that it may not rest on. They are output, shape, order, value, tail, bits and
 * score (docs/audit.md). What is counted stays the same. */
PBY_CHECKED
pby_status pby_audit_features(pby_audit *audit, const char *kinds, pby_error *err) PBY_NONNULL(1, 2);

/* So many outputs of a side were asked for and did not come: which ones is not known to be left to chance, so
 * a verdict that shows no violation is inconclusive. Adds to what was missing before. */
void pby_audit_missing(pby_audit *audit, pby_side side, uint64_t outputs) PBY_NONNULL(1);

/* Judges a claim of rho (PBY_ASK_RHO, at most 100) or of mu (PBY_ASK_MU, at most 14) by the delta that it
 * allows at one of seven epsilons, which the choosing part of the outputs picks: the verdict is on that
 * epsilon and delta, and a violation of them refutes the claim. */
PBY_CHECKED
pby_status pby_audit_judge_divergence(pby_verdict **out, const pby_audit *audit, pby_question question,
                                      pby_value value, pby_value error, pby_error *err) PBY_NONNULL(1, 2);
void pby_verdict_free(pby_verdict *verdict);

/* ---- sequential ------------------------------------------------------------------------------- */

/* The error that look number k = 1, 2, ... may spend: error / (k (k+1)), which sums to error, so that
 * the first look that finds a violation may end the audit. */
void pby_audit_look_error(mpq_ptr out, mpq_srcptr error, uint64_t look) PBY_NONNULL(1, 2);

/* ---- conformance ------------------------------------------------------------------------------ */

typedef struct pby_conformance pby_conformance;

/* A test of integers against the certified law of a spec's noise, exact for any number of them. The
 * spec must outlive it. */
PBY_CHECKED
pby_status pby_conformance_new(pby_conformance **out, const pby_spec *spec, pby_error *err) PBY_NONNULL(1, 2);
void pby_conformance_free(pby_conformance *test);

/* Counts one output; refused when it is not an integer. */
PBY_CHECKED
pby_status pby_conformance_add(pby_conformance *test, const char *output, size_t length, pby_error *err)
    PBY_NONNULL(1);

/* Judges; *violation says whether the outputs were shown not to follow the law. The text is the answer
 * as JSON; free it with free(3). */
PBY_CHECKED
pby_status pby_conformance_judge(bool *violation, char **text, pby_conformance *test, pby_value error,
                                 pby_error *err) PBY_NONNULL(1, 2, 3);

/* ---- numbers as text --------------------------------------------------------------------------- */

/* For free(3). */
PBY_CHECKED
pby_status pby_audit_look_error_text(char **out, const char *error, uint64_t look, pby_error *err)
    PBY_NONNULL(1, 2);

PBY_END_API

#endif
