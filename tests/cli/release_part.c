/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE], in[PBY_PATH_SIZE], out[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(ledger, folder, "ledger");
    pby_folder_path(in, folder, "in.csv");
    pby_folder_path(out, folder, "out.csv");
    pby_write_file(in, "a,5\nb,9\n");
    cr_assert_eq(
        PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "0", "--parts", "region")
            ->status,
        0);
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(release_part, .init = setup, .fini = teardown);

static const pby_run *release_of(const char *spec, const char *part)
{
    return PBY_RUN(NULL, "release", spec, in, "--ledger", ledger, "--part", part, "--json", "-o", out);
}

static size_t entries(void)
{
    const pby_run *r = PBY_RUN(NULL, "ledger", "export", ledger, "--form", "csv");
    size_t lines = 0;
    cr_assert_eq(r->status, 0, "%s", r->err);
    for (const char *c = r->out; *c != '\0'; c++)
        lines += *c == '\n';
    return lines - 1;
}

/* Each part has the budget; what is about everybody counts for all of them. */
Test(release_part, each_part_has_the_budget)
{
    static const char *const parts[] = {"eu", "us", "o'us, \"x\" -- %s"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_assert_eq(release_of("geometric:eps=3/4", parts[i])->status, 0);
    cr_assert_eq(release_of("geometric:eps=3/4", "eu")->status, 1);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "spend", ledger, "geometric:eps=1/2", "--part", "us")->status, 1);
    cr_assert_eq(PBY_RUN(NULL, "release", "geometric:eps=3/4", in, "--ledger", ledger, "-o", out)->status, 1);
    cr_assert_eq(PBY_RUN(NULL, "release", "geometric:eps=1/4", in, "--ledger", ledger, "-o", out)->status, 0);
    cr_assert_eq(release_of("geometric:eps=1/8", "eu")->status, 1);
    cr_assert_eq(release_of("geometric:eps=3/4", "elsewhere")->status, 0);
    cr_assert_eq(entries(), 5);
}

/* The entry and the receipt state the part, as that of ledger spend does. */
Test(release_part, the_part_is_stated)
{
    const pby_run *r = release_of("geometric:eps=1/2", "eu west");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"part\": \"eu west\""), "%s", r->out);
    cr_assert_not_null(strstr(r->err, "charged for the part 'eu west' alone"), "%s", r->err);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "spend", ledger, "geometric:eps=1/2", "--part", "eu west")->status,
                 0);
    r = PBY_RUN(NULL, "ledger", "export", ledger, "--form", "csv");
    const char *first = strstr(r->out, ",geometric:eps=1/2,eu west,");
    cr_assert(first != NULL && strstr(first + 1, ",geometric:eps=1/2,eu west,") != NULL, "%s", r->out);
    r = PBY_RUN(NULL, "release", "geometric:eps=1/4", in, "--ledger", ledger, "--json", "-o", out);
    cr_assert_eq(r->status, 1, "%s", r->out);
}

Test(release_part, what_is_no_part)
{
    char other[PBY_PATH_SIZE];
    pby_folder_path(other, folder, "other");
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", other, "--epsilon", "1", "--delta", "0")->status, 0);
    PBY_REFUSED(2, "--part 'eu': expected --ledger beside it", NULL, "release", "geometric:eps=1", in,
                "--part", "eu");
    PBY_REFUSED(2, "--part 'eu': expected none: the ledger was made without parts", NULL, "release",
                "geometric:eps=1/2", in, "--ledger", other, "--part", "eu", "-o", out);
    PBY_REFUSED(2, "--part '': expected a name of 1 to 200 bytes that print", NULL, "release",
                "geometric:eps=1/2", in, "--ledger", ledger, "--part", "", "-o", out);
    PBY_REFUSED(2, "--part '", NULL, "release", "geometric:eps=1/2", in, "--ledger", ledger, "--part",
                "\302\2332J", "-o", out);
    PBY_REFUSED(2, "--part '", NULL, "release", "geometric:eps=1/2", in, "--ledger", ledger, "--part", "a\nb",
                "-o", out);
    cr_assert_eq(entries(), 0);
    cr_assert_neq(access(out, F_OK), 0);
}
