/* The mean error of additive noise, but for a mass gamma, and of a choice by weights exp(rate score)
 * (docs/theory/average.md).
 *
 * Of whole counts it is the sum over j >= 0 of max(0, P(|R| > j) - gamma); of several bars, the greatest of
 * whose errors counts, P becomes 1 - (1 - P)^bars. Of a query that is rounded to a grid first, with P_j =
 * P(R >= j), it is at most grid times (1 - gamma)/2 + the sum over j >= 1 of max(0, P_j + P_(j+1) - gamma),
 * which a query half a step beside the grid has. The tails are log-concave: from some j on they fall at least
 * as fast as the powers of their quotient there, which bounds what is left out. */
#include <arb.h>
#include <arb_hypgeom.h>

#include "accuracy/row.h"
#include "number/ball.h"
#include "number/text.h"
#include "number/worded.h"
#include "probity/accuracy.h"
#include "probity/rational.h"

enum { TERMS_MAX = 1 << 22 };

struct noise {
    pby_law *law;
    const fmpq *grid; /* NULL: whole counts */
    uint64_t bars;
    fmpq_t gamma;
};

/* P(R >= j) + P(R <= -j-s): of whole counts s = 0 and j is one more; of a grid s = 1. */
static void beyond(arb_t out, const struct noise *n, int64_t j, slong prec)
{
    arb_t above;
    arb_init(above);
    pby_law_cdf_arb(above, n->law, j - 1, prec);
    arb_sub_ui(above, above, 1, prec);
    pby_law_cdf_arb(out, n->law, n->grid == NULL ? -j : -j - 1, prec);
    arb_sub(out, out, above, prec);
    if (n->bars > 1) {
        arb_sub_ui(out, out, 1, prec);
        arb_neg(out, out);
        arb_pow_ui(out, out, n->bars, prec);
        arb_sub_ui(out, out, 1, prec);
        arb_neg(out, out);
    }
    arb_clear(above);
}

/* What the terms from `last` on come to, at most: last/(1 - last/before); false where that is not small. */
static bool rest(arb_t out, const arb_t last, const arb_t before, slong prec)
{
    arb_t quotient;
    arb_init(quotient);
    arb_div(quotient, last, before, prec);
    arb_sub_ui(quotient, quotient, 1, prec);
    arb_neg(quotient, quotient);
    arb_div(out, last, quotient, prec);
    arb_clear(quotient);
    arf_t bound;
    arf_init(bound);
    arb_get_ubound_arf(bound, out, prec);
    const bool small = arb_is_finite(out) && arf_cmp_2exp_si(bound, -prec / 3) < 0;
    arf_clear(bound);
    return small;
}

static pby_status mean(arb_t out, const void *what, slong prec, pby_error *err)
{
    const struct noise *n = what;
    arb_t term, before, gamma, zero, left;
    bool done = false;
    arb_init(term);
    arb_init(before);
    arb_init(gamma);
    arb_init(zero);
    arb_init(left);
    arb_set_fmpq(gamma, n->gamma, prec);
    arb_zero(out);
    arb_one(before);
    for (int64_t j = 1; j < TERMS_MAX && !done; j++) {
        beyond(term, n, j, prec);
        done = arb_le(term, gamma); /* and so are all that follow */
        if (!done && fmpq_is_zero(n->gamma) && rest(left, term, before, prec)) {
            done = true;
            arb_add_error(out, left);
        }
        arb_set(before, term);
        arb_sub(term, term, gamma, prec);
        pby_raise_to(term, zero, prec);
        if (!done)
            arb_add(out, out, term, prec);
    }
    if (n->grid != NULL) {
        arb_sub_ui(gamma, gamma, 1, prec);
        arb_mul_2exp_si(gamma, gamma, -1);
        arb_sub(out, out, gamma, prec);
        arb_mul_fmpz(out, out, fmpq_numref(n->grid), prec);
        arb_div_fmpz(out, out, fmpq_denref(n->grid), prec);
    }
    arb_clear(left);
    arb_clear(zero);
    arb_clear(gamma);
    arb_clear(before);
    arb_clear(term);
    return done ? PBY_OK
                : pby_fail(err, PBY_BAD, "SPEC: expected noise of less than about %d steps", TERMS_MAX);
}

/* ---- a choice ------------------------------------------------------------------------------------ */

/* Whether a candidate's chance is in proportion to exp(rate score), for any scores, or to the powers of a
 * base, for integers. */
static bool weighs_scores(const pby_mechanism *m)
{
    return m->family->takes == PBY_TAKES_SCORES &&
           (m->family->chooser == NULL || pby_mechanism_value(m, PBY_ROLE_BASE) != NULL);
}

struct choice {
    fmpq_t rate;
    const fmpq *base; /* NULL: there is a rate */
    uint64_t candidates;
};

/* The mean error where all others are d below the best: (candidates - 1) d / (base^d + candidates - 1). */
static void mean_at(arb_t out, const struct choice *c, const fmpz_t d, slong prec)
{
    arb_t power;
    arb_init(power);
    arb_set_fmpq(power, c->base, prec);
    arb_pow_fmpz(power, power, d, prec);
    arb_add_ui(power, power, c->candidates - 1, prec);
    arb_set_fmpz(out, d);
    arb_mul_ui(out, out, c->candidates - 1, prec);
    arb_div(out, out, power, prec);
    arb_clear(power);
}

/* The mean over the integers next to `worst`, at which it would be greatest: it rises before and falls
 * behind.
 */
static void mean_of_integers(arb_t out, const struct choice *c, const arb_t worst, slong prec)
{
    fmpz_t first, last;
    arb_t one;
    arf_t end;
    fmpz_init(first);
    fmpz_init(last);
    arb_init(one);
    arf_init(end);
    arb_get_lbound_arf(end, worst, prec);
    arf_get_fmpz(first, end, ARF_RND_FLOOR);
    arb_get_ubound_arf(end, worst, prec);
    arf_get_fmpz(last, end, ARF_RND_CEIL);
    arb_zero(out);
    for (; fmpz_cmp(first, last) <= 0; fmpz_add_ui(first, first, 1)) {
        mean_at(one, c, first, prec);
        arb_max(out, out, one, prec);
    }
    arf_clear(end);
    arb_clear(one);
    fmpz_clear(last);
    fmpz_clear(first);
}

/* W((candidates - 1)/e)/rate, W being Lambert's function; and 1/rate more is where the others are then. */
static pby_status mean_choice(arb_t out, const void *what, slong prec, pby_error *err)
{
    const struct choice *c = what;
    arb_t rate, worst;
    (void)err;
    arb_init(rate);
    arb_init(worst);
    arb_set_fmpq(rate, c->base != NULL ? c->base : c->rate, prec);
    if (c->base != NULL)
        arb_log(rate, rate, prec);
    arb_one(out);
    arb_neg(out, out);
    arb_exp(out, out, prec);
    arb_mul_ui(out, out, c->candidates - 1, prec);
    arb_lambertw(out, out, 0, prec);
    arb_add_ui(worst, out, 1, prec);
    arb_div(worst, worst, rate, prec);
    arb_div(out, out, rate, prec);
    if (c->base != NULL && arb_is_finite(worst))
        mean_of_integers(out, c, worst, prec);
    arb_clear(worst);
    arb_clear(rate);
    return PBY_OK;
}

static pby_status average_choice(arb_t out, const pby_mechanism *m, uint64_t candidates, mpq_srcptr gamma,
                                 unsigned digits, pby_error *err)
{
    struct choice c = {.candidates = candidates, .base = pby_mechanism_value(m, PBY_ROLE_BASE)};
    if (mpq_sgn(gamma) != 0)
        return pby_refuse_mpq(err, "gamma", gamma,
                              "0 for a choice, whose worst scores are known there alone");
    if (candidates == 1)
        return PBY_OK;
    fmpq_init(c.rate);
    if (c.base == NULL)
        m->family->rate(c.rate, m);
    const pby_status status = pby_enclose(out, mean_choice, &c, digits, err);
    fmpq_clear(c.rate);
    return status;
}

/* ---- what is asked --------------------------------------------------------------------------------- */

static pby_status check(const pby_mechanism **m, const pby_spec *spec, const pby_input_class *inputs,
                        mpq_srcptr gamma, pby_error *err)
{
    pby_accuracy_kind kind;
    pby_status status = pby_accuracy_kind_of(&kind, spec, err);
    if (status == PBY_OK)
        status = pby_spec_single(m, spec, "one mechanism, used once", err);
    if (status != PBY_OK)
        return status;
    if (!weighs_scores(*m) && ((kind != PBY_ACCURACY_NOISY && kind != PBY_ACCURACY_QUERY) ||
                               (*m)->family->form != PBY_RELEASE_COUNTS))
        return pby_refuse(err, "SPEC", (*m)->family->name,
                          "noise that is added; what removes records has its beta as a mean too");
    if (mpq_sgn(gamma) < 0 || mpq_cmp_ui(gamma, 1, 1) > 0)
        return pby_refuse_mpq(err, "gamma", gamma, "a rational from 0 to 1");
    if (inputs->support == 0 || inputs->support > UINT32_MAX)
        return pby_fail(err, PBY_BAD, "support: expected an integer from 1 to 4294967295");
    return pby_mechanism_value(*m, PBY_ROLE_GRID) != NULL && inputs->support > 1
               ? pby_fail(err, PBY_BAD, "support: expected 1 on a grid: one query is rounded")
               : PBY_OK;
}

pby_status pby_accuracy_average(pby_enclosure *beta, const pby_spec *spec, const pby_input_class *inputs,
                                mpq_srcptr gamma, unsigned digits, pby_error *err)
{
    const unsigned wanted = digits == 0 ? PBY_DIGITS_DEFAULT : digits;
    const pby_mechanism *m;
    struct noise n = {.bars = inputs->support};
    arb_t ball;
    pby_status status = check(&m, spec, inputs, gamma, err);
    if (status != PBY_OK)
        return status;
    arb_init(ball);
    fmpq_init(n.gamma);
    fmpq_set_mpq(n.gamma, gamma);
    n.grid = pby_mechanism_value(m, PBY_ROLE_GRID);
    const bool choice = weighs_scores(m);
    status = choice ? average_choice(ball, m, inputs->support, gamma, wanted, err)
                    : m->family->law(&n.law, m, err);
    if (status == PBY_OK && !choice && !fmpq_is_one(n.gamma))
        status = pby_enclose(ball, mean, &n, wanted, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(beta, ball, wanted);
    pby_law_free(n.law);
    fmpq_clear(n.gamma);
    arb_clear(ball);
    return status;
}

pby_status pby_accuracy_average_text(pby_decimals *beta, const pby_spec *spec, const pby_input_words *inputs,
                                     const char *gamma, unsigned digits, pby_error *err)
{
    const pby_input_class class = {inputs->n, inputs->support, NULL};
    pby_worded w;
    pby_status status = pby_worded_begin(&w, "gamma", gamma, err);
    if (status == PBY_OK)
        status = pby_accuracy_average(&w.answer, spec, &class, w.value, digits, err);
    return pby_worded_end(&w, beta, digits, status);
}

void pby_accuracy_compose_average(pby_accuracy *out, const pby_accuracy *first, const pby_accuracy *second,
                                  const pby_distance *sigma, const pby_distance *tau)
{
    out->alpha.infinite = first->alpha.infinite || sigma->infinite;
    mpq_add(out->alpha.value, first->alpha.value, sigma->value);
    out->beta.infinite = second->beta.infinite || tau->infinite;
    mpq_add(out->beta.value, second->beta.value, tau->value);
    mpq_add(out->gamma, first->gamma, second->gamma);
    if (out->alpha.infinite)
        mpq_set_ui(out->alpha.value, 0, 1);
    if (out->beta.infinite)
        mpq_set_ui(out->beta.value, 0, 1);
    if (mpq_cmp_ui(out->gamma, 1, 1) > 0)
        mpq_set_ui(out->gamma, 1, 1);
}
