/* SPDX-License-Identifier: MIT */
/* Mean errors of points of a grid, against all data on small grids. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "mechanism/shared/lattice.h"
#include "tests/accuracy/trimmed.h"

enum { CELLS_MAX = 16, OUTPUTS_MAX = 64 };

static const char *const gammas[] = {"0", "1/10", "1/2"};
static const double levels[] = {0, 0.1, 0.5};

/* The mean fall on these data. */
static double mean_fall(const pby_mechanism *m, const pby_lattice_shape *shape, const int64_t *count,
                        double gamma)
{
    const size_t n = shape->outputs > 0 ? shape->outputs : shape->cells;
    uint64_t fall[OUTPUTS_MAX], least = UINT64_MAX;
    trimmed_outcome outcome[OUTPUTS_MAX];
    double all = 0;
    fmpq_t rate;
    fmpq_init(rate);
    m->family->lattice->rate(rate, m);
    cr_assert_eq(m->family->lattice->falls(fall, m, count, NULL), PBY_OK);
    for (size_t i = 0; i < n; i++)
        least = fall[i] < least ? fall[i] : least;
    for (size_t i = 0; i < n; i++) {
        outcome[i] =
            (trimmed_outcome){(double)(fall[i] - least), exp(-fmpq_get_d(rate) * (double)(fall[i] - least))};
        all += outcome[i].chance;
    }
    for (size_t i = 0; i < n; i++)
        outcome[i].chance /= all;
    fmpq_clear(rate);
    return trimmed_mean(outcome, n, gamma);
}

/* The greatest over all ways to place records, exactly so many or up to so many. */
static double greatest(const pby_mechanism *m, const pby_lattice_shape *shape, int64_t *count, size_t cell,
                       int left, bool exactly, double gamma)
{
    double most = 0;
    if (cell == shape->cells)
        return exactly && left > 0 ? 0 : mean_fall(m, shape, count, gamma);
    for (int here = 0; here <= left; here++) {
        count[cell] = here;
        most = fmax(most, greatest(m, shape, count, cell + 1, left - here, exactly, gamma));
    }
    count[cell] = 0;
    return most;
}

static void check_falls(const char *text, int records, bool exactly, bool reached)
{
    pby_lattice_shape shape;
    int64_t count[CELLS_MAX] = {0};
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    const pby_mechanism *m = &spec->use[0].mechanism;
    m->family->lattice->shape(&shape, m);
    for (size_t g = 0; g < 3; g++) {
        const trimmed_ends found = trimmed_found(text, 1, 1, gammas[g]);
        const double most = greatest(m, &shape, count, 0, records, exactly, levels[g]);
        cr_assert_leq(most, found.hi + 1e-9, "%s at %s", text, gammas[g]);
        cr_assert_geq(most, found.lo - 1e-9, "%s at %s: %f", text, gammas[g], most);
        cr_assert(!reached || found.hi - found.lo < 1e-9, "%s", text);
    }
    pby_spec_free(spec);
}

Test(average_point, falls_of_all_data)
{
    check_falls("depth:eps=1,level=2,bound=3", 3, false, true);
    check_falls("depth:eps=2,level=3,bound=2", 4, false, true);
    check_falls("depth:eps=1,level=2,n=4,bound=3,neighbours=substitute", 4, true, false);
    check_falls("fbsupport:eps=1,level=2,x=1,y=0,bound=3", 4, false, true);
    check_falls("fbsupport:eps=1/2,level=2,x=2,y=-1,bound=2", 5, false, true);
    check_falls("fbquantile:eps=1,q=1/2,n=5,bound=4", 5, true, true);
    check_falls("fbquantile:eps=1/2,q=3/4,n=6,bound=3,cap=2", 6, true, true);
}

/* With a step the error is a distance: from every place at which all records may be. */
Test(average_point, distances_on_typical_data)
{
    const char *const text = "fbquantile:eps=1,q=3/5,n=5,bound=7,step=2,reach=1";
    const double rate = 0.25;
    for (size_t g = 0; g < 3; g++) {
        const trimmed_ends found = trimmed_found(text, 1, 1, gammas[g]);
        double most = 0;
        for (int f = 0; f < 7; f++) {
            trimmed_outcome outcome[7];
            double all = 0;
            for (int t = 0; t < 7; t++) {
                outcome[t] = (trimmed_outcome){abs(t - f), exp(-rate * fmin(abs(t - f), 4))};
                all += outcome[t].chance;
            }
            for (int t = 0; t < 7; t++)
                outcome[t].chance /= all;
            most = fmax(most, trimmed_mean(outcome, 7, levels[g]));
        }
        cr_assert_float_eq(most, found.lo, 1e-9, "%s", gammas[g]);
        cr_assert_float_eq(found.hi, found.lo, 1e-9);
    }
}
