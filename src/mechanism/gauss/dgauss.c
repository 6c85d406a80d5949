/* SPDX-License-Identifier: MIT */
/* dgauss:sigma2=s[,sensitivity=D]: discrete Gaussian noise on an integer query;
 * dgauss:sigma2=s,norm2=N[,dimensions=K]: on every coordinate of a query of many.
 *
 * The pair is the law and the law shifted by D: log-concave and symmetric, so that smaller shifts are
 * dominated and the pair is its own reverse (docs/theory/dgauss.md).
 *
 * A histogram is released over a public set of bars, every one of which gets noise, as of geometric; one bar
 * that moves by D is the worst of several that move by D together (docs/theory/geometric.md).
 *
 * With a norm the pairs are those of all maximal shifts (dgauss_shifts.h). Where these are too many, or their
 * outcomes, rho = N/(2s) bounds the loss, and a few shifts are below it.
 */
#include "kernel/silent.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/gauss/dgauss_curve.h"
#include "mechanism/gauss/dgauss_shifts.h"
#include "mechanism/gauss/dgauss_vector.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/text.h"

enum { SIGMA2, SENSITIVITY, SAMPLE, FIXED, NORM2, DIMENSIONS };

static pby_status dgauss_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_dgauss(out, &m->value[SIGMA2], err);
}

/* ---- many coordinates ------------------------------------------------------------------------- */

static bool is_vector(const pby_mechanism *m)
{
    return pby_mechanism_has(m, NORM2);
}

static ulong norm2_of(const pby_mechanism *m)
{
    return (ulong)pby_mechanism_natural(m, NORM2);
}

/* No integer vector has more coordinates than the square of its length. */
static ulong dimensions_of(const pby_mechanism *m)
{
    const ulong most = norm2_of(m);
    const ulong given = (ulong)pby_mechanism_natural(m, DIMENSIONS);
    return given == 0 || given > most ? most : given;
}

/* A shift is listed in seconds, and one of a few that only bound the loss from below in a tenth of them, if
 * it is not so long that its tails are deep. */
enum { LISTED_BITS = 23, BELOW_BITS = 18, BELOW_NORM2 = 1000 };

/* A shift of one coordinate has a closed form. */
static bool is_listed(const pby_mechanism *m, const pby_shift *v)
{
    return pby_shift_coordinates(v) == 1 ||
           pby_dgauss_vector_tractable(&m->value[SIGMA2], pby_shift_norm2(v), LISTED_BITS);
}

static bool is_listed_soon(const pby_mechanism *m, const pby_shift *v)
{
    return pby_shift_coordinates(v) == 1 ||
           (pby_shift_norm2(v) <= BELOW_NORM2 &&
            pby_dgauss_vector_tractable(&m->value[SIGMA2], pby_shift_norm2(v), BELOW_BITS));
}

static bool list_all(pby_shifts *shifts, const pby_mechanism *m)
{
    bool all = pby_shifts_all(shifts, norm2_of(m), dimensions_of(m));
    for (size_t i = 0; i < shifts->count && all; i++)
        all = is_listed(m, &shifts->shift[i]);
    return all;
}

static bool dgauss_unlisted(const pby_mechanism *m)
{
    pby_shifts shifts;
    return is_vector(m) && !list_all(&shifts, m);
}

static pby_status pairs_of_shifts(pby_pairs *out, const pby_mechanism *m, const pby_shifts *shifts,
                                  pby_error *err)
{
    PBY_TRY(pby_pairs_init(out, shifts->count, err));
    for (size_t i = 0; i < shifts->count; i++)
        PBY_TRY(pby_dgauss_vector_curve(&out->pair[i].curve, &m->value[SIGMA2], &shifts->shift[i], err));
    return PBY_OK;
}

static pby_status vector_pairs(pby_pairs *out, const pby_mechanism *m, pby_error *err)
{
    pby_shifts shifts;
    if (list_all(&shifts, m))
        return pairs_of_shifts(out, m, &shifts, err);
    return pby_refuse_rational(
        err, "dgauss:norm2", &m->value[NORM2],
        "at most 64 shifts, and norm2 sigma2 up to 2^23: of others epsilon, delta and rho "
        "alone are bounded");
}

/* Gives the pairs of those shifts that are listed soon, or else of one coordinate of the first: they bound
 * the loss from below. */
static pby_status pairs_below(pby_pairs *out, const pby_mechanism *m, const pby_shifts *some, pby_error *err)
{
    pby_shifts known = {.count = 0};
    for (size_t i = 0; i < some->count; i++)
        if (is_listed_soon(m, &some->shift[i]))
            known.shift[known.count++] = some->shift[i];
    if (known.count == 0) {
        known.shift[0] = some->shift[0];
        known.shift[0].count = 1;
        known.shift[0].times[0] = 1;
        known.count = 1;
    }
    return pairs_of_shifts(out, m, &known, err);
}

/* Some shifts, of all that may be. */
static pby_status dgauss_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                  pby_error *err)
{
    (void)wanted;
    if (!dgauss_unlisted(m) || !pby_dgauss_tractable(&m->value[SIGMA2]))
        return PBY_OK;
    pby_shifts some;
    pby_shifts_some(&some, norm2_of(m), dimensions_of(m));
    return pairs_below(out, m, &some, err);
}

/* |v|^2/(2s) bounds D_a / a of a shift v, and the longest reaches it at every integer order. */
static void dgauss_privacy(pby_privacy *p, const pby_mechanism *m)
{
    fmpq *rho = p->promise.rho;
    p->searched = false;
    p->unlisted = p->promise.made = dgauss_unlisted(m);
    if (!p->unlisted)
        return;
    fmpq_inv(rho, &m->value[SIGMA2]);
    fmpq_mul_ui(rho, rho, pby_shifts_longest(norm2_of(m), dimensions_of(m)));
    fmpq_div_2exp(rho, rho, 1);
}

/* So many records that each move the query by the same shift. */
static pby_status dgauss_group(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err)
{
    pby_shifts shifts;
    if (!is_vector(m) || pby_mechanism_sample(m) != NULL || !list_all(&shifts, m))
        return PBY_OK;
    for (size_t i = 0; i < shifts.count; i++)
        for (size_t j = 0; j < shifts.shift[i].count; j++)
            shifts.shift[i].value[j] *= wanted->size;
    return pairs_below(out, m, &shifts, err);
}

static pby_status dgauss_check(const pby_mechanism *m, pby_error *err)
{
    if (!is_vector(m))
        return pby_mechanism_has(m, DIMENSIONS)
                   ? pby_mechanism_refuse(m, "dimensions beside norm2 alone", err)
                   : PBY_OK;
    if (!fmpq_is_one(&m->value[SENSITIVITY]))
        return pby_mechanism_refuse(m, "sensitivity or norm2, and not both", err);
    if (pby_mechanism_fixed(m))
        return pby_mechanism_refuse(m, "no fixed beside norm2: it is known of a single pair", err);
    return pby_mechanism_sample(m) != NULL && dgauss_unlisted(m)
               ? pby_mechanism_refuse(m, "no sample where so many shifts are possible", err)
               : PBY_OK;
}

/* ---- the family ------------------------------------------------------------------------------- */

static pby_status dgauss_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err)
{
    (void)wanted;
    if (!pby_dgauss_tractable(&m->value[SIGMA2]))
        return pby_refuse_rational(err, "dgauss:sigma2", &m->value[SIGMA2],
                                   "a rational from 2^-8192 to 2^8192");
    if (is_vector(m))
        return vector_pairs(out, m, err);
    const pby_status status = pby_pairs_init(out, 1, err);
    if (status != PBY_OK)
        return status;
    return pby_dgauss_curve(&out->pair[0].curve, &m->value[SIGMA2], fmpq_numref(&m->value[SENSITIVITY]), err);
}

static const pby_story dgauss_stories[] = {
    {.with = PBY_ROLE_NORM,
     .what =
         "Discrete Gaussian noise, proportional to exp(-k^2/(2 sigma2)) on the integers, is added to every "
         "coordinate of an integer query, such as the bars of a histogram over a public set of bars, "
         "including the empty ones.",
     .neighbours = {"one record more or fewer: the squares of what the coordinates move by add up to at most "
                    "norm2, and at most as many coordinates move as dimensions says",
                    "one record changed: the same, norm2 being that of a change: 2 for a record that leaves "
                    "one bar and enters another"},
     .pair = {"the noise and the noise shifted by an integer vector, for every such vector that none exceeds "
              "in each coordinate, alike in both orders; where these are too many, rho = norm2/(2 sigma2) "
              "is the bound, and the lower end that of some",
              "the same"},
     .accuracy = PBY_STORY_NOISE("each coordinate is"),
     .pages = {"dgauss.md", "drawing.md", "zcdp.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
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

static const char *const dgauss_examples[] = {"dgauss:sigma2=16", "dgauss:sigma2=9/2,sensitivity=2",
                                              "dgauss:sigma2=9/2,norm2=5,dimensions=3", NULL};

/* The row for a norm, which takes the place of the square of the sensitivity. */
static const pby_select_row dgauss_norm_selection = {
    .chosen = PBY_ROLE_VARIANCE,
    .rising = true,
    .recipe = PBY_RECIPE_CONCENTRATED,
    .source = "rho = uses norm2/(2 sigma2), epsilon = rho + 2 sqrt(rho log(1/delta))",
    .rho_monotone = "rho is norm2/(2 sigma2) for each use, exactly",
    .never_zero = "its loss has no largest value",
};

static const pby_select_row *dgauss_row(unsigned named)
{
    return named >> NORM2 & 1 ? &dgauss_norm_selection : NULL;
}

static const pby_select_row dgauss_selection = {
    .for_given = dgauss_row,
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
    "dgauss:sigma2=S,norm2=N[,dimensions=K][,sample=R]",
    "The same on every coordinate of a query: the squares of what at most K coordinates move by add up to at "
    "most N.",
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
                   PBY_FIXED_PARAMETER,
                   {"norm2", PBY_NATURAL, "",
                    "norm2=N, the most that the squares of what the coordinates of a query move by add up to",
                    PBY_ROLE_NORM},
                   {"dimensions", PBY_NATURAL, "",
                    "dimensions=K, the most coordinates that move, where norm2 is given",
                    PBY_ROLE_DIMENSIONS}},
    .check = dgauss_check,
    .law = dgauss_law,
    .list[PBY_ABOVE] = dgauss_pairs,
    .list[PBY_BELOW] = dgauss_attained,
    .list[PBY_APART] = dgauss_group,
    .privacy = dgauss_privacy,
    .release = pby_noise_every,
    .silent = pby_silent_perturb,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_QUERY},
    .select = &dgauss_selection,
    .stories = dgauss_stories,
    .manual = dgauss_manual,
    .examples = dgauss_examples,
};
