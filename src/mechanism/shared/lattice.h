/* SPDX-License-Identifier: MIT */
/* A point of a public grid of integers, or an integer of a public range, chosen by a score that depends on
 * records in the grid.
 *
 * Records are counted in the cells of the grid, side^dimension of them, the last coordinate running fastest.
 * A family says how far each output is behind: one that falls f units below another is exp(-rate f) times as
 * likely. Draws are exact (law/pick.h). */
#ifndef PBY_MECHANISM_SHARED_LATTICE_H
#define PBY_MECHANISM_SHARED_LATTICE_H

#include <gmp.h>

#include "mechanism/family.h"
#include "probity/experimental/entropy.h"
#include "probity/experimental/parts.h"

enum { PBY_LATTICE_DIMENSION_MAX = 4 };

typedef struct pby_lattice_shape {
    unsigned dimension;
    int64_t low;      /* the least coordinate; each runs from here over `side` integers */
    uint64_t side;    /* from 1 on */
    size_t cells;     /* at most PBY_PICK_MAX */
    uint64_t records; /* that the data have; 0: any number */
    size_t outputs;   /* 0 where a cell is released; else one of so many integers is, from `first` on */
    int64_t first;
} pby_lattice_shape;

struct pby_lattice_class {
    void (*shape)(pby_lattice_shape *out, const pby_mechanism *m);

    /* fall[i] of each cell, or of each integer, from the records in each cell. */
    pby_status (*falls)(uint64_t *fall, const pby_mechanism *m, const int64_t *count, pby_error *err);

    /* The rate of one unit of falls. */
    void (*rate)(fmpq_t rate, const pby_mechanism *m);

    /* The chance, at the worst, of a point that is farther off than beta, for the reports of its accuracy;
     * what it is off from, how that is measured, and what the chance is of. */
    pby_status (*worse)(arb_t chance, const pby_mechanism *m, const fmpq_t beta, slong prec, pby_error *err);
    const char *function, *metric, *note;

    /* Returns true if the error is how far the output falls; then *most is the greatest fall, and *reached
     * tells if there are data for each fall from 1 on, to which all outputs but one fall. Otherwise the error
     * is how far the output is from the cell that holds all records (docs/theory/average.md). */
    bool (*level)(uint64_t *most, bool *reached, const pby_mechanism *m);

    /* The chance, at most, of data that this is not about, where records are drawn from a law whose density
     * is at least `density` within `within` of what is estimated; refused where no law is such. NULL where it
     * is about all data. */
    pby_status (*untypical)(arb_t chance, const pby_mechanism *m, const fmpq_t density, const fmpq_t within,
                            slong prec, pby_error *err);
};

typedef struct pby_lattice pby_lattice;

/* The mechanism, which must outlive it, has a lattice. */
PBY_CHECKED
pby_status pby_lattice_new(pby_lattice **out, const pby_mechanism *m, pby_error *err);

const pby_lattice_shape *pby_lattice_shape_of(const pby_lattice *lattice);

/* The number of coordinates of a released point. */
unsigned pby_lattice_coordinates(const pby_lattice *lattice);

/* As pby_release_record and pby_release_point (probity/release.h). */
PBY_CHECKED
pby_status pby_lattice_add(pby_lattice *lattice, const mpq_t *x, pby_error *err);
PBY_CHECKED
pby_status pby_lattice_draw(pby_lattice *lattice, pby_entropy *source, int64_t *point, pby_error *err);

/* Refuses what a draw would refuse, and works out the scores, for a caller that has yet to be charged. */
PBY_CHECKED
pby_status pby_lattice_score(pby_lattice *lattice, pby_error *err);

void pby_lattice_clear(pby_lattice *lattice);

/* Wipes and frees. NULL is allowed. */
void pby_lattice_free(pby_lattice *lattice);

#endif
