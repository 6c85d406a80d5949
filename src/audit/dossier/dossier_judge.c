/* SPDX-License-Identifier: MIT */
#include "audit/dossier/dossier_judge.h"

#include <stdlib.h>
#include <string.h>

#include "audit/canary/canary_scores.h"
#include "audit/canary/canary_verdict.h"
#include "audit/dossier/result.h"
#include "audit/dossier/stated.h"
#include "audit/run/audit_run.h"
#include "audit/run/date.h"
#include "base/json.h"
#include "certificate/document.h"

static pby_status judge(json_t **verdict, const pby_audit_plan *plan, const pby_planned_audit *a,
                        const char *keep, const pby_observer *observer, pby_error *err)
{
    bool cut[2] = {false, false};
    char *operand[2] = {NULL, NULL};
    pby_sources sources = {.row = NULL};
    pby_audit_request r = {.operands = 2,
                           .operand = operand,
                           .judge = true,
                           .claimed = a->claimed,
                           .features = a->features,
                           .columns = a->columns,
                           .command = a->command,
                           .patience = a->patience,
                           .release = a->release,
                           .search = a->search,
                           .pairs = a->pairs,
                           .n = a->outputs,
                           .neighbours = a->neighbours,
                           .sources = &sources,
                           .digests = true,
                           .keep = keep,
                           .observer = *observer,
                           .cut = cut};
    pby_status status = PBY_OK;
    for (int side = 0; side < 2 && a->search == NULL && status == PBY_OK; side++) {
        operand[side] = strdup(a->input[side]);
        if (operand[side] == NULL)
            status = pby_no_memory(err);
    }
    mpq_inits(r.epsilon, r.delta, r.error, NULL);
    mpq_set(r.epsilon, a->epsilon);
    mpq_set(r.delta, a->delta);
    mpq_set(r.error, plan->share);
    if (status == PBY_OK)
        status = a->search != NULL ? pby_audit_searched(verdict, &r, err)
                                   : pby_audit_samples(verdict, &r, err);
    mpq_clears(r.epsilon, r.delta, r.error, NULL);
    pby_sources_clear(&sources);
    free(operand[0]);
    free(operand[1]);
    return status;
}

/* Scores of canaries with the digests of their files. */
static pby_status read_scores(pby_canaries *canaries, pby_sources *sources, const pby_planned_canaries *c,
                              pby_error *err)
{
    for (int i = 0; i < 2; i++) {
        PBY_TRY(pby_audit_read_scores(canaries, c->score[i], i == 0, err));
        PBY_TRY(pby_sources_add_file(sources, pby_canary_scores_name(i == 0), c->score[i], err));
    }
    return PBY_OK;
}

static pby_status judge_scores(json_t **verdict, const pby_audit_plan *plan, const pby_planned_audit *a,
                               pby_error *err)
{
    pby_canaries *canaries = NULL;
    pby_canary_verdict *v = NULL;
    pby_sources sources = {.row = NULL};
    pby_status status = pby_canaries_new(&canaries, err);
    if (status == PBY_OK)
        status = read_scores(canaries, &sources, &a->canaries, err);
    if (status == PBY_OK)
        status = pby_canaries_judge(&v, canaries, pby_value_rational(a->epsilon),
                                    pby_value_rational(a->delta), pby_value_rational(plan->share), err);
    if (status == PBY_OK) {
        *verdict = pby_canary_verdict_object(v);
        status = pby_json_set(*verdict, "sources", pby_sources_object(&sources), err);
    }
    pby_canary_verdict_free(v);
    pby_sources_clear(&sources);
    pby_canaries_free(canaries);
    return status;
}

static pby_status judge_any(json_t **verdict, const pby_audit_plan *plan, const pby_planned_audit *a,
                            const char *keep, const pby_observer *observer, pby_error *err)
{
    switch (a->canaries.kind) {
    case PBY_CANARIES_NONE:
        return judge(verdict, plan, a, keep, observer, err);
    case PBY_CANARIES_SCORED:
        return judge_scores(verdict, plan, a, err);
    default:
        return pby_planned_canaries_judge(verdict, &a->canaries, a->epsilon, a->delta, plan->share, err);
    }
}

pby_status pby_result_make(json_t **out, const pby_audit_plan *plan, const pby_planned_audit *a,
                           const char *keep, size_t starts, const pby_observer *observer, pby_error *err)
{
    char began[PBY_DATE_SIZE], ended[PBY_DATE_SIZE], digest[PBY_PLAN_DIGEST_SIZE];
    json_t *verdict = NULL;
    *out = NULL;
    pby_status status = pby_audit_date(began, err);
    if (status == PBY_OK)
        status = pby_audit_plan_digest(digest, plan, a, err);
    if (status == PBY_OK)
        status = judge_any(&verdict, plan, a, keep, observer, err);
    if (status == PBY_OK)
        status = pby_audit_date(ended, err);
    if (status != PBY_OK) {
        json_decref(verdict);
        return status;
    }
    *out = json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:I, s:o, s:o, s:o}", "format", "probity-audit-result",
                     "version", PBY_DOSSIER_VERSION, "audit", a->name, "asked", digest, "began", began,
                     "ended", ended, "starts", (json_int_t)starts, "computed_with", pby_document_tools(),
                     "verdict", verdict, "stated", pby_stated_list(pby_stated_of(a), pby_result_states(a)));
    status = pby_document_seal(*out, err);
    if (status != PBY_OK) {
        json_decref(*out);
        *out = NULL;
    }
    return status;
}
