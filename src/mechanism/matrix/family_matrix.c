/* SPDX-License-Identifier: MIT */
/* matrix:sigma2=S,steps=n,bands=c0;c1;...: at every step some of what has come so far, with Gaussian noise.
 *
 * The mechanism releases C x + Z, x being what the steps bring, C the lower-triangular matrix with c_j on
 * its j-th diagonal, and Z continuous Gaussian noise of variance S in each step. Running totals A x, A the
 * matrix of ones, are A C^-1 of that. A record is in some steps, and adds a vector of length at most the
 * sensitivity to each; the pair is two Gaussians at the distance of the worst steps
 * (mechanism/matrix/bands.h), whichever vectors are chosen after earlier releases (docs/theory/matrix.md).
 *
 * On a grid the noise is discrete, on its multiples, and probity session releases the totals. / */
#include "mechanism/matrix/family_matrix.h"

#include "law/laws.h"
#include "mechanism/matrix/bands.h"
#include "mechanism/matrix/matrix_below.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"
#include "number/text.h"

static const fmpq *grid_of(const pby_mechanism *m)
{
    return pby_mechanism_value(m, PBY_ROLE_GRID);
}

/* ---- Gaussians ----------------------------------------------------------------------------------- */

/* The pair of two Gaussians whose distance has this square. */
static pby_status gaussians(pby_pairs *out, const fmpq_t squared, const pby_wanted *wanted, pby_error *err)
{
    pby_mechanism gauss;
    pby_mechanism_init(&gauss, &pby_family_gauss);
    fmpq_inv(&gauss.value[pby_family_with(gauss.family, PBY_ROLE_VARIANCE)], squared);
    fmpq_one(&gauss.value[pby_family_with(gauss.family, PBY_ROLE_SENSITIVITY)]);
    const pby_status status = pby_family_gauss.list[PBY_ABOVE](out, &gauss, wanted, err);
    pby_mechanism_clear(&gauss);
    return status;
}

/* out = n/unit^2 of a record of the full sensitivity, over sigma2 */
static void squared_of(fmpq_t out, const fmpz_t n, const pby_bands *b, const pby_mechanism *m)
{
    const fmpq *d = &m->value[PBY_MATRIX_SENSITIVITY];
    pby_bands_scale(out, n, b);
    fmpq_mul(out, out, d);
    fmpq_mul(out, out, d);
    fmpq_div(out, out, &m->value[PBY_MATRIX_SIGMA2]);
}

static pby_status worst_distance(fmpq_t out, const pby_mechanism *m, pby_error *err)
{
    pby_bands b;
    PBY_FMPZ(norm2);
    pby_status status = pby_bands_of(&b, m, err);
    if (status == PBY_OK)
        status = pby_bands_worst(norm2, &b, err);
    if (status == PBY_OK)
        squared_of(out, norm2, &b, m);
    pby_bands_clear(&b);
    return status;
}

/* ---- discrete noise ------------------------------------------------------------------------------ */

/* The variance in steps of the grid. */
static void sigma2_in_steps(fmpq_t out, const pby_mechanism *m)
{
    fmpq_div(out, &m->value[PBY_MATRIX_SIGMA2], grid_of(m));
    fmpq_div(out, out, grid_of(m));
}

/* Discrete noise of s steps^2 costs at most (6 - 6 sqrt(1 - 1/(3s))) for each squared step (gdp.md), where
 * continuous noise costs 1/s: that is at most 1/s (1 + 1/(4 (3s - 1))). */
static void add_discreteness(fmpq_t squared, const pby_mechanism *m)
{
    PBY_FMPQ(s, more);
    sigma2_in_steps(s, m);
    fmpq_mul_si(more, s, 12);
    fmpq_sub_si(more, more, 4);
    fmpq_inv(more, more);
    fmpq_add_si(more, more, 1);
    fmpq_mul(squared, squared, more);
}

/* The worst record moves a number of steps of the grid, in whole numbers. */
static pby_status matrix_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                  pby_error *err)
{
    (void)wanted;
    pby_bands b;
    PBY_FMPQ(s);
    PBY_FMPZ(norm2);
    if (grid_of(m) == NULL)
        return PBY_OK;
    sigma2_in_steps(s, m);
    pby_status status = pby_bands_of(&b, m, err);
    if (status == PBY_OK)
        status = pby_bands_worst(norm2, &b, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 1, err);
    fmpz_mul(norm2, norm2, fmpq_numref(&m->value[PBY_MATRIX_SENSITIVITY]));
    fmpz_mul(norm2, norm2, fmpq_numref(&m->value[PBY_MATRIX_SENSITIVITY]));
    if (status == PBY_OK)
        status = pby_matrix_below(&out->pair[0], s, norm2, b.steps, err);
    pby_bands_clear(&b);
    return status;
}

pby_status pby_matrix_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    PBY_FMPQ(s);
    sigma2_in_steps(s, m);
    return pby_law_dgauss(out, s, err);
}

/* The numbers of a mechanism were checked. */
void pby_matrix_squared_distance(fmpq_t out, const pby_mechanism *m)
{
    if (worst_distance(out, m, NULL) != PBY_OK)
        fmpq_zero(out);
    else if (grid_of(m) != NULL)
        add_discreteness(out, m);
}

/* ---- pairs --------------------------------------------------------------------------------------- */

/* None of a sample, whose uses are factors. */
static pby_status matrix_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err)
{
    PBY_FMPQ(squared);
    if (pby_mechanism_sample(m) != NULL)
        return PBY_OK;
    PBY_TRY(worst_distance(squared, m, err));
    if (grid_of(m) != NULL)
        add_discreteness(squared, m);
    return gaussians(out, squared, wanted, err);
}

/* The factors of samples: columns of one group do not overlap, and every step of the group is a use. All
 * have the square of the whole column but the last, which the end may cut short. */
static pby_status matrix_factor(pby_factor *out, const pby_mechanism *m, const pby_wanted *wanted, size_t i,
                                pby_error *err)
{
    pby_bands b;
    PBY_FMPZ(norm2);
    PBY_FMPQ(squared);
    if (pby_mechanism_sample(m) == NULL || i > 1)
        return PBY_OK;
    pby_status status = pby_bands_of(&b, m, err);
    const int64_t uses = status != PBY_OK ? 0 : (b.steps - 1) / b.separation + 1,
                  last = uses == 0 ? 0 : (uses - 1) * b.separation;
    const bool cut = status == PBY_OK && b.steps - last < b.count;
    out->times = out->reached = i == 0 ? (uint64_t)(uses - cut) : cut;
    if (out->times > 0) {
        pby_bands_column(norm2, &b, i == 0 ? 0 : last);
        squared_of(squared, norm2, &b, m);
        status = gaussians(&out->pairs, squared, wanted, err);
    }
    pby_bands_clear(&b);
    return status;
}

/* On a grid D_a <= a |v|^2/(2 s) of each step, as of dgauss, whatever the steps before it were; D_1 reaches
 * it. */
static void matrix_privacy(pby_privacy *p, const pby_mechanism *m)
{
    p->integral = true;
    p->loose = grid_of(m) != NULL;
    p->searched = p->promise.made = p->loose;
    if (p->loose && worst_distance(p->promise.rho, m, NULL) == PBY_OK)
        fmpq_div_2exp(p->promise.rho, p->promise.rho, 1);
    p->product = pby_mechanism_sample(m) != NULL;
}

/* ---- parameters ---------------------------------------------------------------------------------- */

static pby_status check_sampled(const pby_mechanism *m, const pby_bands *b, pby_error *err)
{
    if (pby_mechanism_sample(m) == NULL)
        return PBY_OK;
    if (grid_of(m) != NULL)
        return pby_mechanism_refuse(m, "sample or grid, and not both: what is released is of all records",
                                    err);
    if (b->participations > 1)
        return pby_mechanism_refuse(
            m, "sample without participations: a sample may hold a record at every step", err);
    return b->separation >= b->count
               ? PBY_OK
               : pby_mechanism_refuse(
                     m,
                     "a separation of at least as many steps as there are bands beside sample: "
                     "what overlapping columns of a sample lose is not known",
                     err);
}

static pby_status check_grid(const pby_mechanism *m, pby_error *err)
{
    PBY_FMPQ(s);
    if (grid_of(m) == NULL)
        return PBY_OK;
    sigma2_in_steps(s, m);
    if (fmpq_cmp_si(s, 1) < 0)
        return pby_mechanism_refuse(m, "sigma2 of at least the square of the grid", err);
    return fmpz_is_one(fmpq_denref(&m->value[PBY_MATRIX_SENSITIVITY]))
               ? PBY_OK
               : pby_mechanism_refuse(m, "a whole sensitivity beside grid: counts move by whole numbers",
                                      err);
}

static pby_status matrix_check(const pby_mechanism *m, pby_error *err)
{
    pby_bands b;
    PBY_FMPZ(norm2);
    pby_status status = pby_bands_of(&b, m, err);
    if (status == PBY_OK)
        status = check_sampled(m, &b, err);
    if (status == PBY_OK)
        status = check_grid(m, err);
    if (status == PBY_OK)
        status = pby_bands_worst(norm2, &b, err);
    pby_bands_clear(&b);
    return status;
}

/* ---- the family ---------------------------------------------------------------------------------- */

static const pby_story matrix_stories[] = {
    {.with = PBY_ROLE_GRID,
     .what =
         "At every step a weighted sum of what has come so far, the weights being the bands, gets discrete "
         "Gaussian noise on the multiples of the grid. Running totals are computed from what is released, "
         "and cost nothing more. probity session releases them, day by day.",
     .neighbours =
         {"one record more or fewer: in each of at most `participations` steps, `separation` or more "
          "apart, a count moves by at most the sensitivity",
          "one record changed: the same, with the sensitivity of a change"},
     .pair = {"above: two Gaussians at the distance of the worst steps, and a part in 12 sigma2/grid^2 more; "
              "below: events of the noise in those steps, smoothed",
              "the same"},
     .accuracy =
         "every total is within b of the truth; probity accuracy --beta b encloses the probability that "
         "one is farther off",
     .pages = {"matrix.md", "gdp.md", "dgauss.md"}},
    {.what =
         "At every step a weighted sum of what has come so far, the weights being the bands, gets continuous "
         "Gaussian noise of variance sigma2. Running totals, or the averages of a model that is trained, are "
         "computed from what is released, and cost nothing more. With a grid it can be drawn.",
     .neighbours =
         {"one record more or fewer: in each of at most `participations` steps, `separation` or more "
          "apart, a query moves by a vector of at most the sensitivity",
          "one record changed: the same, with the sensitivity of a change"},
     .pair = {"two Gaussians at the distance of the worst steps, alike in both orders", "the same"},
     .accuracy =
         "every total is within b of the truth; probity accuracy --beta b encloses the probability that "
         "one is farther off",
     .pages = {"matrix.md", "gdp.md", "sampling.md"}},
    {.what = NULL},
};

static const char *const matrix_examples[] = {
    "matrix:sigma2=4,steps=8,bands=sqrt,participations=2,separation=4",
    "matrix:sigma2=9,steps=12,bands=1;1/2;3/8;5/16,participations=3,separation=4",
    "matrix:sigma2=100,steps=30,bands=sqrt,grid=1/64",
    "matrix:sigma2=4,steps=20,bands=sqrt,width=4,separation=4,sample=1/10", NULL};

static const char *const matrix_manual[] = {
    "matrix:sigma2=S,steps=N,bands=C0;C1;...|sqrt[,width=W][,participations=K][,separation=B][,sensitivity=D]"
    "[,grid=G][,sample=R]",
    "A matrix mechanism: prefix sums and DP-FTRL, continual counting. The numbers on the diagonals of the "
    "matrix, or those of the square root of the matrix of ones, W of them. A record is in at most K steps, B "
    "or more apart. With a grid the noise is discrete and probity session releases running totals.",
    NULL,
};

static const pby_select_row matrix_selection = {
    .chosen = PBY_ROLE_VARIANCE,
    .rising = true,
    .monotone = "noise of a greater sigma2 is noise of a smaller one plus more noise",
    .rho_monotone = "rho is half the square of the distance, over sigma2",
    .never_zero = "its loss has no largest value",
};

const pby_family pby_family_matrix = {
    .name = "matrix",
    .summary = "Gaussian noise on weighted sums of a stream, for running totals",
    .instead = "probity session releases its running totals, with grid=G",
    .relations = PBY_CENTRAL,
    .parameters =
        {{"sigma2", PBY_POSITIVE, NULL, "sigma2=S, the variance of the noise of a step, above 0",
          PBY_ROLE_VARIANCE},
         {"steps", PBY_NATURAL, NULL, "steps=N, how many steps there are, from 1 to 4096", PBY_ROLE_STEPS},
         {"bands", PBY_NUMBERS, NULL,
          "bands=C0;C1;..., the numbers on the diagonals of the matrix, or sqrt for those of the square "
          "root of the matrix of ones",
          PBY_ROLE_BANDS},
         {"width", PBY_NATURAL, "", "width=W, how many of the numbers of sqrt are kept", PBY_ROLE_NONE},
         {"participations", PBY_NATURAL, "1", "participations=K, the most steps that a record is in",
          PBY_ROLE_NONE},
         {"separation", PBY_NATURAL, "1",
          "separation=B, how far apart these are at least; beside sample, the number of groups",
          PBY_ROLE_NONE},
         {"sensitivity", PBY_POSITIVE, "1",
          "sensitivity=D, the most that a record moves a query of one step, in the L2 norm",
          PBY_ROLE_SENSITIVITY},
         {"grid", PBY_POSITIVE, "", "grid=G, what weights and noise are multiples of", PBY_ROLE_GRID},
         PBY_SAMPLE_PARAMETER},
    .check = matrix_check,
    .list[PBY_ABOVE] = matrix_pairs,
    .list[PBY_BELOW] = matrix_attained,
    .factor = matrix_factor,
    .privacy = matrix_privacy,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_TOTALS},
    .select = &matrix_selection,
    .stories = matrix_stories,
    .manual = matrix_manual,
    .examples = matrix_examples,
};
