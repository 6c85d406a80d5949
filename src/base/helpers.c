/* SPDX-License-Identifier: MIT */
#include "base/helpers.h"

#include <signal.h>

static void *run_helper(void *helper)
{
    const pby_helper *h = helper;
    h->work(h->what, h->number);
    return NULL;
}

void pby_helpers_start(pby_helpers *helpers, pby_help *work, void *what, unsigned threads)
{
    sigset_t all, before;
    sigfillset(&all);
    const bool masked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
    helpers->count = threads;
    for (unsigned i = 1; i < threads; i++) {
        pby_helper *h = &helpers->helper[i];
        *h = (pby_helper){.work = work, .what = what, .number = i};
        h->started = masked && pthread_create(&h->thread, NULL, run_helper, h) == 0;
    }
    if (masked)
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void pby_helpers_end(pby_helpers *helpers)
{
    for (unsigned i = 1; i < helpers->count; i++)
        if (helpers->helper[i].started)
            pthread_join(helpers->helper[i].thread, NULL);
    helpers->count = 0;
}

void pby_help_with(pby_help *work, void *what, unsigned threads)
{
    pby_helpers helpers;
    pby_helpers_start(&helpers, work, what, threads);
    work(what, 0);
    pby_helpers_end(&helpers);
}
