/* Distances of two laws on the line.
 *
 * A lossy coupling of P and Q is a law of pairs whose marginals are within total variation a of P and b of
 * Q, a + b <= gamma. Removing what exceeds P and then what exceeds Q leaves a carriage of at least
 * 1 - gamma from P into Q; and a carriage of that much becomes a lossy coupling when what is left of P
 * is coupled with itself, at distance 0. So both distances are questions about carriages. */
#include <stdlib.h>

#include "accuracy/measure.h"
#include "accuracy/network.h"

enum { SOURCE, SINK, FIRST };

static void set_quotient(mpq_t out, const fmpz_t num, const fmpz_t den)
{
    fmpz_get_mpz(mpq_numref(out), num);
    fmpz_get_mpz(mpq_denref(out), den);
    mpq_canonicalize(out);
}

pby_status pby_lossy_distance(mpq_t out, const pby_measure *p, const pby_measure *q, mpq_srcptr gamma,
                              pby_error *err)
{
    pby_status status = pby_check_gamma(gamma, err);
    if (status != PBY_OK)
        return status;
    pby_lines l;
    status = pby_lines_init(&l, p, q, err);
    if (status == PBY_OK)
        status = pby_lines_normalise(&l, err);
    if (status == PBY_OK) {
        fmpz_t need, b;
        fmpz_init(need);
        fmpz_init(b);
        pby_kept(need, l.x.total, gamma);
        pby_line_reach(b, &l.x, &l.y, need);
        set_quotient(out, b, l.unit);
        fmpz_clear(b);
        fmpz_clear(need);
    }
    pby_lines_clear(&l);
    return status;
}

/* ---- both laws in one pass --------------------------------------------------------------------- */

/* Positions in order, with what x has there and what y has there; NULL for nothing. */
struct stop {
    const fmpz *at, *x, *y;
};

static struct stop next_stop(const pby_lines *l, size_t *i, size_t *j)
{
    const pby_point_mass *x = *i < l->x.count ? &l->x.atom[*i] : NULL, *y = *j < l->y.count ? &l->y.atom[*j] : NULL;
    const int order = x == NULL ? 1 : y == NULL ? -1 : fmpz_cmp(&x->at, &y->at);
    struct stop s = {NULL, NULL, NULL};
    if (order <= 0) {
        s.at = &x->at;
        s.x = &x->mass;
        ++*i;
    }
    if (order >= 0) {
        s.at = &y->at;
        s.y = &y->mass;
        ++*j;
    }
    return s;
}

static bool more_stops(const pby_lines *l, size_t i, size_t j)
{
    return i < l->x.count || j < l->y.count;
}

static void add_difference(fmpz_t sum, const struct stop *s)
{
    if (s->x != NULL)
        fmpz_add(sum, sum, s->x);
    if (s->y != NULL)
        fmpz_sub(sum, sum, s->y);
}

pby_status pby_total_variation(mpq_t out, const pby_measure *p, const pby_measure *q, pby_error *err)
{
    pby_lines l;
    pby_status status = pby_lines_init(&l, p, q, err);
    if (status == PBY_OK)
        status = pby_lines_normalise(&l, err);
    fmpz_t more, sum;
    fmpz_init(more);
    fmpz_init(sum);
    for (size_t i = 0, j = 0; status == PBY_OK && more_stops(&l, i, j);) {
        const struct stop s = next_stop(&l, &i, &j);
        fmpz_zero(more);
        add_difference(more, &s);
        if (fmpz_sgn(more) > 0)
            fmpz_add(sum, sum, more);
    }
    if (status == PBY_OK)
        set_quotient(out, sum, l.x.total);
    fmpz_clear(sum);
    fmpz_clear(more);
    pby_lines_clear(&l);
    return status;
}

/* The cost without loss: what crosses each gap between neighbours is the difference of the two cdfs. */
static void crossing(fmpz_t cost, const pby_lines *l)
{
    fmpz_t net, gap;
    fmpz_init(net);
    fmpz_init(gap);
    fmpz_zero(cost);
    const fmpz *before = NULL;
    for (size_t i = 0, j = 0; more_stops(l, i, j);) {
        const struct stop s = next_stop(l, &i, &j);
        if (before != NULL) {
            fmpz_sub(gap, s.at, before);
            if (fmpz_sgn(net) < 0)
                fmpz_submul(cost, gap, net);
            else
                fmpz_addmul(cost, gap, net);
        }
        add_difference(net, &s);
        before = s.at;
    }
    fmpz_clear(gap);
    fmpz_clear(net);
}

/* The chain of positions: mass enters where x has it, leaves where y has it, and pays for every gap. */
static void build_chain(pby_network *g, const pby_lines *l)
{
    fmpz_t gap;
    fmpz_init(gap);
    const fmpz *before = NULL;
    uint32_t node = FIRST;
    for (size_t i = 0, j = 0; more_stops(l, i, j); node++) {
        const struct stop s = next_stop(l, &i, &j);
        if (before != NULL) {
            fmpz_sub(gap, s.at, before);
            pby_network_arc(g, node - 1, node, l->x.total, gap);
            pby_network_arc(g, node, node - 1, l->x.total, gap);
        }
        if (s.x != NULL)
            pby_network_arc(g, SOURCE, node, s.x, NULL);
        if (s.y != NULL)
            pby_network_arc(g, node, SINK, s.y, NULL);
        before = s.at;
    }
    fmpz_clear(gap);
}

/* The cost with loss. */
static pby_status chain_cost(fmpz_t cost, pby_lines *l, mpq_srcptr gamma, pby_error *err)
{
    const size_t atoms = l->x.count + l->y.count;
    if (atoms > PBY_AVERAGE_MAX)
        return pby_fail(err, PBY_BAD, "average: expected at most %d atoms in all, or gamma 0",
                        PBY_AVERAGE_MAX);
    pby_network g;
    fmpz_t need;
    fmpz_init(need);
    pby_status status = pby_network_init(&g, (uint32_t)atoms + FIRST, 3 * (uint32_t)atoms, err);
    if (status == PBY_OK) {
        pby_lines_refine(l, gamma);
        build_chain(&g, l);
        pby_kept(need, l->x.total, gamma);
        status = pby_network_cost(cost, &g, SOURCE, SINK, need, err);
    }
    pby_network_clear(&g);
    fmpz_clear(need);
    return status;
}

pby_status pby_lossy_average(mpq_t out, const pby_measure *p, const pby_measure *q, mpq_srcptr gamma,
                             pby_error *err)
{
    pby_status status = pby_check_gamma(gamma, err);
    if (status != PBY_OK)
        return status;
    pby_lines l;
    fmpz_t cost;
    fmpz_init(cost);
    status = pby_lines_init(&l, p, q, err);
    if (status == PBY_OK)
        status = pby_lines_normalise(&l, err);
    if (status == PBY_OK && mpq_sgn(gamma) == 0)
        crossing(cost, &l);
    else if (status == PBY_OK)
        status = chain_cost(cost, &l, gamma, err);
    if (status == PBY_OK) {
        fmpz_mul(l.unit, l.unit, l.x.total);
        set_quotient(out, cost, l.unit);
    }
    fmpz_clear(cost);
    pby_lines_clear(&l);
    return status;
}
