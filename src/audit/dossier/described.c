/* SPDX-License-Identifier: MIT */
#include "audit/dossier/described.h"

#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "base/json.h"
#include "certificate/certificate.h"
#include "deployment/deployment.h"
#include "io/file.h"
#include "report/report_deployment.h"

enum { PLACE_SIZE = 160 };

/* ---- the file --------------------------------------------------------------------------------- */

static pby_status read_file(json_t *plan, const char *path, pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    json_error_t fault;
    PBY_TRY(pby_file_read(&text, &size, path, PBY_DEPLOYMENT_SIZE_MAX, err));
    json_t *file = json_loadb(text, size, JSON_REJECT_DUPLICATES, &fault);
    free(text);
    if (file == NULL)
        return pby_fail(err, PBY_BAD, "deployment: %s: line %d: expected JSON: %s", PBY_EXCERPT(path),
                        fault.line, PBY_EXCERPT(fault.text));
    return json_object_set_new(plan, "deployment", file) == 0 ? PBY_OK : pby_no_memory(err);
}

pby_status pby_described_read(pby_deployment **out, json_t *plan, bool here, pby_error *err)
{
    const char *path = json_string_value(json_object_get(plan, "deployment"));
    pby_error why = PBY_NO_ERROR;
    *out = NULL;
    if (path != NULL && here)
        PBY_TRY(read_file(plan, path, err));
    const json_t *file = json_object_get(plan, "deployment");
    if (file == NULL)
        return PBY_OK;
    if (!json_is_object(file))
        return pby_fail(err, PBY_BAD, "deployment: expected %s",
                        here ? "the name of a file, or its object" : "an object");
    const pby_status status = pby_deployment_of_json(out, file, &why);
    return status == PBY_OK ? status : pby_fail(err, status, "deployment: %s", why.text);
}

/* ---- a claim by its name ---------------------------------------------------------------------- */

static const pby_deployment_claim *find_claim(const pby_deployment *d, const char *name)
{
    for (size_t i = 0; i < d->claims; i++)
        if (strcmp(d->claim[i].name, name) == 0)
            return &d->claim[i];
    return NULL;
}

/* A member of the audit that the deployment decides; NULL where it has no such number. */
static pby_status set_member(json_t *object, const char *within, const char *name, const char *text,
                             bool here, pby_error *err)
{
    char at[PLACE_SIZE], expected[PLACE_SIZE];
    const json_t *given = json_object_get(object, name);
    snprintf(at, sizeof at, "%.60s.%.30s", within, name);
    if (text == NULL)
        return given == NULL ? PBY_OK
                             : pby_fail(err, PBY_BAD, "%s: not a number of the deployment's claim", at);
    snprintf(expected, sizeof expected, "'%.60s', as the deployment has", text);
    if (given != NULL)
        return json_is_string(given) && strcmp(json_string_value(given), text) == 0
                   ? PBY_OK
                   : pby_refuse(err, at, json_is_string(given) ? json_string_value(given) : "", expected);
    if (!here)
        return pby_fail(err, PBY_BAD, "%s: expected %s", at, expected);
    return json_object_set_new(object, name, json_string(text)) == 0 ? PBY_OK : pby_no_memory(err);
}

/* The outputs can be held against these kinds; delta of a pure claim is 0 without being said. */
static bool can_be_audited(const pby_deployment_claim *c)
{
    return c->kind == PBY_CLAIM_PURE || c->kind == PBY_CLAIM_APPROX || c->kind == PBY_CLAIM_GDP ||
           (c->kind == PBY_CLAIM_ZCDP && (c->xi.text == NULL || mpq_sgn(c->xi.value) == 0));
}

static pby_status set_numbers(json_t *claim, const char *within, const pby_deployment_claim *c, bool here,
                              pby_error *err)
{
    const bool curve = c->kind == PBY_CLAIM_ZCDP || c->kind == PBY_CLAIM_GDP;
    PBY_TRY(set_member(claim, within, "epsilon", curve ? NULL : c->epsilon.text, here, err));
    PBY_TRY(
        set_member(claim, within, "delta", c->kind == PBY_CLAIM_APPROX ? c->delta.text : NULL, here, err));
    PBY_TRY(set_member(claim, within, "rho", c->kind == PBY_CLAIM_ZCDP ? c->rho.text : NULL, here, err));
    return set_member(claim, within, "mu", c->kind == PBY_CLAIM_GDP ? c->mu.text : NULL, here, err);
}

pby_status pby_described_claim(json_t *audit, const char *within, const pby_deployment *d, bool here,
                               pby_error *err)
{
    char at[PLACE_SIZE], place[PLACE_SIZE];
    json_t *claim = json_object_get(audit, "claim");
    const json_t *member = json_object_get(claim, "deployment");
    const char *name = json_string_value(member);
    if (member == NULL)
        return PBY_OK;
    snprintf(at, sizeof at, "%.60s.claim", within);
    snprintf(place, sizeof place, "%.80s.deployment", at);
    if (d == NULL)
        return pby_fail(err, PBY_BAD, "%s: expected it together with the plan's member deployment", place);
    const pby_deployment_claim *c = name == NULL ? NULL : find_claim(d, name);
    if (c == NULL)
        return pby_refuse(err, place, name == NULL ? "" : name, "the name of a claim of the deployment");
    if (!can_be_audited(c))
        return pby_refuse(err, place, name, "a claim of epsilon, of epsilon and delta, of rho, or of mu");
    PBY_TRY(set_numbers(claim, at, c, here, err));
    return d->has_relation
               ? set_member(audit, within, "neighbours", pby_neighbours_text(d->relation), here, err)
               : PBY_OK;
}

/* ---- the judgement ---------------------------------------------------------------------------- */

pby_status pby_described_judge(json_t **out, pby_deployment *d, pby_error *err)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    pby_deployment_counts counts;
    *out = NULL;
    PBY_TRY(pby_certificate_digest(digest, d->root, err));
    PBY_TRY(pby_deployment_judge(out, NULL, &counts, d, PBY_REPORT_JSON, err));
    const pby_status status = pby_json_set(*out, "digest", json_string(digest), err);
    if (status == PBY_OK)
        return PBY_OK;
    json_decref(*out);
    *out = NULL;
    return status;
}

size_t pby_described_unkept(const json_t *dossier)
{
    const json_t *claims = json_object_get(json_object_get(dossier, "deployment"), "claims");
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(claims); i++)
        count += strcmp(pby_json_string(json_array_get(claims, i), "verdict"), "does not hold") == 0;
    return count;
}
