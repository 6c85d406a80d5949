/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "mechanism/onebit/memobit.h"
#include "probity/experimental/draw.h"
#include "tests/claims/decide.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/spec.h"

/* Values 0 to 3 in three rounds, at odds 3. The law of a course is in parts of STEPS (ODDS + 1)^2, an outcome
 * for each set of rounds that report 1. */
enum { STEPS = 3, ROUNDS = 3, ODDS = 3, OUTCOMES = 1 << ROUNDS, COURSES = 64, PARTS = STEPS * 16 };

typedef struct course {
    int value[ROUNDS], law[OUTCOMES];
} course;

static int drift_of(const course *c)
{
    int least = STEPS, greatest = 0;
    for (int i = 0; i < ROUNDS; i++) {
        least = c->value[i] < least ? c->value[i] : least;
        greatest = c->value[i] > greatest ? c->value[i] : greatest;
    }
    return greatest - least;
}

/* Every offset with every two kept reports. */
static void enumerate(course *c, int number)
{
    memset(c->law, 0, sizeof c->law);
    for (int i = 0; i < ROUNDS; i++)
        c->value[i] = number >> 2 * i & 3;
    for (int offset = 0; offset < STEPS; offset++)
        for (int kept = 0; kept < 4; kept++) {
            const int low = kept & 1, high = kept >> 1;
            int told = 0;
            for (int i = 0; i < ROUNDS; i++)
                told |= (c->value[i] + offset >= STEPS ? high : low) << i;
            c->law[told] += (low == 0 ? ODDS : 1) * (high == 1 ? ODDS : 1);
        }
}

/* The divergence of two courses at z = exp(epsilon). */
static void divergence(arb_t out, const course *x, const course *y, const arb_t z, slong prec)
{
    arb_t part, zero;
    arb_init(part);
    arb_init(zero);
    arb_zero(out);
    for (int o = 0; o < OUTCOMES; o++) {
        arb_mul_si(part, z, -y->law[o], prec);
        arb_add_si(part, part, x->law[o], prec);
        arb_max(part, part, zero, prec);
        arb_add(out, out, part, prec);
    }
    arb_div_si(out, out, PARTS, prec);
    arb_clear(zero);
    arb_clear(part);
}

static void worst_of_courses(arb_t worst, int drift, const fmpq_t epsilon)
{
    enum { PREC = 128 };
    static course all[COURSES];
    arb_t z, one;
    arb_init(z);
    arb_init(one);
    arb_set_fmpq(z, epsilon, PREC);
    arb_exp(z, z, PREC);
    arb_zero(worst);
    for (int i = 0; i < COURSES; i++)
        enumerate(&all[i], i);
    for (int i = 0; i < COURSES; i++)
        for (int j = 0; j < COURSES; j++) {
            if (drift_of(&all[i]) > drift || drift_of(&all[j]) > drift)
                continue;
            divergence(one, &all[i], &all[j], z, PREC);
            arb_max(worst, worst, one, PREC);
        }
    arb_clear(one);
    arb_clear(z);
}

/* The loss is that of the worst two of all courses, at every drift.
 * claims: Survey/Theorem 7.9 */
Test(memobit, no_two_courses_are_worse_than_the_pairs_and_some_are_as_bad)
{
    static const char *const at[] = {"-1", "-1/3", "0", "1/2", "6/5", "3"};
    static const char *const specs[] = {"memobit:odds=3,hi=3,drift=0", "memobit:odds=3,hi=3,drift=1",
                                        "memobit:odds=3,hi=5,lo=-1,grid=2,drift=4",
                                        "memobit:odds=3,hi=3,drift=3"};
    arb_t bound, worst;
    fmpq_t epsilon;
    arb_init(bound);
    arb_init(worst);
    fmpq_init(epsilon);
    for (int drift = 0; drift <= STEPS; drift++)
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            set_text(epsilon, at[i]);
            ask_delta_for(bound, specs[drift], PBY_LOCAL, epsilon, 30);
            worst_of_courses(worst, drift, epsilon);
            cr_assert(claims_may_le_arb(CLAIMS_ALL, worst, bound), "%s at %s", specs[drift], at[i]);
            cr_assert(arb_overlaps(worst, bound), "%s at %s", specs[drift], at[i]);
        }
    fmpq_clear(epsilon);
    arb_clear(worst);
    arb_clear(bound);
}

/* A value that may change tells when with chance (drift/(hi - lo)) (g^2 + 1)/(g + 1)^2, at any epsilon. */
Test(memobit, a_change_is_told_at_every_epsilon)
{
    fmpq_t epsilon, told;
    arb_t delta, part;
    fmpq_init(epsilon);
    fmpq_init(told);
    arb_init(delta);
    arb_init(part);
    fmpq_set_si(epsilon, 1000, 1);
    fmpq_set_si(told, 5 * 10, 100 * 16);
    ask_delta_for(delta, "memobit:odds=3,hi=100,drift=5", PBY_LOCAL, epsilon, 20);
    arb_set_fmpq(part, told, 128);
    cr_assert(arb_overlaps(delta, part) && arb_rel_accuracy_bits(delta) > 50);
    arb_clear(part);
    arb_clear(delta);
    fmpq_clear(told);
    fmpq_clear(epsilon);
}

/* The course 0, 2, 3 has the outcomes of its law: a count of n draws is beyond its mean by 0.025 n with a
 * chance below 2 exp(-2 0.025^2 n) (Hoeffding), 1e-10 for each of eight at n = 20000. */
Test(memobit, reports_have_the_law_of_their_course)
{
    enum { N = 20000 };
    static const int values[ROUNDS] = {0, 2, 3};
    pby_spec *spec = spec_of("memobit:odds=3,hi=3,drift=3");
    const pby_mechanism *m;
    pby_sampler *sampler;
    pby_entropy *source = seeded(11);
    int seen[OUTCOMES] = {0};
    course c;
    enumerate(&c, values[0] | values[1] << 2 | values[2] << 4);
    cr_assert_eq(pby_spec_memobit(&m, spec, NULL), PBY_OK);
    cr_assert_eq(pby_sampler_new(&sampler, spec, NULL), PBY_OK);
    for (int i = 0; i < N; i++) {
        int64_t step[ROUNDS] = {values[0], values[1], values[2]};
        cr_assert_eq(pby_memobit_report(step, ROUNDS, m, sampler, source, NULL), PBY_OK);
        seen[step[0] | step[1] << 1 | step[2] << 2]++;
    }
    for (int o = 0; o < OUTCOMES; o++)
        cr_assert_lt(fabs(seen[o] - (double)N * c.law[o] / PARTS), N * 0.025, "outcome %d", o);
    pby_entropy_free(source);
    pby_sampler_free(sampler);
    pby_spec_free(spec);
}

Test(memobit, refusals)
{
    static const char *const wrong[] = {"memobit:eps=1,hi=3,drift=4", "memobit:eps=1,hi=3,drift=1/2",
                                        "memobit:eps=1,hi=3,drift=-1", "memobit:hi=3,drift=1"};
    pby_error err;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pby_spec *spec = NULL;
        cr_assert_eq(pby_spec_parse(&spec, &wrong[i], 1, &err), PBY_BAD, "%s", wrong[i]);
    }
    pby_spec *spec = spec_of("memobit:eps=1,hi=3,lo=1,grid=1/2,drift=1");
    const pby_mechanism *m;
    int64_t step = 0;
    const int64_t far[2] = {0, 3}, near[2] = {2, 4};
    cr_assert_eq(pby_spec_memobit(&m, spec, NULL), PBY_OK);
    cr_assert_eq(pby_memobit_step(&step, m, "2.5", NULL), PBY_OK);
    cr_assert_eq(step, 3);
    cr_assert_eq(pby_memobit_step(&step, m, "2.25", &err), PBY_BAD);
    cr_assert_eq(pby_memobit_step(&step, m, "3.5", &err), PBY_BAD);
    cr_assert_null(strstr(err.text, "3.5"), "a value is secret");
    cr_assert_eq(pby_memobit_check(m, far, 2, &err), PBY_BAD);
    cr_assert_eq(pby_memobit_check(m, near, 2, &err), PBY_OK);
    pby_spec_free(spec);
}
