/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "loss/divergence/divergence.h"
#include "loss/loss.h"
#include "mechanism/run/noise_bars.h"
#include "probity/experimental/parts.h"
#include "tests/claims/decide.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

/* Only what passed is published, and of that what the mechanism makes of the exact count. */
Test(stabilise, a_million_bars)
{
    enum { N = 1000000 };
    pby_spec *spec = spec_of_both("threshold:eps=1,T=20", "stlap:eps=1,q=4");
    pby_release *release = NULL;
    int64_t *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    size_t shown = 0;
    for (size_t i = 0; i < N; i++)
        x[i] = (int64_t)(i % 41);
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(25), NULL), PBY_OK);
    cr_assert_eq(pby_release_form_of(release), PBY_RELEASE_PASSED);
    cr_assert_eq(pby_release_counts(release, x, y, N, NULL), PBY_OK);
    for (size_t i = 0; i < N; i++) {
        cr_assert(x[i] != 0 || y[i] == PBY_SUPPRESSED);
        cr_assert(y[i] == PBY_SUPPRESSED || (y[i] <= x[i] && x[i] - y[i] <= 4));
        shown += y[i] != PBY_SUPPRESSED;
    }
    cr_assert(shown > N / 3 && shown < 2 * N / 3, "%zu", shown);
    pby_release_free(release);
    free(y);
    free(x);
    pby_spec_free(spec);
}

enum { SPAN = 24, MOST = 6 };

/* A bar of that count and that utility, by which it passes: outcome 0 is nothing, the others are the noisy
 * counts from -SPAN/2 on, both ends open. Where the noise is farther than reach, nothing is published either.
 */
static void bar_law(arb_ptr out, const fmpq_t rate, const fmpq_t inner, slong threshold, slong reach,
                    slong count, slong utility)
{
    arb_t pass;
    arb_init(pass);
    for (slong i = 0; i <= SPAN; i++)
        arb_zero(out + i);
    arb_one(out);
    if (utility > 0) {
        outcomes_geometric_from(pass, rate, threshold - utility);
        for (slong i = 1; i <= SPAN; i++) {
            const slong v = i - SPAN / 2 - count;
            if (labs(v) > reach)
                continue;
            outcomes_geometric(out + i, inner, v);
            if (i == SPAN)
                outcomes_geometric_from(out + i, inner, v);
            if (i == 1)
                outcomes_geometric_from(out + i, inner, -v);
            arb_mul(out + i, out + i, pass, OUTCOMES_PREC);
            arb_sub(out, out, out + i, OUTCOMES_PREC);
        }
    }
    arb_clear(pass);
}

/* The largest divergence of the products of their pairs. */
static void product_bound(arb_t out, const char *one, const char *other, const fmpq_t epsilon)
{
    pby_spec *a = spec_of(one), *b = spec_of(other);
    pby_pairs p, q;
    arb_t ball;
    arb_init(ball);
    arb_zero(out);
    cr_assert_eq(pby_loss_pairs(&p, a, PBY_ADD_REMOVE, false, NULL), PBY_OK);
    cr_assert_eq(pby_loss_pairs(&q, b, PBY_ADD_REMOVE, false, NULL), PBY_OK);
    for (size_t i = 0; i < p.count; i++)
        for (size_t j = 0; j < q.count; j++) {
            pby_pair both_pairs;
            pby_pair_init(&both_pairs);
            cr_assert_eq(pby_pair_product(&both_pairs, &p.pair[i], &q.pair[j], NULL), PBY_OK);
            pby_hockey_stick_direct(ball, &both_pairs, epsilon, OUTCOMES_PREC);
            arb_max(out, out, ball, OUTCOMES_PREC);
            pby_pair_clear(&both_pairs);
        }
    pby_pairs_clear(&q);
    pby_pairs_clear(&p);
    arb_clear(ball);
    pby_spec_free(b);
    pby_spec_free(a);
}

static void bounds(const char *threshold, const char *behind, slong reach)
{
    arb_ptr law[MOST + 1];
    fmpq_t rate, inner, epsilon;
    arb_t ball, bound;
    arb_init(ball);
    arb_init(bound);
    fmpq_init(rate);
    fmpq_init(inner);
    fmpq_init(epsilon);
    fmpq_one(rate);
    set_text(inner, "1/2");
    for (slong c = 0; c <= MOST; c++) {
        law[c] = _arb_vec_init(SPAN + 1);
        bar_law(law[c], rate, inner, 3, reach, c, c);
    }
    for (int num = 0; num <= 8; num++) {
        fmpq_set_si(epsilon, num, 4);
        product_bound(bound, threshold, behind, epsilon);
        for (slong c = 0; c < MOST; c++)
            for (int back = 0; back < 2; back++) {
                outcomes_divergence(ball, &law[c + back], &law[c + 1 - back], 1, SPAN + 1, epsilon);
                outcomes_check(bound, ball, 0, behind);
            }
    }
    for (slong c = 0; c <= MOST; c++)
        _arb_vec_clear(law[c], SPAN + 1);
    fmpq_clear(epsilon);
    fmpq_clear(inner);
    fmpq_clear(rate);
    arb_clear(bound);
    arb_clear(ball);
}

/* The composition of the threshold and the mechanism bounds the stabilised mechanism at every count.
 * claims: Thresh/Theorem 6; Thresh/Lemma 8 */
Test(stabilise, the_composition_bounds_it)
{
    bounds("threshold:eps=1,T=3", "geometric:eps=1/2", 2 * SPAN);
    bounds("threshold:eps=1,T=3", "range:eps=1/2,L=3", 3);
}

enum { KINDS = 9, TWO = 2 };

/* Bars of counts and utilities from 0 to 2. */
static int distance(const int *x, const int *y, int of, bool *falls)
{
    int d = 0;
    for (int b = 0; b < TWO; b++) {
        const int change = (of == 0 ? y[b] % 3 - x[b] % 3 : y[b] / 3 - x[b] / 3);
        d += abs(change);
        *falls = *falls || change < 0;
    }
    return d;
}

/* The worst of all neighbours of two bars, whose utilities move by up to `apart` in all and whose counts by
 * one, behind a threshold of 2 at rate 1/2. */
static void worst_by_utility(arb_t worst, int apart, const fmpq_t epsilon)
{
    arb_ptr law[KINDS];
    arb_t ball;
    fmpq_t rate;
    arb_init(ball);
    fmpq_init(rate);
    set_text(rate, "1/2");
    arb_zero(worst);
    for (int k = 0; k < KINDS; k++) {
        law[k] = _arb_vec_init(SPAN + 1);
        bar_law(law[k], rate, rate, 2, 2 * SPAN, k % 3, k / 3);
    }
    for (int i = 0; i < KINDS * KINDS; i++)
        for (int j = 0; j < KINDS * KINDS; j++) {
            const int x[TWO] = {i % KINDS, i / KINDS}, y[TWO] = {j % KINDS, j / KINDS};
            bool falls = false;
            if (distance(x, y, 0, &falls) > 1 || distance(x, y, 1, &falls) > apart || falls)
                continue;
            const arb_ptr p[TWO] = {law[x[0]], law[x[1]]}, q[TWO] = {law[y[0]], law[y[1]]};
            outcomes_divergence(ball, p, q, TWO, SPAN + 1, epsilon);
            arb_max(worst, worst, ball, OUTCOMES_PREC);
            outcomes_divergence(ball, q, p, TWO, SPAN + 1, epsilon);
            arb_max(worst, worst, ball, OUTCOMES_PREC);
        }
    for (int k = 0; k < KINDS; k++)
        _arb_vec_clear(law[k], SPAN + 1);
    fmpq_clear(rate);
    arb_clear(ball);
}

/* Both utilities move by one: the sensitivity is 2, that of all together. By that of one element, as
 * Definition 5 has it, the same noise would be charged too little.
 * claims: Thresh/Definition 5 */
Test(stabilise, utilities_have_the_sensitivity_of_all_together)
{
    static const char *const at[] = {"0", "1/2", "1"};
    fmpq_t epsilon;
    arb_t worst, bound;
    fmpq_init(epsilon);
    arb_init(worst);
    arb_init(bound);
    for (size_t i = 0; i < 3; i++) {
        set_text(epsilon, at[i]);
        worst_by_utility(worst, 2, epsilon);
        product_bound(bound, "threshold:eps=1,T=2,sensitivity=2,of=utility", "geometric:eps=1/2", epsilon);
        outcomes_check(bound, worst, 0, at[i]);
        product_bound(bound, "threshold:eps=1/2,T=2,of=utility", "geometric:eps=1/2", epsilon);
        cr_assert(claims_lt_arb(CLAIMS_ALL, bound, worst), "%s", at[i]);
    }
    arb_clear(bound);
    arb_clear(worst);
    fmpq_clear(epsilon);
}

/* The utility decides, and a bar that is kept passes whatever it has. claims: Thresh/Example 2 */
Test(stabilise, utilities_and_kept_bars)
{
    enum { N = 1000 };
    static const char *const gates[] = {"threshold:eps=1,T=500,of=utility", "threshold:eps=1,T=500"};
    int64_t x[N], y[N], utility[N];
    bool kept[N];
    for (size_t i = 0; i < N; i++) {
        x[i] = (int64_t)(i % 3 == 0 ? 1000000 : 0);
        utility[i] = i % 2 == 0 ? 1000 : 0;
        kept[i] = i % 5 == 0;
    }
    for (int k = 0; k < 2; k++) {
        pby_spec *spec = spec_of_both(gates[k], "geometric:eps=1");
        pby_release *release = NULL;
        const pby_gate by = {k == 0 ? utility : NULL, kept};
        cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(3), NULL), PBY_OK);
        cr_assert_eq(pby_release_gated(release, x, &by, y, N, NULL), PBY_OK);
        for (size_t i = 0; i < N; i++) {
            const bool passes = kept[i] || (k == 0 ? utility[i] > 0 : x[i] > 0);
            cr_assert(claims_is(CLAIMS_ALL, (y[i] != PBY_SUPPRESSED) == passes), "%zu", i);
            cr_assert(!passes || llabs(y[i] - x[i]) < 60);
        }
        pby_error err;
        cr_assert_eq(pby_release_gated(release, x, &(pby_gate){k == 0 ? NULL : utility, NULL}, y, N, &err),
                     PBY_BAD);
        cr_assert_eq(strncmp(err.text, "utility: expected", 17), 0, "%s", err.text);
        pby_release_free(release);
        pby_spec_free(spec);
    }
}

/* With new=K a bar has one more than its utility, which must not wrap round to a bar that is hidden. */
Test(stabilise, the_greatest_utility)
{
    static const struct {
        const char *gate;
        int64_t utility;
        pby_status status;
    } cases[] = {{"threshold:eps=1,T=500,of=utility", INT64_MAX, PBY_OK},
                 {"threshold:eps=1,T=500,new=1,of=utility", INT64_MAX - 1, PBY_OK},
                 {"threshold:eps=1,T=500,new=1,of=utility", INT64_MAX, PBY_BAD},
                 {"threshold:eps=1,T=500,of=utility", -1, PBY_BAD}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *spec = spec_of_both(cases[i].gate, "geometric:eps=1");
        pby_release *release = NULL;
        pby_error err = {.text = ""};
        int64_t count = 7, noisy = 0;
        cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(5), NULL), PBY_OK);
        cr_assert_eq(
            pby_release_gated(release, &count, &(pby_gate){&cases[i].utility, NULL}, &noisy, 1, &err),
            cases[i].status, "%zu: %s", i, err.text);
        cr_assert(cases[i].status == PBY_OK ? noisy != PBY_SUPPRESSED : strstr(err.text, "utility:") != NULL);
        pby_release_free(release);
        pby_spec_free(spec);
    }
}

/* A threshold by itself publishes what is kept with its noise: of N bars of 0 about a/(1+a) are above 0, but
 * for a chance below 1e-9, and none is suppressed. */
Test(stabilise, kept_bars_of_a_threshold)
{
    enum { N = 40000 };
    static int64_t x[N], y[N];
    static bool kept[N];
    pby_spec *spec = spec_of("threshold:eps=1,T=20");
    pby_release *release = NULL;
    size_t above = 0, shown = 0;
    for (size_t i = 0; i < N; i++)
        kept[i] = i % 2 == 0;
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(4), NULL), PBY_OK);
    cr_assert_eq(pby_release_gated(release, x, &(pby_gate){NULL, kept}, y, N, NULL), PBY_OK);
    for (size_t i = 0; i < N; i++) {
        shown += y[i] != PBY_SUPPRESSED;
        above += y[i] > 0;
    }
    cr_assert_eq(shown, N / 2);
    cr_assert(above > 5200 && above < 5560, "%zu", above);
    pby_release_free(release);
    pby_spec_free(spec);
}

/* A bar that passed shows an interval that holds its count, or nothing. */
Test(stabilise, ranges_of_what_passed)
{
    enum { N = 100000, REACH = 3 };
    pby_spec *spec = spec_of_both("threshold:eps=1,T=20", "range:eps=1,L=3");
    pby_release *release = NULL;
    int64_t *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    size_t shown[2] = {0, 0};
    cr_assert(x != NULL && y != NULL);
    for (size_t i = 0; i < N; i++)
        x[i] = i % 2 == 0 ? 1000 : 1;
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(26), NULL), PBY_OK);
    cr_assert_eq(pby_release_form_of(release), PBY_RELEASE_PASSED_RANGES);
    cr_assert_eq(pby_release_reach(release), REACH);
    cr_assert_eq(pby_release_counts(release, x, y, N, NULL), PBY_OK);
    for (size_t i = 0; i < N; i++) {
        cr_assert(y[i] == PBY_SUPPRESSED || labs(y[i] - x[i]) <= REACH);
        shown[i % 2] += y[i] != PBY_SUPPRESSED;
    }
    /* of 50000 an interval has the chance 0.973, one that passed by its noise 4.1e-9 */
    cr_assert(shown[0] > 48000 && shown[0] < 49500, "%zu", shown[0]);
    cr_assert_leq(shown[1], 3);
    pby_release_free(release);
    free(y);
    free(x);
    pby_spec_free(spec);
}

static void refuses(const char *threshold, const char *behind, pby_neighbours relation, const char *part)
{
    pby_spec *spec = spec_of_both(threshold, behind);
    pby_release *release;
    pby_error err = {.text = ""};
    cr_assert_eq(pby_release_new(&release, spec, relation, &err), PBY_BAD, "%s %s", threshold, behind);
    cr_assert_null(release);
    cr_assert_not_null(strstr(err.text, part), "%s", err.text);
    pby_spec_free(spec);
}

static void accepts(const char *threshold, const char *behind, pby_neighbours relation)
{
    pby_spec *spec = spec_of_both(threshold, behind);
    pby_release *release;
    pby_error err = {.text = ""};
    cr_assert_eq(pby_release_new(&release, spec, relation, &err), PBY_OK, "%s", err.text);
    pby_release_free(release);
    pby_spec_free(spec);
}

Test(stabilise, refused)
{
    static const char expected[] = "a threshold in front of stlap with q, geometric, dgauss or range";
    static const char *const behind[] = {"buckethist:eps=1,q=4,bound=9,width=1",
                                         "stlap:eps=1,tau=1/2,n=5,bars=2",
                                         "partition:eps=1,delta=1/9",
                                         "threshold:eps=1,T=4",
                                         "2*geometric:eps=1",
                                         "gauss:sigma2=1,sensitivity=1"};
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        refuses("threshold:eps=1,T=3", behind[i], PBY_ADD_REMOVE, expected);
    refuses("geometric:eps=1", "threshold:eps=1,T=3", PBY_ADD_REMOVE, expected);
    refuses("2*threshold:eps=1,T=3", "geometric:eps=1", PBY_ADD_REMOVE, expected);
}

/* Both see one histogram: where a record moves a bar by 2, geometric:eps=1 has a delta of 0.4338 at 11/10 and
 * not 0. */
Test(stabilise, one_sensitivity_of_both)
{
    static const char one[] = "threshold:eps=1,T=30", two[] = "threshold:eps=1,T=30,sensitivity=2";
    refuses(two, "geometric:eps=1", PBY_ADD_REMOVE,
            "with add-remove neighbours threshold takes a histogram to move by 2 and geometric by 1");
    refuses(one, "geometric:eps=1,sensitivity=2", PBY_ADD_REMOVE, "by 1 and geometric by 2");
    refuses(two, "range:eps=1,L=3", PBY_ADD_REMOVE, "by 2 and range by 1");
    refuses(two, "stlap:eps=1,q=4", PBY_ADD_REMOVE, "by 2 and stlap by 1");
    refuses(one, "stlap:eps=1,q=4", PBY_SUBSTITUTE, "by 1 and stlap by 2");
    accepts(one, "stlap:eps=1,q=4", PBY_ADD_REMOVE);
    accepts(two, "stlap:eps=1,q=4", PBY_SUBSTITUTE);
    accepts(two, "range:eps=1,L=3,sensitivity=2", PBY_SUBSTITUTE);
    accepts(two, "geometric:eps=1,sensitivity=2", PBY_ADD_REMOVE);
}
