/* SPDX-License-Identifier: MIT */
#include "audit/trace/trace_read.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define RUN                                                                   \
    "{\"run\":0,\"format\":\"probity-trace\",\"version\":1,\"input_sha256\":" \
    "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\",\"replay_of\":null}\n"
#define DRAW "{\"draw\":0,\"site\":\"p.py:1:1\",\"law\":\"laplace\",\"scale\":[\"0x1.4p+3\"],\"shape\":[]}\n"
#define SUM                                                                                                \
    "{\"sum\":1,\"draw\":0,\"elements\":[0],\"factor\":\"1\",\"site\":\"p.py:1:4\",\"centre\":[\"24.5\"]," \
    "\"value\":[\"0x1.9p+4\"]}\n"
#define OUTPUT                                                                                               \
    "{\"output\":[{\"path\":\"$.n\",\"value\":\"0x1.9p+4\",\"of\":1,\"element\":0,\"a\":\"1\",\"b\":\"0\"}," \
    "{\"path\":\"$.k\",\"text\":\"[a, b]\"}],\"error\":null}\n"

/* Reads one run; the error is one line. */
static pby_status read_one(pby_trace_run *run, const char *text, pby_error *err)
{
    pby_trace_reader *reader;
    bool got;
    cr_assert_eq(pby_trace_open_memory(&reader, "t.trace", text, strlen(text), err), PBY_OK);
    const pby_status status = pby_trace_next(run, &got, reader, err);
    pby_trace_reader_free(reader);
    return status;
}

Test(audit_trace_read, a_run_has_its_events)
{
    pby_trace_run run;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(
        read_one(&run,
                 RUN DRAW SUM
                 "{\"choice\":2,\"site\":\"p.py:20:8\",\"p\":[\"1/4\",\"3/4\"],\"labels\":[\"no\",\"yes\"],"
                 "\"value\":1}\n"
                 "{\"call\":3,\"site\":\"p.py:31:4\",\"name\":\"f\",\"law\":\"laplace\",\"scale\":[\"10\"],"
                 "\"declared\":\"10\",\"centre\":[\"3\"],\"value\":[\"7\"]}\n"
                 "{\"open\":4,\"draw\":0,\"element\":0,\"site\":\"p.py:40:7\",\"by\":\"__gt__\"}\n"
                 "{\"seed\":5,\"site\":\"p.py:9:6\",\"value\":\"7\"}\n" OUTPUT,
                 &err),
        PBY_OK, "%s", err.text);
    cr_assert_eq(run.noise_count, 3);
    cr_assert_eq(run.sums_count, 2);
    cr_assert_eq(run.opens_count, 1);
    cr_assert(run.seeds[0].literal);
    cr_assert(mpq_cmp_ui(run.noise[0].scale[0].q, 10, 1) == 0);
    cr_assert(mpq_cmp_ui(run.sums[0].centre.q, 49, 2) == 0);
    cr_assert_eq(run.outputs[0].sum, 0);
    cr_assert_eq(run.outputs[1].sum, -1);
    pby_trace_run_clear(&run);
}

/* Every refusal names the file, the line and the member. */
Test(audit_trace_read, what_is_malformed_is_refused_by_its_line)
{
    static const struct {
        const char *text, *line, *word;
    } cases[] = {
        {"x\n", "line 1", "JSON"},
        {"{\"run\":0}\n", "line 1", "format"},
        {RUN, "line 2", "output"},
        {RUN "{}\n", "line 2", "the line"},
        {RUN "{\"draw\":0,\"more\":1}\n", "line 2", "unknown"},
        {RUN "{\"draw\":1,\"site\":\"s\",\"law\":\"laplace\",\"scale\":[\"1\"],\"shape\":[]}\n", "line 2",
         "draw"},
        {RUN "{\"draw\":0,\"site\":\"s\",\"law\":\"cauchy\",\"scale\":[\"1\"],\"shape\":[]}\n", "line 2",
         "law"},
        {RUN "{\"draw\":0,\"site\":\"s\",\"law\":\"laplace\",\"scale\":[\"-1\"],\"shape\":[]}\n", "line 2",
         "scale"},
        {RUN "{\"draw\":0,\"site\":\"s\",\"law\":\"laplace\",\"scale\":[\"inf\"],\"shape\":[]}\n", "line 2",
         "scale"},
        {RUN "{\"draw\":0,\"site\":\"s\",\"law\":\"laplace\",\"scale\":[\"1x\"],\"shape\":[]}\n", "line 2",
         "scale"},
        {RUN "{\"draw\":0,\"site\":\"s\",\"law\":\"laplace\",\"scale\":[1],\"shape\":[]}\n", "line 2",
         "scale"},
        {RUN "{\"draw\":0,\"site\":\"s\",\"law\":\"laplace\",\"scale\":[\"1\"],\"shape\":[100000,100000]}\n",
         "line 2", "shape"},
        {RUN DRAW "{\"sum\":1,\"draw\":3,\"elements\":[0],\"factor\":\"1\",\"site\":\"s\",\"centre\":[\"1\"],"
                  "\"value\":[\"1\"]}\n",
         "line 3", "draw"},
        {RUN DRAW "{\"sum\":1,\"draw\":0,\"elements\":[1],\"factor\":\"1\",\"site\":\"s\",\"centre\":[\"1\"],"
                  "\"value\":[\"1\"]}\n",
         "line 3", "elements"},
        {RUN DRAW "{\"sum\":1,\"draw\":0,\"elements\":[0],\"factor\":\"0\",\"site\":\"s\",\"centre\":[\"1\"],"
                  "\"value\":[\"1\"]}\n",
         "line 3", "factor"},
        {RUN "{\"choice\":0,\"site\":\"s\",\"p\":[\"0\",\"0\"],\"labels\":[\"a\",\"b\"],\"value\":0}\n",
         "line 2", "p"},
        {RUN "{\"choice\":0,\"site\":\"s\",\"p\":[\"1\",\"-1\"],\"labels\":[\"a\",\"b\"],\"value\":0}\n",
         "line 2", "p"},
        {RUN "{\"choice\":0,\"site\":\"s\",\"p\":[\"1\",\"1\"],\"labels\":[\"a\",\"b\"],\"value\":2}\n",
         "line 2", "value"},
        {RUN "{\"call\":0,\"site\":\"s\",\"name\":\"f\",\"law\":\"guarantee\",\"spec\":\"pure\"}\n", "line 2",
         "spec"},
        {RUN DRAW SUM
         "{\"output\":[{\"path\":\"$\",\"value\":\"1\",\"of\":0,\"element\":0,\"a\":\"1\",\"b\":\"0\"}]}\n",
         "line 4", "of"},
        {RUN "{\"draw\":0,\"site\":\"s\",\"law\":\"other\",\"scale\":[\"0\"],\"shape\":[]}\n"
             "{\"sum\":1,\"draw\":0,\"elements\":[0],\"factor\":\"1\",\"site\":\"s\",\"centre\":[\"1\"],"
             "\"value\":[\"1\"]}\n",
         "line 3", "draw"},
        {RUN "{\"output\":[{\"path\":\"$\"}]}\n", "line 2", "output"},
        {RUN "{\"output\":[]}", "line 2", "newline"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_trace_run run;
        pby_error err = PBY_NO_ERROR;
        cr_assert_eq(read_one(&run, cases[i].text, &err), PBY_BAD, "case %zu", i);
        cr_assert(strstr(err.text, "t.trace") != NULL && strstr(err.text, cases[i].line) != NULL &&
                      strstr(err.text, cases[i].word) != NULL,
                  "case %zu: %s", i, err.text);
    }
}

Test(audit_trace_read, a_line_has_an_end)
{
    const size_t size = PBY_TRACE_LINE_MAX + 2;
    char *text = malloc(size + 1);
    pby_trace_run run;
    pby_error err = PBY_NO_ERROR;
    memset(text, ' ', size);
    text[size - 1] = '\n';
    text[size] = '\0';
    cr_assert_eq(read_one(&run, text, &err), PBY_BAD);
    cr_assert(strstr(err.text, "1048576") != NULL, "%s", err.text);
    free(text);
}

Test(audit_trace_read, numbers_are_exact)
{
    static const struct {
        const char *text;
        long numerator;
        unsigned long denominator;
    } good[] = {{"0x1.4p+3", 10, 1}, {"-0x1.8p-1", -3, 4}, {"0.1", 1, 10},
                {"1/3", 1, 3},       {"0x0p+0", 0, 1},     {"5e-1", 1, 2}};
    static const char *const bad[] = {"",   "x",   "0x",       "0x1", "0x1p", "0x1p+99999",
                                      "1 ", "--1", "infinity", "NaN", "0x.p1"};
    pby_trace_number x;
    pby_trace_number_init(&x);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        cr_assert(pby_trace_number_parse(&x, good[i].text), "%s", good[i].text);
        cr_assert(mpq_cmp_si(x.q, good[i].numerator, good[i].denominator) == 0, "%s", good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert(!pby_trace_number_parse(&x, bad[i]), "%s", bad[i]);
    cr_assert(pby_trace_number_parse(&x, "nan") && x.kind == PBY_TRACE_NAN);
    cr_assert(pby_trace_number_parse(&x, "-inf") && x.kind == PBY_TRACE_INFINITE && mpq_sgn(x.q) < 0);
    pby_trace_number_clear(&x);
}
