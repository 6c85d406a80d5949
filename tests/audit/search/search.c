/* SPDX-License-Identifier: MIT */
#include "probity/experimental/search.h"
#include "probity/experimental/auditing.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/audit/mechanisms.h"

struct subject {
    const specimen_on *s;
    double epsilon;
    specimen_random *random;
};

static pby_status count(pby_audit *audit, const char *left, const char *right, uint64_t n, void *what,
                        pby_error *err)
{
    struct subject *m = what;
    double query[2][PBY_INPUTS_LENGTH_MAX];
    int length[2];
    char line[SPECIMEN_LINE];
    length[0] = specimen_input(query[0], PBY_INPUTS_LENGTH_MAX, left);
    length[1] = specimen_input(query[1], PBY_INPUTS_LENGTH_MAX, right);
    for (uint64_t i = 0; i < n; i++)
        for (int side = 0; side < 2; side++) {
            line[0] = '\0';
            m->s->output(line, query[side], length[side], m->epsilon, m->random);
            const pby_status status =
                pby_audit_add(audit, side == 0 ? PBY_LEFT : PBY_RIGHT, line, strlen(line), err);
            if (status != PBY_OK)
                return status;
        }
    return PBY_OK;
}

/* Searches, and judges new outputs on what was found. */
static pby_verdict *search_at(const specimen_on *s, const char *epsilon, const char *delta, uint64_t n,
                              unsigned long pairs, const char *error, specimen_random *random)
{
    struct subject m = {s, atof(epsilon), random};
    pby_error err = PBY_NO_ERROR;
    pby_inputs *inputs;
    pby_worst_pair *worst;
    pby_audit *audit;
    cr_assert_eq(pby_inputs_parse(&inputs, s->inputs, PBY_ADD_REMOVE, &err), PBY_OK, "%s", err.text);
    const pby_search_asked asked = {.source = count,
                                    .what = &m,
                                    .outputs = n,
                                    .pairs = pairs,
                                    .epsilon = epsilon,
                                    .delta = delta,
                                    .error = error};
    cr_assert_eq(pby_inputs_search(&worst, inputs, &asked, &err), PBY_OK, "%s: %s", s->name, err.text);
    cr_assert(pby_worst_pair_tried(worst) <= pairs && pby_worst_pair_tried(worst) * 4 > pairs);
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    cr_assert_eq(count(audit, pby_worst_pair_input(worst, PBY_LEFT), pby_worst_pair_input(worst, PBY_RIGHT),
                       n, &m, NULL),
                 PBY_OK);
    cr_assert_eq(pby_audit_settle(audit, NULL), PBY_OK);
    pby_verdict *v = specimen_verdict(audit, epsilon, delta, error);
    pby_audit_free(audit);
    pby_worst_pair_free(worst);
    pby_inputs_free(inputs);
    return v;
}

static pby_verdict *search(const specimen_on *s, const char *epsilon, uint64_t n, unsigned long pairs,
                           const char *error, specimen_random *random)
{
    return search_at(s, epsilon, "0", n, pairs, error, random);
}

static void must_find_among(const char *name, const char *epsilon, uint64_t n, unsigned long pairs,
                            double least, uint64_t seed)
{
    const specimen_on *s = specimens_on;
    while (strcmp(s->name, name) != 0)
        s++;
    specimen_random *random = specimen_random_new(seed);
    pby_verdict *v = search(s, epsilon, n, pairs, "1e-6", random);
    cr_assert(pby_verdict_violation(v), "%s", name);
    cr_assert_geq(atof(pby_verdict_epsilon_lower(v)), least, "%s", name);
    pby_verdict_free(v);
    specimen_random_free(random);
}

static void must_find(const char *name, const char *epsilon, uint64_t n, double least)
{
    must_find_among(name, epsilon, n, 100, least, 5);
}

/* One input of 64 is answered without noise, and nobody says which. */
Test(audit_inputs, one_bad_input_among_many_is_found)
{
    must_find("hidden", "1", 10000, 5);
}

/* The noise of a mean was set for 8 records, and the search drops the only one. */
Test(audit_inputs, too_few_records_are_found)
{
    must_find("mean", "1", 10000, 4);
}

Test(audit_inputs, a_least_number_of_records_is_found)
{
    must_find("few records", "1", 10000, 6);
}

/* A bar of 0 is never published and one of 1 in five of a thousand outputs; the claim is a delta of 2e-3. All
 * other pairs keep the claim, and look worse as long as the outputs are few. */
static void publish(char *line, const double *query, int n, double epsilon, specimen_random *random)
{
    for (int i = 0; i < n; i++) {
        const double u = specimen_uniform(random) - 0.5,
                     noisy = query[i] + copysign(log(1 - 2 * fabs(u)), u) / epsilon;
        if (query[i] > 0 && noisy >= 10)
            snprintf(line + strlen(line), SPECIMEN_LINE - strlen(line), "%d,%.0f,", i, noisy);
    }
}

Test(audit_inputs, a_rare_fault_next_to_nothing_is_found)
{
    int found = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        specimen_random *random = specimen_random_new(seed);
        const specimen_on s = {"publish", "counts:n=2,to=100", true, publish};
        pby_verdict *v = search_at(&s, "0.5", "2e-3", 100000, 60, "1e-6", random);
        found += pby_verdict_violation(v);
        pby_verdict_free(v);
        specimen_random_free(random);
    }
    cr_assert_eq(found, 3);
}

Test(audit_inputs, broken_noisy_max_is_found)
{
    must_find("noisy max 3", "1", 20000, 1.1);
    must_find("noisy max 4", "1", 20000, 2);
}

Test(audit_inputs, broken_sparse_vector_is_found)
{
    must_find("sparse vector 4", "1", 20000, 1.01);
    must_find("sparse vector 5", "0.1", 20000, 1.76);
    must_find("sparse vector 6", "1", 20000, 1.01);
}

Test(audit_inputs, broken_histogram_is_found)
{
    must_find("noisy histogram 2", "0.1", 2000, 3);
}

/* The low bits of a double tell 0 from its neighbours, and from 50 pairs the search must find it. Rounds that
 * forgot what the earlier ones had counted missed it once in four. */
Test(audit_inputs, floating_point_is_found)
{
    for (uint64_t seed = 1; seed <= 8; seed++)
        must_find_among("floating laplace", "1", 20000, 50, 4, seed);
}

/* A source that takes a second to start, and `slow` seconds for an output. */
struct slow_source {
    double slow, spent;
    unsigned runs;
    uint64_t least;
};

static double spent(void *what)
{
    return ((const struct slow_source *)what)->spent;
}

static pby_status count_slowly(pby_audit *audit, const char *left, const char *right, uint64_t n, void *what,
                               pby_error *err)
{
    struct slow_source *s = what;
    (void)left;
    (void)right;
    s->spent += 1 + s->slow * (double)n;
    if (s->runs++ >= 2 && n < s->least) /* the first two are to see how slow it is */
        s->least = n;
    for (uint64_t i = 0; i < 2 * n; i++)
        if (pby_audit_add(audit, i % 2 == 0 ? PBY_LEFT : PBY_RIGHT, "1", 1, err) != PBY_OK)
            return PBY_FAILED;
    return PBY_OK;
}

static uint64_t least_of_a_run(double slow, uint64_t outputs)
{
    struct slow_source s = {.slow = slow, .least = UINT64_MAX};
    pby_inputs *inputs;
    pby_worst_pair *worst;
    const pby_search_asked asked = {
        .source = count_slowly, .what = &s, .clock = spent, .outputs = outputs, .epsilon = "1", .pairs = 20};
    cr_assert_eq(pby_inputs_parse(&inputs, "values:n=1,from=0,to=20", PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pby_inputs_search(&worst, inputs, &asked, NULL), PBY_OK);
    pby_worst_pair_free(worst);
    pby_inputs_free(inputs);
    return s.least;
}

/* As many outputs as take the time of a start, between 400 and 4000, and no more than half of the
 * judgement's.
 */
Test(audit_inputs, a_slow_start_is_used_for_more_outputs)
{
    const uint64_t n = least_of_a_run(1e-3, 20000);
    cr_assert(990 <= n && n <= 1010, "%d", (int)n);
    cr_assert_eq(least_of_a_run(0, 20000), 4000);
    cr_assert_eq(least_of_a_run(1, 20000), 400);
    cr_assert_eq(least_of_a_run(0, 3000), 1500);
    cr_assert_eq(least_of_a_run(0, 100), 400);
}

/* At an error of 1e-6 each, seeded. */
Test(audit_inputs, private_mechanisms_are_not_accused)
{
    specimen_random *random = specimen_random_new(6);
    for (const specimen_on *s = specimens_on; s->name != NULL; s++) {
        if (s->broken)
            continue;
        pby_verdict *v = search(s, "1", 2000, 20, "1e-6", random);
        cr_assert_not(pby_verdict_violation(v), "%s: %s", s->name, pby_verdict_event(v));
        pby_verdict_free(v);
    }
    specimen_random_free(random);
}

static void respond(char *line, const double *query, int n, double epsilon, specimen_random *random)
{
    (void)n;
    const bool honest = specimen_uniform(random) < 1 / (1 + exp(-epsilon));
    strcpy(line, (fmod(query[0], 2) == 1) == honest ? "1" : "0");
}

/* Randomised response loses exactly what it claims, on every pair: the search picks the luckiest of many,
 * and the judgement stays honest. 40 searches at an error of 1/10 accuse 20 times or more with a chance
 * below 1e-9. */
Test(audit_inputs, the_error_holds_over_the_whole_search)
{
    static const specimen_on response = {"randomised response", "values:n=1,from=0,to=50", false, respond};
    specimen_random *random = specimen_random_new(8);
    int accused = 0;
    for (int i = 0; i < 40; i++) {
        pby_verdict *v = search(&response, "1", 200, 8, "1/10", random);
        accused += pby_verdict_violation(v);
        pby_verdict_free(v);
    }
    cr_assert_lt(accused, 20);
    specimen_random_free(random);
}

static pby_status refuse(pby_audit *audit, const char *left, const char *right, uint64_t n, void *what,
                         pby_error *err)
{
    int *only = what;
    if (*only >= 0 && strlen(left) == 2 && strlen(right) == 2) {
        for (uint64_t i = 0; i < 2 * n; i++)
            if (pby_audit_add(audit, i % 2 == 0 ? PBY_LEFT : PBY_RIGHT, "1", 1, err) != PBY_OK)
                return PBY_FAILED;
        return PBY_OK;
    }
    if (err != NULL)
        strcpy(err->text, "it broke");
    return PBY_INCONCLUSIVE;
}

Test(audit_inputs, pairs_that_cannot_be_run_are_passed_over)
{
    pby_inputs *inputs;
    pby_worst_pair *worst;
    pby_error err = PBY_NO_ERROR;
    int some = 0, none = -1;
    cr_assert_eq(pby_inputs_parse(&inputs, "values:n=1,from=0,to=20", PBY_ADD_REMOVE, NULL), PBY_OK);
    pby_search_asked asked = {.source = refuse, .what = &some, .outputs = 100, .epsilon = "1", .pairs = 20};
    cr_assert_eq(pby_inputs_search(&worst, inputs, &asked, &err), PBY_OK, "%s", err.text);
    cr_assert_gt(pby_worst_pair_passed_over(worst), 0);
    cr_assert_eq(strlen(pby_worst_pair_input(worst, PBY_LEFT)), 2);
    pby_worst_pair_free(worst);
    asked.what = &none;
    cr_assert_eq(pby_inputs_search(&worst, inputs, &asked, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "it broke");
    asked.epsilon = "-1";
    cr_assert_eq(pby_inputs_search(&worst, inputs, &asked, &err), PBY_BAD);
    cr_assert_null(worst);
    pby_inputs_free(inputs);
}
