/* SPDX-License-Identifier: MIT */
/* The papers whose claims are compared, as docs/bibliography.md has them, which a test compares. */
#ifndef PBY_REPORT_EXPLAIN_CITATION_H
#define PBY_REPORT_EXPLAIN_CITATION_H

typedef struct pby_citation {
    const char *key, *text;
} pby_citation;
extern const pby_citation pby_citations[]; /* ended by one without a key */

/* The entry whose key the source of a claim begins a row with (Flex/Corollary 3); NULL where there is none.
 */
const pby_citation *pby_citation_in(const char *source);

#endif
