/* SPDX-License-Identifier: MIT */
/* A line that counts the seconds of work that says nothing of itself, on a terminal and only there.
 *
 * As with progress.h nothing is shown unless standard error is a terminal, nor in the first second, and
 * pby_clock_end takes the line away again: before anything else is printed. */
#ifndef PBY_CLI_CLOCK_H
#define PBY_CLI_CLOCK_H

#include <pthread.h>
#include <stdbool.h>

typedef struct pby_clock {
    const char *what;
    bool started, ended, shown;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t end;
} pby_clock;

void pby_clock_begin(pby_clock *waiting, const char *what);
void pby_clock_end(pby_clock *waiting);

#endif
