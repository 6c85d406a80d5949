/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/noise.h"

#include <sodium.h>
#include <stdlib.h>

#include "base/public.h"
#include "base/status.h"
#include "kernel/fit.h"
#include "kernel/histogram.h"
#include "law/sampler.h"

pby_status pby_noise_draw(int64_t **noise, pby_sampler *sampler, pby_entropy *source, size_t count,
                          pby_error *err)
{
    *noise = malloc((count + 1) * sizeof **noise);
    if (*noise == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_draw_many(sampler, source, *noise, count, err);
    if (status != PBY_OK) {
        pby_noise_free(*noise, count);
        *noise = NULL;
    }
    return status;
}

void pby_noise_free(int64_t *noise, size_t count)
{
    if (noise != NULL)
        sodium_memzero(noise, count * sizeof *noise);
    free(noise);
}

pby_status pby_noise_below_zero(const int64_t *noise, size_t n, const pby_law *law, pby_error *err)
{
    const int64_t lo = law->lo;
    int holds = pby_within(&lo, 1, -INT64_MAX, 0) && pby_within(noise, n, lo, 0);
    PBY_MAKE_PUBLIC(holds);
    return holds ? PBY_OK
                 : pby_fail(err, PBY_FAILED, "a draw left the range of its law, and nothing is released");
}

pby_status pby_noise_every(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                           const int64_t *counts, int64_t *noisy, size_t n, pby_error *err)
{
    (void)m;
    int64_t *noise;
    const pby_status status = pby_noise_draw(&noise, sampler, source, n, err);
    if (status == PBY_OK)
        pby_perturb(noisy, counts, n, noise);
    pby_noise_free(noise, n);
    return status;
}

pby_status pby_noise_occupied(pby_occupied_update *update, pby_sampler *sampler, pby_entropy *source,
                              const int64_t *counts, int64_t *noisy, size_t n, pby_error *err)
{
    const size_t occupied = pby_support(counts, n);
    int64_t *noise;
    pby_status status = pby_noise_draw(&noise, sampler, source, occupied, err);
    if (status == PBY_OK)
        status = pby_noise_below_zero(noise, occupied, sampler->law, err);
    if (status == PBY_OK)
        update(noisy, counts, n, noise, -sampler->law->lo);
    pby_noise_free(noise, occupied);
    return status;
}
