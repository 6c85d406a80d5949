/* SPDX-License-Identifier: MIT */
/* Zeroed memory straight from the system, in large pages where it has them: they save most of the address
 * translation of random access, and without them it is only slower. munmap gives it back, and nobody sees
 * what was in it. NULL when there is none. */
#ifndef PBY_IO_PAGES_H
#define PBY_IO_PAGES_H

#include <stddef.h>

void *pby_pages_map(size_t size);

#endif
