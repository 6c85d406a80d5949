/* SPDX-License-Identifier: MIT */
/* Files that have one name and are changed by one process at a time: sessions, ledgers, memos.
 *
 * Such a file is found by its real path, and refused while it has a second name. A new state goes to a draft
 * beside it, .NAME.draft, that whoever writes it holds a lock on; a process that is killed leaves at most
 * this one file behind, and the next command removes it. */
#ifndef PBY_IO_SOLE_H
#define PBY_IO_SOLE_H

#include <stdbool.h>
#include <sys/types.h>

#include "probity/status.h"

/* The real path of a file that is there, for free(3): symbolic links are followed. `what` names the argument,
 * and `expected` says what it should be. PBY_BAD for what is no regular file, and for a file of several names
 * once the draft, which may be one of them, is gone. */
PBY_CHECKED
pby_status pby_sole_find(char **out, const char *what, const char *path, const char *expected,
                         pby_error *err);

/* The real path that a file yet to be made will have, for free(3): its folder's, and its own name. PBY_BAD
 * where there is no such folder, or the name is taken. */
PBY_CHECKED
pby_status pby_sole_new(char **out, const char *what, const char *path, pby_error *err);

/* Refuses a file of several names. */
PBY_CHECKED
pby_status pby_sole_check(const char *what, const char *path, pby_error *err);

/* Refuses a secret that others than its owner may read or write, as ssh does; what is no regular file, such
 * as a pipe, has no such mode. */
PBY_CHECKED
pby_status pby_sole_secret(const char *what, const char *path, pby_error *err);

/* True if the name still leads to the open file, and no other name does. */
bool pby_sole_is(int fd, const char *path);

/* Refuses a process other than the one with this number: `what` was opened there. */
PBY_CHECKED
pby_status pby_sole_process(pid_t opened, const char *what, pby_error *err);

/* A new, empty and locked draft for the file at a real path; *draft, its name, is for free(3). It gets the
 * owner, group and mode of the open file `like` (-1: those of the caller, and mode 0600), so that root can
 * write another's file without taking it over. PBY_FAILED while another process writes one. */
PBY_CHECKED
pby_status pby_draft_make(int *fd, char **draft, const char *what, const char *path, int like,
                          pby_error *err);

/* Gives the draft its name, which no file may have: PBY_BAD where one has. The draft is gone in any case. */
PBY_CHECKED
pby_status pby_draft_publish(const char *draft, const char *what, const char *path, pby_error *err);

/* Writes a new file at a real path, whole or not at all: as pby_draft_make, and pby_draft_publish once all
 * bytes are on the disk. */
PBY_CHECKED
pby_status pby_draft_file(const char *what, const char *path, const void *bytes, size_t size, pby_error *err);

/* Removes a draft that nobody writes. */
void pby_draft_remove(const char *path);

#endif
