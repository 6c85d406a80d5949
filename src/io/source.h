/* SPDX-License-Identifier: MIT */
/* Bytes that are read twice: a file, standard input, a descriptor, a callback, or memory.
 *
 * A regular file is read again from where it stood. Anything else (a pipe, a terminal, a callback) is kept as
 * it is first read: in memory up to PBY_KEPT_MAX bytes, and beyond that in a nameless file in $TMPDIR. Those
 * bytes are as secret as the input, and go with the process; of the file, the blocks of the disk are not
 * overwritten. A regular file must not change between the two readings: pby_csv_input_unchanged compares its
 * size and its times.
 */
#ifndef PBY_IO_SOURCE_H
#define PBY_IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"
#include "probity/table.h"

enum { PBY_KEPT_MAX = 1 << 26 };

typedef struct pby_csv_input pby_csv_input;

/* path NULL is standard input. A file that is missing, closed to us or a folder is PBY_BAD. */
PBY_CHECKED
pby_status pby_csv_input_open(pby_csv_input **out, const char *path, pby_error *err);

/* The bytes, which an error calls by name, are not copied and must outlive the input. */
PBY_CHECKED
pby_status pby_csv_input_memory(pby_csv_input **out, const char *name, const void *bytes, size_t size,
                                pby_error *err);

/* From where a descriptor stands, of which a copy is kept; and from a callback, which is asked until it has
 * nothing more. An error calls them by name. */
PBY_CHECKED
pby_status pby_csv_input_descriptor(pby_csv_input **out, const char *name, int fd, pby_error *err);
PBY_CHECKED
pby_status pby_csv_input_callback(pby_csv_input **out, const char *name, pby_table_read *read, void *what,
                                  pby_error *err);

/* Says, before the first reading, that there will be no other: then nothing is kept. */
void pby_csv_input_once(pby_csv_input *in);

/* Fills the buffer; *got < size only at the end of the input. */
PBY_CHECKED
pby_status pby_csv_input_read(pby_csv_input *in, void *buffer, size_t size, size_t *got, pby_error *err);

/* Reads a stream to its end, so that it can be read again; of any other input nothing. */
PBY_CHECKED
pby_status pby_csv_input_finish(pby_csv_input *in, pby_error *err);

/* Back to the beginning, once a stream has been read to its end. */
void pby_csv_input_rewind(pby_csv_input *in);

/* True if the second reading saw what the first did, as far as the system tells. */
bool pby_csv_input_unchanged(const pby_csv_input *in);

/* The bytes of a regular file from where it stood, when it was opened; 0 for anything else. */
uint64_t pby_csv_input_size(const pby_csv_input *in);

/* True if bytes can be read at any place, by several threads at once, as those of a regular file and of
 * memory can; and how many there are, or were when the file was opened. */
bool pby_csv_input_placed(const pby_csv_input *in, uint64_t *size);

/* As pby_csv_input_read, from a place on, without moving; of such an input. */
PBY_CHECKED
pby_status pby_csv_input_read_at(const pby_csv_input *in, void *buffer, size_t size, uint64_t at, size_t *got,
                                 pby_error *err);

/* The name that errors use: the path or the name on one printable line, or "standard input". */
const char *pby_csv_input_name(const pby_csv_input *in);

/* NULL is allowed. */
void pby_csv_input_free(pby_csv_input *in);

/* All of it, from its beginning, with a NUL byte behind it, for free(3); refused beyond 2^30 bytes. It is the
 * caller's to wipe; *text is NULL when it fails. */
PBY_CHECKED
pby_status pby_csv_input_whole(char **text, size_t *size, pby_csv_input *in, pby_error *err);

#endif
