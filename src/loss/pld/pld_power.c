/* SPDX-License-Identifier: MIT */
/* Powers of privacy-loss distributions, by squaring. */
#include "loss/pld/pld.h"
#include "number/scoped.h"

/* A power of so many losses goes over to a coarser grid if it may. One of LONG looks ahead first, on coarser
 * grids that keep it below SHORT. */
enum { MANY = 1 << 15, LONG = 1 << 17, SHORT = 1 << 12 };

/* now = first^reached, and the bits of times below `bit` are still to come. What stands here for one loss is
 * `rough` losses of the power that is asked for. */
struct power {
    pby_pld now, first;
    uint64_t times, reached;
    unsigned bit;
    slong log_budget, rough;
    const pby_coarser *coarser; /* NULL: never */
};

static void copy_pld(pby_pld *out, const pby_pld *from)
{
    pby_pld_init(out, from->bits, from->upper);
    fmpz_poly_set(out->mass, from->mass);
    fmpz_set(out->infinite, from->infinite);
    out->low = from->low;
    out->grain = from->grain;
}

/* Mass that is cut from the power `reached` weighs times/reached as much in the end, and there are at most
 * two cuts for every bit of times. */
static void trim_share(pby_pld *pld, uint64_t reached, const struct power *p)
{
    fmpz_t share;
    fmpz_init_set_ui(share, reached);
    fmpz_mul_2exp(share, share, (flint_bitcnt_t)p->log_budget);
    fmpz_fdiv_q_ui(share, share, p->times);
    fmpz_fdiv_q_ui(share, share, 2 * FLINT_BIT_COUNT(p->times));
    pby_pld_trim(pld, share);
    fmpz_clear(share);
}

/* now *= first^uses, which is the factor. */
static pby_status multiply_by(struct power *p, const pby_pld *factor, uint64_t uses, pby_error *err)
{
    pby_pld product;
    pby_pld_init(&product, factor->bits, factor->upper);
    const pby_status status = pby_pld_mul(&product, &p->now, factor, err);
    if (status == PBY_OK) {
        pby_pld_swap(&p->now, &product);
        p->reached += uses;
        trim_share(&p->now, p->reached, p);
    }
    pby_pld_clear(&product);
    return status;
}

/* ---- coarser grids ---------------------------------------------------------------------------- */

/* True if a grain of g may double: g^2 <= reached ease. */
static bool may_coarsen(const struct power *p, slong grain)
{
    if (p->coarser == NULL)
        return false;
    fmpz_t reached;
    PBY_FMPQ(most, square);
    fmpz_init_set_ui(reached, p->reached);
    fmpq_mul_fmpz(most, p->coarser->ease, reached);
    fmpq_set_si(square, grain, 1);
    fmpq_mul_si(square, square, grain);
    const bool may = fmpq_cmp(square, most) <= 0;
    fmpz_clear(reached);
    return may;
}

static void coarsen_while_many(struct power *p)
{
    while (fmpz_poly_length(p->now.mass) > MANY && may_coarsen(p, p->now.grain)) {
        pby_pld_coarsen(&p->now, p->coarser->step);
        pby_pld_coarsen(&p->first, p->coarser->step);
    }
}

static pby_status step(struct power *p, pby_error *err)
{
    pby_status status = PBY_OK;
    p->bit--;
    if (p->reached > 0)
        status = multiply_by(p, &p->now, p->reached, err);
    if (status == PBY_OK && (p->times >> p->bit & 1) != 0)
        status = multiply_by(p, &p->first, 1, err);
    return status;
}

/* ---- looking ahead ---------------------------------------------------------------------------- */

static slong half_of(slong index)
{
    return (index - (index & 1)) / 2;
}

/* Each loss goes to the grid of twice the step, and down where it lies between two points: lengths are all
 * that is asked for. */
static void halve(pby_pld *pld)
{
    const slong low = half_of(pld->low);
    fmpz_poly_t mass;
    fmpz_poly_init2(mass, fmpz_poly_length(pld->mass) / 2 + 1);
    for (slong i = 0; i < fmpz_poly_length(pld->mass); i++) {
        const slong at = half_of(pld->low + i) - low;
        fmpz_add(mass->coeffs + at, mass->coeffs + at, pld->mass->coeffs + i);
        _fmpz_poly_set_length(mass, at + 1);
    }
    fmpz_poly_swap(pld->mass, mass);
    fmpz_poly_clear(mass);
    pld->low = low;
}

/* Refuses if the products to come will not fit, as far as grids of SHORT losses tell: their lengths are right
 * to a few parts in SHORT, and one in LENIENT is allowed, so that nothing is refused here that would fit. */
static pby_status look_ahead(const struct power *p, pby_error *err)
{
    enum { LENIENT = 64 };
    struct power q = *p;
    slong grain = p->now.grain; /* that the power will have */
    pby_status status = PBY_OK;
    copy_pld(&q.now, &p->now);
    copy_pld(&q.first, &p->first);
    while (q.bit > 0 && status == PBY_OK) {
        for (; fmpz_poly_length(q.now.mass) > SHORT; q.rough *= 2) {
            halve(&q.now);
            halve(&q.first);
        }
        for (; q.rough > 1 && q.rough * fmpz_poly_length(q.now.mass) > MANY && may_coarsen(&q, grain);
             grain *= 2)
            q.rough /= 2;
        const slong losses = 2 * q.rough * fmpz_poly_length(q.now.mass);
        status = pby_product_fits(losses - losses / LENIENT, q.now.bits, err);
        if (status == PBY_OK)
            status = step(&q, err);
    }
    pby_pld_clear(&q.first);
    pby_pld_clear(&q.now);
    return status;
}

/* ---- the power -------------------------------------------------------------------------------- */

pby_status pby_pld_power(pby_pld *pld, const pby_pld *base, uint64_t times, const pby_coarser *coarser,
                         slong log_budget, pby_error *err)
{
    struct power p = {.times = times,
                      .bit = (unsigned)FLINT_BIT_COUNT(times),
                      .log_budget = log_budget,
                      .rough = 1,
                      .coarser = coarser};
    pby_status status = PBY_OK;
    bool looked = false;
    copy_pld(&p.first, base);
    trim_share(&p.first, 1, &p);
    pby_pld_init(&p.now, base->bits, base->upper);
    pby_pld_one(&p.now);
    while (p.bit > 0 && status == PBY_OK) {
        coarsen_while_many(&p);
        if (!looked && fmpz_poly_length(p.now.mass) > LONG) {
            looked = true;
            status = look_ahead(&p, err);
        }
        if (status == PBY_OK)
            status = step(&p, err);
    }
    pby_pld_swap(pld, &p.now);
    pby_pld_clear(&p.first);
    pby_pld_clear(&p.now);
    return status;
}
