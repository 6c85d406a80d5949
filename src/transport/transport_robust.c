/* SPDX-License-Identifier: MIT */
/* The delta of a finite mechanism's robustness.
 *
 * For a set A of outputs: the laws u and v of the input, and how mass is carried, phi[j][l] for outputs j and
 * l within rho, that maximise (uM)(A) - x (vM)(A), where phi takes no more from j than uM has there, brings
 * no more to l than vM has, and carries 1 - theta at least. The greatest over all sets A is delta. All these
 * programmes have one set of constraints, so each begins where the one before has ended, and the next set
 * differs by one output. */
#include "probity/experimental/robust.h"

#include <arb.h>
#include <stdbool.h>
#include <stdlib.h>

#include "number/ball.h"
#include "number/number_texts.h"
#include "number/numbers.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "transport/channel.h"
#include "transport/programme.h"

struct check {
    const pby_robust_channel *c;
    pby_programme programme;
    fmpq *cost; /* of each column */
    bool *link; /* outputs x outputs: whether they are within rho */
    size_t links;
};

/* ---- what is taken ----------------------------------------------------------------------------- */

static mpq_srcptr chance(const pby_robust_channel *c, size_t i, size_t j)
{
    return &c->channel[i * c->outputs + j];
}

static pby_status check_channel(const pby_robust_channel *c, pby_error *err)
{
    if (c->inputs == 0 || c->inputs > 1 << 10)
        return pby_fail(err, PBY_BAD, "channel: expected from 1 to 1024 inputs");
    if (c->outputs == 0 || c->outputs > PBY_ROBUST_OUTPUTS_MAX)
        return pby_fail(err, PBY_BAD, "channel: expected from 1 to %d outputs", PBY_ROBUST_OUTPUTS_MAX);
    for (size_t j = 0; j < c->outputs; j++)
        for (size_t l = 0; l < j; l++)
            if (mpq_equal(&c->at[j], &c->at[l]))
                return pby_fail(err, PBY_BAD, "at: outputs %zu and %zu: expected different places", l + 1,
                                j + 1);
    return pby_channel_check(c->channel, c->inputs, c->outputs, err);
}

static pby_status check_numbers(mpq_srcptr rho, mpq_srcptr theta, pby_error *err)
{
    if (mpq_sgn(rho) < 0)
        return pby_fail(err, PBY_BAD, "rho: expected a rational from 0 on");
    if (mpq_sgn(theta) < 0 || mpq_cmp_ui(theta, 1, 1) > 0)
        return pby_fail(err, PBY_BAD, "theta: expected a rational from 0 to 1");
    return PBY_OK;
}

/* ---- the programme ----------------------------------------------------------------------------- */

static void find_links(struct check *k, mpq_srcptr rho)
{
    const size_t m = k->c->outputs;
    PBY_MPQ(apart);
    for (size_t j = 0; j < m; j++)
        for (size_t l = 0; l < m; l++) {
            mpq_sub(apart, &k->c->at[j], &k->c->at[l]);
            mpq_abs(apart, apart);
            k->link[j * m + l] = mpq_cmp(apart, rho) <= 0;
            k->links += k->link[j * m + l] ? 1 : 0;
        }
}

/* Columns: u, v, the links, what is left of uM and of vM, what is carried beyond 1 - theta. Rows: the masses
 * of u and v, an output of uM each, an output of vM each, what is carried. */
static void fill_laws(struct check *k)
{
    const size_t n = k->c->inputs, m = k->c->outputs;
    pby_programme *p = &k->programme;
    for (size_t side = 0; side < 2; side++) {
        fmpq_one(pby_programme_at(p, side, p->columns));
        for (size_t i = 0; i < n; i++) {
            fmpq_one(pby_programme_at(p, side, side * n + i));
            for (size_t j = 0; j < m; j++) {
                fmpq *x = pby_programme_at(p, 2 + side * m + j, side * n + i);
                fmpq_set_mpq(x, chance(k->c, i, j));
                fmpq_neg(x, x);
            }
        }
    }
}

static void fill_carriage(struct check *k, mpq_srcptr theta)
{
    const size_t n = k->c->inputs, m = k->c->outputs, carried = 2 + 2 * m;
    pby_programme *p = &k->programme;
    size_t column = 2 * n;
    for (size_t j = 0; j < m; j++)
        for (size_t l = 0; l < m; l++)
            if (k->link[j * m + l]) {
                fmpq_one(pby_programme_at(p, 2 + j, column));
                fmpq_one(pby_programme_at(p, 2 + m + l, column));
                fmpq_one(pby_programme_at(p, carried, column));
                column++;
            }
    for (size_t j = 0; j < 2 * m; j++)
        fmpq_one(pby_programme_at(p, 2 + j, column++));
    fmpq_set_si(pby_programme_at(p, carried, column), -1, 1);
    fmpq *need = pby_programme_at(p, carried, p->columns);
    fmpq_set_mpq(need, theta);
    fmpq_sub_si(need, need, 1);
    fmpq_neg(need, need);
}

/* Output j joins the set, or leaves it: what it is worth in u and in v. */
static void toggle(struct check *k, size_t j, bool joins, const fmpq_t ratio)
{
    const size_t n = k->c->inputs;
    PBY_FMPQ(mass);
    for (size_t i = 0; i < n; i++) {
        fmpq_set_mpq(mass, chance(k->c, i, j));
        if (!joins)
            fmpq_neg(mass, mass);
        fmpq_add(&k->cost[i], &k->cost[i], mass);
        fmpq_mul(mass, mass, ratio);
        fmpq_sub(&k->cost[n + i], &k->cost[n + i], mass);
    }
}

/* Every set, each from the one before by one output: the reflected binary code. */
static pby_status climb_sets(fmpq_t delta, struct check *k, const fmpq_t ratio, pby_error *err)
{
    pby_status status = PBY_OK;
    size_t set = 0;
    PBY_FMPQ(best);
    fmpq_zero(delta);
    for (size_t step = 1; step < (size_t)1 << k->c->outputs && status == PBY_OK; step++) {
        const size_t j = (size_t)__builtin_ctzl(step);
        set ^= (size_t)1 << j;
        toggle(k, j, (set >> j & 1) != 0, ratio);
        status = pby_programme_best(best, &k->programme, k->cost, err);
        if (status == PBY_OK && fmpq_cmp(best, delta) > 0)
            fmpq_set(delta, best);
    }
    return status;
}

static pby_status check_init(struct check *k, const pby_robust_channel *c, mpq_srcptr rho, mpq_srcptr theta,
                             pby_error *err)
{
    const size_t m = c->outputs;
    bool possible;
    *k = (struct check){.c = c, .link = calloc(m * m, sizeof(bool))};
    if (k->link == NULL)
        return pby_no_memory(err);
    find_links(k, rho);
    const size_t columns = 2 * c->inputs + k->links + 2 * m + 1;
    k->cost = calloc(columns, sizeof *k->cost);
    for (size_t i = 0; k->cost != NULL && i < columns; i++)
        fmpq_init(&k->cost[i]);
    pby_status status = k->cost == NULL ? pby_no_memory(err)
                                        : pby_programme_init(&k->programme, 2 * m + 3, columns, err);
    if (status != PBY_OK)
        return status;
    fill_laws(k);
    fill_carriage(k, theta);
    return pby_programme_start(&k->programme, &possible, err); /* u = v is possible */
}

static void check_clear(struct check *k)
{
    for (size_t i = 0; k->cost != NULL && i < k->programme.columns; i++)
        fmpq_clear(&k->cost[i]);
    free(k->cost);
    free(k->link);
    pby_programme_clear(&k->programme);
}

pby_status pby_robust_delta_at(mpq_t delta, const pby_robust_channel *channel, mpq_srcptr rho,
                               mpq_srcptr theta, mpq_srcptr ratio, pby_error *err)
{
    struct check k = {.c = NULL};
    pby_status status = check_channel(channel, err);
    if (status == PBY_OK)
        status = check_numbers(rho, theta, err);
    if (status == PBY_OK && mpq_cmp_ui(ratio, 1, 1) < 0)
        status = pby_fail(err, PBY_BAD, "ratio: expected a rational from 1 on");
    if (status != PBY_OK)
        return status;
    PBY_FMPQ(x, best);
    fmpq_set_mpq(x, ratio);
    status = check_init(&k, channel, rho, theta, err);
    if (status == PBY_OK)
        status = climb_sets(best, &k, x, err);
    if (status == PBY_OK)
        fmpq_get_mpq(delta, best);
    check_clear(&k);
    return status;
}

/* An end of exp(epsilon), a rational. */
static void end_of_exp(mpq_t out, mpq_srcptr epsilon, bool upper, slong prec)
{
    PBY_FMPQ(e);
    PBY_ARB(x);
    PBY_ARF(end);
    fmpq_set_mpq(e, epsilon);
    pby_exp_fmpq(x, e, prec);
    (upper ? arb_get_ubound_arf : arb_get_lbound_arf)(end, x, prec);
    arf_get_fmpq(e, end);
    if (fmpq_cmp_si(e, 1) < 0)
        fmpq_one(e);
    fmpq_get_mpq(out, e);
}

pby_status pby_robust_delta(pby_enclosure *delta, const pby_robust_channel *channel, mpq_srcptr rho,
                            mpq_srcptr theta, mpq_srcptr epsilon, unsigned digits, pby_error *err)
{
    const slong prec = pby_bits_for_digits(digits == 0 ? PBY_DIGITS_DEFAULT : digits) + 16;
    mpq_t ratio, lo, hi;
    if (mpq_sgn(epsilon) < 0)
        return pby_fail(err, PBY_BAD, "epsilon: expected a rational from 0 on");
    mpq_inits(ratio, lo, hi, NULL);
    end_of_exp(ratio, epsilon, false, prec);
    pby_status status = pby_robust_delta_at(hi, channel, rho, theta, ratio, err);
    end_of_exp(ratio, epsilon, true, prec);
    if (status == PBY_OK)
        status = pby_robust_delta_at(lo, channel, rho, theta, ratio, err);
    if (status == PBY_OK) {
        mpfr_set_prec(delta->lo, prec);
        mpfr_set_prec(delta->hi, prec);
        mpfr_set_q(delta->lo, lo, MPFR_RNDD);
        mpfr_set_q(delta->hi, hi, MPFR_RNDU);
    }
    mpq_clears(ratio, lo, hi, NULL);
    return status;
}

/* ---- numbers as text --------------------------------------------------------------------------- */

/* Everything as numbers; `last` is epsilon or a ratio. */
struct asked {
    pby_robust_channel channel;
    mpq_t *chances, *at, x[3];
};

enum { RHO, THETA, LAST };

static pby_status asked_init(struct asked *a, const pby_robust_words *words, const char *const texts[3],
                             const char *last, pby_error *err)
{
    const char *const names[] = {"rho", "theta", last};
    *a = (struct asked){.channel = {NULL, NULL, words->inputs, words->outputs}};
    for (size_t i = 0; i < 3; i++)
        mpq_init(a->x[i]);
    if (words->inputs > 1 << 10 || words->outputs > PBY_ROBUST_OUTPUTS_MAX)
        return pby_fail(err, PBY_BAD, "channel: expected at most 1024 inputs and %d outputs",
                        PBY_ROBUST_OUTPUTS_MAX);
    pby_status status = pby_worded_parse(a->x, names, texts, 3, err);
    if (status == PBY_OK)
        status =
            pby_numbers_parse(&a->chances, "channel", words->channel, words->inputs * words->outputs, err);
    if (status == PBY_OK)
        status = pby_numbers_parse(&a->at, "at", words->at, words->outputs, err);
    if (status == PBY_OK) {
        a->channel.channel = *a->chances;
        a->channel.at = *a->at;
    }
    return status;
}

static void asked_clear(struct asked *a)
{
    pby_numbers_free(a->chances, a->channel.inputs * a->channel.outputs);
    pby_numbers_free(a->at, a->channel.outputs);
    for (size_t i = 0; i < 3; i++)
        mpq_clear(a->x[i]);
}

pby_status pby_robust_delta_text(pby_decimals *delta, const pby_robust_words *channel, const char *rho,
                                 const char *theta, const char *epsilon, unsigned digits, pby_error *err)
{
    struct asked a;
    pby_enclosure found;
    pby_enclosure_init(&found);
    pby_status status = asked_init(&a, channel, (const char *const[]){rho, theta, epsilon}, "epsilon", err);
    if (status == PBY_OK)
        status = pby_robust_delta(&found, &a.channel, a.x[RHO], a.x[THETA], a.x[LAST], digits, err);
    if (status == PBY_OK)
        pby_decimals_set(delta, &found, digits);
    asked_clear(&a);
    pby_enclosure_clear(&found);
    return status;
}

pby_status pby_robust_delta_at_text(char **delta, const pby_robust_words *channel, const char *rho,
                                    const char *theta, const char *ratio, pby_error *err)
{
    struct asked a;
    *delta = NULL;
    PBY_MPQ(found);
    pby_status status = asked_init(&a, channel, (const char *const[]){rho, theta, ratio}, "ratio", err);
    if (status == PBY_OK)
        status = pby_robust_delta_at(found, &a.channel, a.x[RHO], a.x[THETA], a.x[LAST], err);
    if (status == PBY_OK)
        status = pby_rational_print(delta, found, err);
    asked_clear(&a);
    return status;
}
