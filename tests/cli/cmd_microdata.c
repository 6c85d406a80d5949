/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "tests/cli/run.h"

Test(cli_microdata, weights_of_a_release)
{
    static const char release[] = "town,count\n\"a,b\",5\nc,-3\nd,2\ntotal,6\n";
    const pby_run *run = PBY_RUN(release, "microdata", "weights");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->out, "town,weight\n\"a,b\",4.5\nc,0\nd,1.5\n");
    run = PBY_RUN("a,5\nb,-3\nc,4\nd,4\ntotal,6\n", "microdata", "weights", "-", "--json");
    cr_assert_str_eq(run->out,
                     "{\"total\": 6, \"level\": \"7/3\", \"positive\": 3, \"weights\": [{\"key\": \"a\", "
                     "\"weight\": \"8/3\"}, {\"key\": \"b\", \"weight\": \"0\"}, {\"key\": \"c\", "
                     "\"weight\": \"5/3\"}, {\"key\": \"d\", \"weight\": \"5/3\"}]}\n");
    cr_assert_str_eq(PBY_RUN("a,5\ntotal,-1\n", "microdata", "weights")->out, "a,0\n");
}

Test(cli_microdata, errors)
{
    const pby_run *run =
        PBY_RUN(NULL, "microdata", "error", "microdata:eps=1", "--bars", "1000", "--digits", "4");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert(strstr(run->out, "\ntotal       [7.835, 7.836]  ") != NULL, "%s", run->out);
    cr_assert(strstr(run->out, "\nbar         [1038, 1039]  ") != NULL, "%s", run->out);
    cr_assert(strstr(run->out, "\nleast       [0.1527, 0.1528]  ") != NULL, "%s", run->out);
    cr_assert(strstr(run->out, "\nclipped     [1.841, 1.842]  ") != NULL, "%s", run->out);
    run = PBY_RUN(NULL, "microdata", "error", "tmicrodata:eps=1,bound=9", "--bars", "3", "--json");
    cr_assert(strstr(run->out, "\"least\"") != NULL && strstr(run->out, "clipped") == NULL, "%s", run->out);
    run = PBY_RUN(NULL, "microdata", "error", "gmicrodata:sigma2=9", "--bars", "3", "--json");
    cr_assert(strstr(run->out, "least") == NULL && strstr(run->out, "\"clipped_total\"") != NULL, "%s",
              run->out);
}

Test(cli_microdata, refusals)
{
    PBY_REFUSED(2, "microdata: expected weights or error", NULL, "microdata");
    PBY_REFUSED(2, "microdata 'wait': expected weights or error", NULL, "microdata", "wait");
    PBY_REFUSED(2, "microdata error: expected --bars M", NULL, "microdata", "error", "microdata:eps=1");
    PBY_REFUSED(2, "--bars '0': expected", NULL, "microdata", "error", "microdata:eps=1", "--bars", "0");
    PBY_REFUSED(2, "--bars '3': expected it with error alone", "a,1\n", "microdata", "weights", "--bars",
                "3");
    PBY_REFUSED(2, "expected rows KEY,COUNT and behind them total,COUNT", "a,1\nb,2\n", "microdata",
                "weights");
    PBY_REFUSED(2, "expected rows KEY,COUNT and behind them total,COUNT", "total,2\n", "microdata",
                "weights");
    PBY_REFUSED(2, "line 2, column 2", "a,1\nb,x\ntotal,1\n", "microdata", "weights");
    PBY_REFUSED(2, "a total beside its bars", NULL, "microdata", "error", "geometric:eps=1", "--bars", "3");
}
