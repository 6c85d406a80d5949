/* SPDX-License-Identifier: MIT */
/* Estimates from the reports of a local mechanism, one report of each user.
 *
 *     pby_reports *reports;
 *     pby_estimates *estimates;
 *     pby_reports_new(&reports, spec, err);
 *     pby_reports_read(reports, "reports.csv", err);
 *     pby_estimates_new(&estimates, reports, pby_value_text("1/100"), PBY_DIGITS_DEFAULT, err);
 *     for (size_t i = 0; i < pby_estimates_count(estimates); i++)
 *         ... pby_estimates_at(estimates, i) ...
 *
 * An estimate is post-processing of what was released: it costs no privacy. docs/theory/estimate.md.
 */
#ifndef PROBITY_EXPERIMENTAL_ESTIMATE_H
#define PROBITY_EXPERIMENTAL_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/enclosure.h"
#include "probity/spec.h"
#include "probity/status.h"
#include "probity/value.h"

PBY_BEGIN_API

/* Reports, counted: nothing else is kept of them. */
typedef struct pby_reports pby_reports;

/* No reports yet, of a spec that is one mechanism used once. Refused: a mechanism whose reports nothing is
 * estimated from. */
PBY_CHECKED
pby_status pby_reports_new(pby_reports **out, const pby_spec *spec, pby_error *err) PBY_NONNULL(1, 2);
void pby_reports_free(pby_reports *reports);

/* One report more, as it stands in a released column. Refused: one that the mechanism cannot have produced.
 */
PBY_CHECKED
pby_status pby_reports_add(pby_reports *reports, const char *report, pby_error *err) PBY_NONNULL(1, 2);

/* All reports of a released column, a report a line, with or without a header. path NULL is standard input.
 */
PBY_CHECKED
pby_status pby_reports_read(pby_reports *reports, const char *path, pby_error *err) PBY_NONNULL(1);

/* Returns the number of reports. */
PBY_CHECKED
uint64_t pby_reports_count(const pby_reports *reports) PBY_NONNULL(1);

/* An estimate of one number, the truth: the share of the users whose truth is an answer, or the mean of the
 * users' values. */
typedef struct pby_estimate {
    char *name;              /* the answer, or "mean" */
    uint64_t seen;           /* the reports that it is estimated from: those of the answer */
    pby_enclosure value;     /* the unbiased estimate; it may lie where no truth can */
    pby_enclosure least;     /* the exact variance of the estimate, least over all truths, */
    pby_enclosure most;      /* greatest over all truths, */
    pby_enclosure none, all; /* and where the truth is the least that there is, or the greatest. A share
                              * between them has the one between these, in proportion */
    pby_enclosure variance;  /* what surrounds the exact variance if the interval holds */

    /* Surround the truth of these users, whatever their values are, and that of the population that they are
     * a random sample of. All intervals of the first kind hold together but for a chance of at most the
     * error, and so do those of the second. */
    pby_enclosure interval, population;
    bool empty; /* no truth explains the reports: then the interval is the nearest truth alone */
} pby_estimate;

/* Estimates, in the order of the answers. */
typedef struct pby_estimates pby_estimates;

/* error: a rational above 0 and below 1. At least one report is needed. */
PBY_CHECKED
pby_status pby_estimates_new(pby_estimates **out, const pby_reports *reports, pby_value error,
                             unsigned digits, pby_error *err) PBY_NONNULL(1, 2);
void pby_estimates_free(pby_estimates *estimates);

/* The shares of so many candidates, at most 256, by exact least squares, of reports of rappor; in their
 * order. They are unbiased, and the intervals hold, if every user's value is a candidate and every user was
 * in each cohort with the same chance. `none` surrounds the variances where no user has the candidate.
 * Refused: candidates that their bits do not tell apart. */
PBY_CHECKED
pby_status pby_estimates_candidates(pby_estimates **out, const pby_reports *reports,
                                    const char *const *candidates, size_t count, pby_value error,
                                    unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 3);

PBY_CHECKED
size_t pby_estimates_count(const pby_estimates *estimates) PBY_NONNULL(1);

/* i < pby_estimates_count; borrowed. */
PBY_CHECKED
const pby_estimate *pby_estimates_at(const pby_estimates *estimates, size_t i) PBY_NONNULL(1);

/* ---- numbers as text --------------------------------------------------------------------------- */

/* pby_estimate with decimals; name is borrowed. */
typedef struct pby_estimate_words {
    const char *name;
    uint64_t seen;
    pby_decimals value, least, most, none, all, variance, interval, population;
    bool empty;
} pby_estimate_words;

void pby_estimates_at_text(pby_estimate_words *out, const pby_estimates *estimates, size_t i, unsigned digits)
    PBY_NONNULL(1, 2);

PBY_END_API

#endif
