/* SPDX-License-Identifier: MIT */
/* One question about a loss, by the law, a theorem or a conversion, and its answer. */
#include "loss/loss.h"
#include "loss/loss_request.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity/experimental/losses.h"

/* ---- answers ------------------------------------------------------------------------------------ */

static void empty(pby_decimals *text)
{
    text->lo[0] = text->hi[0] = '\0';
}

void pby_answer_init(pby_answer *x)
{
    x->wider = x->has_approximate = false;
    x->source = NULL;
    pby_enclosure_init(&x->value);
    pby_enclosure_init(&x->claimed);
    pby_approximate_init(&x->approximate);
    empty(&x->text);
    empty(&x->approximate_loss);
    empty(&x->approximate_delta);
    empty(&x->claimed_text);
}

void pby_answer_clear(pby_answer *x)
{
    pby_enclosure_clear(&x->value);
    pby_enclosure_clear(&x->claimed);
    pby_approximate_clear(&x->approximate);
}

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

/* ---- the mechanism's own loss ------------------------------------------------------------------- */

pby_status pby_request_ask(pby_enclosure *answer, bool *wider, const pby_request *r, mpq_srcptr at,
                           pby_error *err)
{
    const pby_neighbours relation = r->asked->relation;
    const pby_loss_options options = {.digits = r->digits, .width = r->width, .wider = wider};
    if (r->seen != NULL)
        return pby_loss(answer, r->asked->ask, r->seen, relation, at, &options, err);
    return r->asked->ask == PBY_ASK_DELTA
               ? pby_loss_group_delta(answer, wider, r->spec, relation, r->group, at, r->digits, err)
               : pby_loss_group_epsilon(answer, wider, r->spec, relation, r->group, at, r->digits, err);
}

static pby_status ask_exactly(pby_answer *answer, const pby_request *r, mpq_srcptr at, pby_error *err)
{
    const pby_question ask = r->asked->ask;
    if (ask == PBY_ASK_DELTA || ask == PBY_ASK_EPSILON)
        return pby_request_ask(&answer->value, &answer->wider, r, at, err);
    PBY_TRY(pby_loss_divergence(&answer->value, &answer->approximate, ask, r->seen, r->asked->relation, at,
                                r->digits, err));
    answer->has_approximate = ask != PBY_ASK_MU;
    answer->wider = is_wide(&answer->value, r);
    return PBY_OK;
}

/* ---- any question ------------------------------------------------------------------------------- */

bool pby_request_has_claim(const pby_request *r)
{
    return r->asked->ask == PBY_ASK_DELTA && r->group == 1 && r->asked->composition == NULL &&
           r->asked->conversion == NULL;
}

pby_status pby_request_answer(pby_answer *answer, const pby_request *r, mpq_srcptr at, pby_error *err)
{
    const pby_loss_request *asked = r->asked;
    answer->wider = answer->has_approximate = false;
    answer->source = NULL;
    if (r->composition != PBY_COMPOSE_EXACT)
        return pby_loss_composed(&answer->value, r->composition, asked->ask, r->seen, asked->relation, at,
                                 r->digits, err);
    if (asked->conversion != NULL)
        return pby_loss_convert(&answer->value, asked->conversion, asked->ask, r->seen, asked->relation, at,
                                r->digits, err);
    return ask_exactly(answer, r, at, err);
}

static void write_decimals(pby_answer *x, unsigned digits)
{
    pby_decimals_set(&x->text, &x->value, digits);
    if (x->has_approximate) {
        pby_decimals_set(&x->approximate_loss, &x->approximate.loss, digits);
        pby_decimals_set(&x->approximate_delta, &x->approximate.delta, digits);
    }
    if (x->source != NULL)
        pby_decimals_set(&x->claimed_text, &x->claimed, digits);
    else
        empty(&x->claimed_text);
}

pby_status pby_loss_ask(pby_answer *out, const pby_spec *spec, const pby_loss_request *request,
                        pby_error *err)
{
    pby_request r;
    mpq_srcptr at = NULL;
    PBY_MPQ(value);
    pby_status status = pby_request_read(&r, spec, request, err);
    if (status == PBY_OK)
        status = pby_request_value(&at, value, &r, err);
    if (status == PBY_OK)
        status = pby_request_answer(out, &r, at, err);
    if (status == PBY_OK && pby_request_has_claim(&r))
        status = pby_loss_claimed(&out->claimed, &out->source, spec, request->relation, at, r.digits, err);
    if (status == PBY_OK)
        write_decimals(out, r.digits);
    pby_request_clear(&r);
    return status;
}
