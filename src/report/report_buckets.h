/* SPDX-License-Identifier: MIT */
/* The buckets that go with a choice of noise: as narrow as a part of the points that may be dropped allows,
 * as few as a distance that they may be moved, or a table of both. */
#ifndef PBY_REPORT_REPORT_BUCKETS_H
#define PBY_REPORT_REPORT_BUCKETS_H

#include "probity/select.h"
#include "report/sheet.h"

/* Refuses the first member of `asked` that belongs to a plan of buckets. */
PBY_CHECKED
pby_status pby_buckets_none(const pby_select_asked *asked, pby_error *err);

/* Tells the plan for an stlap that was chosen. *planned, unless planned is NULL, is its mechanism, for
 * pby_spec_free; NULL where a table is asked for. */
PBY_CHECKED
pby_status pby_buckets_tell(pby_sheet *s, pby_spec **planned, const pby_choice *stlap,
                            const pby_select_asked *asked, pby_error *err);

#endif
