/* rdp:order=a,eps=e: any mechanism whose Renyi divergence of order a is at most e between neighbours.
 *
 * Known by that promise alone. Divergences never fall as the order grows, so that the promise holds at
 * every order up to a; beyond it nothing is known.
 */
#include "mechanism/family.h"
#include "mechanism/story.h"

enum { ORDER, EPS };

static void rdp_promise(pby_promise *out, const pby_mechanism *m)
{
    fmpq_set(out->xi, &m->value[EPS]);
    fmpq_zero(out->rho);
    fmpq_set(out->most, &m->value[ORDER]);
    out->bounded = true;
}

static const pby_story rdp_stories[] = {
    {.what = "Any mechanism whose Renyi divergence of that order is at most eps between neighbours, known by "
             "that "
             "alone. Its epsilon and delta are conversions.",
     .neighbours = PBY_STORY_ANY,
     .pair = {"none: a promise about a divergence, not a pair",
              "none: a promise about a divergence, not a pair",
              "none: a promise about a divergence, not a pair"},
     .accuracy = "none: only its privacy is known",
     .pages = {"conversions.md", "renyi.md"}},
    {.what = NULL},
};

static const char *const rdp_examples[] = {"rdp:order=8,eps=1/2", NULL};

static const char *const rdp_manual[] = {
    "rdp:order=A,eps=E",
    "Any mechanism whose Rényi divergence of order A is at most E, for loss alone.",
    NULL,
};

const pby_family pby_family_rdp = {
    .name = "rdp",
    .summary = "a guarantee: the Renyi divergence of one order",
    .relations = PBY_EVERY_RELATION,
    .parameters = {{"order", PBY_ABOVE_ONE, NULL, "order=A, the order of the divergence, a rational above 1",
                    PBY_ROLE_ORDER},
                   {"eps", PBY_POSITIVE, NULL, "eps=E, what the divergence is at most, a rational above 0",
                    PBY_ROLE_EPSILON}},
    .promise = rdp_promise,
    .stories = rdp_stories,
    .manual = rdp_manual,
    .examples = rdp_examples,
};
