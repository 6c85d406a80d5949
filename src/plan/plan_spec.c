/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "number/integer.h"
#include "number/scoped.h"
#include "plan/plan_quantity.h"

/* Returns the sensitivity of a part of a quantity's moves as a text, for free(3). */
static char *move_text(const pby_plan_quantity *q, unsigned part)
{
    PBY_MPQ(size);
    pby_integer_set(mpq_numref(size), q->moves.size[part]);
    pby_integer_set(mpq_denref(size), q->unit);
    mpq_canonicalize(size);
    return mpq_get_str(NULL, 10, size);
}

/* One part of a quantity's moves. A list has one noise, so that beside coordinates that move by d with eps,
 * one that moves by r has eps r/d. For free(3); NULL when there is no memory. */
static char *part_text(const pby_plan_quantity *q, unsigned part, uint64_t uses)
{
    static const char *const parameter[] = {"sigma2", "eps", "eps", "eps"};
    char *text = NULL;
    PBY_MPQ(noise, ratio);
    mpq_set(noise, q->noise);
    if (q->family != PBY_PLAN_DGAUSS) {
        pby_integer_set(mpq_numref(ratio), q->moves.size[part]);
        pby_integer_set(mpq_denref(ratio), q->moves.size[0]);
        mpq_canonicalize(ratio);
        mpq_mul(noise, noise, ratio);
    }
    char *value = mpq_get_str(NULL, 10, noise), *size = move_text(q, part);
    char more[64] = "";
    if (q->gate)
        snprintf(more, sizeof more, ",T=%" PRId64, q->threshold);
    else if (q->candidates > 0 && !q->general)
        snprintf(more, sizeof more, ",scores=monotone");
    if (asprintf(&text, "%" PRIu64 "*%s:%s=%s,sensitivity=%s%s", uses, pby_plan_families[q->family],
                 parameter[q->family], value, size, more) < 0)
        text = NULL;
    free(value);
    free(size);
    return text;
}

pby_status pby_plan_spec(pby_spec **out, const pby_plan_quantities *q, uint64_t times, pby_error *err)
{
    const size_t room = 2 * q->count;
    char **texts = calloc(room, sizeof *texts);
    size_t count = 0;
    bool whole = texts != NULL;
    *out = NULL;
    for (size_t i = 0; i < q->count && whole; i++)
        for (unsigned part = 0; part < q->quantity[i].moves.parts && whole; part++) {
            texts[count] = part_text(&q->quantity[i], part, times * q->quantity[i].moves.count[part]);
            whole = texts[count++] != NULL;
        }
    const pby_status status = whole ? pby_spec_parse(out, (const char *const *)texts, count, err)
                                    : pby_no_memory(err);
    for (size_t i = 0; texts != NULL && i < room; i++)
        free(texts[i]);
    free(texts);
    return status;
}

pby_status pby_plan_cell_spec(pby_spec **out, const pby_plan_quantity *q, pby_error *err)
{
    char *text = part_text(q, 0, 1);
    *out = NULL;
    if (text == NULL)
        return pby_no_memory(err);
    const char *const texts[] = {text};
    const pby_status status = pby_spec_parse(out, texts, 1, err);
    free(text);
    return status;
}
