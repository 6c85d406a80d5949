/* SPDX-License-Identifier: MIT */
#include "cli/driver.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probity.h"

enum { PATH = PATH_MAX + 64, FIXED = 3 };

/* The path of this program without its last n parts. */
static bool own_folder(char path[PATH], char self[PATH], int parts)
{
    const ssize_t size = readlink("/proc/self/exe", self, PATH_MAX);
    if (size <= 0)
        return false;
    self[size] = '\0';
    strcpy(path, self);
    for (int i = 0; i < parts; i++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL)
            return false;
        *slash = '\0';
    }
    return true;
}

/* PREFIX/bin/probity has PREFIX/share; TREE/build/probity has TREE/proofs. */
static bool find_driver(char path[PATH], char self[PATH])
{
    static const char *const places[] = {"/share/probity/prove/proofs/foreign.py", "/proofs/foreign.py"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (!own_folder(path, self, 2))
            return false;
        strncat(path, places[i], PATH - strlen(path) - 1);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

pby_status pby_driver_become(char **arguments, pby_error *err)
{
    char path[PATH], self[PATH];
    size_t count = 0;
    if (!find_driver(path, self))
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

pby_status pby_driver_rerun(const char *folder, const char *receipt, pby_error *err)
{
    char quiet[] = "--quiet", fresh[] = "--no-cache", against[] = "--against";
    int ended;
    fflush(stdout);
    char *of = strdup(folder), *file = strdup(receipt);
    if (of == NULL || file == NULL) {
        free(of);
        free(file);
        return pby_no_memory(err);
    }
    const pid_t child = fork();
    if (child == 0) {
        char *words[] = {quiet, fresh, against, file, of, NULL};
        const pby_status status = pby_driver_become(words, err);
        fprintf(stderr, "probity: %s\n", err == NULL ? "prove" : err->text);
        _exit((int)status);
    }
    free(of);
    free(file);
    if (child < 0 || waitpid(child, &ended, 0) != child || !WIFEXITED(ended))
        return pby_fail(err, PBY_FAILED, "--prove: the driver of proofs did not end");
    switch (WEXITSTATUS(ended)) {
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
