/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/source.h"

static void reads(pby_csv_input *in, const char *text)
{
    char buffer[64];
    size_t got;
    cr_assert_eq(pby_csv_input_read(in, buffer, 3, &got, NULL), PBY_OK);
    cr_assert_eq(got, strlen(text) < 3 ? strlen(text) : 3);
    size_t rest;
    cr_assert_eq(pby_csv_input_read(in, buffer + got, sizeof buffer - got, &rest, NULL), PBY_OK);
    cr_assert_eq(got + rest, strlen(text));
    cr_assert_arr_eq(buffer, text, got + rest);
    cr_assert_eq(pby_csv_input_read(in, buffer, sizeof buffer, &rest, NULL), PBY_OK);
    cr_assert_eq(rest, 0, "the end stays the end");
}

static void reads_twice(pby_csv_input *in, const char *text)
{
    reads(in, text);
    pby_csv_input_rewind(in);
    reads(in, text);
    cr_assert(pby_csv_input_unchanged(in));
    pby_csv_input_free(in);
}

static int scratch_file(char *name, const char *text)
{
    const int fd = mkstemp(name);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    return fd;
}

Test(csv_input, memory_is_read_twice)
{
    pby_csv_input *in;
    cr_assert_eq(pby_csv_input_memory(&in, "input", "a,1\nb,2\n", 8, NULL), PBY_OK);
    reads_twice(in, "a,1\nb,2\n");
    cr_assert_eq(pby_csv_input_memory(&in, "input", NULL, 0, NULL), PBY_OK);
    reads_twice(in, "");
}

Test(csv_input, a_file_is_read_twice)
{
    char name[] = "/tmp/probity-input.XXXXXX";
    close(scratch_file(name, "a,1\nb,2\n"));
    pby_csv_input *in;
    cr_assert_eq(pby_csv_input_open(&in, name, NULL), PBY_OK);
    cr_assert_str_eq(pby_csv_input_name(in), name);
    reads_twice(in, "a,1\nb,2\n");
    unlink(name);
}

Test(csv_input, a_pipe_is_read_twice)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], "a,1\nb,2\n", 8), 8);
    close(ends[1]);
    cr_assert_geq(dup2(ends[0], STDIN_FILENO), 0);
    pby_csv_input *in;
    cr_assert_eq(pby_csv_input_open(&in, NULL, NULL), PBY_OK);
    cr_assert_str_eq(pby_csv_input_name(in), "standard input");
    reads_twice(in, "a,1\nb,2\n");
}

/* A stream of size bytes for standard input, each a letter. */
static pid_t lend_stream(size_t size)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        static char block[1 << 16];
        memset(block, 'x', sizeof block);
        close(ends[0]);
        for (ssize_t n; size > 0; size -= (size_t)n)
            if ((n = write(ends[1], block, size < sizeof block ? size : sizeof block)) < 0)
                _exit(1);
        _exit(0);
    }
    close(ends[1]);
    cr_assert_geq(dup2(ends[0], STDIN_FILENO), 0);
    close(ends[0]);
    return child;
}

static size_t read_to_end(pby_csv_input *in)
{
    static char block[1 << 18];
    size_t sum = 0, got = 1;
    for (; got > 0; sum += got) {
        cr_assert_eq(pby_csv_input_read(in, block, sizeof block, &got, NULL), PBY_OK);
        cr_assert(got == 0 || (block[0] == 'x' && block[got - 1] == 'x'));
    }
    return sum;
}

/* True if a stream can be read twice without a place for files. */
static bool fits_memory(size_t size)
{
    pby_csv_input *in;
    const pid_t child = lend_stream(size);
    cr_assert_eq(setenv("TMPDIR", "/dev/null", 1), 0);
    cr_assert_eq(pby_csv_input_open(&in, NULL, NULL), PBY_OK);
    static char block[1 << 18];
    pby_status status = PBY_OK;
    for (size_t got = 1; got > 0 && status == PBY_OK;)
        status = pby_csv_input_read(in, block, sizeof block, &got, NULL);
    pby_csv_input_rewind(in);
    const bool fits = status == PBY_OK && read_to_end(in) == size;
    pby_csv_input_free(in);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return fits;
}

Test(csv_input, a_stream_stays_in_memory_while_it_is_short)
{
    cr_assert(fits_memory(1));
    cr_assert(fits_memory(PBY_KEPT_MAX));
    cr_assert_not(fits_memory((size_t)PBY_KEPT_MAX + 1));
}

Test(csv_input, a_long_stream_is_kept_in_a_file)
{
    const size_t size = (size_t)PBY_KEPT_MAX + 12345;
    pby_csv_input *in;
    const pid_t child = lend_stream(size);
    cr_assert_eq(pby_csv_input_open(&in, NULL, NULL), PBY_OK);
    cr_assert_eq(read_to_end(in), size);
    pby_csv_input_rewind(in);
    cr_assert_eq(read_to_end(in), size);
    pby_csv_input_free(in);
    cr_assert_eq(waitpid(child, NULL, 0), child);
}

/* Read once, it needs neither memory nor a file. */
Test(csv_input, a_stream_that_is_read_once_is_not_kept)
{
    const size_t size = (size_t)PBY_KEPT_MAX + 12345;
    pby_csv_input *in;
    const pid_t child = lend_stream(size);
    cr_assert_eq(setenv("TMPDIR", "/dev/null", 1), 0);
    cr_assert_eq(pby_csv_input_open(&in, NULL, NULL), PBY_OK);
    pby_csv_input_once(in);
    cr_assert_eq(read_to_end(in), size);
    pby_csv_input_free(in);
    cr_assert_eq(waitpid(child, NULL, 0), child);
}

Test(csv_input, a_redirected_file_is_read_from_where_it_stands)
{
    char name[] = "/tmp/probity-input.XXXXXX";
    const int fd = scratch_file(name, "skip me\na,1\n");
    cr_assert_eq(lseek(fd, 8, SEEK_SET), 8);
    cr_assert_geq(dup2(fd, STDIN_FILENO), 0);
    pby_csv_input *in;
    cr_assert_eq(pby_csv_input_open(&in, NULL, NULL), PBY_OK);
    reads_twice(in, "a,1\n");
    close(fd);
    unlink(name);
}

static void read_at_places(const pby_csv_input *in, const char *text)
{
    char buffer[64];
    uint64_t size;
    size_t got;
    cr_assert(pby_csv_input_placed(in, &size));
    cr_assert_eq(size, strlen(text));
    for (size_t at = 0; at <= size + 1; at++)
        for (size_t wanted = 0; wanted <= size + 1; wanted++) {
            const size_t left = at > size ? 0 : size - at;
            cr_assert_eq(pby_csv_input_read_at(in, buffer, wanted, at, &got, NULL), PBY_OK);
            cr_assert_eq(got, wanted < left ? wanted : left);
            cr_assert_arr_eq(buffer, text + (at > size ? 0 : at), got);
        }
}

Test(csv_input, a_file_and_memory_are_read_at_any_place)
{
    char name[] = "/tmp/probity-source.XXXXXX";
    pby_csv_input *in;
    uint64_t size;
    const int fd = scratch_file(name, "0123456789");
    cr_assert_eq(pby_csv_input_open(&in, name, NULL), PBY_OK);
    read_at_places(in, "0123456789");
    reads(in, "0123456789");
    pby_csv_input_free(in);
    lseek(fd, 4, SEEK_SET);
    cr_assert_eq(pby_csv_input_descriptor(&in, "a part", fd, NULL), PBY_OK);
    read_at_places(in, "456789");
    pby_csv_input_free(in);
    cr_assert_eq(pby_csv_input_memory(&in, "memory", "abc", 3, NULL), PBY_OK);
    read_at_places(in, "abc");
    pby_csv_input_free(in);
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(pby_csv_input_descriptor(&in, "a pipe", ends[0], NULL), PBY_OK);
    cr_assert_not(pby_csv_input_placed(in, &size));
    pby_csv_input_free(in);
    close(ends[0]);
    close(ends[1]);
    close(fd);
    unlink(name);
}

Test(csv_input, a_file_that_changes_is_noticed)
{
    char name[] = "/tmp/probity-input.XXXXXX";
    const int fd = scratch_file(name, "a,1\n");
    pby_csv_input *in;
    cr_assert_eq(pby_csv_input_open(&in, name, NULL), PBY_OK);
    reads(in, "a,1\n");
    cr_assert(pby_csv_input_unchanged(in));
    const struct timespec times[2] = {{1, 0}, {1, 0}};
    cr_assert_eq(futimens(fd, times), 0);
    cr_assert_not(pby_csv_input_unchanged(in));
    pby_csv_input_free(in);
    close(fd);
    unlink(name);
}

Test(csv_input, refuses_what_cannot_be_read)
{
    pby_error err;
    pby_csv_input *in = (pby_csv_input *)&err;
    cr_assert_eq(pby_csv_input_open(&in, "/nonexistent/x.csv", &err), PBY_BAD);
    cr_assert_null(in);
    cr_assert_str_eq(
        err.text, "input '/nonexistent/x.csv': expected a file that can be read: No such file or directory");
    cr_assert_eq(pby_csv_input_open(&in, "/", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "input '/': expected a file that can be read: Is a directory");
    close(STDIN_FILENO);
    cr_assert_eq(pby_csv_input_open(&in, NULL, &err), PBY_BAD);
    cr_assert_null(in);
}

Test(csv_input, a_long_name_is_cut_and_stays_on_one_line)
{
    char name[200] = "/tmp/probity-";
    memset(name + 13, 'x', 150);
    memcpy(name + 163, "\n.XXXXXX", 9);
    close(scratch_file(name, ""));
    pby_csv_input *in;
    cr_assert_eq(pby_csv_input_open(&in, name, NULL), PBY_OK);
    const char *shown = pby_csv_input_name(in);
    cr_assert_eq(strlen(shown), 127);
    cr_assert_eq(strncmp(shown, "...x", 4), 0);
    cr_assert_null(strchr(shown, '\n'));
    cr_assert_str_eq(shown + 120, name + 164);
    pby_csv_input_free(in);
    unlink(name);
}
