/* SPDX-License-Identifier: MIT */
#include "audit/dossier/dossier_page.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/dossier/described.h"
#include "audit/dossier/dossier_parts.h"
#include "audit/dossier/stated.h"
#include "base/json.h"
#include "base/printed.h"
#include "picture/html.h"

/* ---- parts of a dossier ----------------------------------------------------------------------- */

static const json_t *plan_of(const json_t *dossier)
{
    return json_object_get(dossier, "plan");
}

/* The first result about canaries, or the first of the others; NULL where there is none. */
static const json_t *first_result(const json_t *dossier, bool canaries)
{
    const json_t *results = json_object_get(dossier, "results");
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *verdict = json_object_get(json_array_get(results, i), "verdict");
        if ((json_object_get(verdict, "delta_lower") == NULL) == canaries)
            return verdict;
    }
    return NULL;
}

pby_dossier_sum pby_dossier_count(const json_t *dossier)
{
    const json_t *audits = json_object_get(plan_of(dossier), "audits");
    pby_dossier_sum sum = {.claims = json_array_size(audits), .unkept = pby_described_unkept(dossier)};
    for (size_t i = 0; i < sum.claims; i++) {
        const char *word = pby_dossier_verdict(dossier, json_array_get(audits, i));
        sum.refuted += strcmp(word, "violation") == 0;
        sum.consistent += strcmp(word, "consistent") == 0;
        sum.inconclusive += strcmp(word, "inconclusive") == 0;
        sum.not_run += strcmp(word, "not run") == 0;
    }
    return sum;
}

/* ---- text ------------------------------------------------------------------------------------- */

/* A text of several lines as paragraphs. */
static void put_paragraphs(FILE *out, const char *text)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        if (line != NULL && length > 0) {
            fputs("<p>", out);
            pby_html_text(out, line);
            fputs("</p>\n", out);
        }
        free(line);
        text += length + (text[length] == '\n');
    }
}

/* ---- the head --------------------------------------------------------------------------------- */

static const char *error_of(const json_t *dossier)
{
    const char *text = pby_json_string(plan_of(dossier), "error");
    return text[0] == '\0' ? "1e-6" : text;
}

static void put_head(FILE *out, const json_t *dossier)
{
    const pby_dossier_sum sum = pby_dossier_count(dossier);
    const size_t open = sum.inconclusive + sum.not_run;
    fputs("<p class=\"about\">Dossier of a privacy audit, made ", out);
    pby_dossier_put(out, dossier, "made");
    fputs(pby_dossier_marks_stated(dossier) ? " (stated)" : "", out);
    fputs("</p>\n<p class=\"about summary\"><strong>", out);
    pby_dossier_put(out, plan_of(dossier), "title");
    fputs("</strong></p>\n", out);
    if (sum.refuted > 0)
        fprintf(out, "<h1 class=\"violation\">%zu of %zu claims refuted</h1>\n", sum.refuted, sum.claims);
    else if (sum.unkept > 0)
        fprintf(out, "<h1 class=\"violation\">A claim of the deployment does not hold</h1>\n");
    else if (open > 0)
        fprintf(out, "<h1 class=\"inconclusive\">No claim refuted, %zu of %zu not judged</h1>\n", open,
                sum.claims);
    else
        fprintf(out, "<h1 class=\"consistent\">No claim refuted</h1>\n");
    fputs(
        "<p>Each claim says that a mechanism is (epsilon, delta)-differentially private; one of rho or mu is "
        "judged at one epsilon, by the delta that it allows there. It is refuted where "
        "the outputs of the mechanism on two neighbouring inputs differ by more than the claim allows, and "
        "chance does not explain it. If every claim here were true, this dossier would refute any of them "
        "with a probability of at most ",
        out);
    pby_html_text(out, error_of(dossier));
    fputs(". ", out);
    if (first_result(dossier, true) != NULL)
        fputs("Of canaries, guesses that are right too often stand in place of the outputs. ", out);
    fputs("A claim that is not refuted is not thereby proved.</p>\n", out);
}

static void put_claims(FILE *out, const json_t *dossier)
{
    const json_t *audits = json_object_get(plan_of(dossier), "audits");
    fputs("<h2>Claims and verdicts</h2>\n<table class=\"rows claims\">\n<tr class=\"head\"><th>audit</th>"
          "<th>claimed</th><th>verdict</th><th>shown by the outputs</th></tr>\n",
          out);
    for (size_t i = 0; i < json_array_size(audits); i++) {
        const json_t *audit = json_array_get(audits, i), *result = pby_dossier_result(dossier, audit),
                     *verdict = json_object_get(result, "verdict");
        const char *word = pby_dossier_verdict(dossier, audit);
        fputs("<tr><td class=\"name\"><a href=\"#", out);
        pby_dossier_put(out, audit, "name");
        fputs("\">", out);
        pby_dossier_put(out, audit, "name");
        fputs("</a></td><td class=\"event\" data-name=\"claimed\">", out);
        pby_dossier_put_claim(out, audit);
        fprintf(out, "</td><td class=\"%s\">%s</td><td class=\"event\"%s>", pby_dossier_class(word),
                pby_dossier_word(word), result == NULL ? "" : " data-name=\"shown\"");
        if (result != NULL) {
            fputs("epsilon &gt; ", out);
            pby_dossier_put(out, verdict, "epsilon_lower");
            if (json_object_get(verdict, "delta_lower") != NULL) {
                fputs(", delta &gt; ", out);
                pby_dossier_put(out, verdict, "delta_lower");
            }
        }
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n<p>These are lower bounds: an epsilon above the first number at the claimed delta, and "
          "a delta above the second at the claimed epsilon. 0 means that nothing was shown.</p>\n",
          out);
}

/* ---- what is left ----------------------------------------------------------------------------- */

static void put_item(FILE *out, const char *text)
{
    fprintf(out, "<li>%s</li>\n", text);
}

/* Writes the inputs and the kinds of event that an audit of the plan did not try. */
static void put_left_aside(FILE *out, const json_t *dossier, const json_t *audit)
{
    const json_t *result = pby_dossier_result(dossier, audit),
                 *search = json_object_get(json_object_get(result, "verdict"), "search");
    const char *features = pby_json_string(audit, "features");
    fputs("<li>", out);
    pby_dossier_put(out, audit, "name");
    if (result == NULL) {
        fputs(": all of it. It was not run: ", out);
        pby_dossier_put(
            out, pby_dossier_named(json_object_get(dossier, "not_run"), pby_json_string(audit, "name")),
            "reason");
    } else if (search != NULL) {
        fprintf(out, ": inputs other than the %lld pairs that were tried",
                pby_dossier_integer(search, "pairs"));
        if (pby_dossier_integer(search, "passed_over") > 0)
            fprintf(out, " (the mechanism could not be run %lld times)",
                    pby_dossier_integer(search, "passed_over"));
    } else if (json_object_get(audit, "files") != NULL) {
        fputs(": inputs other than those that the outputs are of", out);
    } else if (json_object_get(audit, "canaries") != NULL) {
        fputs(": records other than the canaries, and better guesses about these", out);
    } else {
        fputs(": inputs other than the two of the plan", out);
    }
    if (features[0] != '\0') {
        fputs("; events of other kinds than <code>", out);
        pby_html_text(out, features);
        fputs("</code>", out);
    }
    fputs("</li>\n", out);
}

static void put_not_looked_at(FILE *out, const json_t *dossier)
{
    const json_t *plan = plan_of(dossier), *list = json_object_get(plan, "not_looked_at"),
                 *audits = json_object_get(plan, "audits");
    fputs("<h2>What was not looked at</h2>\n", out);
    if (json_array_size(list) > 0) {
        fputs("<p>By decision of the plan:</p>\n<ul>\n", out);
        for (size_t i = 0; i < json_array_size(list); i++) {
            fputs("<li>", out);
            pby_html_text(out, json_string_value(json_array_get(list, i)));
            fputs("</li>\n", out);
        }
        fputs("</ul>\n", out);
    }
    pby_described_uncovered(out, dossier);
    fputs("<p>Audit by audit:</p>\n<ul>\n", out);
    for (size_t i = 0; i < json_array_size(audits); i++)
        put_left_aside(out, dossier, json_array_get(audits, i));
    fputs("</ul>\n<p>By the method:</p>\n<ul>\n", out);
    put_item(out, "events that are too rare for the number of outputs, or that no feature describes");
    put_item(out, "whether the outputs were independent, and whether all of them were handed over");
    put_item(out, "time, memory, errors, and whatever else a mechanism gives away beside its outputs");
    put_item(out, "several uses of a mechanism together, and mechanisms that are not listed");
    put_item(out, "how data were collected and stored, and who has access to them");
    fputs("</ul>\n", out);
}

static void put_method(FILE *out, const json_t *dossier)
{
    const json_t *first = first_result(dossier, false), *canaries = first_result(dossier, true);
    fputs("<h2>Method</h2>\n<p>The error of the dossier, ", out);
    pby_html_text(out, error_of(dossier));
    fprintf(out, ", is shared equally by its %zu audits. ",
            json_array_size(json_object_get(plan_of(dossier), "audits")));
    if (first != NULL || canaries == NULL) {
        fputs("In each, ", out);
        pby_dossier_put(out, first, "method");
        if (first == NULL)
            fputs("some of the outputs choose events and the others judge them", out);
        fputs(". A search for inputs spends outputs of its own, which judge nothing. Nothing about a "
              "mechanism is assumed except that its outputs on an input are independent draws from one "
              "distribution.</p>\n",
              out);
    }
    if (canaries != NULL) {
        fputs(first != NULL ? "<p>Of canaries: " : "Of canaries: ", out);
        pby_dossier_put(out, canaries, "method");
        fputs(".</p>\n", out);
    }
}

/* ---- where it comes from ---------------------------------------------------------------------- */

static void digest_row(FILE *out, const char *what, const char *name, const char *digest)
{
    fputs("<tr><td class=\"event\">", out);
    pby_html_text(out, what);
    fputs("</td><td class=\"event\"><code>", out);
    pby_html_text(out, name);
    fputs("</code></td><td class=\"digest\"><code>", out);
    pby_html_text(out, digest);
    fputs("</code></td></tr>\n", out);
}

/* The digits of a digest behind "sha256:". */
static const char *digits(const char *digest)
{
    return strncmp(digest, "sha256:", 7) == 0 ? digest + 7 : digest;
}

static void put_digests(FILE *out, const json_t *dossier)
{
    const json_t *results = json_object_get(dossier, "results");
    fputs("<h2>Digests</h2>\n<table class=\"rows\">\n<tr class=\"head\"><th>what</th><th>name</th>"
          "<th>SHA-256</th></tr>\n",
          out);
    digest_row(out, "the plan", "plan.json", pby_json_string(dossier, "plan_sha256"));
    digest_row(out, "the dossier, without its digest and signature", "dossier.json",
               digits(pby_json_string(dossier, "digest")));
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i),
                     *sources = json_object_get(json_object_get(result, "verdict"), "sources");
        digest_row(out, "a result, without its digest", pby_json_string(result, "audit"),
                   digits(pby_json_string(result, "digest")));
        for (size_t k = 0; k < json_array_size(sources); k++) {
            const json_t *source = json_array_get(sources, k);
            digest_row(out, pby_json_string(source, "what"), pby_json_string(source, "name"),
                       pby_json_string(source, "sha256"));
        }
    }
    fputs("</table>\n", out);
}

static void put_tools(FILE *out, const json_t *tools)
{
    static const char *const name[] = {"probity", "flint", "arb", "mpfr", "gmp"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        fprintf(out, "%s%s ", i == 0 ? "" : ", ", name[i]);
        pby_dossier_put(out, tools, name[i]);
    }
}

static void put_versions(FILE *out, const json_t *dossier)
{
    const json_t *results = json_object_get(dossier, "results"),
                 *own = json_object_get(dossier, "computed_with");
    fputs("<h2>Versions</h2>\n<p>This page: ", out);
    put_tools(out, own);
    fputs(".</p>\n", out);
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i), *tools = json_object_get(result, "computed_with");
        if (json_equal(own, tools))
            continue;
        fputs("<p>", out);
        pby_dossier_put(out, result, "audit");
        fputs(": ", out);
        put_tools(out, tools);
        fputs(".</p>\n", out);
    }
    fputs("<p>The versions of what was audited are those that its plan states.</p>\n", out);
}

static void put_runs(FILE *out, const json_t *dossier)
{
    const json_t *results = json_object_get(dossier, "results");
    size_t again = 0;
    fputs("<h2 id=\"runs\">Interrupted runs</h2>\n", out);
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);
        if (pby_dossier_integer(result, "starts") < 2)
            continue;
        fputs(again++ == 0 ? "<ul>\n<li>" : "<li>", out);
        pby_dossier_put(out, result, "audit");
        fprintf(out,
                " was begun %lld times. Earlier runs ended before their verdict, and their outputs were not "
                "used.</li>\n",
                pby_dossier_integer(result, "starts"));
    }
    fputs(again > 0 ? "</ul>\n" : "<p>None: every audit was begun once.</p>\n", out);
}

static void put_signature(FILE *out, const json_t *dossier)
{
    const char *text = pby_json_string(dossier, "signature");
    fputs("<h2>Signature</h2>\n", out);
    if (text[0] == '\0') {
        fputs("<p>This dossier is not signed. Its digests show damage, not forgery.</p>\n", out);
    } else {
        fputs("<p>Over <code>dossier.json</code>, as algorithm, public key and signature:</p>\n<pre>", out);
        pby_html_text(out, text);
        fputs("</pre>\n", out);
    }
    fputs("<p>To check the dossier, its verdicts against their counts, and this page, in their folder:</p>\n"
          "<pre>probity verify dossier.json",
          out);
    fputs(text[0] == '\0' ? "" : " --key KEY.pub", out);
    fputs("</pre>\n", out);
}

static void put_stated_list(FILE *out, const char *of, const pby_stated *stated)
{
    fprintf(out, "<p>%s</p>\n<ul>\n", of);
    for (; stated->path != NULL; stated++)
        fprintf(out, "<li>%s (<code>%s</code>)</li>\n", stated->meaning, stated->path);
    fputs("</ul>\n", out);
}

static bool has_points(const json_t *plan)
{
    const json_t *audits = json_object_get(plan, "audits");
    for (size_t i = 0; i < json_array_size(audits); i++) {
        const json_t *claim = json_object_get(json_array_get(audits, i), "claim");
        if (json_object_get(claim, "rho") != NULL || json_object_get(claim, "mu") != NULL)
            return true;
    }
    return false;
}

static void put_stated(FILE *out, const json_t *dossier)
{
    const json_t *results = json_object_get(dossier, "results");
    const bool outputs = first_result(dossier, false) != NULL, canaries = first_result(dossier, true) != NULL;
    bool once = false;
    if (!pby_dossier_marks_stated(dossier))
        return;
    for (size_t i = 0; i < json_array_size(results); i++)
        once = once || pby_dossier_integer(json_array_get(results, i), "version") == 1;
    fputs("<h2>What is recomputed, and what is stated</h2>\n<p><code>probity verify</code> recomputes from "
          "the counts each verdict and its reason, the lower bounds, the numbers of outputs and of judges, "
          "what could have been noticed, the shares of the error, the event that is shown, the profile and "
          "all digests of results, and refuses a dossier that says anything else. Whether the counts are "
          "those of the mechanism, nobody can see from them: they are the author's.</p>\n",
          out);
    if (outputs || !canaries)
        put_stated_list(out, "In a result the author states:", pby_stated_result);
    if (has_points(plan_of(dossier)))
        put_stated_list(out, "And, in a result about rho or mu:", pby_stated_point);
    if (canaries)
        put_stated_list(out, "In a result about canaries the author states:", pby_stated_canaries);
    if (once)
        put_stated_list(out, "And, in a result that an earlier version wrote:", pby_stated_once);
    put_stated_list(out, "Of the dossier the author states:", pby_stated_dossier);
}

static void put_body(FILE *out, const json_t *dossier)
{
    const json_t *audits = json_object_get(plan_of(dossier), "audits");
    put_head(out, dossier);
    fputs("<h2>Scope</h2>\n", out);
    put_paragraphs(out, pby_json_string(plan_of(dossier), "scope"));
    pby_described_page(out, dossier);
    put_claims(out, dossier);
    fputs("<h2>Evidence</h2>\n", out);
    for (size_t i = 0; i < json_array_size(audits); i++)
        pby_dossier_put_audit(out, dossier, json_array_get(audits, i));
    put_not_looked_at(out, dossier);
    put_method(out, dossier);
    put_stated(out, dossier);
    put_digests(out, dossier);
    put_versions(out, dossier);
    put_runs(out, dossier);
    put_signature(out, dossier);
}

pby_status pby_dossier_page(char **page, const json_t *dossier, pby_error *err)
{
    pby_printed printed;
    *page = NULL;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    pby_html_begin(out, pby_json_string(plan_of(dossier), "title"));
    put_body(out, dossier);
    pby_html_end(out);
    return pby_printed_end(page, &printed, PBY_OK, err);
}
