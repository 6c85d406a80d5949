/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "number/scoped.h"
#include "tests/audit/trace/traces.h"

enum { K = 4 };

/* out = a y + b as the member of a coordinate; a and b are rationals, y a multiple of 1/2 */
static void published(char *out, size_t size, const char *a, const char *y, const char *b)
{
    PBY_MPQ(value, part);
    mpq_set_d(value, atof(y));
    cr_assert_eq(mpq_set_str(part, a, 10), 0);
    mpq_mul(value, value, part);
    cr_assert_eq(mpq_set_str(part, b, 10), 0);
    mpq_add(value, value, part);
    char *text = mpq_get_str(NULL, 10, value);
    snprintf(out, size, ",\"value\":\"%s\"", text);
    free(text);
}

/* The lines of a run that publishes a y + b, y noise of a law plus a centre. value NULL: of a probe. */
static char *scalar(const char *law, const char *scale, const char *centre, const char *value, const char *a,
                    const char *b)
{
    char *text = NULL, sum[128] = "", out[128] = "";
    if (value != NULL) {
        snprintf(sum, sizeof sum, ",\"value\":[\"%s\"]", value);
        published(out, sizeof out, a, value, b);
    }
    cr_assert(asprintf(&text,
                       "{\"draw\":0,\"site\":\"p.py:1:1\",\"law\":\"%s\",\"scale\":[\"%s\"],\"shape\":[]}\n"
                       "{\"sum\":1,\"draw\":0,\"elements\":[0],\"factor\":\"1\",\"site\":\"p.py:1:5\","
                       "\"centre\":[\"%s\"]%s}\n"
                       "{\"output\":[{\"path\":\"$\",\"of\":1,\"element\":0,\"a\":\"%s\",\"b\":\"%s\"%s}],"
                       "\"error\":null}\n",
                       law, scale, centre, sum, a, b, out) > 0);
    return text;
}

struct laws {
    const char *law, *scale[2], *centre[2], *a[2], *b[2];
};

/* Judges K pairs, a probe if asked for, and a count. */
static json_t *judge(const struct laws *l, int probe, unsigned counted, const char *epsilon,
                     const char *delta)
{
    trace_files t;
    traces_open(&t);
    for (unsigned i = 0; i < K; i++) {
        char value[32];
        snprintf(value, sizeof value, "%u.5", i);
        char *left = scalar(l->law, l->scale[0], l->centre[0], value, l->a[0], l->b[0]);
        char *right = scalar(l->law, l->scale[1], l->centre[1], value, l->a[1], l->b[1]);
        traces_pair(&t, i, left, right);
        free(left);
        free(right);
    }
    for (unsigned i = 0; i < counted + (probe != 0); i++) {
        const char *value = i == 0 && probe ? NULL : "7";
        char *left = scalar(l->law, l->scale[0], l->centre[0], value, l->a[0], l->b[0]);
        char *right = scalar(l->law, l->scale[1], l->centre[1], value, l->a[1], l->b[1]);
        traces_alone(&t, value == NULL ? 0 : K + i - (probe != 0), left, right, value == NULL);
        free(left);
        free(right);
    }
    return traces_judge(&t, (pby_trace_options){.epsilon = epsilon, .delta = delta, .runs = K});
}

#define LAPLACE(s0, s1, c0, c1)                    \
    {                                              \
        "laplace", {s0, s1}, {c0, c1}, {"1", "1"}, \
        {                                          \
            "0", "0"                               \
        }                                          \
    }

static void expect(json_t *answer, const char *verdict, const char *reason, const char *end,
                   const char *prefix)
{
    cr_assert_str_eq(pby_json_string(answer, "verdict"), verdict, "%s", json_dumps(answer, 0));
    cr_assert_str_eq(pby_json_string(answer, "reason"), reason, "%s", json_dumps(answer, 0));
    const char *got = traces_end(answer, end, "lower", "lo");
    cr_assert(strncmp(got, prefix, strlen(prefix)) == 0, "%s %s", end, got);
    json_decref(answer);
}

Test(audit_trace, a_probed_shift_loses_what_its_law_does)
{
    const struct laws far = LAPLACE("10", "10", "24.5", "123.5"), near = LAPLACE("10", "10", "24.5", "34.5");
    expect(judge(&far, 1, 0, "1", NULL), "violation", "", "delta", "0.988321433");
    expect(judge(&near, 1, 0, "1", NULL), "consistent", "", "epsilon", "1");
}

/* A program that writes something else over its noisy value has not published it. */
Test(audit_trace, a_coordinate_with_another_value_is_not_the_sum)
{
    trace_files t;
    traces_open(&t);
    for (unsigned i = 0; i <= K; i++) {
        char value[32];
        snprintf(value, sizeof value, "%u.5", i);
        char *left = scalar("laplace", "1", "5", i == K ? NULL : value, "1", "0");
        char *right = scalar("laplace", "1", "4", i == K ? NULL : value, "1", "0");
        if (i < K) {
            char *at = strstr(strstr(left, "output"), ",\"value\"");
            cr_assert_not_null(at);
            snprintf(at, strlen(at) + 1, ",\"value\":\"5\"}],\"error\":null}\n"); /* the true count */
            traces_pair(&t, i, left, right);
        } else {
            traces_alone(&t, 0, left, right, 1);
        }
        free(left);
        free(right);
    }
    expect(traces_judge(&t, (pby_trace_options){.epsilon = "1", .runs = K}), "inconclusive", "unaligned",
           "epsilon", "0");
}

/* ---- what no noise is in ----------------------------------------------------------------------- */

/* The lines of a run that publishes noise and a text beside it. */
static char *with_text(const char *value, const char *path, const char *text)
{
    char *noise = scalar("laplace", "1", "5", value, "1", "0"), *at = strstr(noise, "],\"error\""),
         *all = NULL;
    *at = '\0';
    cr_assert(asprintf(&all, "%s,{\"path\":\"%s\",\"text\":\"%s\"}],\"error\":null}\n", noise, path, text) >
              0);
    free(noise);
    return all;
}

/* Judges a text beside the noise: that of each side in K runs, in the probe (NULL: no probe) and in a
 * count, whose last run has `later` if that is not NULL. */
static json_t *judge_text(const char *path, const char *const text[2], const char *const probed[2],
                          unsigned counted, const char *later)
{
    trace_files t;
    traces_open(&t);
    for (unsigned i = 0; i <= K + counted; i++) {
        const int probe = i == K, last = i == K + counted && later != NULL;
        if (probe && probed == NULL)
            continue;
        char value[32], *lines[2];
        snprintf(value, sizeof value, "%u.5", i);
        for (int s = 0; s < 2; s++)
            lines[s] = with_text(probe ? NULL : value, path, probe ? probed[s] : last ? later : text[s]);
        if (i < K)
            traces_pair(&t, i, lines[0], lines[1]);
        else
            traces_alone(&t, probe ? 0 : i - 1, lines[0], lines[1], probe);
        free(lines[0]);
        free(lines[1]);
    }
    return traces_judge(&t, (pby_trace_options){.epsilon = "1", .runs = K});
}

/* Data beside the noise refutes by a probe or a count, but for the form of the output; equal runs do not. */
Test(audit_trace, data_beside_the_noise_is_told)
{
    const char *const moved[2] = {"5 rows", "4 rows"}, *const same[2] = {"rows", "rows"};
    const char *const noise[2] = {"noise", "noise"};
    expect(judge_text("$.m", moved, moved, 0, NULL), "violation", "", "delta", "1");
    expect(judge_text("$.m", moved, noise, 0, NULL), "inconclusive", "unaligned", "delta", "0");
    expect(judge_text("$.m", moved, NULL, 0, NULL), "inconclusive", "assumed", "delta", "1");
    expect(judge_text("$.m", moved, NULL, 500, NULL), "violation", "", "delta", "0.8");
    expect(judge_text("$.m", moved, NULL, 500, "3 rows"), "inconclusive", "assumed", "delta", "1");
    expect(judge_text("#form", moved, moved, 0, NULL), "inconclusive", "unaligned", "delta", "0");
    expect(judge_text("$.m", same, same, 0, NULL), "consistent", "", "delta", "0");
}

/* ---- seeds ------------------------------------------------------------------------------------- */

/* A run of a generator whose seed is no literal: noise that it publishes, or a choice. */
static char *seeded(const char *own, int choice, int same, const char *value)
{
    char *text = NULL;
    const char *head = choice
                           ? "{\"choice\":1,\"site\":\"p.py:3:1\",\"p\":[\"1/2\",\"1/2\"],\"labels\":[\"0\","
                             "\"1\"],\"value\":1"
                           : "{\"draw\":1,\"site\":\"p.py:3:1\",\"law\":\"laplace\",\"scale\":[\"1\"],"
                             "\"shape\":[]";
    char sum[256] = "";
    if (!choice)
        snprintf(sum, sizeof sum,
                 "{\"sum\":2,\"draw\":1,\"elements\":[0],\"factor\":\"1\",\"site\":\"p.py:3:5\",\"centre\":["
                 "\"5\"],\"value\":[\"%s\"]}\n",
                 value);
    cr_assert(
        asprintf(&text,
                 "{\"seed\":0,\"site\":\"p.py:2:1\",\"value\":null,\"same\":%s}\n%s,\"seeded\":0,\"own\":"
                 "[\"%s\"]}\n%s{\"output\":[{\"path\":\"$\",\"value\":\"%s\"%s}],\"error\":null}\n",
                 same ? "true" : "false", head, own, sum, choice ? "1" : value,
                 choice ? "" : ",\"of\":2,\"element\":0,\"a\":\"1\",\"b\":\"0\"") > 0);
    return text;
}

/* own[s] NULL: another one in every run */
static json_t *judge_seed(const char *const own[2], int choice, int same)
{
    trace_files t;
    traces_open(&t);
    for (unsigned i = 0; i < K; i++) {
        char value[32], *lines[2];
        snprintf(value, sizeof value, "%u.5", i);
        for (int s = 0; s < 2; s++)
            lines[s] = seeded(own[s] == NULL ? value : own[s], choice, same, value);
        traces_pair(&t, i, lines[0], lines[1]);
        free(lines[0]);
        free(lines[1]);
    }
    return traces_judge(&t, (pby_trace_options){.epsilon = "1", .runs = K});
}

/* A seed that is made of the data gives the same noise in every run on an input, and other noise on the
 * neighbour. */
Test(audit_trace, a_generator_that_repeats_itself_on_an_input_bounds_nothing)
{
    const char *const by_data[2] = {"1/3", "1/5"}, *const fixed[2] = {"1/3", "1/3"};
    const char *const fresh[2] = {NULL, NULL}, *const one_side[2] = {NULL, "1/3"};
    for (int choice = 0; choice < 2; choice++) {
        expect(judge_seed(by_data, choice, 0), "inconclusive", "seed", "delta", "0");
        expect(judge_seed(fixed, choice, 0), "inconclusive", "seed", "delta", "0");
        expect(judge_seed(one_side, choice, 0), "inconclusive", "seed", "delta", "0");
        expect(judge_seed(fresh, choice, 1), "inconclusive", "seed", "delta", "0");
        expect(judge_seed(fresh, choice, 0), "consistent", "", "delta", "0");
    }
}

Test(audit_trace, equal_runs_alone_refute_nothing)
{
    const struct laws far = LAPLACE("10", "10", "24.5", "123.5"), near = LAPLACE("10", "10", "24.5", "34.5");
    expect(judge(&far, 0, 0, "1", NULL), "inconclusive", "assumed", "delta", "0.98832");
    expect(judge(&near, 0, 0, "1", NULL), "consistent", "", "epsilon", "1");
}

/* 500 runs: q = 1 - (1e-6/4)^(1/500) = 0.029946, and 0.0487705 - q (1 + exp(0.9)) is below 0; a shift that
 * is ten times greater is refuted. */
Test(audit_trace, a_count_lowers_what_is_shown)
{
    const struct laws near = LAPLACE("10", "10", "24.5", "34.5"), far = LAPLACE("10", "10", "24.5", "123.5");
    expect(judge(&near, 0, 500, "0.9", NULL), "inconclusive", "unpublished", "delta", "0");
    json_t *answer = judge(&far, 0, 500, "1", NULL);
    const double q = 1 - pow(1e-6 / 4, 1.0 / 500), want = 0.988321433 - q * (1 + exp(1));
    cr_assert_float_eq(atof(traces_end(answer, "delta", "lower", "lo")), want, 1e-7);
    cr_assert_str_eq(pby_json_string(answer, "evidence"), "statistical");
    expect(answer, "violation", "", "delta", "0.8");
}

Test(audit_trace, scales_that_differ_are_two_laws)
{
    const struct laws laplace = LAPLACE("10", "5", "0", "0");
    const struct laws gauss = {"gauss", {"2", "1"}, {"0", "0"}, {"1", "1"}, {"0", "0"}};
    const struct laws divided = {"laplace", {"10", "10"}, {"24.5", "33.5"}, {"1/5", "1/6"}, {"0", "0"}};
    const struct laws none = LAPLACE("0", "1", "0", "1");
    expect(judge(&laplace, 1, 0, "1", NULL), "violation", "", "delta", "0.09196986");
    expect(judge(&gauss, 1, 0, "1", NULL), "violation", "", "delta", "0.19671088");
    expect(judge(&divided, 1, 0, "1", NULL), "violation", "", "delta", "0.0017818955");
    expect(judge(&none, 1, 0, "1", NULL), "violation", "", "delta", "1");
}

/* A term that is subtracted behind the noise counts: the published centres are 0 and 1/4, with scale 1/2. */
Test(audit_trace, the_published_shift_is_that_of_the_output)
{
    const struct laws l = {"laplace", {"1/2", "1/2"}, {"0", "1/2"}, {"1", "1"}, {"0", "-1/4"}};
    expect(judge(&l, 1, 0, "1/2", NULL), "consistent", "", "epsilon", "0.5");
    expect(judge(&l, 1, 0, "49/100", NULL), "violation", "", "epsilon", "0.5");
}

Test(audit_trace, integer_noise_counts_in_steps)
{
    const struct laws doubled = {"geometric", {"1", "1"}, {"5", "6"}, {"2", "2"}, {"0", "0"}};
    const struct laws between = {"geometric", {"1", "1"}, {"5", "5.5"}, {"1", "1"}, {"0", "0"}};
    expect(judge(&doubled, 1, 0, "1", NULL), "consistent", "", "epsilon", "1");
    expect(judge(&between, 1, 0, "1", NULL), "violation", "", "delta", "1");
}

Test(audit_trace, nan_on_one_side_is_certain)
{
    const struct laws l = LAPLACE("10", "10", "0", "nan"), both = LAPLACE("10", "10", "nan", "nan");
    expect(judge(&l, 1, 0, "1", NULL), "violation", "", "delta", "1");
    expect(judge(&both, 1, 0, "1", NULL), "consistent", "", "delta", "0");
}

/* A shift of 1 + 2^-53 exceeds epsilon 1 by rounding; one of 1 + 2^-20 does not. */
Test(audit_trace, rounding_is_a_note_and_more_is_not)
{
    const struct laws l = LAPLACE("1", "1", "0", "0x1.00000000000008p+0");
    const struct laws more = LAPLACE("1", "1", "0", "0x1.00001p+0");
    json_t *answer = judge(&l, 1, 0, "1", NULL);
    char *text = json_dumps(answer, 0);
    cr_assert(strstr(text, "rounding") != NULL);
    free(text);
    expect(answer, "consistent", "", "epsilon", "1");
    expect(judge(&more, 1, 0, "1", NULL), "violation", "", "epsilon", "1.0000009");
}

/* ---- choices ----------------------------------------------------------------------------------- */

static char *choice(const char *p, const char *labels, unsigned value, const char *shown)
{
    char *text = NULL;
    cr_assert(asprintf(&text,
                       "{\"choice\":0,\"site\":\"p.py:2:1\",\"p\":%s,\"labels\":%s,\"value\":%u}\n"
                       "{\"output\":[{\"path\":\"$\",\"text\":\"%s\"}],\"error\":null}\n",
                       p, labels, value, shown) > 0);
    return text;
}

/* Two runs and both forced values; `shown` is the output of each value on each side. */
static json_t *judge_choice(const char *const p[2], const char *const labels[2],
                            const char *const shown[2][2], const unsigned forced[2], const char *epsilon)
{
    trace_files t;
    traces_open(&t);
    for (unsigned i = 0; i < 2 + 2; i++) {
        const unsigned value[2] = {i < 2 ? 1 : forced[i - 2],
                                   i < 2 ? (strcmp(labels[0], labels[1]) != 0 ? 0 : 1) : forced[i - 2]};
        char *left = choice(p[0], labels[0], value[0], shown[0][value[0]]);
        char *right = choice(p[1], labels[1], value[1], shown[1][value[1]]);
        if (i < 2)
            traces_pair(&t, i, left, right);
        else
            traces_alone(&t, i - 2, left, right, 1);
        free(left);
        free(right);
    }
    return traces_judge(&t, (pby_trace_options){.epsilon = epsilon, .runs = 2});
}

/* 1/4 and 1/2: the log ratios are log 2 and log(3/4 over 1/2). */
Test(audit_trace, a_published_choice_loses_its_log_ratio)
{
    const char *const p[2] = {"[\"1\",\"3\"]", "[\"1/2\",\"1/2\"]"}, *const labels[2] = {"[\"a\",\"b\"]",
                                                                                         "[\"a\",\"b\"]"};
    const char *const shown[2][2] = {{"a", "b"}, {"a", "b"}}, *const hidden[2][2] = {{"b", "b"}, {"b", "b"}};
    const unsigned all[2] = {0, 1}, some[2] = {1, 1};
    expect(judge_choice(p, labels, shown, all, "1/2"), "violation", "", "epsilon", "0.69314718");
    expect(judge_choice(p, labels, shown, all, "0.7"), "consistent", "", "epsilon", "0.69314718");
    expect(judge_choice(p, labels, shown, some, "1/2"), "inconclusive", "unpublished", "epsilon", "0");
    expect(judge_choice(p, labels, hidden, all, "0"), "consistent", "", "epsilon", "0");
}

Test(audit_trace, choices_are_compared_by_their_labels)
{
    const char *const p[2] = {"[\"1/4\",\"3/4\"]", "[\"3/4\",\"1/4\"]"}, *const labels[2] = {"[\"a\",\"b\"]",
                                                                                             "[\"b\",\"a\"]"};
    const char *const shown[2][2] = {{"a", "b"}, {"b", "a"}};
    const unsigned all[2] = {0, 1};
    expect(judge_choice(p, labels, shown, all, "0"), "consistent", "", "epsilon", "0");
}

/* ---- rare choices ------------------------------------------------------------------------------ */

#define RARE                                                            \
    "{\"choice\":0,\"site\":\"p.py:1:1\",\"p\":[\"1/100\",\"99/100\"]," \
    "\"labels\":[\"rare\",\"often\"],\"value\":%u}\n"

/* A run that chooses; `often` it publishes 3 or 4 and noise of scale 1. value NULL: a probe. */
static char *often(const char *centre, const char *value)
{
    char *text = NULL;
    cr_assert(
        asprintf(&text,
                 RARE
                 "{\"draw\":1,\"site\":\"p.py:2:1\",\"law\":\"laplace\",\"scale\":[\"1\"],\"shape\":[]}\n"
                 "{\"sum\":2,\"draw\":1,\"elements\":[0],\"factor\":\"1\",\"site\":\"p.py:2:5\","
                 "\"centre\":[\"%s\"]%s%s%s}\n"
                 "{\"output\":[{\"path\":\"$\",\"of\":2,\"element\":0,\"a\":\"1\",\"b\":\"0\"%s%s%s}],"
                 "\"error\":null}\n",
                 1u, centre, value != NULL ? ",\"value\":[\"" : "", value != NULL ? value : "",
                 value != NULL ? "\"]" : "", value != NULL ? ",\"value\":\"" : "", value != NULL ? value : "",
                 value != NULL ? "\"" : "") > 0);
    return text;
}

/* Runs that never meet the rare choice, and probes that lead to these constants there. */
static json_t *judge_rare(const char *const constant[2], const char *epsilon, const char *delta)
{
    trace_files t;
    traces_open(&t);
    for (unsigned i = 0; i < 4 + 2; i++) {
        char value[32], *line[2];
        snprintf(value, sizeof value, "%u.5", i);
        for (int s = 0; s < 2; s++)
            if (i == 4)
                cr_assert(asprintf(&line[s],
                                   RARE "{\"output\":[{\"path\":\"$\",\"value\":\"%s\"}],\"error\":null}\n",
                                   0u, constant[s]) > 0);
            else
                line[s] = often(s == 0 ? "3" : "4", i < 4 ? value : NULL);
        if (i < 4)
            traces_pair(&t, i, line[0], line[1]);
        else
            traces_alone(&t, i - 4, line[0], line[1], 1);
        free(line[0]);
        free(line[1]);
    }
    return traces_judge(&t, (pby_trace_options){.epsilon = epsilon, .delta = delta, .runs = 4});
}

/* One time in a hundred the count itself is published: no epsilon holds at a delta below 1/100. */
Test(audit_trace, a_value_without_noise_is_told_however_rare_its_choice)
{
    const char *const apart[2] = {"3", "4"}, *const alike[2] = {"3", "3"};
    json_t *answer = judge_rare(apart, "1", "1/1000");
    cr_assert_str_eq(traces_end(answer, "delta", "lower", "lo"), "0.00999999999");
    expect(answer, "violation", "", "epsilon", "inf");
    expect(judge_rare(apart, "1", "1/50"), "inconclusive", "unaligned", "epsilon", "0");
    expect(judge_rare(alike, "1", NULL), "consistent", "", "epsilon", "0");
}

/* ---- several draws ----------------------------------------------------------------------------- */

/* Two coordinates: of one draw of Laplace noise, or of two. value NULL: a probe. */
static char *both(int reused, const char *c1, const char *c2, const char *value)
{
    char *text = NULL, sum[64] = "", out[64] = "", second[160] = "";
    if (value != NULL) {
        snprintf(sum, sizeof sum, ",\"value\":[\"%s\"]", value);
        snprintf(out, sizeof out, ",\"value\":\"%s\"", value);
    }
    if (!reused)
        strcpy(second,
               "{\"draw\":2,\"site\":\"p.py:2:1\",\"law\":\"laplace\",\"scale\":[\"1\"],\"shape\":[]}\n");
    const char *const sum_line = "\"elements\":[0],\"factor\":\"1\",\"site\":\"p.py:3:1\"";
    cr_assert(
        asprintf(&text,
                 "{\"draw\":0,\"site\":\"p.py:1:1\",\"law\":\"laplace\",\"scale\":[\"1\"],\"shape\":[]}\n"
                 "{\"sum\":1,\"draw\":0,%s,\"centre\":[\"%s\"]%s}\n%s"
                 "{\"sum\":%d,\"draw\":%d,%s,\"centre\":[\"%s\"]%s}\n"
                 "{\"output\":[{\"path\":\"$[0]\",\"of\":1,\"element\":0,\"a\":\"1\",\"b\":\"0\"%s},"
                 "{\"path\":\"$[1]\",\"of\":%d,\"element\":0,\"a\":\"1\",\"b\":\"0\"%s}],\"error\":null}\n",
                 sum_line, c1, sum, second, reused ? 2 : 3, reused ? 0 : 2, sum_line, c2, sum, out,
                 reused ? 2 : 3, out) > 0);
    return text;
}

static json_t *judge_both(int reused, const char *c1, const char *moved1, const char *c2, const char *moved2,
                          const char *epsilon)
{
    trace_files t;
    traces_open(&t);
    for (unsigned i = 0; i < 3; i++) {
        const char *value = i == 2 ? NULL : i == 1 ? "3" : "4";
        char *left = both(reused, c1, c2, value), *right = both(reused, moved1, moved2, value);
        if (i < 2)
            traces_pair(&t, i, left, right);
        else
            traces_alone(&t, 0, left, right, 1);
        free(left);
        free(right);
    }
    return traces_judge(&t, (pby_trace_options){.epsilon = epsilon, .runs = 2});
}

Test(audit_trace, draws_compose_and_one_draw_counts_once)
{
    expect(judge_both(0, "5", "4", "5", "4", "1"), "violation", "", "epsilon", "2");
    expect(judge_both(0, "5", "4", "5", "4", "2"), "consistent", "", "epsilon", "2");
    expect(judge_both(0, "20", "21", "20", "3", "1"), "violation", "", "epsilon", "18");
    expect(judge_both(1, "5", "4", "7", "6", "1"), "consistent", "", "epsilon", "1");
    expect(judge_both(1, "5", "4", "7", "7", "1"), "violation", "", "delta", "1");
}
