/* SPDX-License-Identifier: MIT */
#include "base/interrupt.h"

#include <stddef.h>

static _Thread_local struct {
    pby_interrupt_asked *asked;
    void *what;
} here;

void pby_interrupt_by(pby_interrupt_asked *asked, void *what)
{
    here.asked = asked;
    here.what = what;
}

void pby_interrupt_never(void)
{
    here.asked = NULL;
}

pby_status pby_interrupt_check(pby_error *err)
{
    return here.asked != NULL && here.asked(here.what)
               ? pby_fail_by(err, PBY_FAILED, PBY_REASON_STOPPED, "interrupted before anything was recorded")
               : PBY_OK;
}
