/* SPDX-License-Identifier: MIT */
/* The accuracy that a plan promises, in 1,000 simulated releases of the examples' data (docs/plan.md): all
 * groups of a statistic are within the stated error at once in 95 of 100 releases.
 *
 * Noise comes from the system, as in every release. A release misses with a chance of at most 1/20, so that
 * more than MOST of RELEASES miss with a chance below exp(-RELEASES KL(103/1000, 1/20)) < 2e-10. The error
 * of a count is the least that is kept to: with noise as wide as here a release misses with a chance of
 * at least 0.045, and fewer than FEWEST miss with one below exp(-RELEASES KL(8/1000, 0.045)) < 1e-10. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_error.h"
#include "release/plan_draw.h"
#include "release/plan_hidden.h"
#include "release/plan_values.h"

enum { RELEASES = 1000, MOST = 102, FEWEST = 9, SHOPS = 12, ROWS = 2000, NEEDS = PBY_PLAN_NEEDS_MAX };

static pby_error err;

/* ---- a plan with noise, and its cells ------------------------------------------------------------- */

struct example {
    pby_release_plan *plan;
    pby_plan_quantities q;
    pby_plan_cells cells; /* without noise */
};

static void begin(struct example *x, const char *text, const char *table)
{
    pby_csv_input *in;
    cr_assert_eq(pby_plan_parse(&x->plan, "p", NULL, text, strlen(text), &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_plan_quantities_of(&x->q, x->plan, &err), PBY_OK);
    cr_assert_eq(pby_csv_input_memory(&in, "table", table, strlen(table), &err), PBY_OK);
    cr_assert_eq(pby_plan_rows(&x->cells, x->plan, &x->q, in, NULL, &err), PBY_OK, "%s", err.text);
    pby_csv_input_free(in);
}

static void end(struct example *x)
{
    pby_plan_cells_clear(&x->cells);
    pby_plan_quantities_clear(&x->q);
    pby_plan_free(x->plan);
}

static void set(struct example *x, size_t quantity, pby_plan_family family, const char *noise)
{
    x->q.quantity[quantity].family = family;
    cr_assert_eq(mpq_set_str(x->q.quantity[quantity].noise, noise, 10), 0);
}

/* So many releases, one after the other in the cells of each quantity: the tables of a sampler are made once
 * for all of them. A choice has one. */
static void draw(pby_plan_cells *noisy, const struct example *x, size_t releases)
{
    *noisy = (pby_plan_cells){.count = x->cells.count, .groupings = x->cells.groupings};
    noisy->cell = calloc(x->cells.count, sizeof *noisy->cell);
    noisy->cells = calloc(x->cells.count, sizeof *noisy->cells);
    noisy->hidden = calloc(x->cells.groupings, sizeof *noisy->hidden);
    for (size_t i = 0; i < x->cells.count; i++) {
        const size_t n = x->cells.cells[i];
        noisy->cells[i] = releases * n;
        noisy->cell[i] = calloc(noisy->cells[i] + 1, sizeof **noisy->cell);
        for (size_t k = 0; k < releases; k++)
            memcpy(noisy->cell[i] + k * n, x->cells.cell[i], n * sizeof **noisy->cell);
    }
    cr_assert_eq(pby_plan_draw(noisy, x->plan, &x->q, &err), PBY_OK, "%s", err.text);
}

/* ---- coverage ------------------------------------------------------------------------------------ */

/* The exact value of a statistic in a cell: a count, or a mean. */
static void truth(mpq_t value, const struct example *x, size_t statistic, size_t cell)
{
    const pby_plan_needs *needs = &x->q.needs[statistic];
    mpq_set_si(value, x->cells.cell[needs->at[0]][cell], 1);
    if (x->plan->statistic[statistic].kind != PBY_PLAN_MEAN)
        return;
    mpq_t centre;
    mpq_init(centre);
    mpq_set_si(value, x->cells.cell[needs->at[1]][cell], (unsigned long)x->cells.cell[needs->at[0]][cell]);
    mpq_canonicalize(value);
    mpq_set_si(centre, pby_plan_centre(&x->plan->column[x->plan->statistic[statistic].column]), 1);
    mpq_add(value, value, centre);
    mpq_clear(centre);
}

struct tally {
    int outside; /* releases of which some group's interval misses its value */
    int beyond;  /* releases of which some group is off by more than the promise before the data */
};

/* Adds one release of one statistic. */
static void judge(struct tally *t, const struct example *x, size_t statistic, const pby_plan_cells *noisy,
                  size_t release, const mpq_t *error, const pby_plan_promise *promise)
{
    const pby_plan_needs *needs = &x->q.needs[statistic];
    const size_t cells = x->cells.cells[needs->at[0]];
    bool outside = false, beyond = false;
    pby_plan_value v;
    mpq_t exact, off, most;
    mpq_inits(exact, off, most, NULL);
    pby_plan_value_init(&v);
    mpq_add(most, promise->error, promise->rounding);
    for (size_t cell = 0; cell < cells; cell++) {
        int64_t numbers[NEEDS] = {0};
        for (size_t k = 0; k < needs->count; k++)
            numbers[k] = noisy->cell[needs->at[k]][release * cells + cell];
        pby_plan_value_of(&v, x->plan, &x->plan->statistic[statistic], numbers, error);
        truth(exact, x, statistic, cell);
        outside = outside || mpq_cmp(v.low, exact) > 0 || mpq_cmp(v.high, exact) < 0;
        mpq_sub(off, v.value, exact);
        mpq_abs(off, off);
        beyond = beyond || mpq_cmp(off, most) > 0;
    }
    t->outside += outside;
    t->beyond += beyond;
    pby_plan_value_clear(&v);
    mpq_clears(exact, off, most, NULL);
}

static void simulate(struct tally *t, const struct example *x)
{
    mpq_t error[8][NEEDS];
    pby_plan_promise promise[8];
    for (size_t s = 0; s < x->plan->statistics; s++) {
        const pby_plan_needs *needs = &x->q.needs[s];
        for (size_t k = 0; k < NEEDS; k++)
            mpq_init(error[s][k]);
        for (size_t k = 0; k < needs->count; k++) {
            const pby_plan_quantity *q = &x->q.quantity[needs->at[k]];
            cr_assert_eq(pby_plan_error(error[s][k], q, q->cells, 20 * needs->count, &err), PBY_OK);
        }
        pby_plan_promise_init(&promise[s]);
        cr_assert_eq(pby_plan_promise_of(&promise[s], x->plan, &x->q, s, &err), PBY_OK);
        cr_assert(promise[s].known);
        t[s] = (struct tally){0, 0};
    }
    pby_plan_cells noisy;
    draw(&noisy, x, RELEASES);
    for (size_t i = 0; i < RELEASES; i++)
        for (size_t s = 0; s < x->plan->statistics; s++)
            judge(&t[s], x, s, &noisy, i, (const mpq_t *)error[s], &promise[s]);
    pby_plan_cells_clear(&noisy);
    for (size_t s = 0; s < x->plan->statistics; s++) {
        pby_plan_promise_clear(&promise[s]);
        for (size_t k = 0; k < NEEDS; k++)
            mpq_clear(error[s][k]);
    }
}

/* ---- example 2: rows and means of 12 shops ---------------------------------------------------------- */

/* Each shop has ROWS rows; a user has 2 in each of 2 shops, so that bounding drops none. */
static char *shops(void)
{
    char *table;
    size_t size;
    FILE *out = open_memstream(&table, &size);
    fputs("user,shop,amount\n", out);
    for (int user = 0; user < SHOPS * ROWS / 4; user++)
        for (int row = 0; row < 4; row++)
            fprintf(out, "u%d,s%d,%d\n", user, (user + row / 2) % SHOPS, (user * 7 + row * 13) % 61);
    fclose(out);
    return table;
}

static const char shops_plan[] =
    "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"user\"\nrows = 4\n"
    "[budget]\nepsilon = 1\ndelta = \"1e-6\"\n[columns.amount]\nlow = 0\nhigh = 60\nstep = 1\n"
    "[groupings.shops]\nby = [\"shop\"]\ngroups_per_user = 2\nrows_per_group = 2\nexpect = 2000\n"
    "groups = [\"s0\", \"s1\", \"s2\", \"s3\", \"s4\", \"s5\", "
    "\"s6\", \"s7\", \"s8\", \"s9\", \"s10\", \"s11\"]\n"
    "[[statistics]]\nname = \"visits\"\nkind = \"count\"\ngroup = \"shops\"\n"
    "[[statistics]]\nname = \"spend\"\nkind = \"mean\"\nof = \"amount\"\ngroup = \"shops\"\n";

static void cover_shops(pby_plan_family family, const char *rows, const char *centred)
{
    struct example x;
    struct tally t[2];
    char *table = shops();
    begin(&x, shops_plan, table);
    cr_assert_eq(x.cells.cell[0][0], ROWS);
    set(&x, 0, family, rows);
    set(&x, 1, family, centred);
    simulate(t, &x);
    for (size_t s = 0; s < 2; s++) {
        cr_assert_leq(t[s].outside, MOST, "statistic %zu: %d", s, t[s].outside);
        cr_assert_leq(t[s].beyond, MOST, "statistic %zu: %d", s, t[s].beyond);
    }
    cr_assert_geq(t[0].outside, FEWEST, "%d", t[0].outside);
    cr_assert_geq(t[0].beyond, FEWEST, "%d", t[0].beyond);
    end(&x);
    free(table);
}

Test(plan_coverage, of_twelve_months_of_shops)
{
    cover_shops(PBY_PLAN_DGAUSS, "2791", "3995000");
}

Test(plan_coverage, of_one_month_of_shops)
{
    cover_shops(PBY_PLAN_GEOMETRIC, "2789/10000", "2211/10000");
}

/* ---- example 1: a histogram of 200 bars ------------------------------------------------------------- */

Test(plan_coverage, of_two_hundred_bars)
{
    char *text, *table;
    size_t size;
    struct example x;
    struct tally t[1];
    FILE *out = open_memstream(&text, &size);
    fputs("format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"user\"\nrows = 3\n"
          "[budget]\nepsilon = 1\ndelta = \"1e-6\"\n[horizon]\ntimes = 30\n"
          "[groupings.bars]\nby = [\"bar\"]\ngroups_per_user = 3\nrows_per_group = 1\ngroups = [",
          out);
    for (int i = 0; i < 200; i++)
        fprintf(out, "\"%d\",", i);
    fputs("]\n[[statistics]]\nname = \"bars\"\nkind = \"count\"\ngroup = \"bars\"\n", out);
    fclose(out);
    out = open_memstream(&table, &size);
    fputs("user,bar\n", out);
    for (int user = 0; user < 1000; user++)
        for (int row = 0; row < 3; row++)
            fprintf(out, "%d,%d\n", user, (user * user + 61 * row) % 200);
    fclose(out);
    begin(&x, text, table);
    set(&x, 0, PBY_PLAN_DGAUSS, "1607");
    simulate(t, &x);
    cr_assert_leq(t[0].outside, MOST, "%d", t[0].outside);
    cr_assert_geq(t[0].outside, FEWEST, "%d", t[0].outside);
    cr_assert_eq(t[0].outside, t[0].beyond);
    end(&x);
    free(text);
    free(table);
}

/* ---- example 3: a median, by its rank ---------------------------------------------------------------- */

Test(plan_coverage, of_the_rank_of_a_median)
{
    static const char text[] = "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"user\"\nrows = 3\n"
                               "[budget]\nepsilon = 1\n[columns.seconds]\nlow = 0\nhigh = 600\nstep = 1\n"
                               "[[statistics]]\nname = \"median\"\nkind = \"quantile\"\nof = \"seconds\"\n"
                               "q = [\"1/2\"]\n";
    char *table;
    size_t size;
    struct example x;
    mpq_t error;
    int beyond = 0;
    mpq_init(error);
    FILE *out = open_memstream(&table, &size);
    fputs("user,seconds\n", out);
    for (int user = 0; user < 1000; user++)
        for (int row = 0; row < 3; row++)
            fprintf(out, "%d,%d\n", user, (user * 37 + row * 211) % 601);
    fclose(out);
    begin(&x, text, table);
    set(&x, 0, PBY_PLAN_EXPONENTIAL, "3/40");
    cr_assert_eq(pby_plan_error(error, &x.q.quantity[0], 1, 20, &err), PBY_OK);
    /* Twice each score, -|below - above|, of which the median's is within 1 of 0. */
    int64_t score[601], best = INT64_MIN, below = 0;
    const int64_t *rows = x.cells.cell[0];
    for (int j = 0; j <= 600; below += rows[j++]) {
        const int64_t above = 3000 - below - rows[j];
        score[j] = -llabs(below - above);
        best = score[j] > best ? score[j] : best;
    }
    for (int i = 0; i < RELEASES; i++) {
        pby_plan_cells noisy;
        draw(&noisy, &x, 1);
        beyond += mpq_cmp_si(error, best - score[noisy.cell[0][0]], 2) < 0;
        pby_plan_cells_clear(&noisy);
    }
    cr_assert_leq(beyond, MOST, "%d", beyond);
    mpq_clear(error);
    end(&x);
    free(table);
}
