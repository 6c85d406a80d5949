/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/stream.h"

#include "mechanism/shared/noise.h"
#include "number/text.h"

/* True if a mechanism adds whole noise to a count, whatever the count is. */
static bool is_values(const pby_use *use)
{
    const pby_mechanism *m = &use->mechanism;
    return m->family->release == pby_noise_every && pby_mechanism_unit(m) == NULL &&
           pby_mechanism_size(m) == 0 && pby_mechanism_sample(m) == NULL &&
           pby_mechanism_value(m, PBY_ROLE_THETA) == NULL;
}

pby_stream_limits pby_stream_limits_of(const pby_spec *spec)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    pby_stream_limits limits;
    m->family->stream->limits(&limits, m);
    return limits;
}

/* A value for every positive answer. */
static bool fits(const pby_spec *spec)
{
    const pby_use *use = spec->use;
    if (use[0].mechanism.family->stream == NULL || spec->count > 2)
        return false;
    return spec->count == 1 ||
           (is_values(&use[1]) && use[1].times == use[0].times * (uint64_t)pby_stream_limits_of(spec).tops);
}

pby_status pby_stream_session(const pby_spec *spec, pby_error *err)
{
    return fits(spec) ? PBY_OK
                      : pby_refuse(err, "SPEC", pby_spec_text(spec),
                                   "K*above:..., or K*above:... K*geometric:... for values as well; or "
                                   "K*sparse:..., with a geometric:... for each of its tops");
}
