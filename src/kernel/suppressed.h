/* SPDX-License-Identifier: MIT */
/* In the place of a count of which nothing may be published; what the contracts call Suppressed. Callers of
 * the library have it from probity/release.h, which the kernel does not include. */
#ifndef PBY_KERNEL_SUPPRESSED_H
#define PBY_KERNEL_SUPPRESSED_H

#include <stdint.h>

#include "acsl/suppress.h"

#define PBY_SUPPRESSED INT64_MIN

#endif
