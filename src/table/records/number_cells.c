/* SPDX-License-Identifier: MIT */
#include "table/records/number_cells.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "number/exact.h"
#include "number/scoped.h"
#include "probity/rational.h"

__extension__ typedef __int128 wide;

enum { TEXT_SIZE = 1 << 13, SMALL_DIGITS = 18, SMALL_BITS = 60 };

void pby_number_cells_clear(pby_number_cells *g)
{
    mpq_clears(g->lo, g->hi, g->width, g->x, (mpq_ptr)0);
    mpz_clear(g->cell);
}

/* ---- out of text -------------------------------------------------------------------------------- */

/* The last three parts behind colons; false where there are not so many, or one of them is no rational. */
static bool split(char *text, mpq_t lo, mpq_t hi, mpq_t width)
{
    mpq_ptr part[] = {width, hi, lo};
    char *end = text + strlen(text), *colon[3];
    for (size_t i = 0; i < 3; i++) {
        char *at = end;
        while (at > text && at[-1] != ':')
            at--;
        if (at == text)
            return false;
        const char before = *end;
        *end = '\0';
        const bool number = pby_rational_parse(part[i], "bounds", at, NULL) == PBY_OK;
        *end = before;
        if (!number)
            return false;
        colon[i] = end = at - 1;
    }
    *colon[2] = '\0';
    return true;
}

/* The number of cells: (hi - lo)/width, rounded up; 0 where there are too many. */
static uint64_t count_cells(const pby_number_cells *g)
{
    PBY_MPQ(span);
    PBY_MPZ(cells);
    mpq_sub(span, g->hi, g->lo);
    mpq_div(span, span, g->width);
    mpz_cdiv_q(cells, mpq_numref(span), mpq_denref(span));
    return mpz_cmp_ui(cells, PBY_NUMBER_CELLS_MAX) > 0 ? 0 : mpz_get_ui(cells);
}

static bool fits(mpz_srcptr x)
{
    return mpz_sizeinbase(x, 2) <= SMALL_BITS;
}

/* Both ends over one denominator. */
static void set_small(pby_number_cells *g)
{
    mpz_t a, b, d;
    mpz_inits(a, b, d, (mpz_ptr)0);
    mpz_lcm(d, mpq_denref(g->lo), mpq_denref(g->width));
    mpz_divexact(a, d, mpq_denref(g->lo));
    mpz_mul(a, a, mpq_numref(g->lo));
    mpz_divexact(b, d, mpq_denref(g->width));
    mpz_mul(b, b, mpq_numref(g->width));
    g->small = fits(a) && fits(b) && fits(d);
    if (g->small) {
        g->a = mpz_get_si(a);
        g->b = mpz_get_si(b);
        g->d = mpz_get_si(d);
    }
    mpz_clears(a, b, d, (mpz_ptr)0);
}

pby_status pby_number_cells_parse(pby_number_cells *g, bool *found, char *text, const char *argument,
                                  pby_error *err)
{
    static const char expected[] = "NAME:LO:HI:WIDTH with LO < HI, WIDTH > 0 and at most 1048576 cells";
    pby_status status = PBY_OK;
    char *copy = strdup(text);
    if (copy == NULL)
        return pby_no_memory(err);
    mpq_inits(g->lo, g->hi, g->width, g->x, (mpq_ptr)0);
    mpz_init(g->cell);
    *found = split(text, g->lo, g->hi, g->width);
    if (*found && (mpq_sgn(g->width) <= 0 || mpq_cmp(g->lo, g->hi) >= 0 || (g->cells = count_cells(g)) == 0))
        status = pby_refuse(err, argument, copy, expected);
    if (status == PBY_OK && *found)
        set_small(g);
    else
        pby_number_cells_clear(g);
    *found = *found && status == PBY_OK;
    free(copy);
    return status;
}

/* lo in widths, where that is a whole number of few digits. */
static bool in_widths(int64_t *out, mpq_srcptr x, mpq_srcptr width)
{
    enum { BITS = 40 };
    PBY_MPQ(q);
    mpq_div(q, x, width);
    const bool whole = mpz_cmp_ui(mpq_denref(q), 1) == 0 && mpz_sizeinbase(mpq_numref(q), 2) <= BITS;
    *out = whole ? mpz_get_si(mpq_numref(q)) : 0;
    return whole;
}

bool pby_number_cells_nearest(pby_number_cells *g, int64_t *first)
{
    int64_t last;
    if (!in_widths(first, g->lo, g->width) || !in_widths(&last, g->hi, g->width) ||
        g->cells == PBY_NUMBER_CELLS_MAX)
        return false;
    mpq_div_2exp(g->x, g->width, 1);
    mpq_sub(g->lo, g->lo, g->x);
    g->cells++;
    set_small(g);
    return true;
}

/* ---- cells -------------------------------------------------------------------------------------- */

static uint64_t clamp(const pby_number_cells *g, wide cell)
{
    return cell < 0 ? 0 : cell >= (wide)g->cells ? g->cells - 1 : (uint64_t)cell;
}

/* A decimal of few digits, m/scale; false for any other text. */
static bool read_decimal(int64_t *m, int64_t *scale, const uint8_t *text, size_t size)
{
    const bool negative = size > 0 && text[0] == '-';
    bool point = false;
    size_t digits = 0;
    *m = 0;
    *scale = 1;
    for (size_t i = negative; i < size; i++) {
        const uint8_t digit = (uint8_t)(text[i] - '0');
        if (text[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (digit > 9 || ++digits > SMALL_DIGITS)
            return false;
        *m = 10 * *m + digit;
        *scale *= point ? 10 : 1;
    }
    *m = negative ? -*m : *m;
    return digits > 0;
}

/* (m/scale - a/d)/(b/d), rounded down: all products are below 2^121. */
static uint64_t small_cell(const pby_number_cells *g, int64_t m, int64_t scale)
{
    const wide over = (wide)m * g->d - (wide)g->a * scale, under = (wide)g->b * scale;
    const wide quotient = over / under;
    return clamp(g, over % under < 0 ? quotient - 1 : quotient);
}

static bool large_cell(pby_number_cells *g, uint64_t *cell, const uint8_t *text, size_t size)
{
    char copy[TEXT_SIZE];
    if (size >= sizeof copy || memchr(text, '\0', size) != NULL)
        return false;
    memcpy(copy, text, size);
    copy[size] = '\0';
    const bool number = pby_rational_parse(g->x, "value", copy, NULL) == PBY_OK;
    sodium_memzero(copy, size);
    if (!number)
        return false;
    mpq_sub(g->x, g->x, g->lo);
    mpq_div(g->x, g->x, g->width);
    mpz_fdiv_q(g->cell, mpq_numref(g->x), mpq_denref(g->x));
    *cell = mpz_sgn(g->cell) < 0                 ? 0
            : mpz_cmp_ui(g->cell, g->cells) >= 0 ? g->cells - 1
                                                 : mpz_get_ui(g->cell);
    return true;
}

bool pby_number_cells_find(pby_number_cells *g, uint64_t *cell, const uint8_t *text, size_t size)
{
    int64_t m, scale;
    if (!g->small || !read_decimal(&m, &scale, text, size))
        return large_cell(g, cell, text, size);
    *cell = small_cell(g, m, scale);
    return true;
}

char *pby_number_cells_text(const pby_number_cells *g, uint64_t cell)
{
    PBY_MPQ(x);
    mpq_set_ui(x, (unsigned long)cell, 1);
    mpq_mul(x, x, g->width);
    mpq_add(x, x, g->lo);
    char *text = pby_exact_text(x);
    return text;
}
