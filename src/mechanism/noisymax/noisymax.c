/* noisymax:eps=e[,sensitivity=d][,scores=general|monotone][,noise=two-sided|one-sided]: report noisy max.
 * Every integer score gets geometric noise of rate r = eps/(2 d), or eps/d for monotone scores, and only the
 * place of the largest is told, the first of equals.
 *
 * The winner's noise is raised by 2 d, or by d (proofs/alignment/noisy_max.c): pure privacy at eps, whose
 * pair dominates. Two candidates come near it. Where the one is j behind the other, and V is the difference
 * of two noises, it wins with the chance P(V >= j), and a neighbour moves j by 2 d, or by d. One-sided noise
 * reaches eps from j = 0 on; two-sided noise approaches it as j grows. */
#include "mechanism/noisymax/noisymax.h"

#include "law/exponential.h"
#include "mechanism/monotone.h"
#include "mechanism/story.h"

enum { SENSITIVITY = 1 };

/* The farthest lead is overcome with a chance of some exp(-FAR_LEVEL); the loss there is below eps by about
 * eps/FAR_LEVEL. */
enum { FAR_LEVEL = 1 << 16 };
#define LEAD_MAX ((int64_t)1 << 60)

/* ---- pairs ------------------------------------------------------------------------------------ */

/* 1 + a, or (1 + a)^3 */
static void lead_norm(pby_expsum_t x, const pby_max_noise *noise)
{
    static const slong one_sided[] = {1, 1, 0, 0}, two_sided[] = {1, 3, 3, 1};
    pby_expsum_zero(x);
    for (int k = 0; k < 4; k++)
        pby_add_power(x, (noise->one_sided ? one_sided : two_sided)[k], noise->rate, k);
}

/* P(V >= j) over that norm: for j >= 0 one-sided a^j, two-sided a^j ((j+1)(1 - a^2) + a + 3 a^2); and V has
 * the law of -V. */
static void lead(pby_expsum_t x, const pby_max_noise *noise, int64_t j)
{
    const int64_t k = j >= 0 ? j : 1 - j;
    pby_expsum_zero(x);
    pby_add_power(x, noise->one_sided ? 1 : k + 1, noise->rate, k);
    if (!noise->one_sided) {
        pby_add_power(x, 1, noise->rate, k + 1);
        pby_add_power(x, 2 - k, noise->rate, k + 2);
    }
    if (j >= 0)
        return;
    pby_expsum_t norm;
    pby_expsum_init(norm);
    lead_norm(norm, noise);
    pby_expsum_sub(x, norm, x);
    pby_expsum_clear(norm);
}

/* Two candidates, the one behind by `from` on the one input and by `to` on the other. */
static pby_status lead_pair(pby_pair *pair, const pby_max_noise *noise, int64_t from, int64_t to,
                            pby_error *err)
{
    pby_expsum_t norm, p, q;
    pby_expsum_init(norm);
    pby_expsum_init(p);
    pby_expsum_init(q);
    lead_norm(norm, noise);
    lead(p, noise, from);
    lead(q, noise, to);
    const pby_status status = pby_pair_two(pair, norm, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    pby_expsum_clear(norm);
    return status;
}

/* From a lead in whose middle the two are equal, where delta at a small epsilon is greatest, up to where the
 * loss is. */
static pby_status max_attained(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                               pby_error *err)
{
    const int64_t by = (pby_monotone(m) ? 1 : 2) * pby_mechanism_natural(m, SENSITIVITY);
    int64_t leads[] = {-(by / 2), -(by / 4), 0, by, 4 * by, 16 * by, LEAD_MAX};
    pby_max_noise noise;
    pby_status status = pby_monotone_about(m, relation, err);
    if (status != PBY_OK)
        return status;
    pby_max_noise_init(&noise, m);
    const size_t count = noise.one_sided ? 3 : sizeof leads / sizeof *leads;
    leads[6] = FLINT_MIN(pby_decay_length(noise.rate, FAR_LEVEL), LEAD_MAX);
    status = pby_pairs_init(out, count, err);
    for (size_t i = 0; i < count && status == PBY_OK; i++)
        status = lead_pair(&out->pair[i], &noise, leads[i], leads[i] + by, err);
    pby_max_noise_clear(&noise);
    return status;
}

/* ---- the family ------------------------------------------------------------------------------- */

#define PURE_PAIR                                                                                         \
    "randomised response at eps, which dominates it: two candidates reach eps with one-sided noise, and " \
    "approach it with two-sided noise as the one falls behind"

static const pby_story max_stories[] = {
    {.what =
         "Every candidate's integer score gets geometric noise of rate r = eps/(2 sensitivity), or "
         "eps/sensitivity for monotone scores, and only the candidate of the largest is released, the first "
         "of equals. The noisy score itself must not be released. " PBY_STORY_ASSUMED,
     .neighbours = PBY_STORY_SCORES,
     .pair = {PURE_PAIR, PURE_PAIR},
     .accuracy =
         "probity accuracy --beta b encloses the probability that the chosen score is more than b below the "
         "best, at the worst scores: the best candidate is the last, and all others are just more than "
         "b below it",
     .pages = {"noisymax.md", "alignment.md", "drawing.md"},
     .kernel = {{"pby_noisy_max", "noisy_max.h"}}},
    {.what = NULL},
};

static const char *const max_examples[] = {
    "noisymax:eps=1", "noisymax:eps=1/2,sensitivity=3,scores=monotone,noise=one-sided", NULL};

static const char *const max_manual[] = {
    "noisymax:eps=E[,sensitivity=D][,scores=S][,noise=N]",
    "Report noisy max: the candidate whose integer score with noise is the largest. S is general, or "
    "monotone where a record more moves no two scores in opposite directions; N is two-sided or one-sided.",
    NULL,
};

const pby_family pby_family_noisymax = {
    .name = "noisymax",
    .summary = "report noisy max: the candidate whose noisy score is the largest",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},
                   {"sensitivity", PBY_NATURAL, "1", "sensitivity=D, the most that a score moves",
                    PBY_ROLE_SENSITIVITY},
                   {"scores", PBY_CHOICE, "general", "scores=general or scores=monotone", PBY_ROLE_NONE},
                   {"noise", PBY_CHOICE, "two-sided", "noise=two-sided or noise=one-sided", PBY_ROLE_NONE}},
    .words = {"general", "monotone", "two-sided", "one-sided"},
    .pairs = pby_monotone_pairs,
    .attained = max_attained,
    .loose = true,
    .claim = pby_monotone_claim,
    .claim_source = "0 from eps on",
    .form = PBY_RELEASE_CANDIDATE,
    .takes = PBY_TAKES_SCORES,
    .rate = pby_monotone_rate,
    .chooser = &pby_max_chooser,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_CHOICE},
    .select = &pby_monotone_selection,
    .stories = max_stories,
    .manual = max_manual,
    .examples = max_examples,
};
