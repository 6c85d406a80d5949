/* SPDX-License-Identifier: MIT */
#include "number/numbers.h"

#include <stdlib.h>

#include "base/status.h"
#include "probity/rational.h"

pby_status pby_numbers_new(mpq_t **out, size_t n, pby_error *err)
{
    *out = calloc(n + 1, sizeof **out);
    for (size_t i = 0; *out != NULL && i < n; i++)
        mpq_init((*out)[i]);
    return *out == NULL ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_numbers_parse(mpq_t **out, const char *name, const char *const *texts, size_t n,
                             pby_error *err)
{
    PBY_TRY(pby_numbers_new(out, n, err));
    for (size_t i = 0; i < n; i++)
        PBY_TRY(pby_rational_parse((*out)[i], name, texts[i], err));
    return PBY_OK;
}

void pby_numbers_free(mpq_t *x, size_t n)
{
    for (size_t i = 0; x != NULL && i < n; i++)
        mpq_clear(x[i]);
    free(x);
}
