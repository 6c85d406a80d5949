/* SPDX-License-Identifier: MIT */
/* All divisions of a small number among bars, and what each loses as ranges: from the definition, outcome by
 * outcome. */
#ifndef PBY_TESTS_MECHANISM_DIVISIONS_H
#define PBY_TESTS_MECHANISM_DIVISIONS_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>

enum { DIVISIONS_MOST = 12 };

typedef struct division {
    int part[DIVISIONS_MOST], count; /* falling */
} division;

/* The number as one part, and the next division after one; false after the last. */
division divisions_first(int all);
bool divisions_next(division *d);

/* The P-mass of each loss -all .. all, in rates, and of an infinite one. */
typedef struct division_loss {
    arb_struct mass[2 * DIVISIONS_MOST + 1];
    arb_t infinite;
    int all;
} division_loss;

void divisions_loss_init(division_loss *loss, const division *d, const fmpq_t rate, slong reach);
void divisions_loss_clear(division_loss *loss);

/* The divergence at epsilon. */
void divisions_delta(arb_t out, const division_loss *loss, const fmpq_t rate, const fmpq_t epsilon);

/* The greatest of all divisions among at most `bars` bars. */
void divisions_worst(arb_t out, int all, int bars, const fmpq_t rate, slong reach, const fmpq_t epsilon);

#endif
