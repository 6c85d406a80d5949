/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { INTERVAL = 200000000, SECOND = 1000000000 };

void pby_progress_begin(pby_progress *progress, const char *what, uint64_t total)
{
    *progress = (pby_progress){.what = what, .total = total, .terminal = isatty(STDERR_FILENO) == 1};
    clock_gettime(CLOCK_MONOTONIC, &progress->next);
    progress->next.tv_sec++;
}

void pby_progress_begin_share(pby_progress *progress, const char *what, uint64_t total)
{
    pby_progress_begin(progress, what, total);
    progress->share = true;
}

static void show(const pby_progress *progress, uint64_t done)
{
    const uint64_t hundredth = progress->total / 100, share = hundredth == 0 ? 0 : done / hundredth;
    if (progress->total == 0)
        fprintf(stderr, "\r%s: %" PRIu64, progress->what, done);
    else if (progress->share)
        fprintf(stderr, "\r%s: %" PRIu64 "%%", progress->what, share > 100 ? 100 : share);
    else
        fprintf(stderr, "\r%s: %" PRIu64 " of %" PRIu64 " (%" PRIu64 "%%)", progress->what, done,
                progress->total, share);
}

void pby_progress_at(pby_progress *progress, uint64_t done)
{
    struct timespec now;
    if (!progress->terminal || clock_gettime(CLOCK_MONOTONIC, &now) != 0 ||
        now.tv_sec < progress->next.tv_sec ||
        (now.tv_sec == progress->next.tv_sec && now.tv_nsec < progress->next.tv_nsec))
        return;
    show(progress, done);
    progress->shown = true;
    progress->next = now;
    progress->next.tv_nsec += INTERVAL;
    if (progress->next.tv_nsec >= SECOND) {
        progress->next.tv_nsec -= SECOND;
        progress->next.tv_sec++;
    }
}

void pby_progress_end(pby_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

static void observed(void *data, uint64_t done, uint64_t total)
{
    pby_progress *progress = data;
    progress->total = total;
    pby_progress_at(progress, done);
}

pby_observer pby_progress_observer(pby_progress *progress)
{
    return (pby_observer){observed, progress};
}
