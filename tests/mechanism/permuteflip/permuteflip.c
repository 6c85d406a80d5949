/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "mechanism/shared/chooser.h"
#include "mechanism/shared/scores.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "tests/kernel/stream.h"
#include "tests/law/fit.h"
#include "tests/spec.h"

enum { PREC = 120, N = 4, GRAIN = 6 };

static const struct {
    const char *spec;
    double eps, rate; /* of scores in units of 1 */
    bool monotone;
} cases[] = {{"permuteflip:eps=1", 1, 0.5, false},
             {"permuteflip:eps=2,sensitivity=1/2", 2, 2, false},
             {"permuteflip:eps=3/2,scores=monotone", 1.5, 1.5, true}};
enum { CASES = sizeof cases / sizeof *cases };

static double middle(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

/* Scores in units of 1/GRAIN. */
static pby_scores *make_scores(const pby_spec *spec, const int64_t *score, size_t n)
{
    pby_scores *s;
    mpq_t one;
    mpq_init(one);
    cr_assert_eq(pby_scores_new(&s, &spec->use[0].mechanism, NULL), PBY_OK);
    for (size_t i = 0; i < n; i++) {
        mpq_set_si(one, score[i], GRAIN);
        mpq_canonicalize(one);
        cr_assert_eq(pby_scores_add(s, one, NULL), PBY_OK);
    }
    mpq_clear(one);
    return s;
}

/* The law, as balls; their sum is 1. */
static void set_law(arb_ptr law, const pby_spec *spec, const int64_t *score, size_t n)
{
    pby_scores *s = make_scores(spec, score, n);
    arb_t sum;
    arb_init(sum);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(pby_scores_chance(law + i, s, i, PREC, NULL), PBY_OK);
        cr_assert_gt(arb_rel_accuracy_bits(law + i), 100);
        arb_add(sum, sum, law + i, PREC);
    }
    arb_sub_ui(sum, sum, 1, PREC);
    cr_assert(arb_contains_zero(sum));
    arb_clear(sum);
    pby_scores_free(s);
}

/* The algorithm as published, in doubles: every order of four candidates, one coin after the other. */
static void walk(double *chance, const double *p, unsigned left, double reached)
{
    double count = 0;
    for (int i = 0; i < N; i++)
        count += left >> i & 1;
    for (int i = 0; i < N; i++)
        if (left >> i & 1) {
            chance[i] += reached / count * p[i];
            if (p[i] < 1)
                walk(chance, p, left & ~(1U << i), reached / count * (1 - p[i]));
        }
}

Test(permuteflip, the_law_is_that_of_every_order)
{
    static const int64_t scores[][N] = {{0, 0, 0, 0}, {0, -6, -6, -12}, {-5, 1, 0, 2}, {7, 7, -30, 6}};
    arb_ptr law = _arb_vec_init(N);
    for (size_t k = 0; k < CASES; k++)
        for (size_t c = 0; c < sizeof scores / sizeof *scores; c++) {
            pby_spec *spec = spec_of(cases[k].spec);
            double p[N], chance[N] = {0};
            int64_t best = scores[c][0];
            for (int i = 0; i < N; i++)
                best = scores[c][i] > best ? scores[c][i] : best;
            for (int i = 0; i < N; i++)
                p[i] = exp(-cases[k].rate * (double)(best - scores[c][i]) / GRAIN);
            walk(chance, p, (1U << N) - 1, 1);
            set_law(law, spec, scores[c], N);
            for (int i = 0; i < N; i++)
                cr_assert_lt(fabs(middle(law + i) - chance[i]), 1e-14, "%s, %zu", cases[k].spec, c);
            pby_spec_free(spec);
        }
    _arb_vec_clear(law, N);
}

/* Random scores, and neighbours that move each by at most the sensitivity: no ratio is beyond exp(eps), and
 * no delta at 1/4 beyond what is told. */
Test(permuteflip, no_neighbours_are_worse)
{
    uint64_t state = 17;
    arb_ptr p = _arb_vec_init(N), q = _arb_vec_init(N);
    for (size_t k = 0; k < CASES; k++) {
        pby_spec *spec = spec_of(cases[k].spec);
        pby_enclosure bound;
        mpq_t quarter;
        mpq_init(quarter);
        mpq_set_ui(quarter, 1, 4);
        pby_enclosure_init(&bound);
        cr_assert_eq(pby_loss_delta(&bound, spec, PBY_ADD_REMOVE, quarter, 12, NULL), PBY_OK);
        const double most = mpfr_get_d(bound.hi, MPFR_RNDU);
        const int64_t d = k == 1 ? GRAIN / 2 : GRAIN;
        for (int round = 0; round < 400; round++) {
            int64_t s[N], moved[N];
            const size_t n = 2 + stream_next(&state) % (N - 1);
            for (size_t i = 0; i < n; i++) {
                s[i] = (int64_t)(stream_next(&state) % (3 * GRAIN));
                const int64_t by = (int64_t)(stream_next(&state) % (uint64_t)(2 * d + 1));
                moved[i] = s[i] + (cases[k].monotone ? by / 2 : by - d);
            }
            set_law(p, spec, s, n);
            set_law(q, spec, moved, n);
            double delta[2] = {0, 0};
            for (size_t i = 0; i < n; i++) {
                const double a = middle(p + i), b = middle(q + i);
                cr_assert_lt(fabs(log(a / b)), cases[k].eps + 1e-12, "%s", cases[k].spec);
                delta[0] += fmax(0, a - exp(0.25) * b);
                delta[1] += fmax(0, b - exp(0.25) * a);
            }
            cr_assert(delta[0] < most + 1e-12 && delta[1] < most + 1e-12, "%s", cases[k].spec);
        }
        pby_enclosure_clear(&bound);
        mpq_clear(quarter);
        pby_spec_free(spec);
    }
    _arb_vec_clear(q, N);
    _arb_vec_clear(p, N);
}

/* One of two equal candidates falls behind by what neighbours may move: it loses exactly eps, and the other
 * gains log(2 - exp(-eps)); together more than an interval of length eps holds. */
Test(permuteflip, two_candidates_reach_eps)
{
    static const int64_t equal[2] = {0, 0}, apart[2] = {-GRAIN, GRAIN};
    arb_ptr p = _arb_vec_init(2), q = _arb_vec_init(2);
    pby_spec *spec = spec_of("permuteflip:eps=1/2");
    pby_enclosure epsilon;
    mpq_t zero;
    mpq_init(zero);
    pby_enclosure_init(&epsilon);
    set_law(p, spec, equal, 2);
    set_law(q, spec, apart, 2);
    const double lost = log(middle(p) / middle(q)), gained = log(middle(q + 1) / middle(p + 1));
    cr_assert_lt(fabs(lost - 0.5), 1e-14);
    cr_assert_lt(fabs(lost + gained - 1.66 * 0.5), 0.005);
    cr_assert_eq(pby_loss_epsilon(&epsilon, spec, PBY_ADD_REMOVE, zero, 9, NULL), PBY_OK);
    cr_assert(mpfr_cmp_d(epsilon.lo, 0.5) == 0 && mpfr_cmp_d(epsilon.hi, 0.5) == 0, "exactly");
    pby_enclosure_clear(&epsilon);
    mpq_clear(zero);
    pby_spec_free(spec);
    _arb_vec_clear(q, 2);
    _arb_vec_clear(p, 2);
}

/* 1 - exp((epsilon - eps)/2) at every epsilon, as of Laplace noise. */
Test(permuteflip, the_loss_is_that_of_laplace_noise)
{
    for (size_t k = 0; k < CASES; k++)
        for (int i = 0; i <= 4; i++) {
            pby_spec *spec = spec_of(cases[k].spec);
            pby_enclosure delta;
            mpq_t at;
            mpq_init(at);
            mpq_set_d(at, cases[k].eps * i / 4);
            pby_enclosure_init(&delta);
            cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, at, 15, NULL), PBY_OK);
            const double exact = -expm1((mpq_get_d(at) - cases[k].eps) / 2);
            cr_assert_lt(fabs(mpfr_get_d(delta.lo, MPFR_RNDN) - exact), 1e-14, "%s", cases[k].spec);
            cr_assert_lt(fabs(mpfr_get_d(delta.hi, MPFR_RNDN) - exact), 1e-14, "%s", cases[k].spec);
            pby_enclosure_clear(&delta);
            mpq_clear(at);
            pby_spec_free(spec);
        }
}

/* Each attained pair is that of two candidates by the exact law: the one x/rate behind, x = -eps i/16. */
Test(permuteflip, attained_pairs_are_those_of_two_candidates)
{
    pby_spec *spec = spec_of("permuteflip:eps=8/3"); /* rate 4/3, so that x/rate = -i/8 */
    pby_pairs pairs = {NULL, 0};
    arb_ptr law = _arb_vec_init(2);
    arb_t mass;
    arb_init(mass);
    cr_assert_eq(pby_mechanism_attained(&pairs, &spec->use[0].mechanism, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pairs.count, 9);
    for (int i = 0; i <= 8; i++)
        for (int side = 0; side < 2; side++) {
            pby_scores *s;
            mpq_t score;
            mpq_init(score);
            cr_assert_eq(pby_scores_new(&s, &spec->use[0].mechanism, NULL), PBY_OK);
            mpq_set_si(score, i - 16 * side, 8);
            mpq_canonicalize(score);
            cr_assert_eq(pby_scores_add(s, score, NULL), PBY_OK);
            mpq_set_ui(score, 0, 1);
            cr_assert_eq(pby_scores_add(s, score, NULL), PBY_OK);
            for (size_t o = 0; o < 2; o++) {
                cr_assert_eq(pby_scores_chance(law + o, s, o, PREC, NULL), PBY_OK);
                pby_expsum_get_arb(mass, side == 0 ? pairs.pair[i].atoms[o].p : pairs.pair[i].atoms[o].q,
                                   PREC);
                arb_mul_2exp_si(mass, mass, -1);
                cr_assert(arb_overlaps(mass, law + o), "pair %d, side %d", i, side);
            }
            mpq_clear(score);
            pby_scores_free(s);
        }
    arb_clear(mass);
    _arb_vec_clear(law, 2);
    pby_pairs_clear(&pairs);
    pby_spec_free(spec);
}

/* The count of n draws against the exact chance, with an error rate of 1e-9 (Chernoff, as tests/law/fit.h).
 */
Test(permuteflip, draws_fit_the_law)
{
    enum { DRAWS = 100000, CHUNK = 1000 };
    static const int64_t score[N] = {3, -9, 3, 0};
    arb_ptr law = _arb_vec_init(N);
    for (size_t k = 0; k < CASES; k++) {
        uint64_t chosen[CHUNK], count[N] = {0};
        pby_spec *spec = spec_of(cases[k].spec);
        pby_scores *s = make_scores(spec, score, N);
        pby_entropy *source = seeded((uint8_t)(40 + k));
        set_law(law, spec, score, N);
        for (size_t done = 0; done < DRAWS; done += CHUNK) {
            cr_assert_eq(pby_scores_draw(s, source, chosen, CHUNK, NULL), PBY_OK);
            for (size_t i = 0; i < CHUNK; i++)
                count[chosen[i]]++;
        }
        for (size_t i = 0; i < N; i++) {
            const double p = middle(law + i), c = (double)count[i] / DRAWS;
            const double up = c == 0 ? 0 : c * log(c / p), down = (1 - c) * log((1 - c) / (1 - p));
            cr_assert_lt(DRAWS * (up + down), log(2 * N / 1e-9), "%s, candidate %zu: %g and not %g",
                         cases[k].spec, i, c, p);
        }
        pby_entropy_free(source);
        pby_scores_free(s);
        pby_spec_free(spec);
    }
    _arb_vec_clear(law, N);
}

/* Random scores: none has a greater chance of a choice 1 or more below the best than one best and three
 * exactly 1 below it, and these have the chance that is told. */
Test(permuteflip, no_scores_are_worth_less)
{
    static const int64_t worst[N] = {0, -GRAIN, -GRAIN, -GRAIN};
    uint64_t state = 5;
    arb_ptr law = _arb_vec_init(N);
    for (size_t k = 0; k < CASES; k++) {
        pby_spec *spec = spec_of(cases[k].spec);
        const pby_mechanism *m = &spec->use[0].mechanism;
        fmpq_t beta;
        arb_t most, bad;
        fmpq_init(beta);
        fmpq_one(beta);
        arb_init(most);
        arb_init(bad);
        cr_assert_eq(m->family->chooser->worse(most, m, N, beta, PREC, NULL), PBY_OK);
        set_law(law, spec, worst, N);
        arb_sub_ui(bad, law, 1, PREC);
        arb_neg(bad, bad);
        cr_assert(arb_overlaps(bad, most));
        for (int round = 0; round < 500; round++) {
            int64_t s[N] = {0};
            for (size_t i = 1; i < N; i++)
                s[i] = -(int64_t)(stream_next(&state) % (2 * GRAIN));
            set_law(law, spec, s, N);
            arb_zero(bad);
            for (size_t i = 0; i < N; i++)
                if (s[i] <= -GRAIN)
                    arb_add(bad, bad, law + i, PREC);
            cr_assert_not(arb_gt(bad, most), "%s", cases[k].spec);
        }
        fmpq_zero(beta);
        cr_assert_eq(m->family->chooser->worse(most, m, N, beta, PREC, NULL), PBY_OK);
        cr_assert_lt(fabs(middle(most) - 0.75), 1e-15, "all but one of equals");
        arb_clear(bad);
        arb_clear(most);
        fmpq_clear(beta);
        pby_spec_free(spec);
    }
    _arb_vec_clear(law, N);
}
