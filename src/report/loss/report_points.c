/* SPDX-License-Identifier: MIT */
#include "report/loss/report_points.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/family.h"
#include "number/exact.h"
#include "number/number_json.h"

const char pby_wider[] = "neither finer grids nor more digits bring the ends closer";

const char *pby_wider_of(const pby_spec *spec)
{
    bool loose = false;
    for (size_t i = 0; i < spec->count; i++)
        loose = loose || pby_mechanism_loose(&spec->use[i].mechanism);
    return loose
               ? "the worst neighbours are not known: from what some lose to a bound on all (probity explain)"
               : pby_wider;
}

/* ---- the points ------------------------------------------------------------------------------- */

static pby_status make_room(pby_profile_points *points, size_t count, pby_error *err)
{
    points->epsilon = calloc(count, sizeof *points->epsilon);
    points->delta = calloc(count, sizeof *points->delta);
    points->wide = calloc(count, sizeof *points->wide);
    if (points->epsilon == NULL || points->delta == NULL || points->wide == NULL)
        return pby_no_memory(err);
    for (; points->count < count; points->count++) {
        mpq_init(points->epsilon + points->count);
        pby_enclosure_init(&points->delta[points->count]);
    }
    return PBY_OK;
}

void pby_profile_points_clear(pby_profile_points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        mpq_clear(points->epsilon + i);
        pby_enclosure_clear(&points->delta[i]);
    }
    free(points->epsilon);
    free(points->delta);
    free(points->wide);
    *points = (pby_profile_points){NULL, NULL, 0, NULL, false};
}

/* epsilon[i] = lo + i (hi - lo)/(count - 1) */
static void space(pby_profile_points *points, mpq_srcptr lo, mpq_srcptr hi)
{
    mpq_t step, i;
    mpq_inits(step, i, NULL);
    mpq_set_ui(i, points->count - 1, 1);
    mpq_sub(step, hi, lo);
    mpq_div(step, step, i);
    for (size_t k = 0; k < points->count; k++) {
        mpq_set_ui(i, k, 1);
        mpq_mul(points->epsilon + k, step, i);
        mpq_add(points->epsilon + k, points->epsilon + k, lo);
    }
    mpq_clears(step, i, NULL);
}

pby_status pby_profile_points_space(pby_profile_points *points, mpq_srcptr lo, mpq_srcptr hi, size_t count,
                                    pby_error *err)
{
    *points = (pby_profile_points){NULL, NULL, 0, NULL, false};
    const pby_status status = make_room(points, count, err);
    if (status == PBY_OK)
        space(points, lo, hi);
    return status;
}

/* True if hi - lo exceeds the share of lo; a delta below every number that can be written is none the wider.
 */
static bool is_wide(const pby_enclosure *delta, mpfr_srcptr share)
{
    mpfr_t gap, most;
    if (mpfr_zero_p(delta->lo) && mpfr_regular_p(delta->hi) && mpfr_get_exp(delta->hi) < mpfr_get_emin() / 2)
        return false;
    mpfr_inits2(mpfr_get_prec(delta->hi), gap, most, (mpfr_ptr)0);
    mpfr_sub(gap, delta->hi, delta->lo, MPFR_RNDD);
    mpfr_mul(most, share, delta->lo, MPFR_RNDU);
    const bool wide = mpfr_greater_p(gap, most);
    mpfr_clears(gap, most, (mpfr_ptr)0);
    return wide;
}

void pby_profile_points_mark(pby_profile_points *points, mpq_srcptr width, unsigned digits)
{
    mpfr_t share, least;
    mpfr_inits2(128, share, least, (mpfr_ptr)0);
    mpfr_set_q(share, width, MPFR_RNDU);
    mpfr_set_si(least, 10, MPFR_RNDU);
    mpfr_pow_si(least, least, -(long)digits, MPFR_RNDU);
    mpfr_max(share, share, least, MPFR_RNDU);
    for (size_t i = 0; i < points->count; i++)
        points->wide[i] = points->wider && is_wide(&points->delta[i], share);
    mpfr_clears(share, least, (mpfr_ptr)0);
}

/* ---- telling ---------------------------------------------------------------------------------- */

static pby_status write_line(FILE *out, const pby_profile_points *points, size_t i, unsigned digits,
                             pby_error *err)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    char *epsilon = pby_exact_text(points->epsilon + i);
    if (epsilon == NULL)
        return pby_no_memory(err);
    pby_decimal(lo, points->delta[i].lo, digits, true);
    pby_decimal(hi, points->delta[i].hi, digits, false);
    const char *wide = !points->wider ? "" : points->wide[i] ? ",yes" : ",no";
    const int written = fprintf(out, "%s,%s,%s%s\n", epsilon, lo, hi, wide);
    free(epsilon);
    return written < 0 ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_profile_points_write(FILE *out, const pby_profile_points *points, unsigned digits,
                                    pby_error *err)
{
    fputs(points->wider ? "epsilon,delta_lo,delta_hi,wider\n" : "epsilon,delta_lo,delta_hi\n", out);
    for (size_t i = 0; i < points->count; i++)
        PBY_TRY(write_line(out, points, i, digits, err));
    return PBY_OK;
}

json_t *pby_profile_points_json(const pby_profile_points *points, unsigned digits)
{
    json_t *array = json_array();
    for (size_t i = 0; i < points->count && array != NULL; i++) {
        char *epsilon = pby_exact_text(points->epsilon + i);
        json_t *point = epsilon == NULL ? NULL
                                        : json_pack("{s:s, s:o}", "epsilon", epsilon, "delta",
                                                    pby_json_enclosure(&points->delta[i], digits));
        free(epsilon);
        if (point != NULL && points->wide[i] && json_object_set_new(point, "wider", json_true()) != 0) {
            json_decref(point);
            point = NULL;
        }
        if (point == NULL || json_array_append_new(array, point) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}
