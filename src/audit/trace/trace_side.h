/* SPDX-License-Identifier: MIT */
/* The runs of a pipeline on two neighbouring inputs, as they are kept to be compared. */
#ifndef PBY_AUDIT_TRACE_TRACE_SIDE_H
#define PBY_AUDIT_TRACE_TRACE_SIDE_H

#include "audit/trace/trace_read.h"

/* The first runs on one input, its probes, and the first run of the count, which is read too far. */
typedef struct pby_trace_side {
    pby_trace_reader *reader;
    pby_trace_run *runs, *probes;
    size_t count, room, probes_count, probes_room, numbers;
    pby_trace_run ahead;
    bool has_ahead, unrecorded;
    char *unrecorded_site;
} pby_trace_side;

/* Reads up to `most` runs of a trace, and the probes among them. Runs are numbered from 0 on. A run that
 * replays the run of its own number in the same trace shows that the recording is complete: it is compared
 * and dropped. */
PBY_CHECKED
pby_status pby_trace_side_read(pby_trace_side *side, size_t most, pby_error *err);
void pby_trace_side_clear(pby_trace_side *side);

/* The next run behind those, for the count; *got is false at the end. */
PBY_CHECKED
pby_status pby_trace_side_next(pby_trace_run *run, bool *got, pby_trace_side *side, pby_error *err);

/* Refuses traces whose runs do not belong together: unequal numbers, or a run that neither replays the run of
 * its number in the other trace nor is replayed by it. */
PBY_CHECKED
pby_status pby_trace_sides_match(const pby_trace_side side[2], pby_error *err);

/* True if two runs make the same choices in the same order. */
bool pby_trace_same_choices(const pby_trace_run *x, const pby_trace_run *y);

/* True if the probes of a side show every value of every choice, and none read noise or failed. */
bool pby_trace_probed(const pby_trace_side *side);

#endif
