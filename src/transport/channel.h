/* SPDX-License-Identifier: MIT */
/* Channels: the chance of output z on input x at x outputs + z. */
#ifndef PBY_TRANSPORT_CHANNEL_H
#define PBY_TRANSPORT_CHANNEL_H

#include <gmp.h>
#include <stddef.h>

#include "probity/status.h"

/* Refuses, by its input, a chance below 0 and chances that do not add up to 1. */
PBY_CHECKED
pby_status pby_channel_check(mpq_srcptr channel, size_t inputs, size_t outputs, pby_error *err);

#endif
