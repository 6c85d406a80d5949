/* SPDX-License-Identifier: MIT */
/* Sensitivities of a random function in a table, and whether it is robust (docs/theory/random-functions.md).
 */
#include "lab/random/report_random.h"

#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "number/numbers.h"
#include "number/scoped.h"
#include "probity/experimental/random.h"
#include "probity/experimental/robust.h"
#include "probity/rational.h"
#include "report/sheet.h"
#include "table/map/table_scatter.h"

/* The tables as matrices over common keys and new keys; the second is the mechanism. */
struct tables {
    pby_scatter *read[2];
    size_t count; /* of the tables */
    size_t before, after;
    mpq_t *chance[2];
    mpq_t *key, *value; /* where they lie on the line */
};

/* ---- numbers ------------------------------------------------------------------------------------- */

/* The differences of n numbers, for distances_free. */
static pby_status distances_new(pby_distance **out, mpq_t *x, size_t n, pby_error *err)
{
    *out = calloc(n * n + 1, sizeof **out);
    if (*out == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < n * n; i++) {
        pby_distance *d = &(*out)[i];
        pby_distance_init(d);
        mpq_sub(d->value, x[i / n], x[i % n]);
        mpq_abs(d->value, d->value);
    }
    return PBY_OK;
}

static void distances_free(pby_distance *d, size_t n)
{
    for (size_t i = 0; d != NULL && i < n * n; i++)
        pby_distance_clear(&d[i]);
    free(d);
}

/* A rational from 0 on, and to 1 where it is a mass; 0 where nothing is said. */
static pby_status read_number(mpq_t out, const char *argument, const char *text, bool mass, pby_error *err)
{
    mpq_set_ui(out, 0, 1);
    const pby_status status = text == NULL ? PBY_OK : pby_rational_parse(out, argument, text, err);
    if (status != PBY_OK || (mpq_sgn(out) >= 0 && (!mass || mpq_cmp_ui(out, 1, 1) <= 0)))
        return status;
    return pby_refuse(err, argument, text, mass ? "a rational from 0 to 1" : "a rational from 0 on");
}

/* ---- tables -------------------------------------------------------------------------------------- */

static void tables_clear(struct tables *t)
{
    for (size_t i = 0; i < 2; i++) {
        pby_numbers_free(t->chance[i], t->before * t->after);
        pby_scatter_free(t->read[i]);
    }
    pby_numbers_free(t->key, t->before);
    pby_numbers_free(t->value, t->after);
}

static pby_status find_places(mpq_t *out, const pby_names *names, const char *path, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < pby_names_count(names) && status == PBY_OK; i++) {
        char *name = pby_names_text(names, i);
        status = name == NULL ? pby_no_memory(err) : PBY_OK;
        if (status == PBY_OK && pby_rational_parse(out[i], "key", name, NULL) != PBY_OK)
            status = pby_refuse(err, "table", pby_path_text(path), "keys that are numbers");
        free(name);
    }
    return status;
}

static size_t place_of(const pby_names *in, const pby_names *of, size_t i)
{
    size_t size;
    const uint8_t *name = pby_names_get(of, i, &size);
    return pby_names_find(in, name, size);
}

/* The second table has the keys of the first, and no other new keys. */
static pby_status fill_table(struct tables *t, size_t which, pby_error *err)
{
    const pby_scatter *s = t->read[which], *first = t->read[0];
    pby_status status = pby_numbers_new(&t->chance[which], t->before * t->after, err);
    bool same = pby_names_count(s->keys) == t->before;
    for (size_t k = 0; k < pby_names_count(s->keys) && status == PBY_OK && same; k++) {
        const size_t row = place_of(first->keys, s->keys, k);
        for (size_t i = s->first[k]; i < s->first[k + 1] && same; i++) {
            const size_t column = place_of(first->bars, s->bars, s->bar[i]);
            same = row != PBY_NO_NAME && column != PBY_NO_NAME;
            if (same)
                fmpq_get_mpq(t->chance[which][row * t->after + column], s->chance + i);
        }
    }
    return status == PBY_OK && !same
               ? pby_refuse(err, "mechanism", pby_path_text(s->path), "the keys and new keys of the table")
               : status;
}

static pby_status read_tables(struct tables *t, const pby_random_asked *asked, pby_error *err)
{
    const char *paths[2] = {asked->table, asked->mechanism};
    pby_status status = PBY_OK;
    t->count = asked->mechanism == NULL ? 1 : 2;
    for (size_t i = 0; i < t->count && status == PBY_OK; i++)
        status = pby_scatter_read(&t->read[i], paths[i], i == 0 ? "table" : "mechanism", "", err);
    if (status != PBY_OK)
        return status;
    t->before = pby_names_count(t->read[0]->keys);
    t->after = pby_names_count(t->read[0]->bars);
    if (t->before > PBY_RANDOM_MAX || t->after > PBY_RANDOM_MAX) {
        t->before = t->after = 0;
        return pby_fail(err, PBY_BAD, "table: expected at most %d keys, and as many new ones",
                        PBY_RANDOM_MAX);
    }
    status = pby_numbers_new(&t->key, t->before, err);
    if (status == PBY_OK)
        status = pby_numbers_new(&t->value, t->after, err);
    if (status == PBY_OK)
        status = find_places(t->value, t->read[0]->bars, asked->table, err);
    for (size_t i = 0; i < t->count && status == PBY_OK; i++)
        status = fill_table(t, i, err);
    return status;
}

/* ---- robustness ---------------------------------------------------------------------------------- */

static pby_status print_robust(pby_sheet *s, const struct tables *t, const pby_random_asked *asked,
                               pby_error *err)
{
    const pby_robust_channel channel = {t->chance[0][0], t->value[0], t->before, t->after};
    mpq_t rho, theta, epsilon;
    pby_enclosure delta;
    mpq_inits(rho, theta, epsilon, NULL);
    pby_enclosure_init(&delta);
    pby_status status = read_number(rho, "rho", asked->rho, false, err);
    if (status == PBY_OK)
        status = read_number(theta, "theta", asked->theta, true, err);
    if (status == PBY_OK && asked->epsilon == NULL)
        status = pby_fail(err, PBY_BAD, "epsilon: expected a rational from 0 on, beside rho");
    if (status == PBY_OK)
        status = read_number(epsilon, "epsilon", asked->epsilon, false, err);
    if (status == PBY_OK)
        status = pby_robust_delta(&delta, &channel, rho, theta, epsilon, asked->digits, err);
    if (status == PBY_OK) {
        pby_sheet_exact(s, "rho", "rho", rho);
        pby_sheet_exact(s, "theta", "theta", theta);
        pby_sheet_exact(s, "epsilon", "epsilon", epsilon);
        pby_sheet_enclosure(s, "delta", "delta", &delta, asked->digits, NULL);
    }
    pby_enclosure_clear(&delta);
    mpq_clears(rho, theta, epsilon, NULL);
    return status;
}

/* ---- sensitivities ------------------------------------------------------------------------------- */

/* The numbers that both questions are asked with. */
struct asked {
    pby_distance alpha, beta, omega;
    mpq_t gamma, gamma1;
    pby_distance *domain, *codomain;
};

static pby_status print_sigma(pby_sheet *s, const struct tables *t, const struct asked *a, pby_error *err)
{
    const pby_random_function f = {t->chance[0][0], t->before, t->after};
    const pby_random_distortion_at at = {.domain = a->domain,
                                         .codomain = a->codomain,
                                         .metric = a->codomain,
                                         .alpha = &a->alpha,
                                         .omega = &a->omega,
                                         .gamma = a->gamma};
    pby_distance sigma;
    pby_distance_init(&sigma);
    const pby_status status = pby_random_distortion_sensitivity(&sigma, &f, &at, err);
    if (status == PBY_OK) {
        pby_sheet_distance(s, "alpha", "alpha", &a->alpha);
        pby_sheet_distance(s, "omega", "omega", &a->omega);
        pby_sheet_exact(s, "gamma", "gamma", a->gamma);
        pby_sheet_distance(s, "sigma", "sigma", &sigma);
    }
    pby_distance_clear(&sigma);
    return status;
}

/* loss = (gamma - gamma1)/(1 - gamma1): tau at gamma1 lies between that at gamma1 = 0 with the allowance
 * gamma and with this. */
static pby_status set_loss(mpq_t loss, const struct asked *a, pby_error *err)
{
    if (mpq_cmp(a->gamma1, a->gamma) > 0 || mpq_cmp_ui(a->gamma1, 1, 1) == 0)
        return pby_fail(err, PBY_BAD, "gamma1: expected at most gamma, and below 1");
    PBY_MPQ(rest);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, a->gamma1);
    mpq_sub(loss, a->gamma, a->gamma1);
    mpq_div(loss, loss, rest);
    return PBY_OK;
}

static pby_status print_tau(pby_sheet *s, const struct tables *t, const struct asked *a, pby_error *err)
{
    const pby_random_function f = {t->chance[0][0], t->before, t->after},
                              m = {t->chance[t->count - 1][0], t->before, t->after};
    pby_distance tau[2];
    mpq_t loss, none;
    mpq_inits(loss, none, NULL);
    pby_status status = set_loss(loss, a, err);
    for (int i = 0; i < 2; i++)
        pby_distance_init(&tau[i]);
    for (int i = 0; i < 2 && status == PBY_OK; i++) {
        const pby_error_sensitivity_at at = {
            a->domain, a->domain, a->codomain, &a->alpha, &a->beta, none, i == 0 ? a->gamma : loss};
        status = pby_random_error_sensitivity(&tau[i], &m, &f, &at, err);
    }
    if (status == PBY_OK) {
        pby_sheet_distance(s, "alpha", "alpha", &a->alpha);
        pby_sheet_distance(s, "beta", "beta", &a->beta);
        pby_sheet_exact(s, "gamma", "gamma", a->gamma);
        pby_sheet_exact(s, "gamma1", "gamma1", a->gamma1);
        const bool same = pby_distance_cmp(&tau[0], &tau[1]) == 0;
        pby_sheet_distance(s, same ? "tau" : "tau from", same ? "tau" : "tau_lo", &tau[0]);
        if (!same)
            pby_sheet_distance(s, "tau to", "tau_hi", &tau[1]);
    }
    for (int i = 0; i < 2; i++)
        pby_distance_clear(&tau[i]);
    mpq_clears(loss, none, NULL);
    return status;
}

static pby_status read_asked(struct asked *a, const struct tables *t, const pby_random_asked *asked,
                             pby_error *err)
{
    pby_status status = read_number(a->alpha.value, "alpha", asked->alpha, false, err);
    if (status == PBY_OK)
        status = read_number(a->beta.value, "beta", asked->beta, false, err);
    if (status == PBY_OK)
        status = read_number(a->omega.value, "omega", asked->omega, false, err);
    if (status == PBY_OK)
        status = read_number(a->gamma, "gamma", asked->gamma, true, err);
    if (status == PBY_OK)
        status = read_number(a->gamma1, "gamma1", asked->gamma1, true, err);
    if (status == PBY_OK)
        status = find_places(t->key, t->read[0]->keys, asked->table, err);
    if (status == PBY_OK)
        status = distances_new(&a->domain, t->key, t->before, err);
    return status == PBY_OK ? distances_new(&a->codomain, t->value, t->after, err) : status;
}

/* Prints the greatest distance that a record may move. */
static void print_moves(pby_sheet *s, const struct tables *t)
{
    pby_distance most;
    pby_distance_init(&most);
    PBY_MPQ(far);
    for (size_t i = 0; i < t->before * t->after; i++) {
        mpq_sub(far, t->key[i / t->after], t->value[i % t->after]);
        mpq_abs(far, far);
        if (mpq_sgn(t->chance[0][i]) > 0 && mpq_cmp(far, most.value) > 0)
            mpq_set(most.value, far);
    }
    pby_sheet_distance(s, "moves", "moves", &most);
    pby_distance_clear(&most);
}

static pby_status print_sensitivity(pby_sheet *s, const struct tables *t, const pby_random_asked *asked,
                                    pby_error *err)
{
    struct asked a = {.domain = NULL};
    pby_distance_init(&a.alpha);
    pby_distance_init(&a.beta);
    pby_distance_init(&a.omega);
    mpq_inits(a.gamma, a.gamma1, NULL);
    pby_status status = read_asked(&a, t, asked, err);
    if (status == PBY_OK) {
        print_moves(s, t);
        status = asked->beta != NULL ? print_tau(s, t, &a, err) : print_sigma(s, t, &a, err);
    }
    distances_free(a.domain, t->before);
    distances_free(a.codomain, t->after);
    mpq_clears(a.gamma, a.gamma1, NULL);
    pby_distance_clear(&a.omega);
    pby_distance_clear(&a.beta);
    pby_distance_clear(&a.alpha);
    return status;
}

pby_status pby_report_random(char **text, const pby_random_asked *asked, pby_report_form form, pby_error *err)
{
    struct tables t = {.count = 0};
    pby_sheet s;
    pby_sheet_begin(&s, form);
    pby_status status = read_tables(&t, asked, err);
    if (status == PBY_OK) {
        pby_sheet_text(&s, "table", "sha256", t.read[0]->digest.sha256);
        pby_sheet_number(&s, "keys", "keys", t.before);
        pby_sheet_number(&s, "new keys", "new_keys", t.after);
        status = asked->rho != NULL ? print_robust(&s, &t, asked, err)
                                    : print_sensitivity(&s, &t, asked, err);
    }
    tables_clear(&t);
    return pby_sheet_end(text, &s, status, err);
}
