/* SPDX-License-Identifier: MIT */
/* The Renyi divergences of a spec, as a function of the order.
 *
 * Divergences of independent uses add, for adaptive uses as well, so that the spectrum of a composition
 * is a sum: over the promises (mechanism/family.h) one line xi + rho a + B/(a-1) up to an order, and over
 * the pairs the divergence of each. All uses see the same two neighbours in the same order: the sums are
 * taken in either direction, and the greater counts.
 */
#ifndef PBY_LOSS_DIVERGENCE_SPECTRUM_H
#define PBY_LOSS_DIVERGENCE_SPECTRUM_H

#include "loss/divergence/renyi.h"
#include "mechanism/family.h"

/* The pairs of one use. */
typedef struct pby_spectrum_part {
    pby_renyi *renyi;
    pby_direction *direction;
    size_t count;
    uint64_t times;
} pby_spectrum_part;

typedef struct pby_spectrum {
    pby_promise line;  /* the sum of the promises but for their B; all 0 without one */
    pby_use *constant; /* the uses that have a B */
    size_t constants;
    pby_spectrum_part *part;
    size_t count;
    bool promised; /* some use is known by a promise, and not by pairs */
    bool finite; /* no pair has an outcome that the other side cannot give, of those that neighbours reach */
    bool bound;  /* no neighbours reach all the parts: together they only bound the loss */
    bool sampled, directed; /* some use is a sampled curve, and some other has pairs of one direction */
    bool loose;             /* some pairs stay above every neighbour: the loss is at most what is found */
} pby_spectrum;

/* Cleared by the caller, also after a failure. */
pby_status pby_spectrum_init(pby_spectrum *s, const pby_spec *spec, pby_neighbours relation, pby_error *err);
void pby_spectrum_clear(pby_spectrum *s);

/* The spectrum of some neighbours of a loose spec, of which each use has those that are good at the order, or
 * at any where it is NULL: at every order the spec's divergence is at least this. A use whose neighbours are
 * not known adds nothing. */
pby_status pby_spectrum_below(pby_spectrum *s, const pby_spec *spec, pby_neighbours relation,
                              const fmpq *order, pby_error *err);

/* That of one use of something with these pairs, whose contents are taken. */
pby_status pby_spectrum_of_pairs(pby_spectrum *s, pby_pairs *pairs, pby_error *err);

/* A ball around D_a of the pairs in one direction, the line left out: a >= 1, or a = inf where order is
 * NULL. A part whose rho is known in closed form is left out unless `closed`. Pairs that are not finite
 * are conditioned (loss/divergence/renyi.h). */
pby_status pby_spectrum_one_way(arb_t ball, const pby_spectrum *s, pby_direction way, const fmpq *order,
                                bool closed, slong prec, pby_error *err);

/* True if the two directions can differ. */
bool pby_spectrum_one_sided(const pby_spectrum *s);

/* The difference of the largest and the smallest loss of the parts without a closed form, in one direction;
 * inf where a part has several pairs in it, of which now one and now another is the worst. */
void pby_spectrum_range(arb_t ball, const pby_spectrum *s, pby_direction way, slong prec);

/* A ball around what D_a is at most: pairs and line, inf beyond the line's end. With order NULL, D_inf. */
pby_status pby_spectrum_at(arb_t ball, const pby_spectrum *s, const fmpq *order, slong prec, pby_error *err);

/* The delta that conditioning costs: the greatest chance, in either direction and under either law, that
 * some use leaves the common support. Exactly 0 for a finite spectrum. */
void pby_spectrum_missing(arb_t delta, const pby_spectrum *s, slong prec);

/* B of the line, exactly 0 where no use has one; and the least of the line where it has one: over all orders
 * it is xi + rho + 2 sqrt(rho B), which bounds every order below that of it, because divergences rise. */
pby_status pby_spectrum_constant(arb_t b, const pby_spectrum *s, slong prec, pby_error *err);
void pby_spectrum_lowest(arb_t ball, const pby_spectrum *s, const arb_t b, slong prec);

/* Puts every part into the line, as its least rho in closed form. False where a part has none or the line
 * has an end or a B, and then nothing is changed. */
bool pby_spectrum_straighten(pby_spectrum *s);

/* The least rho of a part in closed form; false where there is none. */
bool pby_spectrum_rho(fmpq_t rho, const pby_spectrum_part *part);

/* True if the divergence of a part comes up to its rho far out alone. */
bool pby_spectrum_late(const pby_spectrum_part *part);

/* The rho of all parts that have it in closed form: some neighbours need as much. */
void pby_spectrum_closed(fmpq_t rho, const pby_spectrum *s);

#endif
