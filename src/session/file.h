/* The file of a session: its state as one JSON object with a digest, written whole or not at all.
 *
 * Whoever has the file open holds a lock on it. A new state is a new file that is locked before it takes the
 * old one's name, so that at no time another process finds the session without a lock. */
#ifndef PBY_SESSION_FILE_H
#define PBY_SESSION_FILE_H

#include <jansson.h>

#include "base/status.h"

typedef struct pby_session_file {
    char *path;
    int fd; /* of the file as it is, locked */
} pby_session_file;

/* Makes a file that must not exist; only its owner may read it. */
PBY_CHECKED
pby_status pby_session_file_make(pby_session_file *file, const char *path, json_t *state, pby_error *err);

/* Reads the state, for json_decref. */
PBY_CHECKED
pby_status pby_session_file_open(pby_session_file *file, json_t **state, const char *path, pby_error *err);

/* Replaces the state. On the disk when it returns. The digest is set in `state`. */
PBY_CHECKED
pby_status pby_session_file_save(pby_session_file *file, json_t *state, pby_error *err);

void pby_session_file_close(pby_session_file *file);

#endif
