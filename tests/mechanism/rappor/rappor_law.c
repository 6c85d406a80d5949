/* SPDX-License-Identifier: MIT */
/* The law of the reports, from the definition: every permanent response and every report is enumerated. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/rappor/rappor.h"
#include "probity/experimental/losses.h"
#include "tests/claims/decide.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

/* The numbers of bits, of reports on each value and of values. */
struct shape {
    int bits, hashes, reports, values;
    const char *f, *p, *q;
};

static void complement(arb_t out, const arb_t x)
{
    arb_sub_ui(out, x, 1, OUTCOMES_PREC);
    arb_neg(out, out);
}

/* x times the chance y of an event, or of its opposite. */
static void take(arb_t x, const arb_t y, int happens)
{
    arb_t other;
    arb_init(other);
    complement(other, y);
    arb_mul(x, x, happens ? y : other, OUTCOMES_PREC);
    arb_clear(other);
}

static void ball_of(arb_t out, const char *text)
{
    fmpq_t q;
    fmpq_init(q);
    set_text(q, text);
    arb_set_fmpq(out, q, OUTCOMES_PREC);
    fmpq_clear(q);
}

/* The chances of all reports on the value whose bits are `truth`: 2^(bits reports) of them. */
static void report_value(arb_ptr out, const struct shape *s, int truth)
{
    arb_t kept, p, q, x;
    arb_init(kept);
    arb_init(p);
    arb_init(q);
    arb_init(x);
    ball_of(kept, s->f);
    arb_mul_2exp_si(kept, kept, -1);
    complement(kept, kept);
    ball_of(p, s->p);
    ball_of(q, s->q);
    for (int seen = 0; seen < 1 << s->bits * s->reports; seen++) {
        arb_zero(out + seen);
        for (int memo = 0; memo < 1 << s->bits; memo++) {
            arb_one(x);
            for (int i = 0; i < s->bits; i++) {
                take(x, kept, (memo >> i & 1) == (truth >> i & 1));
                for (int r = 0; r < s->reports; r++)
                    take(x, memo >> i & 1 ? p : q, seen >> (r * s->bits + i) & 1);
            }
            arb_add(out + seen, out + seen, x, OUTCOMES_PREC);
        }
    }
    arb_clear(x);
    arb_clear(q);
    arb_clear(p);
    arb_clear(kept);
}

static int ones(int x)
{
    return __builtin_popcount((unsigned)x);
}

/* Returns 1 if some value may have these bits. */
static int possible(const struct shape *s, int truth)
{
    return ones(truth) >= 1 && ones(truth) <= s->hashes;
}

static void spec_text(char *out, size_t size, const struct shape *s)
{
    char hashes[32] = "";
    if (s->hashes > 1)
        snprintf(hashes, sizeof hashes, ",hashes=%d", s->hashes);
    snprintf(out, size, "rappor:bits=%d%s,f=%s,p=%s,q=%s,reports=%d,values=%d", s->bits, hashes, s->f, s->p,
             s->q, s->reports, s->values);
}

/* No two values, and no two lists of two values that change at the same time, are worse than the stated loss,
 * and some are as bad. */
static void check_shape(const struct shape *s, const char *at)
{
    char text[200];
    const slong outcomes = (slong)1 << s->bits * s->reports;
    const int all = 1 << s->bits;
    arb_t bound, divergence, worst;
    fmpq_t epsilon;
    arb_ptr *law = calloc((size_t)all, sizeof *law);
    fmpq_init(epsilon);
    arb_init(bound);
    arb_init(divergence);
    arb_init(worst);
    set_text(epsilon, at);
    spec_text(text, sizeof text, s);
    ask_delta_for(bound, text, PBY_LOCAL, epsilon, 40);
    for (int x = 0; x < all; x++) {
        law[x] = _arb_vec_init(outcomes);
        report_value(law[x], s, x);
    }
    for (int x = 0; x < all; x++)
        for (int y = 0; y < all; y++)
            for (int z = 0; z < (s->values == 2 ? all : 1); z++) {
                /* the second values share no bit: with two bits that is as much as they may differ */
                const int w = s->values == 2 ? (all - 1) & ~z : 0;
                if (!possible(s, x) || !possible(s, y) ||
                    (s->values == 2 && (!possible(s, z) || !possible(s, w))))
                    continue;
                const arb_ptr p[] = {law[x], law[z]}, q[] = {law[y], law[w]};
                outcomes_divergence(divergence, p, q, s->values, outcomes, epsilon);
                arb_max(worst, worst, divergence, OUTCOMES_PREC);
            }
    cr_assert(claims_eq_arb(CLAIMS_ALL, worst, bound), "%s at %s", text, at);
    for (int x = 0; x < all; x++)
        _arb_vec_clear(law[x], outcomes);
    free(law);
    arb_clear(worst);
    arb_clear(divergence);
    arb_clear(bound);
    fmpq_clear(epsilon);
}

static const char *const epsilons[] = {"0", "1/3", "1", "9/4"};

/* claims: Survey/Theorem 7.4 */
Test(rappor_law, no_two_values_are_worse_than_the_pair)
{
    static const struct shape shapes[] = {
        {3, 1, 1, 1, "1/2", "1", "0"},     {3, 1, 2, 1, "1/2", "1", "0"},
        {3, 1, 2, 1, "1/3", "3/4", "1/5"}, {4, 2, 1, 1, "1/4", "1/2", "3/4"},
        {4, 2, 2, 1, "2/3", "1", "1/7"},   {3, 1, 3, 1, "1/8", "2/5", "1/4"},
        {3, 1, 2, 1, "0", "1/2", "1/9"},   {5, 2, 1, 1, "1/2", "3/4", "1/4"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t j = 0; j < sizeof epsilons / sizeof *epsilons; j++)
            check_shape(&shapes[i], epsilons[j]);
}

Test(rappor_law, two_values_are_a_product)
{
    static const struct shape shapes[] = {{2, 1, 1, 2, "1/2", "3/4", "1/5"},
                                          {2, 1, 2, 2, "1/4", "1/2", "1/8"}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t j = 0; j < sizeof epsilons / sizeof *epsilons; j++)
            check_shape(&shapes[i], epsilons[j]);
}

/* Without a limit the loss is that of the permanent response: h pairs of two bits of odds (2-f)/f.
 * claims: Survey/Theorem 7.4 */
Test(rappor_law, without_a_limit_it_is_the_permanent_response)
{
    for (size_t j = 0; j < sizeof epsilons / sizeof *epsilons; j++) {
        fmpq_t q;
        arb_t one, two, once;
        fmpq_init(q);
        arb_init(one);
        arb_init(two);
        arb_init(once);
        set_text(q, epsilons[j]);
        ask_delta_for(one, "rappor:bits=64,hashes=2,f=1/2,p=3/4,q=1/4,values=3", PBY_LOCAL, q, 30);
        ask_delta_for(once, "rappor:bits=64,hashes=2,f=1/2,reports=5,values=3", PBY_LOCAL, q, 30);
        ask_delta_for(two, "12*rr:odds=3", PBY_LOCAL, q, 30);
        cr_assert(claims_eq_arb(CLAIMS_ALL, one, two) && arb_overlaps(once, two));
        fmpq_clear(q);
        arb_clear(once);
        arb_clear(two);
        arb_clear(one);
    }
}

/* More reports lose more, and never as much as the permanent response. */
Test(rappor_law, more_reports_lose_more)
{
    arb_t less, more;
    fmpq_t q;
    char text[100];
    arb_init(less);
    arb_init(more);
    fmpq_init(q);
    set_text(q, "1/10");
    for (int n = 1; n <= 12; n++) {
        snprintf(text, sizeof text, "rappor:bits=8,f=1/2,p=3/5,q=2/7,reports=%d", n);
        ask_delta_for(more, text, PBY_LOCAL, q, 20);
        cr_assert(arb_lt(less, more), "%s", text);
        arb_set(less, more);
    }
    ask_delta_for(more, "rappor:bits=8,f=1/2,p=3/5,q=2/7", PBY_LOCAL, q, 20);
    cr_assert(arb_lt(less, more));
    fmpq_clear(q);
    arb_clear(more);
    arb_clear(less);
}

/* A greater f loses no more, whatever p and q are: what select relies on. */
Test(rappor_law, a_greater_f_loses_less)
{
    arb_t less, more;
    fmpq_t q;
    char text[100];
    arb_init(less);
    arb_init(more);
    fmpq_init(q);
    for (size_t j = 0; j < sizeof epsilons / sizeof *epsilons; j++) {
        set_text(q, epsilons[j]);
        arb_one(more);
        for (int f = 1; f <= 9; f++) {
            snprintf(text, sizeof text, "rappor:bits=8,hashes=2,f=%d/10,p=9/10,q=1/2,reports=2", f);
            ask_delta_for(less, text, PBY_LOCAL, q, 20);
            cr_assert(arb_le(less, more) || arb_overlaps(less, more), "%s", text);
            arb_set(more, less);
        }
    }
    fmpq_clear(q);
    arb_clear(more);
    arb_clear(less);
}

/* When a value changes is not hidden. One user reports 0 twice, another 0 and then 1. The permanent responses
 * of the first are one, those of the other are two: two reports that differ are possible for the other alone,
 * and have the chance 1 - (1/4 3/4 + 3/4 1/4)^2 = 55/64 at f = 1/2 with two bits. `values` is no price for
 * that. */
Test(rappor_law, a_change_of_value_shows)
{
    fmpq_t apart, told;
    arb_t told_ball;
    fmpq_init(apart);
    fmpq_init(told);
    arb_init(told_ball);
    for (int first = 0; first < 4; first++)
        for (int second = 0; second < 4; second++) {
            const int turned = ones(first ^ 1) + ones(second ^ 2);
            fmpq_t x;
            fmpq_init(x);
            fmpq_set_si(x, turned == 0 ? 81 : turned == 1 ? 27 : turned == 2 ? 9 : turned == 3 ? 3 : 1, 256);
            if (first != second)
                fmpq_add(apart, apart, x);
            fmpq_clear(x);
        }
    fmpq_set_si(told, 55, 64);
    cr_assert(fmpq_equal(apart, told));
    fmpq_set_si(told, 9, 1);
    ask_delta_for(told_ball, "rappor:bits=2,f=1/2,values=2", PBY_LOCAL, told, 9);
    cr_assert(arb_is_zero(told_ball));
    arb_clear(told_ball);
    fmpq_clear(told);
    fmpq_clear(apart);
}

/* epsilon at delta 0 is h log(A (1-B)/(B (1-A))), A and B exchanged where p < q. */
Test(rappor_law, one_report_has_its_formula)
{
    static const struct {
        const char *spec;
        double a, b, hashes;
    } rows[] = {
        {"rappor:bits=64,hashes=2,f=1/2,p=3/4,q=1/4,reports=1", 0.625, 0.375, 2},
        {"rappor:bits=64,hashes=3,f=1/4,p=1/2,q=3/4,reports=1", 0.71875, 0.53125, 3},
        {"rappor:bits=64,f=1/2,p=9/10,q=1/5,reports=1", 0.725, 0.375, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_spec *spec = spec_of(rows[i].spec);
        pby_enclosure epsilon;
        mpq_t delta;
        mpq_init(delta);
        pby_enclosure_init(&epsilon);
        cr_assert_eq(pby_loss_epsilon(&epsilon, spec, PBY_LOCAL, delta, 12, NULL), PBY_OK);
        const double a = rows[i].a, b = rows[i].b, told = mpfr_get_d(epsilon.lo, MPFR_RNDN);
        cr_assert(fabs(told - rows[i].hashes * log(a * (1 - b) / (b * (1 - a)))) < 1e-9, "%s: %g",
                  rows[i].spec, told);
        pby_enclosure_clear(&epsilon);
        mpq_clear(delta);
        pby_spec_free(spec);
    }
}

static void refuses(const char *text, const char *expected)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_BAD, "%s", text);
    cr_assert_not_null(strstr(err.text, expected), "%s", err.text);
}

Test(rappor_law, refusals)
{
    refuses("rappor:bits=1,f=1/2", "from 2 to 65536");
    refuses("rappor:bits=65537,f=1/2", "from 2 to 65536");
    refuses("rappor:bits=7,hashes=4,f=1/2", "twice the hashes");
    refuses("rappor:bits=8,f=1/2,cohorts=2", "hashes=H");
    refuses("rappor:bits=8,f=1/2,seed=2", "hashes=H");
    refuses("rappor:bits=8,hashes=1,f=1/2,cohorts=1000001", "at most 1000000");
    refuses("rappor:bits=8,f=1/2,p=1/3,q=1/3", "that differ");
    refuses("rappor:bits=8,f=0", "f=F above 0");
    refuses("rappor:bits=8,f=0,p=1,q=1/2,reports=1", "f=F above 0");
    refuses("rappor:bits=8,f=0,p=1/2,q=1/4", "f=F above 0");
    refuses("rappor:bits=8,f=3/2", "from 0 to 1");
    refuses("rappor:bits=8,f=1/2,reports=4097", "at most 4096");
    refuses("rappor:bits=8,f=1/2,values=1000000000", "at most 1000000000");
    refuses("rappor:f=1/2", "bits");
}
