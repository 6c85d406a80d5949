/* SPDX-License-Identifier: MIT */
/* A plan of audits is refused on one line, or each of its audits has a digest, and they share its error. */
#include "audit/dossier/dossier_plan.h"

#include <stdint.h>
#include <string.h>

#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pby_error err = PBY_NO_ERROR;
    pby_audit_plan *plan = NULL;
    json_t *root = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (root == NULL)
        return 0;
    if (pby_audit_plan_new(&plan, root, false, &err) == PBY_OK) {
        char digest[PBY_PLAN_DIGEST_SIZE];
        must(plan->audits > 0 && mpq_sgn(plan->share) > 0, "audits that have a share of the error");
        for (size_t i = 0; i < plan->audits; i++)
            must(pby_audit_plan_digest(digest, plan, &plan->audit[i], NULL) == PBY_OK, "a digest");
    } else
        must(plan == NULL && err.status == PBY_BAD && strchr(err.text, '\n') == NULL, "one line");
    pby_audit_plan_free(plan);
    json_decref(root);
    return 0;
}
