/* SPDX-License-Identifier: MIT */
#include "io/file.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], other[PBY_PATH_SIZE];

static void make_folder(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "file");
    pby_folder_path(other, folder, "other");
}

static void remove_folder(void)
{
    pby_folder_remove(folder);
}

TestSuite(file, .init = make_folder, .fini = remove_folder);

/* ---- reading ---------------------------------------------------------------------------------- */

/* Every size around those at which the room grows, and beyond a limit. */
Test(file, is_read_whole)
{
    static char text[3 << 12];
    memset(text, 'x', sizeof text - 1);
    static const size_t sizes[] = {0, 1, 4094, 4095, 4096, 8191, 8192, sizeof text - 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t limit = sizes[i] == 0 ? 0 : sizes[i] - 1; limit <= sizes[i] + 1; limit++) {
            char *got = NULL;
            size_t size;
            pby_write_file(path, text + sizeof text - 1 - sizes[i]);
            cr_assert_eq(pby_file_read(&got, &size, path, limit, NULL), PBY_OK);
            cr_assert_eq(size, sizes[i] < limit + 1 ? sizes[i] : limit + 1);
            cr_assert_eq(strlen(got), size);
            free(got);
        }
}

/* With less memory than the largest table takes. */
Test(file, a_short_table_needs_little_memory)
{
    pby_write_file(path, "a\n");
    const struct rlimit little = {256 << 20, 256 << 20};
    const pid_t child = fork();
    if (child == 0) {
        char *text;
        size_t size;
        const bool read = setrlimit(RLIMIT_AS, &little) == 0 &&
                          pby_file_read_table(&text, &size, path, NULL) == PBY_OK;
        _exit(read && size == 2 ? 0 : 1);
    }
    int how;
    cr_assert_eq(waitpid(child, &how, 0), child);
#ifndef PBY_SANITIZED /* which takes more than that for itself */
    cr_assert_eq(how, 0);
#endif
}

/* ---- one file or two -------------------------------------------------------------------------- */

Test(file, knows_a_file_by_any_name)
{
    pby_error err;
    pby_write_file(path, "x");
    cr_assert_eq(link(path, other), 0);
    cr_assert(pby_file_same(path, other));
    cr_assert_not(pby_file_same(path, "/nonexistent"));
    cr_assert_eq(pby_output_apart(other, path, "the ledger", &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "other': expected another file than the ledger"), "%s", err.text);
    cr_assert_eq(unlink(other), 0);
    cr_assert_eq(pby_output_apart(other, path, "the ledger", &err), PBY_OK);
    cr_assert_eq(symlink(path, other), 0);
    cr_assert_eq(pby_output_apart(other, path, "the ledger", &err), PBY_BAD);
    cr_assert_eq(pby_output_apart("/dev/null", "/dev/null", "the input", &err), PBY_OK);
}

/* ---- writing ---------------------------------------------------------------------------------- */

Test(file, needs_a_place_for_what_has_no_name)
{
    pby_error err;
    int fd = 0;
    cr_assert_eq(setenv("TMPDIR", other, 1), 0);
    cr_assert_eq(pby_file_nameless(&fd, &err), PBY_FAILED);
    cr_assert_str_eq(err.text, "a temporary file in $TMPDIR: No such file or directory");
    cr_assert_eq(fd, -1);
}

Test(file, without_a_name_is_its_owners_alone)
{
    int fd;
    struct stat now;
    cr_assert_eq(setenv("TMPDIR", folder, 1), 0);
    cr_assert_eq(pby_file_nameless(&fd, NULL), PBY_OK);
    cr_assert_eq(pby_folder_entries(folder), 0);
    cr_assert_eq(fstat(fd, &now), 0);
    cr_assert_eq(now.st_mode & 0777, 0600);
    cr_assert_eq(now.st_nlink, 0);
    close(fd);
}

enum { STREAM = 1 << 20 };

static uint8_t stream_byte(size_t i)
{
    return (uint8_t)(i * 2654435761u >> 11);
}

/* Reads slowly, so that the writer waits in the middle of a write; 0 if all bytes came. */
static int read_slowly(int fd)
{
    uint8_t got[20000];
    size_t at = 0;
    for (ssize_t n; (n = read(fd, got, sizeof got)) > 0; usleep(1000))
        for (ssize_t i = 0; i < n; i++)
            if (got[i] != stream_byte(at++))
                return 1;
    return at == STREAM ? 0 : 1;
}

static void wake(int number)
{
    (void)number;
}

/* Signals cut the writes short, or interrupt them before the first byte. */
Test(file, writes_that_are_cut_short_go_on)
{
    int ends[2], how;
    cr_assert_eq(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        _exit(read_slowly(ends[0]));
    }
    close(ends[0]);
    uint8_t *bytes = malloc(STREAM);
    for (size_t i = 0; i < STREAM; i++)
        bytes[i] = stream_byte(i);
    const struct sigaction action = {.sa_handler = wake};
    const struct itimerval often = {{0, 5000}, {0, 5000}}, never = {{0, 0}, {0, 0}};
    cr_assert_eq(sigaction(SIGALRM, &action, NULL), 0);
    cr_assert_eq(setitimer(ITIMER_REAL, &often, NULL), 0);
    const pby_status status = pby_file_write_all(ends[1], bytes, STREAM, "the pipe", NULL);
    cr_assert_eq(setitimer(ITIMER_REAL, &never, NULL), 0);
    cr_assert_eq(status, PBY_OK);
    close(ends[1]);
    free(bytes);
    cr_assert_eq(waitpid(pid, &how, 0), pid);
    cr_assert_eq(how, 0, "every byte came, in order");
}
