/* SPDX-License-Identifier: MIT */
/* The parameters of RAPPOR's reports, and their law. */
#ifndef PBY_MECHANISM_RAPPOR_RAPPOR_H
#define PBY_MECHANISM_RAPPOR_RAPPOR_H

#include "mechanism/family.h"

enum { PBY_RAPPOR_BITS_MAX = 1 << 16, PBY_RAPPOR_REPORTS_MAX = 1 << 12, PBY_RAPPOR_COHORTS_MAX = 1000000 };

typedef struct pby_rappor {
    const fmpq *f, *p, *q;
    int64_t bits;
    int64_t hashes;  /* 0 where every value has a bit of its own */
    int64_t reports; /* on each value; 0 where there is no limit */
    int64_t values, cohorts, seed;
} pby_rappor;

/* The numbers belong to m. */
void pby_rappor_of(pby_rappor *out, const pby_mechanism *m);

/* True if a mechanism is of the family. */
bool pby_mechanism_is_rappor(const pby_mechanism *m);

/* The mechanism of a spec, or a refusal of any other than one use of the family. */
PBY_CHECKED
pby_status pby_spec_rappor(const pby_mechanism **out, const pby_spec *spec, pby_error *err);

/* The greatest number of bits that are set in the first of two values and not in the second; it is the same
 * the other way round. */
int64_t pby_rappor_differ(const pby_rappor *r);

/* True if a report is the permanent response itself. */
bool pby_rappor_once(const pby_rappor *r);

/* The chances that one report shows a one, where the value has the bit and where it has not. */
void pby_rappor_chances(fmpq_t with, fmpq_t without, const pby_rappor *r);

/* The pair of one bit: all reports on a value that has it, and on one that has not. Without a limit on the
 * reports it is that of the permanent response. */
PBY_CHECKED
pby_status pby_rappor_bit(pby_pair *pair, const pby_rappor *r, pby_error *err);

/* True if that pair is its own reverse. */
bool pby_rappor_even(const pby_rappor *r);

#endif
