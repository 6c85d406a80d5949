/* SPDX-License-Identifier: MIT */
/* Weights that fit noisy bars and their noisy total, and the errors of such weights. */
#include <stdlib.h>

#include "base/json.h"
#include "io/file.h"
#include "lab/tables/measured.h"
#include "mechanism/family.h"
#include "probity/experimental/microdata.h"
#include "probity/experimental/reports.h"
#include "report/sheet.h"

/* ---- weights ----------------------------------------------------------------------------------- */

/* KEY,WEIGHT a line, behind the header that the bars had; or a list. */
static pby_status print_bars(pby_sheet *s, const pby_measured *in, const pby_weights *w, pby_error *err)
{
    json_t *list = s->object == NULL ? NULL : json_array();
    pby_status status = PBY_OK;
    if (s->lines != NULL && in->header != NULL)
        fprintf(s->lines, "%s,weight\n", in->header);
    for (size_t i = 0; i < in->count && status == PBY_OK; i++) {
        char *weight;
        status = pby_weights_get_text(&weight, w, i, err);
        if (status == PBY_OK && s->lines != NULL)
            fprintf(s->lines, "%s,%s\n", in->field[i], weight);
        else if (status == PBY_OK)
            list = pby_json_append(list, json_pack("{s:s, s:s}", "key", in->key[i], "weight", weight));
        free(weight);
    }
    pby_sheet_member(s, "weights", list);
    return status;
}

static pby_status print_weights(pby_sheet *s, const pby_measured *in, const pby_weights *w, pby_error *err)
{
    char *level;
    const pby_status status = pby_weights_level_text(&level, w, err);
    if (status != PBY_OK)
        return status;
    pby_sheet_number(s, NULL, "total", in->total > 0 ? (uint64_t)in->total : 0);
    pby_sheet_text(s, NULL, "level", level);
    pby_sheet_number(s, NULL, "positive", pby_weights_positive(w));
    free(level);
    return print_bars(s, in, w, err);
}

pby_status pby_report_weights(char **text, const char *path, pby_report_form form, pby_error *err)
{
    pby_measured in;
    pby_weights *w = NULL;
    pby_sheet s;
    pby_sheet_begin(&s, form);
    pby_status status = pby_measured_read(&in, pby_path_named(path), err);
    if (status == PBY_OK)
        status = pby_weights_new(&w, in.bar, in.count, in.total, err);
    if (status == PBY_OK)
        status = print_weights(&s, &in, w, err);
    pby_weights_free(w);
    pby_measured_clear(&in);
    return pby_sheet_end(text, &s, status, err);
}

/* ---- errors ------------------------------------------------------------------------------------ */

static const struct line {
    const char *name, *key, *note;
    pby_weights_error_kind kind;
} lines[] = {
    {"total", "total", "squared error of the total of all weights, at the worst data", PBY_WEIGHTS_TOTAL},
    {"bar", "bar", "no bar's weight has a greater squared error", PBY_WEIGHTS_BAR},
    {"least", "least", "what some bar has at least, however it is made, if the total is that good",
     PBY_WEIGHTS_LEAST},
    {"clipped", "clipped_bar", "of a bar, if bars alone were measured and clipped at 0",
     PBY_WEIGHTS_CLIPPED_BAR},
    {"  total", "clipped_total", "and of the sum of all bars, on data without records",
     PBY_WEIGHTS_CLIPPED_TOTAL},
};

/* True if a line is to be told: bars alone do not lose the same where noise is clipped, and without an
 * epsilon there is no bound on all mechanisms. */
static bool told(const struct line *line, const pby_spec *spec, const char *epsilon)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    if (line->kind == PBY_WEIGHTS_LEAST)
        return epsilon != NULL || pby_mechanism_value(m, PBY_ROLE_EPSILON) != NULL;
    return line->kind < PBY_WEIGHTS_CLIPPED_BAR || pby_mechanism_value(m, PBY_ROLE_MOST) == NULL;
}

pby_status pby_report_weights_errors(char **text, const pby_spec *spec, uint64_t bars, const char *epsilon,
                                     unsigned digits, pby_report_form form, pby_error *err)
{
    pby_status status = PBY_OK;
    pby_sheet s;
    pby_sheet_begin(&s, form);
    pby_sheet_text(&s, "mechanism", "spec", pby_spec_text(spec));
    pby_sheet_number(&s, "bars", "bars", bars);
    for (size_t i = 0; i < sizeof lines / sizeof *lines && status == PBY_OK; i++) {
        pby_decimals x;
        if (!told(&lines[i], spec, epsilon))
            continue;
        status = pby_weights_error_text(&x, lines[i].kind, spec, bars, epsilon,
                                        digits == 0 ? PBY_DIGITS_DEFAULT : digits, err);
        if (status == PBY_OK)
            pby_sheet_ends(&s, lines[i].name, lines[i].key, x.lo, x.hi, lines[i].note);
    }
    return pby_sheet_end(text, &s, status, err);
}
