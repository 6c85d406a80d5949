/* What is told of each family, in words: what it is, what neighbours are to it, which pair is the worst, and
 * where that is proved. A test holds every story to the files and functions that it names. */
#ifndef PBY_MECHANISM_STORY_H
#define PBY_MECHANISM_STORY_H

#include "mechanism/family.h"

enum { PBY_STORY_PAGES = 3, PBY_STORY_KERNEL = 2 };

/* A function of the kernel, and the header in src/kernel that has its contract. */
typedef struct pby_proved {
    const char *name, *header;
} pby_proved;

struct pby_story {
    pby_role with;    /* only for a mechanism that was given such a parameter; PBY_ROLE_NONE for any */
    const char *what; /* NULL behind the last story */
    const char *neighbours[3]; /* by pby_neighbours; NULL for what the family is not about */
    const char *pair[3];
    const char *accuracy; /* where it is not that no bar gains and none loses more than so many */
    const char *pages[PBY_STORY_PAGES];  /* in docs/theory, the one about the pair first */
    pby_proved kernel[PBY_STORY_KERNEL]; /* what releases, up to the first without a name */
};

/* The first story of its family that is about the mechanism. */
const pby_story *pby_story_of(const pby_mechanism *m);

/* The story of a mechanism that sees each record with some chance, out of that of the one that sees all. */
void pby_story_sample(pby_story *story);

/* ---- phrases that several families share ----------------------------------------------------- */

#define PBY_STORY_ONE_BAR                                              \
    {                                                                  \
        "one record more or fewer: one bar moves by one",              \
            "one record changed: one bar loses one, another gains one" \
    }
#define PBY_STORY_A_QUERY                                                                                    \
    {                                                                                                        \
        "one record more or fewer: the query moves by at most the sensitivity",                              \
            "one record changed: the query moves by at most the sensitivity, which is then that of a change" \
    }
#define PBY_STORY_SCORES                                                                                \
    {                                                                                                   \
        "one record more or fewer: no score moves by more than the sensitivity",                        \
            "one record changed: no score moves by more than the sensitivity, which is then that of a " \
            "change"                                                                                    \
    }
#define PBY_STORY_A_HISTOGRAM                                                                                \
    {                                                                                                        \
        "one record more or fewer: the query, or all bars together, move by at most the sensitivity",        \
            "one record changed: the same, with the sensitivity of a change, which for a histogram is 2 or " \
            "more"                                                                                           \
    }
#define PBY_STORY_SPREAD                                                                             \
    {                                                                                                \
        "one record more or fewer: bars move by the sensitivity in all, and may appear or vanish",   \
            "one record changed: bars move by the sensitivity in all, 2 or more, some up, some down" \
    }
#define PBY_STORY_PUBLIC_BARS                                                                                \
    {                                                                                                        \
        "one record more or fewer: bars, which are public, move by the sensitivity in all",                  \
            "one record changed: bars, which are public, move by the sensitivity in all, some up, some down" \
    }
#define PBY_STORY_ANY                                                                                       \
    {                                                                                                       \
        "one record more or fewer, as its guarantee has it", "one record changed, as its guarantee has it", \
            "any two values of one user, as its guarantee has it"                                           \
    }

#define PBY_STORY_NOISE(what) \
    what " within b of the truth, but for a chance that probity accuracy --beta b encloses"
#define PBY_STORY_FULL_SHIFT \
    "the law and the law shifted by the sensitivity, its own reverse: no smaller shift is worse"

#endif
