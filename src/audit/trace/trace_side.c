/* SPDX-License-Identifier: MIT */
#include "audit/trace/trace_side.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "number/scoped.h"

enum { PROBES_MAX = 4096 };

void pby_trace_side_clear(pby_trace_side *side)
{
    for (size_t i = 0; i < side->count; i++)
        pby_trace_run_clear(&side->runs[i]);
    for (size_t i = 0; i < side->probes_count; i++)
        pby_trace_run_clear(&side->probes[i]);
    if (side->has_ahead)
        pby_trace_run_clear(&side->ahead);
    free(side->runs);
    free(side->probes);
    free(side->unrecorded_site);
    pby_trace_reader_free(side->reader);
    *side = (pby_trace_side){.count = 0};
}

static pby_status refuse(const pby_trace_side *side, const pby_trace_run *run, const char *expected,
                         pby_error *err)
{
    return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "%.200s: line %llu: run: expected %s",
                       pby_trace_name(side->reader), (unsigned long long)run->line, expected);
}

/* ---- the same run again ------------------------------------------------------------------------ */

static bool same_sums(const pby_trace_run *a, const pby_trace_run *b)
{
    if (a->sums_count != b->sums_count)
        return false;
    for (size_t i = 0; i < a->sums_count; i++)
        if (a->sums[i].noise != b->sums[i].noise || a->sums[i].element != b->sums[i].element ||
            !pby_trace_number_equal(&a->sums[i].factor, &b->sums[i].factor) ||
            !pby_trace_number_equal(&a->sums[i].centre, &b->sums[i].centre) ||
            !pby_trace_number_equal(&a->sums[i].value, &b->sums[i].value))
            return false;
    return true;
}

static bool same_noise(const pby_trace_noise *a, const pby_trace_noise *b)
{
    if (a->law != b->law || a->count != b->count || a->scales != b->scales ||
        a->labels_count != b->labels_count || a->chosen != b->chosen)
        return false;
    for (size_t i = 0; i < a->scales; i++)
        if (!pby_trace_number_equal(&a->scale[i], &b->scale[i]))
            return false;
    for (size_t i = 0; i < a->labels_count; i++)
        if (!pby_trace_number_equal(&a->p[i], &b->p[i]) || strcmp(a->labels[i], b->labels[i]) != 0)
            return false;
    return true;
}

static bool same_outputs(const pby_trace_run *a, const pby_trace_run *b)
{
    bool same = a->outputs_count == b->outputs_count && (a->error == NULL) == (b->error == NULL) &&
                (a->error == NULL || strcmp(a->error, b->error) == 0);
    for (size_t i = 0; i < a->outputs_count && same; i++) {
        const pby_trace_output *x = &a->outputs[i], *y = &b->outputs[i];
        same =
            strcmp(x->path, y->path) == 0 && (x->text == NULL) == (y->text == NULL) &&
            (x->text == NULL ? pby_trace_number_equal(&x->value, &y->value) : strcmp(x->text, y->text) == 0);
    }
    return same;
}

/* Marks a side whose pipeline does other things when it is run again on the same noise. */
static pby_status compare_again(pby_trace_side *side, const pby_trace_run *again, pby_error *err)
{
    const pby_trace_run *run = &side->runs[side->count - 1];
    const char *site = "";
    bool same = run->noise_count == again->noise_count;
    for (size_t i = 0; i < run->noise_count && same; i++) {
        same = same_noise(&run->noise[i], &again->noise[i]);
        site = run->noise[i].site;
    }
    same = same && same_sums(run, again) && same_outputs(run, again);
    if (same || side->unrecorded)
        return PBY_OK;
    side->unrecorded = true;
    side->unrecorded_site = strdup(site);
    return side->unrecorded_site == NULL ? pby_no_memory(err) : PBY_OK;
}

/* ---- reading ----------------------------------------------------------------------------------- */

static pby_status keep(pby_trace_run **list, size_t *count, size_t *room, pby_trace_side *side,
                       pby_trace_run *run, pby_error *err)
{
    side->numbers += run->numbers;
    if (side->numbers > PBY_TRACE_NUMBERS_MAX) {
        const pby_status status = refuse(side, run, "at most 10000000 numbers in the first runs", err);
        pby_trace_run_clear(run);
        return status;
    }
    if (*count + 1 > *room) {
        pby_trace_run *more = pby_grown(*list, room, *count + 1, sizeof **list);
        if (more == NULL) {
            pby_trace_run_clear(run);
            return pby_no_memory(err);
        }
        *list = more;
    }
    (*list)[(*count)++] = *run;
    return PBY_OK;
}

/* True if a run replays the last one of its own side. */
static bool is_again(const pby_trace_side *side, const pby_trace_run *run)
{
    return side->count > 0 && !run->probe && run->number == side->runs[side->count - 1].number &&
           strcmp(run->replay_of, side->runs[side->count - 1].digest.sha256) == 0;
}

static pby_status take(bool *full, pby_trace_side *side, pby_trace_run *run, size_t most, pby_error *err)
{
    pby_status status = PBY_OK;
    if (run->probe) {
        if (side->probes_count < PROBES_MAX)
            return keep(&side->probes, &side->probes_count, &side->probes_room, side, run, err);
        status = refuse(side, run, "at most 4096 probes", err);
    } else if (is_again(side, run)) {
        status = compare_again(side, run, err);
    } else if (run->number != side->count) {
        status = refuse(side, run, "runs numbered from 0 on", err);
    } else if (side->count == most) {
        side->ahead = *run;
        side->has_ahead = *full = true;
        return PBY_OK;
    } else {
        return keep(&side->runs, &side->count, &side->room, side, run, err);
    }
    pby_trace_run_clear(run);
    return status;
}

pby_status pby_trace_side_read(pby_trace_side *side, size_t most, pby_error *err)
{
    bool full = false;
    while (!full) {
        pby_trace_run run;
        bool got;
        PBY_TRY(pby_trace_next(&run, &got, side->reader, err));
        if (!got)
            break;
        PBY_TRY(take(&full, side, &run, most, err));
    }
    if (side->count == 0)
        return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "%.200s: expected a run; there is none",
                           pby_trace_name(side->reader));
    return PBY_OK;
}

pby_status pby_trace_side_next(pby_trace_run *run, bool *got, pby_trace_side *side, pby_error *err)
{
    if (side->has_ahead) {
        *run = side->ahead;
        side->has_ahead = false;
        *got = true;
        return PBY_OK;
    }
    return pby_trace_next(run, got, side->reader, err);
}

/* ---- sides ------------------------------------------------------------------------------------- */

/* Exactly one of two runs is recorded, and the other replays it. */
static bool belong(const pby_trace_run *a, const pby_trace_run *b)
{
    return (a->replay_of[0] == '\0' && strcmp(b->replay_of, a->digest.sha256) == 0) ||
           (b->replay_of[0] == '\0' && strcmp(a->replay_of, b->digest.sha256) == 0);
}

pby_status pby_trace_sides_match(const pby_trace_side side[2], pby_error *err)
{
    if (side[0].count != side[1].count || side[0].has_ahead != side[1].has_ahead)
        return pby_fail_by(
            err, PBY_BAD, PBY_REASON_INPUT, "%.200s: expected as many runs as in %.200s: %zu and %zu",
            pby_trace_name(side[1].reader), pby_trace_name(side[0].reader), side[1].count, side[0].count);
    for (size_t i = 0; i < side[0].count; i++)
        if (!belong(&side[0].runs[i], &side[1].runs[i]))
            return refuse(&side[1], &side[1].runs[i],
                          "one that replays the run of its number in the other trace, or is replayed by it",
                          err);
    return PBY_OK;
}

/* ---- probes ------------------------------------------------------------------------------------ */

/* The order of the values that were forced on the choices. */
static int compare_forced(const void *a, const void *b)
{
    const pby_trace_run *x = *(pby_trace_run *const *)a, *y = *(pby_trace_run *const *)b;
    for (size_t i = 0; i < x->noise_count && i < y->noise_count; i++) {
        const bool choice = x->noise[i].law == PBY_TRACE_CHOICE;
        if (choice != (y->noise[i].law == PBY_TRACE_CHOICE))
            return choice ? 1 : -1;
        if (choice && x->noise[i].chosen != y->noise[i].chosen)
            return x->noise[i].chosen < y->noise[i].chosen ? -1 : 1;
    }
    return (x->noise_count > y->noise_count) - (x->noise_count < y->noise_count);
}

/* The place of the next choice from a place on; the number of all noise without one. */
static size_t next_choice(const pby_trace_run *run, size_t from)
{
    while (from < run->noise_count && run->noise[from].law != PBY_TRACE_CHOICE)
        from++;
    return from;
}

bool pby_trace_same_choices(const pby_trace_run *x, const pby_trace_run *y)
{
    size_t i = next_choice(x, 0), j = next_choice(y, 0);
    while (i < x->noise_count && j < y->noise_count) {
        if (strcmp(x->noise[i].labels[x->noise[i].chosen], y->noise[j].labels[y->noise[j].chosen]) != 0)
            return false;
        i = next_choice(x, i + 1);
        j = next_choice(y, j + 1);
    }
    return i == x->noise_count && j == y->noise_count;
}

/* Adds the chance of a probe if every value of every choice were equally likely. */
static void add_chance(mpq_t sum, const pby_trace_run *probe)
{
    PBY_MPQ(chance);
    mpq_set_ui(chance, 1, 1);
    for (size_t i = 0; i < probe->noise_count; i++)
        if (probe->noise[i].law == PBY_TRACE_CHOICE)
            mpz_mul_ui(mpq_denref(chance), mpq_denref(chance), probe->noise[i].labels_count);
    mpq_add(sum, sum, chance);
}

/* Distinct probes are all there are exactly if those chances sum to 1: they are the leaves of a tree. */
static bool all_forced(const pby_trace_side *side)
{
    PBY_MPQ(sum);
    bool distinct = true;
    pby_trace_run **order = calloc(side->probes_count, sizeof(pby_trace_run *));
    if (order == NULL)
        return false;
    for (size_t i = 0; i < side->probes_count; i++) {
        order[i] = &side->probes[i];
        add_chance(sum, order[i]);
    }
    qsort(order, side->probes_count, sizeof *order, compare_forced);
    for (size_t i = 1; i < side->probes_count && distinct; i++)
        distinct = compare_forced(&order[i - 1], &order[i]) != 0;
    free(order);
    return distinct && mpq_cmp_ui(sum, 1, 1) == 0;
}

bool pby_trace_probed(const pby_trace_side *side)
{
    for (size_t i = 0; i < side->probes_count; i++)
        if (side->probes[i].opens_count > 0 || side->probes[i].error != NULL)
            return false;
    return side->probes_count > 0 && all_forced(side);
}
