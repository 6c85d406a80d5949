/* SPDX-License-Identifier: MIT */
/* Measures and distances with numbers as text. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "probity/experimental/accuracy.h"
#include "probity/experimental/random.h"
#include "probity/rational.h"
#include "transport/distance.h"

pby_status pby_measure_add_text(pby_measure *m, const char *at, const char *mass, pby_error *err)
{
    static const char *const names[] = {"at", "mass"};
    const char *const texts[] = {at, mass};
    mpq_t x[2];
    mpq_inits(x[0], x[1], NULL);
    pby_status status = pby_worded_parse(x, names, texts, 2, err);
    if (status == PBY_OK)
        status = pby_measure_add(m, x[0], x[1], err);
    mpq_clears(x[0], x[1], NULL);
    return status;
}

pby_status pby_distance_text(char **out, const pby_distance *x, pby_error *err)
{
    if (!x->infinite)
        return pby_rational_print(out, x->value, err);
    *out = strdup("inf");
    return *out == NULL ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_distance_parse(pby_distance *x, const char *name, const char *text, pby_error *err)
{
    x->infinite = strcmp(text, "inf") == 0;
    if (x->infinite) {
        mpq_set_ui(x->value, 0, 1);
        return PBY_OK;
    }
    const pby_status status = pby_rational_parse(x->value, name, text, err);
    return status == PBY_OK && mpq_sgn(x->value) < 0
               ? pby_refuse(err, name, text, "a rational from 0 on, or inf")
               : status;
}

/* A distance of laws at a gamma, as text. */
typedef pby_status lossy(mpq_t out, const pby_measure *p, const pby_measure *q, mpq_srcptr gamma,
                         pby_error *err);

static pby_status at_gamma(char **out, lossy *by, const pby_measure *p, const pby_measure *q,
                           const char *gamma, pby_error *err)
{
    mpq_t x, answer;
    *out = NULL;
    mpq_inits(x, answer, NULL);
    pby_status status = pby_rational_parse(x, "gamma", gamma, err);
    if (status == PBY_OK)
        status = by(answer, p, q, x, err);
    if (status == PBY_OK)
        status = pby_rational_print(out, answer, err);
    mpq_clears(x, answer, NULL);
    return status;
}

pby_status pby_lossy_distance_text(char **out, const pby_measure *p, const pby_measure *q, const char *gamma,
                                   pby_error *err)
{
    return at_gamma(out, pby_lossy_distance, p, q, gamma, err);
}

pby_status pby_lossy_average_text(char **out, const pby_measure *p, const pby_measure *q, const char *gamma,
                                  pby_error *err)
{
    return at_gamma(out, pby_lossy_average, p, q, gamma, err);
}

pby_status pby_query_sensitivity_text(char **out, size_t *worst, const pby_measure *const *laws,
                                      const pby_law_pair *neighbours, size_t count, const char *theta,
                                      pby_error *err)
{
    mpq_t x, answer;
    *out = NULL;
    mpq_inits(x, answer, NULL);
    pby_status status = pby_rational_parse(x, "theta", theta, err);
    if (status == PBY_OK)
        status = pby_query_sensitivity(answer, worst, laws, neighbours, count, x, err);
    if (status == PBY_OK)
        status = pby_rational_print(out, answer, err);
    mpq_clears(x, answer, NULL);
    return status;
}

pby_status pby_total_variation_text(char **out, const pby_measure *p, const pby_measure *q, pby_error *err)
{
    *out = NULL;
    PBY_MPQ(answer);
    PBY_TRY(pby_total_variation(answer, p, q, err));
    return pby_rational_print(out, answer, err);
}

/* ---- distortions -------------------------------------------------------------------------------- */

typedef pby_status distortion(pby_distance *out, const pby_measure *x, const pby_measure *y, pby_error *err);

static pby_status distorted(char **out, distortion *by, const pby_measure *x, const pby_measure *y,
                            pby_error *err)
{
    pby_distance answer;
    *out = NULL;
    pby_distance_init(&answer);
    pby_status status = by(&answer, x, y, err);
    if (status == PBY_OK)
        status = pby_distance_text(out, &answer, err);
    pby_distance_clear(&answer);
    return status;
}

pby_status pby_distortion_drop_text(char **out, const pby_measure *x, const pby_measure *y, pby_error *err)
{
    return distorted(out, pby_distortion_drop, x, y, err);
}

pby_status pby_distortion_move_text(char **out, const pby_measure *x, const pby_measure *y, pby_error *err)
{
    return distorted(out, pby_distortion_move, x, y, err);
}

pby_status pby_distortion_drop_move_text(char **out, const pby_measure *x, const pby_measure *y,
                                         const char *eta, pby_error *err)
{
    pby_distance answer;
    *out = NULL;
    pby_distance_init(&answer);
    PBY_MPQ(price);
    pby_status status = pby_rational_parse(price, "eta", eta, err);
    if (status == PBY_OK)
        status = pby_distortion_drop_move(&answer, x, y, price, err);
    if (status == PBY_OK)
        status = pby_distance_text(out, &answer, err);
    pby_distance_clear(&answer);
    return status;
}

/* ---- a finite metric ------------------------------------------------------------------------------ */

/* Distances out of texts, an array of count of them; "inf" is one. To be freed whether this succeeds or not.
 */
static pby_status distances_of(pby_distance **out, const char *name, const char *const *texts, size_t count,
                               pby_error *err)
{
    pby_distance *x = *out = reallocarray(NULL, count + 1, sizeof *x);
    pby_status status = x == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t i = 0; i < count && x != NULL; i++)
        pby_distance_init(&x[i]);
    for (size_t i = 0; i < count && status == PBY_OK; i++)
        status = pby_distance_parse(&x[i], name, texts[i], err);
    return status;
}

static void distances_free(pby_distance *x, size_t count)
{
    for (size_t i = 0; i < count && x != NULL; i++)
        pby_distance_clear(&x[i]);
    free(x);
}

static pby_status masses_of(__mpq_struct **out, const char *name, const char *const *texts, size_t n,
                            pby_error *err)
{
    __mpq_struct *x = *out = reallocarray(NULL, n + 1, sizeof *x);
    pby_status status = x == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t i = 0; i < n && x != NULL; i++)
        mpq_init(x + i);
    for (size_t i = 0; i < n && status == PBY_OK; i++)
        status = pby_rational_parse(x + i, name, texts[i], err);
    return status;
}

static void masses_free(__mpq_struct *x, size_t n)
{
    for (size_t i = 0; i < n && x != NULL; i++)
        mpq_clear(x + i);
    free(x);
}

typedef pby_status finite_distance(pby_distance *out, mpq_srcptr p, mpq_srcptr q, const pby_distance *metric,
                                   size_t n, mpq_srcptr at, pby_error *err);

static pby_status move(pby_distance *out, mpq_srcptr x, mpq_srcptr y, const pby_distance *metric, size_t n,
                       mpq_srcptr at, pby_error *err)
{
    (void)at;
    return pby_metric_move(out, x, y, metric, n, err);
}

/* Masses, distances, and a number with its name, all as text. */
struct finite_words {
    const char *const *p, *const *q, *const *metric;
    size_t n;
    const char *name, *at; /* NULL: there is none */
};

static pby_status of_finite(char **out, finite_distance *by, const struct finite_words *w, pby_error *err)
{
    const size_t n = w->n;
    __mpq_struct *p = NULL, *q = NULL;
    pby_distance *metric = NULL, answer;
    mpq_t at;
    *out = NULL;
    if (n > PBY_METRIC_MAX)
        return pby_fail(err, PBY_BAD, "n: expected at most %d points", PBY_METRIC_MAX);
    pby_distance_init(&answer);
    mpq_init(at);
    pby_status status = w->at == NULL ? PBY_OK : pby_rational_parse(at, w->name, w->at, err);
    if (status == PBY_OK)
        status = masses_of(&p, "mass", w->p, n, err);
    if (status == PBY_OK)
        status = masses_of(&q, "mass", w->q, n, err);
    if (status == PBY_OK)
        status = distances_of(&metric, "metric", w->metric, n * n, err);
    if (status == PBY_OK)
        status = by(&answer, p, q, metric, n, at, err);
    if (status == PBY_OK)
        status = pby_distance_text(out, &answer, err);
    distances_free(metric, n * n);
    masses_free(q, n);
    masses_free(p, n);
    mpq_clear(at);
    pby_distance_clear(&answer);
    return status;
}

pby_status pby_metric_lossy_text(char **out, const char *const *p, const char *const *q,
                                 const char *const *metric, size_t n, const char *gamma, pby_error *err)
{
    return of_finite(out, pby_metric_lossy, &(struct finite_words){p, q, metric, n, "gamma", gamma}, err);
}

pby_status pby_metric_average_text(char **out, const char *const *p, const char *const *q,
                                   const char *const *metric, size_t n, const char *gamma, pby_error *err)
{
    return of_finite(out, pby_metric_average, &(struct finite_words){p, q, metric, n, "gamma", gamma}, err);
}

pby_status pby_metric_move_text(char **out, const char *const *x, const char *const *y,
                                const char *const *metric, size_t n, pby_error *err)
{
    return of_finite(out, move, &(struct finite_words){x, y, metric, n, NULL, NULL}, err);
}

pby_status pby_metric_drop_move_text(char **out, const char *const *x, const char *const *y,
                                     const char *const *metric, size_t n, const char *eta, pby_error *err)
{
    return of_finite(out, pby_metric_drop_move, &(struct finite_words){x, y, metric, n, "eta", eta}, err);
}

/* ---- sensitivities -------------------------------------------------------------------------------- */

typedef pby_status sensitivity(pby_distance *out, const pby_finite_function *f, const pby_distance *before,
                               const pby_distance *after, const pby_distance *at, pby_error *err);

/* Asks for the sensitivity of a function at a distance; before and after are the distances of its inputs and
 * of its values. */
static pby_status of_function(char **out, sensitivity *by, const pby_finite_function *f,
                              const char *const *before, const char *const *after, const char *at,
                              pby_error *err)
{
    pby_distance *inputs = NULL, *values = NULL, answer, x;
    *out = NULL;
    pby_distance_init(&answer);
    pby_distance_init(&x);
    pby_status status = pby_distance_parse(&x, by == pby_metric_sensitivity ? "beta" : "alpha", at, err);
    if (status == PBY_OK)
        status = distances_of(&inputs, by == pby_metric_sensitivity ? "metric" : "domain", before,
                              f->before * f->before, err);
    if (status == PBY_OK)
        status = distances_of(&values, by == pby_metric_sensitivity ? "output" : "codomain", after,
                              f->after * f->after, err);
    if (status == PBY_OK)
        status = by(&answer, f, inputs, values, &x, err);
    if (status == PBY_OK)
        status = pby_distance_text(out, &answer, err);
    distances_free(values, f->after * f->after);
    distances_free(inputs, f->before * f->before);
    pby_distance_clear(&x);
    pby_distance_clear(&answer);
    return status;
}

pby_status pby_distortion_sensitivity_text(char **out, const pby_finite_function *f,
                                           const char *const *domain, const char *const *codomain,
                                           const char *alpha, pby_error *err)
{
    return of_function(out, pby_distortion_sensitivity, f, domain, codomain, alpha, err);
}

pby_status pby_metric_sensitivity_text(char **out, const pby_finite_function *f, const char *const *metric,
                                       const char *const *output, const char *beta, pby_error *err)
{
    return of_function(out, pby_metric_sensitivity, f, metric, output, beta, err);
}

enum { ALPHA2, BETA1, GAMMA1, GAMMA2, SCALARS };
enum { DISTORTION, METRIC, OUTPUT, TABLES };

pby_status pby_error_sensitivity_text(char **out, const pby_finite_function *m, const pby_finite_function *f,
                                      const pby_error_sensitivity_words *at, pby_error *err)
{
    static const char *const names[] = {"alpha2", "beta1", "gamma1", "gamma2"};
    static const char *const tables[] = {"distortion", "metric", "output"};
    const char *const texts[] = {at->alpha2, at->beta1, at->gamma1, at->gamma2};
    const char *const *const given[] = {at->distortion, at->metric, at->output};
    const size_t size[] = {f->before * f->before, f->before * f->before, f->after * f->after};
    pby_distance *table[TABLES] = {NULL, NULL, NULL}, *x = NULL, answer;
    pby_status status = PBY_OK;
    *out = NULL;
    pby_distance_init(&answer);
    x = malloc(SCALARS * sizeof *x);
    if (x == NULL)
        status = pby_no_memory(err);
    for (size_t i = 0; i < SCALARS && x != NULL; i++)
        pby_distance_init(&x[i]);
    for (size_t i = 0; i < SCALARS && status == PBY_OK; i++)
        status = i < GAMMA1 ? pby_distance_parse(&x[i], names[i], texts[i], err)
                            : pby_rational_parse(x[i].value, names[i], texts[i], err);
    for (size_t i = 0; i < TABLES && status == PBY_OK; i++)
        status = distances_of(&table[i], tables[i], given[i], size[i], err);
    if (status == PBY_OK)
        status = pby_error_sensitivity(&answer, m, f,
                                       &(pby_error_sensitivity_at){table[DISTORTION], table[METRIC],
                                                                   table[OUTPUT], &x[ALPHA2], &x[BETA1],
                                                                   x[GAMMA1].value, x[GAMMA2].value},
                                       err);
    if (status == PBY_OK)
        status = pby_distance_text(out, &answer, err);
    for (size_t i = 0; i < TABLES; i++)
        distances_free(table[i], size[i]);
    distances_free(x, SCALARS);
    pby_distance_clear(&answer);
    return status;
}

/* ---- random functions ----------------------------------------------------------------------------- */

/* To be freed whether this succeeds or not. */
static pby_status function_of(pby_random_function *out, __mpq_struct **chance, const pby_random_words *words,
                              pby_error *err)
{
    *chance = NULL;
    if (words->before > PBY_RANDOM_MAX || words->after > PBY_RANDOM_MAX)
        return pby_fail(err, PBY_BAD, "function: expected from 1 to %d inputs and values", PBY_RANDOM_MAX);
    const pby_status status = masses_of(chance, "chance", words->chance, words->before * words->after, err);
    *out = (pby_random_function){*chance, words->before, words->after};
    return status;
}

enum { DOMAIN, CODOMAIN, VALUES, RANDOM_TABLES };
enum { ALPHA, OMEGA, GAMMA, RANDOM_SCALARS };

pby_status pby_random_distortion_sensitivity_text(char **out, const pby_random_words *f,
                                                  const pby_random_distortion_words *at, pby_error *err)
{
    static const char *const tables[] = {"domain", "codomain", "metric"};
    static const char *const names[] = {"alpha", "omega"};
    const char *const *const given[] = {at->domain, at->codomain, at->metric};
    const char *const texts[] = {at->alpha, at->omega};
    const size_t size[] = {f->before * f->before, f->after * f->after, f->after * f->after};
    pby_distance *table[RANDOM_TABLES] = {NULL, NULL, NULL}, x[RANDOM_SCALARS], answer;
    pby_random_function function;
    __mpq_struct *chance;
    *out = NULL;
    pby_distance_init(&answer);
    for (size_t i = 0; i < RANDOM_SCALARS; i++)
        pby_distance_init(&x[i]);
    pby_status status = function_of(&function, &chance, f, err);
    for (size_t i = 0; i < GAMMA && status == PBY_OK; i++)
        status = pby_distance_parse(&x[i], names[i], texts[i], err);
    if (status == PBY_OK)
        status = pby_rational_parse(x[GAMMA].value, "gamma", at->gamma, err);
    for (size_t i = 0; i < RANDOM_TABLES && status == PBY_OK; i++)
        status = distances_of(&table[i], tables[i], given[i], size[i], err);
    if (status == PBY_OK)
        status = pby_random_distortion_sensitivity(&answer, &function,
                                                   &(pby_random_distortion_at){table[DOMAIN], table[CODOMAIN],
                                                                               table[VALUES], &x[ALPHA],
                                                                               &x[OMEGA], x[GAMMA].value},
                                                   err);
    if (status == PBY_OK)
        status = pby_distance_text(out, &answer, err);
    for (size_t i = 0; i < RANDOM_TABLES; i++)
        distances_free(table[i], size[i]);
    for (size_t i = 0; i < RANDOM_SCALARS; i++)
        pby_distance_clear(&x[i]);
    masses_free(chance, f->before * f->after);
    pby_distance_clear(&answer);
    return status;
}

pby_status pby_random_error_sensitivity_text(char **out, const pby_random_words *m, const pby_random_words *f,
                                             const pby_error_sensitivity_words *at, pby_error *err)
{
    static const char *const tables[] = {"distortion", "metric", "output"};
    const char *const *const given[] = {at->distortion, at->metric, at->output};
    const size_t size[] = {f->before * f->before, f->before * f->before, f->after * f->after};
    pby_distance *table[TABLES] = {NULL, NULL, NULL}, x[SCALARS], answer;
    pby_random_function mechanism, function;
    __mpq_struct *of_m, *of_f = NULL;
    *out = NULL;
    pby_distance_init(&answer);
    for (size_t i = 0; i < SCALARS; i++)
        pby_distance_init(&x[i]);
    pby_status status = function_of(&mechanism, &of_m, m, err);
    if (status == PBY_OK)
        status = function_of(&function, &of_f, f, err);
    if (status == PBY_OK)
        status = pby_distance_parse(&x[ALPHA2], "alpha2", at->alpha2, err);
    if (status == PBY_OK)
        status = pby_distance_parse(&x[BETA1], "beta1", at->beta1, err);
    if (status == PBY_OK)
        status = pby_rational_parse(x[GAMMA1].value, "gamma1", at->gamma1, err);
    if (status == PBY_OK)
        status = pby_rational_parse(x[GAMMA2].value, "gamma2", at->gamma2, err);
    for (size_t i = 0; i < TABLES && status == PBY_OK; i++)
        status = distances_of(&table[i], tables[i], given[i], size[i], err);
    if (status == PBY_OK)
        status = pby_random_error_sensitivity(
            &answer, &mechanism, &function,
            &(pby_error_sensitivity_at){table[DISTORTION], table[METRIC], table[OUTPUT], &x[ALPHA2],
                                        &x[BETA1], x[GAMMA1].value, x[GAMMA2].value},
            err);
    if (status == PBY_OK)
        status = pby_distance_text(out, &answer, err);
    for (size_t i = 0; i < TABLES; i++)
        distances_free(table[i], size[i]);
    for (size_t i = 0; i < SCALARS; i++)
        pby_distance_clear(&x[i]);
    masses_free(of_f, f->before * f->after);
    masses_free(of_m, m->before * m->after);
    pby_distance_clear(&answer);
    return status;
}

pby_status pby_random_keeps_neighbours_text(bool *out, const pby_random_words *f, const bool *before,
                                            const bool *after, pby_error *err)
{
    pby_random_function function;
    __mpq_struct *chance;
    pby_status status = function_of(&function, &chance, f, err);
    if (status == PBY_OK)
        status = pby_random_keeps_neighbours(out, &function, before, after, err);
    masses_free(chance, f->before * f->after);
    return status;
}
