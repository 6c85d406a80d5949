/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE], in[PBY_PATH_SIZE], table[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(ledger, folder, "ledger");
    pby_folder_path(in, folder, "in.csv");
    pby_folder_path(table, folder, "table.csv");
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "50", "--delta", "1/2")->status, 0);
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(release_charge, .init = setup, .fini = teardown);

static bool charged(void)
{
    const pby_run *r = PBY_RUN(NULL, "ledger", "export", ledger);
    cr_assert_eq(r->status, 0, "%s", r->err);
    return strstr(r->out, "\"number\"") != NULL;
}

#define RANGE     "range:eps=1,L=5"
#define STLAP     "stlap:eps=1,q=5"
#define GEOMETRIC "geometric:eps=1"
#define THRESHOLD "threshold:eps=1,T=200"
#define POINTS    "buckethist:eps=1,q=5,bound=10,width=1"
#define HUGE      "9223372036854775807"

/* A fault that the input alone decides is refused by its place, and nothing is charged. */
static void refused(const char *where, const char *input, const char *const *arguments)
{
    pby_write_file(in, input);
    pby_expect_refusal(2, where, NULL, arguments);
    cr_assert(!charged(), "%s", where);
}

#define REFUSED(where, input, ...) \
    refused(where, input, PBY_ARGUMENTS("release", __VA_ARGS__, in, "--ledger", ledger))

Test(release_charge, a_count_that_its_range_does_not_hold)
{
    REFUSED("in.csv: line 2, column 2: expected a whole number from 0 to 9223372036854775797",
            "b,1\na," HUGE "\n", RANGE);
    REFUSED("line 1, column 2", "a,9223372036854775798\n", RANGE);
    REFUSED("line 1, column 2", "a," HUGE "\n", RANGE, "--truncate", "9223372036854775798");
    pby_write_file(table, "a,g\nb,g\n");
    REFUSED("the bars of --group-by: line 1, column 2", "a,9223372036854775000\nb,800\n", RANGE, "--group-by",
            table);
    pby_write_file(table, "z\na\n");
    REFUSED("the bars of --filter: line 3, column 2", "k,n\na," HUGE "\n", RANGE, "--filter", table);
}

Test(release_charge, keys_that_are_one_number)
{
    REFUSED("in.csv: line 3, column 1: expected a number once; this is a duplicate", "k,n\n1,2\n1.0,3\n",
            STLAP, "--statistic", "max");
    REFUSED("line 2, column 1", "1,2\n2/2,3\n", GEOMETRIC, "--statistic", "mode");
    pby_write_file(table, "a,0.5\nb,1/2\n");
    REFUSED("the bars of --group-by: line 2, column 1", "a,3\n", STLAP, "--statistic", "support",
            "--group-by", table);
}

/* A statistic that stat would refuse of a release, release --statistic refuses before it: points have no
 * order. */
Test(release_charge, keys_that_are_points)
{
    REFUSED("statistic 'max': expected support or mode: points of several coordinates have no order",
            "1 2,9\n3 0,9\n", STLAP, "--statistic", "max");
    REFUSED("statistic 'median'", "1 2,9\n3 0,9\n", GEOMETRIC, "--statistic", "median");
    REFUSED("in.csv: line 1, column 1: expected a number of at most 4096 digits", "1e99999,9\n2,9\n", STLAP,
            "--statistic", "max");
}

Test(release_charge, counts_that_cannot_be_added_up)
{
    static const char *const specs[] = {STLAP, GEOMETRIC, THRESHOLD, THRESHOLD " " GEOMETRIC};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        REFUSED("in.csv: line 2, column 2: expected counts that add up to at most 4611686018427387904",
                "1,4611686018427387904\n2,1\n", specs[i], "--statistic", "median");
        REFUSED("line 1, column 2", "1," HUGE "\n", specs[i], "--statistic", "max");
    }
}

Test(release_charge, bad_points)
{
    REFUSED("in.csv: line 1, column 1: expected a number", "nan\n1\n", POINTS);
    REFUSED("line 1, column 1", "inf\n1\n", POINTS);
    REFUSED("line 1, column 1", "N/A\n1\n", POINTS);
    REFUSED("line 1, column 2", "x,y\n1\n", POINTS);
    REFUSED("line 1, column 2", "x\n1,1\n", POINTS ",dimension=2");
    REFUSED("line 1, column 1", "nan,y\n1,1\n", POINTS ",dimension=2");
    REFUSED("line 1, column 1", "x,1\n1,1\n", POINTS ",dimension=2");
    REFUSED("line 2, column 1", "x\nx\n", POINTS);
    REFUSED("of at most 4096 digits and with an exponent of at most 10000", "1e20000\n",
            POINTS ",outside=clamp");
    REFUSED("line 1, column 1", "\"5\n", POINTS);
}

static void taken(const char *output, const char *input, const char *const *arguments)
{
    pby_write_file(in, input);
    const pby_run *r = pby_run_command(NULL, arguments);
    cr_assert_eq(r->status, 0, "%s", r->err);
    if (output != NULL)
        cr_assert_str_eq(r->out, output);
    cr_assert(charged());
}

#define TAKEN(output, input, ...) \
    taken(output, input, PBY_ARGUMENTS("release", __VA_ARGS__, in, "--ledger", ledger))

/* The greatest input that is taken, with and without a limit. The noise passes by 200 with a chance below
 * 1e-80. */
Test(release_charge, what_is_just_taken)
{
    TAKEN(NULL, "a,9223372036854775797\n", RANGE);
    TAKEN(NULL, "a," HUGE "\n", RANGE, "--truncate", "9223372036854775797");
    TAKEN("2\n", "1,1\n2,4611686018427387903\n", GEOMETRIC, "--statistic", "median");
    TAKEN("2\n", "1," HUGE "\n2," HUGE "\n", STLAP, "--truncate", "1000", "--statistic", "max");
}

/* Which keys there are is hidden by a threshold, so that none of them may decide a refusal: two that are one
 * number are two bars in one place. */
Test(release_charge, hidden_keys_refuse_nothing)
{
    TAKEN("1.0\n", "1,9000\n1.0,9000\n", THRESHOLD, "--statistic", "max");
    TAKEN("1\n", "1.0,9000\n1,9000\n", THRESHOLD, "--statistic", "min");
    TAKEN("0\n", "1.0,9000\n1,9000\nname,1\n", THRESHOLD, "--statistic", "range");
    TAKEN("1\n", "1.0,1\n1,9000\n", THRESHOLD " " GEOMETRIC, "--statistic", "support");
}

/* Where keys are hidden, only those that pass may decide a refusal: this one is paid for. */
Test(release_charge, points_that_pass_a_threshold)
{
    pby_write_file(in, "1 2,9000\n3 0,9000\nname,1\n");
    const pby_run *r = PBY_RUN(NULL, "release", THRESHOLD, in, "--ledger", ledger, "--statistic", "max");
    cr_assert_eq(r->status, 2);
    cr_assert_not_null(strstr(r->err, "points of several coordinates have no order"), "%s", r->err);
    cr_assert(charged());
    TAKEN("1 2\n3 0\n", "1 2,9000\n3 0,9000\nname,1\n", THRESHOLD, "--statistic", "support");
}

Test(release_charge, headers_and_marks_of_points)
{
    cr_assert_str_eq(
        PBY_RUN("\"3\",\"5.5\"\n", "release", "buckethist:eps=1,q=1/4,bound=10,width=1,dimension=2")->out,
        "centre,count\n3.5 5.5,1\n");
    const pby_run *r = PBY_RUN("\xef\xbb\xbf"
                               "3\r\n",
                               "release", "buckethist:eps=1,q=1/4,bound=10,width=1");
    cr_assert_str_eq(r->out, "centre,count\n3.5,1\n", "with this q there is no noise");
    TAKEN("centre,count\n", "\xef\xbb\xbf", POINTS);
    TAKEN("centre,count\n", "\xef\xbb\xbf\"the x\"\n", POINTS);
    TAKEN("centre,count\n", "x1,_y\n", POINTS ",dimension=2");
}

/* Very many buckets are released by those that hold a point; a timing-safe release would have to draw for
 * all. */
Test(release_charge, very_many_buckets)
{
    static const char spec[] = "buckethist:eps=1,q=1/4,bound=4,width=2,dimension=60";
    static char point[512] = "1";
    for (int i = 1; i < 60; i++)
        strcat(point, ",3");
    strcat(point, "\n");
    REFUSED("at most 16777216 buckets with --timing-safe", point,
            "buckethist:eps=1,q=5,bound=4,width=2,dimension=60", "--timing-safe");
    const pby_run *r = PBY_RUN(point, "release", spec);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(strncmp(r->out, "centre,count\n1 3 3 3", 20), 0, "%s", r->out);
    cr_assert_str_eq(r->out + r->out_size - 7, " 3 3,1\n");
}

/* The charge of a substitute ledger or certificate must span what a changed record moves. */
Test(release_charge, substitute_neighbours_are_two_apart)
{
    static const char in_text[] = "a,900\nb,800\n";
    char budget[PBY_PATH_SIZE], one[PBY_PATH_SIZE], two[PBY_PATH_SIZE];
    pby_folder_path(budget, folder, "substitute");
    pby_folder_path(one, folder, "one.json");
    pby_folder_path(two, folder, "two.json");
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", budget, "--epsilon", "5", "--delta", "0", "--neighbours",
                         "substitute")
                     ->status,
                 0);
    PBY_REFUSED(2, "SPEC 'geometric:eps=1': expected sensitivity=2: with substitute neighbours", in_text,
                "release", "geometric:eps=1", "--ledger", budget);
    cr_assert_null(strstr(PBY_RUN(NULL, "ledger", "export", budget)->out, "\"number\""));
    cr_assert_eq(PBY_RUN(in_text, "release", "geometric:eps=1,sensitivity=2", "--ledger", budget)->status, 0);
    cr_assert_eq(PBY_RUN(in_text, "release", "geometric:eps=1")->status, 0);
    cr_assert_eq(
        PBY_RUN(NULL, "certify", "geometric:eps=1", "--epsilon", "1", "--neighbours", "substitute", "-o", one)
            ->status,
        0);
    cr_assert_eq(PBY_RUN(NULL, "certify", "geometric:eps=1,sensitivity=2", "--epsilon", "1", "--neighbours",
                         "substitute", "-o", two)
                     ->status,
                 0);
    PBY_REFUSED(2, "a changed record moves a histogram by 2", in_text, "release", one);
    cr_assert_eq(PBY_RUN(in_text, "release", two)->status, 0);
}

/* SQLite takes these names for its own, and deletes what it finds there. */
Test(release_charge, the_names_beside_a_ledger_are_its_own)
{
    static const char *const endings[] = {"ledger-journal", "ledger-wal", "ledger-shm"};
    char beside[PBY_PATH_SIZE];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        pby_folder_path(beside, folder, endings[i]);
        REFUSED("another name: what is so called beside a ledger belongs to it", "a,1\n", GEOMETRIC, "-o",
                beside);
        pby_write_file(beside, "a,1\n");
        PBY_REFUSED(2, "another name", NULL, "release", GEOMETRIC, beside, "--ledger", ledger);
        cr_assert(pby_file_is(beside, "a,1\n"));
        cr_assert_eq(unlink(beside), 0);
    }
    pby_folder_path(beside, folder, "ledger-journals");
    cr_assert_eq(PBY_RUN(NULL, "release", GEOMETRIC, in, "--ledger", ledger, "-o", beside)->status, 0);
}

/* The ledger refuses before the data are read: neighbouring sizes hear the same, and so does an empty
 * file. */
Test(release_charge, the_budget_is_asked_before_the_data_are_read)
{
    static const char *const inputs[] = {"a,20\nb,10\n", "a,20\nb,11\n", ""};
    pby_write_file(in, inputs[0]);
    cr_assert_eq(PBY_RUN(NULL, "release", "stlap:eps=1,tau=1/10,n=30,bars=2", in, "--ledger", ledger)->status,
                 0);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        pby_write_file(in, inputs[i]);
        PBY_REFUSED(2, "expected one n", NULL, "release", "stlap:eps=1,tau=1/10,n=31,bars=2", in, "--ledger",
                    ledger);
        PBY_REFUSED(1, "overspend", NULL, "release", "stlap:eps=60,q=1", in, "--ledger", ledger);
    }
}
