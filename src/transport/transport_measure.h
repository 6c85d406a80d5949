/* SPDX-License-Identifier: MIT */
/* Measures, and two of them on one integer scale. */
#ifndef PBY_TRANSPORT_TRANSPORT_MEASURE_H
#define PBY_TRANSPORT_TRANSPORT_MEASURE_H

#include <flint/fmpq.h>
#include <stdbool.h>

#include "base/status.h"
#include "probity/experimental/accuracy.h"

typedef struct pby_point {
    fmpq at, mass;
} pby_point;

struct pby_measure {
    pby_point *point;
    size_t count, room;
};

/* Atoms in increasing order, each of positive mass. An atom is a row of limbs: its position, then its mass,
 * each of a fixed size with the least limb first. So a pass over the atoms is a pass over memory, and numbers
 * of two or three limbs cost little more than those of one. */
typedef struct pby_line {
    mp_limb_t *row;
    size_t count;
    size_t at_limbs, mass_limbs; /* the same for both of a pair */
    fmpz_t total;
} pby_line;

/* Two measures, positions over `unit` and above the lowest of all; masses over one common denominator that is
 * not kept: every question here is about proportions. The sum of two positions, and a total, fit their limbs.
 */
typedef struct pby_lines {
    pby_line x, y;
    fmpz_t unit;
} pby_lines;

/* free(3) for what holds counts of a file: wiped first. NULL is nothing. */
void pby_wipe_free(void *memory, size_t size);

/* To be cleared whether this succeeds or not. */
pby_status pby_lines_init(pby_lines *out, const pby_measure *x, const pby_measure *y, pby_error *err);
void pby_lines_clear(pby_lines *lines);

/* Brings both to the same total, as laws; a total of 0 is refused. */
pby_status pby_lines_normalise(pby_lines *lines, pby_error *err);

static inline const mp_limb_t *pby_line_at(const pby_line *line, size_t i)
{
    return line->row + i * (line->at_limbs + line->mass_limbs);
}

static inline const mp_limb_t *pby_line_mass(const pby_line *line, size_t i)
{
    return pby_line_at(line, i) + line->at_limbs;
}

/* The positions of both in order, each with the atoms that are there. */
typedef struct pby_stop {
    const mp_limb_t *at, *x, *y; /* the masses: NULL for nothing */
    size_t i, j;                 /* the next atoms; 0 to begin with */
} pby_stop;

/* Goes to the next; false after the last. */
bool pby_stop_next(pby_stop *s, const pby_lines *l);

/* The mass that x has there beyond y. */
void pby_stop_surplus(fmpz_t out, const pby_stop *s, const pby_lines *l);

/* gamma from 0 to 1, or a refusal. */
pby_status pby_check_gamma(mpq_srcptr gamma, pby_error *err);

/* Refuses a total of 0: nothing is in proportion to it. */
pby_status pby_check_totals(const fmpz_t x, const fmpz_t y, pby_error *err);

/* The least integer number of parts of total that is at least (1 - gamma) total. */
void pby_kept(fmpz_t kept, const fmpz_t total, mpq_srcptr gamma);

/* out = num / den, in lowest terms. */
void pby_set_quotient(mpq_t out, const fmpz_t num, const fmpz_t den);

void pby_distance_set_infinite(pby_distance *out);

/* The part that is dropped of a total x to leave y <= x: (x - y)/x, and 0 of nothing. */
void pby_dropped(mpq_t out, const fmpz_t x, const fmpz_t y);

/* Drop-and-move out of a move: eta for each step of it, and the part that is dropped before. */
void pby_add_dropped(mpq_t move, const fmpz_t x, const fmpz_t y, mpq_srcptr eta);

/* Distances of two laws, brought to the same total; gamma is from 0 to 1. */
pby_status pby_lines_distance(mpq_t out, const pby_lines *l, mpq_srcptr gamma, pby_error *err);
pby_status pby_lines_average(mpq_t out, const pby_lines *l, mpq_srcptr gamma, pby_error *err);
void pby_lines_variation(mpq_t out, const pby_lines *l);

/* Distortions of x into y, not brought to the same total; eta is from 0 on. */
void pby_lines_drop(pby_distance *out, const pby_lines *l);
pby_status pby_lines_move(pby_distance *out, const pby_lines *l, pby_error *err);
pby_status pby_lines_drop_move(pby_distance *out, const pby_lines *l, mpq_srcptr eta, pby_error *err);

/* The least b >= 0 such that `need` of mass can be carried from x to y with none going farther than b.
 * need is not above either total. */
pby_status pby_line_reach(fmpz_t b, const pby_line *x, const pby_line *y, const fmpz_t need, pby_error *err);

/* The least cost of carrying all but a part gamma from x to y, whose totals are equal, times the denominator
 * of gamma: mass times distance, on the scale of the two. */
pby_status pby_lines_cost(fmpz_t cost, const pby_lines *l, mpq_srcptr gamma, pby_error *err);

#endif
