/* SPDX-License-Identifier: MIT */
#include "audit/dossier/dossier_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/kind.h"
#include "audit/dossier/plan_member.h"
#include "audit/run/audit_run.h"
#include "base/json.h"
#include "base/readable.h"
#include "certificate/certificate.h"
#include "deployment/deployment.h"
#include "number/text.h"
#include "probity/experimental/search.h"
#include "probity/rational.h"

enum { AUDITS_MAX = 1000, NAME_MAX_SIZE = 64, PATIENCE_MOST = 1000000 };

static const json_int_t outputs_max = 1000000000000;

/* ---- one audit -------------------------------------------------------------------------------- */

static pby_status read_name(pby_planned_audit *a, const char *within, pby_error *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const pby_status status = pby_member_text(&a->name, a->entry, within, "name", true, err);
    if (status == PBY_OK &&
        (strspn(a->name, letters) != strlen(a->name) || a->name[0] == '-' || strlen(a->name) > NAME_MAX_SIZE))
        return pby_member_refuse(err, within, "name", a->name,
                                 "small letters, digits and hyphens, at most 64");
    return status;
}

/* A claim of rho or of mu stands in place of epsilon and delta. */
static pby_status read_divergence(pby_planned_audit *a, const json_t *claim, const char *at, pby_error *err)
{
    static const char *const others[] = {"epsilon", "delta", "mu"};
    char where[PBY_MEMBER_PLACE];
    a->claimed.kind = json_object_get(claim, "rho") != NULL ? PBY_ASK_RHO : PBY_ASK_MU;
    const char *name = pby_claimed_name(a->claimed.kind);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], name) != 0 && json_object_get(claim, others[i]) != NULL)
            return pby_member_expected(err, at, others[i], "no other number beside rho or mu");
    PBY_TRY(pby_member_rational(a->value, claim, at, name, NULL, err));
    a->claimed.value = a->value;
    pby_member_place(where, at, name);
    PBY_TRY(pby_claimed_check(&a->claimed, where, err));
    return pby_claimed_middle(a->epsilon, a->delta, &a->claimed, err);
}

static pby_status read_claim(pby_planned_audit *a, const char *within, pby_error *err)
{
    static const char *const known[] = {"epsilon", "delta", "rho", "mu", "source", "deployment", NULL};
    char at[PBY_MEMBER_PLACE];
    const json_t *claim = json_object_get(a->entry, "claim");
    if (!json_is_object(claim))
        return pby_member_expected(err, within, "claim", "an object with epsilon, rho or mu");
    pby_member_place(at, within, "claim");
    pby_status status = pby_member_only(claim, at, known, err);
    if (status == PBY_OK && (json_object_get(claim, "rho") != NULL || json_object_get(claim, "mu") != NULL)) {
        PBY_TRY(read_divergence(a, claim, at, err));
        return pby_member_text(&a->source, claim, at, "source", false, err);
    }
    if (status == PBY_OK)
        status = pby_member_rational(a->epsilon, claim, at, "epsilon", NULL, err);
    if (status == PBY_OK && mpq_sgn(a->epsilon) < 0)
        status =
            pby_member_refuse(err, at, "epsilon", pby_json_string(claim, "epsilon"), "a rational from 0 on");
    if (status == PBY_OK)
        status = pby_member_rational(a->delta, claim, at, "delta", "0", err);
    if (status == PBY_OK && (mpq_sgn(a->delta) < 0 || mpq_cmp_ui(a->delta, 1, 1) >= 0))
        status = pby_member_refuse(err, at, "delta", pby_json_string(claim, "delta"),
                                   "a rational from 0 to below 1");
    return status == PBY_OK ? pby_member_text(&a->source, claim, at, "source", false, err) : status;
}

static pby_status read_neighbours(pby_planned_audit *a, const char *within, pby_error *err)
{
    char at[PBY_MEMBER_PLACE];
    const char *text = NULL;
    pby_spec *spec = NULL;
    pby_status status = pby_member_text(&text, a->entry, within, "neighbours", false, err);
    if (status == PBY_OK && a->release != NULL) {
        status = pby_spec_parse(&spec, &a->release, 1, err);
        if (status == PBY_OK && text == NULL)
            status = pby_spec_neighbours(&a->neighbours, spec, err);
    }
    pby_member_place(at, within, "neighbours");
    if (status == PBY_OK && text != NULL)
        status = pby_neighbours_parse(&a->neighbours, at, text, err);
    pby_spec_free(spec);
    return status;
}

/* True if the outputs stand in files already. */
static bool is_of_files(const pby_planned_audit *a)
{
    return json_object_get(a->entry, "files") != NULL;
}

/* Neighbours differ by one canary, which is in the data or is not. */
static pby_status read_canaries(pby_planned_audit *a, const char *within, pby_error *err)
{
    static const char *const others[] = {"command", "release",         "files",   "columns",
                                         "inputs",  "search",          "pairs",   "outputs",
                                         "keep",    "command_seconds", "features"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (json_object_get(a->entry, others[i]) != NULL)
            return pby_member_expected(err, within, others[i], "it without canaries");
    if (a->claimed.value != NULL)
        return pby_member_expected(err, within, "claim", "epsilon and delta, which canaries are judged by");
    PBY_TRY(read_neighbours(a, within, err));
    if (a->neighbours != PBY_ADD_REMOVE)
        return pby_member_refuse(err, within, "neighbours", pby_neighbours_text(a->neighbours),
                                 "add-remove: a canary is in the data or is not");
    return pby_planned_canaries_read(&a->canaries, a->entry, within, err);
}

static pby_status read_mechanism(pby_planned_audit *a, const char *within, pby_error *err)
{
    pby_status status = pby_member_text(&a->command, a->entry, within, "command", false, err);
    if (status == PBY_OK)
        status = pby_member_text(&a->release, a->entry, within, "release", false, err);
    const int ways = (a->command != NULL) + (a->release != NULL) + is_of_files(a);
    if (status == PBY_OK && ways != 1)
        return pby_member_expected(err, within, "command", "one of it, release, files and canaries");
    if (status == PBY_OK && a->command != NULL && strstr(a->command, "{input}") == NULL)
        return pby_member_refuse(err, within, "command", a->command,
                                 "{input} in it: without it the command is the same on both inputs");
    return status == PBY_OK ? read_neighbours(a, within, err) : status;
}

static pby_status read_search(pby_planned_audit *a, const char *within, bool here, pby_error *err)
{
    pby_inputs *inputs = NULL;
    json_int_t pairs;
    pby_error why = PBY_NO_ERROR;
    pby_status status =
        pby_member_integer(&pairs, a->entry, within, "pairs", 1, PBY_SEARCH_PAIRS_MAX, false, err);
    if (status != PBY_OK)
        return status;
    a->pairs = (unsigned long)pairs;
    const bool rows = strncmp(a->search, PBY_INPUTS_ROWS, sizeof PBY_INPUTS_ROWS - 1) == 0;
    if (!here && (rows || strchr(a->search, ':') == NULL))
        return PBY_OK;
    status = pby_audit_inputs(&inputs, a->search, a->neighbours, &why);
    if (status != PBY_OK)
        status = pby_fail(err, status, "%s.search: %s", within, why.text);
    else if (a->release != NULL && !pby_inputs_lines(inputs))
        status = pby_member_refuse(err, within, "search", a->search,
                                   "counts or records for release, which reads files");
    pby_inputs_free(inputs);
    return status;
}

static pby_status read_inputs(pby_planned_audit *a, const char *within, bool here, pby_error *err)
{
    const bool given = json_object_get(a->entry, "inputs") != NULL;
    pby_status status = pby_member_text(&a->search, a->entry, within, "search", false, err);
    if (status != PBY_OK)
        return status;
    if (given == (a->search != NULL))
        return pby_member_expected(err, within, "inputs", "it or search, one of the two");
    if (a->search != NULL)
        return read_search(a, within, here, err);
    if (json_object_get(a->entry, "pairs") != NULL)
        return pby_member_expected(err, within, "pairs", "it together with search");
    return pby_member_pair(a->input, a->entry, within, "inputs",
                           "a list of two texts, two neighbouring inputs", err);
}

/* Two files of outputs, of any number of them. */
static pby_status read_files(pby_planned_audit *a, const char *within, pby_error *err)
{
    static const char *const others[] = {"inputs", "search", "pairs", "outputs", "keep", "command_seconds"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (json_object_get(a->entry, others[i]) != NULL)
            return pby_member_expected(err, within, others[i], "it without files, which have the outputs");
    PBY_TRY(pby_member_text(&a->columns, a->entry, within, "columns", false, err));
    return pby_member_pair(a->input, a->entry, within, "files", "a list of two texts, two files of outputs",
                           err);
}

/* The budget, and what the judgement may rest on. */
static pby_status read_rest(pby_planned_audit *a, const char *within, pby_error *err)
{
    char at[PBY_MEMBER_PLACE];
    json_int_t outputs, patience;
    unsigned kinds;
    const json_t *keep = json_object_get(a->entry, "keep");
    pby_status status =
        pby_member_integer(&outputs, a->entry, within, "outputs", 1, outputs_max, !is_of_files(a), err);
    if (status == PBY_OK)
        status = pby_member_text(&a->features, a->entry, within, "features", false, err);
    pby_member_place(at, within, "features");
    if (status == PBY_OK && a->features != NULL)
        status = pby_kinds_parse(&kinds, at, a->features, err);
    if (status == PBY_OK && keep != NULL && !json_is_boolean(keep))
        status = pby_member_expected(err, within, "keep", "true or false");
    if (status == PBY_OK)
        status =
            pby_member_integer(&patience, a->entry, within, "command_seconds", 1, PATIENCE_MOST, false, err);
    if (status != PBY_OK)
        return status;
    if (patience != 0 && a->command == NULL)
        return pby_member_expected(err, within, "command_seconds", "it together with command");
    a->patience = (unsigned)patience;
    a->outputs = (uint64_t)outputs;
    a->keep = json_is_true(keep);
    return status;
}

static pby_status read_audit(pby_planned_audit *a, const char *within, bool here, pby_error *err)
{
    static const char *const known[] = {"name",       "mechanism", "claim",           "command", "release",
                                        "inputs",     "search",    "pairs",           "outputs", "features",
                                        "neighbours", "keep",      "command_seconds", "files",   "columns",
                                        "canaries",   NULL};
    if (!json_is_object(a->entry))
        return pby_fail(err, PBY_BAD, "%s: expected an object", within);
    pby_status status = pby_member_only(a->entry, within, known, err);
    if (status == PBY_OK)
        status = read_name(a, within, err);
    if (status == PBY_OK)
        status = pby_member_text(&a->mechanism, a->entry, within, "mechanism", false, err);
    if (status == PBY_OK)
        status = read_claim(a, within, err);
    if (status == PBY_OK && json_object_get(a->entry, "canaries") != NULL)
        return read_canaries(a, within, err);
    if (status == PBY_OK)
        status = read_mechanism(a, within, err);
    if (status == PBY_OK && json_object_get(a->entry, "columns") != NULL && !is_of_files(a))
        return pby_member_expected(err, within, "columns", "it together with files");
    if (status == PBY_OK)
        status = is_of_files(a) ? read_files(a, within, err) : read_inputs(a, within, here, err);
    return status == PBY_OK ? read_rest(a, within, err) : status;
}

/* ---- the plan --------------------------------------------------------------------------------- */

static pby_status read_audits(pby_audit_plan *plan, pby_error *err)
{
    const json_t *list = json_object_get(plan->root, "audits");
    const size_t n = json_array_size(list);
    if (n == 0 || n > AUDITS_MAX)
        return pby_member_expected(err, "", "audits", "a list of 1 to 1000 audits");
    plan->audit = calloc(n, sizeof *plan->audit);
    if (plan->audit == NULL)
        return pby_no_memory(err);
    for (; plan->audits < n; plan->audits++)
        mpq_inits(plan->audit[plan->audits].epsilon, plan->audit[plan->audits].delta,
                  plan->audit[plan->audits].value, NULL);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        char within[32];
        snprintf(within, sizeof within, "audits[%zu]", i);
        plan->audit[i].entry = json_array_get(list, i);
        status = pby_described_claim(json_array_get(list, i), within, plan->deployment, plan->here, err);
        if (status == PBY_OK)
            status = read_audit(&plan->audit[i], within, plan->here, err);
        for (size_t j = 0; j < i && status == PBY_OK; j++)
            if (strcmp(plan->audit[j].name, plan->audit[i].name) == 0)
                status = pby_member_refuse(err, within, "name", plan->audit[i].name,
                                           "a name that no other audit has");
    }
    return status;
}

static pby_status read_error(pby_audit_plan *plan, pby_error *err)
{
    PBY_TRY(pby_member_rational(plan->error, plan->root, "", "error", "1e-6", err));
    if ((mpq_sgn(plan->error) <= 0 || mpq_cmp_ui(plan->error, 1, 2) >= 0 ||
         mpz_sizeinbase(mpq_denref(plan->error), 2) > 900))
        return pby_member_refuse(err, "", "error", pby_json_string(plan->root, "error"),
                                 "a rational above 0 and below 1/2, not below 1e-270");
    return PBY_OK;
}

static pby_status read_list(const json_t *root, const char *name, pby_error *err)
{
    const json_t *list = json_object_get(root, name);
    if (list != NULL && !json_is_array(list))
        return pby_member_expected(err, "", name, "a list of texts");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (text == NULL || text[0] == '\0' || !pby_readable(text, true))
            return pby_member_expected(err, "", name, "a list of texts, without control characters");
    }
    return PBY_OK;
}

static pby_status read_plan(pby_audit_plan *plan, pby_error *err)
{
    static const char *const known[] = {"format",        "version", "title",      "scope", "error",
                                        "not_looked_at", "audits",  "deployment", NULL};
    if (!json_is_object(plan->root) || strcmp(pby_json_string(plan->root, "format"), "probity-plan") != 0)
        return pby_member_expected(err, "", "format", "a JSON object with the format probity-plan");
    if (json_integer_value(json_object_get(plan->root, "version")) != 1)
        return pby_member_expected(err, "", "version", "1");
    pby_status status = pby_member_only(plan->root, "", known, err);
    if (status == PBY_OK)
        status = pby_member_text(&plan->title, plan->root, "", "title", true, err);
    if (status == PBY_OK && strchr(plan->title, '\n') != NULL)
        status = pby_member_expected(err, "", "title", "one line");
    if (status == PBY_OK)
        status = pby_member_text(&plan->scope, plan->root, "", "scope", true, err);
    if (status == PBY_OK)
        status = read_list(plan->root, "not_looked_at", err);
    if (status == PBY_OK)
        status = read_error(plan, err);
    if (status == PBY_OK)
        status = pby_described_read(&plan->deployment, plan->root, plan->here, err);
    if (status == PBY_OK)
        status = read_audits(plan, err);
    if (status != PBY_OK)
        return status;
    mpq_set_ui(plan->share, 1, plan->audits);
    mpq_mul(plan->share, plan->share, plan->error);
    return PBY_OK;
}

pby_status pby_audit_plan_new(pby_audit_plan **out, json_t *root, bool here, pby_error *err)
{
    pby_audit_plan *plan = calloc(1, sizeof *plan);
    *out = NULL;
    if (plan == NULL)
        return pby_no_memory(err);
    mpq_inits(plan->error, plan->share, NULL);
    plan->root = json_incref(root);
    plan->here = here;
    const pby_status status = read_plan(plan, err);
    if (status == PBY_OK)
        *out = plan;
    else
        pby_audit_plan_free(plan);
    return status;
}

void pby_audit_plan_free(pby_audit_plan *plan)
{
    if (plan == NULL)
        return;
    for (size_t i = 0; i < plan->audits; i++)
        mpq_clears(plan->audit[i].epsilon, plan->audit[i].delta, plan->audit[i].value, NULL);
    free(plan->audit);
    mpq_clears(plan->error, plan->share, NULL);
    pby_deployment_free(plan->deployment);
    json_decref(plan->root);
    free(plan);
}

pby_status pby_audit_plan_digest(char digest[PBY_PLAN_DIGEST_SIZE], const pby_audit_plan *plan,
                                 const pby_planned_audit *a, pby_error *err)
{
    char share[PBY_DECIMAL_SIZE];
    pby_mpq_text(share, plan->share);
    json_t *asked = json_pack("{s:O, s:s}", "audit", (json_t *)(uintptr_t)a->entry, "error", share);
    const pby_status status = asked == NULL ? pby_no_memory(err) : pby_certificate_digest(digest, asked, err);
    json_decref(asked);
    return status;
}
