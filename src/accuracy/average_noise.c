/* SPDX-License-Identifier: MIT */
/* The mean error of additive noise, but for a mass gamma (docs/theory/average.md).
 *
 * For whole counts it is the sum over j >= 0 of max(0, P(|R| > j) - gamma); for several bars, the greatest of
 * whose errors counts, P becomes 1 - (1 - P)^bars. For a query that is rounded to a grid first, with P_j =
 * P(R >= j), it is at most grid times (1 - gamma)/2 + the sum over j >= 1 of max(0, P_j + P_(j+1) - gamma),
 * which a query half a step beside the grid has. The tails are log-concave: from some j on they fall at least
 * as fast as the powers of their quotient there, which bounds what is left out. */
#include "accuracy/average.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "number/text.h"

enum { TERMS_MAX = 1 << 22 };

struct noise {
    pby_law *law;
    const fmpq *grid; /* NULL: whole counts */
    const fmpq *gamma;
    uint64_t bars;
    int64_t most; /* a larger error is not published; INT64_MAX: all are */
};

/* P(R >= j) + P(R <= -j-s): of whole counts s = 0 and j is one more; of a grid s = 1. */
static void beyond(arb_t out, const struct noise *n, int64_t j, slong prec)
{
    PBY_ARB(above);
    pby_law_cdf_arb(above, n->law, j - 1, prec);
    arb_sub_ui(above, above, 1, prec);
    pby_law_cdf_arb(out, n->law, n->grid == NULL ? -j : -j - 1, prec);
    arb_sub(out, out, above, prec);
    if (n->bars > 1)
        pby_once_of(out, n->bars, prec);
}

void pby_mean_rest(arb_t out, const arb_t last, const arb_t before, slong prec)
{
    PBY_ARB(quotient);
    arb_div(quotient, last, before, prec);
    arb_sub_ui(quotient, quotient, 1, prec);
    arb_neg(quotient, quotient);
    arb_div(out, last, quotient, prec);
}

/* True if what the terms from `last` on come to is small. */
static bool rest(arb_t out, const arb_t last, const arb_t before, slong prec)
{
    pby_mean_rest(out, last, before, prec);
    PBY_ARF(bound);
    arb_get_ubound_arf(bound, out, prec);
    return arb_is_finite(out) && arf_cmp_2exp_si(bound, -prec / 3) < 0;
}

static pby_status mean(arb_t out, const void *what, slong prec, pby_error *err)
{
    const struct noise *n = what;
    pby_status status = PBY_OK;
    bool done = false;
    PBY_ARB(term, before, gamma, zero, left);
    arb_set_fmpq(gamma, n->gamma, prec);
    arb_zero(out);
    arb_one(before);
    for (int64_t j = 1; j < TERMS_MAX && !done && status == PBY_OK; j++) {
        beyond(term, n, j, prec);
        done = arb_le(term, gamma); /* and so are all that follow */
        if (j > n->most && arb_gt(term, gamma)) {
            status = pby_fail(err, PBY_BAD, "gamma: expected at least the chance that nothing is published");
        } else if (j > n->most && !done) {
            arb_indeterminate(out); /* more bits tell */
            done = true;
        }
        if (!done && fmpq_is_zero(n->gamma) && rest(left, term, before, prec)) {
            done = true;
            arb_add_error(out, left);
        }
        arb_set(before, term);
        arb_sub(term, term, gamma, prec);
        pby_raise_to(term, zero, prec);
        if (!done)
            arb_add(out, out, term, prec);
    }
    if (n->grid != NULL) {
        arb_sub_ui(gamma, gamma, 1, prec);
        arb_mul_2exp_si(gamma, gamma, -1);
        arb_sub(out, out, gamma, prec);
        arb_mul_fmpz(out, out, fmpq_numref(n->grid), prec);
        arb_div_fmpz(out, out, fmpq_denref(n->grid), prec);
    }
    if (status != PBY_OK)
        return status;
    return done ? PBY_OK
                : pby_fail(err, PBY_BAD, "SPEC: expected noise of less than about %d steps", TERMS_MAX);
}

pby_status pby_mean_of_noise(arb_t beta, const pby_mean *of, pby_error *err)
{
    const pby_mechanism *m = of->mechanism;
    const fmpq *most = m->family->form == PBY_RELEASE_RANGES ? pby_mechanism_value(m, PBY_ROLE_MOST) : NULL;
    struct noise n = {.grid = pby_mechanism_value(m, PBY_ROLE_GRID),
                      .gamma = of->gamma,
                      .bars = of->support,
                      .most = most == NULL ? INT64_MAX : fmpz_get_si(fmpq_numref(most))};
    if (n.grid != NULL && n.bars > 1)
        return pby_fail(err, PBY_BAD, "support: expected 1 on a grid: one query is rounded");
    pby_status status = m->family->law(&n.law, m, err);
    if (status == PBY_OK && !fmpq_is_one(of->gamma))
        status = pby_enclose(beta, mean, &n, of->digits, err);
    pby_law_free(n.law);
    return status;
}
