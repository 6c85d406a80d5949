/* A point of a public grid of integers, chosen by a score that depends on records in the same grid.
 *
 * Records are counted in the cells of the grid, side^dimension of them, the last coordinate running fastest.
 * A family says how far each cell is behind: a cell that falls f units below another is exp(-rate f) times as
 * likely. Draws are exact (law/pick.h). */
#ifndef PBY_MECHANISM_LATTICE_H
#define PBY_MECHANISM_LATTICE_H

#include <gmp.h>

#include "mechanism/family.h"
#include "probity/entropy.h"

enum { PBY_LATTICE_DIMENSION_MAX = 4 };

typedef struct pby_lattice_shape {
    unsigned dimension;
    int64_t low;      /* the least coordinate; each runs from here over `side` integers */
    uint64_t side;    /* from 1 on */
    size_t cells;     /* at most PBY_PICK_MAX */
    uint64_t records; /* that the data have; 0: any number */
} pby_lattice_shape;

struct pby_lattice_class {
    void (*shape)(pby_lattice_shape *out, const pby_mechanism *m);

    /* fall[i] of each cell, from the records in each. */
    pby_status (*falls)(uint64_t *fall, const pby_mechanism *m, const int64_t *count, pby_error *err);

    /* Of one unit of falls. */
    void (*rate)(fmpq_t rate, const pby_mechanism *m);
};

typedef struct pby_lattice pby_lattice;

/* The mechanism, which must outlive it, has a lattice. */
PBY_CHECKED
pby_status pby_lattice_new(pby_lattice **out, const pby_mechanism *m, pby_error *err);

const pby_lattice_shape *pby_lattice_shape_of(const pby_lattice *lattice);

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
