/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], plan[PBY_PATH_SIZE];

/* A pure budget of one release: its noise is chosen without a search. */
static const char shops[] = "format = \"probity-plan\"\nversion = 1\n"
                            "[unit]\nuser = \"customer\"\nrows = 4\n"
                            "[budget]\nepsilon = 2\n"
                            "[columns.amount]\nlow = 0\nhigh = 60\nstep = 1\n"
                            "[groupings.shops]\nby = [\"shop\"]\ngroups = [\"north\", \"south\"]\n"
                            "groups_per_user = 2\nrows_per_group = 2\nexpect = 2000\n"
                            "[[statistics]]\nname = \"visits\"\nkind = \"count\"\ngroup = \"shops\"\n"
                            "[[statistics]]\nname = \"spend\"\nkind = \"mean\"\nof = \"amount\"\n"
                            "group = \"shops\"\n";

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(plan, folder, "shops.toml");
    pby_write_file(plan, shops);
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(cli_plan, .init = setup, .fini = teardown);

static void says(const pby_run *r, const char *text)
{
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, text), "%s is not in %s", text, r->out);
}

/* Roots of 2 and 1 share epsilon: 586 and 414 thousandths, over two coordinates each. With a =
 * exp(-293/1000) two cells stay within b but for 1 - (1 - 2 a^(b+1)/(1+a))^2, which is above 1/20 at 12
 * and below at 13. */
Test(cli_plan, check_tells_what_a_plan_is_worth)
{
    const pby_run *r = PBY_RUN(NULL, "plan", "check", plan);
    says(r, "mechanisms  2*geometric:eps=293/500,sensitivity=2 2*geometric:eps=207/500,sensitivity=60\n");
    says(r, "delta       0  of all releases together, certified\n");
    says(r,
         "visits                count by shops                     2              13       0.7 %   58.6 %\n");
    says(r, "groupings.shops.rows_per_group = 1\n");
    cr_assert_null(strstr(r->out, "not given"));
    says(PBY_RUN(NULL, "plan", "check", plan, "--json"), "\"moves\": [{\"cells\": 2, \"by\": 60}]");
}

/* A statistic without expected rows takes most of the budget, and is told of; changes of its buckets, its
 * rows and its variance are tried. */
Test(cli_plan, check_tells_what_is_missing_and_what_would_help)
{
    static const char more[] = "[[statistics]]\nname = \"all\"\nkind = \"users\"\n"
                               "[[statistics]]\nname = \"bars\"\nkind = \"histogram\"\nof = \"amount\"\n"
                               "group = \"shops\"\nwidth = 1\nweight = 9000\n"
                               "[[statistics]]\nname = \"spread\"\nkind = \"variance\"\nof = \"amount\"\n"
                               "group = \"shops\"\nweight = 9000\n";
    char text[4096];
    snprintf(text, sizeof text, "%s%s", shops, more);
    pby_write_file(plan, text);
    const pby_run *r = PBY_RUN(NULL, "plan", "check", plan);
    says(r, "\nunit.expect: not given. One row is taken");
    says(r, "budget.epsilon doubled\n");
    says(r, "unit.rows = 2\n");
    says(r, "groupings.shops.groups_per_user = 1\n");
    says(r, "statistics.spread.kind = \"mean\"\n");
    r = PBY_RUN(NULL, "plan", "check", plan, "--json");
    says(r, "\"unexpected\": [\"unit.expect\"]");
    says(r, "\"relative\": ");
}

/* The page has a plot and a table of points for each statistic; a page that cannot be written is refused
 * before any work. */
Test(cli_plan, check_writes_a_page)
{
    static char page[1 << 16];
    char path[PBY_PATH_SIZE];
    pby_folder_path(path, folder, "page.html");
    says(PBY_RUN(NULL, "plan", "check", plan, "--report", path), "spend  ");
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    const char *first = strstr(page, "<svg");
    cr_assert(first != NULL && strstr(first + 1, "<svg") != NULL);
    cr_assert_not_null(strstr(page, "<tr><th>epsilon</th><td class=\"number\">0.5</td>"));
    cr_assert_not_null(strstr(page, "<code>groupings.shops.rows_per_group = 1</code>"));
    PBY_REFUSED(2, "--report", NULL, "plan", "check", "nowhere.toml", "--report",
                "/no/such/folder/page.html");
    PBY_REFUSED(2, "--report", NULL, "plan", "certify", plan, "--report", path);
}

/* The certificate holds, says so of its plan, and is not for release; one that is altered does not hold. */
Test(cli_plan, a_certificate_has_the_plan_in_it)
{
    char certificate[PBY_PATH_SIZE], counts[PBY_PATH_SIZE];
    pby_folder_path(certificate, folder, "c.json");
    pby_folder_path(counts, folder, "counts.csv");
    pby_write_file(counts, "a,1\n");
    cr_assert_eq(PBY_RUN(NULL, "plan", "certify", plan, "-o", certificate)->status, 0);
    says(PBY_RUN(NULL, "verify", certificate), "derived from the plan again");
    PBY_REFUSED(2, "for probity plan release", NULL, "release", certificate, counts);
    says(PBY_RUN(NULL, "plan", "certify", plan), "\"plan\": {\n");
}

static char rows[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE], out[PBY_PATH_SIZE];

static void make_release(void)
{
    pby_folder_path(rows, folder, "rows.csv");
    pby_folder_path(ledger, folder, "shops.ledger");
    pby_folder_path(out, folder, "out");
    pby_write_file(rows, "customer,shop,amount\n1,north,10\n1,south,99\n2,west,x\n");
    cr_assert_eq(
        PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "4", "--delta", "0", "--user", "customer")
            ->status,
        0);
}

static void remove_out(void)
{
    static const char *const names[] = {"visits.csv", "spend.csv", "release.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PBY_PATH_SIZE];
        pby_folder_path(path, out, names[i]);
        cr_assert_eq(remove(path), 0, "%s", path);
    }
    cr_assert_eq(remove(out), 0);
}

/* A release is one charge and one folder, whole, with a row for each public group; a third is too many. */
Test(cli_plan, a_release_is_one_charge_and_one_folder)
{
    char path[PBY_PATH_SIZE], certificate[PBY_PATH_SIZE];
    make_release();
    pby_folder_path(certificate, folder, "c.json");
    cr_assert_eq(PBY_RUN(NULL, "plan", "certify", plan, "-o", certificate)->status, 0);
    for (int i = 0; i < 2; i++) {
        const pby_run *r = PBY_RUN(NULL, "plan", "release", plan, rows, "-o", out, "--ledger", ledger,
                                   "--certificate", certificate);
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_str_eq(r->out, "");
        cr_assert_eq(pby_folder_entries(out), 3);
        pby_folder_path(path, out, "visits.csv");
        FILE *f = fopen(path, "r");
        char line[64];
        cr_assert_not_null(f);
        cr_assert_str_eq(fgets(line, sizeof line, f), "shop,value,low,high\n");
        int value, low, high;
        cr_assert_eq(fscanf(f, "north,%d,%d,%d\n", &value, &low, &high), 3);
        cr_assert(value - low == 13 && high - value == 13);
        cr_assert_eq(fscanf(f, "south,%d,%d,%d\n", &value, &low, &high), 3);
        cr_assert_eq(fgetc(f), EOF);
        fclose(f);
        remove_out();
    }
    PBY_REFUSED(1, "budget", NULL, "plan", "release", plan, rows, "-o", out, "--ledger", ledger);
    cr_assert_eq(pby_folder_entries(folder), 4);
}

/* Two releases fit the budget of each part. */
Test(cli_plan, a_part_of_the_users_pays_for_itself)
{
    static const char *const parts[] = {"north", "south", "north", "south"};
    char apart[PBY_PATH_SIZE];
    make_release();
    pby_folder_path(apart, folder, "apart.ledger");
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", apart, "--epsilon", "4", "--delta", "0", "--user",
                         "customer", "--parts", "region")
                     ->status,
                 0);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const pby_run *r =
            PBY_RUN(NULL, "plan", "release", plan, rows, "-o", out, "--ledger", apart, "--part", parts[i]);
        cr_assert_eq(r->status, 0, "%s", r->err);
        says(r, "");
        cr_assert_not_null(strstr(r->err, "charged for the part"), "%s", r->err);
        remove_out();
    }
    PBY_REFUSED(1, "budget", NULL, "plan", "release", plan, rows, "-o", out, "--ledger", apart, "--part",
                "south");
    PBY_REFUSED(2, "--part", NULL, "plan", "release", plan, rows, "-o", out, "--ledger", ledger, "--part",
                "north");
    PBY_REFUSED(2, "--part", NULL, "plan", "check", plan, "--part", "north");
}

/* Refusals of a release come before the charge, and leave nothing behind. */
Test(cli_plan, a_release_that_is_refused_costs_nothing)
{
    char other[PBY_PATH_SIZE], certificate[PBY_PATH_SIZE], text[2048];
    make_release();
    pby_folder_path(other, folder, "other.toml");
    pby_folder_path(certificate, folder, "c.json");
    PBY_REFUSED(2, "does not exist yet", NULL, "plan", "release", plan, rows, "-o", folder, "--ledger",
                ledger);
    PBY_REFUSED(2, "expected -o", NULL, "plan", "release", plan, rows, "--ledger", ledger);
    PBY_REFUSED(2, "expected --ledger", NULL, "plan", "release", plan, rows, "-o", out);
    snprintf(text, sizeof text, "%s-journal", ledger); /* a folder of this name would end the ledger */
    PBY_REFUSED(2, "belongs to it", NULL, "plan", "release", plan, rows, "-o", text, "--ledger", ledger);
    snprintf(text, sizeof text, "%s[horizon]\ntimes = 2\n", shops);
    pby_write_file(other, text);
    cr_assert_eq(PBY_RUN(NULL, "plan", "certify", other, "-o", certificate)->status, 0);
    PBY_REFUSED(1, "its plan is", NULL, "plan", "release", plan, rows, "-o", out, "--ledger", ledger,
                "--certificate", certificate);
    pby_write_file(rows, "customer,shop,price\n1,north,10\n");
    PBY_REFUSED(2, "shops.toml: column 'amount': expected the name of a column in the first line", NULL,
                "plan", "release", plan, rows, "-o", out, "--ledger", ledger);
    pby_write_file(rows, "customer,shop,amount\n1,north\n");
    PBY_REFUSED(2, "line 2", NULL, "plan", "release", plan, rows, "-o", out, "--ledger", ledger);
    says(PBY_RUN(NULL, "ledger", "show", ledger), "spent       0");
}

/* Neighbouring tables are answered alike: nothing is said, whatever the rows are. */
Test(cli_plan, rows_are_never_mentioned)
{
    static const char *const tables[] = {"customer,shop,amount\n", "customer,shop,amount\n,,\n,west,1e99\n",
                                         "customer,shop,amount\n1,north,-1e99\n1,north,nan\n1,north,5\n"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        make_release();
        pby_write_file(rows, tables[i]);
        const pby_run *r = PBY_RUN(NULL, "plan", "release", plan, rows, "-o", out, "--ledger", ledger);
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_str_eq(r->err, "");
        remove_out();
        remove(ledger);
    }
}

/* A new plan has the columns in it, is refused until the user is decided, and then is a plan. */
Test(cli_plan, a_new_plan_is_filled_in)
{
    char made[PBY_PATH_SIZE], filled[8192];
    make_release();
    pby_folder_path(made, folder, "made.toml");
    pby_write_file(rows, "\xef\xbb\xbf\"a \"\"b\"\"\",shop\r\n1,secret\n");
    const pby_run *r = PBY_RUN(NULL, "plan", "init", rows, "-o", made);
    cr_assert_eq(r->status, 0, "%s", r->err);
    PBY_REFUSED(2, "unit.user '': expected a column's name", NULL, "plan", "check", made);
    r = PBY_RUN(NULL, "plan", "init", rows);
    cr_assert_not_null(strstr(r->out, "# [columns.\"a \\\"b\\\"\"]\n# low = 0\n"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "# [columns.\"shop\"]\n# low = 0\n"), "%s", r->out);
    cr_assert_null(strstr(r->out, "secret"));
    const char *user = strstr(r->out, "user = \"\"");
    snprintf(filled, sizeof filled, "%.*suser = \"shop\"%s", (int)(user - r->out), r->out, user + 9);
    pby_write_file(made, filled);
    says(PBY_RUN(NULL, "plan", "check", made), "unit        all rows of one user, whom shop tells\n");
}

/* A ledger of a plan has its budget and unit: it takes one release of one, and no more. */
Test(cli_plan, a_ledger_of_a_plan)
{
    char own[PBY_PATH_SIZE], other[PBY_PATH_SIZE];
    make_release();
    pby_folder_path(own, folder, "own.ledger");
    pby_folder_path(other, folder, "rho.toml");
    PBY_REFUSED(2, "without --plan", NULL, "ledger", "init", own, "--plan", plan, "--epsilon", "1");
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", own, "--plan", plan)->status, 0);
    says(PBY_RUN(NULL, "ledger", "show", own), "epsilon 2, delta 0");
    PBY_REFUSED(2, "it with ledger init", NULL, "ledger", "show", own, "--plan", plan);
    cr_assert_eq(PBY_RUN(NULL, "plan", "release", plan, rows, "-o", out, "--ledger", own)->status, 0);
    remove_out();
    PBY_REFUSED(1, "budget", NULL, "plan", "release", plan, rows, "-o", out, "--ledger", own);
    pby_write_file(other, "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"u\"\nrows = 1\n"
                          "[budget]\nrho = 1\n[[statistics]]\nname = \"n\"\nkind = \"count\"\n");
    pby_folder_path(own, folder, "rho.ledger");
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", own, "--plan", other)->status, 0);
    says(PBY_RUN(NULL, "ledger", "show", own), "budget      rho 1, delta 0");
    says(PBY_RUN(NULL, "ledger", "show", own), "user by u");
}

/* A plan of a mu from its check to the ledger, which takes as many releases as the plan is for. */
Test(cli_plan, a_budget_of_mu)
{
    char own[PBY_PATH_SIZE], made[PBY_PATH_SIZE], certificate[PBY_PATH_SIZE];
    make_release();
    pby_folder_path(own, folder, "mu.ledger");
    pby_folder_path(made, folder, "mu.toml");
    pby_folder_path(certificate, folder, "mu.json");
    pby_write_file(made, "format = \"probity-plan\"\nversion = 1\n[budget]\nmu = \"1/4\"\n[horizon]\n"
                         "times = 2\n[[statistics]]\nname = \"visits\"\nkind = \"count\"\n"
                         "[[statistics]]\nname = \"spend\"\nkind = \"count\"\n");
    says(PBY_RUN(NULL, "plan", "check", made),
         "budget mu   0.25\nmu          [0, 0.25]  of all releases together");
    says(PBY_RUN(NULL, "plan", "check", made), "budget.mu doubled");
    says(PBY_RUN(NULL, "plan", "check", "--json", made), "\"budget_mu\": \"0.25\"");
    cr_assert_eq(PBY_RUN(NULL, "plan", "certify", made, "-o", certificate)->status, 0);
    says(PBY_RUN(NULL, "verify", certificate), "mu by the squares of all mus, 40 digits");
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", own, "--plan", made)->status, 0);
    says(PBY_RUN(NULL, "ledger", "show", own), "budget      mu 1/4, delta 0");
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(PBY_RUN(NULL, "plan", "release", made, rows, "-o", out, "--ledger", own, "--certificate",
                             certificate)
                         ->status,
                     0);
        remove_out();
    }
    PBY_REFUSED(1, "the sum of squares of mu would be up to", NULL, "plan", "release", made, rows, "-o", out,
                "--ledger", own);
}

/* At an enormous epsilon the best points and groups are chosen: of north 5 of 5, 20, 40; the rows of
 * shops are 3, 2 and 0. */
Test(cli_plan, choices_are_written_as_drawn)
{
    char text[2048], file[PBY_PATH_SIZE], line[256];
    static const struct {
        const char *name, *expected;
    } files[] = {{"middle.csv", "shop,q,value,low,high\nnorth,0.5,20,,\nnorth,0.1,5,,\n"
                                "south,0.5,60,,\nsouth,0.1,60,,\n"},
                 {"all.csv", "value,low,high\n40,,\n"},
                 {"best.csv", "shop,value,low,high\nnorth,1,,\nsouth,2,,\n"}};
    make_release();
    pby_write_file(rows, "customer,shop,amount\n1,north,5\n1,north,20\n2,north,40\n2,south,99\n3,south,70\n");
    snprintf(text, sizeof text, "%.*sepsilon = 1000000\n%s", (int)(strstr(shops, "epsilon = 2\n") - shops),
             shops, strstr(shops, "epsilon = 2\n") + 12);
    strcpy(strstr(text, "[[statistics]]"),
           "[[statistics]]\nname = \"middle\"\nkind = \"quantile\"\nof = \"amount\"\ngroup = \"shops\"\n"
           "q = [0.5, \"1/10\"]\n[[statistics]]\nname = \"all\"\nkind = \"quantile\"\nof = \"amount\"\n"
           "q = [\"1/2\"]\n[[statistics]]\nname = \"best\"\nkind = \"top\"\nbest = 2\ngroup = \"shops\"\n");
    pby_write_file(plan, text);
    says(PBY_RUN(NULL, "plan", "check", plan), "quantile of amount by shops");
    cr_assert_eq(remove(ledger), 0);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", ledger, "--plan", plan)->status, 0);
    const pby_run *r = PBY_RUN(NULL, "plan", "release", plan, rows, "-o", out, "--ledger", ledger);
    cr_assert_eq(r->status, 0, "%s", r->err);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char found[512] = "";
        pby_folder_path(file, out, files[i].name);
        FILE *f = fopen(file, "r");
        cr_assert_not_null(f);
        while (fgets(line, sizeof line, f) != NULL)
            strcat(found, line);
        fclose(f);
        cr_assert_str_eq(found, files[i].expected);
        cr_assert_eq(remove(file), 0);
    }
    pby_folder_path(file, out, "release.json");
    cr_assert_eq(remove(file), 0);
    cr_assert_eq(remove(out), 0);
}

/* With --parts each part of the users has the plan's budget; the plan says the rest. */
Test(cli_plan, a_ledger_of_a_plan_has_parts_and_periods)
{
    char own[PBY_PATH_SIZE];
    make_release();
    pby_folder_path(own, folder, "own.ledger");
    pby_write_file(plan, shops);
    PBY_REFUSED(2, "without --plan", NULL, "ledger", "init", own, "--plan", plan, "--user", "shop");
    PBY_REFUSED(2, "without --plan", NULL, "ledger", "init", own, "--plan", plan, "--rho", "1");
    cr_assert_eq(
        PBY_RUN(NULL, "ledger", "init", own, "--plan", plan, "--parts", "region", "--every", "30d")->status,
        0);
    says(PBY_RUN(NULL, "ledger", "show", own), "region");
    says(PBY_RUN(NULL, "ledger", "show", own), "30d");
    cr_assert_eq(remove(own), 0);
}

/* The ledger takes all releases that the plan is for, whose noise its loss decides, and not one more. */
Test(cli_plan, a_ledger_takes_as_many_releases_as_planned)
{
    char file[PBY_PATH_SIZE], own[PBY_PATH_SIZE];
    make_release();
    pby_folder_path(own, folder, "own.ledger");
    pby_write_file(plan, "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"customer\"\nrows = 2\n"
                         "[budget]\nepsilon = 1\ndelta = 1e-6\n[horizon]\ntimes = 12\n"
                         "[[statistics]]\nname = \"visits\"\nkind = \"count\"\n");
    says(PBY_RUN(NULL, "plan", "check", plan), "mechanisms  12*dgauss");
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", own, "--plan", plan)->status, 0);
    for (int i = 0; i < 12; i++) {
        const pby_run *r = PBY_RUN(NULL, "plan", "release", plan, rows, "-o", out, "--ledger", own);
        cr_assert_eq(r->status, 0, "release %d: %s", i + 1, r->err);
        pby_folder_path(file, out, "visits.csv");
        cr_assert_eq(remove(file), 0);
        pby_folder_path(file, out, "release.json");
        cr_assert_eq(remove(file), 0);
        cr_assert_eq(remove(out), 0);
    }
    PBY_REFUSED(1, "budget", NULL, "plan", "release", plan, rows, "-o", out, "--ledger", own);
}

/* Epsilons of choices and of noise add up to a pure budget: the ledger takes the one release, whatever
 * the rows are, and not a second one. */
Test(cli_plan, choices_beside_noise_fit_a_pure_budget)
{
    static const char *const names[] = {"visits.csv", "spend.csv", "m.csv", "t.csv", "release.json"};
    char text[2048], path[PBY_PATH_SIZE], certificate[PBY_PATH_SIZE];
    make_release();
    pby_folder_path(certificate, folder, "c.json");
    snprintf(text, sizeof text,
             "%s[[statistics]]\nname = \"m\"\nkind = \"quantile\"\nof = \"amount\"\nq = [\"1/2\", \"1/3\"]\n"
             "group = \"shops\"\n[[statistics]]\nname = \"t\"\nkind = \"top\"\nbest = 1\ngroup = \"shops\"\n"
             "within = 60\n",
             shops);
    pby_write_file(plan, text);
    pby_write_file(rows, "customer,shop,amount\n1,north,nan\n1,north,-inf\n1,,1e400\n,south,-0.25\n2,zz,3\n");
    cr_assert_eq(remove(ledger), 0);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", ledger, "--plan", plan)->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "plan", "certify", plan, "-o", certificate)->status, 0);
    const pby_run *r = PBY_RUN(NULL, "plan", "release", plan, rows, "-o", out, "--ledger", ledger,
                               "--certificate", certificate);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->err, "");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pby_folder_path(path, out, names[i]);
        cr_assert_eq(remove(path), 0, "%s", path);
    }
    cr_assert_eq(remove(out), 0);
    PBY_REFUSED(1, "budget", NULL, "plan", "release", plan, rows, "-o", out, "--ledger", ledger);
}

Test(cli_plan, mistakes_are_one_line)
{
    char other[PBY_PATH_SIZE], text[2048];
    pby_folder_path(other, folder, "other.toml");
    PBY_REFUSED(2, "plan: expected", NULL, "plan");
    PBY_REFUSED(2, "plan 'chek': expected", NULL, "plan", "chek");
    PBY_REFUSED(2, "plan check: expected a PLAN", NULL, "plan", "check");
    PBY_REFUSED(2, "no file", NULL, "plan", "check", "no file");
    /* One cell that moves by 4: 2 a^2/(1+a) is 1/20 at a = exp(-eps/4) for eps = 7.06. */
    snprintf(text, sizeof text, "%s[[statistics]]\nname = \"x\"\nkind = \"count\"\nwithin = 1\n", shops);
    pby_write_file(other, text);
    PBY_REFUSED(1,
                "within: the errors that are asked for take more than the budget: expected an epsilon of at "
                "least 7.1 for them alone",
                NULL, "plan", "check", other);
    snprintf(text, sizeof text, "%sweigth = 1\n", shops);
    pby_write_file(other, text);
    PBY_REFUSED(2, "did you mean weight?", NULL, "plan", "check", other);
}
