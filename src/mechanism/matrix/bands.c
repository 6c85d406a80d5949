/* SPDX-License-Identifier: MIT */
#include "mechanism/matrix/bands.h"

#include <flint/fmpz_vec.h>
#include <string.h>

#include "mechanism/matrix/family_matrix.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/rational.h"

/* Steps up to which all that a record may be in are gone through, in less than a second. */
enum { ENUMERATED_MAX = 24 };

/* ---- the numbers --------------------------------------------------------------------------------- */

/* The square root of the matrix of ones: c_0 = 1 and c_j = c_(j-1) (2j-1)/(2j), over 4^(count-1). */
static void set_root(pby_bands *b, slong count)
{
    b->count = count;
    b->band = _fmpz_vec_init(count);
    fmpz_one_2exp(b->unit_num, 2 * (ulong)(count - 1));
    fmpz_set(b->band, b->unit_num);
    for (slong j = 1; j < count; j++) {
        fmpz_mul_ui(b->band + j, b->band + j - 1, 2 * (ulong)j - 1);
        fmpz_divexact_ui(b->band + j, b->band + j, 2 * (ulong)j);
    }
}

/* The next number of a list that the spec has read already; false behind the last. */
static bool next_number(fmpq_t out, char **text)
{
    char *end = strchr(*text, ';');
    PBY_MPQ(q);
    if (**text == '\0')
        return false;
    if (end != NULL)
        *end = '\0';
    const pby_status status = pby_rational_parse(q, "bands", *text, NULL);
    fmpq_set_mpq(out, q);
    *text = end != NULL ? end + 1 : *text + strlen(*text);
    return status == PBY_OK;
}

static void set_list(pby_bands *b, char *text)
{
    slong room = 1;
    for (const char *c = text; *c != '\0'; c++)
        room += *c == ';';
    fmpq *c = flint_calloc((size_t)room, sizeof *c);
    for (slong i = 0; i < room; i++)
        fmpq_init(c + i);
    while (b->count < room && next_number(c + b->count, &text)) {
        fmpz_lcm(b->unit_num, b->unit_num, fmpq_denref(c + b->count));
        b->count++;
    }
    b->band = _fmpz_vec_init(room);
    for (slong i = 0; i < room; i++) {
        fmpz_divexact(b->band + i, b->unit_num, fmpq_denref(c + i));
        fmpz_mul(b->band + i, b->band + i, fmpq_numref(c + i));
        fmpq_clear(c + i);
    }
    flint_free(c);
}

/* Turns the numbers into steps of the grid; false where one is not such a multiple, and is not to be rounded.
 */
static bool put_on_grid(pby_bands *b, const fmpq_t grid, bool rounds)
{
    bool whole = true;
    PBY_FMPZ(below, rest);
    fmpz_mul(below, b->unit_num, fmpq_numref(grid));
    for (slong i = 0; i < b->count; i++) {
        fmpz_mul(b->band + i, b->band + i, fmpq_denref(grid));
        fmpz_fdiv_qr(b->band + i, rest, b->band + i, below);
        whole = whole && fmpz_is_zero(rest);
    }
    fmpz_set(b->unit_num, fmpq_denref(grid));
    fmpz_set(b->unit_den, fmpq_numref(grid));
    return whole || rounds;
}

static pby_status set_bands(pby_bands *b, const pby_mechanism *m, pby_error *err)
{
    const fmpq *grid = pby_mechanism_value(m, PBY_ROLE_GRID), *width = &m->value[PBY_MATRIX_WIDTH];
    char *text = pby_mechanism_numbers(m, PBY_MATRIX_BANDS);
    const bool root = strcmp(text, "sqrt") == 0;
    if (root)
        set_root(b, fmpq_is_zero(width) || fmpq_cmp_si(width, b->steps) > 0
                        ? b->steps
                        : pby_mechanism_natural(m, PBY_MATRIX_WIDTH));
    else
        set_list(b, text);
    flint_free(text);
    if (!root && !fmpq_is_zero(width))
        return pby_refuse_rational(err, "matrix:width", width, "it beside bands=sqrt alone");
    if (b->count > b->steps)
        return pby_refuse_rational(err, "matrix:steps", &m->value[PBY_MATRIX_STEPS],
                                   "at least as many as bands");
    if (grid != NULL && !put_on_grid(b, grid, root))
        return pby_refuse_rational(err, "matrix:grid", grid,
                                   "a number that every one of the bands is a multiple of");
    return grid == NULL || !fmpz_is_zero(b->band)
               ? PBY_OK
               : pby_refuse_rational(
                     err, "matrix:grid", grid,
                     "a first of the bands that is not 0 on it: totals cannot be had from others");
}

pby_status pby_bands_of(pby_bands *out, const pby_mechanism *m, pby_error *err)
{
    *out = (pby_bands){.steps = pby_mechanism_natural(m, PBY_MATRIX_STEPS),
                       .participations = pby_mechanism_natural(m, PBY_MATRIX_PARTICIPATIONS),
                       .separation = pby_mechanism_natural(m, PBY_MATRIX_SEPARATION)};
    fmpz_init_set_ui(out->unit_num, 1);
    fmpz_init_set_ui(out->unit_den, 1);
    return out->steps > PBY_MATRIX_STEPS_MAX
               ? pby_refuse_rational(err, "matrix:steps", &m->value[PBY_MATRIX_STEPS], "at most 4096")
               : set_bands(out, m, err);
}

void pby_bands_clear(pby_bands *b)
{
    if (b->band != NULL)
        _fmpz_vec_clear(b->band, b->count);
    fmpz_clear(b->unit_num);
    fmpz_clear(b->unit_den);
}

void pby_bands_scale(fmpq_t out, const fmpz_t n, const pby_bands *b)
{
    PBY_FMPQ(unit);
    fmpz_set(fmpq_numref(unit), b->unit_num);
    fmpz_set(fmpq_denref(unit), b->unit_den);
    fmpq_mul(unit, unit, unit);
    fmpz_set(fmpq_numref(out), n);
    fmpz_one(fmpq_denref(out));
    fmpq_div(out, out, unit);
}

/* ---- the worst steps ----------------------------------------------------------------------------- */

void pby_bands_column(fmpz_t out, const pby_bands *b, int64_t step)
{
    fmpz_zero(out);
    for (slong j = 0; j < b->count && j < b->steps - step; j++)
        fmpz_addmul(out, b->band + j, b->band + j);
}

/* The numbers fall, so that columns shrink and part as steps come later and lie farther apart; or no two
 * columns of a record overlap. Then no steps are worse than the first, each as near the last as may be. */
static bool first_is_worst(const pby_bands *b)
{
    bool falls = true;
    for (slong j = 1; j < b->count; j++)
        falls = falls && fmpz_cmp(b->band + j, b->band + j - 1) <= 0;
    return falls || b->participations == 1 || b->separation >= b->count;
}

/* The squares of the sum of the columns 0, s, 2 s, ...: of its coordinate t all but the newest part is that
 * of t - s, less what is then too old. */
static void square_of_first(fmpz_t out, const pby_bands *b)
{
    const int64_t n = b->steps, s = b->separation, most = (n - 1) / s + 1;
    const int64_t over = (b->participations < most ? b->participations : most) * s;
    fmpz *sum = _fmpz_vec_init(n);
    fmpz_zero(out);
    for (int64_t t = 0; t < n; t++) {
        if (t < b->count)
            fmpz_set(sum + t, b->band + t);
        if (t >= s)
            fmpz_add(sum + t, sum + t, sum + t - s);
        if (t >= over && t - over < b->count)
            fmpz_sub(sum + t, sum + t, b->band + t - over);
        fmpz_addmul(out, sum + t, sum + t);
    }
    _fmpz_vec_clear(sum, n);
}

/* All sets of steps, each begun by its last. */
struct search {
    const pby_bands *b;
    fmpz *product; /* (C^T C)_ij at i n + j */
    int64_t at[ENUMERATED_MAX];
    fmpz *most;
};

/* Goes on with steps before the earliest so far. More steps are never less, as no number is negative. */
static void go_on(struct search *s, int64_t count, const fmpz_t sum)
{
    const int64_t n = s->b->steps, from = count == 0 ? n - 1 : s->at[count - 1] - s->b->separation;
    if (fmpz_cmp(sum, s->most) > 0)
        fmpz_set(s->most, sum);
    PBY_FMPZ(next);
    for (int64_t i = from; i >= 0 && count < s->b->participations; i--) {
        fmpz_set(next, sum);
        for (int64_t k = 0; k < count; k++)
            fmpz_addmul_ui(next, s->product + i * n + s->at[k], 2);
        fmpz_add(next, next, s->product + i * n + i);
        s->at[count] = i;
        go_on(s, count + 1, next);
    }
}

static void square_of_all(fmpz_t out, const pby_bands *b)
{
    const int64_t n = b->steps;
    struct search s = {.b = b, .product = _fmpz_vec_init(n * n), .most = out};
    PBY_FMPZ(none);
    fmpz_zero(out);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++)
            for (int64_t t = j; t < n && t - i < b->count; t++) {
                fmpz_addmul(s.product + i * n + j, b->band + t - i, b->band + t - j);
                fmpz_set(s.product + j * n + i, s.product + i * n + j);
            }
    go_on(&s, 0, none);
    _fmpz_vec_clear(s.product, n * n);
}

pby_status pby_bands_worst(fmpz_t out, const pby_bands *b, pby_error *err)
{
    if (first_is_worst(b)) {
        square_of_first(out, b);
        return PBY_OK;
    }
    PBY_FMPQ(steps);
    fmpq_set_si(steps, b->steps, 1);
    if (b->steps > ENUMERATED_MAX)
        return pby_refuse_rational(
            err, "matrix:steps", steps,
            "at most 24 where bands rise and a record's overlap: all that it may be in "
            "are gone through");
    square_of_all(out, b);
    return PBY_OK;
}
