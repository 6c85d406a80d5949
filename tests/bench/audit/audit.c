/* How many outputs, and how many seconds, until a broken mechanism is caught; and what a hundredth of the
 * outputs that DP-Sniper was given shows. usage: audit [detect | table] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/audit/mechanisms.c"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* DP-Sniper's best epsilon on each, at nominal 0.1 and 200 million samples (Bichsel, Steffen, Bogunovic,
 * Vechev 2021); the outputs of both sides that are spent here, and over how many seeds the median is. */
static const struct {
    const char *name;
    double sniper;
    size_t samples;
    uint64_t seeds;
} rows[] = {{"noisy max 4", 0.353, 2000000, 3},      {"sparse vector 3", 0.182, 2000000, 3},
            {"sparse vector 3", 0.182, 20000000, 1}, {"sparse vector 5", 1.76, 2000000, 3},
            {"noisy histogram 2", 4.6, 2000000, 3},  {"floating laplace", 0.252, 2000000, 3}};

enum { SEEDS = 3 };

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void table(void)
{
    printf("%-20s %12s %10s %9s   %s\n", "mechanism", "samples", "epsilon >", "seconds",
           "DP-Sniper, 200000000 samples");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double shown[SEEDS] = {0};
        const double start = seconds();
        for (uint64_t seed = 0; seed < rows[i].seeds; seed++) {
            pby_verdict *v =
                specimen_judge(specimen_find(rows[i].name), "0.1", rows[i].samples / 2, "1e-6", seed + 1);
            shown[seed] = atof(pby_verdict_epsilon_lower(v));
            pby_verdict_free(v);
        }
        qsort(shown, rows[i].seeds, sizeof *shown, by_size);
        printf("%-20s %12zu %10.3f %9.1f   %g\n", rows[i].name, rows[i].samples, shown[rows[i].seeds / 2],
               (seconds() - start) / (double)rows[i].seeds, rows[i].sniper);
        fflush(stdout);
    }
}

enum { MOST = 8000000 };

/* Looks at growing sizes, each with its part of the error, as --sequential does. */
static void detect_one(const specimen *s)
{
    const double start = seconds();
    pby_audit *audit;
    specimen_random *random = specimen_random_new(2);
    mpq_t error, share, epsilon, delta;
    mpq_inits(error, share, epsilon, delta, NULL);
    mpq_set_ui(error, 1, 1000000);
    mpq_set_ui(epsilon, 1, 10);
    must(pby_audit_new(&audit, NULL));
    bool caught = false;
    uint64_t look = 1;
    for (size_t n = 1000; !caught && n <= MOST; n += (n + 1) / 2, look++) {
        pby_verdict *v;
        specimen_count(audit, s, 0.1, n - pby_audit_outputs(audit, PBY_LEFT), random);
        pby_audit_look_error(share, error, look);
        must(pby_audit_judge(&v, audit, epsilon, delta, share, NULL));
        caught = pby_verdict_violation(v);
        if (caught)
            printf("%-20s %12llu %10.6s %9.1f   %s\n", s->name,
                   2 * (unsigned long long)pby_audit_outputs(audit, PBY_LEFT), pby_verdict_epsilon_lower(v),
                   seconds() - start, pby_verdict_event(v));
        pby_verdict_free(v);
    }
    if (!caught)
        printf("%-20s not caught by %d outputs a side\n", s->name, MOST);
    fflush(stdout);
    mpq_clears(error, share, epsilon, delta, NULL);
    pby_audit_free(audit);
    specimen_random_free(random);
}

static void detect(void)
{
    printf("%-20s %12s %10s %9s   %s\n", "caught (claim 0.1)", "samples", "epsilon >", "seconds", "by");
    for (const specimen *s = specimens; s->name != NULL; s++)
        if (s->broken)
            detect_one(s);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    if (strcmp(only, "table") != 0)
        detect();
    if (strcmp(only, "detect") != 0)
        table();
    return EXIT_SUCCESS;
}
