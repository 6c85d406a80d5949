/* SPDX-License-Identifier: MIT */
/* The distance of two utilities, before a random transformation and behind it. */
#include "probity/experimental/projection.h"

#include <stdlib.h>

#include "number/ball.h"
#include "number/number_texts.h"
#include "number/numbers.h"
#include "number/scoped.h"
#include "probity/experimental/accuracy.h"
#include "probity/rational.h"
#include "transport/channel.h"

static pby_status check_utilities(mpq_srcptr x, size_t n, const char *name, pby_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (mpq_sgn(&x[i]) < 0)
            return pby_fail(err, PBY_BAD, "%s: %zu: expected a utility from 0 on", name, i + 1);
    return PBY_OK;
}

static pby_status check_size(size_t inputs, size_t results, pby_error *err)
{
    return inputs == 0 || results == 0 || inputs > PBY_PROJECTION_MAX / results
               ? pby_fail(err, PBY_BAD, "channel: expected from 1 to %d chances", PBY_PROJECTION_MAX)
               : PBY_OK;
}

static pby_status check(const pby_projection *p, bool seen, pby_error *err)
{
    pby_status status = check_size(p->inputs, p->results, err);
    if (status == PBY_OK)
        status = pby_channel_check(p->channel, p->inputs, p->results, err);
    if (status == PBY_OK)
        status = check_utilities(p->utility, p->inputs, "utility", err);
    return status == PBY_OK && seen ? check_utilities(p->seen, p->results, "seen", err) : status;
}

static bool may_become(const pby_projection *p, size_t input, size_t result)
{
    return mpq_sgn(&p->channel[input * p->results + result]) > 0;
}

/* The factor that two utilities are apart. */
static void set_factor(pby_distance *out, mpq_srcptr x, mpq_srcptr y)
{
    const bool less = mpq_cmp(x, y) < 0;
    mpq_srcptr low = less ? x : y, high = less ? y : x;
    out->infinite = mpq_sgn(low) == 0 && mpq_sgn(high) > 0;
    if (mpq_sgn(low) > 0)
        mpq_div(out->value, high, low);
    else
        mpq_set_ui(out->value, out->infinite ? 0 : 1, 1);
}

/* The logarithm of a factor, or half of it. */
struct rate {
    const pby_distance *factor;
    bool half;
};

static pby_status rate_real(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct rate *r = what;
    (void)err;
    if (r->factor->infinite) {
        arb_pos_inf(ball);
        return PBY_OK;
    }
    PBY_FMPQ(x);
    fmpq_set_mpq(x, r->factor->value);
    arb_set_fmpq(ball, x, prec);
    arb_log(ball, ball, prec);
    if (r->half)
        arb_mul_2exp_si(ball, ball, -1);
    return PBY_OK;
}

static pby_status set_rate(pby_enclosure *out, const pby_distance *factor, bool half, unsigned digits,
                           pby_error *err)
{
    const struct rate r = {factor, half};
    digits = digits == 0 ? PBY_DIGITS_DEFAULT : digits;
    PBY_ARB(ball);
    const pby_status status = pby_enclose(ball, rate_real, &r, digits, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(out, ball, digits);
    return status;
}

/* ---- the least epsilon --------------------------------------------------------------------------- */

/* A result of one input, and how far apart the two are. */
struct step {
    pby_distance factor;
    mpq_srcptr chance;
    size_t result;
};

/* The farthest first; of equals the first result. */
static int farthest_first(const void *a, const void *b)
{
    const struct step *x = a, *y = b;
    const int order = pby_distance_cmp(&y->factor, &x->factor);
    return order != 0 ? order : (x->result > y->result) - (x->result < y->result);
}

/* The steps of an input, sorted; returns how many there are. */
static size_t set_steps(struct step *step, const pby_projection *p, size_t input)
{
    size_t n = 0;
    for (size_t j = 0; j < p->results; j++)
        if (may_become(p, input, j)) {
            set_factor(&step[n].factor, &p->utility[input], &p->seen[j]);
            step[n].chance = &p->channel[input * p->results + j];
            step[n++].result = j;
        }
    qsort(step, n, sizeof *step, farthest_first);
    return n;
}

/* The farthest step that is left where a mass theta of the farthest may be left out. */
static const struct step *step_beyond(const struct step *step, size_t n, mpq_srcptr theta, mpq_t mass)
{
    size_t i = 0;
    mpq_set_ui(mass, 0, 1);
    for (; i < n; i++) {
        mpq_add(mass, mass, step[i].chance);
        if (mpq_cmp(mass, theta) > 0)
            break;
    }
    return &step[i < n ? i : n - 1];
}

static pby_status steps_new(struct step **out, size_t n, pby_error *err)
{
    struct step *s = *out = calloc(n, sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < n; i++)
        pby_distance_init(&s[i].factor);
    return PBY_OK;
}

static void steps_free(struct step *s, size_t n)
{
    for (size_t i = 0; i < n && s != NULL; i++)
        pby_distance_clear(&s[i].factor);
    free(s);
}

pby_status pby_projection_epsilon(pby_enclosure *epsilon, pby_projection_worst *worst,
                                  const pby_projection *p, mpq_srcptr theta, unsigned digits, pby_error *err)
{
    struct step *step = NULL;
    pby_distance most;
    pby_status status = check(p, true, err);
    if (status == PBY_OK && (mpq_sgn(theta) < 0 || mpq_cmp_ui(theta, 1, 1) >= 0))
        status = pby_fail(err, PBY_BAD, "theta: expected a rational from 0 on, below 1");
    if (status == PBY_OK)
        status = steps_new(&step, p->results, err);
    if (status != PBY_OK)
        return status;
    PBY_MPQ(mass);
    pby_distance_init(&most);
    for (size_t i = 0; i < p->inputs; i++) {
        const struct step *s = step_beyond(step, set_steps(step, p, i), theta, mass);
        if (i == 0 || pby_distance_cmp(&s->factor, &most) > 0) {
            pby_distance_set(&most, &s->factor);
            *worst = (pby_projection_worst){i, s->result, i};
        }
    }
    status = set_rate(epsilon, &most, false, digits, err);
    pby_distance_clear(&most);
    steps_free(step, p->results);
    return status;
}

/* ---- the least theta ----------------------------------------------------------------------------- */

/* Sets *out if a factor is above exp(epsilon). No power of e but 1 is rational, so this is always decided. */
static pby_status is_beyond(bool *out, const pby_distance *factor, const fmpq_t epsilon, pby_error *err)
{
    const struct rate r = {factor, false};
    int sign = 1;
    const pby_status status = factor->infinite ? PBY_OK : pby_compare(&sign, rate_real, &r, epsilon, err);
    *out = sign > 0;
    return status;
}

pby_status pby_projection_theta(mpq_t theta, pby_projection_worst *worst, const pby_projection *p,
                                mpq_srcptr epsilon, pby_error *err)
{
    struct step *step = NULL;
    pby_status status = check(p, true, err);
    if (status == PBY_OK && mpq_sgn(epsilon) < 0)
        status = pby_fail(err, PBY_BAD, "epsilon: expected a rational from 0 on");
    if (status == PBY_OK)
        status = steps_new(&step, p->results, err);
    if (status != PBY_OK)
        return status;
    PBY_MPQ(mass);
    PBY_FMPQ(rate);
    fmpq_set_mpq(rate, epsilon);
    for (size_t i = 0; i < p->inputs && status == PBY_OK; i++) {
        const size_t n = set_steps(step, p, i);
        bool beyond = true;
        mpq_set_ui(mass, 0, 1);
        for (size_t k = 0; k < n && status == PBY_OK && beyond; k++) {
            status = is_beyond(&beyond, &step[k].factor, rate, err);
            if (status == PBY_OK && beyond)
                mpq_add(mass, mass, step[k].chance);
        }
        if (i == 0 || mpq_cmp(mass, theta) > 0) {
            mpq_set(theta, mass);
            *worst = (pby_projection_worst){i, step[0].result, i};
        }
    }
    steps_free(step, p->results);
    return status;
}

/* ---- the best other query ------------------------------------------------------------------------ */

/* The inputs of the least and the greatest utility that may become a result; false where none may. */
static bool find_ends(size_t *low, size_t *high, const pby_projection *p, size_t result)
{
    bool found = false;
    for (size_t i = 0; i < p->inputs; i++) {
        if (!may_become(p, i, result))
            continue;
        if (!found || mpq_cmp(&p->utility[i], &p->utility[*low]) < 0)
            *low = i;
        if (!found || mpq_cmp(&p->utility[i], &p->utility[*high]) > 0)
            *high = i;
        found = true;
    }
    return found;
}

pby_status pby_projection_best(pby_enclosure *epsilon, pby_projection_worst *worst, const pby_projection *p,
                               unsigned digits, pby_error *err)
{
    pby_distance most, factor;
    bool any = false;
    pby_status status = check(p, false, err);
    if (status != PBY_OK)
        return status;
    pby_distance_init(&most);
    pby_distance_init(&factor);
    for (size_t j = 0; j < p->results; j++) {
        size_t low = 0, high = 0;
        if (!find_ends(&low, &high, p, j))
            continue;
        set_factor(&factor, &p->utility[low], &p->utility[high]);
        if (!any || pby_distance_cmp(&factor, &most) > 0) {
            pby_distance_set(&most, &factor);
            *worst = (pby_projection_worst){low, j, high};
        }
        any = true;
    }
    status = set_rate(epsilon, &most, true, digits, err);
    pby_distance_clear(&factor);
    pby_distance_clear(&most);
    return status;
}

/* ---- numbers as text ----------------------------------------------------------------------------- */

/* The numbers behind a pby_projection of words. */
struct numbers {
    mpq_t *channel, *utility, *seen;
    pby_projection p;
};

/* To be cleared whether this succeeds or not. */
static pby_status numbers_parse(struct numbers *x, const pby_projection_words *w, bool seen, pby_error *err)
{
    *x = (struct numbers){.p = {.inputs = w->inputs, .results = w->results}};
    pby_status status = check_size(w->inputs, w->results, err);
    if (status == PBY_OK)
        status = pby_numbers_parse(&x->channel, "channel", w->channel, w->inputs * w->results, err);
    if (status == PBY_OK)
        status = pby_numbers_parse(&x->utility, "utility", w->utility, w->inputs, err);
    if (status == PBY_OK && seen)
        status = pby_numbers_parse(&x->seen, "seen", w->seen, w->results, err);
    if (status == PBY_OK) {
        x->p.channel = x->channel[0];
        x->p.utility = x->utility[0];
        x->p.seen = seen ? x->seen[0] : NULL;
    }
    return status;
}

static void numbers_clear(struct numbers *x)
{
    pby_numbers_free(x->channel, x->p.inputs * x->p.results);
    pby_numbers_free(x->utility, x->p.inputs);
    pby_numbers_free(x->seen, x->p.results);
}

pby_status pby_projection_epsilon_text(pby_decimals *epsilon, pby_projection_worst *worst,
                                       const pby_projection_words *p, const char *theta, unsigned digits,
                                       pby_error *err)
{
    struct numbers x;
    pby_worded w;
    pby_status status = pby_worded_begin(&w, "theta", theta, err);
    if (status == PBY_OK) {
        status = numbers_parse(&x, p, true, err);
        if (status == PBY_OK)
            status = pby_projection_epsilon(&w.answer, worst, &x.p, w.value, digits, err);
        numbers_clear(&x);
    }
    return pby_worded_end(&w, epsilon, digits, status);
}

pby_status pby_projection_theta_text(char **theta, pby_projection_worst *worst, const pby_projection_words *p,
                                     const char *epsilon, pby_error *err)
{
    struct numbers x;
    mpq_t rate, mass;
    *theta = NULL;
    mpq_inits(rate, mass, NULL);
    pby_status status = pby_rational_parse(rate, "epsilon", epsilon, err);
    if (status == PBY_OK) {
        status = numbers_parse(&x, p, true, err);
        if (status == PBY_OK)
            status = pby_projection_theta(mass, worst, &x.p, rate, err);
        numbers_clear(&x);
    }
    if (status == PBY_OK)
        status = pby_rational_print(theta, mass, err);
    mpq_clears(rate, mass, NULL);
    return status;
}

pby_status pby_projection_best_text(pby_decimals *epsilon, pby_projection_worst *worst,
                                    const pby_projection_words *p, unsigned digits, pby_error *err)
{
    struct numbers x;
    pby_worded w;
    pby_status status = pby_worded_begin(&w, "", NULL, err);
    if (status == PBY_OK) {
        status = numbers_parse(&x, p, false, err);
        if (status == PBY_OK)
            status = pby_projection_best(&w.answer, worst, &x.p, digits, err);
        numbers_clear(&x);
    }
    return pby_worded_end(&w, epsilon, digits, status);
}
