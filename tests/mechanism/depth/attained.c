/* What the lower end of the loss rests on: the scores of the two data sets that are named in depth.c and in
 * fbquantile.c, by the code that scores. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mechanism/depth/score.h"
#include "mechanism/fbquantile/score.h"
#include "probity.h"
#include "tests/spec.h"

static double delta_of(const uint64_t *x, const uint64_t *y, size_t n, double rate, double epsilon)
{
    double p = 0, q = 0, delta = 0;
    for (size_t i = 0; i < n; i++) {
        p += exp(-rate * (double)x[i]);
        q += exp(-rate * (double)y[i]);
    }
    for (size_t i = 0; i < n; i++)
        delta += fmax(0, exp(-rate * (double)x[i]) / p - exp(epsilon - rate * (double)y[i]) / q);
    return delta;
}

/* The lower end that the library gives, to double precision. */
static double lower(const char *text, pby_neighbours relation)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure delta;
    pby_error err;
    mpq_t epsilon;
    mpq_init(epsilon);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, relation, epsilon, 12, &err), PBY_OK, "%s", err.text);
    const double lo = mpfr_get_d(delta.lo, MPFR_RNDN);
    cr_assert(mpfr_cmp_d(delta.hi, 0.244918663) < 0 && mpfr_cmp_d(delta.hi, 0.2449186) > 0);
    pby_enclosure_clear(&delta);
    mpq_clear(epsilon);
    pby_spec_free(spec);
    return lo;
}

Test(mechanism_depth, one_record_more_at_a_point)
{
    const pby_tukey t = {2, 10, 9, 20};
    int64_t count[100] = {[37] = 4};
    uint64_t x[100], y[100];
    cr_assert_eq(pby_tukey_falls(x, &t, count, NULL), PBY_OK);
    count[37]++;
    cr_assert_eq(pby_tukey_falls(y, &t, count, NULL), PBY_OK);
    const double delta = fmax(delta_of(x, y, 100, 1, 0), delta_of(y, x, 100, 1, 0));
    cr_assert(fabs(lower("depth:eps=1,level=20,bound=10", PBY_ADD_REMOVE) - delta) < 1e-9, "%.9f", delta);
}

/* k and k + 1 records at two corners of a triangle, the others at the third. */
Test(mechanism_depth, one_record_goes_over)
{
    const pby_tukey t = {3, 4, 1, 12};
    int64_t count[64] = {[0] = 8, [16] = 9, [4] = 13};
    uint64_t x[64], y[64];
    cr_assert_eq(pby_tukey_falls(x, &t, count, NULL), PBY_OK);
    count[0]++;
    count[16]--;
    cr_assert_eq(pby_tukey_falls(y, &t, count, NULL), PBY_OK);
    const double lo = lower(
        "depth:eps=1,level=12,n=30,bound=4,dimension=3,directions=1,neighbours=substitute", PBY_SUBSTITUTE);
    cr_assert(fabs(lo - delta_of(x, y, 64, 0.5, 0)) < 1e-9, "%.9f", lo);
}

Test(mechanism_fbquantile, the_attained_pair_is_that_of_two_data_sets)
{
    const pby_rank jump = {.n = 100, .m = 75, .side = 12, .cap = 100};
    const pby_rank move = {.n = 5, .m = 3, .side = 9, .step = 2, .reach = 2, .cap = 3};
    int64_t count[12] = {[0] = 74, [6] = 2, [11] = 24}, near[9] = {[3] = 3, [5] = 2};
    uint64_t x[12], y[12];
    cr_assert_eq(pby_rank_falls(x, &jump, count, NULL), PBY_OK);
    count[0]--;
    count[11]++;
    cr_assert_eq(pby_rank_falls(y, &jump, count, NULL), PBY_OK);
    double lo = lower("fbquantile:eps=1,q=3/4,n=100,bound=12", PBY_SUBSTITUTE);
    cr_assert(fabs(lo - delta_of(x, y, 12, 0.5, 0)) < 1e-9, "%.9f", lo);
    cr_assert_eq(pby_rank_falls(x, &move, near, NULL), PBY_OK);
    near[3]--;
    near[5]++;
    cr_assert_eq(pby_rank_falls(y, &move, near, NULL), PBY_OK);
    lo = lower("fbquantile:eps=1,q=3/5,n=5,bound=9,step=2,reach=2", PBY_SUBSTITUTE);
    cr_assert(fabs(lo - delta_of(x, y, 9, 0.25, 0)) < 1e-9, "%.9f", lo);
}
