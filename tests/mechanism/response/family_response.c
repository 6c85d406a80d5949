/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "mechanism/run/noise_bars.h"
#include "probity/experimental/losses.h"
#include "probity/experimental/parts.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

/* The report of one truth, from the definition: the truth with odds g against each other answer. */
static void report(arb_ptr out, const arb_t g, slong truth, slong answers)
{
    arb_t total;
    arb_init(total);
    arb_add_si(total, g, answers - 1, OUTCOMES_PREC);
    for (slong y = 0; y < answers; y++) {
        arb_one(out + y);
        if (y == truth)
            arb_set(out + y, g);
        arb_div(out + y, out + y, total, OUTCOMES_PREC);
    }
    arb_clear(total);
}

/* The worst of all two truths is the loss that is told, and every two have it. */
static void check_truths(const char *spec, const char *odds, const char *eps, slong answers, const char *at)
{
    arb_t g, bound, worst;
    fmpq_t q;
    arb_ptr p = _arb_vec_init(answers), r = _arb_vec_init(answers);
    arb_init(g);
    arb_init(bound);
    arb_init(worst);
    fmpq_init(q);
    set_text(q, eps);
    arb_set_fmpq(g, q, OUTCOMES_PREC);
    arb_exp(g, g, OUTCOMES_PREC);
    set_text(q, odds);
    arb_mul_fmpz(g, g, fmpq_numref(q), OUTCOMES_PREC);
    arb_div_fmpz(g, g, fmpq_denref(q), OUTCOMES_PREC);
    set_text(q, at);
    ask_delta_for(bound, spec, PBY_LOCAL, q, 40);
    for (slong x = 0; x < answers; x++)
        for (slong y = 0; y < answers; y++) {
            if (x == y)
                continue;
            report(p, g, x, answers);
            report(r, g, y, answers);
            outcomes_divergence(worst, &p, &r, 1, answers, q);
            cr_assert(arb_overlaps(bound, worst), "%s at %s: truths %ld and %ld", spec, at, x, y);
        }
    fmpq_clear(q);
    arb_clear(worst);
    arb_clear(bound);
    arb_clear(g);
    _arb_vec_clear(r, answers);
    _arb_vec_clear(p, answers);
}

Test(response, no_two_truths_are_worse_than_the_pair)
{
    static const char *const epsilons[] = {"-2", "-1/2", "0", "1/3", "1", "5/4", "3"};
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        check_truths("rr:odds=3", "3", "0", 2, epsilons[i]);
        check_truths("rr:eps=1/2", "1", "1/2", 2, epsilons[i]);
        check_truths("krr:eps=1,k=2", "1", "1", 2, epsilons[i]);
        check_truths("krr:eps=3/2,k=5", "1", "3/2", 5, epsilons[i]);
        check_truths("krr:odds=4,k=5", "4", "0", 5, epsilons[i]);
    }
}

/* Values from outside, computed from the definition in 120 digits. */
Test(response, values_from_outside)
{
    static const struct {
        const char *spec, *epsilon, *delta;
    } rows[] = {
        {"rr:odds=5", "-1/2", "0.7322448900478944293993667"},
        {"rr:odds=9/2", "1/3", "0.5644341045298019038857954"},
        {"krr:eps=3/2,k=3", "3/4", "0.3648260550705582207862139"},
        {"krr:eps=1/2,k=20", "-1/4", "0.2349543261658322299208341"},
        {"krr:eps=1/2,k=20", "3/4", "0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        arb_t ball, value;
        fmpq_t q;
        arb_init(ball);
        arb_init(value);
        fmpq_init(q);
        set_text(q, rows[i].epsilon);
        ask_delta_for(ball, rows[i].spec, PBY_LOCAL, q, 20);
        arb_set_str(value, rows[i].delta, OUTCOMES_PREC);
        arb_sub(ball, ball, value, OUTCOMES_PREC);
        mag_t size;
        mag_init(size);
        arb_get_mag(size, ball);
        cr_assert(mag_cmp_2exp_si(size, -60) <= 0, "%s at %s", rows[i].spec, rows[i].epsilon);
        mag_clear(size);
        fmpq_clear(q);
        arb_clear(value);
        arb_clear(ball);
    }
}

static void refuses(const char *text, const char *expected)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, expected), "%s", err.text);
}

Test(response, refusals)
{
    refuses("rr", "eps=E or odds=G");
    refuses("rr:eps=1,odds=3", "one of the two");
    refuses("rr:odds=1", "above 1");
    refuses("krr:eps=1,k=1", "at least 2");
    refuses("krr:eps=1,odds=3,k=3", "one of the two");
    refuses("krr:k=3", "one of the two");
    pby_spec *mixed = spec_of("rr:eps=1 geometric:eps=1");
    pby_neighbours relation;
    pby_error err;
    cr_assert_eq(pby_spec_neighbours(&relation, mixed, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "local"), "%s", err.text);
    pby_spec_free(mixed);
}

Test(response, neighbours_are_local_and_no_others)
{
    pby_spec *spec = spec_of("rr:eps=1");
    pby_neighbours relation;
    pby_enclosure delta;
    pby_error err;
    mpq_t zero;
    mpq_init(zero);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_spec_neighbours(&relation, spec, &err), PBY_OK);
    cr_assert_eq(relation, PBY_LOCAL);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_SUBSTITUTE, zero, 9, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "neighbours 'substitute': expected local, which rr is about");
    pby_spec_free(spec);
    spec = spec_of("geometric:eps=1");
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_LOCAL, zero, 9, &err), PBY_BAD);
    pby_spec_free(spec);
    pby_enclosure_clear(&delta);
    mpq_clear(zero);
}

/* Counts the reports of each truth. A count of n reports is beyond n p by so much with a chance of at most 2
 * exp(-2 d^2/n) (Hoeffding): d = 2500 of n = 200000 is below 1e-26 for each of the nine. */
Test(response, a_release_reports_the_truth_with_its_odds)
{
    enum { N = 200000, K = 3, FAR = 2500 };
    pby_spec *spec = spec_of("krr:eps=3/2,k=3");
    pby_release *release;
    static int64_t answers[N], given[N];
    cr_assert_eq(pby_release_with(&release, spec, PBY_LOCAL, seeded(7), NULL), PBY_OK);
    cr_assert_eq(pby_release_most(release), K - 1);
    const double g = exp(1.5), other = 1 / (g + K - 1);
    for (int64_t truth = 0; truth < K; truth++) {
        int64_t count[K] = {0};
        for (size_t i = 0; i < N; i++)
            answers[i] = truth;
        cr_assert_eq(pby_release_counts(release, answers, given, N, NULL), PBY_OK);
        for (size_t i = 0; i < N; i++)
            count[given[i]]++;
        for (int64_t y = 0; y < K; y++)
            cr_assert_lt(fabs((double)count[y] - N * other * (y == truth ? g : 1)), FAR);
    }
    pby_release_free(release);
    pby_spec_free(spec);
}

Test(response, an_answer_that_there_is_not_is_refused)
{
    pby_spec *spec = spec_of("rr:eps=1");
    pby_release *release;
    pby_error err;
    const int64_t answers[2] = {0, 2};
    int64_t given[2] = {5, 5};
    cr_assert_eq(pby_release_with(&release, spec, PBY_LOCAL, seeded(7), NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, answers, given, 2, &err), PBY_BAD);
    cr_assert(given[0] == 0 && given[1] == 0, "nothing is left of it");
    cr_assert_str_eq(err.text, "answers: expected integers from 0 to 1, the answers of rr");
    pby_release_free(release);
    pby_spec_free(spec);
}
