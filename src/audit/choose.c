/* The choosing half chooses: the best events of every feature, and how the error is shared among them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/guess.h"
#include "audit/search.h"

struct proposal {
    unsigned feature;
    struct pby_candidate c;
    struct pby_search search;
};

static int by_value(const void *a, const void *b)
{
    const struct proposal *x = a, *y = b;
    if (x->c.value != y->c.value)
        return x->c.value < y->c.value ? 1 : -1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

static void prepare(struct pby_search *s, const pby_audit *audit, bool learned, double log_error)
{
    const double z = 0.75 * pby_guess_z(log_error);
    double judges = 1;
    for (int side = 0; side < PBY_SIDES; side++) {
        for (int part = 0; part < 2; part++)
            s->seen[side][part] = (double)(learned ? audit->scored[side][part] : audit->seen[side][part]);
        judges += (double)(learned ? audit->scored : audit->seen)[side][PBY_JUDGING];
    }
    const double one = s->seen[0][1] + s->seen[1][1], both = one + s->seen[0][0] + s->seen[1][0];
    s->z[0] = z * sqrt(one / judges);
    s->z[1] = z * sqrt(both / judges);
    memset(s->best, 0, sizeof s->best);
}

/* The best of every feature for each question. */
static pby_status propose(struct proposal *proposal[PBY_ASKED], size_t *count, const pby_audit *audit,
                          double epsilon, double delta, double log_error, pby_error *err)
{
    *count = 0;
    for (unsigned f = 0; f < PBY_FEATURES; f++) {
        const pby_table *table = &audit->table[f];
        if (table->closed || table->chosen == 0)
            continue;
        struct pby_search s = {.factor = exp(epsilon), .delta = delta};
        prepare(&s, audit, f == PBY_FEATURE_SCORE, log_error);
        const pby_status status = pby_search_table(&s, table, err);
        if (status != PBY_OK)
            return status;
        for (int q = 0; q < PBY_ASKED; q++)
            proposal[q][*count] = (struct proposal){f, s.best[q], s};
        ++*count;
    }
    for (int q = 0; q < PBY_ASKED; q++)
        qsort(proposal[q], *count, sizeof **proposal, by_value);
    return PBY_OK;
}

/* The first event gets half of the error, the next a quarter, and so on; the last two get the same. */
static void share_error(pby_event *event, size_t count, const fmpq_t error)
{
    for (size_t i = 0; i < count; i++)
        fmpq_div_2exp(event[i].share.error, error, i + 1 < count ? i + 1 : i);
}

/* The use of the error that would show most on the choosing half. */
static void choose_split(pby_event *event, const pby_audit *audit, double delta)
{
    static const unsigned splits[] = {0, 32, 4, 60};
    const pby_evidence e = pby_event_count(event, audit, 1u << PBY_ORDERING | 1u << PBY_SELECTING);
    double best = -INFINITY;
    unsigned chosen = 0;
    if (e.n == 0 || e.m == 0)
        return;
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        event->share.split = splits[i];
        const double value = pby_guess_epsilon(&e, delta, &event->share);
        if (value > best) {
            best = value;
            chosen = splits[i];
        }
    }
    event->share.split = chosen;
}

/* Whether the first proposals for the other question, up to `last`, contain this one. */
static bool proposed(const struct proposal *other, const struct proposal *p, size_t last)
{
    for (size_t i = 0; i <= last; i++) {
        const struct pby_candidate *a = &other[i].c, *b = &p->c;
        if (other[i].feature == p->feature && a->accused == b->accused && a->level == b->level &&
            a->range == b->range && a->pooled == b->pooled && a->take == b->take && a->lo == b->lo && a->hi == b->hi)
            return true;
    }
    return false;
}

pby_status pby_events_choose(pby_event *event, size_t *count, const pby_audit *audit, const fmpq_t epsilon,
                             const fmpq_t delta, const fmpq_t error, pby_error *err)
{
    struct proposal *proposal[PBY_ASKED];
    size_t proposals = 0;
    *count = 0;
    for (int q = 0; q < PBY_ASKED; q++)
        proposal[q] = malloc(PBY_FEATURES * sizeof **proposal);
    pby_status status = proposal[0] == NULL || proposal[1] == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK)
        status = propose(proposal, &proposals, audit, pby_guess_of(epsilon), pby_guess_of(delta), log(pby_guess_of(error) / 4), err);
    for (size_t i = 0; i < proposals && status == PBY_OK && *count < PBY_EVENTS; i++)
        for (int q = 0; q < PBY_ASKED && status == PBY_OK && *count < PBY_EVENTS; q++) {
            const struct proposal *p = &proposal[q][i];
            if (!p->c.valid || (q == PBY_ASK_DELTA && proposed(proposal[PBY_ASK_EPSILON], p, i)))
                continue;
            status = pby_search_event(&event[*count], p->feature, &p->c, &p->search, &audit->table[p->feature], err);
            ++*count;
        }
    share_error(event, *count, error);
    for (size_t i = 0; i < *count && status == PBY_OK; i++)
        choose_split(&event[i], audit, pby_guess_of(delta));
    for (int q = 0; q < PBY_ASKED; q++)
        free(proposal[q]);
    return status;
}
