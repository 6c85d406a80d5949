/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/totals.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "probity/experimental/ledgers.h"
#include "probity/rational.h"

enum { FIRST_SLOTS = 64 };

/* ---- one tally ---------------------------------------------------------------------------------- */

static void tally_init(pby_ledger_tally *t)
{
    *t = (pby_ledger_tally){.part = NULL};
    mpq_inits(t->bound, t->delta, (mpq_ptr)0);
}

static void tally_clear(pby_ledger_tally *t)
{
    for (size_t i = 0; i < t->items; i++)
        pby_spec_free(t->item[i].spec);
    free(t->item);
    free(t->slot);
    free(t->part);
    mpq_clears(t->bound, t->delta, (mpq_ptr)0);
}

/* FNV-1a */
static uint64_t hash(const char *text)
{
    uint64_t h = 14695981039346656037u;
    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

/* The slot of a text: that which has it, or the empty one where it belongs. */
static size_t *slot_of(const pby_ledger_tally *t, const char *text)
{
    size_t i = hash(text) & (t->slots - 1);
    while (t->slot[i] != 0 && strcmp(pby_spec_text(t->item[t->slot[i] - 1].spec), text) != 0)
        i = (i + 1) & (t->slots - 1);
    return &t->slot[i];
}

/* Keeps at least half of the slots empty. */
static pby_status make_slots(pby_ledger_tally *t, pby_error *err)
{
    if (2 * (t->items + 1) <= t->slots)
        return PBY_OK;
    const size_t slots = t->slots == 0 ? FIRST_SLOTS : 2 * t->slots;
    size_t *slot = calloc(slots, sizeof *slot);
    if (slot == NULL)
        return pby_no_memory(err);
    free(t->slot);
    t->slot = slot;
    t->slots = slots;
    for (size_t i = 0; i < t->items; i++)
        *slot_of(t, pby_spec_text(t->item[i].spec)) = i + 1;
    return PBY_OK;
}

static bool reads_size(const pby_spec *spec)
{
    bool sized = false;
    for (size_t i = 0; i < spec->count; i++)
        sized = sized || pby_mechanism_size(&spec->use[i].mechanism) > 0;
    return sized;
}

static pby_status count_spec(pby_ledger_tally *t, const char *text, uint64_t count, pby_error *err)
{
    pby_spec *spec;
    PBY_TRY(make_slots(t, err));
    size_t *slot = slot_of(t, text);
    if (*slot != 0) {
        t->item[*slot - 1].count += count;
        return PBY_OK;
    }
    PBY_RESERVE(t->item, t->room, t->items + 1, err);
    PBY_TRY(pby_spec_parse(&spec, &text, 1, err));
    slot = slot_of(t, pby_spec_text(spec)); /* an old entry may have another text than the canonical one */
    if (*slot != 0) {
        t->item[*slot - 1].count += count;
        pby_spec_free(spec);
        return PBY_OK;
    }
    t->item[t->items] = (pby_tallied){spec, count, reads_size(spec)};
    *slot = ++t->items;
    return PBY_OK;
}

static pby_status add_number(mpq_t sum, const char *name, const char *text, pby_error *err)
{
    PBY_MPQ(term);
    if (text[0] == '\0')
        return PBY_OK;
    PBY_TRY(pby_rational_parse(term, name, text, err));
    if (mpq_sgn(term) < 0) /* of an entry by hand, which would give others more to spend */
        return pby_refuse(err, name, text, "a charge from 0 on");
    mpq_add(sum, sum, term);
    return PBY_OK;
}

static pby_status add_numbers(pby_ledger_tally *t, const char *bound, const char *delta, pby_error *err)
{
    PBY_TRY(add_number(t->bound, "ledger entry's epsilon", bound, err));
    return add_number(t->delta, "ledger entry's delta", delta, err);
}

static pby_status tally_add(pby_ledger_tally *t, const pby_ledger_entry *entry, pby_error *err)
{
    PBY_TRY(count_spec(t, entry->spec, 1, err));
    return add_numbers(t, entry->epsilon, entry->delta, err);
}

/* ---- all of them ------------------------------------------------------------------------------- */

void pby_totals_init(pby_totals *t)
{
    *t = (pby_totals){.chain = {-1, ""}};
    tally_init(&t->all);
}

void pby_totals_clear(pby_totals *t)
{
    for (size_t i = 0; i < t->parts; i++)
        tally_clear(&t->part[i]);
    free(t->part);
    tally_clear(&t->all);
    if (t->past != NULL)
        pby_totals_clear(t->past);
    free(t->past);
}

void pby_totals_forget(pby_totals *t)
{
    pby_totals_clear(t);
    pby_totals_init(t);
}

void pby_totals_begin(pby_totals *t, long long period)
{
    const pby_chain chain = t->chain;
    pby_totals_forget(t);
    t->chain = chain;
    t->period = period;
}

pby_status pby_totals_reach(pby_totals *t, long long period, pby_error *err)
{
    if (period <= t->period)
        return PBY_OK;
    pby_totals *past = malloc(sizeof *past);
    if (past == NULL)
        return pby_no_memory(err);
    pby_totals_return(t);
    *past = *t; /* with all that it owns */
    pby_totals_init(t);
    t->chain = past->chain;
    t->period = period;
    t->past = past;
    return PBY_OK;
}

void pby_totals_return(pby_totals *t)
{
    pby_totals *past = t->past;
    if (past == NULL)
        return;
    t->past = NULL;
    pby_totals_clear(t);
    *t = *past;
    free(past);
}

bool pby_totals_takes(const pby_totals *t, const char *part)
{
    return part == NULL || t->parts < PBY_LEDGER_PARTS_MAX || pby_totals_part(t, part) != NULL;
}

const pby_ledger_tally *pby_totals_part(const pby_totals *t, const char *name)
{
    for (size_t i = 0; i < t->parts && name != NULL; i++)
        if (strcmp(t->part[i].part, name) == 0)
            return &t->part[i];
    return NULL;
}

static pby_status find_part(pby_ledger_tally **out, pby_totals *t, const char *name, pby_error *err)
{
    *out = &t->all;
    if (name[0] == '\0')
        return PBY_OK;
    const pby_ledger_tally *known = pby_totals_part(t, name);
    if (known != NULL) {
        *out = &t->part[known - t->part];
        return PBY_OK;
    }
    if (t->parts == PBY_LEDGER_PARTS_MAX)
        return pby_refuse(err, "part", name, "one of the 1000 that there are, which is the most");
    PBY_RESERVE(t->part, t->room, t->parts + 1, err);
    char *copy = strdup(name);
    if (copy == NULL)
        return pby_no_memory(err);
    *out = &t->part[t->parts++];
    tally_init(*out);
    (*out)->part = copy;
    return PBY_OK;
}

pby_status pby_totals_add(pby_totals *t, const pby_ledger_entry *entry, long long period, pby_error *err)
{
    pby_ledger_tally *tally;
    if (period > t->period)
        pby_totals_begin(t, period);
    PBY_TRY(find_part(&tally, t, entry->part, err));
    return tally_add(tally, entry, err);
}

pby_status pby_totals_put(pby_totals *t, const char *part, const char *bound, const char *delta,
                          pby_error *err)
{
    pby_ledger_tally *tally;
    PBY_TRY(find_part(&tally, t, part, err));
    return add_numbers(tally, bound, delta, err);
}

pby_status pby_totals_count(pby_totals *t, const char *part, const char *spec, uint64_t count, pby_error *err)
{
    pby_ledger_tally *tally;
    PBY_TRY(find_part(&tally, t, part, err));
    return count_spec(tally, spec, count, err);
}

void pby_totals_most(mpq_t bound, mpq_t delta, const pby_totals *t)
{
    mpq_set_ui(bound, 0, 1);
    mpq_set_ui(delta, 0, 1);
    for (size_t i = 0; i < t->parts; i++) {
        if (mpq_cmp(t->part[i].bound, bound) > 0)
            mpq_set(bound, t->part[i].bound);
        if (mpq_cmp(t->part[i].delta, delta) > 0)
            mpq_set(delta, t->part[i].delta);
    }
}

/* ---- as one spec ------------------------------------------------------------------------------- */

struct uses {
    pby_use *use; /* whose mechanisms belong to the specs */
    size_t count, room;
};

/* As often as its entries are, in several uses where those of one are too many. */
static pby_status join_use(struct uses *all, const pby_use *use, uint64_t count, pby_error *err)
{
    const uint64_t most = PBY_TIMES_MAX / use->times;
    while (count > 0) {
        const uint64_t now = count < most ? count : most;
        PBY_RESERVE(all->use, all->room, all->count + 1, err);
        all->use[all->count] = *use;
        all->use[all->count++].times = now * use->times;
        count -= now;
    }
    return PBY_OK;
}

static pby_status join_spec(struct uses *all, const pby_spec *spec, uint64_t count, pby_error *err)
{
    for (size_t i = 0; i < spec->count; i++)
        PBY_TRY(join_use(all, &spec->use[i], count, err));
    return PBY_OK;
}

static pby_status join_tally(struct uses *all, const pby_ledger_tally *t, bool sized, pby_error *err)
{
    for (size_t i = 0; t != NULL && i < t->items; i++)
        if (!sized || t->item[i].sized)
            PBY_TRY(join_spec(all, t->item[i].spec, sized ? 1 : t->item[i].count, err));
    return PBY_OK;
}

pby_status pby_totals_gather(pby_spec **out, const pby_totals *t, const pby_ledger_tally *part,
                             const pby_spec *more, bool sized, pby_error *err)
{
    struct uses all = {.use = NULL};
    *out = NULL;
    pby_status status = join_tally(&all, &t->all, sized, err);
    if (status == PBY_OK)
        status = join_tally(&all, part, sized, err);
    if (status == PBY_OK && more != NULL)
        status = join_spec(&all, more, 1, err);
    if (status == PBY_OK && all.count > 0)
        status = pby_spec_of_uses(out, all.use, all.count, err); /* which copies them */
    free(all.use);
    return status;
}
