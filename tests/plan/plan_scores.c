/* SPDX-License-Identifier: MIT */
/* Scores of quantiles and of groups between all neighbours of small tables: the losses of a choice in a
 * group lie in an interval as long as its score moves, up and down, and those of independent choices add
 * up. A list of moves covers them if these lengths can be packed into its coordinates, each holding
 * twice its size. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_quantity.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"

enum { POINTS = 3, ROWS_MAX = 3, USERS = 20, GROUPS = 2, COORDINATES = 12 };

/* Up to three rows of a group, by their points. */
struct rows {
    int at[POINTS], n;
};

static struct rows rows[USERS];

static void list_rows(void)
{
    size_t count = 0;
    for (int a = 0; a <= ROWS_MAX; a++)
        for (int b = 0; a + b <= ROWS_MAX; b++)
            for (int c = 0; a + b + c <= ROWS_MAX; c++)
                rows[count++] = (struct rows){{a, b, c}, a + b + c};
    cr_assert_eq(count, USERS);
}

/* `under` times the score of a point, by its definition. */
static long score(const int *count, int point, pby_plan_share p)
{
    long below = 0, above = 0;
    for (int i = 0; i < POINTS; i++) {
        below += i < point ? count[i] : 0;
        above += i > point ? count[i] : 0;
    }
    return -labs((long)(p.under - p.over) * below - (long)p.over * above);
}

/* The longest interval of what scores move by when the rows a are there in the place of b, beside any other
 * up to three rows. */
static long longest(const struct rows *a, const struct rows *b, pby_plan_share p)
{
    long most = 0;
    for (size_t other = 0; other < USERS; other++) {
        int with[POINTS], without[POINTS];
        long low = 0, high = 0;
        for (int i = 0; i < POINTS; i++) {
            with[i] = rows[other].at[i] + a->at[i];
            without[i] = rows[other].at[i] + b->at[i];
        }
        for (int v = 0; v < POINTS; v++) {
            const long moved = score(with, v, p) - score(without, v, p);
            low = v == 0 || moved < low ? moved : low;
            high = v == 0 || moved > high ? moved : high;
        }
        most = high - low > most ? high - low : most;
    }
    return most;
}

static bool pack(long *room, size_t coordinates, const long *length, size_t n)
{
    if (n == 0)
        return true;
    for (size_t i = 0; i < coordinates; i++) {
        if (room[i] < length[0])
            continue;
        room[i] -= length[0];
        const bool packed = pack(room, coordinates, length + 1, n - 1);
        room[i] += length[0];
        if (packed)
            return true;
    }
    return false;
}

static bool covers(const pby_plan_moves *list, long less, const long *length, size_t n)
{
    long room[COORDINATES];
    size_t coordinates = 0;
    for (unsigned part = 0; part < list->parts; part++)
        for (uint64_t i = 0; i < list->count[part]; i++)
            room[coordinates++] = 2 * (long)list->size[part] - less;
    return pack(room, coordinates, length, n);
}

/* True if a user may keep these: rows of each group within m, of at most k groups, C in all. */
static bool is_user(const pby_plan_grouping *g, size_t first, size_t second)
{
    const uint64_t a = (uint64_t)rows[first].n, b = (uint64_t)rows[second].n;
    return a <= g->m && b <= g->m && (a > 0) + (b > 0) <= (int)g->k && a + b <= g->rows &&
           (g->groups > 1 || b == 0);
}

static long table[USERS][USERS];

/* All users, or all two users, of a plan's grouping against the moves of its quantile. */
static bool all_covered(const pby_release_plan *plan, const pby_plan_quantity *q, long less, size_t *seen)
{
    const pby_plan_grouping *g = &plan->grouping[q->grouping];
    const size_t others = plan->relation == PBY_SUBSTITUTE ? USERS : 1;
    for (size_t a = 0; a < USERS; a++)
        for (size_t b = 0; b < USERS; b++)
            for (size_t c = 0; c < others; c++)
                for (size_t d = 0; d < others; d++) {
                    const long length[] = {table[a][c], table[b][d]};
                    if (!is_user(g, a, b) || !is_user(g, c, d))
                        continue;
                    ++*seen;
                    if (!covers(&q->moves, less, length, g->groups > 1 ? 2 : 1))
                        return false;
                }
    return true;
}

static pby_release_plan *plan_of(const char *relation, int rows_most, const char *group, const char *share)
{
    char text[1024];
    pby_release_plan *plan;
    pby_error err = PBY_NO_ERROR;
    snprintf(text, sizeof text,
             "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"u\"\nneighbours = \"%s\"\nrows = %d\n"
             "[budget]\nepsilon = 1\n[columns.x]\nlow = 0\nhigh = 2\nstep = 1\n"
             "%s[[statistics]]\nname = \"q\"\nkind = \"quantile\"\nof = \"x\"\nq = [\"%s\"]\n%s",
             relation, rows_most, group, share, *group == '\0' ? "" : "group = \"g\"\n");
    cr_assert_eq(pby_plan_parse(&plan, "p", NULL, text, strlen(text), &err), PBY_OK, "%s", err.text);
    return plan;
}

/* Returns the number of plans in which half a score less than the list has is too little. */
static size_t try_shares(const char *relation, int rows_most, const char *group, size_t *seen)
{
    static const char *const shares[] = {"1/2", "1/4", "9/10", "2/3"};
    size_t tight = 0;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        pby_release_plan *plan = plan_of(relation, rows_most, group, shares[i]);
        pby_plan_quantities q;
        pby_error err = PBY_NO_ERROR;
        cr_assert_eq(pby_plan_quantities_of(&q, plan, &err), PBY_OK);
        for (size_t a = 0; a < USERS; a++)
            for (size_t b = 0; b < USERS; b++)
                table[a][b] = longest(&rows[a], &rows[b], q.quantity[0].share);
        cr_assert(all_covered(plan, &q.quantity[0], 0, seen), "%s, %d rows, %s of %s", relation, rows_most,
                  shares[i], group);
        tight += all_covered(plan, &q.quantity[0], 1, seen) ? 0 : 1;
        pby_plan_quantities_clear(&q);
        pby_plan_free(plan);
    }
    return tight;
}

Test(plan_scores, quantiles_of_all_neighbours_are_covered)
{
    static const char *const relations[] = {"add-remove", "substitute"};
    size_t seen = 0, tight = 0;
    list_rows();
    for (size_t r = 0; r < 2; r++)
        for (int c = 1; c <= ROWS_MAX; c++) {
            tight += try_shares(relations[r], c, "", &seen);
            for (int m = 1; m <= c; m++)
                for (int k = 1; k <= GROUPS; k++) {
                    char group[128];
                    snprintf(group, sizeof group,
                             "[groupings.g]\nby = [\"g\"]\ngroups = [\"a\", \"b\"]\nrows_per_group = %d\n"
                             "groups_per_user = %d\n",
                             m, k);
                    tight += try_shares(relations[r], c, group, &seen);
                }
        }
    cr_assert_gt(seen, 100000);
    cr_assert_gt(tight, 30, "the bound is reached in %zu plans", tight);
}

/* Between two users no group's rows differ by more than m; one user more lowers none. */
Test(plan_scores, rows_of_groups_move_by_no_more_than_m)
{
    for (uint64_t c = 1; c <= 3; c++)
        for (uint64_t m = 1; m <= c; m++)
            for (uint64_t k = 1; k <= 2; k++) {
                pby_plan_bounds b = {c, k, m, 2};
                pby_plan_moves one;
                int64_t most = 0;
                pby_plan_bounds_cut(&b);
                pby_plan_moves_top(&one, &b, 3);
                cr_assert(one.parts == 1 && one.count[0] == 3);
                for (int64_t x = 0; x <= (int64_t)b.m; x++)
                    for (int64_t y = 0; y <= (int64_t)b.m && x + y <= (int64_t)c; y++)
                        if ((x > 0) + (y > 0) <= (int)k) {
                            const int64_t larger = x > y ? x : y;
                            most = larger > most ? larger : most;
                        }
                cr_assert_eq((uint64_t)most, one.size[0]);
            }
}

/* ---- choices beside noise ------------------------------------------------------------------------ */

/* Two outcomes of losses t and t - eps: the chances of the first. */
static void two_outcomes(double *p, double *q, double t, double eps)
{
    *q = (1 - exp(t - eps)) / (exp(t) - exp(t - eps));
    *p = *q * exp(t);
}

/* delta at 1/2 of geometric noise of rate 1/2 and two choices, of t and u. */
static double delta_at(double t, double u)
{
    const double a = exp(-0.5);
    double p[2], q[2], delta = 0;
    two_outcomes(&p[0], &q[0], t, 1.0 / 2);
    two_outcomes(&p[1], &q[1], u, 1.0 / 3);
    for (int x = -80; x <= 80; x++)
        for (int i = 0; i < 4; i++) {
            const double norm = (1 - a) / (1 + a), first = norm * pow(a, abs(x)),
                         second = norm * pow(a, abs(x - 1));
            const double r = (i & 1 ? p[0] : 1 - p[0]) * (i & 2 ? p[1] : 1 - p[1]),
                         s = (i & 1 ? q[0] : 1 - q[0]) * (i & 2 ? q[1] : 1 - q[1]);
            delta += fmax(0, first * r - exp(0.5) * second * s);
        }
    return delta;
}

/* No two choices have a greater delta than the one pair of each, which is not much more. */
Test(plan_scores, several_choices_beside_noise_are_bounded)
{
    static const char *const text[] = {"geometric:eps=1/2", "exponential:eps=1/2", "exponential:eps=1/3"};
    pby_spec *spec;
    pby_enclosure delta;
    pby_error err = PBY_NO_ERROR;
    mpq_t half;
    double found = 0;
    mpq_init(half);
    mpq_set_ui(half, 1, 2);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_spec_parse(&spec, text, 3, &err), PBY_OK);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, half, 4, &err), PBY_OK, "%s", err.text);
    for (int i = 1; i < 20; i++)
        for (int j = 1; j < 20; j++)
            found = fmax(found, delta_at(i / 40.0, j / 60.0));
    const double hi = mpfr_get_d(delta.hi, MPFR_RNDU);
    cr_assert(found <= hi && hi < 1.3 * found, "%g, not %g", found, hi);
    cr_assert_leq(mpfr_cmp_d(delta.lo, found * 1.01), 0);
    pby_spec_free(spec);
    pby_enclosure_clear(&delta);
    mpq_clear(half);
}
