/* SPDX-License-Identifier: MIT */
/* The choosing part chooses: the best events of every feature, and how the error is shared among them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/bound/guess.h"
#include "audit/choose/choose_search.h"
#include "audit/count/kind.h"

struct proposal {
    unsigned feature;
    struct pby_draft c;
};

static bool easy_to_read(unsigned feature)
{
    return pby_feature_ordered(feature) && !pby_feature_learned(feature) && feature < PBY_FEATURE_GRID;
}

static int by_value(const void *a, const void *b)
{
    const struct proposal *x = a, *y = b;
    if (x->c.value != y->c.value)
        return x->c.value < y->c.value ? 1 : -1;
    const bool plain = easy_to_read(x->feature); /* of two that are alike */
    if (plain != easy_to_read(y->feature))
        return plain ? -1 : 1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

static void prepare(struct pby_search *s, const pby_audit *audit, unsigned feature, double log_error)
{
    const double z = 0.75 * pby_guess_z(log_error);
    double judges = 1;
    for (int side = 0; side < PBY_SIDES; side++) {
        for (int part = 0; part < 2; part++)
            s->seen[side][part] = (double)pby_audit_given(audit, feature, side, part);
        judges += (double)pby_audit_given(audit, feature, side, PBY_JUDGING);
    }
    const double one = s->seen[0][1] + s->seen[1][1], both = one + s->seen[0][0] + s->seen[1][0];
    s->z[0] = z * sqrt(one / judges);
    s->z[1] = z * sqrt(both / judges);
    s->block_bits = pby_feature_block_bits(feature);
    s->sets = audit->kinds >> pby_kind_of_set(feature) & 1;
    s->half_lines = audit->kinds >> pby_kind_of_half_line(feature) & 1;
    memset(s->best, 0, sizeof s->best);
}

/* The best of every feature and band for each question, the most promising first. */
static pby_status propose(struct proposal *proposal[PBY_REFUTABLE], size_t count[PBY_REFUTABLE],
                          const pby_audit *audit, double epsilon, double delta, double log_error,
                          pby_error *err)
{
    for (unsigned f = 0; f < PBY_FEATURES; f++) {
        const pby_frequencies *table = &audit->table[f];
        if (table->closed || table->chosen == 0)
            continue;
        struct pby_search s = {.factor = exp(epsilon), .delta = delta};
        prepare(&s, audit, f, log_error);
        if (!s.sets && !s.half_lines)
            continue;
        const pby_status status = pby_search_table(&s, table, err);
        if (status != PBY_OK)
            return status;
        for (int q = 0; q < PBY_REFUTABLE; q++)
            for (int band = 0; band < PBY_BANDS; band++)
                if (s.best[q][band].valid)
                    proposal[q][count[q]++] = (struct proposal){f, s.best[q][band]};
    }
    for (int q = 0; q < PBY_REFUTABLE; q++)
        qsort(proposal[q], count[q], sizeof **proposal, by_value);
    return PBY_OK;
}

static bool same(const struct proposal *x, const struct proposal *y)
{
    const struct pby_draft *a = &x->c, *b = &y->c;
    return x->feature == y->feature && a->accused == b->accused && a->level == b->level &&
           a->range == b->range && a->pooled == b->pooled && a->slope == b->slope && a->take == b->take &&
           a->lo == b->lo && a->hi == b->hi;
}

/* Which question the next event is to answer: epsilon more often, as delta's events are alike. */
static const int turns[PBY_EVENTS] = {PBY_REFUTE_EPSILON, PBY_REFUTE_DELTA,  PBY_REFUTE_EPSILON,
                                      PBY_REFUTE_EPSILON, PBY_REFUTE_DELTA,  PBY_REFUTE_EPSILON,
                                      PBY_REFUTE_EPSILON, PBY_REFUTE_EPSILON};

/* The most promising proposals in turn, none twice. */
static size_t pick(struct proposal picked[PBY_EVENTS], struct proposal *const proposal[PBY_REFUTABLE],
                   const size_t count[PBY_REFUTABLE])
{
    size_t next[PBY_REFUTABLE] = {0}, n = 0;
    for (size_t turn = 0; turn < PBY_EVENTS; turn++) {
        const int q = turns[turn];
        bool known = true;
        while (known && next[q] < count[q]) {
            picked[n] = proposal[q][next[q]++];
            known = false;
            for (size_t i = 0; i < n && !known; i++)
                known = same(&picked[i], &picked[n]);
        }
        n += !known;
    }
    return n;
}

static pby_status make_events(pby_event *event, const struct proposal *picked, size_t count,
                              const pby_audit *audit, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        const unsigned f = picked[i].feature;
        struct pby_search s;
        prepare(&s, audit, f, 0);
        status = pby_search_event(&event[i], f, &picked[i].c, &s, &audit->table[f], err);
    }
    return status;
}

pby_status pby_events_choose(pby_event *event, size_t *count, const pby_audit *audit, const fmpq_t epsilon,
                             const fmpq_t delta, const fmpq_t error, pby_error *err)
{
    struct proposal *proposal[PBY_REFUTABLE], picked[PBY_EVENTS];
    size_t proposals[PBY_REFUTABLE] = {0};
    *count = 0;
    for (int q = 0; q < PBY_REFUTABLE; q++)
        proposal[q] = malloc(PBY_FEATURES * PBY_BANDS * sizeof **proposal);
    pby_status status = proposal[0] == NULL || proposal[1] == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK)
        status = propose(proposal, proposals, audit, pby_guess_of(epsilon), pby_guess_of(delta),
                         log(pby_guess_of(error) / 4), err);
    if (status == PBY_OK) {
        *count = pick(picked, proposal, proposals);
        status = make_events(event, picked, *count, audit, err);
    }
    for (size_t i = 0; i < *count && status == PBY_OK; i++) {
        pby_event_share(&event[i], i, *count, error);
        pby_event_split(&event[i],
                        pby_event_count(&event[i], audit, 1u << PBY_ORDERING | 1u << PBY_SELECTING), delta);
    }
    for (int q = 0; q < PBY_REFUTABLE; q++)
        free(proposal[q]);
    return status;
}
