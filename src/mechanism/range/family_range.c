/* SPDX-License-Identifier: MIT */
/* range:eps=e,L=L[,sensitivity=D][,dimensions=d]: every bar gets two-sided geometric noise of rate e/D, and
 * the interval of L around the noisy count is published when it holds the count, else nothing ([Thresh]
 * section 3).
 *
 * Between a bar of x and one of x + s: the outcomes v = x - L .. x + s - L - 1 are possible on x alone, those
 * up to x + L on both, the others on x + s alone; nothing is published with the same chance on both. No
 * smaller s is worse: as s grows, the chance under x + s of each outcome below it falls, and the others
 * have no positive part (docs/theory/range.md). The way D is divided among bars does matter. There is a pair
 * for every division of D that can be the worst, among at most d bars if that is given, and 2 d where a
 * record is changed; where they are not found, the loss is bounded by parts. Each pair is its own reverse.
 */
#include <inttypes.h>
#include <stdio.h>

#include "kernel/range.h"
#include "law/law_exponential.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/range/range_bound.h"
#include "mechanism/range/range_pair.h"
#include "mechanism/range/range_select.h"
#include "mechanism/shared/noise.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, L, SENSITIVITY, DIMENSIONS };

static pby_status range_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_geometric_over(out, &m->value[EPS], &m->value[SENSITIVITY], err);
}

/* ---- divisions -------------------------------------------------------------------------------- */

static pby_status each_division(pby_pairs *out, const pby_mechanism *m, const pby_divisions *list,
                                pby_error *err)
{
    pby_law *law;
    pby_status status = range_law(&law, m, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, list->count, err);
    for (size_t i = 0; i < list->count && status == PBY_OK; i++)
        status = pby_range_pair(&out->pair[i], law, pby_mechanism_natural(m, L), &list->division[i], err);
    pby_law_free(law);
    return status;
}

static void rate_of(fmpq_t rate, const pby_mechanism *m)
{
    fmpq_div(rate, &m->value[EPS], &m->value[SENSITIVITY]);
}

/* The most bars that neighbours differ in: a record that is changed touches those of its old value and of its
 * new. */
static int64_t bars_of(const pby_mechanism *m, pby_neighbours relation)
{
    if (!pby_mechanism_has(m, DIMENSIONS))
        return pby_mechanism_natural(m, SENSITIVITY);
    return (relation == PBY_SUBSTITUTE ? 2 : 1) * pby_mechanism_natural(m, DIMENSIONS);
}

/* The most steps of the search for the heaviest division. */
enum { BOUND_WORK = 1 << 27 };

/* Up to the first bound a single bar can be written out, up to the second the heaviest division be found. */
static pby_status check_size(const pby_mechanism *m, bool bounded, pby_error *err)
{
    const int64_t all = pby_mechanism_natural(m, SENSITIVITY);
    const int64_t far = FLINT_MIN(all, 2 * pby_mechanism_natural(m, L) + 1);
    if (far <= PBY_ATOMS_MAX && (!bounded || all <= BOUND_WORK / far))
        return PBY_OK;
    char value[24];
    snprintf(value, sizeof value, "%" PRId64, all);
    return pby_refuse(err, "range:sensitivity", value,
                      bounded ? "a smaller one, a larger L, or dimensions=1" : "a smaller one");
}

/* None where the worst division is not known. */
static pby_status range_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                              pby_error *err)
{
    const int64_t all = pby_mechanism_natural(m, SENSITIVITY);
    pby_divisions list = {NULL, 0};
    bool found = false;
    PBY_FMPQ(rate);
    rate_of(rate, m);
    *out = (pby_pairs){NULL, 0};
    pby_status status = check_size(m, false, err);
    if (status == PBY_OK)
        status = pby_range_divisions(&list, &found, rate, pby_mechanism_natural(m, L), all,
                                     bars_of(m, wanted->relation), err);
    if (status == PBY_OK && found)
        status = each_division(out, m, &list, err);
    pby_divisions_clear(&list);
    return status;
}

/* ---- bounds ----------------------------------------------------------------------------------- */

static pby_status coin_part(pby_pair *pair, uint64_t *reached, const pby_mechanism *m,
                            pby_neighbours relation, const pby_law *law, pby_error *err)
{
    const int64_t all = pby_mechanism_natural(m, SENSITIVITY), reach = pby_mechanism_natural(m, L);
    pby_divisions widest;
    PBY_FMPQ(rate);
    rate_of(rate, m);
    pby_status status = pby_range_widest(&widest, rate, reach, all, err);
    if (status == PBY_OK) {
        *reached = widest.division->count <= bars_of(m, relation);
        status = pby_range_coin(pair, law, reach, widest.division, err);
    }
    pby_divisions_clear(&widest);
    return status;
}

static pby_status slack_part(pby_pair *pair, const pby_mechanism *m, pby_error *err)
{
    PBY_FMPQ(slack);
    pby_range_slack(slack, pby_mechanism_natural(m, SENSITIVITY));
    return pby_slack_coin(pair, slack, err);
}

/* The coin of a division, which that division reaches if it has no more bars than it may, and beside it what
 * makes it dominate all. */
static pby_status range_factor(pby_factor *out, const pby_mechanism *m, const pby_wanted *wanted, size_t i,
                               pby_error *err)
{
    enum { COIN, SHIFT, SLACK };
    pby_law *law = NULL;
    pby_pairs *pairs = &out->pairs;
    if (wanted->list != PBY_ABOVE)
        return PBY_OK;
    out->times = 1;
    pby_status status = check_size(m, true, err);
    if (status == PBY_OK)
        status = range_law(&law, m, err);
    if (status == PBY_OK)
        status = pby_pairs_init(pairs, 1, err);
    if (status == PBY_OK && i == COIN)
        status = coin_part(pairs->pair, &out->reached, m, wanted->relation, law, err);
    if (status == PBY_OK && i == SHIFT)
        status = pby_pair_shift(pairs->pair, law, pby_mechanism_natural(m, SENSITIVITY), err);
    if (status == PBY_OK && i == SLACK)
        status = slack_part(pairs->pair, m, err);
    pby_law_free(law);
    return status;
}

/* ---- the paper's claim, and the release ------------------------------------------------------- */

/* x = exp(-w far), w = eps/D. */
static void decay(arb_t x, const pby_mechanism *m, int64_t far, slong prec)
{
    PBY_FMPQ(rate);
    rate_of(rate, m);
    pby_minus_rates(x, rate, far, prec);
    arb_exp(x, x, prec);
}

/* Lemma 2 for sensitivity 1, d (1-a)/(1+a) a^L, and Theorem 2 for the others, d a^(L+D-1), a = exp(-eps/D).
 */
static bool range_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                        slong prec)
{
    (void)relation;
    if (fmpq_cmp(epsilon, &m->value[EPS]) < 0)
        return false;
    const int64_t reach = pby_mechanism_natural(m, L), all = pby_mechanism_natural(m, SENSITIVITY);
    PBY_ARB(a, b);
    decay(delta, m, all == 1 ? reach : reach + all - 1, prec);
    if (all == 1) {
        decay(a, m, 1, prec);
        arb_sub_ui(b, a, 1, prec);
        arb_add_ui(a, a, 1, prec);
        arb_div(b, b, a, prec);
        arb_neg(b, b);
        arb_mul(delta, delta, b, prec);
    }
    if (pby_mechanism_has(m, DIMENSIONS))
        arb_mul_si(delta, delta, pby_mechanism_natural(m, DIMENSIONS), prec);
    return true;
}

/* The formula of Lemma 2: that of Theorem 2 is never the exact delta. */
static bool range_claim_terms(pby_expsum_t numerator, pby_expsum_t denominator, const pby_mechanism *m,
                              pby_neighbours relation, const fmpq_t epsilon)
{
    (void)relation;
    if (fmpq_cmp(epsilon, &m->value[EPS]) < 0 || pby_mechanism_natural(m, SENSITIVITY) != 1)
        return false;
    const int64_t reach = pby_mechanism_natural(m, L);
    const slong d = pby_mechanism_has(m, DIMENSIONS) ? pby_mechanism_natural(m, DIMENSIONS) : 1;
    PBY_FMPQ(r);
    fmpq_neg(r, &m->value[EPS]);
    pby_expsum_one(denominator);
    pby_expsum_add_term_si(denominator, 1, r);
    fmpq_mul_si(r, r, reach);
    pby_expsum_zero(numerator);
    pby_expsum_add_term_si(numerator, d, r);
    fmpq_sub(r, r, &m->value[EPS]);
    pby_expsum_add_term_si(numerator, -d, r);
    return true;
}

static int64_t range_reach(const pby_mechanism *m)
{
    return pby_mechanism_natural(m, L);
}

static pby_status range_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                                const int64_t *counts, int64_t *noisy, size_t n, pby_error *err)
{
    const int64_t reach = range_reach(m);
    for (size_t i = 0; i < n; i++)
        if (counts[i] > INT64_MAX - 2 * reach)
            return pby_fail(err, PBY_BAD, "counts: bar %zu of the chunk is too large for its range", i);
    int64_t *noise;
    const pby_status status = pby_noise_draw(&noise, sampler, source, n, err);
    if (status == PBY_OK)
        pby_ranges(noisy, counts, n, noise, reach);
    pby_noise_free(noise, n);
    return status;
}

/* Lemma 2 is the paper's statement for sensitivity 1; Theorem 2 is the one for the others. */
static const pby_statement *range_statement(const pby_mechanism *m)
{
    static const pby_statement theorem = {
        .source = "d exp(-(L+D-1) eps/D), Thresh/Theorem 2", .row = "Thresh/Theorem 2", .refuted = true};
    return pby_mechanism_natural(m, SENSITIVITY) == 1 ? NULL : &theorem;
}

static const pby_story range_stories[] = {
    {.what = "Two-sided geometric noise of rate eps/sensitivity is added to every count. The interval from L "
             "below the noisy count to L above it is published if it contains the count; otherwise nothing "
             "is.",
     .neighbours = PBY_STORY_PUBLIC_BARS,
     .pair = {"the divisions of the sensitivity among bars that can be the worst, often a single bar, each "
              "alike in both orders",
              "the divisions of the sensitivity that can be the worst, among up to twice as many bars"},
     .accuracy =
         "a published interval always contains the count; probity accuracy encloses the probability that "
         "none is published",
     .pages = {"range.md", "geometric.md", "accuracy.md"},
     .kernel = {{"pby_ranges", "range.h"}}},
    {.what = NULL},
};

static const char *const range_examples[] = {"range:eps=1,L=10",
                                             "range:eps=1,L=10,sensitivity=2,dimensions=2", NULL};

static const char *const range_manual[] = {
    "range:eps=E,L=L[,sensitivity=D][,dimensions=K]",
    "The interval within L of the noisy count, if it contains the count. K is the largest number of bars "
    "that count one record; a changed record may be in K others.",
    NULL,
};

const pby_family pby_family_range = {
    .name = "range",
    .summary = "intervals that hold the count, or nothing",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL,
                    "eps=E, the loss where both intervals are possible, a rational above 0",
                    PBY_ROLE_EPSILON},
                   {"L", PBY_NATURAL, NULL, "L=L, half the length of an interval, an integer from 1 on",
                    PBY_ROLE_MOST},
                   {"sensitivity", PBY_NATURAL, "1",
                    "sensitivity=D, the most that neighbours differ by in all", PBY_ROLE_SENSITIVITY},
                   {"dimensions", PBY_NATURAL, "",
                    "dimensions=K, the most bars that one record is counted in", PBY_ROLE_DIMENSIONS}},
    .law = range_law,
    .list[PBY_ABOVE] = range_pairs,
    .factor = range_factor,
    .claim = range_claim,
    .claim_terms = range_claim_terms,
    .statement = {.source = "d exp(-L eps) (1-exp(-eps))/(1+exp(-eps)), Thresh/Lemma 2",
                  .row = "Thresh/Lemma 2"},
    .other_statement = range_statement,
    .form = PBY_RELEASE_RANGES,
    .reach = range_reach,
    .release = range_release,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_NOISY},
    .select = &pby_range_selection,
    .stories = range_stories,
    .manual = range_manual,
    .examples = range_examples,
};
