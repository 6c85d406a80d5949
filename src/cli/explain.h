/* What `probity explain SPEC` knows before it prints. */
#ifndef PBY_CLI_EXPLAIN_H
#define PBY_CLI_EXPLAIN_H

#include <jansson.h>
#include <stdio.h>

#include "mechanism/story.h"
#include "probity/accuracy.h"
#include "probity/enclosure.h"

/* The delta that epsilon is asked at. */
#define PBY_EXPLAIN_DELTA "1e-6"

typedef struct pby_explanation {
    pby_spec *spec;
    const pby_mechanism *mechanism;
    const pby_story *story;
    pby_story sampled; /* the story of a mechanism that samples */
    pby_neighbours relation;
    unsigned digits;
    bool owns_epsilon; /* the spec names an epsilon; delta is asked there */
    mpq_t own_epsilon;
    pby_enclosure delta, claimed, epsilon, rho;
    bool knows_rho;                  /* divergences of a sampled mechanism may not be known */
    bool delta_wider, epsilon_wider; /* than enclosures usually are */
    const char *source;              /* of the claim; NULL without one */
    uint64_t bar_loss;               /* this and the next where the story has no accuracy of its own */
    pby_accuracy accuracy;
} pby_explanation;

/* One JSON object, as --json prints it; NULL when there is no memory. */
json_t *pby_explanation_json(const pby_explanation *x);

/* The accuracy in words, for free(3); NULL when there is no memory. */
char *pby_explanation_accuracy(const pby_explanation *x);

/* Whether the mechanism draws from its noise law, and does not only lose. */
bool pby_explanation_draws(const pby_explanation *x);

/* The report, one HTML page, for free(3). */
PBY_CHECKED
pby_status pby_explanation_html(char **page, const pby_explanation *x, pby_error *err);

/* Its drawings, each with its caption, or a sentence where there is nothing to draw. PBY_OK unless memory is
 * short or a loss that is asked for fails. */
PBY_CHECKED
pby_status pby_explain_law(FILE *out, const pby_explanation *x, pby_error *err);
PBY_CHECKED
pby_status pby_explain_pair(FILE *out, const pby_explanation *x, pby_error *err);
PBY_CHECKED
pby_status pby_explain_profile(FILE *out, const pby_explanation *x, pby_error *err);

/* [lo, hi], or the one number that both are, as text of the page. */
void pby_explain_enclosure(FILE *out, const pby_enclosure *e, unsigned digits);

/* The entry of docs/bibliography.md whose key the source of a claim begins a row with (Flex/Corollary 3);
 * NULL where there is none. */
typedef struct pby_citation {
    const char *key, *text;
} pby_citation;
extern const pby_citation pby_citations[]; /* ended by one without a key */
const pby_citation *pby_citation_in(const char *source);

#endif
