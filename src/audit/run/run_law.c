/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "audit/conform.h"
#include "audit/run/audit_run.h"
#include "probity/experimental/auditing.h"

static pby_status count_law(pby_conformance *test, pby_feed *lines, pby_error *err)
{
    pby_status status;
    const char *text;
    size_t length;
    do {
        status = pby_feed_next(lines, &text, &length, err);
        if (status == PBY_OK && text != NULL)
            status = pby_conformance_add(test, text, length, err);
    } while (status == PBY_OK && text != NULL);
    return status;
}

pby_status pby_audit_law(json_t **out, bool *violation, const pby_audit_request *r, const char *law,
                         pby_error *err)
{
    pby_feed lines = {.name = NULL};
    pby_spec *spec = NULL;
    pby_conformance *test = NULL;
    *out = NULL;
    pby_status status = pby_spec_parse(&spec, &law, 1, err);
    if (status == PBY_OK)
        status = pby_conformance_new(&test, spec, err);
    if (status == PBY_OK)
        status = pby_feed_open_columns(&lines, r->operand[0], r->columns, err);
    if (status == PBY_OK)
        status = pby_feed_head(&lines, 1, r->columns, err);
    if (status == PBY_OK)
        status = count_law(test, &lines, err);
    const pby_status closed = pby_feed_close(&lines, false, status != PBY_OK, status == PBY_OK ? err : NULL);
    if (status == PBY_OK)
        status = closed == PBY_OK ? pby_conformance_object(violation, out, test, r->error, err) : closed;
    pby_conformance_free(test);
    pby_spec_free(spec);
    return status;
}
