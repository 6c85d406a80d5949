/* SPDX-License-Identifier: MIT */
/* Renyi divergences and rho that some neighbours reach, where the worst are not known. */
#ifndef PBY_LOSS_DIVERGENCE_REACHED_H
#define PBY_LOSS_DIVERGENCE_REACHED_H

#include "loss/divergence/spectrum.h"

/* A ball around D_a of some neighbours, a = inf where order is NULL: those of a loose spec that are known to
 * be far apart at that order. */
PBY_CHECKED
pby_status pby_reached_renyi(arb_t ball, const pby_spec *spec, pby_neighbours relation, const fmpq *order,
                             unsigned digits, pby_error *err);

/* A ball around a rho that they need: max(0, D_a - xi)/a at one order a, which a search in doubles found to
 * be good. */
PBY_CHECKED
pby_status pby_reached_rho(arb_t ball, const pby_spec *spec, pby_neighbours relation, const fmpq_t xi,
                           unsigned digits, pby_error *err);

#endif
