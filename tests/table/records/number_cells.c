/* SPDX-License-Identifier: MIT */
#include "table/records/number_cells.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/rational.h"
#include "tests/kernel/stream.h"

static pby_number_cells cells(const char *text)
{
    pby_number_cells c;
    bool found;
    char copy[128];
    strcpy(copy, text);
    cr_assert_eq(pby_number_cells_parse(&c, &found, copy, "by", NULL), PBY_OK);
    cr_assert(found);
    cr_assert_str_eq(copy, "x:y");
    return c;
}

/* floor((x - lo)/width), moved into the cells, from the definition. */
static uint64_t expected(const pby_number_cells *c, const char *text)
{
    mpq_t x;
    mpz_t k;
    mpq_init(x);
    mpz_init(k);
    cr_assert_eq(pby_rational_parse(x, "x", text, NULL), PBY_OK);
    mpq_sub(x, x, c->lo);
    mpq_div(x, x, c->width);
    mpz_fdiv_q(k, mpq_numref(x), mpq_denref(x));
    const uint64_t cell = mpz_sgn(k) < 0 ? 0 : mpz_cmp_ui(k, c->cells - 1) > 0 ? c->cells - 1 : mpz_get_ui(k);
    mpq_clear(x);
    mpz_clear(k);
    return cell;
}

static void finds(pby_number_cells *c, const char *text)
{
    uint64_t cell;
    cr_assert(pby_number_cells_find(c, &cell, (const uint8_t *)text, strlen(text)), "%s", text);
    cr_assert_eq(cell, expected(c, text), "%s", text);
}

Test(number_cells, a_number_is_in_the_cell_below_it)
{
    static const char *const specs[] = {"x:y:0:100:10", "x:y:-1/3:7/2:1/7", "x:y:-1e3:1e3:0.25",
                                        "x:y:123456789012345678901234567890:1e30:1e29"};
    static const char *const values[] = {
        "0",    "-0",   "10",   "9.999", "99.9999", "100",  "1e3",
        "-1/3", "1/7",  "+5",   ".5",    "5.",      "-.25", "1234567890123456789",
        "-7e9", "3.14", "0.25", "-0.25", "1e29",    "2/21"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        pby_number_cells c = cells(specs[i]);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            finds(&c, values[k]);
        uint64_t seed = 3;
        for (size_t k = 0; k < 5000; k++) {
            char text[64];
            snprintf(text, sizeof text, "%s%llu.%0*llu", stream_next(&seed) % 2 == 0 ? "-" : "",
                     (unsigned long long)(stream_next(&seed) % 120), (int)(1 + k % 9),
                     (unsigned long long)(stream_next(&seed) % 10));
            finds(&c, text);
        }
        pby_number_cells_clear(&c);
    }
}

Test(number_cells, what_is_no_number_is_none)
{
    static const char *const values[] = {"",    "-",  ".",   "x",   "1 ",  " 1", "1,5",
                                         "--1", "1e", "nan", "inf", "1/0", "0x1"};
    pby_number_cells c = cells("x:y:0:100:10");
    uint64_t cell;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        cr_assert_not(pby_number_cells_find(&c, &cell, (const uint8_t *)values[k], strlen(values[k])), "%s",
                      values[k]);
    cr_assert_not(pby_number_cells_find(&c, &cell, (const uint8_t *)"1\0", 2));
    pby_number_cells_clear(&c);
}

Test(number_cells, a_name_without_bounds_stays)
{
    static const char *const names[] = {"x", "x:y", "a:1:2", "a:1:2:b", "1:2:3", ":::"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pby_number_cells c;
        bool found;
        char copy[16];
        strcpy(copy, names[i]);
        cr_assert_eq(pby_number_cells_parse(&c, &found, copy, "by", NULL), PBY_OK);
        cr_assert_not(found);
        cr_assert_str_eq(copy, names[i]);
    }
}
