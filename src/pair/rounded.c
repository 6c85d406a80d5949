/* SPDX-License-Identifier: MIT */
/* Let the outcomes be in the order of p/q, the greatest first. The sums (Q_j, P_j) of the first j are chances
 * of one event under either law. A point that is farther right or lower, and above the diagonal, is that of
 * some randomised event too: the set of such points is convex, and its upper edge rises. So every Q_j is
 * rounded up and every P_j down, and the least concave line above these points and the ends (0, 0) and (1, 1)
 * stays in the set. By Blackwell's theorem the pair that has this line comes out of the true one by
 * post-processing, and loses no more, whatever is asked. The order and ties among balls cost sharpness and
 * no truth. */
#include "pair/rounded.h"
#include "number/scoped.h"

#include <flint/fmpq_vec.h>
#include <stdlib.h>

enum { BITS = 192 };

struct ranked {
    size_t place;
    double loss;
};

static int by_loss(const void *one, const void *other)
{
    const double a = ((const struct ranked *)one)->loss, b = ((const struct ranked *)other)->loss;
    return (a < b) - (a > b);
}

/* Ratios in doubles would overflow where both chances are small. */
static double loss_of(const arb_t p, const arb_t q)
{
    PBY_ARB(x, y);
    arb_log(x, p, BITS);
    arb_log(y, q, BITS);
    arb_sub(x, x, y, BITS);
    return arb_is_finite(x) ? arf_get_d(arb_midref(x), ARF_RND_NEAR) : 0;
}

static void end_of(fmpq_t out, const arb_t sum, bool up)
{
    PBY_ARF(end);
    if (up)
        arb_get_ubound_arf(end, sum, BITS);
    else
        arb_get_lbound_arf(end, sum, BITS);
    arf_get_fmpq(out, end);
}

/* True if the point b lies on or below the line from a to c. */
static bool is_below(const fmpq *a, const fmpq *b, const fmpq *c)
{
    fmpq_t x, y, left, right;
    fmpq_init(x), fmpq_init(y), fmpq_init(left), fmpq_init(right);
    fmpq_sub(x, b + 1, a + 1);
    fmpq_sub(y, c, a);
    fmpq_mul(left, x, y);
    fmpq_sub(x, c + 1, a + 1);
    fmpq_sub(y, b, a);
    fmpq_mul(right, x, y);
    const bool below = fmpq_cmp(left, right) <= 0;
    fmpq_clear(x), fmpq_clear(y), fmpq_clear(left), fmpq_clear(right);
    return below;
}

/* The points (Q_j, P_j), two numbers each, that make the line. Returns how many: the first is (0, 0), the
 * last (1, 1). */
static size_t make_line(fmpq *line, const struct ranked *rank, arb_srcptr p, arb_srcptr q, size_t n)
{
    size_t count = 1;
    PBY_ARB(sum_p, sum_q);
    for (size_t j = 0; j < n; j++) {
        fmpq *next = line + 2 * count;
        arb_add(sum_p, sum_p, p + rank[j].place, BITS);
        arb_add(sum_q, sum_q, q + rank[j].place, BITS);
        if (j + 1 < n && (!arb_is_finite(sum_p) || !arb_is_finite(sum_q)))
            continue;
        if (j + 1 == n) {
            arb_one(sum_p);
            arb_one(sum_q);
        }
        end_of(next, sum_q, true);
        end_of(next + 1, sum_p, false);
        if (fmpq_cmp_si(next, 1) > 0 || (j + 1 < n && fmpq_is_one(next)))
            continue;
        while (count > 1 && is_below(next - 4, next - 2, next)) {
            fmpq_set(next - 2, next);
            fmpq_set(next - 1, next + 1);
            next -= 2;
            count--;
        }
        count++;
    }
    return count;
}

static pby_status append_step(pby_pair *pair, const fmpq *from, const fmpq *to, pby_error *err)
{
    pby_expsum_t p, q;
    PBY_FMPQ(c, zero);
    pby_expsum_init(p);
    pby_expsum_init(q);
    fmpq_sub(c, to, from);
    pby_expsum_add_term(q, c, zero);
    fmpq_sub(c, to + 1, from + 1);
    pby_expsum_add_term(p, c, zero);
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

pby_status pby_pair_of_balls(pby_pair *pair, arb_srcptr p, arb_srcptr q, size_t n, pby_error *err)
{
    struct ranked *rank = calloc(n, sizeof *rank);
    if (rank == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < n; i++)
        rank[i] = (struct ranked){i, loss_of(p + i, q + i)};
    qsort(rank, n, sizeof *rank, by_loss);
    fmpq *line = _fmpq_vec_init(2 * (slong)(n + 1));
    const size_t count = make_line(line, rank, p, q, n);
    pby_status status = PBY_OK;
    pby_expsum_one(pair->norm_p);
    pby_expsum_one(pair->norm_q);
    for (size_t i = 1; i < count && status == PBY_OK; i++)
        status = append_step(pair, line + 2 * (i - 1), line + 2 * i, err);
    _fmpq_vec_clear(line, 2 * (slong)(n + 1));
    free(rank);
    return status;
}
