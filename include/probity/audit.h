/* SPDX-License-Identifier: MIT */
/* Auditing: evidence from the outputs of anybody's mechanism, and a verdict.
 *
 *     pby_audit *a;
 *     pby_audit_new(&a, err);
 *     while (more)
 *         pby_audit_add(a, PBY_LEFT, line, length, err);      outputs on one input,
 *     ...                                                     and PBY_RIGHT on its neighbour
 *     pby_audit_settle(a, err);
 *     pby_verdict *v;
 *     if (pby_audit_judge(&v, a, epsilon, delta, error, err) == PBY_OK && pby_verdict_violation(v))
 *         puts(pby_verdict_event(v));
 *
 * The one assumption is that the outputs of a side are independent draws of one law. Nothing else about the
 * mechanism is believed. Up to a quarter of the outputs, picked by a hash of their place, choose events; the
 * others judge them. A mechanism that keeps its claim is accused with a chance of at most `error`, whatever
 * it is. See docs/audit.md.
 */
#ifndef PROBITY_AUDIT_H
#define PROBITY_AUDIT_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/loss.h"
#include "probity/spec.h"
#include "probity/status.h"
#include "probity/value.h"

PBY_BEGIN_API

typedef enum pby_side { PBY_LEFT, PBY_RIGHT } pby_side;

/* The most outputs that a side may have. */
#define PBY_AUDIT_OUTPUTS_MAX (UINT64_C(1) << 40)

/* ---- counting --------------------------------------------------------------------------------- */

/* The counts of outputs, in bounded memory however many there are. */
typedef struct pby_audit pby_audit;

PBY_CHECKED
pby_status pby_audit_new(pby_audit **out, pby_error *err) PBY_NONNULL(1);
void pby_audit_free(pby_audit *audit);

/* Counts one output: an integer, a decimal, a double as 0x and 16 hexadecimal digits, a vector of these
 * separated by commas, a word, or nothing (length 0) for a suppressed output. A carriage return at its
 * end does not count. */
PBY_CHECKED
pby_status pby_audit_add(pby_audit *audit, pby_side side, const char *output, size_t length, pby_error *err)
    PBY_NONNULL(1);

/* No more outputs will come: the learned score is trained now on fewer than it waits for (8192 a side).
 * Without it a small audit of vectors is judged without that score. */
PBY_CHECKED
pby_status pby_audit_settle(pby_audit *audit, pby_error *err) PBY_NONNULL(1);

/* ---- judging ---------------------------------------------------------------------------------- */

typedef struct pby_verdict pby_verdict;

/* Judges the claim (epsilon, delta) with an error of at most `error`: 0 <= epsilon, 0 <= delta < 1,
 * 0 < error < 1/2. Refused when a side has no outputs. */
PBY_CHECKED
pby_status pby_audit_judge(pby_verdict **out, const pby_audit *audit, pby_value epsilon, pby_value delta,
                           pby_value error, pby_error *err) PBY_NONNULL(1, 2);

/* Returns true if the claim is refuted. */
PBY_CHECKED
bool pby_verdict_violation(const pby_verdict *verdict) PBY_NONNULL(1);

/* Returns true if the claim is not refuted and the evidence could not have refuted it: too few outputs to
 * show the lesser of 2 epsilon and epsilon + 1 (or 1 at epsilon 0), outputs that are missing, or no event to
 * judge. The reason is a line of text, and "" where the verdict is conclusive. */
PBY_CHECKED
bool pby_verdict_inconclusive(const pby_verdict *verdict) PBY_NONNULL(1);
PBY_CHECKED
const char *pby_verdict_reason(const pby_verdict *verdict) PBY_NONNULL(1);

/* The greatest epsilon refuted at the claimed delta, and the greatest delta refuted at the claimed
 * epsilon, as decimals rounded down; "0" when none is. */
PBY_CHECKED
const char *pby_verdict_epsilon_lower(const pby_verdict *verdict) PBY_NONNULL(1);
PBY_CHECKED
const char *pby_verdict_delta_lower(const pby_verdict *verdict) PBY_NONNULL(1);

/* The event that shows it, in words. */
PBY_CHECKED
const char *pby_verdict_event(const pby_verdict *verdict) PBY_NONNULL(1);

/* Something that was read for an audit. */
typedef struct pby_report_source {
    const char *what, *name; /* "outputs on the left", and the file */
    const char *sha256;      /* of its bytes, in hexadecimal */
} pby_report_source;

/* Texts that a page shows beside the verdict. A member that is NULL is left out. */
typedef struct pby_report {
    const char *mechanism; /* its name */
    const char *date;      /* of the audit */
    const char *how;       /* how to run it again */
    const pby_report_source *source;
    size_t sources;
    const pby_spec *certified; /* the page compares with its certified curve, */
    pby_neighbours neighbours; /* that of such neighbours */
    const char *warning;       /* what should be looked at again before the verdict is believed */
} pby_report;

/* The verdict as lines for people, all of it as JSON text, and as one HTML page. Free the text with free(3).
 */
PBY_CHECKED
pby_status pby_verdict_lines(char **text, const pby_verdict *verdict, pby_error *err) PBY_NONNULL(1, 2);
PBY_CHECKED
pby_status pby_verdict_json(char **text, const pby_verdict *verdict, pby_error *err) PBY_NONNULL(1, 2);
PBY_CHECKED
pby_status pby_verdict_html(char **text, const pby_verdict *verdict, const pby_report *report, pby_error *err)
    PBY_NONNULL(1, 2, 3);

PBY_END_API

#endif
