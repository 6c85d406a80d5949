/* Releases from a source of words that the caller names: for tests, which replay tapes. */
#ifndef PBY_MECHANISM_RELEASE_H
#define PBY_MECHANISM_RELEASE_H

#include "probity/entropy.h"
#include "probity/release.h"

/* As pby_release_new; the source is taken over unless it fails. */
pby_status pby_release_with(pby_release **out, const pby_spec *spec, pby_neighbours relation,
                            pby_entropy *source, pby_error *err);

/* Of a release of points: refuses what pby_release_point would, before anything is charged. */
PBY_CHECKED
pby_status pby_release_scored(pby_release *release, pby_error *err);

#endif
