/* SPDX-License-Identifier: MIT */
#include "report/loss/report_request.h"

#include <stdlib.h>

#include "number/exact.h"
#include "number/number_texts.h"
#include "report/loss/report_points.h"

const char *pby_request_wider(const pby_request *r)
{
    return r->seen != NULL ? pby_wider_of(r->seen)
                           : "from what some inputs that far apart lose to the bound of the group theorem";
}

void pby_request_tell_number(pby_sheet *s, const char *name, const pby_value *number, const char *missing)
{
    char *exact = number->text == NULL && number->rational != NULL ? pby_exact_text(number->rational) : NULL;
    const char *text = number->text != NULL ? number->text : exact;
    pby_sheet_text(s, name, name, text != NULL ? text : missing);
    free(exact);
}

void pby_request_tell(pby_sheet *s, const pby_request *r)
{
    const pby_loss_request *asked = r->asked;
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
    if (!pby_value_none(&asked->width))
        pby_request_tell_number(s, "width", &asked->width, NULL);
}
