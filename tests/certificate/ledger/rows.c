/* SPDX-License-Identifier: MIT */
/* Ledgers of data of which one record is counted in several rows. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "probity/experimental/ledgers.h"
#include "tests/certificate/ledger/books.h"
#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], other[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
    pby_folder_path(other, folder, "other");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(ledger_rows, .init = setup, .fini = teardown);

static pby_status copy_spec(const pby_ledger_entry *entry, void *out, pby_error *err)
{
    (void)err;
    free(*(char **)out);
    *(char **)out = strdup(entry->spec);
    return PBY_OK;
}

static void last_entry_is(const char *expected)
{
    pby_ledger *ledger;
    pby_error err;
    char *spec = NULL;
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_each(ledger, copy_spec, &spec, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(spec, expected);
    pby_ledger_close(ledger);
    free(spec);
}

/* The case of the issue: fifty rows of everybody cost fifty uses, to the last. */
Test(ledger_rows, overlapping_rows_are_a_composition)
{
    pby_error err;
    pby_make_overlapping(path, PBY_COMPOSE_EXACT, 50, "1", "0");
    cr_assert_eq(pby_spend(path, "geometric:eps=1/10", &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "50*geometric:eps=1/10 would overspend"), "%s", err.text);
    cr_assert_eq(pby_spend(path, "geometric:eps=1/50", &err), PBY_OK, "%s", err.text);
    last_entry_is("50*geometric:eps=1/50");
    cr_assert_eq(pby_spend(path, "geometric:eps=1/1000000", &err), PBY_NO, "all of it is spent");
}

Test(ledger_rows, every_use_of_a_release_is_multiplied)
{
    pby_error err;
    pby_make_overlapping(path, PBY_COMPOSE_EXACT, 3, "3", "1/10");
    cr_assert_eq(pby_spend(path, "threshold:eps=1/4,T=60 geometric:eps=1/4", &err), PBY_OK, "%s", err.text);
    last_entry_is("3*threshold:eps=1/4,T=60 3*geometric:eps=1/4");
    cr_assert_eq(pby_spend(path, "2*geometric:eps=1/100", &err), PBY_OK, "%s", err.text);
    last_entry_is("6*geometric:eps=1/100");
    cr_assert_eq(pby_spend(path, "1000000000*geometric:eps=1/100", &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "at most 1000000000 uses"), "%s", err.text);
}

/* Exactly what so many uses would be charged by a ledger of disjoint rows. */
Test(ledger_rows, it_is_charged_as_those_uses_are)
{
    pby_ledger *ledger;
    pby_error err;
    pby_enclosure delta[2];
    const char *const paths[2] = {path, other};
    pby_make_overlapping(path, PBY_COMPOSE_EXACT, 7, "2", "1/2");
    pby_make_ledger(other, PBY_COMPOSE_EXACT, "2", "1/2");
    cr_assert_eq(pby_spend(path, "stlap:eps=1/4,q=20", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(other, "7*stlap:eps=1/4,q=20", &err), PBY_OK, "%s", err.text);
    for (int i = 0; i < 2; i++) {
        pby_enclosure_init(&delta[i]);
        cr_assert_eq(pby_ledger_open(&ledger, paths[i], &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_ledger_rows(ledger), i == 0 ? 7 : 1);
        cr_assert_eq(pby_ledger_spent(&delta[i], NULL, ledger, 9, &err), PBY_OK, "%s", err.text);
        pby_ledger_close(ledger);
    }
    cr_assert(mpfr_equal_p(delta[0].lo, delta[1].lo) && mpfr_equal_p(delta[0].hi, delta[1].hi));
    pby_enclosure_clear(&delta[0]);
    pby_enclosure_clear(&delta[1]);
}

/* Basic: as often the epsilon, as often the delta. */
Test(ledger_rows, basic_adds_up_every_row)
{
    pby_error err;
    pby_make_overlapping(path, PBY_COMPOSE_BASIC, 4, "1", "1e-5");
    cr_assert_eq(pby_spend_at(path, "approx:eps=1/10,delta=1e-6", "1/10", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend_at(path, "approx:eps=1/10,delta=1e-6", "16/100", &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "epsilon would be up to 1.04"), "%s", err.text);
    cr_assert_eq(pby_spend_at(path, "approx:eps=1/10,delta=2e-6", "1/10", &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "delta would be up to 1.2"), "%s", err.text);
    cr_assert_eq(pby_spend_at(path, "approx:eps=1/10,delta=1e-6", "15/100", &err), PBY_OK, "%s", err.text);
}

/* A mechanism that is no composition over separate rows is refused. */
Test(ledger_rows, refuses_what_the_rows_do_not_make_up)
{
    pby_error err;
    pby_make_overlapping(path, PBY_COMPOSE_EXACT, 2, "4", "1/2");
    cr_assert_eq(pby_spend(path, "stlap:eps=1/2,tau=1/4,n=152,bars=1", &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "the ledger's rows overlap"), "%s", err.text);
    cr_assert_eq(pby_spend(path, "buckethist:eps=1/2,q=60,bound=10,width=1", &err), PBY_BAD);
    cr_assert_eq(pby_spend(path, "stlap:eps=1/2,q=60", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(path, "partition:eps=1/2,delta=1e-6", &err), PBY_OK, "%s", err.text);
}

Test(ledger_rows, are_disjoint_unless_said)
{
    pby_ledger *ledger;
    pby_error err;
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 2);
    pby_make_old_ledger(path, "1", "0", (const char *const[]){NULL});
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_rows(ledger), 1);
    pby_ledger_close(ledger);
    cr_assert_eq(pby_ledger_create_overlapping(other, PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, 0, one, one, &err),
                 PBY_BAD);
    cr_assert_eq(
        pby_ledger_create_overlapping(other, PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, 1000000001, one, one, &err),
        PBY_BAD);
    cr_assert_not_null(strstr(err.text, "rows '1000000001': expected an integer from 1 to 1000000000"), "%s",
                       err.text);
    mpq_clear(one);
}
