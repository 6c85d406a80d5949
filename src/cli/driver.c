/* SPDX-License-Identifier: MIT */
#include "cli/driver.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/installed.h"
#include "probity.h"

enum { FIXED = 3 };

/* PREFIX/bin/probity has PREFIX/share; TREE/build/probity has TREE/proofs. */
static const pby_installed_place places[] = {{2, "/share/probity/prove/proofs/"}, {2, "/proofs/"}};

/* Becomes a program of the driver. */
static pby_status become(const char *name, char **arguments, pby_error *err)
{
    char path[PBY_INSTALLED_SIZE], self[PBY_INSTALLED_SIZE];
    size_t count = 0;
    if (!pby_installed_self(self) || !pby_installed_find(path, places, sizeof places / sizeof *places, name))
        return pby_fail(
            err, PBY_FAILED,
            "prove: no driver beside this program (share/probity/prove), install it with make install");
    while (arguments[count] != NULL)
        count++;
    char **words = calloc(count + FIXED + 1, sizeof *words);
    if (words == NULL)
        return pby_no_memory(err);
    char python[] = "python3", plain[] = "-B";
    words[0] = python;
    words[1] = plain;
    words[2] = path;
    memcpy(words + FIXED, arguments, count * sizeof *words);
    setenv("PROBITY", self, 1);
    setenv("PROBITY_VERSION", pby_version(), 1);
    execvp(python, words);
    free(words);
    return errno == ENOENT
               ? pby_fail(err, PBY_FAILED, "prove: python3 is not installed (Debian package python3)")
               : pby_fail(err, PBY_FAILED, "prove: python3: %s", strerror(errno));
}

pby_status pby_driver_become(char **arguments, pby_error *err)
{
    return become("foreign.py", arguments, err);
}

/* Runs a program of the driver with arguments, the last of which is NULL, and says how it ended. */
static pby_status run_driver(int *ended, const char *name, const char *const *arguments, pby_error *err)
{
    enum { MOST = 8 };
    char *words[MOST + 1] = {NULL};
    bool room = true;
    for (size_t i = 0; arguments[i] != NULL && i < MOST; i++)
        room = room && (words[i] = strdup(arguments[i])) != NULL;
    fflush(stdout);
    const pid_t child = room ? fork() : -1;
    if (child == 0) {
        const pby_status status = become(name, words, err);
        fprintf(stderr, "probity: %s\n", err == NULL ? "prove" : err->text);
        _exit((int)status);
    }
    for (size_t i = 0; i < MOST; i++)
        free(words[i]);
    if (!room)
        return pby_no_memory(err);
    int how;
    if (child < 0 || waitpid(child, &how, 0) != child || !WIFEXITED(how))
        return pby_fail(err, PBY_FAILED, "the driver of proofs did not end");
    *ended = WEXITSTATUS(how);
    return PBY_OK;
}

pby_status pby_driver_rerun(const char *folder, const char *receipt, pby_error *err)
{
    int ended;
    PBY_TRY(run_driver(&ended, "foreign.py",
                       (const char *const[]){"--quiet", "--no-cache", "--against", receipt, folder, NULL},
                       err));
    switch (ended) {
    case PBY_OK:
        return PBY_OK;
    case PBY_NO:
        return pby_fail(err, PBY_NO, "proof: '%.200s' is not proved to be what the receipt says", folder);
    case PBY_BAD:
        return pby_fail(err, PBY_BAD, "--prove: '%.200s': expected a folder with the sources of the receipt",
                        folder);
    default:
        return pby_fail(err, PBY_FAILED, "--prove: a tool of the proof is missing");
    }
}

pby_status pby_driver_theorem(const char *file, const char *wanted, pby_error *err)
{
    int ended;
    PBY_TRY(run_driver(&ended, "theorem.py", (const char *const[]){file, wanted, NULL}, err));
    switch (ended) {
    case PBY_OK:
        return PBY_OK;
    case PBY_NO:
        return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                           "theorem: '%.200s' does not prove what the certificate says", file);
    case PBY_BAD:
        return pby_refuse(err, "--coq", file, "a file of Coq that can be read");
    default:
        return pby_fail(err, PBY_FAILED, "--coq: Coq cannot be run");
    }
}
