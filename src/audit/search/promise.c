/* SPDX-License-Identifier: MIT */
#include "audit/search/promise.h"

#include <math.h>

#include "audit/bound/guess.h"
#include "audit/choose/event.h"
#include "number/scoped.h"

struct claim {
    double delta, factor, z; /* factor is exp(epsilon), z the standard errors of the judgement */
    double doubt;
};

/* The error at which events are chosen here, one in so many: at that of the judgement, a few thousand outputs
 * would choose what is nearly certain, which says nothing. */
enum { CHOOSING_ERROR = 4 };

/* Estimates the bound that the event will show, from its counts among the judges, with `judges` outputs of a
 * side to come. */
static double promise_of(const pby_evidence *e, double judges, const struct claim *c)
{
    const double p = pby_guess_lower((double)e->n, (double)e->x, c->doubt),
                 q = pby_guess_upper((double)e->m, (double)e->y, c->doubt);
    const double lower = pby_guess_lower(judges, p * judges, c->z),
                 upper = pby_guess_upper(judges, q * judges, c->z);
    if (lower > c->delta && upper > 0)
        return log((lower - c->delta) / upper);
    return lower - c->factor * upper - 1000;
}

/* An event whose lesser probability is exp(-epsilon) or more breaks no claim, and all pairs have such events.
 */
static bool can_break(const pby_evidence *e, const struct claim *c)
{
    return (double)e->y * c->factor < (double)e->m;
}

static double promise_of_all(const pby_event *event, size_t count, const pby_audit *audit, double judges,
                             const struct claim *c)
{
    double best = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        const pby_evidence e = pby_event_count(&event[i], audit, 1u << PBY_JUDGING);
        if (e.n > 0 && e.m > 0 && !audit->table[event[i].feature].blind && can_break(&e, c))
            best = fmax(best, promise_of(&e, judges, c));
    }
    return best;
}

pby_status pby_audit_promise(double *promise, const pby_audit *audit, uint64_t outputs, double doubt,
                             mpq_srcptr epsilon, mpq_srcptr delta, mpq_srcptr error, pby_error *err)
{
    pby_event event[PBY_EVENTS];
    size_t count = 0;
    PBY_FMPQ(e, d, a, choosing);
    fmpq_set_si(choosing, 1, CHOOSING_ERROR);
    fmpq_set_mpq(e, epsilon);
    fmpq_set_mpq(d, delta);
    fmpq_set_mpq(a, error);
    for (size_t i = 0; i < PBY_EVENTS; i++)
        pby_event_init(&event[i]);
    const pby_status status = pby_events_choose(event, &count, audit, e, d, choosing, err);
    const struct claim c = {.delta = pby_guess_of(d),
                            .factor = exp(pby_guess_of(e)),
                            .doubt = doubt,
                            .z = 0.75 * pby_guess_z(log(pby_guess_of(a) / 4))};
    *promise = status == PBY_OK ? promise_of_all(event, count, audit, 0.75 * (double)outputs, &c) : -INFINITY;
    for (size_t i = 0; i < PBY_EVENTS; i++)
        pby_event_clear(&event[i]);
    return status;
}
