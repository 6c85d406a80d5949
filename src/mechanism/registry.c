#include "mechanism/family.h"

const pby_family *const pby_families[] = {
    &pby_family_geometric,
    &pby_family_tgeometric,
    &pby_family_dgauss,
    &pby_family_laplace,
    &pby_family_stlap,
    &pby_family_threshold,
    &pby_family_range,
    &pby_family_partition,
    &pby_family_buckethist,
    &pby_family_gauss,
    &pby_family_pure,
    &pby_family_approx,
    &pby_family_rdp,
    &pby_family_zcdp,
    NULL,
};

bool pby_mechanism_has(const pby_mechanism *m, size_t parameter)
{
    return !fmpq_is_zero(&m->value[parameter]);
}

int64_t pby_mechanism_natural(const pby_mechanism *m, size_t parameter)
{
    return fmpz_get_si(fmpq_numref(&m->value[parameter]));
}

pby_status pby_family_lacks(const pby_mechanism *m, const char *what, pby_error *err)
{
    return pby_fail(err, PBY_BAD, "SPEC '%s': expected a mechanism that has %s", m->family->name, what);
}
