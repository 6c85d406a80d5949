#include "cli/passed.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kernel/stream.h"
#include "run.h"

static void write_to(const char *path, pby_passed *passed, bool counts)
{
    pby_spool *spool;
    cr_assert_eq(pby_spool_open(&spool, path, NULL), PBY_OK);
    cr_assert_eq(pby_passed_write(passed, &(pby_rows){.spool = spool}, counts, NULL), PBY_OK);
    cr_assert_eq(pby_spool_commit(spool, NULL), PBY_OK);
}

static void add(pby_passed *passed, const char *name, int64_t count)
{
    cr_assert_eq(pby_passed_add(passed, (const uint8_t *)name, strlen(name), count, NULL), PBY_OK);
}

Test(passed, sorted_by_bytes_and_quoted_where_needed)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_passed *passed;
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    cr_assert_eq(pby_passed_new(&passed, NULL), PBY_OK);
    add(passed, "longer than eight bytes b", 3);
    add(passed, "\xc3\xa9", 9);
    add(passed, "longer than eight bytes a", -2);
    add(passed, "", 1);
    add(passed, "longer t", 4);
    add(passed, "a,b", 5);
    add(passed, "a\"b", 6);
    add(passed, "B", INT64_MAX);
    write_to(path, passed, true);
    cr_assert(pby_file_is(path, ",1\nB,9223372036854775807\n\"a\"\"b\",6\n\"a,b\",5\nlonger t,4\n"
                                "longer than eight bytes a,-2\nlonger than eight bytes b,3\n\xc3\xa9,9\n"));
    write_to(path, passed, false);
    cr_assert(pby_file_is(path, "\nB\n\"a\"\"b\"\n\"a,b\"\nlonger t\nlonger than eight bytes a\n"
                                "longer than eight bytes b\n\xc3\xa9\n"));
    pby_passed_free(passed);
    pby_folder_remove(folder);
}

/* Names of up to fifteen bytes are kept in another way than longer ones, and those that agree in sixteen are compared:
 * every length, against plain sorting. */
Test(passed, names_of_every_length)
{
    enum { LENGTHS = 40, N = 2 * LENGTHS };
    static char expected[1 << 13];
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], name[LENGTHS + 2];
    pby_passed *passed;
    char *at = expected;
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    cr_assert_eq(pby_passed_new(&passed, NULL), PBY_OK);
    for (int i = 0; i < N; i++) { /* x, xx, xxx, ... then each with a y behind it, which comes after all longer ones */
        const int length = i < LENGTHS ? i + 1 : N - i;
        memset(name, 'x', (size_t)length);
        strcpy(name + length, i < LENGTHS ? "" : "y");
        at += sprintf(at, "%s,%d\n", name, i);
    }
    for (int i = N - 1; i >= 0; i--) {
        const int j = i * 37 % N, length = j < LENGTHS ? j + 1 : N - j;
        memset(name, 'x', (size_t)length);
        strcpy(name + length, j < LENGTHS ? "" : "y");
        add(passed, name, j);
    }
    write_to(path, passed, true);
    cr_assert(pby_file_is(path, expected));
    pby_passed_free(passed);
    pby_folder_remove(folder);
}

/* The order in which bars come has no effect on a byte of the output. */
Test(passed, any_order_gives_the_same_bytes)
{
    enum { N = 3000 };
    static char text[2][1 << 18];
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], name[40];
    uint64_t state = 51;
    size_t order[N];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "out");
    for (size_t i = 0; i < N; i++)
        order[i] = i;
    for (int round = 0; round < 2; round++) {
        pby_passed *passed;
        cr_assert_eq(pby_passed_new(&passed, NULL), PBY_OK);
        for (size_t i = 0; i < N; i++) {
            snprintf(name, sizeof name, "%zu", order[i] * order[i] * 7919 % 1000003);
            add(passed, name, (int64_t)order[i]);
        }
        write_to(path, passed, true);
        pby_passed_free(passed);
        FILE *file = fopen(path, "r");
        cr_assert_gt(fread(text[round], 1, sizeof text[round] - 1, file), 10000);
        fclose(file);
        for (size_t i = N - 1; i > 0; i--) {
            const size_t j = stream_next(&state) % (i + 1), held = order[i];
            order[i] = order[j];
            order[j] = held;
        }
    }
    cr_assert_str_eq(text[0], text[1]);
    pby_folder_remove(folder);
}
