/* SPDX-License-Identifier: MIT */
/* The search: patterns first, then rounds that halve the pairs, try new ones near those that are left, and
 * give each pair more outputs, on top of those that it has. In the last round the best few of all meet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/search/pattern.h"
#include "audit/search/promise.h"
#include "base/status.h"
#include "probity/experimental/auditing.h"
#include "probity/rational.h"

enum { PAIRS_DEFAULT = 100, ROUNDS = 6, LEAST_OUTPUTS = 400, FINALISTS = 4, LASTING = 2 };

/* The most outputs that a run is given because it is slow to start; of how many pairs the counts are kept,
 * and up to how many outputs of a side: with more, a round's own are enough, and the counts take much memory.
 */
enum { START_MOST = 4000, COUNTED_MOST = 8, KEPT_OUTPUTS = 8000 };

struct pby_worst_pair {
    char *text[2];
    const char *pattern;
    unsigned long tried, passed_over;
    uint64_t outputs;
};

struct tried {
    pby_input_pair pair;
    double promise;
    pby_audit *counts; /* of all its outputs, with nothing learned yet; NULL: none are kept */
};

struct hunt {
    const pby_inputs *inputs;
    const pby_search_asked *asked;
    mpq_t epsilon, delta, error;
    uint64_t spent, state;
    uint64_t least;        /* outputs of a side in one run */
    pby_input_pair *known; /* all that were tried: none is tried anew */
    size_t tried;
    unsigned long passed_over;
};

/* ---- one pair --------------------------------------------------------------------------------- */

/* Runs the mechanism on a pair, and counts what it gives. */
static pby_status run_pair(pby_audit *counts, struct hunt *h, const pby_input_pair *pair, uint64_t n,
                           pby_error *err)
{
    const uint64_t before = pby_audit_outputs(counts, PBY_LEFT) + pby_audit_outputs(counts, PBY_RIGHT);
    char *left = pby_input_pair_text(pair, h->inputs, PBY_LEFT),
         *right = pby_input_pair_text(pair, h->inputs, PBY_RIGHT);
    const pby_status status = left == NULL || right == NULL
                                  ? pby_no_memory(err)
                                  : h->asked->source(counts, left, right, n, h->asked->what, err);
    free(left);
    free(right);
    h->spent += pby_audit_outputs(counts, PBY_LEFT) + pby_audit_outputs(counts, PBY_RIGHT) - before;
    return status;
}

/* Sets *promise to what the counts promise. It judges a copy: judging learns from the outputs that there are,
 * and more may come. */
static pby_status promise_of(double *promise, const struct hunt *h, const pby_audit *counts, double doubt,
                             pby_error *err)
{
    pby_audit *copy = NULL;
    pby_status status = pby_audit_new(&copy, err);
    if (status == PBY_OK)
        status = pby_audit_merge(copy, counts, err);
    if (status == PBY_OK && h->asked->features != NULL)
        status = pby_audit_features(copy, h->asked->features, err);
    if (status == PBY_OK)
        status = pby_audit_settle(copy, err);
    if (status == PBY_OK)
        status =
            pby_audit_promise(promise, copy, h->asked->outputs, doubt, h->epsilon, h->delta, h->error, err);
    pby_audit_free(copy);
    return status;
}

static void forget(struct tried *t)
{
    pby_audit_free(t->counts);
    t->counts = NULL;
}

/* Returns the outputs that each of `count` pairs gets in a round. */
static uint64_t share(const struct hunt *h, size_t count)
{
    const uint64_t part = h->asked->outputs / (ROUNDS * (uint64_t)count);
    return part < h->least ? h->least : part;
}

/* A pair that has half of the outputs of the judgement needs no more. */
static pby_status weigh(struct tried *t, struct hunt *h, uint64_t n, double doubt, pby_error *err)
{
    pby_status status = t->counts == NULL ? pby_audit_new(&t->counts, err) : PBY_OK;
    t->promise = -INFINITY;
    if (status == PBY_OK && 2 * pby_audit_outputs(t->counts, PBY_LEFT) < h->asked->outputs)
        status = run_pair(t->counts, h, &t->pair, n, err);
    if (status == PBY_OK && pby_audit_outputs(t->counts, PBY_LEFT) > 0 &&
        pby_audit_outputs(t->counts, PBY_RIGHT) > 0)
        status = promise_of(&t->promise, h, t->counts, doubt, err);
    if (t->counts != NULL && pby_audit_outputs(t->counts, PBY_LEFT) > KEPT_OUTPUTS)
        forget(t);
    if (status == PBY_INCONCLUSIVE) {
        forget(t);
        h->passed_over++;
        status = PBY_OK;
    }
    return status;
}

/* Weighs a lasting pair with more outputs, in the last round: its leak may be rare, and only many outputs
 * show that the other side never has it. It is doubted less, for it was not chosen among many. The new
 * promise counts if it breaks the claim; if not, the pair is compared as the others are. */
static pby_status weigh_again(struct tried *t, struct hunt *h, pby_error *err)
{
    const double claim = mpq_get_d(h->epsilon), before = t->promise;
    if (before > claim)
        return PBY_OK;
    const pby_status status = weigh(t, h, share(h, LASTING), 1, err);
    if (!(t->promise > claim))
        t->promise = before;
    return status;
}

/* ---- the time of a run ------------------------------------------------------------------------ */

static pby_status time_run(double *took, struct hunt *h, const pby_input_pair *pair, uint64_t n,
                           pby_error *err)
{
    pby_audit *counts = NULL;
    pby_status status = pby_audit_new(&counts, err);
    const double start = h->asked->clock(h->asked->what);
    if (status == PBY_OK)
        status = run_pair(counts, h, pair, n, err);
    *took = h->asked->clock(h->asked->what) - start;
    pby_audit_free(counts);
    return status == PBY_INCONCLUSIVE ? PBY_OK : status;
}

/* A program that starts slowly gives at least as many outputs as it could in the time of its start: they at
 * most double the time, and a few hundred are too few to find a rare event. */
static pby_status time_start(struct hunt *h, const pby_input_pair *pair, pby_error *err)
{
    double one, few;
    h->least = LEAST_OUTPUTS;
    if (h->asked->clock == NULL)
        return PBY_OK;
    pby_status status = time_run(&one, h, pair, 1, err);
    if (status == PBY_OK)
        status = time_run(&few, h, pair, LEAST_OUTPUTS, err);
    if (status != PBY_OK)
        return status;
    if (LEAST_OUTPUTS * one >= START_MOST * (few - one))
        h->least = START_MOST;
    else if (one > few - one)
        h->least = (uint64_t)(LEAST_OUTPUTS * one / (few - one));
    if (2 * h->least > h->asked->outputs)
        h->least = h->asked->outputs / 2 > LEAST_OUTPUTS ? h->asked->outputs / 2 : LEAST_OUTPUTS;
    return status;
}

/* ---- rounds ----------------------------------------------------------------------------------- */

static int by_promise(const void *a, const void *b)
{
    const struct tried *x = a, *y = b;
    return (x->promise < y->promise) - (x->promise > y->promise);
}

/* Gives each of them its part of a round's outputs, and orders them. The first round lets through what is
 * rare and was seen a few times; the last, where each gets more outputs, doubts what may be luck. */
static pby_status weigh_all(struct tried *t, size_t count, unsigned round, struct hunt *h, pby_error *err)
{
    const bool last = round + 1 == ROUNDS;
    const double doubt = round == 0 ? 0 : last ? 2 : 1;
    const uint64_t n = share(h, count);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        status = weigh(&t[i], h, n, doubt, err);
        if (status == PBY_OK && last && t[i].pair.lasting)
            status = weigh_again(&t[i], h, err);
        if ((i + 1) % COUNTED_MOST == 0 || i + 1 == count) {
            qsort(t, i + 1, sizeof *t, by_promise);
            for (size_t k = COUNTED_MOST; k <= i; k++)
                if (!t[k].pair.lasting)
                    forget(&t[k]);
        }
    }
    return status;
}

static bool is_new(const pby_input_pair *pair, struct hunt *h)
{
    for (size_t i = 0; i < h->tried; i++)
        if (pby_input_pair_same(&h->known[i], pair))
            return false;
    h->known[h->tried++] = *pair;
    return true;
}

/* New pairs near the first `kept` ones, behind them; returns how many. */
static size_t try_near(struct tried *t, size_t kept, size_t most, struct hunt *h)
{
    size_t count = 0;
    for (size_t i = 0; i < 8 * most && count < most; i++) {
        pby_input_pair *to = &t[kept + count].pair;
        forget(&t[kept + count]);
        pby_pattern_near(to, &t[i % kept].pair, h->inputs, &h->state);
        count += is_new(to, h);
    }
    return count;
}

/* Moves the pairs that last to the front, behind the first `kept`; returns how many stay. */
static size_t keep_lasting(struct tried *t, size_t kept, size_t count)
{
    for (size_t i = kept; i < count; i++)
        if (t[i].pair.lasting) {
            const struct tried moved = t[i];
            t[i] = t[kept];
            t[kept++] = moved;
        }
    return kept;
}

/* The patterns, and where they are few, pairs near them. */
static pby_status begin(struct tried *t, size_t *count, size_t most, struct hunt *h, pby_error *err)
{
    h->tried = *count = pby_patterns(h->known, most, h->inputs);
    for (size_t i = 0; i < *count; i++)
        t[i].pair = h->known[i];
    if (*count == 0)
        return pby_fail(err, PBY_BAD, "inputs: expected ranges with neighbouring inputs in them");
    *count += try_near(t, *count, most - *count, h);
    return PBY_OK;
}

static pby_status hunt(struct tried *t, size_t pairs, struct hunt *h, pby_error *err)
{
    size_t count;
    pby_status status = begin(t, &count, (pairs + 1) / 2, h, err);
    if (status != PBY_OK)
        return status;
    const size_t news = (pairs - count) / (ROUNDS - 2);
    status = time_start(h, &t[0].pair, err);
    if (status == PBY_OK)
        status = weigh_all(t, count, 0, h, err);
    if (status == PBY_OK && h->passed_over == count)
        return PBY_BAD; /* for the reason of the last of them */
    for (unsigned round = 1; round < ROUNDS && status == PBY_OK; round++) {
        const bool last = round + 1 == ROUNDS;
        const size_t halved = (pairs / 8) >> (round - 1), wanted = last || halved < 2 ? FINALISTS : halved;
        const size_t kept = keep_lasting(t, wanted > count ? count : wanted, count);
        const size_t added = last ? 0 : try_near(t, kept, news, h);
        count = kept + added;
        if (count > 1)
            status = weigh_all(t, count, round, h, err);
    }
    return status;
}

/* ---- the whole -------------------------------------------------------------------------------- */

void pby_worst_pair_free(pby_worst_pair *worst)
{
    if (worst == NULL)
        return;
    free(worst->text[0]);
    free(worst->text[1]);
    free(worst);
}

const char *pby_worst_pair_input(const pby_worst_pair *worst, pby_side side)
{
    return worst->text[side == PBY_RIGHT];
}

const char *pby_worst_pair_pattern(const pby_worst_pair *worst)
{
    return worst->pattern;
}

unsigned long pby_worst_pair_tried(const pby_worst_pair *worst)
{
    return worst->tried;
}

unsigned long pby_worst_pair_passed_over(const pby_worst_pair *worst)
{
    return worst->passed_over;
}

uint64_t pby_worst_pair_outputs(const pby_worst_pair *worst)
{
    return worst->outputs;
}

static pby_status read_claim(struct hunt *h, pby_error *err)
{
    const pby_search_asked *a = h->asked;
    PBY_TRY(a->epsilon == NULL ? pby_fail(err, PBY_BAD, "epsilon: expected the claim to judge")
                               : pby_rational_parse(h->epsilon, "epsilon", a->epsilon, err));
    PBY_TRY(pby_rational_parse(h->delta, "delta", a->delta != NULL ? a->delta : "0", err));
    PBY_TRY(pby_rational_parse(h->error, "error", a->error != NULL ? a->error : "1e-6", err));
    if (mpq_sgn(h->epsilon) < 0)
        PBY_TRY(pby_refuse(err, "epsilon", a->epsilon, "a rational from 0 on"));
    if ((mpq_sgn(h->delta) < 0 || mpq_cmp_ui(h->delta, 1, 1) >= 0))
        PBY_TRY(pby_refuse(err, "delta", a->delta, "a rational from 0 to below 1"));
    if ((mpq_sgn(h->error) <= 0 || mpq_cmp_ui(h->error, 1, 2) >= 0))
        PBY_TRY(pby_refuse(err, "error", a->error, "a rational above 0 and below 1/2"));
    if ((a->outputs < 1 || a->outputs > PBY_AUDIT_OUTPUTS_MAX))
        PBY_TRY(pby_fail(err, PBY_BAD, "outputs: expected a number from 1 to 2^40"));
    if (a->pairs > PBY_SEARCH_PAIRS_MAX)
        return pby_fail(err, PBY_BAD, "pairs: expected a number from 1 to %d", PBY_SEARCH_PAIRS_MAX);
    return PBY_OK;
}

static pby_status report(pby_worst_pair **out, const struct tried *best, const struct hunt *h, pby_error *err)
{
    pby_worst_pair *w = calloc(1, sizeof *w);
    if (w == NULL)
        return pby_no_memory(err);
    w->text[0] = pby_input_pair_text(&best->pair, h->inputs, PBY_LEFT);
    w->text[1] = pby_input_pair_text(&best->pair, h->inputs, PBY_RIGHT);
    w->pattern = best->pair.pattern;
    w->tried = h->tried;
    w->passed_over = h->passed_over;
    w->outputs = h->spent;
    if (w->text[0] == NULL || w->text[1] == NULL) {
        pby_worst_pair_free(w);
        return pby_no_memory(err);
    }
    *out = w;
    return PBY_OK;
}

pby_status pby_inputs_search(pby_worst_pair **out, const pby_inputs *inputs, const pby_search_asked *asked,
                             pby_error *err)
{
    struct hunt h = {.inputs = inputs, .asked = asked};
    const size_t pairs = asked->pairs == 0 ? PAIRS_DEFAULT : asked->pairs;
    *out = NULL;
    mpq_inits(h.epsilon, h.delta, h.error, NULL);
    pby_status status = read_claim(&h, err);
    struct tried *t = NULL;
    if (status == PBY_OK) {
        t = calloc(2 * pairs, sizeof *t);
        h.known = calloc(2 * pairs, sizeof *h.known);
        status = t == NULL || h.known == NULL ? pby_no_memory(err) : hunt(t, pairs, &h, err);
    }
    if (status == PBY_OK)
        status = report(out, &t[0], &h, err);
    for (size_t i = 0; t != NULL && i < 2 * pairs; i++)
        forget(&t[i]);
    free(h.known);
    free(t);
    mpq_clears(h.epsilon, h.delta, h.error, NULL);
    return status;
}
