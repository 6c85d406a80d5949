/* SPDX-License-Identifier: MIT */
#include "cli/clock.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* The end is told under the lock, so that nothing is shown behind it. */
static void *show(void *data)
{
    pby_clock *w = data;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    pthread_mutex_lock(&w->lock);
    for (unsigned seconds = 1; !w->ended; seconds++) {
        next.tv_sec++;
        int late = 0;
        while (!w->ended && late == 0)
            late = pthread_cond_timedwait(&w->end, &w->lock, &next);
        if (w->ended)
            break;
        fprintf(stderr, "\r%s: %u s", w->what, seconds);
        w->shown = true;
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static bool make_condition(pthread_cond_t *condition)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic) != 0)
        return false;
    const bool made = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 &&
                      pthread_cond_init(condition, &monotonic) == 0;
    pthread_condattr_destroy(&monotonic);
    return made;
}

/* Signals are for the thread that works. */
static bool start(pby_clock *w)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&w->thread, NULL, show, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void pby_clock_begin(pby_clock *w, const char *what)
{
    *w = (pby_clock){.what = what};
    if (isatty(STDERR_FILENO) != 1 || !make_condition(&w->end))
        return;
    pthread_mutex_init(&w->lock, NULL);
    w->started = start(w);
}

void pby_clock_end(pby_clock *w)
{
    if (!w->started)
        return;
    pthread_mutex_lock(&w->lock);
    w->ended = true;
    pthread_cond_signal(&w->end);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    if (w->shown)
        fputs("\r\033[K", stderr);
    w->started = false;
}
