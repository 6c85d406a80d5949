/* SPDX-License-Identifier: MIT */
/* The counterexample beside proofs/negative/above_without_halt.c, on the code of that file. */
#include <criterion/criterion.h>

#include "kernel/sparse.h"
#include "tests/negative/geometric.h"

void align_wrong_above(int *a, int *b, const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w,
                       size_t n, int64_t t, int64_t d, size_t k);

#include "proofs/negative/above_without_halt.c"

/* Two answers at the threshold. The noise of the first is raised, the second falls behind the raised
 * threshold. */
Test(negative_above, the_second_answer_is_not_paid_for)
{
    const int64_t x[2] = {3, 3}, y[2] = {3, 3}, z[2] = {0, 0}, w[2] = {2, 0};
    int a[2], b[2];
    align_wrong_above(a, b, x, y, z, w, 2, 3, 1, 0);
    cr_assert(a[0] == 1 && b[0] == 1);
    cr_assert(a[1] == 1 && b[1] == 0);
}

enum { HALF = 4, N = 2 * HALF, FAR = 60 };

/* Given the noisy threshold t, the chance times 3^N that the answers are HALF times no and HALF times yes. A
 * noise either reaches t or does not; all that do are run as one, with the mass of all, and so are all that
 * do not. */
static void chance(fmpq_t out, const int64_t *x, int64_t t)
{
    fmpq_t one, mass;
    fmpq_init(one);
    fmpq_init(mass);
    fmpq_zero(out);
    for (unsigned pattern = 0; pattern < 1U << N; pattern++) {
        int64_t z[N];
        int answer[N];
        bool wanted = true;
        for (size_t i = 0; i < N; i++)
            z[i] = t - x[i] - !(pattern >> i & 1U);
        wrong_above(answer, x, z, N, t);
        for (size_t i = 0; i < N; i++)
            wanted = wanted && answer[i] == (i >= HALF);
        if (!wanted)
            continue;
        fmpq_one(mass);
        for (size_t i = 0; i < N; i++) {
            geometric_below(one, t - x[i] - 1);
            if (pattern >> i & 1U) {
                fmpq_sub_si(one, one, 3);
                fmpq_neg(one, one);
            }
            fmpq_mul(mass, mass, one);
        }
        fmpq_add(out, out, mass);
    }
    fmpq_clear(mass);
    fmpq_clear(one);
}

/* The sum over the thresholds from -FAR to FAR, and in *beyond the mass of all others, both times 3. */
static void total(fmpq_t out, fmpq_t beyond, const int64_t *x)
{
    fmpq_t given, mass;
    fmpq_init(given);
    fmpq_init(mass);
    fmpq_zero(out);
    for (int64_t t = -FAR; t <= FAR; t++) {
        chance(given, x, t);
        geometric_mass(mass, t);
        fmpq_addmul(out, given, mass);
    }
    geometric_below(beyond, -FAR - 1);
    fmpq_mul_2exp(beyond, beyond, 1);
    fmpq_clear(mass);
    fmpq_clear(given);
}

/* Eight answers that each move by 1, all noise of rate log 2: one positive answer costs log 2 for the
 * threshold and 2 log 2 for itself, a ratio of 8. Without the halt the ratio is above 8, though every
 * threshold that was not summed is given to the smaller side. */
Test(negative_above, many_answers_cost_more_than_one)
{
    const int64_t x[N] = {0, 0, 0, 0, 0, 0, 0, 0}, y[N] = {1, 1, 1, 1, -1, -1, -1, -1};
    fmpq_t p, q, beyond;
    fmpq_init(p);
    fmpq_init(q);
    fmpq_init(beyond);
    total(p, beyond, x);
    total(q, beyond, y);
    for (int i = 0; i < N; i++)
        fmpq_mul_ui(beyond, beyond, 3); /* a chance of 1, in the unit of the others */
    fmpq_add(q, q, beyond);
    fmpq_div(p, p, q);
    fmpq_sub_si(p, p, 8);
    cr_assert(fmpq_sgn(p) > 0);
    fmpq_clear(beyond);
    fmpq_clear(q);
    fmpq_clear(p);
}
