/* SPDX-License-Identifier: MIT */
/* The transcripts of the cookbook and of the README, run again.
 *
 * In a block that begins with ```console a line "$ COMMAND" is run by /bin/sh, in a folder that one
 * document's commands share and in which counts.csv is tests/vectors/example.csv and docs the folder of
 * documents; the lines behind it are what it must print: standard output, then standard error, then [exit
 * status N] unless that is 0. In them
 * <...> stands for any text within a line: what is drawn anew every time. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/run.h"

enum { COMMAND_SIZE = 1 << 12, TEXT_SIZE = 1 << 16 };

#define ANY "<...>"

struct transcript {
    const char *document;
    char folder[PBY_PATH_SIZE];
    char command[COMMAND_SIZE], promised[TEXT_SIZE], printed[TEXT_SIZE];
    int line;     /* of the command */
    int commands; /* how many were run */
    bool rows;    /* run the commands in tables too */
};

/* True if text is what the pattern says; ANY does not reach beyond a line. */
static bool matches(const char *pattern, const char *text)
{
    while (*pattern != '\0' && strncmp(pattern, ANY, strlen(ANY)) != 0)
        if (*pattern++ != *text++)
            return false;
    if (*pattern == '\0')
        return *text == '\0';
    for (pattern += strlen(ANY);; text++) {
        if (matches(pattern, text))
            return true;
        if (*text == '\0' || *text == '\n')
            return false;
    }
}

Test(cookbook, a_pattern_is_as_strict_as_it_looks)
{
    cr_assert(matches("a\nb\n", "a\nb\n"));
    cr_assert_not(matches("a\nb\n", "a\nb\nc\n"));
    cr_assert_not(matches("a\nb\nc\n", "a\nb\n"));
    cr_assert(matches("a,<...>\nb,<...>\n", "a,17\nb,\n"));
    cr_assert_not(matches("a,<...>\n", "a,17\nb\n"));
    cr_assert_not(matches("a,<...>x\n", "a,17\n"));
}

static void append_file(struct transcript *t, const char *name)
{
    char path[PBY_PATH_SIZE];
    pby_folder_path(path, t->folder, name);
    FILE *in = fopen(path, "r");
    cr_assert_not_null(in);
    const size_t at = strlen(t->printed), n = fread(t->printed + at, 1, TEXT_SIZE - at - 1, in);
    t->printed[at + n] = '\0';
    fclose(in);
    cr_assert_eq(unlink(path), 0);
}

static void run_command(struct transcript *t)
{
    char script[COMMAND_SIZE + 3 * PBY_PATH_SIZE];
    snprintf(script, sizeof script, "cd %s && PATH=%s:$PATH && { %s\n} > .out 2> .err", t->folder, t->folder,
             t->command);
    const int status = system(script);
    t->printed[0] = '\0';
    append_file(t, ".out");
    append_file(t, ".err");
    if (WEXITSTATUS(status) != 0)
        sprintf(t->printed + strlen(t->printed), "[exit status %d]\n", WEXITSTATUS(status));
}

/* Runs the command that was read, if there is one. */
static void settle(struct transcript *t)
{
    if (t->command[0] == '\0')
        return;
    run_command(t);
    cr_expect(matches(t->promised, t->printed), "%s:%d: $ %s\nprints:\n%s\nand not:\n%s", t->document,
              t->line, t->command, t->printed, t->promised);
    t->commands++;
    t->command[0] = t->promised[0] = '\0';
}

/* A row of a table of the papers: each command between backquotes in its third column, without the word
 * probity, ends with status 0. What it prints is not promised. */
static void run_row(struct transcript *t, const char *line, int number)
{
    const char *cell = line;
    for (int column = 0; column < 3 && cell != NULL; column++)
        cell = strchr(cell + (column > 0), '|');
    const char *end = cell == NULL ? NULL : strchr(cell + 1, '|');
    for (const char *from = cell; end != NULL && (from = strchr(from, '`')) != NULL && from < end;) {
        const int size = (int)strcspn(from + 1, "`");
        t->line = number;
        if (memchr(from + 1, ' ', (size_t)size) != NULL) { /* a word alone is the name of a line */
            snprintf(t->command, COMMAND_SIZE, "probity %.*s > out 2> err", size, from + 1);
            snprintf(t->promised, TEXT_SIZE, "%s", "");
            settle(t);
        }
        from += size + 2;
    }
}

static void read_line(struct transcript *t, const char *line, bool *inside, int number)
{
    if (strncmp(line, "```", 3) == 0) {
        settle(t);
        *inside = strcmp(line, "```console\n") == 0;
    } else if (*inside && strncmp(line, "$ ", 2) == 0) {
        settle(t);
        t->line = number;
        snprintf(t->command, COMMAND_SIZE, "%.*s", (int)strcspn(line + 2, "\n"), line + 2);
    } else if (*inside) {
        cr_assert_lt(strlen(t->promised) + strlen(line), TEXT_SIZE);
        strcat(t->promised, line);
    } else if (t->rows && line[0] == '|') {
        run_row(t, line, number);
    }
}

static void make_kitchen(struct transcript *t)
{
    char path[PBY_PATH_SIZE], real[PATH_MAX];
    const char *command = getenv("PROBITY");
    pby_folder_make(t->folder);
    cr_assert_not_null(realpath(command != NULL ? command : "build/probity", real));
    pby_folder_path(path, t->folder, "probity");
    cr_assert_eq(symlink(real, path), 0);
    cr_assert_not_null(realpath("tests/vectors/example.csv", real));
    pby_folder_path(path, t->folder, "counts.csv");
    cr_assert_eq(symlink(real, path), 0);
    cr_assert_not_null(realpath("docs", real));
    pby_folder_path(path, t->folder, "docs");
    cr_assert_eq(symlink(real, path), 0);
}

static int cook_rows(const char *document, bool rows)
{
    static struct transcript t;
    static char line[COMMAND_SIZE];
    FILE *in = fopen(document, "r");
    cr_assert_not_null(in, "%s", document);
    t = (struct transcript){.document = document, .rows = rows};
    make_kitchen(&t);
    bool inside = false;
    for (int number = 1; fgets(line, sizeof line, in) != NULL; number++)
        read_line(&t, line, &inside, number);
    cr_assert_not(inside, "%s: a block without an end", document);
    fclose(in);
    pby_folder_remove(t.folder);
    return t.commands;
}

static int cook(const char *document)
{
    return cook_rows(document, false);
}

static int count_lines(const char *document, const char *beginning)
{
    static char line[COMMAND_SIZE];
    int count = 0;
    FILE *in = fopen(document, "r");
    cr_assert_not_null(in);
    while (fgets(line, sizeof line, in) != NULL)
        count += strncmp(line, beginning, strlen(beginning)) == 0;
    fclose(in);
    return count;
}

Test(cookbook, every_recipe_cooks)
{
    cr_expect_eq(count_lines("docs/cookbook.md", "## "), 18, "eighteen tasks");
    const int commands = cook("docs/cookbook.md");
    cr_expect_eq(commands, count_lines("docs/cookbook.md", "$ "));
    cr_expect_geq(commands, 20);
}

Test(cookbook, the_reconstruction_is_true)
{
    cr_expect_geq(cook("docs/reconstruction.md"), 8);
}

/* A first digit that the page promises of a random number is another with a chance below 1e-12: the share of
 * smokers is 7 standard errors from it, and noise of totals falls as fast as exp(-x). */
Test(cookbook, the_survey_is_taken)
{
    const int commands = cook("docs/survey.md");
    cr_expect_eq(commands, count_lines("docs/survey.md", "$ "));
    cr_expect_geq(commands, 15);
}

Test(cookbook, every_system_of_the_papers_runs)
{
    cr_expect_geq(cook_rows("docs/papers.md", true), 90);
}

Test(cookbook, the_readme_is_true)
{
    cr_expect_geq(cook("README.md"), 4);
}
