/* SPDX-License-Identifier: MIT */
#include "loss/loss_request.h"
#include "probity/experimental/losses.h"

#include <limits.h>
#include <string.h>

#include "base/status.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "probity/rational.h"

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

const char *pby_question_given(pby_question question)
{
    return questions[question].given;
}

const char *pby_question_answer(pby_question question)
{
    return questions[question].answer;
}

/* ---- reading it --------------------------------------------------------------------------------- */

/* The digits that a width needs, one to spare. */
static unsigned digits_for(mpq_srcptr width)
{
    PBY_MPZ(times);
    mpz_cdiv_q(times, mpq_denref(width), mpq_numref(width));
    const size_t digits = mpz_sizeinbase(times, 10) + 1;
    return digits > PBY_DIGITS_MAX ? PBY_DIGITS_MAX : (unsigned)digits;
}

static pby_status refuse_number(pby_error *err, const char *name, const pby_value *number,
                                const char *expected)
{
    return number->text != NULL ? pby_refuse(err, name, number->text, expected)
                                : pby_fail(err, PBY_BAD, "%s: expected %s", name, expected);
}

static pby_status read_width(pby_request *r, pby_error *err)
{
    const pby_value *width = &r->asked->width;
    r->digits = PBY_DIGITS_DEFAULT;
    mpq_set_ui(r->width, 1, 100);
    PBY_TRY(pby_value_read(r->width, "width", width, err));
    if (mpq_sgn(r->width) <= 0 || mpq_cmp_ui(r->width, 1, 1) >= 0)
        return refuse_number(err, "width", width, "a rational above 0 and below 1");
    if (!pby_value_none(width) && digits_for(r->width) > r->digits)
        r->digits = digits_for(r->width);
    if (r->asked->digits != 0)
        r->digits = r->asked->digits > PBY_DIGITS_MAX ? PBY_DIGITS_MAX : r->asked->digits;
    return PBY_OK;
}

static pby_status read_group(pby_request *r, pby_error *err)
{
    const pby_loss_request *asked = r->asked;
    if (r->group == 1 || (asked->relation == PBY_LOCAL && r->group <= PBY_GROUP_MAX))
        return PBY_OK; /* any two local inputs are neighbours */
    const bool theorem = (asked->ask == PBY_ASK_DELTA || asked->ask == PBY_ASK_EPSILON) &&
                         asked->conversion == NULL && asked->composition == NULL &&
                         pby_value_none(&asked->width);
    const pby_status status = pby_spec_group(&r->group_spec, r->spec, r->group, err);
    r->seen = r->group_spec;
    return status == PBY_BAD && theorem ? PBY_OK : status;
}

pby_status pby_request_read(pby_request *r, const pby_spec *spec, const pby_loss_request *asked,
                            pby_error *err)
{
    *r = (pby_request){
        .spec = spec, .asked = asked, .seen = spec, .group = asked->group == 0 ? 1 : asked->group};
    mpq_init(r->width);
    if ((size_t)asked->ask >= sizeof questions / sizeof *questions)
        return pby_fail(err, PBY_BAD, "ask: expected a question, such as PBY_ASK_DELTA");
    PBY_TRY(read_width(r, err));
    if (asked->composition != NULL)
        PBY_TRY(pby_composition_parse(&r->composition, "composition", asked->composition, err));
    return read_group(r, err);
}

void pby_request_clear(pby_request *r)
{
    pby_spec_free(r->group_spec);
    mpq_clear(r->width);
}

static bool is_needed(pby_question question)
{
    return question == PBY_ASK_DELTA || question == PBY_ASK_EPSILON;
}

pby_status pby_request_value(mpq_srcptr *at, mpq_t a, const pby_request *r, pby_error *err)
{
    const pby_question question = r->asked->ask;
    const pby_value *given = &r->asked->at;
    const char *name = questions[question].given;
    const int least = questions[question].least, most = questions[question].most;
    *at = NULL;
    if (question == PBY_ASK_MU)
        return PBY_OK;
    if (question == PBY_ASK_RENYI &&
        (given->text == NULL ? given->rational == NULL : strcmp(given->text, "inf") == 0))
        return PBY_OK;
    if (is_needed(question) && pby_value_none(given))
        return pby_fail(err, PBY_BAD, "%s: expected one", name);
    PBY_TRY(pby_value_read(a, name, given, err));
    if (least <= most && (mpq_cmp_si(a, least, 1) < 0 || mpq_cmp_si(a, most, 1) > 0))
        return refuse_number(err, name, given, questions[question].range);
    *at = a;
    return PBY_OK;
}
