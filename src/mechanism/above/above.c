/* SPDX-License-Identifier: MIT */
/* above:eps=e[,sensitivity=D][,queries=monotone]: above threshold. A public threshold gets two-sided
 * geometric noise of rate e/(2 D), every answer of a stream noise of rate e/(4 D), or e/(2 D) for monotone
 * queries, and all that is said is which answer is the first to reach the threshold. It halts there: C
 * positive answers are C uses.
 *
 * The threshold is moved by D and the answer that reaches it by 2 D, or by D where queries only rise, so that
 * no output is lost by more than e. And as only one answer reaches the threshold, delta is small even where
 * the threshold's noise is known: the pair has both (docs/theory/above.md). It is not known to be reached.
 * Courses of a few answers lose what the attained pairs lose. */
#include "mechanism/above/above.h"

#include "law/laws.h"
#include "mechanism/above/above_pairs.h"
#include "mechanism/shared/selection.h"
#include "mechanism/shared/stream.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, SENSITIVITY, QUERIES };

bool pby_above_is_monotone(const pby_mechanism *m)
{
    return pby_mechanism_has(m, QUERIES);
}

/* x = eps/n */
static void share(fmpq_t x, const pby_mechanism *m, ulong n)
{
    fmpz_t by;
    fmpz_init_set_ui(by, n);
    fmpq_div_fmpz(x, &m->value[EPS], by);
    fmpz_clear(by);
}

static pby_status law_of_share(pby_law **out, const pby_mechanism *m, ulong n, pby_error *err)
{
    PBY_FMPQ(eps);
    share(eps, m, n);
    return pby_law_geometric_over(out, eps, &m->value[SENSITIVITY], err);
}

pby_status pby_above_threshold(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return law_of_share(out, m, 2, err);
}

pby_status pby_above_answer(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return law_of_share(out, m, pby_above_is_monotone(m) ? 2 : 4, err);
}

static void above_limits(pby_stream_limits *out, const pby_mechanism *m)
{
    (void)m;
    *out = (pby_stream_limits){.tops = 1};
}

static void above_width(pby_stream_width *threshold, pby_stream_width *answer, const pby_mechanism *m)
{
    const double rate = fmpq_get_d(&m->value[EPS]) / (2 * fmpq_get_d(&m->value[SENSITIVITY]));
    *threshold = (pby_stream_width){false, rate};
    *answer = (pby_stream_width){false, pby_above_is_monotone(m) ? rate : rate / 2};
}

static const pby_stream_class above_stream = {pby_above_threshold, pby_above_answer, above_limits,
                                              above_width};

/* A changed record is one less and one more. */
static pby_status refuse_changes(const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    return relation == PBY_SUBSTITUTE
               ? pby_mechanism_refuse(
                     m, "queries=general: a changed record may raise one answer and lower another", err)
               : PBY_OK;
}

static pby_status check_relation(const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    return pby_above_is_monotone(m) ? refuse_changes(m, relation, err) : PBY_OK;
}

/* rate = eps/(shares D) */
static void rate_of(fmpq_t rate, const pby_mechanism *m, ulong shares)
{
    share(rate, m, shares);
    fmpq_div(rate, rate, &m->value[SENSITIVITY]);
}

static pby_status above_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                              pby_error *err)
{
    const bool monotone = pby_above_is_monotone(m);
    PBY_FMPQ(rate);
    rate_of(rate, m, monotone ? 2 : 4);
    PBY_TRY(check_relation(m, wanted->relation, err));
    return (monotone ? pby_above_pairs_monotone
                     : pby_above_pairs_general)(out, rate, pby_mechanism_natural(m, SENSITIVITY), err);
}

/* Makes the pairs of a use; the rate of its answers has `shares` of eps. */
typedef pby_status pairs_of_use(pby_pairs *out, const pby_above_use *use, pby_error *err);

static pby_status attained_by(pby_pairs *out, const pby_mechanism *m, ulong shares, pby_above_moves moves,
                              pairs_of_use *make, pby_error *err)
{
    PBY_FMPQ(threshold, answer);
    rate_of(threshold, m, 2);
    rate_of(answer, m, shares);
    const pby_above_use use = {.threshold = {threshold, NULL},
                               .answer = {answer, NULL},
                               .sensitivity = pby_mechanism_natural(m, SENSITIVITY),
                               .tops = 1,
                               .moves = moves};
    return make(out, &use, err);
}

static pby_status of_courses(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                             pairs_of_use *make, pby_error *err)
{
    const pby_status status = check_relation(m, relation, err);
    if (status != PBY_OK)
        return status;
    return pby_above_is_monotone(m) ? attained_by(out, m, 2, PBY_ABOVE_RISING, make, err)
                                    : attained_by(out, m, 4, PBY_ABOVE_EITHER_WAY, make, err);
}

static pby_status above_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                 pby_error *err)
{
    return of_courses(out, m, wanted->relation, pby_above_pairs_attained, err);
}

static pby_status above_diverging(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                  pby_error *err)
{
    return of_courses(out, m, wanted->relation, pby_above_pairs_diverging, err);
}

/* ---- a group ---------------------------------------------------------------------------------- */

static pby_status group_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                              pby_error *err)
{
    PBY_FMPQ(rate);
    rate_of(rate, m, 2);
    PBY_TRY(refuse_changes(m, wanted->relation, err));
    return pby_above_pairs_group(out, rate, pby_mechanism_natural(m, SENSITIVITY), err);
}

/* The records of a group may all come, or all go. */
static pby_status group_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                 pby_error *err)
{
    const pby_status status = refuse_changes(m, wanted->relation, err);
    return status == PBY_OK ? attained_by(out, m, 2, PBY_ABOVE_TOGETHER, pby_above_pairs_attained, err)
                            : status;
}

static pby_status group_diverging(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                  pby_error *err)
{
    const pby_status status = refuse_changes(m, wanted->relation, err);
    return status == PBY_OK ? attained_by(out, m, 2, PBY_ABOVE_TOGETHER, pby_above_pairs_diverging, err)
                            : status;
}

static const pby_family above_of_group;

/* Some records of a group may come and others go, so that its answers are not monotone; but all answers move
 * within the greater sensitivity of each other, and the noise is that of the greater eps. */
static void above_grow(pby_mechanism *m, unsigned long size)
{
    fmpz_t k;
    fmpz_init_set_ui(k, size);
    fmpq_mul_fmpz(&m->value[EPS], &m->value[EPS], k);
    fmpq_mul_fmpz(&m->value[SENSITIVITY], &m->value[SENSITIVITY], k);
    if (size > 1 && pby_above_is_monotone(m)) {
        fmpq_zero(&m->value[QUERIES]);
        m->family = &above_of_group;
    }
    fmpz_clear(k);
}

/* ---- the family ------------------------------------------------------------------------------- */

static const char above_pair[] =
    "the worst stream against a threshold that is known, with no loss above eps: it dominates every "
    "stream, and is not known to be reached; the lower ends are those of streams of a few answers, the worst "
    "that were found";

static const pby_story above_stories[] = {
    {.what =
         "A stream of integer answers, each of which may depend on what was said of those before it, is "
         "held against a threshold. The threshold has two-sided geometric noise of rate eps/(2 "
         "sensitivity), every answer fresh noise of rate eps/(4 sensitivity), or eps/(2 sensitivity) where "
         "queries are monotone: a record more lowers none, which no program can check. It reports which "
         "answer reaches the threshold first; there it halts, and its use is over. C positive answers are "
         "C uses, each with a threshold of its own.",
     .neighbours = {"one record more or fewer, which moves every answer by at most the sensitivity",
                    "one record changed, which moves every answer by at most the sensitivity"},
     .pair = {above_pair, above_pair},
     .accuracy =
         "probity accuracy --beta b encloses the probability that some answer is wrong by more than b",
     .pages = {"above.md", "alignment.md"},
     .kernel = {{"pby_above", "sparse.h"}}},
    {.what = NULL},
};

static const char *const above_examples[] = {"above:eps=1/2", "above:eps=1,sensitivity=3",
                                             "above:eps=1,sensitivity=2,queries=monotone", NULL};

#define PARAMETERS                                                                                    \
    {                                                                                                 \
        {"eps", PBY_POSITIVE, NULL, "eps=E, the loss of one positive answer, a rational above 0",     \
         PBY_ROLE_EPSILON},                                                                           \
            {"sensitivity", PBY_NATURAL, "1", "sensitivity=D, the most that an answer moves",         \
             PBY_ROLE_SENSITIVITY},                                                                   \
            {"queries", PBY_CHOICE, "general", "queries=general or queries=monotone", PBY_ROLE_NONE}, \
    }

/* The bound itself, as if it were reached: what select judges by. It has no line in the registry. */
static const pby_family above_bound = {
    .name = "above",
    .summary = "the bound of above threshold",
    .relations = PBY_CENTRAL,
    .parameters = PARAMETERS,
    .words = {"general", "monotone"},
    .list[PBY_ABOVE] = above_pairs,
};

/* The family of monotone queries as a group sees them. It has no line in the registry either. */
static const pby_family above_of_group = {
    .name = "above",
    .summary = "above threshold as a group sees it",
    .relations = PBY_CENTRAL,
    .parameters = PARAMETERS,
    .words = {"general", "monotone"},
    .list[PBY_ABOVE] = group_pairs,
    .list[PBY_BELOW] = group_attained,
    .list[PBY_DIVERGING] = group_diverging,
    .loose = true,
    .stories = above_stories,
};

#define SMALLER "the bound falls with eps: noise of a smaller rate is the same noise and more"

static const pby_select_row above_selection = {PBY_SELECT_PURE(SMALLER), .bound = &above_bound};

static const char *const above_manual[] = {
    "above:eps=E[,sensitivity=D][,queries=Q]",
    "Above threshold: the first answer of a stream that is large, asked in a session. Q is general, or "
    "monotone where a record more lowers no answer.",
    NULL};

const pby_family pby_family_above = {
    .name = "above",
    .summary = "above threshold: the first answer of a stream that is large",
    .relations = PBY_CENTRAL,
    .parameters = PARAMETERS,
    .words = {"general", "monotone"},
    .list[PBY_ABOVE] = above_pairs,
    .list[PBY_BELOW] = above_attained,
    .list[PBY_DIVERGING] = above_diverging,
    .loose = true,
    .grow = above_grow,
    .stream = &above_stream,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_STREAM},
    .select = &above_selection,
    .stories = above_stories,
    .examples = above_examples,
    .manual = above_manual,
};
