/* SPDX-License-Identifier: MIT */
/* What the commands that print a statistic say beside it. */
#ifndef PBY_CLI_CMD_STAT_H
#define PBY_CLI_CMD_STAT_H

#include <stdbool.h>

/* A line on standard error where an order is read and is that of the rows, although some keys are numbers. */
void pby_stat_warn(bool mixed);

#endif
