/* SPDX-License-Identifier: MIT */
/* Releases of stlap with its threshold from the size, from the masses of the noise alone: the law of every
 * bar, and the worst of all neighbours by enumeration. */
#ifndef PBY_TESTS_MECHANISM_SIZED_H
#define PBY_TESTS_MECHANISM_SIZED_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stddef.h>

#include "probity/spec.h"

enum { SIZED_BARS_MAX = 4, SIZED_TEXT = 128 };

typedef struct sized {
    const char *eps, *tau;
    slong n;
    int bars;
} sized;

/* stlap:eps=E,tau=T,n=N,bars=K */
const char *sized_spec(char text[SIZED_TEXT], const sized *s);

/* H between the outputs on counts x and on counts y, each of n or n + 1 records in all. */
void sized_divergence(arb_t out, const sized *s, const slong *x, const slong *y, const fmpq_t epsilon);

/* The greatest divergence of two neighbours, over all inputs that are released: x of n records and y of n +
 * 1, or both of n or both of n + 1 where one record is changed. */
void sized_worst(arb_t worst, const sized *s, pby_neighbours relation, const fmpq_t epsilon);

/* Sets delta to the bound of 001 Corollary 3 at eps. */
void sized_formula(arb_t delta, const sized *s);

#endif
