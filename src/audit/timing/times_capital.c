/* SPDX-License-Identifier: MIT */
#include "audit/timing/times_capital.h"

#include <string.h>

#include "number/ball.h"
#include "number/scoped.h"

/* Bettors stake 11/16, 11/32, ... on each run: large stakes soon show a large difference, small ones show a
 * small one after many runs, and those that could not be paid are not played. 11/32 is below exp(-1). */
enum { STAKES = 24, PREC = 256, STEPS = 10000, EPSILON_MOST = 20, STAKE = 11, STAKE_BITS = 4 };

/* A bettor's capital is multiplied by one of these, for each stake. */
struct factors {
    arb_t won[STAKES], lost[STAKES], neither[STAKES];
};

static void factors_init(struct factors *f, const fmpq_t epsilon, const fmpq_t delta)
{
    PBY_ARB(half, most, stake);
    arb_set_fmpq(half, delta, PREC);
    arb_mul_2exp_si(half, half, -1);
    pby_exp_fmpq(most, epsilon, PREC);
    arb_add(most, most, half, PREC);
    for (int i = 0; i < STAKES; i++) {
        arb_init(f->won[i]);
        arb_init(f->lost[i]);
        arb_init(f->neither[i]);
        arb_set_ui(stake, STAKE);
        arb_mul_2exp_si(stake, stake, -STAKE_BITS - i);
        arb_one(f->lost[i]);
        arb_submul(f->lost[i], stake, most, PREC);
        arb_one(f->neither[i]);
        arb_submul(f->neither[i], stake, half, PREC);
        arb_add(f->won[i], f->neither[i], stake, PREC);
    }
}

static void factors_clear(struct factors *f)
{
    for (int i = 0; i < STAKES; i++) {
        arb_clear(f->won[i]);
        arb_clear(f->lost[i]);
        arb_clear(f->neither[i]);
    }
}

/* The capital of those who bet on an event and a side, each of whom began with 1. */
static void of_bettors(arb_t sum, const pby_times_counts *c, int event, int side, const struct factors *f)
{
    const uint64_t won = c->seen[event][side], lost = c->seen[event][!side];
    PBY_ARB(one, power);
    arb_zero(sum);
    for (int i = 0; i < STAKES; i++) {
        if (!arb_is_nonnegative(f->lost[i]))
            continue;
        arb_pow_ui(one, f->won[i], won, PREC);
        arb_pow_ui(power, f->lost[i], lost, PREC);
        arb_mul(one, one, power, PREC);
        arb_pow_ui(power, f->neither[i], c->judging - won - lost, PREC);
        arb_mul(one, one, power, PREC);
        arb_add(sum, sum, one, PREC);
    }
}

void pby_times_capital(arb_t capital, const pby_times_counts *c, const fmpq_t epsilon, const fmpq_t delta)
{
    struct factors f;
    PBY_ARB(one);
    factors_init(&f, epsilon, delta);
    arb_zero(capital);
    for (int event = 0; event < PBY_TIMES_EVENTS; event++)
        for (int side = 0; side < 2; side++) {
            of_bettors(one, c, event, side, &f);
            arb_add(capital, capital, one, PREC);
        }
    factors_clear(&f);
    arb_div_ui(capital, capital, (ulong)2 * PBY_TIMES_EVENTS * STAKES, PREC);
}

bool pby_times_refuted(const pby_times_counts *c, const fmpq_t epsilon, const fmpq_t delta,
                       const fmpq_t error)
{
    PBY_ARB(capital, goal);
    pby_times_capital(capital, c, epsilon, delta);
    arb_set_fmpq(goal, error, PREC);
    arb_inv(goal, goal, PREC);
    arb_sub(capital, capital, goal, PREC);
    return arb_is_nonnegative(capital);
}

bool pby_times_epsilon(fmpq_t epsilon, const pby_times_counts *c, const fmpq_t delta, const fmpq_t error)
{
    slong low = -1, high = (slong)STEPS * EPSILON_MOST + 1;
    while (high - low > 1) {
        const slong middle = low + (high - low) / 2;
        fmpq_set_si(epsilon, middle, STEPS);
        if (pby_times_refuted(c, epsilon, delta, error))
            low = middle;
        else
            high = middle;
    }
    fmpq_set_si(epsilon, low < 0 ? 0 : low, STEPS);
    return low >= 0;
}

void pby_times_best(int *event, pby_side *side, const pby_times_counts *c, const fmpq_t epsilon,
                    const fmpq_t delta)
{
    struct factors f;
    PBY_ARB(most, one);
    factors_init(&f, epsilon, delta);
    *event = 0;
    *side = PBY_LEFT;
    for (int e = 0; e < PBY_TIMES_EVENTS; e++)
        for (int s = 0; s < 2; s++) {
            of_bettors(one, c, e, s, &f);
            if (arf_cmp(arb_midref(one), arb_midref(most)) > 0) {
                arb_set(most, one);
                *event = e;
                *side = s == 0 ? PBY_LEFT : PBY_RIGHT;
            }
        }
    factors_clear(&f);
}

void pby_times_told_apart(pby_times_counts *c, uint64_t judging)
{
    memset(c, 0, sizeof *c);
    c->judging = judging;
    for (int event = 0; event < PBY_TIMES_EVENTS; event++)
        c->seen[event][event % 2] = judging / 2;
}
