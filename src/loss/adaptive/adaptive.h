/* SPDX-License-Identifier: MIT */
/* The worst that several pairs can do when each use may choose among them.
 *
 * V_j(x), the potential of j uses under the worst choice, each choice knowing the earlier outputs, is
 *     V_0(x) = max(0, 1 - x),   V_{j+1}(x) = max over pairs of E[V_j(x exp(-L))],
 * where L has the law of the pair's loss under P, with V(0) = 1 where L is infinite. With losses on a grid
 * the right side needs V_j at grid points alone (docs/theory/composition.md). A pby_values is V on a window
 * of grid points, from above or from below, by a function that is linear in x between them: towards zero it
 * goes on to (0, 1), and beyond the last point it stays where it is.
 */
#ifndef PBY_LOSS_ADAPTIVE_ADAPTIVE_H
#define PBY_LOSS_ADAPTIVE_ADAPTIVE_H

#include "loss/pld/pld.h"

typedef struct pby_values {
    fmpz *at;     /* V(exp((low + i) step)) 2^bits for i = 0 .. n-1 */
    fmpz_t limit; /* V(inf) 2^bits */
    slong low, n, bits;
    bool upper;
} pby_values;

/* V_0 on the points low .. low + n - 1, which have zero among them; n >= 3. */
void pby_values_init(pby_values *v, slong low, slong n, const fmpq_t step, slong bits, bool upper);
void pby_values_init_set(pby_values *v, const pby_values *from);
void pby_values_clear(pby_values *v);
void pby_values_swap(pby_values *a, pby_values *b);

/* One use more, of the worst of count plds of the same bits and side. */
void pby_values_use(pby_values *v, const pby_pld *choice, size_t count, const fmpq_t step);

/* The greater of two, on the same window. */
void pby_values_max(pby_values *v, const pby_values *other);

/* The bits that balls around values are worked out with. */
slong pby_values_precision(const pby_values *v);

/* V(exp(epsilon)), as a ball around the value of the function. */
void pby_values_delta(arb_t delta, const pby_values *v, const fmpq_t step, const fmpq_t epsilon);

/* A bound on the least epsilon with V at most delta < 1, from the side of the values; inf where there is
 * none. */
void pby_values_epsilon(arf_t epsilon, const pby_values *v, const fmpq_t step, const fmpq_t delta);

#endif
