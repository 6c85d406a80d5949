/* SPDX-License-Identifier: MIT */
#include "release/plan_hidden.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "probity/experimental/entropy.h"
#include "release/plan_draw.h"

enum { TEXT = 1 << 14 };

static pby_release_plan *plan_of(const char *unit, const char *users)
{
    char text[2048];
    pby_release_plan *plan;
    pby_error err = PBY_NO_ERROR;
    snprintf(text, sizeof text,
             "format = \"probity-plan\"\nversion = 1\n[unit]\n%s\n[budget]\nepsilon = 1\ndelta = 1e-6\n"
             "[columns.v]\nlow = 0\nhigh = 9\nstep = 1\n"
             "[groupings.g]\nby = [\"g\", \"h\"]\nhidden = true\n"
             "[[statistics]]\nname = \"n\"\nkind = \"%s\"\ngroup = \"g\"\n"
             "[[statistics]]\nname = \"sum\"\nkind = \"sum\"\nof = \"v\"\ngroup = \"g\"\n"
             "[[statistics]]\nname = \"middle\"\nkind = \"quantile\"\nof = \"v\"\nq = [\"1/2\", \"1/4\"]\n"
             "group = \"g\"\n"
             "[[statistics]]\nname = \"h\"\nkind = \"histogram\"\nof = \"v\"\nwidth = 5\ngroup = \"g\"\n",
             unit, users);
    cr_assert_eq(pby_plan_parse(&plan, "p", NULL, text, strlen(text), &err), PBY_OK, "%s", err.text);
    return plan;
}

enum { USERS, SUM, MIDDLE, QUARTER, BUCKETS, QUANTITIES };

/* With noise of 0 but for a chance below 1e-20: rates of 100 and choices of 1000 a score. */
static void release_table(pby_plan_cells *cells, const pby_release_plan *plan, const char *table,
                          int64_t least)
{
    pby_plan_quantities q;
    pby_csv_input *in;
    pby_entropy *source;
    pby_error err = PBY_NO_ERROR;
    const uint8_t bytes[PBY_SEED_SIZE] = {7};
    cr_assert_eq(pby_plan_quantities_of(&q, plan, &err), PBY_OK);
    cr_assert_eq(q.count, QUANTITIES);
    for (size_t i = 0; i < q.count; i++) {
        if (!q.quantity[i].fixed)
            q.quantity[i].family = PBY_PLAN_GEOMETRIC;
        mpq_set_ui(q.quantity[i].noise, 10000, 1);
        q.quantity[i].threshold = least;
    }
    cr_assert(q.quantity[USERS].gate);
    cr_assert_eq(pby_csv_input_memory(&in, "table", table, strlen(table), &err), PBY_OK);
    cr_assert_eq(pby_entropy_seeded(&source, bytes, &err), PBY_OK);
    cr_assert_eq(pby_plan_rows(cells, plan, &q, in, source, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_plan_draw(cells, plan, &q, &err), PBY_OK, "%s", err.text);
    pby_entropy_free(source);
    pby_csv_input_free(in);
    pby_plan_quantities_clear(&q);
}

static void is_group(const pby_plan_cells *c, size_t i, const char *first, const char *second)
{
    size_t size;
    const uint8_t *field = pby_plan_hidden_field(&c->hidden[1], i, 0, &size);
    cr_assert(size == strlen(first) && memcmp(field, first, size) == 0);
    field = pby_plan_hidden_field(&c->hidden[1], i, 1, &size);
    cr_assert(size == strlen(second) && memcmp(field, second, size) == 0);
}

/* Groups of two users and more are told, in the order of their bytes; fields are kept apart, so that (a,
 * bc) is not (ab, c). Rows without a number are dropped before their group is counted. */
Test(plan_hidden, groups_that_pass)
{
    pby_release_plan *plan = plan_of("user = \"u\"\nrows = 9", "users");
    pby_plan_cells c;
    release_table(&c, plan,
                  "u,g,h,v\n1,b,,3\n2,b,,9\n1,b,,4\n1,a,bc,1\n2,a,bc,2\n3,a,bc,2\n1,ab,c,1\n3,once,x,5\n"
                  "1,none,x,\n2,none,x,y\n2,\"a\",b,7\n4,a,b,100\n",
                  2);
    const int64_t users[] = {2, 3, 2}, sums[] = {16, 5, 16}, middles[] = {7, 2, 4},
                  buckets[] = {0, 2, 3, 0, 2, 1};
    cr_assert_eq(c.hidden[1].passed, 3);
    is_group(&c, 0, "a", "b");
    is_group(&c, 1, "a", "bc");
    is_group(&c, 2, "b", "");
    cr_assert_eq(c.cells[USERS], 3);
    cr_assert_arr_eq(c.cell[USERS], users, sizeof users);
    cr_assert_arr_eq(c.cell[SUM], sums, sizeof sums);
    cr_assert(c.cell[MIDDLE][1] == middles[1] && c.cell[MIDDLE][2] == middles[2]);
    cr_assert_eq(c.cells[BUCKETS], 6);
    cr_assert_arr_eq(c.cell[BUCKETS], buckets, sizeof buckets);
    pby_plan_cells_clear(&c);
    pby_plan_free(plan);
}

/* A row is the unit: a count is the gate itself. An empty table tells nothing. */
Test(plan_hidden, rows_as_units)
{
    pby_release_plan *plan = plan_of("", "count");
    pby_plan_cells c;
    release_table(&c, plan, "g,h,v\nx,y,1\nx,y,2\nx,y,9\nz,z,3\n", 2);
    cr_assert_eq(c.hidden[1].passed, 1);
    cr_assert(c.cell[USERS][0] == 3 && c.cell[SUM][0] == 12 && c.cell[MIDDLE][0] == 2);
    pby_plan_cells_clear(&c);
    release_table(&c, plan, "g,h,v\n", 1);
    cr_assert(c.hidden[1].passed == 0 && c.cells[SUM] == 0 && c.cells[MIDDLE] == 0 && c.cells[BUCKETS] == 0);
    pby_plan_cells_clear(&c);
    pby_plan_free(plan);
}

/* One user with very many rows of very many groups is bounded: 9 groups of one row, or fewer, and a group of
 * which no row is kept is not there. */
Test(plan_hidden, a_user_of_many_groups_is_bounded)
{
    pby_release_plan *plan = plan_of("user = \"u\"\nrows = 9", "users");
    pby_plan_cells c;
    static char table[TEXT];
    size_t size = (size_t)sprintf(table, "u,g,h,v\n");
    for (int i = 0; i < 500; i++)
        size += (size_t)sprintf(table + size, "1,g%d,h,9\n", i);
    release_table(&c, plan, table, 1);
    cr_assert_eq(c.hidden[1].passed, 9);
    for (size_t i = 0; i < 9; i++)
        cr_assert(c.cell[USERS][i] == 1 && c.cell[SUM][i] == 9 && c.cell[QUARTER][i] == 9);
    pby_plan_cells_clear(&c);
    pby_plan_free(plan);
}
