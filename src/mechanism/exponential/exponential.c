/* SPDX-License-Identifier: MIT */
/* exponential:eps=e[,sensitivity=d][,scores=general|monotone]: one candidate, chosen with weight exp(r
 * score), r = eps/(2 d), or eps/d where a record more moves all scores up or all down.
 *
 * Only the differences of scores count. Between neighbours the log of a candidate's chance moves by what its
 * score moves and by the log of the norm, so that all losses of two neighbours lie in one interval of length
 * eps: the pairs are those of exponential/curve.h, and every one of them is that of some neighbours with two
 * candidates, in general and for monotone scores alike. Which is the worst depends on epsilon; in a
 * composition each use may choose another (exponential/pieces.h). */
#include <stdio.h>

#include "mechanism/exponential/pieces.h"
#include "mechanism/shared/monotone.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, SENSITIVITY };

static pby_status exponential_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                    pby_error *err)
{
    const pby_status status = pby_monotone_about(m, wanted->relation, err);
    return status == PBY_OK ? pby_bounded_pieces(out, &m->value[EPS], err) : status;
}

static pby_status exponential_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                       pby_error *err)
{
    const pby_status status = pby_monotone_about(m, wanted->relation, err);
    return status == PBY_OK ? pby_bounded_middles(out, &m->value[EPS], err) : status;
}

static pby_status exponential_alone(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                    pby_error *err)
{
    const pby_status status = pby_monotone_about(m, wanted->relation, err);
    return status == PBY_OK ? pby_bounded_whole(out, &m->value[EPS], err) : status;
}

static void exponential_privacy(pby_privacy *p, const pby_mechanism *m)
{
    fmpq_set(p->units, &m->value[EPS]);
}

static pby_status exponential_theorem(FILE *out, const pby_mechanism *m, pby_neighbours relation,
                                      const fmpq_t epsilon, pby_error *err)
{
    (void)relation;
    (void)epsilon;
    if (pby_monotone(m))
        return pby_fail(err, PBY_BAD, "SPEC: expected scores=general for a theorem");
    PBY_FMPQ(rate);
    pby_monotone_rate(rate, m);
    char *text = fmpq_get_str(NULL, 10, rate), *moves = fmpq_get_str(NULL, 10, &m->value[SENSITIVITY]);
    fprintf(out,
            "(* One of n candidates, with a chance proportional to exp(rate score); no record moves a score\n"
            "   by more than moves. *)\n"
            "Definition rate : R := %s.\n"
            "Definition moves : R := %s.\n"
            "\n"
            "Theorem choice n some (s u : nat -> R) :\n"
            "  (forall i, (i < n)%%nat -> Rabs (s i - u i) <= moves) ->\n"
            "  private epsilon delta (exponential n s rate some) (exponential n u rate some).\n"
            "Proof.\n"
            "  intros near; eapply private_weaken with (e := epsilon); [apply Rle_refl| |\n"
            "    apply (exponential_exact n some rate moves); try exact near;\n"
            "    unfold epsilon, rate, moves; lra].\n"
            "  unfold rate, moves; numbers.\n"
            "Qed.\n" PBY_CERTIFICATE_DEFINITION
            "  forall n some (s u : nat -> R), (forall i, (i < n)%%nat -> Rabs (s i - u i) <= moves) ->\n"
            "  certain (exponential n s rate some) /\\\n"
            "  private epsilon delta (exponential n s rate some) (exponential n u rate some).\n"
            "\n"
            "Lemma proved : certificate \"\" \"\" epsilon delta.\n"
            "Proof. intros n some s u near; split; [apply exponential_certain|apply choice, near]. Qed.\n",
            text, moves);
    flint_free(text);
    flint_free(moves);
    return PBY_OK;
}

static const pby_story exponential_stories[] = {
    {.what = "One of several public candidates is chosen, with a chance proportional to exp(r score), r = "
             "eps/(2 sensitivity), or eps/sensitivity for monotone scores. " PBY_STORY_ASSUMED,
     .neighbours = PBY_STORY_SCORES,
     .pair = {"two candidates, of losses t and t - eps: the t that is the worst at the epsilon asked for, "
              "in a composition another in every use",
              "two candidates, of losses t and t - eps, likewise"},
     .accuracy =
         "probity accuracy --beta b encloses the probability that the chosen score is more than b below the "
         "best: at most (n - 1) w/(1 + (n - 1) w), w = exp(-r b), for n candidates",
     .pages = {"exponential.md", "composition.md"}},
    {.what = NULL},
};

static const char *const exponential_examples[] = {"exponential:eps=1",
                                                   "exponential:eps=1/2,sensitivity=3,scores=monotone",
                                                   "exponential:eps=1,sample=1/10", NULL};

static const char *const exponential_manual[] = {
    "exponential:eps=E[,sensitivity=D][,scores=S][,sample=R]",
    "The exponential mechanism: one of several candidates, by its score. S is general, or monotone where a "
    "record more moves no two scores in opposite directions.",
    NULL,
};

const pby_family pby_family_exponential = {
    .name = "exponential",
    .summary = "exponential mechanism: one candidate by its score",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},
                   {"sensitivity", PBY_POSITIVE, "1", "sensitivity=D, the most that a score moves",
                    PBY_ROLE_SENSITIVITY},
                   {"scores", PBY_CHOICE, "general", "scores=general or scores=monotone", PBY_ROLE_NONE},
                   PBY_SAMPLE_PARAMETER},
    .words = {"general", "monotone"},
    .list[PBY_ABOVE] = exponential_pairs,
    .theorem = exponential_theorem,
    .list[PBY_BELOW] = exponential_attained,
    .list[PBY_ONCE] = exponential_alone,
    .interval = true,
    .privacy = exponential_privacy,
    .claim = pby_monotone_claim,
    .statement = {.source = "0 from eps on"},
    .form = PBY_RELEASE_CANDIDATE,
    .takes = PBY_TAKES_SCORES,
    .rate = pby_monotone_rate,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_CHOICE},
    .select = &pby_bounded_selection,
    .stories = exponential_stories,
    .manual = exponential_manual,
    .examples = exponential_examples,
};
