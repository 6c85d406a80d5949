/* The chance of a course with any noise, added up over the values of the threshold's noise. */
#include "mechanism/above/course.h"

#include "number/ball.h"

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
    arb_t goal, below;
    arb_init(goal);
    arb_init(below);
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
    arb_clear(below);
    arb_clear(goal);
}

static void ends_of(int64_t *least, int64_t *most, const pby_course *course, int input)
{
    *least = *most = course->stretch[0].at[input];
    for (size_t i = 1; i < course->count; i++) {
        *least = FLINT_MIN(*least, course->stretch[i].at[input]);
        *most = FLINT_MAX(*most, course->stretch[i].at[input]);
    }
}

void pby_course_summed(arb_t chance, const pby_course *course, int input, const pby_law *threshold,
                       const pby_law *answer, int64_t reach, slong prec)
{
    int64_t least, most;
    struct table noise, t;
    arb_t mass, value;
    arb_init(mass);
    arb_init(value);
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
    /* beyond reach on either side: something from 0 to 2 P(Z > reach), of noise that is symmetric */
    arb_sub_ui(mass, noise.cdf + noise.n - 1, 1, prec);
    arb_mul_si(mass, mass, -2, prec);
    arb_zero(value);
    arb_union(value, value, mass, prec);
    arb_add(chance, chance, value, prec);
    table_clear(&t);
    table_clear(&noise);
    arb_clear(value);
    arb_clear(mass);
}
