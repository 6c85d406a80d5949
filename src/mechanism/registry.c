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
    &pby_family_exponential,
    &pby_family_above,
    &pby_family_rr,
    &pby_family_krr,
    &pby_family_pure,
    &pby_family_approx,
    &pby_family_rdp,
    &pby_family_zcdp,
    NULL,
};
