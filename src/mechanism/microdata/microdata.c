/* SPDX-License-Identifier: MIT */
/* microdata:eps=e: two-sided geometric noise of rate e/2 on every bar of a histogram and on their total. */
#include "mechanism/microdata/microdata.h"

#include "kernel/silent.h"
#include "law/laws.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS };

/* Both measurements move by `shift`; out is empty. */
static pby_status shifted_twice(pby_pairs *out, const pby_mechanism *m, int64_t shift, pby_error *err)
{
    pby_law *law = NULL;
    pby_pair one;
    pby_pair_init(&one);
    pby_status status = m->family->law(&law, m, err);
    if (status == PBY_OK)
        status = pby_pair_shift(&one, law, shift, err);
    pby_pair_merge(&one);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        status = pby_pair_product(&out->pair[0], &one, &one, err);
    if (status == PBY_OK)
        status = pby_pair_gather(&out->pair[0], err);
    pby_pair_clear(&one);
    pby_law_free(law);
    return status;
}

pby_status pby_microdata_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err)
{
    (void)wanted;
    return shifted_twice(out, m, 1, err);
}

pby_status pby_microdata_group(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err)
{
    return shifted_twice(out, m, (int64_t)wanted->size, err);
}

static pby_status microdata_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    PBY_FMPQ(rate);
    fmpq_div_2exp(rate, &m->value[EPS], 1);
    return pby_law_geometric(out, rate, err);
}

/* Pure privacy at its eps. */
static bool microdata_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation,
                            const fmpq_t epsilon, slong prec)
{
    (void)prec;
    if (relation != PBY_ADD_REMOVE || fmpq_cmp(epsilon, &m->value[EPS]) < 0)
        return false;
    arb_zero(delta);
    return true;
}

static const pby_story microdata_stories[] = {
    {.what = "Two-sided geometric noise of rate eps/2" PBY_MICRODATA_ADDED,
     .neighbours = PBY_MICRODATA_NEIGHBOURS,
     .pair = PBY_MICRODATA_PAIR,
     .accuracy = PBY_STORY_NOISE("every bar and the total are") "; of weights: probity microdata error",
     .pages = {"microdata.md", "geometric.md", "drawing.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = NULL},
};

static const char *const microdata_examples[] = {"microdata:eps=1", "microdata:eps=1/3", NULL};

static const pby_select_row microdata_selection = {PBY_SELECT_PURE(PBY_SELECT_LESS_EPS)};

static const char *const microdata_manual[] = {
    "microdata:eps=E",
    "Two-sided geometric noise of rate E/2 on every bar of a histogram and on their total.",
    NULL,
};

const pby_family pby_family_microdata = {
    .name = "microdata",
    .summary = "bars and their total, with geometric noise",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss of a bar and the total, a rational above 0",
                    PBY_ROLE_EPSILON}},
    .law = microdata_law,
    .list[PBY_ABOVE] = pby_microdata_pairs,
    .list[PBY_APART] = pby_microdata_group,
    .claim = microdata_claim,
    .statement = {.source = "0 from its eps on, Survey/Theorem 9.6", .row = "Survey/Theorem 9.6"},
    .form = PBY_RELEASE_TOTAL,
    .release = pby_noise_every,
    .silent = pby_silent_perturb,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_QUERY},
    .select = &microdata_selection,
    .stories = microdata_stories,
    .manual = microdata_manual,
    .examples = microdata_examples,
};
