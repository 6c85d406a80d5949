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
            {"each record is in the sample with probability R. Of the noise P and the shifted noise Q, the "
             "pair without sampling: ((1-R) Q + R P, Q) where a record is removed, (P, (1-R) P + R Q) where "
             "one is added"},
        .accuracy = "none: probity does not release under sampling",
        .pages = {"sampling.md", story->pages[0]},
    };
}
