/* SPDX-License-Identifier: MIT */
#include "audit/report/page_parts.h"

#include "picture/html.h"

void pby_report_put_subject(FILE *out, const pby_report *r)
{
    if (r->mechanism != NULL) {
        fputs("<strong>", out);
        pby_html_text(out, r->mechanism);
        fputs("</strong>", out);
    } else {
        fputs("a mechanism that was not named", out);
    }
    if (r->date != NULL) {
        fputs(", ", out);
        pby_html_text(out, r->date);
    }
}

void pby_report_put_sources(FILE *out, const pby_report *r)
{
    if (r->sources == 0)
        return;
    fputs("<h2>What was read</h2>\n<table class=\"rows\">\n<tr "
          "class=\"head\"><th>what</th><th>name</th><th>SHA-256</th></tr>\n",
          out);
    for (size_t i = 0; i < r->sources; i++) {
        fputs("<tr><td>", out);
        pby_html_text(out, r->source[i].what);
        fputs("</td><td class=\"event\"><code>", out);
        pby_html_text(out, r->source[i].name);
        fputs("</code></td><td class=\"digest\"><code>", out);
        pby_html_text(out, r->source[i].sha256);
        fputs("</code></td></tr>\n", out);
    }
    fputs("</table>\n", out);
}
