/* fbquantile:eps=e,q=p,n=N,bound=G[,step=S][,reach=k][,cap=c][,low=a]: a quantile of N integers from a to
 * a + G - 1, by how many records must change before a value is the quantile of typical data.
 *
 * The score of score.h moves by at most 1 where a record changes, whatever the data are: it is the least cost
 * of a way that begins at them. The weights are exp(-(eps/2) score), so that all losses lie in an interval of
 * length eps and the pairs are those of the exponential mechanism (mechanism/exponential/curve.h). A grid has
 * finitely many cells, so that they bound the loss and are not attained. */
#include "law/pick.h"
#include "mechanism/exponential/pieces.h"
#include "mechanism/fbquantile/score.h"
#include "mechanism/lattice.h"
#include "mechanism/lattice_pairs.h"
#include "mechanism/story.h"

enum { EPS, Q, N, BOUND, STEP, REACH, CAP, LOW };

/* m = ceil(q n) */
static int64_t rank_of(const pby_mechanism *m)
{
    fmpz_t rank;
    fmpz_init(rank);
    fmpz_mul(rank, fmpq_numref(&m->value[Q]), fmpq_numref(&m->value[N]));
    fmpz_cdiv_q(rank, rank, fmpq_denref(&m->value[Q]));
    const int64_t out = fmpz_get_si(rank);
    fmpz_clear(rank);
    return out;
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

static const pby_lattice_class quantile_lattice = {quantile_shape, quantile_falls, quantile_rate};

/* ---- the loss ----------------------------------------------------------------------------------- */

static pby_status quantile_pairs(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                                 pby_error *err)
{
    (void)relation;
    return pby_bounded_pieces(out, &m->value[EPS], err);
}

static pby_status quantile_alone(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                                 pby_error *err)
{
    (void)relation;
    return pby_bounded_whole(out, &m->value[EPS], err);
}

enum { LISTED_MAX = 1 << 10 };

static uint64_t apart(uint64_t t, uint64_t f, uint64_t most)
{
    const uint64_t d = t > f ? t - f : f - t;
    return d < most ? d : most;
}

/* Without a step. m - 1 records below p, two at p, the others above it; then one from below goes above. Where
 * there are no such, or the cap is 1: m records at one end and the others at the other; then one moves. */
static size_t jumps(pby_cells_fall *cells, const pby_rank *r)
{
    const uint64_t left = r->side / 2, right = r->side - 1 - left;
    if (r->side == 1) {
        cells[0] = (pby_cells_fall){1, 0, 0};
        return 1;
    }
    if (r->m < 2 || r->n == r->m || r->cap < 2 || r->side < 3) {
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

static pby_status quantile_attained(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                                    pby_error *err)
{
    (void)relation;
    pby_cells_fall cells[LISTED_MAX];
    pby_rank r;
    fmpq_t rate;
    fmpq_init(rate);
    read_rank(&r, m);
    quantile_rate(rate, m);
    const size_t n = r.step == 0 ? jumps(cells, &r) : moves(cells, &r);
    pby_status status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        status = pby_lattice_pair(&out->pair[0], cells, n, rate, err);
    fmpq_clear(rate);
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
     .accuracy = "on typical data the value is off by more than b with the chance that docs/theory says",
     .pages = {"floating-bodies.md", "exponential.md"}},
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
                   {"reach", PBY_NOT_NEGATIVE, "0",
                    "reach=K, the records on either side that typical data keep close", PBY_ROLE_NONE},
                   {"cap", PBY_NATURAL, "", "cap=C, the greatest score, an integer from 1 on", PBY_ROLE_NONE},
                   {"low", PBY_RATIONAL, "0", "low=A, the least value, an integer", PBY_ROLE_NONE}},
    .check = quantile_check,
    .pairs = quantile_pairs,
    .attained = quantile_attained,
    .loose = true,
    .alone = quantile_alone,
    .length = pby_lattice_length,
    .claim = pby_lattice_claim,
    .claim_source = "0 from eps on",
    .form = PBY_RELEASE_POINT,
    .takes = PBY_TAKES_POINTS,
    .lattice = &quantile_lattice,
    .stories = quantile_stories,
    .manual = quantile_manual,
    .examples = quantile_examples,
};
