/* SPDX-License-Identifier: MIT */
/* A text is refused or is a rational in lowest terms, and that rational's own text means the same. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "probity/rational.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pby_error err;
    char *text = malloc(size + 1);
    mpq_t q, again;
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    mpq_inits(q, again, NULL);
    if (pby_rational_parse(q, "value", text, &err) == PBY_OK) {
        char *canonical = mpq_get_str(NULL, 10, q);
        const bool readable = strlen(canonical) <= PBY_RATIONAL_DIGITS_MAX;
        mpq_set(again, q);
        mpq_canonicalize(again);
        if (mpz_cmp(mpq_denref(q), mpq_denref(again)) != 0)
            abort();
        if (readable &&
            (pby_rational_parse(again, "value", canonical, &err) != PBY_OK || !mpq_equal(q, again)))
            abort();
        free(canonical);
    } else if (err.status != PBY_BAD || strchr(err.text, '\n') != NULL) {
        abort();
    }
    mpq_clears(q, again, NULL);
    free(text);
    return 0;
}
