/* SPDX-License-Identifier: MIT */
/* Renyi divergences and rho of a spec, for the public face. */
#include "loss/divergence/divergence_zcdp.h"
#include "loss/divergence/reached.h"
#include "loss/loss.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity/experimental/losses.h"

void pby_approximate_init(pby_approximate *x)
{
    pby_enclosure_init(&x->loss);
    pby_enclosure_init(&x->delta);
}

void pby_approximate_clear(pby_approximate *x)
{
    pby_enclosure_clear(&x->loss);
    pby_enclosure_clear(&x->delta);
}

struct query {
    const pby_spectrum *s;
    const fmpq *order;
};

static pby_status order_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct query *query = what;
    return pby_spectrum_at(ball, query->s, query->order, prec, err);
}

static pby_status missing_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct query *query = what;
    pby_spectrum_missing(ball, query->s, prec);
    return PBY_OK;
}

/* Hands out the loss found on the common support: as the answer itself when nothing lies outside it, and
 * beside an infinite one otherwise. No loss is negative. A mere bound is refused; infinity is none. */
static pby_status hand_out(pby_enclosure *out, pby_approximate *beside, const pby_spectrum *s, arb_t loss,
                           unsigned digits, pby_error *err)
{
    const struct query query = {s, NULL};
    pby_status status = PBY_OK;
    if (s->bound && (s->finite || beside != NULL))
        return pby_fail(err, PBY_BAD,
                        "SPEC: the worst neighbours are not known, and only delta and epsilon are enclosed");
    if (beside != NULL) {
        PBY_ARB(delta);
        pby_enclosure_set_arb(&beside->loss, loss, digits);
        status = pby_enclose(delta, missing_ball, &query, digits, err);
        pby_enclosure_set_arb(&beside->delta, delta, digits);
    }
    if (!s->finite)
        arb_pos_inf(loss);
    pby_enclosure_set_arb(out, loss, digits);
    if (s->loose)
        mpfr_set_zero(out->lo, 1);
    return status;
}

/* Raises the lower end of what is only known to lie between. Neighbours of which nothing is known leave it
 * where it is. */
static void raise_lower(pby_enclosure *out, const arb_t reached, unsigned digits)
{
    pby_enclosure x;
    pby_enclosure_init(&x);
    pby_enclosure_set_arb(&x, reached, digits);
    if (mpfr_greater_p(x.lo, out->lo))
        mpfr_swap(x.lo, out->lo);
    pby_enclosure_clear(&x);
}

pby_status pby_loss_renyi(pby_enclosure *renyi, pby_approximate *approximate, const pby_spec *spec,
                          pby_neighbours relation, mpq_srcptr order, unsigned digits, pby_error *err)
{
    if (order != NULL && mpq_cmp_ui(order, 1, 1) < 0)
        return pby_fail(err, PBY_BAD, "order: expected a rational from 1 on, or infinity");
    pby_spectrum s;
    PBY_FMPQ(a);
    PBY_ARB(ball);
    if (order != NULL)
        fmpq_set_mpq(a, order);
    const struct query query = {&s, order == NULL ? NULL : a};
    pby_status status = pby_spectrum_init(&s, spec, relation, err);
    if (status == PBY_OK)
        status = pby_enclose(ball, order_ball, &query, digits, err);
    if (status == PBY_OK)
        status = hand_out(renyi, approximate, &s, ball, digits, err);
    if (status == PBY_OK && s.loose &&
        pby_reached_renyi(ball, spec, relation, query.order, digits, NULL) == PBY_OK)
        raise_lower(renyi, ball, digits);
    pby_spectrum_clear(&s);
    return status;
}

pby_status pby_loss_zcdp(pby_enclosure *rho, pby_approximate *approximate, const pby_spec *spec,
                         pby_neighbours relation, mpq_srcptr xi, unsigned digits, pby_error *err)
{
    if (mpq_sgn(xi) < 0)
        return pby_fail(err, PBY_BAD, "xi is negative: expected a rational from 0 on");
    pby_spectrum s;
    PBY_FMPQ(x, closed);
    PBY_ARB(ball);
    fmpq_set_mpq(x, xi);
    pby_status status = pby_spectrum_init(&s, spec, relation, err);
    if (status == PBY_OK)
        status = pby_zcdp_rho(ball, &s, x, digits, err);
    if (status == PBY_OK)
        status = hand_out(rho, approximate, &s, ball, digits, err);
    if (status == PBY_OK && s.loose && pby_reached_rho(ball, spec, relation, x, digits, NULL) == PBY_OK)
        raise_lower(rho, ball, digits);
    if (status == PBY_OK && s.loose) {
        pby_spectrum_closed(closed, &s);
        arb_set_fmpq(ball, closed, pby_precision_for_digits(digits));
        raise_lower(rho, ball, digits);
    }
    pby_spectrum_clear(&s);
    return status;
}
