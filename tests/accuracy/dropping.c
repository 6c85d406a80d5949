/* SPDX-License-Identifier: MIT */
/* (alpha, beta, 0) of releases that only take records away: against the law of the noise, and against what
 * the paper prints. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "accuracy/accuracy.h"
#include "law/laws.h"
#include "probity/experimental/bucketing.h"
#include "tests/accuracy/make.h"
#include "tests/claims/decide.h"
#include "tests/claims/report.h"
#include "tests/spec.h"

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
    pby_accuracy_kind kind;
    cr_assert_eq(pby_accuracy_kind_of(&kind, spec, NULL), PBY_OK);
    cr_assert_eq(pby_accuracy_release(&a, &t.bar_loss, spec, &inputs, NULL), PBY_OK);
    cr_assert_eq(pby_accuracy_claimed(claimed, spec, &inputs, NULL),
                 kind == PBY_ACCURACY_DROPS ? PBY_OK : PBY_BAD);
    cr_assert_eq(mpq_sgn(a.gamma), 0);
    snprintf(t.alpha, sizeof t.alpha, "%s", text_of(&a.alpha));
    snprintf(t.beta, sizeof t.beta, "%s", text_of(&a.beta));
    snprintf(t.claimed, sizeof t.claimed, "%s", text_of_q(claimed));
    pby_accuracy_clear(&a);
    mpq_clears(w, claimed, NULL);
    pby_spec_free(spec);
    return t;
}

/* claims: Flex/Theorem 3; Flex/Theorem 4; Flex/Theorem 6; Robust/Theorem 4; Robust/Lemma 4 */
Test(dropping, alpha_is_the_most_that_the_bars_can_lose)
{
    struct told t = ask("stlap:eps=1/2,q=40", 3000, 3, "0");
    cr_assert_eq(t.bar_loss, 40);
    cr_assert(claims_eq_text(CLAIMS_ALL, t.alpha, "1/25"));
    cr_assert_str_eq(t.claimed, "1/25");
    cr_assert_str_eq(t.beta, "0");
    t = ask("stlap:eps=1/2,q=40", 100, 3, "2/3");
    cr_assert_str_eq(t.alpha, "1"); /* all of them */
    cr_assert_str_eq(t.beta, "1/3");
    t = ask("stlap:eps=2,q=1/2", 100, 3, "0");
    cr_assert_str_eq(t.alpha, "0"); /* rounding takes it all back */
    cr_assert_str_eq(t.claimed, "3/200");
}

Test(dropping, a_threshold_from_the_size_is_asked_about_that_size)
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

Test(dropping, buckets_of_the_mechanism_itself)
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
    mpq_set_ui(width, 0, 1);
    const pby_input_class all = {1000, 20, width}, more = {1000, 21, width}; /* of twenty buckets */
    cr_assert_eq(pby_accuracy_release(&a, &loss, spec, &all, NULL), PBY_OK);
    cr_assert_eq(pby_accuracy_release(&a, &loss, spec, &more, NULL), PBY_BAD);
    pby_accuracy_clear(&a);
    mpq_clear(width);
    pby_spec_free(spec);
}

/* Printed as tau t, that is t q / n. A threshold that is no integer is rounded to a loss above it: one record
 * in one bar, q = 3/5, and the bar may lose all of it, which is more than 3/5.
 * claims: Flex/Theorem 3 */
Test(dropping, rounding_loses_more_than_the_threshold)
{
    const struct told t = ask("stlap:eps=1,q=3/5", 1, 1, "0");
    cr_assert_eq(t.bar_loss, 1);
    cr_assert(claims_eq_text(CLAIMS_ALL, t.alpha, "1"));
    cr_assert_str_eq(t.claimed, "3/5");
}

/* Every histogram of n records in at most three bars, each bar hidden where the law may hide it: the most
 * that is hidden of any is alpha. */
static int64_t most_hidden(const pby_law *law, int64_t n, int bars)
{
    arb_t chance;
    arb_init(chance);
    pby_law_cdf_arb(chance, law, -n, 128); /* k + R <= 0 */
    int64_t most = arb_is_positive(chance) ? n : 0;
    arb_clear(chance);
    for (int64_t first = 1; first < n && bars > 1; first++) {
        const int64_t hidden = most_hidden(law, first, 1) + most_hidden(law, n - first, bars - 1);
        most = hidden > most ? hidden : most;
    }
    return most;
}

Test(dropping, partition_hides_bars_whole)
{
    fmpq_t eps, delta;
    pby_law *law;
    fmpq_init(eps);
    fmpq_init(delta);
    fmpq_set_si(eps, 1, 1);
    fmpq_set_si(delta, 1, 5);
    cr_assert_eq(pby_law_partition(&law, eps, delta, NULL), PBY_OK);
    cr_assert_eq(law->lo, -3);
    for (int64_t n = 1; n <= 14; n++)
        for (int bars = 1; bars <= 3; bars++) {
            const struct told t = ask("partition:eps=1,delta=1/5", (uint64_t)n, (uint64_t)bars, "0");
            mpq_t alpha;
            mpq_init(alpha);
            mpq_set_si(alpha, most_hidden(law, n, bars), (unsigned long)n);
            mpq_canonicalize(alpha);
            cr_assert_str_eq(t.alpha, text_of_q(alpha), "%d records in %d bars", (int)n, bars);
            cr_assert_eq(t.bar_loss, 3);
            mpq_clear(alpha);
        }
    pby_law_free(law);
    fmpq_clear(delta);
    fmpq_clear(eps);
}

/* The end of the support carries mass, so no smaller alpha would do. */
Test(dropping, the_greatest_loss_has_a_chance)
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

/* ---- where the paper's statements fail -------------------------------------------------------- */

/* Printed: tau = alpha 2 beta / B. The algorithm has alpha / t with t = ceil(B / 2 beta), and B = 3, beta = 1
 * tells them apart: with the printed tau, alpha = 1/2 and n = 60, q is 20 and two thirds may go.
 * claims: Flex/Theorem 4 */
Test(dropping, the_printed_threshold_ignores_the_last_bucket)
{
    cr_assert(claims_eq_text(CLAIMS_ALL, ask("stlap:eps=1/2,q=20", 60, 2, "2").alpha, "2/3"));
    cr_assert_str_eq(ask("stlap:eps=1/2,q=15", 60, 2, "2").alpha, "1/2"); /* alpha / t */
}

/* Printed: at eps = 1/sqrt(tau n), alpha n = 2 beta / (B eps^2). It is B / (2 beta eps^2): with eps = 1/10,
 * 2 beta = 1 and B = 50, fifty buckets, 5000 records may go, and the formula says 2.
 * claims: Flex/Section 5.2.3, number of dropped records */
Test(dropping, the_printed_number_of_dropped_records_is_upside_down)
{
    mpq_t printed, eps;
    mpq_inits(printed, eps, NULL);
    mpq_set_ui(eps, 1, 10);
    mpq_set_ui(printed, 1, 50);
    mpq_div(printed, printed, eps);
    mpq_div(printed, printed, eps);
    const struct told t = ask("stlap:eps=1/10,q=100", 1000000, 50, "1");
    cr_assert(claims_eq_text(CLAIMS_ALL, t.alpha, "1/200"));
    cr_assert_eq(mpq_set_str(eps, t.alpha, 10), 0);
    mpz_mul_ui(mpq_numref(eps), mpq_numref(eps), 1000000);
    mpq_canonicalize(eps);
    claims_tell("Flex/Section 5.2.3, number of dropped records", eps, printed);
    mpq_clears(printed, eps, NULL);
}

/* Remark 3: with tau = n^(-1/2) the printed alpha is t n^(-1/4). It is t n^(-1/2): at n = 10^4 and t = 3,
 * 3/100, and the remark says 3/10.
 * claims: Flex/Remark 3 */
Test(dropping, the_printed_alpha_of_a_root_is_the_root_of_that)
{
    cr_assert(claims_eq_text(CLAIMS_ALL, ask("stlap:eps=1/10,tau=1/100,n=10000,bars=3", 10000, 3, "0").alpha,
                             "3/100"));
}

/* The square of the Euclidean distance of the origin from the centre of its cube, and how many cubes there
 * are. */
static const char *corner_to_centre(size_t *cubes, const char *text)
{
    enum { DIMENSIONS = 4 };
    pby_spec *spec = spec_of(text);
    pby_bucketing *p;
    mpq_t centre[DIMENSIONS], sum;
    mpq_init(sum);
    for (int i = 0; i < DIMENSIONS; i++)
        mpq_init(centre[i]);
    cr_assert_eq(pby_bucketing_new(&p, spec, NULL), PBY_OK);
    pby_bucketing_counts(p, cubes);
    pby_bucketing_centre(centre, p, 0);
    for (size_t i = 0; i < pby_bucketing_dimension(p); i++) {
        mpq_mul(centre[i], centre[i], centre[i]);
        mpq_add(sum, sum, centre[i]);
    }
    const char *square = text_of_q(sum);
    for (int i = 0; i < DIMENSIONS; i++)
        mpq_clear(centre[i]);
    mpq_clear(sum);
    pby_bucketing_free(p);
    pby_spec_free(spec);
    return square;
}

/* Algorithm 5 has w = 2 beta in d dimensions, and a corner is then beta sqrt(d) from its centre: beta = 1, d
 * = 2, the square is 2. Remark 5 has tau = alpha (2 beta / (B sqrt(d)))^d, which is alpha over the number of
 * cubes for w = 2 beta / sqrt(d): d = 4, beta = 1, B = 2, alpha/16, where the algorithm has one cube. In the
 * maximum norm, which is the one that is told, half a width is right for every d.
 * claims: Flex/Remark 5; Flex/Algorithm 5 */
Test(dropping, a_cube_of_side_two_beta_is_too_wide_for_beta)
{
    size_t cubes;
    mpq_t square, promised;
    mpq_inits(square, promised, NULL);
    mpq_set_ui(promised, 1, 1);
    cr_assert_str_eq(corner_to_centre(&cubes, "buckethist:eps=1,q=1,bound=2,width=2,dimension=2"), "2");
    const char *far = corner_to_centre(&cubes, "buckethist:eps=1,q=1,bound=2,width=2,dimension=4");
    cr_assert(claims_eq_text(CLAIMS_ALL, far, "4"));
    cr_assert_eq(mpq_set_str(square, far, 10), 0);
    claims_tell("Flex/Remark 5", square, promised);
    mpq_clears(square, promised, NULL);
    cr_assert_eq(cubes, 1);
    cr_assert_str_eq(corner_to_centre(&cubes, "buckethist:eps=1,q=1,bound=2,width=1,dimension=4"), "1");
    cr_assert_eq(cubes, 16);
    cr_assert_str_eq(ask("buckethist:eps=1,q=1,bound=2,width=2,dimension=4", 9, 1, "0").beta, "1");
}

/* Printed: if x and x' are in proportion, every release of x is in proportion to some alpha-distortion of
 * x'. Histograms have whole records: x = (2, 2), x' = (1, 1), q = 1, hence alpha = 1/2. The release (1, 2)
 * of x is in proportion to none of the three distortions of x'.
 * claims: Flex/Lemma 6 */
Test(dropping, a_distortion_in_whole_records_cannot_follow_another_size)
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
        cr_assert(claims_eq_text(CLAIMS_ALL, text_of_q(w), "1"));
        pby_measure_free(y);
    }
    pby_distance_clear(&drop);
    mpq_clears(w, zero, NULL);
    pby_measure_free(z);
    pby_measure_free(other);
}

Test(dropping, no_width_is_that_of_points_that_stay)
{
    pby_accuracy a;
    uint64_t loss;
    pby_accuracy_init(&a);
    pby_spec *stlap = spec_of("stlap:eps=1,q=3"), *buckets = spec_of("buckethist:eps=1,q=3,bound=9,width=3");
    const pby_input_class inputs = {10, 2, NULL};
    cr_assert_eq(pby_accuracy_release(&a, &loss, stlap, &inputs, NULL), PBY_OK);
    cr_assert_eq(mpq_sgn(a.beta.value), 0);
    cr_assert_eq(pby_accuracy_release(&a, &loss, buckets, &inputs, NULL), PBY_OK);
    cr_assert_eq(mpq_cmp_ui(a.beta.value, 3, 2), 0);
    pby_spec_free(buckets);
    pby_spec_free(stlap);
    pby_accuracy_clear(&a);
}

Test(dropping, refuses_what_has_no_accuracy)
{
    pby_accuracy a;
    pby_error err = PBY_NO_ERROR;
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
