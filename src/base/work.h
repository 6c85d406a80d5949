/* SPDX-License-Identifier: MIT */
/* The limit on the memory of a computation, and when a process may not be ended. */
#ifndef PBY_BASE_WORK_H
#define PBY_BASE_WORK_H

#include <stdbool.h>

#include "base/status.h"
#include "probity/work.h"

/* PBY_BAD (PBY_REASON_MEMORY) when so many bytes are more than the limit: before they are allocated. `what`
 * needs them. A coarser computation may still do. */
PBY_CHECKED
pby_status pby_work_fits(uint64_t bytes, const char *what, pby_error *err);

/* Between these two something is half visible or paid for, and whoever could end the process waits
 * (cli/guard.h). They may be nested; what is paid for is never let go. */
void pby_work_hold(void);
void pby_work_let_go(void);
bool pby_work_is_held(void);

#endif
