/* SPDX-License-Identifier: MIT */
/* scatter:table=SHA256: a first step in front of mechanisms that release a histogram.
 *
 * Every record of a key moves to a new key, by the chances of a public table and by itself. The moves of all
 * records but one may be the same for two neighbours, so that these stay neighbours or become equal, and what
 * stands behind loses no more (docs/theory/random-functions.md). The digest says which table, so that
 * certificates and ledgers name it; the release draws (release/scattered.h). */
#include "mechanism/family.h"
#include "mechanism/spec/story.h"

static const pby_story scatter_stories[] = {
    {.what = "A first step in front of other mechanisms: every record moves to a new key, drawn by the "
             "chances of a public table, each by itself. The digest names the table. No program can check "
             "that the table does not come from the data.",
     .accuracy = "every record is counted, under its new key",
     .pages = {"random-functions.md", "stabilise.md", "sampling.md"},
     .kernel = {{"pby_ones", "thin.h"}, {"pby_thin", "thin.h"}}},
    {.what = NULL},
};

static const char *const scatter_examples[] = {
    "scatter:table=55ce852260678bc892d0997920f0dc75dcba920fe5038f28f72987f403e3434f", NULL};

static const char *const scatter_manual[] = {
    "scatter:table=SHA256",
    "Records move at random, by a public table that is named by its SHA-256: a first step in front of other "
    "mechanisms, whose loss stays what it is. Alone it is not private.",
    NULL,
};

const pby_family pby_family_scatter = {
    .name = "scatter",
    .summary = "records that move at random, a first step in front of others",
    .relations = PBY_CENTRAL,
    .parameters = {{"table", PBY_DIGEST, NULL, "table=SHA256, that of the table of chances", PBY_ROLE_TABLE}},
    .first = true,
    .stories = scatter_stories,
    .manual = scatter_manual,
    .examples = scatter_examples,
};
