/* SPDX-License-Identifier: MIT */
/* Lines that the commands print beside a statistic. */
#ifndef PBY_CLI_CMD_STAT_H
#define PBY_CLI_CMD_STAT_H

#include <stdbool.h>

/* A line on standard error where an order is read and is that of the rows, although some keys are numbers. */
void pby_stat_warn(bool mixed);

#endif
