/* SPDX-License-Identifier: MIT */
/* A limit on the memory of a call, for a program that asks questions of strangers.
 *
 * Some questions need many GiB, and cannot be told from others by their length. A computation on a grid that
 * would need more than the limit is refused before it begins, with PBY_BAD and PBY_REASON_MEMORY. The library
 * never ends the program, handles no signal and changes no allocator; interrupt.h limits the time. */
#ifndef PROBITY_EXPERIMENTAL_WORK_H
#define PROBITY_EXPERIMENTAL_WORK_H

#include <stdint.h>

#include "probity/status.h"

PBY_BEGIN_API

/* Bytes that a computation of the calling thread may be expected to need, until it sets another limit; 0: as
 * much as the library ever takes, 2 GiB or so. */
void pby_work_memory(uint64_t bytes);

PBY_END_API

#endif
