/* SPDX-License-Identifier: MIT */
/* A session: what it is, how far it has come, and its positive answers. */
#include "probity/experimental/reports.h"
#include "probity/experimental/session.h"

#include <inttypes.h>

#include "base/json.h"
#include "report/sheet.h"

static json_t *top_json(uint64_t at, const pby_reply *reply)
{
    return reply->has_value
               ? json_pack("{s:I, s:I}", "question", (json_int_t)at, "value", (json_int_t)reply->value)
               : json_pack("{s:I}", "question", (json_int_t)at);
}

static void print_tops(pby_sheet *s, const pby_session *session)
{
    json_t *above = json_array();
    for (size_t i = 0; i < pby_session_tops(session); i++) {
        pby_reply reply;
        const uint64_t at = pby_session_top(&reply, session, i);
        above = pby_json_append(above, top_json(at, &reply));
        if (reply.has_value)
            pby_sheet_line(s, "above", "question %" PRIu64 ", value %" PRId64, at, reply.value);
        else
            pby_sheet_line(s, "above", "question %" PRIu64, at);
    }
    pby_sheet_member(s, "above", above);
}

pby_status pby_report_session(char **text, const pby_session *session, pby_report_form form, pby_error *err)
{
    const int64_t threshold = pby_session_threshold(session);
    const uint64_t asked = pby_session_asked(session), left = pby_session_left(session);
    pby_sheet s;
    pby_sheet_begin(&s, form);
    pby_sheet_text(&s, "mechanism", "spec", pby_session_spec(session));
    pby_sheet_line(&s, "threshold", "%" PRId64, threshold);
    pby_sheet_member(&s, "threshold", json_integer(threshold));
    pby_sheet_line(&s, "answered", "%" PRIu64 " questions", asked);
    pby_sheet_member(&s, "asked", json_integer((json_int_t)asked));
    pby_sheet_line(&s, "left", "%" PRIu64 " positive answers%s", left, left == 0 ? ": it has halted" : "");
    pby_sheet_member(&s, "left", json_integer((json_int_t)left));
    if (pby_session_digest(session)[0] != '\0')
        pby_sheet_text(&s, "digest", "digest", pby_session_digest(session));
    print_tops(&s, session);
    return pby_sheet_end(text, &s, PBY_OK, err);
}
