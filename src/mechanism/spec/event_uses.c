/* SPDX-License-Identifier: MIT */
#include "mechanism/spec/event_uses.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "number/scoped.h"

void pby_event_use_init(pby_event_use *use, const pby_family *family)
{
    *use = (pby_event_use){.family = family, .times = 1};
    for (size_t i = 0; i < PBY_EVENT_PARAMETERS; i++)
        mpq_init(use->value[i]);
}

void pby_event_use_clear(pby_event_use *use)
{
    for (size_t i = 0; i < PBY_EVENT_PARAMETERS; i++)
        mpq_clear(use->value[i]);
}

void pby_event_use_give(pby_event_use *use, const char *name, mpq_srcptr value)
{
    use->name[use->given] = name;
    mpq_set(use->value[use->given], value);
    use->given++;
}

bool pby_event_use_has(const pby_event_use *use, const char *name)
{
    for (size_t i = 0; i < use->given; i++)
        if (strcmp(use->name[i], name) == 0)
            return true;
    return false;
}

static bool same(const pby_event_use *a, const pby_event_use *b)
{
    if (a->family != b->family || a->given != b->given)
        return false;
    for (size_t i = 0; i < a->given; i++)
        if (strcmp(a->name[i], b->name[i]) != 0 || !mpq_equal(a->value[i], b->value[i]))
            return false;
    return true;
}

static pby_status refuse_times(size_t line, pby_error *err)
{
    return pby_fail(err, PBY_BAD, "line %zu: expected at most %d uses of one mechanism together", line,
                    PBY_TIMES_MAX);
}

pby_status pby_event_uses_add(pby_event_uses *uses, const pby_event_use *use, size_t line, pby_error *err)
{
    for (size_t i = 0; i < uses->count; i++)
        if (same(&uses->use[i], use)) {
            if (use->times > PBY_TIMES_MAX - uses->use[i].times)
                return refuse_times(line, err);
            uses->use[i].times += use->times;
            return PBY_OK;
        }
    if (uses->count == PBY_EVENT_USES_MAX)
        return pby_fail(err, PBY_BAD, "line %zu: expected at most %d different mechanisms", line,
                        PBY_EVENT_USES_MAX);
    pby_event_use *all = realloc(uses->use, (uses->count + 1) * sizeof *all);
    if (all == NULL)
        return pby_no_memory(err);
    uses->use = all;
    pby_event_use *last = &all[uses->count++];
    pby_event_use_init(last, use->family);
    for (size_t i = 0; i < use->given; i++)
        pby_event_use_give(last, use->name[i], use->value[i]);
    last->times = use->times;
    return PBY_OK;
}

pby_status pby_event_uses_repeat(pby_event_uses *uses, uint64_t times, size_t line, pby_error *err)
{
    for (size_t i = 0; i < uses->count; i++) {
        if (times > PBY_TIMES_MAX / uses->use[i].times)
            return refuse_times(line, err);
        uses->use[i].times *= times;
    }
    return PBY_OK;
}

void pby_event_uses_clear(pby_event_uses *uses)
{
    for (size_t i = 0; i < uses->count; i++)
        pby_event_use_clear(&uses->use[i]);
    free(uses->use);
    *uses = (pby_event_uses){NULL, 0};
}

static pby_status set_mechanism(pby_mechanism *m, const pby_event_use *use, pby_error *err)
{
    unsigned given = 0;
    PBY_FMPQ(value);
    for (size_t i = 0; i < use->given; i++) {
        fmpq_set_mpq(value, use->value[i]);
        PBY_TRY(pby_mechanism_give(m, &given, use->name[i], value, err));
    }
    return pby_mechanism_complete(m, given, err);
}

pby_status pby_event_uses_spec(pby_spec **out, const pby_event_uses *uses, pby_error *err)
{
    pby_use *all = calloc(uses->count, sizeof *all);
    if (all == NULL)
        return pby_no_memory(err);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < uses->count; i++) {
        all[i].times = uses->use[i].times;
        pby_mechanism_init(&all[i].mechanism, uses->use[i].family);
        if (status == PBY_OK)
            status = set_mechanism(&all[i].mechanism, &uses->use[i], err);
    }
    if (status == PBY_OK)
        status = pby_spec_of_uses(out, all, uses->count, err);
    for (size_t i = 0; i < uses->count; i++)
        pby_mechanism_clear(&all[i].mechanism);
    free(all);
    return status;
}
