/* SPDX-License-Identifier: MIT */
/* Marks values that a timing-safe computation makes public on purpose.
 *
 * PBY_MAKE_PUBLIC(object) stands before a branch on something that was computed from secrets and may be seen:
 * it does nothing, and says so to a reader. Built with PBY_TIMING_CHECK it says so to valgrind as well, which
 * then reports every other branch on a secret (tests/timing). */
#ifndef PBY_BASE_PUBLIC_H
#define PBY_BASE_PUBLIC_H

#ifdef PBY_TIMING_CHECK
#include <valgrind/memcheck.h>
#define PBY_MAKE_PUBLIC(object) ((void)VALGRIND_MAKE_MEM_DEFINED(&(object), sizeof(object)))
#else
#define PBY_MAKE_PUBLIC(object) ((void)0)
#endif

#endif
