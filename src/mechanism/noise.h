/* A buffer of drawn noise, wiped when it goes. */
#ifndef PBY_MECHANISM_NOISE_H
#define PBY_MECHANISM_NOISE_H

#include "probity/draw.h"

/* Draws count values into *noise, which pby_noise_free takes; NULL on failure. */
pby_status pby_noise_draw(int64_t **noise, pby_sampler *sampler, pby_entropy *source, size_t count, pby_error *err);
void pby_noise_free(int64_t *noise, size_t count);

#endif
