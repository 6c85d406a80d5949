/* SPDX-License-Identifier: MIT */
/* Budgets of mu, odometers, periods and parts: against every choice on small menus, outcome by outcome in
 * doubles, and as ledgers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/ledger/budget_terms.h"
#include "certificate/ledger/ledger.h"
#include "certificate/ledger/odometer.h"
#include "certificate/ledger/totals.h"
#include "number/scoped.h"
#include "probity/experimental/ledgers.h"
#include "probity/rational.h"
#include "tests/certificate/ledger/books.h"
#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], other[PBY_PATH_SIZE];

static void make_folder(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
    pby_folder_path(other, folder, "copy");
}

static void remove_folder(void)
{
    pby_folder_remove(folder);
}

TestSuite(promises, .init = make_folder, .fini = remove_folder);

static void make(const pby_ledger_terms *terms)
{
    pby_error err;
    cr_assert_eq(pby_ledger_create_terms(path, terms, &err), PBY_OK, "%s", err.text);
}

static pby_status spend_part(const char *text, const char *part, pby_error *err)
{
    pby_ledger *ledger;
    pby_spec *spec;
    cr_assert_eq(pby_ledger_open(&ledger, path, err), PBY_OK, "%s", err->text);
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, err), PBY_OK, "%s", err->text);
    pby_status status = pby_ledger_for_part(ledger, part, err);
    if (status == PBY_OK)
        status = pby_ledger_spend(ledger, spec, NULL, err);
    pby_spec_free(spec);
    pby_ledger_close(ledger);
    return status;
}

static void expect_spend(const char *text, const char *part, pby_status expected)
{
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(spend_part(text, part, &err), expected, "%s: %s", text, err.text);
}

/* ---- every choice ------------------------------------------------------------------------------ */

/* Randomised response at an epsilon of so many quarters, that reveals its input with chance delta. */
static const struct item {
    int quarters;
    double delta;
    const char *spec;
} menu[] = {{1, 0, "pure:eps=1/4"}, {4, 0, "pure:eps=1"}, {2, 1. / 64, "approx:eps=1/2,delta=1/64"}};

enum { ITEMS = sizeof menu / sizeof *menu };

static double upper_tail(double z)
{
    return erfc(z / sqrt(2)) / 2;
}

/* The point that a standard normal passes with chance p, by bisection. */
static double point(double p)
{
    double lo = -40, hi = 40;
    for (int i = 0; i < 200; i++) {
        const double mid = (lo + hi) / 2;
        if (upper_tail(mid) > p)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static double mu_of(const struct item *m)
{
    return 2 * point(1 / (1 + exp(m->quarters / 4.)));
}

static double rho_of(const struct item *m)
{
    const double e = m->quarters / 4.;
    return e * tanh(e / 2);
}

typedef double worth_of(int loss, double spent, void *what);

struct game {
    double charge[ITEMS], most, delta; /* the limits */
    worth_of *worth;                   /* of stopping, by the loss in quarters and the charges so far */
    void *what;
};

/* The most that a chooser gets who has looked at all outputs, and who may stop at any time. Revealed inputs
 * are worth 1. */
static double best(const struct game *g, int loss, double spent, double deltas, int depth)
{
    double most = g->worth(loss, spent, g->what);
    for (int i = 0; i < ITEMS && depth > 0; i++) {
        const struct item *m = &menu[i];
        if (spent + g->charge[i] > g->most + 1e-12 || deltas + m->delta > g->delta + 1e-12)
            continue;
        const double up = (1 - m->delta) / (1 + exp(-m->quarters / 4.)), down = 1 - m->delta - up,
                     now = spent + g->charge[i], lost = deltas + m->delta;
        most = fmax(most, m->delta + up * best(g, loss + m->quarters, now, lost, depth - 1) +
                              down * best(g, loss - m->quarters, now, lost, depth - 1));
    }
    return most;
}

/* ---- mu ---------------------------------------------------------------------------------------- */

static double at_epsilon(int loss, double spent, void *what)
{
    (void)spent;
    return fmax(0, 1 - exp(*(const double *)what - loss / 4.));
}

static double gaussian(double mu, double epsilon)
{
    return upper_tail(epsilon / mu - mu / 2) - exp(epsilon) * upper_tail(epsilon / mu + mu / 2);
}

/* The most within a budget of mu and delta stays below what the theorem says at every epsilon, and comes near
 * to it at some. */
Test(promises, no_choice_exceeds_a_mu)
{
    const double mu = 1.3, delta = 1. / 32;
    double epsilon, nearest = 0;
    struct game g = {.most = mu * mu, .delta = delta, .worth = at_epsilon, .what = &epsilon};
    for (int i = 0; i < ITEMS; i++)
        g.charge[i] = mu_of(&menu[i]) * mu_of(&menu[i]);
    for (epsilon = 0; epsilon < 3; epsilon += 0.25) {
        const double got = best(&g, 0, 0, 0, 12), most = delta + (1 - delta) * gaussian(mu, epsilon);
        cr_expect_leq(got, most + 1e-12, "epsilon %g: %g, the theorem says %g", epsilon, got, most);
        nearest = fmax(nearest, got / most);
    }
    cr_expect_gt(nearest, 0.8, "%g", nearest);
    cr_expect_leq(nearest, 1);
}

static void expect_charge(const char *spec, double square, double delta)
{
    pby_error err;
    pby_ledger *ledger;
    pby_enclosure b, d;
    const pby_ledger_terms terms = {.accounting = "gdp", .bound = "100", .delta = "1/2"};
    remove(path);
    make(&terms);
    expect_spend(spec, NULL, PBY_OK);
    pby_enclosure_init(&b);
    pby_enclosure_init(&d);
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_charged(&b, &d, ledger, &err), PBY_OK, "%s", err.text);
    cr_expect_float_eq(mpfr_get_d(b.hi, MPFR_RNDU), square, 1e-9, "%s", spec);
    cr_expect_float_eq(mpfr_get_d(d.hi, MPFR_RNDU), delta, 1e-12, "%s", spec);
    pby_ledger_close(ledger);
    pby_enclosure_clear(&d);
    pby_enclosure_clear(&b);
}

Test(promises, mu_is_charged_by_law)
{
    for (int i = 0; i < ITEMS; i++)
        expect_charge(menu[i].spec, mu_of(&menu[i]) * mu_of(&menu[i]), menu[i].delta);
    expect_charge("3*gauss:sigma2=7,sensitivity=2", 3 * 4 / 7., 0);
    expect_charge("gdp:mu=1/3", 1 / 9., 0);
    expect_charge("5*dgauss:sigma2=7,sensitivity=2", 5 * 4 * 6 * (1 - sqrt(1 - 1 / 21.)), 0);
    expect_charge("approx:eps=1,delta=0", mu_of(&menu[1]) * mu_of(&menu[1]), 0);
}

/* The budget of section 10's example is spent to its end, and a third is no rounded third. */
Test(promises, mu_is_spent_completely)
{
    const pby_ledger_terms terms = {.accounting = "gdp", .bound = "0.236704380"};
    make(&terms);
    expect_spend("559*gauss:sigma2=10000", NULL, PBY_OK);
    expect_spend("gauss:sigma2=10000", NULL, PBY_OK);
    expect_spend("gauss:sigma2=10000", NULL, PBY_NO);
    expect_spend("dgauss:sigma2=10000", NULL, PBY_NO);
    expect_spend("threshold:eps=1,T=20", NULL, PBY_BAD);
    remove(path);
    const pby_ledger_terms one = {.accounting = "gdp", .bound = "1"};
    make(&one);
    for (int i = 0; i < 3; i++)
        expect_spend("gauss:sigma2=3", NULL, PBY_OK);
    expect_spend("gauss:sigma2=1000000000", NULL, PBY_NO);
    remove(path);
    const pby_ledger_terms rho = {.accounting = "zcdp", .bound = "1/2"};
    make(&rho);
    for (int i = 0; i < 3; i++)
        expect_spend("dgauss:sigma2=3", NULL, PBY_OK);
    expect_spend("dgauss:sigma2=1000000000", NULL, PBY_NO);
}

/* ---- odometers --------------------------------------------------------------------------------- */

enum { READINGS = 4096 };

/* Readings by the charges so far, in units of a small number. */
struct readings {
    double delta, sum[READINGS], epsilon[READINGS];
    int count;
};

static double reading(struct readings *r, double spent)
{
    for (int i = 0; i < r->count; i++)
        if (fabs(r->sum[i] - spent) < 1e-9)
            return r->epsilon[i];
    cr_assert_lt(r->count, READINGS);
    PBY_MPQ(sum, delta);
    pby_error err;
    pby_enclosure e;
    pby_enclosure_init(&e);
    mpq_set_d(sum, spent);
    mpq_set_d(delta, r->delta);
    cr_assert_eq(pby_odometer_read(&e, sum, delta, 12, &err), PBY_OK, "%s", err.text);
    r->sum[r->count] = spent;
    r->epsilon[r->count] = mpfr_get_d(e.hi, MPFR_RNDU);
    pby_enclosure_clear(&e);
    return r->epsilon[r->count++];
}

static double beyond_reading(int loss, double spent, void *what)
{
    struct readings *r = what;
    return spent < 1e-12 ? 0 : fmax(0, 1 - exp(reading(r, spent) - loss / 4.));
}

/* The shares of all levels come to no more than 1, and a reading is never below that of one level by itself,
 * by a grid of orders. */
Test(promises, levels_share_a_delta)
{
    PBY_MPQ(rho, share, all, r);
    double before = 0;
    for (int i = -600; i < 60; i++) {
        mpq_set_d(r, pow(1.25, i) * 0.11);
        cr_assert(pby_odometer_level(rho, share, r));
        cr_assert(mpq_cmp(rho, r) >= 0);
        cr_assert_leq(mpq_get_d(rho), 1.25 * mpq_get_d(r) * (1 + 1e-9), "the least level");
        cr_assert_gt(mpq_get_d(rho), before, "each is another");
        before = mpq_get_d(rho);
        mpq_add(all, all, share);
    }
    cr_assert(mpq_cmp_ui(all, 1, 1) <= 0);
    cr_assert_gt(mpq_get_d(all), 0.95);
    struct readings one = {.delta = 0.01};
    const double e = reading(&one, 0.3);
    double delta = 1;
    mpq_set_d(r, 0.3);
    cr_assert(pby_odometer_level(rho, share, r));
    for (int i = 1; i < 200000; i++) {
        const double a = 1 + i / 1000.;
        delta = fmin(delta, exp((a - 1) * (mpq_get_d(rho) * a - e) + (a - 1) * log(a - 1) - a * log(a)));
    }
    cr_assert_float_eq(delta, 0.01 * mpq_get_d(share), 1e-7);
}

/* A chooser who also chooses when to stop gets no more than delta beyond the reading. */
Test(promises, no_choice_exceeds_what_an_odometer_reads)
{
    struct readings r = {.delta = 0.2};
    struct game g = {.most = INFINITY, .delta = 1. / 32, .worth = beyond_reading, .what = &r};
    for (int i = 0; i < ITEMS; i++)
        g.charge[i] = rho_of(&menu[i]);
    const double got = best(&g, 0, 0, 0, 8);
    cr_expect_leq(got, r.delta + g.delta, "%g", got);
    cr_expect_gt(got, g.delta, "the chooser gets something: %g", got);
}

static void expect_reading(double lo, double hi)
{
    pby_error err;
    pby_ledger *ledger;
    pby_enclosure e;
    pby_enclosure_init(&e);
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_odometer(&e, ledger, 10, &err), PBY_OK, "%s", err.text);
    cr_expect(lo <= mpfr_get_d(e.hi, MPFR_RNDU) && mpfr_get_d(e.hi, MPFR_RNDU) <= hi, "%g",
              mpfr_get_d(e.hi, MPFR_RNDU));
    pby_ledger_close(ledger);
    pby_enclosure_clear(&e);
}

/* Without a limit on rhos, and with one on deltas. */
Test(promises, an_odometer_reads)
{
    const pby_ledger_terms terms = {.accounting = "odometer", .delta = "1e-6"};
    make(&terms);
    expect_reading(0, 0);
    expect_spend("zcdp:rho=1/8", NULL, PBY_OK);
    expect_reading(2.4,
                   2.9); /* level 0, of a third of a half of delta: by hand 1/8 + 2 sqrt(log(6e6)/8) = 2.92 */
    expect_spend("1000*gauss:sigma2=1", NULL, PBY_OK);
    expect_reading(500, 1000);
    expect_spend("approx:eps=1,delta=1/2000000", NULL, PBY_OK);
    expect_spend("approx:eps=1,delta=1/2000000", NULL, PBY_NO);
}

/* ---- periods ----------------------------------------------------------------------------------- */

/* Lists of two releases, of quarters of an epsilon, in each of two periods: whatever the second list
 * is chosen by, two periods of (1, 0) and of (1, 1/64) are (2, 0) and (2, 1/32). */
Test(promises, periods_add)
{
    static const struct list {
        int quarters;
        double delta;
    } lists[] = {{4, 0}, {2, 0}, {4, 1. / 64}, {3, 1. / 64}};
    double most = 0;
    for (int first = 0; first < 4; first++) {
        double value = lists[first].delta;
        for (int side = -1; side <= 1; side += 2) {
            double next = 0;
            for (int second = 0; second < 4; second++) {
                double got = lists[second].delta;
                for (int turn = -1; turn <= 1; turn += 2) {
                    const int loss = side * lists[first].quarters + turn * lists[second].quarters;
                    got += (1 - lists[second].delta) / (1 + exp(-turn * lists[second].quarters / 4.)) *
                           fmax(0, 1 - exp(2 - loss / 4.));
                }
                next = fmax(next, got);
            }
            value += (1 - lists[first].delta) / (1 + exp(-side * lists[first].quarters / 4.)) * next;
        }
        most = fmax(most, value);
    }
    cr_expect_leq(most, 1. / 32);
    cr_expect_gt(most, 1. / 64);
}

Test(promises, an_entry_counts_in_the_period_where_it_falls)
{
    static const struct {
        const char *at;
        long long period;
    } times[] = {{"2026-01-01T00:00:00Z", 0},  {"2026-01-30T23:59:59Z", 0},  {"2026-01-31T00:00:00Z", 1},
                 {"2025-12-31T23:59:59Z", -1}, {"2025-12-02T00:00:00Z", -1}, {"2025-12-01T23:59:59Z", -2}};
    char *mode, at[PBY_STORE_TIME];
    pby_error err;
    pby_budget_terms terms;
    long long period;
    cr_assert_eq(
        pby_terms_read(&mode, &terms, "zcdp;every=30d;from=2026-01-01T00:00:00Z;parts=a;from=b", &err),
        PBY_OK, "%s", err.text);
    cr_expect_str_eq(mode, "zcdp");
    cr_expect_str_eq(terms.parts, "a;from=b");
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        cr_assert_eq(pby_terms_period(&period, &terms, times[i].at, &err), PBY_OK, "%s", err.text);
        cr_expect_eq(period, times[i].period, "%s", times[i].at);
    }
    pby_terms_begin(at, &terms, -1);
    cr_expect_str_eq(at, "2025-12-02T00:00:00Z");
    free(terms.parts);
    free(mode);
}

static void add(pby_totals *t, long long number, const char *bound, long long period)
{
    pby_error err;
    const pby_ledger_entry entry = {number, "", "zcdp:rho=1", bound, "1/100", "", ""};
    cr_assert_eq(pby_totals_add(t, &entry, period, &err), PBY_OK, "%s", err.text);
}

/* An entry of a clock that was set back counts in the latest period. */
Test(promises, a_clock_that_was_set_back_gives_nothing_back)
{
    pby_totals t;
    pby_totals_init(&t);
    t.period = -10;
    add(&t, 1, "1", 0);
    add(&t, 2, "2", 0);
    cr_expect_eq(mpq_cmp_ui(t.all.bound, 3, 1), 0);
    add(&t, 3, "4", 1);
    cr_expect_eq(mpq_cmp_ui(t.all.bound, 4, 1), 0);
    add(&t, 4, "8", 0);
    cr_expect_eq(mpq_cmp_ui(t.all.bound, 12, 1), 0);
    cr_assert_eq(pby_totals_reach(&t, 0, NULL), PBY_OK);
    cr_expect_eq(mpq_cmp_ui(t.all.bound, 12, 1), 0);
    cr_assert_eq(pby_totals_reach(&t, 2, NULL), PBY_OK);
    cr_expect_eq(mpq_sgn(t.all.bound), 0);
    cr_assert_eq(pby_totals_reach(&t, 7, NULL), PBY_OK);
    pby_totals_return(&t);
    cr_expect_eq(t.period, 1);
    cr_expect_eq(mpq_cmp_ui(t.all.bound, 12, 1), 0);
    pby_totals_clear(&t);
}

/* A ledger with an entry of 2020 has the budget of today. */
Test(promises, a_budget_comes_back)
{
    const pby_ledger_terms terms = {.bound = "1", .delta = "0", .every = "30d", .from = "2020-01-01"};
    const char *const budget[] = {"add-remove", "exact;every=30d;from=2020-01-01T00:00:00Z", "1", "0", "1"};
    const pby_ledger_entry old = {1, "2020-01-02T00:00:00Z", "pure:eps=1", "", "", "", ""};
    char sql[1024];
    pby_chain chain;
    make(&terms);
    pby_drop_sums(path);
    pby_chain_begin(&chain, budget, 5);
    pby_chain_add(&chain, &old);
    snprintf(
        sql, sizeof sql,
        "INSERT INTO spend (number, at, spec) VALUES (1, '%s', '%s'); INSERT INTO chain VALUES (1, '%s');"
        " UPDATE head SET entries = 1, digest = '%s'",
        old.at, old.spec, chain.digest, chain.digest);
    pby_tamper(path, sql);
    expect_spend("pure:eps=3/4", NULL, PBY_OK);
    expect_spend("pure:eps=1/2", NULL, PBY_NO);
    expect_spend("pure:eps=1/4", NULL, PBY_OK);
}

/* A spender whose clock is ahead asks whether a later period has room; the charge is one of the present. */
Test(promises, a_clock_that_is_ahead_gives_nothing)
{
    const pby_ledger_terms terms = {.accounting = "zcdp", .bound = "1", .delta = "0", .every = "30d"};
    pby_ledger *ledger;
    pby_spec *spec;
    pby_error err;
    make(&terms);
    expect_spend("zcdp:rho=3/4", NULL, PBY_OK);
    cr_assert_eq(pby_spec_parse(&spec, &(const char *){"zcdp:rho=1/2"}, 1, &err), PBY_OK);
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_catch_up(ledger, "2199-01-01T00:00:00Z", &err), PBY_OK, "%s", err.text);
    cr_expect_eq(mpq_sgn(ledger->totals.all.bound), 0);
    cr_expect_eq(pby_ledger_spend(ledger, spec, NULL, &err), PBY_NO);
    pby_ledger_close(ledger);
    pby_spec_free(spec);
}

/* ---- parts ------------------------------------------------------------------------------------- */

static void fill_parts(const char *accounting, const char *unit, const char *half)
{
    const pby_ledger_terms terms = {
        .accounting = accounting, .bound = "1", .delta = "0", .every = NULL, .parts = "region"};
    remove(path);
    make(&terms);
    expect_spend(half, NULL, PBY_OK);
    expect_spend(unit, "eu", PBY_NO);
    expect_spend(half, "eu", PBY_OK);
    expect_spend(half, "us", PBY_OK);
    expect_spend(half, "us", PBY_NO);
    expect_spend(half, "'; DROP TABLE spend; --", PBY_OK);
    expect_spend(half, NULL, PBY_NO);
    expect_spend(half, "a part=b", PBY_OK);
    expect_spend(half, "a part=b", PBY_NO);
}

/* The budget bounds each part with what is about everybody. */
Test(promises, each_part_has_the_budget)
{
    pby_error err = PBY_NO_ERROR;
    fill_parts("exact", "pure:eps=1", "pure:eps=1/2");
    fill_parts("zcdp", "zcdp:rho=1", "zcdp:rho=1/2");
    fill_parts("gdp", "gdp:mu=1", "gauss:sigma2=2");
    cr_expect_eq(spend_part("pure:eps=1/2", "", &err), PBY_BAD);
    remove(path);
    pby_make_ledger(path, PBY_COMPOSE_EXACT, "1", "0");
    cr_expect_eq(spend_part("pure:eps=1/2", "eu", &err), PBY_BAD);
    const pby_ledger_terms changed = {
        .bound = "1", .delta = "0", .neighbours = "substitute", .parts = "region"};
    remove(path);
    cr_expect_eq(pby_ledger_create_terms(path, &changed, &err), PBY_BAD);
}

/* ---- copies ------------------------------------------------------------------------------------ */

Test(promises, a_copy_has_the_chain)
{
    pby_error err = PBY_NO_ERROR;
    pby_ledger *one, *two;
    char *texts[2], digests[2][PBY_LEDGER_DIGEST_SIZE];
    fill_parts("gdp", "gdp:mu=1", "gauss:sigma2=2");
    cr_assert_eq(pby_ledger_copy(path, other, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_copy(path, other, &err), PBY_BAD, "the name is taken");
    cr_assert_eq(pby_ledger_open(&one, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_open(&two, other, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_digest(digests[0], one, &err), PBY_OK);
    cr_assert_eq(pby_ledger_after(two, digests[0], &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_list(&texts[0], one, PBY_LEDGER_CSV, &err), PBY_OK);
    cr_assert_eq(pby_ledger_list(&texts[1], two, PBY_LEDGER_CSV, &err), PBY_OK);
    cr_expect_str_eq(texts[0], texts[1]);
    cr_expect_neq(strstr(texts[0], digests[0]), NULL);
    free(texts[0]);
    free(texts[1]);
    pby_ledger_close(one);
    pby_ledger_close(two);
}
