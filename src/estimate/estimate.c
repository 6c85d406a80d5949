/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "estimate/estimate_cell.h"
#include "estimate/estimates.h"
#include "estimate/reports.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "number/text.h"

enum { ENCLOSURES = 8, NAME_SIZE = 32 };

static void enclosures_of(pby_enclosure *out[ENCLOSURES], pby_estimate *e)
{
    pby_enclosure *const all[ENCLOSURES] = {&e->value, &e->least,    &e->most,     &e->none,
                                            &e->all,   &e->variance, &e->interval, &e->population};
    memcpy(out, all, sizeof all);
}

static void estimate_init(pby_estimate *e)
{
    pby_enclosure *all[ENCLOSURES];
    enclosures_of(all, e);
    for (size_t i = 0; i < ENCLOSURES; i++)
        pby_enclosure_init(all[i]);
    e->name = NULL;
}

static void estimate_clear(pby_estimate *e)
{
    pby_enclosure *all[ENCLOSURES];
    enclosures_of(all, e);
    for (size_t i = 0; i < ENCLOSURES; i++)
        pby_enclosure_clear(all[i]);
    free(e->name);
}

void pby_estimates_free(pby_estimates *estimates)
{
    if (estimates == NULL)
        return;
    for (size_t i = 0; i < estimates->count; i++)
        estimate_clear(&estimates->at[i]);
    free(estimates->at);
    free(estimates);
}

size_t pby_estimates_count(const pby_estimates *estimates)
{
    return estimates->count;
}

const pby_estimate *pby_estimates_at(const pby_estimates *estimates, size_t i)
{
    return &estimates->at[i];
}

pby_status pby_estimates_alloc(pby_estimates **out, size_t count, pby_error *err)
{
    pby_estimates *e = malloc(sizeof *e);
    if (e == NULL)
        return pby_no_memory(err);
    *e = (pby_estimates){calloc(count, sizeof *e->at), count};
    if (e->at == NULL) {
        free(e);
        return pby_no_memory(err);
    }
    for (size_t i = 0; i < count; i++)
        estimate_init(&e->at[i]);
    *out = e;
    return PBY_OK;
}

/* Sets the members that are the same for all cells of the reports. */
static void question_init(pby_cell_question *q, const pby_reports *r, size_t count, mpq_srcptr error,
                          unsigned digits)
{
    const pby_estimator *e = r->mechanism.family->estimator;
    pby_chances_init(&q->chances, &r->mechanism);
    pby_expsum_init(q->gap);
    pby_expsum_sub(q->gap, q->chances.p, q->chances.q);
    fmpq_init(q->lo);
    fmpq_init(q->width);
    fmpq_init(q->error);
    fmpq_one(q->width);
    q->between = e->range != NULL;
    if (q->between) {
        e->range(q->lo, q->width, &r->mechanism);
        fmpq_sub(q->width, q->width, q->lo);
    }
    q->n = r->count;
    q->digits = digits;
    /* The cells share the error, but for two that are what the other leaves. */
    fmpq_set_mpq(q->error, error);
    if (count > 2 || e->apart)
        fmpz_mul_ui(fmpq_denref(q->error), fmpq_denref(q->error), count);
    fmpq_canonicalise(q->error);
}

static void question_clear(pby_cell_question *q)
{
    fmpq_clear(q->error);
    fmpq_clear(q->width);
    fmpq_clear(q->lo);
    pby_expsum_clear(q->gap);
    pby_chances_clear(&q->chances);
}

static pby_status set_name(pby_estimate *e, const pby_cell_question *q, size_t cell, pby_error *err)
{
    char name[NAME_SIZE] = "mean";
    if (!q->between)
        snprintf(name, sizeof name, "%zu", cell);
    e->name = strdup(name);
    return e->name == NULL ? pby_no_memory(err) : PBY_OK;
}

static pby_status estimate_cells(pby_estimates *out, const pby_reports *r, mpq_srcptr error, unsigned digits,
                                 pby_error *err)
{
    const size_t first = r->mechanism.family->estimator->first;
    pby_cell_question question;
    question_init(&question, r, out->count, error, digits);
    pby_status status = pby_expsum_is_zero(question.gap)
                            ? pby_mechanism_refuse(&r->mechanism, "reports that say something", err)
                            : PBY_OK;
    for (size_t i = 0; i < out->count && status == PBY_OK; i++) {
        question.seen = out->at[i].seen = r->cell[first + i];
        status = set_name(&out->at[i], &question, first + i, err);
        if (status == PBY_OK)
            status = pby_cell_estimate(&out->at[i], &question, err);
    }
    question_clear(&question);
    return status;
}

pby_status pby_estimates_new(pby_estimates **out, const pby_reports *reports, pby_value allowed,
                             unsigned digits, pby_error *err)
{
    PBY_MPQ(error);
    *out = NULL;
    PBY_TRY(pby_value_need(error, "error", allowed, err));
    if (mpq_sgn(error) <= 0 || mpq_cmp_ui(error, 1, 1) >= 0)
        return pby_refuse_mpq(err, "error", error, "a rational above 0 and below 1");
    if (reports->count == 0)
        return pby_refuse(err, "reports", "0", "at least 1 report");
    const pby_estimator *e = reports->mechanism.family->estimator;
    const size_t count = e->estimated != NULL ? e->estimated(&reports->mechanism) : reports->cells - e->first;
    if (count == 0)
        return pby_fail(err, PBY_BAD,
                        "candidates: expected some, as reports of several cohorts are estimated by");
    pby_status status = pby_estimates_alloc(out, count, err);
    if (status == PBY_OK)
        status = estimate_cells(*out, reports, error, digits == 0 ? PBY_DIGITS_DEFAULT : digits, err);
    if (status != PBY_OK) {
        pby_estimates_free(*out);
        *out = NULL;
    }
    return status;
}
