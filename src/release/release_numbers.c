/* SPDX-License-Identifier: MIT */
#include "release/release_numbers.h"

#include "probity/release.h"

/* Numbers may be below 0, and counts that a mechanism takes may not: they are moved up by this and back. */
#define SHIFT ((int64_t)1 << 61)

bool pby_list_parts(const pby_mechanism **part, size_t count, const pby_spec *spec)
{
    size_t n = 0;
    for (size_t i = 0; i < spec->count; i++)
        for (uint64_t k = 0; k < spec->use[i].times; k++, n++) {
            if (n == count)
                return false;
            part[n] = &spec->use[i].mechanism;
        }
    return n == count && spec->last.family == NULL && spec->first.family == NULL;
}

pby_status pby_release_numbers(const pby_spec *spec, pby_neighbours relation, int64_t *x, size_t n,
                               pby_error *err)
{
    pby_release *release = NULL;
    pby_status status = pby_release_new(&release, spec, relation, err);
    for (size_t i = 0; i < n; i++)
        x[i] += SHIFT;
    if (status == PBY_OK)
        status = pby_release_counts(release, x, x, n, err);
    for (size_t i = 0; i < n; i++)
        x[i] -= status == PBY_OK ? SHIFT : x[i];
    pby_release_free(release);
    return status;
}
