/* (alpha, beta, gamma) of releases and statistics: against the law of the noise, against a million releases,
 * and against what the paper prints. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "law/laws.h"
#include "make.h"
#include "probity/release.h"

static pby_spec *spec_of(const char *text)
{
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    return spec;
}

/* alpha of a spec, as text; *bar_loss, the paper's alpha and beta where they are not NULL. */
struct told {
    char alpha[64], beta[64], claimed[64];
    uint64_t bar_loss;
};

static struct told ask(const char *text, uint64_t n, uint64_t support, const char *width)
{
    struct told t;
    pby_spec *spec = spec_of(text);
    pby_accuracy a;
    mpq_t w, claimed;
    mpq_inits(w, claimed, NULL);
    pby_accuracy_init(&a);
    cr_assert_eq(mpq_set_str(w, width, 10), 0);
    const pby_input_class inputs = {n, support, w};
    cr_assert_eq(pby_accuracy_release(&a, &t.bar_loss, spec, &inputs, NULL), PBY_OK);
    cr_assert_eq(pby_accuracy_claimed(claimed, spec, &inputs, NULL), PBY_OK);
    cr_assert_eq(mpq_sgn(a.gamma), 0);
    snprintf(t.alpha, sizeof t.alpha, "%s", text_of(&a.alpha));
    snprintf(t.beta, sizeof t.beta, "%s", text_of(&a.beta));
    snprintf(t.claimed, sizeof t.claimed, "%s", text_of_q(claimed));
    pby_accuracy_clear(&a);
    mpq_clears(w, claimed, NULL);
    pby_spec_free(spec);
    return t;
}

Test(flexible, alpha_is_the_most_that_the_bars_can_lose)
{
    struct told t = ask("stlap:eps=1/2,q=40", 3000, 3, "0");
    cr_assert_eq(t.bar_loss, 40);
    cr_assert_str_eq(t.alpha, "1/25");
    cr_assert_str_eq(t.claimed, "1/25");
    cr_assert_str_eq(t.beta, "0");
    t = ask("stlap:eps=1/2,q=40", 100, 3, "2/3");
    cr_assert_str_eq(t.alpha, "1"); /* all of them */
    cr_assert_str_eq(t.beta, "1/3");
    t = ask("stlap:eps=2,q=1/2", 100, 3, "0");
    cr_assert_str_eq(t.alpha, "0"); /* rounding takes it all back */
    cr_assert_str_eq(t.claimed, "3/200");
}

Test(flexible, a_threshold_from_the_size_is_asked_about_that_size)
{
    const struct told t = ask("stlap:eps=1/2,tau=1/75,n=3000,bars=3", 3000, 3, "0");
    cr_assert_eq(t.bar_loss, 40);
    cr_assert_str_eq(t.alpha, "1/25");
    cr_assert_str_eq(t.claimed, "1/25");
    cr_assert_str_eq(ask("stlap:eps=1/2,tau=1/75,n=3000,bars=3", 3000, 2, "0").alpha, "2/75");
    pby_spec *spec = spec_of("stlap:eps=1/2,tau=1/75,n=3000,bars=3");
    pby_accuracy a;
    uint64_t loss;
    mpq_t width;
    mpq_init(width);
    pby_accuracy_init(&a);
    const pby_input_class other = {2000, 3, width}, wide = {3000, 4, width};
    cr_assert_eq(pby_accuracy_release(&a, &loss, spec, &other, NULL), PBY_BAD);
    cr_assert_eq(pby_accuracy_release(&a, &loss, spec, &wide, NULL), PBY_BAD);
    pby_accuracy_clear(&a);
    mpq_clear(width);
    pby_spec_free(spec);
}

Test(flexible, buckets_of_the_mechanism_itself)
{
    const char text[] = "buckethist:eps=1/2,q=7/2,bound=10,width=1/2";
    const struct told t = ask(text, 1000, 20, "0");
    cr_assert_eq(t.bar_loss, 3);
    cr_assert_str_eq(t.alpha, "3/50");
    cr_assert_str_eq(t.claimed, "7/100");
    cr_assert_str_eq(t.beta, "1/4");
    pby_spec *spec = spec_of(text);
    pby_accuracy a;
    uint64_t loss;
    mpq_t width;
    mpq_init(width);
    mpq_set_ui(width, 1, 1);
    pby_accuracy_init(&a);
    const pby_input_class twice = {1000, 20, width};
    cr_assert_eq(pby_accuracy_release(&a, &loss, spec, &twice, NULL), PBY_BAD);
    pby_accuracy_clear(&a);
    mpq_clear(width);
    pby_spec_free(spec);
}

/* Printed as tau t, that is t q / n. A threshold that is no integer is rounded to a loss above it: one record
 * in one bar, q = 3/5, and the bar may lose all of it, which is more than 3/5. */
Test(flexible, rounding_loses_more_than_the_threshold)
{
    const struct told t = ask("stlap:eps=1,q=3/5", 1, 1, "0");
    cr_assert_eq(t.bar_loss, 1);
    cr_assert_str_eq(t.alpha, "1");
    cr_assert_str_eq(t.claimed, "3/5");
}

/* The end of the support carries mass, so no smaller alpha would do. */
Test(flexible, the_greatest_loss_has_a_chance)
{
    static const char *const thresholds[] = {"3/5", "1", "7/2", "18/5", "40"};
    fmpq_t eps, q;
    arb_t mass;
    fmpq_init(eps);
    fmpq_init(q);
    arb_init(mass);
    fmpq_set_si(eps, 1, 2);
    for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++) {
        char text[64];
        pby_law *law;
        fmpq_set_str(q, thresholds[i], 10);
        cr_assert_eq(pby_law_stlap(&law, eps, q, NULL), PBY_OK);
        snprintf(text, sizeof text, "stlap:eps=1/2,q=%s", thresholds[i]);
        const struct told t = ask(text, 1000, 1, "0");
        pby_law_mass_arb(mass, law, -(int64_t)t.bar_loss, 128);
        cr_assert(arb_is_positive(mass));
        pby_law_mass_arb(mass, law, -(int64_t)t.bar_loss - 1, 128);
        cr_assert(arb_is_zero(mass));
        pby_law_free(law);
    }
    arb_clear(mass);
    fmpq_clear(q);
    fmpq_clear(eps);
}

/* Three bars a release; no bar grows, no release drops more than alpha, and some drop as much: with a chance of
 * 0.057 each bar loses five, so that none of a million would do so has a chance below 1e-80. */
Test(flexible, holds_on_every_one_of_a_million_releases)
{
    enum { RELEASES = 1000000, BARS = 3 };
    static const int64_t x[BARS] = {7, 40, 5};
    const uint64_t n = 52;
    int64_t most = 0;
    int64_t *y = malloc(RELEASES * BARS * sizeof *y);
    pby_release *release;
    pby_spec *spec = spec_of("stlap:eps=1/2,q=5");
    cr_assert_not_null(y);
    for (size_t i = 0; i < RELEASES * BARS; i++)
        y[i] = x[i % BARS];
    cr_assert_eq(pby_release_new(&release, spec, NULL), PBY_OK);
    cr_assert_eq(pby_release_size(release, n, BARS, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, y, y, RELEASES * BARS, NULL), PBY_OK);
    const struct told t = ask("stlap:eps=1/2,q=5", n, BARS, "0");
    cr_assert_str_eq(t.alpha, "15/52");
    for (size_t i = 0; i < RELEASES; i++) {
        int64_t dropped = 0;
        for (size_t b = 0; b < BARS; b++) {
            cr_assert(0 <= y[i * BARS + b] && y[i * BARS + b] <= x[b]);
            dropped += x[b] - y[i * BARS + b];
        }
        cr_assert(52 * dropped <= 15 * (int64_t)n);
        most = dropped > most ? dropped : most;
    }
    cr_assert_eq(52 * most, 15 * (int64_t)n);
    pby_release_free(release);
    pby_spec_free(spec);
    free(y);
}

Test(flexible, statistics_of_a_bucketed_release)
{
    static const struct {
        const char *name, *k, *q, *beta;
    } rows[] = {{"max", NULL, NULL, "1/4"},     {"range", NULL, NULL, "1/2"},   {"support", NULL, NULL,
                                                                                 "1/4"},
                {"median", NULL, NULL, "1/4"},  {"quantile", NULL, "1/3", "1/4"}, {"mode", NULL, NULL, "inf"},
                {"max_k", "500", NULL, "inf"},  {"max_k", "1", NULL, "1/4"}};
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    pby_accuracy release, a;
    uint64_t loss;
    mpq_t width;
    pby_accuracy_init(&release);
    pby_accuracy_init(&a);
    mpq_init(width);
    mpq_set_ui(width, 1, 2);
    const pby_input_class inputs = {3000, 3, width};
    cr_assert_eq(pby_accuracy_release(&release, &loss, spec, &inputs, NULL), PBY_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_statistic s;
        cr_assert_eq(pby_statistic_parse(&s, rows[i].name, rows[i].k, rows[i].q, NULL), PBY_OK);
        pby_accuracy_statistic(&a, &release, &s);
        cr_assert_str_eq(text_of(&a.alpha), "1/25");
        cr_assert_str_eq(text_of(&a.beta), rows[i].beta, "%s", rows[i].name);
        cr_assert_eq(mpq_sgn(a.gamma), 0);
    }
    mpq_set_ui(width, 1, 3); /* now eta */
    pby_accuracy_drop_move(&a, &release, width);
    cr_assert_str_eq(text_of(&a.alpha), "37/300"); /* 1/25 + 1/3 1/4 */
    cr_assert_str_eq(text_of(&a.beta), "0");
    mpq_clear(width);
    pby_accuracy_clear(&a);
    pby_accuracy_clear(&release);
    pby_spec_free(spec);
}

Test(flexible, composition_adds_distortions_and_takes_the_error_of_the_second)
{
    pby_accuracy a;
    pby_distance sigma, tau;
    mpq_t gamma;
    pby_accuracy_init(&a);
    pby_distance_init(&sigma);
    pby_distance_init(&tau);
    mpq_init(gamma);
    mpq_set_ui(a.alpha.value, 1, 10);
    mpq_set_ui(a.beta.value, 7, 1);
    mpq_set_ui(a.gamma, 1, 100);
    mpq_set_ui(sigma.value, 1, 15);
    mpq_set_ui(tau.value, 3, 1);
    mpq_set_ui(gamma, 1, 50);
    pby_accuracy_compose(&a, &a, &sigma, &tau, gamma);
    cr_assert_str_eq(text_of(&a.alpha), "1/6");
    cr_assert_str_eq(text_of(&a.beta), "3");
    cr_assert_str_eq(text_of_q(a.gamma), "1/50");
    sigma.infinite = 1;
    pby_accuracy_compose(&a, &a, &sigma, &tau, gamma);
    cr_assert_str_eq(text_of(&a.alpha), "inf");
    mpq_clear(gamma);
    pby_distance_clear(&tau);
    pby_distance_clear(&sigma);
    pby_accuracy_clear(&a);
}

/* ---- where the paper's statements fail -------------------------------------------------------- */

/* Printed: tau = alpha 2 beta / B. The algorithm has alpha / t with t = ceil(B / 2 beta), and B = 3, beta = 1
 * tells them apart: with the printed tau, alpha = 1/2 and n = 60, q is 20 and two thirds may go. */
Test(flexible, the_printed_threshold_ignores_the_last_bucket)
{
    cr_assert_str_eq(ask("stlap:eps=1/2,q=20", 60, 2, "2").alpha, "2/3");
    cr_assert_str_eq(ask("stlap:eps=1/2,q=15", 60, 2, "2").alpha, "1/2"); /* alpha / t */
}

/* Printed: at eps = 1/sqrt(tau n), alpha n = 2 beta / (B eps^2). It is B / (2 beta eps^2): with eps = 1/10
 * and fifty buckets 5000 records, not 2. */
Test(flexible, the_printed_number_of_dropped_records_is_upside_down)
{
    cr_assert_str_eq(ask("stlap:eps=1/10,q=100", 1000000, 50, "1").alpha, "1/200"); /* 5000 of them */
}

/* Printed: if x and x' are in proportion, every release of x is in proportion to some alpha-distortion of
 * x'. Histograms have whole records: x = (2, 2), x' = (1, 1), q = 1, hence alpha = 1/2. The release (1, 2)
 * of x is in proportion to none of the three distortions of x'. */
Test(flexible, a_distortion_in_whole_records_cannot_follow_another_size)
{
    const long at[2] = {0, 1};
    static const unsigned long release[2] = {1, 2}, from[2] = {2, 2};
    static const unsigned long distorted[3][2] = {{1, 1}, {1, 0}, {0, 1}};
    const struct told t = ask("stlap:eps=1,q=1", 4, 2, "0");
    cr_assert_str_eq(t.alpha, "1/2");
    cr_assert(t.bar_loss >= from[0] - release[0]);
    pby_measure *z = make_measure(at, 1, release, 2), *other = make_measure(at, 1, distorted[0], 2);
    pby_distance drop;
    mpq_t w, zero;
    mpq_inits(w, zero, NULL);
    pby_distance_init(&drop);
    for (int i = 0; i < 3; i++) {
        pby_measure *y = make_measure(at, 1, distorted[i], 2);
        cr_assert_eq(pby_distortion_drop(&drop, other, y, NULL), PBY_OK);
        cr_assert(!drop.infinite && mpq_cmp_ui(drop.value, 1, 2) <= 0);
        cr_assert_eq(pby_lossy_distance(w, z, y, zero, NULL), PBY_OK);
        cr_assert_str_eq(text_of_q(w), "1");
        pby_measure_free(y);
    }
    pby_distance_clear(&drop);
    mpq_clears(w, zero, NULL);
    pby_measure_free(z);
    pby_measure_free(other);
}

Test(flexible, refuses_what_has_no_accuracy)
{
    pby_accuracy a;
    pby_error err = {PBY_OK, ""};
    uint64_t loss;
    mpq_t width;
    mpq_init(width);
    pby_accuracy_init(&a);
    pby_spec *stlap = spec_of("stlap:eps=1,q=3"), *other = spec_of("geometric:eps=1");
    pby_spec *twice = spec_of("2*stlap:eps=1,q=3");
    const pby_input_class good = {10, 2, width}, no_records = {0, 2, width}, no_bars = {10, 0, width};
    cr_assert_eq(pby_accuracy_release(&a, &loss, stlap, &good, &err), PBY_OK);
    cr_assert_eq(pby_accuracy_release(&a, &loss, other, &good, &err), PBY_BAD);
    cr_assert_eq(pby_accuracy_release(&a, &loss, twice, &good, &err), PBY_BAD);
    cr_assert_eq(pby_accuracy_release(&a, &loss, stlap, &no_records, &err), PBY_BAD);
    cr_assert_eq(pby_accuracy_release(&a, &loss, stlap, &no_bars, &err), PBY_BAD);
    mpq_set_si(width, -1, 1);
    cr_assert_eq(pby_accuracy_release(&a, &loss, stlap, &good, &err), PBY_BAD);
    pby_spec_free(stlap);
    pby_spec_free(other);
    pby_spec_free(twice);
    pby_accuracy_clear(&a);
    mpq_clear(width);
}
