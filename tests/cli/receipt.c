/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], in[PBY_PATH_SIZE], out[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE],
    certificate[PBY_PATH_SIZE];

/* An empty bar stays empty, so that the output is known. */
static void make_files(void)
{
    pby_folder_make(folder);
    pby_folder_path(in, folder, "in.csv");
    pby_folder_path(out, folder, "out.csv");
    pby_folder_path(ledger, folder, "ledger");
    pby_folder_path(certificate, folder, "certificate.json");
    pby_write_file(in, "a,0\n");
}

static void remove_files(void)
{
    pby_folder_remove(folder);
}

TestSuite(receipt, .init = make_files, .fini = remove_files);

static json_t *receipt(const pby_run *r)
{
    cr_assert_eq(r->status, 0, "%s", r->err);
    json_t *object = json_loads(r->out, 0, NULL);
    cr_assert_not_null(object, "%s", r->out);
    return object;
}

static void text_is(const json_t *object, const char *name, const char *expected)
{
    const char *text = json_string_value(json_object_get(object, name));
    cr_assert_str_eq(text == NULL ? "none" : text, expected, "%s", name);
}

/* The digest is that of printf 'a,0\n' | sha256sum. */
Test(receipt, tells_what_was_written)
{
    json_t *object = receipt(PBY_RUN(NULL, "release", "stlap:q=4,eps=1", in, "-o", out, "--json"));
    cr_assert_eq(json_object_size(object), 4);
    text_is(object, "spec", "stlap:eps=1,q=4");
    cr_assert(json_is_null(json_object_get(object, "certificate")));
    cr_assert(json_is_null(json_object_get(object, "spent")));
    const json_t *file = json_object_get(object, "output");
    text_is(file, "file", out);
    text_is(file, "sha256", "24f6344f0307e73190bb479d93bb5631c488128b9cf2887ce2c5a858d58dae07");
    cr_assert_eq(json_integer_value(json_object_get(file, "bytes")), 4);
    cr_assert(pby_file_is(out, "a,0\n"));
    json_decref(object);
}

Test(receipt, tells_by_which_right_and_at_which_price)
{
    cr_assert_eq(PBY_RUN(NULL, "certify", "stlap:eps=1,q=4", "--epsilon", "1", "-o", certificate)->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "3", "--delta", "1/10")->status, 0);
    json_t *object =
        receipt(PBY_RUN(NULL, "release", certificate, in, "-o", out, "--ledger", ledger, "--json"));
    json_t *right = json_object_get(object, "certificate"), *spent = json_object_get(object, "spent");
    text_is(right, "neighbours", "add-remove");
    text_is(right, "epsilon", "1");
    text_is(json_object_get(right, "delta"), "hi", "0.13447071068499756038");
    json_t *shown = json_loads(PBY_RUN(NULL, "ledger", "show", ledger, "--json")->out, 0, NULL);
    cr_assert(json_equal(json_object_get(shown, "spent"), spent), "what the ledger itself says");
    json_decref(shown);
    json_decref(object);
}

Test(receipt, knows_no_digest_of_a_device)
{
    json_t *object = receipt(PBY_RUN(NULL, "release", "stlap:eps=1,q=4", in, "-o", "/dev/null", "--json"));
    cr_assert(json_is_null(json_object_get(json_object_get(object, "output"), "sha256")));
    json_decref(object);
}

Test(receipt, needs_a_reader)
{
    const pby_run *r =
        pby_run_to("/dev/full", NULL, PBY_ARGUMENTS("release", "stlap:eps=1,q=4", in, "-o", out, "--json"));
    cr_assert_eq(r->status, 3);
    cr_assert(pby_file_is(out, "a,0\n"));
    cr_assert_not_null(strstr(r->err, "probity: released to "), "%s", r->err);
    cr_assert_not_null(strstr(r->err, "out.csv, but its receipt could not be written: standard output: "),
                       "%s", r->err);
}

/* An output that is not there at all is known before the charge. */
Test(receipt, is_not_paid_for_in_vain)
{
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "0")->status, 0);
    const pby_run *r = pby_run_to(
        NULL, NULL, PBY_ARGUMENTS("release", "geometric:eps=1", in, "--ledger", ledger, "-o", out, "--json"));
    cr_assert_eq(r->status, 3);
    cr_assert_eq(pby_folder_entries(folder), 2, "the input and the ledger");
    cr_assert_eq(PBY_RUN(NULL, "release", "geometric:eps=1", in, "--ledger", ledger)->status, 0,
                 "the budget is whole");
}

Test(receipt, tells_what_stood_beside_the_mechanism)
{
    char table[PBY_PATH_SIZE];
    pby_folder_path(table, folder, "table");
    pby_write_file(table, "a\n");
    json_t *object = receipt(PBY_RUN(NULL, "release", "stlap:q=4,eps=1", in, "-o", out, "--json", "--filter",
                                     table, "--truncate", "9", "--statistic", "max"));
    cr_assert_eq(json_object_size(object), 8);
    text_is(json_object_get(object, "filter"), "file", table);
    cr_assert_eq(json_integer_value(json_object_get(json_object_get(object, "filter"), "bytes")), 2);
    cr_assert_eq(json_integer_value(json_object_get(object, "truncate")), 9);
    text_is(object, "statistic", "max");
    text_is(object, "order", "rows");
    cr_assert(pby_file_is(out, "none\n"));
    json_decref(object);
}

Test(receipt, tells_the_whole_statistic)
{
    json_t *object = receipt(
        PBY_RUN("1,0\n", "release", "stlap:eps=1,q=4", "--json", "--statistic", "max_k", "--k", "5e0"));
    text_is(object, "statistic", "max_k");
    text_is(object, "k", "5");
    text_is(object, "order", "numbers");
    cr_assert_null(json_object_get(object, "q"));
    json_decref(object);
    object = receipt(
        PBY_RUN("1,0\n", "release", "stlap:eps=1,q=4", "--json", "--statistic", "quantile", "--q", "0.9"));
    text_is(object, "q", "9/10");
    cr_assert_null(json_object_get(object, "k"));
    json_decref(object);
}

/* A table that can be read once is told of by what was read: printf 'a\n' | sha256sum. */
Test(receipt, digests_the_bytes_of_the_table_that_were_read)
{
    json_t *object = receipt(PBY_RUN("a\n", "release", "stlap:q=4,eps=1", in, "--json", "--filter", "-"));
    const json_t *filter = json_object_get(object, "filter");
    text_is(filter, "file", "-");
    text_is(filter, "sha256", "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7");
    json_decref(object);
}

/* ---- without a file: the release itself --------------------------------------------------------- */

static void releases(const char *expected, const pby_run *r)
{
    json_t *object = receipt(r), *wanted = json_loads(expected, JSON_DECODE_ANY, NULL);
    cr_assert_not_null(wanted);
    cr_assert(json_equal(json_object_get(object, "release"), wanted), "%s", r->out);
    cr_assert_null(json_object_get(object, "output"));
    json_decref(wanted);
    json_decref(object);
}

/* An empty bar stays empty; counts so far from a threshold pass it or do not but for a chance below 1e-40;
 * and noise of rate 1e-12 is within 1 with a chance below 2e-12. */
Test(receipt, holds_the_release_without_a_file)
{
    const pby_run *r = PBY_RUN("k,n\r\nb,0\r\n\"a\",0\r\n", "release", "stlap:eps=1,q=4", "-o-", "--json");
    cr_assert_str_eq(r->out,
                     "{\"release\": [{\"key\": \"b\", \"count\": 0}, {\"key\": \"a\", \"count\": 0}], "
                     "\"spec\": \"stlap:eps=1,q=4\", \"certificate\": null, \"spent\": null}\n");
    releases("[{\"key\": \"a\"}, {\"key\": \"b\"}]",
             PBY_RUN("b,5000\na,7000\nnone,0\n", "release", "partition:eps=1,delta=1/1000", "--json"));
    releases("[]", PBY_RUN("k,n\na,1\nb,2\n", "release", "threshold:eps=1,T=200", "--json"));
    releases("[]", PBY_RUN("", "release", "threshold:eps=1,T=200", "--json"));
    releases("[]", PBY_RUN("", "release", "buckethist:eps=1,q=10,bound=4,width=2", "--json"));
    releases("[{\"key\": \"z\", \"low\": null, \"high\": null}]",
             PBY_RUN("z,0\n", "release", "range:eps=1e-12,L=1", "--json"));
}

static json_int_t member(const json_t *row, const char *name)
{
    cr_assert(json_is_integer(json_object_get(row, name)), "%s", name);
    return json_integer_value(json_object_get(row, name));
}

/* Noise beyond 200 has a chance below 1e-40. */
Test(receipt, rows_are_those_of_the_mechanism)
{
    json_t *object = receipt(PBY_RUN("b,900000\na,1\n", "release", "threshold:eps=1,T=300", "--json"));
    const json_t *rows = json_object_get(object, "release");
    cr_assert_eq(json_array_size(rows), 1);
    text_is(json_array_get(rows, 0), "key", "b");
    cr_assert(llabs(member(json_array_get(rows, 0), "count") - 900000) < 200);
    json_decref(object);
    object = receipt(PBY_RUN("b,900000\n", "release", "range:eps=1,L=400", "--json"));
    const json_t *row = json_array_get(json_object_get(object, "release"), 0);
    cr_assert_eq(json_object_size(row), 3);
    cr_assert(member(row, "low") < member(row, "high") && member(row, "high") > 800000);
    json_decref(object);
}

Test(receipt, centres_are_lists_of_exact_texts)
{
    static char input[4 * 400 + 1];
    for (int i = 0; i < 400; i++)
        strcat(input, i % 2 == 0 ? "1,3\n" : "3,3\n");
    json_t *object =
        receipt(PBY_RUN(input, "release", "buckethist:eps=1,q=10,bound=4,width=2,dimension=2", "--json"));
    const json_t *rows = json_object_get(object, "release");
    cr_assert_eq(json_array_size(rows), 2);
    for (size_t i = 0; i < 2; i++) {
        const json_t *row = json_array_get(rows, i), *centre = json_object_get(row, "centre");
        cr_assert_eq(json_array_size(centre), 2);
        cr_assert_str_eq(json_string_value(json_array_get(centre, 0)), i == 0 ? "1" : "3");
        cr_assert_str_eq(json_string_value(json_array_get(centre, 1)), "3");
        cr_assert(member(row, "count") >= 190 && member(row, "count") <= 200);
    }
    json_decref(object);
}

Test(receipt, a_key_is_any_text_that_the_input_allows)
{
    char row[] = "\"?\",0\n";
    for (char c = 1; c > 0; c++) {
        if (c == '"')
            continue;
        row[1] = c;
        json_t *object = receipt(PBY_RUN(row, "release", "stlap:eps=1,q=4", "--json"));
        const char key[] = {c, '\0'};
        text_is(json_array_get(json_object_get(object, "release"), 0), "key", key);
        json_decref(object);
    }
    releases(
        "[{\"key\": \"\\\"\\\"\\\\\\n,\", \"count\": 0}, {\"key\": \"\\u00e9\\ud83d\\ude00\", \"count\": 0}, "
        "{\"key\": \"\", \"count\": 0}]",
        PBY_RUN("\"\"\"\"\"\\\n,\",0\n\xc3\xa9\xf0\x9f\x98\x80,0\n,0\n", "release", "stlap:eps=1,q=4",
                "--json"));
}

Test(receipt, rows_of_many_chunks_are_one_list)
{
    enum { N = 20000 };
    static char input[16 * N];
    char *at = input;
    for (int i = 0; i < N; i++)
        at += sprintf(at, "%d,0\n", i);
    json_t *object = receipt(PBY_RUN(input, "release", "stlap:eps=1,q=4", "--json"));
    const json_t *rows = json_object_get(object, "release");
    cr_assert_eq(json_array_size(rows), N);
    for (size_t i = 0; i < N; i++)
        cr_assert_eq(atoi(json_string_value(json_object_get(json_array_get(rows, i), "key"))), (int)i);
    json_decref(object);
}

/* Each of its bytes becomes six, and together they are more than the spool has room for at first. */
Test(receipt, a_long_key_has_room)
{
    enum { SIZE = 150000 };
    static char input[SIZE + 8], key[SIZE + 1];
    memset(key, 1, SIZE);
    sprintf(input, "%s,0\n", key);
    json_t *object = receipt(PBY_RUN(input, "release", "stlap:eps=1,q=4", "--json"));
    text_is(json_array_get(json_object_get(object, "release"), 0), "key", key);
    json_decref(object);
}

Test(receipt, the_release_may_be_a_statistic)
{
    static const char empty[] = "1,0\n2,0\n", full[] = "2,900\n1,900\n3,0\n";
    releases("null", PBY_RUN(empty, "release", "stlap:eps=1,q=4", "--statistic", "max", "--json"));
    releases("[]", PBY_RUN(empty, "release", "stlap:eps=1,q=4", "--statistic", "support", "--json"));
    releases("[\"1\", \"2\"]",
             PBY_RUN(full, "release", "stlap:eps=1,q=4", "--statistic", "support", "--json"));
    releases("\"2\"", PBY_RUN(full, "release", "stlap:eps=1,q=4", "--statistic", "max", "--json"));
    releases("\"1\"", PBY_RUN(full, "release", "stlap:eps=1,q=4", "--statistic", "range", "--json"));
}

/* The budget is for one release: neither input that is refused nor the second release spends it or prints. */
Test(receipt, appears_whole_or_not_at_all)
{
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "0")->status, 0);
    PBY_REFUSED(2, "line 2, column 2", "a,1\nb,x\n", "release", "geometric:eps=1", "--ledger", ledger,
                "--json");
    PBY_REFUSED(2, "valid UTF-8", "a,1\n\xff,1\n", "release", "geometric:eps=1", "--ledger", ledger,
                "--json");
    json_t *object = receipt(PBY_RUN("a,1\n", "release", "geometric:eps=1", "--ledger", ledger, "--json"));
    text_is(json_object_get(json_object_get(object, "spent"), "epsilon"), "hi", "1");
    json_decref(object);
    PBY_REFUSED(1, "budget", "a,1\n", "release", "geometric:eps=1", "--ledger", ledger, "--json");
    cr_assert_eq(
        pby_run_to("/dev/full", NULL, PBY_ARGUMENTS("release", "stlap:eps=1,q=4", in, "--json"))->status, 3);
}
