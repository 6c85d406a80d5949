/* SPDX-License-Identifier: MIT */
/* Sums of a Gaussian over an arithmetic progression, enclosed: f(x) + f(x+1) + f(x+2) + ..., where
 * f(t) = exp(-t^2/(2s)). The normaliser, the tails and the Renyi divergences of the discrete Gaussian
 * are made of these. docs/theory/dgauss.md derives the error bounds. */
#ifndef PBY_LAW_GAUSS_SUM_H
#define PBY_LAW_GAUSS_SUM_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>

/* The sum from x on, x >= 0, s > 0, good to about prec bits. Term by term when few terms count, and
 * otherwise by the formula of Euler and Maclaurin: the cost does not grow with s. */
void pby_gauss_sum(arb_t sum, const fmpq_t s, const fmpq_t x, slong prec);

/* Computes pby_gauss_sum term by term for every s: about sqrt(s prec) terms. */
void pby_gauss_sum_by_terms(arb_t sum, const fmpq_t s, const fmpq_t x, slong prec);

/* Computes pby_gauss_sum by the formula of Euler and Maclaurin; returns false when s is small or the formula
 * falls short of prec bits. */
bool pby_gauss_sum_by_integral(arb_t sum, const fmpq_t s, const fmpq_t x, slong prec);

/* The sum over all integers: the normaliser of the discrete Gaussian. */
void pby_gauss_total(arb_t sum, const fmpq_t s, slong prec);

/* f(x) for any x */
void pby_gauss_term(arb_t term, const fmpq_t s, const fmpq_t x, slong prec);

/* The least k with f(k) <= exp(-level). */
void pby_gauss_reach(fmpz_t k, const fmpq_t s, slong level);

/* f(x), f(x+1), f(x+2), ... at two multiplications a step. n steps lose about 2 log2(n) bits. */
typedef struct pby_gauss_walk {
    arb_t term, ratio, bend; /* f(x), f(x+1)/f(x), and what the ratio is multiplied by at each step */
} pby_gauss_walk;

void pby_gauss_walk_init(pby_gauss_walk *walk, const fmpq_t s, const fmpq_t x, slong prec);
void pby_gauss_walk_step(pby_gauss_walk *walk, slong prec);
void pby_gauss_walk_clear(pby_gauss_walk *walk);

#endif
