/* SPDX-License-Identifier: MIT */
/* The loss of report noisy max, against every small table of scores. */
#include <criterion/criterion.h>
#include <math.h>

#include "mechanism/noisymax/noisymax.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "tests/spec.h"

enum { PREC = 120, FAR = 400 };

/* ---- the law in doubles, from the definition ---------------------------------------------------- */

struct noise {
    double a;
    bool one_sided;
};

static double mass(const struct noise *z, int k)
{
    return z->one_sided ? (k < 0 ? 0 : (1 - z->a) * pow(z->a, k))
                        : (1 - z->a) / (1 + z->a) * pow(z->a, abs(k));
}

enum { N = 4 };

/* The chance of each of N answers from 0 on, ties to the first; what lies beyond FAR is left out. */
static void winners(double *chance, const struct noise *z, const int *x)
{
    static double cdf[2 * FAR + 2], one[2 * FAR + 2];
    static struct noise known;
    if (known.a != z->a || known.one_sided != z->one_sided) {
        known = *z;
        cdf[0] = 0;
        for (int k = -FAR; k <= FAR; k++) {
            one[k + FAR + 1] = mass(z, k);
            cdf[k + FAR + 1] = cdf[k + FAR] + mass(z, k);
        }
    }
    for (int i = 0; i < N; i++) {
        chance[i] = 0;
        for (int t = -FAR / 4; t <= FAR / 2; t++) {
            double p = one[t - x[i] + FAR + 1];
            for (int j = 0; j < N; j++)
                if (j != i)
                    p *= cdf[t - (j < i) - x[j] + FAR + 1];
            chance[i] += p;
        }
    }
}

/* ---- nobody is worse ---------------------------------------------------------------------------- */

static const struct {
    const char *spec;
    double rate;
    int d;
    bool one_sided, monotone;
} cases[] = {{"noisymax:eps=1", 0.5, 1, false, false},
             {"noisymax:eps=1,noise=one-sided", 0.5, 1, true, false},
             {"noisymax:eps=4,sensitivity=2,noise=one-sided", 1, 2, true, false},
             {"noisymax:eps=3/2,sensitivity=2,scores=monotone", 0.75, 2, false, true},
             {"noisymax:eps=9/4,sensitivity=3,scores=monotone,noise=one-sided", 0.75, 3, true, true}};
enum { CASES = sizeof cases / sizeof *cases, ASKED = 4 };

/* The i-th of some epsilons, of which the last is the largest loss. */
static double asked(size_t k, int i)
{
    const double eps = cases[k].rate * (cases[k].monotone ? 1 : 2) * cases[k].d;
    return eps * i / (ASKED - 1);
}

/* The greatest delta that any scores of four have, with a neighbour whose scores all moved as far as they
 * may: between neighbours that move less the winner's chances move less. */
static void search(double *worst, size_t k)
{
    static const int score[] = {-60, 0, 1, 2};
    const struct noise z = {exp(-cases[k].rate), cases[k].one_sided};
    for (int c = 0; c < 256; c++)
        for (int up = 1; up < 15; up++) {
            int x[N], y[N];
            double p[N], q[N];
            for (int i = 0; i < N; i++) {
                x[i] = score[c >> 2 * i & 3];
                y[i] = x[i] + ((up >> i & 1) ? cases[k].d : cases[k].monotone ? 0 : -cases[k].d);
            }
            winners(p, &z, x);
            winners(q, &z, y);
            for (int e = 0; e < ASKED; e++) {
                double delta = 0, back = 0;
                for (int i = 0; i < N; i++) {
                    delta += fmax(0, p[i] - exp(asked(k, e)) * q[i]);
                    back += fmax(0, q[i] - exp(asked(k, e)) * p[i]);
                }
                worst[e] = fmax(worst[e], fmax(delta, back));
            }
        }
}

/* No table is worse than what is told, one-sided noise reaches it, and the lower end of two-sided noise is no
 * less than what these tables have. */
Test(noisymax_pairs, no_scores_lose_more_and_some_as_much)
{
    for (size_t k = 0; k < CASES; k++) {
        double worst[ASKED] = {0};
        pby_spec *spec = spec_of(cases[k].spec);
        search(worst, k);
        for (int e = 0; e < ASKED; e++) {
            pby_enclosure told;
            mpq_t at;
            mpq_init(at);
            mpq_set_d(at, asked(k, e));
            pby_enclosure_init(&told);
            cr_assert_eq(pby_loss_delta(&told, spec, PBY_ADD_REMOVE, at, 15, NULL), PBY_OK);
            const double hi = mpfr_get_d(told.hi, MPFR_RNDU), lo = mpfr_get_d(told.lo, MPFR_RNDD);
            cr_assert_leq(worst[e], hi + 1e-11, "%s at %g", cases[k].spec, asked(k, e));
            if (cases[k].one_sided)
                cr_assert_geq(worst[e], hi - 1e-9, "%s at %g: %g and %g", cases[k].spec, asked(k, e),
                              worst[e], hi);
            else
                cr_assert_geq(lo, 0.98 * worst[e] - 1e-11, "%s at %g: %g and %g", cases[k].spec, asked(k, e),
                              lo, worst[e]);
            pby_enclosure_clear(&told);
            mpq_clear(at);
        }
        pby_spec_free(spec);
    }
}

/* Steps that are taken together lose no less, and the whole still loses eps. */
Test(noisymax_pairs, far_moves_are_taken_in_longer_steps)
{
    static const char *const specs[] = {"noisymax:eps=1,sensitivity=20000,noise=one-sided",
                                        "noisymax:eps=1,sensitivity=16411,noise=one-sided,scores=monotone"};
    for (size_t k = 0; k < 2; k++) {
        pby_spec *spec = spec_of(specs[k]);
        pby_enclosure delta;
        mpq_t at;
        mpq_init(at);
        mpq_set_ui(at, 1, 3);
        pby_enclosure_init(&delta);
        cr_assert_not(pby_max_is_exact(&spec->use[0].mechanism));
        cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, at, 12, NULL), PBY_OK);
        const double real = 1 - exp((1.0 / 3 - 1) / 2); /* of continuous noise */
        cr_assert(mpfr_cmp_d(delta.hi, real) > 0 && mpfr_cmp_d(delta.lo, real) < 0);
        cr_assert_gt(mpfr_get_d(delta.lo, MPFR_RNDD), 0.99 * real);
        cr_assert_lt(mpfr_get_d(delta.hi, MPFR_RNDU), k == 0 ? 1.0001 * real : 1.4 * real);
        mpq_set_ui(at, 1, 1);
        cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, at, 12, NULL), PBY_OK);
        cr_assert(mpfr_zero_p(delta.hi));
        pby_enclosure_clear(&delta);
        mpq_clear(at);
        pby_spec_free(spec);
    }
}

/* ---- attained pairs ----------------------------------------------------------------------------- */

static void mass_of(arb_t x, const pby_expsum_t numerator, const pby_expsum_t norm)
{
    arb_t below;
    arb_init(below);
    pby_expsum_get_arb(x, numerator, PREC);
    pby_expsum_get_arb(below, norm, PREC);
    arb_div(x, x, below, PREC);
    arb_clear(below);
}

/* True if the first outcome has the chance, by the law, that the first of two candidates wins, `ahead` on the
 * one input and `by` less on the other. */
static bool is_lead(const pby_pair *pair, const pby_max_noise *noise, int64_t ahead, int64_t by)
{
    bool yes = true;
    arb_t chance, told;
    arb_init(chance);
    arb_init(told);
    for (int side = 0; side < 2; side++) {
        const int64_t x[2] = {ahead - side * by, 0};
        cr_assert_eq(pby_max_chance(chance, noise, x, 2, 0, PREC, NULL), PBY_OK);
        mass_of(told, side == 0 ? pair->atoms[0].p : pair->atoms[0].q,
                side == 0 ? pair->norm_p : pair->norm_q);
        arb_sub(chance, chance, told, PREC);
        yes = yes && arb_contains_zero(chance);
    }
    arb_clear(told);
    arb_clear(chance);
    return yes;
}

Test(noisymax_pairs, attained_pairs_of_two_candidates)
{
    for (size_t k = 0; k < CASES; k++) {
        pby_spec *spec = spec_of(cases[k].spec);
        pby_max_noise noise;
        pby_pairs pairs = {NULL, 0};
        const int64_t by = (cases[k].monotone ? 1 : 2) * cases[k].d;
        const int64_t leads[] = {-(by / 2), 0, by, 4 * by, 16 * by};
        pby_max_noise_init(&noise, &spec->use[0].mechanism);
        cr_assert_eq(pby_mechanism_attained(&pairs, &spec->use[0].mechanism, PBY_ADD_REMOVE, NULL), PBY_OK);
        cr_assert_eq(pairs.count, cases[k].one_sided ? (size_t)by : 14);
        for (size_t i = 0; i < (cases[k].one_sided ? pairs.count : 5); i++)
            cr_assert(is_lead(&pairs.pair[i], &noise, cases[k].one_sided ? (int64_t)i : -leads[i], by),
                      "%s, %zu", cases[k].spec, i);
        pby_pairs_clear(&pairs);
        pby_max_noise_clear(&noise);
        pby_spec_free(spec);
    }
}

/* The chance that one of `front` candidates wins that are ahead of `back` others, `high` of them by a step
 * less. */
static double front_wins(const struct noise *z, int front, int back, int high, int ahead)
{
    double sum = 0, lead = 0, level = 0, step = 0;
    for (int t = -200; t < 200; t++) {
        const double before = lead;
        lead += mass(z, t - ahead);
        level += mass(z, t);
        step += mass(z, t - 1);
        sum += (pow(lead, front) - pow(before, front)) * pow(level, back - high) * pow(step, high);
    }
    return sum;
}

/* The others are those of one or two candidates against some few. */
Test(noisymax_pairs, attained_pairs_of_a_few_candidates)
{
    pby_spec *spec = spec_of(cases[0].spec);
    pby_pairs pairs = {NULL, 0};
    const struct noise z = {exp(-0.5), false};
    cr_assert_eq(pby_mechanism_attained(&pairs, &spec->use[0].mechanism, PBY_ADD_REMOVE, NULL), PBY_OK);
    for (size_t i = 6; i < pairs.count; i++) {
        bool found = false;
        arb_t p, q;
        arb_init(p);
        arb_init(q);
        mass_of(p, pairs.pair[i].atoms[0].p, pairs.pair[i].norm_p);
        mass_of(q, pairs.pair[i].atoms[0].q, pairs.pair[i].norm_q);
        const double here = arf_get_d(arb_midref(p), ARF_RND_NEAR),
                     there = arf_get_d(arb_midref(q), ARF_RND_NEAR);
        for (int c = 0; c < 2 * 4 * 5 * 7 && !found; c++) {
            const int front = 1 + c % 2, back = 2 + c / 2 % 4, high = c / 8 % 5, ahead = c / 40 - 1;
            found = high < back && fabs(front_wins(&z, front, back, high, ahead) - here) < 1e-9 &&
                    fabs(front_wins(&z, front, back, high, ahead - 2) - there) < 1e-9;
        }
        cr_assert(found, "pair %zu", i);
        arb_clear(q);
        arb_clear(p);
    }
    pby_pairs_clear(&pairs);
    pby_spec_free(spec);
}

/* ---- how fast a maximum grows ------------------------------------------------------------------- */

static double cdf_of(double a, int k)
{
    return k < 0 ? pow(a, -k) / (1 + a) : 1 - pow(a, k + 1) / (1 + a);
}

static double cdf_of_largest(double a, const int *x, int n, int t)
{
    double all = 1;
    for (int i = 0; i < n; i++)
        all *= cdf_of(a, t - x[i]);
    return all;
}

/* K of the theory page: the cdf one step on is at most this. */
static double grown(double a, double y)
{
    int k = 0;
    while (y < pow(a / (1 + a), k + 1))
        k++;
    return (1 - a) / pow(1 + a, k) + pow(a, 1 - k) * y;
}

Test(noisymax_pairs, no_maximum_grows_faster)
{
    enum { MOST = 7, TABLES = 400 };
    const double rates[] = {0.1, 0.5, 1, 3};
    uint64_t state = 20;
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
        for (int i = 0; i < TABLES; i++) {
            const double a = exp(-rates[r]);
            int x[MOST];
            const int n = 1 + i % MOST;
            for (int j = 0; j < n; j++) {
                state = state * 6364136223846793005U + 1442695040888963407U;
                x[j] = (int)(state >> 60);
            }
            for (int t = -12; t < 40; t++) {
                const double y = cdf_of_largest(a, x, n, t), next = cdf_of_largest(a, x, n, t + 1);
                cr_assert_leq(next, grown(a, y) * (1 + 1e-12), "%g, %d candidates, %d", rates[r], n, t);
            }
        }
}

/* Equal scores reach it where their factors turn, one candidate everywhere above. */
Test(noisymax_pairs, equal_candidates_grow_as_fast)
{
    const int x[4] = {0};
    for (int n = 1; n <= 4; n++) {
        const double y = cdf_of_largest(0.5, x, n, -1), next = cdf_of_largest(0.5, x, n, 0);
        cr_assert_float_eq(next, grown(0.5, y * (1 + 1e-15)), 1e-12, "%d", n);
    }
    for (int t = -1; t < 20; t++)
        cr_assert_float_eq(cdf_of(0.5, t + 1), grown(0.5, cdf_of(0.5, t)), 1e-12, "%d", t);
}
