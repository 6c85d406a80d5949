/* SPDX-License-Identifier: MIT */
/* fbsteiner:eps=e,level=j,bound=G[,dimension=d][,radius=R][,directions=R][,low=c]: the Steiner point of the
 * points of depth j, the mean over public directions.
 *
 * A point scores how many records it misses by (fbsteiner_score.h). One record more, or changed, moves every
 * depth by at most 1, so that the region of level + k + 1 on the one side lies in that of level + k on the
 * other, and no support leaves the ends of one k more: the score moves by at most 1. The weights are
 * exp(-(eps/2) score), and all losses lie in an interval of length eps
 * (mechanism/exponential/exponential_curve.h). */
#include <stdio.h>

#include "law/pick.h"
#include "mechanism/exponential/pieces.h"
#include "mechanism/fbsteiner/fbsteiner_score.h"
#include "mechanism/shared/lattice.h"
#include "mechanism/shared/lattice_pairs.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, LEVEL, BOUND, DIMENSION, RADIUS, DIRECTIONS, LOW };

/* As of depth: in the plane all directions, beyond it those that there is time for. */
static int64_t usual_reach(unsigned dimension, int64_t side)
{
    return dimension == 2 || side <= 4 ? side - 1 : 4;
}

static void read_centre(pby_centre *c, const pby_mechanism *m)
{
    const int64_t side = pby_mechanism_natural(m, BOUND), reach = pby_mechanism_natural(m, DIRECTIONS);
    const unsigned dimension = (unsigned)pby_mechanism_natural(m, DIMENSION);
    const int64_t radius = pby_mechanism_natural(m, RADIUS);
    *c = (pby_centre){.depth = {.dimension = dimension,
                                .side = side,
                                .reach = reach == 0     ? usual_reach(dimension, side)
                                         : reach < side ? reach
                                                        : side - 1,
                                .level = pby_mechanism_natural(m, LEVEL)},
                      .radius = radius == 0 ? pby_centre_radius_most(dimension) : radius};
}

static uint64_t cells_of(const pby_centre *c)
{
    return (uint64_t)pby_tukey_cells(&c->depth);
}

/* ---- the parameters ----------------------------------------------------------------------------- */

static pby_status check_size(const pby_mechanism *m, const pby_centre *c, pby_error *err)
{
    char expected[160];
    const double steps = pby_tukey_steps(&c->depth) + pby_centre_steps(c);
    snprintf(expected, sizeof expected,
             "a smaller bound or fewer directions: at most 16777216 points and 2e10 steps, not %.2g", steps);
    return pby_tukey_cells(&c->depth) > PBY_PICK_MAX || steps > 2e10 ? pby_mechanism_refuse(m, expected, err)
                                                                     : PBY_OK;
}

static pby_status steiner_check(const pby_mechanism *m, pby_error *err)
{
    static const slong low_most = (slong)1 << 31;
    const int64_t dimension = pby_mechanism_natural(m, DIMENSION);
    const fmpq *low = &m->value[LOW];
    pby_centre c;
    if (dimension != 2 && dimension != 3)
        return pby_mechanism_refuse(m, "dimension=2 or dimension=3", err);
    if (pby_mechanism_natural(m, BOUND) < 2)
        return pby_mechanism_refuse(m, "a bound of at least 2", err);
    if (pby_mechanism_natural(m, LEVEL) > 1 << 20)
        return pby_mechanism_refuse(m, "a level of at most 2^20", err);
    if (!fmpz_is_one(fmpq_denref(low)) || fmpz_cmpabs(fmpq_numref(low), (fmpz[]){low_most}) > 0)
        return pby_mechanism_refuse(m, "a low that is an integer from -2^31 to 2^31", err);
    read_centre(&c, m);
    if (c.radius > pby_centre_radius_most((unsigned)dimension))
        return pby_mechanism_refuse(m, "a radius of at most 6, or 3 in three dimensions", err);
    return check_size(m, &c, err);
}

/* ---- the lattice -------------------------------------------------------------------------------- */

static void steiner_shape(pby_lattice_shape *out, const pby_mechanism *m)
{
    pby_centre c;
    read_centre(&c, m);
    *out = (pby_lattice_shape){.dimension = c.depth.dimension,
                               .low = fmpz_get_si(fmpq_numref(&m->value[LOW])),
                               .side = (uint64_t)c.depth.side,
                               .cells = (size_t)cells_of(&c)};
}

static pby_status steiner_falls(uint64_t *fall, const pby_mechanism *m, const int64_t *count, pby_error *err)
{
    pby_centre c;
    read_centre(&c, m);
    return pby_centre_falls(fall, &c, count, err);
}

static void steiner_rate(fmpq_t rate, const pby_mechanism *m)
{
    fmpq_div_2exp(rate, &m->value[EPS], 1);
}

/* One point scores 0 on all data. Those that miss by more than b are at most all others, and score b + 1 or
 * more: (N - 1) w/(1 + (N - 1) w), w = exp(-rate (b + 1)). */
static pby_status steiner_worse(arb_t chance, const pby_mechanism *m, const fmpq_t beta, slong prec,
                                pby_error *err)
{
    (void)err;
    pby_centre c;
    read_centre(&c, m);
    PBY_FMPZ(b);
    PBY_FMPQ(rate, fall);
    fmpz_fdiv_q(b, fmpq_numref(beta), fmpq_denref(beta));
    arb_zero(chance);
    if (fmpz_cmp_si(b, c.depth.level) >= 0)
        return PBY_OK;
    steiner_rate(rate, m);
    fmpz_add_ui(fmpq_numref(fall), b, 1);
    pby_lattice_others(chance, cells_of(&c), rate, fall, prec);
    return PBY_OK;
}

static bool steiner_level(uint64_t *most, bool *reached, const pby_mechanism *m)
{
    *most = (uint64_t)pby_mechanism_natural(m, LEVEL);
    *reached = false;
    return true;
}

static const pby_lattice_class steiner_lattice = {
    .shape = steiner_shape,
    .falls = steiner_falls,
    .rate = steiner_rate,
    .worse = steiner_worse,
    .level = steiner_level,
    .function = "Steiner point of the points of the level, over public directions",
    .metric = "how many levels off: in each coordinate between the means of supports from those of level + "
              "beta to those of level - beta",
    .note = "the chance that the point is farther off, at most",
};

/* ---- the loss ----------------------------------------------------------------------------------- */

static uint64_t power(uint64_t x, unsigned n)
{
    uint64_t out = 1;
    for (unsigned i = 0; i < n; i++)
        out *= x;
    return out;
}

/* level - 1 records at the least corner, and one more there. Without it no point has the depth, and the mean
 * of no region is the middle of the grid, one point or two along each axis; with it the corner has. All other
 * points miss alike: by 1, or, beyond what the corner with one level off gives, by the level. */
static pby_status steiner_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                   pby_error *err)
{
    pby_centre c;
    read_centre(&c, m);
    const unsigned d = c.depth.dimension;
    const uint64_t level = (uint64_t)c.depth.level, cells = cells_of(&c);
    const uint64_t middle = power(c.depth.side % 2 == 0 ? 2 : 1, d);
    const uint64_t near = level == 1 ? cells : power((uint64_t)pby_centre_near(&c), d);
    const uint64_t apart = c.depth.side == 2 ? 0 : 1; /* the corner is in the middle of a grid of 2 */
    const pby_cells_fall falls[] = {{1, apart, 0},
                                    {middle - (1 - apart), 0, 1},
                                    {near - middle - apart, 1, 1},
                                    {cells - near, level, level}};
    if (wanted->relation != PBY_ADD_REMOVE)
        return PBY_OK;
    PBY_FMPQ(rate);
    steiner_rate(rate, m);
    pby_status status = pby_pairs_init(out, 2, err);
    for (size_t i = 0; i < 2 && status == PBY_OK; i++) {
        status = pby_lattice_pair(&out->pair[i], falls, 4, rate, err);
        out->pair[i].direction = i == 0 ? PBY_FORWARD : PBY_BACKWARD;
    }
    if (status == PBY_OK)
        pby_pair_reverse(&out->pair[1]);
    return status;
}

/* ---- the family --------------------------------------------------------------------------------- */

#define GROUPS \
    "two groups of points, of losses t and t - eps: the t that is the worst at the epsilon asked for"

static const pby_story steiner_stories[] = {
    {.what =
         "The centre of the points of a Tukey depth: the mean of a public set of directions, each times how "
         "far the points reach along it. The point t of the grid is released with a chance proportional to "
         "exp(-(eps/2) score), where the score is by how much the depth must be asked for less or more "
         "before t lies between the ends. Records outside the grid are moved to its border.",
     .neighbours = {"one record more or fewer: no score moves by more than 1",
                    "one record changed: no score moves by more than 1"},
     .pair = {GROUPS, GROUPS},
     .accuracy = "probity accuracy --beta b bounds the probability that some coordinate is not between the "
                 "ends of the levels level + b and level - b",
     .pages = {"floating-bodies.md", "exponential.md"},
     .kernel = {{"pby_tukey_table", "tukey.h"}}},
    {.what = NULL},
};

static const char *const steiner_examples[] = {
    "fbsteiner:eps=1,level=20,bound=10", "fbsteiner:eps=1/2,level=5,bound=8,radius=2,low=-4",
    "fbsteiner:eps=1,level=2,bound=4,dimension=3,directions=2", NULL};

static const char *const steiner_manual[] = {
    "fbsteiner:eps=E,level=J,bound=G[,dimension=D][,radius=R][,directions=R][,low=C]",
    "A point of the grid near the centre of the points of depth J among the records: the Steiner point, the "
    "mean of how far they reach over the directions of length up to R (6; 3 in three dimensions). Grid, "
    "directions and low are those of depth; D is 2 or 3.",
    NULL,
};

const pby_family pby_family_fbsteiner = {
    .name = "fbsteiner",
    .summary = "the Steiner point of the deep points, over public directions",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},
                   {"level", PBY_NATURAL, NULL, "level=J, the depth, an integer from 1 on", PBY_ROLE_NONE},
                   {"bound", PBY_NATURAL, NULL, "bound=G, the points along each axis, an integer from 2 on",
                    PBY_ROLE_NONE},
                   {"dimension", PBY_NATURAL, "2", "dimension=D, the coordinates of a point, 2 or 3",
                    PBY_ROLE_DIMENSION},
                   {"radius", PBY_NATURAL, "", "radius=R, the greatest length of a direction of the mean",
                    PBY_ROLE_NONE},
                   {"directions", PBY_NATURAL, "",
                    "directions=R, the largest coordinate of a direction of depths", PBY_ROLE_NONE},
                   {"low", PBY_RATIONAL, "0", "low=C, the least coordinate, an integer", PBY_ROLE_NONE}},
    .check = steiner_check,
    .list[PBY_ABOVE] = pby_bounded_above,
    .list[PBY_BELOW] = steiner_attained,
    .loose = true,
    .list[PBY_ONCE] = pby_bounded_once,
    .interval = true,
    .privacy = pby_lattice_privacy,
    .claim = pby_lattice_claim,
    .statement = {.source = "0 from eps on"},
    .form = PBY_RELEASE_POINT,
    .takes = PBY_TAKES_POINTS,
    .lattice = &steiner_lattice,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_POINT},
    .select = &pby_bounded_selection,
    .stories = steiner_stories,
    .manual = steiner_manual,
    .examples = steiner_examples,
};
