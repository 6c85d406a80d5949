/* SPDX-License-Identifier: MIT */
#include "picture/html.h"

static const char style[] =
    "<style>\n"
    "body { font: 15px/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 46rem; "
    "margin: 1.5rem auto; padding: 0 1rem; }\n"
    "h1 { font-size: 1.4rem; padding: .6rem .9rem; border-left: .5rem solid; margin: .6rem 0; }\n"
    "h1.violation { border-color: #b3261e; background: #fbeae9; }\n"
    "h1.consistent { border-color: #3a6ea5; background: #eaf1f8; }\n"
    "h1.inconclusive { border-color: #8a6d1f; background: #faf3de; }\n"
    "h1.plain { border-color: #555; background: #f3f3f3; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 1.1rem; margin-top: 2rem; border-bottom: 1px solid #ccc; }\n"
    "h3 { font-size: 1rem; margin: 1.6rem 0 .3rem; overflow-wrap: anywhere; }\n"
    "h3.violation { border-left: .3rem solid #b3261e; padding-left: .5rem; }\n"
    "h3.consistent { border-left: .3rem solid #3a6ea5; padding-left: .5rem; }\n"
    "h3.inconclusive { border-left: .3rem solid #8a6d1f; padding-left: .5rem; }\n"
    "td.violation { color: #b3261e; font-weight: 600; } td.inconclusive { color: #75590f; font-weight: 600; "
    "}\n"
    "table.rows > tbody > tr > th { width: 8.5rem; } table.rows tr.head th { width: auto; }\n"
    ".about { margin: 0; overflow-wrap: anywhere; } .summary { font-size: 1.05rem; }\n"
    "table { border-collapse: collapse; width: 100%; }\n"
    "th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px "
    "solid #e5e5e5; }\n"
    "td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }\n"
    "td.name { overflow-wrap: break-word; } td.event, td.digest { overflow-wrap: anywhere; } td.error { "
    "white-space: nowrap; }\n"
    "td.digest code { font-size: 11px; }\n"
    "pre, code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }\n"
    "pre { background: #f4f4f4; padding: .7rem; }\n"
    "svg { display: block; width: 100%; max-width: 38rem; height: auto; margin: 0 auto; overflow: visible; "
    "}\n"
    "svg text { font: 13px system-ui, sans-serif; fill: #333; }\n"
    ".legend { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; margin: 0 0 .4rem; padding: 0; list-style: "
    "none; font-size: .9rem; }\n"
    ".legend svg { display: inline-block; width: 30px; height: 12px; margin: 0 .4rem 0 0; }\n"
    ".grid { stroke: #e2e2e2; } .band { fill: #b9cfe6; opacity: .7; }\n"
    ".seen { stroke: #1f4e79; stroke-width: 2; fill: none; }\n"
    ".claimed { stroke: #b3261e; stroke-width: 2; stroke-dasharray: 7 4; fill: none; }\n"
    ".certified { stroke: #2e7d32; stroke-width: 2; stroke-dasharray: 2 3; fill: none; }\n"
    ".law { fill: #3a6ea5; } .law-line { stroke: #3a6ea5; stroke-width: 2; fill: none; }\n"
    ".left { fill: #1f4e79; } .right { fill: #d98a29; } .inside { fill: #f2e3e2; }\n"
    ".left-key { stroke: #1f4e79; stroke-width: 9; } .right-key { stroke: #d98a29; stroke-width: 9; } "
    ".inside-key { stroke: #f2e3e2; stroke-width: 9; }\n"
    "figure { margin: 1rem 0; break-inside: avoid; } figcaption { color: #444; font-size: .9rem; }\n"
    "tr { break-inside: avoid; }\n"
    "@media (max-width: 30rem) { body { padding: 0 .7rem; } th, td { padding-right: .4rem; font-size: "
    ".93rem; }\n"
    " td[data-name]::before { content: attr(data-name) \": \"; color: #555; }\n"
    " table.rows th, table.rows td { display: block; border: 0; padding: 0; } table.rows tr.head { display: "
    "none; } table.rows tr { display: block; padding: .3rem 0; border-bottom: 1px solid #e5e5e5; } }\n"
    "@media print { body { margin: 0; max-width: none; font-size: 11pt; } }\n"
    "</style>\n</head>\n<body>\n<main>\n";

void pby_html_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          out);
    pby_html_text(out, title);
    fputs("</title>\n", out);
    fputs(style, out);
}

void pby_html_end(FILE *out)
{
    fputs("</main>\n</body>\n</html>", out);
}

void pby_html_row(FILE *out, const char *name)
{
    fprintf(out, "<tr><th>%s</th><td class=\"event\">", name);
}

void pby_html_row_end(FILE *out)
{
    fputs("</td></tr>\n", out);
}

void pby_html_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
}
