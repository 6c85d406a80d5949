/* SPDX-License-Identifier: MIT */
/* Audits with numbers as text. */
#include "base/status.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "probity/audit.h"
#include "probity/experimental/auditing.h"
#include "probity/rational.h"

pby_status pby_audit_judge_text(pby_verdict **out, const pby_audit *audit, const char *epsilon,
                                const char *delta, const char *error, pby_error *err)
{
    static const char *const names[] = {"epsilon", "delta", "error"};
    const char *const texts[] = {epsilon, delta, error};
    mpq_t x[3];
    *out = NULL;
    mpq_inits(x[0], x[1], x[2], NULL);
    pby_status status = pby_worded_parse(x, names, texts, 3, err);
    if (status == PBY_OK)
        status = pby_audit_judge(out, audit, x[0], x[1], x[2], err);
    mpq_clears(x[0], x[1], x[2], NULL);
    return status;
}

pby_status pby_audit_judge_divergence_text(pby_verdict **out, const pby_audit *audit, pby_question question,
                                           const char *value, const char *error, pby_error *err)
{
    PBY_MPQ(x, e);
    *out = NULL;
    PBY_TRY(pby_rational_parse(x, question == PBY_ASK_RHO ? "rho" : "mu", value, err));
    PBY_TRY(pby_rational_parse(e, "error", error, err));
    return pby_audit_judge_divergence(out, audit, question, x, e, err);
}

pby_status pby_audit_look_error_text(char **out, const char *error, uint64_t look, pby_error *err)
{
    *out = NULL;
    PBY_MPQ(x);
    pby_status status = pby_rational_parse(x, "error", error, err);
    if (status == PBY_OK) {
        pby_audit_look_error(x, x, look);
        status = pby_rational_print(out, x, err);
    }
    return status;
}

pby_status pby_conformance_judge_text(bool *violation, char **text, pby_conformance *test, const char *error,
                                      pby_error *err)
{
    *text = NULL;
    PBY_MPQ(x);
    PBY_TRY(pby_rational_parse(x, "error", error, err));
    return pby_conformance_judge(violation, text, test, x, err);
}
