/* SPDX-License-Identifier: MIT */
/* Mechanisms to audit, correct and broken, written from their published definitions.
 *
 * Each prints one output for one of two neighbouring inputs. Real outputs are rounded to four decimals,
 * as a careful program would, so that what is audited is the mechanism and not the low bits of its
 * arithmetic; `floating laplace` leaves them in, and that is what is wrong with it.
 */
#ifndef PBY_TESTS_AUDIT_MECHANISMS_H
#define PBY_TESTS_AUDIT_MECHANISMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/audit.h"

/* A stream of random numbers from a small seed. */
typedef struct specimen_random specimen_random;
specimen_random *specimen_random_new(uint64_t seed);
void specimen_random_free(specimen_random *random);
double specimen_uniform(specimen_random *random); /* in (0, 1) */

enum { SPECIMEN_LINE = 512 };

typedef struct specimen {
    const char *name;
    const char *claim; /* the epsilon that it claims; NULL for the one that it is given */
    bool broken;
    void (*output)(char *line, int side, double epsilon, specimen_random *random);
} specimen;

extern const specimen specimens[]; /* ended by one without a name */

/* Mechanisms on any input, a list of numbers, for searches that nobody hands their inputs. */
typedef struct specimen_on {
    const char *name;
    const char *inputs; /* as pby_inputs_parse reads them */
    bool broken;
    void (*output)(char *line, const double *query, int n, double epsilon, specimen_random *random);
} specimen_on;

extern const specimen_on specimens_on[]; /* ended by one without a name */

/* The numbers of an input: a line with commas, or lines with a number at their ends. Returns how many. */
int specimen_input(double *query, int most, const char *text);

const specimen *specimen_find(const char *name);

/* Counts n outputs of each side. */
void specimen_count(pby_audit *audit, const specimen *s, double epsilon, size_t n, specimen_random *random);

/* The verdict on a claim; for the caller to free. */
pby_verdict *specimen_verdict(pby_audit *audit, const char *epsilon, const char *delta, const char *error);

/* Judges n outputs of each side of a specimen. */
pby_verdict *specimen_judge(const specimen *s, const char *epsilon, size_t n, const char *error,
                            uint64_t seed);

#endif
