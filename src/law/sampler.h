/* SPDX-License-Identifier: MIT */
/* A law made ready to be drawn from: its cut table, and its tail if it has one.
 *
 * The table has one cell for each value of the body, one below it when the support goes on below, and
 * one above it likewise. Its left ends are t[0] = 0 and t[i] = cut of the value before cell i, which
 * is what the kernel's Table asks for. */
#ifndef PBY_LAW_SAMPLER_H
#define PBY_LAW_SAMPLER_H

#include <stddef.h>

#include "law/law.h"
#include "law/law_silent.h"
#include "law/tail.h"
#include "probity/experimental/draw.h"

struct pby_sampler {
    pby_law *law;    /* owned */
    uint64_t *table; /* left ends of the cells */
    size_t cells;
    unsigned depth;  /* cells <= 2^depth */
    uint32_t *guide; /* of the table, see kernel/guide.h */
    uint64_t *half;  /* the table with only the leading 32 binary digits of each end */
    uint32_t *half_guide;
    unsigned stream;    /* 2: a draw takes half a word, where there are several */
    int64_t first;      /* the value of cell 0; one before the body when a tail stands there */
    pby_tail *tail;     /* NULL where the tail is found by inverting the cdf, or there is none */
    pby_silent *silent; /* of a sampler made timing-safe; it then draws, and the table above is not used */
};

/* Takes the law over, also on failure. */
pby_status pby_sampler_of_law(pby_sampler **out, pby_law *law, pby_error *err);

#endif
