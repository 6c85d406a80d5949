/* SPDX-License-Identifier: MIT */
#include "mechanism/noisymax/noisymax.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "mechanism/shared/scores.h"
#include "probity/loss.h"
#include "tests/kernel/stream.h"
#include "tests/law/fit.h"
#include "tests/spec.h"

enum { PREC = 120, K = 3 };

static const char *const specs[] = {"noisymax:eps=1", "noisymax:eps=1,noise=one-sided",
                                    "noisymax:eps=3/2,sensitivity=2,scores=monotone",
                                    "noisymax:eps=2/3,scores=monotone,noise=one-sided"};
enum { SPECS = sizeof specs / sizeof *specs };

static void chance_of(arb_t chance, const pby_spec *spec, const int64_t *x, size_t n, size_t i)
{
    pby_max_noise noise;
    pby_max_noise_init(&noise, &spec->use[0].mechanism);
    cr_assert_eq(pby_max_chance(chance, &noise, x, n, i, PREC, NULL), PBY_OK);
    pby_max_noise_clear(&noise);
}

static double middle(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

/* ---- the exact law ---------------------------------------------------------------------------- */

/* Every noise up to FAR from 0 on each of three answers, run one by one: what is beyond is below 1e-8. */
enum { FAR = 60 };

static void enumerate(double *chance, const pby_max_noise *noise, const int64_t *x)
{
    double mass[2 * FAR + 1];
    fmpq_t rate;
    arb_t r;
    fmpq_init(rate);
    arb_init(r);
    fmpq_set(rate, noise->rate);
    arb_set_fmpq(r, rate, PREC);
    const double a = exp(-middle(r));
    for (int z = -FAR; z <= FAR; z++)
        mass[z + FAR] = noise->one_sided ? (z < 0 ? 0 : (1 - a) * pow(a, z))
                                         : (1 - a) / (1 + a) * pow(a, abs(z));
    memset(chance, 0, K * sizeof *chance);
    for (int u = -FAR; u <= FAR; u++)
        for (int v = -FAR; v <= FAR; v++)
            for (int w = -FAR; w <= FAR; w++) {
                const int64_t sum[K] = {x[0] + u, x[1] + v, x[2] + w};
                size_t best = sum[1] > sum[0];
                best = sum[2] > sum[best] ? 2 : best;
                chance[best] += mass[u + FAR] * mass[v + FAR] * mass[w + FAR];
            }
    arb_clear(r);
    fmpq_clear(rate);
}

Test(noisymax, the_law_is_that_of_every_noise)
{
    static const int64_t answers[][K] = {{0, 0, 0}, {0, -3, -3}, {-3, -3, 0}, {-1, 0, -6}, {-7, -2, 0}};
    arb_t chance;
    arb_init(chance);
    for (size_t k = 0; k < SPECS; k++) {
        pby_spec *spec = spec_of(specs[k]);
        pby_max_noise noise;
        pby_max_noise_init(&noise, &spec->use[0].mechanism);
        for (size_t c = 0; c < sizeof answers / sizeof *answers; c++) {
            double expected[K];
            enumerate(expected, &noise, answers[c]);
            for (size_t i = 0; i < K; i++) {
                chance_of(chance, spec, answers[c], K, i);
                cr_assert_lt(fabs(middle(chance) - expected[i]), 1e-7, "%s, %zu, %zu: %.12g and %.12g",
                             specs[k], c, i, middle(chance), expected[i]);
            }
        }
        pby_max_noise_clear(&noise);
        pby_spec_free(spec);
    }
    arb_clear(chance);
}

/* The chances of all answers are 1 together, to nearly the precision asked for, however far they are apart.
 */
Test(noisymax, the_chances_are_a_law)
{
    enum { MANY = 9 };
    arb_t chance, sum;
    uint64_t state = 3;
    arb_init(chance);
    arb_init(sum);
    for (size_t k = 0; k < SPECS; k++) {
        pby_spec *spec = spec_of(specs[k]);
        for (int round = 0; round < 20; round++) {
            int64_t x[MANY];
            const size_t n = 1 + stream_next(&state) % MANY;
            for (size_t i = 0; i < n; i++)
                x[i] = -(int64_t)(stream_next(&state) % (round < 10 ? 6 : 100000));
            arb_zero(sum);
            for (size_t i = 0; i < n; i++) {
                chance_of(chance, spec, x, n, i);
                cr_assert(arb_is_positive(chance) && arb_rel_accuracy_bits(chance) > 100, "%s", specs[k]);
                arb_add(sum, sum, chance, PREC);
            }
            arb_sub_ui(sum, sum, 1, PREC);
            cr_assert(arb_contains_zero(sum));
            arb_get_mag(arb_radref(sum), sum);
            cr_assert(mag_cmp_2exp_si(arb_radref(sum), -100) < 0, "%s", specs[k]);
        }
        pby_spec_free(spec);
    }
    arb_clear(sum);
    arb_clear(chance);
}

/* ---- the loss --------------------------------------------------------------------------------- */

static void set_law(arb_ptr law, const pby_spec *spec, const int64_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        chance_of(law + i, spec, x, n, i);
}

/* Encloses the delta of a single use. */
static void told(pby_enclosure *delta, const char *text, const char *epsilon)
{
    pby_spec *spec = spec_of(text);
    mpq_t e;
    mpq_init(e);
    cr_assert_eq(mpq_set_str(e, epsilon, 10), 0);
    cr_assert_eq(pby_loss_delta(delta, spec, PBY_ADD_REMOVE, e, 15, NULL), PBY_OK);
    mpq_clear(e);
    pby_spec_free(spec);
}

/* All answers 0 to 2 and all neighbours: no ratio is beyond exp(eps), and no delta at 1/3 beyond what is
 * told. */
static void check_neighbours(const char *text, bool monotone, int64_t d, const char *eps)
{
    pby_spec *spec = spec_of(text);
    arb_ptr p = _arb_vec_init(K), q = _arb_vec_init(K);
    arb_t most, x, delta, one, high;
    pby_enclosure bound;
    fmpq_t e;
    fmpq_init(e);
    arb_init(most);
    arb_init(x);
    arb_init(delta);
    arb_init(one);
    arb_init(high);
    pby_enclosure_init(&bound);
    told(&bound, text, "1/3");
    arf_set_mpfr(arb_midref(high), bound.hi);
    cr_assert_eq(fmpq_set_str(e, eps, 10), 0);
    arb_set_fmpq(most, e, PREC);
    arb_exp(most, most, PREC);
    fmpq_set_si(e, 1, 3);
    arb_set_fmpq(x, e, PREC);
    arb_exp(x, x, PREC);
    for (int64_t k = 0; k < 27; k++)
        for (int64_t move = 0; move < 27; move++) {
            const int64_t here[K] = {k % 3, k / 3 % 3, k / 9};
            const int64_t by[K] = {move % 3 - 1, move / 3 % 3 - 1, move / 9 - 1};
            if (monotone && (by[0] > 0 || by[1] > 0 || by[2] > 0))
                continue;
            const int64_t there[K] = {here[0] + d * by[0], here[1] + d * by[1], here[2] + d * by[2]};
            set_law(p, spec, here, K);
            set_law(q, spec, there, K);
            for (int order = 0; order < 2; order++) {
                arb_zero(delta);
                for (int i = 0; i < K; i++) {
                    arb_srcptr from = (order == 0 ? p : q) + i, to = (order == 0 ? q : p) + i;
                    arb_mul(one, most, to, PREC);
                    cr_assert_not(arb_gt(from, one), "%s: a ratio beyond exp(eps)", text);
                    arb_mul(one, x, to, PREC);
                    arb_sub(one, from, one, PREC);
                    if (arb_is_positive(one))
                        arb_add(delta, delta, one, PREC);
                }
                cr_assert_not(arb_gt(delta, high), "%s: some neighbours lose more", text);
            }
        }
    fmpq_clear(e);
    pby_enclosure_clear(&bound);
    arb_clear(high);
    arb_clear(one);
    arb_clear(delta);
    arb_clear(x);
    arb_clear(most);
    _arb_vec_clear(q, K);
    _arb_vec_clear(p, K);
    pby_spec_free(spec);
}

Test(noisymax, no_neighbours_are_worse)
{
    check_neighbours("noisymax:eps=1", false, 1, "1");
    check_neighbours("noisymax:eps=1,noise=one-sided", false, 1, "1");
    check_neighbours("noisymax:eps=3/2,sensitivity=2,scores=monotone", true, 2, "3/2");
    check_neighbours("noisymax:eps=2/3,scores=monotone,noise=one-sided", true, 1, "2/3");
}

/* One record of a group of two may be added and another removed: scores move both ways, and no farther apart
 * than two records that are added move them. */
Test(noisymax, a_group_may_move_monotone_scores_both_ways)
{
    check_neighbours("noisymax:eps=4/3,sensitivity=2,scores=monotone,noise=one-sided", false, 1, "4/3");
    check_neighbours("noisymax:eps=4/3,sensitivity=2,scores=monotone", false, 1, "4/3");
}

/* One-sided noise reaches eps, two-sided noise comes near it. */
Test(noisymax, epsilon_at_delta_0)
{
    pby_enclosure epsilon;
    mpq_t zero;
    mpq_init(zero);
    pby_enclosure_init(&epsilon);
    for (size_t k = 0; k < SPECS; k++) {
        static const double eps[SPECS] = {1, 1, 1.5, 2. / 3};
        pby_spec *spec = spec_of(specs[k]);
        cr_assert_eq(pby_loss_epsilon(&epsilon, spec, PBY_ADD_REMOVE, zero, 9, NULL), PBY_OK);
        cr_assert_geq(mpfr_get_d(epsilon.hi, MPFR_RNDU), eps[k]);
        cr_assert_leq(mpfr_get_d(epsilon.hi, MPFR_RNDU), eps[k] + 1e-7);
        cr_assert_geq(mpfr_get_d(epsilon.lo, MPFR_RNDD), eps[k] - (k % 2 == 0 ? 1e-4 : 1e-7), "%s", specs[k]);
        pby_spec_free(spec);
    }
    pby_enclosure_clear(&epsilon);
    mpq_clear(zero);
}

/* With monotone scores of sensitivity 1 and one-sided noise two equal candidates are randomised response. */
Test(noisymax, pure_privacy_is_reached)
{
    pby_enclosure max, pure;
    pby_enclosure_init(&max);
    pby_enclosure_init(&pure);
    told(&max, "noisymax:eps=2/3,scores=monotone,noise=one-sided", "1/5");
    told(&pure, "pure:eps=2/3", "1/5");
    cr_assert(mpfr_equal_p(max.hi, pure.hi));
    cr_assert_lt(mpfr_get_d(max.hi, MPFR_RNDN) - mpfr_get_d(max.lo, MPFR_RNDN), 1e-13);
    pby_enclosure_clear(&pure);
    pby_enclosure_clear(&max);
}

Test(noisymax, monotone_scores_are_not_for_a_changed_record)
{
    pby_spec *spec = spec_of("noisymax:eps=1,scores=monotone");
    pby_enclosure delta;
    pby_error err;
    mpq_t zero;
    mpq_init(zero);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_SUBSTITUTE, zero, 9, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "scores=general"), "%s", err.text);
    pby_enclosure_clear(&delta);
    mpq_clear(zero);
    pby_spec_free(spec);
}

/* ---- draws ------------------------------------------------------------------------------------ */

/* The count of n draws against the exact chance p: a correct sampler is off on one side by a divergence of x
 * with a chance of at most exp(-n x) (Chernoff). The error rate 1e-9 is shared by all sides. */
static void check_draws(const char *text, const char *const *score, size_t n, uint8_t seed)
{
    enum { DRAWS = 100000, CHUNK = 1000, MOST = 6 };
    uint64_t chosen[CHUNK], count[MOST] = {0};
    pby_spec *spec = spec_of(text);
    pby_scores *s;
    pby_entropy *source = seeded(seed);
    mpq_t one;
    arb_t chance;
    mpq_init(one);
    arb_init(chance);
    cr_assert_eq(pby_scores_new(&s, &spec->use[0].mechanism, NULL), PBY_OK);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(mpq_set_str(one, score[i], 10), 0);
        cr_assert_eq(pby_scores_add(s, one, NULL), PBY_OK);
    }
    for (size_t done = 0; done < DRAWS; done += CHUNK) {
        cr_assert_eq(pby_scores_draw(s, source, chosen, CHUNK, NULL), PBY_OK);
        for (size_t i = 0; i < CHUNK; i++)
            count[chosen[i]]++;
    }
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(pby_scores_chance(chance, s, i, PREC, NULL), PBY_OK);
        const double p = middle(chance), c = (double)count[i] / DRAWS;
        const double up = c == 0 ? 0 : c * log(c / p), down = c == 1 ? 0 : (1 - c) * log((1 - c) / (1 - p));
        cr_assert_lt(DRAWS * (up + down), log(2 * (double)n / 1e-9), "%s, candidate %zu: %g and not %g", text,
                     i, c, p);
    }
    arb_clear(chance);
    mpq_clear(one);
    pby_entropy_free(source);
    pby_scores_free(s);
    pby_spec_free(spec);
}

Test(noisymax, draws_fit_the_law)
{
    static const char *const score[] = {"1", "-3", "2", "1", "2", "-40"};
    for (size_t k = 0; k < SPECS; k++)
        check_draws(specs[k], score, 6, (uint8_t)(70 + k));
    /* noise whose body does not hold it: the tails are drawn */
    check_draws("noisymax:eps=1/10000,noise=one-sided", score, 3, 80);
    check_draws("noisymax:eps=1/10000", score, 3, 81);
}

/* Scores of forty digits: who is far below never wins, and the others are as if it were not there. */
Test(noisymax, scores_of_any_size)
{
    static const char *const score[] = {"1000000000000000000000000000000000000000",
                                        "-1000000000000000000000000000000000000000",
                                        "999999999999999999999999999999999999999"};
    check_draws("noisymax:eps=1", score, 3, 90);
    check_draws("noisymax:eps=1,noise=one-sided", score, 3, 91);
}

/* ---- what it is worth ------------------------------------------------------------------------- */

static void worse(arb_t chance, const char *text, uint64_t n, slong beta)
{
    pby_spec *spec = spec_of(text);
    fmpq_t b;
    fmpq_init(b);
    fmpq_set_si(b, beta, 1);
    cr_assert_eq(pby_max_worse(chance, &spec->use[0].mechanism, n, b, PREC, NULL), PBY_OK);
    fmpq_clear(b);
    pby_spec_free(spec);
}

/* Four answers of 0 to 5 in every order: none is chosen more than 2 below the best with a greater chance than
 * is told, and the best behind three that are 3 below reaches it. */
Test(noisymax, no_answers_are_worth_less)
{
    for (size_t k = 0; k < SPECS; k++) {
        enum { N = 4, SIDE = 6, ALL = SIDE * SIDE * SIDE * SIDE };
        pby_spec *spec = spec_of(specs[k]);
        arb_t most, bad, one;
        arb_init(most);
        arb_init(bad);
        arb_init(one);
        worse(most, specs[k], N, 2);
        bool reached = false;
        for (int64_t j = 0; j < ALL; j++) {
            const int64_t x[N] = {j % SIDE, j / SIDE % SIDE, j / SIDE / SIDE % SIDE, j / SIDE / SIDE / SIDE};
            int64_t best = 0;
            for (size_t i = 0; i < N; i++)
                best = x[i] > best ? x[i] : best;
            if (best != SIDE - 1)
                continue;
            arb_zero(bad);
            for (size_t i = 0; i < N; i++)
                if (x[i] < best - 2) {
                    chance_of(one, spec, x, N, i);
                    arb_add(bad, bad, one, PREC);
                }
            cr_assert_not(arb_gt(bad, most), "%s", specs[k]);
            reached = reached || (x[3] == best && arb_overlaps(bad, most));
        }
        cr_assert(reached, "%s", specs[k]);
        cr_assert(arb_rel_accuracy_bits(most) > 80);
        arb_clear(one);
        arb_clear(bad);
        arb_clear(most);
        pby_spec_free(spec);
    }
}

/* Enumerated elsewhere: rate 1/2, four candidates, the best last. */
Test(noisymax, a_value_from_outside)
{
    arb_t most;
    arb_init(most);
    worse(most, "noisymax:eps=1", 4, 2);
    cr_assert_lt(fabs(middle(most) - 0.428278825), 1e-8);
    worse(most, "noisymax:eps=1", 1, 2);
    cr_assert(arb_is_zero(most));
    arb_clear(most);
}
