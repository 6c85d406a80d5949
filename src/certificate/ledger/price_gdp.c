/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/price_gdp.h"

#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "certificate/divergence_claim.h"
#include "loss/loss.h"
#include "mechanism/family.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity/enclosure.h"
#include "probity/rational.h"

enum { MU_DIGITS = 18, CHARGE_DIGITS = 15, PREC = 128 };

bool pby_charge_is_short(mpq_srcptr x)
{
    enum { ODD_MAX = 1000 };
    PBY_MPZ(odd, two, five);
    mpz_set_ui(two, 2);
    mpz_set_ui(five, 5);
    mpz_remove(odd, mpq_denref(x), two);
    mpz_remove(odd, odd, five);
    return mpz_cmp_ui(odd, ODD_MAX) <= 0;
}

/* A decimal not below the square of a mu. */
static pby_status round_square(mpq_t out, arb_srcptr square, pby_error *err)
{
    char text[PBY_DECIMAL_SIZE];
    pby_enclosure x;
    pby_enclosure_init(&x);
    pby_enclosure_set_arb(&x, square, MU_DIGITS);
    pby_decimal(text, x.hi, CHARGE_DIGITS, false);
    pby_enclosure_clear(&x);
    return pby_rational_parse(out, "mu", text, err);
}

/* The square of the mu of one use: exact where it is a rational. */
static pby_status square_of(mpq_t out, const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    pby_spec *alone;
    PBY_FMPQ(exact);
    PBY_ARB(mu, square);
    PBY_TRY(pby_spec_of(&alone, m, 1, err));
    pby_status status = pby_loss_mu_above(mu, alone, relation, MU_DIGITS, err);
    arb_mul(square, mu, mu, PREC);
    if (status == PBY_OK && pby_divergence_exact(exact, alone, relation, PBY_ASK_MU, NULL)) {
        fmpq_get_mpq(out, exact);
        arb_set_fmpq(square, exact, PREC);
        if (!pby_charge_is_short(out))
            status = round_square(out, square, err);
    } else if (status == PBY_OK && !arb_is_finite(mu)) {
        status = pby_fail(err, PBY_BAD,
                          "ledger: %s has no finite mu that is known, which its accounting, gdp, adds in "
                          "squares: charge it by a certificate, or as approx:eps=E,delta=D",
                          PBY_EXCERPT(pby_spec_text(alone)));
    } else if (status == PBY_OK) {
        status = round_square(out, square, err);
    }
    pby_spec_free(alone);
    return status;
}

/* Sets the mechanism to the pure one that an (e, d)-private one is with chance 1 - d; false of any other. */
static bool without_delta(pby_mechanism *pure, mpq_t delta, const pby_mechanism *m)
{
    if (m->family != &pby_family_approx || pby_mechanism_sample(m) != NULL)
        return false;
    const fmpq *d = pby_mechanism_value(m, PBY_ROLE_DELTA), *e = pby_mechanism_value(m, PBY_ROLE_EPSILON);
    if (d != NULL)
        fmpq_get_mpq(delta, d);
    pby_mechanism_init(pure, &pby_family_pure);
    if (e != NULL)
        fmpq_set(&pure->value[pby_family_with(pure->family, PBY_ROLE_EPSILON)], e);
    return true;
}

static pby_status price_use(mpq_t square, mpq_t delta, const pby_mechanism *m, pby_neighbours relation,
                            pby_error *err)
{
    pby_mechanism pure;
    mpq_set_ui(delta, 0, 1);
    if (!without_delta(&pure, delta, m))
        return square_of(square, m, relation, err);
    pby_status status = PBY_OK;
    if (pby_mechanism_value(&pure, PBY_ROLE_EPSILON) == NULL)
        mpq_set_ui(square, 0, 1);
    else
        status = square_of(square, &pure, relation, err);
    pby_mechanism_clear(&pure);
    return status;
}

static void add_times(mpq_t sum, mpq_srcptr x, uint64_t times)
{
    PBY_MPQ(term);
    mpq_set_ui(term, times, 1);
    mpq_mul(term, term, x);
    mpq_add(sum, sum, term);
}

pby_status pby_price_gdp(char **square, char **delta, const pby_ledger *ledger, const pby_spec *spec,
                         pby_error *err)
{
    PBY_MPQ(squares, deltas, x, d);
    for (size_t i = 0; i < spec->count; i++) {
        PBY_TRY(price_use(x, d, &spec->use[i].mechanism, ledger->relation, err));
        add_times(squares, x, spec->use[i].times);
        add_times(deltas, d, spec->use[i].times);
    }
    *square = mpq_get_str(NULL, 10, squares);
    *delta = mpq_get_str(NULL, 10, deltas);
    return PBY_OK;
}
