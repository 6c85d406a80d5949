/* SPDX-License-Identifier: MIT */
#include "session/running.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/run.h"
#include "tests/spec.h"

static char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE];
static pby_entropy *source;

static void setup(void)
{
    static const uint8_t seed[PBY_SEED_SIZE] = {42};
    pby_folder_make(folder);
    pby_folder_path(file, folder, "totals");
    cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
}

static void teardown(void)
{
    pby_entropy_free(source);
    pby_folder_remove(folder);
}

TestSuite(running, .init = setup, .fini = teardown);

static void make(const char *text)
{
    pby_spec *spec = spec_of(text);
    pby_error err;
    cr_assert_eq(pby_running_create(file, spec, NULL, source, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
}

static pby_running *open_it(void)
{
    pby_running *t;
    pby_error err;
    cr_assert_eq(pby_running_open(&t, file, source, &err), PBY_OK, "%s", err.text);
    return t;
}

static double total(const pby_running *t, uint64_t step)
{
    char *text;
    cr_assert_eq(pby_running_text(&text, t, step, NULL), PBY_OK);
    const double x = strtod(text, NULL);
    free(text);
    return x;
}

/* The release is the weighted sum and noise of the variance 64 in steps of the grid: of 2000 steps the mean
 * square is within a fifth of it, six deviations and more. The stream is seeded. */
Test(running, noise_has_its_variance)
{
    enum { STEPS = 2000 };
    static int64_t counts[STEPS];
    double sum = 0;
    for (int i = 0; i < STEPS; i++)
        counts[i] = i % 7 * 100;
    make("matrix:sigma2=4,steps=2000,bands=1;1/2;1/4,grid=1/4");
    pby_running *t = open_it();
    cr_assert_eq(pby_running_add(t, counts, STEPS, NULL), PBY_OK);
    for (int i = 0; i < STEPS; i++) {
        const int64_t plain = 4 * counts[i] + (i > 0 ? 2 * counts[i - 1] : 0) + (i > 1 ? counts[i - 2] : 0);
        const double noise = (double)(pby_running_noisy(t, (uint64_t)i + 1) - plain);
        sum += noise * noise;
    }
    cr_assert_lt(fabs(sum / STEPS - 64), 64 / 5.0, "%g", sum / STEPS);
    pby_running_close(t);
}

/* Totals are those of the system that the released numbers solve, whenever the file was opened between. */
Test(running, totals_follow_from_what_was_released)
{
    double part[12], sum = 0;
    make("matrix:sigma2=9,steps=12,bands=1;1/2;3/8,grid=1/8");
    for (int step = 0; step < 12; step++) {
        pby_running *t = open_it();
        cr_assert_eq(pby_running_left(t), (uint64_t)(12 - step));
        cr_assert_eq(pby_running_add(t, &(int64_t){1000 - 300 * step}, 1, NULL), PBY_OK);
        part[step] = (double)pby_running_noisy(t, (uint64_t)step + 1) / 8;
        part[step] -= (step > 0 ? part[step - 1] / 2 : 0) + (step > 1 ? part[step - 2] * 3 / 8 : 0);
        sum += part[step];
        for (int s = 0; s < step; s++)
            cr_assert_gt(fabs(total(t, (uint64_t)s + 1)), 0);
        cr_assert_lt(fabs(total(t, (uint64_t)step + 1) - sum), 0.0006);
        pby_running_close(t);
    }
}

Test(running, without_noise_to_speak_of_totals_are_true)
{
    make("matrix:sigma2=1/1000000,steps=5,bands=sqrt,grid=1/4096");
    pby_running *t = open_it();
    static const int64_t counts[] = {5, -7, 100, 0, 3}, sums[] = {5, -2, 98, 98, 101};
    cr_assert_eq(pby_running_add(t, counts, 5, NULL), PBY_OK);
    for (uint64_t i = 0; i < 5; i++)
        cr_assert_lt(fabs(total(t, i + 1) - (double)sums[i]), 0.02);
    pby_running_close(t);
}

Test(running, ends_with_its_steps_and_with_close)
{
    pby_error err;
    make("matrix:sigma2=9,steps=3,bands=1,grid=1");
    pby_running *t = open_it();
    cr_assert_eq(pby_running_add(t, (const int64_t[]){1, 2, 3, 4}, 4, &err), PBY_NO);
    cr_assert_eq(pby_running_steps(t), 0);
    cr_assert_eq(pby_running_add(t, &(int64_t){INT64_MAX}, 1, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "not shown"));
    cr_assert_eq(pby_running_add(t, (const int64_t[]){1, 2}, 2, NULL), PBY_OK);
    cr_assert_eq(pby_running_end(t, NULL), PBY_OK);
    cr_assert_eq(pby_running_add(t, &(int64_t){1}, 1, &err), PBY_NO);
    pby_running_close(t);
    t = open_it();
    cr_assert_eq(pby_running_left(t), 0);
    cr_assert_eq(pby_running_steps(t), 2);
    pby_running_close(t);
}

/* ---- the command --------------------------------------------------------------------------------- */

#define SPEC "matrix:sigma2=100,steps=4,bands=sqrt,grid=1/64"

/* True if the last number of the line is the fourth total, give or take eight of its deviations of 12.2: a
 * right program fails with a chance below 1e-14. */
static bool is_near(const char *told)
{
    const char *at = told == NULL ? NULL : strstr(told, "total\": ");
    if (told != NULL)
        told = at != NULL ? at + strlen("total\": ") : told + strlen("step 4, ");
    return told != NULL && fabs(strtod(told, NULL) - 100006) < 98;
}

Test(running, the_command_publishes_day_by_day)
{
    char ledger[PBY_PATH_SIZE];
    pby_folder_path(ledger, folder, "ledger");
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "1e-6")->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "session", "open", file, SPEC, "--ledger", ledger)->status, 0);
    const pby_run *r = PBY_RUN("100000\n", "session", "ask", file);
    cr_assert(r->status == 0 && fabs(strtod(r->out, NULL) - 100000) < 100, "%s%s", r->out, r->err);
    r = PBY_RUN("1\n2\n3\n4\n", "session", "ask", file, "--json");
    cr_assert_eq(r->status, 1);
    cr_assert(is_near(strstr(r->out, "{\"step\": 4, \"total\": ")), "%s", r->out);
    cr_assert_not_null(strstr(r->err, "no step left"));
    r = PBY_RUN(NULL, "session", "show", file);
    cr_assert(is_near(strstr(r->out, "step 4, ")), "%s", r->out);
    cr_assert_eq(PBY_RUN(NULL, "session", "close", file)->status, 0);
    r = PBY_RUN(NULL, "session", "open", folder, SPEC, "--ledger", ledger);
    cr_assert_neq(r->status, 0);
}

Test(running, the_command_refuses_other_specs)
{
    PBY_REFUSED(2, "--threshold: expected none", NULL, "session", "open", file, SPEC, "--threshold", "3");
    PBY_REFUSED(2, "with a grid", NULL, "session", "open", file, "matrix:sigma2=100,steps=4,bands=sqrt");
    PBY_REFUSED(2, "with a grid", NULL, "session", "open", file, "2*" SPEC);
    cr_assert_eq(PBY_RUN(NULL, "session", "open", file, SPEC)->status, 0);
    PBY_REFUSED(2, "line 1 (not shown)", "1.5\n", "session", "ask", file);
    PBY_REFUSED(2, "--after", "1\n", "session", "ask", file, "--after",
                "0000000000000000000000000000000000000000000000000000000000000000");
}
