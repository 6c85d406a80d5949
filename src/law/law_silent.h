/* SPDX-License-Identifier: MIT */
/* Draws whose time and memory accesses do not depend on their values, for every law.
 *
 * A silent draw compares its word with every cut of a table. A wide table would make that slow, and a tail
 * would show; so a two-sided geometric law is taken apart. With a = exp(-rate), M = B^J:
 *   X = 0 has chance (1-a)/(1+a); else X = 1+G or -1-G with a fair sign, and G is geometric.
 * A geometric value is top M + d(J-1) B^(J-1) + ... + d0 with independent parts: digit j has mass
 * proportional to exp(-rate B^j d) on 0 .. B-1, and top is geometric of rate (rate M). Whether X is 0 goes
 * with the top, in one table (law/folded.h). That makes J + 1 parts a draw, always, and a word for the
 * signs of 64 draws. Nothing is rejected.
 *
 * A part takes half a word, and two places of a block another word each (kernel/silent_halves.h); or a word,
 * where there are few draws or many cuts.
 *
 * Tables end where a tail has less than 2^-64 on either side. Then no decided word lies in a tail, and only
 * the refinement of an undecided word, 2^-64 a cut, can be seen, or a third open half in one block. */
#ifndef PBY_LAW_LAW_SILENT_H
#define PBY_LAW_LAW_SILENT_H

#include "law/law.h"
#include "probity/experimental/entropy.h"

typedef struct pby_silent pby_silent;

/* The law must outlive it. Refused for a law whose table would have more than PBY_CELLS_MAX cells. */
pby_status pby_silent_new(pby_silent **out, const pby_law *law, pby_error *err);
void pby_silent_free(pby_silent *silent);

/* Draws value[0 .. n-1], n from 1 to PBY_SILENT_BLOCK; with halves, two of a place from one word where n is
 * 64 or more and the place's table has at most 128 cuts. */
enum { PBY_SILENT_BLOCK = 1024 };
pby_status pby_silent_block(pby_silent *silent, bool halves, pby_entropy *source, int64_t *value, size_t n,
                            pby_error *err);

/* Appends a digit to every magnitude, once the kernel has said that each is what pby_silent_append may be
 * given; else PBY_FAILED, and nothing is appended. base is from 1 to 256. */
pby_status pby_silent_extend(int64_t *value, const int64_t *digit, size_t n, int64_t base, pby_error *err);

#endif
