#include "mechanism/story.h"

const pby_story *pby_story_of(const pby_mechanism *m)
{
    const pby_story *story = m->family->stories;
    while (story->with != PBY_ROLE_NONE && pby_mechanism_value(m, story->with) == NULL)
        story++;
    return story;
}
