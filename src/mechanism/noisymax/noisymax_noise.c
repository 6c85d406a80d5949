/* SPDX-License-Identifier: MIT */
/* The noise on every score. */
#include "mechanism/noisymax/noisymax.h"
#include "mechanism/shared/monotone.h"

void pby_max_noise_init(pby_max_noise *noise, const pby_mechanism *m)
{
    fmpq_init(noise->rate);
    pby_monotone_rate(noise->rate, m);
    noise->one_sided = pby_mechanism_has(m, pby_family_find(m->family, "noise"));
}

void pby_max_noise_clear(pby_max_noise *noise)
{
    fmpq_clear(noise->rate);
}
