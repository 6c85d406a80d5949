/* SPDX-License-Identifier: MIT */
#include "tests/mechanism/divisions.h"

#include <stdlib.h>

#include "tests/mechanism/outcomes.h"

division divisions_first(int all)
{
    return (division){{all}, 1};
}

bool divisions_next(division *d)
{
    int rest = 0;
    for (; d->count > 0 && d->part[d->count - 1] == 1; d->count--)
        rest++;
    if (d->count == 0)
        return false;
    const int most = --d->part[d->count - 1];
    for (rest++; rest > 0; rest -= d->part[d->count++])
        d->part[d->count] = rest < most ? rest : most;
    return true;
}

/* One bar more: every outcome of its noise beside every loss so far. */
static void add_bar(division_loss *loss, int part, const fmpq_t rate, slong reach)
{
    arb_struct sum[2 * DIVISIONS_MOST + 1];
    arb_t mass, nothing;
    arb_init(mass);
    arb_init(nothing);
    arb_one(nothing);
    for (int i = 0; i <= 2 * DIVISIONS_MOST; i++)
        arb_init(&sum[i]);
    arb_t infinite;
    arb_init(infinite);
    for (slong v = -reach; v <= reach; v++) {
        outcomes_geometric(mass, rate, v);
        arb_sub(nothing, nothing, mass, OUTCOMES_PREC);
        const int shift = (int)(labs(v - part) - labs(v));
        for (int i = 0; i <= 2 * DIVISIONS_MOST; i++) {
            if (v - part < -reach)
                arb_addmul(infinite, mass, &loss->mass[i], OUTCOMES_PREC);
            else if (i + shift >= 0 && i + shift <= 2 * DIVISIONS_MOST)
                arb_addmul(&sum[i + shift], mass, &loss->mass[i], OUTCOMES_PREC);
        }
    }
    arb_add(loss->infinite, loss->infinite, infinite, OUTCOMES_PREC);
    for (int i = 0; i <= 2 * DIVISIONS_MOST; i++) {
        arb_addmul(&sum[i], nothing, &loss->mass[i], OUTCOMES_PREC);
        arb_swap(&loss->mass[i], &sum[i]);
        arb_clear(&sum[i]);
    }
    arb_clear(infinite);
    arb_clear(nothing);
    arb_clear(mass);
}

void divisions_loss_init(division_loss *loss, const division *d, const fmpq_t rate, slong reach)
{
    loss->all = 0;
    arb_init(loss->infinite);
    for (int i = 0; i <= 2 * DIVISIONS_MOST; i++)
        arb_init(&loss->mass[i]);
    arb_one(&loss->mass[DIVISIONS_MOST]);
    for (int i = 0; i < d->count; i++) {
        loss->all += d->part[i];
        add_bar(loss, d->part[i], rate, reach);
    }
}

void divisions_loss_clear(division_loss *loss)
{
    for (int i = 0; i <= 2 * DIVISIONS_MOST; i++)
        arb_clear(&loss->mass[i]);
    arb_clear(loss->infinite);
}

void divisions_delta(arb_t out, const division_loss *loss, const fmpq_t rate, const fmpq_t epsilon)
{
    fmpq_t x;
    arb_t term, zero;
    fmpq_init(x);
    arb_init(term);
    arb_init(zero);
    arb_set(out, loss->infinite);
    for (int i = -loss->all; i <= loss->all; i++) {
        fmpq_mul_si(x, rate, i);
        fmpq_sub(x, epsilon, x);
        arb_set_fmpq(term, x, OUTCOMES_PREC);
        arb_expm1(term, term, OUTCOMES_PREC);
        arb_neg(term, term);
        arb_mul(term, term, &loss->mass[DIVISIONS_MOST + i], OUTCOMES_PREC);
        arb_max(term, term, zero, OUTCOMES_PREC);
        arb_add(out, out, term, OUTCOMES_PREC);
    }
    arb_clear(zero);
    arb_clear(term);
    fmpq_clear(x);
}

void divisions_worst(arb_t out, int all, int bars, const fmpq_t rate, slong reach, const fmpq_t epsilon)
{
    division d = divisions_first(all);
    arb_t one;
    arb_init(one);
    arb_zero(out);
    do {
        if (d.count > bars)
            continue;
        division_loss loss;
        divisions_loss_init(&loss, &d, rate, reach);
        divisions_delta(one, &loss, rate, epsilon);
        arb_max(out, out, one, OUTCOMES_PREC);
        divisions_loss_clear(&loss);
    } while (divisions_next(&d));
    arb_clear(one);
}
