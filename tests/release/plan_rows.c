/* SPDX-License-Identifier: MIT */
#include "release/plan_rows.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/experimental/entropy.h"

enum { GROUPS = 4, TEXT = 1 << 14 };

static pby_release_plan *plan_of(const char *unit, const char *bounds)
{
    char text[2048];
    pby_release_plan *plan;
    pby_error err = PBY_NO_ERROR;
    snprintf(
        text, sizeof text,
        "format = \"probity-plan\"\nversion = 1\n[unit]\n%s\n[budget]\nepsilon = 1\n"
        "[columns.v]\nlow = -2\nhigh = 5\nstep = 1\n[columns.w]\nlow = 0\nhigh = 2\nstep = 1\nmissing = 1\n"
        "[groupings.g]\nby = [\"g\"]\ngroups = [\"a\", \"b\", \"c\", \"d\"]\n%s\n"
        "[[statistics]]\nname = \"n\"\nkind = \"users\"\ngroup = \"g\"\n"
        "[[statistics]]\nname = \"var\"\nkind = \"variance\"\nof = \"v\"\ngroup = \"g\"\n"
        "[[statistics]]\nname = \"h\"\nkind = \"histogram\"\nof = \"v\"\nwidth = 3\ngroup = \"g\"\n"
        "[[statistics]]\nname = \"all\"\nkind = \"count\"\n"
        "[[statistics]]\nname = \"sum\"\nkind = \"sum\"\nof = \"w\"\n",
        unit, bounds);
    cr_assert_eq(pby_plan_parse(&plan, "p", NULL, text, strlen(text), &err), PBY_OK, "%s", err.text);
    return plan;
}

/* The quantities in the order of the statistics. */
enum { USERS, ROWS, CENTRED, SQUARES, BUCKETS, ALL, SUM, QUANTITIES };

static void read_table(pby_plan_cells *cells, const pby_release_plan *plan, const char *table, uint8_t seed)
{
    pby_plan_quantities q;
    pby_csv_input *in;
    pby_entropy *source;
    pby_error err = PBY_NO_ERROR;
    uint8_t bytes[PBY_SEED_SIZE] = {seed};
    cr_assert_eq(pby_plan_quantities_of(&q, plan, &err), PBY_OK);
    cr_assert_eq(q.count, QUANTITIES);
    cr_assert_eq(pby_csv_input_memory(&in, "table", table, strlen(table), &err), PBY_OK);
    cr_assert_eq(pby_entropy_seeded(&source, bytes, &err), PBY_OK);
    cr_assert_eq(pby_plan_rows(cells, plan, &q, in, source, &err), PBY_OK, "%s", err.text);
    pby_entropy_free(source);
    pby_csv_input_free(in);
    pby_plan_quantities_clear(&q);
}

static const char header[] = "x,u,g,v,w\n";

/* Values are clipped to the bounds, rounded to steps, and dropped or filled where they are missing; groups
 * that are not public are dropped; the whole table has its own rows. */
Test(plan_rows, cells_of_a_table)
{
    pby_release_plan *plan = plan_of("user = \"u\"\nrows = 9", "");
    pby_plan_cells c;
    char table[TEXT];
    snprintf(table, sizeof table, "%s%s", header,
             ",1,a,100,0\n"      /* clipped to 5 */
             ",1,a,-7,2\n"       /* clipped to -2 */
             ",2,b,1.5,2.6\n"    /* rounded to 2, and clipped to 2 */
             ",2,b,,2\n"         /* dropped of the grouping alone */
             ",3,elsewhere,1,\n" /* likewise; w is filled with 1 */
             ",3,\"d\",none,x\n" /* likewise */
             ",4,d,0,1\n");
    read_table(&c, plan, table, 1);
    const int64_t users[] = {1, 1, 0, 1}, rows[] = {2, 1, 0, 1};
    /* c = -2 + floor(7/2) = 1, R = 4: 5 - 1 - 2 - 1, 2 - 1, 0 - 1; squares less 8 each */
    const int64_t centred[] = {1, 1, 0, -1}, squares[] = {16 + 9 - 16, 1 - 8, 0, 1 - 8};
    const int64_t buckets[] = {1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    cr_assert_arr_eq(c.cell[USERS], users, sizeof users);
    cr_assert_arr_eq(c.cell[ROWS], rows, sizeof rows);
    cr_assert_arr_eq(c.cell[CENTRED], centred, sizeof centred);
    cr_assert_arr_eq(c.cell[SQUARES], squares, sizeof squares);
    cr_assert_arr_eq(c.cell[BUCKETS], buckets, sizeof buckets);
    cr_assert_eq(c.cell[ALL][0], 7);
    cr_assert_eq(c.cell[SUM][0], 0 + 2 + 2 + 2 + 1 + 1 + 1);
    pby_plan_cells_clear(&c);
    pby_plan_free(plan);
}

/* ---- one user more ------------------------------------------------------------------------------ */

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
}

static size_t add_rows(char *table, size_t size, int user, uint64_t rows)
{
    for (uint64_t i = 0; i < rows; i++)
        size += (size_t)snprintf(table + size, TEXT - size, ",%d,%c,%d,%d\n", user,
                                 (char)('a' + draw(GROUPS)), (int)draw(9) - 3, (int)draw(4));
    return size;
}

static int64_t size_of(int64_t x)
{
    return x < 0 ? -x : x;
}

/* The last user's rows stand last, so that all others keep their words: the two tables differ by what is kept
 * of that user, which is within the bounds, and as much as they allow where only rows are bounded. */
static void one_user_more(uint64_t rows, uint64_t k, uint64_t m, uint8_t seed)
{
    char unit[64], bounds[64], table[TEXT];
    pby_plan_cells before, after;
    snprintf(unit, sizeof unit, "user = \"u\"\nrows = %lu", rows);
    snprintf(bounds, sizeof bounds, "groups_per_user = %lu\nrows_per_group = %lu", k, m);
    pby_release_plan *plan = plan_of(unit, bounds);
    size_t size = add_rows(table, (size_t)sprintf(table, "%s", header), 1, draw(8));
    size = add_rows(table, size, 2, draw(8));
    read_table(&before, plan, table, seed);
    const uint64_t more = 1 + draw(8);
    add_rows(table, size, 3, more);
    read_table(&after, plan, table, seed);
    uint64_t groups = 0, all = 0;
    for (size_t g = 0; g < GROUPS; g++) {
        const int64_t n = after.cell[ROWS][g] - before.cell[ROWS][g];
        const int64_t s = after.cell[CENTRED][g] - before.cell[CENTRED][g],
                      q = after.cell[SQUARES][g] - before.cell[SQUARES][g];
        cr_assert(n >= 0 && n <= (int64_t)m);
        cr_assert_eq(after.cell[USERS][g] - before.cell[USERS][g], n > 0);
        cr_assert_leq(size_of(s), 4 * n);
        cr_assert_leq(size_of(q), 8 * n);
        int64_t in_buckets = 0;
        for (size_t b = 0; b < 3; b++)
            in_buckets += after.cell[BUCKETS][3 * g + b] - before.cell[BUCKETS][3 * g + b];
        cr_assert_eq(in_buckets, n);
        groups += n > 0;
        all += (uint64_t)n;
    }
    cr_assert(groups <= k && all <= rows && all > 0);
    cr_assert_eq((uint64_t)(after.cell[ALL][0] - before.cell[ALL][0]), more < rows ? more : rows);
    pby_plan_cells_clear(&before);
    pby_plan_cells_clear(&after);
    pby_plan_free(plan);
}

Test(plan_rows, one_user_more_moves_within_the_bounds)
{
    state = 1;
    for (uint64_t rows = 1; rows <= 4; rows++)
        for (uint64_t k = 1; k <= 3; k++)
            for (uint64_t m = 1; m <= 3; m++)
                one_user_more(rows, k, m, (uint8_t)(rows * 16 + k * 4 + m));
}

/* Numbers go to the bucket that they are in, those outside to the nearest; a row without a number is dropped,
 * and one in a bucket that is not listed. */
Test(plan_rows, buckets_of_numbers)
{
    static const char text[] = "format = \"probity-plan\"\nversion = 1\n[budget]\nepsilon = 1\n"
                               "[groupings.ages]\nby = [\"age:0:60:20\"]\n"
                               "[groupings.both]\nby = [\"g\", \"age:0:1:1/2\"]\n"
                               "groups = [[\"a\", \"0\"], [\"a\", \"0.5\"], [\"b\", \"0\"]]\n"
                               "[[statistics]]\nname = \"n\"\nkind = \"count\"\ngroup = \"ages\"\n"
                               "[[statistics]]\nname = \"m\"\nkind = \"count\"\ngroup = \"both\"\n";
    static const char table[] = "g,age\na,5\na,-3\nb,20\na,99\na,x\nb,0.4\na,\na,59.99\na,60\nc,19.9\n";
    static const int64_t ages[] = {4, 1, 3}, both[] = {1, 4, 1};
    pby_release_plan *plan;
    pby_plan_quantities q;
    pby_plan_cells c;
    pby_csv_input *in;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_plan_parse(&plan, "p", NULL, text, strlen(text), &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_plan_quantities_of(&q, plan, &err), PBY_OK);
    cr_assert_eq(pby_csv_input_memory(&in, "table", table, strlen(table), &err), PBY_OK);
    cr_assert_eq(pby_plan_rows(&c, plan, &q, in, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_arr_eq(c.cell[0], ages, sizeof ages);
    cr_assert_arr_eq(c.cell[1], both, sizeof both);
    pby_csv_input_free(in);
    pby_plan_cells_clear(&c);
    pby_plan_quantities_clear(&q);
    pby_plan_free(plan);
}
