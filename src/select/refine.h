/* SPDX-License-Identifier: MIT */
/* Bounds of a composition on finer and finer grids, until they are good enough for a purpose. */
#ifndef PBY_SELECT_REFINE_H
#define PBY_SELECT_REFINE_H

#include <gmp.h>
#include <stdbool.h>

#include "base/status.h"
#include "probity/enclosure.h"
#include "probity/spec.h"

typedef bool (*pby_close_enough)(const pby_enclosure *bounds, const void *what);

/* Encloses the delta of several uses at epsilon, for so many rounds or until `content` says so. Refused for a
 * mechanism without dominating pairs. Uses of mechanisms of bounded range alone (loss/bounded/bounded.h) are
 * asked for narrower and narrower widths. All others go to finer and finer grids, of which the first is half
 * as wide as the one that their composition (loss/compose/compose.h) starts with: other roundings, so that
 * this is another route to the same number. Where the pairs only bound a mechanism, the lower end is that of
 * the pairs that some neighbours have. near is a number of delta's size, or 0. */
pby_status pby_refine(pby_enclosure *bounds, const pby_spec *spec, pby_neighbours relation,
                      mpq_srcptr epsilon, mpfr_srcptr near, int rounds, pby_close_enough content,
                      const void *what, pby_error *err);

/* Encloses the delta of the pairs that bound a mechanism, at both ends; a certificate's upper end is compared
 * with it. */
pby_status pby_refine_bound(pby_enclosure *bounds, const pby_spec *spec, pby_neighbours relation,
                            mpq_srcptr epsilon, mpfr_srcptr near, int rounds, pby_close_enough content,
                            const void *what, pby_error *err);

/* Does the work of pby_refine on grids alone, the first of which is as coarse as a width of a half takes: a
 * delta far from `near` is soon told. */
pby_status pby_refine_roughly(pby_enclosure *bounds, const pby_spec *spec, pby_neighbours relation,
                              mpq_srcptr epsilon, mpfr_srcptr near, int rounds, pby_close_enough content,
                              const void *what, pby_error *err);

/* Does the work of pby_refine_roughly on an upper bound, which it encloses at both ends: every continuum of
 * pairs is taken for the one pair that dominates it. */
pby_status pby_refine_dominating(pby_enclosure *bounds, const pby_spec *spec, pby_neighbours relation,
                                 mpq_srcptr epsilon, mpfr_srcptr near, int rounds, pby_close_enough content,
                                 const void *what, pby_error *err);

#endif
