/* SPDX-License-Identifier: MIT */
/* Output that appears whole or not at all.
 *
 * To a file: the bytes go to a file without a name in the target's own folder, which
 * pby_spool_commit brings to the disk, names, and renames over the target. Until then the target is
 * what it was, and a process that is killed leaves nothing behind. Where the file system has no
 * nameless files, a file .probity.PID.N.tmp takes its place, and pby_spool_abort removes it.
 *
 *   - A new file has the permissions of any new file (0666 less the umask); one that replaces another
 *     keeps that file's permissions.
 *   - A symbolic link stays a link: the file that it leads to is replaced. A link to nothing is refused,
 *     and so are a folder and a file that may not be written.
 *   - A device or a pipe (/dev/null, /dev/stdout) is written to as standard output is.
 *
 * To standard output: the bytes go to a nameless file in $TMPDIR (/tmp if unset), and are copied only
 * when they are complete. A copy that fails half way (a full disk, a reader that went away) cannot
 * be taken back: pby_spool_commit then fails with the system's reason.
 *
 * No write is left unchecked, the last close included. A pby_spool that is not committed is aborted.
 */
#ifndef PBY_IO_SPOOL_H
#define PBY_IO_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

typedef struct pby_spool pby_spool;

/* path NULL is standard output. A target that cannot be is PBY_BAD. */
PBY_CHECKED
pby_status pby_spool_open(pby_spool **out, const char *path, pby_error *err);

/* pby_spool_open as it goes on a file system without nameless files. */
PBY_CHECKED
pby_status pby_spool_open_named(pby_spool **out, const char *path, pby_error *err);

/* A spool in memory, which nothing but pby_spool_bytes can see: all that was written so far, until the next
 * write. It is not committed but aborted. */
PBY_CHECKED
pby_status pby_spool_open_memory(pby_spool **out, pby_error *err);
const uint8_t *pby_spool_bytes(const pby_spool *spool, size_t *size);
/* Forgets what a spool in memory holds, once somebody else has it. */
void pby_spool_empty(pby_spool *spool);

PBY_CHECKED
pby_status pby_spool_write(pby_spool *spool, const void *bytes, size_t size, pby_error *err);

/* Room for size bytes, *at, to be filled by the caller; pby_spool_advance then says how many of them
 * were. Nothing else may be done with the spool between the two. */
PBY_CHECKED
pby_status pby_spool_reserve(pby_spool *spool, size_t size, uint8_t **at, pby_error *err);
void pby_spool_advance(pby_spool *spool, size_t size);

/* Makes the output appear, and frees the spool whether that succeeded or not. */
PBY_CHECKED
pby_status pby_spool_commit(pby_spool *spool, pby_error *err);

/* Lets the output go, and frees the spool. NULL is allowed. */
void pby_spool_abort(pby_spool *spool);

/* A whole output at once: text, and end behind it. */
PBY_CHECKED
pby_status pby_spool_text(const char *path, const char *text, const char *end, pby_error *err);

#endif
