/* zcdp:rho=r[,xi=x]: any mechanism that is zero-concentrated differentially private: its Renyi
 * divergence of order a is at most x + r a between neighbours, for every a > 1.
 *
 * Known by that promise alone.
 */
#include "mechanism/family.h"

enum { RHO, XI };

static void zcdp_promise(pby_promise *out, const pby_mechanism *m)
{
    fmpq_set(out->xi, &m->value[XI]);
    fmpq_set(out->rho, &m->value[RHO]);
    out->bounded = false;
}

const pby_family pby_family_zcdp = {
    .name = "zcdp",
    .summary = "a guarantee: zero-concentrated differential privacy",
    .parameters = {{"rho", PBY_POSITIVE, NULL, "rho=R, what the divergence grows by with its order, above 0"},
                   {"xi", PBY_NOT_NEGATIVE, "0", "xi=X, what the divergence starts from, from 0 on"}},
    .promise = zcdp_promise,
};
