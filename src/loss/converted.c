/* SPDX-License-Identifier: MIT */
/* The conversions by name. */
#include "base/nearest.h"
#include "loss/convert/convert.h"
#include "loss/convert/integrated.h"
#include "loss/loss.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity/experimental/losses.h"

const pby_conversion pby_conversions[] = {
    {"pure-to-renyi", "log(cosh((a-1/2)e)/cosh(e/2))/(a-1)"},
    {"pure-to-renyi-classical", "a e^2/2"},
    {"pure-to-zcdp", "e tanh(e/2)"},
    {"pure-to-zcdp-classical", "e^2/2"},
    {"renyi-to-approx", "e = D_a + (log(1/d) + (a-1) log(1-1/a) - log a)/(a-1) at the best order a"},
    {"renyi-to-approx-classical", "e = D_a + log(1/d)/(a-1) at the best order a"},
    {"zcdp-to-approx", "renyi-to-approx with D_a = xi + rho a"},
    {"zcdp-to-approx-classical", "e = xi + rho + 2 sqrt(rho log(1/d))"},
    {"zcdp-to-approx-bs",
     "e = xi + rho + 2 sqrt(rho log(sqrt(pi rho)/d)), and xi + rho where d is more than sqrt(pi rho)"},
    {NULL, NULL},
};

/* The steps of each conversion, in the order of pby_conversions. */
static const struct route {
    enum { FROM_PURE, FROM_RENYI, FROM_ZCDP } from;
    enum { TO_RENYI, TO_ZCDP, TO_APPROX } to;
    pby_sharpness sharpness;
    bool integrated; /* by the tail of the loss, and not by a best order */
} routes[] = {
    {FROM_PURE, TO_RENYI, PBY_SHARP, false},     {FROM_PURE, TO_RENYI, PBY_CLASSICAL, false},
    {FROM_PURE, TO_ZCDP, PBY_SHARP, false},      {FROM_PURE, TO_ZCDP, PBY_CLASSICAL, false},
    {FROM_RENYI, TO_APPROX, PBY_SHARP, false},   {FROM_RENYI, TO_APPROX, PBY_CLASSICAL, false},
    {FROM_ZCDP, TO_APPROX, PBY_SHARP, false},    {FROM_ZCDP, TO_APPROX, PBY_CLASSICAL, false},
    {FROM_ZCDP, TO_APPROX, PBY_CLASSICAL, true},
};

/* A conversion being asked. */
struct asked {
    pby_spectrum s;
    pby_question question;
    const struct route *route;
    const fmpq *value; /* NULL for the order infinity */
    unsigned digits;
    const char *name;
};

static pby_status no_answer(const struct asked *asked, const char *expected, pby_error *err)
{
    return pby_fail(err, PBY_BAD, "conversion '%s': expected %s", asked->name, expected);
}

/* ---- from pure privacy ------------------------------------------------------------------------ */

/* The epsilon of one use is its largest loss. */
static pby_status part_epsilon(arb_t epsilon, const pby_spectrum_part *part, slong prec, pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_ARB(one);
    arb_zero(epsilon);
    for (size_t i = 0; i < part->count && status == PBY_OK; i++) {
        status = pby_renyi_at(one, &part->renyi[i], NULL, prec, err);
        if (arb_is_finite(one))
            arb_max(epsilon, epsilon, one, prec);
        else
            arb_set(epsilon, one);
    }
    return status;
}

/* Adds up the bound of each use, from its pure epsilon, over the uses. */
static pby_status pure_ball(arb_t sum, const void *what, slong prec, pby_error *err)
{
    const struct asked *asked = what;
    pby_status status = PBY_OK;
    PBY_ARB(epsilon, one);
    arb_zero(sum);
    for (size_t i = 0; i < asked->s.count && status == PBY_OK; i++) {
        const pby_spectrum_part *part = &asked->s.part[i];
        status = part_epsilon(epsilon, part, prec, err);
        if (asked->question == PBY_ASK_RHO)
            pby_convert_pure_rho(one, epsilon, asked->route->sharpness, prec);
        else
            pby_convert_pure_renyi(one, epsilon, asked->value, asked->route->sharpness, prec);
        arb_addmul_ui(sum, one, part->times, prec);
    }
    return status;
}

static pby_status from_pure(arb_t ball, const struct asked *asked, pby_error *err)
{
    PBY_ARB(largest);
    pby_status status = pby_spectrum_at(largest, &asked->s, NULL, PBY_PRECISION_FIRST, err);
    const bool pure = asked->s.finite && !asked->s.promised && arb_is_finite(largest);
    if (status == PBY_OK && !pure)
        status = no_answer(asked, "mechanisms of pure differential privacy", err);
    return status == PBY_OK ? pby_enclose(ball, pure_ball, asked, asked->digits, err) : status;
}

/* ---- to (epsilon, delta) ---------------------------------------------------------------------- */

static pby_status to_approx(arb_t ball, const struct asked *asked, pby_error *err)
{
    if (!asked->s.finite)
        return no_answer(asked, "mechanisms whose Renyi divergences are finite", err);
    const bool integrated = asked->route->integrated;
    if (asked->question == PBY_ASK_DELTA && integrated)
        return pby_integrated_delta(ball, &asked->s.line, asked->value, asked->digits, err);
    if (asked->question == PBY_ASK_DELTA)
        return pby_convert_delta(ball, &asked->s, asked->route->sharpness, asked->value, asked->digits, err);
    if (fmpq_sgn(asked->value) < 0)
        return pby_fail(err, PBY_BAD, "delta is negative: expected a rational from 0 on");
    if (integrated)
        return pby_integrated_epsilon(ball, &asked->s.line, asked->value, asked->digits, err);
    return pby_convert_epsilon(ball, &asked->s, asked->route->sharpness, asked->value, asked->digits, err);
}

/* Returns true if the route answers this kind of question. */
static bool fits(const struct asked *asked)
{
    switch (asked->route->to) {
    case TO_RENYI:
        return asked->question == PBY_ASK_RENYI;
    case TO_ZCDP:
        return asked->question == PBY_ASK_RHO;
    default:
        return asked->question == PBY_ASK_DELTA || asked->question == PBY_ASK_EPSILON;
    }
}

static pby_status answer(arb_t ball, struct asked *asked, pby_error *err)
{
    static const char *const questions[] = {"a question about an order", "a question about rho",
                                            "a question about epsilon or delta"};
    if (!fits(asked))
        return no_answer(asked, questions[asked->route->to], err);
    if (asked->route->from == FROM_PURE)
        return from_pure(ball, asked, err);
    if (asked->route->from == FROM_ZCDP && !pby_spectrum_straighten(&asked->s))
        return no_answer(asked, "zcdp guarantees or Gaussian mechanisms", err);
    return to_approx(ball, asked, err);
}

/* ---- by name ---------------------------------------------------------------------------------- */

static pby_status find(size_t *out, const char *name, pby_error *err)
{
    const char *names[sizeof pby_conversions / sizeof *pby_conversions];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        names[i] = pby_conversions[i].name;
    return pby_name_find(out, names, "conversion", name, err);
}

pby_status pby_loss_convert(pby_enclosure *out, const char *name, pby_question question, const pby_spec *spec,
                            pby_neighbours relation, mpq_srcptr value, unsigned digits, pby_error *err)
{
    size_t i;
    const pby_status found = find(&i, name, err);
    if (found != PBY_OK)
        return found;
    if (question == PBY_ASK_RENYI && value != NULL && mpq_cmp_ui(value, 1, 1) < 0)
        return pby_fail(err, PBY_BAD, "order: expected a rational from 1 on, or infinity");
    if (value == NULL && (question == PBY_ASK_DELTA || question == PBY_ASK_EPSILON))
        return pby_fail(err, PBY_BAD, "value: expected an epsilon or a delta");
    fmpq_t at;
    struct asked asked = {.question = question,
                          .route = &routes[i],
                          .value = value == NULL ? NULL : at,
                          .digits = digits,
                          .name = name};
    fmpq_init(at);
    PBY_ARB(ball);
    if (value != NULL)
        fmpq_set_mpq(at, value);
    pby_status status = pby_spectrum_init(&asked.s, spec, relation, err);
    if (status == PBY_OK)
        status = answer(ball, &asked, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(out, ball, digits);
    /* order 1 gives delta 1, so that the best is no more */
    if (status == PBY_OK && question == PBY_ASK_DELTA)
        pby_enclosure_keep_in_unit(out);
    pby_spectrum_clear(&asked.s);
    fmpq_clear(at);
    return status;
}
