/* The shifted truncated Laplace histogram whose threshold is a share of its input's size, q = tau |x|.
 *
 * One record more moves q, and with q the noise of every bar. Between an input of n records and one of
 * n + 1, a bar that holds the record goes from x + R_n to x + 1 + R_(n+1), every other from x + R_n to
 * x + R_(n+1), where R_m has the law of q = tau m. A bar that is empty on both sides shows nothing, and
 * clamping at zero is the same map on both sides; so `bars` occupied bars that are not clamped are worst.
 */
#ifndef PBY_MECHANISM_STLAP_SIZE_H
#define PBY_MECHANISM_STLAP_SIZE_H

#include <stdint.h>

#include "law/law.h"
#include "mechanism/pair.h"

typedef struct pby_stlap_size {
    const fmpq *eps, *tau;
    int64_t n, bars;
} pby_stlap_size;

/* The law of the noise on data of so many records. */
pby_status pby_stlap_size_law(pby_law **out, const pby_stlap_size *s, int64_t records, pby_error *err);

/* The pairs of one bar, from n to n + 1 and back: the bar that holds the record, or another. Merged. */
pby_status pby_stlap_size_bar(pby_pairs *out, const pby_stlap_size *s, bool touched, pby_error *err);

/* The pairs of all bars together; none, with PBY_OK, when their product is too large. */
pby_status pby_stlap_size_pairs(pby_pairs *out, const pby_stlap_size *s, pby_error *err);

#endif
