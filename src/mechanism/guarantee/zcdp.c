/* SPDX-License-Identifier: MIT */
/* zcdp:rho=r[,xi=x]: any mechanism that is zero-concentrated differentially private: its Renyi
 * divergence of order a is at most x + r a between neighbours, for every a > 1.
 *
 * Known by that promise alone.
 */
#include "mechanism/family.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { RHO, XI };

static void zcdp_privacy(pby_privacy *p, const pby_mechanism *m)
{
    p->promise.made = true;
    fmpq_set(p->promise.xi, &m->value[XI]);
    fmpq_set(p->promise.rho, &m->value[RHO]);
}

/* (xi k (1 + 1/2 + ... + 1/k), k^2 rho), by docs/theory/groups.md */
static void zcdp_grow(pby_mechanism *m, unsigned long size)
{
    PBY_FMPQ(by);
    fmpq_set_ui(by, size, 1);
    fmpq_mul(&m->value[RHO], &m->value[RHO], by);
    fmpq_mul(&m->value[RHO], &m->value[RHO], by);
    if (!fmpq_is_zero(&m->value[XI])) {
        fmpq_mul(&m->value[XI], &m->value[XI], by);
        fmpq_harmonic_ui(by, size);
        fmpq_mul(&m->value[XI], &m->value[XI], by);
    }
}

static const pby_story zcdp_stories[] = {
    {.what =
         "Any mechanism whose Renyi divergence of every order a between neighbours is at most xi + rho a; "
         "nothing else about it is used. Its epsilon and delta are the most of any such mechanism.",
     .neighbours = PBY_STORY_ANY,
     .pair = {"two coins that keep the promise", "two coins that keep the promise",
              "two coins that keep the promise"},
     .accuracy = "none: only the privacy of the mechanism is known",
     .pages = {"conversions.md", "zcdp.md"}},
    {.what = NULL},
};

static const char *const zcdp_examples[] = {"zcdp:rho=1/10", "zcdp:rho=1/10,xi=1/100", NULL};

#define LESS_RHO "a promise of a smaller rho is one of every greater rho"

static const pby_select_row zcdp_selection = {
    .chosen = PBY_ROLE_RHO,
    .monotone = LESS_RHO,
    .rho_monotone = LESS_RHO,
    .never_zero = "the loss of such a mechanism may have no largest value",
    .binds = "the resolution",
};

static const char *const zcdp_manual[] = {
    "zcdp:rho=R[,xi=X]",
    "Any mechanism whose divergence of every order a is at most X + R a, for loss only.",
    NULL,
};

const pby_family pby_family_zcdp = {
    .name = "zcdp",
    .summary = "a guarantee: zero-concentrated differential privacy",
    .instead = "a promise has none; name the mechanism that keeps it",
    .relations = PBY_EVERY_RELATION,
    .parameters = {{"rho", PBY_POSITIVE, NULL, "rho=R, what the divergence grows by with its order, above 0",
                    PBY_ROLE_RHO},
                   {"xi", PBY_NOT_NEGATIVE, "0", "xi=X, what the divergence starts from, from 0 on",
                    PBY_ROLE_XI}},
    .privacy = zcdp_privacy,
    .grow = zcdp_grow,
    .select = &zcdp_selection,
    .stories = zcdp_stories,
    .manual = zcdp_manual,
    .examples = zcdp_examples,
};
