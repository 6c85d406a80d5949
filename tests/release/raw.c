/* SPDX-License-Identifier: MIT */
/* Raw records released: by the library and by the command. At eps=40 a unit of sensitivity, noise is 0 but
 * for a chance below 1e-17. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "tests/cli/run.h"

static pby_error err;
static char folder[PBY_PATH_SIZE], data[PBY_PATH_SIZE], list[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE];

/* Four users; ann has four records, all of them in the north. */
static const char records[] = "customer,shop,amount\n"
                              "ann,north,1\nann,north,2\nbob,south,3\nann,north,4\n"
                              "ann,north,5\ncid,south,6\ndan,west,7\n";

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(data, folder, "records.csv");
    pby_folder_path(list, folder, "shops.txt");
    pby_folder_path(ledger, folder, "ledger");
    pby_write_file(data, records);
    pby_write_file(list, "east\nsouth\nnorth\n");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(release_raw, .init = setup, .fini = teardown);

#define RELEASE(spec, ...) "release", spec, data, "--quiet", "--by", __VA_ARGS__
#define USERS              "--user", "customer", "--contributions", "3"

static void gives(const char *out, const char *const *arguments)
{
    const pby_run *run = pby_run_command(NULL, arguments);
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->out, out);
}

Test(release_raw, counts_of_bounded_records_are_released)
{
    gives("shop,count\neast,0\nsouth,2\nnorth,3\n",
          PBY_ARGUMENTS(RELEASE("geometric:eps=120,sensitivity=3", "shop", USERS, "--filter", list)));
    gives("shop,count\neast,0\nsouth,2\nnorth,4\n",
          PBY_ARGUMENTS(RELEASE("geometric:eps=40", "shop", "--filter", list)));
    gives("key,count\nnorth,3\nsouth,2\n",
          PBY_ARGUMENTS(RELEASE("threshold:eps=120,T=2,sensitivity=3", "shop", USERS)));
    gives("amount,count\n0,3\n4,4\n",
          PBY_ARGUMENTS(RELEASE("dgauss:sigma2=1/1000,sensitivity=4", "amount:0:8:4", "--user", "customer",
                                "--contributions", "4")));
}

/* Refuses a mechanism that tells which groups occur, takes a user to move less, or is not about counts. */
Test(release_raw, what_would_not_protect_a_user_is_refused)
{
    PBY_REFUSED(2, "sensitivity=3 or more", NULL,
                RELEASE("geometric:eps=1,sensitivity=2", "shop", USERS, "--filter", list));
    PBY_REFUSED(2, "one record of a user: it has no sensitivity", NULL,
                RELEASE("stlap:eps=1,q=9", "shop", USERS, "--filter", list));
    PBY_REFUSED(2, "dimensions=3 or more", NULL,
                RELEASE("range:eps=1,L=9,sensitivity=3,dimensions=2", "shop", USERS, "--filter", list));
    PBY_REFUSED(2, "--filter: expected a public list of the groups", NULL,
                RELEASE("geometric:eps=1,sensitivity=3", "shop", USERS));
    PBY_REFUSED(2, "--filter: expected a public list of the groups", NULL,
                RELEASE("range:eps=1,L=9,sensitivity=3", "shop", USERS));
    PBY_REFUSED(2, "--by: expected a mechanism that reads counts", NULL, RELEASE("rr:eps=1", "shop", USERS));
    PBY_REFUSED(2, "--contributions '3': expected --by beside it", NULL, "release", "geometric:eps=1", data,
                USERS);
    PBY_REFUSED(2, "--keys 'shop': expected none of raw records", NULL,
                RELEASE("geometric:eps=1", "shop", "--keys", "shop", "--filter", list));
    PBY_REFUSED(2, "a public table, not the data themselves", NULL,
                RELEASE("geometric:eps=1", "shop", "--filter", data));
}

/* Substitute neighbours change all records of a user: the old ones go and new ones come. */
Test(release_raw, substitute_neighbours_are_twice_as_far)
{
    char certificate[PBY_PATH_SIZE];
    pby_folder_path(certificate, folder, "c.json");
    for (size_t i = 0; i < 2; i++) {
        const pby_run *run = PBY_RUN(
            NULL, "certify", i == 0 ? "geometric:eps=1,sensitivity=5" : "geometric:eps=1,sensitivity=6",
            "--epsilon", "1", "--neighbours", "substitute", "--user", "customer", "-o", certificate);
        cr_assert_eq(run->status, 0, "%s", run->err);
        if (i == 0)
            PBY_REFUSED(2, "sensitivity=6 or more", NULL,
                        RELEASE(certificate, "shop", USERS, "--filter", list));
        else
            cr_assert_eq(PBY_RUN(NULL, RELEASE(certificate, "shop", USERS, "--filter", list))->status, 0);
    }
}

/* Nothing is charged when the unit is another one. */
Test(release_raw, units_are_not_mixed)
{
    char certificate[PBY_PATH_SIZE], counts[PBY_PATH_SIZE];
    pby_folder_path(certificate, folder, "c.json");
    pby_folder_path(counts, folder, "counts.csv");
    pby_write_file(counts, "north,4\nsouth,2\n");
    const char *spec = "geometric:eps=1,sensitivity=3";
    cr_assert_eq(
        PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "4", "--delta", "0", "--user", "customer")
            ->status,
        0);
    PBY_REFUSED(2, "--ledger: its unit of privacy is a user by 'customer': expected a record", NULL,
                "release", spec, counts, "--ledger", ledger);
    PBY_REFUSED(2, "--ledger: its unit of privacy is a user by 'customer': expected a record", NULL,
                RELEASE(spec, "shop", "--filter", list, "--ledger", ledger));
    PBY_REFUSED(2, "expected a user by 'shop'", NULL,
                RELEASE(spec, "shop", "--user", "shop", "--contributions", "3", "--filter", list, "--ledger",
                        ledger));
    PBY_REFUSED(2, "expected a record", NULL, "ledger", "spend", ledger, spec);
    PBY_REFUSED(2, "--user 'shop': expected it with ledger init or spend", NULL, "ledger", "show", ledger,
                "--user", "shop");
    PBY_REFUSED(2, "--rows 'overlapping=2': expected disjoint beside --user", NULL, "ledger", "init", "x",
                "--epsilon", "1", "--delta", "0", "--user", "u", "--rows", "overlapping=2");
    const pby_run *run = PBY_RUN(NULL, "certify", spec, "--epsilon", "1", "-o", certificate);
    cr_assert_eq(run->status, 0);
    PBY_REFUSED(2, "certificate: its unit of privacy is a record: expected a user by 'customer'", NULL,
                RELEASE(certificate, "shop", USERS, "--filter", list));

    run = PBY_RUN(NULL, RELEASE(spec, "shop", USERS, "--filter", list, "--ledger", ledger, "--json"));
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert(strstr(run->out, "\"user\": \"customer\", \"contributions\": 3, \"filter\": {\"file\"") != NULL,
              "%s", run->out);
    /* a histogram whose records its owner has bounded */
    cr_assert_eq(
        PBY_RUN(NULL, "release", spec, counts, "--quiet", "--user", "customer", "--ledger", ledger)->status,
        0);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "spend", ledger, spec, "--user", "customer")->status, 0);
    run = PBY_RUN(NULL, "ledger", "show", ledger);
    cr_assert(strstr(run->out, "user by customer") != NULL, "%s", run->out);
    cr_assert(strstr(run->out, "     3  ") != NULL && strstr(run->out, "     4  ") == NULL, "%s", run->out);
}

/* A user with too many records, and a number out of bounds, are answered as any other: neither the status nor
 * what is said tells neighbours apart. */
Test(release_raw, neighbours_are_answered_alike)
{
    char other[PBY_PATH_SIZE], said[2][1 << 12];
    pby_folder_path(other, folder, "other.csv");
    const char *const neighbours[] = {"customer,shop,amount\nbob,south,3\n",
                                      "customer,shop,amount\nbob,south,3\nann,x,-9\nann,y,9e99\nann,x,1\n"
                                      "ann,z,1\nann,q,1\n"};
    for (size_t i = 0; i < 2; i++) {
        pby_write_file(other, neighbours[i]);
        const pby_run *run =
            PBY_RUN(NULL, "release", "geometric:eps=1,sensitivity=3", other, "--by", "amount:0:10:5", USERS);
        cr_assert_eq(run->status, 0);
        strcpy(said[i], run->err);
        run = PBY_RUN(NULL, "release", "threshold:eps=1,T=300,sensitivity=3", other, "--by", "shop", USERS);
        cr_assert_eq(run->status, 0);
        cr_assert_str_eq(run->out, "key,count\n");
    }
    cr_assert_str_eq(said[0], said[1]);
}

/* ---- the library ---------------------------------------------------------------------------------- */

static pby_status part(void *what, void *buffer, size_t size, size_t *got, pby_error *e)
{
    const char **at = what;
    (void)e;
    *got = strnlen(*at, size < 5 ? size : 5);
    memcpy(buffer, *at, *got);
    *at += *got;
    return PBY_OK;
}

Test(release_raw, a_program_releases_records)
{
    const char *at = records, *keys[] = {"north", "south", "east"};
    const pby_map map = {.keys = keys, .count = 3};
    const pby_records_options o = {.by = "shop", .user = "customer", .contributions = 3, .map = &map};
    pby_permission *permission;
    pby_table *table, *out;
    char *text;
    const pby_permission_options from = {.spec = "geometric:eps=120,sensitivity=3"};
    cr_assert_eq(pby_permission_open(&permission, &from, &err), PBY_OK);
    cr_assert_eq(pby_table_records_callback(&table, part, &at, &o, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_table_user(table), "customer");
    cr_assert_eq(pby_table_contributions(table), 3);
    cr_assert_eq(at, records, "nothing is read yet");
    for (size_t i = 0; i < 2; i++) { /* twice: they are bounded once */
        cr_assert_eq(pby_release_table(&out, permission, table, NULL, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_table_write_memory(&text, NULL, out, PBY_FORMAT_CSV, &err), PBY_OK);
        cr_assert_str_eq(text, "shop,count\nnorth,3\nsouth,2\neast,0\n");
        free(text);
        pby_table_free(out);
    }
    cr_assert_eq(pby_release_table(&out, permission, table, &(pby_release_options){.user = "shop"}, &err),
                 PBY_BAD);
    pby_table_free(table);

    /* what a map makes of records has their unit */
    const pby_map west = {.keys = (const char *const[]){"west"}, .count = 1};
    cr_assert_eq(
        pby_table_records(&table, data,
                          &(pby_records_options){.by = "shop", .user = "customer", .contributions = 4}, &err),
        PBY_OK);
    cr_assert_eq(pby_release_table(&out, permission, table, NULL, &err), PBY_BAD);
    cr_assert_eq(pby_table_map(&out, table, &west, &err), PBY_OK, "%s", err.text);
    pby_table_free(table);
    cr_assert_eq(pby_table_contributions(out), 4);
    cr_assert_eq(pby_release_table(&table, permission, out, NULL, &err), PBY_BAD);
    cr_assert(strstr(err.text, "sensitivity=4 or more") != NULL, "%s", err.text);
    pby_table_free(out);
    pby_permission_close(permission);
}

/* A failure is told again: the records are gone. */
Test(release_raw, a_reading_that_failed_stays_failed)
{
    const char *at = "shop\n\"";
    pby_table *table;
    bool found;
    cr_assert_eq(pby_table_records_callback(&table, part, &at, &(pby_records_options){.by = "shop"}, &err),
                 PBY_OK);
    cr_assert_eq(pby_table_next(table, &found, &err), PBY_BAD);
    cr_assert_eq(pby_table_next(table, &found, &err), PBY_FAILED);
    pby_table_free(table);
}

/* ---- sums, means and variances -------------------------------------------------------------------- */

#define AMOUNTS "--filter", list, "--user", "customer", "--contributions", "4"

/* ann 1, 2, 4, 5 in the north; 3 and 6 in the south. */
Test(release_raw, numbers_of_a_column_are_released)
{
    gives("shop,sum\neast,0\nsouth,9\nnorth,12\n",
          PBY_ARGUMENTS(
              RELEASE("geometric:eps=1600,sensitivity=40", "shop", "--sum", "amount:0:10:1", AMOUNTS)));
    gives("shop,mean\neast,\nsouth,4.5\nnorth,3\n",
          PBY_ARGUMENTS("release", "geometric:eps=160,sensitivity=4", "geometric:eps=1600,sensitivity=40",
                        data, "--quiet", "--by", "shop", "--mean", "amount:0:10:0.5", AMOUNTS));
    /* out of bounds: 5, 6 and 7 count as 4 */
    gives("key,mean\nall,3.1\n",
          PBY_ARGUMENTS("release", "dgauss:sigma2=1/1000", "dgauss:sigma2=1/1000,sensitivity=20", data,
                        "--quiet", "--mean", "amount:0:4:1/10"));
    gives("shop,variance\neast,\nsouth,2.25\nnorth,2.5\n",
          PBY_ARGUMENTS("release", "geometric:eps=160,sensitivity=4", "geometric:eps=1600,sensitivity=40",
                        "geometric:eps=16000,sensitivity=400", data, "--quiet", "--by", "shop", "--variance",
                        "amount:0:10:1/2", AMOUNTS));
}

Test(release_raw, parts_that_a_user_moves_more_are_refused)
{
    PBY_REFUSED(2, "expected sensitivity=40 or more", NULL,
                RELEASE("geometric:eps=1,sensitivity=39", "shop", "--sum", "amount:-10:5:1", AMOUNTS));
    PBY_REFUSED(2, "expected sensitivity=20 or more", NULL, "release", "geometric:eps=1,sensitivity=4",
                "geometric:eps=1,sensitivity=19", data, "--by", "shop", "--mean", "amount:0:10:1", AMOUNTS);
    PBY_REFUSED(2, "expected two mechanisms", NULL,
                RELEASE("geometric:eps=1,sensitivity=40", "shop", "--mean", "amount:0:10:1", AMOUNTS));
    PBY_REFUSED(2, "expected geometric or dgauss", NULL,
                RELEASE("laplace:scale=4,grid=1,sensitivity=40", "shop", "--sum", "amount:0:10:1", AMOUNTS));
    PBY_REFUSED(2, "expected a public list", NULL,
                RELEASE("geometric:eps=1,sensitivity=40", "shop", "--sum", "amount:0:10:1"));
    PBY_REFUSED(2, "'amount:1:10:2': expected NAME:LO:HI:STEP", NULL,
                RELEASE("geometric:eps=1,sensitivity=40", "shop", "--sum", "amount:1:10:2", AMOUNTS));
    PBY_REFUSED(2, "line 2, column 2: expected a number", NULL,
                RELEASE("geometric:eps=1,sensitivity=40", "shop", "--sum", "shop:0:10:1", AMOUNTS));
    PBY_REFUSED(2, "--truncate: expected counts", NULL,
                RELEASE("geometric:eps=1,sensitivity=40", "shop", "--sum", "amount:0:10:1", AMOUNTS,
                        "--truncate", "3"));
}

/* Records whose numbers are added up do not move, so a spec that says they do is not what was released. */
Test(release_raw, a_first_step_is_not_passed_over)
{
    static const char first[] =
        "scatter:table=55ce852260678bc892d0997920f0dc75dcba920fe5038f28f72987f403e3434f";
    PBY_REFUSED(2, "expected one mechanism: of the sum", NULL, "release", first,
                "geometric:eps=1,sensitivity=40", data, "--by", "shop", "--sum", "amount:0:10:1", AMOUNTS);
    PBY_REFUSED(2, "expected two mechanisms", NULL, "release", first, "geometric:eps=1,sensitivity=4",
                "geometric:eps=1,sensitivity=40", data, "--by", "shop", "--mean", "amount:0:10:1", AMOUNTS);
}

/* Options that only counts and candidates have are refused: they were passed over in silence. */
Test(release_raw, options_of_counts_are_not_passed_over)
{
    static const char *const options[][2] = {
        {"--keep", "keep.txt"}, {"--utility", "amount"}, {"--queries", "q.csv"}, {"--step", "1/2"},
        {"--rounds", "3"},      {"--range", "0:10"},     {"--along", "1"}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        PBY_REFUSED(2, options[i][0], NULL,
                    RELEASE("geometric:eps=1,sensitivity=40", "shop", "--sum", "amount:0:10:1", AMOUNTS,
                            options[i][0], options[i][1]));
    }
}

/* One certificate and one charge of all parts. */
Test(release_raw, a_mean_is_charged_once)
{
    char certificate[PBY_PATH_SIZE];
    pby_folder_path(certificate, folder, "c.json");
    cr_assert_eq(PBY_RUN(NULL, "certify", "geometric:eps=1/2,sensitivity=4",
                         "geometric:eps=1/2,sensitivity=40", "--epsilon", "1", "--user", "customer", "-o",
                         certificate)
                     ->status,
                 0);
    cr_assert_eq(
        PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "0", "--user", "customer")
            ->status,
        0);
    const char *const *mean = PBY_ARGUMENTS("release", certificate, data, "--quiet", "--by", "shop", "--mean",
                                            "amount:0:10:1/2", AMOUNTS, "--ledger", ledger);
    const pby_run *run = pby_run_command(NULL, mean);
    cr_assert_eq(run->status, 0, "%s", run->err);
    pby_expect_refusal(1, "", NULL, mean);
    run = PBY_RUN(NULL, "ledger", "show", ledger);
    cr_assert(strstr(run->out, "geometric:eps=1/2,sensitivity=4 geometric:eps=1/2,sensitivity=40") != NULL,
              "%s", run->out);
}

Test(release_raw, a_program_releases_a_mean)
{
    pby_permission *permission;
    pby_table *table, *out;
    bool found;
    const char *keys[] = {"south"};
    const pby_records_options o = {
        .by = "shop", .value = "amount:0:10:1/2", .map = &(pby_map){.keys = keys, .count = 1}};
    const pby_permission_options from = {.spec = "geometric:eps=40 geometric:eps=400,sensitivity=10"};
    cr_assert_eq(pby_permission_open(&permission, &from, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_records(&table, data, &o, &err), PBY_OK);
    const pby_release_options mean = {.moment = PBY_MOMENT_MEAN};
    cr_assert_eq(pby_release_table(&out, permission, table, &mean, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_next(out, &found, &err), PBY_OK);
    cr_assert(found);
    cr_assert_eq(pby_table_count(out), 9);
    cr_assert_str_eq(pby_table_unit(out), "0.5");
    cr_assert_str_eq(pby_table_column(out, 0), "mean");
    pby_table_free(out);
    cr_assert_eq(pby_release_table(&out, permission, table, &mean, &err), PBY_FAILED);
    pby_table_free(table);
    pby_permission_close(permission);
}
