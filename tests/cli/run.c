/* SPDX-License-Identifier: MIT */
#include "tests/cli/run.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pby_run answer;

static int input_file(const char *input)
{
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    if (input != NULL)
        fputs(input, file);
    fflush(file);
    const int fd = dup(fileno(file));
    fclose(file);
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static size_t take(FILE *file, char *text, size_t size)
{
    rewind(file);
    const size_t n = fread(text, 1, size - 1, file);
    text[n] = '\0';
    fclose(file);
    return n;
}

static void become_command(int in, int out, int err, const char *const *arguments)
{
    const char *command = getenv("PROBITY");
    char *argv[PBY_ARGUMENTS_MAX + 2] = {NULL};
    argv[0] = strdup(command != NULL ? command : "build/probity");
    for (size_t i = 0; arguments[i] != NULL && i < PBY_ARGUMENTS_MAX; i++)
        argv[i + 1] = strdup(arguments[i]);
    dup2(in, 0);
    if (out >= 0)
        dup2(out, 1);
    else
        close(1);
    dup2(err, 2);
    execv(argv[0], argv);
    _exit(127);
}

static void run(int out, const char *input, const char *const *arguments)
{
    FILE *err = tmpfile();
    cr_assert_not_null(err);
    const int in = input_file(input);
    fflush(NULL);
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0)
        become_command(in, out, fileno(err), arguments);
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    close(in);
    answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    take(err, answer.err, sizeof answer.err);
    cr_assert_neq(answer.status, 127, "the command is not there; PROBITY says where it is");
}

const pby_run *pby_run_command(const char *input, const char *const *arguments)
{
    FILE *out = tmpfile();
    cr_assert_not_null(out);
    run(fileno(out), input, arguments);
    answer.out_size = take(out, answer.out, sizeof answer.out);
    return &answer;
}

const pby_run *pby_run_to(const char *path, const char *input, const char *const *arguments)
{
    const int out = path == NULL ? -1 : open(path, O_WRONLY);
    run(out, input, arguments);
    if (out >= 0)
        close(out);
    answer.out_size = 0;
    answer.out[0] = '\0';
    return &answer;
}

void pby_expect_refusal(int status, const char *text, const char *input, const char *const *arguments)
{
    const pby_run *r = pby_run_command(input, arguments);
    const char *newline = strchr(r->err, '\n');
    cr_assert_eq(r->status, status, "status %d, not %d: %s", r->status, status, r->err);
    cr_assert_eq(r->out_size, 0, "printed: %s", r->out);
    cr_assert_eq(strncmp(r->err, "probity: ", 9), 0, "said: %s", r->err);
    cr_assert(newline != NULL && newline[1] == '\0', "not one line: %s", r->err);
    cr_assert_not_null(strstr(r->err, text), "said: %s", r->err);
}

void pby_folder_make(char folder[PBY_PATH_SIZE])
{
    strcpy(folder, "/tmp/probity-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

void pby_folder_path(char path[PBY_PATH_SIZE], const char *folder, const char *name)
{
    cr_assert_lt(snprintf(path, PBY_PATH_SIZE, "%s/%s", folder, name), PBY_PATH_SIZE);
}

/* The files of a folder, each removed if asked; how many there were. */
static size_t walk(const char *folder, bool removing)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    cr_assert_not_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (removing)
            unlinkat(dirfd(dir), entry->d_name, 0);
    }
    closedir(dir);
    return count;
}

size_t pby_folder_entries(const char *folder)
{
    return walk(folder, false);
}

void pby_folder_remove(const char *folder)
{
    walk(folder, true);
    rmdir(folder);
}

void pby_write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    cr_assert_geq(fputs(text, file), 0);
    cr_assert_eq(fclose(file), 0);
}

bool pby_file_is(const char *path, const char *text)
{
    static char held[1 << 20];
    FILE *file = fopen(path, "r");
    return file != NULL && take(file, held, sizeof held) == strlen(text) && strcmp(held, text) == 0;
}
