/* SPDX-License-Identifier: MIT */
/* Numbers of a trace: exact rationals, infinities and NaN. */
#ifndef PBY_AUDIT_TRACE_TRACE_NUMBER_H
#define PBY_AUDIT_TRACE_TRACE_NUMBER_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef enum pby_trace_number_kind {
    PBY_TRACE_FINITE,
    PBY_TRACE_INFINITE, /* with the sign of q */
    PBY_TRACE_NAN,
    PBY_TRACE_NOISY /* a probe's: it depends on noise that has no value */
} pby_trace_number_kind;

typedef struct pby_trace_number {
    pby_trace_number_kind kind;
    mpq_t q; /* 0 of a NaN and of a noisy one, 1 or -1 of an infinity */
} pby_trace_number;

void pby_trace_number_init(pby_trace_number *x);
void pby_trace_number_clear(pby_trace_number *x);
void pby_trace_number_set(pby_trace_number *x, const pby_trace_number *y);

/* n numbers, each 0, for pby_trace_numbers_free; NULL when there is no memory, or n is 0. */
pby_trace_number *pby_trace_numbers_new(size_t n);
void pby_trace_numbers_free(pby_trace_number *x, size_t n);

/* Reads a rational, a decimal, what C prints by %a, nan, inf or -inf; false, and x as it was, if it is none
 * of these or beyond 2^+-20000. */
PBY_CHECKED
bool pby_trace_number_parse(pby_trace_number *x, const char *text);

/* Two NaNs are equal, and so are infinities of one sign; nothing equals a noisy number. */
bool pby_trace_number_equal(const pby_trace_number *x, const pby_trace_number *y);

bool pby_trace_number_finite(const pby_trace_number *x);

/* True if |x - y| <= 2^-40 max(|x|, |y|): numbers that count as one parameter, for rounding alone. */
bool pby_trace_close(mpq_srcptr x, mpq_srcptr y);

/* out = a x + b where a, x and b are finite; otherwise what floating-point arithmetic gives: a NaN,
 * or the infinity. */
void pby_trace_number_affine(pby_trace_number *out, const pby_trace_number *a, const pby_trace_number *x,
                             const pby_trace_number *b);

#endif
