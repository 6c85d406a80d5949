/* SPDX-License-Identifier: MIT */
/* With x_i = exp(loss[i]) and Q-masses q_i at the losses, beside an outcome of mass delta[n-1] that Q cannot
 * give, the profile is
 *
 *     H(x) = delta[n-1] + sum over x_i > x of q_i (x_i - x).
 *
 * From the last point down each q_i is rational, and the least, rounded up, that brings H(x_(i-1)) up to its
 * delta. Together with their reverse the outcomes use the mass delta[n-1] + sum of q_i (x_i + 1). At the
 * point where that would pass 1, or at the first, what is left of 1 goes to the loss of that point: then H is
 * linear from 1/x_i to x_i, which is the chord of two points that bound the profile, one in each order of the
 * neighbours. Over the norm x_i + 1 every mass is a sum of exponentials. */
#include "pair/nodes.h"
#include "number/scoped.h"

#include <flint/fmpq_vec.h>

enum { BITS = 64, PRECISION = 256, LOSS_MOST = 1 << 16 };

struct nodes {
    const fmpq *loss, *delta;
    size_t n;
    fmpq *mass;   /* q_i */
    size_t first; /* the point that takes the rest */
};

static void odds_at(arb_t x, const struct nodes *s, size_t i)
{
    arb_set_fmpq(x, &s->loss[i], PRECISION);
    arb_exp(x, x, PRECISION);
}

/* A rational of BITS bits that is not below the ball, and not below 0. */
static void round_up(fmpq_t q, const arb_t ball)
{
    PBY_ARF(end);
    arb_get_ubound_arf(end, ball, PRECISION);
    arf_set_round(end, end, BITS, ARF_RND_CEIL);
    if (arf_sgn(end) > 0)
        arf_get_fmpq(q, end);
    else
        fmpq_zero(q);
}

/* H(x_(i-1)) of the masses behind i alone is `height`, and x_i - x_(i-1) is `apart`. */
static void choose(struct nodes *s, size_t i, const arb_t height, const arb_t apart)
{
    PBY_ARB(lacks);
    arb_set_fmpq(lacks, &s->delta[i - 1], PRECISION);
    arb_sub(lacks, lacks, height, PRECISION);
    arb_div(lacks, lacks, apart, PRECISION);
    round_up(&s->mass[i], lacks);
}

/* Chooses the masses from the last point down to the one behind `first`. */
static void choose_all(struct nodes *s)
{
    arb_t x, below, apart, height, slope, used, term;
    arb_init(x), arb_init(below), arb_init(apart), arb_init(height), arb_init(slope), arb_init(used),
        arb_init(term);
    arb_set_fmpq(height, &s->delta[s->n - 1], PRECISION);
    arb_set(used, height);
    odds_at(x, s, s->n - 1);
    for (s->first = s->n - 1; s->first > 0; s->first--) {
        const size_t i = s->first;
        odds_at(below, s, i - 1);
        arb_sub(apart, x, below, PRECISION);
        arb_addmul(height, slope, apart, PRECISION);
        choose(s, i, height, apart);
        arb_add_ui(term, x, 1, PRECISION);
        arb_mul_fmpz(term, term, fmpq_numref(&s->mass[i]), PRECISION);
        arb_div_fmpz(term, term, fmpq_denref(&s->mass[i]), PRECISION);
        arb_add(used, used, term, PRECISION);
        arb_sub_ui(term, used, 1, PRECISION);
        if (!arb_is_negative(term))
            break;
        arb_set_fmpq(term, &s->mass[i], PRECISION);
        arb_addmul(height, term, apart, PRECISION);
        arb_add(slope, slope, term, PRECISION);
        arb_swap(x, below);
    }
    arb_clear(term), arb_clear(used), arb_clear(slope), arb_clear(height), arb_clear(apart), arb_clear(below),
        arb_clear(x);
}

/* Appends (p, q) and (q, p). */
static pby_status append_both(pby_pair *pair, const pby_expsum_t p, const pby_expsum_t q, pby_error *err)
{
    pby_expsum_t one, other;
    pby_expsum_init(one);
    pby_expsum_init(other);
    pby_status status = PBY_OK;
    for (int order = 0; order < 2 && status == PBY_OK; order++) {
        pby_expsum_set(one, order == 0 ? p : q);
        pby_expsum_set(other, order == 0 ? q : p);
        status = pby_pair_append(pair, one, other, err);
    }
    pby_expsum_clear(other);
    pby_expsum_clear(one);
    return status;
}

/* The outcomes of point i: q is their Q-mass, over the norm. */
static pby_status append_node(pby_pair *pair, const struct nodes *s, size_t i, const pby_expsum_t q,
                              pby_error *err)
{
    pby_expsum_t p;
    PBY_FMPQ(one);
    pby_expsum_init(p);
    fmpq_one(one);
    pby_expsum_mul_term(p, q, one, &s->loss[i]);
    const pby_status status = append_both(pair, p, q, err);
    pby_expsum_clear(p);
    return status;
}

/* x = c norm */
static void times_norm(pby_expsum_t x, const pby_pair *pair, const fmpq_t c)
{
    PBY_FMPQ(zero);
    pby_expsum_mul_term(x, pair->norm_p, c, zero);
}

/* rest = 1 - delta[n-1] - sum of q_i (x_i + 1) over the points behind the first. */
static void set_rest(pby_expsum_t rest, const struct nodes *s)
{
    PBY_FMPQ(zero, c);
    pby_expsum_one(rest);
    fmpq_neg(c, &s->delta[s->n - 1]);
    pby_expsum_add_term(rest, c, zero);
    for (size_t i = s->first + 1; i < s->n; i++) {
        fmpq_neg(c, &s->mass[i]);
        pby_expsum_add_term(rest, c, &s->loss[i]);
        pby_expsum_add_term(rest, c, zero);
    }
}

static pby_status write_pair(pby_pair *pair, const struct nodes *s, pby_error *err)
{
    pby_expsum_t x, none;
    pby_expsum_init(x);
    pby_expsum_init(none);
    pby_expsum_one(pair->norm_p);
    pby_expsum_add_term_si(pair->norm_p, 1, &s->loss[s->first]);
    pby_expsum_set(pair->norm_q, pair->norm_p);
    set_rest(x, s);
    pby_status status = append_node(pair, s, s->first, x, err);
    for (size_t i = s->first + 1; i < s->n && status == PBY_OK; i++) {
        times_norm(x, pair, &s->mass[i]);
        status = append_node(pair, s, i, x, err);
    }
    times_norm(x, pair, &s->delta[s->n - 1]);
    if (status == PBY_OK)
        status = append_both(pair, x, none, err);
    pby_expsum_clear(none);
    pby_expsum_clear(x);
    return status;
}

void pby_node_round_up(fmpq_t delta, const arb_t ball)
{
    fmpq_one(delta);
    if (!arb_is_finite(ball))
        return;
    round_up(delta, ball);
    if (fmpq_cmp_si(delta, 1) > 0)
        fmpq_one(delta);
}

/* Two inputs that every output tells apart. */
static pby_status reveal(pby_pair *pair, pby_error *err)
{
    pby_expsum_t one, none;
    pby_expsum_init(one);
    pby_expsum_init(none);
    pby_expsum_one(one);
    pby_expsum_one(pair->norm_p);
    pby_expsum_one(pair->norm_q);
    const pby_status status = append_both(pair, one, none, err);
    pby_expsum_clear(none);
    pby_expsum_clear(one);
    return status;
}

/* The points that are used: the first, and those whose loss is at most LOSS_MOST. The mass of a point is
 * about exp(-loss), a rational of loss/log(2) bits, so that losses of 10^8 would take gigabytes. Behind the
 * last point that is used its delta stands for the smaller ones, which is a bound too. */
static size_t few_enough(const fmpq *loss, size_t n)
{
    while (n > 1 && fmpq_cmp_si(&loss[n - 1], LOSS_MOST) > 0)
        n--;
    return n;
}

pby_status pby_pair_of_nodes(pby_pair *pair, const fmpq *loss, const fmpq *delta, size_t n, pby_error *err)
{
    const size_t all = n;
    n = few_enough(loss, n);
    if (fmpq_cmp_si(&delta[n - 1], 1) >= 0)
        return n < all ? reveal(pair, err)
                       : pby_fail(err, PBY_FAILED, "profile: its last point tells nothing");
    struct nodes s = {.loss = loss, .delta = delta, .n = n, .mass = _fmpq_vec_init((slong)n)};
    choose_all(&s);
    const pby_status status = write_pair(pair, &s, err);
    _fmpq_vec_clear(s.mass, (slong)n);
    return status;
}
