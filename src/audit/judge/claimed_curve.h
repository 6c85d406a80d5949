/* SPDX-License-Identifier: MIT */
/* A claim of rho or of mu, which says what delta may be at every epsilon: the curve of zcdp:rho=R or of
 * gdp:mu=M. */
#ifndef PBY_AUDIT_JUDGE_CLAIMED_CURVE_H
#define PBY_AUDIT_JUDGE_CLAIMED_CURVE_H

#include <gmp.h>
#include <stdbool.h>

#include "base/status.h"
#include "probity/audit.h"

/* value NULL: the claim is an epsilon and a delta. Else kind is PBY_ASK_RHO or PBY_ASK_MU. */
typedef struct pby_divergence_claim {
    pby_question kind;
    mpq_srcptr value;
} pby_divergence_claim;

/* The epsilons at which a claim may be judged, in units of m + m^2/2, m being mu or sqrt(2 rho): the mean of
 * the privacy loss of Gaussian noise that just keeps the claim, and one deviation more, are within them. */
enum { PBY_CLAIMED_POINTS = 7 };

/* "rho" or "mu". */
const char *pby_claimed_name(pby_question kind);

/* Refuses what is no rho or mu that can be judged: above 0, and at most 100 or 14. */
PBY_CHECKED
pby_status pby_claimed_check(const pby_divergence_claim *claimed, const char *name, pby_error *err);

/* An epsilon and the greatest delta that the claim allows there, rounded up to six digits. The one in the
 * middle steers the search of inputs. */
PBY_CHECKED
pby_status pby_claimed_point(mpq_t epsilon, mpq_t delta, const pby_divergence_claim *claimed, size_t point,
                             pby_error *err);
PBY_CHECKED
pby_status pby_claimed_middle(mpq_t epsilon, mpq_t delta, const pby_divergence_claim *claimed,
                              pby_error *err);

/* Returns true if an epsilon is that of a point, and a delta what the claim allows there and no more than a
 * unit of the sixth digit above it, however another machine rounded. */
PBY_CHECKED
bool pby_claimed_allows(const pby_divergence_claim *claimed, mpq_srcptr epsilon, mpq_srcptr delta);

/* Judges the claim at the point that the choosing part of the outputs shows most at: the judging part has no
 * say in it, so the error is that of one judgement. */
PBY_CHECKED
pby_status pby_audit_judge_claimed(pby_verdict **out, const pby_audit *audit,
                                   const pby_divergence_claim *claimed, mpq_srcptr error, pby_error *err);

#endif
