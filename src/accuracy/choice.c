/* What the choice of a candidate by its score is worth.
 *
 * Of n candidates the chosen one is farther than beta below the best with a chance of at most
 * (n-1) w/(1 + (n-1) w), w = exp(-rate beta): no input is worse than one best candidate and all others just
 * farther than beta below it (docs/theory/exponential.md). */
#include "accuracy/chance.h"
#include "accuracy/row.h"
#include "number/ball.h"
#include "number/text.h"
#include "probity/rational.h"

struct choice {
    fmpq_t rate, at; /* at is beta, or gamma */
    uint64_t others;
};

/* w others/(1 + w others) */
static pby_status chance_of(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct choice *c = what;
    fmpq_t fall;
    arb_t all;
    arb_init(all);
    fmpq_init(fall);
    fmpq_mul(fall, c->rate, c->at);
    fmpq_neg(fall, fall);
    arb_set_fmpq(ball, fall, prec + (slong)fmpz_bits(fmpq_numref(fall)));
    arb_exp(ball, ball, prec);
    arb_mul_ui(ball, ball, c->others, prec);
    arb_add_ui(all, ball, 1, prec);
    arb_div(ball, ball, all, prec);
    fmpq_clear(fall);
    arb_clear(all);
    return PBY_OK;
}

/* log(others (1 - gamma)/gamma)/rate */
static pby_status beta_of(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct choice *c = what;
    fmpq_t odds;
    fmpq_init(odds);
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
    fmpq_clear(odds);
    return PBY_OK;
}

static pby_status find_beta(mpq_t beta, struct choice *c, mpq_srcptr gamma, pby_error *err)
{
    if (mpq_sgn(gamma) <= 0 || mpq_cmp_ui(gamma, 1, 1) > 0)
        return pby_refuse_mpq(err, "gamma", gamma, "a rational above 0 and at most 1");
    fmpq_set_mpq(c->at, gamma);
    mpq_set_ui(beta, 0, 1);
    return c->others == 0 ? PBY_OK : pby_decimal_above(beta, beta_of, c, err);
}

pby_status pby_accuracy_of_choice(pby_noisy_accuracy *out, const pby_mechanism *m, uint64_t candidates,
                                  mpq_srcptr beta, mpq_srcptr gamma, unsigned digits, pby_error *err)
{
    struct choice c = {.others = candidates - 1};
    arb_t ball;
    mpq_ptr at = out->release.beta.value;
    arb_init(ball);
    fmpq_init(c.rate);
    fmpq_init(c.at);
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
    arb_clear(ball);
    return status;
}
