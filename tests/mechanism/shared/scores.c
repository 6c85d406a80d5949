/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/scores.h"
#include "probity/experimental/parts.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "probity/release.h"
#include "tests/law/fit.h"
#include "tests/spec.h"

static pby_scores *make_scores(const pby_spec *spec, const char *const *text, size_t n)
{
    pby_scores *s;
    mpq_t score;
    mpq_init(score);
    cr_assert_eq(pby_scores_new(&s, &spec->use[0].mechanism, NULL), PBY_OK);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(mpq_set_str(score, text[i], 10), 0);
        mpq_canonicalize(score);
        cr_assert_eq(pby_scores_add(s, score, NULL), PBY_OK);
    }
    mpq_clear(score);
    return s;
}

enum { N = 7 };
static const char *const text[N] = {"1", "-3", "5/2", "1", "2", "5/2", "-40"};
static const double number[N] = {1, -3, 2.5, 1, 2, 2.5, -40};

static const struct {
    const char *spec;
    double rate;
} specs[] = {{"exponential:eps=1", 0.5},
             {"exponential:eps=1,sensitivity=2", 0.25},
             {"exponential:eps=3/2,scores=monotone", 1.5},
             {"exponential:eps=3/2,sensitivity=1/2,scores=monotone", 3}};

static double chance_of(size_t i, double rate)
{
    double all = 0;
    for (size_t j = 0; j < N; j++)
        all += exp(rate * number[j]);
    return exp(rate * number[i]) / all;
}

/* exp(rate score) over the sum of all, the rate being eps/(2 sensitivity), or eps/sensitivity. */
Test(scores, chances_from_the_definition)
{
    arb_t chance;
    arb_init(chance);
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        pby_spec *spec = spec_of(specs[k].spec);
        pby_scores *s = make_scores(spec, text, N);
        for (size_t i = 0; i < N; i++) {
            const double expected = chance_of(i, specs[k].rate);
            cr_assert_eq(pby_scores_chance(chance, s, i, 100, NULL), PBY_OK);
            const double got = arf_get_d(arb_midref(chance), ARF_RND_NEAR);
            cr_assert_lt(fabs(got - expected), 1e-12 * expected, "%s, candidate %zu", specs[k].spec, i);
        }
        pby_scores_free(s);
        pby_spec_free(spec);
    }
    arb_clear(chance);
}

/* Every candidate's count of n draws against its chance p: a correct sampler is off on one side by a
 * divergence of x with a chance of at most exp(-n x) (Chernoff). The error rate 1e-9 is shared by all sides
 * of all candidates. */
static void check_counts(const uint64_t *count, size_t n, double rate)
{
    for (size_t i = 0; i < N; i++) {
        const double p = chance_of(i, rate), c = (double)count[i] / (double)n;
        const double up = c == 0 ? 0 : c * log(c / p), down = c == 1 ? 0 : (1 - c) * log((1 - c) / (1 - p));
        cr_assert_lt((double)n * (up + down), log(2 * N / 1e-9), "candidate %zu: %g and not %g", i, c, p);
    }
}

Test(scores, draws_fit_the_law)
{
    enum { DRAWS = 200000, CHUNK = 1000 };
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        uint64_t chosen[CHUNK], count[N] = {0};
        pby_spec *spec = spec_of(specs[k].spec);
        pby_scores *s = make_scores(spec, text, N);
        pby_entropy *source = seeded((uint8_t)(50 + k));
        for (size_t done = 0; done < DRAWS; done += CHUNK) {
            cr_assert_eq(pby_scores_draw(s, source, chosen, CHUNK, NULL), PBY_OK);
            for (size_t i = 0; i < CHUNK; i++)
                count[chosen[i]]++;
        }
        check_counts(count, DRAWS, specs[k].rate);
        pby_entropy_free(source);
        pby_scores_free(s);
        pby_spec_free(spec);
    }
}

/* Ties are broken evenly: equal scores are one level. */
Test(scores, equal_scores_are_equally_likely)
{
    enum { SIX = 6, DRAWS = 60000 };
    static const char *const same[SIX] = {"1/3", "1/3", "1/3", "1/3", "1/3", "1/3"};
    pby_spec *spec = spec_of("exponential:eps=5");
    pby_scores *s = make_scores(spec, same, SIX);
    pby_entropy *source = seeded(60);
    uint64_t one, count[SIX] = {0};
    for (size_t i = 0; i < DRAWS; i++) {
        cr_assert_eq(pby_scores_draw(s, source, &one, 1, NULL), PBY_OK);
        count[one]++;
    }
    /* 10000 each, of deviation 91: more than 7 deviations away has a chance below 1e-10 on each of 12 sides
     */
    for (size_t i = 0; i < SIX; i++)
        cr_assert(9350 < count[i] && count[i] < 10650, "%llu", (unsigned long long)count[i]);
    pby_entropy_free(source);
    pby_scores_free(s);
    pby_spec_free(spec);
}

/* Only differences count, and the order of the candidates does not. */
Test(scores, a_constant_added_to_all_changes_no_draw)
{
    static const char *const raised[N] = {"1001", "997", "2005/2", "1001", "1002", "2005/2", "960"};
    pby_spec *spec = spec_of("exponential:eps=1");
    pby_scores *one = make_scores(spec, text, N), *other = make_scores(spec, raised, N);
    uint64_t a[500], b[500];
    pby_entropy *source = seeded(61);
    cr_assert_eq(pby_scores_draw(one, source, a, 500, NULL), PBY_OK);
    pby_entropy_free(source);
    source = seeded(61);
    cr_assert_eq(pby_scores_draw(other, source, b, 500, NULL), PBY_OK);
    pby_entropy_free(source);
    cr_assert_arr_eq(a, b, sizeof a);
    pby_scores_free(other);
    pby_scores_free(one);
    pby_spec_free(spec);
}

Test(scores, refusals_show_no_score)
{
    pby_spec *spec = spec_of("exponential:eps=1");
    pby_release *release;
    pby_error err;
    mpq_t score;
    uint64_t chosen;
    int64_t count = 1;
    mpq_init(score);
    cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_release_candidate(release, &chosen, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "expected at least one"), "%s", err.text);
    mpz_ui_pow_ui(mpq_numref(score), 10, 60);
    cr_assert_eq(pby_release_score(release, score, &err), PBY_BAD);
    cr_assert_null(strstr(err.text, "000000"), "%s", err.text);
    mpq_inv(score, score);
    cr_assert_eq(pby_release_score(release, score, &err), PBY_BAD);
    cr_assert_eq(pby_release_counts(release, &count, &count, 1, &err), PBY_BAD);
    cr_assert_eq(pby_release_timing_safe(release, &err), PBY_BAD);
    mpq_set_ui(score, 3, 1);
    cr_assert_eq(pby_release_score(release, score, &err), PBY_OK);
    cr_assert_eq(pby_release_candidate(release, &chosen, &err), PBY_OK);
    cr_assert_eq(chosen, 0);
    pby_release_free(release);
    pby_spec_free(spec);
    mpq_clear(score);
}

Test(scores, neighbours_that_the_loss_is_not_about_are_refused)
{
    pby_spec *spec = spec_of("exponential:eps=1,scores=monotone");
    pby_release *release;
    pby_error err;
    cr_assert_eq(pby_release_new(&release, spec, PBY_SUBSTITUTE, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "scores=general"), "%s", err.text);
    cr_assert_eq(pby_release_new(&release, spec, PBY_LOCAL, &err), PBY_BAD);
    pby_spec_free(spec);
}
