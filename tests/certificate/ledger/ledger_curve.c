/* SPDX-License-Identifier: MIT */
/* Curves: what a ledger uses of a file of divergences or deltas. */
#include "certificate/ledger/ledger_curve.h"
#include "probity/experimental/ledgers.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], file[PBY_PATH_SIZE];

static void make_folder(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
    pby_folder_path(file, folder, "curve.csv");
}

static void remove_folder(void)
{
    pby_folder_remove(folder);
}

TestSuite(ledger_curve, .init = make_folder, .fini = remove_folder);

/* ---- reading ------------------------------------------------------------------------------------ */

static void refused(const char *text, size_t size, const char *why)
{
    pby_known k;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_known_parse(&k, text, size, &err), PBY_BAD, "%s", text);
    cr_assert_str_eq(err.text, why);
    pby_known_clear(&k);
}

Test(ledger_curve, bad_files_are_refused_by_their_line)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "line 1: expected order,renyi or epsilon,delta"},
        {"order,renyi,\n2,1\n", "line 1: expected order,renyi or epsilon,delta"},
        {"2,1\n", "line 1: expected order,renyi or epsilon,delta"},
        {"order,renyi\n", "line 2: expected a pair of numbers"},
        {"epsilon,delta\r\n", "line 2: expected a pair of numbers"},
        {"order,renyi\n2\n", "line 2: expected an order, a comma and a divergence"},
        {"epsilon,delta\n1,1/2\n\n", "line 3: expected an epsilon, a comma and a delta"},
        {"order,renyi\n1,1\n", "line 2: expected an order above 1"},
        {"order,renyi\n1/2,1\n", "line 2: expected an order above 1"},
        {"order,renyi\n2,-1\n", "line 2: expected a divergence above 0"},
        {"order,renyi\n2,0\n", "line 2: expected a divergence above 0"},
        {"order,renyi\n3,1\n2,1\n", "line 3: expected orders that grow"},
        {"order,renyi\n2,1\n4/2,1\n", "line 3: expected orders that grow"},
        {"epsilon,delta\n-1,1/2\n", "line 2: expected an epsilon from 0 on"},
        {"epsilon,delta\n1,2\n", "line 2: expected a delta from 0 to 1"},
        {"epsilon,delta\n1,-1e-9\n", "line 2: expected a delta from 0 to 1"},
        {"epsilon,delta\n1,1/2\n1.0,1/4\n", "line 3: expected epsilons that grow"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refused(bad[i].text, strlen(bad[i].text), bad[i].why);
    refused("order,renyi\n2,1\0\n", 17, "line 2: expected numbers of at most 400 characters");
}

Test(ledger_curve, what_is_no_number_is_refused)
{
    static const char *const bad[] = {"order,renyi\n2,x\n",   "order,renyi\n2,1,3\n", "order,renyi\n2, 1\n",
                                      "order,renyi\n2,inf\n", "order,renyi\n2,1/0\n", "order,renyi\n,1\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pby_known k;
        pby_error err = PBY_NO_ERROR;
        cr_assert_eq(pby_known_parse(&k, bad[i], strlen(bad[i]), &err), PBY_BAD, "%s", bad[i]);
        cr_assert_eq(strncmp(err.text, "line 2: number '", 16), 0, "%s", err.text);
        pby_known_clear(&k);
    }
}

Test(ledger_curve, long_files_are_refused)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cr_assert_not_null(out);
    fputs("order,renyi\n", out);
    for (int i = 0; i <= PBY_KNOWN_MAX; i++)
        fprintf(out, "%d,1\n", i + 2);
    cr_assert_eq(fclose(out), 0);
    refused(text, size, "line 1002: expected at most 1000 pairs");
    free(text);
    text = calloc(1, PBY_KNOWN_SIZE_MAX + 1);
    cr_assert_not_null(text);
    refused(text, PBY_KNOWN_SIZE_MAX + 1, "expected at most 1 MiB");
    free(text);
}

/* ---- the divergence of an order ------------------------------------------------------------------ */

static void divergence(const char *text, slong order, const char *expected)
{
    pby_known k;
    fmpq_t a, d, e;
    fmpq_init(a);
    fmpq_init(d);
    fmpq_init(e);
    cr_assert_eq(pby_known_parse(&k, text, strlen(text), NULL), PBY_OK);
    fmpq_set_si(a, order, 1);
    cr_assert_eq(pby_known_at(d, &k, a), expected != NULL);
    if (expected != NULL) {
        cr_assert_eq(fmpq_set_str(e, expected, 10), 0);
        cr_assert(fmpq_equal(d, e), "%s at %ld: %s", text, (long)order, fmpq_get_str(NULL, 10, d));
    }
    pby_known_clear(&k);
    fmpq_clear(e);
    fmpq_clear(d);
    fmpq_clear(a);
}

/* Rho a, whose (a-1) D_a is convex, lies below its chords; a point that others bound better is not used. */
Test(ledger_curve, orders_between_points_are_on_the_convex_hull)
{
    divergence("order,renyi\n8,3", 8, "3");
    divergence("order,renyi\n8,3", 2, "3");
    divergence("order,renyi\n8,3", 9, NULL);
    divergence("order,renyi\n3,1\n5,2", 4, "5/3");
    divergence("order,renyi\n3,1\n4,100\n5,2", 4, "5/3");
    divergence("order,renyi\n3,4\n5,2", 3, "2");
    divergence("order,renyi\n2,1\n3,1\n5,1", 4, "1");
}

/* The value is never below that of a mechanism whose curve the file holds: D_a = a. */
Test(ledger_curve, no_bound_is_below_the_truth)
{
    pby_known k;
    fmpq_t a, d;
    const char *text = "order,renyi\n3/2,3/2\n2,2\n4,4\n8,8\n64,64\n";
    fmpq_init(a);
    fmpq_init(d);
    cr_assert_eq(pby_known_parse(&k, text, strlen(text), NULL), PBY_OK);
    for (slong i = 9; i <= 64 * 8; i++) {
        fmpq_set_si(a, i, 8);
        cr_assert(pby_known_at(d, &k, a));
        cr_assert_geq(fmpq_cmp(d, a), 0, "at %ld/8", (long)i);
    }
    pby_known_clear(&k);
    fmpq_clear(d);
    fmpq_clear(a);
}

/* ---- the ledger ---------------------------------------------------------------------------------- */

static void write_file(const char *text)
{
    FILE *out = fopen(file, "w");
    cr_assert_not_null(out);
    fputs(text, out);
    cr_assert_eq(fclose(out), 0);
}

static pby_ledger *open_ledger(void)
{
    pby_error err;
    pby_ledger *ledger;
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    return ledger;
}

/* The point up to its digest. */
static void point_is(const char *text, const char *expected)
{
    pby_spec *spec;
    pby_error err = PBY_NO_ERROR;
    pby_ledger *ledger = open_ledger();
    write_file(text);
    cr_assert_eq(pby_ledger_curve(&spec, ledger, file, &err), PBY_OK, "%s", err.text);
    const char *found = pby_spec_text(spec);
    cr_assert_eq(strncmp(found, expected, strlen(expected)), 0, "%s", found);
    cr_assert_eq(strncmp(found + strlen(expected), ",curve=", 7), 0, "%s", found);
    pby_spec_free(spec);
    cr_assert_eq(pby_ledger_spend_curve(ledger, file, &err), PBY_OK, "%s", err.text);
    pby_ledger_close(ledger);
    cr_assert_eq(remove(path), 0);
}

static void point_is_none(const char *text, const char *why)
{
    pby_error err = PBY_NO_ERROR;
    pby_ledger *ledger = open_ledger();
    write_file(text);
    cr_assert_eq(pby_ledger_spend_curve(ledger, file, &err), PBY_BAD, "%s", text);
    cr_assert_not_null(strstr(err.text, why), "%s", err.text);
    pby_ledger_close(ledger);
    cr_assert_eq(remove(path), 0);
}

static void filter(pby_filter by, const char *bound, const char *delta, const char *order, const char *split)
{
    pby_error err;
    cr_assert_eq(pby_ledger_create_filter_text(path, PBY_ADD_REMOVE, 1, by, bound, delta, order, split, &err),
                 PBY_OK, "%s", err.text);
}

static void plain(pby_composition accounting, const char *epsilon, const char *delta)
{
    pby_error err;
    cr_assert_eq(pby_ledger_create_text(path, PBY_ADD_REMOVE, accounting, 1, epsilon, delta, &err), PBY_OK,
                 "%s", err.text);
}

static const char divergences[] = "order,renyi\n2,1/10\n16,9/10\n64,4\n";
static const char deltas[] = "epsilon,delta\n0,1/2\n1/2,1e-3\n1,1e-6\n2,0\n";

Test(ledger_curve, each_accounting_uses_what_it_can)
{
    filter(PBY_FILTER_RENYI, "2", "0", "16", NULL);
    point_is(divergences, "rdp:order=16,eps=9/10");
    filter(PBY_FILTER_RENYI, "2", "0", "8", NULL); /* (1/10 8/14 + 15 9/10 6/14) / 7, rounded up */
    point_is(divergences, "rdp:order=8,eps=834693877551021/1000000000000000");
    filter(PBY_FILTER_RENYI, "2", "0", "65", NULL);
    point_is_none(divergences, "expected an order of at least that of the ledger");
    filter(PBY_FILTER_RENYI, "3", "1e-5", "16", NULL);
    point_is(deltas, "approx:eps=1,delta=1/1000000");
    filter(PBY_FILTER_RENYI, "3", "0", "16", NULL);
    point_is(deltas, "approx:eps=2,delta=0");
    filter(PBY_FILTER_RHO, "3", "1/2", NULL, NULL);
    point_is(deltas, "approx:eps=1/2,delta=1/1000");
    filter(PBY_FILTER_RHO, "3", "1e-5", NULL, NULL);
    point_is_none(divergences, "expected epsilon,delta");
    filter(PBY_FILTER_APPROX, "20", "1e-5", NULL, "1/2");
    point_is(deltas, "approx:eps=1,delta=1/1000000");
    filter(PBY_FILTER_APPROX, "20", "1e-5", NULL, "0");
    point_is(deltas, "approx:eps=2,delta=0");
    filter(PBY_FILTER_APPROX, "20", "1e-5", NULL, NULL);
    point_is_none(divergences, "the ledger's is filter:split=1/2");
    plain(PBY_COMPOSE_BASIC, "3", "1e-5");
    point_is(deltas, "approx:eps=1,delta=1/1000000");
    plain(PBY_COMPOSE_BASIC, "3", "0");
    point_is_none("epsilon,delta\n1,1e-9\n", "its budget has none for deltas");
    plain(PBY_COMPOSE_BASIC, "3", "1e-5");
    point_is_none(divergences, "the ledger's is basic");
    plain(PBY_COMPOSE_EXACT, "3", "1e-5");
    point_is(divergences, "rdp:order=16,eps=9/10");
    plain(PBY_COMPOSE_EXACT, "1/1000", "1e-5");
    point_is_none(divergences, "no order of the curve is");
    plain(PBY_COMPOSE_EXACT, "3", "1e-5");
    point_is(deltas, "approx:eps=1,delta=1/1000000");
}

/* The rest of the budget, which outputs may have decided, does not change the point. */
Test(ledger_curve, the_point_does_not_depend_on_entries)
{
    pby_spec *first, *second;
    pby_error err = PBY_NO_ERROR;
    filter(PBY_FILTER_RHO, "3", "1e-5", NULL, NULL);
    write_file(deltas);
    pby_ledger *ledger = open_ledger();
    cr_assert_eq(pby_ledger_curve(&first, ledger, file, &err), PBY_OK);
    for (int i = 0; i < 5; i++)
        cr_assert_eq(pby_ledger_spend_curve(ledger, file, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_curve(&second, ledger, file, &err), PBY_OK);
    cr_assert_str_eq(pby_spec_text(first), pby_spec_text(second));
    for (int i = 0; i < 2; i++)
        if (pby_ledger_spend_curve(ledger, file, &err) == PBY_NO)
            break;
    cr_assert_eq(pby_ledger_spend_curve(ledger, file, &err), PBY_NO, "the budget is spent");
    pby_spec_free(second);
    pby_spec_free(first);
    pby_ledger_close(ledger);
}

Test(ledger_curve, the_command)
{
    filter(PBY_FILTER_RENYI, "2", "0", "16", NULL);
    write_file(divergences);
    const pby_run *r = PBY_RUN(NULL, "ledger", "spend", path, "--curve", file, "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"spec\": \"rdp:order=16,eps=9/10,curve="), "%s", r->out);
    PBY_REFUSED(2, "--curve 'c': expected it with ledger spend", NULL, "ledger", "show", path, "--curve",
                "c");
    PBY_REFUSED(2, "--curve 'c': expected no certificate or SPEC beside it", NULL, "ledger", "spend", path,
                "pure:eps=1", "--curve", "c");
    PBY_REFUSED(2, "file '/nowhere/c': expected a file that can be read", NULL, "ledger", "spend", path,
                "--curve", "/nowhere/c");
}
