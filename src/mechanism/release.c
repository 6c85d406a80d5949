#include "probity/release.h"

#include <sodium.h>
#include <stdlib.h>

#include "mechanism/family.h"

struct pby_release {
    const pby_mechanism *mechanism; /* belongs to the spec */
    pby_sampler *sampler;
    pby_entropy *source;
};

pby_status pby_release_new(pby_release **out, const pby_spec *spec, pby_error *err)
{
    *out = NULL;
    const pby_mechanism *m;
    pby_status status = pby_spec_single(&m, spec, "one mechanism to release with", err);
    if (status != PBY_OK)
        return status;
    if (m->family->release == NULL)
        return pby_family_lacks(m, "a histogram release", err);
    pby_release *release = calloc(1, sizeof *release);
    if (release == NULL)
        return pby_no_memory(err);
    release->mechanism = m;
    status = pby_sampler_new(&release->sampler, spec, err);
    if (status == PBY_OK)
        status = pby_entropy_system(&release->source, err);
    if (status != PBY_OK)
        pby_release_free(release);
    else
        *out = release;
    return status;
}

static pby_status refuse_negative(const int64_t *counts, size_t n, pby_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (counts[i] < 0)
            return pby_fail(err, PBY_BAD, "counts: bar %zu of the chunk is negative: expected 0 or more", i);
    return PBY_OK;
}

pby_status pby_release_counts(pby_release *release, const int64_t *counts, int64_t *noisy, size_t n,
                              pby_error *err)
{
    pby_status status = refuse_negative(counts, n, err);
    if (status == PBY_OK)
        status = release->mechanism->family->release(release->mechanism, release->sampler, release->source,
                                                     counts, noisy, n, err);
    if (status != PBY_OK)
        sodium_memzero(noisy, n * sizeof *noisy);
    return status;
}

void pby_release_free(pby_release *release)
{
    if (release == NULL)
        return;
    pby_entropy_free(release->source);
    pby_sampler_free(release->sampler);
    free(release);
}
