/* SPDX-License-Identifier: MIT */
/* The search for the neighbouring inputs on which a mechanism loses most.
 *
 *     pby_inputs *inputs;
 *     pby_inputs_parse(&inputs, "values:n=5,from=-50,to=50", PBY_ADD_REMOVE, err);
 *     pby_search_asked asked = {.source = count, .what = mechanism, .outputs = 100000, .epsilon = "1"};
 *     pby_worst_pair *worst;
 *     if (pby_inputs_search(&worst, inputs, &asked, err) == PBY_OK)
 *         ... judge fresh outputs on pby_worst_pair_input(worst, PBY_LEFT) and (worst, PBY_RIGHT)
 *
 * The outputs that the search spends choose the pair and nothing else. Judge the pair by new outputs: then a
 * mechanism that keeps its claim is accused with a chance of at most the error of that one judgement,
 * however many pairs were tried. See docs/audit.md.
 */
#ifndef PROBITY_EXPERIMENTAL_SEARCH_H
#define PROBITY_EXPERIMENTAL_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/audit.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

/* The most numbers of an input, and the most pairs that a search tries. */
#define PBY_INPUTS_LENGTH_MAX 64
#define PBY_SEARCH_PAIRS_MAX  100000

/* A description of inputs, all of whose numbers are integers. */
typedef struct pby_inputs pby_inputs;

/* One of
 *     values:n=N,from=A,to=B[,move=all|one]   N numbers; neighbours differ by at most 1 in all of them, or in
 * one counts:n=N[,from=A],to=B                a histogram of N bars; neighbours differ by one record
 *     records:n=N,from=A,to=B                 at most N records; one is left out, or for substitute
 * neighbours another one
 */
PBY_CHECKED
pby_status pby_inputs_parse(pby_inputs **out, const char *text, pby_neighbours neighbours, pby_error *err)
    PBY_NONNULL(1, 2);

/* A histogram whose bars have ranges of their own: lines of CSV, KEY,FROM,TO. */
PBY_CHECKED
pby_status pby_inputs_ranges(pby_inputs **out, const char *csv, size_t length, pby_neighbours neighbours,
                             pby_error *err) PBY_NONNULL(1, 2);
void pby_inputs_free(pby_inputs *inputs);

/* Returns true if an input is a text of lines, for a file, and not one line of numbers with commas. */
PBY_CHECKED
bool pby_inputs_lines(const pby_inputs *inputs) PBY_NONNULL(1);

/* Counts n outputs on each of two inputs. PBY_INCONCLUSIVE where the mechanism cannot be run on them: the
 * search passes over them. */
typedef pby_status pby_outputs_source(pby_audit *audit, const char *left, const char *right, uint64_t n,
                                      void *what, pby_error *err);

/* The seconds that a source has spent so far. Where it spends most of them on starting, the search asks for
 * more outputs at once. */
typedef double pby_source_clock(void *what);

typedef struct pby_search_asked {
    pby_outputs_source *source;
    void *what;              /* for it */
    uint64_t outputs;        /* of a side that the judgement will have; the search spends about as many */
    unsigned long pairs;     /* to try; 0: 100 */
    const char *epsilon;     /* the claim, as text */
    const char *delta;       /* NULL: 0 */
    const char *error;       /* of the judgement; NULL: 1e-6 */
    const char *features;    /* kinds of event, as pby_audit_features has them; NULL: all */
    pby_source_clock *clock; /* for a source that may be slow to start; NULL: it is not */
} pby_search_asked;

typedef struct pby_worst_pair pby_worst_pair;

/* The pair that promises to show most. Only pairs that the description has are tried. The same outputs lead
 * to the same pair if the source takes the same time. */
PBY_CHECKED
pby_status pby_inputs_search(pby_worst_pair **out, const pby_inputs *inputs, const pby_search_asked *asked,
                             pby_error *err) PBY_NONNULL(1, 2, 3);
void pby_worst_pair_free(pby_worst_pair *worst);

/* The inputs as text, the pattern that led to them, how many pairs were tried, how often the mechanism could
 * not be run on one, and how many outputs of both sides were spent. */
PBY_CHECKED
const char *pby_worst_pair_input(const pby_worst_pair *worst, pby_side side) PBY_NONNULL(1);
PBY_CHECKED
const char *pby_worst_pair_pattern(const pby_worst_pair *worst) PBY_NONNULL(1);
PBY_CHECKED
unsigned long pby_worst_pair_tried(const pby_worst_pair *worst) PBY_NONNULL(1);
PBY_CHECKED
unsigned long pby_worst_pair_passed_over(const pby_worst_pair *worst) PBY_NONNULL(1);
PBY_CHECKED
uint64_t pby_worst_pair_outputs(const pby_worst_pair *worst) PBY_NONNULL(1);

PBY_END_API

#endif
