/* SPDX-License-Identifier: MIT */
/* Events: sets of cells of one feature, as chosen by one part of the sample. */
#ifndef PBY_AUDIT_CHOOSE_EVENT_H
#define PBY_AUDIT_CHOOSE_EVENT_H

#include "audit/bound/bound.h"
#include "audit/count/kind.h"
#include "audit/count/tally.h"

enum { PBY_EVENTS = 8 };

/* The questions to every event: the epsilon that it refutes, and the delta. */
enum { PBY_REFUTE_EPSILON, PBY_REFUTE_DELTA, PBY_REFUTABLE };

typedef struct pby_event {
    unsigned feature, level; /* cells are keys cut to this level */
    int accused;             /* the side that has it too often: PBY_LEFT or PBY_RIGHT */
    bool range;              /* all keys from lo to hi, or the keys listed */
    uint64_t lo, hi;
    uint64_t *key; /* ascending */
    size_t count;
    pby_share share; /* its part of the error, and how it is used */
} pby_event;

void pby_event_init(pby_event *event);
void pby_event_clear(pby_event *event);

/* Chooses up to PBY_EVENTS events by the choosing part alone, the most promising first, for a claim
 * and an error that they will share; how it is shared is set in each. */
pby_status pby_events_choose(pby_event *event, size_t *count, const pby_audit *audit, const fmpq_t epsilon,
                             const fmpq_t delta, const fmpq_t error, pby_error *err);

/* Gives event i of `count` its share of an error: the first has half of it, the next a quarter, and so on;
 * the last two have the same. */
void pby_event_share(pby_event *event, size_t i, size_t count, const fmpq_t error);

/* Chooses how an event uses its share: the way that would show most on the choosing part, with these counts.
 */
void pby_event_split(pby_event *event, pby_evidence chosen, const fmpq_t delta);

/* True if the choosing part would choose the way that is set, or one that shows as much in doubles. */
bool pby_event_split_fits(pby_event *event, pby_evidence chosen, const fmpq_t delta);

/* Its counts in some parts of the sample, given as a set of bits 1 << part. */
pby_evidence pby_event_count(const pby_event *event, const pby_audit *audit, unsigned parts);

pby_event_kind pby_event_kind_of(const pby_event *event);

bool pby_event_holds(const pby_event *event, uint64_t key, unsigned level);

/* In words, for a line of text: of many cells or ranges the first few, and how many more. Free it with
 * free(3). NULL when there is no memory. A cut between 0 and every output is written as 0, and one beyond
 * every output as no cut: the words and the event tell the same outputs apart, of those that were seen. */
char *pby_event_text(const pby_event *event, const pby_audit *audit);

/* Returns the words with every range, where the cells listed are those of an ordered feature; "" for other
 * events. */
char *pby_event_ranges(const pby_event *event, const pby_audit *audit);

#endif
