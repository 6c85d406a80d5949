#include <criterion/criterion.h>

#include "tests/cli/run.h"

static void expect(const char *out, const char *input, const char *const *arguments)
{
    const pby_run *run = pby_run_command(input, arguments);
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->out, out);
}

#define ACCURACY(out, ...) expect(out, NULL, PBY_ARGUMENTS("accuracy", __VA_ARGS__))

Test(cli_accuracy, of_a_release_and_its_statistics)
{
    ACCURACY("mechanism   stlap:eps=1/2,q=40\n"
             "distortion  drop\n"
             "bar loss    40\n"
             "accuracy    (alpha, beta, gamma)\n"
             "release     (0.04, 0.25, 0)\n"
             "claimed     0.04  alpha as threshold times support over n\n"
             "max         (0.04, 0.25, 0)\n"
             "range       (0.04, 0.5, 0)\n"
             "max_k       (0.04, inf, 0)\n"
             "drop-move   (37/300, 0, 0)\n",
             "stlap:eps=1/2,q=40", "--n", "3000", "--support", "3", "--width", "1/2", "--statistic",
             "max,range,max_k", "--k", "500", "--eta", "1/3");
    ACCURACY("{\"spec\": \"stlap:eps=1,q=3/5\", \"n\": 1, \"support\": 1, \"width\": \"0\", "
             "\"distortion\": \"drop\", "
             "\"bar_loss\": 1, \"release\": {\"alpha\": \"1\", \"beta\": \"0\", \"gamma\": \"0\"}, "
             "\"claimed\": "
             "{\"alpha\": \"0.6\", \"source\": \"threshold times support over n\"}, "
             "\"statistics\": {\"median\": "
             "{\"alpha\": \"1\", \"beta\": \"0\", \"gamma\": \"0\"}}}\n",
             "stlap:eps=1,q=0.6", "--n=1", "--support=1", "--statistic=median", "--json");
}

Test(cli_accuracy, between_two_files)
{
    char folder[PBY_PATH_SIZE], a[PBY_PATH_SIZE], b[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(a, folder, "a.csv");
    pby_folder_path(b, folder, "b.csv");
    pby_write_file(a, "\xef\xbb\xbfpoint,mass\r\n0,3\r\n1.5,1/2\r\n1.5,1/2\r\n");
    pby_write_file(b, "0,2\n3/2,1");
    ACCURACY("gamma       0\n"
             "lossy       1.5\n"
             "average     0.125\n"
             "variation   1/12\n"
             "drop        0.25\n"
             "move        inf\n"
             "eta         2\n"
             "drop-move   0.25\n",
             "--between", a, b, "--average", "--eta", "2");
    ACCURACY("{\"gamma\": \"1/12\", \"lossy\": \"0\", \"variation\": \"1/12\", "
             "\"drop\": \"0.25\", \"move\": \"inf\"}\n",
             "--between", a, b, "--gamma", "1/12", "--json");
    ACCURACY("gamma       0\nlossy       1.5\nvariation   1/12\ndrop        inf\nmove        inf\n",
             "--between", b, a);
    pby_folder_remove(folder);
}

Test(cli_accuracy, refusals)
{
    PBY_REFUSED(2, "expected --n and --support", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "10");
    PBY_REFUSED(2, "--n '0'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "0", "--support", "1");
    PBY_REFUSED(2, "--support '-1'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "-1");
    PBY_REFUSED(2, "--width '-1'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1",
                "--width", "-1");
    PBY_REFUSED(2, "statistic 'mean'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1",
                "--statistic", "max,mean");
    PBY_REFUSED(2, "k: expected", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1",
                "--statistic",
                "max_k");
    PBY_REFUSED(2, "--k '3'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1", "--k", "3");
    PBY_REFUSED(2, "--q '1/3'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1", "--q",
                "1/3");
    PBY_REFUSED(2, "--gamma '0'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1",
                "--gamma", "0");
    PBY_REFUSED(2, "SPEC 'geometric'", NULL, "accuracy", "geometric:eps=1", "--n", "9", "--support", "1");
    PBY_REFUSED(2, "SPEC", NULL, "accuracy", "2*stlap:eps=1,q=3", "--n", "9", "--support", "1");
    PBY_REFUSED(2, "expected two files", NULL, "accuracy", "--between", "a.csv");
    PBY_REFUSED(2, "--n '9'", NULL, "accuracy", "--between", "a.csv", "b.csv", "--n", "9");
    PBY_REFUSED(2, "--gamma '2'", NULL, "accuracy", "--between", "a.csv", "b.csv", "--gamma", "2");
    PBY_REFUSED(2, "--eta '-1'", NULL, "accuracy", "--between", "a.csv", "b.csv", "--eta", "-1");
}

Test(cli_accuracy, refuses_files_that_are_no_measures)
{
    static const struct {
        const char *text, *told;
    } rows[] = {{"0,1\n1;2\n", "line 2, column 1"}, {"0,1\n1,-2\n", "line 2, column 2"},
                {"0,1\n1,nan\n", "line 2, column 2"}, {"0,1\n 1,2\n", "line 2, column 1"},
                {"0,1\n\n", "line 2, column 1"},      {"0,1\n0x1,2\n", "line 2, column 1"},
                {"0,1,2\n", "line 1, column 2"},      {"0,0\n", "mass above 0"},
                {"", "mass above 0"},                 {"1/0,1\n", "line 1, column 1"}};
    char folder[PBY_PATH_SIZE], a[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(a, folder, "a.csv");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_write_file(a, rows[i].text);
        PBY_REFUSED(2, rows[i].told, NULL, "accuracy", "--between", a, a);
    }
    pby_folder_remove(folder);
}
