/* SPDX-License-Identifier: MIT */
/* Prints if a query survives a random transformation, from tables (docs/theory/stabilise.md). */
#include "probity/experimental/projection.h"

#include <stdlib.h>

#include "base/status.h"
#include "io/file.h"
#include "lab/random/report_random.h"
#include "number/exact.h"
#include "number/numbers.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "report/sheet.h"
#include "table/map/table_scatter.h"
#include "table/measure/matrix.h"

static bool not_negative(const fmpq_t x)
{
    return fmpq_sgn(x) >= 0;
}

static const pby_matrix_form form = {
    .header = "a first line such as key,utility",
    .narrow = "a column of utilities beside that of the keys",
    .row = "a line KEY,UTILITY",
    .name = "a key that occurs once",
    .value = "a utility from 0 on, a rational such as 1, 1/3 or 0.25",
    .fits = not_negative,
};

struct tables {
    pby_scatter *map;
    mpq_t *channel, *utility, *seen;
    size_t keys, bars;
};

static void tables_clear(struct tables *t)
{
    pby_numbers_free(t->channel, t->keys * t->bars);
    pby_numbers_free(t->utility, t->keys);
    pby_numbers_free(t->seen, t->bars);
    pby_scatter_free(t->map);
}

/* ---- tables -------------------------------------------------------------------------------------- */

static pby_status fill_utilities(mpq_t *out, const pby_matrix *table, const pby_names *keys,
                                 const char *argument, const char *path, pby_error *err)
{
    pby_status status =
        table->width == 1 ? PBY_OK : pby_refuse(err, argument, pby_path_text(path), "lines KEY,UTILITY");
    for (size_t i = 0; i < pby_names_count(keys) && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = pby_names_get(keys, i, &size);
        const size_t row = pby_names_find(table->rows, name, size);
        if (row == PBY_NO_NAME)
            status = pby_refuse(err, argument, pby_path_text(path), "a utility for every key of the table");
        else
            fmpq_get_mpq(out[i], table->value + row);
    }
    return status;
}

static pby_status read_utilities(mpq_t **out, const pby_names *keys, const char *argument, const char *path,
                                 pby_error *err)
{
    pby_matrix table;
    pby_status status = pby_matrix_read(&table, pby_path_named(path), &form, err);
    if (status == PBY_OK)
        status = pby_numbers_new(out, pby_names_count(keys), err);
    if (status == PBY_OK)
        status = fill_utilities(*out, &table, keys, argument, path, err);
    pby_matrix_clear(&table);
    return status;
}

static pby_status read_map(struct tables *t, const char *path, pby_error *err)
{
    pby_status status = pby_scatter_read(&t->map, path, "table", "", err);
    if (status != PBY_OK)
        return status;
    const size_t keys = pby_names_count(t->map->keys), bars = pby_names_count(t->map->bars);
    if (keys > PBY_PROJECTION_MAX / bars)
        return pby_fail(err, PBY_BAD, "table: expected at most %d pairs of a key and a new key",
                        PBY_PROJECTION_MAX);
    t->keys = keys;
    t->bars = bars;
    status = pby_numbers_new(&t->channel, keys * bars, err);
    for (size_t k = 0; k < keys && status == PBY_OK; k++)
        for (size_t i = t->map->first[k]; i < t->map->first[k + 1]; i++)
            fmpq_get_mpq(t->channel[k * bars + t->map->bar[i]], t->map->chance + i);
    return status;
}

static pby_status read_tables(struct tables *t, const pby_projection_asked *asked, pby_error *err)
{
    pby_status status = PBY_OK;
    if (asked->new_utilities != NULL && pby_path_named(asked->utilities) == NULL &&
        pby_path_named(asked->new_utilities) == NULL)
        status = pby_refuse(err, "new-utilities", asked->new_utilities, "standard input once");
    if (status == PBY_OK)
        status = read_map(t, asked->table, err);
    if (status == PBY_OK)
        status = read_utilities(&t->utility, t->map->keys, "utilities", asked->utilities, err);
    if (status == PBY_OK && asked->new_utilities != NULL)
        status = read_utilities(&t->seen, t->map->bars, "new-utilities", asked->new_utilities, err);
    return status;
}

/* ---- the answer ---------------------------------------------------------------------------------- */

/* The names and utilities of the worst pair, as text. */
struct pair {
    char *key, *result, *utility, *seen;
};

static pby_status pair_of(struct pair *out, const struct tables *t, const pby_projection_worst *worst,
                          pby_error *err)
{
    const bool best = t->seen == NULL;
    out->key = pby_names_text(t->map->keys, worst->input);
    out->result = best ? pby_names_text(t->map->keys, worst->other)
                       : pby_names_text(t->map->bars, worst->result);
    out->utility = pby_exact_text(t->utility[worst->input]);
    out->seen = pby_exact_text(best ? t->utility[worst->other] : t->seen[worst->result]);
    return out->key == NULL || out->result == NULL || out->utility == NULL || out->seen == NULL
               ? pby_no_memory(err)
               : PBY_OK;
}

static void pair_clear(struct pair *p)
{
    free(p->key);
    free(p->result);
    free(p->utility);
    free(p->seen);
}

static void print_pair(pby_sheet *s, const struct pair *p)
{
    pby_sheet_line(s, "worst", "'%s' as '%s': utilities %s and %s", p->key, p->result, p->utility, p->seen);
    pby_sheet_member(s, "worst",
                     json_pack("{s:s, s:s, s:s, s:s}", "key", p->key, "new", p->result, "utility", p->utility,
                               "new_utility", p->seen));
}

/* Two keys that become one. */
static pby_status print_clash(pby_sheet *s, const struct tables *t, const struct pair *p,
                              const pby_projection_worst *worst, pby_error *err)
{
    char *name = pby_names_text(t->map->bars, worst->result);
    if (name == NULL)
        return pby_no_memory(err);
    pby_sheet_line(s, "worst", "'%s' and '%s', both as '%s': utilities %s and %s", p->key, p->result, name,
                   p->utility, p->seen);
    pby_sheet_member(s, "worst",
                     json_pack("{s:s, s:s, s:s, s:s, s:s}", "key", p->key, "other", p->result, "new", name,
                               "utility", p->utility, "other_utility", p->seen));
    free(name);
    return PBY_OK;
}

static pby_status print_best(pby_sheet *s, const struct tables *t, const pby_projection *p, unsigned digits,
                             pby_error *err)
{
    pby_projection_worst worst;
    struct pair pair = {.key = NULL};
    pby_enclosure epsilon;
    pby_enclosure_init(&epsilon);
    pby_status status = pby_projection_best(&epsilon, &worst, p, digits, err);
    if (status == PBY_OK)
        status = pair_of(&pair, t, &worst, err);
    if (status == PBY_OK) {
        pby_sheet_text(s, "theta", "theta", "0");
        pby_sheet_enclosure(s, "epsilon", "epsilon", &epsilon, digits, "of the best query of the new keys");
        status = print_clash(s, t, &pair, &worst, err);
    }
    pair_clear(&pair);
    pby_enclosure_clear(&epsilon);
    return status;
}

static pby_status print_epsilon(pby_sheet *s, const struct tables *t, const pby_projection *p,
                                mpq_srcptr theta, unsigned digits, pby_error *err)
{
    pby_projection_worst worst;
    struct pair pair = {.key = NULL};
    pby_enclosure epsilon;
    pby_enclosure_init(&epsilon);
    pby_status status = pby_projection_epsilon(&epsilon, &worst, p, theta, digits, err);
    if (status == PBY_OK)
        status = pair_of(&pair, t, &worst, err);
    if (status == PBY_OK) {
        pby_sheet_exact(s, "theta", "theta", theta);
        pby_sheet_enclosure(s, "epsilon", "epsilon", &epsilon, digits, NULL);
        print_pair(s, &pair);
    }
    pair_clear(&pair);
    pby_enclosure_clear(&epsilon);
    return status;
}

static pby_status refute(const struct pair *p, mpq_srcptr found, const pby_projection_asked *asked,
                         pby_error *err)
{
    char *chance = pby_exact_text(found);
    const pby_status status =
        chance == NULL
            ? pby_no_memory(err)
            : pby_fail(err, PBY_NO,
                       "violation: '%s' as '%s' has utilities %s and %s; on that key they are "
                       "farther apart than exp(%s) with a chance of %s, above theta %s",
                       p->key, p->result, p->utility, p->seen, asked->epsilon, chance, asked->theta);
    free(chance);
    return status;
}

/* theta is NULL where none is claimed. */
static pby_status print_theta(pby_sheet *s, const struct tables *t, const pby_projection *p,
                              mpq_srcptr epsilon, mpq_srcptr theta, const pby_projection_asked *asked,
                              pby_error *err)
{
    pby_projection_worst worst;
    struct pair pair = {.key = NULL};
    PBY_MPQ(found);
    pby_status status = pby_projection_theta(found, &worst, p, epsilon, err);
    if (status == PBY_OK)
        status = pair_of(&pair, t, &worst, err);
    if (status == PBY_OK && theta != NULL && mpq_cmp(found, theta) > 0)
        status = refute(&pair, found, asked, err);
    if (status == PBY_OK) {
        pby_sheet_exact(s, "epsilon", "epsilon", epsilon);
        pby_sheet_exact(s, "theta", "theta", found);
        if (theta != NULL)
            pby_sheet_exact(s, "claimed", "claimed", theta);
        if (mpq_sgn(found) > 0)
            print_pair(s, &pair);
    }
    pair_clear(&pair);
    return status;
}

static pby_status print_projection(pby_sheet *s, const struct tables *t, const pby_projection_asked *asked,
                                   pby_error *err)
{
    const pby_projection p = {t->channel[0], t->utility[0], t->seen == NULL ? NULL : t->seen[0], t->keys,
                              t->bars};
    mpq_t epsilon, theta;
    if (t->seen == NULL)
        return print_best(s, t, &p, asked->digits, err);
    mpq_inits(epsilon, theta, NULL);
    pby_status status = asked->epsilon == NULL ? PBY_OK
                                               : pby_rational_parse(epsilon, "epsilon", asked->epsilon, err);
    if (status == PBY_OK && mpq_sgn(epsilon) < 0)
        status = pby_refuse(err, "epsilon", asked->epsilon, "a rational from 0 on");
    if (status == PBY_OK && asked->theta != NULL)
        status = pby_rational_parse(theta, "theta", asked->theta, err);
    if (status == PBY_OK && (mpq_sgn(theta) < 0 || mpq_cmp_ui(theta, 1, 1) >= 0))
        status = pby_refuse(err, "theta", asked->theta, "a rational from 0 on, below 1");
    if (status == PBY_OK)
        status = asked->epsilon == NULL
                     ? print_epsilon(s, t, &p, theta, asked->digits, err)
                     : print_theta(s, t, &p, epsilon, asked->theta == NULL ? NULL : theta, asked, err);
    mpq_clears(epsilon, theta, NULL);
    return status;
}

pby_status pby_report_projection(char **text, const pby_projection_asked *asked, pby_report_form how,
                                 pby_error *err)
{
    struct tables t = {.keys = 0};
    pby_sheet s;
    pby_sheet_begin(&s, how);
    pby_status status = read_tables(&t, asked, err);
    if (status == PBY_OK) {
        pby_sheet_text(&s, "table", "sha256", t.map->digest.sha256);
        pby_sheet_number(&s, "keys", "keys", t.keys);
        pby_sheet_number(&s, "new keys", "new_keys", t.bars);
        status = print_projection(&s, &t, asked, err);
    }
    tables_clear(&t);
    return pby_sheet_end(text, &s, status, err);
}
