/* SPDX-License-Identifier: MIT */
/* Functions that the tests of `probity audit` share. */
#ifndef PBY_TESTS_CLI_OUTPUTS_H
#define PBY_TESTS_CLI_OUTPUTS_H

#include "tests/cli/run.h"

/* A folder with the outputs of a mechanism on two inputs, in the files left and right, and two more names. */
typedef struct pby_outputs {
    char folder[PBY_PATH_SIZE], left[PBY_PATH_SIZE], right[PBY_PATH_SIZE], other[PBY_PATH_SIZE],
        more[PBY_PATH_SIZE];
} pby_outputs;

/* n outputs of a specimen on each side; the folder is for pby_folder_remove. */
void pby_outputs_begin(pby_outputs *o, const char *name, double epsilon, size_t n);

/* Outputs number from, ..., from + n - 1 of one side, each with this line end. */
void pby_outputs_write(const char *path, const char *name, double epsilon, int side, size_t from, size_t n,
                       const char *newline);

/* A text of the JSON object that a run has printed, or "". Lives until the next call. */
const char *pby_run_member(const pby_run *r, const char *key);

/* The beginning of a file, up to 64 KiB. Lives until the next call. */
const char *pby_file_text(const char *path);

#endif
