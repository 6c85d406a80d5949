/* SPDX-License-Identifier: MIT */
#include "select/select_buckets.h"
#include "probity/experimental/buckets.h"

#include "mechanism/buckethist/buckets.h"
#include "number/scoped.h"

static pby_status set_mpq(pby_mechanism *m, unsigned *given, const char *name, mpq_srcptr value,
                          pby_error *err)
{
    PBY_FMPQ(x);
    fmpq_set_mpq(x, value);
    return pby_mechanism_give(m, given, name, x, err);
}

pby_status pby_buckets_planned(pby_spec **out, const pby_use *use, const pby_bucketed *points,
                               const pby_plan *plan, pby_error *err)
{
    const pby_mechanism *stlap = &use->mechanism;
    unsigned given = 0;
    pby_mechanism m;
    PBY_FMPQ(dimension);
    fmpq_set_ui(dimension, points->dimension, 1);
    pby_mechanism_init(&m, &pby_family_buckethist);
    *out = NULL;
    pby_status status =
        pby_mechanism_give(&m, &given, "eps", pby_mechanism_value(stlap, PBY_ROLE_EPSILON), err);
    if (status == PBY_OK)
        status = pby_mechanism_give(&m, &given, "q", pby_mechanism_value(stlap, PBY_ROLE_LOSES), err);
    if (status == PBY_OK)
        status = set_mpq(&m, &given, "bound", points->bound, err);
    if (status == PBY_OK)
        status = set_mpq(&m, &given, "width", plan->width, err);
    if (status == PBY_OK)
        status = pby_mechanism_give(&m, &given, "dimension", dimension, err);
    if (status == PBY_OK)
        status = pby_mechanism_complete(&m, given, err);
    if (status == PBY_OK)
        status = pby_spec_of(out, &m, use->times, err);
    pby_mechanism_clear(&m);
    return status;
}
