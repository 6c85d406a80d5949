/* SPDX-License-Identifier: MIT */
/* The verifier on its own, which `make verifier` puts beside the command. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/run.h"

static char program[PBY_PATH_SIZE];

static void setup(void)
{
    const char *command = getenv("PROBITY");
    snprintf(program, sizeof program, "%s-verify", command != NULL ? command : "build/probity");
    cr_assert_eq(access(program, X_OK), 0, "%s is missing: make verifier", program);
}

TestSuite(verifier, .init = setup);

static int exit_of(const char *file, const char *key)
{
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        const int nowhere = open("/dev/null", O_RDWR);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        execl(program, program, file, key == NULL ? NULL : "--key", key, (char *)NULL);
        _exit(127);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(verifier, gives_the_verdicts_of_the_command)
{
    cr_assert_eq(exit_of("tests/vectors/stlap.json", NULL), 0);
    cr_assert_eq(exit_of("tests/vectors/composition.json", NULL), 0);
    cr_assert_eq(exit_of("tests/vectors/accuracy-noise.json", NULL), 0);
    cr_assert_eq(exit_of("tests/vectors/accuracy-behind.json", NULL), 0);
    cr_assert_eq(exit_of("tests/vectors/composition-grid.json", NULL), 0);
    cr_assert_eq(exit_of("tests/vectors/signed.json", "tests/vectors/signed.pub"), 0);
    cr_assert_eq(exit_of("tests/vectors/stlap.json", "tests/vectors/signed.pub"), 1);
    cr_assert_eq(exit_of("tests/vectors/loss.tsv", NULL), 1);
    cr_assert_eq(exit_of("/nonexistent", NULL), 2);
    cr_assert_eq(exit_of("--help", NULL), 0);
}
