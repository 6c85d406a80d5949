/* SPDX-License-Identifier: MIT */
/* gmicrodata:sigma2=s: discrete Gaussian noise on every bar and on the total.
 *
 * The loss of a bar and the total together is not that of one discrete Gaussian: the two are parts. */
#include "kernel/silent.h"
#include "law/laws.h"
#include "mechanism/gauss/dgauss_curve.h"
#include "mechanism/microdata/microdata.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/text.h"

enum { SIGMA2 };

static pby_status gmicrodata_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_dgauss(out, &m->value[SIGMA2], err);
}

static pby_status check_variance(const pby_mechanism *m, pby_error *err)
{
    return pby_dgauss_tractable(&m->value[SIGMA2])
               ? PBY_OK
               : pby_refuse_rational(err, "gmicrodata:sigma2", &m->value[SIGMA2],
                                     "a rational from 2^-8192 to 2^8192");
}

/* None: the factors have them. */
static pby_status gmicrodata_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                   pby_error *err)
{
    (void)out;
    (void)wanted;
    return check_variance(m, err);
}

/* One measurement moves by `shift`. */
static pby_status shifted(pby_pairs *out, const pby_mechanism *m, ulong shift, pby_error *err)
{
    fmpz_t by;
    pby_status status = check_variance(m, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 1, err);
    if (status != PBY_OK)
        return status;
    fmpz_init_set_ui(by, shift);
    status = pby_dgauss_curve(&out->pair[0].curve, &m->value[SIGMA2], by, err);
    fmpz_clear(by);
    return status;
}

/* Records that join one bar move it and the total by as much: the curve of one of the two measurements, which
 * loss/group_loss.c takes twice. */
static pby_status gmicrodata_group(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                   pby_error *err)
{
    return shifted(out, m, wanted->size, err);
}

static pby_status gmicrodata_factor(pby_factor *out, const pby_mechanism *m, const pby_wanted *wanted,
                                    size_t i, pby_error *err)
{
    out->times = out->reached = wanted->list == PBY_ABOVE && i < 2;
    return out->times > 0 ? shifted(&out->pairs, m, 1, err) : PBY_OK;
}

static const pby_story gmicrodata_stories[] = {
    {.what =
         "Discrete Gaussian noise, proportional to exp(-k^2/(2 sigma2)) on the integers," PBY_MICRODATA_ADDED,
     .neighbours = PBY_MICRODATA_NEIGHBOURS,
     .pair = PBY_MICRODATA_PAIR,
     .accuracy = PBY_STORY_NOISE("every bar and the total are") "; of weights: probity microdata error",
     .pages = {"microdata.md", "dgauss.md", "drawing.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = NULL},
};

static const char *const gmicrodata_examples[] = {"gmicrodata:sigma2=16", "gmicrodata:sigma2=9/2", NULL};

static const pby_select_row gmicrodata_selection = {
    .chosen = PBY_ROLE_VARIANCE,
    .rising = true,
    .rho_monotone = "rho is 1/sigma2 for each use, exactly",
    .never_zero = "its loss has no largest value",
};

static const char *const gmicrodata_manual[] = {
    "gmicrodata:sigma2=S",
    "Discrete Gaussian noise, proportional to exp(-k^2/(2S)), on every bar and on their total.",
    NULL,
};

const pby_family pby_family_gmicrodata = {
    .name = "gmicrodata",
    .summary = "bars and their total, with discrete Gaussian noise",
    .relations = PBY_CENTRAL,
    .parameters = {{"sigma2", PBY_POSITIVE, NULL,
                    "sigma2=S, noise proportional to exp(-k^2/(2S)), a rational above 0", PBY_ROLE_VARIANCE}},
    .law = gmicrodata_law,
    .list[PBY_ABOVE] = gmicrodata_pairs,
    .factor = gmicrodata_factor,
    .list[PBY_APART] = gmicrodata_group,
    .form = PBY_RELEASE_TOTAL,
    .release = pby_noise_every,
    .silent = pby_silent_perturb,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_QUERY},
    .select = &gmicrodata_selection,
    .stories = gmicrodata_stories,
    .manual = gmicrodata_manual,
    .examples = gmicrodata_examples,
};
