/* SPDX-License-Identifier: MIT */
#include "mechanism/run/timing_safe.h"

#include "base/public.h"
#include "kernel/silent.h"
#include "law/sampler.h"
#include "mechanism/shared/noise.h"

/* True if a count is negative, which is the caller's mistake and may be seen. */
static bool any_negative(const int64_t *counts, size_t n)
{
    int64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all |= counts[i];
    PBY_MAKE_PUBLIC(all);
    return all < 0;
}

pby_status pby_silent_release(pby_silent_update *update, pby_sampler *sampler, pby_entropy *source,
                              const int64_t *counts, int64_t *noisy, size_t n, pby_error *err)
{
    if (any_negative(counts, n))
        return pby_fail(err, PBY_BAD, "counts: a bar of the chunk is negative: expected 0 or more");
    int64_t *noise;
    pby_status status = pby_noise_draw(&noise, sampler, source, n, err);
    if (status == PBY_OK && update == pby_silent_shrink)
        status = pby_noise_below_zero(noise, n, sampler->law, err);
    if (status == PBY_OK)
        update(noisy, counts, n, noise);
    pby_noise_free(noise, n);
    return status;
}
