/* SPDX-License-Identifier: MIT */
#include "report/accuracy/accuracy_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number/exact.h"
#include "number/number_json.h"
#include "number/text.h"
#include "table/answer/answer.h"

/* A distance as text, for free(3). */
static char *distance_text(const pby_distance *x)
{
    return x->infinite ? strdup("inf") : pby_exact_text(x->value);
}

/* ---- text ---------------------------------------------------------------------------------------- */

/* The terms behind an accuracy, for free(3); NULL when there is no memory. */
static char *terms_text(const pby_terms *t)
{
    char gamma[PBY_DECIMAL_SIZE], *all = NULL;
    char *text[] = {distance_text(t->at_alpha), distance_text(t->sigma), distance_text(&t->first->beta),
                    distance_text(t->tau)};
    pby_mpq_text(gamma, t->first->gamma);
    if (text[0] != NULL && text[1] != NULL && text[2] != NULL && text[3] != NULL &&
        asprintf(&all, "  sigma(%s) = %s, tau(%s, %s) = %s", text[0], text[1], text[2], gamma, text[3]) < 0)
        all = NULL;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        free(text[i]);
    return all;
}

static void print_known(pby_sheet *s, const pby_accuracy_line *line)
{
    const pby_accuracy *a = line->accuracy;
    char gamma[PBY_DECIMAL_SIZE];
    char *alpha = distance_text(&a->alpha), *beta = distance_text(&a->beta),
         *terms = line->terms == NULL ? strdup("") : terms_text(line->terms);
    pby_mpq_text(gamma, a->gamma);
    if (alpha == NULL || beta == NULL || terms == NULL)
        s->short_of_memory = true;
    else
        pby_sheet_line(s, line->name, "(%s, %s, %s)%s%s", alpha, beta, gamma, terms,
                       line->at_most ? "  alpha at most" : "");
    free(alpha);
    free(beta);
    free(terms);
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

/* Takes the value; whether there was memory. */
static bool put(json_t *object, const char *name, json_t *value)
{
    return json_object_set_new(object, name, value) == 0;
}

static bool put_terms(json_t *object, const pby_terms *t)
{
    char gamma[PBY_DECIMAL_SIZE];
    pby_mpq_text(gamma, t->first->gamma);
    return put(object, "sigma", pby_distance_json(t->sigma)) &&
           put(object, "sigma_at", pby_distance_json(t->at_alpha)) &&
           put(object, "tau", pby_distance_json(t->tau)) &&
           put(object, "tau_at",
               json_pack("{s:o, s:s}", "beta", pby_distance_json(&t->first->beta), "gamma", gamma));
}

static bool put_accuracy(json_t *object, const pby_accuracy_line *line)
{
    char gamma[PBY_DECIMAL_SIZE];
    if (line->unknown != NULL)
        return put(object, "alpha", json_null()) && put(object, "beta", json_null()) &&
               put(object, "gamma", json_null()) && put(object, "unknown", json_string(line->unknown));
    pby_mpq_text(gamma, line->accuracy->gamma);
    return put(object, "alpha", pby_distance_json(&line->accuracy->alpha)) &&
           put(object, "beta", pby_distance_json(&line->accuracy->beta)) &&
           put(object, "gamma", json_string(gamma)) &&
           (line->statistic == NULL || put(object, "least", json_boolean(!line->at_most))) &&
           (line->terms == NULL || put_terms(object, line->terms));
}

static json_t *describe(const pby_accuracy_line *line)
{
    json_t *object = json_object();
    const bool whole =
        object != NULL &&
        (line->statistic == NULL || pby_statistic_describe(object, line->statistic, NULL) == PBY_OK) &&
        (line->eta == NULL || put(object, "eta", pby_exact_json(line->eta))) && put_accuracy(object, line);
    if (whole)
        return object;
    json_decref(object);
    return NULL;
}

void pby_accuracy_tell(pby_sheet *s, const pby_accuracy_line *line)
{
    if (s->object != NULL)
        pby_sheet_member(s, line->key, describe(line));
    if (s->lines == NULL)
        return;
    if (line->unknown == NULL)
        print_known(s, line);
    else
        pby_sheet_line(s, line->name, "none known: %s", line->unknown);
}
