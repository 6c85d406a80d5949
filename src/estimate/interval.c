/* SPDX-License-Identifier: MIT */
/* Certified confidence intervals, by the inversion of tests at half the error for each end.
 *
 * For a random sample the count is binomial at r, and the ends are those of Clopper and Pearson.
 *
 * For given users, c of whom are in the cell and the others not, it is Bin(c, p) + Bin(n - c, q), which grows
 * with c. So the lower end is the least c/n whose tail from `seen` on is not shown to be at most half the
 * error, and the upper end likewise.
 *
 * For given users who may be between, it is a sum of independent indicators with the mean n r. Hoeffding
 * (1956): for k >= n r + 1 none of these has a larger chance of k or more than the binomial at r. So the
 * lower end of Clopper and Pearson holds for them too where it is at most (seen - 1)/n, and likewise the
 * upper one. */
#include <math.h>

#include "audit/bound/bound.h"
#include "audit/bound/guess.h"
#include "estimate/estimate_cell.h"
#include "estimate/sum.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { WORK = 96, CHANCE_PRECISION = 256 };

/* The most reports of which the sum of two binomials is asked: the time grows with the square root. */
#define SUMMED_MAX (UINT64_C(1) << 30)
/* The ends for r become those for t = (r - q)/(p - q), rounded outwards. */
static void to_truth(arb_t lo, arb_t hi, const pby_cell_question *cell, slong prec)
{
    PBY_ARB(q, gap, norm);
    pby_expsum_get_arb(q, cell->chances.q, prec);
    pby_expsum_get_arb(gap, cell->gap, prec);
    pby_expsum_get_arb(norm, cell->chances.norm, prec);
    for (int i = 0; i < 2; i++) {
        arb_ptr end = i == 0 ? lo : hi;
        arb_mul(end, end, norm, prec);
        arb_sub(end, end, q, prec);
        arb_div(end, end, gap, prec);
    }
    pby_to_lower_end(lo, prec);
    pby_to_upper_end(hi, prec);
}

static void clopper(arb_t lo, arb_t hi, const pby_cell_question *cell)
{
    PBY_FMPQ(half);
    fmpq_div_2exp(half, cell->error, 1);
    pby_clopper_lower(lo, cell->n, cell->seen, half);
    pby_clopper_upper(hi, cell->n, cell->seen, half);
}

void pby_cell_population(arb_t lo, arb_t hi, const pby_cell_question *cell, slong prec)
{
    clopper(lo, hi, cell);
    to_truth(lo, hi, cell, prec);
}

/* lo = min(lo, (seen - 1)/n) and hi = max(hi, (seen + 1)/n). */
static void widen_ends(arb_t lo, arb_t hi, const pby_cell_question *cell, slong prec)
{
    PBY_ARB(end);
    arb_set_ui(end, cell->seen);
    arb_sub_ui(end, end, 1, prec);
    arb_div_ui(end, end, cell->n, prec);
    pby_to_lower_end(end, prec);
    arb_min(lo, lo, end, prec);
    arb_set_ui(end, cell->seen);
    arb_add_ui(end, end, 1, prec);
    arb_div_ui(end, end, cell->n, prec);
    pby_to_upper_end(end, prec);
    arb_max(hi, hi, end, prec);
}

/* ---- users who are in the cell or not ------------------------------------------------------------- */

/* A count, of reports in the cell or of those that are not. */
struct count {
    uint64_t n, seen;
    arb_t in, out; /* the chances of a user who is in the cell, and of one who is not; in > out */
    arb_t allowed;
    double reach;
};

/* True if so many users in the cell are shown to have too small a chance of so large a count. */
static bool refuted(const struct count *k, uint64_t users)
{
    const pby_two_binomials sum = {users, k->n - users, k->in, k->out};
    PBY_ARB(chance);
    pby_sum_tail_bound(chance, &sum, k->seen, k->reach);
    return arb_le(chance, k->allowed);
}

/* The least number of users that is not refuted; n + 1 where all are. */
static uint64_t least_users(const struct count *k)
{
    uint64_t a = 0, b = k->n + 1;
    while (a < b) {
        const uint64_t middle = a + (b - a) / 2;
        if (middle <= k->n && refuted(k, middle))
            a = middle + 1;
        else
            b = middle;
    }
    return a;
}

static void count_init(struct count *k, const pby_cell_question *cell)
{
    PBY_ARB(norm);
    PBY_FMPQ(half);
    arb_init(k->in);
    arb_init(k->out);
    arb_init(k->allowed);
    fmpq_div_2exp(half, cell->error, 1);
    arb_set_fmpq(k->allowed, half, WORK);
    k->reach = sqrt(-2 * log(pby_guess_of(half))) + 5;
    k->n = cell->n;
    k->seen = cell->seen;
    pby_expsum_get_arb(norm, cell->chances.norm, CHANCE_PRECISION);
    pby_expsum_get_arb(k->in, cell->chances.p, CHANCE_PRECISION);
    pby_expsum_get_arb(k->out, cell->chances.q, CHANCE_PRECISION);
    arb_div(k->in, k->in, norm, CHANCE_PRECISION);
    arb_div(k->out, k->out, norm, CHANCE_PRECISION);
}

static void count_clear(struct count *k)
{
    arb_clear(k->allowed);
    arb_clear(k->out);
    arb_clear(k->in);
}

/* The count of reports outside of the cell, to which the users outside have the greater chance. */
static void turn(struct count *k)
{
    k->seen = k->n - k->seen;
    arb_swap(k->in, k->out);
    for (int i = 0; i < 2; i++) {
        arb_ptr chance = i == 0 ? k->in : k->out;
        arb_sub_ui(chance, chance, 1, CHANCE_PRECISION);
        arb_neg(chance, chance);
    }
}

/* Where all are refuted the ends lie outside of 0 to 1. */
static void count_users(arb_t lo, arb_t hi, const pby_cell_question *cell, slong prec)
{
    struct count k;
    count_init(&k, cell);
    arb_set_ui(lo, least_users(&k));
    turn(&k);
    arb_set_ui(hi, least_users(&k));
    arb_sub_ui(hi, hi, k.n, prec);
    arb_neg(hi, hi);
    arb_div_ui(lo, lo, k.n, prec);
    arb_div_ui(hi, hi, k.n, prec);
    count_clear(&k);
    pby_to_lower_end(lo, prec);
    pby_to_upper_end(hi, prec);
}

void pby_cell_users(arb_t lo, arb_t hi, const pby_cell_question *cell, slong prec)
{
    if (!cell->between && cell->n <= SUMMED_MAX) {
        count_users(lo, hi, cell, prec);
        return;
    }
    clopper(lo, hi, cell);
    widen_ends(lo, hi, cell, prec);
    to_truth(lo, hi, cell, prec);
}
