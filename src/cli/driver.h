/* SPDX-License-Identifier: MIT */
/* The driver of proofs: a program in Python, beside the installed command or in the tree that it was built
 * in. */
#ifndef PBY_CLI_DRIVER_H
#define PBY_CLI_DRIVER_H

#include "base/status.h"

/* Becomes the driver with these arguments, a list that ends with NULL; returns only with the reason why not.
 */
PBY_CHECKED
pby_status pby_driver_become(char **arguments, pby_error *err);

/* Proves a folder again, silently and without what was kept of earlier runs: PBY_OK when the result is that
 * of the receipt in the file. */
PBY_CHECKED
pby_status pby_driver_rerun(const char *folder, const char *receipt, pby_error *err);

/* Compiles the theorem in a file of Coq, and judges whether it is proved and states what the second file
 * does: PBY_OK when it is. */
PBY_CHECKED
pby_status pby_driver_theorem(const char *file, const char *wanted, pby_error *err);

#endif
