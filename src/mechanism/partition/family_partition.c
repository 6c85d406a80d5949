/* SPDX-License-Identifier: MIT */
/* partition:eps=e,delta=d: which bars are there at all, each shown with the largest chance p_k that (e, d)
 * allows a bar of k records, and nothing else ([Flex] eq. 11, law/law_partition.c).
 *
 * The output is a set of names. Neighbours differ by one in one bar, which is the two coins (p_k, p_(k+1)) in
 * both orders, for any k up to where p_k is 1. When a record is changed one bar gains it and another loses
 * it: the products of two of them. These points (p_k, p_(k+1)) lie on two straight lines, but for the last;
 * so each pair of coins is a mixture of those at the ends of its line, and no loss, composed or not, is above
 * theirs.
 */
#include "kernel/partition.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"
#include "number/text.h"

enum { EPS, DELTA };

/* The most k that the pairs are made of. */
enum { STEPS_MAX = 5 };

static pby_status partition_check(const pby_mechanism *m, pby_error *err)
{
    return fmpq_cmp_si(&m->value[DELTA], 1) <= 0
               ? PBY_OK
               : pby_refuse_rational(err, "partition:delta", &m->value[DELTA],
                                     "a rational above 0 and at most 1");
}

static pby_status partition_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_partition(out, &m->value[EPS], &m->value[DELTA], err);
}

static pby_status append_outcome(pby_pair *pair, const pby_law *law, int64_t from, int64_t to, bool shown,
                                 pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_law_below(p, law, -from);
    pby_law_below(q, law, -to);
    if (shown) {
        pby_expsum_sub(p, law->norm, p);
        pby_expsum_sub(q, law->norm, q);
    }
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

/* A bar of `from` records against one of `to`. */
static pby_status coin(pby_pair *pair, const pby_law *law, int64_t from, int64_t to, pby_error *err)
{
    pby_expsum_set(pair->norm_p, law->norm);
    pby_expsum_set(pair->norm_q, law->norm);
    const pby_status status = append_outcome(pair, law, from, to, true, err);
    return status == PBY_OK ? append_outcome(pair, law, from, to, false, err) : status;
}

/* Those k: the ends of the two lines, and the last, where p_(k+1) is cut at 1. */
static size_t find_steps(int64_t step[STEPS_MAX], const pby_law *law)
{
    const int64_t sure = 1 - law->lo, turn = pby_law_partition_turn(law);
    const int64_t end[STEPS_MAX] = {0, turn - 1, turn, sure - 2, sure - 1};
    size_t count = 0;
    for (size_t i = 0; i < STEPS_MAX; i++)
        if (end[i] >= 0 && end[i] < sure && (count == 0 || end[i] > step[count - 1]))
            step[count++] = end[i];
    return count;
}

static pby_status one_bar(pby_pairs *out, const pby_law *law, const int64_t *step, size_t count,
                          pby_error *err)
{
    pby_status status = pby_pairs_init(out, 2 * count, err);
    for (size_t i = 0; i < 2 * count && status == PBY_OK; i++) {
        const int64_t k = step[i / 2];
        const bool forward = i % 2 == 0;
        out->pair[i].direction = forward ? PBY_FORWARD : PBY_BACKWARD;
        status = coin(&out->pair[i], law, forward ? k : k + 1, forward ? k + 1 : k, err);
    }
    return status;
}

/* One bar goes from i to i + 1, another from j + 1 to j. */
static pby_status two_bars(pby_pairs *out, const pby_law *law, const int64_t *step, size_t count,
                           pby_error *err)
{
    pby_status status = pby_pairs_init(out, count * count, err);
    for (size_t n = 0; n < count * count && status == PBY_OK; n++) {
        const int64_t i = step[n / count], j = step[n % count];
        pby_pair up, down;
        pby_pair_init(&up);
        pby_pair_init(&down);
        status = coin(&up, law, i, i + 1, err);
        if (status == PBY_OK)
            status = coin(&down, law, j + 1, j, err);
        if (status == PBY_OK)
            status = pby_pair_product(&out->pair[n], &up, &down, err);
        pby_pair_clear(&down);
        pby_pair_clear(&up);
    }
    return status;
}

static pby_status partition_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                  pby_error *err)
{
    pby_law *law;
    pby_status status = partition_law(&law, m, err);
    if (status != PBY_OK)
        return status;
    int64_t step[STEPS_MAX];
    const size_t count = find_steps(step, law);
    status = (wanted->relation == PBY_SUBSTITUTE ? two_bars : one_bar)(out, law, step, count, err);
    pby_law_free(law);
    return status;
}

/* A bar of k records and one of k + size, in both orders, for k from 0 to where p_k is 1: all, or evenly
 * spread. */
static pby_status partition_group(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                  pby_error *err)
{
    enum { STARTS_MAX = 128 };
    pby_law *law;
    pby_status status = partition_law(&law, m, err);
    if (status != PBY_OK)
        return status;
    const int64_t sure = 1 - law->lo, far = FLINT_MIN(sure, (int64_t)wanted->size),
                  stride = (sure - 1) / STARTS_MAX + 1;
    status = pby_pairs_init(out, 2 * (size_t)((sure - 1) / stride + 1), err);
    for (size_t i = 0; i < out->count && status == PBY_OK; i++) {
        const int64_t k = stride * (int64_t)(i / 2);
        const bool forward = i % 2 == 0;
        status = coin(&out->pair[i], law, forward ? k : k + far, forward ? k + far : k, err);
    }
    pby_law_free(law);
    return status;
}

static bool partition_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation,
                            const fmpq_t epsilon, slong prec)
{
    if (relation != PBY_ADD_REMOVE || fmpq_cmp(epsilon, &m->value[EPS]) < 0)
        return false;
    arb_set_fmpq(delta, &m->value[DELTA], prec);
    return true;
}

static bool partition_claim_terms(pby_expsum_t numerator, pby_expsum_t denominator, const pby_mechanism *m,
                                  pby_neighbours relation, const fmpq_t epsilon)
{
    if (relation != PBY_ADD_REMOVE || fmpq_cmp(epsilon, &m->value[EPS]) < 0)
        return false;
    PBY_FMPQ(zero);
    pby_expsum_zero(numerator);
    pby_expsum_add_term(numerator, &m->value[DELTA], zero);
    pby_expsum_one(denominator);
    return true;
}

static pby_status partition_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                                    const int64_t *counts, int64_t *noisy, size_t n, pby_error *err)
{
    (void)m;
    return pby_noise_occupied(pby_present, sampler, source, counts, noisy, n, err);
}

static const pby_story partition_stories[] = {
    {.what =
         "The name of a bar of k records is published with the largest probability p_k that eps and delta "
         "allow; its count is not published.",
     .neighbours = PBY_STORY_ONE_BAR,
     .pair = {"the coins (p_k, p_(k+1)) in both orders, for at most five k: the other pairs are mixtures "
              "of these",
              "the products of two such coins, one up and one down"},
     .accuracy =
         "every published bar has records, and a large enough bar is always published; probity accuracy "
         "says how large, and which share of the records may be in bars that are not",
     .pages = {"partition.md", "drawing.md", "accuracy.md"},
     .kernel = {{"pby_present", "partition.h"}}},
    {.what = NULL},
};

static const char *const partition_examples[] = {"partition:eps=1,delta=1/1000000", NULL};

static const pby_select_row partition_selection = {
    .chosen = PBY_ROLE_DELTA,
    .unit = true,
    .shares = true,
    .both = true,
    .monotone = "at the eps of all uses delta is 1-(1-delta)^uses of the parameter",
    .recipe = PBY_RECIPE_NAMED,
    .source = "epsilon and delta shared by the uses",
    .composes_as = &pby_family_approx,
    .never_zero = "a bar that only one neighbour has may be shown",
    .binds = "eps, or the resolution,",
};

static const char *const partition_manual[] = {
    "partition:eps=E,delta=D",
    "The names of occupied bars, each with the largest probability that E and D allow.",
    NULL,
};

const pby_family pby_family_partition = {
    .name = "partition",
    .summary = "which bars are there, optimal partition selection",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, a rational above 0", PBY_ROLE_EPSILON},
                   {"delta", PBY_POSITIVE, NULL, "delta=D, a rational above 0 and at most 1",
                    PBY_ROLE_DELTA}},
    .check = partition_check,
    .law = partition_law,
    .list[PBY_ABOVE] = partition_pairs,
    .list[PBY_APART] = partition_group,
    .claim = partition_claim,
    .claim_terms = partition_claim_terms,
    .statement = {.source = "Flex/Section 5.1, optimal emptiness test",
                  .row = "Flex/Section 5.1, optimal emptiness test",
                  .refuted = true},
    .form = PBY_RELEASE_PRESENT,
    .release = partition_release,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_HIDES},
    .select = &partition_selection,
    .stories = partition_stories,
    .manual = partition_manual,
    .examples = partition_examples,
};
