/* Groups: inputs that are several neighbours apart (public face: probity/loss.h).
 *
 * A mechanism of additive noise with a sensitivity is the same mechanism with a greater one; its pair is
 * the law shifted further, which is exact. A guarantee becomes another guarantee:
 *
 *   pure  e                 k e
 *   zcdp  (xi, rho)         (xi k (1 + 1/2 + ... + 1/k), k^2 rho)
 *   rdp   order a, e        order 1/(1 - u^k), e (1 + 1/u + ... + 1/u^(k-1)), u = 1 - 1/a
 *   any   delta(e) at e     delta(e) (1 + exp(e) + ... + exp((k-1) e)) at k e
 */
#ifndef PBY_LOSS_GROUP_H
#define PBY_LOSS_GROUP_H

#include "mechanism/family.h"

/* Turns the mechanism into the one that a group of that size sees; false where the family has no such. */
bool pby_mechanism_group(pby_mechanism *m, unsigned long size);

#endif
