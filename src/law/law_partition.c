/* SPDX-License-Identifier: MIT */
/* The noise of partition selection, which takes records away: R on 1-K .. 0 with P(k + R > 0) = p_k, the best
 * chance of showing a bar of k records that (eps, delta) allows.
 *
 * p_0 = 0 and p_(k+1) = min(e p_k + delta, 1 - (1 - p_k - delta)/e, 1) with e = exp(eps): neither showing nor
 * hiding a bar may become more than e times likelier, but for delta ([Flex], before eq. 11). The first term
 * is the least as long as p_k <= (1 - delta)/(1 + e); let m be the first k beyond that. Over the norm e - 1
 * the chances of hiding r_k = 1 - p_k have a bounded number of terms:
 *   r_k     = e - 1 - delta (e^k - 1)                                            for k <= m
 *   r_(m+j) = e^(1-j) - e^-j - delta e^(m-j) + 2 delta e^-j - delta, or 0        for j >= 0
 * and K is the first k at which r_k = 0. */
#include <stdio.h>
#include <stdlib.h>

#include "law/laws.h"
#include "number/scoped.h"

struct partition {
    pby_law base;
    fmpq_t eps, delta;
    int64_t turn; /* m */
};

/* x += sign c exp(k eps), c = 1 where it is NULL. */
static void add_power(pby_expsum_t x, slong sign, const fmpq *c, const fmpq_t eps, int64_t k)
{
    fmpz_t n;
    PBY_FMPQ(r, s);
    fmpz_init_set_si(n, k);
    fmpq_mul_fmpz(r, eps, n);
    fmpz_set_si(n, sign);
    fmpq_one(s);
    if (c != NULL)
        fmpq_set(s, c);
    fmpq_mul_fmpz(s, s, n);
    pby_expsum_add_term(x, s, r);
    fmpz_clear(n);
}

/* The numerator of r_k, negative beyond K. */
static void hidden(pby_expsum_t out, const struct partition *s, int64_t k)
{
    const int64_t j = k > s->turn ? k - s->turn : 0;
    pby_expsum_zero(out);
    add_power(out, 1, NULL, s->eps, 1 - j);
    add_power(out, -1, NULL, s->eps, -j);
    add_power(out, -1, s->delta, s->eps, k - 2 * j);
    add_power(out, j > 0 ? 2 : 1, s->delta, s->eps, -j);
    if (j > 0)
        add_power(out, -1, s->delta, s->eps, 0);
}

static void partition_below(pby_expsum_t out, const pby_law *law, int64_t k)
{
    hidden(out, (const struct partition *)law, -k);
}

static void partition_free(pby_law *law)
{
    struct partition *s = (struct partition *)law;
    fmpq_clear(s->eps);
    fmpq_clear(s->delta);
    free(s);
}

static const pby_law_class PARTITION = {
    .name = "partition", .below = partition_below, .free = partition_free};

/* True if delta (e^k - 1)(e + 1) > (1 - delta)(e - 1). */
static bool turned(const struct partition *s, int64_t k)
{
    pby_expsum_t x;
    pby_expsum_init(x);
    PBY_FMPQ(rest);
    fmpq_set_si(rest, 1, 1);
    fmpq_sub(rest, rest, s->delta);
    add_power(x, 1, s->delta, s->eps, k + 1);
    add_power(x, 1, s->delta, s->eps, k);
    add_power(x, -1, s->delta, s->eps, 1);
    add_power(x, -1, s->delta, s->eps, 0);
    add_power(x, -1, rest, s->eps, 1);
    add_power(x, 1, rest, s->eps, 0);
    const bool yes = pby_expsum_sign(x) > 0;
    pby_expsum_clear(x);
    return yes;
}

static bool certain(const struct partition *s, int64_t k)
{
    pby_expsum_t x;
    pby_expsum_init(x);
    hidden(x, s, k);
    const bool yes = pby_expsum_sign(x) <= 0;
    pby_expsum_clear(x);
    return yes;
}

/* The first k from 1 on of which the question, once true always true, is true; PBY_CELLS_MAX + 1 when it is
 * beyond that. */
static int64_t first(bool (*question)(const struct partition *s, int64_t k), const struct partition *s)
{
    int64_t no = 0, yes = 1;
    while (yes <= PBY_CELLS_MAX && !question(s, yes)) {
        no = yes;
        yes *= 2;
    }
    yes = FLINT_MIN(yes, PBY_CELLS_MAX + 1);
    while (yes - no > 1) {
        const int64_t middle = no + (yes - no) / 2;
        if (question(s, middle))
            yes = middle;
        else
            no = middle;
    }
    return yes;
}

static pby_status too_small(const fmpq_t delta, pby_error *err)
{
    char expected[128], *value = fmpq_get_str(NULL, 10, delta);
    snprintf(expected, sizeof expected, "so much that with this eps a bar of %d records is shown for certain",
             PBY_CELLS_MAX);
    const pby_status status = pby_refuse(err, "partition:delta", value, expected);
    flint_free(value);
    return status;
}

pby_status pby_law_partition(pby_law **out, const fmpq_t eps, const fmpq_t delta, pby_error *err)
{
    *out = NULL;
    struct partition *s = malloc(sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    s->base = (pby_law){.class = &PARTITION};
    pby_expsum_init(s->base.norm);
    fmpq_init(s->eps);
    fmpq_init(s->delta);
    fmpq_set(s->eps, eps);
    fmpq_set(s->delta, delta);
    add_power(s->base.norm, 1, NULL, eps, 1);
    add_power(s->base.norm, -1, NULL, eps, 0);
    s->turn = first(turned, s);
    const int64_t sure = s->turn > PBY_CELLS_MAX ? s->turn : first(certain, s);
    s->base.lo = s->base.body_lo = s->base.bend_lo = 1 - sure;
    if (sure > PBY_CELLS_MAX) {
        pby_law_free(&s->base);
        return too_small(delta, err);
    }
    *out = &s->base;
    return PBY_OK;
}

int64_t pby_law_partition_turn(const pby_law *law)
{
    return ((const struct partition *)law)->turn;
}
