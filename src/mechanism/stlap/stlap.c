/* SPDX-License-Identifier: MIT */
/* stlap:eps=e,q=q[,round=nearest|up]: the shifted truncated Laplace histogram with a public threshold;
 * stlap:eps=e,tau=t,n=n,bars=b: with the threshold t |x| (mechanism/stlap/size.h).
 *
 * Every occupied bar x is released as max(0, x + R), R on -ceil(q - 1/2) .. 0, or on -ceil(q) + 1 .. 0; an
 * empty bar stays empty and draws nothing, which is what max(0, 0 + R) would give as well. So the release is
 * a post-processing of x + R in every bar, and the pairs are those of x + R:
 *
 *   add-remove   one bar moves by one: (R, R+1) and (R+1, R)
 *   substitute   one bar loses one and another gains one: the product of the two
 *
 * A threshold from the size moves with every record more. Data of n and of n + 1 records are both released,
 * so a changed record counts at either size.
 */
#include "mechanism/stlap/stlap.h"
#include "kernel/histogram.h"
#include "kernel/silent.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "mechanism/stlap/size.h"
#include "number/scoped.h"
#include "number/text.h"

enum { EPS, Q, TAU, N, BARS, ROUND };

static bool from_size(const pby_mechanism *m)
{
    return pby_mechanism_has(m, TAU);
}

static bool is_rounded_up(const pby_mechanism *m)
{
    return !fmpq_is_zero(&m->value[ROUND]);
}

static int64_t stlap_size(const pby_mechanism *m)
{
    return pby_mechanism_natural(m, N);
}

static pby_stlap_size size_of(const pby_mechanism *m)
{
    return (pby_stlap_size){&m->value[EPS], &m->value[TAU], pby_mechanism_natural(m, N),
                            pby_mechanism_natural(m, BARS)};
}

static pby_status stlap_check(const pby_mechanism *m, pby_error *err)
{
    const bool size = from_size(m) && pby_mechanism_has(m, N) && pby_mechanism_has(m, BARS);
    const bool any = from_size(m) || pby_mechanism_has(m, N) || pby_mechanism_has(m, BARS);
    if (from_size(m) && !pby_mechanism_has(m, Q) && !pby_mechanism_has(m, N))
        return pby_mechanism_refuse(m,
                                    "n=N and bars=K beside tau=T: over all sizes delta is above 1/2 at every "
                                    "epsilon, by data of no record and of one",
                                    err);
    if (pby_mechanism_has(m, Q) ? any : !size)
        return pby_mechanism_refuse(m, "q=Q, or tau=T, n=N and bars=K together", err);
    if (is_rounded_up(m) && from_size(m))
        return pby_mechanism_refuse(m, "q=Q with round=up", err);
    if (from_size(m) && fmpq_cmp_si(&m->value[TAU], 1) >= 0)
        return pby_refuse_rational(err, "stlap:tau", &m->value[TAU], "a rational above 0 and below 1");
    return PBY_OK;
}

/* The threshold on data of the size that the spec names. */
static void threshold_of(fmpq_t q, const pby_mechanism *m)
{
    if (from_size(m))
        fmpq_mul(q, &m->value[TAU], &m->value[N]);
    else
        fmpq_set(q, &m->value[Q]);
}

static pby_status stlap_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    PBY_FMPQ(q);
    threshold_of(q, m);
    return is_rounded_up(m) ? pby_law_stlap_up(out, &m->value[EPS], q, err)
                            : pby_law_stlap(out, &m->value[EPS], q, err);
}

/* The certificate compares inputs of n and n + 1 records, and so data of either size may be released, each
 * with the noise of its own. */
static pby_status stlap_law_for(pby_law **out, const pby_mechanism *m, uint64_t records, uint64_t bars,
                                pby_error *err)
{
    *out = NULL;
    const pby_stlap_size s = size_of(m);
    if (records != (uint64_t)s.n && records != (uint64_t)s.n + 1)
        return pby_fail(err, PBY_BAD,
                        "the data do not have the size of the SPEC: expected n or n + 1 records, n=%lld",
                        (long long)s.n);
    if (bars != (uint64_t)s.bars)
        return pby_fail(err, PBY_BAD, "the data do not have the bars of the SPEC: expected bars=%lld",
                        (long long)s.bars);
    return pby_stlap_size_law(out, &s, (int64_t)records, err);
}

static pby_status substitute_pair(pby_pair *out, pby_pair *down, pby_pair *up, pby_error *err)
{
    pby_pair_merge(down);
    pby_pair_merge(up);
    return pby_pair_product(out, down, up, err);
}

static pby_status law_pairs(pby_pairs *out, const pby_law *law, pby_neighbours relation, bool alone,
                            pby_error *err)
{
    pby_pairs one;
    const int64_t step = relation == PBY_SUBSTITUTE && alone ? 0 : 1;
    pby_status status = pby_pairs_init(&one, 2, err);
    for (size_t i = 0; i < 2 && status == PBY_OK; i++) {
        one.pair[i].direction = i == 0 ? PBY_FORWARD : PBY_BACKWARD;
        status = pby_pair_shift(&one.pair[i], law, i == 0 ? step : -step, err);
    }
    if (status == PBY_OK && relation == PBY_SUBSTITUTE) {
        status = pby_pairs_init(out, 1, err);
        if (status == PBY_OK)
            status = substitute_pair(&out->pair[0], &one.pair[0], &one.pair[1], err);
        pby_pairs_clear(&one);
    } else if (status == PBY_OK) {
        *out = one;
    } else {
        pby_pairs_clear(&one);
    }
    return status;
}

pby_status pby_stlap_pairs(pby_pairs *out, const fmpq_t eps, const fmpq_t q, pby_neighbours relation,
                           bool alone, pby_error *err)
{
    pby_law *law;
    pby_status status = pby_law_stlap(&law, eps, q, err);
    if (status == PBY_OK) {
        status = law_pairs(out, law, relation, alone, err);
        pby_law_free(law);
    }
    return status;
}

/* None where the inputs are too many, or their outcomes. */
static pby_status size_pairs(pby_pairs *out, const pby_stlap_size *s, pby_error *err)
{
    bool few;
    return pby_stlap_size_filled(s) == s->bars - 1 ? pby_stlap_full(out, &few, s, err)
                                                   : pby_stlap_inputs(out, &few, s, err);
}

/* At its own eps, where the closed bound is the exact delta (docs/theory/stlap.md). */
static pby_status stlap_theorem(FILE *out, const pby_mechanism *m, pby_neighbours relation,
                                const fmpq_t epsilon, pby_error *err)
{
    if (from_size(m) || is_rounded_up(m) || relation != PBY_ADD_REMOVE || fmpq_cmp_si(&m->value[Q], 4) < 0 ||
        !fmpq_equal(epsilon, &m->value[EPS]))
        return pby_fail(err, PBY_BAD,
                        "SPEC: a theorem about stlap is written for a public q and add-remove neighbours");
    char *q = fmpq_get_str(NULL, 10, &m->value[Q]);
    fprintf(
        out,
        "(* Laplace noise of rate epsilon on [-q, 0] around -q/2, truncated and rounded, is added to every\n"
        "   occupied bar; what is below 0 is published as 0. *)\n"
        "Definition rate : R := epsilon.\n"
        "Definition q : R := %s.\n"
        "Lemma positive : 0 < epsilon. Proof. unfold epsilon; lra. Qed.\n"
        "Lemma large : 2 <= q. Proof. unfold q; lra. Qed.\n"
        "\n"
        "Theorem histogram (K : Type) (keys : list K) : NoDup keys ->\n"
        "  differentially_private one_record epsilon delta\n"
        "    (fun x => bars (map (fun k => shrunk epsilon q positive large (x k)) keys)).\n"
        "Proof.\n"
        "  intros distinct; apply stlap_private; [exact distinct|].\n"
        "  unfold least, q; numbers.\n"
        "Qed.\n" PBY_CERTIFICATE_DEFINITION "  forall (K : Type) (keys : list K), NoDup keys ->\n"
        "  (forall x, certain (bars (map (fun k => shrunk rate q positive large (x k)) keys))) /\\\n"
        "  differentially_private one_record epsilon delta\n"
        "    (fun x => bars (map (fun k => shrunk rate q positive large (x k)) keys)).\n"
        "\n"
        "Lemma proved : certificate \"\" \"\" epsilon delta.\n"
        "Proof.\n"
        "  split; [|apply histogram; assumption].\n"
        "  intros x; apply certain_bars; intros k; apply shrunk_certain.\n"
        "Qed.\n",
        q);
    flint_free(q);
    return PBY_OK;
}

/* The formulas of law/law_stlap.c. */
static pby_status stlap_formal(FILE *out, pby_formal *formal, const pby_mechanism *m, pby_neighbours relation,
                               pby_error *err)
{
    if (from_size(m) || is_rounded_up(m) || relation != PBY_ADD_REMOVE)
        return pby_fail(err, PBY_BAD,
                        "SPEC: a theorem about stlap is written for a public q and add-remove neighbours");
    pby_law *law;
    const pby_status status = stlap_law(&law, m, err);
    if (status != PBY_OK)
        return status;
    *formal = (pby_formal){law->lo, law->hi, 1};
    pby_law_free(law);
    char *eps = fmpq_get_str(NULL, 10, &m->value[EPS]), *q = fmpq_get_str(NULL, 10, &m->value[Q]);
    char *num = fmpz_get_str(NULL, 10, fmpq_numref(&m->value[Q])),
         *den = fmpz_get_str(NULL, 10, fmpq_denref(&m->value[Q]));
    fprintf(
        out,
        "(* Laplace noise of rate eps on [-q, 0] around -q/2, truncated, rounded to the nearest integer. *)\n"
        "Definition eps : R := %s.\n"
        "Definition q : R := %s.\n"
        "Definition least : R := exp (- (eps * q / 2)).\n"
        "Definition at_half (k : Z) : R := eps * (IZR (2 * k + 1) / 2 + q / 2).\n"
        "Definition cdf (k : Z) : R :=\n"
        "  if (k <? %lld)%%Z then 0\n"
        "  else if (0 <=? k)%%Z then 1\n"
        "  else if ((2 * k + 1) * %s + %s <=? 0)%%Z then (exp (at_half k) - least) / (2 - 2 * least)\n"
        "  else (2 - least - exp (- at_half k)) / (2 - 2 * least).\n"
        "Definition law (truth k : Z) : R := cdf (k - truth) - cdf (k - truth - 1).\n",
        eps, q, (long long)formal->lo, den, num);
    flint_free(den);
    flint_free(num);
    flint_free(q);
    flint_free(eps);
    return PBY_OK;
}

static pby_status stlap_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                              pby_error *err)
{
    const pby_stlap_size s = size_of(m);
    if (!from_size(m)) {
        pby_law *law;
        pby_status status = stlap_law(&law, m, err);
        if (status == PBY_OK) {
            status = law_pairs(out, law, wanted->relation, false, err);
            pby_law_free(law);
        }
        return status;
    }
    return wanted->relation == PBY_SUBSTITUTE ? pby_stlap_trade(out, &s, err) : size_pairs(out, &s, err);
}

/* A full bar that moves by all of the size; with a threshold from the size of the data the inputs would be
 * others than the spec is about. */
static pby_status stlap_group(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                              pby_error *err)
{
    if (from_size(m))
        return PBY_OK;
    pby_law *law;
    pby_status status = stlap_law(&law, m, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 2, err);
    for (size_t i = 0; i < 2 && status == PBY_OK; i++) {
        const int64_t shift = FLINT_MIN((int64_t)wanted->size, 1 - law->lo);
        status = pby_pair_shift(&out->pair[i], law, i == 0 ? shift : -shift, err);
    }
    pby_law_free(law);
    return status;
}

/* Under add-remove and with a threshold from the size; stlap_pairs has all others. */
static pby_status stlap_factor(pby_factor *out, const pby_mechanism *m, const pby_wanted *wanted, size_t i,
                               pby_error *err)
{
    const pby_stlap_size s = size_of(m);
    if (wanted->list == PBY_ABOVE)
        return pby_stlap_part(&out->pairs, &out->times, &out->reached, &s, i, err);
    const pby_status status = pby_stlap_witness(&out->pairs, &out->times, &s, wanted->input - 1, i, err);
    out->reached = out->times;
    return status;
}

bool pby_stlap_claim_terms(pby_expsum_t numerator, pby_expsum_t denominator, const fmpq_t eps, const fmpq_t q,
                           pby_neighbours relation, const fmpq_t epsilon)
{
    if (relation != PBY_ADD_REMOVE || !fmpq_equal(epsilon, eps))
        return false;
    PBY_FMPQ(r);
    pby_expsum_zero(numerator);
    pby_expsum_zero(denominator);
    pby_expsum_add_term_si(numerator, -1, r);
    pby_expsum_add_term_si(denominator, -2, r);
    pby_expsum_add_term_si(numerator, 1, epsilon);
    fmpq_mul(r, q, epsilon);
    fmpq_div_2exp(r, r, 1);
    pby_expsum_add_term_si(denominator, 2, r);
    return true;
}

bool pby_stlap_claim(arb_t delta, const fmpq_t eps, const fmpq_t q, pby_neighbours relation,
                     const fmpq_t epsilon, slong prec)
{
    if (relation != PBY_ADD_REMOVE || !fmpq_equal(epsilon, eps))
        return false;
    PBY_ARB(e);
    PBY_FMPQ(half);
    arb_set_fmpq(e, epsilon, prec);
    arb_expm1(delta, e, prec);
    fmpq_mul(half, q, epsilon);
    fmpq_div_2exp(half, half, 1);
    arb_set_fmpq(e, half, prec);
    arb_expm1(e, e, prec);
    arb_mul_2exp_si(e, e, 1);
    arb_div(delta, delta, e, prec);
    return true;
}

static bool stlap_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                        slong prec)
{
    PBY_FMPQ(q);
    threshold_of(q, m);
    return pby_stlap_claim(delta, &m->value[EPS], q, relation, epsilon, prec);
}

static bool stlap_claim_terms(pby_expsum_t numerator, pby_expsum_t denominator, const pby_mechanism *m,
                              pby_neighbours relation, const fmpq_t epsilon)
{
    PBY_FMPQ(q);
    threshold_of(q, m);
    return pby_stlap_claim_terms(numerator, denominator, &m->value[EPS], q, relation, epsilon);
}

pby_status pby_stlap_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                             const int64_t *counts, int64_t *noisy, size_t n, pby_error *err)
{
    (void)m;
    return pby_noise_occupied(pby_shrink, sampler, source, counts, noisy, n, err);
}

static const pby_story stlap_stories[] = {
    {.with = PBY_ROLE_SHARE,
     .what =
         "Every occupied bar x of a histogram is released as max(0, x + R), as by stlap with q = tau times "
         "the number of records; an empty bar stays empty. The noise of every bar thus depends on the size "
         "of the input. The spec is about inputs of n and n + 1 records in that number of bars.",
     .neighbours = PBY_STORY_ONE_BAR,
     .pair = {"n and n + 1 records, in both orders: the product of the bar whose count changes by one and of "
              "the other bars, whose noise changes with the size. All bars are large where there are "
              "records enough; else all ways to distribute few records, and bounds on the worst of many",
              "size and q stay the same, for n or n + 1 records: two counts change by one, one up, one down"},
     .pages = {"stlap-size.md", "stlap.md", "accuracy.md"},
     .kernel = {{"pby_shrink", "histogram.h"}}},
    {.what = "Every occupied bar x of a histogram is released as max(0, x + R); an empty bar stays empty "
             "and takes no draw. R is Laplace noise of rate eps around -q/2, truncated to [-q, 0] and "
             "rounded to the nearest integer, or up: no count grows, and none loses more than ceil(q - 1/2), "
             "or ceil(q) - 1.",
     .neighbours = PBY_STORY_ONE_BAR,
     .pair = {"(R, R+1) and (R+1, R): a bar of more than q records, with and without one of them",
              "the product of (R, R+1) and (R+1, R): two such bars, one of which gains what the other loses"},
     .pages = {"stlap.md", "accuracy.md"},
     .kernel = {{"pby_shrink", "histogram.h"}}},
    {.what = NULL},
};

static const char *const stlap_examples[] = {"stlap:eps=1/2,q=40", "stlap:eps=1/2,tau=1/75,n=3000,bars=3",
                                             "stlap:eps=1,q=9/2,round=up", NULL};

static const pby_select_row stlap_selection = {PBY_SELECT_STLAP, .instead = PBY_ROLE_SHARE};

static const char *const stlap_manual[] = {
    "stlap:eps=E,q=Q[,round=up]",
    "The shifted truncated Laplace histogram: a bar with a count above zero loses at most Q, rounded, and "
    "never falls below zero; an empty bar stays empty. Noise is rounded to the nearest integer, or up: then "
    "no bar loses Q or more.",
    "stlap:eps=E,tau=T,n=N,bars=K",
    "The same with Q = T times the number of records, for inputs of N and N + 1 records in K bars.",
    NULL,
};

const pby_family pby_family_stlap = {
    .name = "stlap",
    .summary = "shifted truncated Laplace histogram",
    .relations = PBY_CENTRAL,
    .parameters =
        {{"eps", PBY_POSITIVE, NULL, "eps=E, the rate of the noise, a rational above 0", PBY_ROLE_EPSILON},
         {"q", PBY_POSITIVE, "", "q=Q, the most that a bar may lose, a rational above 0", PBY_ROLE_LOSES},
         {"tau", PBY_POSITIVE, "", "tau=T, that most as a share of all records, below 1", PBY_ROLE_SHARE},
         {"n", PBY_NATURAL, "", "n=N, the number of records, an integer from 1 on", PBY_ROLE_SIZE},
         {"bars", PBY_NATURAL, "", "bars=K, the number of bars, an integer from 1 on", PBY_ROLE_BARS},
         {"round", PBY_CHOICE, "nearest", "round=nearest, or round=up, so that a bar loses less than q",
          PBY_ROLE_NONE}},
    .words = {"nearest", "up"},
    .check = stlap_check,
    .law = stlap_law,
    .size = stlap_size,
    .law_for = stlap_law_for,
    .list[PBY_ABOVE] = stlap_pairs,
    .formal = stlap_formal,
    .theorem = stlap_theorem,
    .factor = stlap_factor,
    .list[PBY_APART] = stlap_group,
    .claim = stlap_claim,
    .claim_terms = stlap_claim_terms,
    .statement = {.source = "(exp(eps)-1)/(2(exp(eps q/2)-1)), Flex/Corollary 3",
                  .row = "Flex/Corollary 3",
                  .refuted = true},
    .release = pby_stlap_release,
    .silent = pby_silent_shrink,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_DROPS},
    .select = &stlap_selection,
    .stories = stlap_stories,
    .manual = stlap_manual,
    .examples = stlap_examples,
};
