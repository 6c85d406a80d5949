/* SPDX-License-Identifier: MIT */
/* Building sums of exponentials whose exponents are multiples of one rate. */
#ifndef PBY_LAW_LAW_EXPONENTIAL_H
#define PBY_LAW_LAW_EXPONENTIAL_H

#include <stdint.h>

#include "number/expsum.h"

/* out += c * exp(-rate * k) */
void pby_add_power(pby_expsum_t out, slong c, const fmpq_t rate, int64_t k);

/* ceil(level / rate): the least k with exp(-rate k) <= exp(-level); INT64_MAX when it is larger. */
int64_t pby_decay_length(const fmpq_t rate, slong level);

/* out = -rate n, as the argument of an exponential that is wanted to prec bits. */
void pby_minus_rates(arb_t out, const fmpq *rate, int64_t n, slong prec);

#endif
