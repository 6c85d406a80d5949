/* SPDX-License-Identifier: MIT */
/* A threshold in front of another mechanism: the universe is stabilised first ([Thresh] section 5.1).
 *
 * That mechanism is given the bars that passed, with their exact counts, and nothing is published of the
 * others; so it must read a histogram, publish every bar that it is given, if only in part, and not read the
 * size of its data, which is no longer that of the spec. Or it chooses one of these bars by its count. */
#include "mechanism/family.h"

/* A table of queries or a sample of records would be about other data than the bars that passed. */
static bool chooses(const pby_mechanism *m)
{
    return m->family->takes == PBY_TAKES_SCORES && m->family->form == PBY_RELEASE_CANDIDATE &&
           pby_family_with(m->family, PBY_ROLE_TABLE) == PBY_PARAMETERS_MAX &&
           pby_mechanism_sample(m) == NULL;
}

static bool may_stand_behind(const pby_mechanism *m)
{
    const pby_family *family = m->family;
    if (chooses(m))
        return true;
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
            "one mechanism, used once, or a threshold in front of stlap with q, geometric, dgauss or range, "
            "or of exponential, power, noisymax or permuteflip without sample",
            err);
    *gate = &spec->use[0].mechanism;
    *main = &spec->use[1].mechanism;
    return PBY_OK;
}
