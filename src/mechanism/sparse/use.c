/* SPDX-License-Identifier: MIT */
/* The noises of a use of sparse, and the promise of one use. */
#include "mechanism/sparse/family_sparse.h"
#include "number/scoped.h"

static void noise_init(pby_sparse_noise *noise, const fmpq *sigma2, const fmpq *rate)
{
    fmpq_init(noise->sigma2);
    fmpq_init(noise->rate);
    fmpq_set(noise->sigma2, sigma2);
    fmpq_set(noise->rate, rate);
}

static void noise_clear(pby_sparse_noise *noise)
{
    fmpq_clear(noise->sigma2);
    fmpq_clear(noise->rate);
}

/* The noise of an answer that has none of its own: twice the threshold's deviation, so four times its
 * variance, or half its rate. */
static void noise_double(pby_sparse_noise *noise, const fmpq *sigma2, const fmpq *rate)
{
    PBY_FMPQ(wide, slow);
    fmpq_mul_2exp(wide, sigma2, 2);
    fmpq_div_2exp(slow, rate, 1);
    noise_init(noise, wide, slow);
}

void pby_sparse_use_init(pby_sparse_use *use, const pby_mechanism *m)
{
    noise_init(&use->threshold, &m->value[PBY_SPARSE_SIGMA2], &m->value[PBY_SPARSE_RATE]);
    if (pby_mechanism_has(m, PBY_SPARSE_ANSWER_SIGMA2) || pby_mechanism_has(m, PBY_SPARSE_ANSWER_RATE))
        noise_init(&use->answer, &m->value[PBY_SPARSE_ANSWER_SIGMA2], &m->value[PBY_SPARSE_ANSWER_RATE]);
    else
        noise_double(&use->answer, &m->value[PBY_SPARSE_SIGMA2], &m->value[PBY_SPARSE_RATE]);
    use->tops = pby_mechanism_natural(m, PBY_SPARSE_TOPS);
    use->questions = pby_mechanism_natural(m, PBY_SPARSE_QUESTIONS);
    use->gap = pby_mechanism_natural(m, PBY_SPARSE_GAP);
    use->sensitivity = pby_mechanism_natural(m, PBY_SPARSE_SENSITIVITY);
}

void pby_sparse_use_clear(pby_sparse_use *use)
{
    noise_clear(&use->threshold);
    noise_clear(&use->answer);
}

bool pby_sparse_is_gaussian(const pby_sparse_noise *noise)
{
    return fmpq_is_zero(noise->rate);
}

/* ---- the promise ------------------------------------------------------------------------------ */

void pby_sparse_answers_cost(fmpq_t cost, const pby_sparse_use *use)
{
    fmpq_mul_si(cost, use->answer.rate, use->tops);
    fmpq_mul_si(cost, cost, use->sensitivity);
    fmpq_mul_2exp(cost, cost, 1);
}

/* x = D^2/(2 sigma2) */
static void shift_rho(fmpq_t x, const fmpq_t sigma2, int64_t d)
{
    fmpq_set_si(x, d, 1);
    fmpq_mul(x, x, x);
    fmpq_div(x, x, sigma2);
    fmpq_div_2exp(x, x, 1);
}

/* The threshold's divergence at the order 1 + (a-1) g/(g-1) instead of a. */
static void stretch(fmpq_t xi, fmpq_t rho, const pby_sparse_use *use)
{
    PBY_FMPQ(g);
    pby_sparse_moment_order(g, use);
    fmpq_sub_si(g, g, 1);
    fmpq_div(xi, rho, g);
    fmpq_add(rho, rho, xi);
    fmpq_neg(xi, xi);
}

void pby_sparse_line(fmpq_t xi, fmpq_t rho, const pby_sparse_use *use)
{
    PBY_FMPQ(answers);
    fmpq_zero(xi);
    fmpq_zero(rho);
    if (pby_sparse_is_gaussian(&use->threshold))
        shift_rho(rho, use->threshold.sigma2, use->sensitivity);
    else
        fmpq_mul_si(xi, use->threshold.rate, use->sensitivity);
    if (use->gap > 0)
        stretch(xi, rho, use);
    if (pby_sparse_is_gaussian(&use->answer)) {
        shift_rho(answers, use->answer.sigma2, 2 * use->sensitivity);
        fmpq_mul_si(answers, answers, use->tops);
        fmpq_add(rho, rho, answers);
    } else {
        pby_sparse_answers_cost(answers, use);
        fmpq_add(xi, xi, answers);
    }
}
