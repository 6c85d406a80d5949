/* SPDX-License-Identifier: MIT */
/* Separators against all directions that can be the widest gap, in the plane; and what moves them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "tests/claims/decide.h"

enum { POINTS = 7, SIDE = 9 };

struct sets {
    int x[POINTS][2];
    bool second[POINTS];
    size_t n;
};

static uint64_t state = 1;

static int below(int n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)(state >> 33) % n;
}

/* Seeded pseudo-random points; the sets are drawn apart by a shift, so that both outcomes are frequent. */
static void draw(struct sets *s)
{
    const int shift = below(8);
    s->n = (size_t)(2 + below(POINTS - 1));
    for (size_t i = 0; i < s->n; i++) {
        s->second[i] = i == 0 ? false : i == 1 ? true : below(2) == 1;
        s->x[i][0] = below(SIDE) + (s->second[i] ? shift : 0);
        s->x[i][1] = below(SIDE);
    }
}

/* The square of the gap in a direction, times that of the direction; negative where there is none. */
static double gap(const struct sets *s, int a, int b)
{
    int least = INT32_MAX, most = INT32_MIN;
    for (size_t i = 0; i < s->n; i++) {
        const int at = a * s->x[i][0] + b * s->x[i][1];
        if (s->second[i])
            most = at > most ? at : most;
        else
            least = at < least ? at : least;
    }
    const double far = least - most, size = a * a + b * b;
    return size == 0 || far <= 0 ? 0 : far * far / size;
}

/* The nearest points are two corners, or a corner and a point of an edge. */
static double slow_distance(const struct sets *s)
{
    double most = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->n; j++) {
            const int a = s->x[i][0] - s->x[j][0], b = s->x[i][1] - s->x[j][1];
            most = fmax(most, gap(s, a, b));
            most = fmax(most, gap(s, b, -a));
        }
    return most;
}

static pby_separator *separate(const struct sets *s, const double turn[2][3], size_t d)
{
    mpq_t x[POINTS * 3];
    pby_separator *out;
    for (size_t i = 0; i < s->n * d; i++) {
        mpq_init(x[i]);
        if (turn == NULL)
            mpq_set_si(x[i], s->x[i / d][i % d], 1);
        else
            mpq_set_si(x[i], lround(25 * (s->x[i / d][0] * turn[0][i % d] + s->x[i / d][1] * turn[1][i % d])),
                       25);
        mpq_canonicalize(x[i]);
    }
    cr_assert_eq(pby_separate(&out, (const mpq_t *)x, s->second, s->n, d, NULL), PBY_OK);
    for (size_t i = 0; i < s->n * d; i++)
        mpq_clear(x[i]);
    return out;
}

/* claims: Flex/Remark 4 */
Test(separator, it_is_the_widest_gap_of_all_directions)
{
    struct sets s;
    int apart = 0;
    for (int i = 0; i < 2000; i++) {
        draw(&s);
        pby_separator *out = separate(&s, NULL, 2);
        const double far = slow_distance(&s), w0 = mpq_get_d(out->normal[0]), w1 = mpq_get_d(out->normal[1]);
        cr_assert(out->both);
        cr_assert(claims_le_d(CLAIMS_ALL, fabs(mpq_get_d(out->distance) - far), 1e-9), "%d: %g for %g", i,
                  mpq_get_d(out->distance), far);
        for (size_t j = 0; j < s.n && far > 0; j++) {
            const double side = w0 * s.x[j][0] + w1 * s.x[j][1] - mpq_get_d(out->level);
            cr_assert_geq(s.second[j] ? -side : side, far / 2 - 1e-9);
        }
        apart += far > 0;
        pby_separator_free(out);
    }
    cr_assert(apart > 300 && apart < 1900, "%d apart", apart);
}

/* Turns the points by rational angles into space; the distance stays. */
Test(separator, a_turn_changes_nothing)
{
    static const double turn[2][3] = {{.6, .8, 0}, {-.8 * .6, .6 * .6, .8}};
    struct sets s;
    for (int i = 0; i < 200; i++) {
        draw(&s);
        pby_separator *flat = separate(&s, NULL, 2), *turned = separate(&s, turn, 3);
        cr_assert(mpq_equal(flat->distance, turned->distance), "%d", i);
        pby_separator_free(turned);
        pby_separator_free(flat);
    }
}

/* A known answer: (0, 0) and (0, 2) against (4, 1), at the threshold 2. */
Test(separator, texts_are_exact)
{
    const char *const points[] = {"0", "0", "0", "2", "4", "1"};
    const bool second[] = {false, false, true};
    char *normal, *level, *distance;
    cr_assert_eq(pby_separate_text(&normal, &level, &distance, points, second, 3, 2, NULL), PBY_OK);
    cr_assert_str_eq(normal, "-4 0");
    cr_assert_str_eq(level, "-8");
    cr_assert_str_eq(distance, "16");
    free(normal);
    free(level);
    free(distance);
    cr_assert_eq(pby_separate_text(&normal, &level, &distance, points, second, 2, 2, NULL), PBY_OK);
    cr_assert(normal == NULL && level == NULL && distance == NULL, "one set is empty");
}

Test(separator, bad_points_are_refused)
{
    const char *const points[] = {"x"};
    const bool second[] = {false};
    char *normal, *level, *distance;
    pby_separator *out;
    pby_error err;
    cr_assert_eq(pby_separate_text(&normal, &level, &distance, points, second, 1, 1, &err), PBY_BAD);
    cr_assert_eq(pby_separate(&out, NULL, NULL, 0, 65, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "dimension: expected an integer from 1 to 64");
    cr_assert_eq(pby_separate(&out, NULL, NULL, 0, 1, &err), PBY_OK);
    cr_assert(!out->both);
    pby_separator_free(out);
}

/* Each point moves by at most b = 1 along each coordinate, so by sqrt(2) b: the margin by at most twice that.
 */
Test(separator, the_margin_moves_by_at_most_twice_as_much)
{
    struct sets s, t;
    double most = 0;
    for (int i = 0; i < 2000; i++) {
        draw(&s);
        t = s;
        for (size_t j = 0; j < s.n; j++)
            for (int k = 0; k < 2; k++)
                t.x[j][k] += below(3) - 1;
        pby_separator *one = separate(&s, NULL, 2), *two = separate(&t, NULL, 2);
        most = fmax(most, fabs(sqrt(mpq_get_d(one->distance)) - sqrt(mpq_get_d(two->distance))));
        pby_separator_free(two);
        pby_separator_free(one);
    }
    cr_assert_leq(most, 2 * sqrt(2) + 1e-9);
    cr_assert_geq(most, 2, "%g: a test that comes near no bound tests none", most);
}
