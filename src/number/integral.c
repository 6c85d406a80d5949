/* SPDX-License-Identifier: MIT */
#include "number/integral.h"
#include "number/scoped.h"

#include <acb_calc.h>

/* Bits that the evaluation of the function may lose before the quadrature notices. */
enum { GUARD = 32 };

struct integrand {
    pby_entire f;
    const void *what;
};

/* An entire function needs no check that it is analytic, which is what order 1 asks for. */
static int evaluate(acb_ptr value, const acb_t at, void *param, slong order, slong prec)
{
    const struct integrand *integrand = param;
    (void)order;
    integrand->f(value, at, integrand->what, prec);
    return 0;
}

void pby_integral(arb_t ball, pby_entire f, const void *what, const fmpq_t from, const fmpq_t to, slong prec)
{
    struct integrand integrand = {f, what};
    acb_calc_integrate_opt_t options;
    mag_t tolerance;
    PBY_ACB(sum, left, right);
    mag_init(tolerance); /* 0: the error is to be small beside the integral, not beside 1 */
    arb_set_fmpq(acb_realref(left), from, 2 * prec);
    arb_set_fmpq(acb_realref(right), to, 2 * prec);
    acb_calc_integrate_opt_init(options);
    options->use_heap = 1; /* the worst part first: what is small is only known beside what is large */
    (void)acb_calc_integrate(sum, evaluate, &integrand, left, right, prec, tolerance, options, prec + GUARD);
    acb_get_real(ball, sum);
    mag_clear(tolerance);
}
