/* SPDX-License-Identifier: MIT */
/* Pairs of some neighbours under above threshold and the sparse vector: courses of a few answers.
 *
 * On the other input answers that must stay below are higher, and those that count are lower. The courses
 * were the worst found by a search with continuous noise at some epsilons (docs/theory/above.md). */
#include <math.h>
#include <stdlib.h>

#include "law/laws.h"
#include "mechanism/above/above_pairs.h"
#include "mechanism/above/course.h"
#include "pair/rounded.h"

/* Stretches by turns of answers that do not count and of those that do: the middle between the two inputs, in
 * hundredths of the deviation of an answer's noise, and how many. */
struct sketch {
    struct {
        short middle;
        unsigned char times;
    } part[PBY_STRETCHES];
};

/* At 0, 1/4, 1/2 and 3/4 of the loss, and where the loss is. */
static const struct sketch either_way[] = {
    {{{-147, 1}, {-57, 1}, {-34, 1}, {-15, 1}, {-3, 1}, {2, 2}, {20, 3}, {99, 3}}},
    {{{-42, 2}, {-18, 1}, {-15, 2}, {-2, 2}, {11, 3}, {50, 2}, {96, 3}, {155, 2}}},
    {{{-27, 4}, {1, 1}, {1, 2}, {23, 1}, {42, 2}, {65, 1}, {96, 3}, {152, 1}}},
    {{{0, 5}, {8, 1}, {32, 3}, {42, 1}, {94, 4}, {113, 1}, {180, 4}, {205, 1}}},
    {{{0, 32}, {-100, 1}}},
};

/* Where the other input has no lower answers; and where it has no higher ones, and half the loss. */
static const struct sketch rising[] = {
    {{{-98, 2}, {-86, 2}, {-17, 1}, {11, 3}, {29, 2}, {128, 3}, {178, 2}, {800, 4}}},
    {{{-45, 3}, {-16, 2}, {-2, 2}, {59, 2}, {100, 2}, {167, 2}, {213, 3}, {323, 3}}},
    {{{-26, 4}, {19, 1}, {5, 2}, {66, 1}, {90, 2}, {143, 1}, {191, 3}, {248, 2}}},
    {{{11, 4}, {22, 1}, {48, 3}, {78, 1}, {150, 3}, {170, 1}, {248, 4}, {298, 1}}},
    {{{0, 32}, {-100, 1}}},
};
static const struct sketch falling[] = {
    {{{-800, 1}, {-87, 2}, {-87, 2}, {-8, 1}, {13, 2}, {50, 1}, {97, 3}, {162, 2}}},
    {{{-400, 1}, {-264, 1}, {-220, 2}, {-109, 1}, {-69, 2}, {-24, 1}, {43, 4}, {92, 1}}},
    {{{0, 32}, {-100, 1}}},
};

enum {
    EITHER_WAY = sizeof either_way / sizeof *either_way,
    RISING = sizeof rising / sizeof *rising,
    FALLING = sizeof falling / sizeof *falling,
    TURNS = 2,
    BITS = 128
};

/* Farther out no sum over the threshold's noise goes. */
#define REACH_MAX (1 << 11)
#define PLACE_MAX 0x1p60

/* ---- from a sketch to a course ---------------------------------------------------------------- */

static double deviation(const pby_above_noise *noise)
{
    return noise->rate != NULL ? 1 / fmpq_get_d(noise->rate) : sqrt(fmpq_get_d(noise->sigma2));
}

static int64_t place(double x)
{
    return (int64_t)fmax(-PLACE_MAX, fmin(floor(x + 0.5), PLACE_MAX));
}

/* An answer is raised to the gap, where there is one. */
static int64_t raised(int64_t at, int64_t gap)
{
    return gap > 0 && at < -gap ? -gap : at;
}

/* Between the inputs answers that do not count rise by `up`, those that count fall by `down`. No more are
 * asked than a use has questions. */
static void make_course(pby_course *course, const struct sketch *sketch, const pby_above_use *use, int64_t up,
                        int64_t down, unsigned tops)
{
    int64_t left = use->questions == 0 ? INT64_MAX : use->questions / tops;
    const double unit = deviation(&use->answer) / 100;
    *course = (pby_course){.tops = tops};
    for (size_t i = 0; i < PBY_STRETCHES && sketch->part[i].times > 0 && left > 0; i++) {
        const bool counts = i % 2 == 1;
        const double half = counts ? (double)down / 4 : -(double)up / 2;
        const int64_t at = place(sketch->part[i].middle * unit + half), by = counts ? -down : up;
        const unsigned times = (unsigned)FLINT_MIN(left, sketch->part[i].times);
        course->stretch[course->count++] =
            (pby_stretch){{raised(at, use->gap), raised(at + by, use->gap)}, times, counts};
        left -= times;
    }
}

/* For monotone queries P belongs to the input without the record where answers rise. For a group some
 * neighbours have either order. */
static bool one_way_course(pby_course *course, pby_direction *direction, const pby_above_use *use, size_t i)
{
    const int64_t d = use->sensitivity;
    const bool sided = use->moves == PBY_ABOVE_RISING;
    if (i >= RISING + FALLING)
        return false;
    if (i < RISING)
        make_course(course, &rising[i], use, d, 0, 1);
    else
        make_course(course, &falling[i - RISING], use, 0, d, 1);
    *direction = !sided ? PBY_BOTH : i < RISING ? PBY_FORWARD : PBY_BACKWARD;
    return true;
}

bool pby_above_course(pby_course *course, pby_direction *direction, const pby_above_use *use, size_t i)
{
    const int64_t d = use->sensitivity;
    if (use->moves != PBY_ABOVE_EITHER_WAY)
        return one_way_course(course, direction, use, i);
    if (i >= EITHER_WAY * (size_t)FLINT_MIN(use->tops, TURNS))
        return false;
    make_course(course, &either_way[i % EITHER_WAY], use, d, d, (unsigned)(i / EITHER_WAY) + 1);
    *direction = PBY_BOTH;
    return true;
}

/* ---- from a course to a pair ------------------------------------------------------------------ */

/* The laws of two noises of which one is Gaussian, and how far they are summed; NULL of two geometric ones.
 */
struct laws {
    pby_law *threshold, *answer;
    int64_t reach;
};

static pby_status law_of(pby_law **out, const pby_above_noise *noise, pby_error *err)
{
    return noise->rate != NULL ? pby_law_geometric(out, noise->rate, err)
                               : pby_law_dgauss(out, noise->sigma2, err);
}

static bool both_geometric(const pby_above_use *use)
{
    return use->threshold.rate != NULL && use->answer.rate != NULL;
}

static double reach_of(const pby_above_use *use)
{
    return (use->threshold.rate != NULL ? 45 : 10) * deviation(&use->threshold) + 1;
}

static pby_status laws_init(struct laws *laws, const pby_above_use *use, pby_error *err)
{
    *laws = (struct laws){.reach = 0};
    if (both_geometric(use))
        return PBY_OK;
    laws->reach = (int64_t)reach_of(use);
    const pby_status status = law_of(&laws->threshold, &use->threshold, err);
    return status == PBY_OK ? law_of(&laws->answer, &use->answer, err) : status;
}

static void laws_clear(struct laws *laws)
{
    pby_law_free(laws->answer);
    pby_law_free(laws->threshold);
}

static pby_status course_pair(pby_pair *pair, const pby_course *course, const pby_above_use *use,
                              const struct laws *laws, pby_error *err)
{
    arb_t chance[2];
    for (int input = 0; input < 2; input++) {
        arb_init(chance[input]);
        if (laws->threshold == NULL)
            pby_course_geometric(chance[input], course, input, use->threshold.rate, use->answer.rate, BITS);
        else
            pby_course_summed(chance[input], course, input, laws->threshold, laws->answer, laws->reach, BITS);
    }
    const pby_status status = pby_pair_two_balls(pair, chance[0], chance[1], err);
    arb_clear(chance[1]);
    arb_clear(chance[0]);
    return status;
}

/* ---- the pairs -------------------------------------------------------------------------------- */

bool pby_above_sums_up(const pby_above_use *use)
{
    return both_geometric(use) || reach_of(use) <= REACH_MAX;
}

pby_status pby_above_pairs_attained(pby_pairs *out, const pby_above_use *use, pby_error *err)
{
    pby_course course;
    pby_direction direction;
    struct laws laws;
    size_t n = 0;
    while (pby_above_course(&course, &direction, use, n))
        n++;
    pby_status status = pby_pairs_init(out, n, err);
    if (status != PBY_OK)
        return status;
    status = laws_init(&laws, use, err);
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        pby_above_course(&course, &out->pair[i].direction, use, i);
        status = course_pair(&out->pair[i], &course, use, &laws, err);
    }
    laws_clear(&laws);
    return status;
}

/* ---- all outputs ------------------------------------------------------------------------------ */

static pby_direction reversed(pby_direction direction)
{
    return direction == PBY_BOTH ? PBY_BOTH : direction == PBY_FORWARD ? PBY_BACKWARD : PBY_FORWARD;
}

/* Fills two pairs, the one the reverse of the other. */
static pby_status outputs_pair(pby_pair *pair, const pby_course *course, pby_direction direction,
                               const pby_above_use *use, const struct laws *laws, pby_error *err)
{
    const size_t n = pby_course_length(course) + 1;
    arb_ptr chance[2];
    for (int input = 0; input < 2; input++) {
        chance[input] = _arb_vec_init((slong)n);
        if (laws->threshold == NULL)
            pby_outputs_geometric(chance[input], course, input, use->threshold.rate, use->answer.rate, BITS);
        else
            pby_outputs_summed(chance[input], course, input, laws->threshold, laws->answer, laws->reach,
                               BITS);
    }
    pair[0].direction = direction;
    pair[1].direction = reversed(direction);
    pby_status status = pby_pair_of_balls(&pair[0], chance[0], chance[1], n, err);
    if (status == PBY_OK)
        status = pby_pair_of_balls(&pair[1], chance[1], chance[0], n, err);
    _arb_vec_clear(chance[1], (slong)n);
    _arb_vec_clear(chance[0], (slong)n);
    return status;
}

static pby_status add_outputs(pby_pairs *out, const pby_above_use *use, pby_error *err)
{
    pby_course course;
    pby_direction direction;
    struct laws laws;
    pby_status status = laws_init(&laws, use, err);
    for (size_t i = 0; status == PBY_OK && pby_above_course(&course, &direction, use, i); i++) {
        if (course.tops > 1)
            continue;
        pby_pair *all = reallocarray(out->pair, out->count + 2, sizeof *all);
        if (all == NULL) {
            status = pby_no_memory(err);
            break;
        }
        out->pair = all;
        pby_pair_init(&all[out->count]);
        pby_pair_init(&all[out->count + 1]);
        out->count += 2;
        status = outputs_pair(&all[out->count - 2], &course, direction, use, &laws, err);
    }
    laws_clear(&laws);
    return status;
}

pby_status pby_above_pairs_diverging(pby_pairs *out, const pby_above_use *use, pby_error *err)
{
    const pby_status status = pby_above_pairs_attained(out, use, err);
    return status == PBY_OK ? add_outputs(out, use, err) : status;
}
