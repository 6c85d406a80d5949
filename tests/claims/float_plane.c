/* SPDX-License-Identifier: MIT */
/* Evidence for the rows of [Float] in the plane: its mechanism for the Steiner point of the floating body, by
 * brute force over all data of five records on 3 x 3. */
#include <arb.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/geometry/region.h"
#include "mechanism/fbquantile/fbquantile_score.h"
#include "tests/claims/decide.h"

/* Rank 4 of 5, so that the body is the region of depth 2. Every second record of a side is within a step. */
enum {
    SIDE = 3,
    CELLS = SIDE * SIDE,
    N = 5,
    RANK = 4,
    LEVEL = N - RANK + 1,
    DATA = 1287,
    REACH = 1,
    CAP = 2
};

struct plane {
    int count;
    int data[DATA][CELLS];
    bool typical[DATA];
    double steiner[DATA][2], base[DATA][CELLS], extended[DATA][CELLS], score[DATA][CELLS], unit;
};

static void list(struct plane *u, int *now, int at, int left)
{
    if (at == CELLS - 1) {
        now[at] = left;
        memcpy(u->data[u->count++], now, CELLS * sizeof *now);
        return;
    }
    for (int k = 0; k <= left; k++) {
        now[at] = k;
        list(u, now, at + 1, left - k);
    }
}

static int distance(const int *x, const int *y)
{
    int d = 0;
    for (int v = 0; v < CELLS; v++)
        d += x[v] > y[v] ? x[v] - y[v] : 0;
    return d;
}

/* The records' places along (a, b), in order. */
static void project(int *out, const int *data, int a, int b)
{
    int n = 0;
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < data[i]; k++) {
            int at = n++;
            for (const int t = a * (i / SIDE) + b * (i % SIDE); at >= 0; at--) {
                out[at] = at > 0 && out[at - 1] > t ? out[at - 1] : t;
                if (out[at] == t)
                    break;
            }
        }
}

/* By ranks, along every direction of two points of the grid and every normal: a step is the length of a side
 * of a cell. Squared, as directions have irrational lengths. */
static bool is_typical(const int *data)
{
    for (int a = -2; a <= 2; a++)
        for (int b = -2; b <= 2; b++) {
            int t[N];
            if (a == 0 && b == 0)
                continue;
            project(t, data, a, b);
            for (int k = 1; k <= REACH; k++)
                for (int to = -k; to <= k; to += 2 * k) {
                    const int far = t[RANK - 1 + to] - t[RANK - 1];
                    if (far * far > k * k * (a * a + b * b))
                        return false;
                }
        }
    return true;
}

static void find_steiner(double *out, const int *data)
{
    pby_region body;
    pby_site site[CELLS];
    size_t sites = 0;
    arb_t at[2];
    for (int i = 0; i < CELLS; i++)
        if (data[i] > 0)
            site[sites++] = (pby_site){i / SIDE, i % SIDE, (uint64_t)data[i]};
    arb_init(at[0]);
    arb_init(at[1]);
    cr_assert_eq(pby_region_depth(&body, site, sites, LEVEL, NULL), PBY_OK);
    cr_assert_gt(body.count, 0, "a point of depth 2 of 5 in the plane exists always");
    pby_region_steiner(at[0], at[1], &body, 64);
    for (int j = 0; j < 2; j++) {
        out[j] = arf_get_d(arb_midref(at[j]), ARF_RND_NEAR);
        arb_clear(at[j]);
    }
    pby_region_clear(&body);
}

static double apart(const double *x, const double *y)
{
    return hypot(x[0] - y[0], x[1] - y[1]);
}

static void normalise(double *p)
{
    double sum = 0;
    for (int t = 0; t < CELLS; t++)
        sum += p[t];
    for (int t = 0; t < CELLS; t++)
        p[t] /= sum;
}

/* The base score is the distance from the Steiner point in units of the most that it moves for a record on
 * typical data, at most CAP; the base density exp(-(eps/4) score), exp(eps/4) being 2. Extended as [Float]
 * extends it, and by the score. */
static struct plane *make_plane(void)
{
    struct plane *u = calloc(1, sizeof *u);
    int now[CELLS] = {0};
    cr_assert_not_null(u);
    list(u, now, 0, N);
    cr_assert_eq(u->count, DATA);
    for (int i = 0; i < DATA; i++) {
        u->typical[i] = is_typical(u->data[i]);
        if (u->typical[i])
            find_steiner(u->steiner[i], u->data[i]);
    }
    for (int i = 0; i < DATA; i++)
        for (int j = 0; j < i; j++)
            if (u->typical[i] && u->typical[j])
                u->unit = fmax(u->unit, apart(u->steiner[i], u->steiner[j]) /
                                            fmin(CAP, distance(u->data[i], u->data[j])));
    for (int i = 0; i < DATA; i++)
        for (int t = 0; t < CELLS; t++) {
            const double at[] = {t / SIDE, t % SIDE};
            u->base[i][t] = exp2(-fmin(apart(u->steiner[i], at) / u->unit, CAP));
        }
    for (int i = 0; i < DATA; i++)
        normalise(u->base[i]);
    return u;
}

static void extend(struct plane *u)
{
    for (int i = 0; i < DATA; i++) {
        for (int t = 0; t < CELLS; t++) {
            u->extended[i][t] = INFINITY;
            u->score[i][t] = CAP;
        }
        for (int j = 0; j < DATA; j++) {
            const int d = distance(u->data[i], u->data[j]);
            for (int t = 0; t < CELLS && u->typical[j]; t++) {
                const double at[] = {t / SIDE, t % SIDE};
                u->extended[i][t] = fmin(u->extended[i][t], ldexp(u->base[j][t], 2 * d));
                u->score[i][t] = fmin(u->score[i][t], apart(u->steiner[j], at) / u->unit + d);
            }
        }
        normalise(u->extended[i]);
    }
}

/* The density and the score, extended, agree with the base on typical data, and the density is eps-private on
 * all, exp(eps) = 16; the score moves by at most 1. claims: Float/Proposition 37 */
Test(claims_float, the_steiner_point_extends_to_all_data_of_a_square)
{
    struct plane *u = make_plane();
    int typical = 0;
    extend(u);
    for (int i = 0; i < DATA; i++) {
        typical += u->typical[i];
        for (int t = 0; t < CELLS && u->typical[i]; t++) {
            const double at[] = {t / SIDE, t % SIDE};
            cr_assert(fabs(u->extended[i][t] - u->base[i][t]) < 1e-12);
            cr_assert(fabs(u->score[i][t] - fmin(apart(u->steiner[i], at) / u->unit, CAP)) < 1e-12);
        }
        for (int j = 0; j < DATA; j++)
            for (int t = 0; t < CELLS && distance(u->data[i], u->data[j]) == 1; t++) {
                cr_assert(claims_is("Float/Proposition 37",
                                    u->extended[i][t] <= 16 * u->extended[j][t] * (1 + 1e-12)));
                cr_assert_leq(u->score[i][t], u->score[j][t] + 1 + 1e-12);
            }
    }
    cr_assert(typical > 50 && typical < DATA / 2, "%d", typical);
    free(u);
}

/* Typical along (a, b) alone: ranks above and below within a step of 1. */
static bool is_typical_along(const int *t)
{
    return t[RANK] - t[RANK - 1] <= 1 && t[RANK - 1] - t[RANK - 2] <= 1;
}

/* The quantile along a direction: the least over all typical data of the plane is what fbquantile computes of
 * the numbers alone. */
Test(claims_float, a_quantile_in_the_plane_is_that_of_its_numbers)
{
    static const int along[][2] = {{1, 0}, {1, 1}, {2, 1}};
    struct plane *u = calloc(1, sizeof *u);
    int now[CELLS] = {0};
    static int place[DATA][N];
    cr_assert_not_null(u);
    list(u, now, 0, N);
    for (size_t a = 0; a < sizeof along / sizeof *along; a++) {
        const int side = 2 * (along[a][0] + along[a][1]) + 1;
        const pby_rank r = {.n = N, .m = RANK, .side = (uint64_t)side, .step = 1, .reach = REACH, .cap = CAP};
        for (int i = 0; i < DATA; i++)
            project(place[i], u->data[i], along[a][0], along[a][1]);
        for (int i = 0; i < DATA; i += 7) {
            int64_t count[7] = {0};
            uint64_t fall[7];
            for (int k = 0; k < N; k++)
                count[place[i][k]]++;
            cr_assert_eq(pby_rank_falls(fall, &r, count, NULL), PBY_OK);
            for (int t = 0; t < side; t++) {
                int least = CAP;
                for (int j = 0; j < DATA; j++)
                    if (is_typical_along(place[j])) {
                        const int score = abs(t - place[j][RANK - 1]) + distance(u->data[i], u->data[j]);
                        least = score < least ? score : least;
                    }
                cr_assert_eq((int)fall[t], least, "along (%d, %d), data %d", along[a][0], along[a][1], i);
            }
        }
    }
    free(u);
}
