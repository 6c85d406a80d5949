/* SPDX-License-Identifier: MIT */
/* The unit of privacy of certificates and ledgers. */
#include "certificate/unit.h"
#include "probity/experimental/ledgers.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "tests/cli/run.h"

static pby_error err;

static pby_spec *spec_of(const char *text)
{
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s", err.text);
    return spec;
}

static char *certificate_of(const char *user)
{
    char *text;
    pby_spec *spec = spec_of("geometric:eps=1,sensitivity=3");
    cr_assert_eq(pby_certify_text(&text, spec, PBY_ADD_REMOVE, "1", &(pby_certify_words){.user = user}, &err),
                 PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    return text;
}

Test(unit, a_certificate_states_a_user_and_no_record)
{
    pby_certificate *c;
    char *of_user = certificate_of("cust\xc3\xb6mer"), *of_record = certificate_of(NULL);
    cr_assert(strstr(of_user, "  \"unit\": \"user by cust\\u00F6mer\"") != NULL, "%s", of_user);
    cr_assert(strstr(of_record, "unit") == NULL);
    cr_assert_eq(pby_verify(&c, of_user, strlen(of_user), &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_certificate_user(c), "cust\xc3\xb6mer");
    pby_certificate_free(c);
    cr_assert_eq(pby_verify(&c, of_record, strlen(of_record), &err), PBY_OK, "%s", err.text);
    cr_assert_null(pby_certificate_user(c));
    pby_certificate_free(c);
    free(of_user);
    free(of_record);
}

/* The digest guards the unit, which no recomputation can check. */
Test(unit, a_changed_unit_does_not_hold)
{
    char *text = certificate_of("customer");
    char *at = strstr(text, "by customer");
    memcpy(at + 3, "salesman", 8);
    cr_assert_eq(pby_verify(NULL, text, strlen(text), &err), PBY_NO);
    cr_assert(strstr(err.text, "digest") != NULL, "%s", err.text);
    memcpy(at - 5, "item ", 5);
    cr_assert_eq(pby_verify(NULL, text, strlen(text), &err), PBY_NO);
    cr_assert(strstr(err.text, "unit 'item by salesman'") != NULL, "%s", err.text);
    free(text);
}

Test(unit, what_is_no_name_is_refused)
{
    char longest[1002];
    const char *const bad[] = {"", "a\nb", "\xff", longest};
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_eq(pby_unit_check("user", bad[i], &err), PBY_BAD);
    longest[1000] = '\0';
    cr_assert_eq(pby_unit_check("user", longest, &err), PBY_OK);
}

static void make_ledger(const char *path, const char *user)
{
    cr_assert_eq(pby_ledger_create_user_text(path, PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, user, "2", "0", &err),
                 PBY_OK, "%s", err.text);
}

/* Whoever does not say the unit is taken to release by records. */
Test(unit, a_ledger_of_users_refuses_other_releases)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], before[PBY_LEDGER_DIGEST_SIZE],
        after[PBY_LEDGER_DIGEST_SIZE];
    pby_ledger *ledger;
    pby_spec *spec = spec_of("geometric:eps=1,sensitivity=3");
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
    make_ledger(path, "customer");
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_ledger_user(ledger), "customer");
    cr_assert_eq(pby_ledger_version(ledger), 6);
    cr_assert_eq(pby_ledger_digest(before, ledger, &err), PBY_OK);
    cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, &err), PBY_BAD);
    cr_assert_str_eq(err.text,
                     "ledger: its unit of privacy is a user by 'customer': expected a record, as of "
                     "the release");
    cr_assert_eq(pby_ledger_affords(ledger, spec, NULL, &err), PBY_BAD);
    cr_assert_eq(pby_ledger_for_user(ledger, "shop", &err), PBY_BAD);
    cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, &err), PBY_BAD);
    cr_assert_eq(pby_ledger_for_user(ledger, "customer", &err), PBY_OK);
    cr_assert_eq(pby_ledger_affords(ledger, spec, NULL, &err), PBY_OK);
    cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_for_user(ledger, NULL, &err), PBY_BAD);
    cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, &err), PBY_BAD);
    pby_ledger_close(ledger);

    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_ledger_user(ledger), "customer");
    cr_assert_eq(pby_ledger_version(ledger), 6);
    cr_assert_eq(pby_ledger_digest(after, ledger, &err), PBY_OK);
    cr_assert_str_neq(before, after);
    cr_assert_eq(pby_ledger_after(ledger, before, &err), PBY_OK, "%s", err.text);
    pby_ledger_close(ledger);
    pby_spec_free(spec);
    pby_folder_remove(folder);
}

Test(unit, a_ledger_of_records_refuses_users)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_ledger *ledger;
    pby_spec *spec = spec_of("geometric:eps=1");
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
    cr_assert_eq(pby_ledger_create_text(path, PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, 1, "2", "0", &err), PBY_OK);
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_null(pby_ledger_user(ledger));
    cr_assert_eq(pby_ledger_version(ledger), 5);
    cr_assert_eq(pby_ledger_for_user(ledger, "customer", &err), PBY_BAD);
    cr_assert_eq(pby_ledger_for_user(ledger, NULL, &err), PBY_OK);
    cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, &err), PBY_OK, "%s", err.text);
    pby_ledger_close(ledger);
    pby_spec_free(spec);
    pby_folder_remove(folder);
}

/* The unit is a part of what the chain of digests begins with. */
Test(unit, a_ledger_whose_unit_was_changed_is_damaged)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_ledger *ledger;
    sqlite3 *db;
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
    make_ledger(path, "customer");
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_neq(sqlite3_exec(db, "UPDATE unit SET user = 'shop'", NULL, NULL, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db,
                              "DROP TRIGGER unit_fixed; UPDATE unit SET user = 'shop';"
                              "CREATE TRIGGER unit_fixed BEFORE UPDATE ON unit BEGIN SELECT RAISE(ABORT, 'a "
                              "budget stays'); END",
                              NULL, NULL, NULL),
                 SQLITE_OK);
    sqlite3_close(db);
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_BAD);
    cr_assert(strstr(err.text, "damaged") != NULL, "%s", err.text);
    pby_folder_remove(folder);
}
