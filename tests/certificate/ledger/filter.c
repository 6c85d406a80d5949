/* SPDX-License-Identifier: MIT */
/* Filters: against every choice of releases on a small menu, computed outcome by outcome in doubles, which
 * are far more exact than the differences that are looked at. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probity/experimental/ledgers.h"
#include "probity/rational.h"
#include "tests/certificate/ledger/books.h"
#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];

static void make_folder(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
}

static void remove_folder(void)
{
    pby_folder_remove(folder);
}

TestSuite(filter, .init = make_folder, .fini = remove_folder);

static void make(pby_filter by, const char *bound, const char *delta, const char *order, const char *split)
{
    pby_error err;
    cr_assert_eq(pby_ledger_create_filter_text(path, PBY_ADD_REMOVE, 1, by, bound, delta, order, split, &err),
                 PBY_OK, "%s", err.text);
}

/* ---- every choice ------------------------------------------------------------------------------ */

/* Randomised response at an epsilon of so many quarters, that reveals its input with chance delta. */
static const struct item {
    int quarters;
    double delta;
    const char *spec;
} menu[] = {
    {1, 0, "pure:eps=1/4"},
    {4, 0, "pure:eps=1"},
    {2, 1. / 64, "approx:eps=1/2,delta=1/64"},
};

enum { ITEMS = sizeof menu / sizeof *menu, DEPTH = 12 };

static double rho_of(const struct item *m)
{
    const double e = m->quarters / 4.;
    return e * tanh(e / 2);
}

static double order_of(const struct item *m, double a)
{
    const double e = m->quarters / 4.;
    return log(cosh((a - 0.5) * e) / cosh(e / 2)) / (a - 1);
}

struct game {
    double charge[ITEMS]; /* beside delta */
    double rho, delta;    /* the limits */
    double epsilon;       /* where delta is asked for; or, with an order, the moment */
    double order;         /* 0: none */
};

/* Returns the value of a loss of so many quarters when nothing is chosen any more. */
static double worth(const struct game *g, int loss)
{
    return g->order > 0 ? exp((g->order - 1) * loss / 4.) : fmax(0, 1 - exp(g->epsilon - loss / 4.));
}

/* The most that a chooser gets who has looked at all outputs; `only` from 0 on keeps to one item. Revealed
 * inputs are worth 1 to delta, and nothing to a moment, which is of the rest. */
static double best(const struct game *g, int loss, double rho, double delta, int depth, int only)
{
    double most = worth(g, loss);
    for (int i = 0; i < ITEMS && depth > 0; i++) {
        const struct item *m = &menu[i];
        if ((only >= 0 && i != only) || g->charge[i] > rho + 1e-12 || m->delta > delta + 1e-12)
            continue;
        const double up = (1 - m->delta) / (1 + exp(-m->quarters / 4.)), down = 1 - m->delta - up,
                     left = rho - g->charge[i], rest = delta - m->delta;
        const double value = (g->order > 0 ? 0 : m->delta) +
                             up * best(g, loss + m->quarters, left, rest, depth - 1, only) +
                             down * best(g, loss - m->quarters, left, rest, depth - 1, only);
        most = fmax(most, value);
    }
    return most;
}

/* The worst delta of lists of n[i] uses that are fixed beforehand. */
static double fixed_list(const struct game *g, int loss, int *n)
{
    for (int i = 0; i < ITEMS; i++)
        if (n[i] > 0) {
            const struct item *m = &menu[i];
            const double up = (1 - m->delta) / (1 + exp(-m->quarters / 4.)), down = 1 - m->delta - up;
            n[i]--;
            const double value = m->delta + up * fixed_list(g, loss + m->quarters, n) +
                                 down * fixed_list(g, loss - m->quarters, n);
            n[i]++;
            return value;
        }
    return worth(g, loss);
}

static double worst_list(const struct game *g)
{
    double most = 0;
    int n[ITEMS];
    for (n[0] = 0; n[0] * g->charge[0] <= g->rho + 1e-12; n[0]++)
        for (n[1] = 0; n[0] * g->charge[0] + n[1] * g->charge[1] <= g->rho + 1e-12; n[1]++)
            for (n[2] = 0;
                 n[0] * g->charge[0] + n[1] * g->charge[1] + n[2] * g->charge[2] <= g->rho + 1e-12 &&
                 n[2] * menu[2].delta <= g->delta + 1e-12;
                 n[2]++)
                most = fmax(most, fixed_list(g, 0, n));
    return most;
}

/* The delta that a total of rho has at epsilon: the least over orders, of a fine grid of them, which is an
 * upper bound as any order is. */
static double converted(double rho, double epsilon)
{
    double least = 1;
    for (int i = 1; i < 20000; i++) {
        const double a = 1 + i / 1000.;
        least = fmin(least, exp((a - 1) * (rho * a - epsilon) + (a - 1) * log(a - 1) - a * log(a)));
    }
    return least;
}

/* With rho 7/10 and delta 1/32 no chooser exceeds the bound of the theorem, and a chooser exceeds every
 * list. */
Test(filter, no_choice_exceeds_the_budget)
{
    struct game g = {.rho = 0.7, .delta = 1. / 32, .epsilon = 1};
    for (int i = 0; i < ITEMS; i++)
        g.charge[i] = rho_of(&menu[i]);
    const double chosen = best(&g, 0, g.rho, g.delta, DEPTH, -1), list = worst_list(&g);
    cr_assert_leq(chosen, converted(g.rho, g.epsilon) + g.delta, "%g", chosen);
    cr_assert(fabs(chosen - 0.2262) < 1e-4 && fabs(list - 0.2132) < 1e-4, "%g by choice, %g of a list",
              chosen, list);
}

/* The moment of one order, given that no input was revealed, at several orders and limits. */
Test(filter, no_choice_exceeds_a_divergence)
{
    static const double orders[] = {1.5, 2, 3, 8};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        struct game g = {.rho = 0.6 * sqrt(orders[k]), .delta = 1. / 32, .order = orders[k]};
        for (int i = 0; i < ITEMS; i++)
            g.charge[i] = order_of(&menu[i], g.order);
        const double most = best(&g, 0, g.rho, g.delta, DEPTH, -1);
        cr_assert_leq(log(most) / (g.order - 1), g.rho + 1e-9, "order %g", g.order);
        cr_assert_gt(log(most) / (g.order - 1), 0.8 * g.rho, "the bound is used, order %g", g.order);
    }
}

/* ---- the ledger's own charges ------------------------------------------------------------------ */

struct charges {
    size_t count;
    double bound[8], delta[8];
};

static double number(const char *text)
{
    pby_error err;
    mpq_t q;
    mpq_init(q);
    cr_assert_eq(pby_rational_parse(q, "charge", text, &err), PBY_OK, "%s", err.text);
    const double x = mpq_get_d(q);
    mpq_clear(q);
    return x;
}

static pby_status note(const pby_ledger_entry *entry, void *what, pby_error *err)
{
    struct charges *c = what;
    (void)err;
    c->bound[c->count] = number(entry->epsilon);
    c->delta[c->count++] = number(entry->delta);
    return PBY_OK;
}

static struct charges charges_of(void)
{
    struct charges c = {.count = 0};
    pby_ledger *ledger;
    pby_error err;
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_each(ledger, note, &c, &err), PBY_OK, "%s", err.text);
    pby_ledger_close(ledger);
    return c;
}

static void charged(size_t i, double bound, double delta)
{
    const struct charges c = charges_of();
    cr_assert_lt(i, c.count);
    cr_assert(c.bound[i] >= bound * (1 - 1e-14) && c.bound[i] <= bound * (1 + 1e-12), "%zu: %.17g, not %.17g",
              i, c.bound[i], bound);
    cr_assert(c.delta[i] >= delta * (1 - 1e-14) && c.delta[i] <= delta * (1 + 1e-12), "%zu: %.17g, not %.17g",
              i, c.delta[i], delta);
}

Test(filter, charges_a_rho_and_a_delta)
{
    pby_error err;
    make(PBY_FILTER_RHO, "3", "1/2", NULL, NULL);
    for (size_t i = 0; i < ITEMS; i++) {
        cr_assert_eq(pby_spend(path, menu[i].spec, &err), PBY_OK, "%s", err.text);
        charged(i, rho_of(&menu[i]), menu[i].delta);
    }
    cr_assert_eq(pby_spend(path, "2*gauss:sigma2=4,sensitivity=2 zcdp:rho=1/8", &err), PBY_OK, "%s",
                 err.text);
    charged(ITEMS, 1.125, 0);
    cr_assert_eq(pby_spend(path, "rdp:order=8,eps=1/100", &err), PBY_BAD, "no rho follows from one order");
    cr_assert_eq(pby_spend_at(path, "rdp:order=8,eps=1/100", "1/2", &err), PBY_OK, "%s", err.text);
    charged(ITEMS + 1, 0.5 * tanh(0.25), charges_of().delta[ITEMS + 1]);
    cr_assert_gt(charges_of().delta[ITEMS + 1], 0);
    cr_assert_eq(pby_spend(path, "gauss:sigma2=1/4", &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "rho would be up to"), "%s", err.text);
    cr_assert_eq(charges_of().count, ITEMS + 2);
}

/* A promise of a greater order is one of the ledger's, and one of a smaller order is none. */
Test(filter, charges_a_divergence_of_its_order)
{
    pby_error err;
    make(PBY_FILTER_RENYI, "3", "1/32", "5/2", NULL);
    for (size_t i = 0; i < ITEMS; i++) {
        cr_assert_eq(pby_spend(path, menu[i].spec, &err), PBY_OK, "%s", err.text);
        charged(i, order_of(&menu[i], 2.5), menu[i].delta);
    }
    cr_assert_eq(pby_spend(path, "rdp:order=3,eps=1/2", &err), PBY_OK, "%s", err.text);
    charged(3, 0.5, 0);
    cr_assert_eq(pby_spend(path, "zcdp:rho=1/8,xi=1/16", &err), PBY_OK, "%s", err.text);
    charged(4, 0.375, 0);
    cr_assert_eq(pby_spend(path, "rdp:order=2,eps=1/100", &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "renyi:order=5/2"), "%s", err.text);
    cr_assert_eq(pby_spend(path, "approx:eps=1/100,delta=1/63", &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "delta would be up to"), "%s", err.text);
}

/* A part 3/128 of delta 1/16 is for the deltas of entries, and 5/128 for the conversion, which stops rhos
 * where the least over orders exceeds it. */
Test(filter, splits_its_delta)
{
    pby_error err;
    double rho = 0;
    make(PBY_FILTER_APPROX, "1", "1/16", NULL, "3/8");
    cr_assert_eq(pby_spend(path, menu[2].spec, &err), PBY_OK, "%s", err.text);
    rho += rho_of(&menu[2]);
    cr_assert_eq(pby_spend(path, menu[2].spec, &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "the sum of deltas would be up to 0.03125"), "%s", err.text);
    while (converted(rho + 1. / 32, 1) < 5. / 128) {
        cr_assert_eq(pby_spend(path, "zcdp:rho=1/32", &err), PBY_OK, "%s", err.text);
        rho += 1. / 32;
    }
    cr_assert_eq(pby_spend(path, "zcdp:rho=1/32", &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "the delta of the sum of rhos would be up to"), "%s", err.text);
    cr_assert_geq(rho, 0.1, "there were some");
}

/* Rows count, and a rho of 3/8 is spent to the last. */
Test(filter, counts_rows)
{
    pby_error err;
    cr_assert_eq(
        pby_ledger_create_filter_text(path, PBY_ADD_REMOVE, 3, PBY_FILTER_RHO, "3/8", NULL, NULL, NULL, &err),
        PBY_OK);
    cr_assert_eq(pby_spend(path, "dgauss:sigma2=4", &err), PBY_OK, "%s", err.text);
    charged(0, 0.375, 0);
    cr_assert_eq(pby_spend(path, "dgauss:sigma2=1000000", &err), PBY_NO);
}

/* ---- one mode is not another ------------------------------------------------------------------- */

Test(filter, is_told_apart)
{
    static const struct {
        pby_filter by;
        const char *order, *split, *mode;
    } cases[] = {{PBY_FILTER_APPROX, NULL, NULL, "filter:split=1/2"},
                 {PBY_FILTER_RHO, NULL, NULL, "zcdp"},
                 {PBY_FILTER_RENYI, "4.5", NULL, "renyi:order=9/2"}};
    pby_enclosure bound, delta;
    pby_enclosure_init(&bound);
    pby_enclosure_init(&delta);
    for (size_t i = 0; i < 3; i++) {
        pby_ledger *ledger;
        pby_error err;
        char name[2] = {(char)('a' + (char)i), '\0'};
        pby_folder_path(path, folder, name);
        make(cases[i].by, "1", "1/8", cases[i].order, cases[i].split);
        cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_ledger_filter(ledger), cases[i].by);
        cr_assert_str_eq(pby_ledger_mode(ledger), cases[i].mode);
        cr_assert_eq(mpq_cmp_ui(pby_ledger_bound(ledger), 1, 1), 0);
        cr_assert_eq(pby_ledger_epsilon(ledger) == NULL, i > 0, "a rho is no epsilon");
        cr_assert_eq(pby_ledger_spent(&delta, &bound, ledger, 9, &err), PBY_BAD);
        cr_assert_not_null(strstr(err.text, "it guarantees its budget"), "%s", err.text);
        cr_assert_eq(pby_ledger_charged(&bound, &delta, ledger, &err), PBY_OK, "%s", err.text);
        cr_assert(mpfr_zero_p(bound.hi) && mpfr_zero_p(delta.hi));
        pby_ledger_close(ledger);
    }
    pby_enclosure_clear(&delta);
    pby_enclosure_clear(&bound);
}

/* A changed mode, order or split is damage. */
Test(filter, does_not_change_its_mode)
{
    static const char *const others[] = {"filter:split=1/3", "zcdp", "basic", "renyi:order=2"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        pby_ledger *ledger;
        pby_error err;
        char sql[96], name[2] = {(char)('a' + (char)i), '\0'};
        pby_folder_path(path, folder, name);
        make(PBY_FILTER_APPROX, "1", "1/8", NULL, NULL);
        snprintf(sql, sizeof sql, "UPDATE budget SET accounting = '%s'", others[i]);
        pby_tamper(path, sql);
        cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_BAD, "%s", others[i]);
        cr_assert_not_null(strstr(err.text, "damaged"), "%s", err.text);
    }
}

Test(filter, refuses_what_is_none)
{
    static const struct {
        pby_filter by;
        const char *bound, *delta, *order, *split, *says;
    } cases[] = {
        {PBY_FILTER_APPROX, "1", "0", NULL, NULL, "delta '0': expected a rational above 0 for a filter"},
        {PBY_FILTER_APPROX, "1", "1/2", NULL, "1", "split '1': expected a rational from 0 to below 1"},
        {PBY_FILTER_APPROX, "0", "1/2", NULL, NULL, "epsilon '0': expected a rational above 0"},
        {PBY_FILTER_RHO, "-1", NULL, NULL, NULL, "rho '-1': expected a rational above 0"},
        {PBY_FILTER_RHO, "1", "1", NULL, NULL, "delta '1': expected a rational from 0 to below 1"},
        {PBY_FILTER_RENYI, "1", NULL, "1", NULL, "order '1': expected a rational above 1"},
        {PBY_FILTER_RENYI, "1", NULL, NULL, NULL, "expected its budget, and the order of renyi"},
        {PBY_FILTER_NONE, "1", NULL, NULL, NULL, "expected one of approx, rho, renyi, gdp and odometer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_error err;
        cr_assert_eq(pby_ledger_create_filter_text(path, PBY_ADD_REMOVE, 1, cases[i].by, cases[i].bound,
                                                   cases[i].delta, cases[i].order, cases[i].split, &err),
                     PBY_BAD, "%zu", i);
        cr_assert_not_null(strstr(err.text, cases[i].says), "%s", err.text);
    }
}
