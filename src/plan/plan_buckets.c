/* SPDX-License-Identifier: MIT */
#include "plan/plan_buckets.h"

#include <stdlib.h>
#include <string.h>

#include "number/exact.h"
#include "number/scoped.h"
#include "probity/rational.h"

/* ---- one column ---------------------------------------------------------------------------------- */

/* The rationals behind the last three colons, the last first. Returns how many of them there are in a row;
 * *size is that of the name in front of them. */
static size_t split(size_t *size, const char *text, mpq_ptr part[3])
{
    size_t found = 0;
    *size = strlen(text);
    while (found < 3) {
        size_t at = *size;
        while (at > 0 && text[at - 1] != ':')
            at--;
        if (at == 0)
            return found;
        char *number = strndup(text + at, *size - at);
        const bool good = number != NULL && pby_rational_parse(part[found], "by", number, NULL) == PBY_OK;
        free(number);
        if (!good)
            return found;
        *size = at - 1;
        found++;
    }
    return found;
}

/* The number of buckets, (hi - lo)/width rounded up; 0 where the numbers are wrong or there are too many. */
static size_t count(mpq_srcptr lo, mpq_srcptr hi, mpq_srcptr width)
{
    PBY_MPQ(span);
    PBY_MPZ(cells);
    if (mpq_sgn(width) <= 0 || mpq_cmp(lo, hi) >= 0)
        return 0;
    mpq_sub(span, hi, lo);
    mpq_div(span, span, width);
    mpz_cdiv_q(cells, mpq_numref(span), mpq_denref(span));
    return mpz_cmp_ui(cells, PBY_PLAN_CELLS_MAX) > 0 ? 0 : mpz_get_ui(cells);
}

static pby_status set_ends(pby_plan_buckets *b, mpq_srcptr lo, mpq_srcptr width, size_t n, pby_error *err)
{
    PBY_MPQ(x);
    b->end = calloc(n, sizeof *b->end);
    if (b->end == NULL)
        return pby_no_memory(err);
    mpq_set(x, lo);
    for (; b->count < n; b->count++, mpq_add(x, x, width))
        if ((b->end[b->count] = pby_exact_text(x)) == NULL)
            return pby_no_memory(err);
    return PBY_OK;
}

pby_status pby_plan_read_column(pby_plan_grouping *g, const pby_plan_place *place, const pby_toml *text)
{
    static const char expected[] =
        "a column's name, or NAME:LO:HI:WIDTH with LO < HI, WIDTH > 0 and at most 2^20 buckets";
    PBY_MPQ(lo, hi, width);
    mpq_ptr part[3] = {width, hi, lo};
    pby_plan_buckets *b = &g->bucket[g->by];
    size_t size;
    const size_t numbers = split(&size, text->text, part);
    const size_t n = numbers == 3 ? count(lo, hi, width) : 0;
    if (numbers > 0 && (n == 0 || size == 0))
        return pby_plan_refuse(place, "by", text, expected);
    if ((g->column[g->by++] = strndup(text->text, size)) == NULL)
        return pby_no_memory(place->reader->err);
    if (numbers == 0)
        return PBY_OK;
    PBY_TRY(pby_plan_copy(&b->text, text->text, place->reader->err));
    return set_ends(b, lo, width, n, place->reader->err);
}

void pby_plan_buckets_free(pby_plan_buckets *b)
{
    for (size_t i = 0; i < b->count; i++)
        free(b->end[i]);
    free(b->end);
    free(b->text);
}

/* ---- groups -------------------------------------------------------------------------------------- */

bool pby_plan_all_buckets(const pby_plan_grouping *g)
{
    bool all = true;
    for (size_t i = 0; i < g->by; i++)
        all = all && g->bucket[i].text != NULL;
    return all;
}

pby_status pby_plan_list_buckets(pby_plan_grouping *g, const pby_plan_place *place)
{
    uint64_t product = 1;
    for (size_t i = 0; i < g->by; i++) { /* each factor is at most 2^20, and so is the product before it */
        product *= g->bucket[i].count;
        if (product > PBY_PLAN_GROUPS_MAX)
            return pby_plan_refuse(place, "by", pby_toml_at(place->table, "by"),
                                   "at most 2^20 buckets of all columns together");
    }
    const size_t groups = (size_t)product;
    g->group = calloc(groups * g->by, sizeof *g->group);
    if (g->group == NULL)
        return pby_no_memory(place->reader->err);
    g->groups = groups;
    for (size_t i = 0; i < groups; i++) {
        size_t rest = i;
        for (size_t k = g->by; k-- > 0; rest /= g->bucket[k].count)
            PBY_TRY(pby_plan_copy(&g->group[i * g->by + k], g->bucket[k].end[rest % g->bucket[k].count],
                                  place->reader->err));
    }
    return PBY_OK;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

const char *pby_plan_no_bucket(const pby_plan_grouping *g)
{
    for (size_t k = 0; k < g->by; k++) {
        const pby_plan_buckets *b = &g->bucket[k];
        char **sorted = b->text == NULL ? NULL : calloc(b->count, sizeof *sorted);
        const char *wrong = NULL;
        if (sorted == NULL) /* without memory a group that no row is of stays there */
            continue;
        memcpy(sorted, b->end, b->count * sizeof *sorted);
        qsort(sorted, b->count, sizeof *sorted, compare);
        for (size_t i = 0; i < g->groups && wrong == NULL; i++)
            if (bsearch(&g->group[i * g->by + k], sorted, b->count, sizeof *sorted, compare) == NULL)
                wrong = g->group[i * g->by + k];
        free(sorted);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}
