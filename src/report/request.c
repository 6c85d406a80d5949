/* SPDX-License-Identifier: MIT */
#include "report/request.h"

#include "number/scoped.h"
#include "probity/rational.h"
#include "report/report_points.h"

/* The digits that a width needs, one to spare. */
static unsigned digits_for(mpq_srcptr width)
{
    PBY_MPZ(times);
    mpz_cdiv_q(times, mpq_denref(width), mpq_numref(width));
    const size_t digits = mpz_sizeinbase(times, 10) + 1;
    return digits > PBY_DIGITS_MAX ? PBY_DIGITS_MAX : (unsigned)digits;
}

static pby_status read_width(pby_request *r, pby_error *err)
{
    const char *width = r->asked->width;
    r->digits = PBY_DIGITS_DEFAULT;
    mpq_set_ui(r->width, 1, 100);
    if (width != NULL) {
        const pby_status status = pby_rational_parse(r->width, "width", width, err);
        if (status != PBY_OK)
            return status;
        if (mpq_sgn(r->width) <= 0 || mpq_cmp_ui(r->width, 1, 1) >= 0)
            return pby_refuse(err, "width", width, "a rational above 0 and below 1");
        r->digits = digits_for(r->width) > r->digits ? digits_for(r->width) : r->digits;
    }
    if (r->asked->digits != 0)
        r->digits = r->asked->digits > PBY_DIGITS_MAX ? PBY_DIGITS_MAX : r->asked->digits;
    return PBY_OK;
}

static pby_status read_group(pby_request *r, bool theorem, pby_error *err)
{
    const pby_loss_asked *asked = r->asked;
    if (r->group == 1 || (asked->relation == PBY_LOCAL && r->group <= PBY_GROUP_MAX))
        return PBY_OK; /* any two local inputs are neighbours */
    const pby_status status = pby_spec_group(&r->group_spec, r->spec, r->group, err);
    r->seen = r->group_spec;
    theorem = theorem && asked->conversion == NULL && asked->composition == NULL && asked->width == NULL;
    return status == PBY_BAD && theorem ? PBY_OK : status;
}

pby_status pby_request_read(pby_request *r, const pby_spec *spec, const pby_loss_asked *asked, bool theorem,
                            pby_error *err)
{
    *r = (pby_request){
        .spec = spec, .asked = asked, .seen = spec, .group = asked->group == 0 ? 1 : asked->group};
    mpq_init(r->width);
    pby_status status = read_width(r, err);
    if (status == PBY_OK && asked->composition != NULL)
        status = pby_composition_parse(&r->composition, "composition", asked->composition, err);
    return status == PBY_OK ? read_group(r, theorem, err) : status;
}

void pby_request_clear(pby_request *r)
{
    pby_spec_free(r->group_spec);
    mpq_clear(r->width);
}

pby_status pby_request_ask(pby_enclosure *answer, bool *wider, const pby_request *r, pby_question question,
                           mpq_srcptr at, pby_error *err)
{
    const pby_neighbours relation = r->asked->relation;
    const pby_loss_options options = {.digits = r->digits, .width = r->width, .wider = wider};
    if (r->seen != NULL)
        return pby_loss(answer, question, r->seen, relation, at, &options, err);
    return question == PBY_ASK_DELTA
               ? pby_loss_group_delta(answer, wider, r->spec, relation, r->group, at, r->digits, err)
               : pby_loss_group_epsilon(answer, wider, r->spec, relation, r->group, at, r->digits, err);
}

const char *pby_request_wider(const pby_request *r)
{
    return r->seen != NULL ? pby_wider_of(r->seen)
                           : "from what some inputs that far apart lose to the bound of the group theorem";
}

void pby_request_tell(pby_sheet *s, const pby_request *r)
{
    const pby_loss_asked *asked = r->asked;
    pby_sheet_text(s, "mechanism", "spec", pby_spec_text(r->spec));
    pby_sheet_text(s, "neighbours", "neighbours", pby_neighbours_text(asked->relation));
    if (r->group > 1) {
        pby_sheet_line(s, "group", "%lu%s%s", r->group, r->seen == NULL ? "" : ", as ",
                       r->seen == NULL ? "" : pby_spec_text(r->seen));
        pby_sheet_member(s, "group", json_integer((json_int_t)r->group));
    }
    if (asked->conversion != NULL)
        pby_sheet_text(s, "conversion", "conversion", asked->conversion);
    if (asked->composition != NULL)
        pby_sheet_text(s, "composition", "composition", asked->composition);
    if (asked->width != NULL)
        pby_sheet_text(s, "width", "width", asked->width);
}
