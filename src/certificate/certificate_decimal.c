/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "certificate/certificate.h"
#include "number/scoped.h"
#include "probity/enclosure.h"

enum {
    DECIMAL_BITS = 8 * PBY_CERTIFICATE_DIGITS, /* more than twice what the digits need */
    DECIMAL_SIZE = PBY_CERTIFICATE_DIGITS + 32 /* bytes of a decimal, its exponent included */
};

/* True if text is what pby_decimal writes. A decimal of so few digits, moved up by far less than a unit
 * of its last one, is still the largest that is not above. */
static bool is_canonical_decimal(const char *text)
{
    char again[PBY_DECIMAL_SIZE];
    PBY_MPFR(DECIMAL_BITS, x);
    mpfr_strtofr(x, text, NULL, 10, MPFR_RNDU);
    const bool number = mpfr_number_p(x);
    pby_decimal(again, x, PBY_CERTIFICATE_DIGITS, true);
    return number && strcmp(text, again) == 0;
}

pby_status pby_certificate_decimal(mpfr_t value, char **copy, const json_t *object, const char *what,
                                   const char *name, mpfr_rnd_t inwards, pby_error *err)
{
    char full[32];
    const char *text;
    snprintf(full, sizeof full, "%.20s.%.8s", what, name);
    const pby_status status = pby_certificate_string(&text, object, name, err);
    if (status != PBY_OK)
        return status;
    if (strlen(text) > DECIMAL_SIZE || !is_canonical_decimal(text))
        return pby_certificate_deny(err, full, text, "a decimal of at most 20 digits in canonical form");
    mpfr_set_prec(value, DECIMAL_BITS);
    mpfr_strtofr(value, text, NULL, 10, inwards);
    *copy = strdup(text);
    return *copy != NULL ? PBY_OK : pby_no_memory(err);
}
