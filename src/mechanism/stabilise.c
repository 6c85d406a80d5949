/* SPDX-License-Identifier: MIT */
/* A threshold in front of another mechanism: the universe is stabilised first ([Thresh] section 5.1).
 *
 * That mechanism is given the bars that passed, with their exact counts, and nothing is published of the
 * others; so it must read a histogram, publish every bar that it is given, if only in part, and not read the
 * size of its data, which is no longer that of the spec. */
#include "mechanism/family.h"

static bool may_stand_behind(const pby_mechanism *m)
{
    const pby_family *family = m->family;
    return family->release != NULL && family->takes == PBY_TAKES_COUNTS && pby_mechanism_size(m) == 0 &&
           pby_mechanism_unit(m) == NULL &&
           (family->form == PBY_RELEASE_COUNTS || family->form == PBY_RELEASE_RANGES);
}

static bool is_stabilised(const pby_spec *spec)
{
    const pby_use *use = spec->use;
    return spec->count == 2 && use[0].times == 1 && use[1].times == 1 &&
           use[0].mechanism.family->form == PBY_RELEASE_PASSED && may_stand_behind(&use[1].mechanism);
}

pby_status pby_spec_steps(const pby_mechanism **gate, const pby_mechanism **main, const pby_spec *spec,
                          pby_error *err)
{
    *gate = NULL;
    *main = &spec->use[0].mechanism;
    if (pby_spec_is_single(spec))
        return PBY_OK;
    if (!is_stabilised(spec))
        return pby_spec_single(
            main, spec,
            "one mechanism, used once, or a threshold in front of stlap with q, geometric, dgauss or range",
            err);
    *gate = &spec->use[0].mechanism;
    *main = &spec->use[1].mechanism;
    return PBY_OK;
}
