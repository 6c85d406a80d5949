/* SPDX-License-Identifier: MIT */
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
             "max         (2/75, 0.25, 0)  sigma(0) = 0, tau(0.25, 0) = 0.25\n"
             "range       (2/75, 0.5, 0)  sigma(0) = 0, tau(0.25, 0) = 0.5\n"
             "median      (0.04, 0.25, 0)  sigma(0) = 0, tau(0.25, 0) = 0.25  alpha at most\n"
             "max_k       none known: records that move may meet in one bar; --eta charges for that\n"
             "drop-move   (37/300, 0, 0)\n",
             "stlap:eps=1/2,q=40", "--n", "3000", "--support", "3", "--bucket", "1/2", "--statistic",
             "max,range,median,max_k", "--k", "500", "--eta", "1/3");
    ACCURACY("{\"spec\": \"stlap:eps=1,q=3/5\", \"n\": 1, \"support\": 1, \"width\": \"0\", "
             "\"function\": \"histogram\", \"distortion\": \"drop\", "
             "\"metric\": \"how far records move, in the maximum norm\", "
             "\"bar_loss\": 1, \"release\": {\"alpha\": \"1\", \"beta\": \"0\", \"gamma\": \"0\"}, "
             "\"claimed\": "
             "{\"alpha\": \"0.6\", \"source\": \"threshold times support over n\"}, "
             "\"statistics\": {\"median\": "
             "{\"alpha\": \"1\", \"beta\": \"0\", \"gamma\": \"0\", \"least\": false, \"sigma\": \"0\", "
             "\"sigma_at\": \"0\", \"tau\": \"0\", \"tau_at\": {\"beta\": \"0\", \"gamma\": \"0\"}}}}\n",
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
             "chance      [0.0072, 0.0073]  the chance that some bar's noise goes farther\n"
             "release     (0, 5, 0.0073)\n"
             "mode        (0.1, 0, 0.0073)  alpha at most\n"
             "max         none known: a bar may come out that has too few records, or none\n",
             "geometric:eps=1", "--beta", "5", "--digits", "2", "--n", "100", "--support", "2", "--statistic",
             "mode,max");
    ACCURACY("mechanism   threshold:eps=1,T=20 stlap:eps=1/2,q=40\n"
             "function    histogram\n"
             "distortion  drop\n"
             "accuracy    (alpha, beta, gamma)\n"
             "beta        the greatest difference of a count\n"
             "lost        [8.22e-07, 8.23e-07]  the chance that a bar is hidden whose noise went farther\n"
             "chance      [8.22e-07, 8.23e-07]  the chance that some bar's noise goes farther\n"
             "kept        (0.0306, 0, 8.23e-07)\n"
             "release     (0.04, 0, 8.23e-07)\n"
             "median      (0.04, 0, 8.23e-07)  alpha at most\n"
             "max         (0.036, 0, 8.23e-07)\n",
             "threshold:eps=1,T=20", "stlap:eps=1/2,q=40", "--records", "10000", "--support", "10", "--gamma",
             "1e-6", "--digits", "3", "--statistic", "median,max");
    ACCURACY(
        "{\"spec\": \"threshold:eps=1,T=20\", \"n\": 10000, \"support\": 10, "
        "\"function\": \"histogram\", \"distortion\": \"drop\", \"metric\": \"the greatest difference of a "
        "count\", "
        "\"lost\": {\"lo\": \"3e-07\", \"hi\": \"3.1e-07\"}, \"chance\": {\"lo\": \"6e-07\", \"hi\": "
        "\"6.1e-07\"}, "
        "\"kept\": {\"alpha\": \"0.0315\", \"beta\": \"0\", \"gamma\": \"3.1e-07\"}, "
        "\"release\": {\"alpha\": \"0.0171\", \"beta\": \"16\", \"gamma\": \"6.1e-07\"}, \"statistics\": "
        "{\"max\": {\"alpha\": \"0.0315\", \"beta\": \"0\", \"gamma\": \"3.1e-07\", \"least\": true}, "
        "\"mode\": {\"alpha\": \"0.0288\", \"beta\": \"0\", \"gamma\": \"6.1e-07\", \"least\": false}, "
        "\"quantile\": {\"q\": \"1/3\", \"alpha\": \"0.0576\", \"beta\": \"0\", \"gamma\": \"6.1e-07\", "
        "\"least\": false}, "
        "\"max_k\": {\"k\": \"5\", \"alpha\": null, \"beta\": null, \"gamma\": null, "
        "\"unknown\": \"a bar of fewer than k records may come out with k\"}}}\n",
        "threshold:eps=1,T=20", "--n=10000", "--support=10", "--gamma=1e-6", "--digits=1",
        "--statistic=max,mode,quantile,max_k", "--q=1/3", "--k=5", "--json");
}

/* One bar that has more records than can be hidden is not; and what no question was about is told all the
 * same. */
Test(cli_accuracy, of_one_bar_that_stays)
{
    ACCURACY("mechanism   threshold:eps=1,T=20\n"
             "function    histogram\n"
             "distortion  drop\n"
             "accuracy    (alpha, beta, gamma)\n"
             "beta        the greatest difference of a count\n"
             "lost        [0.0018, 0.0019]  the chance that a bar is hidden whose noise went farther\n"
             "chance      [0.0036, 0.0037]  the chance that some bar's noise goes farther\n"
             "kept        (0, 0, 0.0019)\n"
             "release     (0, 5, 0.0037)\n"
             "max         (0, 0, 0.0019)\n"
             "min         (0, 0, 0.0019)\n"
             "range       (0, 0, 0.0019)\n"
             "support     (0, 0, 0.0019)\n"
             "mode        (0, 0, 0.0037)\n"
             "median      (0, 0, 0.0037)\n",
             "threshold:eps=1,T=20", "--n", "3000", "--support", "1", "--beta", "5", "--digits", "2");
    ACCURACY("mechanism   stlap:eps=1/2,q=40\n"
             "function    histogram\n"
             "distortion  drop\n"
             "bar loss    40\n"
             "accuracy    (alpha, beta, gamma)\n"
             "beta        how far records move, in the maximum norm\n"
             "release     (1/75000000, 0, 0)\n"
             "claimed     1/75000000  alpha as threshold times support over n\n"
             "max         (0, 0, 0)  sigma(0) = 0, tau(0, 0) = 0\n",
             "stlap:eps=1/2,q=40", "--n", "3000000000", "--support", "1", "--statistic", "max");
}

Test(cli_accuracy, of_queries)
{
    ACCURACY("mechanism   laplace:scale=1/2,grid=1\n"
             "function    query\n"
             "distortion  drop\n"
             "accuracy    (alpha, beta, gamma)\n"
             "beta        the greatest difference of an answer\n"
             "chance      [0.1353, 0.1354]  the chance that some bar's noise goes farther\n"
             "release     (0, 1, 0.1354)\n",
             "laplace:scale=1/2,grid=1", "--gamma", "0.15", "--digits", "4");
    ACCURACY(
        "{\"spec\": \"dgauss:sigma2=4\", \"support\": 1, \"function\": \"query\", \"distortion\": \"drop\", "
        "\"metric\": \"the greatest difference of an answer\", \"chance\": {\"lo\": \"0\", \"hi\": "
        "\"1e-10000\"}, "
        "\"release\": {\"alpha\": \"0\", \"beta\": \"1000000000000000000\", \"gamma\": \"1e-10000\"}, "
        "\"statistics\": {}}\n",
        "dgauss:sigma2=4", "--beta", "1e18", "--json");
}

Test(cli_accuracy, json_says_what_was_taken)
{
    ACCURACY(
        "{\"spec\": \"buckethist:eps=1,q=3,bound=10,width=1\", \"n\": 100, \"support\": 3, \"width\": \"1\", "
        "\"function\": \"histogram\", \"distortion\": \"drop\", \"metric\": \"how far records move, in the "
        "maximum "
        "norm\", \"bar_loss\": 3, \"bucketing\": {\"alpha\": \"0\", \"beta\": \"0.5\", \"gamma\": \"0\"}, "
        "\"release\": {\"alpha\": \"0.09\", \"beta\": \"0.5\", \"gamma\": \"0\", \"sigma\": \"0.09\", "
        "\"sigma_at\": \"0.09\", \"tau\": \"0.5\", \"tau_at\": {\"beta\": \"0.5\", \"gamma\": \"0\"}}, "
        "\"claimed\": {\"alpha\": \"0.09\", \"source\": \"threshold times support over n\"}, \"statistics\": "
        "{"
        "\"mode\": {\"alpha\": null, \"beta\": null, \"gamma\": null, "
        "\"unknown\": \"records that move may meet in one bar; --eta charges for that\"}}, "
        "\"drop_move\": {\"eta\": \"0.5\", \"alpha\": \"0.34\", \"beta\": \"0\", \"gamma\": \"0\"}}\n",
        "buckethist:eps=1,q=3,bound=10,width=1", "--n", "100", "--support", "3", "--eta", "1/2",
        "--statistic", "mode", "--json");
}

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
             "mode        (0, 0, 1)\n",
             "geometric:eps=1", "--beta", "0", "--support", "2147483647", "--statistic", "mode");
    ACCURACY(
        "mechanism   geometric:eps=1\n"
        "function    histogram\n"
        "distortion  drop\n"
        "accuracy    (alpha, beta, gamma)\n"
        "beta        the greatest difference of a count\n"
        "chance      [0, 1e-10000]  the chance that some bar's noise goes farther\n"
        "release     (0, 23026, 1e-10000)\n"
        "mode        none known: it needs more records than beta, and than 2 beta for each bar but one\n",
        "geometric:eps=1", "--beta", "23026", "--support", "2", "--n", "46052", "--statistic", "mode");
}

/* Points (0.1, 9.2) and (0.9, 0.2): the cube that is last in order is not that of the point that is. */
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
             "support     (0.003, 0.5, 0)  sigma(0) = 0, tau(0.5, 0) = 0.5\n"
             "mode        none known: records that move may meet in one bar; --eta charges for that\n",
             PLANE, "--n", "1000", "--support", "2");
    PBY_REFUSED(2, "statistic 'max': expected support or mode", NULL, "accuracy", PLANE, "--n", "1000",
                "--support", "2", "--statistic", "max");
    PBY_REFUSED(2, "statistic 'max': expected support or mode", "0.1,9.2\n0.9,0.2\n", "release", PLANE,
                "--statistic", "max");
    cr_assert_eq(PBY_RUN("0.1,9.2\n0.9,0.2\n", "release", PLANE, "--statistic", "mode")->status, 0);
#undef PLANE
}

Test(cli_accuracy, refusals)
{
    PBY_REFUSED(2, "expected --n and --support", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "10");
    PBY_REFUSED(2, "--records", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--records", "9",
                "--support", "1");
    PBY_REFUSED(2, "--n '9': expected none", NULL, "accuracy", "dgauss:sigma2=4", "--beta", "1", "--n", "9");
    PBY_REFUSED(2, "--beta '1': expected it without --average", NULL, "accuracy", "geometric:eps=1", "--beta",
                "1", "--average");
    PBY_REFUSED(2, "--beta '1e30': expected at most 1e18", NULL, "accuracy", "geometric:eps=1", "--beta",
                "1e30");
    PBY_REFUSED(2, "--statistic 'max': expected each name once", NULL, "accuracy", "stlap:eps=1,q=3", "--n",
                "9", "--support", "1", "--statistic", "max,min,max");
    PBY_REFUSED(2, "statistic 'max': expected none: this mechanism answers a query", NULL, "accuracy",
                "dgauss:sigma2=4", "--beta", "1", "--statistic", "max");
    PBY_REFUSED(2, "--n '0'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "0", "--support", "1");
    PBY_REFUSED(2, "--support '-1'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "-1");
    PBY_REFUSED(2, "option '--width': expected --bucket", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9",
                "--support", "1", "--width=1");
    PBY_REFUSED(2, "--bucket '-1'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1",
                "--bucket", "-1");
    PBY_REFUSED(2, "width '2': expected it in the SPEC alone", NULL, "accuracy",
                "buckethist:eps=1,q=5,bound=10,width=1", "--n", "9", "--support", "1", "--bucket", "2");
    PBY_REFUSED(2, "statistic 'mean'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1",
                "--statistic", "max,mean");
    PBY_REFUSED(2, "k: expected", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1",
                "--statistic", "max_k");
    PBY_REFUSED(2, "--k '3'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1", "--k", "3");
    PBY_REFUSED(2, "--q '1/3'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1", "--q",
                "1/3");
    PBY_REFUSED(2, "--gamma '0'", NULL, "accuracy", "stlap:eps=1,q=3", "--n", "9", "--support", "1",
                "--gamma", "0");
    PBY_REFUSED(2, "--beta '1'", NULL, "accuracy", "partition:eps=1,delta=1/5", "--n", "9", "--support", "1",
                "--beta", "1");
    PBY_REFUSED(2, "support '11': expected at most the 10 bars", NULL, "accuracy",
                "buckethist:eps=1,q=3,bound=10,width=1", "--n", "9", "--support", "11");
    PBY_REFUSED(2, "statistic 'mode'", NULL, "accuracy", "partition:eps=1,delta=1/5", "--n", "9", "--support",
                "1", "--statistic", "mode");
    PBY_REFUSED(2, "--beta: expected this or --gamma", NULL, "accuracy", "geometric:eps=1");
    PBY_REFUSED(2, "--gamma '2'", NULL, "accuracy", "geometric:eps=1", "--gamma", "2");
    PBY_REFUSED(2, "gamma '0': expected one above 0", NULL, "accuracy", "geometric:eps=1", "--gamma", "0");
    PBY_REFUSED(2, "--beta '-1'", NULL, "accuracy", "geometric:eps=1", "--beta", "-1");
    PBY_REFUSED(2, "--gamma", NULL, "accuracy", "geometric:eps=1", "--beta", "1", "--gamma", "1/2");
    PBY_REFUSED(2, "--bucket '1'", NULL, "accuracy", "geometric:eps=1", "--beta", "1", "--bucket", "1");
    PBY_REFUSED(2, "--eta '1'", NULL, "accuracy", "geometric:eps=1", "--beta", "1", "--eta", "1");
    PBY_REFUSED(2, "expected --n and --support", NULL, "accuracy", "threshold:eps=1,T=9", "--beta", "1");
    PBY_REFUSED(2, "a threshold in front of stlap with q, geometric, dgauss or range", NULL, "accuracy",
                "threshold:eps=1,T=9", "buckethist:eps=1,q=3,bound=9,width=1", "--beta", "1", "--n", "9",
                "--support", "1");
    PBY_REFUSED(2, "SPEC 'pure'", NULL, "accuracy", "pure:eps=1", "--n", "9", "--support", "1");
    PBY_REFUSED(2, "expected a SPEC", NULL, "accuracy", "--n", "9");
    PBY_REFUSED(2, "--beta '1'", NULL, "accuracy", "--between", "a.csv", "b.csv", "--beta", "1");
    PBY_REFUSED(2, "SPEC", NULL, "accuracy", "2*stlap:eps=1,q=3", "--n", "9", "--support", "1");
    PBY_REFUSED(2, "expected two files", NULL, "accuracy", "--between", "a.csv");
    PBY_REFUSED(2, "--n '9'", NULL, "accuracy", "--between", "a.csv", "b.csv", "--n", "9");
    PBY_REFUSED(2, "--gamma '2'", NULL, "accuracy", "--between", "a.csv", "b.csv", "--gamma", "2");
    PBY_REFUSED(2, "--eta '-1'", NULL, "accuracy", "--between", "a.csv", "b.csv", "--eta", "-1");
}

Test(accuracy_command, of_a_choice_and_of_reports)
{
    const pby_run *r = PBY_RUN(NULL, "accuracy", "exponential:eps=1", "--support", "100", "--beta", "30");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "function    best candidate\n"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "release     (0, 30, 3.02834127e-05)\n"), "%s", r->out);
    r = PBY_RUN(NULL, "accuracy", "rr:odds=3", "--n", "20", "--beta", "0.3");
    cr_assert_not_null(strstr(r->out, "truth       0.75  the chance that a report is true\n"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "chance      [0.117544171, 0.117544172]"), "%s", r->out);
    r = PBY_RUN(NULL, "accuracy", "noisymax:eps=1", "--support", "4", "--gamma", "1/100");
    cr_assert_not_null(strstr(r->out, "release     (0, 12, 0.00964468823)"), "%s%s", r->out, r->err);
    r = PBY_RUN(NULL, "accuracy", "noisymax:eps=1", "--support", "4", "--beta", "11.5");
    cr_assert_not_null(strstr(r->out, "[0.0147685941, "), "%s%s", r->out, r->err);
    PBY_REFUSED(2, "expected --support, how many candidates", NULL, "accuracy", "exponential:eps=1", "--beta",
                "3");
    PBY_REFUSED(2, "expected --n, how many users report", NULL, "accuracy", "rr:eps=1", "--beta", "1/10");
    PBY_REFUSED(2, "--beta: expected this or --gamma", NULL, "accuracy", "rr:eps=1", "--n", "9");
    PBY_REFUSED(2, "gamma '0': expected a rational above 0", NULL, "accuracy", "rr:eps=1", "--n", "9",
                "--gamma", "0");
    PBY_REFUSED(2, "releases no histogram", NULL, "accuracy", "rr:eps=1", "--n", "9", "--gamma", "1/9",
                "--statistic", "max");
    PBY_REFUSED(2, "expected --support, how many candidates", NULL, "certify", "exponential:eps=1",
                "--epsilon", "1", "--beta", "3");
    PBY_REFUSED(2, "expected --n, how many users report", NULL, "certify", "rr:eps=1", "--epsilon", "1",
                "--beta", "1/3");
}

Test(cli_accuracy, on_average)
{
    ACCURACY("mechanism   geometric:eps=1\n"
             "support     1\n"
             "gamma       0\n"
             "beta        [0.850918128, 0.850918129]  the least mean error, but for gamma\n",
             "geometric:eps=1", "--average");
    ACCURACY("{\"spec\": \"robust:rho=1,eps=1\", \"support\": 1, \"gamma\": \"0.5\", \"beta\": {\"lo\": "
             "\"0.3793\", \"hi\": \"0.3794\"}}\n",
             "robust:rho=1,eps=1", "--average", "--gamma", "1/2", "--digits", "4", "--json");
    PBY_REFUSED(2, "--n '5': expected none: this mean does not depend on the records", NULL, "accuracy",
                "geometric:eps=1", "--average", "--n", "5");
    ACCURACY("mechanism   rr:odds=3\n"
             "n           1\n"
             "gamma       0\n"
             "beta        [0.749999999, 0.750000001]  the least mean error, but for gamma\n",
             "rr:odds=3", "--average", "--n", "1");
    ACCURACY(
        "mechanism   noisymax:eps=1\n"
        "support     5\n"
        "gamma       0\n"
        "beta        [1.49153172, 3.11789829]  the greatest mean error, but for gamma, lies between these\n",
        "noisymax:eps=1", "--average", "--support", "5");
    PBY_REFUSED(2, "accuracy --average: expected --support, how many candidates there are, and no records",
                NULL, "accuracy", "exponential:eps=1", "--average");
}

/* [Robust] Theorem 5: distortions and means add up, and what is lost of the mass does. */
Test(cli_accuracy, one_mechanism_behind_another)
{
    ACCURACY("alpha       0.15\n"
             "beta        5\n"
             "gamma       0.03\n",
             "--then", "1/10,2,1/100", "0,3,1/50", "--sigma", "1/20", "--tau", "2");
    ACCURACY("alpha       inf\n"
             "beta        3\n"
             "gamma       1\n",
             "--then", "1/10,2,3/4", "0,3,1/2", "--sigma", "inf", "--tau", "0");
    PBY_REFUSED(2, "expected ALPHA,BETA,GAMMA, three numbers", NULL, "accuracy", "--then", "1,2", "0,3,1",
                "--sigma", "0", "--tau", "0");
    PBY_REFUSED(2, "expected a gamma from 0 to 1", NULL, "accuracy", "--then", "1,2,3", "0,3,1", "--sigma",
                "0", "--tau", "0");
    PBY_REFUSED(2, "expected --sigma and --tau", NULL, "accuracy", "--then", "1,2,0", "0,3,1");
    PBY_REFUSED(2, "expected it with --then", NULL, "accuracy", "geometric:eps=1", "--sigma", "0");
}

/* Ten coins of 1/10 are above 19/100 with two heads or more, 1 - 0.9^10 - 0.9^9, for which the printed bound
 * of [Survey] Theorem 2.2 has exp(-5.4). */
Test(cli_accuracy, tails_of_a_mean)
{
    ACCURACY(
        "mean        0.1\n"
        "n           10\n"
        "beta        0.09\n"
        "above       the mean is more than beta above its expectation\n"
        "  coins     [0.26390107, 0.263901071]  exactly, of coins\n"
        "  bound     [0.693431924, 0.693431925]  Hoe63/Theorem 1; exp(-n D), D the "
        "relative entropy: holds here\n"
        "  bound     [0.850441204, 0.850441205]  Survey/Theorem 2.1; exp(-2 n beta^2): holds here\n"
        "  bound     [0.763379494, 0.763379495]  Survey/Theorem 2.2: refuted as printed, corrected; exp(-n "
        "mean e^2/3), e = beta/mean: holds here\n"
        "  bound     [0.00451658094, 0.00451658095]  Survey/Theorem 2.2: refuted; exp(-2 n "
        "e^2/3): fails here\n"
        "below       the mean is more than beta below its expectation\n"
        "  coins     [0.34867844, 0.348678441]  exactly, of coins\n"
        "  bound     [0.490018432, 0.490018433]  Hoe63/Theorem 1; exp(-n D): holds here\n"
        "  bound     [0.850441204, 0.850441205]  Survey/Theorem 2.1; exp(-2 n beta^2): holds here\n"
        "  bound     [0.66697681, 0.666976811]  Survey/Theorem 2.2: refuted as printed, corrected; exp(-n "
        "mean e^2/2): holds here\n"
        "  bound     [0.000303539138, 0.000303539139]  Survey/Theorem 2.2: refuted; exp(-2 n "
        "e^2/2): fails here\n"
        "either      the mean is farther from its expectation than beta\n"
        "  coins     [0.61257951, 0.612579512]  exactly, of coins\n"
        "  bound     [1.7008824, 1.70088241]  Survey/Theorem 2.3: refuted as printed, of "
        "independent variables; 2 exp(-2 n beta^2): holds here\n",
        "--tails", "1/10", "--n", "10", "--beta", "9/100");
    const pby_run *r = PBY_RUN(NULL, "accuracy", "--tails", "1/2", "--records", "2", "--beta", "49/100",
                               "--digits", "2", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(
        strstr(r->out, "\"from\": \"Survey/Theorem 2.3: refuted as printed, of independent variables\", "
                       "\"here\": \"holds\", \"refuted\": false}]}}"),
        "%s", r->out);
    PBY_REFUSED(2, "--tails '1': expected an expectation, a rational above 0 and below 1", NULL, "accuracy",
                "--tails", "1", "--n", "3", "--beta", "1/2");
    PBY_REFUSED(2, "--tails 'half': expected a rational", NULL, "accuracy", "--tails", "half", "--n", "3",
                "--beta", "1/2");
    PBY_REFUSED(2, "--beta '0': expected how far the mean is off", NULL, "accuracy", "--tails", "1/2", "--n",
                "3", "--beta", "0");
    PBY_REFUSED(2, "--records '1e10': expected an integer from 1 to 1000000000", NULL, "accuracy", "--tails",
                "1/2", "--records", "1e10", "--beta", "1/9");
    PBY_REFUSED(2, "accuracy --tails: expected --n, how many variables", NULL, "accuracy", "--tails", "1/2",
                "--n", "3");
    PBY_REFUSED(2, "'geometric:eps=1': expected nothing beside --tails", NULL, "accuracy", "geometric:eps=1",
                "--tails", "1/2", "--n", "3", "--beta", "1/9");
    PBY_REFUSED(2, "--support '3': expected it without --tails", NULL, "accuracy", "--tails", "1/2", "--n",
                "3", "--beta", "1/9", "--support", "3");
}

/* On average N a^T/(1+a) of N zeros that get noise of ratio a pass, and none with a chance of (1 -
 * a^T/(1+a))^N. */
Test(cli_accuracy, what_passes_a_threshold)
{
    ACCURACY("mechanism   threshold:eps=1/10,T=323\n"
             "zeros       1000000000000\n"
             "passed      [0.00492527314, 0.00492527315]  how many of them pass on average\n"
             "none        [0.995086836, 0.995086837]  the chance that none does\n",
             "threshold:eps=1/10,T=323", "--zeros", "1000000000000");
    ACCURACY("{\"spec\": \"threshold:eps=1,T=20\", \"relative\": \"0.1\", "
             "\"chance\": {\"lo\": \"0.0989\", \"hi\": \"0.198\"}}\n",
             "threshold:eps=1,T=20", "--relative", "1/10", "--digits", "3", "--json");
    PBY_REFUSED(2, "--zeros '0': expected an integer from 1", NULL, "accuracy", "threshold:eps=1,T=20",
                "--zeros", "0");
    PBY_REFUSED(2, "--relative '0': expected a rational above 0", NULL, "accuracy", "threshold:eps=1,T=20",
                "--relative", "0");
    PBY_REFUSED(2, "expected one threshold", NULL, "accuracy", "geometric:eps=1", "--zeros", "10");
    PBY_REFUSED(2, "--support '3': expected it without --zeros or --relative", NULL, "accuracy",
                "threshold:eps=1,T=20", "--zeros", "10", "--support", "3");
}
