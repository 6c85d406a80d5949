/* permuteflip:eps=e[,sensitivity=d][,scores=general|monotone]: permute-and-flip. In a random order each
 * candidate flips a coin of chance exp(-r (best - score)), r = eps/(2 d), or eps/d for monotone scores; the
 * first that shows heads is chosen.
 *
 * It is report noisy max with exponential noise of rate r (docs/theory/permuteflip.md), and so eps-private.
 * Its losses do not lie in an interval of length eps: it is accounted as pure privacy, whose pair dominates.
 * Two candidates, the one x/r behind, let that one win with exp(-x)/2, and a neighbour moves x by eps: from x
 * = 0 on the loss is eps, and it is reached. */
#include "mechanism/permuteflip/permuteflip.h"

#include "mechanism/monotone.h"
#include "mechanism/selection.h"
#include "mechanism/story.h"

enum { EPS };

/* Attained pairs: from two that are equal in the middle of the move to two that are equal before it. */
enum { STEPS = 8 };

/* The chances, over 2, of the one of two candidates that is x/r behind, and of the other. */
static void behind(pby_expsum_t one, pby_expsum_t other, const fmpq_t x)
{
    fmpq_t minus, zero;
    fmpq_init(minus);
    fmpq_init(zero);
    fmpq_abs(minus, x);
    fmpq_neg(minus, minus);
    pby_expsum_zero(one);
    pby_expsum_zero(other);
    pby_expsum_add_term_si(one, 1, minus);
    pby_expsum_add_term_si(other, 2, zero);
    pby_expsum_sub(other, other, one);
    if (fmpq_sgn(x) < 0)
        pby_expsum_swap(one, other);
    fmpq_clear(zero);
    fmpq_clear(minus);
}

/* Two candidates, x/r and (x + eps)/r apart. */
static pby_status flip_pair(pby_pair *pair, const fmpq_t x, const fmpq_t eps, pby_error *err)
{
    pby_expsum_t here[2], there[2];
    fmpq_t moved, zero;
    fmpq_init(moved);
    fmpq_init(zero);
    for (int i = 0; i < 2; i++) {
        pby_expsum_init(here[i]);
        pby_expsum_init(there[i]);
    }
    fmpq_add(moved, x, eps);
    behind(here[0], here[1], x);
    behind(there[0], there[1], moved);
    pby_expsum_add_term_si(pair->norm_p, 2, zero);
    pby_expsum_add_term_si(pair->norm_q, 2, zero);
    pby_status status = PBY_OK;
    for (int i = 0; i < 2; i++) {
        if (status == PBY_OK)
            status = pby_pair_append(pair, here[i], there[i], err);
        pby_expsum_clear(there[i]);
        pby_expsum_clear(here[i]);
    }
    fmpq_clear(zero);
    fmpq_clear(moved);
    return status;
}

/* Those with x = -eps/2 .. 0: at epsilon the worst of two candidates have x = (epsilon - eps)/2. */
static pby_status flip_attained(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                                pby_error *err)
{
    fmpq_t x;
    pby_status status = pby_monotone_about(m, relation, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, STEPS + 1, err);
    fmpq_init(x);
    for (int i = 0; i <= STEPS && status == PBY_OK; i++) {
        fmpq_set_si(x, -i, 2 * STEPS);
        fmpq_mul(x, x, &m->value[EPS]);
        status = flip_pair(&out->pair[i], x, &m->value[EPS], err);
    }
    fmpq_clear(x);
    return status;
}

#define PURE_PAIR                                                                              \
    "randomised response at eps, which dominates it: two equal candidates, one of which then " \
    "falls behind, lose eps, and less at other epsilons"

static const pby_story flip_stories[] = {
    {.what =
         "One of several public candidates is chosen: in a random order each flips a coin that shows heads "
         "with the chance exp(-r (best - score)), r = eps/(2 sensitivity), or eps/sensitivity for monotone "
         "scores, and the first that shows heads is it. That no record moves a score by more than the "
         "sensitivity, and that the candidates do not come from the data, is taken for granted.",
     .neighbours =
         {"one record more or fewer: no score moves by more than the sensitivity",
          "one record changed: no score moves by more than the sensitivity, which is then that of a change"},
     .pair = {PURE_PAIR, PURE_PAIR},
     .accuracy = "the chosen score is within b of the best, but for a chance that probity accuracy --beta b "
                 "encloses: at most 1 - (1 - (1 - w)^n)/(n w), w = exp(-r b), of n candidates",
     .pages = {"permuteflip.md", "noisymax.md"},
     .kernel = {{"pby_uniform", "uniform.h"}}},
    {.what = NULL},
};

static const char *const flip_examples[] = {"permuteflip:eps=1",
                                            "permuteflip:eps=1/2,sensitivity=3/2,scores=monotone", NULL};

#define GREATER "pure privacy at eps is pure privacy at every greater one"

static const pby_select_row flip_selection = {
    .chosen = PBY_ROLE_EPSILON,
    .monotone = GREATER,
    .recipe = PBY_RECIPE_THEOREMS,
    .source = PBY_SELECT_THEOREMS,
    .rho_monotone = GREATER,
    .rho_recipe = PBY_RECIPE_PURE,
    .rho_source = PBY_SELECT_SQUARED,
    .binds = "the resolution",
};

static const char *const flip_manual[] = {
    "permuteflip:eps=E[,sensitivity=D][,scores=S]",
    "Permute-and-flip: one of several candidates, by its score. S as for exponential.",
    NULL,
};

const pby_family pby_family_permuteflip = {
    .name = "permuteflip",
    .summary = "permute-and-flip: one candidate by its score",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},
                   {"sensitivity", PBY_POSITIVE, "1", "sensitivity=D, the most that a score moves",
                    PBY_ROLE_SENSITIVITY},
                   {"scores", PBY_CHOICE, "general", "scores=general or scores=monotone", PBY_ROLE_NONE}},
    .words = {"general", "monotone"},
    .pairs = pby_monotone_pairs,
    .attained = flip_attained,
    .loose = true,
    .claim = pby_monotone_claim,
    .claim_source = "0 from eps on",
    .form = PBY_RELEASE_CANDIDATE,
    .takes = PBY_TAKES_SCORES,
    .rate = pby_monotone_rate,
    .chooser = &pby_flip_chooser,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_CHOICE},
    .select = &flip_selection,
    .stories = flip_stories,
    .manual = flip_manual,
    .examples = flip_examples,
};
