/* SPDX-License-Identifier: MIT */
/* The Renyi divergence of a pair, at every order.
 *
 *     D_a(P||Q) = log(sum of P(o)^a Q(o)^(1-a)) / (a-1)      for a > 1
 *     D_1(P||Q) = sum of P(o) log(P(o)/Q(o))                 its limit at 1
 *     D_inf(P||Q) = the largest log(P(o)/Q(o))               its limit at inf
 *
 * D_a never falls as a grows, and (a-1) D_a is convex in a and 0 at a = 1. The files
 * loss/divergence/divergence_zcdp.h and loss/convert/convert.h rest on that (docs/theory/renyi.md).
 *
 * Where P has an outcome that Q cannot give, D_a is infinite at every order. Then the divergence of
 * the conditioned pair is answered instead: both laws given that the outcome lies in the common
 * support C = { o : P(o) > 0 and Q(o) > 0 }, with delta, the greater of 1 - P(C) and 1 - Q(C). This is
 * the delta-approximate divergence: the events that it asks for are C under either law.
 */
#ifndef PBY_LOSS_DIVERGENCE_RENYI_H
#define PBY_LOSS_DIVERGENCE_RENYI_H

#include <stdbool.h>

#include "pair/pair.h"

typedef struct pby_renyi {
    pby_pair pair;                     /* atoms that both can give, or a curve */
    pby_expsum_t missing_p, missing_q; /* numerators of what lies outside the common support */
    bool finite;                       /* P gives nothing that Q cannot */
    bool flat;                         /* one likelihood ratio throughout: the divergence is 0 */
    struct pby_renyi_logs *logs;       /* the masses' logarithms at the last precision asked for */
} pby_renyi;

/* Takes the pair's contents. Cleared by the caller, also after a failure. */
pby_status pby_renyi_init(pby_renyi *r, pby_pair *pair, pby_error *err);
void pby_renyi_clear(pby_renyi *r);

/* A ball around D_a, for a rational a >= 1, or for a = inf where order is NULL; of the conditioned pair
 * when r is not finite. */
pby_status pby_renyi_at(arb_t ball, const pby_renyi *r, const fmpq *order, slong prec, pby_error *err);

/* The difference of the largest and the smallest loss log(P(o)/Q(o)); inf where they have no bound. */
void pby_renyi_range(arb_t ball, const pby_renyi *r, slong prec);

/* 1 - P(C) and 1 - Q(C), exactly 0 where they are 0. Both are 0 for a finite r: nothing is conditioned. */
void pby_renyi_missing(arb_t p, arb_t q, const pby_renyi *r, slong prec);

#endif
