/* SPDX-License-Identifier: MIT */
#include "probity/experimental/draw.h"

#include "law/sampler.h"
#include "mechanism/family.h"

pby_status pby_sampler_new(pby_sampler **out, const pby_spec *spec, pby_error *err)
{
    *out = NULL;
    const pby_mechanism *m;
    pby_status status = pby_spec_single(&m, spec, "one mechanism to draw from", err);
    if (status != PBY_OK)
        return status;
    if (m->family->law == NULL)
        return pby_family_lacks(m, "a noise law to draw from", err);
    status = pby_mechanism_unsampled(m, "noise is drawn without it, and no data are sampled here", err);
    if (status != PBY_OK)
        return status;
    pby_law *law;
    status = m->family->law(&law, m, err);
    return status == PBY_OK ? pby_sampler_of_law(out, law, err) : status;
}
