/* SPDX-License-Identifier: MIT */
/* `probity audit --dossier`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/dossier/dossier.h"
#include "audit/dossier/dossier_page.h"
#include "base/json.h"
#include "base/printed.h"
#include "certificate/secret_key.h"
#include "cli/cmd_audit.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "io/file.h"
#include "io/spool.h"
#include "report/self_checking.h"

/* Prints the answer, which a refuted claim has too. */
static pby_status answer(char *text, pby_status status, pby_error *err)
{
    if (text == NULL)
        return status;
    const pby_status printed = pby_print_report(text, PBY_OK);
    return printed == PBY_OK ? status : pby_fail(err, printed, "standard output cannot be written");
}

static pby_status run_dossier(const pby_option *folder, const char *secret, const pby_option *json,
                              pby_error *err)
{
    char *text = NULL;
    pby_progress progress;
    pby_progress_begin(&progress, "outputs counted", 0);
    const pby_dossier_request q = {.folder = folder->value,
                                   .secret = secret,
                                   .form = pby_option_form(json),
                                   .observer = pby_progress_observer(&progress)};
    const pby_status status = pby_dossier_run(&text, &q, err);
    pby_progress_end(&progress);
    return answer(text, status, err);
}

static const char *told(const char *verdict)
{
    return strcmp(verdict, "violation") == 0      ? "refuted"
           : strcmp(verdict, "consistent") == 0   ? "not refuted"
           : strcmp(verdict, "inconclusive") == 0 ? "could not be judged"
                                                  : verdict;
}

static void print_result(FILE *out, const json_t *result)
{
    static const char *const names[] = {"epsilon", "delta", "rho", "mu"};
    const json_t *verdict = json_object_get(result, "verdict"), *claim = json_object_get(verdict, "claim");
    const char *before = "claimed";
    fprintf(out, "%s: ", pby_json_string(result, "audit"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (json_object_get(claim, names[i]) != NULL) {
            fprintf(out, "%s %s %s", before, names[i], pby_json_string(claim, names[i]));
            before = ",";
        }
    fprintf(out, "; %s: epsilon at least %s is shown.\n", told(pby_json_string(verdict, "verdict")),
            pby_json_string(verdict, "epsilon_lower"));
}

/* The claims and verdicts of a dossier, a line each; NULL when there is no memory. */
static char *words_of(const json_t *dossier)
{
    const pby_dossier_sum sum = pby_dossier_count(dossier);
    const json_t *results = json_object_get(dossier, "results"),
                 *missing = json_object_get(dossier, "not_run"),
                 *described = json_object_get(dossier, "deployment"),
                 *claims = json_object_get(described, "claims");
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return NULL;
    fprintf(out,
            "Claimed: of %zu audits %zu refute their claim, %zu do not, %zu could not be judged and %zu were "
            "not run.\n",
            sum.claims, sum.refuted, sum.consistent, sum.inconclusive, sum.not_run);
    for (size_t i = 0; i < json_array_size(results); i++)
        print_result(out, json_array_get(results, i));
    for (size_t i = 0; i < json_array_size(missing); i++)
        fprintf(out, "%s: not run.\n", pby_json_string(json_array_get(missing, i), "audit"));
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *claim = json_array_get(claims, i);
        fprintf(out, "Claim %s of the deployment %s: %s (%s).\n", pby_json_string(claim, "name"),
                pby_json_string(described, "name"), pby_json_string(claim, "verdict"),
                pby_json_string(claim, "reason"));
    }
    return pby_printed_text(&printed);
}

static pby_status fill_page(char **page, const char *document, size_t size, pby_error *err)
{
    json_t *dossier;
    PBY_TRY(pby_json_read(&dossier, document, size, err));
    char *words = words_of(dossier);
    json_decref(dossier);
    const pby_status status = words == NULL ? pby_no_memory(err)
                                            : pby_page_of(page, "dossier.json", words, document, err);
    free(words);
    return status;
}

/* A page with the dossier in it, if one is asked for. A dossier in which claims are refuted has one too. */
static pby_status write_page(const char *folder, const char *path, pby_error *err)
{
    char *name = NULL, *document = NULL, *page = NULL;
    size_t size;
    if (path == NULL)
        return PBY_OK;
    pby_status status = asprintf(&name, "%s/dossier.json", folder) < 0 ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK)
        status = pby_file_read(&document, &size, name, PBY_DOSSIER_SIZE_MAX, err);
    if (status == PBY_OK)
        status = fill_page(&page, document, size, err);
    if (status == PBY_OK)
        status = pby_spool_text(path, page, "", err);
    free(page);
    free(document);
    free(name);
    return status;
}

static pby_status run_and_write(const pby_option *folder, const char *secret, const pby_option *page,
                                const pby_option *json, pby_error *err)
{
    const pby_status status = run_dossier(folder, secret, json, err);
    if (status != PBY_OK && status != PBY_NO)
        return status;
    pby_error why = PBY_NO_ERROR;
    const pby_status written = write_page(folder->value, page->value, &why);
    return written == PBY_OK ? status : pby_fail(err, written, "%s", why.text);
}

pby_status pby_audit_dossier(const pby_option *folder, const pby_option *key, const pby_option *page,
                             const pby_option *json, pby_error *err)
{
    pby_secret_key secret;
    if (page->value != NULL && pby_path_named(page->value) == NULL)
        return pby_refuse(err, "--page", page->value, "the name of a file");
    if (page->value != NULL)
        PBY_TRY(pby_page_ready(err));
    PBY_TRY(pby_secret_key_read(&secret, "--sign", key->value, err));
    const pby_status status = run_and_write(folder, secret.text, page, json, err);
    pby_secret_key_clear(&secret);
    return status;
}
