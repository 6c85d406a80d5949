/* SPDX-License-Identifier: MIT */
/* The accuracy of choosing a candidate by its score.
 *
 * Among n candidates the chosen one is farther than beta below the best with a chance of at most (n-1) w/(1 +
 * (n-1) w), w = exp(-rate beta): no input is worse than one best candidate and all others just farther than
 * beta below it (docs/theory/exponential.md). A family with a chooser has a chance of its own, which falls as
 * beta grows; the beta of a gamma is then found by bisection. So does a lattice. */
#include "accuracy/chance.h"
#include "accuracy/row.h"
#include "mechanism/shared/chooser.h"
#include "mechanism/shared/lattice.h"
#include "number/ball.h"
#include "number/bisect.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/rational.h"

enum { FIRST = 64, GUESSES = 12 };

struct choice {
    const pby_mechanism *mechanism;
    const pby_chooser_class *chooser; /* NULL where there is none */
    const pby_lattice_class *lattice; /* likewise */
    fmpq_t rate, at;                  /* at is beta, or gamma */
    uint64_t others;
};

/* w others/(1 + w others) */
static pby_status chance_of(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct choice *c = what;
    if (c->lattice != NULL)
        return c->lattice->worse(ball, c->mechanism, c->at, prec, err);
    if (c->chooser != NULL)
        return c->chooser->worse(ball, c->mechanism, c->others + 1, c->at, prec, err);
    PBY_ARB(all);
    PBY_FMPQ(fall);
    fmpq_mul(fall, c->rate, c->at);
    fmpq_neg(fall, fall);
    arb_set_fmpq(ball, fall, prec + (slong)fmpz_bits(fmpq_numref(fall)));
    arb_exp(ball, ball, prec);
    arb_mul_ui(ball, ball, c->others, prec);
    arb_add_ui(all, ball, 1, prec);
    arb_div(ball, ball, all, prec);
    return PBY_OK;
}

/* log(others (1 - gamma)/gamma)/rate */
static pby_status beta_of(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct choice *c = what;
    PBY_FMPQ(odds);
    fmpz_sub(fmpq_numref(odds), fmpq_denref(c->at), fmpq_numref(c->at));
    fmpz_mul_ui(fmpq_numref(odds), fmpq_numref(odds), c->others);
    fmpz_set(fmpq_denref(odds), fmpq_numref(c->at));
    fmpq_canonicalise(odds);
    if (fmpq_is_one(odds) || fmpz_cmp(fmpq_numref(odds), fmpq_denref(odds)) < 0) {
        arb_zero(ball);
    } else {
        arb_set_fmpq(ball, odds, prec);
        arb_log(ball, ball, prec);
        arb_div_fmpz(ball, ball, fmpq_numref(c->rate), prec);
        arb_mul_fmpz(ball, ball, fmpq_denref(c->rate), prec);
    }
    return PBY_OK;
}

/* ---- the beta of a gamma, where there is no formula --------------------------------------------- */

/* The sign of the chance at beta less gamma, and where `ball` is not NULL a ball around the chance. */
static pby_status above_gamma(int *sign, arb_ptr ball, const fmpq_t beta, const struct choice *gamma,
                              pby_error *err)
{
    struct choice c = *gamma;
    PBY_ARB(chance, level);
    PBY_FMPQ(most);
    fmpq_set(most, gamma->at);
    fmpq_init(c.at);
    fmpq_set(c.at, beta);
    arb_set_fmpq(level, most, FIRST);
    pby_status status = chance_of(chance, &c, FIRST, err);
    *sign = arb_gt(chance, level) ? 1 : -1;
    if (status == PBY_OK && arb_overlaps(chance, level))
        status = pby_compare(sign, chance_of, &c, most, err);
    if (ball != NULL)
        arb_set(ball, chance);
    fmpq_clear(c.at);
    return status;
}

static pby_status above_gamma_at(int *sign, const fmpq_t beta, const void *what, pby_error *err)
{
    return above_gamma(sign, NULL, beta, what, err);
}

/* Guesses the distance of the least beta from one of this chance: the chance falls by exp(-rate) a step. */
static void guess_step(fmpz_t step, arb_t chance, const struct choice *c)
{
    arb_div_fmpz(chance, chance, fmpq_numref(c->at), FIRST);
    arb_mul_fmpz(chance, chance, fmpq_denref(c->at), FIRST);
    arb_log(chance, chance, FIRST);
    arb_div_fmpz(chance, chance, fmpq_numref(c->rate), FIRST);
    arb_mul_fmpz(chance, chance, fmpq_denref(c->rate), FIRST);
    fmpz_zero(step);
    if (arb_is_finite(chance))
        arf_get_fmpz(step, arb_midref(chance), ARF_RND_CEIL);
}

/* The least integer whose chance is not above gamma. It is at least `low`, and at most `high` once that is
 * not negative. A guess that is out is moved to the nearer end, and after some rounds to the middle: a bad
 * one costs time and no truth. */
static pby_status find_whole(mpq_t beta, const struct choice *c, pby_error *err)
{
    int sign = 1;
    pby_status status = PBY_OK;
    PBY_FMPZ(low, high, at, step);
    PBY_FMPQ(asked);
    PBY_ARB(chance);
    fmpz_set_si(high, -1);
    for (int round = 0; status == PBY_OK && !fmpz_equal(low, high); round++) {
        fmpq_set_fmpz(asked, at);
        status = above_gamma(&sign, chance, asked, c, err);
        if (sign > 0)
            fmpz_add_ui(low, at, 1);
        else
            fmpz_set(high, at);
        guess_step(step, chance, c);
        fmpz_add(at, at, step);
        if (fmpz_sgn(high) >= 0 && fmpz_cmp(at, high) >= 0)
            fmpz_sub_ui(at, high, 1);
        if (fmpz_cmp(at, low) < 0)
            fmpz_set(at, low);
        if (round > GUESSES) {
            fmpz_add(at, low, fmpz_sgn(high) >= 0 ? high : low);
            fmpz_fdiv_q_2exp(at, at, fmpz_sgn(high) >= 0);
        }
    }
    fmpq_set_fmpz(asked, low);
    fmpq_get_mpq(beta, asked);
    return status;
}

static pby_status root_of(arb_t ball, const void *what, slong prec, pby_error *err)
{
    return pby_bisect(ball, above_gamma_at, what, NULL, (unsigned)(prec / 4), err);
}

/* The least of all, which is 0 or where the chance is gamma. */
static pby_status find_root(mpq_t beta, const struct choice *c, pby_error *err)
{
    int sign;
    PBY_FMPQ(zero);
    const pby_status status = above_gamma(&sign, NULL, zero, c, err);
    return status == PBY_OK && sign > 0 ? pby_decimal_above(beta, root_of, c, err) : status;
}

static pby_status find_beta(mpq_t beta, struct choice *c, mpq_srcptr gamma, pby_error *err)
{
    if (mpq_sgn(gamma) <= 0 || mpq_cmp_ui(gamma, 1, 1) > 0)
        return pby_refuse_mpq(err, "gamma", gamma, "a rational above 0 and at most 1");
    fmpq_set_mpq(c->at, gamma);
    mpq_set_ui(beta, 0, 1);
    if (c->others == 0 && c->lattice == NULL)
        return PBY_OK;
    if (c->lattice != NULL)
        return find_whole(beta, c, err);
    if (c->chooser == NULL)
        return pby_decimal_above(beta, beta_of, c, err);
    return c->chooser->whole ? find_whole(beta, c, err) : find_root(beta, c, err);
}

pby_status pby_accuracy_of_choice(pby_noisy_accuracy *out, const pby_mechanism *m, uint64_t candidates,
                                  mpq_srcptr beta, mpq_srcptr gamma, unsigned digits, pby_error *err)
{
    struct choice c = {.mechanism = m,
                       .chooser = m->family->chooser,
                       .lattice = m->family->lattice,
                       .others = candidates - 1};
    mpq_ptr at = out->release.beta.value;
    PBY_ARB(ball);
    fmpq_init(c.rate);
    fmpq_init(c.at);
    if (c.lattice != NULL)
        c.lattice->rate(c.rate, m);
    else
        m->family->rate(c.rate, m);
    pby_status status = PBY_OK;
    if (gamma != NULL)
        status = find_beta(at, &c, gamma, err);
    else
        mpq_set(at, beta);
    if (status == PBY_OK) {
        fmpq_set_mpq(c.at, at);
        status = pby_enclose(ball, chance_of, &c, digits, err);
    }
    if (status == PBY_OK)
        status = pby_chance_set(&out->chance, out->release.gamma, ball, digits, err);
    if (status == PBY_OK && gamma != NULL && mpq_cmp(out->release.gamma, gamma) > 0)
        mpq_set(out->release.gamma, gamma);
    fmpq_clear(c.at);
    fmpq_clear(c.rate);
    return status;
}
