/* SPDX-License-Identifier: MIT */
/* A release plan is refused on one line, or it is within its limits and, with noise, comes out of its own
 * JSON as itself. Bytes that begin with a brace are the JSON of a certificate's plan. */
#include "plan/plan.h"

#include <stdint.h>
#include <string.h>

#include "base/json.h"
#include "plan/plan_json.h"
#include "plan/plan_quantity.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const pby_release_plan *p)
{
    must(p->times >= 1 && p->times <= PBY_PLAN_TIMES_MAX, "a horizon");
    must(p->statistics >= 1 && p->statistics <= PBY_PLAN_STATISTICS_MAX, "statistics");
    must(p->columns <= PBY_PLAN_COLUMNS_MAX && p->groupings <= PBY_PLAN_GROUPINGS_MAX,
         "columns and groupings");
    must(mpq_sgn(p->budget == PBY_ASK_DELTA ? p->epsilon : p->bound) > 0, "a budget");
    for (size_t i = 0; i < p->columns; i++)
        must(p->column[i].lo < p->column[i].hi && mpq_sgn(p->column[i].step) > 0, "bounds of a column");
    for (size_t i = 0; i < p->groupings; i++) {
        const pby_plan_grouping *g = &p->grouping[i];
        must(g->groups >= 1 && g->groups <= PBY_PLAN_GROUPS_MAX && mpq_sgn(g->expect) > 0, "groups");
        must(g->rows <= PBY_PLAN_BOUND_MAX && g->k <= PBY_PLAN_BOUND_MAX && g->m <= PBY_PLAN_BOUND_MAX,
             "bounds of a user");
    }
    for (size_t i = 0; i < p->statistics; i++)
        must(p->statistic[i].column < p->columns + 1 && p->statistic[i].grouping < p->groupings,
             "a statistic of what is there");
}

/* Any noise will do: a certificate's reader takes it from the JSON and judges it afterwards. */
static void set_noise(pby_plan_quantities *q)
{
    for (size_t i = 0; i < q->count; i++) {
        must(q->quantity[i].cells > 0 && q->quantity[i].factor > 0, "moves");
        mpq_set_ui(q->quantity[i].noise, 3, 2);
        if (q->quantity[i].gate)
            q->quantity[i].threshold = 7;
    }
}

/* The JSON of a plan is read as what has that JSON. */
static void read_again(const json_t *json)
{
    pby_release_plan *plan;
    pby_plan_quantities q;
    pby_error err = PBY_NO_ERROR;
    if (pby_plan_of_json(&plan, &q, json, &err) != PBY_OK) {
        must(err.text[0] != '\0' && strchr(err.text, '\n') == NULL, "one line");
        return;
    }
    look(plan);
    json_t *again = pby_plan_json(plan, &q);
    must(again != NULL && json_equal(again, json), "its own JSON");
    json_decref(again);
    pby_plan_quantities_clear(&q);
    pby_plan_free(plan);
}

static void read_file(const char *text, size_t size)
{
    pby_release_plan *plan;
    pby_plan_quantities q;
    pby_error err = PBY_NO_ERROR;
    if (pby_plan_parse(&plan, "p.toml", NULL, text, size, &err) != PBY_OK) {
        must(plan == NULL && err.status == PBY_BAD && strchr(err.text, '\n') == NULL &&
                 strncmp(err.text, "p.toml: ", 8) == 0,
             "one line that names the file");
        return;
    }
    look(plan);
    if (pby_plan_quantities_of(&q, plan, &err) == PBY_OK) {
        pby_digest digest;
        pby_release_plan *other;
        pby_plan_quantities same;
        set_noise(&q);
        json_t *json = pby_plan_json(plan, &q);
        must(json != NULL && pby_plan_digest(&digest, json, NULL) == PBY_OK, "a digest");
        must(pby_plan_of_json(&other, &same, json, &err) == PBY_OK, "its JSON is a plan");
        pby_plan_quantities_clear(&same);
        pby_plan_free(other);
        json_decref(json);
    } else
        must(strchr(err.text, '\n') == NULL, "one line");
    pby_plan_quantities_clear(&q);
    pby_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] == '{') {
        json_t *json = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
        if (json != NULL)
            read_again(json);
        json_decref(json);
    } else
        read_file((const char *)data, size);
    return 0;
}
