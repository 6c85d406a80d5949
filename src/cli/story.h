/* What is told of each family, in words: what it is, what neighbours are to it, which pair is the worst, and
 * where that is proved. A test holds every row to the files and functions that it names. */
#ifndef PBY_CLI_STORY_H
#define PBY_CLI_STORY_H

#include "mechanism/family.h"

enum { PBY_STORY_PAGES = 3, PBY_STORY_KERNEL = 2 };

/* A function of the kernel, and the header in src/kernel that has its contract. */
typedef struct pby_proved {
    const char *name, *header;
} pby_proved;

typedef struct pby_story {
    const pby_family *family;
    const char *with;          /* only for a mechanism that was given this parameter; NULL for any */
    const char *what;
    const char *neighbours[2]; /* by pby_neighbours */
    const char *pair[2];
    const char *accuracy;      /* where it is not that no bar gains and none loses more than so many */
    const char *pages[PBY_STORY_PAGES]; /* in docs/theory, the one about the pair first */
    pby_proved kernel[PBY_STORY_KERNEL]; /* what releases, up to the first without a name */
} pby_story;

/* The rows, ended by one without a family. */
extern const pby_story pby_stories[];

/* The first row that is about the mechanism; NULL for a family without one. */
const pby_story *pby_story_of(const pby_mechanism *m);

#endif
