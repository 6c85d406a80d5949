/* SPDX-License-Identifier: MIT */
/* The least alpha of a channel, or of a mechanism between inputs some neighbours apart. */
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "mechanism/family.h"
#include "number/integer.h"
#include "number/numbers.h"
#include "number/scoped.h"
#include "probity/experimental/condensed.h"
#include "probity/experimental/losses.h"
#include "probity/experimental/reports.h"
#include "probity/loss.h"
#include "probity/rational.h"
#include "report/sheet.h"
#include "table/measure/matrix.h"

enum { DISTANCE_MAX = 1000 };

/* The answer for a channel or a mechanism: the least alpha, and the inputs that need it. */
struct answer {
    pby_decimals alpha;
    char *x, *y, *output; /* of a channel; NULL of a mechanism */
    unsigned long apart;  /* of a mechanism */
    bool holds;
};

/* ---- a channel --------------------------------------------------------------------------------- */

/* Inputs are numbers. */
static pby_status line_metric(mpq_t *d, const pby_matrix *channel, pby_error *err)
{
    const size_t n = pby_names_count(channel->rows);
    mpq_t *at;
    pby_status status = pby_numbers_new(&at, n, err);
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        char *name = pby_names_text(channel->rows, i);
        status = name == NULL ? pby_no_memory(err) : PBY_OK;
        if (status == PBY_OK && pby_rational_parse(at[i], "input", name, NULL) != PBY_OK)
            status = pby_refuse(err, "metric", "line", "a channel whose inputs are numbers");
        free(name);
    }
    for (size_t i = 0; i < n * n && status == PBY_OK; i++) {
        mpq_sub(d[i], at[i / n], at[i % n]);
        mpq_abs(d[i], d[i]);
    }
    pby_numbers_free(at, n);
    return status;
}

/* The distances of a table, by the names of the inputs. */
static pby_status table_metric(mpq_t *d, const pby_matrix *channel, const char *path, pby_error *err)
{
    const size_t n = pby_names_count(channel->rows);
    pby_matrix table;
    pby_status status = pby_matrix_read(&table, path, &pby_matrix_named, err);
    for (size_t i = 0; i < n * n && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = pby_names_get(channel->rows, i / n, &size);
        const size_t row = pby_names_find(table.rows, name, size);
        name = pby_names_get(channel->rows, i % n, &size);
        const size_t column = pby_names_find(table.columns, name, size);
        if (row == PBY_NO_NAME || column == PBY_NO_NAME)
            status = pby_refuse(err, "metric", path, "a row and a column for every input of the channel");
        else
            fmpq_get_mpq(d[i], table.value + row * table.width + column);
    }
    pby_matrix_clear(&table);
    return status;
}

static pby_status fill_metric(mpq_t *d, const pby_matrix *channel, const char *metric, pby_error *err)
{
    const size_t n = pby_names_count(channel->rows);
    if (strcmp(metric, "line") == 0)
        return line_metric(d, channel, err);
    if (strcmp(metric, "discrete") != 0)
        return table_metric(d, channel, pby_path_named(metric), err);
    for (size_t i = 0; i < n * n; i++)
        mpq_set_ui(d[i], i / n == i % n ? 0 : 1, 1);
    return PBY_OK;
}

static pby_status judge_channel(struct answer *a, const pby_matrix *channel, mpq_t *d, mpq_srcptr alpha,
                                unsigned digits, pby_error *err)
{
    const size_t inputs = pby_names_count(channel->rows), outputs = channel->width;
    pby_condensed_pair worst = {0, 0, 0}, other;
    pby_enclosure least;
    mpq_t *chance;
    pby_enclosure_init(&least);
    pby_status status = pby_numbers_new(&chance, inputs * outputs, err);
    for (size_t i = 0; i < inputs * outputs && status == PBY_OK; i++)
        fmpq_get_mpq(chance[i], channel->value + i);
    if (status == PBY_OK)
        status = pby_condensed_least(&least, &worst, *chance, *d, inputs, outputs, digits, err);
    if (status == PBY_OK && alpha != NULL)
        status = pby_condensed_holds(&a->holds, &other, *chance, *d, inputs, outputs, alpha, err);
    pby_numbers_free(chance, inputs * outputs);
    if (status == PBY_OK) {
        pby_decimals_set(&a->alpha, &least, digits);
        a->x = pby_names_text(channel->rows, worst.x);
        a->y = pby_names_text(channel->rows, worst.y);
        a->output = pby_names_text(channel->columns, worst.output);
        if (a->x == NULL || a->y == NULL || a->output == NULL)
            status = pby_no_memory(err);
    }
    pby_enclosure_clear(&least);
    return status;
}

static pby_status ask_channel(struct answer *a, const char *path, const char *metric, mpq_srcptr alpha,
                              unsigned digits, pby_error *err)
{
    pby_matrix channel;
    mpq_t *d = NULL;
    pby_status status = pby_matrix_read(&channel, pby_path_named(path), &pby_matrix_named, err);
    const size_t n = status == PBY_OK ? pby_names_count(channel.rows) : 0;
    if (status == PBY_OK && n > 1 << 14)
        status = pby_fail(err, PBY_BAD, "channel: expected at most 16384 inputs");
    if (status == PBY_OK)
        status = pby_numbers_new(&d, n * n, err);
    if (status == PBY_OK)
        status = fill_metric(d, &channel, metric, err);
    if (status == PBY_OK)
        status = judge_channel(a, &channel, d, alpha, digits, err);
    pby_numbers_free(d, n * n);
    pby_matrix_clear(&channel);
    return status;
}

/* ---- a mechanism ------------------------------------------------------------------------------- */

/* epsilon/distance at delta 0, of inputs so many neighbours apart. */
static pby_status need_of(pby_enclosure *need, const pby_spec *spec, pby_neighbours relation,
                          unsigned long distance, unsigned digits, pby_error *err)
{
    PBY_MPQ(zero);
    const pby_status status =
        distance == 1 ? pby_loss_epsilon(need, spec, relation, zero, digits + 3, err)
                      : pby_loss_group_epsilon(need, NULL, spec, relation, distance, zero, digits + 3, err);
    if (status == PBY_OK) {
        mpfr_div_ui(need->lo, need->lo, distance, MPFR_RNDD);
        mpfr_div_ui(need->hi, need->hi, distance, MPFR_RNDU);
    }
    return status;
}

/* The need at each distance; the greatest of all. */
static pby_status ask_mechanism(struct answer *a, const pby_condensed_asked *asked, mpq_srcptr alpha,
                                unsigned digits, pby_error *err)
{
    const unsigned long most = asked->distance == 0 ? 1 : asked->distance;
    pby_neighbours relation;
    pby_enclosure worst, need;
    pby_enclosure_init(&worst);
    pby_enclosure_init(&need);
    pby_status status = pby_spec_neighbours(&relation, asked->spec, err);
    if (status == PBY_OK && relation == PBY_LOCAL && most > 1)
        status = pby_fail(err, PBY_BAD, "distance '%lu': expected 1 of a local mechanism: any two values are",
                          most);
    if (status == PBY_OK && most > DISTANCE_MAX)
        status =
            pby_fail(err, PBY_BAD, "distance '%lu': expected an integer from 1 to %d", most, DISTANCE_MAX);
    for (unsigned long s = 1; s <= most && status == PBY_OK; s++) {
        status = need_of(&need, asked->spec, relation, s, digits, err);
        if (status == PBY_OK && (s == 1 || mpfr_greater_p(need.lo, worst.hi))) {
            mpfr_swap(worst.lo, need.lo);
            mpfr_swap(worst.hi, need.hi);
            a->apart = s;
        } else if (status == PBY_OK && mpfr_greater_p(need.hi, worst.hi))
            mpfr_set(worst.hi, need.hi, MPFR_RNDU);
    }
    if (status == PBY_OK) {
        pby_decimals_set(&a->alpha, &worst, digits);
        a->holds = alpha == NULL || mpfr_cmp_q(worst.hi, alpha) <= 0;
        if (!a->holds && mpfr_cmp_q(worst.lo, alpha) <= 0)
            status = pby_fail(err, PBY_FAILED, "alpha: undecided: its bounds do not meet; try more digits");
    }
    pby_enclosure_clear(&need);
    pby_enclosure_clear(&worst);
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------- */

static void print_condensed(pby_sheet *s, const struct answer *a, bool judged)
{
    pby_sheet_ends(s, "alpha", "alpha", a->alpha.lo, a->alpha.hi, "the least for which it is private");
    if (a->x != NULL) {
        pby_sheet_line(s, "worst", "inputs '%s' and '%s', output '%s'", a->x, a->y, a->output);
        pby_sheet_member(s, "worst", json_pack("{s:s, s:s, s:s}", "x", a->x, "y", a->y, "output", a->output));
    } else {
        pby_sheet_line(s, "worst", "inputs at distance %lu", a->apart);
        pby_sheet_member(s, "worst", json_pack("{s:I}", "distance", (json_int_t)a->apart));
    }
    if (judged) {
        pby_sheet_line(s, "verdict", "%s", a->holds ? "it holds" : "violated");
        pby_sheet_member(s, "holds", json_boolean(a->holds));
    }
}

/* Asks about the mechanism or the channel, and refuses arguments that do not go with it. */
static pby_status ask_condensed(struct answer *a, const pby_condensed_asked *asked, mpq_srcptr alpha,
                                unsigned digits, pby_error *err)
{
    if (asked->spec != NULL)
        return asked->metric != NULL
                   ? pby_refuse(err, "metric", asked->metric, "a channel; of a mechanism give a distance")
                   : ask_mechanism(a, asked, alpha, digits, err);
    if (asked->channel == NULL || asked->metric == NULL)
        return pby_fail(err, PBY_BAD, "channel: expected a table and a metric: line, discrete or a table");
    return ask_channel(a, asked->channel, asked->metric, alpha, digits, err);
}

pby_status pby_report_condensed(char **text, bool *holds, const pby_condensed_asked *asked,
                                pby_report_form form, pby_error *err)
{
    struct answer a = {.holds = true};
    pby_sheet s;
    PBY_MPQ(alpha);
    pby_sheet_begin(&s, form);
    pby_status status = asked->alpha == NULL ? PBY_OK : pby_rational_parse(alpha, "alpha", asked->alpha, err);
    if (status == PBY_OK && mpq_sgn(alpha) < 0)
        status = pby_refuse(err, "alpha", asked->alpha, "a rational from 0 on");
    if (status == PBY_OK)
        status = ask_condensed(&a, asked, asked->alpha == NULL ? NULL : alpha,
                               asked->digits == 0 ? PBY_DIGITS_DEFAULT : asked->digits, err);
    if (status == PBY_OK)
        print_condensed(&s, &a, asked->alpha != NULL);
    *holds = a.holds;
    free(a.x);
    free(a.y);
    free(a.output);
    return pby_sheet_end(text, &s, status, err);
}
