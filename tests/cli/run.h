/* SPDX-License-Identifier: MIT */
/* Runs the command and keeps what it answered.
 *
 * The command is the one that the environment names in PROBITY, or build/probity. */
#ifndef PBY_TESTS_CLI_RUN_H
#define PBY_TESTS_CLI_RUN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pby_run {
    int status; /* the exit status; 128 and the signal's number when a signal ended it */
    size_t out_size;
    char out[1 << 20], err[1 << 12]; /* each ends in a NUL byte */
} pby_run;

enum { PBY_ARGUMENTS_MAX = 24, PBY_PATH_SIZE = 256 };

/* Runs it with the arguments, up to a NULL, and with the input, which may be NULL. The answer lives until
 * the next call. */
const pby_run *pby_run_command(const char *input, const char *const *arguments);

/* Runs the command with standard output closed (NULL), or going to a file. */
const pby_run *pby_run_to(const char *path, const char *input, const char *const *arguments);

#define PBY_ARGUMENTS(...)  ((const char *const[]){__VA_ARGS__, NULL})
#define PBY_RUN(input, ...) pby_run_command(input, PBY_ARGUMENTS(__VA_ARGS__))

/* Fails the test unless the command exits with that status, prints nothing on standard output, and says
 * one line on standard error that begins with "probity: " and contains the text. */
void pby_expect_refusal(int status, const char *text, const char *input, const char *const *arguments);

#define PBY_REFUSED(status, text, input, ...) \
    pby_expect_refusal(status, text, input, PBY_ARGUMENTS(__VA_ARGS__))

/* A fresh folder for the files of one test, and its removal with all the files in it. */
void pby_folder_make(char folder[PBY_PATH_SIZE]);
void pby_folder_remove(const char *folder);
void pby_folder_path(char path[PBY_PATH_SIZE], const char *folder, const char *name);
size_t pby_folder_entries(const char *folder);

void pby_write_file(const char *path, const char *text);
/* True if the file holds exactly this text. */
bool pby_file_is(const char *path, const char *text);

#endif
