/* SPDX-License-Identifier: MIT */
/* ptr:eps=e,T=T,answers=B: propose-test-release of a stable answer.
 *
 * The radius D of an input is the number of changes that its answer is sure to survive. With two-sided
 * geometric noise R of rate e, the answer is shown where D + R > T; elsewhere one of all B answers is, drawn
 * uniformly. Let a = exp(-e).
 *   one answer    The radii of neighbours differ by at most 1. Where both are at most T, a smaller radius is
 *                 that of the radii T - 1 and T with the output drawn anew at times; where both are at least
 *                 T, a greater one is that of T and T + 1 with a uniform output turned into the answer at
 *                 times (docs/theory/ptr.md). So two pairs are enough, each in both orders.
 *   two answers   Both radii are 0. */
#include "kernel/uniform.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, T, ANSWERS };

/* sum += c a^k */
static void add_power(pby_expsum_t sum, const pby_mechanism *m, int64_t c, int64_t k)
{
    PBY_FMPQ(exponent);
    fmpq_set_si(exponent, -k, 1);
    fmpq_mul(exponent, exponent, &m->value[EPS]);
    pby_expsum_add_term_si(sum, c, exponent);
}

/* The chance that the answer is shown at a radius, over 1 + a: a^(T-D+1) up to T, and 1 + a - a^(D-T) from T
 * on. */
static void shown(pby_expsum_t sum, const pby_mechanism *m, int64_t radius)
{
    const int64_t threshold = pby_mechanism_natural(m, T);
    pby_expsum_zero(sum);
    if (radius <= threshold) {
        add_power(sum, m, 1, threshold - radius + 1);
    } else {
        add_power(sum, m, 1, 0);
        add_power(sum, m, 1, 1);
        add_power(sum, m, -1, radius - threshold);
    }
}

/* The chances of the answer itself, and of all but `told` of the answers together, over B (1 + a). */
static void chances(pby_expsum_t itself, pby_expsum_t rest, const pby_mechanism *m, int64_t radius,
                    int64_t told)
{
    const int64_t answers = pby_mechanism_natural(m, ANSWERS);
    pby_expsum_t show;
    pby_expsum_init(show);
    PBY_FMPQ(zero, times);
    shown(show, m, radius);
    pby_expsum_zero(rest);
    add_power(rest, m, 1, 0);
    add_power(rest, m, 1, 1);
    pby_expsum_sub(rest, rest, show);
    fmpq_set_si(times, answers, 1);
    pby_expsum_mul_term(itself, show, times, zero);
    pby_expsum_add(itself, itself, rest);
    fmpq_set_si(times, answers - told, 1);
    pby_expsum_mul_term(rest, rest, times, zero);
    pby_expsum_clear(show);
}

static void set_norms(pby_pair *pair, const pby_mechanism *m)
{
    pby_expsum_zero(pair->norm_p);
    add_power(pair->norm_p, m, pby_mechanism_natural(m, ANSWERS), 0);
    add_power(pair->norm_p, m, pby_mechanism_natural(m, ANSWERS), 1);
    pby_expsum_set(pair->norm_q, pair->norm_p);
}

/* One answer, the radius d under P and `other` under Q. */
static pby_status one_answer(pby_pair *pair, const pby_mechanism *m, int64_t d, int64_t other, pby_error *err)
{
    pby_expsum_t p, q, others;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_init(others);
    set_norms(pair, m);
    chances(p, others, m, d, 1);
    chances(q, others, m, other, 1);
    const pby_status status = pby_pair_append_rest(pair, p, q, err);
    pby_expsum_clear(others);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

/* Two answers, at the radius d under P and `other` under Q: of equal radii, what neither of them is has one
 * chance. */
static pby_status two_answers(pby_pair *pair, const pby_mechanism *m, int64_t d, int64_t other,
                              pby_error *err)
{
    const int64_t answers = pby_mechanism_natural(m, ANSWERS);
    pby_expsum_t p, q, rest;
    pby_status status = PBY_OK;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_init(rest);
    set_norms(pair, m);
    for (int order = 0; order < 2 && status == PBY_OK; order++) {
        chances(order == 0 ? p : rest, order == 0 ? rest : p, m, d, answers - 1);
        chances(order == 0 ? rest : q, order == 0 ? q : rest, m, other, answers - 1);
        status = pby_pair_append(pair, p, q, err);
    }
    chances(rest, p, m, d, 2);
    chances(rest, q, m, other, 2);
    if (status == PBY_OK)
        status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(rest);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

static pby_status ptr_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    enum { TWO, SHORT, SHORT_BACK, LONG, LONG_BACK, COUNT };
    (void)wanted;
    const int64_t threshold = pby_mechanism_natural(m, T);
    pby_status status = pby_pairs_init(out, COUNT, err);
    if (status == PBY_OK)
        status = two_answers(&out->pair[TWO], m, 0, 0, err);
    for (int i = SHORT; i < COUNT && status == PBY_OK; i++) {
        const int64_t radius = i < LONG ? threshold - 1 : threshold;
        status = one_answer(&out->pair[i], m, radius, radius + 1, err);
        if (status == PBY_OK && (i == SHORT_BACK || i == LONG_BACK))
            pby_pair_reverse(&out->pair[i]);
    }
    return status;
}

/* Inputs that are `size` apart: one answer at the radii d and d + size, or two at radii that add up to size -
 * 1, which is how far the border between them can be from both (docs/theory/ptr.md). A few of each, in both
 * orders. */
static pby_status ptr_group(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    enum { FEW = 8, COUNT = 4 * (FEW + 1) };
    const int64_t threshold = pby_mechanism_natural(m, T), k = (int64_t)wanted->size;
    pby_status status = pby_pairs_init(out, COUNT, err);
    for (int64_t i = 0; i < COUNT && status == PBY_OK; i++) {
        const int64_t share = i % (FEW + 1), radius = FLINT_MAX(0, threshold - k * share / FEW),
                      near = (k - 1) * share / FEW;
        status = i < COUNT / 2 ? one_answer(&out->pair[i], m, radius, radius + k, err)
                               : two_answers(&out->pair[i], m, near, k - 1 - near, err);
        if (status == PBY_OK && i / (FEW + 1) % 2 == 1)
            pby_pair_reverse(&out->pair[i]);
    }
    return status;
}

static pby_status ptr_check(const pby_mechanism *m, pby_error *err)
{
    return pby_mechanism_natural(m, ANSWERS) >= 2
               ? PBY_OK
               : pby_mechanism_refuse(m, "answers=B, at least 2 that the answer may be", err);
}

/* exp(-eps T), which the threshold log(1/delta)/eps promises. */
static bool ptr_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                      slong prec)
{
    (void)relation;
    if (fmpq_cmp(epsilon, &m->value[EPS]) < 0)
        return false;
    pby_decay(delta, m, pby_mechanism_natural(m, T), 1, prec);
    return true;
}

/* ---- the release ------------------------------------------------------------------------------ */

static pby_status ptr_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_geometric(out, &m->value[EPS], err);
}

/* True if radius + noise > T, without an overflow. */
static bool passes(const pby_mechanism *m, int64_t radius, int64_t noise)
{
    const int64_t far = INT64_C(1) << 61, lack = pby_mechanism_natural(m, T) - (radius < far ? radius : far);
    return noise > lack;
}

static pby_status ptr_settle(int64_t *answer, const pby_mechanism *m, pby_sampler *sampler,
                             pby_entropy *source, const pby_steady *of, pby_error *err)
{
    int64_t noise;
    uint64_t word, other = 0;
    size_t at;
    pby_status status = pby_draw_many(sampler, source, &noise, 1, err);
    do {
        if (status == PBY_OK)
            status = pby_entropy_words(source, &word, 1, err);
        at = 0;
    } while (status == PBY_OK && pby_uniform(&word, 1, &at, (uint64_t)of->answers, &other) != 0);
    if (status == PBY_OK)
        *answer = passes(m, of->radius, noise) ? of->answer : (int64_t)other;
    return status;
}

/* ---- selection -------------------------------------------------------------------------------- */

static int64_t ordered_from(const pby_mechanism *m)
{
    (void)m;
    return 1;
}

static int64_t last_of(const pby_mechanism *m, const pby_target *target)
{
    return pby_horizon(m, target, 1);
}

/* Every output has a chance on every input. */
static void floor_of(arb_t floor, const pby_mechanism *m, slong prec)
{
    (void)m;
    (void)prec;
    arb_zero(floor);
}

/* Only the pair of two answers depends on T, and it shows its answer with less than a^(T+1). */
static void tail_of(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec)
{
    (void)relation;
    pby_decay(tail, m, pby_mechanism_natural(m, T) + 1, 1, prec);
}

static const pby_integers thresholds = {1, ordered_from, last_of, floor_of, tail_of};

static const pby_select_row ptr_selection = {
    .chosen = PBY_ROLE_RADIUS,
    .rising = true,
    .shares = true,
    .integers = &thresholds,
    .monotone = "a release under a greater T is one under a smaller T whose answer is drawn anew at times",
    .recipe = PBY_RECIPE_CLAIMED,
    .source = "exp(-eps T), epsilon and delta shared by the uses",
    .rho_monotone =
        "a release under a greater T is one under a smaller T whose answer is drawn anew at times",
    .binds = PBY_SELECT_RATE,
};

static const pby_story ptr_stories[] = {
    {.what = "The answer of a query is shown where its radius, the number of changes that it survives, and "
             "two-sided geometric noise of rate eps exceed T together. Otherwise one of all its answers is "
             "drawn uniformly and shown. No program can check that the radius is right and that the answers "
             "are public.",
     .neighbours = {"one record more or fewer: the radius moves by at most one, or both radii are 0 and the "
                    "answers differ",
                    "one record changed: the same, with the radius that counts changes"},
     .pair = {"two answers at the radius 0; or one answer at the radii T - 1 and T, or T and T + 1, in both "
              "orders",
              "two answers at the radius 0; or one answer at the radii T - 1 and T, or T and T + 1, in both "
              "orders"},
     .kernel = {{"pby_uniform", "uniform.h"}},
     .accuracy = "the true answer with the probability P(D + R > T) that the radius D decides, and with 1/B "
                 "otherwise",
     .pages = {"ptr.md"}},
    {.what = NULL},
};

static const char *const ptr_examples[] = {"ptr:eps=1,T=3,answers=101", "ptr:eps=1/2,T=20,answers=2", NULL};

static const char *const ptr_manual[] = {
    "ptr:eps=E,T=T,answers=B",
    "Propose-test-release: the answer of a query that survives more than T changes, under noise of rate E; "
    "otherwise one of B public answers at random.",
    NULL,
};

const pby_family pby_family_ptr = {
    .name = "ptr",
    .summary = "propose-test-release: an answer if it is stable",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the rate of the noise on the radius, above 0",
                    PBY_ROLE_EPSILON},
                   {"T", PBY_NATURAL, NULL, "T=T, what radius and noise must exceed, an integer from 1 on",
                    PBY_ROLE_RADIUS},
                   {"answers", PBY_NATURAL, NULL, "answers=B, how many answers there are, none included",
                    PBY_ROLE_ANSWERS}},
    .check = ptr_check,
    .list[PBY_ABOVE] = ptr_pairs,
    .list[PBY_APART] = ptr_group,
    .claim = ptr_claim,
    .statement = {.source = "exp(-eps T) from eps on"},
    .form = PBY_RELEASE_STATISTIC,
    .takes = PBY_TAKES_COUNTS,
    .law = ptr_law,
    .settle = ptr_settle,
    .select = &ptr_selection,
    .stories = ptr_stories,
    .manual = ptr_manual,
    .examples = ptr_examples,
};
