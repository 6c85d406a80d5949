/* SPDX-License-Identifier: MIT */
/* Files by the names that users give them; small ones, read whole; and files without a name. */
#ifndef PBY_IO_FILE_H
#define PBY_IO_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "probity/status.h"

/* The path, or NULL where it is standard input or output: for NULL and "-". */
const char *pby_path_named(const char *path);

/* The name that errors use for an input. */
const char *pby_path_text(const char *path);

/* True if an argument that may also be a SPEC names a file: one that exists, or a name that ends in .json. */
bool pby_file_is_meant(const char *text);

/* True if two inputs are one file, by whatever names. */
bool pby_file_same(const char *a, const char *b);

/* Refuses an output (NULL, "-": standard output) that is the very file that an input is read from, by
 * whatever name: what is written there would take the place of what, such as "the ledger". Devices and pipes
 * may be both. */
PBY_CHECKED
pby_status pby_output_apart(const char *output, const char *input, const char *what, pby_error *err);

/* Reads a file, or standard input when path is NULL or "-", up to limit + 1 bytes, so that a longer
 * one can be told; *text is for free(3) and ends in a NUL byte that *size does not count. A file that
 * cannot be opened, or is a folder, is PBY_BAD. No byte of it is left anywhere but in *text. */
PBY_CHECKED
pby_status pby_file_read(char **text, size_t *size, const char *path, size_t limit, pby_error *err);

/* pby_file_read of a table, which is refused beyond 2^30 bytes. */
PBY_CHECKED
pby_status pby_file_read_table(char **text, size_t *size, const char *path, pby_error *err);

/* Brings the folder of a file to the disk, and so the names in it; false, with errno, if that fails. */
PBY_CHECKED
bool pby_file_sync_folder(const char *path);

/* A file without a name in $TMPDIR (/tmp if unset), readable and writable by its owner alone. *fd is -1 on
 * failure. */
PBY_CHECKED
pby_status pby_file_nameless(int *fd, pby_error *err);

/* Writes it all, however often the system takes only a part. what names the file in the error. */
PBY_CHECKED
pby_status pby_file_write_all(int fd, const void *bytes, size_t size, const char *what, pby_error *err);

#endif
