/* SPDX-License-Identifier: MIT */
/* The law of an answer that ptr or smooth publishes.
 *
 * ptr shows the true answer where its radius and noise exceed T, and otherwise any of the answers, none among
 * them. smooth adds geometric noise of rate eps/(2 S), S the smooth sensitivity, to the number of the bar,
 * none being 0; what lies beyond none or the last bar is moved there. */
#include <sodium.h>
#include <stdlib.h>

#include "accuracy/given.h"
#include "mechanism/shared/steady.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity/experimental/stable.h"

/* The chance of the answer of that number: none is 0, and bars begin at 1. */
static arb_ptr chance_of(pby_given *g, size_t number)
{
    return g->chance + (number == 0 ? g->n : number - 1);
}

static pby_status tested(pby_given *g, const pby_mechanism *m, size_t truth, pby_error *err)
{
    const int64_t T = fmpz_get_si(fmpq_numref(pby_mechanism_value(m, PBY_ROLE_RADIUS)));
    int64_t radius = 0;
    pby_status status = pby_statistic_radius(&radius, g->statistic, PBY_ADD_REMOVE, g->x, g->n, err);
    if (status == PBY_OK)
        status = m->family->law(&g->law, m, err);
    if (status != PBY_OK)
        return status;
    PBY_ARB(hidden, each);
    if (radius < INT64_MAX)
        pby_law_cdf_arb(hidden, g->law, T - radius, g->prec); /* no overflow: both are from 0 on */
    arb_div_ui(each, hidden, g->n + 1, g->prec);
    for (size_t i = 0; i <= g->n; i++)
        arb_set(g->chance + i, each);
    arb_sub_ui(hidden, hidden, 1, g->prec);
    arb_sub(chance_of(g, truth), each, hidden, g->prec);
    return PBY_OK;
}

/* a^far (1 - a)/(1 + a) of each answer, or a^far/(1 + a) of the first and the last. */
static void clamped(pby_given *g, const fmpq_t rate, size_t truth)
{
    PBY_ARB(a, norm, mass);
    PBY_FMPQ(power);
    fmpq_neg(power, rate);
    pby_exp_fmpq(a, power, g->prec);
    arb_add_ui(norm, a, 1, g->prec);
    arb_sub_ui(mass, a, 1, g->prec);
    arb_neg(mass, mass);
    for (size_t i = 0; i <= g->n; i++) {
        arb_ptr at = chance_of(g, i);
        fmpq_set_si(power, -(slong)(i < truth ? truth - i : i - truth), 1);
        fmpq_mul(power, power, rate);
        pby_exp_fmpq(at, power, g->prec);
        arb_div(at, at, norm, g->prec);
        if (i > 0 && i < g->n)
            arb_mul(at, at, mass, g->prec);
    }
}

static pby_status smoothed(pby_given *g, const pby_mechanism *m, size_t truth, pby_error *err)
{
    int64_t *far = malloc((g->n + 1) * sizeof *far);
    if (far == NULL)
        return pby_no_memory(err);
    PBY_FMPQ(rate);
    const pby_status status = pby_statistic_jumps(far, g->statistic, g->x, g->n, err);
    if (status == PBY_OK) {
        pby_steady_scale(rate, m, far, g->n);
        sodium_memzero(far, (g->n + 1) * sizeof *far);
    }
    if (status == PBY_OK && fmpq_is_zero(rate)) {
        arb_one(chance_of(g, truth));
    } else if (status == PBY_OK) {
        fmpq_div(rate, pby_mechanism_value(m, PBY_ROLE_EPSILON), rate);
        fmpq_div_2exp(rate, rate, 1);
        clamped(g, rate, truth);
    }
    free(far);
    return status;
}

pby_status pby_given_steady(pby_given *g, const pby_mechanism *m, pby_error *err)
{
    size_t found = 0, *bars = calloc(g->n, sizeof *bars);
    pby_status status = bars == NULL ? pby_no_memory(err) : pby_steady_check(m, g->n, err);
    if (status == PBY_OK)
        status = pby_statistic_bars(bars, &found, g->statistic, g->x, g->n, err);
    const size_t truth = status == PBY_OK && found > 0 ? bars[0] + 1 : 0;
    free(bars);
    if (status != PBY_OK)
        return status;
    return pby_steady_scaled(m) ? smoothed(g, m, truth, err) : tested(g, m, truth, err);
}
