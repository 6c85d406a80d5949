/* SPDX-License-Identifier: MIT */
/* Tables in, tables out: the same release as the command's. At eps=40 noise is 0 but for a chance below
 * 1e-17. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "probity/experimental/ledgers.h"
#include "tests/cli/run.h"

static pby_error err;
static char folder[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(release_table, .init = setup, .fini = teardown);

/* ---- helpers ------------------------------------------------------------------------------------ */

static pby_permission *by(const char *spec)
{
    pby_permission *p;
    const pby_permission_options from = {.spec = spec};
    cr_assert_eq(pby_permission_open(&p, &from, &err), PBY_OK, "%s", err.text);
    return p;
}

static pby_table *of(const char *text)
{
    char path[PBY_PATH_SIZE];
    pby_table *t;
    pby_folder_path(path, folder, "in.csv");
    pby_write_file(path, text);
    cr_assert_eq(pby_table_csv(&t, path, NULL, &err), PBY_OK, "%s", err.text);
    return t;
}

static void releases(const char *spec, const char *in, const char *csv, const char *json)
{
    pby_permission *p = by(spec);
    pby_table *t = of(in), *out;
    char *text;
    cr_assert_eq(pby_release_table(&out, p, t, NULL, &err), PBY_OK, "%s: %s", spec, err.text);
    cr_assert_eq(pby_table_write_memory(&text, NULL, out, PBY_FORMAT_CSV, &err), PBY_OK);
    cr_assert_str_eq(text, csv, "%s", spec);
    free(text);
    cr_assert_eq(pby_table_write_memory(&text, NULL, out, PBY_FORMAT_JSON, &err), PBY_OK);
    cr_assert_str_eq(text, json, "%s", spec);
    free(text);
    pby_table_free(out);
    pby_table_free(t);
    pby_permission_close(p);
}

static void is_refused(pby_status expected, pby_permission *p, pby_table *t,
                       const pby_release_options *options, const char *text)
{
    pby_table *out = (pby_table *)&err;
    cr_assert_eq(pby_release_table(&out, p, t, options, &err), expected, "%s: %s", text, err.text);
    cr_assert_not_null(strstr(err.text, text), "%s", err.text);
    cr_assert_null(strstr(err.text, "--"), "a flag of the command: %s", err.text);
    cr_assert_null(out);
}

/* ---- forms -------------------------------------------------------------------------------------- */

Test(release_table, every_form_has_its_rows)
{
    releases("geometric:eps=40", "town,n\nb,5\na,0\n", "town,count\nb,5\na,0\n",
             "[{\"key\": \"b\", \"count\": 5}, {\"key\": \"a\", \"count\": 0}]\n");
    releases("2*geometric:eps=40", "b,5\n", "b,5,5\n",
             "[{\"key\": \"b\", \"count_1\": 5, \"count_2\": 5}]\n");
    releases("threshold:eps=40,T=50", "town,n\nz,1000\nb,1\na,70000\n", "key,count\na,70000\nz,1000\n",
             "[{\"key\": \"a\", \"count\": 70000}, {\"key\": \"z\", \"count\": 1000}]\n");
    releases("partition:eps=40,delta=1e-6", "z,100000\na,100000\nb,0\n", "a\nz\n",
             "[{\"key\": \"a\"}, {\"key\": \"z\"}]\n");
    releases("laplace:scale=1/200,grid=1/4", "a,2\n", "a,2\n", "[{\"key\": \"a\", \"count\": \"2\"}]\n");
    releases("rr:eps=40", "smokes\n1\n0\n", "smokes\n1\n0\n", "[1, 0]\n");
}

Test(release_table, ranges_and_points)
{
    pby_permission *p = by("range:eps=1,L=100");
    pby_table *t = of("a,1000\nb,2000\n"), *out;
    bool found;
    cr_assert_eq(pby_release_table(&out, p, t, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_columns(out), 2);
    cr_assert_str_eq(pby_table_column(out, 1), "high");
    for (int i = 1; i <= 2; i++) {
        cr_assert_eq(pby_table_next(out, &found, &err), PBY_OK);
        cr_assert(found);
        cr_assert_eq(pby_table_key(out, NULL)[0], "ab"[i - 1]);
        const int64_t low = pby_table_value(out, 0), high = pby_table_value(out, 1);
        cr_assert(low == PBY_SUPPRESSED || (low <= i * 1000 && i * 1000 <= high));
        cr_assert_eq(low == PBY_SUPPRESSED, high == PBY_SUPPRESSED);
    }
    pby_table_free(out);
    pby_table_free(t);
    pby_permission_close(p);
    /* Noise is beyond L but for a chance below 1e-11. */
    releases("range:eps=1e-12,L=1", "b,7\n", "b,,\n", "[{\"key\": \"b\", \"low\": null, \"high\": null}]\n");
    /* At q=2 every bucket loses 1. */
    releases("buckethist:eps=40,q=2,bound=2,width=1,dimension=2", "x,y\n0.1,0.2\n0.3,1.5\n0.4,1.6\n0.4,1.7\n",
             "centre,count\n0.5 1.5,2\n", "[{\"key\": \"0.5 1.5\", \"count\": 2}]\n");
}

/* A table may be released again, and is then read anew; what was released may not. */
Test(release_table, again)
{
    pby_permission *p = by("geometric:eps=40"), *gate = by("threshold:eps=40,T=50");
    pby_table *t = of("a,1\nb,2000\n"), *out;
    for (int i = 0; i < 3; i++) {
        char *text;
        cr_assert_eq(pby_release_table(&out, i == 1 ? gate : p, t, NULL, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_table_write_memory(&text, NULL, out, PBY_FORMAT_CSV, &err), PBY_OK);
        cr_assert_str_eq(text, i == 1 ? "b,2000\n" : "a,1\nb,2000\n");
        free(text);
        if (i < 2)
            pby_table_free(out);
    }
    is_refused(PBY_BAD, p, out, NULL, "table: expected keys and counts, not what was released");
    pby_table *m;
    static const char *const keys[] = {"a"};
    cr_assert_eq(pby_table_map(&m, out, &(pby_map){.keys = keys, .count = 1}, &err), PBY_BAD);
    pby_table_free(out);
    pby_table_free(t);
    pby_permission_close(gate);
    pby_permission_close(p);
}

/* ---- options ------------------------------------------------------------------------------------ */

static void note(void *what, unsigned percent)
{
    unsigned *last = what;
    cr_assert(percent <= 100 && (*last > 100 || percent > *last));
    *last = percent;
}

Test(release_table, options)
{
    pby_permission *p = by("geometric:eps=40");
    pby_table *t = of("a,1\nb,2000\n"), *out;
    unsigned last = 101;
    char *text;
    const pby_release_options all = {.truncate = 100, .timing_safe = true, .progress = note, .what = &last};
    cr_assert_eq(pby_release_table(&out, p, t, &all, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(last, 100);
    cr_assert_eq(pby_table_write_memory(&text, NULL, out, PBY_FORMAT_CSV, &err), PBY_OK);
    cr_assert_str_eq(text, "a,1\nb,100\n");
    free(text);
    pby_table_free(out);
    is_refused(PBY_BAD, p, t, &(pby_release_options){.truncate = -1}, "truncate: expected");
    pby_permission_close(p);
    p = by("rr:eps=1");
    is_refused(PBY_BAD, p, t, &(pby_release_options){.truncate = 5}, "truncate: expected a mechanism");
    pby_permission_close(p);
    p = by("buckethist:eps=1,q=1,bound=1,width=1/100000,dimension=2");
    is_refused(PBY_BAD, p, t, &(pby_release_options){.timing_safe = true}, "buckets with timing_safe");
    pby_permission_close(p);
    pby_table_free(t);
}

/* At eps=100000 the best candidate is chosen but for a chance below e^-10000. */
Test(release_table, scores)
{
    static const char *const keys[] = {"a", "b", "c, d"};
    static const int64_t counts[] = {1, 2, 3};
    pby_permission *p = by("exponential:eps=100000");
    pby_table *t, *out;
    bool found;
    releases("exponential:eps=100000", "a,-1\nb,7/3\n\"c, d\",2.3\n", "b\n", "[{\"key\": \"b\"}]\n");
    releases("exponential:eps=100000", "town,score\na,-1\n\"c, d\",0\n", "town\n\"c, d\"\n",
             "[{\"key\": \"c, d\"}]\n");
    cr_assert_eq(pby_table_of(&t, keys, counts, 3, &err), PBY_OK);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(pby_release_table(&out, p, t, NULL, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_table_columns(out), 0);
        cr_assert_eq(pby_table_next(out, &found, &err), PBY_OK);
        cr_assert_str_eq(pby_table_key(out, NULL), "c, d");
        cr_assert_eq(pby_table_next(out, &found, &err), PBY_OK);
        cr_assert(!found);
        pby_table_free(out);
    }
    pby_table_free(t);
    t = of("a,1\nb,secret\n");
    is_refused(PBY_BAD, p, t, NULL, "in.csv: line 2, column 2: expected a score");
    cr_assert_null(strstr(err.text, "secret"));
    pby_table_free(t);
    cr_assert_eq(pby_table_of(&t, keys, counts, 0, &err), PBY_OK);
    is_refused(PBY_BAD, p, t, NULL, "table: expected at least one candidate");
    pby_table_free(t);
    pby_permission_close(p);
}

Test(release_table, points_are_read_from_csv_alone)
{
    static const char *const keys[] = {"a"};
    static const int64_t counts[] = {1};
    pby_permission *p = by("rr:eps=1");
    pby_table *t;
    cr_assert_eq(pby_table_of(&t, keys, counts, 1, &err), PBY_OK);
    is_refused(PBY_BAD, p, t, NULL, "table: expected CSV as it stands");
    pby_table_free(t);
    pby_permission_close(p);
}

/* ---- permissions -------------------------------------------------------------------------------- */

static void make_ledger(const char *path, const char *epsilon, unsigned long rows)
{
    mpq_t e, d;
    mpq_inits(e, d, NULL);
    cr_assert_eq(pby_rational_parse(e, "epsilon", epsilon, &err), PBY_OK);
    mpq_set_ui(d, 1, 1000);
    cr_assert_eq(pby_ledger_create_overlapping(path, PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, rows, e, d, &err),
                 PBY_OK, "%s", err.text);
    mpq_clears(e, d, NULL);
}

static long long entries;
static pby_status count_entry(const pby_ledger_entry *entry, void *what, pby_error *e)
{
    (void)what, (void)e;
    entries = entry->number;
    return PBY_OK;
}

static long long recorded(const pby_permission *p)
{
    entries = 0;
    cr_assert_eq(pby_ledger_each(pby_permission_ledger(p), count_entry, NULL, &err), PBY_OK);
    return entries;
}

/* A refused release is not charged; one charged twice is released twice; one that overspends is neither. */
Test(release_table, the_ledger_is_charged_behind_all_checks)
{
    char path[PBY_PATH_SIZE];
    pby_folder_path(path, folder, "budget");
    make_ledger(path, "2", 1);
    pby_permission *p;
    const pby_permission_options from = {.spec = "geometric:eps=1", .ledger = path};
    cr_assert_eq(pby_permission_open(&p, &from, &err), PBY_OK, "%s", err.text);
    pby_table *bad = of("a,1\na,2\n"), *t, *out;
    is_refused(PBY_BAD, p, bad, NULL, "line 2, column 1");
    pby_table_free(bad);
    cr_assert_eq(recorded(p), 0);
    t = of("a,1\n");
    for (int i = 1; i <= 2; i++) {
        cr_assert_eq(pby_release_table(&out, p, t, NULL, &err), PBY_OK, "%s", err.text);
        pby_table_free(out);
        cr_assert_eq(recorded(p), i);
    }
    is_refused(PBY_NO, p, t, NULL, "would overspend");
    cr_assert_eq(recorded(p), 2);
    pby_table_free(t);
    pby_permission_close(p);
}

Test(release_table, groups_need_disjoint_rows)
{
    static const char *const keys[] = {"a"}, *const groups[] = {"g"};
    char path[PBY_PATH_SIZE];
    pby_folder_path(path, folder, "budget");
    make_ledger(path, "9", 2);
    pby_permission *p;
    const pby_permission_options from = {.spec = "geometric:eps=1", .ledger = path};
    cr_assert_eq(pby_permission_open(&p, &from, &err), PBY_OK, "%s", err.text);
    pby_table *t = of("a,1\nb,2\n"), *m, *out;
    cr_assert_eq(pby_table_map(&m, t, &(pby_map){.keys = keys, .groups = groups, .count = 1}, &err), PBY_OK);
    is_refused(PBY_BAD, p, m, NULL, "table: expected a ledger whose rows are disjoint");
    pby_table_free(m);
    cr_assert_eq(pby_table_map(&m, t, &(pby_map){.keys = keys, .count = 1}, &err), PBY_OK);
    cr_assert_eq(pby_release_table(&out, p, m, NULL, &err), PBY_OK, "%s", err.text);
    pby_table_free(out);
    pby_table_free(m);
    pby_table_free(t);
    pby_permission_close(p);
}

Test(release_table, a_mechanism_that_reads_its_size_takes_no_map)
{
    static const char *const keys[] = {"a"};
    pby_permission *p = by("stlap:eps=1/2,tau=1/10,n=100,bars=1");
    pby_table *t = of("a,100\n"), *m;
    cr_assert_eq(pby_table_map(&m, t, &(pby_map){.keys = keys, .count = 1}, &err), PBY_OK);
    pby_table *out;
    cr_assert_eq(pby_release_table(&out, p, m, NULL, &err), PBY_BAD);
    pby_table_free(m);
    pby_table_free(t);
    pby_permission_close(p);
}

Test(release_table, permissions)
{
    char path[PBY_PATH_SIZE], *text;
    mpq_t half;
    pby_permission *p;
    pby_folder_path(path, folder, "certificate");
    mpq_init(half);
    mpq_set_ui(half, 1, 2);
    p = by("stlap:eps=1/2,q=40");
    cr_assert_null(pby_permission_certificate(p));
    cr_assert_null(pby_permission_ledger(p));
    cr_assert_eq(pby_certify(&text, pby_permission_spec(p), PBY_ADD_REMOVE, half, &err), PBY_OK);
    pby_permission_close(p);
    pby_write_file(path, text);
    const pby_permission_options from = {.certificate = path}, both = {.certificate = path, .spec = "x"};
    cr_assert_eq(pby_permission_open(&p, &from, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_spec_text(pby_permission_spec(p)), "stlap:eps=1/2,q=40");
    cr_assert_not_null(pby_permission_certificate(p));
    pby_permission_close(p);
    strstr(text, "q=40")[2] = '5';
    pby_write_file(path, text);
    cr_assert_eq(pby_permission_open(&p, &from, &err), PBY_NO, "a forged certificate");
    cr_assert_null(p);
    cr_assert_eq(pby_permission_open(&p, &both, &err), PBY_BAD);
    cr_assert_eq(pby_permission_open(&p, &(pby_permission_options){.ledger = NULL}, &err), PBY_BAD);
    cr_assert_eq(pby_permission_open(&p, &(pby_permission_options){.spec = "geometric:eps=-1"}, &err),
                 PBY_BAD);
    cr_assert_null(p);
    free(text);
    mpq_clear(half);
}

Test(release_table, a_certificate_and_a_ledger_of_other_neighbours)
{
    char path[PBY_PATH_SIZE], budget[PBY_PATH_SIZE], *text;
    mpq_t half;
    pby_folder_path(path, folder, "certificate");
    pby_folder_path(budget, folder, "budget");
    make_ledger(budget, "2", 1);
    mpq_init(half);
    mpq_set_ui(half, 1, 2);
    pby_permission *p = by("stlap:eps=1/2,q=40");
    cr_assert_eq(pby_certify(&text, pby_permission_spec(p), PBY_SUBSTITUTE, half, &err), PBY_OK);
    pby_permission_close(p);
    pby_write_file(path, text);
    free(text);
    mpq_clear(half);
    const pby_permission_options from = {.certificate = path, .ledger = budget};
    cr_assert_eq(pby_permission_open(&p, &from, &err), PBY_BAD);
    cr_assert_eq(strncmp(err.text, "ledger: its neighbours are", 26), 0, "%s", err.text);
}
