/* SPDX-License-Identifier: MIT */
/* A question about a loss, and its answer with what the paper claims. */
#include "number/number_json.h"
#include "number/scoped.h"
#include "report/loss/claimed.h"
#include "report/loss/report_request.h"

/* ---- telling it --------------------------------------------------------------------------------- */

static bool is_infinite(const pby_answer *answer)
{
    return answer->has_approximate && mpfr_inf_p(answer->value.lo) &&
           !mpfr_zero_p(answer->approximate.delta.hi);
}

static void print_approximate(pby_sheet *s, const pby_approximate *a, const char *name, unsigned digits)
{
    pby_sheet_enclosure(s, "approximate", NULL, &a->loss, digits, "at most, given an event on either input");
    pby_sheet_enclosure(s, "  but for", NULL, &a->delta, digits,
                        "delta, the most that the event lacks to certainty");
    pby_sheet_member(s, "approximate",
                     json_pack("{s:o, s:o}", name, pby_json_enclosure(&a->loss, digits), "delta",
                               pby_json_enclosure(&a->delta, digits)));
}

static void print_loss(pby_sheet *s, const pby_request *r, const pby_answer *answer,
                       const pby_claimed *claimed)
{
    const pby_question question = r->asked->ask;
    const char *given = pby_question_given(question), *name = pby_question_answer(question);
    pby_request_tell(s, r);
    if (given != NULL)
        pby_request_tell_number(s, given, &r->asked->at, question == PBY_ASK_RENYI ? "inf" : "0");
    pby_sheet_enclosure(s, name, name, &answer->value, r->digits, NULL);
    if (answer->wider)
        pby_sheet_text(s, "wider", "wider",
                       answer->has_approximate || question == PBY_ASK_MU
                           ? "from what some neighbours reach to what bounds them all"
                           : pby_request_wider(r));
    if (is_infinite(answer))
        print_approximate(s, &answer->approximate, name, r->digits);
    pby_claimed_tell(s, claimed, "claimed", r->digits);
}

static pby_status answer(char **text, const pby_request *r, mpq_srcptr at, pby_report_form form,
                         pby_error *err)
{
    pby_answer a;
    pby_claimed claimed;
    pby_sheet s;
    pby_answer_init(&a);
    pby_claimed_init(&claimed);
    pby_sheet_begin(&s, form);
    pby_status status = pby_request_answer(&a, r, at, err);
    if (status == PBY_OK && pby_request_has_claim(r))
        status = pby_claimed_ask(&claimed, r->spec, r->asked->relation, at, &a.value, r->digits, err);
    if (status == PBY_OK)
        print_loss(&s, r, &a, &claimed);
    pby_claimed_clear(&claimed);
    pby_answer_clear(&a);
    return pby_sheet_end(text, &s, status, err);
}

pby_status pby_report_loss(char **text, const pby_spec *spec, const pby_loss_request *request,
                           pby_report_form form, pby_error *err)
{
    pby_request r;
    mpq_srcptr at = NULL;
    *text = NULL;
    PBY_MPQ(a);
    pby_status status = pby_request_read(&r, spec, request, err);
    if (status == PBY_OK)
        status = pby_request_value(&at, a, &r, err);
    if (status == PBY_OK)
        status = answer(text, &r, at, form, err);
    pby_request_clear(&r);
    return status;
}
