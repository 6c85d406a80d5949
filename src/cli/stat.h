/* What the commands that print a statistic say beside it. */
#ifndef PBY_CLI_STAT_H
#define PBY_CLI_STAT_H

#include <stdbool.h>

#include "base/status.h"

/* A line on standard error where an order is read and is that of the rows, although some keys are numbers. */
void pby_stat_warn(bool mixed);

/* `stat anonymity`: prints the classes of a table of records (path NULL: standard input). With k, PBY_NO
 * unless the table is k-anonymous; 0 asks for no verdict. */
PBY_CHECKED
pby_status pby_stat_anonymity(const char *path, const char *quasi, unsigned long k, bool json,
                              pby_error *err);

#endif
