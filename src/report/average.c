/* The mean error of noise. */
#include "number/integer.h"
#include "number/json.h"
#include "probity/accuracy.h"
#include "probity/rational.h"
#include "report/sheet.h"

pby_status pby_report_average(char **text, const pby_spec *spec, const pby_average_asked *asked,
                              pby_report_form form, pby_error *err)
{
    const unsigned digits = asked->digits == 0 ? PBY_DIGITS_DEFAULT : asked->digits;
    unsigned long support = 1;
    pby_enclosure beta;
    pby_sheet s;
    mpq_t gamma;
    mpq_init(gamma);
    pby_enclosure_init(&beta);
    pby_sheet_begin(&s, form);
    pby_status status = pby_integer_parse(&support, "support", asked->support, 1, UINT32_MAX, 1, err);
    if (status == PBY_OK && asked->gamma != NULL)
        status = pby_rational_parse(gamma, "gamma", asked->gamma, err);
    const pby_input_class inputs = {1, support, NULL};
    if (status == PBY_OK)
        status = pby_accuracy_average(&beta, spec, &inputs, gamma, digits, err);
    if (status == PBY_OK) {
        pby_sheet_text(&s, "mechanism", "spec", pby_spec_text(spec));
        pby_sheet_line(&s, "support", "%lu", support);
        pby_sheet_member(&s, "support", json_integer((json_int_t)support));
        pby_sheet_exact(&s, "gamma", "gamma", gamma);
        pby_sheet_enclosure(&s, "beta", "beta", &beta, digits, "the least mean error, but for gamma");
    }
    pby_enclosure_clear(&beta);
    mpq_clear(gamma);
    return pby_sheet_end(text, &s, status, err);
}
