/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "probity/experimental/ledgers.h"
#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
static pby_ledger *ledger;

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
}

static void teardown(void)
{
    pby_ledger_close(ledger);
    pby_folder_remove(folder);
}

TestSuite(ledger_page, .init = setup, .fini = teardown);

static void make(const pby_ledger_terms *terms)
{
    cr_assert_eq(pby_ledger_create_terms(path, terms, NULL), PBY_OK);
    cr_assert_eq(pby_ledger_open(&ledger, path, NULL), PBY_OK);
}

static void spend(const char *text, const char *part)
{
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    cr_assert_eq(pby_ledger_for_part(ledger, part, NULL), PBY_OK);
    cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, NULL), PBY_OK, "%s", text);
    pby_spec_free(spec);
}

/* The page with a planned release (NULL: none), for free(3). */
static char *page_of(const char *planned)
{
    pby_spec *spec = NULL;
    char *page = NULL;
    pby_error err;
    if (planned != NULL)
        cr_assert_eq(pby_spec_parse(&spec, &planned, 1, NULL), PBY_OK);
    cr_assert_eq(pby_ledger_page(&page, ledger, spec, NULL, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    return page;
}

static void has(const char *page, const char *text)
{
    cr_assert_not_null(strstr(page, text), "%s is not in %s", text, page);
}

/* Every number says of what it is. */
Test(ledger_page, numbers_have_units)
{
    make(&(pby_ledger_terms){.accounting = "zcdp", .bound = "1", .delta = "0"});
    spend("zcdp:rho=1/4", NULL);
    char *page = page_of("zcdp:rho=1/8");
    has(page, "<th>rho charged</th><td>0.25<");
    has(page, "<th>rho left</th><td>0.75<");
    has(page, "<th>rho it takes</th><td>0.125<");
    has(page, "<th>rho left</th><td>0.625<");
    has(page, "<th>delta left</th><td>0<");
    cr_assert_null(strstr(page, "<th>it takes"));
    cr_assert_null(strstr(page, "<th>charged<"));
    free(page);
}

/* A ledger that was made just now is not told in hundredths of a day. */
Test(ledger_page, a_young_ledger_counts_seconds)
{
    make(&(pby_ledger_terms){.accounting = "zcdp", .bound = "1", .delta = "0"});
    spend("zcdp:rho=1/4", NULL);
    char *page = page_of(NULL);
    has(page, "seconds since the first release");
    cr_assert_null(strstr(page, "days since"));
    free(page);
}

/* One part has twice 1/4 and the other 1/8, and everybody 1/2: pure epsilons add. */
Test(ledger_page, groups_of_composed_releases_have_epsilons)
{
    make(&(pby_ledger_terms){.accounting = "exact", .bound = "2", .delta = "0", .parts = "region"});
    spend("geometric:eps=1/4", "eu");
    spend("geometric:eps=1/4", "eu");
    spend("geometric:eps=1/8", "us");
    spend("geometric:eps=1/2", NULL);
    char *page = page_of(NULL);
    has(page, "<td class=\"event\">eu</td><td class=\"number\">2</td><td class=\"number\">0.5</td>");
    has(page, "<td class=\"event\">us</td><td class=\"number\">1</td><td class=\"number\">0.125</td>");
    has(page,
        "<td class=\"event\">geometric:eps=1/4</td><td class=\"number\">2</td><td class=\"number\">0.5<");
    has(page,
        "<td class=\"event\">geometric:eps=1/2</td><td class=\"number\">1</td><td class=\"number\">0.5<");
    has(page, "not add up to what was spent");
    free(page);
}

/* A name is a text on the page. */
Test(ledger_page, names_are_texts)
{
    make(&(pby_ledger_terms){
        .accounting = "zcdp", .bound = "1", .delta = "0", .parts = "<b>", .user = "<script>"});
    cr_assert_eq(pby_ledger_for_user(ledger, "<script>", NULL), PBY_OK);
    spend("zcdp:rho=1/4", "<img src=x onerror='alert(1)'>\"");
    char *page = page_of(NULL);
    cr_assert_null(strstr(page, "<script>"));
    cr_assert_null(strstr(page, "<img"));
    has(page, "&lt;img src=x");
    free(page);
}
