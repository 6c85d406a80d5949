/* SPDX-License-Identifier: MIT */
/* The texts around the command agree with it: a man page for each subcommand and both shells' completions
 * name every subcommand, every option and every family. The command is asked, through the lists in its own
 * refusals. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/family.h"
#include "tests/cli/run.h"

enum { TEXT_SIZE = 1 << 16, NAMES_MAX = 64, NAME_SIZE = 32 };

struct names {
    char name[NAMES_MAX][NAME_SIZE];
    size_t count;
};

static const char *contents(const char *path)
{
    static char text[TEXT_SIZE];
    FILE *in = fopen(path, "r");
    cr_assert_not_null(in, "%s is not there", path);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

/* The list that stands behind `before` in a refusal, up to the end of the line. */
static struct names listed(const char *text, const char *before)
{
    struct names names = {.count = 0};
    const char *at = strstr(text, before);
    cr_assert_not_null(at, "%s", text);
    for (at += strlen(before); *at != '\0' && *at != '\n' && names.count < NAMES_MAX;
         at += strspn(at, ", ")) {
        const size_t n = strcspn(at, ", \n");
        cr_assert_lt(n, NAME_SIZE);
        memcpy(names.name[names.count++], at, n);
        at += n;
    }
    return names;
}

/* All but --help and --version, the last two. */
static struct names commands(void)
{
    struct names names = listed(PBY_RUN(NULL, "0")->err, "expected one of ");
    cr_assert_geq(names.count, 14);
    names.count -= 2;
    cr_assert_str_eq(names.name[names.count], "--help");
    return names;
}

static struct names options(const char *command)
{
    return listed(PBY_RUN(NULL, command, "--0000")->err, "an option such as ");
}

/* True if the word stands in the text with no letter, digit or hyphen beside it. */
static bool has_word(const char *text, const char *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || strchr(letters, at[-1]) == NULL) &&
            (at[strlen(word)] == '\0' || strchr(letters, at[strlen(word)]) == NULL))
            return true;
    return false;
}

/* True if an item of the page's lists is about it: the synopsis alone explains nothing. */
static bool has_item(const char *page, const char *flag)
{
    char line[256];
    for (const char *at = page; (at = strstr(at, "\n.It ")) != NULL; at++) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
        if (has_word(line, flag))
            return true;
    }
    return false;
}

Test(face, every_command_has_a_page_with_every_option)
{
    const struct names all = commands();
    for (size_t i = 0; i < all.count; i++) {
        char path[64], reference[64];
        snprintf(path, sizeof path, "docs/probity-%s.1", all.name[i]);
        snprintf(reference, sizeof reference, ".It Xr probity-%s 1\n", all.name[i]);
        cr_expect_not_null(strstr(contents("docs/probity.1"), reference), "%s is not in probity.1",
                           all.name[i]);
        const struct names known = options(all.name[i]);
        const char *page = contents(path);
        for (size_t j = 1; j < known.count; j++) { /* the first is --help */
            char flag[NAME_SIZE + 4];
            snprintf(flag, sizeof flag, "Fl %s", known.name[j] + 1);
            cr_expect(has_item(page, flag), "%s: %s is not in it", path, known.name[j]);
        }
    }
}

/* ---- completion ------------------------------------------------------------------------------- */

/* Returns the completions of a shell for the lines, one line each. */
static char *completed(const char *shell, const char *script, const char *lines)
{
    static char text[TEXT_SIZE];
    FILE *in = tmpfile();
    cr_assert_not_null(in);
    cr_assert_geq(fputs(lines, in), 0);
    rewind(in);
    char command[128];
    snprintf(command, sizeof command, "%s %s <&%d", shell, script, fileno(in));
    FILE *out = popen(command, "r");
    cr_assert_not_null(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    cr_assert_eq(pclose(out), 0, "%s failed", script);
    fclose(in);
    return text;
}

static size_t words(const char *line)
{
    size_t count = *line != '\0';
    for (; *line != '\0'; line++)
        count += *line == ' ';
    return count;
}

/* A hyphen behind a command completes to its options and to no other word. */
static void completes_options(const char *shell, const char *script)
{
    const struct names all = commands();
    char lines[NAMES_MAX * NAME_SIZE] = "";
    for (size_t i = 0; i < all.count; i++)
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "probity %s -\n", all.name[i]);
    char *rest = completed(shell, script, lines);
    for (size_t i = 0; i < all.count; i++) {
        const char *line = strsep(&rest, "\n");
        cr_assert_not_null(line);
        const struct names known = options(all.name[i]);
        for (size_t j = 0; j < known.count; j++)
            cr_expect(has_word(line, known.name[j]), "%s: no %s of %s", script, known.name[j], all.name[i]);
        cr_expect_eq(words(line), known.count, "%s: %s: %s", script, all.name[i], line);
    }
}

/* Every command, every family, every value that is one of a few names, and files where there are any. */
static void completes_words(const char *shell, const char *script)
{
    static const char lines[] =
        "probity loss \nprobity \nprobity help r\nprobity loss pure:eps=1 --neighbours \n"
        "probity loss pure:eps=1 --composition=\nprobity ledger \nprobity stat m\n"
        "probity loss zcdp:rho=1 --conversion zcdp\nprobity release gau\n"
        "probity release docs/probity-ve\nprobity audit --law gau\nprobity select st\n"
        "probity audit --features \n"
        "probity ledger spend some.ledger gau\nprobity ledger show docs/probity-ve\n";
    static const char *const expected[] = {"random release report",
                                           "add-remove local substitute",
                                           "advanced basic exact optimal",
                                           "export init show spend",
                                           "max max_k median min min_k mode",
                                           "zcdp-to-approx zcdp-to-approx-bs zcdp-to-approx-classical",
                                           "gauss:sigma2=",
                                           NULL,
                                           "gauss:sigma2=",
                                           "stlap",
                                           "bits order output score shape tail value",
                                           "gauss:sigma2=",
                                           NULL};
    char *rest = completed(shell, script, lines);
    const char *line = strsep(&rest, "\n");
    for (size_t i = 0; pby_families[i] != NULL; i++)
        cr_expect(has_word(line, pby_families[i]->name), "%s: no %s", script, pby_families[i]->name);
    line = strsep(&rest, "\n");
    const struct names all = commands();
    for (size_t i = 0; i < all.count; i++)
        cr_expect(has_word(line, all.name[i]), "%s: no %s", script, all.name[i]);
    cr_expect_eq(words(line), all.count + 3, "%s: %s", script, line); /* and help, --help, --version */
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        line = strsep(&rest, "\n");
        cr_assert_not_null(line);
        if (expected[i] != NULL)
            cr_expect_str_eq(line, expected[i], "%s", script);
        else
            cr_expect(has_word(line, "probity-verify"), "%s: %s", script, line);
    }
}

Test(face, bash_completes_all_of_it)
{
    completes_options("bash", "tests/cli/complete.bash");
    completes_words("bash", "tests/cli/complete.bash");
}

Test(face, zsh_completes_all_of_it)
{
    completes_options("zsh -f", "tests/cli/complete.zsh");
    completes_words("zsh -f", "tests/cli/complete.zsh");
}

/* ---- the manual ------------------------------------------------------------------------------- */

Test(face, the_manual_has_every_family_with_every_parameter)
{
    const char *page = contents("docs/probity.1");
    for (size_t i = 0; pby_families[i] != NULL; i++) {
        char start[NAME_SIZE + 8];
        snprintf(start, sizeof start, "Li %s:", pby_families[i]->name);
        cr_expect_not_null(strstr(page, start), "no %s", start);
        for (size_t j = 0; j < pby_family_parameters(pby_families[i]); j++) {
            char parameter[NAME_SIZE + 2];
            snprintf(parameter, sizeof parameter, "%s=", pby_families[i]->parameters[j].name);
            cr_expect_not_null(strstr(page, parameter), "%s: no %s", pby_families[i]->name, parameter);
        }
    }
}
