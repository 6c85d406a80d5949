/* SPDX-License-Identifier: MIT */
/* A question about a loss, and its answer with what the paper claims. */
#include "probity/loss.h"

#include <limits.h>
#include <string.h>

#include "loss/loss.h"
#include "number/ball.h"
#include "number/number_json.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "report/claimed.h"
#include "report/request.h"

struct answer {
    pby_enclosure value;
    pby_claimed claimed;
    pby_approximate approximate; /* beside an infinite loss */
    bool has_approximate;
    bool wider; /* than it was asked to be */
};

/* The texts of each question: the names of its value and of the number that is enclosed. */
static const struct {
    const char *given, *answer;
    int least, most; /* what the value is at least and at most; no bound where least > most */
    const char *range;
} questions[] = {
    [PBY_ASK_DELTA] = {"epsilon", "delta", 1, 0, NULL},
    [PBY_ASK_EPSILON] = {"delta", "epsilon", 0, 1, "a rational from 0 on, at most 1"},
    [PBY_ASK_RENYI] = {"order", "renyi", 1, INT_MAX, "a rational from 1 to 2147483647, or inf"},
    [PBY_ASK_RHO] = {"xi", "rho", 0, INT_MAX, "a rational from 0 to 2147483647"},
    [PBY_ASK_MU] = {NULL, "mu", 1, 0, NULL},
};

static const char *value_text(const pby_request *r)
{
    return r->asked->value == NULL ? "0" : r->asked->value;
}

/* *at is a, or NULL for the order inf. */
static pby_status read_value(mpq_srcptr *at, mpq_t a, const pby_request *r, pby_question question,
                             pby_error *err)
{
    const char *name = questions[question].given, *text = value_text(r);
    const int least = questions[question].least, most = questions[question].most;
    *at = NULL;
    if (question == PBY_ASK_MU)
        return PBY_OK;
    if (question == PBY_ASK_RENYI && strcmp(text, "inf") == 0)
        return PBY_OK;
    const pby_status status = pby_rational_parse(a, name, text, err);
    if (status == PBY_OK && least <= most && (mpq_cmp_si(a, least, 1) < 0 || mpq_cmp_si(a, most, 1) > 0))
        return pby_refuse(err, name, text, questions[question].range);
    *at = a;
    return status;
}

/* ---- the answer --------------------------------------------------------------------------------- */

/* The ends of a divergence are apart where the worst neighbours are not known. */
static bool is_wide(const pby_enclosure *x, const pby_request *r)
{
    PBY_ARB(ball);
    PBY_FMPQ(width);
    fmpq_set_mpq(width, r->width);
    bool wide = !mpfr_equal_p(x->lo, x->hi);
    if (wide && mpfr_number_p(x->hi)) {
        arb_set_interval_mpfr(ball, x->lo, x->hi, pby_precision_for_digits(r->digits));
        wide = pby_loss_exceeds(ball, width, r->digits);
    }
    return wide;
}

/* The mechanism's own loss. */
static pby_status ask_exactly(struct answer *answer, const pby_request *r, pby_question question,
                              mpq_srcptr at, pby_error *err)
{
    const pby_neighbours relation = r->asked->relation;
    if (question == PBY_ASK_MU) {
        const pby_status status = pby_loss_mu(&answer->value, r->seen, relation, r->digits, err);
        answer->wider = status == PBY_OK && is_wide(&answer->value, r);
        return status;
    }
    answer->has_approximate = question == PBY_ASK_RENYI || question == PBY_ASK_RHO;
    if (!answer->has_approximate)
        return pby_request_ask(&answer->value, &answer->wider, r, question, at, err);
    const pby_status status =
        question == PBY_ASK_RENYI
            ? pby_loss_renyi(&answer->value, &answer->approximate, r->seen, relation, at, r->digits, err)
            : pby_loss_zcdp(&answer->value, &answer->approximate, r->seen, relation, at, r->digits, err);
    answer->wider = status == PBY_OK && is_wide(&answer->value, r);
    return status;
}

static pby_status ask(struct answer *answer, const pby_request *r, pby_question question, mpq_srcptr at,
                      pby_error *err)
{
    const pby_loss_asked *asked = r->asked;
    if (r->composition != PBY_COMPOSE_EXACT)
        return pby_loss_composed(&answer->value, r->composition, question, r->seen, asked->relation, at,
                                 r->digits, err);
    if (asked->conversion != NULL)
        return pby_loss_convert(&answer->value, asked->conversion, question, r->seen, asked->relation, at,
                                r->digits, err);
    const pby_status status = ask_exactly(answer, r, question, at, err);
    if (status != PBY_OK || question != PBY_ASK_DELTA || r->group > 1 || asked->composition != NULL)
        return status;
    return pby_claimed_ask(&answer->claimed, r->spec, asked->relation, at, &answer->value, r->digits, err);
}

/* ---- telling it --------------------------------------------------------------------------------- */

static bool is_infinite(const struct answer *answer)
{
    return answer->has_approximate && mpfr_inf_p(answer->value.lo) &&
           !mpfr_zero_p(answer->approximate.delta.hi);
}

static void tell_approximate(pby_sheet *s, const pby_approximate *a, const char *name, unsigned digits)
{
    pby_sheet_enclosure(s, "approximate", NULL, &a->loss, digits, "at most, given an event on either input");
    pby_sheet_enclosure(s, "  but for", NULL, &a->delta, digits,
                        "delta, the most that the event lacks to certainty");
    pby_sheet_member(s, "approximate",
                     json_pack("{s:o, s:o}", name, pby_json_enclosure(&a->loss, digits), "delta",
                               pby_json_enclosure(&a->delta, digits)));
}

static void tell(pby_sheet *s, const pby_request *r, pby_question question, const struct answer *answer)
{
    const char *given = questions[question].given, *name = questions[question].answer;
    pby_request_tell(s, r);
    if (given != NULL)
        pby_sheet_text(s, given, given, value_text(r));
    pby_sheet_enclosure(s, name, name, &answer->value, r->digits, NULL);
    if (answer->wider)
        pby_sheet_text(s, "wider", "wider",
                       answer->has_approximate || question == PBY_ASK_MU
                           ? "from what some neighbours reach to what bounds them all"
                           : pby_request_wider(r));
    if (is_infinite(answer))
        tell_approximate(s, &answer->approximate, name, r->digits);
    pby_claimed_tell(s, &answer->claimed, "claimed", r->digits);
}

static pby_status answer(char **text, const pby_request *r, pby_question question, mpq_srcptr at,
                         pby_report_form form, pby_error *err)
{
    struct answer a = {.wider = false};
    pby_sheet s;
    pby_enclosure_init(&a.value);
    pby_claimed_init(&a.claimed);
    pby_approximate_init(&a.approximate);
    pby_sheet_begin(&s, form);
    const pby_status status = ask(&a, r, question, at, err);
    if (status == PBY_OK)
        tell(&s, r, question, &a);
    pby_approximate_clear(&a.approximate);
    pby_claimed_clear(&a.claimed);
    pby_enclosure_clear(&a.value);
    return pby_sheet_end(text, &s, status, err);
}

pby_status pby_report_loss(char **text, pby_question question, const pby_spec *spec,
                           const pby_loss_asked *asked, pby_report_form form, pby_error *err)
{
    pby_request r;
    mpq_srcptr at = NULL;
    *text = NULL;
    PBY_MPQ(a);
    pby_status status =
        pby_request_read(&r, spec, asked, question == PBY_ASK_DELTA || question == PBY_ASK_EPSILON, err);
    if (status == PBY_OK)
        status = read_value(&at, a, &r, question, err);
    if (status == PBY_OK)
        status = answer(text, &r, question, at, form, err);
    pby_request_clear(&r);
    return status;
}
