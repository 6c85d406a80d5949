/* SPDX-License-Identifier: MIT */
#include "tests/exact/coupling.h"

#include <stdlib.h>

#include "tests/exact/lp.h"

/* Columns: the pairs; by how much the first marginal is above and below P, the second above and below Q; two
 * slacks. Rows: the marginals of the one and of the other, the mass 1, and the two limits. What is above sums
 * to what is below: both are laws. */
enum { ABOVE, BELOW, SIDES };

static size_t off(size_t n, size_t side, size_t which, size_t i)
{
    return n * n + (side * SIDES + which) * n + i;
}

static void set(exact_lp *lp, size_t row, size_t column, long value)
{
    mpq_set_si(exact_lp_at(lp, row, column), value, 1);
}

static void marginals(exact_lp *lp, const exact_couple *ask, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (ask->allowed != NULL && !ask->allowed[i * n + j])
                continue;
            set(lp, i, i * n + j, 1);
            set(lp, n + j, i * n + j, 1);
            set(lp, 2 * n, i * n + j, 1);
        }
        for (size_t side = 0; side < 2; side++) {
            set(lp, side * n + i, off(n, side, ABOVE, i), -1);
            set(lp, side * n + i, off(n, side, BELOW, i), 1);
        }
        mpq_set(lp->b[i], ask->p->p[i]);
        mpq_set(lp->b[n + i], ask->q->p[i]);
    }
    mpq_set_ui(lp->b[2 * n], 1, 1);
}

static void limits(exact_lp *lp, const exact_couple *ask, size_t n)
{
    const bool apart = ask->second != NULL;
    for (size_t i = 0; i < n; i++) {
        set(lp, 2 * n + 1, off(n, 0, ABOVE, i), 1);
        set(lp, 2 * n + 1 + (apart ? 1 : 0), off(n, 1, ABOVE, i), 1);
    }
    set(lp, 2 * n + 1, n * n + 4 * n, 1);
    set(lp, 2 * n + 2, n * n + 4 * n + 1, 1);
    mpq_set(lp->b[2 * n + 1], ask->first);
    if (apart)
        mpq_set(lp->b[2 * n + 2], ask->second);
}

bool exact_coupling(const exact_couple *ask, mpq_t cost, exact_law *phi)
{
    const size_t n = ask->p->n;
    exact_lp lp;
    exact_law x;
    mpq_t best;
    mpq_init(best);
    exact_lp_init(&lp, 2 * n + 3, n * n + 4 * n + 2);
    exact_init(&x, lp.columns);
    marginals(&lp, ask, n);
    limits(&lp, ask, n);
    for (size_t k = 0; ask->cost != NULL && k < n * n; k++)
        if (ask->allowed == NULL || ask->allowed[k])
            mpq_neg(lp.c[k], ask->cost[k]);
    const bool found = exact_lp_solve(&lp, best, x.p) == EXACT_OPTIMAL;
    if (found)
        mpq_neg(cost, best);
    /* A pair that is not allowed has a column of zeros and no mass worth reading. */
    for (size_t k = 0; found && phi != NULL && k < n * n; k++)
        if (ask->allowed == NULL || ask->allowed[k])
            mpq_set(phi->p[k], x.p[k]);
        else
            mpq_set_ui(phi->p[k], 0, 1);
    exact_clear(&x);
    exact_lp_clear(&lp);
    mpq_clear(best);
    return found;
}

/* True if a coupling of pairs within `most` loses gamma at most. */
static bool reaches(const exact_law *p, const exact_law *q, mpq_t *d, mpq_srcptr most, mpq_srcptr gamma,
                    bool *allowed)
{
    mpq_t none;
    mpq_init(none);
    for (size_t k = 0; k < p->n * p->n; k++)
        allowed[k] = mpq_cmp(d[k], most) <= 0;
    const exact_couple ask = {p, q, allowed, gamma, NULL, NULL};
    const bool found = exact_coupling(&ask, none, NULL);
    mpq_clear(none);
    return found;
}

void exact_distance(mpq_t out, const exact_law *p, const exact_law *q, mpq_t *d, mpq_srcptr gamma)
{
    bool *allowed = malloc(p->n * p->n * sizeof *allowed);
    size_t best = p->n * p->n;
    if (allowed == NULL)
        abort();
    for (size_t k = 0; k < p->n * p->n; k++)
        if (best == p->n * p->n || mpq_cmp(d[k], d[best]) < 0)
            best = reaches(p, q, d, d[k], gamma, allowed) ? k : best;
    if (best == p->n * p->n)
        abort();
    mpq_set(out, d[best]);
    free(allowed);
}

void exact_average(mpq_t out, const exact_law *p, const exact_law *q, mpq_t *d, mpq_srcptr gamma)
{
    const exact_couple ask = {p, q, NULL, gamma, NULL, d};
    if (!exact_coupling(&ask, out, NULL))
        abort();
}
