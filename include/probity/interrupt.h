/* SPDX-License-Identifier: MIT */
/* Ending long calls early.
 *
 * A thread may name a function that its long calls ask now and then. When that says yes, a call that has
 * recorded nothing yet ends with PBY_FAILED, and nothing is charged to a ledger from then on. What is charged
 * already is finished. Calls look between two rounds of a computation, which may lie seconds apart, and
 * before each charge.
 */
#ifndef PROBITY_INTERRUPT_H
#define PROBITY_INTERRUPT_H

#include <stdbool.h>

#include "probity/status.h"

PBY_BEGIN_API

typedef bool pby_interrupt_asked(void *what);

/* Who is asked in this thread, until it names another or nobody. */
void pby_interrupt_by(pby_interrupt_asked *asked, void *what) PBY_NONNULL(1);
void pby_interrupt_never(void);

PBY_END_API

#endif
