/* SPDX-License-Identifier: MIT */
#include "number/number_texts.h"

#include "base/status.h"
#include "number/exact.h"
#include "probity/rational.h"

void pby_decimals_set(pby_decimals *out, const pby_enclosure *x, unsigned digits)
{
    const unsigned shown = digits == 0 ? PBY_DIGITS_DEFAULT : digits;
    pby_decimal(out->lo, x->lo, shown, true);
    pby_decimal(out->hi, x->hi, shown, false);
}

pby_status pby_worded_begin(pby_worded *w, const char *name, const char *text, pby_error *err)
{
    mpq_init(w->value);
    pby_enclosure_init(&w->answer);
    return text == NULL ? PBY_OK : pby_rational_parse(w->value, name, text, err);
}

pby_status pby_worded_end(pby_worded *w, pby_decimals *out, unsigned digits, pby_status status)
{
    if (status == PBY_OK)
        pby_decimals_set(out, &w->answer, digits);
    pby_enclosure_clear(&w->answer);
    mpq_clear(w->value);
    return status;
}

pby_status pby_worded_parse(mpq_t *value, const char *const *names, const char *const *texts, size_t count,
                            pby_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (texts[i] != NULL)
            PBY_TRY(pby_rational_parse(value[i], names[i], texts[i], err));
    return PBY_OK;
}

bool pby_value_none(const pby_value *number)
{
    return number->text == NULL && number->rational == NULL;
}

pby_status pby_value_read(mpq_t out, const char *name, const pby_value *number, pby_error *err)
{
    if (number->text != NULL)
        return pby_rational_parse(out, name, number->text, err);
    if (number->rational != NULL)
        mpq_set(out, number->rational);
    return PBY_OK;
}

pby_status pby_value_need(mpq_t out, const char *name, pby_value number, pby_error *err)
{
    return pby_value_none(&number) ? pby_fail(err, PBY_BAD, "%s: expected a number", name)
                                   : pby_value_read(out, name, &number, err);
}

pby_status pby_rational_print(char **text, mpq_srcptr q, pby_error *err)
{
    *text = pby_exact_text(q);
    return *text == NULL ? pby_no_memory(err) : PBY_OK;
}
