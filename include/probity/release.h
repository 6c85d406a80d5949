/* One private release of a histogram, in chunks.
 *
 *     pby_release *r;
 *     pby_release_new(&r, spec, err);
 *     while (more)
 *         pby_release_counts(r, counts, noisy, n, err);     a chunk of bars, in any chunking
 *     pby_release_free(r);
 *
 * A release draws from the system's entropy and from nothing else. When a call fails the output
 * buffer is wiped, and what was released before it must not be published.
 */
#ifndef PROBITY_RELEASE_H
#define PROBITY_RELEASE_H

#include <stddef.h>
#include <stdint.h>

#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_release pby_release;

/* The spec must outlive the release. */
PBY_CHECKED pby_status pby_release_new(pby_release **out, const pby_spec *spec, pby_error *err);

/* noisy[i] is the released count of counts[i], for n bars. Counts must not be negative. noisy may be
 * counts itself. */
PBY_CHECKED pby_status pby_release_counts(pby_release *release, const int64_t *counts, int64_t *noisy,
                                          size_t n, pby_error *err);

void pby_release_free(pby_release *release);

PBY_END_API

#endif
