/* SPDX-License-Identifier: MIT */
#include "mechanism/spec/story.h"

const pby_story *pby_story_of(const pby_mechanism *m)
{
    const pby_story *story = m->family->stories;
    while (story->with != PBY_ROLE_NONE &&
           (story->with == PBY_ROLE_ALLOCATE ? !pby_mechanism_allocated(m)
                                             : pby_mechanism_value(m, story->with) == NULL))
        story++;
    return story;
}

void pby_story_sample(pby_story *story)
{
    *story = (pby_story){
        .what = story->what,
        .neighbours = {story->neighbours[PBY_ADD_REMOVE]},
        .pair =
            {"each record is in the sample with probability R. Of the pair P and Q without sampling: ((1-R) "
             "Q + R P, Q) where a record is removed, (P, (1-R) P + R Q) where one is added"},
        .accuracy = story->kernel[0].name == NULL
                        ? "none: nothing is drawn"
                        : "none: what the sample leaves out depends on the data. A released count is that of "
                          "the sample, R times the true one on average",
        .pages = {"sampling.md", story->pages[0]},
        .kernel = {story->kernel[0], {story->kernel[0].name == NULL ? NULL : "pby_thin", "thin.h"}},
    };
}

void pby_story_truncate(pby_story *story)
{
    *story = (pby_story){
        .what = story->what,
        .neighbours =
            {"one record more or fewer. The query is a sum over records, each of which adds at most "
             "the sensitivity"},
        .pair =
            {"each record is in the sample with probability R; of more than B a random B are used. With "
             "the chance that others fill the batch: that of the sample with twice the sensitivity, since "
             "a record takes the place of another; else that of the sample. The lower end is that of the "
             "sample alone"},
        .accuracy = "none: nothing is drawn",
        .pages = {"sampling.md", story->pages[0]},
    };
}

void pby_story_fix(pby_story *story)
{
    *story = (pby_story){
        .what = story->what,
        .neighbours = {NULL, story->neighbours[PBY_SUBSTITUTE]},
        .pair = {NULL,
                 "a sample has the share R of all records, drawn without replacement. Of the pair P and Q "
                 "without sampling: the worse of ((1-R) Q + R P, Q) and (P, (1-R) P + R Q) at each epsilon. "
                 "One use has that loss; several are enclosed, and the ends of the enclosure do not meet"},
        .accuracy = "none: no sample of fixed size is drawn",
        .pages = {"sampling.md", story->pages[0]},
    };
}
