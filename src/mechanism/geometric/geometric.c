/* SPDX-License-Identifier: MIT */
/* geometric:eps=e[,sensitivity=D][,theta=t]: two-sided geometric noise of rate e/D on an integer query.
 *
 * The sensitivity is that of the query under the neighbour relation in force, so that both relations
 * have one pair: the law and the law shifted by D. A smaller shift is dominated, because the law is
 * log-concave (docs/theory/geometric.md), and the pair is its own reverse by symmetry.
 *
 * A random query has a law on each input. theta is the mass that the coupling of two neighbours' laws within
 * D may leave out: with that chance the pair reveals its input (docs/theory/random-queries.md).
 *
 * A histogram is released over a public set of bars, every one of which gets noise, the empty ones too: a
 * bar that stays 0 would show that it is empty, and a bar that is left out that it is.
 */
#include <stdio.h>

#include "kernel/silent.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, SENSITIVITY, SAMPLE, FIXED, THETA };

static pby_status geometric_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_geometric_over(out, &m->value[EPS], &m->value[SENSITIVITY], err);
}

static pby_status geometric_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                  pby_error *err)
{
    (void)wanted;
    pby_law *law = NULL;
    pby_status status = geometric_law(&law, m, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        status = pby_pair_shift(&out->pair[0], law, pby_mechanism_natural(m, SENSITIVITY), err);
    pby_law_free(law);
    return status;
}

/* The least delta is met by the event "at most k more", where k is the floor of (D - epsilon/rate)/2
 * (noisy_exact in proofs/coq/Geometric.v). */
static pby_status geometric_theorem(FILE *out, const pby_mechanism *m, pby_neighbours relation,
                                    const fmpq_t epsilon, pby_error *err)
{
    (void)relation;
    if (!fmpq_is_one(&m->value[SAMPLE]) || !fmpq_is_zero(&m->value[THETA]))
        return pby_fail(err, PBY_BAD, "SPEC: expected no sample and no theta for a theorem");
    PBY_FMPQ(rate, most);
    PBY_FMPZ(k);
    fmpq_div(rate, &m->value[EPS], &m->value[SENSITIVITY]);
    fmpq_div(most, epsilon, rate);
    fmpq_sub(most, &m->value[SENSITIVITY], most);
    fmpq_div_2exp(most, most, 1);
    fmpz_fdiv_q(k, fmpq_numref(most), fmpq_denref(most));
    char *text = fmpq_get_str(NULL, 10, rate), *event = fmpz_get_str(NULL, 10, k);
    const long long d = (long long)pby_mechanism_natural(m, SENSITIVITY);
    fprintf(out,
            "(* Two-sided geometric noise of this rate on a count that one record moves by at most %lld. *)\n"
            "Definition rate : R := %s.\n"
            "Lemma rate_positive : 0 < rate. Proof. unfold rate; lra. Qed.\n"
            "\n"
            "Theorem count : differentially_private (fun x y => (Z.abs (x - y) <= %lld)%%Z) epsilon delta\n"
            "  (noisy rate rate_positive).\n"
            "Proof.\n"
            "  apply (noisy_count_private rate rate_positive %lld %s); [lia|unfold epsilon, rate; lra|].\n"
            "  unfold rate; numbers.\n"
            "Qed.\n",
            d, text, d, d, event);
    if (d == 1)
        fputs("\n"
              "(* A histogram over any public keys, where one record moves one bar by one. *)\n"
              "Theorem histogram (K : Type) (keys : list K) : NoDup keys ->\n"
              "  differentially_private one_record epsilon delta\n"
              "    (fun x => bars (map (fun k => noisy rate rate_positive (x k)) keys)).\n"
              "Proof.\n"
              "  intros distinct; apply geometric_private; [exact distinct|unfold epsilon, rate; lra|].\n"
              "  unfold rate; numbers.\n"
              "Qed.\n",
              out);
    fprintf(out,
            PBY_CERTIFICATE_DEFINITION
            "  (forall x, certain (noisy rate rate_positive x)) /\\\n"
            "  differentially_private (fun x y => (Z.abs (x - y) <= %lld)%%Z) epsilon delta\n"
            "    (noisy rate rate_positive)%s.\n"
            "\n"
            "Lemma proved : certificate \"\" \"\" epsilon delta.\n"
            "Proof. split; [apply noisy_certain|%s]. Qed.\n",
            d,
            d == 1
                ? " /\\\n"
                  "  (forall (K : Type) (keys : list K), NoDup keys ->\n"
                  "   (forall x, certain (bars (map (fun k => noisy rate rate_positive (x k)) keys))) /\\\n"
                  "   differentially_private one_record epsilon delta\n"
                  "     (fun x => bars (map (fun k => noisy rate rate_positive (x k)) keys)))"
                : "",
            d == 1 ? "split; [exact count|]; split; [|apply histogram; assumption];\n"
                     "       intros x; apply certain_bars; intros k; apply noisy_certain"
                   : "exact count");
    flint_free(text);
    flint_free(event);
    return PBY_OK;
}

static const pby_story geometric_stories[] = {
    {.with = PBY_ROLE_THETA,
     .what = "A query is random: its answer on each input has a law. One answer is drawn, and two-sided "
             "geometric noise R of rate eps/sensitivity is added to it. The answers of neighbours can be "
             "coupled so that they differ by at most the sensitivity except with probability theta.",
     .neighbours = PBY_STORY_RANDOM,
     .pair = {PBY_STORY_REVEALED, PBY_STORY_REVEALED},
     .accuracy = PBY_STORY_DRAWN,
     .pages = {"random-queries.md", "geometric.md", "drawing.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = "Two-sided geometric noise R of rate eps/sensitivity is added to an integer query, or to every "
             "bar of a histogram over a public set of bars, including the empty ones.",
     .neighbours = PBY_STORY_A_HISTOGRAM,
     .pair = {PBY_STORY_FULL_SHIFT, PBY_STORY_FULL_SHIFT},
     .accuracy = PBY_STORY_NOISE("every bar is"),
     .pages = {"geometric.md", "drawing.md", "accuracy.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = NULL},
};

static const char *const geometric_examples[] = {"geometric:eps=1/2", "geometric:eps=1,sensitivity=2",
                                                 "geometric:eps=1,sample=1/10",
                                                 "geometric:eps=1,theta=1/1000", NULL};

static const pby_select_row geometric_selection = {PBY_SELECT_PURE(PBY_SELECT_LESS_EPS)};

static const char *const geometric_manual[] = {
    "geometric:eps=E[,sensitivity=D][,sample=R][,fixed=R][,theta=T]",
    "Two-sided geometric noise of rate E/D on an integer query or on every bar of a histogram.",
    NULL,
};

const pby_family pby_family_geometric = {
    .name = "geometric",
    .summary = "two-sided geometric noise (discrete Laplace)",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss at the given sensitivity, a rational above 0",
                    PBY_ROLE_EPSILON},
                   {"sensitivity", PBY_NATURAL, "1", "sensitivity=D, the most that a query moves",
                    PBY_ROLE_SENSITIVITY},
                   PBY_SAMPLE_PARAMETER,
                   PBY_FIXED_PARAMETER,
                   PBY_THETA_PARAMETER},
    .law = geometric_law,
    .list[PBY_ABOVE] = geometric_pairs,
    .theorem = geometric_theorem,
    .release = pby_noise_every,
    .silent = pby_silent_perturb,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_NOISY},
    .select = &geometric_selection,
    .stories = geometric_stories,
    .manual = geometric_manual,
    .examples = geometric_examples,
};
