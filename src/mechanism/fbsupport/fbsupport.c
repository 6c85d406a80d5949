/* SPDX-License-Identifier: MIT */
/* fbsupport:eps=e,level=j,x=a,y=b,bound=G[,directions=R][,low=c][,dimension=d][,z=c]: how far the points of
 * depth j reach in the direction (a, b), or (a, b, c) in three dimensions, the threshold of outliers there.
 *
 * A threshold scores how many records it misses the support by (fbsupport_score.h). One record more
 * raises every depth by 0 or 1: what was too high by k is then too high by k or k - 1, what was too
 * low by k is so by k or k + 1. A record that changes moves every depth by 1 at most, and the score
 * too. Both ways the weights are exp(-(eps/2) score), and all losses lie in an interval of length eps
 * (mechanism/exponential/exponential_curve.h). */
#include <stdio.h>

#include "law/pick.h"
#include "mechanism/depth/depth_score.h"
#include "mechanism/exponential/pieces.h"
#include "mechanism/fbsupport/fbsupport_score.h"
#include "mechanism/shared/lattice.h"
#include "mechanism/shared/lattice_pairs.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, LEVEL, X, Y, BOUND, DIRECTIONS, LOW, DIMENSION, Z };

/* The usual reach of directions there, as of depth: there is no time for all of them. */
enum { BEYOND_THE_PLANE = 4 };

static void read_outer(pby_outer *o, const pby_mechanism *m)
{
    const int64_t side = pby_mechanism_natural(m, BOUND), reach = pby_mechanism_natural(m, DIRECTIONS);
    const int64_t dimension = pby_mechanism_natural(m, DIMENSION);
    const int64_t most = reach > 0 ? reach : dimension == 2 ? side : BEYOND_THE_PLANE;
    *o = (pby_outer){.dimension = (unsigned)dimension,
                     .side = side,
                     .reach = most < side ? most : side - 1,
                     .level = pby_mechanism_natural(m, LEVEL),
                     .x = fmpz_get_si(fmpq_numref(&m->value[X])),
                     .y = fmpz_get_si(fmpq_numref(&m->value[Y])),
                     .z = fmpz_get_si(fmpq_numref(&m->value[Z]))};
}

/* ---- the parameters ----------------------------------------------------------------------------- */

static bool is_whole(const fmpq_t x, slong most)
{
    return fmpz_is_one(fmpq_denref(x)) && fmpz_cmpabs(fmpq_numref(x), (fmpz[]){most}) <= 0;
}

static pby_status check_size(const pby_mechanism *m, pby_error *err)
{
    char expected[160];
    pby_outer o;
    read_outer(&o, m);
    const pby_tukey t = {.dimension = o.dimension, .side = o.side, .reach = o.reach, .level = o.level};
    const double steps = pby_tukey_steps(&t);
    snprintf(expected, sizeof expected,
             "a smaller bound or fewer directions: at most 16777216 points and 2e10 steps, not %.2g", steps);
    if (pby_tukey_cells(&t) > PBY_PICK_MAX || steps > 2e10)
        return pby_mechanism_refuse(m, expected, err);
    return pby_outer_places(&o) > PBY_PICK_MAX
               ? pby_mechanism_refuse(m, "a shorter direction: at most 16777216 thresholds", err)
               : PBY_OK;
}

static pby_status support_check(const pby_mechanism *m, pby_error *err)
{
    static const slong most = PBY_PICK_MAX, low_most = (slong)1 << 31;
    const bool plane = pby_mechanism_natural(m, DIMENSION) == 2;
    const bool none = fmpq_is_zero(&m->value[X]) && fmpq_is_zero(&m->value[Y]) && fmpq_is_zero(&m->value[Z]);
    if (!plane && pby_mechanism_natural(m, DIMENSION) != 3)
        return pby_mechanism_refuse(m, "dimension=2 or dimension=3", err);
    if (plane && !fmpq_is_zero(&m->value[Z]))
        return pby_mechanism_refuse(m, "dimension=3 beside z", err);
    if (!is_whole(&m->value[X], most) || !is_whole(&m->value[Y], most) || !is_whole(&m->value[Z], most) ||
        none)
        return pby_mechanism_refuse(m,
                                    plane ? "x and y that are integers up to 2^24 in size, not both 0"
                                          : "x, y and z that are integers up to 2^24 in size, not all 0",
                                    err);
    if (!is_whole(&m->value[LOW], low_most))
        return pby_mechanism_refuse(m, "a low that is an integer from -2^31 to 2^31", err);
    if (pby_mechanism_natural(m, LEVEL) > 1 << 30)
        return pby_mechanism_refuse(m, "a level of at most 2^30", err);
    if (pby_mechanism_natural(m, BOUND) < 2)
        return pby_mechanism_refuse(m, "a bound of at least 2", err);
    return check_size(m, err);
}

/* ---- the lattice -------------------------------------------------------------------------------- */

static void support_shape(pby_lattice_shape *out, const pby_mechanism *m)
{
    pby_outer o;
    read_outer(&o, m);
    const int64_t low = fmpz_get_si(fmpq_numref(&m->value[LOW]));
    *out = (pby_lattice_shape){.dimension = o.dimension,
                               .low = low,
                               .side = (uint64_t)o.side,
                               .cells = (size_t)(o.side * o.side * (o.dimension == 2 ? 1 : o.side)),
                               .outputs = (size_t)pby_outer_places(&o),
                               .first = pby_outer_least(&o) + low * (o.x + o.y + o.z)};
}

static pby_status support_falls(uint64_t *fall, const pby_mechanism *m, const int64_t *count, pby_error *err)
{
    pby_outer o;
    read_outer(&o, m);
    return pby_outer_falls(fall, &o, count, err);
}

static void support_rate(fmpq_t rate, const pby_mechanism *m)
{
    fmpq_div_2exp(rate, &m->value[EPS], 1);
}

/* One threshold scores 0 on all data. Those that miss by more than b are at most all others, and score b + 1
 * or more: (N - 1) w/(1 + (N - 1) w), w = exp(-rate (b + 1)), which level + b records at the farthest corner
 * attain. */
static pby_status support_worse(arb_t chance, const pby_mechanism *m, const fmpq_t beta, slong prec,
                                pby_error *err)
{
    (void)err;
    pby_outer o;
    read_outer(&o, m);
    PBY_FMPZ(b);
    PBY_FMPQ(rate, fall);
    fmpz_fdiv_q(b, fmpq_numref(beta), fmpq_denref(beta));
    if (fmpz_cmp_si(b, o.level) >= 0) {
        arb_zero(chance);
    } else {
        support_rate(rate, m);
        fmpz_add_ui(fmpq_numref(fall), b, 1);
        pby_lattice_others(chance, (uint64_t)pby_outer_places(&o), rate, fall, prec);
    }
    return PBY_OK;
}

static bool support_level(uint64_t *most, bool *reached, const pby_mechanism *m)
{
    pby_outer o;
    read_outer(&o, m);
    *most = (uint64_t)o.level;
    *reached = true;
    return true;
}

static const pby_lattice_class support_lattice = {
    .shape = support_shape,
    .falls = support_falls,
    .rate = support_rate,
    .worse = support_worse,
    .level = support_level,
    .function = "support of the points of the level",
    .metric = "how many levels off: between the supports of level + beta and of level - beta",
    .note = "the chance that the threshold is farther off, at the worst",
};

/* ---- the loss ----------------------------------------------------------------------------------- */

/* Thresholds above the support, of records along the side of the grid that ends in the farthest corner b:
 * level - 2 at b, 2 at a, level at c in front of it. One more at b, from c or from nowhere, moves no support;
 * what is below a misses by 2 for 1, what is above it by 1 for 2. a is chosen near the middle of all
 * thresholds. 0 where there are no three such points. */
static uint64_t above_middle(const pby_outer *o)
{
    const int64_t x = o->x < 0 ? -o->x : o->x, y = o->y < 0 ? -o->y : o->y, steep = x > y ? x : y;
    const int64_t half = ((x + y) * (o->side - 1) + steep) / (2 * steep);
    const int64_t steps = half < o->side - 2 ? half : o->side - 2;
    return o->dimension > 2 || o->level < 2 || steps < 1 ? 0 : (uint64_t)(steep * steps);
}

/* Uses the inputs of above_middle. Where it is 0, at level 1, on a grid of 2 x 2 or beyond the
 * plane, they are level - 1 records at the farthest corner, and one more there, from the nearest or from
 * nowhere. */
static pby_status support_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                   pby_error *err)
{
    (void)wanted;
    pby_outer o;
    read_outer(&o, m);
    const uint64_t places = (uint64_t)pby_outer_places(&o), above = above_middle(&o);
    const pby_cells_fall middle[] = {{1, 0, 0}, {places - 1 - above, 1, 2}, {above, 2, 1}};
    const pby_cells_fall corner[] = {{1, 0, 1}, {1, 1, 0}, {places - 2, 1, 1}};
    PBY_FMPQ(rate);
    support_rate(rate, m);
    pby_status status = pby_pairs_init(out, 2, err);
    for (size_t i = 0; i < 2 && status == PBY_OK; i++) {
        status = pby_lattice_pair(&out->pair[i], above > 0 ? middle : corner, 3, rate, err);
        out->pair[i].direction = i == 0 ? PBY_FORWARD : PBY_BACKWARD;
    }
    if (status == PBY_OK)
        pby_pair_reverse(&out->pair[1]);
    return status;
}

/* ---- the family --------------------------------------------------------------------------------- */

#define GROUPS \
    "two groups of thresholds, of losses t and t - eps: the t that is the worst at the epsilon asked for"

static const pby_story support_stories[] = {
    {.what =
         "How far the points of a Tukey depth reach in a public direction: the threshold t is released with "
         "a chance proportional to exp(-(eps/2) score), where the score is by how much the depth must be "
         "asked for less or more before t lies between the ends. Records outside the grid are moved to its "
         "border.",
     .neighbours = {"one record more or fewer: no score moves by more than 1",
                    "one record changed: no score moves by more than 1"},
     .pair = {GROUPS, GROUPS},
     .accuracy = "probity accuracy --beta b encloses the probability that the threshold is not between the "
                 "supports of the levels level + b and level - b",
     .pages = {"floating-bodies.md", "exponential.md"},
     .kernel = {{"pby_support_falls", "support.h"}, {"pby_tukey_table", "tukey.h"}}},
    {.what = NULL},
};

static const char *const support_examples[] = {
    "fbsupport:eps=1,level=20,x=1,y=0,bound=10", "fbsupport:eps=1/2,level=5,x=3,y=-2,bound=8,low=-4",
    "fbsupport:eps=1,level=1,x=-1,y=-1,bound=5,directions=2",
    "fbsupport:eps=1,level=3,x=1,y=1,bound=4,dimension=3,z=-2", NULL};

static const char *const support_manual[] = {
    "fbsupport:eps=E,level=J,x=A,y=B,bound=G[,directions=R][,low=C]",
    "How far the points of depth J among the records reach in the direction (A, B): the greatest A p + B q "
    "of the points (p, q) of the grid that have it, which bounds outliers there. Grid, directions and low "
    "are those of depth.",
    "fbsupport:eps=E,level=J,x=A,y=B,bound=G,dimension=3,z=C",
    "The same of points of three dimensions, in the direction (A, B, C).",
    NULL,
};

const pby_family pby_family_fbsupport = {
    .name = "fbsupport",
    .summary = "how far deep points reach in a direction: a threshold of outliers",
    .relations = PBY_CENTRAL,
    .parameters =
        {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},
         {"level", PBY_NATURAL, NULL, "level=J, the depth, an integer from 1 on", PBY_ROLE_NONE},
         {"x", PBY_RATIONAL, NULL, "x=A, the direction along the first axis, an integer", PBY_ROLE_NONE},
         {"y", PBY_RATIONAL, NULL, "y=B, the direction along the second axis, an integer", PBY_ROLE_NONE},
         {"bound", PBY_NATURAL, NULL, "bound=G, the points along each axis, an integer from 2 on",
          PBY_ROLE_NONE},
         {"directions", PBY_NATURAL, "", "directions=R, the largest coordinate of a direction of depths",
          PBY_ROLE_NONE},
         {"low", PBY_RATIONAL, "0", "low=C, the least coordinate, an integer", PBY_ROLE_NONE},
         {"dimension", PBY_NATURAL, "2", "dimension=D, the coordinates of a point, 2 or 3",
          PBY_ROLE_DIMENSION},
         {"z", PBY_RATIONAL, "0", "z=C, the direction along the third axis, an integer", PBY_ROLE_NONE}},
    .check = support_check,
    .list[PBY_ABOVE] = pby_bounded_above,
    .list[PBY_BELOW] = support_attained,
    .loose = true,
    .list[PBY_ONCE] = pby_bounded_once,
    .interval = true,
    .privacy = pby_lattice_privacy,
    .claim = pby_lattice_claim,
    .statement = {.source = "0 from eps on"},
    .form = PBY_RELEASE_POINT,
    .takes = PBY_TAKES_POINTS,
    .lattice = &support_lattice,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_POINT},
    .select = &pby_bounded_selection,
    .stories = support_stories,
    .manual = support_manual,
    .examples = support_examples,
};
