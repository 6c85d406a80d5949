/* SPDX-License-Identifier: MIT */
#include <flint/flint.h>
#include <mpfr.h>

#include "probity.h"

void pby_thread_end(void)
{
    flint_cleanup();
    mpfr_free_cache();
}
