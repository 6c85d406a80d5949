/* Pairs of some neighbours under above threshold: one answer.
 *
 * With b = exp(-rate), rate that of an answer's noise, the chance that an answer of T - j reaches the
 * threshold T is, for j >= 1,
 *
 *     ((1 + b)(1 + b^2) b^j - b^(2j+1)) / ((1 + b + b^2)(1 + b^2))    the threshold's noise has the rate 2
 * rate b^j (j + 1 + b + (2 - j) b^2) / (1 + b)^3                       it has the same rate: monotone queries
 *
 * and that of T + j - 1 is its complement (docs/theory/above.md). Both are kept as numerators. */
#include "law/exponential.h"
#include "mechanism/above/pairs.h"

struct one_answer {
    const fmpq *rate;
    bool monotone;
};

static void norm_of(pby_expsum_t x, const struct one_answer *a)
{
    static const slong general[] = {1, 1, 2, 1, 1}, monotone[] = {1, 3, 3, 1, 0};
    pby_expsum_zero(x);
    for (int i = 0; i < 5; i++)
        pby_add_power(x, (a->monotone ? monotone : general)[i], a->rate, i);
}

/* j >= 1 */
static void far_answer(pby_expsum_t x, const struct one_answer *a, int64_t j)
{
    pby_expsum_zero(x);
    if (a->monotone) {
        pby_add_power(x, j + 1, a->rate, j);
        pby_add_power(x, 1, a->rate, j + 1);
        pby_add_power(x, 2 - j, a->rate, j + 2);
        return;
    }
    for (int i = 0; i < 4; i++)
        pby_add_power(x, 1, a->rate, j + i);
    pby_add_power(x, -1, a->rate, 2 * j + 1);
}

static void reaches(pby_expsum_t x, const struct one_answer *a, int64_t j)
{
    far_answer(x, a, j >= 1 ? j : 1 - j);
    if (j >= 1)
        return;
    pby_expsum_t norm;
    pby_expsum_init(norm);
    norm_of(norm, a);
    pby_expsum_sub(x, norm, x);
    pby_expsum_clear(norm);
}

/* T - from on the one input, T - to on the other. */
static pby_status make_pair(pby_pair *pair, const struct one_answer *a, int64_t from, int64_t to,
                            pby_error *err)
{
    pby_expsum_t norm, p, q;
    pby_expsum_init(norm);
    pby_expsum_init(p);
    pby_expsum_init(q);
    norm_of(norm, a);
    reaches(p, a, from);
    reaches(q, a, to);
    const pby_status status = pby_pair_two(pair, norm, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    pby_expsum_clear(norm);
    return status;
}

/* An answer at the threshold, where delta is greatest at a small epsilon, and one far below it, where the
 * loss is. Monotone answers rise with the records: T - j - d on the smaller input. */
pby_status pby_above_pairs_attained(pby_pairs *out, const fmpq_t rate, int64_t d, bool monotone,
                                    pby_error *err)
{
    const struct one_answer a = {rate, monotone};
    const int64_t below[] = {1 - (d + 1) / 2, 1, 2 * d};
    const size_t count = sizeof below / sizeof *below, orders = monotone ? 2 : 1;
    pby_status status = pby_pairs_init(out, orders * count, err);
    for (size_t i = 0; i < orders * count && status == PBY_OK; i++) {
        const int64_t near = below[i % count], far = near + d;
        const bool forward = monotone && i < count;
        status = make_pair(&out->pair[i], &a, forward ? far : near, forward ? near : far, err);
        if (monotone)
            out->pair[i].direction = forward ? PBY_FORWARD : PBY_BACKWARD;
    }
    return status;
}
