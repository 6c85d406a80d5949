/* SPDX-License-Identifier: MIT */
#include "base/work.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <time.h>

#include "base/interrupt.h"

enum { MICRO = 1000000, NANO = 1000 };

static _Thread_local uint64_t limit;
static atomic_uint held;
static _Atomic uint64_t ends, foreseen; /* of the process, as its processor time is */

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

/* A browser has no clock of the processor; there the module has a worker of its own, and the clock serves. */
#ifdef CLOCK_PROCESS_CPUTIME_ID
#define CLOCK CLOCK_PROCESS_CPUTIME_ID
#else
#define CLOCK CLOCK_MONOTONIC
#endif

uint64_t pby_work_spent(void)
{
    struct timespec now = {0};
    return clock_gettime(CLOCK, &now) == 0 ? (uint64_t)now.tv_sec * MICRO + (uint64_t)now.tv_nsec / NANO : 0;
}

void pby_work_time(uint64_t micro)
{
    atomic_store(&ends, micro == 0 ? 0 : pby_work_spent() + micro);
}

pby_status pby_work_paces(uint64_t began, uint64_t done, uint64_t steps, pby_error *err)
{
    enum { TOLD_AFTER = 64, TWICE = 2, LEAST = MICRO / 10 };
    const uint64_t end = atomic_load(&ends);
    if (end == 0 || done < TOLD_AFTER)
        return PBY_OK;
    const uint64_t now = pby_work_spent();
    const double needed = (double)(now - began) / (double)done * (double)(steps - done),
                 left = now < end ? (double)(end - now) : 0;
    if (needed <= left || now - began < LEAST)
        return PBY_OK;
    atomic_store(&foreseen, (uint64_t)(((double)now + needed) / MICRO));
    if (needed <= TWICE * left)
        return PBY_OK;
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_STOPPED,
                       "the work would take about %" PRIu64 " s of processor time", atomic_load(&foreseen));
}

pby_status pby_work_goes_on(uint64_t began, uint64_t done, uint64_t steps, pby_error *err)
{
    enum { LOOKS = 64, FIRST = MICRO };
    if (done % LOOKS != 0)
        return PBY_OK;
    PBY_TRY(pby_interrupt_check(err));
    return pby_work_spent() - began < FIRST ? PBY_OK : pby_work_paces(began, done, steps, err);
}

uint64_t pby_work_foreseen(void)
{
    return atomic_load(&foreseen);
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
