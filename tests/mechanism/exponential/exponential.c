/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "mechanism/exponential/exponential_curve.h"
#include "mechanism/family.h"
#include "probity/experimental/losses.h"
#include "tests/kernel/stream.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

/* The chances of n candidates from the definition: weights exp(r score), scores in units of the sensitivity
 * over GRAIN. */
enum { GRAIN = 12, CANDIDATES = 4 };

static void chances(arb_ptr out, const fmpq_t eps, const int64_t *score, slong n, bool monotone)
{
    arb_t total;
    fmpq_t x;
    arb_init(total);
    fmpq_init(x);
    for (slong i = 0; i < n; i++) {
        fmpq_set_si(x, score[i], (monotone ? 1 : 2) * GRAIN);
        fmpq_mul(x, x, eps);
        arb_set_fmpq(out + i, x, OUTCOMES_PREC);
        arb_exp(out + i, out + i, OUTCOMES_PREC);
        arb_add(total, total, out + i, OUTCOMES_PREC);
    }
    for (slong i = 0; i < n; i++)
        arb_div(out + i, out + i, total, OUTCOMES_PREC);
    fmpq_clear(x);
    arb_clear(total);
}

/* Random scores, and neighbours that move each by at most the sensitivity: none has more than the loss that
 * is told. */
static void check_neighbours(const char *spec, const char *eps_text, bool monotone, const char *at,
                             uint64_t seed)
{
    arb_t told, found;
    fmpq_t eps, e;
    arb_ptr p = _arb_vec_init(CANDIDATES), q = _arb_vec_init(CANDIDATES);
    arb_init(told);
    arb_init(found);
    fmpq_init(eps);
    fmpq_init(e);
    set_text(eps, eps_text);
    set_text(e, at);
    ask_delta(told, spec, e, 30);
    for (int round = 0; round < 300; round++) {
        int64_t s[CANDIDATES], moved[CANDIDATES];
        const slong n = 2 + (slong)(stream_next(&seed) % (CANDIDATES - 1));
        for (slong i = 0; i < n; i++) {
            s[i] = (int64_t)(stream_next(&seed) % (6 * GRAIN));
            const int64_t by = (int64_t)(stream_next(&seed) % (2 * GRAIN + 1));
            moved[i] = s[i] + (monotone ? by / 2 : by - GRAIN);
        }
        chances(p, eps, s, n, monotone);
        chances(q, eps, moved, n, monotone);
        for (int order = 0; order < 2; order++) {
            outcomes_divergence(found, order == 0 ? &p : &q, order == 0 ? &q : &p, 1, n, e);
            cr_assert_not(arb_gt(found, told), "%s at %s: some neighbours lose more", spec, at);
        }
    }
    fmpq_clear(e);
    fmpq_clear(eps);
    arb_clear(found);
    arb_clear(told);
    _arb_vec_clear(q, CANDIDATES);
    _arb_vec_clear(p, CANDIDATES);
}

Test(exponential, no_neighbours_are_worse)
{
    static const char *const epsilons[] = {"-1", "-1/3", "0", "1/4", "1", "3/2"};
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        check_neighbours("exponential:eps=1", "1", false, epsilons[i], i);
        check_neighbours("exponential:eps=2,sensitivity=7/2", "2", false, epsilons[i], 100 + i);
        check_neighbours("exponential:eps=1,scores=monotone", "1", true, epsilons[i], 200 + i);
    }
}

/* Two candidates whose scores move by d in opposite directions have the losses t and t - eps; with the first
 * ahead by the right distance t is the worst one, and the loss that is told is reached. Here t = eps/2 at
 * epsilon 0: scores that are exchanged. */
Test(exponential, two_candidates_reach_it)
{
    arb_t told, found;
    fmpq_t eps, zero;
    arb_ptr p = _arb_vec_init(2), q = _arb_vec_init(2);
    const int64_t s[2] = {GRAIN, 0}, moved[2] = {0, GRAIN};
    arb_init(told);
    arb_init(found);
    fmpq_init(eps);
    fmpq_init(zero);
    set_text(eps, "1");
    ask_delta(told, "exponential:eps=1", zero, 30);
    chances(p, eps, s, 2, false);
    chances(q, eps, moved, 2, false);
    outcomes_divergence(found, &p, &q, 1, 2, zero);
    cr_assert(arb_overlaps(told, found));
    fmpq_clear(zero);
    fmpq_clear(eps);
    arb_clear(found);
    arb_clear(told);
    _arb_vec_clear(q, 2);
    _arb_vec_clear(p, 2);
}

static void check_value(const char *spec, const char *at, const char *delta, bool close)
{
    arb_t ball, value;
    fmpq_t e;
    arb_init(ball);
    arb_init(value);
    fmpq_init(e);
    set_text(e, at);
    arb_set_str(value, delta, OUTCOMES_PREC);
    arb_add_error_2exp_si(value, -65); /* the last digits that are written */
    ask_delta(ball, spec, e, 15);
    cr_assert(arb_overlaps(ball, value), "%s at %s", spec, at);
    if (close) {
        arb_get_rad_arb(ball, ball);
        arb_mul_ui(ball, ball, 200, OUTCOMES_PREC);
        cr_assert(arb_lt(ball, value), "%s at %s: more than a hundredth wide", spec, at);
    }
    fmpq_clear(e);
    arb_clear(value);
    arb_clear(ball);
}

/* From the definition in 120 digits; of two uses by a recursion elsewhere. */
Test(exponential, values_from_outside)
{
    check_value("exponential:eps=1", "-1/2", "0.4404176557432719729488692", true);
    check_value("exponential:eps=1", "0", "0.2449186624037091292778011", true);
    check_value("exponential:eps=2", "1/2", "0.3219711054112352136378735", true);
    check_value("2*exponential:eps=1", "0", "0.30336549648318225911", true);
    check_value("2*exponential:eps=1/2", "1/4", "0.069908335410601408857", true);
}

/* Below -eps delta is 1 - exp(epsilon), from eps on it is 0, exactly. */
Test(exponential, both_ends)
{
    arb_t ball;
    fmpq_t e;
    arb_init(ball);
    fmpq_init(e);
    set_text(e, "1");
    ask_delta(ball, "exponential:eps=1", e, 15);
    cr_assert(arb_is_zero(ball));
    fmpq_clear(e);
    arb_clear(ball);
    check_value("exponential:eps=1", "-2", "0.86466471676338730810600050", true);
    check_value("exponential:eps=1", "-1", "0.63212055882855767840447622", true);
}

/* The tails of a curve against its potential: D(x) = P(L > log x) - x Q(L > log x) is the greatest D_t of the
 * piece, tried on a grid of t. */
Test(exponential, a_piece_has_the_greatest_of_its_pairs)
{
    pby_curve *curve;
    fmpq_t eps, from, to, l, t;
    arb_t p, q, x, one, best;
    fmpq_init(eps);
    fmpq_init(from);
    fmpq_init(to);
    fmpq_init(l);
    fmpq_init(t);
    arb_init(p);
    arb_init(q);
    arb_init(x);
    arb_init(one);
    arb_init(best);
    set_text(eps, "3/2");
    set_text(from, "1/4");
    set_text(to, "1");
    cr_assert_eq(pby_bounded_curve(&curve, eps, from, to, NULL), PBY_OK);
    for (int i = -16; i <= 16; i++) {
        fmpq_set_si(l, i, 10);
        cr_assert_eq(curve->class->tails(p, q, curve, l, OUTCOMES_PREC, NULL), PBY_OK);
        arb_set_fmpq(x, l, OUTCOMES_PREC);
        arb_exp(x, x, OUTCOMES_PREC);
        arb_submul(p, x, q, OUTCOMES_PREC);
        arb_zero(best);
        for (int j = 0; j <= 240; j++) {
            fmpq_set_si(t, 80 + j, 320);
            pby_curve *pair;
            cr_assert_eq(pby_bounded_curve(&pair, eps, t, t, NULL), PBY_OK);
            cr_assert_eq(pair->class->tails(one, q, pair, l, OUTCOMES_PREC, NULL), PBY_OK);
            arb_submul(one, x, q, OUTCOMES_PREC);
            arb_max(best, best, one, OUTCOMES_PREC);
            pair->class->free(pair);
        }
        cr_assert_not(arb_gt(best, p), "at %d: a pair is above the curve", i);
        arb_sub(p, p, best, OUTCOMES_PREC);
        arb_get_mag(arb_radref(one), p);
        cr_assert(mag_cmp_2exp_si(arb_radref(one), -15) < 0, "at %d: the curve is far above its pairs", i);
        cr_assert_eq(curve->class->direct(q, curve, l, OUTCOMES_PREC, NULL), PBY_OK);
    }
    curve->class->free(curve);
    arb_clear(best);
    arb_clear(one);
    arb_clear(x);
    arb_clear(q);
    arb_clear(p);
    fmpq_clear(t);
    fmpq_clear(l);
    fmpq_clear(to);
    fmpq_clear(from);
    fmpq_clear(eps);
}

Test(exponential, monotone_scores_are_not_for_a_changed_record)
{
    pby_spec *spec = spec_of("exponential:eps=1,scores=monotone");
    pby_enclosure delta;
    pby_error err;
    mpq_t zero;
    mpq_init(zero);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_SUBSTITUTE, zero, 9, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "scores=general"), "%s", err.text);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, zero, 9, &err), PBY_OK);
    pby_enclosure_clear(&delta);
    mpq_clear(zero);
    pby_spec_free(spec);
}

/* D_1 and D_4 of the worst t, found on a fine grid, and the bounded-range bound rho <= eps^2/8. */
Test(exponential, renyi_divergences_are_those_of_the_worst_pair)
{
    static const char *const orders[] = {"1", "3/2", "4", "20"};
    pby_curve *all;
    fmpq_t eps, zero, order, t;
    arb_t told, one, best;
    fmpq_init(eps);
    fmpq_init(zero);
    fmpq_init(order);
    fmpq_init(t);
    arb_init(told);
    arb_init(one);
    arb_init(best);
    set_text(eps, "1");
    cr_assert_eq(pby_bounded_curve(&all, eps, zero, eps, NULL), PBY_OK);
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        set_text(order, orders[k]);
        cr_assert_eq(all->class->renyi(told, all, order, OUTCOMES_PREC, NULL), PBY_OK);
        arb_zero(best);
        for (int i = 1; i < 500; i++) {
            pby_curve *pair;
            fmpq_set_si(t, i, 500);
            cr_assert_eq(pby_bounded_curve(&pair, eps, t, t, NULL), PBY_OK);
            cr_assert_eq(pair->class->renyi(one, pair, order, OUTCOMES_PREC, NULL), PBY_OK);
            arb_max(best, best, one, OUTCOMES_PREC);
            pair->class->free(pair);
        }
        cr_assert_not(arb_gt(best, told), "order %s", orders[k]);
        arb_sub(best, told, best, OUTCOMES_PREC);
        arb_get_mag(arb_radref(one), best);
        cr_assert(mag_cmp_2exp_si(arb_radref(one), -14) < 0, "order %s", orders[k]);
    }
    all->class->free(all);
    arb_clear(best);
    arb_clear(one);
    arb_clear(told);
    fmpq_clear(t);
    fmpq_clear(order);
    fmpq_clear(zero);
    fmpq_clear(eps);
}

/* Many uses are answered at once, from both sides: no more than pure privacy allows, and no less than fewer
 * uses lose. */
Test(exponential, many_uses)
{
    static const char *const specs[] = {"8*exponential:eps=1/10", "9*exponential:eps=1/10",
                                        "33*exponential:eps=1/10", "1000*exponential:eps=1/10",
                                        "1000*pure:eps=1/10"};
    pby_enclosure delta[5];
    mpq_t epsilon;
    mpq_init(epsilon);
    mpq_set_ui(epsilon, 1, 2);
    for (size_t i = 0; i < 5; i++) {
        pby_spec *spec;
        pby_error err;
        pby_enclosure_init(&delta[i]);
        cr_assert_eq(pby_spec_parse(&spec, &specs[i], 1, NULL), PBY_OK);
        cr_assert_eq(pby_loss_delta(&delta[i], spec, PBY_ADD_REMOVE, epsilon, 9, &err), PBY_OK, "%s",
                     err.text);
        cr_assert(mpfr_cmp(delta[i].lo, delta[i].hi) <= 0);
        pby_spec_free(spec);
    }
    cr_assert(mpfr_cmp(delta[0].lo, delta[1].hi) < 0);
    cr_assert(mpfr_cmp(delta[1].lo, delta[2].hi) < 0);
    cr_assert(mpfr_cmp(delta[2].hi, delta[3].lo) < 0);
    cr_assert(mpfr_cmp(delta[3].hi, delta[4].hi) < 0);
    for (size_t i = 0; i < 5; i++)
        pby_enclosure_clear(&delta[i]);
    mpq_clear(epsilon);
}
