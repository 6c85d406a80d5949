/* SPDX-License-Identifier: MIT */
#include "lab/experiment/central_local.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lab/experiment/experiment_run.h"
#include "number/ball.h"
#include "number/number_json.h"
#include "number/scoped.h"
#include "probity/experimental/experiment.h"
#include "report/sheet.h"

enum { PREC = 128, DIGITS = 9 };

/* ---- the numbers ------------------------------------------------------------------------------- */

/* sqrt(a)/(1-a), which both errors have */
static void common(arb_t out, const fmpq_t eps)
{
    PBY_FMPQ(x);
    PBY_ARB(rest);
    fmpq_neg(x, eps);
    pby_exp_fmpq(rest, x, PREC);
    arb_sub_ui(rest, rest, 1, PREC);
    arb_neg(rest, rest);
    fmpq_div_2exp(x, x, 1);
    pby_exp_fmpq(out, x, PREC);
    arb_div(out, out, rest, PREC);
}

/* The chance that geometric noise is farther than 1/epsilon: 2 a^k/(1+a), k the next whole number above. */
static void beyond(arb_t out, const fmpq_t eps)
{
    PBY_FMPQ(x);
    PBY_FMPZ(k);
    PBY_ARB(norm);
    fmpz_fdiv_q(k, fmpq_denref(eps), fmpq_numref(eps));
    fmpz_add_ui(k, k, 1);
    fmpq_neg(x, eps);
    pby_exp_fmpq(norm, x, PREC);
    arb_add_ui(norm, norm, 1, PREC);
    fmpq_mul_fmpz(x, x, k);
    pby_exp_fmpq(out, x, PREC);
    arb_mul_2exp_si(out, out, 1);
    arb_div(out, out, norm, PREC);
}

static void fill_cell(pby_models_cell *c, const fmpq_t eps, uint64_t n)
{
    PBY_FMPQ(scale);
    PBY_ARB(x, root);
    c->n = n;
    c->users = n * n / 2; /* n is even */
    common(x, eps);
    arb_sqrt_ui(root, n, PREC);
    arb_div(root, x, root, PREC);
    pby_enclosure_set_arb(&c->local, root, DIGITS);
    arb_sqrt_ui(root, 2, PREC);
    arb_mul(x, x, root, PREC);
    arb_div_ui(x, x, n, PREC);
    pby_enclosure_set_arb(&c->central, x, DIGITS);
    fmpq_mul_ui(scale, eps, n);
    fmpq_inv(scale, scale);
    arb_set_fmpq(x, scale, PREC);
    pby_enclosure_set_arb(&c->printed, x, DIGITS);
    beyond(x, eps);
    pby_enclosure_set_arb(&c->beyond, x, DIGITS);
}

static pby_status compute(void *what, pby_error *err)
{
    pby_models *m = what;
    (void)err;
    PBY_FMPQ(eps);
    for (int i = 0; i < PBY_MODELS_EPSILONS; i++) {
        uint64_t n = 10;
        fmpq_set_str(eps, pby_models_eps[i], 10);
        for (int k = 0; k < PBY_MODELS_SIZES; k++, n *= 10)
            fill_cell(&m->cell[i][k], eps, n);
    }
    return PBY_OK;
}

static void each_enclosure(pby_models *m, void (*call)(pby_enclosure *))
{
    for (int i = 0; i < PBY_MODELS_EPSILONS; i++)
        for (int k = 0; k < PBY_MODELS_SIZES; k++) {
            call(&m->cell[i][k].central);
            call(&m->cell[i][k].local);
            call(&m->cell[i][k].printed);
            call(&m->cell[i][k].beyond);
        }
}

/* ---- the report -------------------------------------------------------------------------------- */

static void print_rows(FILE *out, const void *what)
{
    const pby_models *m = what;
    fputs("eps,n,central_lo,central_hi,local_lo,local_hi,users,printed_lo,printed_hi,beyond_lo,beyond_hi\n",
          out);
    for (int i = 0; i < PBY_MODELS_EPSILONS; i++)
        for (int k = 0; k < PBY_MODELS_SIZES; k++) {
            const pby_models_cell *c = &m->cell[i][k];
            pby_decimals central, local, printed, beyond;
            pby_decimals_set(&central, &c->central, DIGITS);
            pby_decimals_set(&local, &c->local, DIGITS);
            pby_decimals_set(&printed, &c->printed, DIGITS);
            pby_decimals_set(&beyond, &c->beyond, DIGITS);
            fprintf(out, "%s,%" PRIu64 ",%s,%s,%s,%s,%" PRIu64 ",%s,%s,%s,%s\n", pby_models_eps[i], c->n,
                    central.lo, central.hi, local.lo, local.hi, c->users, printed.lo, printed.hi, beyond.lo,
                    beyond.hi);
        }
}

static void print_plot(FILE *out, const void *what)
{
    pby_models_plot(out, what);
}

static json_t *row_json(const pby_models_cell *c, int i)
{
    return json_pack("{s:s, s:I, s:o, s:o, s:I, s:o, s:o}", "eps", pby_models_eps[i], "n", (json_int_t)c->n,
                     "central", pby_json_enclosure(&c->central, DIGITS), "local",
                     pby_json_enclosure(&c->local, DIGITS), "users", (json_int_t)c->users, "printed",
                     pby_json_enclosure(&c->printed, DIGITS), "beyond",
                     pby_json_enclosure(&c->beyond, DIGITS));
}

static void print_epsilon(pby_sheet *s, const pby_models *m, int i)
{
    pby_sheet_line(s, "epsilon", "%s", pby_models_eps[i]);
    pby_sheet_line(s, "  n", "%12s%12s%15s%12s%10s", "central", "local", "users", "printed", "beyond");
    for (int k = 0; k < PBY_MODELS_SIZES; k++) {
        const pby_models_cell *c = &m->cell[i][k];
        char name[24];
        snprintf(name, sizeof name, "  %" PRIu64, c->n);
        pby_sheet_line(s, name, "%12.4g%12.4g%15" PRIu64 "%12.4g%10.4f", mpfr_get_d(c->central.lo, MPFR_RNDN),
                       mpfr_get_d(c->local.lo, MPFR_RNDN), c->users, mpfr_get_d(c->printed.lo, MPFR_RNDN),
                       mpfr_get_d(c->beyond.lo, MPFR_RNDN));
    }
}

static pby_status report(char **text, const void *what, pby_report_form form, pby_error *err)
{
    const pby_models *m = what;
    pby_sheet s;
    json_t *rows = json_array();
    pby_sheet_begin(&s, form);
    pby_sheet_line(&s, "central", "%s",
                   "the standard error of a mean of n bits, geometric noise on their sum");
    pby_sheet_line(&s, "local", "%s", "that of the estimate from randomised response of n users");
    pby_sheet_line(&s, "users", "%s",
                   "how many of them have the central error of n: n^2/2, at every epsilon");
    pby_sheet_line(&s, "printed", "%s",
                   "1/(epsilon n), of Survey/Section 7.2, error of the Laplace mechanism: refuted");
    pby_sheet_line(&s, "beyond", "%s", "the chance that it does not");
    for (int i = 0; i < PBY_MODELS_EPSILONS; i++) {
        print_epsilon(&s, m, i);
        for (int k = 0; k < PBY_MODELS_SIZES; k++)
            json_array_append_new(rows, row_json(&m->cell[i][k], i));
    }
    pby_sheet_member(&s, "rows", rows);
    return pby_sheet_end(text, &s, PBY_OK, err);
}

static pby_status write_files(const char *folder, const void *m, pby_error *err)
{
    PBY_TRY(pby_plots_write(folder, "central.csv", print_rows, m, err));
    return pby_plots_write(folder, "central.svg", print_plot, m, err);
}

pby_status pby_report_central_local(char **text, const char *folder, pby_report_form form, pby_error *err)
{
    static const pby_experiment central_local = {compute, write_files, report};
    pby_models *m = calloc(1, sizeof *m);
    *text = NULL;
    if (m == NULL)
        return pby_no_memory(err);
    each_enclosure(m, pby_enclosure_init);
    const pby_status status = pby_experiment_run(text, &central_local, m, folder, form, err);
    each_enclosure(m, pby_enclosure_clear);
    free(m);
    return status;
}
