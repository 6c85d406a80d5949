/* SPDX-License-Identifier: MIT */
/* The loss of random specs against direct enumeration of outcomes and of neighbours. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/loss/brute.h"

enum { DIGITS = 40, TEXT = 256 };

/* A random rational n/d, 1 <= n <= most d, d <= 6. */
static void random_positive(fmpq_t q, flint_rand_t state, slong most)
{
    const slong d = 1 + (slong)n_randint(state, 6);
    fmpq_set_si(q, 1 + (slong)n_randint(state, (ulong)(most * d)), (ulong)d);
}

/* One random question: a spec, an epsilon, and the answer by enumeration. */
struct trial {
    char spec[TEXT];
    pby_neighbours relation;
    fmpq_t epsilon, a, b;
    arb_t expected;
};

static void trial_init(struct trial *t)
{
    t->relation = PBY_ADD_REMOVE;
    fmpq_init(t->epsilon);
    fmpq_init(t->a);
    fmpq_init(t->b);
    arb_init(t->expected);
}

static void trial_clear(struct trial *t)
{
    arb_clear(t->expected);
    fmpq_clear(t->b);
    fmpq_clear(t->a);
    fmpq_clear(t->epsilon);
}

/* The greatest over the shifts 1 .. most, both ways. */
static void worst_shift(struct trial *t, const brute *law, slong most)
{
    arb_t x;
    arb_init(x);
    arb_zero(t->expected);
    for (slong shift = -most; shift <= most; shift++) {
        brute_hockey_stick(x, law, shift, t->epsilon);
        arb_max(t->expected, t->expected, x, BRUTE_PREC);
    }
    arb_clear(x);
}

static void write_spec(struct trial *t, const char *format, slong number)
{
    char *a = fmpq_get_str(NULL, 10, t->a), *b = fmpq_get_str(NULL, 10, t->b);
    char text[TEXT];
    size_t used = 0;
    for (const char *s = format; *s != '\0'; s++) {
        if (*s == 'A' || *s == 'B')
            used += (size_t)snprintf(text + used, TEXT - used, "%s", *s == 'A' ? a : b);
        else if (*s == 'N')
            used += (size_t)snprintf(text + used, TEXT - used, "%ld", number);
        else
            text[used++] = *s;
    }
    text[used] = '\0';
    strcpy(t->spec, text);
    flint_free(b);
    flint_free(a);
}

static void try_geometric(struct trial *t, flint_rand_t state)
{
    const slong sensitivity = 1 + (slong)n_randint(state, 4);
    brute law;
    random_positive(t->a, state, 3);
    write_spec(t, "geometric:eps=A,sensitivity=N", sensitivity);
    fmpq_set_si(t->b, sensitivity, 1);
    fmpq_div(t->a, t->a, t->b);
    brute_geometric(&law, t->a);
    worst_shift(t, &law, sensitivity);
    brute_clear(&law);
}

static void try_tgeometric(struct trial *t, flint_rand_t state)
{
    const slong sensitivity = 1 + (slong)n_randint(state, 4), bound = 1 + (slong)n_randint(state, 6);
    brute law;
    random_positive(t->a, state, 2);
    fmpq_set_si(t->b, bound, 1);
    write_spec(t, "tgeometric:eps=A,bound=B,sensitivity=N", sensitivity);
    fmpq_set_si(t->b, sensitivity, 1);
    fmpq_div(t->a, t->a, t->b);
    brute_geometric(&law, t->a);
    brute_clip(&law, bound);
    worst_shift(t, &law, sensitivity);
    brute_clear(&law);
}

static void try_dgauss(struct trial *t, flint_rand_t state)
{
    const slong sensitivity = 1 + (slong)n_randint(state, 4);
    brute law;
    random_positive(t->a, state, 20);
    write_spec(t, "dgauss:sigma2=A,sensitivity=N", sensitivity);
    brute_dgauss(&law, t->a);
    worst_shift(t, &law, sensitivity);
    brute_clear(&law);
}

/* Scale N, grid A, sensitivity B: the shifts that a query within B can make are found by rounding the
 * points of a finer grid. */
static void try_laplace(struct trial *t, flint_rand_t state)
{
    const slong scale = 1 + (slong)n_randint(state, 4);
    brute law;
    fmpq_t moved, step, x;
    fmpz_t from, to;
    slong most = 0;
    fmpq_init(moved);
    fmpq_init(step);
    fmpq_init(x);
    fmpz_init(from);
    fmpz_init(to);
    random_positive(t->a, state, 1);
    random_positive(t->b, state, 3);
    write_spec(t, "laplace:scale=N,grid=A,sensitivity=B", scale);
    fmpq_div(moved, t->b, t->a); /* in steps of the grid */
    fmpq_set_si(step, 1, 1000);
    for (slong i = 0; i < 1000; i++) {
        fmpq_mul_si(x, step, i);
        fmpz_fdiv_q(from, fmpq_numref(x), fmpq_denref(x));
        fmpq_add(x, x, moved);
        fmpz_fdiv_q(to, fmpq_numref(x), fmpq_denref(x));
        fmpz_sub(to, to, from);
        most = FLINT_MAX(most, fmpz_get_si(to));
    }
    fmpq_set_si(x, scale, 1);
    fmpq_div(t->a, t->a, x);
    brute_geometric(&law, t->a);
    worst_shift(t, &law, most);
    brute_clear(&law);
    fmpz_clear(to);
    fmpz_clear(from);
    fmpq_clear(x);
    fmpq_clear(step);
    fmpq_clear(moved);
}

static void try_stlap(struct trial *t, flint_rand_t state)
{
    brute law;
    random_positive(t->a, state, 2);
    random_positive(t->b, state, 8);
    write_spec(t, "stlap:eps=A,q=B", 0);
    brute_stlap(&law, t->a, t->b);
    if (n_randint(state, 2) == 0) {
        worst_shift(t, &law, 1);
    } else {
        t->relation = PBY_SUBSTITUTE;
        brute_hockey_stick_twice(t->expected, &law, 1, -1, t->epsilon);
    }
    brute_clear(&law);
}

Test(enumeration, a_hundred_random_specs_against_enumeration)
{
    void (*const families[])(struct trial *, flint_rand_t) = {try_geometric, try_tgeometric, try_dgauss,
                                                              try_laplace, try_stlap};
    flint_rand_t state;
    flint_randinit(state);
    for (size_t i = 0; i < 100; i++) {
        struct trial t;
        arb_t found;
        trial_init(&t);
        arb_init(found);
        fmpq_set_si(t.epsilon, (slong)n_randint(state, 37) - 18, 6);
        families[i % 5](&t, state);
        ask_delta_for(found, t.spec, t.relation, t.epsilon, DIGITS);
        char *e = fmpq_get_str(NULL, 10, t.epsilon);
        cr_assert(brute_close(found, t.expected), "%s at %s", t.spec, e);
        flint_free(e);
        arb_clear(found);
        trial_clear(&t);
    }
    flint_randclear(state);
}

/* For log-concave noise the full shift is the worst of all, at every epsilon. */
Test(enumeration, smaller_shifts_of_log_concave_noise_are_dominated)
{
    brute geometric, dgauss;
    fmpq_t x;
    arb_t small, large;
    fmpq_init(x);
    arb_init(small);
    arb_init(large);
    set_text(x, "2/5");
    brute_geometric(&geometric, x);
    set_text(x, "13/3");
    brute_dgauss(&dgauss, x);
    for (slong e = -12; e <= 12; e++)
        for (slong shift = 1; shift < 6; shift++)
            for (int which = 0; which <= 1; which++) {
                fmpq_set_si(x, e, 5);
                brute_hockey_stick(small, which ? &dgauss : &geometric, shift, x);
                brute_hockey_stick(large, which ? &dgauss : &geometric, shift + 1, x);
                cr_assert(arb_lt(small, large) || brute_close(small, large));
            }
    brute_clear(&dgauss);
    brute_clear(&geometric);
    arb_clear(large);
    arb_clear(small);
    fmpq_clear(x);
}

/* Clipped noise is not log-concave: here a shift of 1 is worse than the full shift of 4. */
Test(enumeration, a_smaller_shift_of_clipped_noise_may_be_the_worst)
{
    brute law;
    fmpq_t x;
    arb_t one, four, found;
    fmpq_init(x);
    arb_init(one);
    arb_init(four);
    arb_init(found);
    set_text(x, "1/40");
    brute_geometric(&law, x);
    brute_clip(&law, 2);
    set_text(x, "1/2");
    brute_hockey_stick(one, &law, 1, x);
    brute_hockey_stick(four, &law, 4, x);
    cr_assert(arb_gt(one, four));
    ask_delta(found, "tgeometric:eps=1/10,bound=2,sensitivity=4", x, DIGITS);
    cr_assert(arb_gt(found, four));
    brute_clear(&law);
    arb_clear(found);
    arb_clear(four);
    arb_clear(one);
    fmpq_clear(x);
}
