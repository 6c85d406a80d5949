/* SPDX-License-Identifier: MIT */
#include "tests/audit/mechanisms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/experimental/entropy.h"
#include "probity/rational.h"

/* ---- random numbers --------------------------------------------------------------------------- */

enum { WORDS = 1024 };

struct specimen_random {
    pby_entropy *source;
    uint64_t word[WORDS];
    size_t at;
};

static void must(pby_status status)
{
    if (status != PBY_OK)
        abort();
}

specimen_random *specimen_random_new(uint64_t seed)
{
    specimen_random *random = malloc(sizeof *random);
    uint8_t bytes[PBY_SEED_SIZE] = {0};
    if (random == NULL)
        abort();
    memcpy(bytes, &seed, sizeof seed);
    must(pby_entropy_seeded(&random->source, bytes, NULL));
    random->at = WORDS;
    return random;
}

void specimen_random_free(specimen_random *random)
{
    pby_entropy_free(random->source);
    free(random);
}

double specimen_uniform(specimen_random *random)
{
    if (random->at == WORDS) {
        must(pby_entropy_words(random->source, random->word, WORDS, NULL));
        random->at = 0;
    }
    return ((double)(random->word[random->at++] >> 11) + 0.5) * 0x1p-53;
}

static double exponential(double scale, specimen_random *random)
{
    return -scale * log(specimen_uniform(random));
}

static double laplace(double scale, specimen_random *random)
{
    const double size = exponential(scale, random);
    return specimen_uniform(random) < 0.5 ? -size : size;
}

/* ---- output ----------------------------------------------------------------------------------- */

static char *put(char *line, const char *text)
{
    const size_t length = strlen(text);
    memcpy(line, text, length + 1);
    return line + length;
}

static char *put_rounded(char *line, double value)
{
    return line + sprintf(line, "%.4f", value);
}

static void put_vector(char *line, const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            line = put(line, ",");
        line = put_rounded(line, value[i]);
    }
}

/* ---- additive noise --------------------------------------------------------------------------- */

static void laplace_mechanism(char *line, int side, double eps, specimen_random *r)
{
    put_rounded(line, side + laplace(1 / eps, r));
}

/* Noise by the inverse of the cdf in doubles, added and printed in full: which doubles can come out
 * depends on the count (Mironov 2012). */
static void floating_laplace(char *line, int side, double eps, specimen_random *r)
{
    sprintf(line, "%.17g", side + laplace(1 / eps, r));
}

/* Laplace noise in floats, with the nine digits that tell each of them. */
static void single_laplace(char *line, int side, double eps, specimen_random *r)
{
    sprintf(line, "%.9g", (float)side + (float)laplace(1 / eps, r));
}

/* The noise is right, and the program writes a count of 1 with a decimal more than one of 0. */
static void written_laplace(char *line, int side, double eps, specimen_random *r)
{
    sprintf(line, "%.*f", 8 + side, side + laplace(1 / eps, r));
}

/* Noise in even steps of the last decimal. */
static void stepped_laplace(char *line, int side, double eps, specimen_random *r)
{
    sprintf(line, "%.6f", 2e-6 * rint(5e5 * laplace(1 / eps, r)) + 1e-6 * side);
}

/* The noise is half of what it must be, and the number stands in JSON. */
static void worded_laplace(char *line, int side, double eps, specimen_random *r)
{
    sprintf(line, "{\"count\": %.6f, \"error\": %.6f}", side + laplace(0.5 / eps, r), laplace(1, r));
}

enum { BARS = 5 };

static void noisy_histogram(char *line, int side, double scale, specimen_random *r)
{
    double bar[BARS];
    for (int i = 0; i < BARS; i++)
        bar[i] = 1 + (side == 1 && i == 0) + laplace(scale, r);
    put_vector(line, bar, BARS);
}

static void noisy_histogram_1(char *line, int side, double eps, specimen_random *r)
{
    noisy_histogram(line, side, 1 / eps, r);
}

static void noisy_histogram_2(char *line, int side, double eps, specimen_random *r)
{
    noisy_histogram(line, side, eps, r);
}

/* One of the last of many bars has a fifth of the noise. */
static void noisy_histogram_3(char *line, int side, double eps, specimen_random *r)
{
    enum { MANY = 40, LATE = 24 };
    double bar[MANY];
    for (int i = 0; i < MANY; i++)
        bar[i] = (side == 1 && i == LATE) + laplace((i == LATE ? 0.2 : 1) / eps, r);
    put_vector(line, bar, MANY);
}

/* Two bars have the same noise, with opposite signs. */
static void noisy_histogram_4(char *line, int side, double eps, specimen_random *r)
{
    double bar[2 * BARS];
    for (int i = 0; i < 2 * BARS; i++)
        bar[i] = laplace(20 / eps, r);
    bar[7] = side - bar[2];
    put_vector(line, bar, 2 * BARS);
}

/* Sums of noisy counts, one count apart. */
static void prefix_sums(char *line, int side, double eps, specimen_random *r)
{
    double sum[10], total = 0;
    for (int i = 0; i < 10; i++)
        sum[i] = total += (side == 1 && i == 4) + laplace(1 / eps, r);
    put_vector(line, sum, 10);
}

/* The geometric mechanism on 0 .. 5, its tails heaped on the ends (Ghosh, Roughgarden, Sundararajan). */
static void truncated_geometric(char *line, int side, double eps, specimen_random *r)
{
    const double size = floor(exponential(1 / eps, r)), other = floor(exponential(1 / eps, r));
    sprintf(line, "%d", (int)fmax(0, fmin(5, 2 + side + size - other)));
}

/* ---- noisy max (Ding, Wang, Wang, Zhang, Kifer 2018) ------------------------------------------ */

enum { QUERIES = 5 };

typedef double noise(double scale, specimen_random *r);

static void noisy_max(char *line, const double *query, int n, noise *draw, bool value, double eps,
                      specimen_random *r)
{
    int best = 0;
    double most = -INFINITY;
    for (int i = 0; i < n; i++) {
        const double noisy = query[i] + draw(2 / eps, r);
        if (noisy > most) {
            most = noisy;
            best = i;
        }
    }
    if (value)
        put_rounded(line, most);
    else
        sprintf(line, "%d", best);
}

static const double one_and_rest[2][QUERIES] = {{1, 1, 1, 1, 1}, {2, 0, 0, 0, 0}};
static const double all_above[2][QUERIES] = {{0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}};

static void noisy_max_1(char *line, int side, double eps, specimen_random *r)
{
    noisy_max(line, one_and_rest[side], QUERIES, laplace, false, eps, r);
}

static void noisy_max_2(char *line, int side, double eps, specimen_random *r)
{
    noisy_max(line, one_and_rest[side], QUERIES, exponential, false, eps, r);
}

static void noisy_max_3(char *line, int side, double eps, specimen_random *r)
{
    noisy_max(line, all_above[side], QUERIES, laplace, true, eps, r);
}

static void noisy_max_4(char *line, int side, double eps, specimen_random *r)
{
    noisy_max(line, all_above[side], QUERIES, exponential, true, eps, r);
}

/* One-sided geometric noise of this rate. */
static double counted(double rate, specimen_random *r)
{
    return floor(exponential(1 / rate, r));
}

/* Two answers at the rate of any queries, whose ties go to the larger true answer (proofs/negative). */
static void noisy_max_5(char *line, int side, double eps, specimen_random *r)
{
    const double first = side == 0, second = side == 1;
    const double lead = first + counted(eps / 2, r) - second - counted(eps / 2, r);
    sprintf(line, "%d", lead < 0 || (lead == 0 && second > first));
}

/* Two answers that move against each other, at the rate of monotone ones. */
static void noisy_max_6(char *line, int side, double eps, specimen_random *r)
{
    const double first = -side + counted(eps, r), second = side + counted(eps, r);
    sprintf(line, "%d", second > first);
}

/* ---- sparse vector (Lyu, Su, Li 2017, figure 1) ----------------------------------------------- */

struct sparse {
    double threshold_scale, query_scale; /* 0: no noise */
    double renewed_scale;                /* threshold noise after a positive answer; 0: it stays */
    int most;                            /* positive answers before it stops; 0: it never does */
    bool value;                          /* answers with the noisy value */
    bool alike;                          /* one noise for all answers */
    double fresh_scale;                  /* answers with a value that has noise of its own; 0: does not */
};

static void sparse_vector(char *line, const double *query, int n, const struct sparse *s, specimen_random *r)
{
    double threshold = laplace(s->threshold_scale, r), drawn = 0;
    int positive = 0;
    for (int i = 0; i < n && (s->most == 0 || positive < s->most); i++) {
        if (s->query_scale > 0 && !(s->alike && i > 0))
            drawn = laplace(s->query_scale, r);
        const double noisy = query[i] + drawn;
        if (i > 0)
            line = put(line, ",");
        if (noisy < threshold) {
            line = put(line, "F");
            continue;
        }
        positive++;
        if (s->fresh_scale > 0)
            line = put_rounded(line, query[i] + laplace(s->fresh_scale, r));
        else
            line = s->value ? put_rounded(line, noisy) : put(line, "T");
        if (s->renewed_scale > 0)
            threshold = laplace(s->renewed_scale, r);
    }
}

static const double step_up[2][6] = {{0, 0, 0, 1, 1, 1}, {1, 1, 1, 0, 0, 0}};
static const double all_but_last[2][6] = {{0, 0, 0, 0, 0, 1}, {1, 1, 1, 1, 1, 0}};

/* Sensitivity 1; one positive answer, but three in the fourth, whose epsilon is (1 + 6 * 3)/4 times what
 * it claims. */
static void sparse_vector_1(char *line, int side, double eps, specimen_random *r)
{
    sparse_vector(line, all_but_last[side], 6,
                  &(struct sparse){.threshold_scale = 2 / eps, .query_scale = 4 / eps, .most = 1}, r);
}

static void sparse_vector_2(char *line, int side, double eps, specimen_random *r)
{
    sparse_vector(
        line, all_but_last[side], 6,
        &(struct sparse){
            .threshold_scale = 2 / eps, .query_scale = 4 / eps, .renewed_scale = 2 / eps, .most = 1},
        r);
}

/* Nine queries at the threshold and one at one and a half noise scales above it, all of which one record
 * moves up: see docs/theory/audit.md. */
static void sparse_vector_3(char *line, int side, double eps, specimen_random *r)
{
    double query[10];
    for (int i = 0; i < 9; i++)
        query[i] = side;
    query[9] = 3 / eps + side;
    sparse_vector(
        line, query, 10,
        &(struct sparse){.threshold_scale = 2 / eps, .query_scale = 2 / eps, .most = 1, .value = true}, r);
}

static void sparse_vector_4(char *line, int side, double eps, specimen_random *r)
{
    sparse_vector(line, step_up[side], 6,
                  &(struct sparse){.threshold_scale = 4 / eps, .query_scale = 4 / (3 * eps), .most = 3}, r);
}

static void sparse_vector_5(char *line, int side, double eps, specimen_random *r)
{
    sparse_vector(line, step_up[side], 6, &(struct sparse){.threshold_scale = 2 / eps}, r);
}

static void sparse_vector_6(char *line, int side, double eps, specimen_random *r)
{
    sparse_vector(line, step_up[side], 6,
                  &(struct sparse){.threshold_scale = 2 / eps, .query_scale = 2 / eps}, r);
}

/* The noise of the first answer, used again for all. */
static void sparse_vector_7(char *line, int side, double eps, specimen_random *r)
{
    sparse_vector(
        line, all_but_last[side], 6,
        &(struct sparse){.threshold_scale = 2 / eps, .query_scale = 4 / eps, .most = 1, .alike = true}, r);
}

/* Correct noise and no halt, as [Survey]'s Algorithm 5 is printed (proofs/negative/above_without_halt.c):
 * what one answer costs, each of many does. */
static void sparse_vector_8(char *line, int side, double eps, specimen_random *r)
{
    double query[16];
    for (int i = 0; i < 16; i++)
        query[i] = i % 2 == side;
    sparse_vector(line, query, 16, &(struct sparse){.threshold_scale = 2 / eps, .query_scale = 4 / eps}, r);
}

/* NumericSparse with one positive answer, of which the place has 8/9 of epsilon. */
static void numeric_sparse(char *line, int side, double eps, double second, specimen_random *r)
{
    const double first = 8 * eps / 9;
    sparse_vector(
        line, all_but_last[side], 6,
        &(struct sparse){
            .threshold_scale = 2 / first, .query_scale = 4 / first, .most = 1, .fresh_scale = 2 / second},
        r);
}

static void numeric_sparse_1(char *line, int side, double eps, specimen_random *r)
{
    numeric_sparse(line, side, eps, 2 * eps / 9, r);
}

/* As [Survey]'s Algorithm 7 prints it: 29 epsilon for 2/9 epsilon. */
static void numeric_sparse_2(char *line, int side, double eps, specimen_random *r)
{
    numeric_sparse(line, side, eps, 29 * eps, r);
}

/* ---- randomised response ---------------------------------------------------------------------- */

static void randomised_response(char *line, int side, double eps, specimen_random *r)
{
    const bool honest = specimen_uniform(r) < 1 / (1 + exp(-eps));
    put(line, (side == 1) == honest ? "yes" : "no");
}

/* RAPPOR's permanent response to a Bloom filter of 8 bits with one hash, f = 3/4; and with its
 * instantaneous response on top, p = 0.45 and q = 0.55 (Erlingsson, Pihur, Korolova 2014). The report is
 * a word: the bits behind a letter. */
static void rappor(char *line, int side, bool instantaneous, specimen_random *r)
{
    *line++ = 'b';
    for (int i = 0; i < 8; i++) {
        bool bit = i == (side == 0 ? 2 : 5);
        const double u = specimen_uniform(r);
        if (u < 0.75)
            bit = u < 0.375;
        if (instantaneous)
            bit = specimen_uniform(r) < (bit ? 0.55 : 0.45);
        *line++ = bit ? '1' : '0';
    }
    *line = '\0';
}

static void rappor_once(char *line, int side, double eps, specimen_random *r)
{
    (void)eps;
    rappor(line, side, false, r);
}

static void rappor_full(char *line, int side, double eps, specimen_random *r)
{
    (void)eps;
    rappor(line, side, true, r);
}

/* ---- all of them ------------------------------------------------------------------------------ */

/* 2 log((1 - f/2) / (f/2)) = 2 log(5/3) = 1.02165..., whatever epsilon is asked for. */
static const char rappor_epsilon[] = "1.0217";

const specimen specimens[] = {
    {"laplace", NULL, false, laplace_mechanism},
    {"noisy histogram 1", NULL, false, noisy_histogram_1},
    {"noisy histogram 2", NULL, true, noisy_histogram_2},
    {"noisy histogram 3", NULL, true, noisy_histogram_3},
    {"noisy histogram 4", NULL, true, noisy_histogram_4},
    {"noisy max 1", NULL, false, noisy_max_1},
    {"noisy max 2", NULL, false, noisy_max_2},
    {"noisy max 3", NULL, true, noisy_max_3},
    {"noisy max 4", NULL, true, noisy_max_4},
    {"noisy max 5", NULL, true, noisy_max_5},
    {"noisy max 6", NULL, true, noisy_max_6},
    {"sparse vector 1", NULL, false, sparse_vector_1},
    {"sparse vector 2", NULL, false, sparse_vector_2},
    {"sparse vector 3", NULL, true, sparse_vector_3},
    {"sparse vector 4", NULL, true, sparse_vector_4},
    {"sparse vector 5", NULL, true, sparse_vector_5},
    {"sparse vector 6", NULL, true, sparse_vector_6},
    {"sparse vector 7", NULL, true, sparse_vector_7},
    {"sparse vector 8", NULL, true, sparse_vector_8},
    {"numeric sparse 1", NULL, false, numeric_sparse_1},
    {"numeric sparse 2", NULL, true, numeric_sparse_2},
    {"truncated geometric", NULL, false, truncated_geometric},
    {"randomised response", NULL, false, randomised_response},
    {"rappor once", rappor_epsilon, false, rappor_once},
    {"rappor", rappor_epsilon, false, rappor_full},
    {"prefix sums", NULL, false, prefix_sums},
    {"floating laplace", NULL, true, floating_laplace},
    {"single laplace", NULL, true, single_laplace},
    {"written laplace", NULL, true, written_laplace},
    {"stepped laplace", NULL, true, stepped_laplace},
    {"worded laplace", NULL, true, worded_laplace},
    {NULL, NULL, false, NULL},
};

/* ---- on any input ------------------------------------------------------------------------------ */

static void on_histogram_1(char *line, const double *query, int n, double eps, specimen_random *r)
{
    double bar[64];
    for (int i = 0; i < n; i++)
        bar[i] = query[i] + laplace(1 / eps, r);
    put_vector(line, bar, (size_t)n);
}

static void on_histogram_2(char *line, const double *query, int n, double eps, specimen_random *r)
{
    on_histogram_1(line, query, n, 1 / eps, r);
}

static void on_max_1(char *line, const double *query, int n, double eps, specimen_random *r)
{
    noisy_max(line, query, n, laplace, false, eps, r);
}

static void on_max_3(char *line, const double *query, int n, double eps, specimen_random *r)
{
    noisy_max(line, query, n, laplace, true, eps, r);
}

static void on_max_4(char *line, const double *query, int n, double eps, specimen_random *r)
{
    noisy_max(line, query, n, exponential, true, eps, r);
}

static void on_sparse_1(char *line, const double *query, int n, double eps, specimen_random *r)
{
    sparse_vector(line, query, n,
                  &(struct sparse){.threshold_scale = 2 / eps, .query_scale = 4 / eps, .most = 1}, r);
}

static void on_sparse_3(char *line, const double *query, int n, double eps, specimen_random *r)
{
    sparse_vector(
        line, query, n,
        &(struct sparse){.threshold_scale = 2 / eps, .query_scale = 2 / eps, .most = 1, .value = true}, r);
}

static void on_sparse_4(char *line, const double *query, int n, double eps, specimen_random *r)
{
    sparse_vector(line, query, n,
                  &(struct sparse){.threshold_scale = 4 / eps, .query_scale = 4 / (3 * eps), .most = 3}, r);
}

static void on_sparse_4_once(char *line, const double *query, int n, double eps, specimen_random *r)
{
    sparse_vector(line, query, n,
                  &(struct sparse){.threshold_scale = 4 / eps, .query_scale = 4 / (3 * eps), .most = 1}, r);
}

static void on_sparse_5(char *line, const double *query, int n, double eps, specimen_random *r)
{
    sparse_vector(line, query, n, &(struct sparse){.threshold_scale = 2 / eps}, r);
}

static void on_sparse_6(char *line, const double *query, int n, double eps, specimen_random *r)
{
    sparse_vector(line, query, n, &(struct sparse){.threshold_scale = 2 / eps, .query_scale = 2 / eps}, r);
}

/* A count that is private except that 37, and 37 alone, is answered without noise. */
static void on_hidden(char *line, const double *query, int n, double eps, specimen_random *r)
{
    (void)n;
    put_rounded(line, query[0] == 37 ? 37 : query[0] + laplace(1 / eps, r));
}

/* The mean of records between 0 and 100, whose noise forgets that their number is known too. */
static void on_mean(char *line, const double *query, int n, double eps, specimen_random *r)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += query[i];
    put_rounded(line, (n == 0 ? 0 : sum / n) + laplace(100 / (8 * eps), r));
}

/* Answers from the fifth record on, and says so by saying nothing. */
static void on_few(char *line, const double *query, int n, double eps, specimen_random *r)
{
    (void)query;
    line[0] = '\0';
    if (n >= 5)
        put_rounded(line, n + laplace(1 / eps, r));
}

/* Every digit of a double. */
static void on_floating(char *line, const double *query, int n, double eps, specimen_random *r)
{
    (void)n;
    sprintf(line, "%.17g", query[0] + laplace(1 / eps, r));
}

const specimen_on specimens_on[] = {
    {"noisy histogram 1", "counts:n=5,to=20", false, on_histogram_1},
    {"noisy histogram 2", "counts:n=5,to=20", true, on_histogram_2},
    {"noisy max 1", "values:n=5,from=-10,to=10", false, on_max_1},
    {"noisy max 3", "values:n=5,from=-10,to=10", true, on_max_3},
    {"noisy max 4", "values:n=5,from=-10,to=10", true, on_max_4},
    {"sparse vector 1", "values:n=6,from=-10,to=10", false, on_sparse_1},
    {"sparse vector 3", "values:n=10,from=-60,to=60", true, on_sparse_3},
    {"sparse vector 4", "values:n=6,from=-10,to=10", true, on_sparse_4},
    {"sparse vector 4, once", "values:n=10,from=-10,to=10", true, on_sparse_4_once},
    {"sparse vector 5", "values:n=6,from=-10,to=10", true, on_sparse_5},
    {"sparse vector 6", "values:n=6,from=-10,to=10", true, on_sparse_6},
    {"hidden", "values:n=1,from=0,to=64", true, on_hidden},
    {"floating laplace", "values:n=1,from=-50,to=50", true, on_floating},
    {"mean", "records:n=8,from=0,to=100", true, on_mean},
    {"few records", "records:n=30,from=0,to=100", true, on_few},
    {NULL, NULL, false, NULL}};

int specimen_input(double *query, int most, const char *text)
{
    int n = 0;
    while (*text != '\0' && n < most) {
        const size_t key = text[0] == 'k' ? strcspn(text, ",") + 1 : 0;
        char *end;
        query[n++] = strtod(text + key, &end);
        text = *end == '\0' ? end : end + 1;
    }
    return n;
}

const specimen *specimen_find(const char *name)
{
    for (const specimen *s = specimens; s->name != NULL; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    abort();
}

void specimen_count(pby_audit *audit, const specimen *s, double epsilon, size_t n, specimen_random *random)
{
    char line[SPECIMEN_LINE];
    for (size_t i = 0; i < n; i++)
        for (int side = 0; side < 2; side++) {
            s->output(line, side, epsilon, random);
            must(pby_audit_add(audit, side == 0 ? PBY_LEFT : PBY_RIGHT, line, strlen(line), NULL));
        }
}

pby_verdict *specimen_verdict(pby_audit *audit, const char *epsilon, const char *delta, const char *error)
{
    mpq_t e, d, a;
    pby_verdict *verdict;
    mpq_inits(e, d, a, NULL);
    must(pby_rational_parse(e, "epsilon", epsilon, NULL));
    must(pby_rational_parse(d, "delta", delta, NULL));
    must(pby_rational_parse(a, "error", error, NULL));
    must(pby_audit_judge(&verdict, audit, pby_value_rational(e), pby_value_rational(d), pby_value_rational(a),
                         NULL));
    mpq_clears(e, d, a, NULL);
    return verdict;
}

pby_verdict *specimen_judge(const specimen *s, const char *epsilon, size_t n, const char *error,
                            uint64_t seed)
{
    specimen_random *random = specimen_random_new(seed);
    pby_audit *audit;
    must(pby_audit_new(&audit, NULL));
    specimen_count(audit, s, atof(epsilon), n, random);
    must(pby_audit_settle(audit, NULL));
    pby_verdict *verdict = specimen_verdict(audit, s->claim != NULL ? s->claim : epsilon, "0", error);
    pby_audit_free(audit);
    specimen_random_free(random);
    return verdict;
}
