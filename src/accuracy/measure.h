/* Measures, and two of them on one integer scale. */
#ifndef PBY_ACCURACY_MEASURE_H
#define PBY_ACCURACY_MEASURE_H

#include <flint/fmpq.h>
#include <stdbool.h>

#include "probity/accuracy.h"
#include "status.h"

typedef struct pby_point {
    fmpq at, mass;
} pby_point;

struct pby_measure {
    pby_point *point;
    size_t count, room;
};

/* Atoms in increasing order, each of positive mass, positions and masses as integers. */
typedef struct pby_point_mass {
    fmpz at, mass;
} pby_point_mass;

typedef struct pby_line {
    pby_point_mass *atom;
    size_t count;
    fmpz_t total;
} pby_line;

/* Two measures, positions over `unit` and masses over one common denominator that is not kept: every
 * question here is about proportions. */
typedef struct pby_lines {
    pby_line x, y;
    fmpz_t unit;
} pby_lines;

/* To be cleared whether this succeeds or not. */
pby_status pby_lines_init(pby_lines *out, const pby_measure *x, const pby_measure *y, pby_error *err);
void pby_lines_clear(pby_lines *lines);

/* Brings both to the same total, as laws; a total of 0 is refused. */
pby_status pby_lines_normalise(pby_lines *lines, pby_error *err);

/* Masses in parts so small that gamma of the total is a whole number of them. */
void pby_lines_refine(pby_lines *lines, mpq_srcptr gamma);

/* gamma from 0 to 1, or a refusal. */
pby_status pby_check_gamma(mpq_srcptr gamma, pby_error *err);

/* The least integer number of parts of total that is at least (1 - gamma) total. */
void pby_kept(fmpz_t kept, const fmpz_t total, mpq_srcptr gamma);

/* The least b >= 0 such that `need` of mass can be carried from x to y with none going farther than b.
 * need is not above either total. */
void pby_line_reach(fmpz_t b, const pby_line *x, const pby_line *y, const fmpz_t need);

#endif
