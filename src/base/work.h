/* SPDX-License-Identifier: MIT */
/* The limits on the memory and the time of a computation, and when a process may not be ended. */
#ifndef PBY_BASE_WORK_H
#define PBY_BASE_WORK_H

#include <stdbool.h>

#include "base/status.h"
#include "probity/experimental/work.h"

/* PBY_BAD (PBY_REASON_MEMORY) when so many bytes are more than the limit: before they are allocated. `what`
 * needs them. A coarser computation may still do. */
PBY_CHECKED
pby_status pby_work_fits(uint64_t bytes, const char *what, pby_error *err);

/* The processor time that the process has from now on, in microseconds; 0: any. */
void pby_work_time(uint64_t micro);

/* The processor time of the process until now, in microseconds. */
uint64_t pby_work_spent(void);

/* PBY_FAILED (PBY_REASON_STOPPED) when `done` of so many steps of much the same length, the first of which
 * began at that time (pby_work_spent), have taken so long that the others need more than twice what is left:
 * then it is better said at once. */
PBY_CHECKED
pby_status pby_work_paces(uint64_t began, uint64_t done, uint64_t steps, pby_error *err);

/* pby_work_paces for many short steps: each 64th looks at the clock, and the first second tells nothing.
 * Also PBY_FAILED (PBY_REASON_STOPPED) when the caller is interrupted (probity/interrupt.h). */
PBY_CHECKED
pby_status pby_work_goes_on(uint64_t began, uint64_t done, uint64_t steps, pby_error *err);

/* The seconds of processor time that the process was last found to need in all, if that is more than it has;
 * otherwise 0. */
uint64_t pby_work_foreseen(void);

/* Between these two something is half visible or paid for, and whoever could end the process waits
 * (cli/guard.h). They may be nested; what is paid for is never let go. */
void pby_work_hold(void);
void pby_work_let_go(void);
bool pby_work_is_held(void);

#endif
