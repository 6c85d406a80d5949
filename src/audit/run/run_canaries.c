/* SPDX-License-Identifier: MIT */
/* An audit by canaries: scores and guesses of one run, counts of many runs. */
#include "audit/canary/canary_scores.h"
#include "audit/run/audit_run.h"
#include "base/status.h"
#include "io/file.h"
#include "number/integer.h"

static const unsigned long count_max = 1000000000000;

static pby_status judge_scores(pby_canary_verdict **out, const pby_audit_request *r, mpq_srcptr epsilon,
                               pby_error *err)
{
    pby_canaries *canaries = NULL;
    if (pby_path_named(r->operand[0]) == NULL && pby_path_named(r->operand[1]) == NULL)
        return pby_refuse(err, "OUT", "-", "a file: standard input is IN already");
    pby_status status = pby_canaries_new(&canaries, err);
    for (int i = 0; i < 2 && status == PBY_OK; i++) {
        status = pby_audit_read_scores(canaries, r->operand[i], i == 0, err);
        if (status == PBY_OK)
            status = pby_sources_add_file(r->sources, pby_canary_scores_name(i == 0), r->operand[i], err);
    }
    if (status == PBY_OK)
        status = pby_canaries_judge(out, canaries, pby_value_rational(epsilon), pby_value_rational(r->delta),
                                    pby_value_rational(r->error), err);
    pby_canaries_free(canaries);
    return status;
}

/* Operands as counts, by their names. */
static pby_status read_counts(unsigned long *count, const char *const *name, int n,
                              const pby_audit_request *r, pby_error *err)
{
    for (int i = 0; i < n; i++)
        PBY_TRY(pby_integer_parse(&count[i], name[i], r->operand[i], 0, count_max, 0, err));
    return PBY_OK;
}

static pby_status judge_guesses(pby_canary_verdict **out, const pby_audit_request *r, mpq_srcptr epsilon,
                                pby_error *err)
{
    static const char *const name[] = {"CORRECT", "MADE", "OF"};
    unsigned long count[3];
    const pby_status status = read_counts(count, name, 3, r, err);
    if (status != PBY_OK)
        return status;
    const pby_canary_guesses guesses = {.correct = count[0], .made = count[1], .canaries = count[2]};
    return pby_canary_guesses_judge(out, &guesses, pby_value_rational(epsilon), pby_value_rational(r->delta),
                                    pby_value_rational(r->error), err);
}

static pby_status judge_runs(pby_canary_verdict **out, const pby_audit_request *r, mpq_srcptr epsilon,
                             pby_error *err)
{
    static const char *const name[] = {"TP", "FP", "TN", "FN"};
    unsigned long count[4];
    const pby_status status = read_counts(count, name, 4, r, err);
    if (status != PBY_OK)
        return status;
    const pby_canary_runs runs = {.true_positive = count[0],
                                  .false_positive = count[1],
                                  .true_negative = count[2],
                                  .false_negative = count[3]};
    return pby_canary_runs_judge(out, &runs, pby_value_rational(epsilon), pby_value_rational(r->delta),
                                 pby_value_rational(r->error), err);
}

pby_status pby_audit_judge_canaries(pby_canary_verdict **out, const pby_audit_request *r,
                                    pby_canary_source source, bool claimed, pby_error *err)
{
    static pby_status (*const judge[])(pby_canary_verdict **, const pby_audit_request *, mpq_srcptr,
                                       pby_error *) = {judge_scores, judge_guesses, judge_runs};
    static const char *const expected[] = {
        "audit: expected IN and OUT, the scores of canaries that were included and left out",
        "audit: expected CORRECT, MADE and OF: correct guesses, guesses, canaries",
        "audit: expected TP, FP, TN and FN: true and false positives, true and false negatives"};
    static const int operands[] = {2, 3, 4};
    *out = NULL;
    if (r->operands != operands[source])
        return pby_fail(err, PBY_BAD, "%s", expected[source]);
    return judge[source](out, r, claimed ? r->epsilon : NULL, err);
}
