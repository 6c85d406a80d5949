/* above:eps=e[,sensitivity=D]: above threshold. A public threshold gets two-sided geometric noise of rate
 * e/(2 D), every answer of a stream noise of rate e/(4 D), and all that is said is which answer is the first
 * to reach the threshold. It halts there: C positive answers are C uses.
 *
 * The threshold is moved by D and the answer that reaches it by 2 D, so that with a threshold t the chance of
 * any output is at most exp(e/2) times that on a neighbour with the threshold t + D. Summed over t, delta at
 * epsilon is at most that of the threshold's own noise at epsilon - e/2, for neighbours in both orders. The
 * least pair that allows this much at every epsilon from 0 on, in both orders, is its own reverse
 * (docs/theory/above.md).
 *
 * It is not known to be reached. One answer alone loses what the attained pairs lose. */
#include "mechanism/above/above.h"

#include "law/laws.h"
#include "mechanism/story.h"

enum { EPS, SENSITIVITY };

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
    fmpq_t eps;
    fmpq_init(eps);
    share(eps, m, n);
    const pby_status status = pby_law_geometric_over(out, eps, &m->value[SENSITIVITY], err);
    fmpq_clear(eps);
    return status;
}

pby_status pby_above_threshold(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return law_of_share(out, m, 2, err);
}

pby_status pby_above_answer(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return law_of_share(out, m, 4, err);
}

/* ---- the pair that dominates ------------------------------------------------------------------ */

/* Appends (p, q), (q, p) and takes both out of what is left of the mass. */
static pby_status append_both(pby_pair *pair, const pby_expsum_t p, const pby_expsum_t q, pby_expsum_t left,
                              pby_error *err)
{
    pby_expsum_t x, y;
    pby_expsum_init(x);
    pby_expsum_init(y);
    pby_status status = PBY_OK;
    for (int order = 0; order < 2 && status == PBY_OK; order++) {
        pby_expsum_set(x, order == 0 ? p : q);
        pby_expsum_set(y, order == 0 ? q : p);
        pby_expsum_sub(left, left, x);
        status = pby_pair_append(pair, x, y, err);
    }
    pby_expsum_clear(y);
    pby_expsum_clear(x);
    return status;
}

/* The outcomes of the shifted noise with Q of exp(-eps/2) of its mass, as far as their loss is above 0; the
 * same reversed; and without a loss what is left, which is never below 0. */
static pby_status thin(pby_pair *pair, const pby_pair *shifted, const pby_mechanism *m, pby_error *err)
{
    fmpq_t one, rate;
    pby_expsum_t q, left, again;
    fmpq_init(one);
    fmpq_init(rate);
    pby_expsum_init(q);
    pby_expsum_init(left);
    pby_expsum_init(again);
    fmpq_one(one);
    share(rate, m, 2);
    fmpq_neg(rate, rate);
    pby_expsum_set(pair->norm_p, shifted->norm_p);
    pby_expsum_set(pair->norm_q, shifted->norm_p);
    pby_expsum_set(left, shifted->norm_p);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < shifted->count && status == PBY_OK; i++) {
        pby_expsum_mul_term(q, shifted->atoms[i].q, one, rate);
        if (!pby_expsum_equal(q, shifted->atoms[i].p))
            status = append_both(pair, shifted->atoms[i].p, q, left, err);
    }
    pby_expsum_set(again, left);
    if (status == PBY_OK)
        status = pby_pair_append(pair, left, again, err);
    pby_expsum_clear(again);
    pby_expsum_clear(left);
    pby_expsum_clear(q);
    fmpq_clear(rate);
    fmpq_clear(one);
    return status;
}

/* Both sides of the noise have one norm. */
static pby_status above_pairs(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    (void)relation;
    pby_law *law = NULL;
    pby_pair shifted;
    pby_pair_init(&shifted);
    pby_status status = pby_above_threshold(&law, m, err);
    if (status == PBY_OK)
        status = pby_pair_shift(&shifted, law, pby_mechanism_natural(m, SENSITIVITY), err);
    pby_pair_merge(&shifted);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        status = thin(&out->pair[0], &shifted, m, err);
    pby_pair_clear(&shifted);
    pby_law_free(law);
    return status;
}

/* ---- pairs that are attained ------------------------------------------------------------------ */

/* With b = exp(-eps/(4 D)), the chance that an answer of T - j reaches the threshold T is, for j >= 1,
 *
 *     ((1 + b)(1 + b^2) b^j - b^(2j+1)) / ((1 + b + b^2)(1 + b^2))
 *
 * and that of T + j - 1 is its complement (docs/theory/above.md). Both as numerators. */
static void add_power(pby_expsum_t x, slong c, const fmpq_t rate, int64_t power)
{
    fmpq_t r;
    fmpz_t k;
    fmpq_init(r);
    fmpz_init_set_si(k, -power);
    fmpq_mul_fmpz(r, rate, k);
    pby_expsum_add_term_si(x, c, r);
    fmpz_clear(k);
    fmpq_clear(r);
}

/* (1 + b + b^2)(1 + b^2) */
static void one_answer_norm(pby_expsum_t x, const fmpq_t rate)
{
    static const slong c[] = {1, 1, 2, 1, 1};
    pby_expsum_zero(x);
    for (int i = 0; i < 5; i++)
        add_power(x, c[i], rate, i);
}

static void one_answer(pby_expsum_t x, const fmpq_t rate, int64_t j)
{
    const int64_t k = j >= 1 ? j : 1 - j;
    pby_expsum_zero(x);
    for (int i = 0; i < 4; i++)
        add_power(x, 1, rate, k + i);
    add_power(x, -1, rate, 2 * k + 1);
    if (j >= 1)
        return;
    pby_expsum_t norm;
    pby_expsum_init(norm);
    one_answer_norm(norm, rate);
    pby_expsum_sub(x, norm, x);
    pby_expsum_clear(norm);
}

/* One answer: T - from on the one input, T - to on the other. */
static pby_status one_answer_pair(pby_pair *pair, const fmpq_t rate, int64_t from, int64_t to, pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    one_answer_norm(pair->norm_p, rate);
    one_answer_norm(pair->norm_q, rate);
    one_answer(p, rate, from);
    one_answer(q, rate, to);
    pby_status status = pby_pair_append(pair, p, q, err);
    if (status == PBY_OK) {
        one_answer(p, rate, 1 - from);
        one_answer(q, rate, 1 - to);
        status = pby_pair_append(pair, p, q, err);
    }
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

/* An answer at the threshold, where delta is greatest at a small epsilon, and one far below it, where the
 * loss is. */
static pby_status above_attained(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                                 pby_error *err)
{
    (void)relation;
    const int64_t d = pby_mechanism_natural(m, SENSITIVITY);
    const int64_t below[] = {1 - (d + 1) / 2, 1, 2 * d};
    const size_t count = sizeof below / sizeof *below;
    fmpq_t rate;
    fmpq_init(rate);
    share(rate, m, 4);
    fmpq_div(rate, rate, &m->value[SENSITIVITY]);
    pby_status status = pby_pairs_init(out, count, err);
    for (size_t i = 0; i < count && status == PBY_OK; i++)
        status = one_answer_pair(&out->pair[i], rate, below[i], below[i] + d, err);
    fmpq_clear(rate);
    return status;
}

/* ---- the family ------------------------------------------------------------------------------- */

static const char above_pair[] =
    "the threshold's noise and that noise shifted by the sensitivity, with eps/2 more of loss and as much "
    "reversed: it dominates every stream of answers, and is not known to be reached";

static const pby_story above_stories[] = {
    {.what =
         "A stream of integer answers, each of which may depend on what was said of those before it, is "
         "held against a threshold. The threshold has two-sided geometric noise of rate eps/(2 "
         "sensitivity), every answer fresh noise of rate eps/(4 sensitivity). Said is which answer reaches "
         "the threshold first; there it halts, and its use is over. C positive answers are C uses, each "
         "with a threshold of its own.",
     .neighbours = {"one record more or fewer, which moves every answer by at most the sensitivity",
                    "one record changed, which moves every answer by at most the sensitivity"},
     .pair = {above_pair, above_pair},
     .accuracy = "none here: docs/theory/above.md has the chance that every answer is right but for alpha",
     .pages = {"above.md", "alignment.md"},
     .kernel = {{"pby_above", "sparse.h"}}},
    {.what = NULL},
};

static const char *const above_examples[] = {"above:eps=1/2", "above:eps=1,sensitivity=3", NULL};

static const char *const above_manual[] = {
    "above:eps=E[,sensitivity=D]",
    "Above threshold: the first answer of a stream that is large, asked in a session.", NULL};

const pby_family pby_family_above = {
    .name = "above",
    .summary = "above threshold: the first answer of a stream that is large",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss of one positive answer, a rational above 0",
                    PBY_ROLE_EPSILON},
                   {"sensitivity", PBY_NATURAL, "1", "sensitivity=D, the most that an answer moves",
                    PBY_ROLE_SENSITIVITY}},
    .pairs = above_pairs,
    .attained = above_attained,
    .loose = true,
    .stories = above_stories,
    .examples = above_examples,
    .manual = above_manual,
};
