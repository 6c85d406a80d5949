/* SPDX-License-Identifier: MIT */
#include "deployment/amount.h"
#include "probity/experimental/losses.h"

#include <stdlib.h>
#include <string.h>

#include "loss/loss.h"
#include "mechanism/gauss/gauss.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/loss.h"

static const unsigned digits_of[PBY_EFFORTS] = {PBY_DIGITS_DEFAULT, 20, 40};

void pby_amount_init(pby_amount *x)
{
    x->exact = false;
    fmpq_init(x->value);
    pby_enclosure_init(&x->ends);
}

void pby_amount_clear(pby_amount *x)
{
    fmpq_clear(x->value);
    pby_enclosure_clear(&x->ends);
}

void pby_amount_swap(pby_amount *x, pby_amount *y)
{
    const bool exact = x->exact;
    x->exact = y->exact;
    y->exact = exact;
    fmpq_swap(x->value, y->value);
    mpfr_swap(x->ends.lo, y->ends.lo);
    mpfr_swap(x->ends.hi, y->ends.hi);
}

const pby_stated_number *pby_amount_limit(const pby_deployment_claim *claim)
{
    return claim->kind == PBY_CLAIM_APPROX ? &claim->delta
           : claim->kind == PBY_CLAIM_ZCDP ? &claim->rho
           : claim->kind == PBY_CLAIM_GDP  ? &claim->mu
                                           : &claim->epsilon;
}

void pby_amount_set(pby_amount *out, const fmpq_t value, pby_claim_kind kind)
{
    const slong prec = pby_precision_for_digits(2 * PBY_DIGITS_DEFAULT);
    PBY_ARB(ball);
    out->exact = true;
    fmpq_set(out->value, value);
    arb_set_fmpq(ball, value, prec);
    if (kind == PBY_CLAIM_GDP)
        arb_sqrt(ball, ball, prec);
    pby_enclosure_set_arb(&out->ends, ball, PBY_DIGITS_DEFAULT);
}

/* ---- what adds -------------------------------------------------------------------------------- */

static bool is_plain(const pby_mechanism *m)
{
    const fmpq *theta = pby_mechanism_value(m, PBY_ROLE_THETA);
    return pby_mechanism_sample(m) == NULL && !pby_mechanism_allocated(m) &&
           (theta == NULL || fmpq_is_zero(theta));
}

static bool is_of(const pby_mechanism *m, const char *family)
{
    return strcmp(m->family->name, family) == 0;
}

/* The largest loss where it is a rational that the spec states. */
static bool pure_of(fmpq_t out, const pby_mechanism *m)
{
    const fmpq *epsilon = pby_mechanism_value(m, PBY_ROLE_EPSILON);
    const bool stated = is_of(m, "pure") || is_of(m, "rr") || is_of(m, "krr") || is_of(m, "geometric");
    if (!is_plain(m))
        return false;
    if (stated && epsilon != NULL && !fmpq_is_zero(epsilon)) {
        fmpq_set(out, epsilon);
        return true;
    }
    if (!is_of(m, "laplace") || pby_mechanism_value(m, PBY_ROLE_GRID) != NULL)
        return false;
    fmpq_div(out, pby_mechanism_value(m, PBY_ROLE_SENSITIVITY), pby_mechanism_value(m, PBY_ROLE_SCALE));
    return true;
}

/* D^2/sigma2 of Gaussian noise, continuous or discrete: twice what bounds its rho. */
static bool square_of(fmpq_t out, const pby_mechanism *m, bool discrete)
{
    const fmpq *norm = pby_mechanism_value(m, PBY_ROLE_NORM);
    const fmpq *d = pby_mechanism_value(m, PBY_ROLE_SENSITIVITY);
    if (!is_plain(m) || !(is_of(m, "gauss") || (discrete && is_of(m, "dgauss"))))
        return false;
    if (norm != NULL)
        fmpq_set(out, norm);
    else
        fmpq_mul(out, d, d);
    fmpq_div(out, out, pby_mechanism_value(m, PBY_ROLE_VARIANCE));
    return true;
}

static bool gdp_of(fmpq_t out, const pby_mechanism *m)
{
    if (m->family != &pby_family_gdp || !is_plain(m))
        return false;
    fmpq_mul(out, &m->value[0], &m->value[0]);
    return true;
}

/* A bound on rho, and the xi of a promise. */
static bool rho_of(fmpq_t rho, fmpq_t xi, const pby_mechanism *m)
{
    fmpq_zero(xi);
    if (m->family == &pby_family_zcdp) {
        const fmpq *stated = pby_mechanism_value(m, PBY_ROLE_XI);
        fmpq_set(rho, pby_mechanism_value(m, PBY_ROLE_RHO));
        if (stated != NULL)
            fmpq_set(xi, stated);
        return true;
    }
    if (!square_of(rho, m, true) && !gdp_of(rho, m))
        return false;
    fmpq_div_2exp(rho, rho, 1);
    return true;
}

/* The sums over all uses; false where some use has none. */
static bool add_up(fmpq_t sum, fmpq_t xis, const pby_spec *spec, pby_claim_kind kind)
{
    PBY_FMPQ(one, xi);
    fmpq_zero(sum);
    fmpq_zero(xis);
    for (size_t i = 0; i < spec->count; i++) {
        const pby_mechanism *m = &spec->use[i].mechanism;
        const bool good = kind == PBY_CLAIM_PURE  ? pure_of(one, m)
                          : kind == PBY_CLAIM_GDP ? square_of(one, m, false) || gdp_of(one, m)
                                                  : rho_of(one, xi, m);
        if (!good)
            return false;
        fmpq_mul_ui(one, one, spec->use[i].times);
        fmpq_mul_ui(xi, xi, spec->use[i].times);
        fmpq_add(sum, sum, one);
        fmpq_add(xis, xis, xi);
    }
    return true;
}

/* ---- asking ----------------------------------------------------------------------------------- */

/* rho, and what the sum of xi has above the claim's: xi + rho a <= x + (rho + xi - x) a as a > 1. */
static bool exact_amount(pby_amount *out, const pby_spec *spec, const pby_deployment_claim *claim,
                         pby_reach side)
{
    PBY_FMPQ(sum, xi, more);
    for (size_t i = 0; side == PBY_REACH_BELOW && i < spec->count; i++)
        if (is_of(&spec->use[i].mechanism, "dgauss")) /* its divergence may be below the bound */
            return false;
    if (claim->kind == PBY_CLAIM_APPROX || !add_up(sum, xi, spec, claim->kind))
        return false;
    if (claim->kind == PBY_CLAIM_ZCDP) {
        fmpq_set_mpq(more, claim->xi.value);
        fmpq_sub(more, xi, more);
        if (fmpq_sgn(more) > 0)
            fmpq_add(sum, sum, more);
    } else if (claim->kind == PBY_CLAIM_RENYI) {
        fmpq_set_mpq(more, claim->order.value);
        fmpq_mul(sum, sum, more);
        fmpq_add(sum, sum, xi);
    }
    pby_amount_set(out, sum, claim->kind);
    return true;
}

static pby_status delta_of(pby_enclosure *out, const pby_spec *spec, pby_neighbours relation,
                           mpq_srcptr epsilon, int effort, pby_error *err)
{
    static const unsigned long parts[PBY_EFFORTS] = {100, 10000, 1000000};
    PBY_MPQ(width);
    mpq_set_ui(width, 1, parts[effort]);
    const pby_loss_options options = {.digits = digits_of[effort], .width = width};
    return pby_loss(out, PBY_ASK_DELTA, spec, relation, epsilon, &options, err);
}

/* Encloses the delta of uses that were chosen adaptively: by the sum of their rhos, or by the sums of
 * epsilons and deltas. */
static pby_status adaptive_delta(pby_enclosure *out, const pby_spec *spec, pby_neighbours relation,
                                 mpq_srcptr epsilon, int effort, pby_error *err)
{
    PBY_FMPQ(rho, xi);
    if (!add_up(rho, xi, spec, PBY_CLAIM_ZCDP))
        return pby_loss_composed(out, PBY_COMPOSE_BASIC, PBY_ASK_DELTA, spec, relation, epsilon,
                                 digits_of[effort], err);
    pby_mechanism m;
    pby_spec *promise;
    pby_mechanism_init(&m, &pby_family_zcdp);
    fmpq_set(&m.value[pby_family_with(m.family, PBY_ROLE_RHO)], rho);
    fmpq_set(&m.value[pby_family_with(m.family, PBY_ROLE_XI)], xi);
    pby_status status = pby_spec_of(&promise, &m, 1, err);
    if (status == PBY_OK)
        status = delta_of(out, promise, relation, epsilon, effort, err);
    pby_spec_free(promise);
    pby_mechanism_clear(&m);
    return status;
}

/* Epsilons and deltas add, of uses that were chosen however. True, with the sum of the deltas, where the sum
 * of the epsilons is at most the claim's. */
static bool basic_amount(pby_amount *out, const pby_spec *spec, const pby_deployment_claim *claim)
{
    PBY_FMPQ(epsilon, delta, one);
    for (size_t i = 0; i < spec->count; i++) {
        const pby_mechanism *m = &spec->use[i].mechanism;
        const fmpq *more = m->family == &pby_family_approx ? pby_mechanism_value(m, PBY_ROLE_DELTA) : NULL;
        if (m->family == &pby_family_approx && is_plain(m))
            fmpq_set(one, pby_mechanism_value(m, PBY_ROLE_EPSILON));
        else if (!pure_of(one, m))
            return false;
        fmpq_mul_ui(one, one, spec->use[i].times);
        fmpq_add(epsilon, epsilon, one);
        if (more == NULL)
            continue;
        fmpq_mul_ui(one, more, spec->use[i].times);
        fmpq_add(delta, delta, one);
    }
    fmpq_set_mpq(one, claim->epsilon.value);
    if (fmpq_cmp(epsilon, one) > 0)
        return false;
    pby_amount_set(out, delta, PBY_CLAIM_APPROX);
    return true;
}

static bool is_several(const pby_spec *spec)
{
    return spec->count > 1 || spec->use[0].times > 1;
}

pby_status pby_amount_ask(pby_amount *out, const pby_spec *spec, pby_neighbours relation,
                          const pby_deployment_claim *claim, pby_reach side, int effort, pby_error *err)
{
    const unsigned digits = digits_of[effort];
    PBY_MPQ(zero);
    if (exact_amount(out, spec, claim, side))
        return PBY_OK;
    out->exact = false;
    switch (claim->kind) {
    case PBY_CLAIM_PURE:
        return pby_loss_epsilon(&out->ends, spec, relation, zero, digits, err);
    case PBY_CLAIM_ZCDP:
        return pby_loss_zcdp(&out->ends, NULL, spec, relation, claim->xi.value, digits, err);
    case PBY_CLAIM_RENYI:
        return pby_loss_renyi(&out->ends, NULL, spec, relation, claim->order.value, digits, err);
    case PBY_CLAIM_GDP:
        return pby_loss_mu(&out->ends, spec, relation, digits, err);
    case PBY_CLAIM_APPROX:
        break;
    }
    /* A delta that is the claim itself is no matter of precision. */
    if ((side == PBY_REACH_ADAPTIVE || (side == PBY_REACH_FIXED && effort + 1 == PBY_EFFORTS)) &&
        basic_amount(out, spec, claim))
        return PBY_OK;
    return side == PBY_REACH_ADAPTIVE && is_several(spec)
               ? adaptive_delta(&out->ends, spec, relation, claim->epsilon.value, effort, err)
               : delta_of(&out->ends, spec, relation, claim->epsilon.value, effort, err);
}

int pby_amount_compare(const pby_amount *x, mpq_srcptr limit, pby_claim_kind kind)
{
    PBY_FMPQ(most);
    if (x->exact) {
        fmpq_set_mpq(most, limit);
        if (kind == PBY_CLAIM_GDP)
            fmpq_mul(most, most, most);
        return fmpq_cmp(x->value, most) <= 0 ? -1 : 1;
    }
    if (mpfr_cmp_q(x->ends.hi, limit) <= 0)
        return -1;
    return mpfr_cmp_q(x->ends.lo, limit) > 0 ? 1 : 0;
}

/* ---- printing --------------------------------------------------------------------------------- */

void pby_amount_ends(char lo[PBY_DECIMAL_SIZE], char hi[PBY_DECIMAL_SIZE], const pby_amount *x,
                     const pby_amount *lower, pby_claim_kind kind)
{
    const pby_amount *low = lower == NULL ? x : lower;
    pby_decimal(lo, low->ends.lo, PBY_DIGITS_DEFAULT, true);
    pby_decimal(hi, x->ends.hi, PBY_DIGITS_DEFAULT, false);
    if (low->exact && kind != PBY_CLAIM_GDP)
        pby_rational_text(lo, low->value);
    if (x->exact && kind != PBY_CLAIM_GDP)
        pby_rational_text(hi, x->value);
}

void pby_amount_print(FILE *out, const pby_amount *x, const pby_amount *lower,
                      const pby_deployment_claim *claim)
{
    static const char *const names[] = {"epsilon", "delta", "rho", "epsilon", "mu"};
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    pby_amount_ends(lo, hi, x, lower, claim->kind);
    if (strcmp(lo, hi) == 0)
        fprintf(out, "%s %s", names[claim->kind], lo);
    else
        fprintf(out, "%s [%s, %s]", names[claim->kind], lo, hi);
    if (claim->kind == PBY_CLAIM_APPROX)
        fprintf(out, " at %s", claim->epsilon.text);
    if (claim->kind == PBY_CLAIM_RENYI)
        fprintf(out, " at order %s", claim->order.text);
    if (claim->xi.text != NULL)
        fprintf(out, " beside xi %s", claim->xi.text);
    fprintf(out, ", claimed %s", pby_amount_limit(claim)->text);
}

/* ---- a claim as a promise --------------------------------------------------------------------- */

pby_status pby_claim_spec(pby_spec **out, const pby_deployment_claim *claim, mpq_srcptr number,
                          pby_error *err)
{
    mpq_srcptr own = claim->kind == PBY_CLAIM_ZCDP  ? claim->rho.value
                     : claim->kind == PBY_CLAIM_GDP ? claim->mu.value
                                                    : claim->epsilon.value;
    mpq_srcptr second = claim->kind == PBY_CLAIM_APPROX ? claim->delta.value
                        : claim->kind == PBY_CLAIM_ZCDP ? claim->xi.value
                                                        : claim->order.value;
    *out = NULL;
    if (number != NULL)
        own = number;
    if (mpq_sgn(own) <= 0)
        return PBY_OK;
    static const char *const heads[] = {"pure:eps=", "approx:eps=", "zcdp:rho=", "rdp:eps=", "gdp:mu="};
    static const char *const tails[] = {NULL, ",delta=", ",xi=", ",order=", NULL};
    char *first = mpq_get_str(NULL, 10, own), *last = mpq_get_str(NULL, 10, second);
    const bool two = tails[claim->kind] != NULL;
    const size_t size = strlen(first) + strlen(last) + 32;
    char *text = malloc(size);
    if (text != NULL)
        snprintf(text, size, "%s%s%s%s", heads[claim->kind], first, two ? tails[claim->kind] : "",
                 two ? last : "");
    free(first);
    free(last);
    if (text == NULL)
        return pby_no_memory(err);
    const char *texts = text;
    const pby_status status = pby_spec_parse(out, &texts, 1, err);
    free(text);
    return status;
}
