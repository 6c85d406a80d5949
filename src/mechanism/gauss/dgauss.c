/* dgauss:sigma2=s[,sensitivity=D]: discrete Gaussian noise on an integer query.
 *
 * The pair is the law and the law shifted by D: log-concave and symmetric, so that smaller shifts are
 * dominated and the pair is its own reverse (docs/theory/dgauss.md).
 *
 * A histogram is released over a public set of bars, every one of which gets noise, as of geometric; one bar
 * that moves by D is the worst of several that move by D together (docs/theory/geometric.md).
 */
#include "kernel/silent.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/gauss/dgauss_curve.h"
#include "mechanism/noise.h"
#include "mechanism/selection.h"
#include "mechanism/story.h"
#include "number/text.h"

enum { SIGMA2, SENSITIVITY };

static pby_status dgauss_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_dgauss(out, &m->value[SIGMA2], err);
}

static pby_status dgauss_pairs(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                               pby_error *err)
{
    (void)relation;
    if (!pby_dgauss_tractable(&m->value[SIGMA2]))
        return pby_refuse_rational(err, "dgauss:sigma2", &m->value[SIGMA2],
                                   "a rational from 2^-8192 to 2^8192");
    const pby_status status = pby_pairs_init(out, 1, err);
    if (status != PBY_OK)
        return status;
    return pby_dgauss_curve(&out->pair[0].curve, &m->value[SIGMA2], fmpq_numref(&m->value[SENSITIVITY]), err);
}

static const pby_story dgauss_stories[] = {
    {.what = "Discrete Gaussian noise, proportional to exp(-k^2/(2 sigma2)) on the integers, is added to an "
             "integer query, or to every bar of a histogram over a public set of bars, including the empty "
             "ones.",
     .neighbours = PBY_STORY_A_QUERY,
     .pair = {PBY_STORY_FULL_SHIFT, PBY_STORY_FULL_SHIFT},
     .accuracy = PBY_STORY_NOISE("the answer is"),
     .pages = {"dgauss.md", "drawing.md", "zcdp.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = NULL},
};

static const char *const dgauss_examples[] = {"dgauss:sigma2=16", "dgauss:sigma2=9/2,sensitivity=2", NULL};

static const pby_select_row dgauss_selection = {
    .chosen = PBY_ROLE_VARIANCE,
    .rising = true,
    .recipe = PBY_RECIPE_CONCENTRATED,
    .source = PBY_SELECT_RENYI,
    .rho_monotone = PBY_SELECT_PROPORTIONAL,
    .never_zero = "its loss has no largest value",
};

static const char *const dgauss_manual[] = {
    "dgauss:sigma2=S[,sensitivity=D][,sample=R][,fixed=R]",
    "Discrete Gaussian noise, proportional to exp(-k^2/(2S)).",
    NULL,
};

const pby_family pby_family_dgauss = {
    .name = "dgauss",
    .summary = "discrete Gaussian noise",
    .relations = PBY_CENTRAL,
    .parameters = {{"sigma2", PBY_POSITIVE, NULL,
                    "sigma2=S, noise proportional to exp(-k^2/(2S)), a rational above 0", PBY_ROLE_VARIANCE},
                   {"sensitivity", PBY_NATURAL, "1", "sensitivity=D, the most that a query moves",
                    PBY_ROLE_SENSITIVITY},
                   PBY_SAMPLE_PARAMETER,
                   PBY_FIXED_PARAMETER},
    .law = dgauss_law,
    .pairs = dgauss_pairs,
    .release = pby_noise_every,
    .silent = pby_silent_perturb,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_QUERY},
    .select = &dgauss_selection,
    .stories = dgauss_stories,
    .manual = dgauss_manual,
    .examples = dgauss_examples,
};
