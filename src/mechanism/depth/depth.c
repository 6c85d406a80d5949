/* SPDX-License-Identifier: MIT */
/* depth:eps=e,level=j,bound=G[,dimension=d][,directions=R][,low=a][,neighbours=add-remove|substitute]: a
 * point of a grid of G^d points that lies deep among the records, uniform among those of depth j or more.
 *
 * The depth of t is the least number of records in a half-space that has t on its border, over all public
 * directions; the score is how much it falls short of j. One record more raises the depth by 0 or 1, so that
 * between add-remove neighbours the weights are exp(-eps score); a record that changes may do both, and then
 * they are exp(-(eps/2) score). Either way all losses lie in an interval of length eps
 * (mechanism/exponential/exponential_curve.h). Beside q=p and n=N the level is N - ceil(p N) + 1, that of the
 * floating body of the p-quantiles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "law/pick.h"
#include "mechanism/depth/depth_score.h"
#include "mechanism/exponential/pieces.h"
#include "mechanism/shared/lattice.h"
#include "mechanism/shared/lattice_pairs.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, LEVEL, Q, N, BOUND, DIMENSION, DIRECTIONS, LOW, NEIGHBOURS };

static bool substitutes(const pby_mechanism *m)
{
    return pby_mechanism_has(m, NEIGHBOURS);
}

static int64_t level_of(const pby_mechanism *m)
{
    if (pby_mechanism_has(m, LEVEL))
        return pby_mechanism_natural(m, LEVEL);
    PBY_FMPZ(rank);
    fmpz_mul(rank, fmpq_numref(&m->value[Q]), fmpq_numref(&m->value[N]));
    fmpz_cdiv_q(rank, rank, fmpq_denref(&m->value[Q]));
    return pby_mechanism_natural(m, N) - fmpz_get_si(rank) + 1;
}

/* All directions of a plane that tell points of the grid apart; of more dimensions a few. */
static int64_t reach_of(const pby_mechanism *m)
{
    static const int64_t usual[] = {[2] = INT32_MAX, [3] = 4, [4] = 2};
    const int64_t side = pby_mechanism_natural(m, BOUND);
    const int64_t reach = pby_mechanism_has(m, DIRECTIONS) ? pby_mechanism_natural(m, DIRECTIONS)
                                                           : usual[pby_mechanism_natural(m, DIMENSION)];
    return reach < side ? reach : side - 1;
}

static void read_tukey(pby_tukey *t, const pby_mechanism *m)
{
    *t = (pby_tukey){.dimension = (unsigned)pby_mechanism_natural(m, DIMENSION),
                     .side = pby_mechanism_natural(m, BOUND),
                     .reach = reach_of(m),
                     .level = level_of(m)};
}

/* ---- the parameters ----------------------------------------------------------------------------- */

static pby_status check_level(const pby_mechanism *m, pby_error *err)
{
    const bool level = pby_mechanism_has(m, LEVEL), q = pby_mechanism_has(m, Q), n = pby_mechanism_has(m, N);
    if (level == q)
        return pby_mechanism_refuse(m, "level, or q and n", err);
    if (q && !n)
        return pby_mechanism_refuse(m, "n beside q", err);
    return n && !substitutes(m)
               ? pby_mechanism_refuse(m, "no n between add-remove neighbours, where it is a secret", err)
               : PBY_OK;
}

static pby_status depth_check(const pby_mechanism *m, pby_error *err)
{
    static const slong low_most = (slong)1 << 52;
    const int64_t dimension = pby_mechanism_natural(m, DIMENSION), side = pby_mechanism_natural(m, BOUND);
    char expected[160];
    pby_tukey t;
    pby_status status = check_level(m, err);
    if (status != PBY_OK)
        return status;
    if (dimension < 2 || dimension > PBY_LATTICE_DIMENSION_MAX)
        return pby_mechanism_refuse(m, "a dimension of 2, 3 or 4; fbquantile is for 1", err);
    if (!fmpz_is_one(fmpq_denref(&m->value[LOW])) ||
        fmpz_cmpabs(fmpq_numref(&m->value[LOW]), (fmpz[]){low_most}) > 0)
        return pby_mechanism_refuse(m, "a low that is an integer from -2^52 to 2^52", err);
    if (side < 2)
        return pby_mechanism_refuse(m, "a bound of at least 2", err);
    read_tukey(&t, m);
    const double steps = pby_tukey_steps(&t);
    snprintf(expected, sizeof expected,
             "a smaller bound or fewer directions: at most 16777216 points and 2e10 steps, not %.2g", steps);
    return pby_tukey_cells(&t) > PBY_PICK_MAX || steps > 2e10 ? pby_mechanism_refuse(m, expected, err)
                                                              : PBY_OK;
}

/* ---- the lattice -------------------------------------------------------------------------------- */

static void depth_shape(pby_lattice_shape *out, const pby_mechanism *m)
{
    pby_tukey t;
    read_tukey(&t, m);
    *out = (pby_lattice_shape){.dimension = t.dimension,
                               .low = fmpz_get_si(fmpq_numref(&m->value[LOW])),
                               .side = (uint64_t)t.side,
                               .cells = (size_t)pby_tukey_cells(&t),
                               .records = (uint64_t)pby_mechanism_natural(m, N)};
}

static pby_status depth_falls(uint64_t *fall, const pby_mechanism *m, const int64_t *count, pby_error *err)
{
    pby_tukey t;
    read_tukey(&t, m);
    return pby_tukey_falls(fall, &t, count, err);
}

static void depth_rate(fmpq_t rate, const pby_mechanism *m)
{
    fmpq_set(rate, &m->value[EPS]);
    if (substitutes(m))
        fmpq_div_2exp(rate, rate, 1);
}

/* At most (N - 1) w/(1 + (N - 1) w), w = exp(-rate beta), of N points (docs/theory/exponential.md). */
static pby_status depth_worse(arb_t chance, const pby_mechanism *m, const fmpq_t beta, slong prec,
                              pby_error *err)
{
    (void)err;
    pby_tukey t;
    read_tukey(&t, m);
    PBY_FMPQ(rate);
    depth_rate(rate, m);
    pby_lattice_others(chance, (uint64_t)pby_tukey_cells(&t), rate, beta, prec);
    if (fmpq_cmp_si(beta, t.level) >= 0)
        arb_zero(chance);
    return PBY_OK;
}

/* As many records at one point as it is to be deep: no other point has any depth. */
static bool depth_level(uint64_t *most, bool *reached, const pby_mechanism *m)
{
    pby_tukey t;
    const int64_t n = pby_mechanism_natural(m, N);
    read_tukey(&t, m);
    *most = (uint64_t)(n > 0 && n < t.level ? n : t.level);
    *reached = n == 0;
    return true;
}

static const pby_lattice_class depth_lattice = {
    .shape = depth_shape,
    .falls = depth_falls,
    .rate = depth_rate,
    .worse = depth_worse,
    .level = depth_level,
    .function = "deepest point of the grid, or one of the level",
    .metric = "how far the depth of the point is below the level, or below the deepest of the grid",
    .note = "the chance that the point is less deep, at most",
};

/* ---- the loss ----------------------------------------------------------------------------------- */

/* About as many records at one point as make it as likely as all others. */
static int64_t records_of_half(const fmpq_t rate, uint64_t cells)
{
    const double records = log((double)cells) / fmpq_get_d(rate);
    return records < INT32_MAX ? (int64_t)records : INT32_MAX;
}

/* k records at one point, and one more there. The others have depth 0. */
static pby_status one_more(pby_pairs *out, int64_t k, int64_t level, uint64_t cells, const fmpq_t rate,
                           pby_error *err)
{
    const uint64_t j = (uint64_t)level, short_of = (uint64_t)(level - k);
    const pby_cells_fall fall[] = {{1, short_of, short_of - 1}, {cells - 1, j, j}};
    pby_status status = pby_pairs_init(out, 2, err);
    for (size_t i = 0; i < 2 && status == PBY_OK; i++) {
        status = pby_lattice_pair(&out->pair[i], fall, 2, rate, err);
        out->pair[i].direction = i == 0 ? PBY_FORWARD : PBY_BACKWARD;
    }
    if (status == PBY_OK)
        pby_pair_reverse(&out->pair[1]);
    return status;
}

/* k and k + 1 records at (0, 0) and (1, 0), and the others at (0, 1): corners of a triangle without any other
 * point of the grid, whose depths are their records. Then one goes over, and the first two change places. */
static pby_status one_over(pby_pairs *out, int64_t k, int64_t level, int64_t n, uint64_t cells,
                           const fmpq_t rate, pby_error *err)
{
    const uint64_t j = (uint64_t)level, short_of = (uint64_t)(level - k);
    const int64_t others = n == 0 ? 0 : n - 2 * k - 1;
    const uint64_t third = others < level ? (uint64_t)(level - others) : 0;
    const pby_cells_fall fall[] = {
        {1, short_of, short_of - 1}, {1, short_of - 1, short_of}, {1, third, third}, {cells - 3, j, j}};
    const pby_status status = pby_pairs_init(out, 1, err);
    return status == PBY_OK ? pby_lattice_pair(&out->pair[0], fall, 4, rate, err) : status;
}

/* A triangle with the corners (0, 0), (g-1, 0) and (0, g-1), all other coordinates 0: `heap` records at each
 * of the first two, and the others, no fewer, at the third. A record goes over from the first to the second.
 * The points off the long side fall by one, those on it, but for the third corner, rise by one if the third
 * has more records than the heap; others have depth 0 (docs/theory/floating-bodies.md). */
enum { KINDS = 5, TRIANGLES = 3 };

struct triangle {
    int64_t heap, third, level;
    uint64_t side, cells;
};

static size_t falls_of(pby_cells_fall *fall, const struct triangle *t)
{
    const uint64_t low = (uint64_t)(t->level - t->heap), g = t->side, inside = g * (g - 1) / 2,
                   third = t->third < t->level ? (uint64_t)(t->level - t->third) : 0;
    fall[0] = (pby_cells_fall){inside, low, low + 1};
    fall[1] = (pby_cells_fall){1, low, low - 1};
    fall[2] = (pby_cells_fall){g - 2, low, t->third > t->heap ? low - 1 : low};
    fall[3] = (pby_cells_fall){1, third, third};
    fall[4] = (pby_cells_fall){t->cells - inside - g, (uint64_t)t->level, (uint64_t)t->level};
    return KINDS;
}

/* delta in doubles, of the second data against the first: it only chooses among triangles. */
static double gain(const struct triangle *t, double rate, double epsilon)
{
    pby_cells_fall fall[KINDS];
    const size_t n = falls_of(fall, t);
    double p = 0, q = 0, delta = 0;
    for (size_t i = 0; i < n; i++) {
        p += (double)fall[i].times * exp(-rate * (double)fall[i].there);
        q += (double)fall[i].times * exp(-rate * (double)fall[i].here);
    }
    for (size_t i = 0; i < n; i++)
        delta += (double)fall[i].times * fmax(0, exp(-rate * (double)fall[i].there) / p -
                                                     exp(epsilon - rate * (double)fall[i].here) / q);
    return delta;
}

/* Sets the side, and where any n will do whether the third corner has one record more. */
static void choose_triangle(struct triangle *t, uint64_t grid, bool any_n, double rate, double epsilon)
{
    struct triangle tried = *t;
    const int64_t least = any_n ? t->heap : t->third;
    double most = -1;
    for (; tried.third >= least; tried.third--)
        for (uint64_t g = 2; g != 0; g = g == grid ? 0 : FLINT_MIN(grid, g + 1 + g / 8)) {
            tried.side = g;
            const double worth = gain(&tried, rate, epsilon);
            if (worth > most) {
                most = worth;
                *t = tried;
            }
        }
}

/* Fills two pairs for each, the one the reverse of the other: the triangles that are the worst at a quarter,
 * a half and three quarters of eps. */
static pby_status triangle_pairs(pby_pair *pair, const struct triangle *t, uint64_t grid, bool any_n,
                                 const fmpq_t rate, pby_error *err)
{
    pby_cells_fall fall[KINDS];
    const double r = fmpq_get_d(rate);
    pby_status status = PBY_OK;
    for (int i = 0; i < 2 * TRIANGLES && status == PBY_OK; i++) {
        struct triangle best = *t;
        const int number = i / 2 + 1;
        choose_triangle(&best, grid, any_n, r, 2 * r * number / (TRIANGLES + 1));
        status = pby_lattice_pair(&pair[i], fall, falls_of(fall, &best), rate, err);
        if (status == PBY_OK && i % 2 == 1)
            pby_pair_reverse(&pair[i]);
    }
    return status;
}

/* With as high a heap as shows: the points of the long side must not be above the level. */
static pby_status add_triangles(pby_pairs *out, const pby_mechanism *m, const pby_tukey *tukey,
                                const fmpq_t rate, pby_error *err)
{
    const int64_t n = pby_mechanism_natural(m, N);
    struct triangle t = {
        .heap = tukey->level - 1, .level = tukey->level, .cells = (uint64_t)pby_tukey_cells(tukey)};
    if (n > 0 && 3 * t.heap + 1 > n)
        t.heap = (n - 1) / 3;
    t.third = n > 0 ? n - 2 * t.heap : t.heap + 1;
    if (t.heap < 1)
        return PBY_OK;
    pby_pair *all = reallocarray(out->pair, out->count + 2 * TRIANGLES, sizeof *all);
    if (all == NULL)
        return pby_no_memory(err);
    out->pair = all;
    for (size_t i = 0; i < 2 * TRIANGLES; i++)
        pby_pair_init(&all[out->count + i]);
    out->count += 2 * TRIANGLES;
    return triangle_pairs(&all[out->count - 2 * TRIANGLES], &t, (uint64_t)pby_mechanism_natural(m, BOUND),
                          n == 0, rate, err);
}

static pby_status depth_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                 pby_error *err)
{
    (void)wanted;
    const int64_t n = pby_mechanism_natural(m, N);
    pby_tukey t;
    PBY_FMPQ(rate);
    read_tukey(&t, m);
    depth_rate(rate, m);
    const uint64_t cells = (uint64_t)pby_tukey_cells(&t);
    int64_t k = records_of_half(rate, cells);
    k = k < t.level ? k : t.level - 1;
    if (substitutes(m) && n > 0 && 2 * k + 1 > n)
        k = (n - 1) / 2;
    PBY_TRY(substitutes(m) ? one_over(out, k, t.level, n, cells, rate, err)
                           : one_more(out, k, t.level, cells, rate, err));
    if (substitutes(m))
        return add_triangles(out, m, &t, rate, err);
    return PBY_OK;
}

/* ---- the family --------------------------------------------------------------------------------- */

#define GROUPS \
    "two groups of points, of losses t and t - eps: the t that is the worst at the epsilon asked for"

static const pby_story depth_stories[] = {
    {.what =
         "A point of a public grid is released with a chance proportional to exp(-r score), where the "
         "score is how much its Tukey depth among the records falls short of a level, over public "
         "directions: r = eps between add-remove neighbours, eps/2 between substitute ones. Records outside "
         "the grid are moved to its border.",
     .neighbours = {"one record more or fewer: no depth moves by more than 1, and all in one direction",
                    "one record changed: no depth moves by more than 1"},
     .pair = {GROUPS, GROUPS},
     .accuracy =
         "probity accuracy --beta b encloses the probability that the point's depth is more than b below "
         "the level, or below the deepest point of the grid; a point of the level is uniform among these",
     .pages = {"floating-bodies.md", "exponential.md"},
     .kernel = {{"pby_tukey_table", "tukey.h"}, {"pby_tukey_row", "tukey.h"}}},
    {.what = NULL},
};

static const char *const depth_examples[] = {
    "depth:eps=1,level=20,bound=10", "depth:eps=1/2,q=4/5,n=100,bound=8,neighbours=substitute",
    "depth:eps=1,level=3,n=30,bound=5,dimension=3,directions=2,low=-2,neighbours=substitute", NULL};

static const char *const depth_manual[] = {
    "depth:eps=E,level=J,bound=G[,dimension=D][,directions=R][,low=A][,neighbours=S]",
    "A point of a grid of G^D points, coordinates from A on, that at least J records surround: uniform among "
    "those of Tukey depth J, over all integer directions with coordinates up to R. D is 2, 3 or 4. S is "
    "add-remove, or substitute.",
    "depth:eps=E,q=P,n=N,bound=G,...,neighbours=substitute",
    "The same at the level of the floating body of the P-quantiles of N records, N - ceil(P N) + 1.",
    NULL,
};

const pby_family pby_family_depth = {
    .name = "depth",
    .summary = "a point deep among the records, uniform in their floating body",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},
                   {"level", PBY_NATURAL, "", "level=J, the depth that is wanted, an integer from 1 on",
                    PBY_ROLE_NONE},
                   {"q", PBY_RATE, "", "q=P, which quantiles bound the body, above 0 and at most 1",
                    PBY_ROLE_NONE},
                   {"n", PBY_NATURAL, "", "n=N, the number of records, an integer from 1 on", PBY_ROLE_SIZE},
                   {"bound", PBY_NATURAL, NULL, "bound=G, the points along each axis, an integer from 2 on",
                    PBY_ROLE_NONE},
                   {"dimension", PBY_NATURAL, "2", "dimension=D, 2, 3 or 4", PBY_ROLE_DIMENSION},
                   {"directions", PBY_NATURAL, "", "directions=R, the largest coordinate of a direction",
                    PBY_ROLE_NONE},
                   {"low", PBY_RATIONAL, "0", "low=A, the least coordinate, an integer", PBY_ROLE_NONE},
                   {"neighbours", PBY_CHOICE, "add-remove", "neighbours=add-remove or neighbours=substitute",
                    PBY_ROLE_RELATION}},
    .words = {"add-remove", "substitute"},
    .check = depth_check,
    .list[PBY_ABOVE] = pby_bounded_above,
    .list[PBY_BELOW] = depth_attained,
    .loose = true,
    .list[PBY_ONCE] = pby_bounded_once,
    .interval = true,
    .privacy = pby_lattice_privacy,
    .claim = pby_lattice_claim,
    .statement = {.source = "0 from eps on"},
    .form = PBY_RELEASE_POINT,
    .takes = PBY_TAKES_POINTS,
    .lattice = &depth_lattice,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_POINT},
    .select = &pby_bounded_selection,
    .stories = depth_stories,
    .manual = depth_manual,
    .examples = depth_examples,
};
