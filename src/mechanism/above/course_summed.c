/* SPDX-License-Identifier: MIT */
/* The chance of a course with any noise, added up over the values of the threshold's noise. */
#include "mechanism/above/course.h"

#include "number/ball.h"
#include "number/scoped.h"

/* P(V <= k) for k = from .. from + n - 1 */
struct table {
    arb_ptr cdf;
    int64_t from;
    slong n;
};

static void table_init(struct table *t, const pby_law *law, int64_t from, slong n, slong prec)
{
    *t = (struct table){_arb_vec_init(n), from, n};
    if (law->class->run_arb != NULL)
        law->class->run_arb(t->cdf, law, from, n, prec);
    else
        for (slong i = 0; i < n; i++)
            pby_law_cdf_arb(t->cdf + i, law, from + i, prec);
}

static void table_clear(struct table *t)
{
    _arb_vec_clear(t->cdf, t->n);
}

/* The chance of success given the threshold's noise (course_geometric.c). */
static void value_at(arb_t value, const pby_course *course, int input, const struct table *t, int64_t z,
                     slong prec)
{
    PBY_ARB(goal, below);
    arb_one(goal);
    for (unsigned turn = 0; turn < course->tops; turn++) {
        arb_zero(value);
        for (size_t i = course->count; i-- > 0;) {
            const pby_stretch *part = &course->stretch[i];
            arb_pow_ui(below, t->cdf + (z - part->at[input] - 1 - t->from), part->times, prec);
            if (part->counts)
                arb_sub(value, goal, value, prec);
            arb_mul(value, value, below, prec);
            if (part->counts)
                arb_sub(value, goal, value, prec);
        }
        arb_set(goal, value);
    }
}

static void ends_of(int64_t *least, int64_t *most, const pby_course *course, int input)
{
    *least = *most = course->stretch[0].at[input];
    for (size_t i = 1; i < course->count; i++) {
        *least = FLINT_MIN(*least, course->stretch[i].at[input]);
        *most = FLINT_MAX(*most, course->stretch[i].at[input]);
    }
}

/* Sets out to a ball around the mass beyond reach on either side: from 0 to 2 P(Z > reach), for symmetric
 * noise. */
static void beyond(arb_t out, const struct table *noise, slong prec)
{
    PBY_ARB(mass);
    arb_sub_ui(mass, noise->cdf + noise->n - 1, 1, prec);
    arb_mul_si(mass, mass, -2, prec);
    arb_zero(out);
    arb_union(out, out, mass, prec);
}

void pby_course_summed(arb_t chance, const pby_course *course, int input, const pby_law *threshold,
                       const pby_law *answer, int64_t reach, slong prec)
{
    int64_t least, most;
    struct table noise, t;
    PBY_ARB(mass, value);
    ends_of(&least, &most, course, input);
    table_init(&noise, threshold, -reach - 1, (slong)(2 * reach + 2), prec);
    table_init(&t, answer, -reach - most - 1, (slong)(2 * reach + most - least + 1), prec);
    arb_zero(chance);
    for (int64_t z = -reach; z <= reach; z++) {
        arb_srcptr cdf = noise.cdf + (z + reach);
        arb_sub(mass, cdf + 1, cdf, prec);
        value_at(value, course, input, &t, z, prec);
        arb_addmul(chance, mass, value, prec);
    }
    beyond(value, &noise, prec);
    arb_add(chance, chance, value, prec);
    table_clear(&t);
    table_clear(&noise);
}

/* Adds the threshold's mass at z times the chance of each output given z. */
static void add_outputs(arb_ptr chance, const pby_course *course, int input, const struct table *t, int64_t z,
                        const arb_t mass, slong prec)
{
    size_t at = 0;
    PBY_ARB(left, stays);
    arb_set(left, mass);
    for (size_t i = 0; i < course->count; i++)
        for (unsigned k = 0; k < course->stretch[i].times; k++) {
            const int64_t below = z - course->stretch[i].at[input] - 1;
            arb_mul(stays, left, t->cdf + (below - t->from), prec);
            arb_sub(left, left, stays, prec);
            arb_add(chance + at, chance + at, left, prec);
            arb_swap(left, stays);
            at++;
        }
    arb_add(chance + at, chance + at, left, prec);
}

void pby_outputs_summed(arb_ptr chance, const pby_course *course, int input, const pby_law *threshold,
                        const pby_law *answer, int64_t reach, slong prec)
{
    const slong outputs = (slong)(pby_course_length(course) / course->tops) + 1;
    int64_t least, most;
    struct table noise, t;
    PBY_ARB(mass);
    ends_of(&least, &most, course, input);
    table_init(&noise, threshold, -reach - 1, (slong)(2 * reach + 2), prec);
    table_init(&t, answer, -reach - most - 1, (slong)(2 * reach + most - least + 1), prec);
    _arb_vec_zero(chance, outputs);
    for (int64_t z = -reach; z <= reach; z++) {
        arb_srcptr cdf = noise.cdf + (z + reach);
        arb_sub(mass, cdf + 1, cdf, prec);
        add_outputs(chance, course, input, &t, z, mass, prec);
    }
    beyond(mass, &noise, prec);
    for (slong i = 0; i < outputs; i++)
        arb_add(chance + i, chance + i, mass, prec);
    table_clear(&t);
    table_clear(&noise);
}
