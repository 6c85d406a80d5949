#include "mechanism/noise.h"

#include <sodium.h>
#include <stdlib.h>

#include "status.h"

pby_status pby_noise_draw(int64_t **noise, pby_sampler *sampler, pby_entropy *source, size_t count, pby_error *err)
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
