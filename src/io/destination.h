/* SPDX-License-Identifier: MIT */
/* Where a spool's bytes appear: a file that takes its name in the end, or a stream that they are copied to.
 * spool.h says how. */
#ifndef PBY_IO_DESTINATION_H
#define PBY_IO_DESTINATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

typedef struct pby_destination {
    int fd;     /* the bytes are written here; -1 when there is no target */
    int stream; /* where they are copied in the end; -1 when the file becomes the target's */
    char *path; /* the target's file */
    char *temp; /* a name in the same folder */
    bool named; /* a file of that name is there */
} pby_destination;

extern const pby_destination pby_destination_none;

/* path NULL is standard output; nameless says to try a file without a name first. To be closed whether this
 * succeeds or not. */
PBY_CHECKED
pby_status pby_destination_open(pby_destination *t, const char *path, bool nameless, pby_error *err);

/* The name that errors use for the file at fd. */
const char *pby_destination_name(const pby_destination *t);

/* Makes it appear; the buffer is for the copy to a stream. */
PBY_CHECKED
pby_status pby_destination_commit(pby_destination *t, uint8_t *buffer, size_t size, pby_error *err);

/* Lets go of what did not appear. */
void pby_destination_close(pby_destination *t);

/* Removes every file of this process that has a name and is not whole. For a process that ends here and now:
 * nothing else may be done with them. A handler of signals may call it. */
void pby_destination_sweep(void);

#endif
