/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/estimator.h"

void pby_chances_init(pby_chances *c, const pby_mechanism *m)
{
    pby_expsum_init(c->p);
    pby_expsum_init(c->q);
    pby_expsum_init(c->norm);
    m->family->estimator->chances(c, m);
}

void pby_chances_clear(pby_chances *c)
{
    pby_expsum_clear(c->norm);
    pby_expsum_clear(c->q);
    pby_expsum_clear(c->p);
}
