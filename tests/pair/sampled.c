/* SPDX-License-Identifier: MIT */
/* Sampled pairs against the sampled mechanism itself, enumerated: a count of x records, each seen with chance
 * q, plus noise, so that the law of the outputs is that of Binomial(x, q) plus the noise. */
#include "pair/sampled.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "loss/divergence/divergence.h"
#include "loss/loss.h"
#include "mechanism/family.h"
#include "probity/experimental/accuracy.h"
#include "probity/experimental/draw.h"
#include "probity/loss.h"
#include "probity/rational.h"
#include "probity/release.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/loss/brute.h"
#include "tests/spec.h"

enum { USES_MAX = 3 };

/* ---- the sampled mechanism --------------------------------------------------------------------- */

/* sampled = the law of Binomial(x, q) plus the noise; from the definition, one record after the other. */
static void sample_count(brute *sampled, const brute *noise, slong x, const fmpq_t q)
{
    arb_t in, out;
    arb_init(in);
    arb_init(out);
    arb_set_fmpq(in, q, BRUTE_PREC);
    arb_sub_ui(out, in, 1, BRUTE_PREC);
    arb_neg(out, out);
    *sampled = (brute){noise->lo, noise->n + x, _arb_vec_init(noise->n + x)};
    for (slong i = 0; i < noise->n; i++)
        arb_set(sampled->mass + i, noise->mass + i);
    for (slong record = 0; record < x; record++)
        for (slong i = sampled->n - 1; i >= 0; i--) {
            arb_mul(sampled->mass + i, sampled->mass + i, out, BRUTE_PREC);
            if (i > 0)
                arb_addmul(sampled->mass + i, sampled->mass + i - 1, in, BRUTE_PREC);
        }
    arb_clear(out);
    arb_clear(in);
}

/* The mass at an outcome, zero outside. */
static void mass_at(arb_t out, const brute *law, slong k)
{
    arb_zero(out);
    if (k >= law->lo && k < law->lo + law->n)
        arb_set(out, law->mass + k - law->lo);
}

/* A use: its output law on either input. */
struct use {
    const brute *p, *q;
};

/* sum += the excess of P over factor Q, over all outcomes of the uses from `at` on. */
static void add_excess(arb_t sum, const struct use *use, size_t at, size_t count, const arb_t p,
                       const arb_t q)
{
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    if (at == count) {
        arb_sub(x, p, q, BRUTE_PREC);
        if (arb_is_positive(x))
            arb_add(sum, sum, x, BRUTE_PREC);
    } else {
        const slong lo = FLINT_MIN(use[at].p->lo, use[at].q->lo),
                    hi = FLINT_MAX(use[at].p->lo + use[at].p->n, use[at].q->lo + use[at].q->n);
        for (slong k = lo; k < hi; k++) {
            mass_at(x, use[at].p, k);
            mass_at(y, use[at].q, k);
            arb_mul(x, x, p, BRUTE_PREC);
            arb_mul(y, y, q, BRUTE_PREC);
            add_excess(sum, use, at + 1, count, x, y);
        }
    }
    arb_clear(y);
    arb_clear(x);
}

static void excess_of(arb_t sum, const struct use *use, size_t count, const fmpq_t epsilon)
{
    arb_t p, q;
    arb_init(p);
    arb_init(q);
    arb_one(p);
    arb_set_fmpq(q, epsilon, BRUTE_PREC);
    arb_exp(q, q, BRUTE_PREC);
    arb_zero(sum);
    add_excess(sum, use, 0, count, p, q);
    arb_clear(q);
    arb_clear(p);
}

/* The greater of both orders. */
static void worse_of(arb_t delta, const struct use *use, size_t count, const fmpq_t epsilon)
{
    struct use turned[USES_MAX];
    arb_t other;
    arb_init(other);
    for (size_t i = 0; i < count; i++)
        turned[i] = (struct use){use[i].q, use[i].p};
    excess_of(delta, use, count, epsilon);
    excess_of(other, turned, count, epsilon);
    arb_max(delta, delta, other, BRUTE_PREC);
    arb_clear(other);
}

static const char *const epsilons[] = {"0", "1/100", "1/10", "1/3", "1", "-1/10"};
enum { EPSILONS = sizeof epsilons / sizeof *epsilons };

/* ---- one use ----------------------------------------------------------------------------------- */

/* With no other records the pairs are attained, and with some no neighbours are worse. */
static void check_one(const char *spec, const brute *noise, const char *rate)
{
    enum { RECORDS = 4 };
    brute law[RECORDS + 1];
    fmpq_t q, epsilon;
    arb_t claimed, delta;
    fmpq_init(q);
    fmpq_init(epsilon);
    arb_init(claimed);
    arb_init(delta);
    set_text(q, rate);
    for (slong x = 0; x <= RECORDS; x++)
        sample_count(&law[x], noise, x, q);
    for (size_t i = 0; i < EPSILONS; i++) {
        set_text(epsilon, epsilons[i]);
        ask_delta(claimed, spec, epsilon, 40);
        for (slong x = 0; x < RECORDS; x++) {
            const struct use use = {&law[x], &law[x + 1]};
            worse_of(delta, &use, 1, epsilon);
            if (x == 0)
                cr_assert(brute_close(claimed, delta), "%s at %s", spec, epsilons[i]);
            arb_sub(delta, delta, claimed, BRUTE_PREC);
            cr_assert(arf_cmp_d(arb_midref(delta), 1e-30) < 0, "%s at %s, %ld records", spec, epsilons[i], x);
        }
    }
    for (slong x = 0; x <= RECORDS; x++)
        brute_clear(&law[x]);
    arb_clear(delta);
    arb_clear(claimed);
    fmpq_clear(epsilon);
    fmpq_clear(q);
}

Test(sampled, no_neighbours_are_worse_than_the_pairs)
{
    brute noise;
    fmpq_t x;
    fmpq_init(x);
    set_text(x, "1/2");
    brute_geometric(&noise, x);
    check_one("geometric:eps=1/2,sample=1/5", &noise, "1/5");
    check_one("geometric:eps=1/2,sample=99/100", &noise, "99/100");
    check_one("laplace:scale=2,grid=1,sample=1/1000", &noise, "1/1000");
    brute_clear(&noise);
    set_text(x, "3/2");
    brute_dgauss(&noise, x);
    check_one("dgauss:sigma2=3/2,sample=1/5", &noise, "1/5");
    check_one("dgauss:sigma2=3/2,sample=1/1000", &noise, "1/1000");
    brute_clear(&noise);
    fmpq_clear(x);
}

/* Integrals of the densities, removal, by another program. */
Test(sampled, a_gaussian_is_the_integral)
{
    static const char *const at[][3] = {
        {"gauss:sigma2=1/4,sample=1/5", "1", "0.0578404059975115006822058 +/- 1e-24"},
        {"gauss:sigma2=4,sample=1/2", "1", "0.0002103502511981533012443911 +/- 1e-26"},
        {"gauss:sigma2=4,sample=1/100", "1/1000", "0.00160940320075406326148543 +/- 1e-25"},
        {"gauss:sigma2=1,sample=1/10", "1/20", "0.02614366295894726016879784 +/- 1e-24"}};
    arb_t found, expected;
    fmpq_t epsilon;
    arb_init(found);
    arb_init(expected);
    fmpq_init(epsilon);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        set_text(epsilon, at[i][1]);
        arb_set_str(expected, at[i][2], 128);
        ask_delta(found, at[i][0], epsilon, 20);
        cr_assert(arb_overlaps(found, expected), "%s", at[i][0]);
    }
    fmpq_clear(epsilon);
    arb_clear(expected);
    arb_clear(found);
}

/* Compares the pairs themselves: the addition loses less than the removal, and no more than -log(1-q). */
Test(sampled, both_orders_have_their_pair)
{
    pby_pairs pairs;
    arb_t p, q, bound;
    fmpq_t t;
    arb_init(p);
    arb_init(q);
    arb_init(bound);
    fmpq_init(t);
    pby_spec *spec = spec_of("gauss:sigma2=1,sample=1/10");
    cr_assert_eq(pby_mechanism_pairs(&pairs, &spec->use[0].mechanism, PBY_ADD_REMOVE, NULL), PBY_OK);
    pby_spec_free(spec);
    cr_assert_eq(pairs.count, 2);
    cr_assert_eq(pairs.pair[0].direction, PBY_FORWARD);
    cr_assert_eq(pairs.pair[1].direction, PBY_BACKWARD);
    const pby_curve *addition = pairs.pair[0].curve, *removal = pairs.pair[1].curve;
    addition->class->largest(bound, addition, 128);
    arb_set_str(p, "0.105360515657826301227500980839 +/- 1e-29", 128); /* -log(9/10) */
    cr_assert(arb_overlaps(bound, p));
    removal->class->smallest(bound, removal, 128);
    arb_neg(p, p);
    cr_assert(arb_overlaps(bound, p));
    set_text(t, "0.105360515657826301227500980840");
    cr_assert_eq(addition->class->tails(p, q, addition, t, 128, NULL), PBY_OK);
    cr_assert(arb_is_zero(p) && arb_is_zero(q));
    set_text(t, "-0.105360515657826301227500980840");
    cr_assert_eq(removal->class->tails(p, q, removal, t, 128, NULL), PBY_OK);
    cr_assert(arb_is_one(p) && arb_is_one(q));
    set_text(t, "1/20"); /* the integral of an addition, by another program: answers have the removal */
    arb_set_str(bound, "0.0105725813538311282485573 +/- 1e-24", 128);
    cr_assert_eq(addition->class->direct(p, addition, t, 128, NULL), PBY_OK);
    cr_assert(arb_overlaps(p, bound) && mag_cmp_2exp_si(arb_radref(p), -100) < 0);
    cr_assert_eq(pby_curve_hockey_stick(p, addition, t, 128, NULL), PBY_OK);
    cr_assert(arb_overlaps(p, bound) && mag_cmp_2exp_si(arb_radref(p), -100) < 0);
    pby_pairs_clear(&pairs);
    fmpq_clear(t);
    arb_clear(bound);
    arb_clear(q);
    arb_clear(p);
}

/* ---- several uses ------------------------------------------------------------------------------ */

/* delta of the spec has the truth in it, and is no wider than a hundredth. */
static void check_delta(const char *spec, const struct use *use, size_t count, const char *epsilon_text)
{
    arb_t found, truth;
    fmpq_t epsilon;
    arb_init(found);
    arb_init(truth);
    fmpq_init(epsilon);
    set_text(epsilon, epsilon_text);
    worse_of(truth, use, count, epsilon);
    ask_delta(found, spec, epsilon, 20);
    arb_add_error_2exp_si(truth, -90);
    cr_assert(arb_overlaps(found, truth), "%s at %s: %s, not %s", spec, epsilon_text,
              arb_get_str(found, 20, 0), arb_get_str(truth, 20, 0));
    cr_assert_lt(mag_get_d(arb_radref(found)), 0.0051 * arf_get_d(arb_midref(found), ARF_RND_NEAR), "%s",
                 spec);
    fmpq_clear(epsilon);
    arb_clear(truth);
    arb_clear(found);
}

Test(sampled, compositions_are_enumerated)
{
    brute noise, none, one;
    fmpq_t x, q;
    fmpq_init(x);
    fmpq_init(q);
    set_text(x, "1/4");
    set_text(q, "1/3");
    brute_dgauss(&noise, x);
    sample_count(&none, &noise, 0, q);
    sample_count(&one, &noise, 1, q);
    const struct use same[] = {{&none, &one}, {&none, &one}, {&none, &one}};
    const char *const at[] = {"0", "1/2", "1", "2"};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        check_delta("2*dgauss:sigma2=1/4,sample=1/3", same, 2, at[i]);
        check_delta("3*dgauss:sigma2=1/4,sample=1/3", same, 3, at[i]);
    }
    brute_clear(&one);
    brute_clear(&none);
    brute_clear(&noise);
    fmpq_clear(q);
    fmpq_clear(x);
}

/* A bar of one record under a threshold: silence, at T - 1, and what reaches T. */
static void new_bar(brute *law, const brute *noise, slong threshold)
{
    const slong reach = noise->lo + noise->n; /* the last outcome of 1 + noise */
    *law = (brute){threshold - 1, reach - threshold + 2, _arb_vec_init(reach - threshold + 2)};
    for (slong i = 0; i < noise->n; i++) {
        const slong k = FLINT_MAX(noise->lo + i + 1, threshold - 1) - law->lo;
        arb_add(law->mass + k, law->mass + k, noise->mass + i, BRUTE_PREC);
    }
}

/* Beside a mechanism that is not its own reverse either: the order of the two inputs is the same for both.
 * The bar under the threshold is new, or was there before and moves. */
Test(sampled, lists_keep_one_order_of_the_inputs)
{
    enum { T = 20 };
    brute noise, none, one, silent, new, moved;
    arb_t right, crossed, other;
    fmpq_t x, q;
    arb_init(right);
    arb_init(crossed);
    arb_init(other);
    fmpq_init(x);
    fmpq_init(q);
    set_text(x, "1");
    set_text(q, "1/2");
    brute_geometric(&noise, x);
    sample_count(&none, &noise, 0, q);
    sample_count(&one, &noise, 1, q);
    brute_clear(&noise);
    set_text(x, "1/10");
    brute_geometric(&noise, x);
    new_bar(&new, &noise, T);
    silent = (brute){T - 1, 1, _arb_vec_init(1)};
    arb_one(silent.mass);
    moved = noise;
    moved.lo++;
    const struct use list[] = {{&none, &one}, {&silent, &new}}, wrong[] = {{&none, &one}, {&new, &silent}},
                     moves[] = {{&none, &one}, {&noise, &moved}};
    static const char *const at[] = {"0", "1/10", "1/2", "1"};
    bool counts = false;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        set_text(x, at[i]);
        worse_of(right, list, 2, x);
        worse_of(crossed, wrong, 2, x);
        worse_of(other, moves, 2, x);
        counts = counts || (arb_lt(other, right) && !brute_close(right, crossed));
        arb_max(right, right, other, BRUTE_PREC);
        ask_delta(other, "geometric:eps=1,sample=1/2 threshold:eps=1/10,T=20", x, 20);
        arb_add_error_2exp_si(right, -90);
        cr_assert(arb_overlaps(other, right), "at %s: %s, not %s", at[i], arb_get_str(other, 20, 0),
                  arb_get_str(right, 20, 0));
        cr_assert_lt(mag_get_d(arb_radref(other)), 1e-4);
    }
    cr_assert(counts, "the order does not count here");
    brute_clear(&silent);
    brute_clear(&new);
    brute_clear(&noise);
    brute_clear(&one);
    brute_clear(&none);
    fmpq_clear(q);
    fmpq_clear(x);
    arb_clear(other);
    arb_clear(crossed);
    arb_clear(right);
}

/* Beside one that sees all records, which is not gathered with it. */
Test(sampled, some_uses_may_see_all_records)
{
    brute noise, none, one, all;
    fmpq_t x, q;
    fmpq_init(x);
    fmpq_init(q);
    set_text(x, "1/2");
    set_text(q, "1/10");
    brute_dgauss(&noise, x);
    sample_count(&none, &noise, 0, q);
    sample_count(&one, &noise, 1, q);
    all = noise;
    all.lo++;
    const struct use list[] = {{&none, &one}, {&noise, &all}, {&none, &one}};
    check_delta("2*dgauss:sigma2=1/2,sample=1/10 dgauss:sigma2=1/2", list, 3, "1");
    check_delta("2*dgauss:sigma2=1/2,sample=1/10 dgauss:sigma2=1/2", list, 3, "3");
    brute_clear(&one);
    brute_clear(&none);
    brute_clear(&noise);
    fmpq_clear(q);
    fmpq_clear(x);
}

/* Brackets that others found, and the truth of Gaussians that are sampled or not. */
static void check_epsilon(const char *spec, const char *delta_text, const char *bracket)
{
    arb_t found, expected;
    fmpq_t delta;
    arb_init(found);
    arb_init(expected);
    fmpq_init(delta);
    set_text(delta, delta_text);
    arb_set_str(expected, bracket, 128);
    ask_epsilon(found, spec, delta, 20);
    cr_assert(arb_contains(found, expected), "%s: %s", spec, arb_get_str(found, 12, 0));
    cr_assert_lt(mag_get_d(arb_radref(found)), 0.0051 * arf_get_d(arb_midref(found), ARF_RND_NEAR));
    fmpq_clear(delta);
    arb_clear(expected);
    arb_clear(found);
}

Test(sampled, training_runs)
{
    arb_t found, expected;
    fmpq_t one;
    arb_init(found);
    arb_init(expected);
    fmpq_init(one);
    fmpq_one(one);
    arb_set_str(expected, "0.1559327755 +/- 5e-10", 128);
    ask_delta(found, "3*gauss:sigma2=1/4,sample=1/5", one, 20);
    cr_assert(arb_contains(found, expected));
    check_epsilon("10000*gauss:sigma2=4,sample=1/100", "1e-6", "2.446686 +/- 4.9e-5");
    check_epsilon("2249*gauss:sigma2=9/4,sample=1/25", "1e-5", "6.7670425 +/- 2.5e-6");
    fmpq_clear(one);
    arb_clear(expected);
    arb_clear(found);
}

Test(sampled, a_hundred_thousand_steps)
{
    check_epsilon("100000*gauss:sigma2=4,sample=1/1000", "1e-12", "1.1157 +/- 5e-5");
}

/* ---- text and refusals -------------------------------------------------------------------------- */

Test(sampled, one_is_no_sampling)
{
    pby_spec *spec = spec_of("gauss:sigma2=4,sample=1 gauss:sigma2=4,sample=1/2");
    cr_assert_str_eq(pby_spec_text(spec), "gauss:sigma2=4 gauss:sigma2=4,sample=1/2");
    pby_spec_free(spec);
}

static void check_bad(pby_status status, const pby_error *err, const char *expected)
{
    cr_assert_eq(status, PBY_BAD);
    cr_assert_not_null(strstr(err->text, expected), "%s", err->text);
}

Test(sampled, rates_are_above_zero_and_at_most_one)
{
    static const char *const wrong[] = {"gauss:sigma2=4,sample=0", "gauss:sigma2=4,sample=-1/2",
                                        "gauss:sigma2=4,sample=1.0000001", "geometric:eps=1,sample=2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pby_spec *spec;
        pby_error err;
        check_bad(pby_spec_parse(&spec, &wrong[i], 1, &err), &err, "above 0, at most 1");
    }
}

/* A use that would charge a sampled loss for data that are not sampled is refused. */
Test(sampled, nothing_else_takes_a_sampled_mechanism)
{
    pby_error err;
    pby_sampler *sampler;
    pby_release *release;
    pby_enclosure x;
    pby_accuracy_kind kind;
    mpq_t at;
    pby_spec *spec = spec_of("geometric:eps=1,sample=1/2"), *curve = spec_of("gauss:sigma2=4,sample=1/2");
    pby_enclosure_init(&x);
    mpq_init(at);
    mpq_set_ui(at, 2, 1);
    check_bad(pby_loss_delta(&x, spec, PBY_SUBSTITUTE, at, 9, &err), &err, "expected add-remove");
    check_bad(pby_sampler_new(&sampler, spec, &err), &err, "no sample");
    check_bad(pby_release_new(&release, spec, PBY_SUBSTITUTE, &err), &err, "expected add-remove");
    check_bad(pby_accuracy_kind_of(&kind, spec, &err), &err, "no sample");
    mpq_set_ui(at, 5, 2);
    check_bad(pby_loss_renyi(&x, NULL, curve, PBY_ADD_REMOVE, at, 9, &err), &err, "at integer orders");
    cr_assert(!pby_spec_grows(spec));
    mpq_clear(at);
    pby_enclosure_clear(&x);
    pby_spec_free(curve);
    pby_spec_free(spec);
}

/* ---- the exponential mechanism ------------------------------------------------------------------- */

enum { PLACES = 40 };

struct two {
    double p[2], q[2];
};

/* Two candidates of losses t and t - eps, of which one side sees the record with chance rate: by definition.
 */
static struct two two_candidates(double eps, double t, double rate, bool removal)
{
    const double mass = (exp(-t) - exp(-eps)) / (1 - exp(-eps));
    struct two out = {{exp(t) * mass, 1 - exp(t) * mass}, {mass, 1 - mass}};
    for (int i = 0; i < 2; i++) {
        const double p = out.p[i], q = out.q[i];
        if (removal)
            out.p[i] = (1 - rate) * q + rate * p;
        else
            out.q[i] = (1 - rate) * p + rate * q;
    }
    return out;
}

/* The greatest excess of `left` uses, each of which chooses its candidates by the outputs before it. */
static double worst_choice(const struct two *menu, double x, int left)
{
    double most = 0;
    for (int k = 0; k < PLACES; k++) {
        double sum = 0;
        for (int i = 0; i < 2; i++) {
            const double p = menu[k].p[i], q = menu[k].q[i];
            sum += left > 1 ? p * worst_choice(menu, x * q / p, left - 1) : fmax(0, p - x * q);
        }
        most = fmax(most, sum);
    }
    return most;
}

static void check_exponential(const char *spec, double eps, double rate, int uses, const char *at)
{
    pby_enclosure found;
    mpq_t e;
    mpq_init(e);
    pby_enclosure_init(&found);
    cr_assert_eq(pby_rational_parse(e, "epsilon", at, NULL), PBY_OK);
    double most = 0;
    for (int removal = 0; removal < 2; removal++) {
        struct two menu[PLACES];
        for (int k = 0; k < PLACES; k++)
            menu[k] = two_candidates(eps, eps * (k + 0.5) / PLACES, rate, removal != 0);
        most = fmax(most, worst_choice(menu, exp(mpq_get_d(e)), uses));
    }
    pby_spec *s = spec_of(spec);
    cr_assert_eq(pby_loss_delta(&found, s, PBY_ADD_REMOVE, e, 9, NULL), PBY_OK);
    const double lo = mpfr_get_d(found.lo, MPFR_RNDD), hi = mpfr_get_d(found.hi, MPFR_RNDU);
    cr_assert(most <= hi + 1e-12, "%s: %g is worse than %g", spec, most, hi);
    cr_assert(most >= 0.999 * lo, "%s: %g of some candidates is far below %g", spec, most, lo);
    cr_assert(hi <= 1.03 * lo, "%s: [%g, %g] is wide", spec, lo, hi);
    pby_spec_free(s);
    pby_enclosure_clear(&found);
    mpq_clear(e);
}

Test(sampled, samples_of_candidates_are_enumerated)
{
    check_exponential("exponential:eps=1,sample=1/2", 1, 0.5, 1, "1/10");
    check_exponential("exponential:eps=2,sample=1/10", 2, 0.1, 1, "1/8");
    check_exponential("exponential:eps=1,scores=monotone,sample=9/10", 1, 0.9, 1, "0");
    check_exponential("2*exponential:eps=1,sample=1/2", 1, 0.5, 2, "1/4");
    check_exponential("2*exponential:eps=2,sample=1/10", 2, 0.1, 2, "1/8");
}

/* ---- Renyi divergences ------------------------------------------------------------------------- */

/* D_a of N(0, s) sampled against N(0, s), or the reverse, by a sum over a fine grid of the densities. */
static double renyi_of_densities(double variance, double rate, int order, bool removal)
{
    const double step = 1e-3, ends = 40;
    double sum = 0;
    for (int i = 0; i <= (int)(2 * ends / step); i++) {
        const double x = step * i - ends, without = exp(-x * x / (2 * variance)),
                     mixed = (1 - rate) * without + rate * exp(-(x - 1) * (x - 1) / (2 * variance)),
                     p = removal ? mixed : without, q = removal ? without : mixed;
        if (p > 0 && q > 0)
            sum += exp(order * log(p) + (1 - order) * log(q));
    }
    return log(sum * step / sqrt(2 * M_PI * variance)) / (order - 1);
}

/* The divergence is that of a removal, and the one of an addition is smaller. */
Test(sampled, renyi_divergences_are_those_of_a_removal)
{
    static const struct {
        const char *spec;
        double variance, rate;
    } cases[] = {{"gauss:sigma2=4,sample=1/10", 4, 0.1},
                 {"gauss:sigma2=1,sample=1/2", 1, 0.5},
                 {"gauss:sigma2=9,sample=9/10", 9, 0.9}};
    static const int orders[] = {2, 3, 8};
    pby_enclosure found;
    mpq_t order;
    mpq_init(order);
    pby_enclosure_init(&found);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
            pby_spec *s = spec_of(cases[i].spec);
            mpq_set_si(order, orders[k], 1);
            cr_assert_eq(pby_loss_renyi(&found, NULL, s, PBY_ADD_REMOVE, order, 12, NULL), PBY_OK);
            const double hi = mpfr_get_d(found.hi, MPFR_RNDU),
                         removal = renyi_of_densities(cases[i].variance, cases[i].rate, orders[k], true),
                         addition = renyi_of_densities(cases[i].variance, cases[i].rate, orders[k], false);
            cr_assert(fabs(hi - removal) < 1e-9 * (1 + hi), "%s, order %d: %.12g, not %.12g", cases[i].spec,
                      orders[k], hi, removal);
            cr_assert_lt(addition, removal, "%s, order %d", cases[i].spec, orders[k]);
            pby_spec_free(s);
        }
    pby_enclosure_clear(&found);
    mpq_clear(order);
}

Test(sampled, renyi_divergences_are_of_integer_orders)
{
    pby_error err;
    pby_enclosure found;
    mpq_t order;
    mpq_init(order);
    pby_enclosure_init(&found);
    pby_spec *s = spec_of("dgauss:sigma2=4,sample=1/10");
    mpq_set_si(order, 5, 2);
    cr_assert_eq(pby_loss_renyi(&found, NULL, s, PBY_ADD_REMOVE, order, 12, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "integer orders from 2 to 10000"), "%s", err.text);
    pby_spec_free(s);
    pby_enclosure_clear(&found);
    mpq_clear(order);
}
