/* SPDX-License-Identifier: MIT */
#include "audit/dossier/dossier_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/kind.h"
#include "audit/run/audit_run.h"
#include "base/json.h"
#include "certificate/certificate.h"
#include "deployment/deployment.h"
#include "number/text.h"
#include "probity/experimental/search.h"
#include "probity/rational.h"

enum { AUDITS_MAX = 1000, NAME_MAX_SIZE = 64, PLACE_SIZE = 96, PATIENCE_MOST = 1000000 };

static const json_int_t outputs_max = 1000000000000;

/* Where a member stands, for refusals: audits[2].claim.epsilon. */
static void place(char text[PLACE_SIZE], const char *within, const char *name)
{
    snprintf(text, PLACE_SIZE, "%.60s%s%.30s", within, within[0] == '\0' ? "" : ".", name);
}

static pby_status expected(pby_error *err, const char *within, const char *name, const char *what)
{
    char at[PLACE_SIZE];
    place(at, within, name);
    return pby_fail(err, PBY_BAD, "%s: expected %s", at, what);
}

static pby_status refuse(pby_error *err, const char *within, const char *name, const char *value,
                         const char *what)
{
    char at[PLACE_SIZE];
    place(at, within, name);
    return pby_refuse(err, at, value, what);
}

/* ---- members ---------------------------------------------------------------------------------- */

/* Refuses members that are not known. */
static pby_status only(const json_t *object, const char *within, const char *const *known, pby_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        size_t i = 0;
        while (known[i] != NULL && strcmp(known[i], key) != 0)
            i++;
        if (known[i] == NULL)
            return refuse(err, within, "member", key, "one that a plan has (docs/audit.schema.json)");
    }
    return PBY_OK;
}

/* Text is shown to people: but for line ends and tabs it has no control characters. */
static bool is_readable(const char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)text[0], next = (unsigned char)text[1];
        const bool second = c == 0xc2 && next >= 0x80 && next < 0xa0; /* U+0080 to U+009F */
        if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f || second)
            return false;
    }
    return true;
}

/* A member that is a text, not empty; NULL where it is not there and need not be. */
static pby_status read_text(const char **out, const json_t *object, const char *within, const char *name,
                            bool needed, pby_error *err)
{
    const json_t *value = json_object_get(object, name);
    *out = json_string_value(value);
    if (value == NULL && !needed)
        return PBY_OK;
    if (*out == NULL || **out == '\0' || !is_readable(*out))
        return expected(err, within, name, "a text, without control characters");
    return PBY_OK;
}

static pby_status read_rational(mpq_t out, const json_t *object, const char *within, const char *name,
                                const char *fallback, pby_error *err)
{
    char at[PLACE_SIZE];
    const char *text = NULL;
    pby_status status = read_text(&text, object, within, name, fallback == NULL, err);
    place(at, within, name);
    return status == PBY_OK ? pby_rational_parse(out, at, text != NULL ? text : fallback, err) : status;
}

static pby_status read_integer(json_int_t *out, const json_t *object, const char *within, const char *name,
                               json_int_t most, bool needed, pby_error *err)
{
    char what[64];
    const json_t *value = json_object_get(object, name);
    *out = json_integer_value(value);
    snprintf(what, sizeof what, "an integer from 1 to %" JSON_INTEGER_FORMAT, most);
    if (value == NULL && !needed)
        return PBY_OK;
    return json_is_integer(value) && *out >= 1 && *out <= most ? PBY_OK : expected(err, within, name, what);
}

/* ---- one audit -------------------------------------------------------------------------------- */

static pby_status read_name(pby_planned_audit *a, const char *within, pby_error *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const pby_status status = read_text(&a->name, a->entry, within, "name", true, err);
    if (status == PBY_OK &&
        (strspn(a->name, letters) != strlen(a->name) || a->name[0] == '-' || strlen(a->name) > NAME_MAX_SIZE))
        return refuse(err, within, "name", a->name, "small letters, digits and hyphens, at most 64");
    return status;
}

/* A claim of rho or of mu stands in place of epsilon and delta. */
static pby_status read_divergence(pby_planned_audit *a, const json_t *claim, const char *at, pby_error *err)
{
    static const char *const others[] = {"epsilon", "delta", "mu"};
    char where[PLACE_SIZE];
    a->claimed.kind = json_object_get(claim, "rho") != NULL ? PBY_ASK_RHO : PBY_ASK_MU;
    const char *name = pby_claimed_name(a->claimed.kind);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], name) != 0 && json_object_get(claim, others[i]) != NULL)
            return expected(err, at, others[i], "no other number beside rho or mu");
    PBY_TRY(read_rational(a->value, claim, at, name, NULL, err));
    a->claimed.value = a->value;
    place(where, at, name);
    PBY_TRY(pby_claimed_check(&a->claimed, where, err));
    return pby_claimed_middle(a->epsilon, a->delta, &a->claimed, err);
}

static pby_status read_claim(pby_planned_audit *a, const char *within, pby_error *err)
{
    static const char *const known[] = {"epsilon", "delta", "rho", "mu", "source", "deployment", NULL};
    char at[PLACE_SIZE];
    const json_t *claim = json_object_get(a->entry, "claim");
    if (!json_is_object(claim))
        return expected(err, within, "claim", "an object with epsilon, rho or mu");
    place(at, within, "claim");
    pby_status status = only(claim, at, known, err);
    if (status == PBY_OK && (json_object_get(claim, "rho") != NULL || json_object_get(claim, "mu") != NULL)) {
        PBY_TRY(read_divergence(a, claim, at, err));
        return read_text(&a->source, claim, at, "source", false, err);
    }
    if (status == PBY_OK)
        status = read_rational(a->epsilon, claim, at, "epsilon", NULL, err);
    if (status == PBY_OK && mpq_sgn(a->epsilon) < 0)
        status = refuse(err, at, "epsilon", pby_json_string(claim, "epsilon"), "a rational from 0 on");
    if (status == PBY_OK)
        status = read_rational(a->delta, claim, at, "delta", "0", err);
    if (status == PBY_OK && (mpq_sgn(a->delta) < 0 || mpq_cmp_ui(a->delta, 1, 1) >= 0))
        status = refuse(err, at, "delta", pby_json_string(claim, "delta"), "a rational from 0 to below 1");
    return status == PBY_OK ? read_text(&a->source, claim, at, "source", false, err) : status;
}

static pby_status read_neighbours(pby_planned_audit *a, const char *within, pby_error *err)
{
    char at[PLACE_SIZE];
    const char *text = NULL;
    pby_spec *spec = NULL;
    pby_status status = read_text(&text, a->entry, within, "neighbours", false, err);
    if (status == PBY_OK && a->release != NULL) {
        status = pby_spec_parse(&spec, &a->release, 1, err);
        if (status == PBY_OK && text == NULL)
            status = pby_spec_neighbours(&a->neighbours, spec, err);
    }
    place(at, within, "neighbours");
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

static pby_status read_mechanism(pby_planned_audit *a, const char *within, pby_error *err)
{
    pby_status status = read_text(&a->command, a->entry, within, "command", false, err);
    if (status == PBY_OK)
        status = read_text(&a->release, a->entry, within, "release", false, err);
    const int ways = (a->command != NULL) + (a->release != NULL) + is_of_files(a);
    if (status == PBY_OK && ways != 1)
        return expected(err, within, "command", "one of it, release and files");
    if (status == PBY_OK && a->command != NULL && strstr(a->command, "{input}") == NULL)
        return refuse(err, within, "command", a->command,
                      "{input} in it: without it the command is the same on both inputs");
    return status == PBY_OK ? read_neighbours(a, within, err) : status;
}

static pby_status read_pair(pby_planned_audit *a, const char *within, const char *name, const char *what,
                            pby_error *err)
{
    const json_t *list = json_object_get(a->entry, name);
    for (size_t i = 0; i < 2; i++) {
        a->input[i] = json_string_value(json_array_get(list, i));
        if (a->input[i] == NULL || !is_readable(a->input[i]) || json_array_size(list) != 2)
            return expected(err, within, name, what);
    }
    return PBY_OK;
}

static pby_status read_search(pby_planned_audit *a, const char *within, bool here, pby_error *err)
{
    pby_inputs *inputs = NULL;
    json_int_t pairs;
    pby_error why = PBY_NO_ERROR;
    pby_status status = read_integer(&pairs, a->entry, within, "pairs", PBY_SEARCH_PAIRS_MAX, false, err);
    if (status != PBY_OK)
        return status;
    a->pairs = (unsigned long)pairs;
    if (!here && strchr(a->search, ':') == NULL)
        return PBY_OK;
    status = pby_audit_inputs(&inputs, a->search, a->neighbours, &why);
    if (status != PBY_OK)
        status = pby_fail(err, status, "%s.search: %s", within, why.text);
    else if (a->release != NULL && !pby_inputs_lines(inputs))
        status = refuse(err, within, "search", a->search, "counts or records for release, which reads files");
    pby_inputs_free(inputs);
    return status;
}

static pby_status read_inputs(pby_planned_audit *a, const char *within, bool here, pby_error *err)
{
    const bool given = json_object_get(a->entry, "inputs") != NULL;
    pby_status status = read_text(&a->search, a->entry, within, "search", false, err);
    if (status != PBY_OK)
        return status;
    if (given == (a->search != NULL))
        return expected(err, within, "inputs", "it or search, one of the two");
    if (a->search != NULL)
        return read_search(a, within, here, err);
    if (json_object_get(a->entry, "pairs") != NULL)
        return expected(err, within, "pairs", "it together with search");
    return read_pair(a, within, "inputs", "a list of two texts, two neighbouring inputs", err);
}

/* Two files of outputs, of any number of them. */
static pby_status read_files(pby_planned_audit *a, const char *within, pby_error *err)
{
    static const char *const others[] = {"inputs", "search", "pairs", "outputs", "keep", "command_seconds"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (json_object_get(a->entry, others[i]) != NULL)
            return expected(err, within, others[i], "it without files, which have the outputs");
    PBY_TRY(read_text(&a->columns, a->entry, within, "columns", false, err));
    return read_pair(a, within, "files", "a list of two texts, two files of outputs", err);
}

/* The budget, and what the judgement may rest on. */
static pby_status read_rest(pby_planned_audit *a, const char *within, pby_error *err)
{
    char at[PLACE_SIZE];
    json_int_t outputs, patience;
    unsigned kinds;
    const json_t *keep = json_object_get(a->entry, "keep");
    pby_status status =
        read_integer(&outputs, a->entry, within, "outputs", outputs_max, !is_of_files(a), err);
    if (status == PBY_OK)
        status = read_text(&a->features, a->entry, within, "features", false, err);
    place(at, within, "features");
    if (status == PBY_OK && a->features != NULL)
        status = pby_kinds_parse(&kinds, at, a->features, err);
    if (status == PBY_OK && keep != NULL && !json_is_boolean(keep))
        status = expected(err, within, "keep", "true or false");
    if (status == PBY_OK)
        status = read_integer(&patience, a->entry, within, "command_seconds", PATIENCE_MOST, false, err);
    if (status != PBY_OK)
        return status;
    if (patience != 0 && a->command == NULL)
        return expected(err, within, "command_seconds", "it together with command");
    a->patience = (unsigned)patience;
    a->outputs = (uint64_t)outputs;
    a->keep = json_is_true(keep);
    return status;
}

static pby_status read_audit(pby_planned_audit *a, const char *within, bool here, pby_error *err)
{
    static const char *const known[] = {
        "name",    "mechanism", "claim",      "command", "release",         "inputs", "search",  "pairs",
        "outputs", "features",  "neighbours", "keep",    "command_seconds", "files",  "columns", NULL};
    if (!json_is_object(a->entry))
        return pby_fail(err, PBY_BAD, "%s: expected an object", within);
    pby_status status = only(a->entry, within, known, err);
    if (status == PBY_OK)
        status = read_name(a, within, err);
    if (status == PBY_OK)
        status = read_text(&a->mechanism, a->entry, within, "mechanism", false, err);
    if (status == PBY_OK)
        status = read_claim(a, within, err);
    if (status == PBY_OK)
        status = read_mechanism(a, within, err);
    if (status == PBY_OK && json_object_get(a->entry, "columns") != NULL && !is_of_files(a))
        return expected(err, within, "columns", "it together with files");
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
        return expected(err, "", "audits", "a list of 1 to 1000 audits");
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
                status = refuse(err, within, "name", plan->audit[i].name, "a name that no other audit has");
    }
    return status;
}

static pby_status read_error(pby_audit_plan *plan, pby_error *err)
{
    PBY_TRY(read_rational(plan->error, plan->root, "", "error", "1e-6", err));
    if ((mpq_sgn(plan->error) <= 0 || mpq_cmp_ui(plan->error, 1, 2) >= 0 ||
         mpz_sizeinbase(mpq_denref(plan->error), 2) > 900))
        return refuse(err, "", "error", pby_json_string(plan->root, "error"),
                      "a rational above 0 and below 1/2, not below 1e-270");
    return PBY_OK;
}

static pby_status read_list(const json_t *root, const char *name, pby_error *err)
{
    const json_t *list = json_object_get(root, name);
    if (list != NULL && !json_is_array(list))
        return expected(err, "", name, "a list of texts");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (text == NULL || text[0] == '\0' || !is_readable(text))
            return expected(err, "", name, "a list of texts, without control characters");
    }
    return PBY_OK;
}

static pby_status read_plan(pby_audit_plan *plan, pby_error *err)
{
    static const char *const known[] = {"format",        "version", "title",      "scope", "error",
                                        "not_looked_at", "audits",  "deployment", NULL};
    if (!json_is_object(plan->root) || strcmp(pby_json_string(plan->root, "format"), "probity-plan") != 0)
        return expected(err, "", "format", "a JSON object with the format probity-plan");
    if (json_integer_value(json_object_get(plan->root, "version")) != 1)
        return expected(err, "", "version", "1");
    pby_status status = only(plan->root, "", known, err);
    if (status == PBY_OK)
        status = read_text(&plan->title, plan->root, "", "title", true, err);
    if (status == PBY_OK && strchr(plan->title, '\n') != NULL)
        status = expected(err, "", "title", "one line");
    if (status == PBY_OK)
        status = read_text(&plan->scope, plan->root, "", "scope", true, err);
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
