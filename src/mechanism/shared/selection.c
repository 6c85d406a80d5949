/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/selection.h"

#include "number/ball.h"
#include "number/scoped.h"

enum { INTEGER_LAST = 1 << 17 };

static const fmpq *eps_of(const pby_mechanism *m)
{
    return pby_mechanism_value(m, PBY_ROLE_EPSILON);
}

int64_t pby_mechanism_integer(const pby_mechanism *m, pby_role role)
{
    return pby_mechanism_natural(m, pby_family_with(m->family, role));
}

void pby_integers_floor(arb_t floor, const pby_integers *integers, const pby_mechanism *m, unsigned long uses,
                        slong prec)
{
    integers->floor(floor, m, prec);
    pby_once_of(floor, uses, prec);
}

int64_t pby_horizon(const pby_mechanism *m, const pby_target *target, int64_t spread)
{
    const ulong bits = mpz_sizeinbase(mpq_denref(target->delta), 2) + 60;
    fmpz_t far;
    fmpz_init_set_si(far, spread);
    fmpz_mul_ui(far, far, bits);
    fmpz_mul(far, far, fmpq_denref(eps_of(m)));
    fmpz_cdiv_q(far, far, fmpq_numref(eps_of(m)));
    const int64_t last = fmpz_cmp_si(far, INTEGER_LAST) < 0 ? fmpz_get_si(far) : INTEGER_LAST;
    fmpz_clear(far);
    return last;
}

int64_t pby_horizon_sensitive(const pby_mechanism *m, const pby_target *target)
{
    return pby_horizon(m, target, pby_mechanism_integer(m, PBY_ROLE_SENSITIVITY));
}

void pby_decay(arb_t x, const pby_mechanism *m, int64_t far, int64_t spread, slong prec)
{
    PBY_FMPQ(level);
    fmpq_set_si(level, -far, (ulong)spread);
    fmpq_mul(level, level, eps_of(m));
    arb_set_fmpq(x, level, prec);
    arb_exp(x, x, prec);
}

void pby_upper_tail(arb_t tail, const pby_mechanism *m, int64_t far, slong prec)
{
    const int64_t sensitivity = pby_mechanism_integer(m, PBY_ROLE_SENSITIVITY);
    PBY_ARB(a);
    pby_decay(tail, m, far, sensitivity, prec);
    pby_decay(a, m, 1, sensitivity, prec);
    arb_add_ui(a, a, 1, prec);
    arb_div(tail, tail, a, prec);
}
