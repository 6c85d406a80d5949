/* SPDX-License-Identifier: MIT */
#include "probity.h"

const char *pby_version(void)
{
    return PBY_VERSION;
}
