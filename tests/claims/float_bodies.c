/* SPDX-License-Identifier: MIT */
/* Evidence for the rows of [Float]: its typical set as printed, and its extension on small universes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/geometry/region.h"
#include "tests/claims/decide.h"
#include "tests/claims/report.h"

/* ---- the typical set as printed ------------------------------------------------------------------ */

/* Places and how many records are there, in order. */
struct heap {
    int at, records;
};

enum { HEAPS = 6, RANK = 75, REACH = 20 };

static const struct heap before[HEAPS] = {{-140, 25}, {-100, 21}, {0, 8}, {100, 21}, {140, 25}, {150, 0}};
static const struct heap after[HEAPS] = {{-140, 25}, {-100, 21}, {0, 8}, {100, 20}, {140, 25}, {150, 1}};

/* The 75th smallest of 100, of the records or of their negatives. */
static int quantile(const struct heap *x, int sign)
{
    int rank = RANK;
    for (int i = 0; i < HEAPS; i++) {
        const struct heap *h = &x[sign > 0 ? i : HEAPS - 1 - i];
        rank -= h->records;
        if (rank <= 0)
            return sign * h->at;
    }
    return 0;
}

static int between(const struct heap *x, int sign, int lo, int hi)
{
    int sum = 0;
    for (int i = 0; i < HEAPS; i++)
        sum += sign * x[i].at >= lo && sign * x[i].at <= hi ? x[i].records : 0;
    return sum;
}

/* At least k + 1 records within k steps of 1 on either side of the quantile, the quantile itself among both,
 * in both directions of the line. */
static bool is_typical(const struct heap *x)
{
    bool typical = true;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int k = 1; k <= REACH; k++) {
            const int q = quantile(x, sign);
            typical = typical && between(x, sign, q, q + k) > k && between(x, sign, q - k, q) > k;
        }
    return typical;
}

/* One record goes from 100 to 150, and the quantile from 100 to 140. claims: Float/Lemma 21 */
Test(claims_float, ties_count_on_both_sides)
{
    mpq_t found, promised;
    mpq_inits(found, promised, NULL);
    cr_assert(is_typical(before) && is_typical(after));
    cr_assert(quantile(before, 1) == 100 && quantile(after, 1) == 140);
    mpq_set_si(found, abs(quantile(after, 1) - quantile(before, 1)), 1);
    mpq_set_si(promised, 1, 1);
    cr_assert(mpq_cmp(found, promised) > 0);
    claims_tell("Float/Lemma 21", found, promised);
    mpq_clears(found, promised, NULL);
}

/* The flattened density falls by eps/4 for a step, up to 5 steps, and both data have one norm. In units of
 * epsilon. claims: Float/Lemma 22 */
Test(claims_float, the_flattened_density_loses_its_cap)
{
    enum { CAP = REACH / 4 };
    mpq_t found, promised;
    mpq_inits(found, promised, NULL);
    const int far = abs(quantile(after, 1) - quantile(before, 1)), fall = far < CAP ? far : CAP;
    cr_assert(is_typical(before) && is_typical(after));
    mpq_set_si(found, fall, 4);
    mpq_set_si(promised, 1, 2);
    cr_assert(mpq_cmp(found, promised) > 0);
    claims_tell("Float/Lemma 22", found, promised);
    mpq_clears(found, promised, NULL);
}

/* ---- an integral --------------------------------------------------------------------------------- */

/* g - g' = x^k, so that -g exp(-x) has the derivative x^k exp(-x): coefficients k!/j!, for k up to 20.
 * claims: Float/Lemma 23 */
Test(claims_float, the_integral_of_a_power)
{
    for (int k = 0; k <= 20; k++) {
        uint64_t g[22] = {0};
        g[k] = 1;
        for (int j = k; j-- > 0;)
            g[j] = g[j + 1] * (uint64_t)(j + 1);
        for (int j = 0; j <= k; j++)
            cr_assert(
                claims_is("Float/Lemma 23", g[j] - (j < k ? (uint64_t)(j + 1) * g[j + 1] : 0) == (j == k)));
    }
}

/* ---- projections --------------------------------------------------------------------------------- */

static uint64_t step(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* |P - P'|^4 <= 16 (|x| + R)^2 d^2, d the Hausdorff distance, for polygons in the disc of radius R = 10 and x
 * = (3, 4) t: all of it rational. claims: Float/Proposition 30 */
Test(claims_float, projections_on_close_bodies_are_close)
{
    uint64_t state = 1;
    fmpq x[2], p[2], q[2];
    fmpq_t far, square, left, right;
    for (int j = 0; j < 2; j++) {
        fmpq_init(x + j);
        fmpq_init(p + j);
        fmpq_init(q + j);
    }
    fmpq_init(far);
    fmpq_init(square);
    fmpq_init(left);
    fmpq_init(right);
    for (int round = 0; round < 200; round++) {
        pby_region body[2];
        for (int b = 0; b < 2; b++) {
            pby_site site[3];
            for (int i = 0; i < 3; i++)
                site[i] = (pby_site){7 * i - 7 + (i == 1 ? (int64_t)(step(&state) % 7) : 0),
                                     (int64_t)(step(&state) % 15) - 7, 1};
            cr_assert_eq(pby_region_depth(&body[b], site, 3, 1, NULL), PBY_OK);
        }
        const slong t = (slong)(step(&state) % 9) - 4;
        fmpq_set_si(x, 3 * t, 1);
        fmpq_set_si(x + 1, 4 * t, 1);
        pby_region_nearest(p, p + 1, far, &body[0], x, x + 1);
        pby_region_nearest(q, q + 1, far, &body[1], x, x + 1);
        fmpq_zero(left);
        for (int j = 0; j < 2; j++) {
            fmpq_sub(p + j, p + j, q + j);
            fmpq_addmul(left, p + j, p + j);
        }
        fmpq_mul(left, left, left);
        pby_region_apart(square, &body[0], &body[1]);
        fmpq_set_si(right, 16 * (5 * labs(t) + 10) * (5 * labs(t) + 10), 1);
        fmpq_mul(right, right, square);
        cr_assert(claims_is("Float/Proposition 30", fmpq_cmp(left, right) <= 0));
        pby_region_clear(&body[1]);
        pby_region_clear(&body[0]);
    }
    fmpq_clear(right);
    fmpq_clear(left);
    fmpq_clear(square);
    fmpq_clear(far);
    for (int j = 0; j < 2; j++) {
        fmpq_clear(q + j);
        fmpq_clear(p + j);
        fmpq_clear(x + j);
    }
}

/* ---- the extension ------------------------------------------------------------------------------- */

enum { N = 5, SIDE = 5, DATA = 126, MIDDLE = 3, KEPT = 2 };

struct universe {
    int count;
    int data[DATA][SIDE];
    bool typical[DATA];
    double base[DATA][SIDE], extended[DATA][SIDE];
};

static void list(struct universe *u, int *now, int at, int left)
{
    if (at == SIDE - 1) {
        now[at] = left;
        memcpy(u->data[u->count++], now, SIDE * sizeof *now);
        return;
    }
    for (int k = 0; k <= left; k++) {
        now[at] = k;
        list(u, now, at + 1, left - k);
    }
}

static int ranked(const int *data, int rank)
{
    int v = 0;
    for (rank -= data[0]; rank > 0; rank -= data[v])
        v++;
    return v;
}

static int distance(const int *x, const int *y)
{
    int d = 0;
    for (int v = 0; v < SIDE; v++)
        d += x[v] > y[v] ? x[v] - y[v] : 0;
    return d;
}

static void normalise(double *p)
{
    double sum = 0;
    for (int t = 0; t < SIDE; t++)
        sum += p[t];
    for (int t = 0; t < SIDE; t++)
        p[t] /= sum;
}

/* Base: 2^-min(|t - median|, 3) on data that keep two records on either side within a step each, exp(eps/4)
 * being 2, so that it is eps/2-private there. Extended by the least of 4^distance times the base. */
static void fill(struct universe *u)
{
    for (int i = 0; i < u->count; i++) {
        const int f = ranked(u->data[i], MIDDLE);
        u->typical[i] = true;
        for (int k = 1; k <= KEPT; k++)
            u->typical[i] = u->typical[i] && ranked(u->data[i], MIDDLE + k) - f <= k &&
                            f - ranked(u->data[i], MIDDLE - k) <= k;
        for (int t = 0; t < SIDE; t++)
            u->base[i][t] = ldexp(1, -(abs(t - f) < 3 ? abs(t - f) : 3));
        normalise(u->base[i]);
    }
    for (int i = 0; i < u->count; i++) {
        for (int t = 0; t < SIDE; t++) {
            u->extended[i][t] = INFINITY;
            for (int j = 0; j < u->count; j++)
                if (u->typical[j])
                    u->extended[i][t] =
                        fmin(u->extended[i][t], ldexp(u->base[j][t], 2 * distance(u->data[i], u->data[j])));
        }
        normalise(u->extended[i]);
    }
}

/* All 126 data sets of five records in 0 .. 4: the extension is eps-private on all, exp(eps) = 16, and is the
 * base on typical data. claims: Float/Proposition 37; Float/Lemma 22 */
Test(claims_float, the_extension_is_private_on_all_data)
{
    struct universe *u = calloc(1, sizeof *u);
    int now[SIDE] = {0}, typical = 0;
    cr_assert_not_null(u);
    list(u, now, 0, N);
    cr_assert_eq(u->count, DATA);
    fill(u);
    for (int i = 0; i < u->count; i++) {
        typical += u->typical[i];
        for (int t = 0; t < SIDE && u->typical[i]; t++)
            cr_assert(claims_is("Float/Proposition 37", fabs(u->extended[i][t] - u->base[i][t]) < 1e-12));
        for (int j = 0; j < u->count; j++)
            for (int t = 0; t < SIDE && distance(u->data[i], u->data[j]) == 1; t++)
                cr_assert(claims_is("Float/Proposition 37; Float/Lemma 22",
                                    u->extended[i][t] <= 16 * u->extended[j][t] * (1 + 1e-12)));
    }
    cr_assert(typical > 20 && typical < DATA);
    free(u);
}
