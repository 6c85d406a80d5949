/* SPDX-License-Identifier: MIT */
/* Points of a privacy profile: delta at several epsilons from LO to HI, both among them, equally spaced. */
#ifndef PBY_REPORT_LOSS_REPORT_POINTS_H
#define PBY_REPORT_LOSS_REPORT_POINTS_H

#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"
#include "probity/enclosure.h"
#include "probity/spec.h"

enum { PBY_POINTS_MAX = 100000 };

typedef struct pby_profile_points {
    mpq_ptr epsilon; /* count of them, one after the other */
    pby_enclosure *delta;
    size_t count;
    bool *wide; /* which of them are wider than they were asked to be */
    bool wider; /* some are */
} pby_profile_points;

/* Sets the epsilons, count of them, at least 2; lo < hi. Cleared by the caller, also after a failure. */
PBY_CHECKED
pby_status pby_profile_points_space(pby_profile_points *points, mpq_srcptr lo, mpq_srcptr hi, size_t count,
                                    pby_error *err);
void pby_profile_points_clear(pby_profile_points *points);

/* Marks the enclosures that are wider than a share of their lower end, and than so many digits make them. */
void pby_profile_points_mark(pby_profile_points *points, mpq_srcptr width, unsigned digits);

/* The sentence about an enclosure that stays wider than asked for. */
extern const char pby_wider[];

/* The reason for a spec: pby_wider, or that its worst neighbours are not known. */
const char *pby_wider_of(const pby_spec *spec);

/* epsilon,delta_lo,delta_hi and a line for each point, with a fourth column, wider, of yes and no where some
 * are, to memory. An epsilon is exact: a decimal where it has a finite one, else a fraction. */
PBY_CHECKED
pby_status pby_profile_points_write(FILE *out, const pby_profile_points *points, unsigned digits,
                                    pby_error *err);

/* [{"epsilon": "0.5", "delta": {"lo": ..., "hi": ...}}, ...], with "wider": true in those that are; NULL when
 * there is no memory. */
json_t *pby_profile_points_json(const pby_profile_points *points, unsigned digits);

#endif
