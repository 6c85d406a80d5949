#include "mechanism/release.h"

#include <sodium.h>
#include <stdlib.h>

#include "mechanism/family.h"

struct pby_release {
    const pby_mechanism *mechanism; /* belongs to the spec */
    pby_sampler *sampler;           /* NULL until the size is known, where the mechanism reads it */
    pby_entropy *source;
};

pby_status pby_release_with(pby_release **out, const pby_spec *spec, pby_entropy *source, pby_error *err)
{
    *out = NULL;
    const pby_mechanism *m;
    pby_status status = pby_spec_single(&m, spec, "one mechanism to release with", err);
    if (status != PBY_OK)
        return status;
    if (m->family->release == NULL)
        return pby_family_lacks(m, "a histogram release", err);
    pby_sampler *sampler = NULL;
    if (m->family->law_for == NULL)
        status = pby_sampler_new(&sampler, spec, err);
    if (status != PBY_OK)
        return status;
    pby_release *release = malloc(sizeof *release);
    if (release == NULL) {
        pby_sampler_free(sampler);
        return pby_no_memory(err);
    }
    *release = (pby_release){m, sampler, source};
    *out = release;
    return PBY_OK;
}

pby_status pby_release_new(pby_release **out, const pby_spec *spec, pby_error *err)
{
    pby_entropy *source;
    *out = NULL;
    pby_status status = pby_entropy_system(&source, err);
    if (status != PBY_OK)
        return status;
    status = pby_release_with(out, spec, source, err);
    if (status != PBY_OK)
        pby_entropy_free(source);
    return status;
}

pby_release_form pby_release_form_of(const pby_release *release)
{
    return release->mechanism->family->form;
}

int64_t pby_release_reach(const pby_release *release)
{
    const pby_family *family = release->mechanism->family;
    return family->reach == NULL ? 0 : family->reach(release->mechanism);
}

pby_status pby_release_size(pby_release *release, uint64_t records, uint64_t bars, pby_error *err)
{
    const pby_mechanism *m = release->mechanism;
    pby_law *law;
    if (m->family->law_for == NULL)
        return PBY_OK;
    const pby_status status = m->family->law_for(&law, m, records, bars, err);
    if (status != PBY_OK)
        return status;
    pby_sampler_free(release->sampler);
    return pby_sampler_of_law(&release->sampler, law, err);
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
    if (status == PBY_OK && release->sampler == NULL)
        status = pby_family_lacks(release->mechanism, "been told the size of its data", err);
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
