/* SPDX-License-Identifier: MIT */
#include "base/work.h"

#include <inttypes.h>
#include <stdatomic.h>

static _Thread_local uint64_t limit;
static atomic_uint held;

void pby_work_memory(uint64_t bytes)
{
    limit = bytes;
}

pby_status pby_work_fits(uint64_t bytes, const char *what, pby_error *err)
{
    enum { MIB = 1 << 20 };
    if (limit == 0 || bytes <= limit)
        return PBY_OK;
    return pby_fail_by(err, PBY_BAD, PBY_REASON_MEMORY,
                       "%s needs %" PRIu64 " MiB of memory, more than the limit of %" PRIu64 " MiB", what,
                       bytes / MIB, limit / MIB);
}

void pby_work_hold(void)
{
    atomic_fetch_add(&held, 1);
}

void pby_work_let_go(void)
{
    atomic_fetch_sub(&held, 1);
}

bool pby_work_is_held(void)
{
    return atomic_load(&held) > 0;
}
