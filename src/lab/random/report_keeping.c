/* SPDX-License-Identifier: MIT */
/* Prints if a random map in a table keeps neighbours. */
#include <stdlib.h>

#include "base/status.h"
#include "io/file.h"
#include "lab/random/keeping.h"
#include "lab/random/report_random.h"
#include "number/numbers.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "report/sheet.h"
#include "table/map/table_scatter.h"
#include "table/measure/named_relation.h"

struct tables {
    pby_scatter *map;
    bool *near, *new_near;
    mpq_t *chance;
    size_t before, after;
};

static void tables_clear(struct tables *t)
{
    pby_numbers_free(t->chance, t->before * t->after);
    free(t->near);
    free(t->new_near);
    pby_scatter_free(t->map);
}

static pby_status refuse_twice(const pby_keeping_asked *asked, pby_error *err)
{
    const char *path[] = {asked->table, asked->neighbours, asked->new_neighbours};
    int inputs = 0;
    for (int i = 0; i < 3; i++)
        inputs += path[i] != NULL && pby_path_named(path[i]) == NULL;
    return inputs < 2 ? PBY_OK : pby_refuse(err, "neighbours", "-", "standard input once");
}

static pby_status read_tables(struct tables *t, const pby_keeping_asked *asked, pby_error *err)
{
    PBY_TRY(refuse_twice(asked, err));
    if (asked->new_neighbours == NULL)
        return pby_fail(err, PBY_BAD, "new-neighbours: expected a table of 0 and 1, beside neighbours");
    PBY_TRY(pby_scatter_read(&t->map, asked->table, "table", "", err));
    const size_t before = pby_names_count(t->map->keys), after = pby_names_count(t->map->bars);
    PBY_TRY(pby_keeping_fits(before, after, err));
    PBY_TRY(pby_relation_read(&t->near, t->map->keys, "key", "neighbours", asked->neighbours, err));
    PBY_TRY(pby_relation_read(&t->new_near, t->map->bars, "new key", "new-neighbours", asked->new_neighbours,
                              err));
    PBY_TRY(pby_numbers_new(&t->chance, before * after, err));
    t->before = before;
    t->after = after;
    for (size_t k = 0; k < before; k++)
        for (size_t i = t->map->first[k]; i < t->map->first[k + 1]; i++)
            fmpq_get_mpq(t->chance[k * after + t->map->bar[i]], t->map->chance + i);
    return PBY_OK;
}

static pby_status print_worst(pby_sheet *s, const struct tables *t, size_t x, size_t y, pby_error *err)
{
    char *first = pby_names_text(t->map->keys, x), *second = pby_names_text(t->map->keys, y);
    const bool whole = first != NULL && second != NULL;
    if (whole) {
        pby_sheet_line(s, "worst", "keys '%s' and '%s'", first, second);
        pby_sheet_member(s, "worst", json_pack("{s:s, s:s}", "x", first, "y", second));
    }
    free(first);
    free(second);
    return whole ? PBY_OK : pby_no_memory(err);
}

static pby_status print_keeping(pby_sheet *s, const struct tables *t, mpq_srcptr theta, pby_error *err)
{
    const pby_keeping map = {t->chance[0], t->near, t->new_near, t->before, t->after};
    size_t x, y, pairs;
    pby_distance steps;
    pby_distance_init(&steps);
    pby_status status = pby_keeping_steps(&steps, &x, &y, &pairs, &map, theta, err);
    if (status == PBY_OK) {
        const bool keeps = !steps.infinite && mpq_cmp_ui(steps.value, 1, 1) <= 0;
        pby_sheet_text(s, "table", "sha256", t->map->digest.sha256);
        pby_sheet_number(s, "keys", "keys", t->before);
        pby_sheet_number(s, "new keys", "new_keys", t->after);
        pby_sheet_exact(s, "theta", "theta", theta);
        pby_sheet_number(s, "pairs", "pairs", pairs);
        pby_sheet_distance(s, "steps", "steps", &steps);
        pby_sheet_line(s, "keeps", "%s%s",
                       keeps ? "neighbours are neighbours, or equal, behind the table"
                             : "no: some neighbours are farther apart behind the table",
                       mpq_sgn(theta) > 0 ? ", but for a mass of theta" : "");
        pby_sheet_member(s, "keeps", json_boolean(keeps));
        if (pairs > 0)
            status = print_worst(s, t, x, y, err);
    }
    pby_distance_clear(&steps);
    return status;
}

pby_status pby_report_keeping(char **text, const pby_keeping_asked *asked, pby_report_form form,
                              pby_error *err)
{
    struct tables t = {.before = 0};
    PBY_MPQ(theta);
    pby_sheet s;
    pby_sheet_begin(&s, form);
    pby_status status = asked->theta == NULL ? PBY_OK : pby_rational_parse(theta, "theta", asked->theta, err);
    if (status == PBY_OK && (mpq_sgn(theta) < 0 || mpq_cmp_ui(theta, 1, 1) >= 0))
        status = pby_refuse(err, "theta", asked->theta, "a rational from 0 on, below 1");
    if (status == PBY_OK)
        status = read_tables(&t, asked, err);
    if (status == PBY_OK)
        status = print_keeping(&s, &t, theta, err);
    tables_clear(&t);
    return pby_sheet_end(text, &s, status, err);
}
