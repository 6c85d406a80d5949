/* SPDX-License-Identifier: MIT */
#include "lab/experiment/figure1.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lab/experiment/experiment_run.h"
#include "number/ball.h"
#include "number/number_json.h"
#include "number/scoped.h"
#include "probity/experimental/experiment.h"
#include "report/sheet.h"
#include "select/shown.h"

enum { PREC = 128, DIGITS = 9 };

const char *const pby_figure1_gamma[PBY_FIGURE1_GAMMAS] = {"1", "1/10", "1/100"};

/* ---- the numbers ------------------------------------------------------------------------------- */

/* 1 + ln(1/delta)/w, with `less` taken from the logarithm: 0, or ln(1 + exp(-w)). */
static void threshold(arb_t out, const fmpq_t rate, int power, bool exact)
{
    PBY_ARB(w, less);
    arb_set_fmpq(w, rate, PREC);
    arb_const_log10(out, PREC);
    arb_mul_si(out, out, power, PREC);
    if (exact) {
        arb_neg(less, w);
        arb_exp(less, less, PREC);
        arb_log1p(less, less, PREC);
        arb_sub(out, out, less, PREC);
    }
    arb_div(out, out, w, PREC);
    arb_add_ui(out, out, 1, PREC);
}

/* The ceiling, where the ball decides it. */
static pby_status ceiling(uint64_t *out, const arb_t x, pby_error *err)
{
    PBY_ARB(up);
    PBY_FMPZ(whole);
    arb_ceil(up, x, PREC);
    if (!arb_get_unique_fmpz(whole, up))
        return pby_fail(err, PBY_FAILED, "threshold: %d bits do not tell it from an integer", PREC);
    *out = fmpz_get_ui(whole);
    return PBY_OK;
}

static pby_status exact_threshold(uint64_t *out, const fmpq_t rate, int power, pby_error *err)
{
    PBY_ARB(x);
    threshold(x, rate, power, true);
    return ceiling(out, x, err);
}

static pby_status fill_cell(pby_figure1_cell *c, const fmpq_t eps, int power, pby_error *err)
{
    PBY_FMPQ(rate, gamma);
    PBY_ARB(x);
    PBY_MPQ(epsilon, delta);
    for (int j = 0; j < PBY_FIGURE1_GAMMAS; j++) {
        fmpq_set_str(gamma, pby_figure1_gamma[j], 10);
        fmpq_add_si(gamma, gamma, 1);
        fmpq_div(rate, eps, gamma);
        threshold(x, rate, power, false);
        pby_enclosure_set_arb(&c->theorem[j], x, DIGITS);
        PBY_TRY(exact_threshold(&c->exact[j], rate, power, err));
    }
    PBY_TRY(exact_threshold(&c->least, eps, power, err));
    fmpq_get_mpq(epsilon, eps);
    mpz_set_ui(mpq_numref(delta), 1);
    mpz_ui_pow_ui(mpq_denref(delta), 10, (unsigned long)power);
    return pby_least_shown(&c->any, epsilon, delta, 1, err);
}

static pby_status compute(void *what, pby_error *err)
{
    pby_figure1 *f = what;
    PBY_FMPQ(eps);
    for (int i = 0; i < PBY_FIGURE1_EPSILONS; i++) {
        fmpq_set_str(eps, pby_figure1_eps[i], 10);
        for (int k = 0; k < PBY_FIGURE1_DELTAS; k++)
            PBY_TRY(fill_cell(&f->cell[i][k], eps, PBY_FIGURE1_FIRST + k, err));
    }
    return PBY_OK;
}

static void each_enclosure(pby_figure1 *f, void (*call)(pby_enclosure *))
{
    for (int i = 0; i < PBY_FIGURE1_EPSILONS; i++)
        for (int k = 0; k < PBY_FIGURE1_DELTAS; k++)
            for (int j = 0; j < PBY_FIGURE1_GAMMAS; j++)
                call(&f->cell[i][k].theorem[j]);
}

/* ---- the report -------------------------------------------------------------------------------- */

static void print_rows(FILE *out, const void *what)
{
    const pby_figure1 *f = what;
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    fputs("eps,delta,gamma,theorem_lo,theorem_hi,exact,least,any\n", out);
    for (int i = 0; i < PBY_FIGURE1_EPSILONS; i++)
        for (int k = 0; k < PBY_FIGURE1_DELTAS; k++)
            for (int j = 0; j < PBY_FIGURE1_GAMMAS; j++) {
                const pby_figure1_cell *c = &f->cell[i][k];
                pby_decimal(lo, c->theorem[j].lo, DIGITS, true);
                pby_decimal(hi, c->theorem[j].hi, DIGITS, false);
                fprintf(out, "%s,1e-%d,%s,%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", pby_figure1_eps[i],
                        PBY_FIGURE1_FIRST + k, pby_figure1_gamma[j], lo, hi, c->exact[j], c->least, c->any);
            }
}

static void print_plot(FILE *out, const void *what)
{
    pby_figure1_plot(out, what);
}

static json_t *row_json(const pby_figure1_cell *c, int i, int k, int j)
{
    char delta[16];
    snprintf(delta, sizeof delta, "1e-%d", PBY_FIGURE1_FIRST + k);
    return json_pack("{s:s, s:s, s:s, s:o, s:I, s:I, s:I}", "eps", pby_figure1_eps[i], "delta", delta,
                     "gamma", pby_figure1_gamma[j], "theorem", pby_json_enclosure(&c->theorem[j], DIGITS),
                     "exact", (json_int_t)c->exact[j], "least", (json_int_t)c->least, "any",
                     (json_int_t)c->any);
}

static void print_epsilon(pby_sheet *s, const pby_figure1 *f, int i)
{
    pby_sheet_line(s, "epsilon", "%s", pby_figure1_eps[i]);
    pby_sheet_line(s, "  delta", "%10s%10s%10s %9s%9s%9s %8s%8s", "gamma 1", "1/10", "1/100", "exact 1",
                   "1/10", "1/100", "least", "any");
    for (int k = 0; k < PBY_FIGURE1_DELTAS; k++) {
        const pby_figure1_cell *c = &f->cell[i][k];
        char name[16];
        snprintf(name, sizeof name, "  1e-%d", PBY_FIGURE1_FIRST + k);
        pby_sheet_line(
            s, name, "%10.2f%10.2f%10.2f %9" PRIu64 "%9" PRIu64 "%9" PRIu64 " %8" PRIu64 "%8" PRIu64,
            mpfr_get_d(c->theorem[0].lo, MPFR_RNDN), mpfr_get_d(c->theorem[1].lo, MPFR_RNDN),
            mpfr_get_d(c->theorem[2].lo, MPFR_RNDN), c->exact[0], c->exact[1], c->exact[2], c->least, c->any);
    }
}

static pby_status report(char **text, const void *what, pby_report_form form, pby_error *err)
{
    const pby_figure1 *f = what;
    pby_sheet s;
    json_t *rows = json_array();
    pby_sheet_begin(&s, form);
    pby_sheet_line(&s, "gamma", "%s",
                   "1 + (1+gamma) ln(1/delta)/epsilon, Thresh/Theorem 5 at sensitivity 1: refuted");
    pby_sheet_line(&s, "exact", "%s", "the least T of the exact law for the same noise, epsilon/(1+gamma)");
    pby_sheet_line(&s, "least", "%s", "the least T of noise of the rate epsilon");
    pby_sheet_line(&s, "any", "%s", "the least count that any mechanism shows with a chance of 1/2");
    for (int i = 0; i < PBY_FIGURE1_EPSILONS; i++) {
        print_epsilon(&s, f, i);
        for (int k = 0; k < PBY_FIGURE1_DELTAS; k++)
            for (int j = 0; j < PBY_FIGURE1_GAMMAS; j++)
                json_array_append_new(rows, row_json(&f->cell[i][k], i, k, j));
    }
    pby_sheet_member(&s, "rows", rows);
    return pby_sheet_end(text, &s, PBY_OK, err);
}

static pby_status write_files(const char *folder, const void *f, pby_error *err)
{
    PBY_TRY(pby_plots_write(folder, "figure1.csv", print_rows, f, err));
    return pby_plots_write(folder, "figure1.svg", print_plot, f, err);
}

pby_status pby_report_figure1(char **text, const char *folder, pby_report_form form, pby_error *err)
{
    static const pby_experiment figure1 = {compute, write_files, report};
    pby_figure1 *f = calloc(1, sizeof *f);
    *text = NULL;
    if (f == NULL)
        return pby_no_memory(err);
    each_enclosure(f, pby_enclosure_init);
    const pby_status status = pby_experiment_run(text, &figure1, f, folder, form, err);
    each_enclosure(f, pby_enclosure_clear);
    free(f);
    return status;
}
