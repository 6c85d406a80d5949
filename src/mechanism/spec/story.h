/* SPDX-License-Identifier: MIT */
/* The texts of `probity explain` about each family: what it does, what neighbours are, which pair is the
 * worst, and where that is proved. A test checks that the files and functions that a story names exist. */
#ifndef PBY_MECHANISM_SPEC_STORY_H
#define PBY_MECHANISM_SPEC_STORY_H

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
    const char *accuracy; /* NULL where no count grows and none loses more than a fixed number */
    const char *pages[PBY_STORY_PAGES];  /* in docs/theory, the one about the pair first */
    pby_proved kernel[PBY_STORY_KERNEL]; /* what releases, up to the first without a name */
};

/* The first story of its family that is about the mechanism. */
const pby_story *pby_story_of(const pby_mechanism *m);

/* The story of a mechanism that sees each record with some chance, out of that of the one that sees all. */
void pby_story_sample(pby_story *story);

/* That of a mechanism on samples that are truncated. */
void pby_story_truncate(pby_story *story);

/* That of a mechanism on samples of fixed size. */
void pby_story_fix(pby_story *story);

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
        "one record more or fewer: the query changes, or all counts together change, by at most the "        \
        "sensitivity",                                                                                       \
            "one record changed: the same, with the sensitivity of a change, which for a histogram is 2 or " \
            "more"                                                                                           \
    }
#define PBY_STORY_SPREAD                                                                                   \
    {                                                                                                      \
        "one record more or fewer: the counts change by the sensitivity in total, and bars may appear or " \
        "vanish",                                                                                          \
            "one record changed: the counts change by the sensitivity in total, 2 or more, some up, some " \
            "down"                                                                                         \
    }
#define PBY_STORY_PUBLIC_BARS                                                                             \
    {                                                                                                     \
        "one record more or fewer: the counts of public bars change by the sensitivity in total",         \
            "one record changed: the counts of public bars change by the sensitivity in total, some up, " \
            "some down"                                                                                   \
    }
#define PBY_STORY_ANY                                                                               \
    {                                                                                               \
        "one record more or fewer, as in its guarantee", "one record changed, as in its guarantee", \
            "any two values of one user, as in its guarantee"                                       \
    }

#define PBY_STORY_RANDOM                                                                                     \
    {                                                                                                        \
        "one record more or fewer: all but theta of the answer's law moves by at most the sensitivity",      \
            "one record changed: all but theta of the answer's law moves by at most the sensitivity, which " \
            "is then that of a change"                                                                       \
    }

#define PBY_STORY_ASSUMED                                                                           \
    "No program can check that no record moves a score by more than the sensitivity, and that the " \
    "candidates do not come from the data."
#define PBY_STORY_NOISE(what) \
    what " within b of the truth; probity accuracy --beta b encloses the probability of a larger error"
#define PBY_STORY_DRAWN                                                                             \
    "the release is within b of the answer that was drawn; probity accuracy --beta b encloses the " \
    "probability of a larger error"
#define PBY_STORY_REVEALED                                                                            \
    "with probability theta the input is revealed; otherwise the noise and the noise shifted by the " \
    "sensitivity"
#define PBY_STORY_FULL_SHIFT \
    "the noise and the noise shifted by the sensitivity, alike in both orders: no smaller shift is worse"

#endif
