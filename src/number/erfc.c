/* SPDX-License-Identifier: MIT */
#include "number/erfc.h"
#include "number/scoped.h"

#include <arb_hypgeom.h>

/* With r the ball's radius, erfc anywhere in it is erfc(middle) exp(d) with |d| <= 2 (|x| + 1) r, because
 * |(log erfc)'(x)| < 2 (|x| + 1): for x >= 0 by Birnbaum's bound phi(t)/Phi(-t) < (t + sqrt(t^2 + 4))/2 at
 * t = sqrt(2) x, and for x < 0 because erfc(x) > 1. Arb adds an absolute error instead, exp(-x^2) in 30 bits,
 * which outweighs erfc(x) by 2^(x^2 / 2^30) or so: by more than any precision takes off, far out. */
void pby_erfc(arb_t out, const arb_t x, slong prec)
{
    PBY_MAG(d);
    PBY_ARB(factor, middle);
    arb_get_mag(d, x);
    mag_add_ui(d, d, 1);
    mag_mul(d, d, arb_radref(x));
    mag_mul_2exp_si(d, d, 1);
    if (mag_cmp_2exp_si(d, 0) > 0) {
        arb_hypgeom_erfc(out, x, prec);
    } else {
        arb_set_arf(middle, arb_midref(x));
        arb_add_error_mag(factor, d);
        arb_exp(factor, factor, prec);
        arb_hypgeom_erfc(out, middle, prec);
        arb_mul(out, out, factor, prec);
    }
}
