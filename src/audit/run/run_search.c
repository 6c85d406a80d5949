/* SPDX-License-Identifier: MIT */
/* The search of inputs for a command or for releases, and the audit of what it finds. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "audit/run/audit_run.h"
#include "audit/run/run_publish.h"
#include "base/json.h"
#include "io/file.h"
#include "io/spool.h"
#include "probity/experimental/search.h"

struct quest {
    const pby_audit_request *r;
    pby_inputs *inputs;
    char *folder;  /* of our own, for input files; NULL where they are kept */
    char *path[2]; /* of the input files; NULL for inputs that are no files */
};

/* ---- input files ------------------------------------------------------------------------------ */

static void end_quest(struct quest *q)
{
    for (int side = 0; side < 2; side++) {
        if (q->folder != NULL && q->path[side] != NULL)
            unlink(q->path[side]);
        free(q->path[side]);
    }
    if (q->folder != NULL)
        rmdir(q->folder);
    free(q->folder);
    pby_inputs_free(q->inputs);
}

static pby_status make_folder(struct quest *q, pby_error *err)
{
    const char *dir = getenv("TMPDIR");
    if (asprintf(&q->folder, "%s/probity-XXXXXX", dir == NULL || dir[0] == '\0' ? "/tmp" : dir) < 0) {
        q->folder = NULL;
        return pby_no_memory(err);
    }
    if (mkdtemp(q->folder) != NULL)
        return PBY_OK;
    free(q->folder);
    q->folder = NULL;
    return pby_fail(err, PBY_FAILED, "a folder for inputs in $TMPDIR: %s", strerror(errno));
}

static pby_status name_files(struct quest *q, pby_error *err)
{
    pby_status status = q->r->keep == NULL ? make_folder(q, err) : PBY_OK;
    for (int side = 0; side < 2 && status == PBY_OK; side++)
        if (asprintf(&q->path[side], "%s/%s.csv", q->r->keep != NULL ? q->r->keep : q->folder,
                     side == 0 ? "left" : "right") < 0) {
            q->path[side] = NULL;
            status = pby_no_memory(err);
        }
    return status;
}

/* ---- outputs ---------------------------------------------------------------------------------- */

/* Makes operands of two inputs: themselves, or the names of files that hold them. */
static pby_status place(char *operand[2], const struct quest *q, const char *left, const char *right,
                        pby_error *err)
{
    pby_status status = PBY_OK;
    for (int side = 0; side < 2 && status == PBY_OK; side++) {
        const char *text = side == 0 ? left : right;
        operand[side] = q->path[side] != NULL ? strdup(q->path[side]) : strdup(text);
        if (operand[side] == NULL)
            status = pby_no_memory(err);
        else if (q->path[side] != NULL)
            status = pby_spool_text(q->path[side], text, "", err);
    }
    return status;
}

static pby_status count_all(pby_audit *audit, const pby_audit_request *r, pby_error *err)
{
    pby_feed lines[2];
    bool stopped = false;
    pby_status status = pby_audit_open(lines, r, err);
    if (status == PBY_OK)
        status = pby_feed_head(lines, 2, r->columns, err);
    if (status == PBY_OK)
        status = pby_feed_count(audit, lines, NULL, NULL, NULL, &r->observer, &stopped, err);
    return pby_audit_close(r->cut, lines, false, status, err);
}

/* A pair that the mechanism cannot be run on is passed over. */
static pby_status try_pair(pby_audit *audit, const char *left, const char *right, uint64_t n, void *what,
                           pby_error *err)
{
    const struct quest *q = what;
    char *operand[2] = {NULL, NULL};
    bool cut[2];
    pby_audit_request r = {.operands = 2,
                           .operand = operand,
                           .command = q->r->command,
                           .patience = q->r->patience,
                           .release = q->r->release,
                           .neighbours = q->r->neighbours,
                           .columns = q->r->columns,
                           .n = n,
                           .cut = cut};
    pby_status status = place(operand, q, left, right, err);
    if (status == PBY_OK) {
        status = count_all(audit, &r, err);
        status = status == PBY_BAD ? PBY_INCONCLUSIVE : status;
    }
    free(operand[0]);
    free(operand[1]);
    return status;
}

/* ---- the whole -------------------------------------------------------------------------------- */

static pby_status add_search(json_t *verdict, const char *inputs, const pby_worst_pair *w, pby_error *err)
{
    return pby_json_set(verdict, "search",
                        json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I}", "inputs", inputs, "left",
                                  pby_worst_pair_input(w, PBY_LEFT), "right",
                                  pby_worst_pair_input(w, PBY_RIGHT), "pattern", pby_worst_pair_pattern(w),
                                  "pairs", (json_int_t)pby_worst_pair_tried(w), "passed_over",
                                  (json_int_t)pby_worst_pair_passed_over(w), "outputs",
                                  (json_int_t)pby_worst_pair_outputs(w)),
                        err);
}

/* That of the processor: how busy the machine is does not matter. */
static double time_of_commands(void *what)
{
    struct rusage used;
    (void)what;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static pby_status find(pby_worst_pair **out, struct quest *q, pby_error *err)
{
    char *e = mpq_get_str(NULL, 10, q->r->epsilon), *d = mpq_get_str(NULL, 10, q->r->delta),
         *a = mpq_get_str(NULL, 10, q->r->error);
    const pby_search_asked asked = {.source = try_pair,
                                    .what = q,
                                    .outputs = q->r->n,
                                    .pairs = q->r->pairs,
                                    .epsilon = e,
                                    .delta = d,
                                    .error = a,
                                    .features = q->r->features,
                                    .clock = q->r->command != NULL ? time_of_commands : NULL};
    const pby_status status = pby_inputs_search(out, q->inputs, &asked, err);
    free(a);
    free(d);
    free(e);
    return status;
}

/* Judges new outputs on what was found. */
static pby_status judge(json_t **out, const struct quest *q, const pby_worst_pair *w, pby_error *err)
{
    char *operand[2] = {NULL, NULL};
    pby_audit_request r = *q->r;
    r.operand = operand;
    r.operands = 2;
    pby_status status =
        place(operand, q, pby_worst_pair_input(w, PBY_LEFT), pby_worst_pair_input(w, PBY_RIGHT), err);
    if (status == PBY_OK)
        status = r.sequential ? pby_audit_sequence(out, &r, err) : pby_audit_samples(out, &r, err);
    if (status == PBY_OK && *out != NULL)
        status = add_search(*out, r.search, w, err);
    if (status == PBY_OK)
        status = pby_audit_keep_verdict(&r, *out, err);
    free(operand[0]);
    free(operand[1]);
    return status;
}

pby_status pby_audit_searched(json_t **out, const pby_audit_request *r, pby_error *err)
{
    struct quest q = {.r = r};
    pby_worst_pair *worst = NULL;
    *out = NULL;
    pby_status status = pby_audit_inputs(&q.inputs, r->search, r->neighbours, err);
    if (status == PBY_OK && pby_inputs_lines(q.inputs))
        status = name_files(&q, err);
    if (status == PBY_OK && r->release != NULL && !pby_inputs_lines(q.inputs))
        status = pby_refuse(err, "search", r->search, "counts or records for --release, which reads files");
    if (status == PBY_OK)
        status = find(&worst, &q, err);
    if (status == PBY_OK)
        status = judge(out, &q, worst, err);
    if (status != PBY_OK) {
        json_decref(*out);
        *out = NULL;
    }
    pby_worst_pair_free(worst);
    end_quest(&q);
    return status;
}
