/* SPDX-License-Identifier: MIT */
#include "mechanism/above/course.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <math.h>

#include "law/laws.h"
#include "mechanism/above/above_pairs.h"
#include "mechanism/family.h"
#include "probity/enclosure.h"
#include "probity/loss.h"

/* ---- the chance of a course, from its definition ---------------------------------------------- */

struct noise {
    double rate, sigma2; /* one is 0 */
};

enum { REACH = 400 };

static long double weight(const struct noise *n, long k)
{
    return n->sigma2 > 0 ? expl(-(long double)k * (long double)k / (2 * (long double)n->sigma2))
                         : expl(-(long double)n->rate * (long double)labs(k));
}

/* P(V >= k) of geometric noise by its formula, of Gaussian noise by adding up. */
static long double reaches(const struct noise *n, long k)
{
    if (n->sigma2 == 0) {
        const long double b = expl(-(long double)n->rate);
        return k >= 0 ? powl(b, k) / (1 + b) : 1 - powl(b, 1 - k) / (1 + b);
    }
    long double some = 0, all = 0;
    for (long i = -REACH; i <= REACH; i++) {
        all += weight(n, i);
        some += i >= k ? weight(n, i) : 0;
    }
    return some / all;
}

/* One answer at a time: from answer `i` of stretch `s` on, with so many turns to go. */
static long double success(const pby_course *c, int input, const struct noise *answer, long z, size_t s,
                           unsigned i, unsigned turns, long double alive)
{
    long double sum = 0;
    for (; s < c->count; s++, i = 0) {
        const long double top = reaches(answer, z - (long)c->stretch[s].at[input]);
        for (; i < c->stretch[s].times; i++) {
            if (c->stretch[s].counts)
                sum += turns == 1 ? alive * top : success(c, input, answer, z, 0, 0, turns - 1, alive * top);
            alive *= 1 - top;
        }
    }
    return sum;
}

static long double chance_of(const pby_course *c, int input, const struct noise *threshold,
                             const struct noise *answer, long reach)
{
    long double sum = 0, all = 0;
    for (long z = -reach; z <= reach; z++) {
        all += weight(threshold, z);
        sum += weight(threshold, z) * success(c, input, answer, z, 0, 0, c->tops, 1);
    }
    return sum / all;
}

static double middle(const arb_t ball)
{
    return arf_get_d(arb_midref(ball), ARF_RND_NEAR);
}

static const pby_course courses[] = {
    {{{{0, 1}, 1, true}}, 1, 1},
    {{{{-3, -2}, 3, false}, {{2, 1}, 2, true}}, 2, 1},
    {{{{1, 3}, 2, false}, {{-5, -7}, 1, true}, {{0, 0}, 1, false}, {{4, 2}, 3, true}}, 4, 2},
};

/* With two geometric noises, whose rates have no common measure, one or the other equal ones, and wide. */
Test(course, geometric_noise_is_summed_in_closed_form)
{
    static const struct {
        long r1[2], r2[2];
    } rates[] = {{{1, 2}, {1, 4}}, {{1, 3}, {1, 3}}, {{3, 7}, {2, 3}}, {{1, 9}, {1, 31}}, {{4, 1}, {2, 1}}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (size_t c = 0; c < 3; c++)
            for (int input = 0; input < 2; input++) {
                const struct noise threshold = {(double)rates[i].r1[0] / (double)rates[i].r1[1], 0},
                                   answer = {(double)rates[i].r2[0] / (double)rates[i].r2[1], 0};
                fmpq_t r1, r2;
                arb_t ball;
                fmpq_init(r1);
                fmpq_init(r2);
                arb_init(ball);
                fmpq_set_si(r1, rates[i].r1[0], (ulong)rates[i].r1[1]);
                fmpq_set_si(r2, rates[i].r2[0], (ulong)rates[i].r2[1]);
                pby_course_geometric(ball, &courses[c], input, r1, r2, 64);
                const long double told = chance_of(&courses[c], input, &threshold, &answer, REACH);
                cr_assert(fabsl(told - middle(ball)) < 1e-14L, "%zu %zu %d: %.17Lg, %.17g", i, c, input, told,
                          middle(ball));
                cr_assert_lt(mag_get_d(arb_radref(ball)), 1e-18);
                arb_clear(ball);
                fmpq_clear(r2);
                fmpq_clear(r1);
            }
}

/* A Gaussian threshold with answers of either kind, cut off or not: the ball has the truth. */
Test(course, other_noise_is_added_up)
{
    static const struct noise answers[] = {{0, 30}, {0.25, 0}};
    const struct noise threshold = {0, 9};
    fmpq_t s1, s2, r2;
    arb_t ball;
    fmpq_init(s1);
    fmpq_init(s2);
    fmpq_init(r2);
    arb_init(ball);
    fmpq_set_si(s1, 9, 1);
    fmpq_set_si(s2, 30, 1);
    fmpq_set_si(r2, 1, 4);
    for (int kind = 0; kind < 2; kind++)
        for (size_t c = 0; c < 3; c++)
            for (int cut = 0; cut < 2; cut++) {
                pby_law *law[2];
                cr_assert_eq(pby_law_dgauss(&law[0], s1, NULL), PBY_OK);
                cr_assert_eq(kind == 0 ? pby_law_dgauss(&law[1], s2, NULL)
                                       : pby_law_geometric(&law[1], r2, NULL),
                             PBY_OK);
                pby_course_summed(ball, &courses[c], 1, law[0], law[1], cut ? 4 : 40, 64);
                const long double told = chance_of(&courses[c], 1, &threshold, &answers[kind], 60);
                const double width = mag_get_d(arb_radref(ball));
                cr_assert(fabsl(told - middle(ball)) <= width + 1e-15L, "%d %zu", kind, c);
                cr_assert(cut ? width > 1e-3 : width < 1e-15);
                pby_law_free(law[1]);
                pby_law_free(law[0]);
            }
    arb_clear(ball);
    fmpq_clear(r2);
    fmpq_clear(s2);
    fmpq_clear(s1);
}

/* ---- all outputs ------------------------------------------------------------------------------ */

/* The chance of each output, answer by answer. */
static void outputs_of(long double *law, const pby_course *c, int input, const struct noise *threshold,
                       const struct noise *answer, long reach)
{
    const unsigned n = pby_course_length(c) / c->tops;
    long double all = 0;
    for (unsigned i = 0; i <= n; i++)
        law[i] = 0;
    for (long z = -reach; z <= reach; z++) {
        long double left = weight(threshold, z);
        unsigned at = 0;
        all += left;
        for (size_t s = 0; s < c->count; s++) {
            const long double top = reaches(answer, z - (long)c->stretch[s].at[input]);
            for (unsigned i = 0; i < c->stretch[s].times; i++) {
                law[at++] += left * top;
                left *= 1 - top;
            }
        }
        law[at] += left;
    }
    for (unsigned i = 0; i <= n; i++)
        law[i] /= all;
}

Test(course, every_output_has_its_chance)
{
    enum { MOST = 8 };
    const struct noise geometric[] = {{1.0 / 2, 0}, {1.0 / 4, 0}}, gaussian[] = {{0, 9}, {0, 30}};
    pby_law *law[2];
    arb_ptr ball = _arb_vec_init(MOST);
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    fmpq_set_si(x, 9, 1);
    fmpq_set_si(y, 30, 1);
    cr_assert_eq(pby_law_dgauss(&law[0], x, NULL), PBY_OK);
    cr_assert_eq(pby_law_dgauss(&law[1], y, NULL), PBY_OK);
    fmpq_set_si(x, 1, 2);
    fmpq_set_si(y, 1, 4);
    for (size_t c = 0; c < 3; c++)
        for (int input = 0; input < 2; input++) {
            const unsigned n = pby_course_length(&courses[c]) / courses[c].tops;
            long double told[MOST];
            pby_outputs_geometric(ball, &courses[c], input, x, y, 64);
            outputs_of(told, &courses[c], input, &geometric[0], &geometric[1], REACH);
            for (unsigned i = 0; i <= n; i++)
                cr_assert(fabsl(told[i] - middle(ball + i)) < 1e-14L, "%zu %u", c, i);
            for (int reach = 4; reach <= 40; reach += 36) {
                pby_outputs_summed(ball, &courses[c], input, law[0], law[1], reach, 64);
                outputs_of(told, &courses[c], input, &gaussian[0], &gaussian[1], 60);
                for (unsigned i = 0; i <= n; i++)
                    cr_assert(fabsl(told[i] - middle(ball + i)) <= mag_get_d(arb_radref(ball + i)) + 1e-15L);
                cr_assert(reach == 4 || mag_get_d(arb_radref(ball)) < 1e-15);
            }
        }
    pby_law_free(law[1]);
    pby_law_free(law[0]);
    _arb_vec_clear(ball, MOST);
    fmpq_clear(y);
    fmpq_clear(x);
}

/* ---- the courses that are attained ------------------------------------------------------------ */

/* No course asks more than a use allows, or moves answers farther or otherwise than neighbours do. */
static void check_course(const pby_course *c, pby_direction direction, const pby_above_use *use)
{
    unsigned asked = 0;
    cr_assert_leq(c->tops, use->tops);
    cr_assert_gt(c->count, 0);
    for (size_t i = 0; i < c->count; i++) {
        const int64_t *at = c->stretch[i].at, by = at[1] - at[0], d = use->sensitivity;
        asked += c->stretch[i].times;
        cr_assert(by >= -d && by <= d);
        cr_assert(use->gap == 0 || (at[0] >= -use->gap && at[1] >= -use->gap));
        if (use->moves == PBY_ABOVE_RISING)
            cr_assert(direction == PBY_FORWARD ? by >= 0 : direction == PBY_BACKWARD && by <= 0);
        else
            cr_assert_eq(direction, PBY_BOTH);
        if (use->moves == PBY_ABOVE_TOGETHER)
            for (size_t j = 0; j < i; j++)
                cr_assert(by * (c->stretch[j].at[1] - c->stretch[j].at[0]) >= 0);
    }
    cr_assert(use->questions == 0 || asked * c->tops <= use->questions);
    cr_assert_eq(asked * c->tops, pby_course_length(c));
}

Test(course, all_are_of_neighbours)
{
    static const long limits[][4] = {{1, 1, 0, 0}, {3, 1, 0, 0}, {1, 2, 0, 0}, {7, 3, 5, 0},
                                     {1, 1, 1, 0}, {2, 2, 9, 0}, {5, 1, 0, 4}};
    fmpq_t slow, fast;
    fmpq_init(slow);
    fmpq_init(fast);
    fmpq_set_si(slow, 1, 300);
    fmpq_set_si(fast, 2, 1);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (int moves = 0; moves < 3; moves++)
            for (int kind = 0; kind < 4; kind++) {
                fmpq *x = kind % 2 == 0 ? slow : fast;
                const pby_above_noise noise = kind < 2 ? (pby_above_noise){x, NULL}
                                                       : (pby_above_noise){NULL, x};
                const pby_above_use use = {noise,        noise,        limits[i][0],          limits[i][1],
                                           limits[i][2], limits[i][3], (pby_above_moves)moves};
                pby_course course;
                pby_direction direction;
                size_t n = 0;
                for (; pby_above_course(&course, &direction, &use, n); n++)
                    check_course(&course, direction, &use);
                cr_assert_gt(n, 4);
            }
    fmpq_clear(fast);
    fmpq_clear(slow);
}

/* The chances of courses, from the pairs of a mechanism: P and Q of the first outcome are the chances of the
 * course, rounded towards each other. */
Test(course, the_attained_pairs_have_their_chances)
{
    const char *text = "above:eps=2,sensitivity=3";
    const struct noise threshold = {1.0 / 3, 0}, answer = {1.0 / 6, 0};
    pby_spec *spec;
    pby_pairs pairs = {NULL, 0};
    fmpq_t r1, r2;
    fmpq_init(r1);
    fmpq_init(r2);
    fmpq_set_si(r1, 1, 3);
    fmpq_set_si(r2, 1, 6);
    const pby_above_use use = {{r1, NULL}, {r2, NULL}, 3, 1, 0, 0, PBY_ABOVE_EITHER_WAY};
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    cr_assert_eq(pby_mechanism_attained(&pairs, &spec->use[0].mechanism, PBY_ADD_REMOVE, NULL), PBY_OK);
    for (size_t i = 0; i < pairs.count; i++) {
        pby_course course;
        pby_direction direction;
        arb_t mass;
        arb_init(mass);
        cr_assert(pby_above_course(&course, &direction, &use, i));
        for (int input = 0; input < 2; input++) {
            const pby_atom *first = &pairs.pair[i].atoms[0];
            pby_expsum_get_arb(mass, input == 0 ? first->p : first->q, 64);
            const long double told = chance_of(&course, input, &threshold, &answer, 150);
            cr_assert(fabsl(middle(mass) - told) < 1e-14L, "%zu: %Lg", i, told);
        }
        arb_clear(mass);
    }
    pby_pairs_clear(&pairs);
    pby_spec_free(spec);
    fmpq_clear(r2);
    fmpq_clear(r1);
}

/* delta at epsilon is within these, and the lower end is no less. */
Test(course, lower_ends)
{
    static const struct {
        const char *spec;
        double epsilon, least;
    } rows[] = {{"above:eps=1", 0, 0.1416},
                {"above:eps=1", 0.5, 0.0230},
                {"above:eps=1", 0.99, 1e-12},
                {"above:eps=1,sensitivity=500", 0.25, 0.061},
                {"above:eps=8", 2, 0.5},
                {"above:eps=1,queries=monotone", 0, 0.148},
                {"above:eps=1,queries=monotone", 0.75, 0.0097},
                {"sparse:rate=1/2,tops=2", 0.25, 0.09},
                {"sparse:sigma2=100,answer-rate=1/8", 0, 0.06},
                {"sparse:sigma2=100,questions=20", 0, 0.03}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_spec *spec;
        pby_error err;
        pby_enclosure delta;
        mpq_t e;
        mpq_init(e);
        mpq_set_d(e, rows[i].epsilon);
        pby_enclosure_init(&delta);
        cr_assert_eq(pby_spec_parse(&spec, &rows[i].spec, 1, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, e, 9, &err), PBY_OK, "%s", err.text);
        cr_assert(mpfr_cmp_d(delta.lo, rows[i].least) > 0, "%s at %g: %g", rows[i].spec, rows[i].epsilon,
                  mpfr_get_d(delta.lo, MPFR_RNDN));
        cr_assert(mpfr_cmp(delta.lo, delta.hi) <= 0, "%s at %g", rows[i].spec, rows[i].epsilon);
        pby_enclosure_clear(&delta);
        pby_spec_free(spec);
        mpq_clear(e);
    }
}
