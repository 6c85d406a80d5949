/* SPDX-License-Identifier: MIT */
/* Threads that work beside the caller's. */
#ifndef PBY_BASE_HELPERS_H
#define PBY_BASE_HELPERS_H

#include <pthread.h>
#include <stdbool.h>

enum { PBY_HELPERS_MAX = 8 };

typedef void pby_help(void *what, unsigned thread);

typedef struct pby_helper {
    pby_help *work;
    void *what;
    unsigned number;
    bool started;
    pthread_t thread;
} pby_helper;

/* Stays where it is from its start to its end. */
typedef struct pby_helpers {
    unsigned count;
    pby_helper helper[PBY_HELPERS_MAX];
} pby_helpers;

/* Threads that call work(what, i), for each i from 1 to below `threads`, which is at most PBY_HELPERS_MAX.
 * Where the system gives no thread, that call is left out: so each is to take work until nothing is left.
 * Signals are for the caller's threads. */
void pby_helpers_start(pby_helpers *helpers, pby_help *work, void *what, unsigned threads);

/* Waits until all have returned. */
void pby_helpers_end(pby_helpers *helpers);

/* Both, and work(what, 0) by the caller between them. */
void pby_help_with(pby_help *work, void *what, unsigned threads);

#endif
