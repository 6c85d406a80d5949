/* SPDX-License-Identifier: MIT */
/* Whoever is told how far long work has come. */
#ifndef PBY_BASE_OBSERVER_H
#define PBY_BASE_OBSERVER_H

#include <stddef.h>
#include <stdint.h>

/* All zero: nobody. total is 0 where it is not known. */
typedef struct pby_observer {
    void (*at)(void *data, uint64_t done, uint64_t total);
    void *data;
} pby_observer;

static inline void pby_observe(const pby_observer *observer, uint64_t done, uint64_t total)
{
    if (observer->at != NULL)
        observer->at(observer->data, done, total);
}

#endif
