/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "tests/cli/run.h"
#include "tests/spec.h"

static pby_error err;

static void is(pby_status status, pby_status expected, pby_reason reason)
{
    cr_assert_eq(status, expected, "%d: %s", (int)status, err.text);
    cr_assert_eq(err.status, expected);
    cr_assert_eq(err.reason, reason, "%s: %s", pby_reason_text(err.reason), err.text);
    err = (pby_error){.status = PBY_OK};
}

Test(status, each_status_has_its_usual_reason)
{
    is(pby_fail(&err, PBY_BAD, "%d", 1), PBY_BAD, PBY_REASON_ARGUMENT);
    is(pby_fail(&err, PBY_NO, "%d", 1), PBY_NO, PBY_REASON_VERDICT);
    is(pby_fail(&err, PBY_FAILED, "%d", 1), PBY_FAILED, PBY_REASON_INTERNAL);
    is(pby_refuse(&err, "a", "b", "c"), PBY_BAD, PBY_REASON_ARGUMENT);
    is(pby_no_memory(&err), PBY_FAILED, PBY_REASON_MEMORY);
    is(pby_fail_by(&err, PBY_FAILED, PBY_REASON_IO, "%s", "x"), PBY_FAILED, PBY_REASON_IO);
    cr_assert_eq(pby_fail_by(NULL, PBY_FAILED, PBY_REASON_IO, "x"), PBY_FAILED, "nobody asks");
}

/* jansson's message quotes what it could not read, line ends and all. */
Test(status, an_error_is_one_line)
{
    cr_assert_eq(pby_fail(&err, PBY_BAD, "line %d: near '\"a\\\n\x1b[2J\x7f'", 18), PBY_BAD);
    cr_assert_str_eq(err.text, "line 18: near '\"a\\  [2J '");
}

Test(status, reasons_have_words)
{
    cr_assert_str_eq(pby_reason_text(PBY_REASON_BUDGET), "budget");
    for (int i = PBY_REASON_NONE; i <= PBY_REASON_STOPPED; i++)
        for (int j = PBY_REASON_NONE; j < i; j++)
            cr_assert_str_neq(pby_reason_text((pby_reason)i), pby_reason_text((pby_reason)j));
    cr_assert_str_eq(pby_reason_text((pby_reason)(PBY_REASON_STOPPED + 1)), "unknown");
    cr_assert_str_eq(pby_reason_text((pby_reason)-1), "unknown");
    const pby_error none = PBY_NO_ERROR;
    cr_assert_eq(none.reason, PBY_REASON_NONE);
}

Test(status, entropy_that_ends)
{
    pby_entropy *tape;
    uint64_t word;
    cr_assert_eq(pby_entropy_tape(&tape, NULL, 0, &err), PBY_OK);
    is(pby_entropy_words(tape, &word, 1, &err), PBY_FAILED, PBY_REASON_ENTROPY);
    pby_entropy_free(tape);
}

Test(status, certificates_targets_and_files)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    pby_certificate *c;
    mpq_t half, tiny;
    char *text;
    mpq_inits(half, tiny, NULL);
    mpq_set_ui(half, 1, 2);
    mpq_set_ui(tiny, 1, 1000000000);
    const pby_certify_options target = {.delta = tiny};
    is(pby_certify_with(&text, spec, PBY_ADD_REMOVE, half, &target, &err), PBY_NO, PBY_REASON_TARGET);
    is(pby_verify(&c, "{}", 2, &err), PBY_NO, PBY_REASON_CERTIFICATE);
    cr_assert_eq(pby_certify(&text, spec, PBY_ADD_REMOVE, half, &err), PBY_OK);
    strstr(text, "q=40")[2] = '5';
    is(pby_verify(&c, text, strlen(text), &err), PBY_NO, PBY_REASON_CERTIFICATE);
    free(text);
    mpq_clears(half, tiny, NULL);
    pby_spec_free(spec);
    const char *bad = "stlap:eps=-1,q=40";
    is(pby_spec_parse(&spec, &bad, 1, &err), PBY_BAD, PBY_REASON_ARGUMENT);
}

static pby_status cut(void *what, void *buffer, size_t size, size_t *got, pby_error *e)
{
    (void)what, (void)buffer, (void)size;
    *got = size + 1;
    (void)e;
    return PBY_OK;
}

Test(status, tables_and_budgets)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], budget[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "in.csv");
    pby_folder_path(budget, folder, "budget");
    pby_write_file(path, "a,1\nb,x\n");
    pby_table *t, *out;
    bool found;
    cr_assert_eq(pby_table_csv(&t, path, NULL, &err), PBY_OK);
    is(pby_table_next(t, &found, &err), PBY_BAD, PBY_REASON_INPUT);
    pby_table_free(t);
    is(pby_table_csv(&t, "/nowhere/at all", NULL, &err), PBY_BAD, PBY_REASON_ARGUMENT);
    cr_assert_eq(pby_table_csv_callback(&t, cut, NULL, NULL, &err), PBY_OK);
    is(pby_table_next(t, &found, &err), PBY_BAD, PBY_REASON_ARGUMENT);
    pby_table_free(t);

    mpq_t e, d;
    mpq_inits(e, d, NULL);
    mpq_set_ui(e, 1, 10);
    cr_assert_eq(pby_ledger_create(budget, PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, e, d, &err), PBY_OK);
    mpq_clears(e, d, NULL);
    pby_permission *p;
    const pby_permission_options from = {.spec = "geometric:eps=1", .ledger = budget};
    cr_assert_eq(pby_permission_open(&p, &from, &err), PBY_OK, "%s", err.text);
    pby_write_file(path, "a,1\n");
    cr_assert_eq(pby_table_csv(&t, path, NULL, &err), PBY_OK);
    is(pby_release_table(&out, p, t, NULL, &err), PBY_NO, PBY_REASON_BUDGET);
    cr_assert_eq(pby_table_next(t, &found, &err), PBY_OK);
    pby_write_file(path, "a,1\nb,2\n"); /* the file has changed under the table */
    is(pby_table_next(t, &found, &err), PBY_FAILED, PBY_REASON_IO);
    pby_table_free(t);
    pby_permission_close(p);
    pby_folder_remove(folder);
}
