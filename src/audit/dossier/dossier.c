/* SPDX-License-Identifier: MIT */
#include "audit/dossier/dossier.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/dossier/dossier_judge.h"
#include "audit/dossier/dossier_page.h"
#include "audit/dossier/result.h"
#include "audit/dossier/stated.h"
#include "audit/run/date.h"
#include "base/json.h"
#include "certificate/certificate.h"
#include "certificate/document.h"
#include "io/digest.h"
#include "io/file.h"
#include "io/spool.h"
#include "report/sheet.h"

enum { PLAN_LIMIT = 1 << 24, RESULT_LIMIT = 1 << 26, JOURNAL_LIMIT = 1 << 26 };

struct run {
    const pby_dossier_request *q;
    pby_audit_plan *plan;
    pby_digest plan_digest; /* of the file */
    int journal;            /* locked while the run lasts */
    json_t **result;        /* for each audit; NULL where there is none */
    char **reason;          /* why it has none */
};

/* ---- files ------------------------------------------------------------------------------------ */

/* DIR/a or DIR/a/b or DIR/a/bEND; for free(3). */
static pby_status path_of(char **out, const struct run *r, const char *a, const char *b, const char *end,
                          pby_error *err)
{
    if (asprintf(out, "%s/%s%s%s%s", r->q->folder, a, b[0] == '\0' ? "" : "/", b, end) >= 0)
        return PBY_OK;
    *out = NULL;
    return pby_no_memory(err);
}

static pby_status make_folder(const char *path, pby_error *err)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "%s: cannot be made: %s", path, strerror(errno));
}

static pby_status make_folders(const struct run *r, const char *a, const char *b, pby_error *err)
{
    char *path = NULL;
    pby_status status = path_of(&path, r, a, "", "", err);
    if (status == PBY_OK)
        status = make_folder(path, err);
    free(path);
    path = NULL;
    if (status == PBY_OK && b[0] != '\0') {
        status = path_of(&path, r, a, b, "", err);
        if (status == PBY_OK)
            status = make_folder(path, err);
        free(path);
    }
    return status;
}

static pby_status save(const struct run *r, const char *a, const char *b, const char *end, const char *text,
                       pby_error *err)
{
    char *path = NULL;
    pby_status status = path_of(&path, r, a, b, end, err);
    if (status == PBY_OK)
        status = pby_spool_text(path, text, "", err);
    free(path);
    return status;
}

static pby_status save_document(const struct run *r, const char *a, const char *b, const char *end,
                                const json_t *root, pby_error *err)
{
    char *text = pby_certificate_encode(root);
    const pby_status status = text == NULL ? pby_no_memory(err) : save(r, a, b, end, text, err);
    free(text);
    return status;
}

/* ---- the plan --------------------------------------------------------------------------------- */

static pby_status read_plan(struct run *r, pby_error *err)
{
    char *path = NULL, *text = NULL;
    size_t size = 0;
    json_error_t fault;
    pby_error why = PBY_NO_ERROR;
    pby_status status = path_of(&path, r, "plan.json", "", "", err);
    if (status == PBY_OK)
        status = pby_file_read(&text, &size, path, PLAN_LIMIT, err);
    if (status != PBY_OK) {
        free(path);
        return status;
    }
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &fault);
    if (root == NULL)
        status =
            pby_fail(err, PBY_BAD, "%s: expected JSON, but for line %d: %s", path, fault.line, fault.text);
    else {
        status = pby_audit_plan_new(&r->plan, root, true, &why);
        if (status != PBY_OK)
            pby_fail(err, status, "%s: %s", path, why.text);
    }
    pby_digest_bytes(&r->plan_digest, text, size);
    json_decref(root);
    free(text);
    free(path);
    return status;
}

/* ---- the journal ------------------------------------------------------------------------------ */

static pby_status open_journal(struct run *r, pby_error *err)
{
    char *path = NULL;
    pby_status status = path_of(&path, r, "journal.txt", "", "", err);
    if (status != PBY_OK)
        return status;
    r->journal = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (r->journal < 0)
        status = pby_fail(err, PBY_BAD, "%s: cannot be written: %s", path, strerror(errno));
    else if (flock(r->journal, LOCK_EX | LOCK_NB) != 0)
        status = pby_fail(err, PBY_BAD, "%s: another run is at work on this dossier", r->q->folder);
    free(path);
    return status;
}

/* DATE NAME what. */
static pby_status note(const struct run *r, const char *name, const char *what, pby_error *err)
{
    char date[PBY_DATE_SIZE];
    char *line = NULL;
    pby_status status = pby_audit_date(date, err);
    if (status == PBY_OK && asprintf(&line, "%s %s %s\n", date, name, what) < 0) {
        line = NULL;
        status = pby_no_memory(err);
    }
    if (status == PBY_OK)
        status = pby_file_write_all(r->journal, line, strlen(line), "journal.txt", err);
    free(line);
    return status;
}

/* Counts how often the journal says that this audit began. */
static pby_status count_starts(size_t *starts, const struct run *r, const char *name, pby_error *err)
{
    char *path = NULL, *text = NULL, *word = NULL;
    size_t size;
    *starts = 0;
    pby_status status = path_of(&path, r, "journal.txt", "", "", err);
    if (status == PBY_OK)
        status = pby_file_read(&text, &size, path, JOURNAL_LIMIT, err);
    if (status == PBY_OK && asprintf(&word, "UTC %s began\n", name) < 0) {
        word = NULL;
        status = pby_no_memory(err);
    }
    for (const char *at = text; status == PBY_OK && (at = strstr(at, word)) != NULL; at++)
        ++*starts;
    free(word);
    free(text);
    free(path);
    return status;
}

/* ---- results ---------------------------------------------------------------------------------- */

static pby_status read_result(struct run *r, size_t i, pby_error *err)
{
    char *path = NULL, *text = NULL;
    size_t size = 0;
    pby_error why = PBY_NO_ERROR;
    pby_status status = path_of(&path, r, "results", r->plan->audit[i].name, ".json", err);
    if (status != PBY_OK || access(path, F_OK) != 0) {
        free(path);
        return status;
    }
    status = pby_file_read(&text, &size, path, RESULT_LIMIT, &why);
    if (status == PBY_OK)
        status = pby_document_read(&r->result[i], text, size, &why);
    if (status == PBY_OK)
        status = pby_result_check(r->result[i], r->plan, &r->plan->audit[i], &why);
    if (status != PBY_OK)
        status = pby_fail(err, status == PBY_NO ? PBY_BAD : status,
                          "%s: %s; expected it as it was written, or not at all", path, why.text);
    free(text);
    free(path);
    return status;
}

/* True if a file of results is that of an audit of the plan. A result that nobody asks for any more would be
 * a claim that was dropped after it was judged. */
static bool planned(const struct run *r, const char *file)
{
    for (size_t i = 0; i < r->plan->audits; i++) {
        const size_t length = strlen(r->plan->audit[i].name);
        if (strncmp(file, r->plan->audit[i].name, length) == 0 && strcmp(file + length, ".json") == 0)
            return true;
    }
    return file[0] == '.';
}

static pby_status check_folder(const struct run *r, pby_error *err)
{
    char *path = NULL;
    pby_status status = path_of(&path, r, "results", "", "", err);
    DIR *folder = status == PBY_OK ? opendir(path) : NULL;
    if (status == PBY_OK && folder == NULL)
        status = pby_fail(err, PBY_BAD, "%s: expected a folder: %s", path, strerror(errno));
    for (const struct dirent *e; folder != NULL && status == PBY_OK && (e = readdir(folder)) != NULL;)
        if (!planned(r, e->d_name))
            status = pby_fail(err, PBY_BAD, "%s/%s: expected results of audits that the plan has", path,
                              e->d_name);
    if (folder != NULL)
        closedir(folder);
    free(path);
    return status;
}

static pby_status read_results(struct run *r, pby_error *err)
{
    r->result = calloc(r->plan->audits, sizeof(json_t *));
    r->reason = calloc(r->plan->audits, sizeof(char *));
    if (r->result == NULL || r->reason == NULL)
        return pby_no_memory(err);
    PBY_TRY(make_folders(r, "results", "", err));
    PBY_TRY(check_folder(r, err));
    for (size_t i = 0; i < r->plan->audits; i++)
        PBY_TRY(read_result(r, i, err));
    return PBY_OK;
}

/* ---- running ---------------------------------------------------------------------------------- */

static pby_status finish_audit(struct run *r, size_t i, pby_status status, const pby_error *why,
                               pby_error *err)
{
    const char *name = r->plan->audit[i].name;
    if (status == PBY_OK) {
        status = save_document(r, "results", name, ".json", r->result[i], err);
        return status == PBY_OK ? note(r, name, "ended", err) : status;
    }
    if (status != PBY_BAD && status != PBY_INCONCLUSIVE)
        return pby_fail(err, status, "%s: %s", name, why->text);
    r->reason[i] = strdup(why->text);
    if (r->reason[i] == NULL)
        return pby_no_memory(err);
    return note(r, name, "failed", err);
}

static pby_status run_audit(struct run *r, size_t i, pby_error *err)
{
    const pby_planned_audit *a = &r->plan->audit[i];
    pby_error why = PBY_NO_ERROR;
    char *keep = NULL;
    size_t starts = 0;
    pby_status status = note(r, a->name, "began", err);
    if (status == PBY_OK)
        status = count_starts(&starts, r, a->name, err);
    if (status == PBY_OK && a->keep) {
        status = make_folders(r, "outputs", a->name, err);
        if (status == PBY_OK)
            status = path_of(&keep, r, "outputs", a->name, "", err);
    }
    if (status == PBY_OK) {
        status = pby_result_make(&r->result[i], r->plan, a, keep, starts, &r->q->observer, &why);
        status = finish_audit(r, i, status, &why, err);
    }
    free(keep);
    return status;
}

/* ---- the dossier ------------------------------------------------------------------------------ */

static json_t *gather(const struct run *r, const char *date)
{
    json_t *results = json_array(), *not_run = json_array();
    for (size_t i = 0; i < r->plan->audits; i++)
        if (r->result[i] != NULL)
            results = pby_json_append(results, json_incref(r->result[i]));
        else
            not_run = pby_json_append(
                not_run, json_pack("{s:s, s:s}", "audit", r->plan->audit[i].name, "reason", r->reason[i]));
    return json_pack("{s:s, s:i, s:s, s:O, s:s, s:o, s:o, s:o, s:o}", "format", "probity-dossier", "version",
                     PBY_DOSSIER_VERSION, "made", date, "plan", r->plan->root, "plan_sha256",
                     r->plan_digest.sha256, "results", results, "not_run", not_run, "computed_with",
                     pby_document_tools(), "stated", pby_stated_list(pby_stated_dossier, NULL));
}

static pby_status add_judgement(json_t *dossier, pby_deployment *d, pby_error *err)
{
    json_t *judgement = NULL;
    PBY_TRY(pby_described_judge(&judgement, d, err));
    return json_object_set_new(dossier, "deployment", judgement) == 0 ? PBY_OK : pby_no_memory(err);
}

static pby_status write_page(const struct run *r, const json_t *dossier, pby_error *err)
{
    char *page = NULL;
    pby_status status = pby_dossier_page(&page, dossier, err);
    if (status == PBY_OK)
        status = save(r, "dossier.html", "", "", page, err);
    free(page);
    return status;
}

static pby_status write_dossier(json_t **out, const struct run *r, pby_error *err)
{
    char date[PBY_DATE_SIZE];
    pby_status status = pby_audit_date(date, err);
    if (status != PBY_OK)
        return status;
    *out = gather(r, date);
    if (r->plan->deployment != NULL)
        status = add_judgement(*out, r->plan->deployment, err);
    if (status == PBY_OK)
        status = pby_document_seal(*out, err);
    if (status == PBY_OK && r->q->secret != NULL)
        status = pby_document_sign(*out, r->q->secret, err);
    if (status == PBY_OK)
        status = save_document(r, "dossier.json", "", "", *out, err);
    return status == PBY_OK ? write_page(r, *out, err) : status;
}

/* ---- the answer ------------------------------------------------------------------------------- */

/* One line of a claim; the object of it. Canaries show no delta. */
static json_t *print_verdict(pby_sheet *s, const char *name, const json_t *v)
{
    static const char *const members[] = {"verdict", "epsilon_lower", "delta_lower"};
    const char *delta = pby_json_string(v, "delta_lower");
    pby_sheet_line(s, "claim", "%s: %s, epsilon > %s%s%s", name, pby_json_string(v, "verdict"),
                   pby_json_string(v, "epsilon_lower"), delta[0] == '\0' ? "" : ", delta > ", delta);
    json_t *object = json_pack("{s:s}", "audit", name);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (json_object_get(v, members[i]) != NULL &&
            pby_json_set(object, members[i], json_incref(json_object_get(v, members[i])), NULL) != PBY_OK) {
            json_decref(object);
            return NULL;
        }
    return object;
}

static void print_claims(pby_sheet *s, const struct run *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->plan->audits; i++) {
        const json_t *v = json_object_get(r->result[i], "verdict");
        const char *name = r->plan->audit[i].name;
        if (v == NULL) {
            pby_sheet_line(s, "claim", "%s: not run: %s", name, r->reason[i]);
            list = pby_json_append(list, json_pack("{s:s, s:s, s:s}", "audit", name, "verdict", "not run",
                                                   "reason", r->reason[i]));
            continue;
        }
        list = pby_json_append(list, print_verdict(s, name, v));
    }
    pby_sheet_member(s, "claims", list);
}

static pby_status answer(char **text, const struct run *r, const json_t *dossier, pby_error *err)
{
    pby_sheet s;
    const pby_dossier_sum sum = pby_dossier_count(dossier);
    char *page = NULL;
    pby_status status = path_of(&page, r, "dossier.html", "", "", err);
    if (status != PBY_OK)
        return status;
    pby_sheet_begin(&s, r->q->form);
    pby_sheet_text(&s, "page", "page", page);
    pby_sheet_text(&s, "digest", "digest", pby_json_string(dossier, "digest"));
    pby_sheet_text(&s, "signed", "signed", json_object_get(dossier, "signature") == NULL ? "no" : "yes");
    print_claims(&s, r);
    free(page);
    status = pby_sheet_end(text, &s, PBY_OK, err);
    if (status != PBY_OK)
        return status;
    if (sum.refuted > 0)
        return pby_fail(err, PBY_NO, "violation: %zu of %zu claims refuted", sum.refuted, sum.claims);
    if (sum.unkept > 0)
        return pby_fail(err, PBY_NO, "the deployment: %zu of its claims not kept by the published mechanisms",
                        sum.unkept);
    return sum.inconclusive + sum.not_run > 0
               ? pby_fail(err, PBY_INCONCLUSIVE, "inconclusive: %zu of %zu claims not judged",
                          sum.inconclusive + sum.not_run, sum.claims)
               : PBY_OK;
}

static void end(struct run *r)
{
    for (size_t i = 0; r->plan != NULL && i < r->plan->audits; i++) {
        json_decref(r->result != NULL ? r->result[i] : NULL);
        free(r->reason != NULL ? r->reason[i] : NULL);
    }
    free(r->result);
    free(r->reason);
    pby_audit_plan_free(r->plan);
    if (r->journal >= 0)
        close(r->journal);
}

pby_status pby_dossier_run(char **text, const pby_dossier_request *q, pby_error *err)
{
    struct run r = {.q = q, .journal = -1};
    json_t *dossier = NULL;
    *text = NULL;
    pby_status status = read_plan(&r, err);
    if (status == PBY_OK)
        status = open_journal(&r, err);
    if (status == PBY_OK)
        status = read_results(&r, err);
    for (size_t i = 0; status == PBY_OK && i < r.plan->audits; i++)
        if (r.result[i] == NULL)
            status = run_audit(&r, i, err);
    if (status == PBY_OK)
        status = write_dossier(&dossier, &r, err);
    if (status == PBY_OK)
        status = answer(text, &r, dossier, err);
    json_decref(dossier);
    end(&r);
    return status;
}
