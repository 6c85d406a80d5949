/* SPDX-License-Identifier: MIT */
/* rdp:order=a,eps=e: any mechanism whose Renyi divergence of order a is at most e between neighbours.
 *
 * Known by that promise alone. Divergences never fall as the order grows, so that the promise holds at
 * every order up to a; beyond it nothing is known.
 */
#include "mechanism/family.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { ORDER, EPS, CURVE };

static void rdp_privacy(pby_privacy *p, const pby_mechanism *m)
{
    p->promise.made = p->promise.bounded = true;
    fmpq_set(p->promise.xi, &m->value[EPS]);
    fmpq_set(p->promise.most, &m->value[ORDER]);
}

/* With v = a/(a-1): the order v^k/(v^k - 1), and e (v^k - 1)/(v - 1) = e (a-1)(v^k - 1), by
 * docs/theory/groups.md. */
static void rdp_grow(pby_mechanism *m, unsigned long size)
{
    fmpq *order = &m->value[ORDER], *eps = &m->value[EPS];
    PBY_FMPQ(less, power, rest);
    fmpq_sub_si(less, order, 1);
    fmpq_div(power, order, less);
    fmpq_pow_si(power, power, (slong)size);
    fmpq_sub_si(rest, power, 1);
    fmpq_div(order, power, rest);
    fmpq_mul(eps, eps, less);
    fmpq_mul(eps, eps, rest);
    if (size > 1)
        fmpq_zero(&m->value[CURVE]); /* it is no point of the curve any more */
}

static const pby_story rdp_stories[] = {
    {.what = "Any mechanism whose Renyi divergence of that order between neighbours is at most eps; nothing "
             "else about it is used. Its epsilon and delta are the most of any such mechanism.",
     .neighbours = PBY_STORY_ANY,
     .pair = {"two coins that keep the promise", "two coins that keep the promise",
              "two coins that keep the promise"},
     .accuracy = "none: only the privacy of the mechanism is known",
     .pages = {"conversions.md", "renyi.md"}},
    {.what = NULL},
};

static const char *const rdp_examples[] = {
    "rdp:order=8,eps=1/2",
    "rdp:order=8,eps=1/2,curve=55ce852260678bc892d0997920f0dc75dcba920fe5038f28f72987f403e3434f", NULL};

static const pby_select_row rdp_selection = {
    .chosen = PBY_ROLE_EPSILON,
    .monotone = "a promise of a smaller eps is one of every greater eps",
    .never_zero = "the loss of such a mechanism may have no largest value",
    .binds = "the resolution",
};

static const char *const rdp_manual[] = {
    "rdp:order=A,eps=E[,curve=SHA256]",
    "Any mechanism whose Rényi divergence of order A is at most E, for loss only. The digest names the file "
    "of a curve that this is a point of.",
    NULL,
};

const pby_family pby_family_rdp = {
    .name = "rdp",
    .summary = "a guarantee: the Renyi divergence of one order",
    .instead = "a promise has none; name the mechanism that keeps it",
    .relations = PBY_EVERY_RELATION,
    .parameters = {{"order", PBY_ABOVE_ONE, NULL, "order=A, the order of the divergence, a rational above 1",
                    PBY_ROLE_ORDER},
                   {"eps", PBY_POSITIVE, NULL, "eps=E, what the divergence is at most, a rational above 0",
                    PBY_ROLE_EPSILON},
                   {"curve", PBY_DIGEST, "", "curve=SHA256, that of the file that the promise is a point of",
                    PBY_ROLE_CURVE}},
    .privacy = rdp_privacy,
    .grow = rdp_grow,
    .select = &rdp_selection,
    .stories = rdp_stories,
    .manual = rdp_manual,
    .examples = rdp_examples,
};
