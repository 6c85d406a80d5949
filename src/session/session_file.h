/* SPDX-License-Identifier: MIT */
/* The file of a session: its state as one JSON object with a digest, written whole or not at all.
 *
 * Whoever has the file open holds a lock on it. A new state is a draft that is locked before it takes the
 * file's name, so that at no time another process finds the session without a lock. The state says which name
 * its file has: neither a draft that was left behind nor a copy of another name is a session. */
#ifndef PBY_SESSION_SESSION_FILE_H
#define PBY_SESSION_SESSION_FILE_H

#include <jansson.h>
#include <sys/types.h>

#include "base/status.h"
#include "io/digest.h"

typedef struct pby_session_file {
    char *path;         /* the real one */
    int fd;             /* of the file as it is, locked */
    pid_t process;      /* that has the lock; a child of it inherits the descriptor and may not use it */
    pby_digest written; /* all bytes of the file */
} pby_session_file;

/* Makes a file that must not exist; only its owner may read it. */
PBY_CHECKED
pby_status pby_session_file_make(pby_session_file *file, const char *path, json_t *state, pby_error *err);

/* Reads the state, for json_decref. */
PBY_CHECKED
pby_status pby_session_file_open(pby_session_file *file, json_t **state, const char *path, pby_error *err);

/* PBY_BAD in another process than the one that opened the file, and where the file is not as that left it. */
PBY_CHECKED
pby_status pby_session_file_check(const pby_session_file *file, pby_error *err);

/* Replaces the state. On the disk when it returns. The name and the digest are set in `state`. */
PBY_CHECKED
pby_status pby_session_file_save(pby_session_file *file, json_t *state, pby_error *err);

void pby_session_file_close(pby_session_file *file);

#endif
