/* SPDX-License-Identifier: MIT */
/* The draws of a release beside noise on bars: a last step, answers of statistics, candidates and points. */
#include "law/multinomial.h"
#include "mechanism/run/release_state.h"
#include "mechanism/shared/noise.h"
#include "number/scoped.h"
#include "probity/experimental/parts.h"

/* ---- a last step ------------------------------------------------------------------------------- */

bool pby_release_has_last(const pby_release *release)
{
    return release->last.mechanism != NULL;
}

void pby_release_hold_last(pby_release *release)
{
    release->holds_last = true;
}

/* Counts are in steps of the mechanism, which must be those of the last step. */
pby_status pby_release_check_last(const pby_release *release, pby_error *err)
{
    if (!pby_release_has_last(release))
        return PBY_OK;
    const pby_mechanism *last = release->last.mechanism;
    const fmpq *one = pby_mechanism_unit(release->main.mechanism), *other = pby_mechanism_unit(last);
    const bool same = one == NULL || other == NULL ? one == other : fmpq_equal(one, other);
    return same ? PBY_OK : pby_mechanism_refuse(last, "the grid of the mechanism in front of it", err);
}

/* floor(x/g + 1/2), within 2^62 of 0. */
static int64_t steps_of(mpq_srcptr number, const fmpq_t grid)
{
    PBY_FMPQ(x);
    PBY_FMPZ(steps);
    fmpq_set_mpq(x, number);
    fmpq_div(x, x, grid);
    fmpz_mul_2exp(steps, fmpq_numref(x), 1);
    fmpz_add(steps, steps, fmpq_denref(x));
    fmpz_fdiv_q(steps, steps, fmpq_denref(x));
    fmpz_fdiv_q_2exp(steps, steps, 1);
    const int64_t most = INT64_C(1) << 62;
    return fmpz_cmp_si(steps, most) > 0 ? most : fmpz_cmp_si(steps, -most) < 0 ? -most : fmpz_get_si(steps);
}

pby_status pby_release_take_last(mpq_t out, pby_release *release, mpq_srcptr number, pby_error *err)
{
    const pby_mechanism *last = release->last.mechanism;
    const fmpq *unit = pby_mechanism_unit(last);
    PBY_FMPQ(grid, answer);
    PBY_FMPZ(steps);
    fmpq_one(grid);
    if (unit != NULL)
        fmpq_set(grid, unit);
    int64_t value = steps_of(number, grid);
    const pby_status status =
        pby_noise_every(last, release->last.sampler, release->source, &value, &value, 1, err);
    fmpz_set_si(steps, value);
    fmpq_mul_fmpz(answer, grid, steps);
    if (status == PBY_OK)
        fmpq_get_mpq(out, answer);
    return status;
}

/* ---- records that move --------------------------------------------------------------------------- */

pby_status pby_release_deal(pby_release *release, int64_t count, const fmpq *chance, size_t n, int64_t *dealt,
                            pby_error *err)
{
    return pby_multinomial_draw(release->source, count, chance, n, dealt, err);
}

/* ---- the answer of a statistic, and chosen bars ------------------------------------------------------ */

const pby_mechanism *pby_release_mechanism(const pby_release *release)
{
    return release->main.mechanism;
}

pby_neighbours pby_release_relation(const pby_release *release)
{
    return release->relation;
}

pby_status pby_release_settle(pby_release *release, const pby_steady *of, int64_t *answer, pby_error *err)
{
    const pby_release_step *step = &release->main;
    *answer = 0;
    return step->mechanism->family->settle != NULL
               ? step->mechanism->family->settle(answer, step->mechanism, step->sampler, release->source, of,
                                                 err)
               : pby_family_lacks(step->mechanism, "an answer to publish", err);
}

pby_status pby_release_noise(pby_release *release, int64_t *counts, size_t n, pby_error *err)
{
    return pby_noise_every(release->main.mechanism, release->main.sampler, release->source, counts, counts, n,
                           err);
}

/* ---- candidates ------------------------------------------------------------------------------- */

pby_status pby_release_expect_scores(const pby_release *release, pby_error *err)
{
    return release->scores != NULL ? PBY_OK
                                   : pby_family_lacks(release->main.mechanism, "scores to choose by", err);
}

/* A candidate that did not pass the threshold of the spec must not be chosen. */
pby_status pby_release_score(pby_release *release, mpq_srcptr score, pby_error *err)
{
    PBY_TRY(pby_release_expect_scores(release, err));
    return release->gate.mechanism == NULL
               ? pby_scores_add(release->scores, score, err)
               : pby_fail(err, PBY_BAD, "release: expected counts, which the threshold of SPEC lets pass");
}

pby_status pby_release_candidate(pby_release *release, uint64_t *chosen, pby_error *err)
{
    *chosen = 0;
    const pby_status status = pby_release_expect_scores(release, err);
    return status == PBY_OK ? pby_scores_draw(release->scores, release->source, chosen, 1, err) : status;
}

void pby_release_clear_scores(pby_release *release)
{
    if (release->scores != NULL)
        pby_scores_clear(release->scores);
}

/* ---- points of a grid -------------------------------------------------------------------------- */

static pby_status expect_lattice(const pby_release *release, pby_error *err)
{
    return release->lattice != NULL
               ? PBY_OK
               : pby_family_lacks(release->main.mechanism, "a grid to release a point of", err);
}

size_t pby_release_dimension(const pby_release *release)
{
    return release->lattice == NULL ? 0 : pby_lattice_shape_of(release->lattice)->dimension;
}

size_t pby_release_coordinates(const pby_release *release)
{
    return release->lattice == NULL ? 0 : pby_lattice_coordinates(release->lattice);
}

pby_status pby_release_record(pby_release *release, const mpq_t *x, pby_error *err)
{
    const pby_status status = expect_lattice(release, err);
    return status == PBY_OK ? pby_lattice_add(release->lattice, x, err) : status;
}

pby_status pby_release_scored(pby_release *release, pby_error *err)
{
    const pby_status status = expect_lattice(release, err);
    return status == PBY_OK ? pby_lattice_score(release->lattice, err) : status;
}

pby_status pby_release_point(pby_release *release, int64_t *point, pby_error *err)
{
    const pby_status status = expect_lattice(release, err);
    return status == PBY_OK ? pby_lattice_draw(release->lattice, release->source, point, err) : status;
}

void pby_release_clear_records(pby_release *release)
{
    if (release->lattice != NULL)
        pby_lattice_clear(release->lattice);
}
