/* SPDX-License-Identifier: MIT */
/* Progress of long work, on a terminal and only there.
 *
 * Nothing is shown unless standard error is a terminal, nor in the first second; afterwards one line is
 * rewritten in place, five times a second at most, and pby_progress_end takes it away again. */
#ifndef PBY_CLI_PROGRESS_H
#define PBY_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/observer.h"

typedef struct pby_progress {
    const char *what;
    uint64_t total; /* 0 where it is not known: then only what is done is shown */
    bool terminal, shown;
    bool share;           /* and no number */
    struct timespec next; /* when to show it again */
} pby_progress;

void pby_progress_begin(pby_progress *progress, const char *what, uint64_t total);

/* Begins progress of a number that may not be shown: only the share is, in hundredths. */
void pby_progress_begin_share(pby_progress *progress, const char *what, uint64_t total);

void pby_progress_at(pby_progress *progress, uint64_t done);
void pby_progress_end(pby_progress *progress);

/* Shows what the library tells of its work, between a begin and an end; the total is the library's. */
pby_observer pby_progress_observer(pby_progress *progress);

#endif
