/* SPDX-License-Identifier: MIT */
#include "select/refine.h"

#include "loss/bounded/bounded.h"
#include "loss/compose/compose_guess.h"
#include "loss/compose/round.h"
#include "number/ball.h"
#include "number/scoped.h"

/* Bits of delta beyond its size that the roundings leave alone; decimal digits of the bounds. */
enum { SPARE_BITS = 40, DIGITS = 20 };

static slong first_resolution(mpfr_srcptr delta)
{
    const slong size = mpfr_regular_p(delta) ? -(slong)mpfr_get_exp(delta) : 0;
    return SPARE_BITS + (size > 0 ? size : 0);
}

/* Losses that were multiples of the step still are. */
static void halve(pby_grid *grid)
{
    fmpq_div_2exp(grid->step, grid->step, 1);
    grid->resolution += 2;
}

static void set_bounds(pby_enclosure *bounds, const arf_t lower, const arf_t upper)
{
    PBY_ARB(ball);
    arb_set_interval_arf(ball, lower, upper, PBY_PRECISION_FIRST);
    pby_enclosure_set_arb(bounds, ball, DIGITS);
    pby_enclosure_keep_in_unit(bounds);
}

/* The parts of a composition and, where these only bound it, those that some neighbours have: the lower end
 * is then theirs. */
struct composed {
    pby_parts parts, reached;
    bool bound;
};

/* One round of both; *done as well where the ends are good enough each by itself, as they are then whatever
 * lies between them. */
static pby_status one_round(pby_enclosure *bounds, bool *done, const struct composed *c,
                            const pby_asked *asked, const pby_grid *grid, pby_close_enough content,
                            const void *what, pby_error *err)
{
    pby_bounds most, least;
    pby_bounds_init(&most, asked->count);
    pby_bounds_init(&least, asked->count);
    pby_status status = pby_grid_round(&most, &c->parts, asked, grid, err);
    if (status == PBY_OK && c->bound)
        status = pby_grid_round(&least, &c->reached, asked, grid, err);
    if (status == PBY_OK && c->bound) {
        set_bounds(bounds, most.lower, most.upper);
        *done = content(bounds, what);
        set_bounds(bounds, least.lower, least.upper);
        *done = *done && content(bounds, what);
    }
    if (status == PBY_OK) {
        set_bounds(bounds, c->bound ? least.lower : most.lower, most.upper);
        *done = *done || content(bounds, what);
    }
    pby_bounds_clear(&least);
    pby_bounds_clear(&most);
    return status;
}

static pby_status refine(pby_enclosure *bounds, const struct composed *c, const pby_asked *asked,
                         pby_grid *grid, int rounds, pby_close_enough content, const void *what,
                         pby_error *err)
{
    bool done = false;
    pby_status status = pby_grid_guess(grid, &c->parts, asked, err);
    for (int i = 0; i < rounds && !done && status == PBY_OK; i++) {
        halve(grid);
        status = one_round(bounds, &done, c, asked, grid, content, what, err);
    }
    return status;
}

/* REACHED has the lower end of pairs that some neighbours have. BOUND and DOMINATING enclose the upper
 * bound, at both ends; the last with one pair for every continuum of them. */
enum how { REACHED, BOUND, DOMINATING };

static pby_status refine_grid(pby_enclosure *bounds, const pby_spec *spec, pby_neighbours relation,
                              mpq_srcptr epsilon, mpfr_srcptr near, const fmpq *width, enum how how,
                              int rounds, pby_close_enough content, const void *what, pby_error *err)
{
    pby_grid grid;
    struct composed c = {.bound = false};
    pby_status status = how == DOMINATING ? pby_parts_dominating(&c.parts, spec, relation, err)
                                          : pby_parts_of_spec(&c.parts, spec, relation, err);
    if (status != PBY_OK)
        return status;
    c.bound = how == REACHED && !pby_parts_are_reached(&c.parts);
    if (c.bound)
        status = pby_parts_reached(&c.reached, &c.parts, err);
    PBY_FMPQ(at);
    pby_grid_init(&grid, first_resolution(near), width);
    fmpq_set_mpq(at, epsilon);
    const pby_asked asked = {true, at, 1};
    if (status == PBY_OK)
        status = refine(bounds, &c, &asked, &grid, rounds, content, what, err);
    pby_grid_clear(&grid);
    pby_parts_clear(&c.reached);
    pby_parts_clear(&c.parts);
    return status;
}

/* ---- bounded range ----------------------------------------------------------------------------- */

/* Encloses the profile's delta, to the profile's width. */
static pby_status ask_bounded(pby_enclosure *bounds, const pby_profile *p, const fmpq_t epsilon,
                              pby_error *err)
{
    PBY_ARB(ball);
    const pby_status status = pby_profile_delta(ball, p, epsilon, DIGITS, err);
    if (status == PBY_OK) {
        pby_enclosure_set_arb(bounds, ball, DIGITS);
        pby_enclosure_keep_in_unit(bounds);
    }
    return status;
}

static pby_status refine_spec(pby_enclosure *bounds, const pby_spec *spec, pby_neighbours relation,
                              mpq_srcptr epsilon, mpfr_srcptr near, enum how how, int rounds,
                              pby_close_enough content, const void *what, pby_error *err)
{
    enum { FIRST = 200, FINER = 1, ROUNDS_MOST = 3 };
    pby_profile *p;
    bool done = false;
    PBY_FMPQ(width, at);
    fmpq_set_si(width, 1, FIRST);
    fmpq_set_mpq(at, epsilon);
    pby_status status = pby_profile_of_bounded(&p, spec, relation, width, err);
    const bool other = status == PBY_OK && p == NULL;
    for (int i = 0; i < rounds && i < ROUNDS_MOST && !done && !other && status == PBY_OK; i++) {
        status = ask_bounded(bounds, p, at, err);
        done = status == PBY_OK && content(bounds, what);
        pby_profile_free(p);
        p = NULL;
        fmpq_div_2exp(width, width, FINER);
        if (status == PBY_OK && !done)
            status = pby_profile_of_bounded(&p, spec, relation, width, err);
    }
    pby_profile_free(p);
    return other ? refine_grid(bounds, spec, relation, epsilon, near, NULL, how, rounds, content, what, err)
                 : status;
}

pby_status pby_refine(pby_enclosure *bounds, const pby_spec *spec, pby_neighbours relation,
                      mpq_srcptr epsilon, mpfr_srcptr near, int rounds, pby_close_enough content,
                      const void *what, pby_error *err)
{
    return refine_spec(bounds, spec, relation, epsilon, near, REACHED, rounds, content, what, err);
}

pby_status pby_refine_bound(pby_enclosure *bounds, const pby_spec *spec, pby_neighbours relation,
                            mpq_srcptr epsilon, mpfr_srcptr near, int rounds, pby_close_enough content,
                            const void *what, pby_error *err)
{
    return refine_spec(bounds, spec, relation, epsilon, near, BOUND, rounds, content, what, err);
}

pby_status pby_refine_roughly(pby_enclosure *bounds, const pby_spec *spec, pby_neighbours relation,
                              mpq_srcptr epsilon, mpfr_srcptr near, int rounds, pby_close_enough content,
                              const void *what, pby_error *err)
{
    PBY_FMPQ(half);
    fmpq_set_si(half, 1, 2);
    return refine_grid(bounds, spec, relation, epsilon, near, half, REACHED, rounds, content, what, err);
}

pby_status pby_refine_dominating(pby_enclosure *bounds, const pby_spec *spec, pby_neighbours relation,
                                 mpq_srcptr epsilon, mpfr_srcptr near, int rounds, pby_close_enough content,
                                 const void *what, pby_error *err)
{
    PBY_FMPQ(half);
    fmpq_set_si(half, 1, 2);
    return refine_grid(bounds, spec, relation, epsilon, near, half, DOMINATING, rounds, content, what, err);
}
