/* SPDX-License-Identifier: MIT */
/* A file system below SQLite that kills the process, or fails, at its n-th step. */
#ifndef PBY_TESTS_CERTIFICATE_FAILING_H
#define PBY_TESTS_CERTIFICATE_FAILING_H

typedef struct pby_failing {
    int fatal;         /* the process is killed at this step, counted from 1; half of a write is done */
    int failing, code; /* this step fails with this code of SQLite */
} pby_failing;

/* Becomes the default file system of this process. */
void pby_failing_install(pby_failing plan);

/* The real one again; how many steps there were. */
int pby_failing_remove(void);

#endif
