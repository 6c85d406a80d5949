/* SPDX-License-Identifier: MIT */
/* The accuracy of a statistic on given data. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/accuracy.h"
#include "base/status.h"
#include "io/file.h"
#include "number/number_json.h"
#include "probity/experimental/accuracy.h"
#include "probity/experimental/reports.h"
#include "probity/rational.h"
#include "report/sheet.h"
#include "table/answer/answer.h"
#include "table/answer/bars.h"

static const char warning[] =
    "not private: these numbers follow from the data and must stay secret like them";

static const char *key_of(const pby_bars *bars, size_t i)
{
    return i < bars->count ? bars->bar[i].key : "none";
}

static json_t *law_json(const pby_given_accuracy *a, const pby_bars *bars, unsigned digits)
{
    json_t *list = json_array();
    for (size_t i = 0; i <= a->bars; i++) {
        pby_decimals x;
        pby_decimals_set(&x, &a->law[i], digits);
        json_t *key = i < a->bars ? json_string(bars->bar[i].key) : json_null();
        json_array_append_new(list, json_pack("{s:o, s:s, s:s, s:b}", "answer", key, "lo", x.lo, "hi", x.hi,
                                              "explained", a->explained[i] ? 1 : 0));
    }
    return list;
}

/* The likeliest answers, each at least one in a thousand; the first of those that are as likely. */
static void print_law(pby_sheet *s, const pby_given_accuracy *a, const pby_bars *bars, unsigned digits)
{
    enum { SHOWN = 5 };
    bool *told = calloc(a->bars + 1, sizeof *told);
    s->short_of_memory |= told == NULL;
    for (size_t line = 0; told != NULL && line < SHOWN; line++) {
        size_t best = a->bars + 1;
        for (size_t i = 0; i <= a->bars; i++)
            if (!told[i] && (best > a->bars || mpfr_greater_p(a->law[i].hi, a->law[best].hi)))
                best = i;
        if (best > a->bars || mpfr_cmp_d(a->law[best].hi, 0.001) < 0)
            break;
        told[best] = true;
        pby_decimals x;
        pby_decimals_set(&x, &a->law[best], digits);
        pby_sheet_line(s, line == 0 ? "answers" : "", "%s with chance [%s, %s]%s", key_of(bars, best), x.lo,
                       x.hi, a->explained[best] ? ", explained" : "");
    }
    free(told);
}

static void print_given(pby_sheet *s, const pby_given_accuracy *a, const pby_bars *bars, mpq_srcptr alpha,
                        mpq_srcptr gamma, unsigned digits)
{
    pby_sheet_text(s, "warning", "warning", warning);
    pby_sheet_line(s, "truth", "%s", key_of(bars, a->truth));
    pby_sheet_member(s, "truth", a->truth < a->bars ? json_string(key_of(bars, a->truth)) : json_null());
    pby_sheet_exact(s, "alpha", "alpha", alpha);
    pby_sheet_exact(s, "gamma", "gamma", gamma);
    pby_sheet_exact(s, "none", "none", a->none);
    pby_sheet_enclosure(s, "error", "error", &a->error, digits, "the mean distance from the truth");
    pby_sheet_enclosure(s, "flexible", "flexible", &a->flexible, digits,
                        "the mean distance from an answer with records dropped, but for gamma");
    pby_sheet_exact(s, a->least ? "beta" : "beta up to", "beta", a->beta);
    pby_sheet_member(s, "least", json_boolean(a->least));
    if (s->lines != NULL)
        print_law(s, a, bars, digits);
    else
        pby_sheet_member(s, "law", law_json(a, bars, digits));
}

/* The counts and positions of the bars; a row number is a position where keys are no numbers. */
static pby_status split(int64_t **counts, mpq_t **at, const pby_bars *bars, pby_error *err)
{
    *counts = calloc(bars->count + 1, sizeof **counts);
    *at = calloc(bars->count + 1, sizeof **at);
    if (*counts == NULL || *at == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < bars->count; i++) {
        (*counts)[i] = bars->bar[i].count;
        mpq_init((*at)[i]);
        mpq_set_ui((*at)[i], i, 1);
        if (pby_key_kinds_numbers(&bars->kinds))
            mpq_set((*at)[i], bars->bar[i].at);
    }
    return PBY_OK;
}

static void join(int64_t *counts, mpq_t *at, size_t n)
{
    for (size_t i = 0; i < n && at != NULL && counts != NULL; i++)
        mpq_clear(at[i]);
    if (counts != NULL)
        sodium_memzero(counts, n * sizeof *counts);
    free(counts);
    free(at);
}

static pby_status read_question(pby_statistic *statistic, mpq_t alpha, mpq_t gamma,
                                const pby_given_asked *asked, pby_error *err)
{
    if (!asked->not_private)
        return pby_fail(err, PBY_BAD,
                        "not-private: expected it: the answer follows from the data and is not private");
    if (asked->statistic == NULL)
        return pby_fail(err, PBY_BAD, "statistic: expected max, min, max_k, min_k, mode, median or quantile");
    PBY_TRY(pby_statistic_parse(statistic, asked->statistic, asked->k, asked->q, err));
    if (asked->alpha != NULL)
        PBY_TRY(pby_rational_parse(alpha, "alpha", asked->alpha, err));
    if (asked->gamma != NULL)
        return pby_rational_parse(gamma, "gamma", asked->gamma, err);
    return PBY_OK;
}

pby_status pby_report_given(char **text, const pby_spec *spec, const pby_given_asked *asked,
                            pby_report_form form, pby_error *err)
{
    const unsigned digits = asked->digits == 0 ? PBY_DIGITS_DEFAULT : asked->digits;
    pby_given_accuracy a;
    pby_statistic statistic;
    pby_bars bars = {.count = 0};
    pby_sheet s;
    int64_t *counts = NULL;
    mpq_t alpha, gamma, *at = NULL;
    mpq_inits(alpha, gamma, NULL);
    pby_given_accuracy_init(&a);
    pby_sheet_begin(&s, form);
    pby_status status = read_question(&statistic, alpha, gamma, asked, err);
    if (status == PBY_OK)
        status = pby_bars_read(&bars, asked->input, err);
    if (status == PBY_OK)
        status = pby_stat_order(&statistic, &bars.kinds, err);
    if (status == PBY_OK)
        status = split(&counts, &at, &bars, err);
    if (status == PBY_OK)
        status = pby_accuracy_given(&a, spec, &statistic, counts, *at, bars.count, alpha, gamma, digits, err);
    if (status == PBY_OK) {
        pby_sheet_text(&s, "mechanism", "spec", pby_spec_text(spec));
        pby_sheet_text(&s, "statistic", "statistic", pby_statistic_text(statistic.name));
        print_given(&s, &a, &bars, alpha, gamma, digits);
    }
    join(counts, at, bars.count);
    pby_bars_clear(&bars);
    pby_given_accuracy_clear(&a);
    mpq_clears(alpha, gamma, NULL);
    return pby_sheet_end(text, &s, status, err);
}
