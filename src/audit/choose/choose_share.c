/* SPDX-License-Identifier: MIT */
/* The error is shared among the events before any of them is judged. */
#include <math.h>

#include "audit/bound/guess.h"
#include "audit/choose/event.h"

static const unsigned splits[] = {0, 32, 4, 60};
enum { SPLITS = sizeof splits / sizeof *splits };

/* Guesses that are nearer than this are alike: the C libraries of two machines may put them in either order.
 */
#define ALIKE 1e-9

void pby_event_share(pby_event *event, size_t i, size_t count, const fmpq_t error)
{
    fmpq_div_2exp(event->share.error, error, i + 1 < count ? i + 1 : i);
}

static double promise(pby_event *event, const pby_evidence *chosen, double delta, unsigned split)
{
    event->share.split = split;
    return pby_guess_epsilon(chosen, delta, &event->share);
}

void pby_event_split(pby_event *event, pby_evidence chosen, const fmpq_t delta)
{
    double best = -INFINITY;
    unsigned found = 0;
    for (size_t i = 0; i < SPLITS && chosen.n > 0 && chosen.m > 0; i++) {
        const double value = promise(event, &chosen, pby_guess_of(delta), splits[i]);
        if (value > best) {
            best = value;
            found = splits[i];
        }
    }
    event->share.split = found;
}

bool pby_event_split_fits(pby_event *event, pby_evidence chosen, const fmpq_t delta)
{
    const unsigned stated = event->share.split;
    bool known = false;
    for (size_t i = 0; i < SPLITS; i++)
        known = known || splits[i] == stated;
    pby_event_split(event, chosen, delta);
    const unsigned best = event->share.split;
    bool fits = best == stated;
    if (!fits && known && chosen.n > 0 && chosen.m > 0) {
        const double most = promise(event, &chosen, pby_guess_of(delta), best),
                     value = promise(event, &chosen, pby_guess_of(delta), stated);
        fits = value >= most - ALIKE * fmax(1, fabs(most));
    }
    event->share.split = stated;
    return fits;
}
