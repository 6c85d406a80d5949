#include "mechanism/story.h"

const pby_story *pby_story_of(const pby_mechanism *m)
{
    const pby_story *story = m->family->stories;
    while (story->with != PBY_ROLE_NONE && pby_mechanism_value(m, story->with) == NULL)
        story++;
    return story;
}

void pby_story_sample(pby_story *story)
{
    *story = (pby_story){
        .what = story->what,
        .neighbours = {story->neighbours[PBY_ADD_REMOVE]},
        .pair =
            {"each record is seen with chance R, the sample: ((1-R) Q + R P, Q) where one is removed and (P, "
             "(1-R) P + R Q) where it is added, of the pair P, Q without a sample, the law and the law "
             "shifted by the sensitivity"},
        .accuracy = "none: nothing that samples is released",
        .pages = {"sampling.md", story->pages[0]},
    };
}
