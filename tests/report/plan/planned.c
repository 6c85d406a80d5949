/* SPDX-License-Identifier: MIT */
/* The public face of release plans: what the command prints and writes, by calls. */
#include "probity/experimental/plan.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/certificate.h"
#include "probity/ledger.h"
#include "probity/rational.h"
#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE];
static pby_error err;

static void setup(void)
{
    pby_folder_make(folder);
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(planned, .init = setup, .fini = teardown);

/* A pure budget, whose noise is chosen without a search. */
static const char text[] = "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"g\"\nrows = 1\n"
                           "[budget]\nepsilon = 2\n[horizon]\ntimes = 2\n"
                           "[columns.count]\nlow = 0\nhigh = 60\nstep = 1\n"
                           "[[statistics]]\nname = \"n\"\nkind = \"count\"\n"
                           "[[statistics]]\nname = \"total\"\nkind = \"sum\"\nof = \"count\"\n";

static pby_planned *parsed(void)
{
    pby_planned *plan;
    cr_assert_eq(pby_planned_parse(&plan, "p", NULL, text, strlen(text), &err), PBY_OK, "%s", err.text);
    return plan;
}

static json_t *json_of(char *answer)
{
    json_t *json = json_loads(answer, 0, NULL);
    cr_assert_not_null(json, "%s", answer);
    free(answer);
    return json;
}

/* A file's name stands in refusals, and so does that of a text. */
Test(planned, mistakes_are_refused_by_name)
{
    pby_planned *plan;
    const char *wrong = "format = \"probity-plan\"\nversion = 2\n";
    cr_assert_eq(pby_planned_parse(&plan, "mine", NULL, wrong, strlen(wrong), &err), PBY_BAD);
    cr_assert_null(plan);
    cr_assert_eq(strncmp(err.text, "mine: version '2'", 17), 0, "%s", err.text);
    cr_assert_eq(pby_planned_read(&plan, "/no/such/plan", &err), PBY_BAD);
    cr_assert_null(plan);
    pby_planned_free(NULL);
}

/* At the plan's own budget the curve has the error that check tells, and with more budget no error is
 * greater. */
Test(planned, errors_fall_with_the_budget)
{
    pby_planned *plan = parsed();
    char *answer;
    cr_assert_eq(pby_planned_report(&answer, plan, PBY_REPORT_JSON, &err), PBY_OK);
    json_t *check = json_of(answer);
    cr_assert_eq(pby_planned_curves(&answer, plan, &err), PBY_OK, "%s", err.text);
    json_t *curves = json_of(answer);
    cr_assert_str_eq(json_string_value(json_array_get(json_object_get(curves, "epsilon"), 0)), "0.5");
    cr_assert_str_eq(json_string_value(json_array_get(json_object_get(curves, "epsilon"), 8)), "8");
    for (size_t i = 0; i < 2; i++) {
        const json_t *told = json_array_get(json_object_get(check, "statistics"), i);
        const json_t *errors =
            json_object_get(json_array_get(json_object_get(curves, "statistics"), i), "errors");
        cr_assert_eq(json_array_size(errors), 9);
        cr_assert_str_eq(json_string_value(json_array_get(errors, 4)),
                         json_string_value(json_object_get(told, "error")));
        mpq_t before, now;
        mpq_inits(before, now, NULL);
        for (size_t k = 0; k < 9; k++, mpq_set(before, now)) {
            cr_assert_eq(pby_rational_parse(now, "x", json_string_value(json_array_get(errors, k)), &err),
                         PBY_OK);
            cr_assert(k == 0 || mpq_cmp(now, before) < 0, "statistic %zu, point %zu", i, k);
        }
        mpq_clears(before, now, NULL);
    }
    /* The plan is as it was. */
    cr_assert_eq(pby_planned_report(&answer, plan, PBY_REPORT_JSON, &err), PBY_OK);
    json_t *again = json_of(answer);
    cr_assert(json_equal(check, again));
    json_decref(again);
    json_decref(check);
    json_decref(curves);
    pby_planned_free(plan);
}

/* A stream of a table in CSV. */
static void stream_of(struct ArrowArrayStream *stream, pby_table **table, const char *csv)
{
    char path[PBY_PATH_SIZE];
    pby_folder_path(path, folder, "table.csv");
    pby_write_file(path, csv);
    cr_assert_eq(pby_table_csv(table, path, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_to_arrow(stream, *table, &err), PBY_OK, "%s", err.text);
}

/* Rows of a stream: the ledger of the plan takes its two releases, is charged once for each, and refuses a
 * third, which leaves no folder; a stream is taken over wherever the release ends. */
Test(planned, a_stream_is_released_as_often_as_planned)
{
    pby_planned *plan = parsed();
    pby_certificate *held;
    pby_table *table;
    struct ArrowArrayStream rows;
    char ledger[PBY_PATH_SIZE], certificate[PBY_PATH_SIZE], out[PBY_PATH_SIZE], *answer;
    pby_folder_path(ledger, folder, "l.ledger");
    pby_folder_path(certificate, folder, "c.json");
    pby_folder_path(out, folder, "out");
    cr_assert_eq(pby_planned_ledger(ledger, plan, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_planned_certify(&answer, plan, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_verify(&held, answer, strlen(answer), &err), PBY_OK, "%s", err.text);
    pby_certificate_free(held);
    pby_write_file(certificate, answer);
    free(answer);
    static const pby_status expected[] = {PBY_OK, PBY_OK, PBY_NO};
    for (int i = 0; i < 3; i++) {
        char name[PBY_PATH_SIZE + 32];
        snprintf(name, sizeof name, "%s%d", out, i);
        stream_of(&rows, &table, "g,count\na,30\nb,7\nc,61\n");
        const pby_plan_release asked = {
            .rows = &rows, .folder = name, .ledger = ledger, .certificate = certificate};
        cr_assert_eq(pby_planned_release(plan, &asked, &err), expected[i], "%d: %s", i, err.text);
        cr_assert_null(rows.release);
        pby_table_free(table);
        strcat(name, "/total.csv");
        FILE *file = fopen(name, "r");
        cr_assert_eq(file != NULL, expected[i] == PBY_OK);
        if (file != NULL)
            fclose(file);
    }
    pby_planned_free(plan);
}

/* A column that the stream lacks is refused before the charge, by the plan and its name. */
Test(planned, a_stream_without_a_column)
{
    pby_planned *plan = parsed();
    pby_table *table;
    struct ArrowArrayStream rows;
    char ledger[PBY_PATH_SIZE], out[PBY_PATH_SIZE], before[PBY_LEDGER_DIGEST_SIZE],
        behind[PBY_LEDGER_DIGEST_SIZE];
    pby_ledger *l;
    pby_folder_path(ledger, folder, "l.ledger");
    pby_folder_path(out, folder, "out");
    cr_assert_eq(pby_planned_ledger(ledger, plan, NULL, &err), PBY_OK);
    cr_assert_eq(pby_ledger_open(&l, ledger, &err), PBY_OK);
    cr_assert_eq(pby_ledger_digest(before, l, &err), PBY_OK);
    stream_of(&rows, &table, "shop,count\na,30\n");
    const pby_plan_release asked = {.rows = &rows, .folder = out, .ledger = ledger};
    cr_assert_eq(pby_planned_release(plan, &asked, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "'g'"), "%s", err.text);
    cr_assert_eq(pby_ledger_digest(behind, l, &err), PBY_OK);
    cr_assert_str_eq(before, behind);
    pby_ledger_close(l);
    pby_table_free(table);
    pby_planned_free(plan);
}
