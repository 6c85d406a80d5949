/* SPDX-License-Identifier: MIT */
/* smooth:eps=e,decay=r,range=N: a number with noise of its smooth sensitivity.
 *
 * S(x) is the greatest r^d L over all inputs d changes away from x, L being the most that the number moves
 * there by one change. The number is published with two-sided geometric noise of rate eps/(2 S(x)). Of two
 * neighbours neither has more than 1/r times the other's S, and their numbers differ by an integer up to the
 * smaller S. Among all such numbers from 0 to N the loss is known between a closed form and that of some
 * inputs (docs/theory/smooth.md); the pair is made of points of the closed form (pair/nodes.h). */
#include <flint/fmpq_vec.h>

#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/shared/selection.h"
#include "mechanism/smooth/smooth_profile.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"
#include "pair/nodes.h"

enum { EPS, DECAY, RANGE };

/* Points are 3/8 (1-r)/r apart, so that delta falls by less than a third from one to the next; and they end
 * where it is about exp(-80). */
enum { PRECISION = 192, NODES = 216 };

static pby_smooth smooth_of(const pby_mechanism *m)
{
    return (pby_smooth){
        .eps = &m->value[EPS], .decay = &m->value[DECAY], .range = pby_mechanism_natural(m, RANGE)};
}

/* With decay 1 every input has the scale N, and only the shift is left. */
static bool still(const pby_smooth *s)
{
    return fmpq_is_one(s->decay);
}

static pby_status shift_alone(pby_pairs *out, const pby_smooth *s, pby_error *err)
{
    const pby_status status = pby_pairs_init(out, 1, err);
    return status == PBY_OK ? pby_smooth_shift(&out->pair[0], s, err) : status;
}

/* The first point is eps less a multiple of the step. */
static void first_point(fmpq_t at, fmpq_t step, const pby_smooth *s)
{
    PBY_FMPZ(steps);
    PBY_FMPQ(less);
    pby_smooth_first(at, s);
    fmpq_inv(step, s->decay);
    fmpq_sub_si(step, step, 1);
    fmpq_set_si(less, 3, 8);
    fmpq_mul(step, step, less);
    fmpq_sub(less, s->eps, at);
    fmpq_div(less, less, step);
    fmpz_fdiv_q(steps, fmpq_numref(less), fmpq_denref(less));
    fmpq_mul_fmpz(less, step, steps);
    fmpq_sub(at, s->eps, less);
}

static pby_status smooth_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err)
{
    (void)wanted;
    const pby_smooth s = smooth_of(m);
    if (still(&s))
        return shift_alone(out, &s, err);
    fmpq *loss = _fmpq_vec_init(NODES), *delta = _fmpq_vec_init(NODES);
    PBY_FMPQ(step);
    PBY_ARB(ball);
    first_point(&loss[0], step, &s);
    for (size_t i = 0; i < NODES; i++) {
        if (i > 0)
            fmpq_add(&loss[i], &loss[i - 1], step);
        pby_smooth_bound(ball, &s, &loss[i], PRECISION);
        pby_node_round_up(&delta[i], ball);
    }
    pby_status status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        status = pby_pair_of_nodes(&out->pair[0], loss, delta, NODES, err);
    _fmpq_vec_clear(delta, NODES);
    _fmpq_vec_clear(loss, NODES);
    return status;
}

/* The shift alone, at eps, and on both sides of it halfway to the first point; and at eps/2 in both orders,
 * for what lies below the first point. Few, because a composition goes through all choices of them. */
static pby_status smooth_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                  pby_error *err)
{
    enum { COUNT = 4, NEAR = 2 };
    (void)wanted;
    const pby_smooth s = smooth_of(m);
    if (still(&s))
        return shift_alone(out, &s, err);
    PBY_FMPQ(e, step, near);
    pby_smooth_first(step, &s);
    fmpq_sub(step, s.eps, step);
    fmpq_div_2exp(step, fmpq_sgn(step) > 0 ? step : s.eps, 1);
    fmpq_sub(e, s.eps, step);
    pby_status status = pby_pairs_init(out, COUNT + NEAR, err);
    fmpq_div_2exp(near, s.eps, 1);
    if (status == PBY_OK)
        status = pby_smooth_near(&out->pair[COUNT], &s, near, err);
    if (status == PBY_OK)
        status = pby_smooth_low(&out->pair[COUNT + 1], &s, near, err);
    if (status == PBY_OK)
        status = pby_smooth_shift(&out->pair[0], &s, err);
    for (int i = 1; i < COUNT && status == PBY_OK; i++) {
        status = pby_smooth_low(&out->pair[i], &s, e, err);
        fmpq_add(e, e, step);
    }
    return status;
}

/* 2 exp(-eps/(2 log(1/r))), which r = exp(-eps/(2 log(2/delta))) promises. */
static bool smooth_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                         slong prec)
{
    (void)relation;
    if (fmpq_cmp(epsilon, &m->value[EPS]) < 0)
        return false;
    if (fmpq_is_one(&m->value[DECAY])) {
        arb_zero(delta);
        return true;
    }
    PBY_ARB(log);
    arb_set_fmpq(log, &m->value[DECAY], prec);
    arb_log(log, log, prec);
    arb_set_fmpq(delta, &m->value[EPS], prec);
    arb_div(delta, delta, log, prec);
    arb_mul_2exp_si(delta, delta, -1);
    arb_exp(delta, delta, prec);
    arb_mul_2exp_si(delta, delta, 1);
    return true;
}

/* ---- the release ------------------------------------------------------------------------------ */

/* Noise at the greatest scale must be drawable: then it is at every other. */
static pby_status smooth_check(const pby_mechanism *m, pby_error *err)
{
    PBY_FMPQ(least);
    fmpq_div(least, &m->value[EPS], &m->value[RANGE]);
    fmpq_mul_2exp(least, least, 39);
    const bool drawable = fmpq_cmp_si(least, 1) >= 0;
    return drawable ? PBY_OK : pby_mechanism_refuse(m, "an eps from range/2^39 on", err);
}

/* A scale of 0 is that of an answer that never moves. Noise beyond the answers is moved to the nearest. */
static pby_status smooth_settle(int64_t *answer, const pby_mechanism *m, pby_sampler *sampler,
                                pby_entropy *source, const pby_steady *of, pby_error *err)
{
    pby_law *law;
    int64_t noise = 0;
    pby_status status = PBY_OK;
    PBY_FMPQ(rate);
    if (!fmpq_is_zero(of->scale)) {
        fmpq_div(rate, &m->value[EPS], of->scale);
        fmpq_div_2exp(rate, rate, 1);
        status = pby_law_geometric(&law, rate, err);
        if (status == PBY_OK)
            status = pby_sampler_of_law(&sampler, law, err);
        if (status == PBY_OK) {
            status = pby_draw_many(sampler, source, &noise, 1, err);
            pby_sampler_free(sampler);
        }
    }
    if (status == PBY_OK)
        *answer = noise < -of->answer                 ? 0
                  : noise >= of->answers - of->answer ? of->answers - 1
                                                      : of->answer + noise;
    return status;
}

static const pby_select_row smooth_selection = {
    .chosen = PBY_ROLE_DECAY,
    .rising = true,
    .unit = true,
    .shares = true,
    .monotone = "with a greater decay fewer scales are those of neighbours",
    .recipe = PBY_RECIPE_CLAIMED,
    .source = "2 exp(-eps/(2 log(1/decay))), epsilon and delta shared by the uses",
    .never_zero = "its loss has no largest value where decay is below 1",
    .binds = PBY_SELECT_RATE,
};

static const pby_story smooth_stories[] = {
    {.what =
         "A number from 0 to N is published with two-sided geometric noise of rate eps/(2 S), S being its "
         "smooth sensitivity: the greatest decay^d L over inputs d changes away, where one change moves "
         "the number by L. No program can check that S is right.",
     .neighbours = {"one record more or fewer: the number moves by at most the smaller S, and S by a factor "
                    "of at most 1/decay",
                    "one record changed: the same, with the S that counts changes"},
     .pair = {"points of a bound in closed form; two inputs whose S are in the ratio decay come close to it",
              "points of a bound in closed form; two inputs whose S are in the ratio decay come close to it"},
     .accuracy = "noise of rate eps/(2 S), which the data decide",
     .pages = {"smooth.md", "geometric.md"},
     .kernel = {{"pby_draw_cells", "draw.h"}}},
    {.what = NULL},
};

static const char *const smooth_examples[] = {"smooth:eps=1,decay=19/20,range=100",
                                              "smooth:eps=1/2,decay=9/10,range=1", NULL};

static const char *const smooth_manual[] = {
    "smooth:eps=E,decay=R,range=N",
    "A number from 0 to N with geometric noise of rate E/(2 S), S its smooth sensitivity, which falls by "
    "R for each change.",
    NULL,
};

const pby_family pby_family_smooth = {
    .name = "smooth",
    .summary = "a number with noise of its smooth sensitivity",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, twice the rate of the noise at sensitivity 1, above 0",
                    PBY_ROLE_EPSILON},
                   {"decay", PBY_RATE, NULL,
                    "decay=R, the least ratio of the scales of neighbours, at most 1", PBY_ROLE_DECAY},
                   {"range", PBY_NATURAL, NULL, "range=N, the most that two answers differ by",
                    PBY_ROLE_NONE}},
    .check = smooth_check,
    .form = PBY_RELEASE_STATISTIC,
    .takes = PBY_TAKES_COUNTS,
    .settle = smooth_settle,
    .list[PBY_ABOVE] = smooth_pairs,
    .list[PBY_BELOW] = smooth_attained,
    .loose = true,
    .claim = smooth_claim,
    .statement = {.source = "2 exp(-eps/(2 log(1/decay))) from eps on"},
    .select = &smooth_selection,
    .stories = smooth_stories,
    .manual = smooth_manual,
    .examples = smooth_examples,
};
