/* SPDX-License-Identifier: MIT */
#include "select/shown.h"

#include "law/laws.h"
#include "number/scoped.h"

/* True if p_k >= 1/2: what is hidden is at most half of the norm. */
static bool is_even(const pby_law *law, int64_t k)
{
    pby_expsum_t hidden;
    pby_expsum_init(hidden);
    pby_law_below(hidden, law, -k);
    pby_expsum_add(hidden, hidden, hidden);
    pby_expsum_sub(hidden, hidden, law->norm);
    const bool even = pby_expsum_sign(hidden) <= 0;
    pby_expsum_clear(hidden);
    return even;
}

/* A bar of c records is ceil(c/D) steps from an empty one, which is never shown; p_k is the most that k steps
 * allow, and does not fall. */
pby_status pby_least_shown(uint64_t *count, mpq_srcptr epsilon, mpq_srcptr delta, uint64_t sensitivity,
                           pby_error *err)
{
    pby_law *law = NULL;
    PBY_FMPQ(eps, d);
    fmpq_set_mpq(eps, epsilon);
    fmpq_set_mpq(d, delta);
    const pby_status status = pby_law_partition(&law, eps, d, err);
    if (status == PBY_OK) {
        int64_t below = 0, steps = 1 - law->lo; /* p is below 1/2 at the one, and 1 at the other */
        while (steps - below > 1) {
            const int64_t middle = below + (steps - below) / 2;
            *(is_even(law, middle) ? &steps : &below) = middle;
        }
        *count = (uint64_t)(steps - 1) * sensitivity + 1;
    }
    pby_law_free(law);
    return status;
}
