/* SPDX-License-Identifier: MIT */
/* The places where a long call may end early (public face: probity/interrupt.h). */
#ifndef PBY_BASE_INTERRUPT_H
#define PBY_BASE_INTERRUPT_H

#include "base/status.h"
#include "probity/interrupt.h"

/* PBY_FAILED when whoever is asked in this thread says so. */
PBY_CHECKED
pby_status pby_interrupt_check(pby_error *err);

#endif
