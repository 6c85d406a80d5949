/* SPDX-License-Identifier: MIT */
/* gdp:mu=M: any mechanism that is Gaussian differentially private: no test tells two neighbours apart better
 * than it tells N(M, 1) from N(0, 1).
 *
 * That pair is its own reverse, dominates by the definition, and is that of a mechanism which keeps the
 * promise: Gaussian noise of variance 1 on a query of sensitivity M (docs/theory/gdp.md).
 */
#include "mechanism/family.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"

enum { MU };

static pby_status gdp_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    pby_mechanism gauss;
    pby_mechanism_init(&gauss, &pby_family_gauss);
    fmpq_one(&gauss.value[pby_family_with(gauss.family, PBY_ROLE_VARIANCE)]);
    fmpq_set(&gauss.value[pby_family_with(gauss.family, PBY_ROLE_SENSITIVITY)], &m->value[MU]);
    const pby_status status = pby_family_gauss.list[PBY_ABOVE](out, &gauss, wanted, err);
    pby_mechanism_clear(&gauss);
    return status;
}

static void gdp_grow(pby_mechanism *m, unsigned long size)
{
    fmpz_t k;
    fmpz_init_set_ui(k, size);
    fmpq_mul_fmpz(&m->value[MU], &m->value[MU], k);
    fmpz_clear(k);
}

static void gdp_privacy(pby_privacy *p, const pby_mechanism *m)
{
    (void)m;
    p->integral = true;
}

#define GAUSSIAN "N(mu, 1) and N(0, 1): no test tells neighbours apart better"

static const pby_story gdp_stories[] = {
    {.what = "Any mechanism that is mu-Gaussian differentially private; nothing else about it is used.",
     .neighbours = PBY_STORY_ANY,
     .pair = {GAUSSIAN, GAUSSIAN, GAUSSIAN},
     .accuracy = "none: only the privacy of the mechanism is known",
     .pages = {"gdp.md", "dgauss.md"}},
    {.what = NULL},
};

#define LESS_MU "a promise of a smaller mu is one of every greater mu"

static const pby_select_row gdp_selection = {
    .chosen = PBY_ROLE_MU,
    .monotone = LESS_MU,
    .rho_monotone = LESS_MU,
    .never_zero = "its loss has no largest value",
    .binds = "the resolution",
};

static const char *const gdp_examples[] = {"gdp:mu=1/2", "gdp:mu=1,sample=1/100", NULL};

static const char *const gdp_manual[] = {
    "gdp:mu=M[,sample=R]",
    "Any mechanism that is M-Gaussian differentially private, for loss only: no test tells neighbours apart "
    "better than N(M, 1) from N(0, 1); on a Poisson sample of the records, under add-remove.",
    NULL,
};

const pby_family pby_family_gdp = {
    .name = "gdp",
    .summary = "a guarantee: Gaussian differential privacy",
    .instead = "a promise has none; name the mechanism that keeps it",
    .relations = PBY_EVERY_RELATION,
    .parameters = {{"mu", PBY_POSITIVE, NULL, "mu=M, the distance of the two Gaussians, a rational above 0",
                    PBY_ROLE_MU},
                   PBY_SAMPLE_PARAMETER},
    .list[PBY_ABOVE] = gdp_pairs,
    .grow = gdp_grow,
    .privacy = gdp_privacy,
    .select = &gdp_selection,
    .stories = gdp_stories,
    .manual = gdp_manual,
    .examples = gdp_examples,
};
