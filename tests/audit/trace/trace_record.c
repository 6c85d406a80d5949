/* SPDX-License-Identifier: MIT */
/* A C program that records itself: the count of docs/prove/count, with noise of this test. */
#define PROBITY_RECORD

#include "probity/record.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "docs/prove/count/count.c"
#include "probity/experimental/trace.h"

enum { K = 4, MANY = 600 };

/* A small generator of its own: the runs of a test are always the same. */
static uint64_t state;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 12) + 0.5) / 4503599627370496.0;
}

static double laplace_noise(double scale)
{
    const double u = uniform();
    return u < 0.5 ? scale * log(2 * u) : -scale * log(2 * (1 - u));
}

static double geometric_noise(double rate)
{
    return floor(-log(uniform()) / rate) - floor(-log(uniform()) / rate);
}

struct users {
    const int64_t *x;
    size_t n;
};

typedef void mechanism(struct users);

/* As docs/prove/count proves, one user moves the total by at most LIMIT = 10. */
static void publish_count(struct users u)
{
    const double total = (double)truncated_count(u.x, u.n, 0);
    PBY_OUTPUT("$.total", PBY_ADD("geometric", 0.125, total, geometric_noise(0.125)));
}

/* The number of users is published beside it, with noise of its own for one half of the budget. */
static void publish_both(struct users u)
{
    PBY_OUTPUT("$.total", PBY_ADD("laplace", 20, (double)truncated_count(u.x, u.n, 0), laplace_noise(20)));
    PBY_OUTPUT("$.users", PBY_ADD("laplace", 2, (double)u.n, laplace_noise(2)));
}

/* The noise is that of an average whose number of users is not protected. */
static void publish_mean(struct users u)
{
    const double n = (double)u.n;
    PBY_OUTPUT("$.mean",
               PBY_ADD("laplace", 10 / n, (double)truncated_count(u.x, u.n, 0) / n, laplace_noise(10 / n)));
}

/* Randomised response with odds of 3 to the question whether there are users of more than 10. */
static void answer(struct users u)
{
    const double yes[2] = {0.25, 0.75}, no[2] = {0.75, 0.25};
    const double *p = u.n > 3 ? yes : no;
    PBY_OUTPUT("$", (double)PBY_CHOICE(p, 2, uniform() < p[1] ? 1 : 0));
}

struct files {
    char left[64], right[64];
};

/* A run of a mechanism on an input, into a trace, on the noise of another if `replay` is not NULL. */
static void run(mechanism *m, struct users u, const char *trace, const char *replay, unsigned number)
{
    char text[16];
    snprintf(text, sizeof text, "%u", number);
    setenv("PROBITY_TRACE", trace, 1);
    setenv("PROBITY_RUN", text, 1);
    if (replay != NULL)
        setenv("PROBITY_REPLAY", replay, 1);
    else
        unsetenv("PROBITY_REPLAY");
    m(u);
    pby_record_end();
}

static json_t *judge(mechanism *m, const char *epsilon, unsigned counted)
{
    static const int64_t five[5] = {3, 40, 0, 7, 12};
    const struct users left = {five, 5}, right = {five, 4};
    struct files f = {"/tmp/probity-left-XXXXXX", "/tmp/probity-right-XXXXXX"};
    char *text = NULL;
    pby_trace_verdict verdict;
    pby_error err = PBY_NO_ERROR;
    close(mkstemp(f.left));
    close(mkstemp(f.right));
    state = 1;
    for (unsigned i = 0; i < K; i++) {
        run(m, left, f.left, NULL, i);
        run(m, left, f.left, f.left, i);
        run(m, right, f.right, f.left, i);
    }
    for (unsigned i = 0; i < counted; i++) {
        run(m, left, f.left, NULL, K + i);
        run(m, right, f.right, NULL, K + i);
    }
    unsetenv("PROBITY_TRACE");
    const pby_trace_options o = {.epsilon = epsilon, .runs = K, .error = "1/1000", .form = PBY_REPORT_JSON};
    cr_assert_eq(pby_trace_judge(&text, &verdict, f.left, f.right, &o, &err), PBY_OK, "%s", err.text);
    unlink(f.left);
    unlink(f.right);
    json_t *found = json_loads(text, 0, NULL);
    free(text);
    return found;
}

static void expect(json_t *found, const char *verdict, const char *reason, const char *evidence)
{
    char *text = json_dumps(found, 0);
    cr_assert_str_eq(pby_json_string(found, "verdict"), verdict, "%s", text);
    cr_assert_str_eq(pby_json_string(found, "reason"), reason, "%s", text);
    cr_assert_str_eq(pby_json_string(found, "evidence"), evidence, "%s", text);
    free(text);
    json_decref(found);
}

/* The last user counts for 10 steps of rate 1/8: the loss is 5/4. C has no probe, so that a count refutes. */
Test(audit_trace_record, a_count_of_docs_prove_loses_what_is_proved)
{
    expect(judge(publish_count, "5/4", 0), "consistent", "", "assumed");
    expect(judge(publish_count, "1/2", 0), "inconclusive", "assumed", "assumed");
    expect(judge(publish_count, "1/2", MANY), "violation", "", "statistical");
}

Test(audit_trace_record, several_sums_compose_and_scales_are_compared)
{
    expect(judge(publish_both, "1", 0), "consistent", "", "assumed");
    expect(judge(publish_mean, "1", 0), "inconclusive", "assumed", "assumed");
    expect(judge(publish_mean, "1/10", MANY), "violation", "", "statistical");
}

/* The right side has as many users as the question asks for too: nothing is lost. */
Test(audit_trace_record, choices_are_recorded_and_replayed)
{
    expect(judge(answer, "0", 0), "consistent", "", "none");
}

Test(audit_trace_record, without_a_trace_nothing_is_recorded)
{
    unsetenv("PROBITY_TRACE");
    cr_assert_float_eq(PBY_ADD("laplace", 1, 2, 3), 5, 0);
    pby_record_end();
}

/* Nothing is written where a variable is wrong, or the trace has no such run; the program goes on. */
Test(audit_trace_record, a_run_that_cannot_be_replayed_is_not_written)
{
    static const int64_t one[1] = {1};
    const struct users u = {one, 1};
    char path[] = "/tmp/probity-record-XXXXXX";
    struct stat info;
    close(mkstemp(path));
    run(publish_count, u, path, path, 0);
    run(publish_count, u, path, "/nonexistent", 0);
    setenv("PROBITY_RUN", "x", 1);
    unsetenv("PROBITY_REPLAY");
    publish_count(u);
    pby_record_end();
    cr_assert_eq(stat(path, &info), 0);
    cr_assert_eq(info.st_size, 0);
    unlink(path);
}
