/* One private release of a histogram, in chunks.
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
#include <stddef.h>
#include <stdint.h>

#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_release pby_release;

/* What a mechanism publishes of a histogram, and so what its caller may write. */
typedef enum pby_release_form {
    PBY_RELEASE_COUNTS,  /* every bar with a count; the bars themselves are public */
    PBY_RELEASE_PASSED,  /* the bars that passed, with a count, in an order that only their names decide */
    PBY_RELEASE_PRESENT, /* the bars that passed, likewise, and no count */
    PBY_RELEASE_RANGES,  /* every bar with an interval around its noisy count, or without one */
    PBY_RELEASE_PASSED_RANGES, /* the bars that passed and have an interval, in an order that only their names
                                  decide */
    PBY_RELEASE_ANSWERS        /* of each user's answer another, in the order of the users: no histogram */
} pby_release_form;

/* In the place of a count of which nothing may be published. */
#define PBY_SUPPRESSED INT64_MIN

/* The spec must outlive the release. It is one mechanism; or up to PBY_RELEASE_USES_MAX uses of one that
 * releases a histogram; or a threshold and behind it stlap with q, geometric, dgauss or range: then only bars
 * that pass the threshold are given to that mechanism, with their exact counts, and only they are published
 * (docs/theory/stabilise.md).
 *
 * The relation is the one that the loss was certified or charged for. A record that is changed leaves one bar
 * and enters another, so that with PBY_SUBSTITUTE a sensitivity below 2 is refused: it would protect no
 * histogram. So is a threshold with another sensitivity than the mechanism behind it; of stlap that is 1 with
 * PBY_ADD_REMOVE and 2 with PBY_SUBSTITUTE. */
PBY_CHECKED
pby_status pby_release_new(pby_release **out, const pby_spec *spec, pby_neighbours relation, pby_error *err)
    PBY_NONNULL(1, 2);

PBY_CHECKED
pby_release_form pby_release_form_of(const pby_release *release) PBY_NONNULL(1);

/* How many independent releases the spec is: K of K*M, and else 1. A caller makes so many calls of
 * pby_release_counts for every chunk, each with its counts; each is one use. */
enum { PBY_RELEASE_USES_MAX = 4096 };
PBY_CHECKED
size_t pby_release_uses(const pby_release *release) PBY_NONNULL(1);

/* What the released counts are multiples of: noisy counts are in such steps. 1, but of laplace its grid. */
void pby_release_unit(mpq_ptr unit, const pby_release *release) PBY_NONNULL(1, 2);

/* How far the ends of a range lie from the noisy count; 0 for a mechanism without ranges. */
PBY_CHECKED
int64_t pby_release_reach(const pby_release *release) PBY_NONNULL(1);

/* The largest count that may be released: INT64_MAX, but less where the ends of a range around it must fit
 * and no pby_release_truncate makes it smaller; of answers the last one. */
PBY_CHECKED
int64_t pby_release_most(const pby_release *release) PBY_NONNULL(1);

/* Says how many records and bars the data have, before the first chunk. A mechanism that reads its size
 * needs it, and refuses data that its spec is not about; for the others it changes nothing. */
PBY_CHECKED
pby_status pby_release_size(pby_release *release, uint64_t records, uint64_t bars, pby_error *err)
    PBY_NONNULL(1);

/* Makes the release timing-safe: neither the time of later calls nor the memory that they read depends on
 * counts or noise (docs/timing.md), and every bar draws, the empty ones too. Refused for a mechanism that
 * suppresses bars or ranges (threshold and what stands behind one, partition, range), for one that rounds to
 * a grid other than 1, and for a law that pby_sampler_timing_safe refuses. */
PBY_CHECKED
pby_status pby_release_timing_safe(pby_release *release, pby_error *err) PBY_NONNULL(1);

/* Maps that bring no two histograms further apart may stand in front of a mechanism and change nothing of its
 * loss (docs/theory/stabilise.md). pby_release_truncate takes every count above limit for limit, which is at
 * least 1 and does not depend on the data. pby_release_mapped says that the counts are those of a public
 * filter or group-by: each key is left out or counted under one name, by a table that does not depend on the
 * data. Both are refused for a mechanism that reads its size: one changed record may move it. */
PBY_CHECKED
pby_status pby_release_truncate(pby_release *release, int64_t limit, pby_error *err) PBY_NONNULL(1);
PBY_CHECKED
pby_status pby_release_mapped(pby_release *release, pby_error *err) PBY_NONNULL(1);

/* noisy[i] is the released count of counts[i], or PBY_SUPPRESSED, for n bars. Counts must not be
 * negative, nor above pby_release_most. noisy may be counts itself. */
PBY_CHECKED
pby_status pby_release_counts(pby_release *release, const int64_t *counts, int64_t *noisy, size_t n,
                              pby_error *err) PBY_NONNULL(1);

void pby_release_free(pby_release *release);

PBY_END_API

#endif
