/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/run.h"

#define SEED "0000000000000000000000000000000000000000000000000000000000000007"

static size_t lines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

Test(draw_command, prints_one_integer_a_line)
{
    const pby_run *r = PBY_RUN(NULL, "draw", "stlap:eps=1/2,q=40", "-n", "100000");
    cr_assert_eq(r->status, 0);
    cr_assert_str_empty(r->err);
    cr_assert_eq(lines(r->out), 100000);
    for (const char *at = r->out; *at != '\0';) {
        char *end;
        const long value = strtol(at, &end, 10);
        cr_assert(end > at && *end == '\n' && -40 <= value && value <= 0, "%.20s", at);
        at = end + 1;
    }
}

Test(draw_command, prints_nothing_when_asked_for_nothing)
{
    const pby_run *r = PBY_RUN(NULL, "draw", "geometric:eps=1", "-n", "0");
    cr_assert_eq(r->status, 0);
    cr_assert_eq(r->out_size, 0);
    cr_assert_str_empty(r->err);
}

/* A streamed object is one object, wherever the turns of the draw end. */
Test(draw_command, prints_one_object)
{
    enum { MANY = 70000 };
    const pby_run *r =
        PBY_RUN(NULL, "draw", "geometric:eps=1/10,sensitivity=1", "-n", "3", "--seed", SEED, "--json");
    cr_assert_eq(r->status, 0);
    cr_assert_str_eq(r->out, "{\"spec\": \"geometric:eps=1/10\", \"n\": 3, \"values\": [10,-20,-6]}\n");
    cr_assert_str_eq(PBY_RUN(NULL, "draw", "geometric:eps=1", "-n0", "--json")->out,
                     "{\"spec\": \"geometric:eps=1\", \"n\": 0, \"values\": []}\n");
    r = PBY_RUN(NULL, "draw", "geometric:eps=1", "-n", "70000", "--json");
    json_t *object = json_loads(r->out, 0, NULL);
    cr_assert_not_null(object);
    const json_t *values = json_object_get(object, "values");
    cr_assert_eq(json_array_size(values), MANY);
    for (size_t i = 0; i < MANY; i++)
        cr_assert(json_is_integer(json_array_get(values, i)));
    json_decref(object);
}

/* The values are those of an inverse cdf in 60 decimal digits, computed by another program from the
 * keystream of RFC 8439: of each half of a word, the leading one first, or of each word. */
Test(draw_command, repeats_itself_under_a_seed)
{
    cr_assert_str_eq(PBY_RUN(NULL, "draw", "stlap:eps=1/2,q=40", "-n", "9", "--seed", SEED)->out,
                     "-18\n-24\n-21\n-9\n-20\n-21\n-20\n-22\n-22\n");
    cr_assert_str_eq(PBY_RUN(NULL, "draw", "geometric:eps=1/10", "-n", "9", "--seed", SEED)->out,
                     "10\n-20\n-6\n54\n0\n-7\n-1\n-12\n-10\n");
    cr_assert_str_eq(
        PBY_RUN(NULL, "draw", "stlap:eps=1/2,q=40", "-n", "8", "--seed", SEED, "--stream", "1")->out,
        "-18\n-21\n-20\n-20\n-22\n-27\n-25\n-22\n");
    cr_assert_str_eq(
        PBY_RUN(NULL, "draw", "geometric:eps=1/10", "-n", "8", "--seed", SEED, "--stream", "1")->out,
        "10\n-6\n0\n-1\n-10\n-34\n-23\n-8\n");
}

/* The first draws of 64: in version 1 those of 0.2.0, and else of the leading halves of the words. */
Test(draw_command, repeats_timing_safe_draws_under_a_seed)
{
    const char *const stlap = "-18\n-21\n-20\n-20\n-22\n-27\n", *const old = "-1\n10\n-7\n-10\n4\n0\n",
                      *const now = "2\n10\n4\n3\n9\n0\n";
    const pby_run *r = PBY_RUN(NULL, "draw", "stlap:eps=1/2,q=40", "-n64", "--timing-safe", "--seed", SEED);
    cr_assert(strncmp(r->out, stlap, strlen(stlap)) == 0, "%s", r->out);
    r = PBY_RUN(NULL, "draw", "geometric:eps=1/10", "-n64", "--timing-safe", "--seed", SEED);
    cr_assert(strncmp(r->out, now, strlen(now)) == 0, "%s", r->out);
    r = PBY_RUN(NULL, "draw", "geometric:eps=1/10", "-n64", "--timing-safe", "--seed", SEED, "--stream", "1");
    cr_assert(strncmp(r->out, old, strlen(old)) == 0, "%s", r->out);
}

Test(draw_command, a_stream_is_that_of_a_seed)
{
    PBY_REFUSED(2, "--stream '1': expected it with --seed", NULL, "draw", "geometric:eps=1", "-n1",
                "--stream", "1");
    PBY_REFUSED(2, "--stream '3': expected an integer from 1 to 2", NULL, "draw", "geometric:eps=1", "-n1",
                "--seed", SEED, "--stream", "3");
}

/* Two blocks and a rest: what a seed draws depends on nothing but the seed. */
Test(draw_command, draws_the_same_on_any_number_of_threads)
{
    enum { SIZE = 1 << 20 };
    static char one[SIZE];
    const pby_run *r = PBY_RUN(NULL, "draw", "stlap:eps=1/2,q=40", "-n", "140000", "--seed", SEED);
    cr_assert(r->status == 0 && r->out_size < SIZE);
    memcpy(one, r->out, r->out_size + 1);
    cr_assert_str_eq(
        PBY_RUN(NULL, "draw", "stlap:eps=1/2,q=40", "-n", "140000", "--seed", SEED, "--threads", "3")->out,
        one);
    PBY_REFUSED(2, "expected an integer from 1 to 256", NULL, "draw", "geometric:eps=1", "-n1", "--threads",
                "0");
}

Test(draw_command, draws_timing_safe)
{
    const pby_run *r = PBY_RUN(NULL, "draw", "geometric:eps=1/10", "-n", "1000", "--timing-safe");
    cr_assert_eq(r->status, 0);
    cr_assert_eq(lines(r->out), 1000);
    PBY_REFUSED(2, "--timing-safe", NULL, "draw", "geometric:eps=1", "-n1", "--timing-safe=yes");
}

/* Two equal runs of 100 have a chance below 1e-40. */
Test(draw_command, does_not_repeat_itself_without_one)
{
    static char first[4096];
    strcpy(first, PBY_RUN(NULL, "draw", "geometric:eps=1/10", "-n", "100")->out);
    cr_assert_str_neq(PBY_RUN(NULL, "draw", "geometric:eps=1/10", "-n", "100")->out, first);
}

Test(draw_command, refuses_a_seed_of_another_length_and_does_not_show_it)
{
    PBY_REFUSED(2, "--seed (not shown): expected 64 hexadecimal digits, not 4", NULL, "draw",
                "geometric:eps=1", "-n1", "--seed", "beef");
    PBY_REFUSED(2, "not 65", NULL, "draw", "geometric:eps=1", "-n1", "--seed", SEED "0");
    PBY_REFUSED(2, "but byte 3 is none", NULL, "draw", "geometric:eps=1", "-n1", "--seed", "bex");
    PBY_REFUSED(2, "not 0", NULL, "draw", "geometric:eps=1", "-n1", "--seed=");
    cr_assert_null(strstr(PBY_RUN(NULL, "draw", "geometric:eps=1", "-n1", "--seed", "beef")->err, "beef"));
}

/* Several uses draw the values of one use, so many a line. */
Test(draw_command, several_uses_are_columns)
{
    char values[4096], rows[4096];
    strcpy(values, PBY_RUN(NULL, "draw", "dgauss:sigma2=50", "-n", "6", "--seed", SEED)->out);
    strcpy(rows, PBY_RUN(NULL, "draw", "3*dgauss:sigma2=50", "-n", "2", "--seed", SEED)->out);
    long a[6], b[6];
    cr_assert_eq(sscanf(values, "%ld\n%ld\n%ld\n%ld\n%ld\n%ld\n", &a[0], &a[1], &a[2], &a[3], &a[4], &a[5]),
                 6);
    cr_assert_eq(sscanf(rows, "%ld,%ld,%ld\n%ld,%ld,%ld\n", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5]), 6,
                 "%s", rows);
    cr_assert_eq(memcmp(a, b, sizeof a), 0, "%s", rows);
    cr_assert_eq(strlen(rows), strlen(values));
    char expected[256];
    snprintf(expected, sizeof expected,
             "{\"spec\": \"3*dgauss:sigma2=50\", \"n\": 2, \"values\": [[%ld,%ld,%ld],[%ld,%ld,%ld]]}\n",
             a[0], a[1], a[2], a[3], a[4], a[5]);
    cr_assert_str_eq(PBY_RUN(NULL, "draw", "3*dgauss:sigma2=50", "-n", "2", "--seed", SEED, "--json")->out,
                     expected);
    cr_assert_str_eq(PBY_RUN(NULL, "draw", "3*dgauss:sigma2=50", "-n", "0", "--json")->out,
                     "{\"spec\": \"3*dgauss:sigma2=50\", \"n\": 0, \"values\": []}\n");
}

Test(draw_command, refuses_absurd_numbers)
{
    const char *none[] = {"-1",  "1e13", "1/2", "0.5", "nan", "", "1e10000", "99999999999999999999999999",
                          "0x10"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        PBY_REFUSED(2, "expected an integer from 0 to 1000000000000", NULL, "draw", "geometric:eps=1", "-n",
                    none[i]);
    PBY_REFUSED(2, "draw: expected -n N", NULL, "draw", "geometric:eps=1");
    PBY_REFUSED(2, "draw: expected a SPEC", NULL, "draw", "-n", "1");
    PBY_REFUSED(2, "argument 'geometric:eps=2': expected one SPEC, not two", NULL, "draw", "geometric:eps=1",
                "geometric:eps=2", "-n", "1");
    PBY_REFUSED(2, "expected at most 1000000000000 values", NULL, "draw", "1000*geometric:eps=1", "-n",
                "1e10");
    PBY_REFUSED(2, "q '99999999': expected at most 1048575.5", NULL, "draw", "stlap:eps=1/2,q=99999999", "-n",
                "1");
}

/* Candidates by name: the same of a seed, in quotes where CSV needs them, and in an array of JSON. */
Test(draw_command, prints_candidates_by_name)
{
    static const char scores[] = "city,score\nparis,3\n\"rome, it\",2.5\n";
    const pby_run *r =
        PBY_RUN(scores, "draw", "exponential:eps=1", "--scores", "-", "-n", "20", "--seed", SEED);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(lines(r->out), 20);
    cr_assert(strstr(r->out, "paris\n") != NULL && strstr(r->out, "\"rome, it\"\n") != NULL, "%s", r->out);
    char *first = strdup(r->out);
    r = PBY_RUN(scores, "draw", "exponential:eps=1", "--scores", "-", "-n", "20", "--seed", SEED);
    cr_assert_str_eq(r->out, first);
    free(first);
    r = PBY_RUN(scores, "draw", "exponential:eps=1", "--scores", "-", "-n", "20", "--seed", SEED, "--json");
    json_t *object = json_loads(r->out, 0, NULL);
    cr_assert_eq(json_array_size(json_object_get(object, "values")), 20);
    json_decref(object);
}

Test(draw_command, scores_go_with_exponential_alone)
{
    PBY_REFUSED(2, "draw: expected --scores FILE", NULL, "draw", "exponential:eps=1", "-n", "3");
    PBY_REFUSED(2, "--scores '-': expected it with a mechanism that chooses", NULL, "draw", "geometric:eps=1",
                "--scores", "-", "-n", "3");
    PBY_REFUSED(2, "--timing-safe", "a,1\n", "draw", "exponential:eps=1", "--scores", "-", "-n", "3",
                "--timing-safe");
    PBY_REFUSED(2, "--threads '2'", "a,1\n", "draw", "exponential:eps=1", "--scores", "-", "-n", "3",
                "--threads", "2");
    PBY_REFUSED(2, "line 1, column 2: expected a score", "a,1..2\n", "draw", "exponential:eps=1", "--scores",
                "-", "-n", "3");
}
