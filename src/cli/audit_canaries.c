/* SPDX-License-Identifier: MIT */
/* `probity audit` of canaries: scores and guesses of one run, counts of many runs. */
#include <stdio.h>

#include "audit/canary/canary_verdict.h"
#include "audit/report/canary_page.h"
#include "audit/run/run_publish.h"
#include "cli/advice.h"
#include "cli/cmd_audit.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/file.h"
#include "number/integer.h"

static const unsigned long count_max = 1000000000000;

/* ---- the evidence ------------------------------------------------------------------------------ */

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
        status = pby_canaries_judge(out, canaries, epsilon, r->delta, r->error, err);
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
    return pby_canary_guesses_judge(out, &guesses, epsilon, r->delta, r->error, err);
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
    return pby_canary_runs_judge(out, &runs, epsilon, r->delta, r->error, err);
}

/* ---- the answer -------------------------------------------------------------------------------- */

static pby_status page_of(char **page, const void *verdict, const pby_report *about, pby_error *err)
{
    return pby_canary_page(page, verdict, about, err);
}

static pby_status save_page(const pby_audit_request *r, const json_t *verdict, pby_error *err)
{
    const pby_status status = pby_audit_publish(r, page_of, verdict, err);
    if (status != PBY_OK)
        (void)pby_advise_name(err, "report", "--report");
    return status;
}

static pby_status print(const pby_audit_request *r, const pby_canary_verdict *v, pby_error *err)
{
    char *text = NULL;
    json_t *object = pby_canary_verdict_object(v);
    if (object == NULL)
        return pby_no_memory(err);
    pby_status status = save_page(r, object, err);
    if (status == PBY_OK && r->json)
        return pby_print_json(object, err);
    json_decref(object);
    if (status != PBY_OK)
        return status;
    status = pby_canary_verdict_lines(&text, v, err);
    return pby_print_report(text, status);
}

static pby_status answer(const pby_audit_request *r, const pby_canary_verdict *v, pby_error *err)
{
    PBY_TRY(print(r, v, err));
    if (pby_canary_verdict_warning(v)[0] != '\0')
        fprintf(stderr, "probity: warning: %s\n", pby_canary_verdict_warning(v));
    if (pby_canary_verdict_violation(v))
        return pby_fail(err, PBY_NO, "violation: epsilon > %s at the claimed delta",
                        pby_canary_verdict_epsilon_lower(v));
    if (pby_canary_verdict_reason(v)[0] != '\0')
        return pby_fail(err, PBY_INCONCLUSIVE, "inconclusive: %s", pby_canary_verdict_reason(v));
    return PBY_OK;
}

/* ---- the command ------------------------------------------------------------------------------- */

pby_status pby_audit_canaries(const pby_audit_request *r, pby_canary_source source, bool claimed,
                              pby_error *err)
{
    static pby_status (*const judge[])(pby_canary_verdict **, const pby_audit_request *, mpq_srcptr,
                                       pby_error *) = {judge_scores, judge_guesses, judge_runs};
    static const char *const expected[] = {
        "audit: expected IN and OUT, the scores of canaries that were included and left out",
        "audit: expected CORRECT, MADE and OF: correct guesses, guesses, canaries",
        "audit: expected TP, FP, TN and FN: true and false positives, true and false negatives"};
    static const int operands[] = {2, 3, 4};
    if (r->operands != operands[source])
        return pby_fail(err, PBY_BAD, "%s", expected[source]);
    pby_canary_verdict *verdict = NULL;
    pby_status status = judge[source](&verdict, r, claimed ? r->epsilon : NULL, err);
    if (status == PBY_OK)
        status = answer(r, verdict, err);
    pby_canary_verdict_free(verdict);
    return status;
}
