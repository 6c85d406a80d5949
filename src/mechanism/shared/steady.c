/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/steady.h"
#include "number/scoped.h"

/* The bits that a power of the decay may have. */
enum { POWER_BITS = 1 << 16 };

bool pby_steady_scaled(const pby_mechanism *m)
{
    return pby_mechanism_value(m, PBY_ROLE_DECAY) != NULL;
}

pby_status pby_steady_check(const pby_mechanism *m, size_t bars, pby_error *err)
{
    const bool scaled = pby_steady_scaled(m);
    const size_t place = scaled ? pby_family_find(m->family, "range")
                                : pby_family_with(m->family, PBY_ROLE_ANSWERS);
    const int64_t given = pby_mechanism_natural(m, place);
    if (scaled)
        return bars <= (uint64_t)given ? PBY_OK
                                       : pby_mechanism_refuse(m, "a range from the number of bars on", err);
    return bars + 1 == (uint64_t)given
               ? PBY_OK
               : pby_mechanism_refuse(m, "answers=B, the number of bars and one more for none", err);
}

void pby_steady_scale(fmpq_t scale, const pby_mechanism *m, const int64_t *far, size_t n)
{
    const fmpq *decay = pby_mechanism_value(m, PBY_ROLE_DECAY);
    const int64_t most = (int64_t)(POWER_BITS / fmpz_bits(fmpq_denref(decay)));
    PBY_FMPQ(power);
    fmpq_zero(scale);
    for (size_t d = 1; d <= n; d++) {
        if (far[d] == INT64_MAX)
            continue;
        fmpq_pow_si(power, decay, far[d] < most ? far[d] : most);
        fmpq_mul_ui(power, power, d);
        if (fmpq_cmp(power, scale) > 0)
            fmpq_set(scale, power);
    }
}
