/* Files by the names that users give them; small ones, read whole. */
#ifndef PBY_CLI_FILE_H
#define PBY_CLI_FILE_H

#include <stddef.h>

#include "probity/status.h"

/* The path, or NULL where it is standard input or output: for NULL and "-". */
const char *pby_path_named(const char *path);

/* What an error calls an input. */
const char *pby_path_text(const char *path);

/* Reads a file, or standard input when path is NULL or "-", up to limit + 1 bytes, so that a longer
 * one can be told; *text is for free(3) and ends in a NUL byte that *size does not count. A file that
 * cannot be opened, or is a folder, is PBY_BAD. */
PBY_CHECKED pby_status pby_file_read(char **text, size_t *size, const char *path, size_t limit,
                                     pby_error *err);

#endif
