/* SPDX-License-Identifier: MIT */
#include "table/sort/passed.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/store/rows.h"
#include "tests/cli/run.h"
#include "tests/kernel/stream.h"

struct written {
    pby_rows rows;
    const char *const *columns;
};

static pby_status write_row(void *to, const uint8_t *name, size_t size, const int64_t *counts, pby_error *err)
{
    struct written *w = to;
    return pby_rows_add(&w->rows, name, size, w->columns, counts, err);
}

static void write_to(const char *path, pby_passed *passed, bool counts)
{
    pby_spool *spool;
    cr_assert_eq(pby_spool_open(&spool, path, NULL), PBY_OK);
    struct written to = {{.spool = spool}, counts ? pby_columns_count : pby_columns_none};
    cr_assert_eq(pby_passed_each(passed, write_row, &to, NULL), PBY_OK);
    cr_assert_eq(pby_spool_commit(spool, NULL), PBY_OK);
}

typedef struct bar {
    char name[320];
    int64_t count;
} bar;

/* The bars of which pass says so; the others are only in the spread. */
static pby_passed *gather(const bar *bars, size_t n, bool (*pass)(const bar *))
{
    pby_spread spread = {0};
    pby_passed *passed;
    for (size_t i = 0; i < n; i++)
        pby_spread_add(&spread, (const uint8_t *)bars[i].name, strlen(bars[i].name));
    cr_assert_eq(pby_passed_new(&passed, &spread, 1, NULL), PBY_OK);
    for (size_t i = 0; i < n; i++)
        if (pass == NULL || pass(&bars[i]))
            cr_assert_eq(pby_passed_add(passed, (const uint8_t *)bars[i].name, strlen(bars[i].name),
                                        &bars[i].count, NULL),
                         PBY_OK);
    return passed;
}

static void shuffle(bar *bars, size_t n, uint64_t *stream)
{
    for (size_t i = n; i-- > 1;) {
        const size_t j = stream_next(stream) % (i + 1);
        const bar held = bars[i];
        bars[i] = bars[j];
        bars[j] = held;
    }
}

Test(passed, sorted_by_bytes_and_quoted_where_needed)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    static const bar bars[] = {{"longer than eight bytes b", 3},
                               {"\xc3\xa9", 9},
                               {"longer than eight bytes a", -2},
                               {"", 1},
                               {"longer t", 4},
                               {"a,b", 5},
                               {"a\"b", 6},
                               {"B", INT64_MAX}};
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    pby_passed *passed = gather(bars, sizeof bars / sizeof *bars, NULL);
    write_to(path, passed, true);
    cr_assert(pby_file_is(path, ",1\nB,9223372036854775807\n\"a\"\"b\",6\n\"a,b\",5\nlonger t,4\n"
                                "longer than eight bytes a,-2\nlonger than eight bytes b,3\n\xc3\xa9,9\n"));
    write_to(path, passed, false);
    cr_assert(pby_file_is(path, "\nB\n\"a\"\"b\"\n\"a,b\"\nlonger t\nlonger than eight bytes a\n"
                                "longer than eight bytes b\n\xc3\xa9\n"));
    pby_passed_free(passed);
    pby_folder_remove(folder);
}

/* Names that begin each other, of every length, against plain sorting. */
Test(passed, names_of_every_length)
{
    enum { LENGTHS = 40, N = 2 * LENGTHS };
    static char expected[1 << 13];
    static bar bars[N];
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    uint64_t stream = 50;
    char *at = expected;
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    for (int i = 0; i < N;
         i++) { /* one x, two x and so on, then each with a y behind it, which comes after all longer ones */
        const int length = i < LENGTHS ? i + 1 : N - i;
        memset(bars[i].name, 'x', (size_t)length);
        strcpy(bars[i].name + length, i < LENGTHS ? "" : "y");
        bars[i].count = i;
        at += sprintf(at, "%s,%d\n", bars[i].name, i);
    }
    shuffle(bars, N, &stream);
    pby_passed *passed = gather(bars, N, NULL);
    write_to(path, passed, true);
    cr_assert(pby_file_is(path, expected));
    pby_passed_free(passed);
    pby_folder_remove(folder);
}

static bool is_even(const bar *b)
{
    return b->count % 2 == 0;
}

/* The names that pass begin with as many equal bytes as may be looked at, or about as many; one that does not
 * pass shares less of them, comes last, and is like the first elsewhere but for a byte behind them. */
Test(passed, one_of_the_rest_that_shares_less_does_not_show)
{
    enum { N = 300, LOOKED = 8 * PBY_SPREAD_WORDS, AROUND = 12 };
    static char expected[N * 300];
    static bar bars[N + 1];
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    uint64_t stream = 53;
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    for (int begin = LOOKED - AROUND; begin <= LOOKED + AROUND; begin++)
        for (int odd = begin - AROUND; odd < begin; odd++) {
            char *at = expected;
            for (int i = 0; i < N; i++) {
                memset(bars[i].name, 'p', (size_t)begin);
                sprintf(bars[i].name + begin, "%c%c%02d", 'a' + i / 60, 'a' + i / 12 % 5, i % 12);
                bars[i].count = 1000;
                at += sprintf(at, "%s,1000\n", bars[i].name);
            }
            shuffle(bars, N, &stream);
            strcpy(bars[N].name, bars[0].name);
            strcpy(bars[N].name + begin + 1, "g");
            bars[N].name[odd] = 'q';
            bars[N].count = 1;
            pby_passed *passed = gather(bars, N + 1, is_even);
            write_to(path, passed, true);
            cr_assert(pby_file_is(path, expected), "%d equal bytes, other at %d", begin, odd);
            pby_passed_free(passed);
        }
    pby_folder_remove(folder);
}

/* Neither the order in which bars come nor the names of those that do not pass have an effect on a byte of
 * the output: those are other ones in the last round, and begin in another way. */
Test(passed, the_rest_does_not_show)
{
    enum { N = 6000, ROUNDS = 3 };
    static char text[ROUNDS][1 << 18];
    static bar bars[N];
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    uint64_t stream = 51;
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    for (size_t i = 0; i < N; i++) {
        snprintf(bars[i].name, sizeof bars[i].name, "name %zu", i * i * 7919 % 1000003);
        bars[i].count = (int64_t)i;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; round == ROUNDS - 1 && i < N; i++)
            if (!is_even(&bars[i]))
                snprintf(bars[i].name, sizeof bars[i].name, "%zu", i);
        pby_passed *passed = gather(bars, N, is_even);
        write_to(path, passed, true);
        pby_passed_free(passed);
        FILE *file = fopen(path, "r");
        cr_assert_gt(fread(text[round], 1, sizeof text[round] - 1, file), 10000);
        fclose(file);
        cr_assert_str_eq(text[round], text[0]);
        shuffle(bars, N, &stream);
    }
    pby_folder_remove(folder);
}

/* A spread that counted no name helps nobody, and the order is the same. */
Test(passed, any_name_with_an_empty_spread)
{
    static const bar bars[] = {{"b", 1}, {"\xc3\xa9", 2}, {"", 3}, {"a", 4}};
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_passed *passed = gather(bars, 0, NULL);
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(
            pby_passed_add(passed, (const uint8_t *)bars[i].name, strlen(bars[i].name), &bars[i].count, NULL),
            PBY_OK);
    write_to(path, passed, true);
    cr_assert(pby_file_is(path, ",3\na,4\nb,1\n\xc3\xa9,2\n"));
    pby_passed_free(passed);
    pby_folder_remove(folder);
}

Test(passed, nothing_passes)
{
    static const bar bars[] = {{"one", 1}, {"two", 3}};
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    for (size_t n = 0; n <= 2; n++) {
        pby_passed *passed = gather(bars, n, is_even);
        write_to(path, passed, true);
        cr_assert(pby_file_is(path, ""));
        pby_passed_free(passed);
    }
    pby_folder_remove(folder);
}

/* Names go in backwards, in more blocks of counts than one; row i of use u has 7 i + u. */
struct expected {
    size_t next, uses;
};

static pby_status check_row(void *to, const uint8_t *name, size_t size, const int64_t *counts, pby_error *err)
{
    struct expected *e = to;
    char wanted[16];
    (void)err;
    snprintf(wanted, sizeof wanted, "n%06zu", e->next);
    cr_assert_eq(size, strlen(wanted));
    cr_assert_eq(memcmp(name, wanted, size), 0, "%s", wanted);
    for (size_t u = 0; u < e->uses; u++)
        cr_assert_eq(counts[u], (int64_t)(7 * e->next + u));
    e->next++;
    return PBY_OK;
}

Test(passed, every_bar_keeps_the_counts_of_its_uses)
{
    static const size_t uses[] = {1, 2, 3, 4096};
    for (size_t k = 0; k < sizeof uses / sizeof *uses; k++) {
        enum { BARS = 50 };
        const size_t n = uses[k] < 4096 ? 1000 * (size_t)BARS : BARS;
        int64_t *counts = calloc(uses[k], sizeof *counts);
        const pby_spread spread = {0};
        pby_passed *passed;
        cr_assert_eq(pby_passed_new(&passed, &spread, uses[k], NULL), PBY_OK);
        for (size_t i = n; i-- > 0;) {
            char name[16];
            for (size_t u = 0; u < uses[k]; u++)
                counts[u] = (int64_t)(7 * i + u);
            snprintf(name, sizeof name, "n%06zu", i);
            cr_assert_eq(pby_passed_add(passed, (const uint8_t *)name, strlen(name), counts, NULL), PBY_OK);
        }
        struct expected e = {0, uses[k]};
        cr_assert_eq(pby_passed_each(passed, check_row, &e, NULL), PBY_OK);
        cr_assert_eq(e.next, n);
        pby_passed_free(passed);
        free(counts);
    }
}
