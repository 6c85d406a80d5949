/* SPDX-License-Identifier: MIT */
/* Releases of several uses: the layout of every form, and that the uses are drawn apart.
 *
 * The releases are unseeded. Where noise other than 0 has a chance below 1e-12 the output is known; elsewhere
 * a share of BARS independent bars is compared with its chance, and is off by more than NEAR with a chance of
 * at most 2 exp(-2 BARS NEAR^2), below 4e-11. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/run.h"

enum { BARS = 5000 };
#define NEAR 0.05

static char *input_of(int count)
{
    char *input = malloc(BARS * 16), *at = input;
    for (int i = 0; i < BARS; i++)
        at += sprintf(at, "k%04d,%d\n", i, count);
    return input;
}

/* The rows of a release of two uses into a file: in how many the first use has something, the second, both.
 */
struct shares {
    double first, second, both;
};

static struct shares count_rows(const char *path, unsigned columns)
{
    struct shares s = {0, 0, 0};
    char line[256];
    FILE *in = fopen(path, "r");
    while (fgets(line, sizeof line, in) != NULL) {
        const char *at = line;
        bool some[2] = {false, false};
        for (unsigned c = 0; c < 2 * columns; c++) {
            at = strchr(at, ',') + 1;
            some[c / columns] = *at != ',' && *at != '\n' && strcmp(at, "0\n") != 0 &&
                                strncmp(at, "0,", 2) != 0;
        }
        s.first += some[0] ? 1.0 / BARS : 0;
        s.second += some[1] ? 1.0 / BARS : 0;
        s.both += some[0] && some[1] ? 1.0 / BARS : 0;
    }
    fclose(in);
    return s;
}

/* A use publishes something of each bar with the chance p, and two uses with p^2. */
static void expect_apart(const char *spec, const char *input, unsigned columns, double p)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    const pby_run *r = PBY_RUN(input, "release", spec, "--quiet", "-o", path);
    cr_assert_eq(r->status, 0, "%s: %s", spec, r->err);
    const struct shares s = count_rows(path, columns);
    cr_assert_float_eq(s.first, p, NEAR, "%s: %g", spec, s.first);
    cr_assert_float_eq(s.second, p, NEAR, "%s: %g", spec, s.second);
    cr_assert_float_eq(s.both, p * p, NEAR, "%s: %g", spec, s.both);
    pby_folder_remove(folder);
}

/* A geometric noise X of rate 1 has P(X >= 0) = 1/(1 + 1/e) and P(|X| <= 1) = 1 - 2/(e (1 + e)). partition
 * passes a bar of one record with the chance delta, and of stlap with q=4 one of four keeps a record with the
 * chance that the noise is not below -3. */
Test(release_uses, every_use_is_drawn_anew)
{
    char *eight = input_of(8), *one = input_of(1);
    expect_apart("2*threshold:eps=1,T=8", eight, 1, 1 / (1 + exp(-1)));
    expect_apart("2*partition:eps=1,delta=3/10", one, 1, 0.3);
    expect_apart("2*range:eps=1,L=1", eight, 2, 1 - 2 * exp(-1) / (1 + M_E));
    free(eight);
    free(one);
}

Test(release_uses, of_points_too)
{
    char *input = malloc(BARS * 32), *at = input;
    for (int i = 0; i < BARS; i++)
        at += sprintf(at, "%d.25\n%d.5\n", i, i);
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    const char *const timing[] = {"--quiet", "--timing-safe"};
    for (size_t t = 0; t < 2; t++) {
        const pby_run *r =
            PBY_RUN(input, "release", "2*buckethist:eps=1,q=2,bound=5000,width=1", timing[t], "-o", path);
        cr_assert_eq(r->status, 0, "%s", r->err);
        const struct shares s = count_rows(path, 1);
        /* Some of two records remain unless the noise rounds to -2: the mass of z in [-2, -3/2), by stlap's
         * density with eps = 1 and q = 2. */
        const double p = 1 - (exp(0.5) - 1) / (2 * (exp(1) - 1));
        cr_assert_float_eq(s.first, p, NEAR, "%g %g", s.first, p);
        cr_assert_float_eq(s.second, p, NEAR, "%g", s.second);
        cr_assert_float_eq(s.both, p * p, NEAR, "%g", s.both);
    }
    pby_folder_remove(folder);
    free(input);
}

/* Every form where the noise is 0 but for a chance below 1e-12. A bar that passes in no use does not appear.
 */
Test(release_uses, layouts)
{
    static const char table[] = "k,n\nb,9\na,50\nc,7\n";
    const struct {
        const char *spec, *out;
    } cases[] = {
        {"2*threshold:eps=40,T=8", "key,count_1,count_2\na,50,50\nb,9,9\n"},
        {"3*partition:eps=40,delta=1e-50", "key,present_1,present_2,present_3\na,1,1,1\nb,1,1,1\nc,1,1,1\n"},
        {"2*range:eps=40,L=2", "k,low_1,high_1,low_2,high_2\nb,7,11,7,11\na,48,52,48,52\nc,5,9,5,9\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pby_run *r = PBY_RUN(table, "release", cases[i].spec);
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_str_eq(r->out, cases[i].out);
    }
    cr_assert_str_eq(PBY_RUN("b,7\n", "release", "2*threshold:eps=40,T=8")->out, "");
    cr_assert_str_eq(PBY_RUN("1\n1\n5\n5\n5\n", "release", "2*buckethist:eps=60,q=2,bound=10,width=2")->out,
                     "centre,count_1,count_2\n1,1,1\n5,2,2\n");
    const pby_run *r =
        PBY_RUN("1\n1\n", "release", "2*buckethist:eps=60,q=2,bound=10,width=2,dimension=1", "--json");
    cr_assert_not_null(
        strstr(r->out, "{\"release\": [{\"centre\": [\"1\"], \"count_1\": 1, \"count_2\": 1}], "), "%s",
        r->out);
}

Test(release_uses, refused)
{
    PBY_REFUSED(2, "up to 4096", "b,7\n", "release", "4097*threshold:eps=1,T=8");
    PBY_REFUSED(2, "up to 4096", "1\n", "release", "4097*buckethist:eps=1,q=2,bound=10,width=2");
    PBY_REFUSED(2, "a timing-safe release", "b,7\n", "release", "2*threshold:eps=1,T=8", "--timing-safe");
    PBY_REFUSED(2, "expected one use", "b,7\n", "release", "2*threshold:eps=1,T=8", "--statistic", "max");
    PBY_REFUSED(2, "up to 4096 of a mechanism that releases a histogram", "1\n", "release", "2*rr:eps=1");
}
