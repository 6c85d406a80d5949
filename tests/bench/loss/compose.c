/* SPDX-License-Identifier: MIT */
/* Compositions timed: one line a row, "spec <tab> delta <tab> lower <tab> upper <tab> seconds". Each row is
 * the median of RUNS runs, from the text of the spec to the enclosure. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "probity/rational.h"

enum { RUNS = 3, DIGITS = 6 };

static const char *const rows[][2] = {
    /* beside a peer */
    {"laplace:scale=1", "1e-6"},
    {"100*laplace:scale=10", "1e-6"},
    {"10000*laplace:scale=100", "1e-6"},
    {"gauss:sigma2=1", "1e-6"},
    {"100*gauss:sigma2=100", "1e-6"},
    {"10000*gauss:sigma2=10000", "1e-6"},
    {"dgauss:sigma2=1", "1e-6"},
    {"100*dgauss:sigma2=100", "1e-6"},
    {"10000*dgauss:sigma2=10000", "1e-6"},
    /* growth in the number of uses */
    {"1000*laplace:scale=30", "1e-6"},
    {"100000*laplace:scale=300", "1e-6"},
    {"1000000*laplace:scale=1000", "1e-6"},
    {"10000000*laplace:scale=3000", "1e-6"},
    /* growth in the size of delta */
    {"10000*laplace:scale=100", "1e-12"},
    {"10000*laplace:scale=100", "1e-30"},
    {"10000*laplace:scale=100", "1e-100"},
    {"10000*laplace:scale=100", "1e-300"},
    /* mixtures, and laws without a common lattice */
    {"10000*gauss:sigma2=4,sample=1/100", "1e-6"},
    {"2249*gauss:sigma2=9/4,sample=1/25", "1e-5"},
    {"100000*gauss:sigma2=4,sample=1/1000", "1e-12"},
    {"50000*gauss:sigma2=1/2,sample=1/5000", "1e-7"},
    {"20000*gauss:sigma2=9/25,sample=1/10000", "1e-6"},
    {"3515*gauss:sigma2=169/100,sample=8/1875", "1e-5"},
    {"14062*gauss:sigma2=121/100,sample=8/1875", "1e-5"},
    {"2468*gauss:sigma2=9,sample=256/3125", "1e-5"},
    {"71589*gauss:sigma2=25/4,sample=16384/1281167", "8e-7"},
    {"1000000*gauss:sigma2=16,sample=1/1000", "1e-7"},
    /* random allocation, for which the peer has none */
    {"gauss:sigma2=1,allocate=100", "1e-5"},
    {"90*gauss:sigma2=9/4,allocate=25", "1e-5"},
    /* others */
    {"100*stlap:eps=1/10,q=400", "1e-5"},
    {"1000*dgauss:sigma2=1000 3*gauss:sigma2=3", "1e-9"},
    {"100*geometric:eps=1/10 1000*dgauss:sigma2=1000 20*laplace:scale=7", "1e-9"},
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Splits at spaces, in place. */
static size_t words(char *text, const char *word[8])
{
    size_t n = 0;
    for (char *at = text; n < 8; at++) {
        word[n++] = at;
        while (*at != ' ' && *at != '\0')
            at++;
        if (*at == '\0')
            break;
        *at = '\0';
    }
    return n;
}

static pby_status run(pby_enclosure *epsilon, const char *text, const char *delta, pby_error *err)
{
    char copy[256];
    const char *word[8];
    pby_spec *spec = NULL;
    mpq_t level;
    mpq_init(level);
    snprintf(copy, sizeof copy, "%s", text);
    pby_status status = pby_rational_parse(level, "delta", delta, err);
    if (status == PBY_OK)
        status = pby_spec_parse(&spec, word, words(copy, word), err);
    if (status == PBY_OK)
        status = pby_loss_epsilon(epsilon, spec, PBY_ADD_REMOVE, level, DIGITS, err);
    pby_spec_free(spec);
    mpq_clear(level);
    return status;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    pby_enclosure epsilon;
    pby_error err;
    pby_enclosure_init(&epsilon);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double taken[RUNS];
        for (int r = 0; r < RUNS; r++) {
            const double start = seconds();
            if (run(&epsilon, rows[i][0], rows[i][1], &err) != PBY_OK) {
                fprintf(stderr, "%s: %s\n", rows[i][0], err.text);
                return EXIT_FAILURE;
            }
            taken[r] = seconds() - start;
        }
        char lower[PBY_DECIMAL_SIZE], upper[PBY_DECIMAL_SIZE];
        qsort(taken, RUNS, sizeof *taken, ascending);
        pby_decimal(lower, epsilon.lo, DIGITS, true);
        pby_decimal(upper, epsilon.hi, DIGITS, false);
        printf("%s\t%s\t%s\t%s\t%.4f\n", rows[i][0], rows[i][1], lower, upper, taken[RUNS / 2]);
        fflush(stdout);
    }
    pby_enclosure_clear(&epsilon);
    return 0;
}
