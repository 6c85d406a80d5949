/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/destination.h"
#include "io/spool.h"

typedef pby_status opener(pby_spool **out, const char *path, pby_error *err);

/* The two ways to a file. */
static opener *const ways[] = {pby_spool_open, pby_spool_open_named};

static char folder[] = "/tmp/probity-spool.XXXXXX";

static void enter(void)
{
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    umask(022);
}

static int entries(void)
{
    int n = 0;
    DIR *d = opendir(".");
    while (readdir(d) != NULL)
        n++;
    closedir(d);
    return n - 2;
}

static void leave(void)
{
    DIR *d = opendir(".");
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            remove(e->d_name);
    closedir(d);
    cr_assert_eq(rmdir(folder), 0);
}

TestSuite(spool, .init = enter, .fini = leave);

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    cr_assert_not_null(f);
    fputs(text, f);
    cr_assert_eq(fclose(f), 0);
}

static void holds(const char *path, const char *text)
{
    char buffer[256] = "";
    FILE *f = fopen(path, "r");
    cr_assert_not_null(f, "%s is there", path);
    buffer[fread(buffer, 1, sizeof buffer - 1, f)] = '\0';
    fclose(f);
    cr_assert_str_eq(buffer, text);
}

static pby_spool *opened(opener *open_spool, const char *path)
{
    pby_spool *spool;
    pby_error err;
    cr_assert_eq(open_spool(&spool, path, &err), PBY_OK, "%s", err.text);
    return spool;
}

static void write_text(pby_spool *spool, const char *text)
{
    cr_assert_eq(pby_spool_write(spool, text, strlen(text), NULL), PBY_OK);
}

static void refused(const char *path, const char *text)
{
    for (int way = 0; way < 2; way++) {
        pby_error err;
        pby_spool *spool = (pby_spool *)&err;
        const int before = entries();
        cr_assert_eq(ways[way](&spool, path, &err), PBY_BAD);
        cr_assert_null(spool);
        cr_assert_str_eq(err.text, text);
        cr_assert_eq(entries(), before);
    }
}

Test(spool, a_new_file_appears_at_commit)
{
    for (int way = 0; way < 2; way++) {
        pby_spool *spool = opened(ways[way], "new.csv");
        write_text(spool, "a,1\n");
        write_text(spool, "");
        write_text(spool, "b,2\n");
        cr_assert_neq(access("new.csv", F_OK), 0);
        cr_assert_eq(pby_spool_commit(spool, NULL), PBY_OK);
        holds("new.csv", "a,1\nb,2\n");
        cr_assert_eq(entries(), 1, "nothing else is left");
        unlink("new.csv");
    }
}

/* Not every file system has files without a name; where there are none, the output has one from the
 * beginning. */
static void need_nameless_files(void)
{
    const int fd = open(".", O_TMPFILE | O_RDWR, 0600);
    if (fd < 0)
        cr_skip_test("no files without a name here");
    close(fd);
}

Test(spool, before_the_commit_nothing_has_a_name)
{
    need_nameless_files();
    pby_spool *spool = opened(pby_spool_open, "new.csv");
    write_text(spool, "a");
    cr_assert_eq(entries(), 0);
    pby_spool_abort(spool);
}

Test(spool, an_abort_leaves_everything_as_it_was)
{
    put("old.csv", "old");
    for (int way = 0; way < 2; way++) {
        pby_spool *spool = opened(ways[way], "old.csv");
        write_text(spool, "new");
        pby_spool_abort(spool);
        holds("old.csv", "old");
        cr_assert_eq(entries(), 1);
    }
    pby_spool_abort(NULL);
}

Test(spool, replaces_a_file_and_keeps_its_permissions)
{
    for (int way = 0; way < 2; way++) {
        struct stat now;
        put("old.csv", "old and longer");
        cr_assert_eq(chmod("old.csv", 0640), 0);
        pby_spool *spool = opened(ways[way], "old.csv");
        write_text(spool, "new");
        holds("old.csv", "old and longer");
        cr_assert_eq(pby_spool_commit(spool, NULL), PBY_OK);
        holds("old.csv", "new");
        cr_assert_eq(stat("old.csv", &now), 0);
        cr_assert_eq(now.st_mode & 07777, 0640);
    }
}

Test(spool, a_new_file_obeys_the_umask)
{
    for (int way = 0; way < 2; way++) {
        struct stat now;
        umask(027);
        cr_assert_eq(pby_spool_commit(opened(ways[way], "new.csv"), NULL), PBY_OK);
        cr_assert_eq(stat("new.csv", &now), 0);
        cr_assert_eq(now.st_mode & 07777, 0640);
        cr_assert_eq(now.st_size, 0);
        unlink("new.csv");
    }
}

Test(spool, follows_a_link)
{
    put("real.csv", "old");
    cr_assert_eq(symlink("real.csv", "link.csv"), 0);
    pby_spool *spool = opened(pby_spool_open, "link.csv");
    write_text(spool, "new");
    cr_assert_eq(pby_spool_commit(spool, NULL), PBY_OK);
    struct stat now;
    cr_assert_eq(lstat("link.csv", &now), 0);
    cr_assert(S_ISLNK(now.st_mode));
    holds("real.csv", "new");
}

Test(spool, refuses_a_target_that_cannot_be)
{
    cr_assert_eq(mkdir("folder", 0777), 0);
    cr_assert_eq(symlink("nowhere", "link.csv"), 0);
    refused("folder", "output 'folder': expected a file, not a folder");
    refused("link.csv", "output 'link.csv': expected a file, not a link that leads nowhere");
    refused("none/x.csv",
            "output 'none/x.csv': expected a file that can be written: No such file or directory");
    refused("x.csv/", "output 'x.csv/': expected a file that can be written: No such file or directory");
    refused("", "output '': expected a file that can be written: No such file or directory");
    put("file", "");
    refused("file/x", "output 'file/x': expected a file that can be written: Not a directory");
}

/* More than the buffer holds, in pieces that do not divide it, and one piece larger than it. */
Test(spool, keeps_every_byte_of_a_long_output)
{
    enum { SIZE = 3000017 };
    uint8_t *bytes = malloc(SIZE), *again = malloc(SIZE + 1);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (uint8_t)(i * 2654435761u >> 13);
    pby_spool *spool = opened(pby_spool_open, "long");
    size_t at = 0;
    for (; at + 999 < SIZE / 3; at += 999)
        cr_assert_eq(pby_spool_write(spool, bytes + at, 999, NULL), PBY_OK);
    cr_assert_eq(pby_spool_write(spool, bytes + at, SIZE - 10 - at, NULL), PBY_OK);
    uint8_t *room;
    cr_assert_eq(pby_spool_reserve(spool, 500, &room, NULL), PBY_OK);
    memcpy(room, bytes + SIZE - 10, 10);
    pby_spool_advance(spool, 10);
    cr_assert_eq(pby_spool_commit(spool, NULL), PBY_OK);
    FILE *f = fopen("long", "r");
    cr_assert_eq(fread(again, 1, SIZE + 1, f), SIZE);
    cr_assert_arr_eq(again, bytes, SIZE);
    fclose(f);
    free(bytes);
    free(again);
}

/* Standard output is whatever descriptor 1 is; the tests lend it a file or a pipe. */
static pby_status to_standard_output(int fd, const char *text, pby_error *err)
{
    const int saved = dup(STDOUT_FILENO);
    cr_assert_geq(dup2(fd, STDOUT_FILENO), 0);
    pby_spool *spool = opened(pby_spool_open, NULL);
    write_text(spool, text);
    const pby_status status = pby_spool_commit(spool, err);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    return status;
}

Test(spool, copies_to_standard_output_at_commit)
{
    int ends[2];
    char got[16] = "";
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(to_standard_output(ends[1], "a,1\n", NULL), PBY_OK);
    close(ends[1]);
    cr_assert_eq(read(ends[0], got, sizeof got), 4);
    cr_assert_str_eq(got, "a,1\n");
    cr_assert_eq(read(ends[0], got, sizeof got), 0);
    close(ends[0]);
}

Test(spool, aborted_standard_output_stays_empty)
{
    put("out", "");
    const int fd = open("out", O_WRONLY), saved = dup(STDOUT_FILENO);
    cr_assert_geq(dup2(fd, STDOUT_FILENO), 0);
    pby_spool *spool = opened(pby_spool_open, NULL);
    char *long_text = calloc(1, 2000000);
    memset(long_text, 'x', 1999999);
    write_text(spool, long_text);
    pby_spool_abort(spool);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(fd);
    free(long_text);
    holds("out", "");
}

Test(spool, a_reader_that_went_away_is_a_failure)
{
    int ends[2];
    pby_error err;
    cr_assert_eq(pipe(ends), 0);
    close(ends[0]);
    signal(SIGPIPE, SIG_DFL);
    cr_assert_eq(to_standard_output(ends[1], "a,1\n", &err), PBY_FAILED);
    cr_assert_str_eq(err.text, "the output: Broken pipe");
    cr_assert_eq(signal(SIGPIPE, SIG_DFL), SIG_DFL, "the signal is back as it was");
    close(ends[1]);
}

Test(spool, a_full_device_is_a_failure)
{
    pby_error err;
    pby_spool *spool = opened(pby_spool_open, "/dev/full");
    write_text(spool, "a,1\n");
    cr_assert_eq(pby_spool_commit(spool, &err), PBY_FAILED);
    cr_assert_str_eq(err.text, "the output: No space left on device");
}

Test(spool, writes_to_a_device)
{
    pby_spool *spool = opened(pby_spool_open, "/dev/null");
    write_text(spool, "a,1\n");
    cr_assert_eq(pby_spool_commit(spool, NULL), PBY_OK);
    struct stat now;
    cr_assert_eq(stat("/dev/null", &now), 0);
    cr_assert(S_ISCHR(now.st_mode));
}

/* A limit on the size of files stands for a disk that fills up. */
Test(spool, a_disk_that_fills_up_leaves_the_old_file)
{
    signal(SIGXFSZ, SIG_IGN);
    put("old.csv", "old");
    char *bytes = calloc(1, 1 << 20);
    for (int way = 0; way < 2; way++) {
        pby_error err;
        pby_spool *spool = opened(ways[way], "old.csv");
        const struct rlimit limit = {1 << 16, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        pby_status status = pby_spool_write(spool, bytes, 1 << 17, &err);
        cr_assert_eq(status, PBY_OK, "it is still in the buffer");
        cr_assert_eq(pby_spool_commit(spool, &err), PBY_FAILED);
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
        cr_assert_str_eq(err.text, "the output: File too large");
        holds("old.csv", "old");
        cr_assert_eq(entries(), 1);
    }
    free(bytes);
}

Test(spool, a_killed_process_leaves_nothing)
{
    need_nameless_files();
    const pid_t pid = fork();
    if (pid == 0) {
        pby_spool *spool;
        if (pby_spool_open(&spool, "new.csv", NULL) == PBY_OK &&
            pby_spool_write(spool, "a", 1, NULL) == PBY_OK)
            kill(getpid(), SIGKILL);
        _exit(1);
    }
    int how;
    cr_assert_eq(waitpid(pid, &how, 0), pid);
    cr_assert(WIFSIGNALED(how));
    cr_assert_eq(entries(), 0);
}

Test(spool, needs_a_place_for_what_it_spools)
{
    pby_error err;
    cr_assert_eq(setenv("TMPDIR", "not_there", 1), 0);
    pby_spool *spool = (pby_spool *)&err;
    cr_assert_eq(pby_spool_open(&spool, NULL, &err), PBY_FAILED);
    cr_assert_str_eq(err.text, "a temporary file in $TMPDIR: No such file or directory");
    cr_assert_null(spool);
}

/* More than the buffer holds at first, in pieces of all sizes. */
Test(spool, in_memory)
{
    enum { N = 3000 };
    static uint8_t piece[N];
    pby_spool *s;
    size_t size, at = 0;
    cr_assert_eq(pby_spool_open_memory(&s, NULL), PBY_OK);
    for (size_t i = 0; i < N; i++) {
        memset(piece, (int)(i % 251), i);
        cr_assert_eq(pby_spool_write(s, piece, i, NULL), PBY_OK);
    }
    const uint8_t *bytes = pby_spool_bytes(s, &size);
    cr_assert_eq(size, (size_t)N * (N - 1) / 2);
    for (size_t i = 0; i < N; at += i++)
        cr_assert(i == 0 || (bytes[at] == i % 251 && bytes[at + i - 1] == i % 251), "%zu", i);
    pby_spool_abort(s);
}

/* A process that ends at once takes with it what has a name and is not whole, and leaves what is. */
Test(spool, a_sweep_takes_drafts_and_nothing_else)
{
    pby_spool *whole, *half, *third;
    cr_assert_eq(pby_spool_open_named(&whole, "whole", NULL), PBY_OK);
    cr_assert_eq(pby_spool_open_named(&half, "half", NULL), PBY_OK);
    cr_assert_eq(pby_spool_open_named(&third, "third", NULL), PBY_OK);
    cr_assert_eq(pby_spool_write(whole, "w", 1, NULL), PBY_OK);
    cr_assert_eq(pby_spool_commit(whole, NULL), PBY_OK);
    pby_spool_abort(third);
    cr_assert_eq(entries(), 2);
    pby_destination_sweep();
    cr_assert_eq(entries(), 1);
    holds("whole", "w");
    pby_spool_abort(half);
}
