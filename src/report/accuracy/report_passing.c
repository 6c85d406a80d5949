/* SPDX-License-Identifier: MIT */
/* Prints the numbers of bars that pass a threshold. */
#include "accuracy/passing.h"
#include "number/integer.h"
#include "number/number_json.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/experimental/reports.h"
#include "probity/rational.h"
#include "report/sheet.h"

static pby_status write_zeros(pby_sheet *s, const pby_spec *spec, const char *text, unsigned digits,
                              pby_error *err)
{
    unsigned long zeros = 1;
    pby_enclosure passed, none;
    pby_enclosure_init(&passed);
    pby_enclosure_init(&none);
    pby_status status = pby_integer_parse(&zeros, "zeros", text, 1, INT64_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_passing_zeros(&passed, &none, spec, zeros, digits, err);
    if (status == PBY_OK) {
        pby_sheet_line(s, "zeros", "%lu", zeros);
        pby_sheet_member(s, "zeros", json_integer((json_int_t)zeros));
        pby_sheet_enclosure(s, "passed", "passed", &passed, digits, "how many of them pass on average");
        pby_sheet_enclosure(s, "none", "none", &none, digits, "the chance that none does");
    }
    pby_enclosure_clear(&none);
    pby_enclosure_clear(&passed);
    return status;
}

static pby_status write_relative(pby_sheet *s, const pby_spec *spec, const char *text, unsigned digits,
                                 pby_error *err)
{
    pby_enclosure chance;
    PBY_MPQ(eta);
    pby_enclosure_init(&chance);
    pby_status status = pby_rational_parse(eta, "relative", text, err);
    if (status == PBY_OK && mpq_sgn(eta) <= 0)
        status = pby_refuse_mpq(err, "relative", eta, "a rational above 0");
    if (status == PBY_OK)
        status = pby_passing_relative(&chance, spec, eta, digits, err);
    if (status == PBY_OK) {
        pby_sheet_exact(s, "relative", "relative", eta);
        pby_sheet_enclosure(s, "chance", "chance", &chance, digits,
                            "that a bar passes and is off by more than this part, at the worst count");
    }
    pby_enclosure_clear(&chance);
    return status;
}

pby_status pby_report_passing(char **text, const pby_spec *spec, const pby_passing_asked *asked,
                              pby_report_form form, pby_error *err)
{
    const unsigned digits = asked->digits == 0 ? PBY_DIGITS_DEFAULT : asked->digits;
    pby_sheet s;
    pby_sheet_begin(&s, form);
    pby_sheet_text(&s, "mechanism", "spec", pby_spec_text(spec));
    pby_status status = PBY_OK;
    if (asked->zeros != NULL)
        status = write_zeros(&s, spec, asked->zeros, digits, err);
    if (status == PBY_OK && asked->relative != NULL)
        status = write_relative(&s, spec, asked->relative, digits, err);
    return pby_sheet_end(text, &s, status, err);
}
