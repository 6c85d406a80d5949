/* SPDX-License-Identifier: MIT */
/* sparse: the sparse vector with noise of either kind (docs/theory/sparse.md).
 *
 *     sparse:sigma2=S[,answer-sigma2=S']   discrete Gaussian noise on threshold and answers
 *     sparse:sigma2=S,answer-rate=R        a Gaussian threshold, geometric answers
 *     sparse:rate=R[,answer-rate=R']       geometric noise on both
 *     sparse:rate=R,answer-sigma2=S        a geometric threshold, Gaussian answers
 *
 * with tops=C positive answers that share one noisy threshold, at most questions=K questions, and neighbours
 * that move an answer by at most sensitivity=D. Gaussian answers need a limit: a number of questions, or a
 * gap that no answer lies further below the threshold than. One use is one stage: it ends with its C-th
 * positive answer or its K-th question.
 *
 * The threshold is moved by D and each positive answer by 2 D, so that an output of j positive answers has
 * the moments of one threshold and j answers. Summed over all outputs they give D_a <= xi + rho a + B/(a-1);
 * geometric answers cost no more than their largest loss, whatever the output, and need no B. */
#include "mechanism/sparse/family_sparse.h"

#include <math.h>

#include "law/laws.h"
#include "mechanism/above/above_pairs.h"
#include "mechanism/shared/selection.h"
#include "mechanism/shared/stream.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

/* So many outputs are still counted in a moment. */
enum { TOPS_MAX = 1 << 16 };

static bool has(const pby_mechanism *m, size_t parameter)
{
    return pby_mechanism_has(m, parameter);
}

/* ---- a use ------------------------------------------------------------------------------------ */

static pby_status check_unbounded(const pby_mechanism *m, const pby_sparse_use *use, pby_error *err)
{
    PBY_FMPQ(least);
    fmpq_mul_si(least, use->threshold.sigma2, use->tops);
    const bool wide = pby_sparse_is_gaussian(&use->threshold) && fmpq_cmp(use->answer.sigma2, least) > 0;
    return wide ? PBY_OK
                : pby_mechanism_refuse(m,
                                       "with a gap a Gaussian threshold, and answers of more than tops times "
                                       "its sigma2",
                                       err);
}

static pby_status check_use(const pby_mechanism *m, const pby_sparse_use *use, pby_error *err)
{
    if (has(m, PBY_SPARSE_SIGMA2) == has(m, PBY_SPARSE_RATE))
        return pby_mechanism_refuse(m, "sigma2 or rate, the noise of the threshold", err);
    if (has(m, PBY_SPARSE_ANSWER_SIGMA2) && has(m, PBY_SPARSE_ANSWER_RATE))
        return pby_mechanism_refuse(m, "answer-sigma2 or answer-rate, not both", err);
    if (has(m, PBY_SPARSE_QUESTIONS) && use->tops > use->questions)
        return pby_mechanism_refuse(m, "at least as many questions as tops", err);
    if (use->tops > TOPS_MAX)
        return pby_mechanism_refuse(m, "at most 65536 tops", err);
    if (!pby_sparse_is_gaussian(&use->answer))
        return has(m, PBY_SPARSE_GAP) ? pby_mechanism_refuse(m, "no gap: geometric answers need none", err)
                                      : PBY_OK;
    if (has(m, PBY_SPARSE_QUESTIONS) == has(m, PBY_SPARSE_GAP))
        return pby_mechanism_refuse(m, "questions or gap, because Gaussian answers need a limit", err);
    return has(m, PBY_SPARSE_GAP) ? check_unbounded(m, use, err) : PBY_OK;
}

static pby_status sparse_check(const pby_mechanism *m, pby_error *err)
{
    pby_sparse_use use;
    pby_sparse_use_init(&use, m);
    const pby_status status = check_use(m, &use, err);
    pby_sparse_use_clear(&use);
    return status;
}

/* ---- the noise -------------------------------------------------------------------------------- */

static pby_status law_of(pby_law **out, const pby_sparse_noise *noise, pby_error *err)
{
    return pby_sparse_is_gaussian(noise) ? pby_law_dgauss(out, noise->sigma2, err)
                                         : pby_law_geometric(out, noise->rate, err);
}

static pby_status sparse_threshold(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    pby_sparse_use use;
    pby_sparse_use_init(&use, m);
    const pby_status status = law_of(out, &use.threshold, err);
    pby_sparse_use_clear(&use);
    return status;
}

static pby_status sparse_answer(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    pby_sparse_use use;
    pby_sparse_use_init(&use, m);
    const pby_status status = law_of(out, &use.answer, err);
    pby_sparse_use_clear(&use);
    return status;
}

static void sparse_limits(pby_stream_limits *out, const pby_mechanism *m)
{
    *out = (pby_stream_limits){pby_mechanism_natural(m, PBY_SPARSE_TOPS),
                               pby_mechanism_natural(m, PBY_SPARSE_QUESTIONS),
                               pby_mechanism_natural(m, PBY_SPARSE_GAP)};
}

static pby_stream_width width_of(const pby_sparse_noise *noise)
{
    return pby_sparse_is_gaussian(noise) ? (pby_stream_width){true, sqrt(fmpq_get_d(noise->sigma2))}
                                         : (pby_stream_width){false, fmpq_get_d(noise->rate)};
}

static void sparse_width(pby_stream_width *threshold, pby_stream_width *answer, const pby_mechanism *m)
{
    pby_sparse_use use;
    pby_sparse_use_init(&use, m);
    *threshold = width_of(&use.threshold);
    *answer = width_of(&use.answer);
    pby_sparse_use_clear(&use);
}

static const pby_stream_class sparse_stream = {sparse_threshold, sparse_answer, sparse_limits, sparse_width};

/* ---- the promise ------------------------------------------------------------------------------ */

static bool both_geometric(const pby_mechanism *m)
{
    return has(m, PBY_SPARSE_RATE) && !has(m, PBY_SPARSE_ANSWER_SIGMA2);
}

static pby_status sparse_constant(arb_t b, const pby_mechanism *m, slong prec, pby_error *err)
{
    pby_sparse_use use;
    pby_sparse_use_init(&use, m);
    const pby_status status = pby_sparse_constant(b, &use, prec, err);
    pby_sparse_use_clear(&use);
    return status;
}

static void sparse_privacy(pby_privacy *p, const pby_mechanism *m)
{
    pby_sparse_use use;
    p->promise.constant = sparse_constant;
    p->promise.made = !both_geometric(m);
    if (!p->promise.made)
        return;
    pby_sparse_use_init(&use, m);
    pby_sparse_line(p->promise.xi, p->promise.rho, &use);
    pby_sparse_use_clear(&use);
}

/* ---- the pairs -------------------------------------------------------------------------------- */

static pby_status sparse_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err)
{
    (void)wanted;
    pby_sparse_use use;
    pby_sparse_use_init(&use, m);
    const pby_status status = both_geometric(m) ? pby_sparse_pairs_geometric(out, &use, err)
                                                : pby_sparse_pairs_nodes(out, &use, err);
    pby_sparse_use_clear(&use);
    return status;
}

/* Neighbours that are equal. */
static pby_status nothing_attained(pby_pairs *out, pby_error *err)
{
    pby_status status = pby_pairs_init(out, 1, err);
    PBY_ARB(one);
    arb_one(one);
    if (status == PBY_OK)
        status = pby_pair_two_balls(&out->pair[0], one, one, err);
    return status;
}

static pby_above_noise noise_of(const pby_sparse_noise *noise)
{
    return pby_sparse_is_gaussian(noise) ? (pby_above_noise){NULL, noise->sigma2}
                                         : (pby_above_noise){noise->rate, NULL};
}

typedef pby_status pairs_of_use(pby_pairs *out, const pby_above_use *use, pby_error *err);

static pby_status of_courses(pby_pairs *out, const pby_mechanism *m, pairs_of_use *make, pby_error *err)
{
    pby_sparse_use use;
    pby_sparse_use_init(&use, m);
    const pby_above_use asked = {.threshold = noise_of(&use.threshold),
                                 .answer = noise_of(&use.answer),
                                 .sensitivity = use.sensitivity,
                                 .tops = use.tops,
                                 .questions = use.questions,
                                 .gap = use.gap};
    const pby_status status = pby_above_sums_up(&asked) ? make(out, &asked, err) : nothing_attained(out, err);
    pby_sparse_use_clear(&use);
    return status;
}

static pby_status sparse_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                  pby_error *err)
{
    (void)wanted;
    return of_courses(out, m, pby_above_pairs_attained, err);
}

static pby_status sparse_diverging(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                   pby_error *err)
{
    (void)wanted;
    return of_courses(out, m, pby_above_pairs_diverging, err);
}

/* ---- the family ------------------------------------------------------------------------------- */

static const char sparse_pair[] =
    "a pair with kinks at up to 256 points of a bound on the profile: it dominates every stream of answers, "
    "and is not known to be reached; the lower ends are those of streams of a few answers, the worst that "
    "were found";

static const pby_story sparse_stories[] = {
    {.what = "A stream of integer answers, each of which may depend on what was said of those before it, is "
             "held against a threshold. The threshold has discrete Gaussian noise of variance sigma2 or "
             "two-sided geometric noise of a rate, drawn once a use; every answer has fresh noise, Gaussian "
             "or geometric, by default of twice the threshold's deviation. It says of each answer whether it "
             "reaches the threshold. The use ends with its last positive answer of tops, or with the last of "
             "its questions. Several uses are stages, each with a threshold of its own. With a gap, answers "
             "further below the threshold are raised to it, and any number of questions may be asked.",
     .neighbours = {"one record more or fewer, which moves every answer by at most the sensitivity",
                    "one record changed, which moves every answer by at most the sensitivity"},
     .pair = {sparse_pair, sparse_pair},
     .accuracy =
         "probity accuracy --beta b encloses the probability that some answer is wrong by more than b",
     .pages = {"sparse.md", "above.md", "conversions.md"},
     .kernel = {{"pby_above", "sparse.h"}}},
    {.what = NULL},
};

static const char *const sparse_examples[] = {"sparse:sigma2=400,tops=2,questions=10",
                                              "sparse:sigma2=100,answer-rate=1/8,sensitivity=2",
                                              "sparse:rate=1/4,tops=2",
                                              "sparse:rate=1/2,answer-rate=1/8",
                                              "sparse:rate=1/8,answer-sigma2=400,questions=20",
                                              "sparse:sigma2=400,gap=20",
                                              NULL};

static const char *const sparse_manual[] = {
    "sparse:sigma2=S,questions=K[,tops=C][,answer-sigma2=T][,sensitivity=D]",
    "The sparse vector: which answers of a stream are large, with discrete Gaussian noise on the threshold "
    "and the answers, asked in a session.",
    "sparse:sigma2=S,gap=G[,tops=C][,answer-sigma2=T][,sensitivity=D]",
    "The same with any number of questions, where no answer is more than G below the threshold.",
    "sparse:sigma2=S,answer-rate=R[,tops=C][,questions=K][,sensitivity=D]",
    "The same with a Gaussian threshold and geometric answers.",
    "sparse:rate=R[,answer-rate=R][,tops=C][,questions=K][,sensitivity=D]",
    "The same with geometric noise on both; with answer-sigma2=T, Gaussian answers.",
    NULL};

#define PARAMETERS                                                                                           \
    {                                                                                                        \
        {"sigma2", PBY_POSITIVE, "",                                                                         \
         "sigma2=S, discrete Gaussian noise on the threshold, a rational above 0", PBY_ROLE_VARIANCE},       \
            {"rate", PBY_POSITIVE, "", "rate=R, geometric noise on the threshold, a rational above 0",       \
             PBY_ROLE_RATE},                                                                                 \
            {"answer-sigma2", PBY_POSITIVE, "",                                                              \
             "answer-sigma2=T, Gaussian noise on answers; by default four times the threshold's",            \
             PBY_ROLE_NONE},                                                                                 \
            {"answer-rate", PBY_POSITIVE, "",                                                                \
             "answer-rate=R, geometric noise on answers; by default half the threshold's", PBY_ROLE_NONE},   \
            {"tops", PBY_NATURAL, "1", "tops=C, the positive answers of one use", PBY_ROLE_NONE},            \
            {"questions", PBY_NATURAL, "", "questions=K, the most questions of one use", PBY_ROLE_NONE},     \
            {"gap", PBY_NATURAL, "", "gap=G, how far an answer may lie below the threshold", PBY_ROLE_NONE}, \
        {                                                                                                    \
            "sensitivity", PBY_NATURAL, "1", "sensitivity=D, the most that an answer moves",                 \
                PBY_ROLE_SENSITIVITY                                                                         \
        }                                                                                                    \
    }

/* The bound itself, as if it were reached: what select judges by. It has no line in the registry. */
static const pby_family sparse_bound = {
    .name = "sparse",
    .summary = "the bound of the sparse vector",
    .relations = PBY_CENTRAL,
    .parameters = PARAMETERS,
    .check = sparse_check,
    .list[PBY_ABOVE] = sparse_pairs,
    .privacy = sparse_privacy,
};

/* ---- what select chooses ---------------------------------------------------------------------- */

#define SMALLER "the bound falls with the rate: more noise, and less is added to its loss"
#define FALLING "the curve falls as sigma2 rises"
#define UNKNOWN "with a gap the order of candidates is not known: others were tried at doubling distances"

/* The points of the bound are guessed for a Gaussian threshold, so that no order of deltas is known. */
#define GAUSSIAN_SELECTION(order)                                                                     \
    {                                                                                                 \
        .chosen = PBY_ROLE_VARIANCE, .rising = true, .rho_monotone = (order), .bound = &sparse_bound, \
        .never_zero = "its loss has no largest value"                                                 \
    }

static const pby_select_row gaussian_selection = GAUSSIAN_SELECTION(FALLING);
static const pby_select_row gap_selection = GAUSSIAN_SELECTION(UNKNOWN);

static const pby_select_row *sparse_row(unsigned named)
{
    if (named >> PBY_SPARSE_RATE & 1)
        return NULL;
    if (named >> PBY_SPARSE_GAP & 1)
        return &gap_selection;
    const bool limited = named >> PBY_SPARSE_QUESTIONS & 1, other = named >> PBY_SPARSE_ANSWER_RATE & 1;
    return limited || other ? &gaussian_selection : NULL;
}

static const pby_select_row sparse_selection = {
    .for_given = sparse_row,
    .chosen = PBY_ROLE_RATE,
    .monotone = SMALLER,
    .recipe = PBY_RECIPE_THEOREMS,
    .source = PBY_SELECT_THEOREMS,
    .rho_monotone = SMALLER,
    .rho_recipe = PBY_RECIPE_PURE,
    .rho_source = PBY_SELECT_SQUARED,
    .bound = &sparse_bound,
    .binds = "the resolution",
};

const pby_family pby_family_sparse = {
    .name = "sparse",
    .summary = "the sparse vector: which answers of a stream are large",
    .relations = PBY_CENTRAL,
    .parameters = PARAMETERS,
    .check = sparse_check,
    .list[PBY_ABOVE] = sparse_pairs,
    .list[PBY_BELOW] = sparse_attained,
    .list[PBY_DIVERGING] = sparse_diverging,
    .loose = true,
    .privacy = sparse_privacy,
    .stream = &sparse_stream,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_STREAM},
    .select = &sparse_selection,
    .stories = sparse_stories,
    .manual = sparse_manual,
    .examples = sparse_examples,
};
