/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "probity/experimental/entropy.h"
#include "probity/experimental/timing.h"

/* A machine that grows slower, with noise of 100000 ns, and on the left `gap` ns slower still. */
static pby_times *machine(size_t runs, uint64_t gap, uint8_t seed)
{
    const uint8_t bytes[PBY_SEED_SIZE] = {seed, 3};
    pby_entropy *source;
    pby_times *t;
    cr_assert_eq(pby_entropy_seeded(&source, bytes, NULL), PBY_OK);
    cr_assert_eq(pby_times_new(&t, NULL), PBY_OK);
    for (size_t i = 0; i < runs; i++) {
        uint64_t word;
        cr_assert_eq(pby_entropy_words(source, &word, 1, NULL), PBY_OK);
        const pby_side side = (word & 1) == 0 ? PBY_LEFT : PBY_RIGHT;
        const uint64_t time = 1000000 + 200 * i + (word >> 8) % 100000 + (side == PBY_LEFT ? gap : 0);
        cr_assert_eq(pby_times_add(t, side, time, NULL), PBY_OK);
    }
    pby_entropy_free(source);
    return t;
}

static json_t *judged(const pby_times *t, const char *epsilon, const char *delta, pby_times_verdict expected)
{
    char *text;
    pby_times_verdict verdict;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_times_judge(&text, &verdict, t, epsilon, delta, NULL, PBY_REPORT_JSON, &err), PBY_OK,
                 "%s", err.text);
    cr_assert_eq(verdict, expected, "%s", text);
    json_t *answer = json_loads(text, 0, NULL);
    cr_assert_not_null(answer);
    free(text);
    return answer;
}

static pby_times_verdict verdict_of(size_t runs, uint64_t gap, uint8_t seed)
{
    pby_times *t = machine(runs, gap, seed);
    pby_times_verdict verdict;
    char *text;
    cr_assert_eq(pby_times_judge(&text, &verdict, t, "0", NULL, NULL, PBY_REPORT_LINES, NULL), PBY_OK);
    free(text);
    pby_times_free(t);
    return verdict;
}

/* The error of each is 1e-6. */
Test(audit_times_answer, a_machine_that_drifts_is_not_accused)
{
    for (uint8_t seed = 0; seed < 20; seed++)
        cr_assert_eq(verdict_of(2000, 0, seed), PBY_TIMES_CONSISTENT);
}

Test(audit_times_answer, a_slower_side_is)
{
    for (uint8_t seed = 0; seed < 20; seed++) {
        cr_assert_eq(verdict_of(2000, 50000, seed), PBY_TIMES_VIOLATION, "half of the noise");
        cr_assert_eq(verdict_of(20000, 8000, seed), PBY_TIMES_VIOLATION, "a twelfth of it");
    }
}

Test(audit_times_answer, few_runs_are_inconclusive)
{
    cr_assert_eq(verdict_of(0, 0, 1), PBY_TIMES_INCONCLUSIVE);
    cr_assert_eq(verdict_of(150, 1000000, 1), PBY_TIMES_VIOLATION);
    cr_assert_eq(verdict_of(150, 0, 1), PBY_TIMES_INCONCLUSIVE);
}

Test(audit_times_answer, it_has_the_numbers)
{
    pby_times *t = machine(3000, 1000000, 9);
    json_t *answer = judged(t, "1", "1/100", PBY_TIMES_VIOLATION), *event = json_object_get(answer, "event");
    const json_t *left = json_object_get(answer, "left"), *right = json_object_get(answer, "right");
    cr_assert_str_eq(pby_json_string(answer, "verdict"), "violation");
    cr_assert_str_eq(pby_json_string(json_object_get(answer, "claim"), "delta"), "0.01");
    cr_assert_gt(strtod(pby_json_string(answer, "epsilon_lower"), NULL), 2.5);
    cr_assert_leq(strtod(pby_json_string(answer, "epsilon_lower"), NULL),
                  strtod(pby_json_string(answer, "largest_visible"), NULL));
    cr_assert_eq(json_integer_value(json_object_get(left, "runs")) +
                     json_integer_value(json_object_get(right, "runs")),
                 3000);
    cr_assert_gt(json_integer_value(json_object_get(left, "median")),
                 json_integer_value(json_object_get(right, "upper_quartile")));
    cr_assert_eq(json_integer_value(json_object_get(event, "judging")), 3000 - 32);
    json_decref(answer);
    json_decref(judged(t, "6", "1/100", PBY_TIMES_INCONCLUSIVE));
    pby_times_free(t);
}

static void refused(const char *epsilon, const char *delta, const char *error, const char *expected)
{
    pby_times *t = machine(50, 0, 1);
    pby_times_verdict verdict;
    pby_error err = PBY_NO_ERROR;
    char *text;
    cr_assert_eq(pby_times_judge(&text, &verdict, t, epsilon, delta, error, PBY_REPORT_LINES, &err), PBY_BAD);
    cr_assert_null(text);
    cr_assert_not_null(strstr(err.text, expected), "%s", err.text);
    pby_times_free(t);
}

Test(audit_times_answer, refusals)
{
    refused("-1", NULL, NULL, "epsilon '-1': expected a rational from 0 to 1000000");
    refused("x", NULL, NULL, "epsilon 'x': expected");
    refused("1", "1", NULL, "delta '1': expected a rational from 0 to below 1");
    refused("1", NULL, "1/2", "error '0.5': expected a rational above 0 and below 1/2");
    pby_times *t;
    pby_times_verdict verdict;
    pby_error err = PBY_NO_ERROR;
    char *text;
    cr_assert_eq(pby_times_new(&t, NULL), PBY_OK);
    for (int i = 0; i < 50; i++)
        cr_assert_eq(pby_times_add(t, PBY_LEFT, 1, NULL), PBY_OK);
    cr_assert_eq(pby_times_judge(&text, &verdict, t, "1", NULL, NULL, PBY_REPORT_LINES, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "chosen by a fair coin"), "%s", err.text);
    pby_times_free(t);
}
