#include "audit/run/run.h"

pby_status pby_audit_read_scores(pby_canaries *canaries, const char *path, bool included, pby_error *err)
{
    pby_feed lines = {.name = NULL};
    const char *text = NULL;
    size_t length;
    pby_status status = pby_feed_open(&lines, path, err);
    if (status != PBY_OK)
        return status;
    do {
        status = pby_feed_next(&lines, &text, &length, err);
        if (status == PBY_OK && text != NULL)
            status = pby_canaries_add(canaries, included, text, length, err);
    } while (status == PBY_OK && text != NULL);
    const pby_status closed = pby_feed_close(&lines, true, status != PBY_OK, NULL);
    return status == PBY_OK ? closed : status;
}
