/* SPDX-License-Identifier: MIT */
#include "tests/audit/trace/traces.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "io/digest.h"

static const char input[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

void traces_open(trace_files *t)
{
    for (int s = 0; s < 2; s++) {
        strcpy(t->path[s], "/tmp/probity-trace-XXXXXX");
        const int fd = mkstemp(t->path[s]);
        cr_assert(fd >= 0);
        t->file[s] = fdopen(fd, "w");
    }
}

/* The text of a run, for free(3). */
static char *run_text(unsigned number, const char *lines, const char *replay, int probe)
{
    char *text = NULL, quoted[80] = "null";
    if (replay != NULL)
        snprintf(quoted, sizeof quoted, "\"%s\"", replay);
    cr_assert(asprintf(&text,
                       "{\"run\":%u,\"format\":\"probity-trace\",\"version\":1,\"input_sha256\":\"%s\","
                       "\"replay_of\":%s%s}\n%s",
                       number, input, quoted, probe ? ",\"probe\":true" : "", lines) > 0);
    return text;
}

void traces_pair(trace_files *t, unsigned number, const char *left, const char *right)
{
    pby_digest digest;
    char *text = run_text(number, left, NULL, 0);
    fputs(text, t->file[0]);
    pby_digest_bytes(&digest, text, strlen(text));
    free(text);
    text = run_text(number, right, digest.sha256, 0);
    fputs(text, t->file[1]);
    free(text);
}

void traces_alone(trace_files *t, unsigned number, const char *left, const char *right, int probe)
{
    for (int s = 0; s < 2; s++) {
        char *text = run_text(number, s == 0 ? left : right, NULL, probe);
        fputs(text, t->file[s]);
        free(text);
    }
}

json_t *traces_judge(trace_files *t, pby_trace_options options)
{
    char *text = NULL;
    pby_trace_verdict verdict;
    pby_error err = PBY_NO_ERROR;
    for (int s = 0; s < 2; s++)
        fclose(t->file[s]);
    options.form = PBY_REPORT_JSON;
    const pby_status status = pby_trace_judge(&text, &verdict, t->path[0], t->path[1], &options, &err);
    for (int s = 0; s < 2; s++)
        unlink(t->path[s]);
    if (status != PBY_OK)
        return json_pack("{s:s,s:i}", "error", err.text, "status", status);
    json_t *answer = json_loads(text, 0, NULL);
    free(text);
    return answer;
}

const char *traces_end(const json_t *answer, const char *name, const char *side, const char *end)
{
    return pby_json_string(json_object_get(json_object_get(json_object_get(answer, "ends"), name), side),
                           end);
}
