/* SPDX-License-Identifier: MIT */
/*
 * The suite's own main. Criterion runs each test in a process of its own, and these are searched for
 * leaks as they end; the process that starts them is Criterion's alone, and under threads it now and
 * then loses a message, which is not a fault of the code under test.
 *
 * PROBITY_SLOW names a file of tests to leave out, a line each, SUITE/TEST; make test sets it. A name that is
 * no test's is an error, so that the list cannot outlive what it names.
 */
#include <criterion/criterion.h>
#include <criterion/internal/ordered-set.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef PBY_SANITIZED
#include <sanitizer/lsan_interface.h>
#else
static void __lsan_disable(void)
{
}
#endif

/* The number of a standard stream that is closed would go to a socket of Criterion's, and a test that lends
 * itself another standard input would close that. */
static void open_streams(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    close(fd);
}

static bool skip_in_suite(const struct criterion_suite_set *suite, const char *name)
{
    const size_t length = strlen(suite->suite.name);
    if (strncmp(name, suite->suite.name, length) != 0 || name[length] != '/')
        return false;
    FOREACH_SET(struct criterion_test * test, suite->tests)
    {
        if (strcmp(test->name, name + length + 1) == 0)
            return test->data->disabled = true;
    }
    return false;
}

static bool skip(const struct criterion_test_set *tests, const char *name)
{
    FOREACH_SET(const struct criterion_suite_set *suite, tests->suites)
    {
        if (skip_in_suite(suite, name))
            return true;
    }
    return false;
}

/* True if all that the file names were left out. */
static bool leave_out_slow(const struct criterion_test_set *tests)
{
    const char *path = getenv("PROBITY_SLOW");
    char name[256];
    if (path == NULL)
        return true;
    FILE *file = fopen(path, "r");
    bool known = file != NULL;
    while (known && fgets(name, sizeof name, file) != NULL) {
        name[strcspn(name, "\n")] = '\0';
        known = skip(tests, name);
    }
    if (!known)
        fprintf(stderr, "suite: %s: %s%s\n", path,
                file == NULL ? "cannot be read" : "no such test: ", file == NULL ? "" : name);
    if (file != NULL)
        fclose(file);
    return known;
}

/* Seen from outside: Criterion finds main by its name in each process that it starts. */
__attribute__((visibility("default"))) int main(int argc, char **argv)
{
    __lsan_disable();
    open_streams();
    struct criterion_test_set *tests = criterion_initialize();
    int failed = 0;
    if (!leave_out_slow(tests))
        failed = 2;
    else if (criterion_handle_args(argc, argv, true))
        failed = !criterion_run_all_tests(tests);
    criterion_finalize(tests);
    return failed;
}
