/* --profile LO:HI:N: delta at N epsilons from LO to HI, both among them, equally spaced. */
#ifndef PBY_CLI_PROFILE_H
#define PBY_CLI_PROFILE_H

#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "probity/enclosure.h"

enum { PBY_POINTS_MAX = 100000 };

typedef struct pby_profile_points {
    mpq_ptr epsilon; /* count of them, one after the other */
    pby_enclosure *delta;
    size_t count;
    bool *wide; /* which of them are wider than they were asked to be */
    bool wider; /* some are */
} pby_profile_points;

/* Sets the epsilons from LO:HI:N, rationals LO < HI and an integer N from 2 to PBY_POINTS_MAX. Cleared by
 * the caller, also after a refusal. */
PBY_CHECKED
pby_status pby_profile_points_parse(pby_profile_points *points, const char *name, const char *text,
                                    pby_error *err);
void pby_profile_points_clear(pby_profile_points *points);

/* Marks the enclosures that are wider than a share of their lower end, and than so many digits make them. */
void pby_profile_points_mark(pby_profile_points *points, mpq_srcptr width, unsigned digits);

/* epsilon,delta_lo,delta_hi and a line for each point, on standard output, with a fourth column, wider, of
 * yes and no where some are. An epsilon is exact: a decimal where it has a finite one, else a fraction. */
PBY_CHECKED
pby_status pby_profile_points_print(const pby_profile_points *points, unsigned digits, pby_error *err);

/* [{"epsilon": "0.5", "delta": {"lo": ..., "hi": ...}}, ...], with "wider": true in those that are; NULL when
 * there is no memory. */
json_t *pby_profile_points_json(const pby_profile_points *points, unsigned digits);

#endif
