/* SPDX-License-Identifier: MIT */
/* A session that publishes running totals of a stream, one for each count that comes in: what a matrix
 * mechanism on a grid releases, and what follows from that.
 *
 * Its file holds the counts that later releases still read, so that nobody else may read it. A release is
 * in the file, and on the disk, before it is told: a process that is killed loses at most totals that
 * nobody has seen, and none is drawn twice. */
#ifndef PBY_SESSION_RUNNING_H
#define PBY_SESSION_RUNNING_H

#include "probity/experimental/entropy.h"
#include "probity/experimental/session.h"

typedef struct pby_running pby_running;

/* True if a spec is of running totals, so that its session is one of these; and true of the file of such. */
bool pby_running_meant(const pby_spec *spec);
bool pby_running_is(const char *path);

/* A new session of one matrix mechanism on a grid. As pby_session_create; source NULL is the system's. */
PBY_CHECKED
pby_status pby_running_create(const char *path, const pby_spec *spec, pby_ledger *ledger, pby_entropy *source,
                              pby_error *err);

PBY_CHECKED
pby_status pby_running_open(pby_running **out, const char *path, pby_entropy *source, pby_error *err);
void pby_running_close(pby_running *t);

/* The greatest count that a step may bring, in either direction: it depends on the spec alone. */
int64_t pby_running_most(const pby_running *t);

/* Adds the counts of the next n steps and brings what they release to the disk. PBY_NO, and nothing done,
 * where fewer steps are left; PBY_BAD for a count beyond the most. */
PBY_CHECKED
pby_status pby_running_add(pby_running *t, const int64_t *counts, size_t n, pby_error *err);

/* Asks counts from a descriptor, a whole number a line, as pby_session_ask_lines. `told` gets the numbers
 * of the steps from `first` to `last`, whose totals are on the disk. */
typedef pby_status pby_running_told(void *what, uint64_t first, uint64_t last, pby_error *err);
PBY_CHECKED
pby_status pby_running_add_lines(pby_running *t, int fd, const char *name, pby_running_told *told, void *what,
                                 pby_error *err);

/* The total behind the step of a number from 1 on, in thousandths, as a decimal; for free(3). */
PBY_CHECKED
pby_status pby_running_text(char **out, const pby_running *t, uint64_t step, pby_error *err);

/* Returns the release of a step, in steps of the grid: all that the totals are computed from. */
int64_t pby_running_noisy(const pby_running *t, uint64_t step);

const char *pby_running_spec(const pby_running *t);
uint64_t pby_running_steps(const pby_running *t);
uint64_t pby_running_left(const pby_running *t);
const char *pby_running_digest(const pby_running *t);
PBY_CHECKED
pby_status pby_running_after(const pby_running *t, const char *digest, pby_error *err);

/* Forgets the counts: nothing is released any more. */
PBY_CHECKED
pby_status pby_running_end(pby_running *t, pby_error *err);

#endif
