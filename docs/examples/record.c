/* SPDX-License-Identifier: MIT */
/* A mean whose noise is scaled by the number of records, recorded and judged on two neighbouring inputs. A C
 * program has no probe: 2000 more runs on each input are counted.
 *
 *     cc -std=c11 $(pkg-config --cflags probity) record.c $(pkg-config --libs probity) -lm -o record
 *
 * It prints:
 *     as it is: violation
 *     with noise for a public number of records: consistent
 */
#define _XOPEN_SOURCE 700
#define PROBITY_RECORD

#include <math.h>
#include <probity.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { RUNS = 16, COUNTED = 2000 };

static double laplace_noise(double scale)
{
    const double u = drand48() - 0.5;
    return (u < 0 ? scale : -scale) * log1p(-2 * fabs(u));
}

/* The mean of n values from 0 to 10; `size` is the number of records that the noise is made for. */
static void publish_mean(const double *x, int n, int size)
{
    double total = 0;
    for (int i = 0; i < n; i++)
        total += fmin(fmax(x[i], 0), 10);
    PBY_OUTPUT("$", PBY_ADD("laplace", 10.0 / size, total / size, laplace_noise(10.0 / size)));
    pby_record_end(); /* at the end of a program this happens by itself */
}

static void run(int n, int size, const char *trace, const char *replay, int number)
{
    static const double x[2] = {10, 10};
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv("PROBITY_RUN", text, 1);
    setenv("PROBITY_TRACE", trace, 1);
    if (replay != NULL)
        setenv("PROBITY_REPLAY", replay, 1);
    else
        unsetenv("PROBITY_REPLAY");
    publish_mean(x, n, size);
}

/* Judges two records and the first of them; size 0 stands for their number. */
static const char *judged(int size)
{
    static const char *const names[] = {"consistent", "violation", "inconclusive"};
    const pby_trace_options options = {.epsilon = "1", .runs = RUNS, .form = PBY_REPORT_JSON};
    pby_trace_verdict verdict;
    char *text = NULL;
    pby_error err = PBY_NO_ERROR;
    for (int j = 0; j < RUNS + COUNTED; j++) {
        run(2, size == 0 ? 2 : size, "left.trace", NULL, j);
        run(1, size == 0 ? 1 : size, "right.trace", j < RUNS ? "left.trace" : NULL, j);
    }
    const pby_status status = pby_trace_judge(&text, &verdict, "left.trace", "right.trace", &options, &err);
    free(text);
    unlink("left.trace");
    unlink("right.trace");
    return status == PBY_OK ? names[verdict] : "not judged";
}

int main(void)
{
    printf("as it is: %s\n", judged(0));
    printf("with noise for a public number of records: %s\n", judged(2));
    return 0;
}
