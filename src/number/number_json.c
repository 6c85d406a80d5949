/* SPDX-License-Identifier: MIT */
#include "number/number_json.h"

#include <stdlib.h>

#include "number/exact.h"

json_t *pby_exact_json(mpq_srcptr q)
{
    char *text = pby_exact_text(q);
    json_t *value = text == NULL ? NULL : json_string(text);
    free(text);
    return value;
}

json_t *pby_distance_json(const pby_distance *x)
{
    return x->infinite ? json_string("inf") : pby_exact_json(x->value);
}

json_t *pby_json_enclosure(const pby_enclosure *x, unsigned digits)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    pby_decimal(lo, x->lo, digits, true);
    pby_decimal(hi, x->hi, digits, false);
    return json_pack("{s:s, s:s}", "lo", lo, "hi", hi);
}
