/* SPDX-License-Identifier: MIT */
/* The verdict on running times, as an object and as lines. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/count_table.h"
#include "audit/timing/times_capital.h"
#include "base/sorted.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/rational.h"
#include "report/sheet.h"

struct claim {
    fmpq_t epsilon, delta, error;
    fmpq_t least; /* the epsilon that the runs must be able to show, to say anything about the claim */
};

struct judged {
    const pby_times *times;
    const struct claim *claim;
    pby_times_verdict verdict;
    fmpq_t shown, visible;
    bool shows, sees;
};

static const char *const verdicts[] = {[PBY_TIMES_CONSISTENT] = "consistent",
                                       [PBY_TIMES_VIOLATION] = "violation",
                                       [PBY_TIMES_INCONCLUSIVE] = "inconclusive"};

/* ---- the claim -------------------------------------------------------------------------------- */

static pby_status read_claim(struct claim *c, const char *epsilon, const char *delta, const char *error,
                             pby_error *err)
{
    PBY_MPQ(x);
    PBY_TRY(pby_rational_parse(x, "epsilon", epsilon, err));
    if (mpq_sgn(x) < 0 || mpq_cmp_ui(x, 1000000, 1) > 0)
        return pby_refuse_mpq(err, "epsilon", x, "a rational from 0 to 1000000");
    fmpq_set_mpq(c->epsilon, x);
    PBY_TRY(pby_rational_parse(x, "delta", delta == NULL ? "0" : delta, err));
    if (mpq_sgn(x) < 0 || mpq_cmp_ui(x, 1, 1) >= 0)
        return pby_refuse_mpq(err, "delta", x, "a rational from 0 to below 1");
    fmpq_set_mpq(c->delta, x);
    PBY_TRY(pby_rational_parse(x, "error", error == NULL ? "1e-6" : error, err));
    if (mpq_sgn(x) <= 0 || mpq_cmp_ui(x, 1, 2) >= 0)
        return pby_refuse_mpq(err, "error", x, "a rational above 0 and below 1/2");
    fmpq_set_mpq(c->error, x);
    return PBY_OK;
}

/* As for outputs: 2 epsilon or epsilon + 1, whichever is less, and 1 where the claim is 0. */
static void least_of(struct claim *c)
{
    if (fmpq_cmp_si(c->epsilon, 1) < 0 && !fmpq_is_zero(c->epsilon))
        fmpq_mul_si(c->least, c->epsilon, 2);
    else
        fmpq_add_si(c->least, c->epsilon, 1);
}

/* ---- the verdict ------------------------------------------------------------------------------ */

static void judge(struct judged *j)
{
    const struct claim *c = j->claim;
    const pby_times_counts *counts = &j->times->counts;
    pby_times_counts apart;
    pby_times_told_apart(&apart, counts->judging);
    j->shows = pby_times_epsilon(j->shown, counts, c->delta, c->error);
    j->sees = pby_times_epsilon(j->visible, &apart, c->delta, c->error);
    j->verdict = pby_times_refuted(counts, c->epsilon, c->delta, c->error) ? PBY_TIMES_VIOLATION
                 : pby_times_refuted(&apart, c->least, c->delta, c->error) ? PBY_TIMES_CONSISTENT
                                                                           : PBY_TIMES_INCONCLUSIVE;
}

/* ---- the answer ------------------------------------------------------------------------------- */

/* A time in the unit that a person would choose. */
static void time_text(char *text, size_t size, uint64_t nanoseconds)
{
    static const struct {
        uint64_t least, in;
        const char *name;
    } units[] = {{1000000000, 1000000000, "s"}, {1000000, 1000000, "ms"}, {1000, 1000, "us"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (nanoseconds >= units[i].least) {
            snprintf(text, size, "%" PRIu64 ".%03" PRIu64 " %s", nanoseconds / units[i].in,
                     nanoseconds % units[i].in / (units[i].in / 1000), units[i].name);
            return;
        }
    snprintf(text, size, "%" PRIu64 " ns", nanoseconds);
}

/* Tells the quartiles of a side. */
static pby_status write_side(pby_sheet *s, const pby_times *t, int side, pby_error *err)
{
    static const char *const keys[] = {"lower_quartile", "median", "upper_quartile"};
    const size_t n = t->runs[side];
    char text[3][32];
    pby_sheet own = pby_sheet_part(s);
    uint64_t *sorted = malloc((n + 1) * sizeof *sorted);
    if (sorted == NULL) {
        json_decref(pby_sheet_part_end(s, &own));
        return pby_no_memory(err);
    }
    if (n > 0)
        memcpy(sorted, t->time[side], n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, pby_compare_uint64);
    pby_sheet_number(&own, NULL, "runs", n);
    for (size_t q = 0; q < 3 && n > 0; q++) {
        const uint64_t at = sorted[(q + 1) * (n - 1) / 4];
        pby_sheet_number(&own, NULL, keys[q], at);
        time_text(text[q], sizeof text[q], at);
    }
    free(sorted);
    if (n > 0)
        pby_sheet_line(s, pby_side_names[side], "%zu runs, half of them within %s and %s, the median %s", n,
                       text[0], text[2], text[1]);
    else
        pby_sheet_line(s, pby_side_names[side], "0 runs");
    pby_sheet_member(s, pby_side_names[side], pby_sheet_part_end(s, &own));
    return PBY_OK;
}

static void write_event(pby_sheet *s, const struct judged *j)
{
    int event;
    pby_side side;
    const pby_times_counts *counts = &j->times->counts;
    pby_times_best(&event, &side, counts, j->claim->epsilon, j->claim->delta);
    const uint64_t *seen = counts->seen[event];
    pby_sheet_line(s, "event", "%s has it too often: %s", pby_side_names[side], pby_times_event(event));
    pby_sheet_line(s, "", "%" PRIu64 " on the left, %" PRIu64 " on the right, of %" PRIu64 " runs", seen[0],
                   seen[1], counts->judging);
    pby_sheet own = pby_sheet_part(s);
    pby_sheet_text(&own, NULL, "text", pby_times_event(event));
    pby_sheet_text(&own, NULL, "accused", pby_side_names[side]);
    pby_sheet_number(&own, NULL, "left", seen[0]);
    pby_sheet_number(&own, NULL, "right", seen[1]);
    pby_sheet_number(&own, NULL, "judging", counts->judging);
    pby_sheet_member(s, "event", pby_sheet_part_end(s, &own));
}

static void write_bound(pby_sheet *s, const char *name, const char *key, bool any, const fmpq_t epsilon,
                        const char *delta, const char *note)
{
    char text[PBY_DECIMAL_SIZE];
    pby_rational_text(text, epsilon);
    if (any)
        pby_sheet_line(s, name, "epsilon > %s at delta %s%s", text, delta, note);
    else
        pby_sheet_line(s, name, "no epsilon at delta %s%s", delta, note);
    pby_sheet_member(s, key, any ? json_string(text) : json_null());
}

static pby_status write_all(pby_sheet *s, const struct judged *j, pby_error *err)
{
    char epsilon[PBY_DECIMAL_SIZE], delta[PBY_DECIMAL_SIZE], error[PBY_DECIMAL_SIZE];
    pby_rational_text(epsilon, j->claim->epsilon);
    pby_rational_text(delta, j->claim->delta);
    pby_rational_text(error, j->claim->error);
    pby_sheet_text(s, "verdict", "verdict", verdicts[j->verdict]);
    pby_sheet_line(s, "claim", "epsilon %s, delta %s, of the running time alone", epsilon, delta);
    pby_sheet own = pby_sheet_part(s);
    pby_sheet_text(&own, NULL, "epsilon", epsilon);
    pby_sheet_text(&own, NULL, "delta", delta);
    pby_sheet_member(s, "claim", pby_sheet_part_end(s, &own));
    write_bound(s, "shown", "epsilon_lower", j->shows, j->shown, delta, "");
    pby_sheet_line(s, "error", "wrong with a chance of at most %s", error);
    pby_sheet_member(s, "error", json_string(error));
    PBY_TRY(write_side(s, j->times, 0, err));
    PBY_TRY(write_side(s, j->times, 1, err));
    if (j->shows)
        write_event(s, j);
    write_bound(s, "could see", "largest_visible", j->sees, j->visible, delta,
                ", had every time told the side");
    pby_sheet_line(s, "cannot see", "%s",
                   "other inputs and other machines; differences below the noise of these times");
    return PBY_OK;
}

static void claim_clear(struct claim *c)
{
    fmpq_clear(c->epsilon);
    fmpq_clear(c->delta);
    fmpq_clear(c->error);
    fmpq_clear(c->least);
}

static pby_status answer(char **text, pby_times_verdict *verdict, const pby_times *times,
                         const struct claim *claim, pby_report_form form, pby_error *err)
{
    struct judged j = {.times = times, .claim = claim};
    pby_sheet s;
    fmpq_init(j.shown);
    fmpq_init(j.visible);
    judge(&j);
    pby_sheet_begin(&s, form);
    const pby_status status = write_all(&s, &j, err);
    *verdict = j.verdict;
    fmpq_clear(j.shown);
    fmpq_clear(j.visible);
    return pby_sheet_end(text, &s, status, err);
}

pby_status pby_times_judge(char **text, pby_times_verdict *verdict, const pby_times *times,
                           const char *epsilon, const char *delta, const char *error, pby_report_form form,
                           pby_error *err)
{
    struct claim c;
    *text = NULL;
    *verdict = PBY_TIMES_INCONCLUSIVE;
    if (!pby_times_fair(times))
        return pby_fail(err, PBY_BAD,
                        "times: expected the side of each run to be chosen by a fair coin, but of %zu runs "
                        "%zu are on the left, and %" PRIu64 " on another side than the run before",
                        times->runs[0] + times->runs[1], times->runs[0], times->changes);
    fmpq_init(c.epsilon);
    fmpq_init(c.delta);
    fmpq_init(c.error);
    fmpq_init(c.least);
    pby_status status = read_claim(&c, epsilon, delta, error, err);
    if (status == PBY_OK) {
        least_of(&c);
        status = answer(text, verdict, times, &c, form, err);
    }
    claim_clear(&c);
    return status;
}
