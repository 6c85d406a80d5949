/* SPDX-License-Identifier: MIT */
/* Mistakes that newcomers make, and the line that each must be answered with: what was found, what was
 * expected, and where there is one the nearest right command. An @ in an argument is the folder of the files
 * below. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/cli/run.h"

static const struct {
    const char *name, *text;
} files[] = {
    {"counts.csv", "clinic,visits\nHarbour,120\nMill,43\n"},
    {"more.csv", "clinic,visits\nHarbour,121\nMill,43\n"},
    {"other.csv", "clinic,visits\nHarbour,180\nMill,43\n"},
    {"records.csv", "customer,shop,amount\n1,North,3.50\n2,South,1.25\n1,South,2.00\n"},
    {"semicolons.csv", "clinic;visits\nHarbour;120\nMill;43\n"},
    {"tabs.tsv", "clinic\tvisits\nHarbour\t120\nMill\t43\n"},
    {"swapped.csv", "visits,clinic\n120,Harbour\n43,Mill\n"},
    {"negative.csv", "clinic,visits\nHarbour,-120\n"},
    {"missing.csv", "clinic,visits\nHarbour,NaN\n"},
    {"grouped.csv", "clinic,visits\nHarbour,1,234\n"},
    {"blank.csv", "clinic,visits\nHarbour, 120\n"},
    {"decimal.csv", "clinic,visits\nHarbour,1.5\n"},
    {"percent.csv", "clinic,visits\nHarbour,12%\n"},
    {"exponent.csv", "clinic,visits\nHarbour,1e3\n"},
    {"claim.json", "{\n  \"spec\": \"geometric:eps=1\"\n}\n"},
    {"twice.csv", "clinic,visits\nHarbour,120\nHarbour,43\n"},
    {"pipes.csv", "clinic|visits\nHarbour|120\n"},
    {"empty.csv", ""},
    {"header.csv", "clinic,visits\n"},
    {"left.txt", "1\n2\n3\n"},
    {"right.txt", "2\n3\n4\n"},
};

enum { MOST = 12 };

static const struct {
    const char *argument[MOST];
    int status;
    const char *says;
} mistakes[] = {
    /* specs */
    {{"loss", "geometric:eps=1"}, 2, "loss: expected one of --epsilon E and --delta D"},
    {{"loss", "geometric:1/2", "--epsilon", "1"}, 2, "expected NAME=VALUE without blanks, such as eps=1/2"},
    {{"loss", "geometric:eps=0,5", "--epsilon", "1"}, 2, "commas separate parameters: eps=0.5"},
    {{"loss", "geometric:eps=-1", "--epsilon", "1"}, 2, "geometric:eps '-1': expected a rational above 0"},
    {{"loss", "geometric:eps=50%", "--epsilon", "1"}, 2, "without a percent sign, such as 0.05 for 5%"},
    {{"loss", "geometric:eps=1/0", "--epsilon", "1"}, 2, "a denominator that is not zero"},
    {{"loss", "geometric: eps=1", "--epsilon", "1"}, 2, "NAME=VALUE without blanks, such as eps=1"},
    {{"loss", "geometric:eps", "=", "1", "--epsilon", "1"}, 2, "without blanks: eps=VALUE"},
    {{"loss", "gauss:sigma=1.1", "--epsilon", "1"}, 2, "the square of sigma: sigma2=1.21"},
    {{"loss", "dgauss:std=3", "--epsilon", "1"}, 2, "the square of std: sigma2=9"},
    {{"loss", "laplace:eps=1", "--epsilon", "1"}, 2, "probity select laplace --epsilon E --delta D"},
    {{"loss", "discrete_gaussian:sigma2=4", "--epsilon", "1"}, 2, "not known; did you mean dgauss?"},
    {{"loss", "gausss:sigma2=4", "--epsilon", "1"}, 2, "'gausss': not known; did you mean gauss?"},
    {{"loss", "geometric:epsilon=1", "--epsilon", "1"}, 2, "did you mean eps?"},
    {{"loss", "100xgeometric:eps=1", "--epsilon", "1"}, 2, "expected 100*geometric for so many uses"},
    {{"loss", "geometric:eps=1", "+", "geometric:eps=1", "--epsilon", "1"}, 2, "with a blank between"},
    {{"loss", "certificate.json", "--epsilon", "1"}, 2, "a certificate is for verify, release, explain"},
    /* options */
    {{"loss", "geometric:eps=1", "-epsilon", "1"}, 2, "'-epsilon': not known; did you mean --epsilon?"},
    {{"loss", "geometric:eps=1", "--epsilon"}, 2, "expected a value after it: a rational such as 1/2"},
    {{"loss", "geometric:eps=1", "--epsilon", "0,5"}, 2, "a rational with a point and no comma"},
    {{"loss", "geometric:eps=1", "--epsilon", "1", "--delta", "0"}, 2, "one of --epsilon and --delta"},
    {{"loss", "geometric:eps=1", "--delta", "2"}, 2, "--delta '2': expected a rational from 0 on"},
    {{"loss", "geometric:eps=1", "--epsilon", "1", "--neighbours", "add_remove"},
     2,
     "did you mean add-remove?"},
    {{"select", "laplace", "--epsilon", "1", "--delta", "0", "--sensitivity", "2"}, 2, ":sensitivity=VALUE"},
    {{"select", "dgauss", "--epsilon", "1"}, 2, "expected --epsilon E and --delta D, --rho R, or --mu M"},
    {{"select", "dgauss", "--epsilon", "1", "--delta", "1e-6", "--uses", "1.5"}, 2, "an integer from 1"},
    {{"draw", "geometric:eps=1", "-n", "1,000"}, 2, "without separators of thousands"},
    {{"draw", "gauss:sigma2=1", "-n", "10"}, 2, "as dgauss has, the discrete Gaussian"},
    {{"certify", "geometric:eps=1"}, 2, "certify: expected --epsilon E"},
    {{"accuracy", "dgauss:sigma2=16", "--n", "100", "--gamma", "1e-6"}, 2, "--n '100': expected none"},
    {{"accuracy", "geometric:eps=1", "--gamma", "5%"}, 2, "without a percent sign"},
    {{"explain", "@counts.csv"}, 2, "expected a certificate, as it is a file"},
    {{"relaese", "geometric:eps=1"}, 2, "not known; did you mean release?"},
    /* tables */
    {{"release", "@counts.csv", "geometric:eps=1"}, 2, "a SPEC first, and then the data: probity release"},
    {{"release", "geometric:eps=1", "@nowhere.csv"}, 2, "No such file or directory"},
    {{"release", "geometric:eps=1", "@"}, 2, "expected a file that can be read: Is a directory"},
    {{"release", "geometric:eps=1", "@empty.csv"}, 2, "expected at least one row KEY,COUNT"},
    {{"release", "geometric:eps=1", "@header.csv"}, 2, "expected at least one row KEY,COUNT"},
    {{"release", "geometric:eps=1", "@semicolons.csv"},
     2,
     "but the line has semicolons and no comma; release takes such a table with --separator ';'"},
    {{"release", "geometric:eps=1", "@tabs.tsv"},
     2,
     "tabs and no comma; release takes such a table with --separator tab"},
    {{"release", "geometric:eps=1", "@counts.csv", "--separator", "::"}, 2, "one character such as ';'"},
    {{"release", "geometric:eps=1", "@swapped.csv"},
     2,
     "but it stands in column 1; --keys COLUMN and --counts COLUMN"},
    {{"release", "geometric:eps=1", "@negative.csv"},
     2,
     "line 2, column 2: expected a whole number from 0 on, but it is below 0"},
    {{"release", "geometric:eps=1", "@missing.csv"}, 2, "but it is missing: write 0, or leave the row out"},
    {{"release", "geometric:eps=1", "@grouped.csv"}, 2, "a count without a comma in it: 1234, not 1,234"},
    {{"release", "geometric:eps=1", "@blank.csv"}, 2, "but there is a blank beside them"},
    {{"release", "geometric:eps=1", "@decimal.csv"}, 2, "but it has decimals; --step 1/100 takes"},
    {{"release", "geometric:eps=1", "@percent.csv"}, 2, "a sign or a unit beside them"},
    {{"release", "geometric:eps=1", "@exponent.csv"}, 2, "it has an exponent: 1000, not 1e3"},
    {{"release", "geometric:eps=1", "@claim.json"}, 2, "it is JSON: a certificate stands in SPEC's place"},
    {{"loss", "--mu", "1", "gauss:sigma2=1"}, 2, "--mu, --zcdp and --profile take no number"},
    {{"certify", "zcdp:rho=1/10", "--epsilon", "1", "-o", "-"}, 2, "name the mechanism that keeps it"},
    {{"release", "geometric:eps=1", "@twice.csv"},
     2,
     "line 3, column 1: expected a key once; this is a duplicate"},
    {{"release", "geometric:eps=1", "@records.csv"}, 2, "release SPEC --by COLUMN counts raw records"},
    {{"release", "geometric:eps=1", "@counts.csv", "--keys", "clinik"},
     2,
     "clinic, visits; did you mean clinic?"},
    {{"release", "geometric:eps=1", "@counts.csv", "-o", "@counts.csv"},
     2,
     "expected another file than the input"},
    {{"release", "geometric:eps=1", "@counts.csv", "-o", "@"}, 2, "expected a file, not a folder"},
    {{"release", "geometric:eps=1", "@counts.csv", "--ledger", "@none.ledger"},
     2,
     "that probity ledger init made"},
    {{"release", "geometric:eps=1", "@counts.csv", "--statistic", "average"},
     2,
     "--statistic 'average': expected one of max"},
    {{"release", "gauss:sigma2=1", "@counts.csv"}, 2, "as dgauss has, the discrete Gaussian"},
    {{"release", "threshold:eps=1,T=3", "@records.csv", "--by", "shops"},
     2,
     "customer, shop, amount; did you mean shop?"},
    {{"release", "threshold:eps=1,T=3", "@records.csv", "--by", "shop", "--user", "customer"},
     2,
     "--contributions: expected it beside --user 'customer'"},
    {{"release", "threshold:eps=1,T=3", "@records.csv", "--by", "shop", "--contributions", "2"},
     2,
     "the column of the user beside it, as --user"},
    {{"release", "geometric:eps=1", "@records.csv", "--by", "shop", "--mean", "amount"},
     2,
     "--mean 'amount': expected NAME:LO:HI:STEP"},
    {{"release", "threshold:eps=1,T=9", "geometric:eps=1", "geometric:eps=1", "@records.csv", "--by", "shop",
      "--mean", "amount:0:10:1/4"},
     2,
     "no threshold stands in front of sums, means"},
    {{"release", "exponential:eps=1", "@counts.csv", "--range", "0-100"}, 2, "expected LO:HI"},
    {{"stat", "max_k", "@counts.csv"}, 2, "--k: expected a number of records"},
    {{"ledger", "init", "@new.ledger", "--epsilon", "-1", "--delta", "1e-6"}, 2, "--epsilon '-1': expected"},
    {{"verify", "@counts.csv"}, 1, "not a certificate, as probity certify -o FILE makes one"},
    {{"verify", "geometric:eps=1"}, 2, "probity certify SPEC --epsilon E -o FILE makes one"},
    {{"release", "@empty.csv", "@counts.csv"}, 1, "empty.csv': not a certificate, as probity certify"},
    /* words in a place that is not theirs */
    {{"loss", "geometric:eps:1", "--epsilon", "1"}, 2, "NAME=VALUE without blanks, such as eps=1"},
    {{"loss", "dgauss:sigma2=4;sensitivity=2", "--epsilon", "1"},
     2,
     "a comma between this parameter and the next"},
    {{"loss", "dgauss:sigma2=4:uses=3", "--epsilon", "1"}, 2, "a comma between this parameter and the next"},
    {{"loss", "dgauss:sigma2=4*3", "--epsilon", "1"}, 2, "in front of its mechanism: 3*geometric:eps=1"},
    {{"loss", "dgauss:sigma2=4", "x3", "--epsilon", "1"}, 2, "in front of its mechanism: 3*SPEC"},
    {{"loss", "dgauss:sigma2=4", "--rho", "1"},
     2,
     "option '--rho': expected --zcdp, which asks for the least rho"},
    {{"loss", "@counts.csv", "--epsilon", "1"}, 2, "not a file; a table stands behind it"},
    {{"loss", "@plan.toml", "--epsilon", "1"}, 2, "not a file; a plan is for probity plan"},
    {{"select", "pure", "--epsilon", "1", "--delta", "0"}, 2, "this one is taken as given"},
    {{"select", "30*dgauss", "--epsilon", "1", "--delta", "1e-6"}, 2, "--uses K chooses for K uses"},
    {{"plan"}, 2, "plan: expected init, check, certify or release"},
    {{"plan", "check"}, 2, "which probity plan init DATA.csv -o PLAN begins"},
    {{"release", "geometric:eps=1", "@counts.csv", "--epsilon", "1"},
     2,
     "probity certify SPEC --epsilon E -o FILE"},
    {{"release", "geometric:eps=1", "@counts.csv", "--delta", "1"}, 2, "probity select FAMILY --epsilon E"},
    {{"release", "geometric:eps=1", "@pipes.csv"}, 2, "release takes such a table with --separator '|'"},
    {{"release", "geometric:eps=1", "@counts.csv", "--separator", ";"},
     2,
     "--separator ';': expected what stands between the key and the count"},
    {{"audit", "--scores", "--guesses", "1", "2", "3", "--epsilon", "1"},
     2,
     "--guesses: expected one of --scores and --guesses, not both"},
    /* audits */
    {{"audit", "@left.txt", "@left.txt", "--epsilon", "1"}, 2, "not the file of LEFT again"},
    {{"audit", "@left.txt", "@right.txt"}, 2, "audit: expected --epsilon and a rational from 0 on"},
    {{"audit", "@left.txt", "@right.txt", "--epsilon", "1", "--error", "5%"}, 2, "without a percent sign"},
    {{"audit", "@left.txt", "@right.txt", "--epsilon", "1", "--columns", "answer"},
     2,
     "to name its columns in the first line"},
    {{"audit", "--command", "cat", "--inputs", "1", "2", "-n", "3", "--epsilon", "1"},
     2,
     "expected {input} in it"},
    {{"audit", "--release", "geometric:eps=1", "--inputs", "@counts.csv", "@other.csv", "-n", "3",
      "--epsilon", "1"},
     2,
     "one record more or fewer, so that the counts differ by 1 in all"},
    {{"audit", "--release", "geometric:eps=1", "--inputs", "@counts.csv", "@swapped.csv", "-n", "3",
      "--epsilon", "1"},
     2,
     "but it stands in column 1"},
};

static char folder[PBY_PATH_SIZE];

static void begin(void)
{
    char path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        pby_folder_path(path, folder, files[i].name);
        pby_write_file(path, files[i].text);
    }
}

static void end(void)
{
    pby_folder_remove(folder);
}

Test(mistakes, each_is_answered_by_what_to_do, .init = begin, .fini = end)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char room[MOST][PBY_PATH_SIZE];
        const char *argument[MOST + 1] = {NULL};
        for (size_t j = 0; j < MOST && mistakes[i].argument[j] != NULL; j++) {
            argument[j] = mistakes[i].argument[j];
            if (argument[j][0] != '@')
                continue;
            pby_folder_path(room[j], folder, argument[j] + 1);
            argument[j] = room[j];
        }
        pby_expect_refusal(mistakes[i].status, mistakes[i].says, NULL, argument);
    }
}

/* No refusal shows the contents of a table: the keys, and digits of the counts. */
Test(mistakes, no_refusal_tells_of_the_data, .init = begin, .fini = end)
{
    static const char *const secrets[] = {"Harbour", "Mill", "North", "South", "120", "43", "3.50"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[PBY_PATH_SIZE];
        pby_folder_path(path, folder, files[i].name);
        static const char *const columns[] = {"clinik", "shops"};
        for (size_t j = 0; j < 2; j++) {
            const pby_run *r = PBY_RUN(NULL, "release", "geometric:eps=1", path, "--keys", columns[j]);
            cr_assert_eq(r->status, 2, "%s", r->err);
            for (size_t k = 0; k < sizeof secrets / sizeof *secrets; k++)
                cr_assert_null(strstr(strstr(r->err, "expected"), secrets[k]), "%s", r->err);
        }
    }
}
