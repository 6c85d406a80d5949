/* SPDX-License-Identifier: MIT */
/* Drawing beyond the table's body by the law's own structure.
 *
 * The table of an unbounded law has a cell for each tail. A word that falls in such a cell says only
 * that the value lies beyond the body; a tail draws how far beyond, from fresh words, with exactly
 * the conditional law.
 *
 * A law names its tail, the tail of a geometric law is drawn by samplers of laws again, and a sampler draws
 * from the tail of its law: the files of the geometric law, of its tail and of the samplers know each other
 * because the draws do. */
#ifndef PBY_LAW_TAIL_H
#define PBY_LAW_TAIL_H

#include "law/law.h"
#include "probity/experimental/entropy.h"

typedef struct pby_tail pby_tail;

typedef struct pby_tail_class {
    pby_status (*make)(pby_tail **out, const pby_law *law, pby_error *err);
    /* how far beyond the end of the body, counted from 0; the same law on both sides */
    pby_status (*draw)(int64_t *beyond, pby_tail *tail, pby_entropy *source, pby_error *err);
    void (*free)(pby_tail *tail);
} pby_tail_class;

/* The tail of a geometric law is, by memorylessness, a one-sided geometric law of the same rate. */
extern const pby_tail_class pby_geometric_tail;

/* The rate of a law made by pby_law_geometric. */
void pby_law_geometric_rate(fmpq_t rate, const pby_law *law);

#endif
