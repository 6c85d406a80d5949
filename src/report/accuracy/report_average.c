/* SPDX-License-Identifier: MIT */
/* The mean error of a mechanism. */
#include "accuracy/accuracy.h"
#include "accuracy/row.h"
#include "accuracy/terms.h"
#include "number/integer.h"
#include "number/number_json.h"
#include "number/text.h"
#include "probity/experimental/accuracy.h"
#include "probity/experimental/reports.h"
#include "probity/rational.h"
#include "report/sheet.h"

struct question {
    pby_accuracy_kind kind;
    unsigned long n, support;
    mpq_t gamma;
    unsigned digits;
};

/* Noise and thresholds have one bar unless more are said, and do not read n. */
static pby_status check_said(const pby_average_asked *asked, pby_accuracy_kind kind, pby_error *err)
{
    const pby_accuracy_asked said = {.n = asked->n, .support = asked->support};
    switch (kind) {
    case PBY_ACCURACY_CHOICE:
    case PBY_ACCURACY_STREAM:
    case PBY_ACCURACY_SHARE:
    case PBY_ACCURACY_MEAN:
    case PBY_ACCURACY_POINT:
    case PBY_ACCURACY_TOTALS:
        return pby_accuracy_inputs_said(&said, kind, err);
    default:
        return asked->n == NULL
                   ? PBY_OK
                   : pby_refuse(err, "n", asked->n, "none: this mean does not depend on the records");
    }
}

static pby_status read_question(struct question *q, const pby_spec *spec, const pby_average_asked *asked,
                                pby_error *err)
{
    q->digits = asked->digits == 0 ? PBY_DIGITS_DEFAULT : asked->digits;
    PBY_TRY(pby_accuracy_kind_of(&q->kind, spec, err));
    PBY_TRY(check_said(asked, q->kind, err));
    PBY_TRY(pby_integer_parse(&q->support, "support", asked->support, 1, UINT32_MAX, 1, err));
    PBY_TRY(pby_integer_parse(&q->n, "n", asked->n, 1, INT64_MAX, 1, err));
    if (asked->gamma != NULL)
        return pby_rational_parse(q->gamma, "gamma", asked->gamma, err);
    return PBY_OK;
}

/* True if the ends differ by more than a digit that was asked for. */
static bool apart(const pby_enclosure *beta, unsigned digits)
{
    mpfr_t x, y;
    mpfr_inits2(64, x, y, (mpfr_ptr)NULL);
    mpfr_sub(x, beta->hi, beta->lo, MPFR_RNDU);
    mpfr_ui_pow_ui(y, 10, digits - 1, MPFR_RNDU);
    mpfr_mul(x, x, y, MPFR_RNDU);
    const bool wide = mpfr_greater_p(x, beta->hi);
    mpfr_clears(x, y, (mpfr_ptr)NULL);
    return wide;
}

pby_status pby_report_average(char **text, const pby_spec *spec, const pby_average_asked *asked,
                              pby_report_form form, pby_error *err)
{
    struct question q = {.n = 1};
    pby_enclosure beta;
    pby_sheet s;
    mpq_init(q.gamma);
    pby_enclosure_init(&beta);
    pby_sheet_begin(&s, form);
    pby_status status = read_question(&q, spec, asked, err);
    const pby_input_class inputs = {q.n, q.support, NULL};
    if (status == PBY_OK)
        status = pby_accuracy_average(&beta, spec, &inputs, q.gamma, q.digits, err);
    if (status == PBY_OK) {
        pby_sheet_text(&s, "mechanism", "spec", pby_spec_text(spec));
        if (asked->n != NULL)
            pby_sheet_number(&s, "n", "n", q.n);
        else if (q.kind != PBY_ACCURACY_POINT)
            pby_sheet_number(&s, "support", "support", q.support);
        pby_sheet_exact(&s, "gamma", "gamma", q.gamma);
        pby_sheet_enclosure(&s, "beta", "beta", &beta, q.digits,
                            apart(&beta, q.digits)
                                ? "the greatest mean error, but for gamma, lies between these"
                                : "the least mean error, but for gamma");
    }
    pby_enclosure_clear(&beta);
    mpq_clear(q.gamma);
    return pby_sheet_end(text, &s, status, err);
}
