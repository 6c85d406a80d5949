/* SPDX-License-Identifier: MIT */
/* The deployment on the page of a dossier: what its file states, and what its claims come to. */
#include <stdbool.h>
#include <string.h>

#include "audit/dossier/described.h"
#include "base/json.h"
#include "picture/html.h"

static const json_t *file_of(const json_t *dossier)
{
    return json_object_get(json_object_get(dossier, "plan"), "deployment");
}

/* ---- rows ------------------------------------------------------------------------------------- */

/* A text behind its words, if there is one; false without. */
static bool put_member(FILE *out, const char *before, const json_t *object, const char *member,
                       const char *after)
{
    const char *text = pby_json_string(object, member);
    if (text[0] == '\0')
        return false;
    fputs(before, out);
    pby_html_text(out, text);
    fputs(after, out);
    return true;
}

static void put_missing(FILE *out, bool there)
{
    if (!there)
        fputs("not published", out);
}

static void put_texts(FILE *out, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        fputs(i == 0 ? "" : "; ", out);
        pby_html_text(out, json_string_value(json_array_get(list, i)));
    }
}

static void list_row(FILE *out, const char *name, const json_t *list, const char *none)
{
    pby_html_row(out, name);
    put_texts(out, list);
    if (json_array_size(list) == 0)
        fputs(list == NULL ? "not published" : none, out);
    pby_html_row_end(out);
}

/* ---- what is deployed ------------------------------------------------------------------------- */

static void put_name(FILE *out, const json_t *file)
{
    const json_t *who = json_object_get(file, "organisation");
    pby_html_row(out, "Deployment");
    if (!put_member(out, "<strong>", file, "title", "</strong>"))
        put_member(out, "<strong>", file, "name", "</strong>");
    if (json_array_size(who) > 0)
        fputs(", ", out);
    put_texts(out, who);
    put_member(out, ", ", file, "published", "");
    put_member(out, "; ", file, "use", "");
    pby_html_row_end(out);
}

static void put_unit(FILE *out, const json_t *file)
{
    const json_t *unit = json_object_get(file, "unit");
    pby_html_row(out, "Unit of privacy");
    put_missing(out, put_member(out, "", unit, "entity", ""));
    put_member(out, ", what one gives in a ", unit, "period", "");
    pby_html_row_end(out);
    pby_html_row(out, "Neighbours");
    put_missing(out, put_member(out, "", unit, "neighbours", ""));
    pby_html_row_end(out);
}

static void put_bounds(FILE *out, const json_t *file)
{
    const json_t *list = json_object_get(file, "mechanisms");
    bool there = false;
    pby_html_row(out, "Contributions");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *m = json_array_get(list, i), *bounds = json_object_get(m, "bounds");
        if (bounds == NULL)
            continue;
        put_member(out, there ? "; " : "", m, "name", ": ");
        bool some = put_member(out, "groups at most ", bounds, "groups", "");
        some = put_member(out, some ? ", in each at most " : "in each group at most ", bounds, "per_group",
                          "") ||
               some;
        some = put_member(out, some ? ", in all at most " : "in all at most ", bounds, "contributions", "") ||
               some;
        put_member(out, some ? ", each adds at most " : "each adds at most ", bounds, "value", "");
        if (json_is_false(json_object_get(bounds, "enforced")))
            fputs(", not enforced", out);
        there = true;
    }
    put_missing(out, there);
    pby_html_row_end(out);
}

static void put_model(FILE *out, const json_t *file)
{
    const json_t *model = json_object_get(file, "model"), *trusted = json_object_get(model, "trusted");
    pby_html_row(out, "Model");
    put_missing(out, put_member(out, "", model, "kind", ""));
    fputs("; trusted: ", out);
    put_texts(out, trusted);
    if (json_array_size(trusted) == 0)
        fputs(trusted == NULL ? "not published" : "nobody", out);
    pby_html_row_end(out);
}

static void put_horizon(FILE *out, const json_t *file)
{
    const json_t *horizon = json_object_get(file, "horizon");
    pby_html_row(out, "Horizon");
    bool there = put_member(out, "from ", horizon, "from", " ");
    there = put_member(out, "to ", horizon, "to", " ") || there;
    there = put_member(out, "every ", horizon, "every", " ") || there;
    there = put_member(out, "(", horizon, "periods", " periods that one can be in)") || there;
    put_missing(out, there);
    pby_html_row_end(out);
    pby_html_row(out, "Releases");
    put_missing(out, put_member(out, "", horizon, "releases", ""));
    put_member(out, "; ", horizon, "data", " data");
    put_member(out, ", ", horizon, "access", " access");
    pby_html_row_end(out);
}

static void put_mechanisms(FILE *out, const json_t *file)
{
    const json_t *list = json_object_get(file, "mechanisms"), *rule = json_object_get(file, "composition");
    pby_html_row(out, "Mechanisms");
    put_missing(out, json_array_size(list) > 0);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *m = json_array_get(list, i);
        fputs(i == 0 ? "" : "<br>\n", out);
        put_member(out, "", m, "name", ": ");
        put_member(out, "", m, "times", " times ");
        if (!put_member(out, "<code>", m, "spec", "</code>"))
            put_missing(out, put_member(out, "", m, "law", ", without parameters"));
    }
    put_member(out, "; composed by ", rule, "rule", "");
    if (json_is_true(json_object_get(rule, "adaptive")))
        fputs(", chosen in the light of earlier outputs", out);
    pby_html_row_end(out);
}

static void put_steps(FILE *out, const json_t *file)
{
    const json_t *list = json_object_get(file, "steps");
    pby_html_row(out, "Tuning");
    put_missing(out, list != NULL);
    if (list != NULL && json_array_size(list) == 0)
        fputs("none", out);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *step = json_array_get(list, i);
        put_member(out, i == 0 ? "" : "; ", step, "what", "");
        put_member(out, ", on ", step, "data", " data");
        put_member(out, ", charged as ", step, "charged", "");
    }
    pby_html_row_end(out);
}

static void put_measures(FILE *out, const json_t *file)
{
    const json_t *measures = json_object_get(file, "measures");
    pby_html_row(out, "Floating point");
    put_missing(out, put_member(out, "", measures, "floating_point", ""));
    pby_html_row_end(out);
    pby_html_row(out, "Timing");
    put_missing(out, put_member(out, "", measures, "timing", ""));
    pby_html_row_end(out);
}

/* Links stand as text: whoever wrote the file chose where they lead. */
static void put_sources(FILE *out, const json_t *file)
{
    const json_t *sources = json_object_get(file, "sources");
    const char *key;
    json_t *value;
    bool there = false;
    pby_html_row(out, "Sources");
    json_object_foreach((json_t *)(uintptr_t)sources, key, value)
    {
        fputs(there ? "<br>\n" : "", out);
        pby_html_text(out, key);
        fputs(": ", out);
        pby_html_text(out, json_string_value(value));
        there = true;
    }
    put_missing(out, there);
    pby_html_row_end(out);
}

/* ---- what its claims come to ------------------------------------------------------------------ */

static const char *class_of(const char *verdict)
{
    return strcmp(verdict, "holds") == 0           ? "consistent"
           : strcmp(verdict, "does not hold") == 0 ? "violation"
                                                   : "inconclusive";
}

static void put_judgement(FILE *out, const json_t *dossier)
{
    const json_t *result = json_object_get(dossier, "deployment"),
                 *claims = json_object_get(result, "claims"), *notices = json_object_get(result, "notices");
    fputs(
        "<h2>What its claims come to</h2>\n<p>Recomputed from the mechanisms that the file states, if these "
        "are what runs; the audits below look at outputs.</p>\n<table class=\"rows claims\">\n"
        "<tr class=\"head\"><th>claim</th><th>kind</th><th>verdict</th><th>reason</th></tr>\n",
        out);
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *claim = json_array_get(claims, i);
        fputs("<tr><td class=\"name\">", out);
        pby_html_text(out, pby_json_string(claim, "name"));
        fputs("</td><td class=\"event\">", out);
        pby_html_text(out, pby_json_string(claim, "kind"));
        fprintf(out, "</td><td class=\"%s\">", class_of(pby_json_string(claim, "verdict")));
        pby_html_text(out, pby_json_string(claim, "verdict"));
        fputs("</td><td class=\"event\">", out);
        pby_html_text(out, pby_json_string(claim, "reason"));
        put_member(out, "; ", claim, "beside", "");
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
    if (json_array_size(notices) > 0) {
        fputs("<p>", out);
        put_texts(out, notices);
        fputs(".</p>\n", out);
    }
}

void pby_described_page(FILE *out, const json_t *dossier)
{
    const json_t *file = file_of(dossier);
    if (file == NULL)
        return;
    fputs("<h2>The deployment (stated)</h2>\n<table class=\"rows\">\n", out);
    put_name(out, file);
    put_unit(out, file);
    put_bounds(out, file);
    put_model(out, file);
    put_horizon(out, file);
    put_mechanisms(out, file);
    put_steps(out, file);
    list_row(out, "Afterwards", json_object_get(file, "post_processing"), "nothing");
    list_row(out, "Not private", json_object_get(file, "not_private"), "nothing");
    put_measures(out, file);
    put_sources(out, file);
    list_row(out, "Notes", json_object_get(file, "notes"), "none");
    fputs("</table>\n", out);
    put_judgement(out, dossier);
}

void pby_described_uncovered(FILE *out, const json_t *dossier)
{
    const json_t *list = json_object_get(json_object_get(dossier, "deployment"), "not_covered");
    for (size_t i = 0; i < json_array_size(list); i++) {
        fputs(i == 0 ? "<p>By no claim of the deployment:</p>\n<ul>\n<li>" : "<li>", out);
        pby_html_text(out, json_string_value(json_array_get(list, i)));
        fputs("</li>\n", out);
    }
    fputs(json_array_size(list) > 0 ? "</ul>\n" : "", out);
}
