/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "table/csv/csv.h"
#include "table/row/csv_row.h"

#define COUNT_EXPECTED PBY_ROW_COUNT
#define END_EXPECTED   PBY_ROW_END
#define COMMA_EXPECTED PBY_ROW_COMMA

/* Returns the bytes that a release writes, in chunks of at most max rows, each count changed. */
static char *release(const void *bytes, size_t size, size_t max, int64_t (*change)(int64_t), size_t *out_size)
{
    char name[] = "/tmp/probity-csv.XXXXXX";
    pby_error err;
    pby_csv *csv;
    pby_spool *spool;
    uint64_t rows, seen = 0;
    close(mkstemp(name));
    cr_assert_eq(pby_csv_open_memory(&csv, "input", bytes, size, &err), PBY_OK);
    cr_assert_eq(pby_csv_scan(csv, &rows, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spool_open(&spool, name, &err), PBY_OK);
    int64_t *counts = malloc(max * sizeof *counts);
    for (size_t n;; seen += n) {
        cr_assert_eq(pby_csv_next_chunk(csv, counts, max, &n, &err), PBY_OK, "%s", err.text);
        if (n == 0)
            break;
        for (size_t i = 0; i < n; i++)
            counts[i] = change(counts[i]);
        cr_assert_eq(pby_csv_write_chunk(csv, spool, counts, n, &err), PBY_OK);
    }
    cr_assert_eq(seen, rows);
    cr_assert_eq(pby_spool_commit(spool, &err), PBY_OK);
    pby_csv_free(csv);
    free(counts);

    FILE *f = fopen(name, "r");
    const size_t room = 2 * size + 4096;
    char *text = malloc(room);
    *out_size = fread(text, 1, room, f);
    cr_assert_lt(*out_size, room);
    text[*out_size] = '\0';
    fclose(f);
    unlink(name);
    return text;
}

static int64_t same(int64_t count)
{
    return count;
}

static int64_t doubled(int64_t count)
{
    return 2 * count;
}

static int64_t extreme(int64_t count)
{
    return count == 0 ? INT64_MIN : count == 1 ? INT64_MAX : -count;
}

static void becomes(const char *in, int64_t (*change)(int64_t), const char *out)
{
    for (size_t max = 1; max <= 3; max++) {
        size_t size;
        char *text = release(in, strlen(in), max, change, &size);
        cr_assert_str_eq(text, out);
        cr_assert_eq(size, strlen(out));
        free(text);
    }
}

static void stays(const char *text)
{
    becomes(text, same, text);
}

static void refused_bytes(const void *bytes, size_t size, const char *text)
{
    pby_error err;
    pby_csv *csv;
    uint64_t rows;
    cr_assert_eq(pby_csv_open_memory(&csv, "input", bytes, size, &err), PBY_OK);
    cr_assert_eq(pby_csv_scan(csv, &rows, &err), PBY_BAD, "%.100s", (const char *)bytes);
    cr_assert_str_eq(err.text, text);
    int64_t count;
    size_t n;
    cr_assert_eq(pby_csv_next_chunk(csv, &count, 1, &n, &err), PBY_BAD, "what was refused is not read");
    pby_csv_free(csv);
}

static void refused(const char *bytes, const char *text)
{
    refused_bytes(bytes, strlen(bytes), text);
}

/* By the second field of a line, in whatever words. */
static void refused_by_count(const char *text, int line)
{
    char place[64];
    pby_error err;
    pby_csv *csv;
    uint64_t rows;
    snprintf(place, sizeof place, "input: line %d, column 2: expected ", line);
    cr_assert_eq(pby_csv_open_memory(&csv, "input", text, strlen(text), &err), PBY_OK);
    cr_assert_eq(pby_csv_scan(csv, &rows, &err), PBY_BAD, "%s", text);
    cr_assert_eq(strncmp(err.text, place, strlen(place)), 0, "%s: %s", text, err.text);
    pby_csv_free(csv);
}

Test(csv, only_the_counts_change)
{
    becomes("a,1\nb,20\nc,300\n", doubled, "a,2\nb,40\nc,600\n");
    becomes("a,5\nb,50\nc,500", doubled, "a,10\nb,100\nc,1000");
    becomes("x,0\ny,1\nz,9223372036854775807\n", extreme,
            "x,-9223372036854775808\ny,9223372036854775807\nz,-9223372036854775807\n");
    becomes("a,\"7\"\nb,007\n", doubled, "a,\"14\"\nb,14\n");
}

Test(csv, everything_else_is_preserved)
{
    stays("key,count\na,1\nb,2\n");
    stays("a,1\r\nb,2\r\n");
    stays("a,1\r\nb,2\nc,3");
    stays("\"a\",1\n\"b,b\",2\n\"c\nc\",3\n\"d\"\"d\",4\n\"\r\n\",\"5\"\n");
    becomes("\xef\xbb\xbf"
            "a,1\n",
            same, "a,1\n");
    becomes("\xef\xbb\xbf\"key\",\"count\"\r\na,1\n", same, "\"key\",\"count\"\r\na,1\n");
    stays(",0\n");
    stays(" a ,1\n\ta,2\n");
    stays("\xc3\xa9,1\n\xe2\x82\xac,2\n\xf0\x9f\x98\x80,3\ne\xcc\x81,4\n");
    stays("b,1\na,2\n\"key\",3\n");
    stays("key,count\nkey,9223372036854775807\n");
}

/* A row whose count is a word passes for a header, and the word may be a secret. */
Test(csv, the_second_word_of_a_header_is_a_constant)
{
    becomes("k,n\na,1\n", same, "k,count\na,1\n");
    becomes("\xef\xbb\xbf\"the, key\",\"n \"\"o\"\" f\"\r\na,1\r\nb,2", same,
            "\"the, key\",\"count\"\r\na,1\r\nb,2");
    becomes("a,twelve\nb,2\n", doubled, "a,count\nb,4\n");
    becomes("a,the number of visits\nb,2\n", same, "a,count\nb,2\n");
}

/* Every number of digits, and both sides of each power of ten. */
Test(csv, numbers_are_written_as_they_were_read)
{
    char text[2048] = "";
    size_t at = 0;
    for (uint64_t power = 1, i = 0; i < 19; i++, power *= 10)
        at += (size_t)snprintf(text + at, sizeof text - at, "a%lu,%lu\nb%lu,%lu\n", i, power, i, power - 1);
    stays(text);
}

Test(csv, bad_counts_are_refused)
{
    static const char *const bad[] = {"-1",
                                      "-0",
                                      "+1",
                                      "1.5",
                                      "1.0",
                                      "1e3",
                                      "",
                                      " 1",
                                      "1 ",
                                      "NaN",
                                      "nan",
                                      "inf",
                                      "0x1",
                                      "1_0",
                                      "1\t",
                                      "\"1",
                                      "1\"",
                                      "x",
                                      "\"\"",
                                      "\"1 \"",
                                      "\"1x",
                                      "\"1,",
                                      "\"1\"\"\"",
                                      "\xd9\xa1",
                                      "1\r2",
                                      "9223372036854775808",
                                      "18446744073709551616",
                                      "99999999999999999999",
                                      "00000000000000000001"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[128];
        snprintf(text, sizeof text, "a,1\nb,%s\nc,3\n", bad[i]);
        refused_by_count(text, 2);
        snprintf(text, sizeof text, "a,1\nb,%s", bad[i]);
        refused_by_count(text, 2);
    }
}

/* A refusal describes a bad count by its form, and never by its value. */
Test(csv, a_bad_count_is_told_by_its_form)
{
    static const struct {
        const char *count, *expected;
    } bad[] = {{"-5", PBY_ROW_NEGATIVE},     {"-0", PBY_ROW_NEGATIVE},
               {"1.5", PBY_ROW_DECIMAL},     {"\"1,5\"", PBY_ROW_DECIMAL},
               {".5", PBY_ROW_DECIMAL},      {"1.234", PBY_ROW_DECIMAL},
               {" 5", PBY_ROW_BLANK},        {"5 ", PBY_ROW_BLANK},
               {"5\t", PBY_ROW_BLANK},       {"\"1,234\"", PBY_ROW_THOUSANDS},
               {"1 234", PBY_ROW_THOUSANDS}, {"1'234'567", PBY_ROW_THOUSANDS},
               {"", PBY_ROW_MISSING},        {"\"\"", PBY_ROW_MISSING},
               {"NaN", PBY_ROW_MISSING},     {"n/a", PBY_ROW_MISSING},
               {"5%", PBY_ROW_UNIT},         {"+5", PBY_ROW_UNIT},
               {"$5", PBY_ROW_UNIT},         {"5kg", PBY_ROW_UNIT},
               {"1e3", PBY_ROW_EXPONENT},    {"1.5E+6", PBY_ROW_EXPONENT},
               {"1e", PBY_ROW_UNIT},         {"1e+", PBY_ROW_UNIT},
               {"word", PBY_ROW_COUNT},      {"9223372036854775808", PBY_ROW_COUNT}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64], expected[256];
        snprintf(text, sizeof text, "a,1\nb,%s\n", bad[i].count);
        snprintf(expected, sizeof expected, "input: line 2, column 2: expected %s", bad[i].expected);
        refused(text, expected);
    }
    refused("a,1\n7,word\n", "input: line 2, column 2: expected " PBY_ROW_SWAPPED);
    refused("a,1\nb,1,234\n", "input: line 2, column 3: expected " PBY_ROW_GROUPED_END);
    refused("k;n\na;1\n", "input: line 1, column 2: expected " PBY_ROW_SEMICOLON);
    refused("k\tn\na\t1\n", "input: line 1, column 2: expected " PBY_ROW_TAB);
}

/* A text that could be a name makes the first row a header; one that stands for a missing number does not. */
Test(csv, a_bad_first_count_is_not_taken_for_a_header)
{
    static const char *const bad[] = {"-1", "", "NaN", "NA", "null", "Infinity", ".5", "<5", " 5"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64];
        snprintf(text, sizeof text, "a,%s\nb,2\n", bad[i]);
        refused_by_count(text, 1);
    }
    refused("key,count\nkey,count\n", "input: line 2, column 2: expected " COUNT_EXPECTED);
}

Test(csv, the_wrong_number_of_columns_is_refused)
{
    refused("a,1\nb\n", "input: line 2, column 2: expected " COMMA_EXPECTED);
    refused("a\n", "input: line 1, column 2: expected " COMMA_EXPECTED);
    refused("a,1\n\nb,2\n", "input: line 2, column 2: expected " COMMA_EXPECTED);
    refused("a,1\n\n", "input: line 2, column 2: expected " COMMA_EXPECTED);
    refused("\"a\"", "input: line 1, column 2: expected " COMMA_EXPECTED);
    refused("\"a\"\r\n", "input: line 1, column 2: expected " COMMA_EXPECTED);
    refused("a,1,2\n", "input: line 1, column 3: expected " END_EXPECTED);
    refused("a,1,\n", "input: line 1, column 3: expected " END_EXPECTED);
    refused("key,count,more\na,1,2\n", "input: line 1, column 3: expected " END_EXPECTED);
}

Test(csv, bad_quoting_is_refused)
{
    refused("a,1\n\"b,2\nc,3\n", "input: line 2, column 1: expected a closing quote within 1048576 bytes");
    refused("a,\"1\nb,2\n", "input: line 1, column 2: expected a closing quote within 1048576 bytes");
    refused("a,1\n\"b\"x,2\n", "input: line 2, column 1: expected a comma after the closing quote");
    refused("a,1\nb\"b,2\n",
            "input: line 2, column 1: expected a quote only in a field that begins with one");
    refused("a\rb,1\n",
            "input: line 1, column 1: expected a carriage return only before a newline or in quotes");
    refused("a,1\nb,2\r", "input: line 2, column 2: expected " COUNT_EXPECTED);
    refused("a,1\nb\r",
            "input: line 2, column 1: expected a carriage return only before a newline or in quotes");
}

Test(csv, bad_bytes_are_refused)
{
    refused_bytes("a,1\nb\0b,2\n", 10, "input: line 2, column 1: expected no NUL byte");
    refused_bytes("a,1\n\"b\0\",2\n", 11, "input: line 2, column 1: expected no NUL byte");
    refused_bytes("a,1\nb,2\0\n", 9, "input: line 2, column 2: expected " PBY_ROW_UNIT);
    refused_bytes("a,1\n\0", 5, "input: line 2, column 1: expected no NUL byte");
    refused("a,1\nb\xff,2\n", "input: line 2, column 1: expected valid UTF-8");
    refused("a,1\n\"\xed\xa0\x80\",2\n", "input: line 2, column 1: expected valid UTF-8");
    refused("a,1\n\xc3", "input: line 2, column 1: expected valid UTF-8");
    refused("k,\xff\n", "input: line 1, column 2: expected valid UTF-8");
    refused("\xff\xfe"
            "a,1\n",
            "input: line 1, column 1: expected " PBY_ROW_UTF16);
}

Test(csv, an_input_without_a_row_is_refused)
{
    refused("", "input: expected at least one row KEY,COUNT");
    refused("key,count\n", "input: expected at least one row KEY,COUNT");
    refused("\xef\xbb\xbf", "input: expected at least one row KEY,COUNT");
}

Test(csv, duplicate_keys_are_refused)
{
    refused("a,1\nb,2\na,3\n", "input: line 3, column 1: expected a key once; this is a duplicate");
    refused("a,1\n\"a\",2\n", "input: line 2, column 1: expected a key once; this is a duplicate");
    refused("\"x\"\"y\n\",1\nb,2\n\"x\"\"y\n\",1\n",
            "input: line 4, column 1: expected a key once; this is a duplicate");
    refused("\"\",1\n,1\n", "input: line 2, column 1: expected a key once; this is a duplicate");
    refused("\xef\xbb\xbf"
            "a,1\na,1\n",
            "input: line 2, column 1: expected a key once; this is a duplicate");
}

Test(csv, the_first_error_is_the_one_that_is_told)
{
    refused("a,1\na,2\nb,x\n", "input: line 2, column 1: expected a key once; this is a duplicate");
    refused("a,1\nb,x\na,2\n", "input: line 2, column 2: expected " COUNT_EXPECTED);
}

Test(csv, lines_are_counted_through_quoted_newlines)
{
    refused("\"k\n\",\"count\"\n\"a\n\nb\",1\nc,x\n", "input: line 6, column 2: expected " COUNT_EXPECTED);
    refused("a,1\n\"b\nb\"\n", "input: line 3, column 2: expected " COMMA_EXPECTED);
    refused("a,1\n\"b\nb\",x\n", "input: line 3, column 2: expected " COUNT_EXPECTED);
}

/* Inputs that cross the window many times, at every phase of its edge, and with rows longer than it. */
Test(csv, rows_may_lie_across_the_window)
{
    enum { SIZE = 600000 };
    char *text = malloc(SIZE + 64);
    for (size_t first = 1; first <= 40; first += 3) {
        size_t at = 0;
        memset(text, 'f', first);
        at = first + (size_t)snprintf(text + first, 32, ",1\r\n");
        for (unsigned i = 0; at < SIZE; i++)
            at += (size_t)snprintf(text + at, 64, "\"k\xc3\xa9\"\"%u\",%u\r\n", i, i * 7919u);
        size_t size;
        char *out = release(text, at, 100000, same, &size);
        cr_assert_eq(size, at);
        cr_assert_arr_eq(out, text, at);
        free(out);
    }
    free(text);
}

Test(csv, the_longest_header_and_keys_pass)
{
    const size_t field = 2 * (size_t)PBY_ROW_KEY_MAX + 2;
    char *text = malloc(4 * field);
    char *at = text;
    memset(at, '"', field), at += field;
    *at++ = ',', *at++ = '"', *at++ = 'n';
    memset(at, 'n', PBY_ROW_KEY_MAX - 1), at += PBY_ROW_KEY_MAX - 1;
    *at++ = '"', *at++ = '\n';
    memset(at, '"', field), at += field;
    memcpy(at, ",12\n", 4), at += 4;
    memset(at, 'z', PBY_ROW_KEY_MAX), at += PBY_ROW_KEY_MAX;
    memcpy(at, ",34", 3), at += 3;
    size_t size;
    char *out = release(text, (size_t)(at - text), 10, same, &size);
    const size_t name = field + 2, behind = name + PBY_ROW_KEY_MAX;
    cr_assert_eq(size, (size_t)(at - text) - PBY_ROW_KEY_MAX + 5);
    cr_assert_eq(memcmp(out, text, name), 0);
    cr_assert_eq(memcmp(out + name, "count", 5), 0);
    cr_assert_eq(memcmp(out + name + 5, text + behind, size - name - 5), 0);
    free(out);
    free(text);
}

Test(csv, a_longer_key_is_refused)
{
    char *text = malloc(PBY_ROW_KEY_MAX + 16);
    memcpy(text, "a,1\n", 4);
    memset(text + 4, 'k', PBY_ROW_KEY_MAX + 1);
    memcpy(text + PBY_ROW_KEY_MAX + 5, ",1\n", 3);
    refused_bytes(text, PBY_ROW_KEY_MAX + 8, "input: line 2, column 1: expected at most 1048576 bytes");
    free(text);
}

static int scratch_file(char *name, const char *text)
{
    const int fd = mkstemp(name);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    return fd;
}

/* Puts a text in the file's place after the scan; it must be noticed before the last chunk. */
static void changed_to(const char *text)
{
    char name[] = "/tmp/probity-csv.XXXXXX";
    const int fd = scratch_file(name, "a,1\nb,2\n");
    pby_error err;
    pby_csv *csv;
    uint64_t rows;
    cr_assert_eq(pby_csv_open(&csv, name, &err), PBY_OK);
    cr_assert_eq(pby_csv_scan(csv, &rows, &err), PBY_OK);
    cr_assert_eq(ftruncate(fd, 0), 0);
    cr_assert_eq(pwrite(fd, text, strlen(text), 0), (ssize_t)strlen(text));
    const struct timespec times[2] = {{1, 0}, {1, 0}};
    cr_assert_eq(futimens(fd, times), 0);
    int64_t counts[8];
    size_t n = 1;
    pby_status status = PBY_OK;
    while (status == PBY_OK && n > 0)
        status = pby_csv_next_chunk(csv, counts, 8, &n, &err);
    cr_assert_eq(status, PBY_FAILED);
    cr_assert_not_null(strstr(err.text, ": changed while it was being read"));
    pby_csv_free(csv);
    close(fd);
    unlink(name);
}

/* The counts of all rows, added up, by chunks of two. */
static int64_t sum_of(pby_csv *csv, uint64_t *rows)
{
    int64_t counts[2], sum = 0;
    size_t n;
    *rows = 0;
    do {
        cr_assert_eq(pby_csv_next_chunk(csv, counts, 2, &n, NULL), PBY_OK);
        for (size_t i = 0; i < n; i++)
            sum += counts[i];
        *rows += n;
    } while (n > 0);
    return sum;
}

/* One scan, many readings; a file that changes between two of them is a failure. */
Test(csv, rows_can_be_read_again_and_again)
{
    static const char text[] = "key,count\na,1\n\"b\"\"\",20\nc,300\n";
    char name[] = "/tmp/probity-csv.XXXXXX";
    int64_t counts[2];
    size_t n;
    const int fd = mkstemp(name);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    for (int memory = 0; memory < 2; memory++) {
        pby_csv *csv;
        pby_error err;
        uint64_t rows;
        cr_assert_eq(memory ? pby_csv_open_memory(&csv, "input", text, strlen(text), &err)
                            : pby_csv_open(&csv, name, &err),
                     PBY_OK);
        cr_assert_eq(pby_csv_scan(csv, &rows, &err), PBY_OK);
        for (int time = 0; time < 5; time++) {
            if (time > 0)
                pby_csv_again(csv);
            cr_assert_eq(sum_of(csv, &rows), 321);
            cr_assert_eq(rows, 3);
            cr_assert_eq(pby_csv_records(csv), 321);
        }
        if (!memory) {
            pby_csv_again(csv);
            cr_assert_eq(write(fd, "d,4\n", 4), 4);
            pby_status status = PBY_OK;
            for (n = 1; status == PBY_OK && n > 0;)
                status = pby_csv_next_chunk(csv, counts, 2, &n, &err);
            cr_assert_eq(status, PBY_FAILED);
        }
        pby_csv_free(csv);
    }
    close(fd);
    unlink(name);
}

Test(csv, an_input_that_changes_is_a_failure)
{
    changed_to("a,1\nb,2\nc,3\n");
    changed_to("a,1\n");
    changed_to("");
    changed_to("a,1\nb,x\n");
    changed_to("a,1\na,2\n");
}

Test(csv, misuse_is_refused)
{
    pby_error err;
    pby_csv *csv;
    uint64_t rows;
    int64_t counts[2];
    size_t n;
    cr_assert_eq(pby_csv_open_memory(&csv, "input", "a,1\nb,2\n", 8, &err), PBY_OK);
    cr_assert_eq(pby_csv_next_chunk(csv, counts, 2, &n, &err), PBY_BAD, "not scanned yet");
    cr_assert_eq(pby_csv_scan(csv, &rows, &err), PBY_OK);
    cr_assert_eq(rows, 2);
    cr_assert_eq(pby_csv_scan(csv, &rows, &err), PBY_BAD, "scanned once");
    cr_assert_eq(pby_csv_next_chunk(csv, counts, 0, &n, &err), PBY_BAD, "no room");
    cr_assert_eq(pby_csv_next_chunk(csv, counts, 2, &n, &err), PBY_OK);
    cr_assert_eq(n, 2);
    cr_assert_eq(pby_csv_write_chunk(csv, NULL, counts, 1, &err), PBY_BAD, "another number of rows");
    cr_assert_eq(pby_csv_next_chunk(csv, counts, 2, &n, &err), PBY_OK);
    cr_assert_eq(n, 0);
    pby_csv_free(csv);
    pby_csv_free(NULL);
    cr_assert_eq(pby_csv_open(&csv, "/nonexistent/x.csv", &err), PBY_BAD);
    cr_assert_null(csv);
}
