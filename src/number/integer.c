/* SPDX-License-Identifier: MIT */
#include "number/integer.h"

#include <gmp.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "number/scoped.h"
#include "probity/rational.h"

enum { EXPECTED_SIZE = 128 };

pby_status pby_integer_parse_wide(uint64_t *out, const char *name, const char *value, uint64_t from,
                                  uint64_t to, uint64_t fallback, pby_error *err)
{
    *out = fallback;
    if (value == NULL)
        return PBY_OK;
    char expected[EXPECTED_SIZE];
    PBY_MPQ(q);
    PBY_MPZ(end);
    pby_status status = pby_rational_parse(q, name, value, NULL);
    bool inside = status == PBY_OK && mpz_cmp_ui(mpq_denref(q), 1) == 0;
    pby_integer_set(end, from);
    inside = inside && mpz_cmp(mpq_numref(q), end) >= 0;
    pby_integer_set(end, to);
    if (!inside || mpz_cmp(mpq_numref(q), end) > 0) {
        const bool grouped = strpbrk(value, ",_' ") != NULL && strpbrk(value, "0123456789") != NULL;
        snprintf(expected, sizeof expected, "an integer from %" PRIu64 " to %" PRIu64 "%s", from, to,
                 grouped ? ", without separators of thousands" : "");
        status = pby_refuse(err, name, value, expected);
    } else {
        *out = pby_integer_unsigned(mpq_numref(q));
    }
    return status;
}

pby_status pby_integer_parse(unsigned long *out, const char *name, const char *value, unsigned long from,
                             unsigned long to, unsigned long fallback, pby_error *err)
{
    uint64_t wide;
    const pby_status status = pby_integer_parse_wide(&wide, name, value, from, to, fallback, err);
    *out = (unsigned long)wide;
    return status;
}

/* A limb has 64 bits on every machine (base/widths.h). */
uint64_t pby_integer_unsigned(mpz_srcptr x)
{
    return mpz_getlimbn(x, 0);
}

int64_t pby_integer_signed(mpz_srcptr x)
{
    const int64_t size = (int64_t)mpz_getlimbn(x, 0);
    return mpz_sgn(x) < 0 ? -size : size;
}

void pby_integer_set(mpz_ptr x, uint64_t value)
{
    mpz_import(x, 1, -1, sizeof value, 0, 0, &value);
}
