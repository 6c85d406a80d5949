/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "audit/run/audit_run.h"
#include "base/status.h"

/* One score; a refusal says where it stands. */
static pby_status add_score(pby_canaries *canaries, bool included, const char *text, size_t length,
                            const char *path, uint64_t line, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    const pby_status status = pby_canaries_add(canaries, included, text, length, &why);
    return status == PBY_OK
               ? PBY_OK
               : pby_fail_by(err, status, why.reason, "%s, line %" PRIu64 ": %.400s", path, line, why.text);
}

pby_status pby_audit_read_scores(pby_canaries *canaries, const char *path, bool included, pby_error *err)
{
    pby_feed lines = {.name = NULL};
    const char *text = NULL;
    size_t length;
    pby_status status = pby_feed_open(&lines, path, err);
    if (status == PBY_OK)
        status = pby_feed_head(&lines, 1, NULL, err);
    while (status == PBY_OK) {
        status = pby_feed_next(&lines, &text, &length, err);
        if (status != PBY_OK || text == NULL)
            break;
        status = add_score(canaries, included, text, length, path, lines.number, err);
    }
    const pby_status closed = pby_feed_close(&lines, false, status != PBY_OK, status == PBY_OK ? err : NULL);
    return status == PBY_OK ? closed : status;
}
