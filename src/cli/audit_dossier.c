/* SPDX-License-Identifier: MIT */
/* `probity audit --dossier`. */
#include <stdio.h>
#include <stdlib.h>

#include "audit/dossier/dossier.h"
#include "cli/cmd_audit.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/secret_key.h"
#include "cli/self_checking.h"
#include "io/file.h"
#include "io/spool.h"

/* Prints the answer, which a refuted claim has too. */
static pby_status answer(char *text, pby_status status, pby_error *err)
{
    if (text == NULL)
        return status;
    const pby_status printed = pby_print_report(text, PBY_OK);
    return printed == PBY_OK ? status : pby_fail(err, printed, "standard output cannot be written");
}

static pby_status run(const pby_option *folder, const char *secret, const pby_option *json, pby_error *err)
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

/* A page with the dossier in it, if one is asked for. A dossier in which claims are refuted has one too. */
static pby_status write_page(const char *folder, const char *path, pby_error *err)
{
    static const char claim[] = "Claimed: the verdicts of an audit, each from the counts that it states.";
    char *name = NULL, *document = NULL, *page = NULL;
    size_t size;
    if (path == NULL)
        return PBY_OK;
    pby_status status = asprintf(&name, "%s/dossier.json", folder) < 0 ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK)
        status = pby_file_read(&document, &size, name, PBY_DOSSIER_SIZE_MAX, err);
    if (status == PBY_OK)
        status = pby_page_of(&page, "dossier.json", claim, document, err);
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
    const pby_status status = run(folder, secret, json, err);
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
