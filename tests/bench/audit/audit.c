/* SPDX-License-Identifier: MIT */
/* Measures the outputs and the seconds until a broken mechanism is caught, and the bound from a hundredth of
 * the outputs that DP-Sniper was given.
 * usage: audit [detect | table [MECHANISM] | search [MECHANISM [SAMPLES [ERROR [SEED]]]] | equal [MECHANISM
 * [OUTPUTS [SEARCHED]]]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probity/experimental/auditing.h"
#include "probity/experimental/search.h"
#include "tests/audit/mechanisms.c"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Published figures on each at nominal 0.1, with 200 million samples for the last judgement; the outputs of
 * both sides that are spent here, the error, and over how many seeds the median is. */
static const struct {
    const char *name, *sniper, *statdp;
    size_t samples;
    const char *error;
    uint64_t seeds;
} rows[] = {{"noisy max 4", "0.353", "", 2000000, "1e-6", 3},
            {"noisy max 4", "0.353", "", 20000000, "1/10", 1},
            {"sparse vector 3", "0.182", "", 2000000, "1e-6", 3},
            {"sparse vector 3", "0.182", "", 20000000, "1e-6", 1},
            {"sparse vector 3", "0.182", "", 20000000, "1/10", 1},
            {"sparse vector 5", "1.76", "14.31", 2000000, "1e-6", 3},
            {"sparse vector 5", "1.76", "14.31", 20000000, "1/10", 1},
            {"noisy histogram 2", "4.6", "9.717", 2000000, "1e-6", 3},
            {"noisy histogram 2", "4.6", "9.717", 20000000, "1/10", 1},
            {"floating laplace", "0.252", "", 2000000, "1e-6", 3}};

enum { SEEDS = 3 };

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All rows, or those of one mechanism. */
static void table(const char *only)
{
    printf("%-20s %12s %7s %10s %9s %10s %8s\n", "mechanism", "samples", "error", "epsilon >", "seconds",
           "DP-Sniper", "StatDP");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (only != NULL && strcmp(only, rows[i].name) != 0)
            continue;
        double shown[SEEDS] = {0};
        const double start = seconds();
        for (uint64_t seed = 0; seed < rows[i].seeds; seed++) {
            pby_verdict *v = specimen_judge(specimen_find(rows[i].name), "0.1", rows[i].samples / 2,
                                            rows[i].error, seed + 1);
            shown[seed] = atof(pby_verdict_epsilon_lower(v));
            pby_verdict_free(v);
        }
        qsort(shown, rows[i].seeds, sizeof *shown, by_size);
        printf("%-20s %12zu %7s %10.3f %9.1f %10s %8s\n", rows[i].name, rows[i].samples, rows[i].error,
               shown[rows[i].seeds / 2], (seconds() - start) / (double)rows[i].seeds, rows[i].sniper,
               rows[i].statdp);
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
        must(pby_audit_judge(&v, audit, pby_value_rational(epsilon), pby_value_rational(delta),
                             pby_value_rational(share), NULL));
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

/* ---- inputs that nobody hands over ------------------------------------------------------------- */

struct subject {
    const specimen_on *s;
    specimen_random *random;
};

static pby_status count_on(pby_audit *audit, const char *left, const char *right, uint64_t n, void *what,
                           pby_error *err)
{
    const struct subject *m = what;
    double query[2][PBY_INPUTS_LENGTH_MAX];
    const int length[2] = {specimen_input(query[0], PBY_INPUTS_LENGTH_MAX, left),
                           specimen_input(query[1], PBY_INPUTS_LENGTH_MAX, right)};
    char line[SPECIMEN_LINE];
    for (uint64_t i = 0; i < 2 * n; i++) {
        const int side = (int)(i % 2);
        line[0] = '\0';
        m->s->output(line, query[side], length[side], 0.1, m->random);
        const pby_status status =
            pby_audit_add(audit, side == 0 ? PBY_LEFT : PBY_RIGHT, line, strlen(line), err);
        if (status != PBY_OK)
            return status;
    }
    return PBY_OK;
}

struct hunted {
    const specimen_on *s;
    const char *inputs;
    uint64_t searching, judging; /* outputs of a side */
    const char *error;
};

/* Searches, and judges new outputs on what was found. */
static pby_verdict *hunt(pby_worst_pair **worst, const struct hunted *h, uint64_t seed)
{
    struct subject m = {h->s, specimen_random_new(seed)};
    const pby_search_asked asked = {
        .source = count_on, .what = &m, .outputs = h->searching, .epsilon = "0.1", .error = h->error};
    pby_inputs *inputs;
    pby_audit *audit;
    must(pby_inputs_parse(&inputs, h->inputs, PBY_ADD_REMOVE, NULL));
    must(pby_inputs_search(worst, inputs, &asked, NULL));
    must(pby_audit_new(&audit, NULL));
    must(count_on(audit, pby_worst_pair_input(*worst, PBY_LEFT), pby_worst_pair_input(*worst, PBY_RIGHT),
                  h->judging, &m, NULL));
    must(pby_audit_settle(audit, NULL));
    pby_verdict *v = specimen_verdict(audit, "0.1", "0", h->error);
    pby_audit_free(audit);
    pby_inputs_free(inputs);
    specimen_random_free(m.random);
    return v;
}

/* The search and its judgement together spend `samples` outputs of both sides. */
static void search_one(const specimen_on *s, uint64_t samples, const char *error, uint64_t seed)
{
    const double start = seconds();
    pby_worst_pair *worst;
    pby_verdict *v = hunt(&worst, &(struct hunted){s, s->inputs, samples / 4, samples / 4, error}, seed);
    printf("%-20s %12llu %10.6s %9.1f   %s | %s: %s\n", s->name, (unsigned long long)samples,
           pby_verdict_epsilon_lower(v), seconds() - start, pby_worst_pair_input(worst, PBY_LEFT),
           pby_worst_pair_input(worst, PBY_RIGHT), pby_verdict_event(v));
    fflush(stdout);
    pby_verdict_free(v);
    pby_worst_pair_free(worst);
}

static void search(const char *only, uint64_t samples, const char *error, uint64_t seed)
{
    printf("%-20s %12s %10s %9s   %s\n", "searched (claim 0.1)", "samples", "epsilon >", "seconds", "on");
    for (const specimen_on *s = specimens_on; s->name != NULL; s++)
        if (s->broken && strncmp(s->inputs, "values", 6) == 0 && (only == NULL || strcmp(only, s->name) == 0))
            search_one(s, samples, error, seed);
}

/* ---- beside the published figures, at their error ---------------------------------------------- */

/* At nominal 0.1, from 200 million outputs of a side for the last judgement and an error of 1/10, as the
 * reference results of DP-Sniper's evaluation have them [DPSniper]: the better of StatDP's two columns, and
 * the better of DP-Sniper's two classifiers. The inputs are of as many numbers as theirs, in the same range.
 */
static const struct {
    const char *name, *inputs, *statdp, *sniper;
} published[] = {{"noisy histogram 2", "counts:n=5,to=10", "10.002", "4.602"},
                 {"noisy max 3", "values:n=5,from=-10,to=10", "0.199", "0.249"},
                 {"noisy max 4", "values:n=5,from=-10,to=10", "0.199", "0.353"},
                 {"sparse vector 3", "values:n=10,from=-10,to=10", "0.179", "0.182"},
                 {"sparse vector 4, once", "values:n=10,from=-10,to=10", "0.172", "0.170"},
                 {"sparse vector 5", "values:n=10,from=-10,to=10", "14.314", "1.761"},
                 {"sparse vector 6", "values:n=10,from=-10,to=10", "0.322", "0.272"},
                 {"floating laplace", "values:n=1,from=-10,to=10", "", "0.252"}};

enum { JUDGING = 5000000 };

static const specimen_on *find_on(const char *name)
{
    const specimen_on *s = specimens_on;
    while (strcmp(s->name, name) != 0)
        s++;
    return s;
}

/* Judges so many outputs of a side, and spends about `searched` of a side to find the inputs. */
static void equal(const char *only, uint64_t outputs, uint64_t searched)
{
    printf("%-22s %12s %10s %9s %8s %9s   %s\n", "error 1/10, claim 0.1", "outputs/side", "epsilon >",
           "DP-Sniper", "StatDP", "seconds", "on");
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        if (only != NULL && strcmp(only, published[i].name) != 0)
            continue;
        const double start = seconds();
        const struct hunted h = {find_on(published[i].name), published[i].inputs, searched, outputs, "1/10"};
        pby_worst_pair *worst;
        pby_verdict *v = hunt(&worst, &h, 4);
        printf("%-22s %12llu %10.6s %9s %8s %9.1f   %s | %s: %s\n", h.s->name, (unsigned long long)outputs,
               pby_verdict_epsilon_lower(v), published[i].sniper, published[i].statdp, seconds() - start,
               pby_worst_pair_input(worst, PBY_LEFT), pby_worst_pair_input(worst, PBY_RIGHT),
               pby_verdict_event(v));
        fflush(stdout);
        pby_verdict_free(v);
        pby_worst_pair_free(worst);
    }
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    if (strcmp(only, "search") == 0) {
        search(argc > 2 ? argv[2] : NULL, argc > 3 ? strtoull(argv[3], NULL, 10) : 2000000,
               argc > 4 ? argv[4] : "1e-6", argc > 5 ? strtoull(argv[5], NULL, 10) : 3);
        return EXIT_SUCCESS;
    }
    if (strcmp(only, "equal") == 0) {
        const uint64_t outputs = argc > 3 ? strtoull(argv[3], NULL, 10) : JUDGING;
        equal(argc > 2 ? argv[2] : NULL, outputs, argc > 4 ? strtoull(argv[4], NULL, 10) : outputs);
        return EXIT_SUCCESS;
    }
    if (strcmp(only, "table") != 0)
        detect();
    if (strcmp(only, "detect") != 0)
        table(strcmp(only, "table") == 0 && argc > 2 ? argv[2] : NULL);
    return EXIT_SUCCESS;
}
