#include "select/order.h"

enum { INTEGER_LAST = 1 << 17 };

static const fmpq *eps_of(const pby_mechanism *m)
{
    return pby_mechanism_value(m, PBY_ROLE_EPSILON);
}

static int64_t natural_of(const pby_mechanism *m, const char *parameter)
{
    return pby_mechanism_natural(m, pby_family_find(m->family, parameter));
}

static int64_t sensitivity_of(const pby_mechanism *m)
{
    return natural_of(m, "sensitivity");
}

/* ---- the first and the last ------------------------------------------------------------------- */

static int64_t one(const pby_mechanism *m)
{
    (void)m;
    return 1;
}

/* From 3 on the two ends of the law lie on either side of its middle. */
static int64_t stlap_from(const pby_mechanism *m)
{
    (void)m;
    return 3;
}

/* Where a shift is 2 bound, one heap lies on the other. */
static int64_t tgeometric_from(const pby_mechanism *m)
{
    return sensitivity_of(m) / 2 + 1;
}

/* As long as the two intervals have no point in common, shorter ones suppress more. */
static int64_t range_from(const pby_mechanism *m)
{
    const int64_t half = sensitivity_of(m) / 2;
    return half > 1 ? half : 1;
}

/* The least integer that is not below spread (log2(1/delta) + 60)/eps: what a law of rate eps/spread has
 * beyond it is less than 2^-60 of delta. */
static int64_t horizon(const pby_mechanism *m, const pby_target *target, int64_t spread)
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

static int64_t stlap_last(const pby_mechanism *m, const pby_target *target)
{
    return horizon(m, target, 2);
}

static int64_t sensitive_last(const pby_mechanism *m, const pby_target *target)
{
    return horizon(m, target, sensitivity_of(m));
}

/* No more than the pairs may have outcomes (mechanism/tgeometric.c). */
static int64_t tgeometric_last(const pby_mechanism *m, const pby_target *target)
{
    const int64_t last = sensitive_last(m, target), sensitivity = sensitivity_of(m),
                  most = (PBY_ATOMS_MAX / sensitivity - sensitivity - 1) / 2;
    return last < most ? last : most;
}

/* ---- the floors ------------------------------------------------------------------------------- */

/* x = exp(-eps far/spread) */
static void decay(arb_t x, const pby_mechanism *m, int64_t far, int64_t spread, slong prec)
{
    fmpq_t level;
    fmpq_init(level);
    fmpq_set_si(level, -far, (ulong)spread);
    fmpq_mul(level, level, eps_of(m));
    arb_set_fmpq(x, level, prec);
    arb_exp(x, x, prec);
    fmpq_clear(level);
}

/* The lowest outcome is a half cell: (exp(eps/2) - 1)/(2 (exp(eps q/2) - 1)). */
static void stlap_floor(arb_t floor, const pby_mechanism *m, slong prec)
{
    arb_t all;
    arb_init(all);
    decay(floor, m, -1, 2, prec);
    decay(all, m, -natural_of(m, "q"), 2, prec);
    arb_sub_ui(floor, floor, 1, prec);
    arb_sub_ui(all, all, 1, prec);
    arb_div(floor, floor, all, prec);
    arb_mul_2exp_si(floor, floor, -1);
    arb_clear(all);
}

/* a^far/(1 + a), the chance that noise of rate eps/D is at least far, a = exp(-eps/D). */
static void upper_tail(arb_t tail, const pby_mechanism *m, int64_t far, slong prec)
{
    arb_t a;
    arb_init(a);
    decay(tail, m, far, sensitivity_of(m), prec);
    decay(a, m, 1, sensitivity_of(m), prec);
    arb_add_ui(a, a, 1, prec);
    arb_div(tail, tail, a, prec);
    arb_clear(a);
}

/* A shift by 1 leaves the heap at the lower end alone; one by more than 2 bound has nothing in common with no
 * shift. */
static void tgeometric_floor(arb_t floor, const pby_mechanism *m, slong prec)
{
    const int64_t bound = natural_of(m, "bound");
    if (2 * bound < sensitivity_of(m))
        arb_one(floor);
    else
        upper_tail(floor, m, bound, prec);
}

/* A new bar of one record. */
static void threshold_floor(arb_t floor, const pby_mechanism *m, slong prec)
{
    upper_tail(floor, m, natural_of(m, "T") - 1, prec);
}

/* A bar that moves by all of D: where its intervals have no point in common, all that is published; otherwise
 * noise from -L to D - L - 1. */
static void range_floor(arb_t floor, const pby_mechanism *m, slong prec)
{
    const int64_t reach = natural_of(m, "L"), all = sensitivity_of(m);
    arb_t beyond;
    arb_init(beyond);
    upper_tail(beyond, m, reach + 1, prec);
    if (2 * reach < all) {
        arb_mul_2exp_si(beyond, beyond, 1);
        arb_sub_ui(floor, beyond, 1, prec);
        arb_neg(floor, floor);
    } else if (all <= reach) {
        upper_tail(floor, m, reach - all + 1, prec);
        arb_sub(floor, floor, beyond, prec);
    } else {
        upper_tail(floor, m, all - reach, prec);
        arb_add(floor, floor, beyond, prec);
        arb_sub_ui(floor, floor, 1, prec);
        arb_neg(floor, floor);
    }
    arb_clear(beyond);
}

void pby_integers_floor(arb_t floor, const pby_integers *integers, const pby_mechanism *m, unsigned long uses,
                        slong prec)
{
    integers->floor(floor, m, prec);
    arb_sub_ui(floor, floor, 1, prec);
    arb_neg(floor, floor);
    arb_pow_ui(floor, floor, uses, prec);
    arb_sub_ui(floor, floor, 1, prec);
    arb_neg(floor, floor);
}

/* ---- the tails -------------------------------------------------------------------------------- */

/* A law on a longer interval, given that of the shorter one about the same middle, is the shorter one's; it
 * leaves that with a chance of at most exp(-eps q/2). A record is in one bar, a changed one in two. */
static void stlap_tail(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec)
{
    decay(tail, m, natural_of(m, "q"), 2, prec);
    arb_mul_2exp_si(tail, tail, relation == PBY_SUBSTITUTE);
}

/* Noise clipped farther out is other noise only beyond the bound. */
static void tgeometric_tail(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec)
{
    (void)relation;
    decay(tail, m, natural_of(m, "bound"), sensitivity_of(m), prec);
    arb_mul_2exp_si(tail, tail, 1);
}

/* Of the pairs only new bars know of T: at most D of them, each of at most D, and the noise must lift one to
 * T. */
static void threshold_tail(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec)
{
    (void)relation;
    const int64_t sensitivity = sensitivity_of(m);
    decay(tail, m, natural_of(m, "T") - sensitivity, sensitivity, prec);
    arb_mul_si(tail, tail, sensitivity, prec);
}

/* At most D bars differ, and each says something else only if its noise is beyond L. */
static void range_tail(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec)
{
    (void)relation;
    const int64_t sensitivity = sensitivity_of(m);
    decay(tail, m, natural_of(m, "L"), sensitivity, prec);
    arb_mul_si(tail, tail, 2 * sensitivity, prec);
}

const pby_integers pby_integers_stlap = {2, stlap_from, stlap_last, stlap_floor, stlap_tail};
const pby_integers pby_integers_tgeometric = {1, tgeometric_from, tgeometric_last, tgeometric_floor,
                                              tgeometric_tail};
const pby_integers pby_integers_threshold = {1, one, sensitive_last, threshold_floor, threshold_tail};
const pby_integers pby_integers_range = {1, range_from, sensitive_last, range_floor, range_tail};
