/* SPDX-License-Identifier: MIT */
#include "io/pages.h"

#include <sys/mman.h>

void *pby_pages_map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    (void)madvise(memory, size, MADV_HUGEPAGE);
    return memory;
}
