/* SPDX-License-Identifier: MIT */
#include "mechanism/privacy/privacy.h"

#include "mechanism/family.h"

void pby_promise_init(pby_promise *p)
{
    p->made = p->bounded = false;
    p->constant = NULL;
    fmpq_init(p->xi);
    fmpq_init(p->rho);
    fmpq_init(p->most);
}

void pby_promise_set(pby_promise *out, const pby_promise *p)
{
    out->made = p->made;
    out->bounded = p->bounded;
    out->constant = p->constant;
    fmpq_set(out->xi, p->xi);
    fmpq_set(out->rho, p->rho);
    fmpq_set(out->most, p->most);
}

void pby_promise_clear(pby_promise *p)
{
    fmpq_clear(p->xi);
    fmpq_clear(p->rho);
    fmpq_clear(p->most);
}

static void set_usual(pby_privacy *p, const pby_family *family)
{
    p->paired = family->list[PBY_ABOVE] != NULL;
    p->loose = family->loose;
    p->interval = family->interval;
    p->searched = family->list[PBY_BELOW] != NULL;
    p->product = family->factor != NULL;
    p->single = family->list[PBY_ONCE] != NULL ? PBY_SINGLE_EXACT : PBY_SINGLE_NONE;
}

void pby_privacy_init(pby_privacy *p, const pby_mechanism *m)
{
    *p = (pby_privacy){.paired = false};
    fmpq_init(p->units);
    fmpq_init(p->base);
    pby_promise_init(&p->promise);
    set_usual(p, m->family);
    if (m->family->privacy != NULL)
        m->family->privacy(p, m);
}

void pby_privacy_clear(pby_privacy *p)
{
    fmpq_clear(p->units);
    fmpq_clear(p->base);
    pby_promise_clear(&p->promise);
}

pby_family pby_family_as_attained(const pby_family *family)
{
    pby_family bound = *family;
    for (size_t i = 0; i < PBY_LISTS; i++)
        bound.list[i] = i == PBY_ABOVE ? family->list[i] : NULL;
    bound.loose = false;
    bound.select = NULL;
    return bound;
}
