/* SPDX-License-Identifier: MIT */
/* Outputs out of an Arrow or a Parquet file: each row is one output. Python reads them, where it has pyarrow.
 */
#ifndef PBY_AUDIT_RUN_ARROW_H
#define PBY_AUDIT_RUN_ARROW_H

#include <stdbool.h>

/* True if a file is one of these, by its name: it ends in .arrow, .feather or .parquet. */
bool pby_arrow_named(const char *path);

/* The status of the command when the file would take more memory than it may have, 1 GiB. */
enum { PBY_ARROW_TOO_LARGE = 3 };

/* The command that prints the rows of a file, one a line, for free(3); NULL when there is no memory. Its
 * status is not 0 where the file cannot be read, or has not the columns, separated by commas; NULL: all. */
char *pby_arrow_command(const char *path, const char *columns);

#endif
