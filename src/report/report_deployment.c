/* SPDX-License-Identifier: MIT */
#include "report/report_deployment.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/printed.h"
#include "deployment/claim_implied.h"
#include "deployment/deployed_loss.h"
#include "deployment/judgement.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "number/text.h"
#include "report/sheet.h"

struct told {
    pby_sheet sheet;
    pby_deployment *d;
    pby_judgement *all;
    pby_deployment_counts *counts;
    json_t *claims, *notices, *uncovered;
};

/* A line has its name in eleven columns. */
static void line(struct told *t, const char *name, const char *text)
{
    if (t->sheet.lines != NULL)
        fprintf(t->sheet.lines, "%-11s %s\n", name, text);
}

/* A notice: a line, and a text in the list of them. */
static void notice(struct told *t, const char *name, const char *text)
{
    line(t, name, text);
    if (t->sheet.object != NULL)
        t->notices = pby_json_append(t->notices, json_string(text));
}

/* ---- the head --------------------------------------------------------------------------------- */

void pby_deployment_put_trusted(FILE *out, const json_t *model, const char *absent)
{
    const json_t *trusted = json_object_get(model, "trusted");
    for (size_t i = 0; i < json_array_size(trusted); i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", json_string_value(json_array_get(trusted, i)));
    if (json_array_size(trusted) == 0)
        fputs(trusted == NULL ? absent : "nobody", out);
}

static void print_head(struct told *t)
{
    const pby_deployment *d = t->d;
    pby_sheet *s = &t->sheet;
    pby_sheet_member(s, "name", json_string(d->name));
    if (s->lines == NULL)
        return;
    line(t, "deployment", d->name);
    fprintf(s->lines, "%-11s %s%s%s, %s\n", "unit", d->entity == NULL ? "not published" : d->entity,
            d->period == NULL ? "" : "-", d->period == NULL ? "" : d->period,
            d->has_relation ? pby_neighbours_text(d->relation) : "neighbours not published");
    fprintf(s->lines, "%-11s %s, trusted: ", "model", d->model == NULL ? "not published" : d->model);
    pby_deployment_put_trusted(s->lines, json_object_get(d->root, "model"), "not published");
    fputc('\n', s->lines);
}

/* ---- the claims ------------------------------------------------------------------------------- */

static json_t *given_list(const struct told *t, const pby_judgement *j)
{
    json_t *list = json_array();
    for (size_t k = 0; k < t->d->claims; k++)
        if (j->given[k])
            list = pby_json_append(list, json_string(t->d->claim[k].name));
    return list;
}

static void print_claim(struct told *t, size_t i)
{
    static const char *const words[] = {
        [PBY_RULED_HOLDS] = "holds", [PBY_RULED_FAILS] = "does not hold", [PBY_RULED_OPEN] = "open"};
    const pby_judgement *j = &t->all[i];
    const char *word = words[j->verdict];
    *(j->verdict == PBY_RULED_HOLDS   ? &t->counts->hold
      : j->verdict == PBY_RULED_FAILS ? &t->counts->fail
                                      : &t->counts->open) += 1;
    if (t->sheet.lines != NULL) {
        fprintf(t->sheet.lines, "%-11s %s: %s\n", t->d->claim[i].name, word, j->text);
        if (j->beside != NULL)
            fprintf(t->sheet.lines, "%12s%s\n", "", j->beside);
        return;
    }
    json_t *entry = json_pack("{s:s, s:s, s:s, s:o, s:s}", "name", t->d->claim[i].name, "kind",
                              pby_claim_kind_text(t->d->claim[i].kind), "verdict", word, "given",
                              given_list(t, j), "reason", j->text);
    pby_status status = PBY_OK;
    if (j->has_ends) {
        status = pby_json_set(entry, "lo", json_string(j->lo), NULL);
        if (status == PBY_OK)
            status = pby_json_set(entry, "hi", json_string(j->hi), NULL);
    }
    if (status == PBY_OK && j->beside != NULL)
        status = pby_json_set(entry, "beside", json_string(j->beside), NULL);
    if (status != PBY_OK)
        t->sheet.short_of_memory = true;
    t->claims = pby_json_append(t->claims, entry);
}

/* ---- consistency ------------------------------------------------------------------------------ */

static bool same_uses(const pby_deployment *d, const pby_deployment_claim *a, const pby_deployment_claim *b)
{
    bool same = a->each == b->each && a->entity == b->entity && a->follows.count == 0 &&
                b->follows.count == 0;
    for (size_t i = 0; i < d->mechanisms; i++)
        same = same && pby_claim_is_about(a, i) == pby_claim_is_about(b, i);
    return same;
}

static void join_names(FILE *out, const struct told *t, const bool *which, const char *last)
{
    size_t count = 0, at = 0;
    for (size_t i = 0; i < t->d->claims; i++)
        count += which[i];
    for (size_t i = 0; i < t->d->claims; i++)
        if (which[i]) {
            at++;
            fprintf(out, "%s%s", at == 1 ? "" : at == count ? last : ", ", t->d->claim[i].name);
        }
}

/* "total implies neither gdp nor approx" */
static pby_status say_implied(struct told *t, size_t i, const bool *yes, const bool *no, size_t some,
                              size_t others, pby_error *err)
{
    char *text;
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    fputs(t->d->claim[i].name, out);
    if (some > 0) {
        fputs(" implies ", out);
        join_names(out, t, yes, ", ");
        if (others > 0) {
            fputs(", not ", out);
            join_names(out, t, no, ", ");
        }
    } else if (others == 1) {
        fputs(" does not imply ", out);
        join_names(out, t, no, ", ");
    } else {
        fputs(others == 2 ? " implies neither " : " implies none of ", out);
        join_names(out, t, no, others == 2 ? " nor " : ", ");
    }
    const pby_status status = pby_printed_end(&text, &printed, PBY_OK, err);
    if (status == PBY_OK)
        notice(t, "consistent", text);
    free(text);
    return status;
}

static pby_status print_implied(struct told *t, size_t i, pby_error *err)
{
    const pby_deployment *d = t->d;
    bool yes[PBY_DEPLOYMENT_LIST_MAX] = {false}, no[PBY_DEPLOYMENT_LIST_MAX] = {false}, gives = false;
    size_t some = 0, others = 0;
    pby_amount x;
    pby_amount_init(&x);
    pby_status status = PBY_OK;
    for (size_t k = 0; k < d->claims && status == PBY_OK; k++) {
        if (k == i || !same_uses(d, &d->claim[i], &d->claim[k]))
            continue;
        gives = gives || pby_claim_gives(d->claim[i].kind, d->claim[k].kind);
        status = pby_claim_implied(&yes[k], &x, d, &d->claim[i], NULL, &d->claim[k], err);
        no[k] = !yes[k];
        some += yes[k];
        others += no[k];
    }
    pby_amount_clear(&x);
    return status == PBY_OK && gives ? say_implied(t, i, yes, no, some, others, err) : status;
}

/* Notes members that do not go together, whatever is computed. */
static void print_odd(struct told *t)
{
    const pby_deployment *d = t->d;
    const json_t *horizon = json_object_get(d->root, "horizon");
    const bool local = d->model != NULL && strcmp(d->model, "local") == 0;
    if (d->claims == 0)
        notice(t, "notice", "no claim with a number is published");
    if (local && d->has_relation && d->relation != PBY_LOCAL)
        notice(t, "notice", "the model is local, and the neighbours are those of a curator");
    for (size_t i = 0; i < d->claims; i++)
        if (local && d->claim[i].kind == PBY_CLAIM_APPROX && mpq_sgn(d->claim[i].delta.value) > 0)
            notice(t, "notice", "the model is local, and a claim has a delta: it may be of the aggregate");
    if (strcmp(pby_json_string(horizon, "releases"), "1") == 0 && json_object_get(horizon, "every") != NULL)
        notice(t, "notice", "there is one release, and horizon.every");
    for (size_t i = 0; i < d->claims; i++) {
        bool gaussian = d->mechanisms == 0;
        for (size_t k = 0; k < d->mechanisms; k++)
            gaussian = gaussian || d->mechanism[k].spec == NULL ||
                       strstr(pby_spec_text(d->mechanism[k].spec), "gauss:") != NULL;
        if (d->claim[i].kind == PBY_CLAIM_GDP && !gaussian)
            notice(t, "notice", "a claim is of mu, and no Gaussian noise is published");
    }
}

/* ---- the horizon and what is not covered ------------------------------------------------------ */

/* "1019 periods: epsilon 2690.16 of one user": numbers that add, of one entity in all its periods. */
static void print_horizon(struct told *t, size_t i)
{
    const pby_deployment *d = t->d;
    const pby_deployment_claim *c = &d->claim[i];
    char first[PBY_DECIMAL_SIZE], second[PBY_DECIMAL_SIZE], text[2 * PBY_DECIMAL_SIZE + 256];
    if (d->period == NULL || d->periods < 2 || c->entity || c->each || c->about.given ||
        c->follows.count > 0 || t->all[i].verdict != PBY_RULED_HOLDS || c->kind == PBY_CLAIM_GDP)
        return;
    PBY_MPQ(x, y);
    pby_integer_set(mpq_numref(x), d->periods);
    mpq_mul(y, x, c->delta.value);
    mpq_mul(x, x, pby_claim_number(&d->claim[i])->value);
    pby_mpq_text(first, x);
    pby_mpq_text(second, y);
    snprintf(text, sizeof text, "%" PRIu64 " periods: %s %s%s%s of one %.64s", d->periods,
             c->kind == PBY_CLAIM_ZCDP ? "rho" : "epsilon", first, mpq_sgn(y) > 0 ? ", delta " : "",
             mpq_sgn(y) > 0 ? second : "", d->entity == NULL ? "entity" : d->entity);
    notice(t, "horizon", text);
}

static void print_uncovered(struct told *t, const char *text)
{
    t->counts->uncovered++;
    line(t, "not covered", text);
    if (t->sheet.object != NULL)
        t->uncovered = pby_json_append(t->uncovered, json_string(text));
}

static void print_all_uncovered(struct told *t)
{
    const json_t *list = json_object_get(t->d->root, "not_private"),
                 *steps = json_object_get(t->d->root, "steps");
    for (size_t i = 0; i < json_array_size(list); i++)
        print_uncovered(t, json_string_value(json_array_get(list, i)));
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const json_t *step = json_array_get(steps, i);
        if (strcmp(pby_json_string(step, "data"), "private") == 0 && json_object_get(step, "charged") == NULL)
            print_uncovered(t, pby_json_string(step, "what"));
    }
}

int pby_deployment_status(const pby_deployment_counts *counts)
{
    return counts->fail > 0 ? PBY_NO : counts->open > 0 || counts->uncovered > 0 ? PBY_INCONCLUSIVE : PBY_OK;
}

/* ---- all of it -------------------------------------------------------------------------------- */

static pby_status print_deployment(struct told *t, pby_error *err)
{
    const pby_deployment_counts *n = t->counts;
    pby_status status = PBY_OK;
    print_head(t);
    for (size_t i = 0; i < t->d->claims; i++)
        print_claim(t, i);
    for (size_t i = 0; i < t->d->claims && status == PBY_OK; i++)
        status = print_implied(t, i, err);
    for (size_t i = 0; i < t->d->claims; i++)
        print_horizon(t, i);
    print_odd(t);
    print_all_uncovered(t);
    if (t->sheet.lines != NULL)
        fprintf(t->sheet.lines, "%-11s %zu hold, %zu do not, %zu open  (exit status %d)\n", "claims", n->hold,
                n->fail, n->open, pby_deployment_status(n));
    if (t->sheet.object == NULL)
        return status;
    pby_sheet_member(&t->sheet, "claims", t->claims);
    pby_sheet_member(&t->sheet, "notices", t->notices);
    pby_sheet_member(&t->sheet, "not_covered", t->uncovered);
    t->claims = t->notices = t->uncovered = NULL;
    return status;
}

static pby_status print_in(char **text, struct told *t, pby_report_form form, pby_error *err)
{
    *t->counts = (pby_deployment_counts){0, 0, 0, 0};
    pby_sheet_begin(&t->sheet, form);
    if (t->sheet.object != NULL) {
        t->claims = json_array();
        t->notices = json_array();
        t->uncovered = json_array();
    }
    const pby_status status = print_deployment(t, err);
    json_decref(t->claims);
    json_decref(t->notices);
    json_decref(t->uncovered);
    t->claims = t->notices = t->uncovered = NULL;
    return pby_sheet_end(text, &t->sheet, status, err);
}

static pby_status print_object(json_t **out, struct told *t, pby_error *err)
{
    char *text = NULL;
    PBY_TRY(print_in(&text, t, PBY_REPORT_JSON, err));
    *out = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    return *out == NULL ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_deployment_judge(json_t **object, char **text, pby_deployment_counts *counts,
                                pby_deployment *d, pby_report_form form, pby_error *err)
{
    pby_judgement *all = calloc(d->claims + 1, sizeof *all);
    struct told t = {.d = d, .all = all, .counts = counts};
    if (object != NULL)
        *object = NULL;
    if (text != NULL)
        *text = NULL;
    if (all == NULL)
        return pby_no_memory(err);
    pby_status status = pby_judge_claims(all, d, err);
    if (status == PBY_OK && object != NULL)
        status = print_object(object, &t, err);
    if (status == PBY_OK && text != NULL)
        status = print_in(text, &t, form, err);
    if (status != PBY_OK && object != NULL) {
        json_decref(*object);
        *object = NULL;
    }
    for (size_t i = 0; i < d->claims; i++)
        pby_judgement_clear(&all[i]);
    free(all);
    return status;
}
