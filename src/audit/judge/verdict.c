/* SPDX-License-Identifier: MIT */
#include "audit/judge/verdict.h"
#include "probity/experimental/auditing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pby_verdict *pby_verdict_new(mpq_srcptr epsilon, mpq_srcptr delta, mpq_srcptr error)
{
    pby_verdict *v = calloc(1, sizeof *v);
    if (v == NULL)
        return NULL;
    fmpq_init(&v->epsilon);
    fmpq_init(&v->delta);
    fmpq_init(&v->error);
    fmpq_init(&v->value);
    fmpq_set_mpq(&v->epsilon, epsilon);
    fmpq_set_mpq(&v->delta, delta);
    fmpq_set_mpq(&v->error, error);
    for (size_t i = 0; i < PBY_EVENTS; i++)
        pby_event_init(&v->event[i].event);
    for (int q = 0; q < PBY_REFUTABLE; q++) {
        arb_init(v->lower[q]);
        arb_neg_inf(v->lower[q]);
    }
    return v;
}

void pby_verdict_free(pby_verdict *v)
{
    if (v == NULL)
        return;
    for (size_t i = 0; i < PBY_EVENTS; i++) {
        pby_event_clear(&v->event[i].event);
        free(v->event[i].text);
        free(v->event[i].ranges);
    }
    for (int q = 0; q < PBY_REFUTABLE; q++)
        arb_clear(v->lower[q]);
    fmpq_clear(&v->value);
    fmpq_clear(&v->error);
    fmpq_clear(&v->delta);
    fmpq_clear(&v->epsilon);
    free(v);
}

const pby_judged *pby_verdict_witness(const pby_verdict *v)
{
    const bool only_delta = !v->refuted[PBY_REFUTE_EPSILON] && v->refuted[PBY_REFUTE_DELTA];
    return &v->event[v->witness[only_delta ? PBY_REFUTE_DELTA : PBY_REFUTE_EPSILON]];
}

bool pby_verdict_violation(const pby_verdict *v)
{
    return v->violation;
}

void pby_reason_missing(char reason[PBY_REASON_SIZE], const uint64_t missing[PBY_SIDES])
{
    snprintf(reason, PBY_REASON_SIZE,
             "%llu outputs on the left and %llu on the right were asked for and did not come",
             (unsigned long long)missing[0], (unsigned long long)missing[1]);
}

const char *pby_verdict_word(const pby_verdict *v)
{
    return v->violation ? "violation" : pby_verdict_inconclusive(v) ? "inconclusive" : "consistent";
}

bool pby_verdict_inconclusive(const pby_verdict *v)
{
    return v->reason[0] != '\0';
}

const char *pby_verdict_reason(const pby_verdict *v)
{
    return v->reason;
}

const char *pby_verdict_epsilon_lower(const pby_verdict *v)
{
    return v->lower_text[PBY_REFUTE_EPSILON];
}

const char *pby_verdict_delta_lower(const pby_verdict *v)
{
    return v->lower_text[PBY_REFUTE_DELTA];
}

const char *pby_verdict_event(const pby_verdict *v)
{
    return v->events == 0 ? "" : pby_verdict_witness(v)->text;
}

/* A cell that begins nearer to 0 begins there for people. */
#define TINY 1e-30

/* ---- the histogram ---------------------------------------------------------------------------- */

static uint64_t judged(const pby_tally_cell *cell)
{
    return cell->count[0][PBY_JUDGING] + cell->count[1][PBY_JUDGING];
}

static int by_count(const void *a, const void *b)
{
    const uint64_t x = judged(*(const pby_tally_cell *const *)a),
                   y = judged(*(const pby_tally_cell *const *)b);
    return x != y ? (x < y ? 1 : -1) : pby_cell_by_key(a, b);
}

static void name_bar(pby_witness_bar *bar, const pby_event *event, const pby_frequencies *table,
                     const pby_tally_cell *cell)
{
    const unsigned f = event->feature, block = pby_key_block(f, cell->key, table->level);
    const double value =
        pby_key_value(pby_key_inside(f, cell->key, table->level), table->level + pby_feature_block_bits(f));
    char number[32];
    if (table->level > 0 && value != 0 && fabs(value) < TINY) /* where a coarse cell begins, not an output */
        snprintf(number, sizeof number, value < 0 ? "<0" : ">0");
    else
        snprintf(number, sizeof number, "%.6g", value);
    if (block > 0)
        snprintf(bar->text, sizeof bar->text, "%u: %s", block, number);
    else if (table->ordered)
        snprintf(bar->text, sizeof bar->text, "%s", number);
    else if (cell->label != NULL)
        snprintf(bar->text, sizeof bar->text, "%.60s", cell->label);
    else if (!pby_feature_labelled(f))
        snprintf(bar->text, sizeof bar->text, "%#llx", (unsigned long long)cell->key);
}

/* Ordered cells are joined, equally many outputs to a bar; a bar never mixes what is in the event with
 * what is not. Of others the most frequent are shown. */
static void fill_bars(pby_verdict *v, const pby_event *event, const pby_frequencies *table,
                      const pby_tally_cell **cell, size_t n)
{
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += judged(cell[i]);
    for (size_t i = 0; i < n; i++) {
        const bool inside = pby_event_holds(event, cell[i]->key, table->level);
        pby_witness_bar *bar = v->bars == 0 ? NULL : &v->bar[v->bars - 1];
        const bool join = bar != NULL && table->ordered && bar->inside == inside &&
                          (n > PBY_BARS / 2 && (bar->left + bar->right) < all / (PBY_BARS / 2));
        if (!join) {
            if (v->bars == PBY_BARS)
                break;
            bar = &v->bar[v->bars++];
            *bar = (pby_witness_bar){.inside = inside};
            name_bar(bar, event, table, cell[i]);
        }
        bar->left += cell[i]->count[0][PBY_JUDGING];
        bar->right += cell[i]->count[1][PBY_JUDGING];
    }
}

/* True if a cell is that of one number, or of bits, which are one too. */
static bool number_of(double *value, const pby_tally_cell *cell, unsigned feature)
{
    *value = (double)cell->key;
    if (!pby_feature_labelled(feature))
        return feature >= PBY_FEATURE_BITS;
    pby_outcome outcome;
    const char *label = cell->label == NULL ? "" : cell->label;
    pby_outcome_read(&outcome, label, strlen(label));
    *value = outcome.token[0].value;
    return outcome.coordinates == 1 && outcome.token[0].kind == PBY_NUMBER;
}

/* Numbers in their order, in front of what is none, which stays in the order of its counts. There are few. */
static void sort_numbers(const pby_tally_cell **cell, size_t n, unsigned feature)
{
    size_t numbers = 0;
    for (size_t i = 0; i < n; i++) {
        const pby_tally_cell *one = cell[i];
        double value, other;
        if (!number_of(&value, one, feature))
            continue;
        size_t to = i;
        for (; to > numbers; to--) /* in front of all that is no number, */
            cell[to] = cell[to - 1];
        for (; to > 0 && number_of(&other, cell[to - 1], feature) && other > value;
             to--) /* and of larger ones */
            cell[to] = cell[to - 1];
        cell[to] = one;
        numbers++;
    }
}

pby_status pby_verdict_bars(pby_verdict *v, const pby_audit *audit, pby_error *err)
{
    const pby_event *event = &pby_verdict_witness(v)->event;
    const pby_frequencies *table = &audit->table[event->feature];
    size_t n;
    const pby_tally_cell **cell =
        pby_frequencies_cells(&n, table, table->ordered ? pby_cell_by_key : by_count);
    if (cell == NULL)
        return pby_no_memory(err);
    v->left_out = 0;
    if (!table->ordered) {
        v->left_out = n > PBY_BARS ? n - PBY_BARS : 0;
        n -= v->left_out;
        sort_numbers(cell, n, event->feature);
    }
    fill_bars(v, event, table, cell, n);
    free(cell);
    return PBY_OK;
}
