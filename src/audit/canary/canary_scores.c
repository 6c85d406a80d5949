/* SPDX-License-Identifier: MIT */
#include "audit/canary/canary_scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/outcome.h"
#include "base/status.h"

pby_status pby_canaries_new(pby_canaries **out, pby_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out == NULL ? pby_no_memory(err) : PBY_OK;
}

void pby_canaries_free(pby_canaries *canaries)
{
    if (canaries == NULL)
        return;
    free(canaries->score);
    free(canaries);
}

static pby_status grow(pby_canaries *c, pby_error *err)
{
    if (c->n == PBY_CANARIES_MAX)
        return pby_fail(err, PBY_BAD, "scores: expected at most 2^27 canaries");
    if (c->n < c->room)
        return PBY_OK;
    const size_t room = c->room == 0 ? 1024 : 2 * c->room;
    struct pby_canary_score *more = realloc(c->score, room * sizeof *more);
    if (more == NULL)
        return pby_no_memory(err);
    c->score = more;
    c->room = room;
    return PBY_OK;
}

pby_status pby_canaries_add(pby_canaries *c, bool included, const char *score, size_t length, pby_error *err)
{
    pby_outcome outcome;
    pby_outcome_read(&outcome, score, length > 0 && score[length - 1] == '\r' ? length - 1 : length);
    if (outcome.coordinates != 1 || outcome.token[0].kind != PBY_NUMBER) {
        char text[64];
        const size_t shown = length < sizeof text ? length : sizeof text - 1;
        memcpy(text, score, shown);
        text[shown] = '\0';
        return pby_refuse(err, "score", text, "an integer or a decimal, one a line");
    }
    const pby_status status = grow(c, err);
    if (status != PBY_OK)
        return status;
    c->score[c->n++] = (struct pby_canary_score){outcome.token[0].value, included};
    c->included += included;
    return PBY_OK;
}

const char *pby_canary_scores_name(bool included)
{
    return included ? "scores of canaries that were included" : "scores of canaries that were left out";
}

/* ---- the lists --------------------------------------------------------------------------------- */

uint64_t pby_canary_list_made(uint64_t m, size_t i)
{
    const size_t pair = i / 2;
    return (uint64_t)llround((double)m * pow(2, -(double)pair / 2));
}

size_t pby_canary_lists(uint64_t m)
{
    size_t n = 2;
    while (n < PBY_GUESS_LISTS && pby_canary_list_made(m, n) >= PBY_GUESSES_LEAST)
        n += 2;
    return n;
}

/* By score, and in a tie those that were included first: they are wrong at the low end, and the others at the
 * high end. */
static int by_score(const void *a, const void *b)
{
    const struct pby_canary_score *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return (int)y->included - (int)x->included;
}

pby_status pby_canaries_count(pby_canary_tally *tally, const pby_canaries *c, pby_error *err)
{
    const size_t m = c->n;
    struct pby_canary_score *sorted = malloc((m + 1) * sizeof *sorted);
    uint64_t *below = malloc((m + 1) * sizeof *below); /* how many of the lowest i were included */
    if (sorted == NULL || below == NULL) {
        free(below);
        free(sorted);
        return pby_no_memory(err);
    }
    memcpy(sorted, c->score, m * sizeof *sorted);
    qsort(sorted, m, sizeof *sorted, by_score);
    below[0] = 0;
    for (size_t i = 0; i < m; i++)
        below[i + 1] = below[i] + sorted[i].included;
    *tally = (pby_canary_tally){.canaries = m, .included = c->included};
    for (size_t i = 0; i < pby_canary_lists(m); i++) {
        const uint64_t r = pby_canary_list_made(m, i), low = i % 2 == 0 ? r / 2 : 0, high = r - low;
        tally->correct[i] = below[m] - below[m - high] + low - below[low];
    }
    free(below);
    free(sorted);
    return PBY_OK;
}

/* A shorter list has some of the guesses of the longer one, so both its right and its wrong ones are no more.
 * The longest that guesses only "included" is right about those that were. */
bool pby_canary_tally_holds(const pby_canary_tally *t)
{
    const uint64_t m = t->canaries;
    const size_t lists = pby_canary_lists(m);
    if (m == 0 || m > PBY_CANARIES_MAX || t->included > m || t->correct[1] != t->included)
        return false;
    for (size_t i = 0; i < lists; i++) {
        const uint64_t made = pby_canary_list_made(m, i), right = t->correct[i];
        if (right > made)
            return false;
        if (i < 2)
            continue;
        const uint64_t longer = pby_canary_list_made(m, i - 2), before = t->correct[i - 2];
        if (right > before || made - right > longer - before)
            return false;
    }
    return true;
}
