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
             "function    histogram\n"
             "distortion  drop\n"
             "bar loss    40\n"
             "accuracy    (alpha, beta, gamma)\n"
             "beta        how far records move, in the maximum norm\n"
             "bucketing   (0, 0.25, 0)\n"
             "release     (0.04, 0.25, 0)  sigma(0.04) = 0.04, tau(0.25, 0) = 0.25\n"
             "claimed     0.04  alpha as threshold times support over n\n"
             "max         (0.04, 0.25, 0)  sigma(0) = 0, tau(0.25, 0) = 0.25\n"
             "range       (0.04, 0.5, 0)  sigma(0) = 0, tau(0.25, 0) = 0.5\n"
             "max_k       (0.04, inf, 0)  sigma(0) = 0, tau(0.25, 0) = inf\n"
             "drop-move   (37/300, 0, 0)\n",
             "stlap:eps=1/2,q=40", "--n", "3000", "--support", "3", "--width", "1/2", "--statistic",
             "max,range,max_k", "--k", "500", "--eta", "1/3");
    ACCURACY("{\"spec\": \"stlap:eps=1,q=3/5\", \"n\": 1, \"support\": 1, \"width\": \"0\", "
             "\"function\": \"histogram\", \"distortion\": \"drop\", "
             "\"metric\": \"how far records move, in the maximum norm\", "
             "\"bar_loss\": 1, \"release\": {\"alpha\": \"1\", \"beta\": \"0\", \"gamma\": \"0\"}, "
             "\"claimed\": "
             "{\"alpha\": \"0.6\", \"source\": \"threshold times support over n\"}, "
             "\"statistics\": {\"median\": "
             "{\"alpha\": \"1\", \"beta\": \"0\", \"gamma\": \"0\", \"sigma\": \"0\", \"tau\": \"0\"}}}\n",
             "stlap:eps=1,q=0.6", "--n=1", "--support=1", "--statistic=median", "--json");
}

Test(cli_accuracy, of_hidden_bars)
{
    ACCURACY("mechanism   partition:eps=1,delta=1/5\n"
             "function    support\n"
             "distortion  drop\n"
             "bar loss    3\n"
             "accuracy    (alpha, beta, gamma)\n"
             "beta        how far records move, in the maximum norm\n"
             "release     (0.06, 0, 0)\n"
             "max         (0.06, 0, 0)  sigma(0) = 0, tau(0, 0) = 0\n",
             "partition:eps=1,delta=1/5", "--n", "100", "--support", "3", "--statistic", "max");
}

Test(cli_accuracy, of_noise_and_thresholds)
{
    ACCURACY("mechanism   geometric:eps=1\n"
             "function    histogram\n"
             "distortion  drop\n"
             "accuracy    (alpha, beta, gamma)\n"
             "beta        the greatest difference of a count\n"
             "chance      [0.0036, 0.0037]  the chance that some bar's noise goes farther\n"
             "release     (0, 5, 0.0037)\n"
             "mode        (0, inf, 0.0037)  sigma(0) = 0, tau(5, 0.0037) = inf\n",
             "geometric:eps=1", "--beta", "5", "--digits", "2", "--statistic", "mode");
    ACCURACY("mechanism   threshold:eps=1,T=20 stlap:eps=1/2,q=40\n"
             "function    histogram\n"
             "distortion  drop\n"
             "accuracy    (alpha, beta, gamma)\n"
             "beta        the greatest difference of a count\n"
             "lost        [8.22e-07, 8.23e-07]  the chance that a bar is hidden whose noise went farther\n"
             "chance      [8.22e-07, 8.23e-07]  the chance that some bar's noise goes farther\n"
             "kept        (0.034, 0, 8.23e-07)\n"
             "release     (0.04, 0, 8.23e-07)\n"
             "median      (0.04, 0, 8.23e-07)  sigma(0) = 0, tau(0, 8.23e-07) = 0\n",
             "threshold:eps=1,T=20", "stlap:eps=1/2,q=40", "--n", "10000", "--support", "10", "--gamma", "1e-6",
             "--digits", "3", "--statistic", "median");
    ACCURACY("{\"spec\": \"threshold:eps=1,T=20\", \"n\": 10000, \"support\": 10, \"width\": \"0\", "
             "\"function\": \"histogram\", \"distortion\": \"drop\", \"metric\": \"the greatest difference of a count\", "
             "\"lost\": {\"lo\": \"3e-07\", \"hi\": \"3.1e-07\"}, \"chance\": {\"lo\": \"6e-07\", \"hi\": \"6.1e-07\"}, "
             "\"kept\": {\"alpha\": \"0.035\", \"beta\": \"0\", \"gamma\": \"3.1e-07\"}, "
             "\"release\": {\"alpha\": \"0.019\", \"beta\": \"16\", \"gamma\": \"6.1e-07\"}, \"statistics\": "
             "{\"max\": {\"alpha\": \"0.035\", \"beta\": \"0\", \"gamma\": \"3.1e-07\", \"sigma\": \"0\", \"tau\": \"0\"}, "
             "\"mode\": {\"alpha\": \"0.019\", \"beta\": \"inf\", \"gamma\": \"6.1e-07\", \"sigma\": \"0\", "
             "\"tau\": \"inf\"}}}\n",
             "threshold:eps=1,T=20", "--n", "10000", "--support", "10", "--gamma", "1e-6", "--digits", "1",
             "--statistic", "max,mode", "--json");
}

/* Points (0.1, 9.2) and (0.9, 0.2): the cube that is last in order is not that of the point that is. */
/* A chance is none above 1, and gamma can be read again however small it is. */
Test(cli_accuracy, of_noise_that_is_all_but_sure_to_go_farther_or_not_to)
{
    ACCURACY("mechanism   geometric:eps=1\n"
             "function    histogram\n"
             "distortion  drop\n"
             "accuracy    (alpha, beta, gamma)\n"
             "beta        the greatest difference of a count\n"
             "chance      [0.999999999, 1]  the chance that some bar's noise goes farther\n"
             "release     (0, 0, 1)\n"
             "mode        (0, 0, 1)  sigma(0) = 0, tau(0, 1) = 0\n",
             "geometric:eps=1", "--beta", "0", "--support", "2147483647", "--statistic", "mode");
    ACCURACY("mechanism   geometric:eps=1\n"
             "function    histogram\n"
             "distortion  drop\n"
             "accuracy    (alpha, beta, gamma)\n"
             "beta        the greatest difference of a count\n"
             "chance      [4.63390778e-10001, 4.63390779e-10001]  the chance that some bar's noise goes farther\n"
             "release     (0, 23026, 2e-10000)\n"
             "mode        (0, inf, 2e-10000)  sigma(0) = 0, tau(23026, 2e-10000) = inf\n",
             "geometric:eps=1", "--beta", "23026", "--statistic", "mode");
}

Test(cli_accuracy, points_of_several_coordinates_have_no_order)
{
#define PLANE "buckethist:eps=1,q=3,bound=10,width=1,dimension=2"
    ACCURACY("mechanism   " PLANE "\n"
             "function    histogram\n"
             "distortion  drop\n"
             "bar loss    3\n"
             "accuracy    (alpha, beta, gamma)\n"
             "beta        how far records move, in the maximum norm\n"
             "bucketing   (0, 0.5, 0)\n"
             "release     (0.006, 0.5, 0)  sigma(0.006) = 0.006, tau(0.5, 0) = 0.5\n"
             "claimed     0.006  alpha as threshold times support over n\n"
             "support     (0.006, 0.5, 0)  sigma(0) = 0, tau(0.5, 0) = 0.5\n"
             "mode        (0.006, inf, 0)  sigma(0) = 0, tau(0.5, 0) = inf\n",
             PLANE, "--n", "1000", "--support", "2");
    PBY_REFUSED(2, "statistic 'max': expected support or mode", NULL, "accuracy", PLANE, "--n", "1000", "--support", "2",
                "--statistic", "max");
    PBY_REFUSED(2, "statistic 'max': expected support or mode", "0.1,9.2\n0.9,0.2\n", "release", PLANE, "--statistic",
                "max");
    cr_assert_eq(PBY_RUN("0.1,9.2\n0.9,0.2\n", "release", PLANE, "--statistic", "mode")->status, 0);
#undef PLANE
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
    pby_write_file(a, "\"0\",3\n1.5,\"1\"\n2,-7\n");
    pby_write_file(b, "\"0\",0\n1.5,-2\n");
    ACCURACY("gamma       0\nlossy       none\nvariation   none\ndrop        1\nmove        inf\neta         2\n"
             "drop-move   1\n",
             "--between", a, b, "--eta", "2");
    ACCURACY("{\"gamma\": \"0\", \"lossy\": null, \"variation\": null, \"drop\": \"0\", \"move\": \"0\"}\n", "--between",
             b, b, "--json");
    ACCURACY("gamma       0\nlossy       none\nvariation   none\ndrop        inf\nmove        inf\n", "--between", b, a);
    PBY_REFUSED(2, "b.csv: mass '0': expected one above 0 for --gamma", NULL, "accuracy", "--between", a, b, "--gamma",
                "1/2");
    PBY_REFUSED(2, "b.csv: mass '0': expected one above 0 for --average", NULL, "accuracy", "--between", b, a,
                "--average");
    pby_folder_remove(folder);
}

Test(cli_accuracy, refusals)
{
    PBY_REFUSED(2, "expected --n and --support", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "10");
    PBY_REFUSED(2, "--n '0'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "0", "--support", "1");
    PBY_REFUSED(2, "--support '-1'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "-1");
    PBY_REFUSED(2, "--width '-1'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1",
                "--width", "-1");
    PBY_REFUSED(2, "width '2': expected it in the SPEC alone", NULL, "accuracy", "buckethist:eps=1,q=5,bound=10,width=1",
                "--n", "9", "--support", "1", "--width", "2");
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
    PBY_REFUSED(2, "--beta '1'", NULL, "accuracy", "partition:eps=1,delta=1/5", "--n", "9", "--support", "1",
                "--beta", "1");
    PBY_REFUSED(2, "support '11': expected at most the 10 bars", NULL, "accuracy",
                "buckethist:eps=1,q=3,bound=10,width=1", "--n", "9", "--support", "11");
    PBY_REFUSED(2, "statistic 'mode'", NULL, "accuracy", "partition:eps=1,delta=1/5", "--n", "9", "--support", "1",
                "--statistic", "mode");
    PBY_REFUSED(2, "beta: expected this or gamma", NULL, "accuracy", "geometric:eps=1");
    PBY_REFUSED(2, "--gamma '2'", NULL, "accuracy", "geometric:eps=1", "--gamma", "2");
    PBY_REFUSED(2, "gamma '0': expected one above 0", NULL, "accuracy", "geometric:eps=1", "--gamma", "0");
    PBY_REFUSED(2, "--beta '-1'", NULL, "accuracy", "geometric:eps=1", "--beta", "-1");
    PBY_REFUSED(2, "--gamma", NULL, "accuracy", "geometric:eps=1", "--beta", "1", "--gamma", "1/2");
    PBY_REFUSED(2, "--width '1'", NULL, "accuracy", "geometric:eps=1", "--beta", "1", "--width", "1");
    PBY_REFUSED(2, "--eta '1'", NULL, "accuracy", "geometric:eps=1", "--beta", "1", "--eta", "1");
    PBY_REFUSED(2, "expected --n and --support", NULL, "accuracy", "threshold:eps=1,T=9", "--beta", "1");
    PBY_REFUSED(2, "SPEC 'range'", NULL, "accuracy", "threshold:eps=1,T=9", "range:eps=1,L=3", "--beta", "1", "--n",
                "9", "--support", "1");
    PBY_REFUSED(2, "SPEC 'pure'", NULL, "accuracy", "pure:eps=1", "--n", "9", "--support", "1");
    PBY_REFUSED(2, "expected a SPEC", NULL, "accuracy", "--n", "9");
    PBY_REFUSED(2, "--beta '1'", NULL, "accuracy", "--between", "a.csv", "b.csv", "--beta", "1");
    PBY_REFUSED(2, "SPEC", NULL, "accuracy", "2*stlap:eps=1,q=3", "--n", "9", "--support", "1");
    PBY_REFUSED(2, "expected two files", NULL, "accuracy", "--between", "a.csv");
    PBY_REFUSED(2, "--n '9'", NULL, "accuracy", "--between", "a.csv", "b.csv", "--n", "9");
    PBY_REFUSED(2, "--gamma '2'", NULL, "accuracy", "--between", "a.csv", "b.csv", "--gamma", "2");
    PBY_REFUSED(2, "--eta '-1'", NULL, "accuracy", "--between", "a.csv", "b.csv", "--eta", "-1");
}

Test(cli_accuracy, refuses_files_that_are_no_measures)
{
    PBY_REFUSED(2, "--between '-': expected standard input once", "1,2\n", "accuracy", "--between", "-", "-");
    static const struct {
        const char *text, *told;
    } rows[] = {{"0,1\n1;2\n", "line 2, column 1"}, {"0,1\n1,-1/2\n", "line 2, column 2"},
                {"0,1\n1,nan\n", "line 2, column 2"}, {"0,1\n 1,2\n", "line 2, column 1"},
                {"0,1\n\n", "line 2, column 1"},      {"0,1\n0x1,2\n", "line 2, column 1"},
                {"0,1,2\n", "line 1, column 2"},      {"\"0,1\n", "line 1, column 1"},
                {"\"0\"\"\",1\n", "line 1, column 1"}, {"1/0,1\n", "line 1, column 1"}};
    char folder[PBY_PATH_SIZE], a[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(a, folder, "a.csv");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_write_file(a, rows[i].text);
        PBY_REFUSED(2, rows[i].told, NULL, "accuracy", "--between", a, a);
    }
    pby_folder_remove(folder);
}
