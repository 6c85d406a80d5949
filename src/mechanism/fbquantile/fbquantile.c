/* SPDX-License-Identifier: MIT */
/* fbquantile:eps=e,q=p,n=N,bound=G[,step=S][,reach=k][,cap=c][,low=a]: a quantile of N integers from a to
 * a + G - 1, by how many records must change before a value is the quantile of typical data.
 *
 * The score of fbquantile_score.h moves by at most 1 where a record changes, whatever the data are: it is the
 * least cost of a way that begins at them. The weights are exp(-(eps/2) score), so that all losses lie in an
 * interval of length eps and the pairs are those of the exponential mechanism
 * (mechanism/exponential/exponential_curve.h). A grid has finitely many cells, so that they bound the
 * loss and are not attained. */
#include <math.h>

#include "law/pick.h"
#include "mechanism/exponential/pieces.h"
#include "mechanism/fbquantile/typical.h"
#include "mechanism/shared/lattice.h"
#include "mechanism/shared/lattice_pairs.h"
#include "mechanism/spec/story.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { EPS, Q, N, BOUND, STEP, REACH, CAP, LOW };

/* m = ceil(q n) */
static int64_t rank_of(const pby_mechanism *m)
{
    PBY_FMPZ(rank);
    fmpz_mul(rank, fmpq_numref(&m->value[Q]), fmpq_numref(&m->value[N]));
    fmpz_cdiv_q(rank, rank, fmpq_denref(&m->value[Q]));
    return fmpz_get_si(rank);
}

static void read_rank(pby_rank *r, const pby_mechanism *m)
{
    *r = (pby_rank){.n = pby_mechanism_natural(m, N),
                    .m = rank_of(m),
                    .side = (uint64_t)pby_mechanism_natural(m, BOUND),
                    .step = (uint64_t)pby_mechanism_natural(m, STEP),
                    .reach = (uint64_t)pby_mechanism_natural(m, REACH),
                    .cap = (uint64_t)pby_mechanism_natural(m, CAP)};
    if (r->cap == 0)
        r->cap = r->step == 0 ? (uint64_t)r->n : r->reach + 1;
}

/* ---- the parameters ----------------------------------------------------------------------------- */

static bool is_whole(const fmpq_t x, slong most)
{
    return fmpz_is_one(fmpq_denref(x)) && fmpz_cmpabs(fmpq_numref(x), (fmpz[]){most}) <= 0;
}

static pby_status quantile_check(const pby_mechanism *m, pby_error *err)
{
    static const slong most = INT32_MAX, low_most = (slong)1 << 52;
    pby_rank r;
    if (!is_whole(&m->value[REACH], most))
        return pby_mechanism_refuse(m, "a reach that is an integer from 0 to 2147483647", err);
    if (!is_whole(&m->value[LOW], low_most))
        return pby_mechanism_refuse(m, "a low that is an integer from -2^52 to 2^52", err);
    read_rank(&r, m);
    if (r.side > PBY_PICK_MAX)
        return pby_mechanism_refuse(m, "a bound of at most 16777216: a score takes 40 bytes of memory", err);
    if (r.step == 0 && r.reach > 0)
        return pby_mechanism_refuse(m, "a step beside a reach above 0", err);
    if (r.reach > (uint64_t)(r.m - 1) || r.reach > (uint64_t)(r.n - r.m))
        return pby_mechanism_refuse(m, "a reach below ceil(q n), and at most n - ceil(q n)", err);
    if (r.step > 0 && r.cap > r.reach + 1)
        return pby_mechanism_refuse(m, "a cap of at most reach + 1, or no step", err);
    return PBY_OK;
}

/* ---- the lattice -------------------------------------------------------------------------------- */

static void quantile_shape(pby_lattice_shape *out, const pby_mechanism *m)
{
    const uint64_t side = (uint64_t)pby_mechanism_natural(m, BOUND);
    *out = (pby_lattice_shape){.dimension = 1,
                               .low = fmpz_get_si(fmpq_numref(&m->value[LOW])),
                               .side = side,
                               .cells = (size_t)side,
                               .records = (uint64_t)pby_mechanism_natural(m, N)};
}

static pby_status quantile_falls(uint64_t *fall, const pby_mechanism *m, const int64_t *count, pby_error *err)
{
    pby_rank r;
    read_rank(&r, m);
    return pby_rank_falls(fall, &r, count, err);
}

static void quantile_rate(fmpq_t rate, const pby_mechanism *m)
{
    fmpq_div_2exp(rate, &m->value[EPS], 1);
    if (pby_mechanism_has(m, STEP))
        fmpq_div(rate, rate, &m->value[STEP]);
}

/* The sum of exp(-rate min(k, most)) over k = 1 .. n. */
static void weights(arb_t sum, uint64_t n, uint64_t most, const fmpq_t rate, slong prec)
{
    const uint64_t falling = n < most ? n : most;
    PBY_ARB(a, last);
    PBY_FMPQ(x);
    fmpq_neg(x, rate);
    pby_exp_fmpq(a, x, prec);
    arb_pow_ui(last, a, falling, prec);
    arb_sub_ui(sum, last, 1, prec);
    arb_sub_ui(last, a, 1, prec);
    arb_div(sum, sum, last, prec);
    arb_mul(sum, sum, a, prec);
    arb_pow_ui(last, a, most, prec);
    arb_addmul_ui(sum, last, n - falling, prec);
}

/* The chance of a value farther than b from the quantile, which has `left` values below it and the others
 * above, on typical data: weights beyond b over all. */
static void farther(arb_t chance, const pby_rank *r, uint64_t left, uint64_t b, const fmpq_t rate, slong prec)
{
    const uint64_t side[] = {left, r->side - 1 - left}, most = r->cap * r->step;
    PBY_ARB(all, near);
    arb_zero(chance);
    arb_one(all);
    for (int i = 0; i < 2; i++) {
        weights(near, side[i], most, rate, 2 * prec);
        arb_add(all, all, near, 2 * prec);
        arb_add(chance, chance, near, 2 * prec);
        weights(near, side[i] < b ? side[i] : b, most, rate, 2 * prec);
        arb_sub(chance, chance, near, 2 * prec);
    }
    arb_div(chance, chance, all, prec);
}

/* Without a step a value that is farther than b ranks off falls by b + 1 or more, and there are at most
 * side - 1 of these. */
static void farther_ranks(arb_t chance, const pby_rank *r, uint64_t b, const fmpq_t rate, slong prec)
{
    PBY_ARB(all);
    PBY_FMPQ(x);
    fmpz_set_ui(fmpq_numref(x), b + 1);
    fmpq_mul(x, x, rate);
    fmpq_neg(x, x);
    pby_exp_fmpq(chance, x, prec);
    arb_mul_ui(chance, chance, r->side - 1, prec);
    arb_add_ui(all, chance, 1, prec);
    arb_div(chance, chance, all, prec);
}

/* The quantile at an end of the grid is the worst, or the one in the middle (docs/theory/floating-bodies.md).
 */
static pby_status quantile_worse(arb_t chance, const pby_mechanism *m, const fmpq_t beta, slong prec,
                                 pby_error *err)
{
    (void)err;
    pby_rank r;
    read_rank(&r, m);
    PBY_FMPZ(whole);
    PBY_FMPQ(rate);
    PBY_ARB(middle);
    quantile_rate(rate, m);
    fmpz_fdiv_q(whole, fmpq_numref(beta), fmpq_denref(beta));
    const uint64_t far = r.step == 0 ? r.cap : r.side - 1;
    const uint64_t b = fmpz_cmp_ui(whole, far) >= 0 ? far : fmpz_get_ui(whole);
    if (b == far) {
        arb_zero(chance);
    } else if (r.step == 0) {
        farther_ranks(chance, &r, b, rate, prec);
    } else {
        farther(chance, &r, 0, b, rate, prec);
        farther(middle, &r, (r.side - 1) / 2, b, rate, prec);
        arb_max(chance, chance, middle, prec);
    }
    return PBY_OK;
}

static pby_status quantile_untypical(arb_t chance, const pby_mechanism *m, const fmpq_t density,
                                     const fmpq_t within, slong prec, pby_error *err)
{
    const fmpq *q = &m->value[Q];
    pby_rank r;
    pby_status status = PBY_OK;
    PBY_FMPQ(mass, least);
    read_rank(&r, m);
    fmpq_mul(mass, density, within);
    fmpq_set_ui(least, 2 * r.reach, 1);
    fmpq_mul_ui(least, least, r.step);
    if (fmpq_sgn(density) <= 0 || fmpq_sgn(within) <= 0)
        status = pby_fail(err, PBY_BAD, "density: expected this and within above 0");
    else if (fmpq_cmp(within, least) < 0)
        status = pby_fail(err, PBY_BAD, "within: expected at least 2 reach step of the mechanism");
    if (status == PBY_OK && fmpq_cmp(mass, q) > 0)
        status =
            pby_fail(err, PBY_BAD, "density: expected at most q/within: no law has more below its quantile");
    fmpq_add(least, mass, q);
    if (status == PBY_OK && fmpz_cmp(fmpq_numref(least), fmpq_denref(least)) > 0)
        status = pby_fail(err, PBY_BAD,
                          "density: expected at most (1 - q)/within: no law has more above its quantile");
    if (status == PBY_OK)
        status = pby_rank_untypical(chance, &r, q, density, within, prec, err);
    return status;
}

/* Without a step: m + k - 1 records at one end and the others at the other one put all values but the first
 * end k ranks off; likewise from the other side. */
static bool quantile_level(uint64_t *most, bool *reached, const pby_mechanism *m)
{
    pby_rank r;
    read_rank(&r, m);
    const uint64_t ranks = (uint64_t)(r.m > r.n - r.m + 1 ? r.m : r.n - r.m + 1);
    *most = ranks < r.cap ? ranks : r.cap;
    *reached = true;
    return r.step == 0;
}

static const pby_lattice_class quantile_lattice = {
    .shape = quantile_shape,
    .falls = quantile_falls,
    .rate = quantile_rate,
    .worse = quantile_worse,
    .level = quantile_level,
    .function = "quantile of typical data",
    .metric = "how far the value is from the quantile; without a step, how many ranks",
    .note = "the chance that the value is farther off, at the worst",
    .untypical = quantile_untypical,
};

/* ---- the loss ----------------------------------------------------------------------------------- */

enum { LISTED_MAX = 1 << 10 };

static uint64_t apart(uint64_t t, uint64_t f, uint64_t most)
{
    const uint64_t d = t > f ? t - f : f - t;
    return d < most ? d : most;
}

/* True if m - 1 records may lie below a value and n - m - 1 above it, and two ranks off show. */
static bool has_middle(const pby_rank *r)
{
    return r->m >= 2 && r->n > r->m && r->cap >= 2 && r->side >= 3;
}

/* Without a step. m - 1 records below p, two at p, the others above it; then one from below goes above. Where
 * there are no such, or the cap is 1: m records at one end and the others at the other; then one moves. */
static size_t jumps(pby_cells_fall *cells, const pby_rank *r, uint64_t left)
{
    const uint64_t right = r->side - 1 - left;
    if (r->side == 1) {
        cells[0] = (pby_cells_fall){1, 0, 0};
        return 1;
    }
    if (!has_middle(r)) {
        cells[0] = (pby_cells_fall){1, 0, 1};
        cells[1] = (pby_cells_fall){1, 1, 0};
        cells[2] = (pby_cells_fall){r->side - 2, 1, 1};
    } else {
        cells[0] = (pby_cells_fall){1, 0, 0};
        cells[1] = (pby_cells_fall){left, 1, 2};
        cells[2] = (pby_cells_fall){right, 2, 1};
    }
    return 3;
}

/* delta of the jump in doubles, with so many values on the left: it only chooses where p lies. */
static double gain(double left, double right, double rate, double epsilon)
{
    const double one = exp(-rate), two = one * one, x = exp(epsilon);
    const double p = 1 + left * one + right * two, q = 1 + left * two + right * one;
    return fmax(0, 1 / p - x / q) + fmax(0, left * (one / p - x * two / q)) +
           fmax(0, right * (two / p - x * one / q));
}

/* Where p must lie for the worst jump at an epsilon: few values on one side have a great loss. */
static uint64_t best_left(uint64_t side, double rate, double epsilon)
{
    uint64_t best = side / 2;
    double most = gain((double)best, (double)(side - 1 - best), rate, epsilon);
    for (uint64_t few = 1; few < side - 1; few += 1 + few / 16)
        for (int turned = 0; turned < 2; turned++) {
            const uint64_t left = turned ? side - 1 - few : few;
            const double worth = gain((double)left, (double)(side - 1 - left), rate, epsilon);
            if (worth > most) {
                most = worth;
                best = left;
            }
        }
    return best;
}

/* With one: m records at f, the others at f + s, both data typical; then one moves, and the quantile with it.
 * Values at the cap on both sides are counted together; where there are too many others, no pair is known. */
static size_t moves(pby_cells_fall *cells, const pby_rank *r)
{
    const uint64_t s = r->step < r->side ? r->step : r->side - 1, f = (r->side - 1 - s) / 2,
                   most = r->cap * r->step;
    size_t n = 1;
    cells[0] = (pby_cells_fall){0, most, most};
    for (uint64_t t = 0; t < r->side; t++) {
        const pby_cells_fall one = {1, apart(t, f, most), apart(t, f + s, most)};
        if (one.here == most && one.there == most) {
            cells[0].times++;
        } else if (n == LISTED_MAX) {
            cells[0] = (pby_cells_fall){1, 0, 0};
            return 1;
        } else {
            cells[n++] = one;
        }
    }
    return n;
}

static pby_status quantile_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                    pby_error *err)
{
    enum { PLACES = 4 };
    (void)wanted;
    pby_cells_fall cells[LISTED_MAX];
    pby_rank r;
    PBY_FMPQ(rate);
    read_rank(&r, m);
    quantile_rate(rate, m);
    /* p in the middle, and where it is the worst at a quarter, a half and three quarters of eps */
    const size_t count = r.step == 0 && has_middle(&r) ? PLACES : 1;
    pby_status status = pby_pairs_init(out, count, err);
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        const double speed = fmpq_get_d(rate), at = 2 * speed * (double)i / PLACES;
        const uint64_t left = i == 0 ? r.side / 2 : best_left(r.side, speed, at);
        const size_t n = r.step == 0 ? jumps(cells, &r, left) : moves(cells, &r);
        status = pby_lattice_pair(&out->pair[i], cells, n, rate, err);
    }
    return status;
}

/* ---- the family --------------------------------------------------------------------------------- */

static const pby_story quantile_stories[] = {
    {.what =
         "A quantile of integers in a public range: the value t is released with a chance proportional to "
         "exp(-(eps/2) score), where the score is the fewest records that must change before t is within "
         "reach of the quantile of typical data. Values outside the range are moved to its nearer end.",
     .neighbours = {NULL, "one record changed: no score moves by more than 1"},
     .pair = {NULL, "two groups of values, of losses t and t - eps: the t that is the worst at the epsilon "
                    "asked for, in a composition another in every use"},
     .accuracy = "probity accuracy --beta b encloses the probability that the value is more than b from the "
                 "quantile of typical data; without a step, more than b ranks from it",
     .pages = {"floating-bodies.md", "exponential.md"},
     .kernel = {{"pby_rank_below", "rank.h"}, {"pby_rank_both", "rank.h"}}},
    {.what = NULL},
};

static const char *const quantile_examples[] = {
    "fbquantile:eps=1,q=3/4,n=100,bound=50", "fbquantile:eps=1/2,q=1/2,n=1000,bound=300,step=2,reach=12",
    "fbquantile:eps=1,q=3/5,n=5,bound=5,step=1,reach=1,cap=1,low=-2", NULL};

static const char *const quantile_manual[] = {
    "fbquantile:eps=E,q=P,n=N,bound=G[,low=A]",
    "The P-quantile of N integers from A to A + G - 1, A being 0 unless given: the rank mechanism. The score "
    "of a value is the fewest records that must change before it is the quantile.",
    "fbquantile:eps=E,q=P,n=N,bound=G,step=S[,reach=K][,cap=C][,low=A]",
    "The extended typical-set quantile of floating bodies. Data are typical where K records on either side "
    "of the quantile are at most S apart on average, counted from it; on these a value S off scores 1, and "
    "none more than C, which is K + 1 unless given.",
    NULL,
};

const pby_family pby_family_fbquantile = {
    .name = "fbquantile",
    .summary = "a quantile of integers, by how many records must change",
    .relations = 1 << PBY_SUBSTITUTE,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},
                   {"q", PBY_RATE, NULL, "q=P, which quantile, above 0 and at most 1", PBY_ROLE_NONE},
                   {"n", PBY_NATURAL, NULL, "n=N, the number of records, an integer from 1 on",
                    PBY_ROLE_SIZE},
                   {"bound", PBY_NATURAL, NULL, "bound=G, the number of values, an integer from 1 to 2^24",
                    PBY_ROLE_NONE},
                   {"step", PBY_NATURAL, "",
                    "step=S, how far a value may be off for each record, an integer from 1 on",
                    PBY_ROLE_NONE},
                   {"reach", PBY_NOT_NEGATIVE, "0", "reach=K, how many records on either side are kept close",
                    PBY_ROLE_NONE},
                   {"cap", PBY_NATURAL, "", "cap=C, the greatest score, an integer from 1 on", PBY_ROLE_NONE},
                   {"low", PBY_RATIONAL, "0", "low=A, the least value, an integer", PBY_ROLE_NONE}},
    .check = quantile_check,
    .list[PBY_ABOVE] = pby_bounded_above,
    .list[PBY_BELOW] = quantile_attained,
    .loose = true,
    .list[PBY_ONCE] = pby_bounded_once,
    .interval = true,
    .privacy = pby_lattice_privacy,
    .claim = pby_lattice_claim,
    .statement = {.source = "0 from eps on"},
    .form = PBY_RELEASE_POINT,
    .takes = PBY_TAKES_POINTS,
    .lattice = &quantile_lattice,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_POINT},
    .select = &pby_bounded_selection,
    .stories = quantile_stories,
    .manual = quantile_manual,
    .examples = quantile_examples,
};
