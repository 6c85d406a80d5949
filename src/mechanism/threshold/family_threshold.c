/* SPDX-License-Identifier: MIT */
/* threshold:eps=e,T=T[,sensitivity=D][,new=K][,moves=one-way|both-ways][,of=count|utility]: only bars that
 * occur get noise, two-sided geometric of rate e/D, and only noisy counts from T on are published ([Thresh]
 * Definition 3).
 *
 * Two neighbours are D apart in all; some of that is spent on bars that only one of them has.
 *   bars of both   One bar that moves by s is worse than several that move by s together
 *                  (docs/theory/threshold.md), and one that stays above T is worse than any other: below T
 *                  the likelihood ratio no longer changes. That is the pair of geometric noise.
 *   new bars       On the side without them nothing can be published of them, so that all that counts is
 *                  the chance that something is. It is largest for one bar of s or for s bars of 1: minus
 *                  the logarithm of the chance of silence is convex in a bar's count.
 *                  With new=K a bar may occur with 0, and so D no longer bounds how many are new: K does.
 * Then one bar of s and K - 1 of 0 are the worst. There is a pair for each way to divide D among the two, in
 * both orders. Where bars may also vanish while others appear, because a record is changed, or one of a group
 * is added and another removed, D is divided among the three. For a single use only the ends of these count.
 */
#include <inttypes.h>
#include <stdio.h>

#include "kernel/fit.h"
#include "kernel/histogram.h"
#include "kernel/threshold.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "mechanism/threshold/new.h"
#include "number/scoped.h"
#include "number/text.h"
#include "pair/product.h"

enum { EPS, T, SENSITIVITY, NEW, MOVES, OF };

/* Beyond these the exact sums of all pairs grow too long. */
enum { SENSITIVITY_MAX = 48, NEW_MAX = 48 };

static pby_status threshold_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_geometric_over(out, &m->value[EPS], &m->value[SENSITIVITY], err);
}

static void power(pby_expsum_t out, const pby_expsum_t base, int64_t times)
{
    pby_expsum_one(out);
    for (int64_t i = 0; i < times; i++)
        pby_expsum_mul(out, out, base);
}

/* The threshold and its noise. */
struct gate {
    const pby_law *law;
    int64_t threshold, most; /* the most new bars; 0: as many as there are new records */
};

/* The least chance of silence about `most` new bars of s in all, as quiet over norm. */
static void silence_of_most(pby_expsum_t quiet, pby_expsum_t norm, const struct gate *g, int64_t s)
{
    pby_expsum_t one, others;
    pby_expsum_init(one);
    pby_expsum_init(others);
    pby_law_below(one, g->law, g->threshold - 1);
    power(others, one, g->most - 1);
    pby_law_below(one, g->law, g->threshold - s - 1);
    pby_expsum_mul(quiet, one, others);
    power(norm, g->law->norm, g->most);
    pby_expsum_clear(others);
    pby_expsum_clear(one);
}

/* The least chance of silence about any number of new bars, each of one record or more, s in all. */
static void silence(pby_expsum_t quiet, pby_expsum_t norm, const struct gate *g, int64_t s)
{
    const pby_law *law = g->law;
    const int64_t threshold = g->threshold;
    if (g->most > 0) {
        silence_of_most(quiet, norm, g, s);
        return;
    }
    pby_expsum_t one, scaled;
    pby_expsum_init(one);
    pby_expsum_init(scaled);
    pby_law_below(one, law, threshold - 2);
    power(quiet, one, s);
    power(norm, law->norm, s - 1);
    pby_law_below(one, law, threshold - s - 1);
    pby_expsum_mul(scaled, one, norm);
    pby_expsum_sub(scaled, scaled, quiet);
    if (pby_expsum_sign(scaled) <= 0) {
        pby_expsum_set(quiet, one);
        pby_expsum_set(norm, law->norm);
    } else {
        pby_expsum_mul(norm, norm, law->norm);
    }
    pby_expsum_clear(scaled);
    pby_expsum_clear(one);
}

/* P has no new bars, Q has some of s in all. */
static pby_status new_bars(pby_pair *pair, const struct gate *g, int64_t s, pby_error *err)
{
    pby_expsum_t quiet, p, q;
    pby_expsum_init(quiet);
    pby_expsum_init(p);
    pby_expsum_init(q);
    silence(quiet, pair->norm_q, g, s);
    pby_expsum_sub(q, pair->norm_q, quiet);
    pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_one(p);
    pby_expsum_set(pair->norm_p, p);
    if (status == PBY_OK)
        status = pby_pair_append(pair, p, quiet, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    pby_expsum_clear(quiet);
    return status;
}

enum { NONE = -1 };

/* The parts of D: records in bars that only Q has, in bars that only P has, in a bar of both. NONE where
 * there are no such bars: with `most` there may be some even of 0. */
struct spread {
    int64_t appears, vanishes, moves;
};

static pby_status times_new(pby_pair *pair, const struct gate *g, int64_t s, bool reversed, pby_error *err)
{
    pby_pair bars;
    pby_pair_init(&bars);
    pby_status status = new_bars(&bars, g, s, err);
    if (reversed)
        pby_pair_reverse(&bars);
    if (status == PBY_OK)
        status = pby_pair_multiply(pair, &bars, err);
    pby_pair_clear(&bars);
    return status;
}

static pby_status spread_pair(pby_pair *pair, const struct gate *g, const struct spread *d, pby_error *err)
{
    const int64_t least = g->most > 0 ? 0 : 1;
    pby_status status = pby_pair_shift(pair, g->law, d->moves, err);
    pby_pair_merge(pair);
    if (status == PBY_OK && d->appears >= least)
        status = times_new(pair, g, d->appears, false, err);
    if (status == PBY_OK && d->vanishes >= least)
        status = times_new(pair, g, d->vanishes, true, err);
    return status;
}

/* True if all bars of one neighbour are at least those of the other. */
static bool one_way(const pby_mechanism *m, pby_neighbours relation)
{
    return relation == PBY_ADD_REMOVE && fmpq_is_zero(&m->value[MOVES]);
}

/* The i-th way to divide D, and its direction; false beyond the last. */
static bool divide(struct spread *d, pby_direction *direction, bool ordered, bool most, int64_t all,
                   int64_t i)
{
    *direction = PBY_BOTH;
    if (ordered) {
        const int64_t fresh = most ? i / 2 : (i + 1) / 2;
        const bool forward = i % 2 == 1;
        *d = (struct spread){forward ? fresh : NONE, forward ? NONE : fresh, all - fresh};
        if (most || fresh > 0)
            *direction = forward ? PBY_FORWARD : PBY_BACKWARD;
        return fresh <= all;
    }
    int64_t row = 0;
    for (; i > row; row++)
        i -= row + 1;
    *d = (struct spread){i, row - i, all - row};
    return row <= all;
}

static pby_status at_most(int64_t most, const char *where, const pby_mechanism *m, pby_error *err)
{
    if (pby_mechanism_natural(m, SENSITIVITY) <= most)
        return PBY_OK;
    char expected[192];
    snprintf(expected, sizeof expected, "at most %" PRId64 "%s", most, where);
    return pby_refuse_rational(err, "threshold:sensitivity", &m->value[SENSITIVITY], expected);
}

static pby_status few_new(const pby_mechanism *m, pby_error *err)
{
    return pby_mechanism_natural(m, NEW) <= NEW_MAX
               ? PBY_OK
               : pby_refuse_rational(err, "threshold:new", &m->value[NEW],
                                     "at most 48: the power of a chance is written out");
}

static pby_status threshold_composes(const pby_mechanism *m, pby_error *err)
{
    return at_most(
        SENSITIVITY_MAX,
        " where it is composed or asked for a Renyi divergence: a power of the chance of silence for each "
        "new bar makes sums of some D^2/2 exponentials in D pairs",
        m, err);
}

static void threshold_privacy(pby_privacy *p, const pby_mechanism *m)
{
    p->single_use = threshold_composes(m, NULL) != PBY_OK;
}

static pby_status threshold_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                  pby_error *err)
{
    pby_status status = threshold_composes(m, err);
    if (status == PBY_OK)
        status = few_new(m, err);
    if (status != PBY_OK)
        return status;
    const int64_t all = pby_mechanism_natural(m, SENSITIVITY), most = pby_mechanism_natural(m, NEW);
    const bool ordered = one_way(m, wanted->relation);
    pby_law *law;
    struct spread d;
    pby_direction direction;
    int64_t count = 0;
    while (divide(&d, &direction, ordered, most > 0, all, count))
        count++;
    status = threshold_law(&law, m, err);
    const struct gate g = {law, pby_mechanism_natural(m, T), most};
    if (status == PBY_OK)
        status = pby_pairs_init(out, (size_t)count, err);
    for (int64_t i = 0; i < count && status == PBY_OK; i++) {
        divide(&d, &direction, ordered, most > 0, all, i);
        out->pair[i].direction = direction;
        status = spread_pair(&out->pair[i], &g, &d, err);
    }
    pby_law_free(law);
    return status;
}

/* With `most` new bars, and a law: D moves or is new, beside new bars of 0. */
static pby_status alone_with_most(pby_pairs *out, const struct gate *g, int64_t all, bool ordered,
                                  pby_error *err)
{
    static const pby_direction both[] = {PBY_BOTH, PBY_BOTH, PBY_BOTH};
    static const pby_direction ways[] = {PBY_FORWARD, PBY_FORWARD, PBY_BACKWARD, PBY_BACKWARD};
    const struct spread any[] = {{0, 0, all}, {all, 0, 0}, {0, all, 0}};
    const struct spread one_way[] = {{0, NONE, all}, {all, NONE, 0}, {NONE, 0, all}, {NONE, all, 0}};
    const size_t count = ordered ? 4 : 3;
    pby_status status = pby_pairs_init(out, count, err);
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        out->pair[i].direction = (ordered ? ways : both)[i];
        status = spread_pair(&out->pair[i], g, ordered ? &one_way[i] : &any[i], err);
    }
    return status;
}

/* With as many new bars as there are records, at their rate. */
static pby_status alone_with_any(pby_pairs *out, const struct gate *g, const fmpq_t rate, int64_t all,
                                 bool ordered, pby_error *err)
{
    enum { SHIFTS, APPEARS, VANISHES, COUNT };
    pby_status status = pby_pairs_init(out, COUNT, err);
    if (status == PBY_OK)
        status = pby_pair_shift(&out->pair[SHIFTS], g->law, all, err);
    if (status == PBY_OK)
        status = pby_pair_new_bars(&out->pair[APPEARS], rate, g->threshold, all, true, err);
    if (status == PBY_OK)
        status = pby_pair_new_bars(&out->pair[VANISHES], rate, g->threshold, all, false, err);
    if (status == PBY_OK && ordered) {
        out->pair[APPEARS].direction = PBY_FORWARD;
        out->pair[VANISHES].direction = PBY_BACKWARD;
    }
    return status;
}

/* Enough for a single use: a bar of both that moves by all of D, and new bars of all of D, in either order.
 */
static pby_status threshold_alone(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                  pby_error *err)
{
    const int64_t all = pby_mechanism_natural(m, SENSITIVITY);
    const bool ordered = one_way(m, wanted->relation);
    pby_law *law = NULL;
    PBY_FMPQ(rate);
    fmpq_div(rate, &m->value[EPS], &m->value[SENSITIVITY]);
    *out = (pby_pairs){NULL, 0};
    pby_status status = at_most(PBY_ATOMS_MAX, "", m, err);
    if (status == PBY_OK)
        status = few_new(m, err);
    if (status == PBY_OK)
        status = threshold_law(&law, m, err);
    const struct gate g = {law, pby_mechanism_natural(m, T), pby_mechanism_natural(m, NEW)};
    if (status == PBY_OK)
        status = g.most > 0 ? alone_with_most(out, &g, all, ordered, err)
                            : alone_with_any(out, &g, rate, all, ordered, err);
    pby_law_free(law);
    return status;
}

/* gamma of [Thresh] Lemma 5, D exp(-w (T - D)) / (1 + exp(-w)) with w = eps/D: what Theorem 5 charges on top
 * of eps. */
static bool threshold_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation,
                            const fmpq_t epsilon, slong prec)
{
    (void)relation;
    if (fmpq_cmp(epsilon, &m->value[EPS]) < 0 || pby_mechanism_has(m, NEW))
        return false;
    PBY_FMPQ(rate, far);
    PBY_ARB(norm);
    fmpq_div(rate, &m->value[EPS], &m->value[SENSITIVITY]);
    fmpq_sub(far, &m->value[SENSITIVITY], &m->value[T]);
    fmpq_mul(far, far, rate);
    arb_set_fmpq(delta, far, prec);
    arb_exp(delta, delta, prec);
    fmpq_neg(rate, rate);
    arb_set_fmpq(norm, rate, prec);
    arb_exp(norm, norm, prec);
    arb_add_ui(norm, norm, 1, prec);
    arb_div(delta, delta, norm, prec);
    arb_mul_si(delta, delta, pby_mechanism_natural(m, SENSITIVITY), prec);
    return true;
}

static bool threshold_claim_terms(pby_expsum_t numerator, pby_expsum_t denominator, const pby_mechanism *m,
                                  pby_neighbours relation, const fmpq_t epsilon)
{
    (void)relation;
    if (fmpq_cmp(epsilon, &m->value[EPS]) < 0 || pby_mechanism_has(m, NEW))
        return false;
    PBY_FMPQ(rate, far);
    fmpq_div(rate, &m->value[EPS], &m->value[SENSITIVITY]);
    fmpq_sub(far, &m->value[SENSITIVITY], &m->value[T]);
    fmpq_mul(far, far, rate);
    fmpq_neg(rate, rate);
    pby_expsum_zero(numerator);
    pby_expsum_add_term(numerator, &m->value[SENSITIVITY], far);
    pby_expsum_one(denominator);
    pby_expsum_add_term_si(denominator, 1, rate);
    return true;
}

/* With new=K every row occurs, if only with 0: a bar of one more under a threshold of one more. */
static pby_status threshold_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                                    const int64_t *counts, int64_t *noisy, size_t n, pby_error *err)
{
    const bool zeros = pby_mechanism_has(m, NEW);
    if (zeros && !pby_within(counts, n, 0, INT64_MAX - 1))
        return pby_fail(err, PBY_BAD, "counts: expected 0 to %lld with new", (long long)INT64_MAX - 1);
    if (zeros)
        pby_one_more(noisy, counts, n);
    const int64_t *occurs = zeros ? noisy : counts;
    const size_t occupied = pby_support(occurs, n);
    int64_t *noise;
    const pby_status status = pby_noise_draw(&noise, sampler, source, occupied, err);
    if (status == PBY_OK)
        pby_threshold(noisy, occurs, n, noise, pby_mechanism_natural(m, T) + zeros);
    if (zeros && status == PBY_OK)
        pby_one_less(noisy, n);
    pby_noise_free(noise, occupied);
    return status;
}

static int64_t threshold_most(const pby_mechanism *m)
{
    return pby_mechanism_has(m, NEW) ? INT64_MAX - 1 : INT64_MAX;
}

/* A record moves one bar by one; from eps on, only the bar that appears shows anything. */
static pby_status threshold_theorem(FILE *out, const pby_mechanism *m, pby_neighbours relation,
                                    const fmpq_t epsilon, pby_error *err)
{
    if (!fmpq_is_one(&m->value[SENSITIVITY]) || relation != PBY_ADD_REMOVE || pby_mechanism_has(m, NEW))
        return pby_fail(err, PBY_BAD,
                        "SPEC: expected sensitivity=1, no new and add-remove neighbours for a theorem");
    char *rate = fmpq_get_str(NULL, 10, &m->value[EPS]);
    fprintf(
        out,
        "(* Occupied bars get two-sided geometric noise of this rate; those that reach the threshold are\n"
        "   published. *)\n"
        "Definition rate : R := %s.\n"
        "Lemma rate_positive : 0 < rate. Proof. unfold rate; lra. Qed.\n"
        "\n"
        "Theorem threshold (K : Type) (keys : list K) : NoDup keys ->\n"
        "  differentially_private one_record epsilon delta\n"
        "    (fun x => bars (map (fun k => gated rate rate_positive %" PRId64 " (x k)) keys)).\n"
        "Proof.\n"
        "  intros distinct; apply (differentially_private_weaken _ %s delta); [|lra|].\n"
        "  - unfold epsilon, rate; lra.\n"
        "  - apply threshold_private; [exact distinct|unfold epsilon, rate; lra| |lia|];\n"
        "    unfold rate; numbers.\n"
        "Qed.\n" PBY_CERTIFICATE_DEFINITION "  forall (K : Type) (keys : list K), NoDup keys ->\n"
        "  (forall x, certain (bars (map (fun k => gated rate rate_positive %" PRId64 " (x k)) keys))) /\\\n"
        "  differentially_private one_record epsilon delta\n"
        "    (fun x => bars (map (fun k => gated rate rate_positive %" PRId64 " (x k)) keys)).\n"
        "\n"
        "Lemma proved : certificate \"\" \"\" epsilon delta.\n"
        "Proof.\n"
        "  split; [|apply threshold; assumption].\n"
        "  intros x; apply certain_bars; intros k; apply gated_certain.\n"
        "Qed.\n",
        rate, pby_mechanism_natural(m, T), fmpq_cmp(epsilon, &m->value[EPS]) <= 0 ? "epsilon" : "rate",
        pby_mechanism_natural(m, T), pby_mechanism_natural(m, T));
    flint_free(rate);
    return PBY_OK;
}

static const pby_story threshold_stories[] = {
    {.what =
         "Two-sided geometric noise of rate eps/sensitivity is added to the occupied bars. Noisy counts of "
         "at least T are published with their names. The set of names need not be public.",
     .neighbours = PBY_STORY_SPREAD,
     .pair =
         {"one bar of both inputs whose count changes by the sensitivity, or one or many new bars of that "
          "total, in either order; in a composition also the divisions between the two",
          "one bar of both inputs whose count changes by the sensitivity, or new or vanished bars of that "
          "total; in a composition also the divisions among the three"},
     .accuracy =
         "without at most t (T - 1) of the records in t occupied bars, " PBY_STORY_NOISE("every count is"),
     .pages = {"threshold.md", "geometric.md", "accuracy.md"},
     .kernel = {{"pby_threshold", "threshold.h"}}},
    {.what = NULL},
};

static const char *const threshold_examples[] = {"threshold:eps=1,T=20", "threshold:eps=1,T=20,sensitivity=2",
                                                 "threshold:eps=1,T=20,sensitivity=4,new=2", NULL};

/* ---- selection -------------------------------------------------------------------------------- */

static int64_t ordered_from(const pby_mechanism *m)
{
    (void)m;
    return 1;
}

/* A new bar of one record. With new=K it may have D of its own, of which one is a part. */
static void floor_of(arb_t floor, const pby_mechanism *m, slong prec)
{
    pby_upper_tail(floor, m, pby_mechanism_integer(m, PBY_ROLE_LEAST) - 1, prec);
}

/* Only new bars in the pairs depend on T: at most D of them, or K, each of at most D, and the noise must lift
 * one to T. */
static void tail_of(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec)
{
    (void)relation;
    const int64_t sensitivity = pby_mechanism_integer(m, PBY_ROLE_SENSITIVITY);
    pby_decay(tail, m, pby_mechanism_integer(m, PBY_ROLE_LEAST) - sensitivity, sensitivity, prec);
    const int64_t most = pby_mechanism_natural(m, NEW);
    arb_mul_si(tail, tail, most > 0 ? most : sensitivity, prec);
}

static const pby_integers thresholds = {1, ordered_from, pby_horizon_sensitive, floor_of, tail_of};

static const pby_select_row threshold_selection = {
    .chosen = PBY_ROLE_LEAST,
    .rising = true,
    .shares = true,
    .integers = &thresholds,
    .monotone = "a release under a greater T is a part of one under a smaller T",
    .recipe = PBY_RECIPE_CLAIMED,
    .source = "Thresh/Lemma 5, epsilon and delta shared by the uses",
    .other = PBY_RECIPE_RATED,
    .other_source =
        "Thresh/Theorem 5 at the rate itself, (1+gamma) eps = epsilon, shared by the uses: refuted",
    .never_zero = "a bar that only one neighbour has may pass",
    .binds = PBY_SELECT_RATE,
};

static const char *const threshold_manual[] = {
    "threshold:eps=E,T=T[,sensitivity=D][,new=K][,moves=M][,of=U]",
    "Geometric noise on the bars that occur; noisy counts below T are not published. With new=K a bar may "
    "occur with the value 0, and a record makes at most K bars occur. M is one-way, or both-ways if an "
    "additional record may also lower a bar. U is count; or utility, in front of another mechanism, where D "
    "and K are those of a column by which bars are kept.",
    NULL,
};

const pby_family pby_family_threshold = {
    .name = "threshold",
    .summary = "geometric noise under a threshold, in an open universe",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL,
                    "eps=E, the loss where nothing new appears, a rational above 0", PBY_ROLE_EPSILON},
                   {"T", PBY_NATURAL, NULL, "T=T, the least count that is published, an integer from 1 on",
                    PBY_ROLE_LEAST},
                   {"sensitivity", PBY_NATURAL, "1",
                    "sensitivity=D, the most that neighbours differ by in all", PBY_ROLE_SENSITIVITY},
                   {"new", PBY_NATURAL, "",
                    "new=K, the most bars that only one of two neighbours has, where a bar may occur with 0",
                    PBY_ROLE_NEW},
                   {"moves", PBY_CHOICE, "one-way",
                    "moves=one-way, where a record more lowers no bar, or moves=both-ways", PBY_ROLE_MOVES},
                   {"of", PBY_CHOICE, "count",
                    "of=count, or of=utility in front of a mechanism: what decides which bars pass",
                    PBY_ROLE_UTILITY}},
    .words = {"one-way", "both-ways", "count", "utility"},
    .law = threshold_law,
    .list[PBY_ABOVE] = threshold_pairs,
    .theorem = threshold_theorem,
    .list[PBY_ONCE] = threshold_alone,
    .privacy = threshold_privacy,
    .claim = threshold_claim,
    .claim_terms = threshold_claim_terms,
    .statement = {.source = "D exp(-(T-D) eps/D) / (1 + exp(-eps/D)), Thresh/Lemma 5",
                  .row = "Thresh/Lemma 5"},
    .form = PBY_RELEASE_PASSED,
    .release = threshold_release,
    .most = threshold_most,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_GATED},
    .select = &threshold_selection,
    .stories = threshold_stories,
    .manual = threshold_manual,
    .examples = threshold_examples,
};
