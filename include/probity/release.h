/* SPDX-License-Identifier: MIT */
/* Releases: of a table under a permission, and of a histogram in memory, in chunks.
 *
 *     pby_permission *permission;
 *     pby_permission_options from = {.certificate = "certificate.json", .ledger = "census.ledger"};
 *     pby_permission_open(&permission, &from, err);
 *     pby_table *in, *out;
 *     pby_table_csv(&in, "counts.csv", NULL, err);
 *     pby_release_table(&out, permission, in, NULL, err);      checked, charged, then released
 *     pby_table_write(out, "noisy.csv", PBY_FORMAT_CSV, err);  whole or not at all
 *
 * The parts of a release, for a caller that has its own tables and its own account of the budget:
 *
 *     pby_release *r;
 *     pby_release_new(&r, spec, PBY_ADD_REMOVE, err);
 *     pby_release_size(r, records, bars, err);              for a mechanism that reads its size
 *     while (more)
 *         pby_release_counts(r, counts, noisy, n, err);     a chunk of bars, in any chunking
 *     pby_release_free(r);
 *
 * A release draws from the system's entropy and from nothing else. When a call fails the output
 * buffer is wiped, and what was released before it must not be published.
 */
#ifndef PROBITY_RELEASE_H
#define PROBITY_RELEASE_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/certificate.h"
#include "probity/ledger.h"
#include "probity/spec.h"
#include "probity/status.h"
#include "probity/table.h"

PBY_BEGIN_API

typedef struct pby_release pby_release;

/* The part of a histogram that a mechanism publishes, which its caller may write. */
typedef enum pby_release_form {
    PBY_RELEASE_COUNTS,  /* every bar with a count; the bars themselves are public */
    PBY_RELEASE_PASSED,  /* the bars that passed, with a count, in an order that only their names decide */
    PBY_RELEASE_PRESENT, /* the bars that passed, likewise, and no count */
    PBY_RELEASE_RANGES,  /* every bar with an interval around its noisy count, or without one */
    PBY_RELEASE_PASSED_RANGES, /* the bars that passed and have an interval, in an order that only their names
                                  decide */
    PBY_RELEASE_ANSWERS,       /* of each user's answer another, in the order of the users: no histogram */
    PBY_RELEASE_CANDIDATE,     /* one candidate out of several, which are public: no histogram either */
    PBY_RELEASE_TOTAL,         /* every bar with a count, and their total in a row of its own, behind them;
                                  the bars are public. A caller of pby_release_counts releases the total as
                                  one more bar */
    PBY_RELEASE_POINT,         /* for each use one point of a public grid: no histogram either */
    PBY_RELEASE_STATISTIC,     /* the answer of a statistic, a bar or none; the bars are public */
    PBY_RELEASE_CHOSEN,        /* some of the bars, which are public, one after the other with a count */
    PBY_RELEASE_PASSED_CANDIDATE /* one of the bars that passed, by its count, or none if none did: only
                                    pby_release_table releases so */
} pby_release_form;

/* The spec must outlive the release. It is one mechanism; or up to PBY_RELEASE_USES_MAX uses of one that
 * releases a histogram; or a threshold and behind it stlap with q, geometric, dgauss or range: then only bars
 * that pass the threshold are given to that mechanism, with their exact counts, and only they are published
 * (docs/theory/stabilise.md). Behind a threshold exponential, power, noisymax or permuteflip chooses one of
 * the bars that pass, by its exact count.
 *
 * The relation is the one that the loss was certified or charged for. A record that is changed leaves one bar
 * and enters another, so that with PBY_SUBSTITUTE a sensitivity below 2 is refused: it would protect no
 * histogram. So is a threshold with another sensitivity than the mechanism behind it, unless it is one of
 * utilities; of stlap that is 1 with PBY_ADD_REMOVE and 2 with PBY_SUBSTITUTE. */
PBY_CHECKED
pby_status pby_release_new(pby_release **out, const pby_spec *spec, pby_neighbours relation, pby_error *err)
    PBY_NONNULL(1, 2);

PBY_CHECKED
pby_release_form pby_release_form_of(const pby_release *release) PBY_NONNULL(1);

/* Returns the number of independent releases of the spec: K of K*M, and else 1. A caller makes that number of
 * calls of pby_release_counts for every chunk, each with its counts; each is one use. */
enum { PBY_RELEASE_USES_MAX = 4096 };
PBY_CHECKED
size_t pby_release_uses(const pby_release *release) PBY_NONNULL(1);

/* Says how many records and bars the data have, before the first chunk. A mechanism that reads its size
 * needs it, and refuses data that its spec is not about; for the others it changes nothing. */
PBY_CHECKED
pby_status pby_release_size(pby_release *release, uint64_t records, uint64_t bars, pby_error *err)
    PBY_NONNULL(1);

/* Makes the release timing-safe: neither the time of later calls nor the memory that they read depends on
 * counts or noise (docs/timing.md), and every bar draws, the empty ones too. Refused for a mechanism that
 * suppresses bars or ranges (threshold, a mechanism behind a threshold, partition, range), for one that
 * rounds to a grid other than 1, and for a law that pby_sampler_timing_safe refuses. */
PBY_CHECKED
pby_status pby_release_timing_safe(pby_release *release, pby_error *err) PBY_NONNULL(1);

/* noisy[i] is the released count of counts[i], or PBY_SUPPRESSED, for n bars. Counts must not be
 * negative, nor above pby_release_most. noisy may be counts itself. */
PBY_CHECKED
pby_status pby_release_counts(pby_release *release, const int64_t *counts, int64_t *noisy, size_t n,
                              pby_error *err) PBY_NONNULL(1);

void pby_release_free(pby_release *release);

/* ---- tables ----------------------------------------------------------------------------------- */

/* The right to release: a certificate or a spec, and the ledger that is charged. */
typedef struct pby_permission pby_permission;

/* Where it comes from. What is not wanted is NULL. */
typedef struct pby_permission_options {
    const char *certificate; /* the name of a certificate's file, which is verified; or */
    const char *spec;        /* a spec's text, which the caller answers for */
    const char *ledger;      /* the name of a ledger's file; NULL: no budget is charged */
} pby_permission_options;

/* PBY_NO where the certificate does not hold; PBY_BAD where it is about other neighbours than the ledger. Its
 * file may then be gone: what it says is kept. A permission is used by one thread at a time. */
PBY_CHECKED
pby_status pby_permission_open(pby_permission **out, const pby_permission_options *from, pby_error *err)
    PBY_NONNULL(1, 2);
void pby_permission_close(pby_permission *permission);

/* The spec, certificate and ledger of a permission, which owns them. Without a certificate or a ledger that
 * is NULL. */
PBY_CHECKED
const pby_spec *pby_permission_spec(const pby_permission *permission) PBY_NONNULL(1);
PBY_CHECKED
const pby_certificate *pby_permission_certificate(const pby_permission *permission) PBY_NONNULL(1);
PBY_CHECKED
pby_ledger *pby_permission_ledger(const pby_permission *permission) PBY_NONNULL(1);

/* The statistic of a column of raw records that is released by group, in the place of counts
 * (probity/experimental/records.h). */
typedef enum pby_moment {
    PBY_MOMENT_NONE,     /* counts */
    PBY_MOMENT_SUM,      /* one mechanism: of the sum */
    PBY_MOMENT_MEAN,     /* two: of the count and of the sum from the middle of the bounds */
    PBY_MOMENT_VARIANCE, /* three: of these and of the sum of squares from there */
    PBY_MOMENT_QUANTILE  /* exponential for each quantile, whose sensitivity is that of a score: contributions
                          * times max(P, 1 - P) for the P-quantile; twice that for substitute neighbours */
} pby_moment;

/* Options of a release; NULL stands for all 0. There is no seed: a release draws from the system's entropy
 * and from nothing else. */
typedef struct pby_release_options {
    int64_t truncate;    /* take every count above it for it, as pby_release_truncate; 0: do not */
    bool timing_safe;    /* as pby_release_timing_safe */
    const char *queries; /* of smalldb: the file of its table of queries; NULL for all others */
    const char *user;    /* the unit of privacy: users whom a column of this name tells, and whose records the
                          * caller has bounded; NULL: records, and of a table of records its own */
    pby_moment moment;   /* of a table of records with a value: what is released of it. But for quantiles each
                          * mechanism is geometric or dgauss, its sensitivity in steps of the value or in
                          * squares of them, and all are one composition; the groups are public. Means and
                          * variances are rounded to a step and its square, and suppressed at noisy counts
                          * below 1. Records are read once, so that a table gives one such release */
    const char *quantiles; /* of PBY_MOMENT_QUANTILE: which, as rationals separated by commas */
    const char *along;     /* of fbquantile: the integers, separated by commas, that a point's coordinates are
                            * multiplied with before they are added up; NULL: a point is one number */
    const char *scatter; /* the file of the table that a first step of the spec names; NULL: there is none */
    void (*progress)(void *what, unsigned percent); /* told how far the release is; NULL: nobody is. How many
                                                     * rows there are may be a secret, their share is not */
    void *what;
} pby_release_options;

/* One release of a table. Everything is checked; then the ledger is charged; then noise is drawn. Until it
 * has been charged a failure costs nothing. Behind that it has been spent, whatever happens: *out is kept
 * until it is freed, so that a file that cannot be written costs no second release. A mechanism that takes
 * points or answers (buckethist, rr, krr) reads them from a table in CSV, one a line. One that takes
 * scores (exponential, noisymax, permuteflip) reads CANDIDATE,SCORE from a table in CSV, or takes the counts
 * of a table in memory for scores; *out has one row, the candidate that was chosen, without a value. smalldb
 * reads counts of kinds of record; *out is the database that was chosen. fbquantile and depth read points;
 * *out has a row for each use, the coordinates of its point separated by spaces, without a value.
 *
 * *out has the rows of probity/table.h, by pby_release_form_of: those of the table in its order, or those
 * that may be published, sorted by key; of PBY_RELEASE_TOTAL one more, last, whose key is "total". Of points
 * a row's key is the centre of its bucket, coordinates separated by spaces.
 *
 * PBY_NO where the ledger would overspend. Arguments are named in refusals as in these structures. */
PBY_CHECKED
pby_status pby_release_table(pby_table **out, pby_permission *permission, pby_table *table,
                             const pby_release_options *options, pby_error *err) PBY_NONNULL(1, 2, 3);

PBY_END_API

#endif
