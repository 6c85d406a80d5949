/* SPDX-License-Identifier: MIT */
#include "audit/dossier/dossier_page.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/count_table.h"
#include "audit/dossier/described.h"
#include "audit/dossier/stated.h"
#include "audit/report/canary_page.h"
#include "audit/report/verdict_advice.h"
#include "audit/report/verdict_svg.h"
#include "base/json.h"
#include "base/printed.h"
#include "io/child.h"
#include "number/scoped.h"
#include "picture/html.h"
#include "probity/rational.h"

/* ---- parts of a dossier ----------------------------------------------------------------------- */

static const json_t *plan_of(const json_t *dossier)
{
    return json_object_get(dossier, "plan");
}

/* The member of a list that names this audit; NULL where there is none. */
static const json_t *named(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(pby_json_string(json_array_get(list, i), "audit"), name) == 0)
            return json_array_get(list, i);
    return NULL;
}

/* From version 2 on the page says what the author states. A page of version 1 stays what it was. */
static bool marks_stated(const json_t *dossier)
{
    return json_integer_value(json_object_get(dossier, "version")) > 1;
}

/* The result of an audit of the plan, and NULL where it was not run. */
static const json_t *result_of(const json_t *dossier, const json_t *audit)
{
    return named(json_object_get(dossier, "results"), pby_json_string(audit, "name"));
}

static const char *verdict_of(const json_t *dossier, const json_t *audit)
{
    const json_t *result = result_of(dossier, audit);
    return result == NULL ? "not run" : pby_json_string(json_object_get(result, "verdict"), "verdict");
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
        const char *word = verdict_of(dossier, json_array_get(audits, i));
        sum.refuted += strcmp(word, "violation") == 0;
        sum.consistent += strcmp(word, "consistent") == 0;
        sum.inconclusive += strcmp(word, "inconclusive") == 0;
        sum.not_run += strcmp(word, "not run") == 0;
    }
    return sum;
}

/* ---- text ------------------------------------------------------------------------------------- */

/* All that comes out of a plan, a command or its outputs passes through here. */
static void put(FILE *out, const json_t *object, const char *member)
{
    pby_html_text(out, pby_json_string(object, member));
}

static void put_claim(FILE *out, const json_t *audit)
{
    const json_t *claim = json_object_get(audit, "claim");
    const char *divergence = json_object_get(claim, "rho") != NULL  ? "rho"
                             : json_object_get(claim, "mu") != NULL ? "mu"
                                                                    : NULL;
    if (divergence != NULL) {
        fprintf(out, "%s ", divergence);
        put(out, claim, divergence);
        return;
    }
    fputs("epsilon ", out);
    put(out, claim, "epsilon");
    fputs(", delta ", out);
    pby_html_text(out, json_object_get(claim, "delta") == NULL ? "0" : pby_json_string(claim, "delta"));
}

static long long integer(const json_t *object, const char *member)
{
    return (long long)json_integer_value(json_object_get(object, member));
}

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

static const char *class_of(const char *word)
{
    return strcmp(word, "violation") == 0    ? "violation"
           : strcmp(word, "consistent") == 0 ? "consistent"
                                             : "inconclusive";
}

static const char *plain(const char *word)
{
    return strcmp(word, "violation") == 0      ? "refuted"
           : strcmp(word, "consistent") == 0   ? "not refuted"
           : strcmp(word, "inconclusive") == 0 ? "could not be judged"
                                               : "not run";
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
    put(out, dossier, "made");
    fputs(marks_stated(dossier) ? " (stated)" : "", out);
    fputs("</p>\n<p class=\"about summary\"><strong>", out);
    put(out, plan_of(dossier), "title");
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
        const json_t *audit = json_array_get(audits, i), *result = result_of(dossier, audit),
                     *verdict = json_object_get(result, "verdict");
        const char *word = verdict_of(dossier, audit);
        fputs("<tr><td class=\"name\"><a href=\"#", out);
        put(out, audit, "name");
        fputs("\">", out);
        put(out, audit, "name");
        fputs("</a></td><td class=\"event\" data-name=\"claimed\">", out);
        put_claim(out, audit);
        fprintf(out, "</td><td class=\"%s\">%s</td><td class=\"event\"%s>", class_of(word), plain(word),
                result == NULL ? "" : " data-name=\"shown\"");
        if (result != NULL) {
            fputs("epsilon &gt; ", out);
            put(out, verdict, "epsilon_lower");
            if (json_object_get(verdict, "delta_lower") != NULL) {
                fputs(", delta &gt; ", out);
                put(out, verdict, "delta_lower");
            }
        }
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n<p>These are lower bounds: an epsilon above the first number at the claimed delta, and "
          "a delta above the second at the claimed epsilon. 0 means that nothing was shown.</p>\n",
          out);
}

/* ---- one audit -------------------------------------------------------------------------------- */

/* A row of what nobody can recompute. */
static void stated_row(FILE *out, const json_t *dossier, const char *name)
{
    char text[40];
    snprintf(text, sizeof text, "%s%s", name, marks_stated(dossier) ? " (stated)" : "");
    pby_html_row(out, text);
}

static void put_verdict(FILE *out, const json_t *verdict)
{
    const char *word = pby_json_string(verdict, "verdict");
    const bool canaries = json_object_get(verdict, "delta_lower") == NULL;
    pby_html_row(out, "Verdict");
    fprintf(out, "<strong>%s</strong>", plain(word));
    if (strcmp(word, "violation") == 0) {
        fputs(": every epsilon up to ", out);
        put(out, verdict, "epsilon_lower");
        fputs(" fails at the claimed delta", out);
        if (!canaries) {
            fputs(", and every delta up to ", out);
            put(out, verdict, "delta_lower");
            fputs(" at the claimed epsilon", out);
        }
    } else if (strcmp(word, "consistent") == 0 && canaries) {
        fputs(
            ": the guesses about the canaries do not contradict the claim, as those of a weak guesser never "
            "do",
            out);
    } else if (strcmp(word, "consistent") == 0) {
        fputs(": nothing in the outputs contradicts the claim. An epsilon of about ", out);
        put(out, verdict, "smallest_visible");
        fputs(" or more would probably have been noticed, if the events that are looked at show it", out);
    } else {
        fputs(": ", out);
        put(out, verdict, "reason");
    }
    pby_html_row_end(out);
}

static void put_inputs(FILE *out, const json_t *dossier, const json_t *audit, const json_t *verdict)
{
    const json_t *given = json_object_get(audit, "inputs"), *search = json_object_get(verdict, "search"),
                 *files = json_object_get(audit, "files");
    stated_row(out, dossier, files != NULL ? "Files" : "Inputs");
    if (files != NULL) {
        fputs("outputs that were handed over, in <code>", out);
        pby_html_text(out, json_string_value(json_array_get(files, 0)));
        fputs("</code> and <code>", out);
        pby_html_text(out, json_string_value(json_array_get(files, 1)));
        fputs("</code>; that they are of neighbouring inputs is the author's word", out);
    } else if (given != NULL) {
        fputs("<code>", out);
        pby_html_text(out, json_string_value(json_array_get(given, 0)));
        fputs("</code> and <code>", out);
        pby_html_text(out, json_string_value(json_array_get(given, 1)));
        fputs("</code>, chosen by the plan", out);
    } else {
        fprintf(out, "found by a search of %lld pairs of <code>", integer(search, "pairs"));
        put(out, audit, "search");
        fputs("</code>: <code>", out);
        put(out, search, "left");
        fputs("</code> and <code>", out);
        put(out, search, "right");
        fputs("</code>", out);
    }
    pby_html_row_end(out);
}

/* Writes in plain words how outputs of this kind of event give the input away. */
static void put_leak(FILE *out, const json_t *event)
{
    for (pby_event_kind kind = 0; kind < PBY_EVENT_KINDS; kind++)
        if (strcmp(pby_kind_name(kind), pby_json_string(event, "kind")) == 0)
            fprintf(out, "%s ", pby_advice_leak_by(kind));
}

static void put_counts(FILE *out, const json_t *dossier, const json_t *event, bool violation)
{
    const json_t *judged = json_object_get(event, "judged");
    stated_row(out, dossier, "Evidence");
    if (violation)
        put_leak(out, event);
    fputs(violation ? "The event <code>" : "the strongest event found (not significant), <code>", out);
    put(out, event, "text");
    fputs(violation ? "</code> occurred in " : "</code>, occurred in ", out);
    for (int i = 0; i < 2; i++) {
        const json_t *pair = json_object_get(judged, pby_side_names[i]);
        const double x = (double)json_integer_value(json_array_get(pair, 0)),
                     n = (double)json_integer_value(json_array_get(pair, 1));
        fprintf(out, "%.0f of %.0f outputs (%.3g %%) on the %s input%s", x, n, n > 0 ? 100 * x / n : 0,
                i == 0 ? "first" : "second", i == 0 ? " and in " : "");
    }
    fputs(violation ? ". It was fixed by other outputs before these were counted"
                    : ". The claim and chance explain that",
          out);
    pby_html_row_end(out);
}

static void put_argument(FILE *out, const char *text)
{
    char *word = NULL;
    size_t size;
    FILE *memory = open_memstream(&word, &size);
    if (memory == NULL)
        return;
    pby_shell_argument(memory, text);
    if (fclose(memory) == 0)
        pby_html_text(out, word);
    free(word);
}

static void put_option(FILE *out, const char *name, const char *value)
{
    if (value[0] == '\0')
        return;
    fprintf(out, " %s ", name);
    put_argument(out, value);
}

static void put_claimed(FILE *out, const json_t *audit, const json_t *verdict)
{
    const json_t *claim = json_object_get(audit, "claim");
    put_option(out, "--epsilon", pby_json_string(claim, "epsilon"));
    put_option(out, "--delta", pby_json_string(claim, "delta"));
    put_option(out, "--rho", pby_json_string(claim, "rho"));
    put_option(out, "--mu", pby_json_string(claim, "mu"));
    put_option(out, "--error", pby_json_string(verdict, "error"));
    put_option(out, "--features", pby_json_string(audit, "features"));
}

static void put_pair(FILE *out, const char *before, const json_t *pair)
{
    if (pair == NULL)
        return;
    fputs(before, out);
    put_argument(out, json_string_value(json_array_get(pair, 0)));
    fputc(' ', out);
    put_argument(out, json_string_value(json_array_get(pair, 1)));
}

static void put_counts_of(FILE *out, const char *option, const json_t *counts, const char *const *names)
{
    fprintf(out, " %s", option);
    for (; *names != NULL; names++)
        fprintf(out, " %lld", integer(counts, *names));
}

/* Canaries and files of outputs are judged as they are. */
static void put_operands(FILE *out, const json_t *audit)
{
    static const char *const guesses[] = {"correct", "made", "canaries", NULL}, *const runs[] = {
                                                                                    "true_positive",
                                                                                    "false_positive",
                                                                                    "true_negative",
                                                                                    "false_negative", NULL};
    const json_t *canaries = json_object_get(audit, "canaries");
    if (json_object_get(canaries, "guesses") != NULL)
        put_counts_of(out, "--guesses", json_object_get(canaries, "guesses"), guesses);
    if (json_object_get(canaries, "runs") != NULL)
        put_counts_of(out, "--runs", json_object_get(canaries, "runs"), runs);
    put_pair(out, " --scores -- ", json_object_get(canaries, "scores"));
    put_pair(out, " -- ", json_object_get(audit, "files"));
    put_pair(out, " --inputs -- ", json_object_get(audit, "inputs"));
}

/* The command line that runs an audit again. */
static void put_command(FILE *out, const json_t *audit, const json_t *verdict)
{
    const bool runs = json_object_get(audit, "files") == NULL && json_object_get(audit, "canaries") == NULL;
    fputs("<pre>probity audit", out);
    put_option(out, "--command", pby_json_string(audit, "command"));
    if (json_object_get(audit, "command_seconds") != NULL)
        fprintf(out, " --command-seconds %lld", integer(audit, "command_seconds"));
    put_option(out, "--release", pby_json_string(audit, "release"));
    put_option(out, "--search", pby_json_string(audit, "search"));
    if (json_object_get(audit, "pairs") != NULL)
        fprintf(out, " --pairs %lld", integer(audit, "pairs"));
    put_option(out, "--neighbours", runs ? pby_json_string(audit, "neighbours") : "");
    put_option(out, "--columns", pby_json_string(audit, "columns"));
    if (runs)
        fprintf(out, " -n %lld", integer(audit, "outputs"));
    put_claimed(out, audit, verdict);
    put_operands(out, audit);
    fputs("</pre>\n", out);
}

/* A member that is a rational, for a drawing; 0 where it is none. */
static double number(const json_t *object, const char *member)
{
    PBY_MPQ(x);
    if (pby_rational_parse(x, member, pby_json_string(object, member), NULL) != PBY_OK)
        mpq_set_ui(x, 0, 1);
    return mpq_get_d(x);
}

/* The profile that the outputs show, with the most that the claim allows. */
static void put_profile(FILE *out, const json_t *audit, const json_t *verdict)
{
    const json_t *profile = json_object_get(verdict, "profile"), *claim = json_object_get(verdict, "claim");
    const size_t n = json_array_size(profile);
    pby_curves c = {.points = n};
    if (n < 2 || n > PBY_CURVE_POINTS)
        return;
    const double e0 = number(claim, "epsilon"), d0 = number(claim, "delta");
    for (size_t i = 0; i < n; i++) {
        const json_t *point = json_array_get(profile, i);
        c.epsilon[i] = number(point, "epsilon");
        c.lower[i] = number(point, "lo");
        c.seen[i] = number(point, "seen");
        c.upper[i] = number(point, "hi");
        c.claimed[i] = pby_claimed_at(e0, d0, c.epsilon[i]);
        c.certified[i] = NAN;
    }
    if (!(c.epsilon[n - 1] > 0))
        return;
    fputs("<figure>\n", out);
    pby_svg_profile(out, &c);
    fputs("<figcaption>The delta that the outputs of ", out);
    put(out, audit, "name");
    fputs(" show at each epsilon, over the events of one kind. Where the lower edge of the band is above the "
          "dashed curve the claim fails.</figcaption>\n</figure>\n",
          out);
}

/* The epsilon at which a claim of rho or mu was judged. */
static void put_point(FILE *out, const json_t *dossier, const json_t *verdict)
{
    const json_t *claim = json_object_get(verdict, "claim");
    if (json_object_get(claim, "rho") == NULL && json_object_get(claim, "mu") == NULL)
        return;
    stated_row(out, dossier, "Judged at");
    fputs("epsilon ", out);
    put(out, claim, "epsilon");
    fputs(", where the claim allows delta ", out);
    put(out, claim, "delta");
    fputs("; the outputs that choose events chose it among seven", out);
    pby_html_row_end(out);
}

/* The outputs, and what they give away. */
static void put_outputs(FILE *out, const json_t *dossier, const json_t *audit, const json_t *verdict)
{
    const char *word = pby_json_string(verdict, "verdict");
    put_inputs(out, dossier, audit, verdict);
    pby_html_row(out, "Outputs");
    fprintf(out, "%lld on the first input, %lld on the second",
            integer(json_object_get(verdict, "outputs"), "left"),
            integer(json_object_get(verdict, "outputs"), "right"));
    pby_html_row_end(out);
    if (strcmp(word, "inconclusive") != 0 && json_is_object(json_object_get(verdict, "event")))
        put_counts(out, dossier, json_object_get(verdict, "event"), strcmp(word, "violation") == 0);
}

/* The canaries, and what the guesses about them show. */
static void put_canaries(FILE *out, const json_t *dossier, const json_t *audit, const json_t *verdict)
{
    const json_t *scores = json_object_get(json_object_get(audit, "canaries"), "scores");
    stated_row(out, dossier, "Canaries");
    if (scores != NULL) {
        fputs("scored in <code>", out);
        pby_html_text(out, json_string_value(json_array_get(scores, 0)));
        fputs("</code> and <code>", out);
        pby_html_text(out, json_string_value(json_array_get(scores, 1)));
        fputs("</code>; ", out);
    }
    pby_canary_page_counts(out, verdict);
    pby_html_row_end(out);
    pby_html_row(out, "Shown");
    pby_canary_page_bounds(out, verdict);
    pby_html_row_end(out);
    pby_html_row(out, "Assumed");
    fputs(pby_canary_assumes(verdict), out);
    pby_html_row_end(out);
    if (pby_json_string(verdict, "warning")[0] != '\0') {
        pby_html_row(out, "Warning");
        put(out, verdict, "warning");
        pby_html_row_end(out);
    }
}

static void put_audit(FILE *out, const json_t *dossier, const json_t *audit)
{
    const json_t *result = result_of(dossier, audit), *verdict = json_object_get(result, "verdict"),
                 *claim = json_object_get(audit, "claim");
    const char *word = verdict_of(dossier, audit);
    const bool judged = strcmp(word, "violation") == 0 || strcmp(word, "consistent") == 0;
    fprintf(out, "<h3 class=\"%s\" id=\"", class_of(word));
    put(out, audit, "name");
    fputs("\">", out);
    put(out, audit, "name");
    fputs("</h3>\n<table class=\"rows\">\n", out);
    if (json_object_get(audit, "mechanism") != NULL) {
        stated_row(out, dossier, "Mechanism");
        put(out, audit, "mechanism");
        pby_html_row_end(out);
    }
    stated_row(out, dossier, "Claim");
    put_claim(out, audit);
    if (json_object_get(claim, "deployment") != NULL) {
        fputs(", the claim ", out);
        put(out, claim, "deployment");
        fputs(" of the deployment", out);
    }
    if (json_object_get(claim, "source") != NULL) {
        fputs(" (", out);
        put(out, claim, "source");
        fputs(")", out);
    }
    pby_html_row_end(out);
    put_point(out, dossier, verdict);
    if (result == NULL) {
        stated_row(out, dossier, "Verdict");
        fputs("<strong>not run</strong>: ", out);
        put(out, named(json_object_get(dossier, "not_run"), pby_json_string(audit, "name")), "reason");
        pby_html_row_end(out);
    } else {
        put_verdict(out, verdict);
        if (json_object_get(audit, "canaries") != NULL)
            put_canaries(out, dossier, audit, verdict);
        else
            put_outputs(out, dossier, audit, verdict);
        pby_html_row(out, "Error");
        fputs("if the claim is true, it is refuted with a probability of at most ", out);
        put(out, verdict, "error");
        pby_html_row_end(out);
        stated_row(out, dossier, "Run");
        put(out, result, "began");
        fputs(" to ", out);
        put(out, result, "ended");
        if (integer(result, "starts") > 1)
            fprintf(out, "; begun %lld times, see <a href=\"#runs\">interrupted runs</a>",
                    integer(result, "starts"));
        pby_html_row_end(out);
    }
    fputs("</table>\n", out);
    if (judged && json_object_get(audit, "canaries") == NULL)
        put_profile(out, audit, verdict);
    fputs(json_object_get(audit, "files") != NULL      ? "<p>To judge the files again:</p>\n"
          : json_object_get(audit, "canaries") != NULL ? "<p>To judge the canaries again:</p>\n"
                                                       : "<p>To run it again, on new outputs:</p>\n",
          out);
    put_command(out, audit, verdict);
    if (result != NULL && json_is_true(json_object_get(audit, "keep"))) {
        fputs("<p>The outputs were kept in <code>outputs/", out);
        put(out, audit, "name");
        fputs("</code>; judged again with the same claim and error they give the same verdict.</p>\n", out);
    }
}

/* ---- what is left ----------------------------------------------------------------------------- */

static void put_item(FILE *out, const char *text)
{
    fprintf(out, "<li>%s</li>\n", text);
}

/* Writes the inputs and the kinds of event that an audit of the plan did not try. */
static void put_left_aside(FILE *out, const json_t *dossier, const json_t *audit)
{
    const json_t *result = result_of(dossier, audit),
                 *search = json_object_get(json_object_get(result, "verdict"), "search");
    const char *features = pby_json_string(audit, "features");
    fputs("<li>", out);
    put(out, audit, "name");
    if (result == NULL) {
        fputs(": all of it. It was not run: ", out);
        put(out, named(json_object_get(dossier, "not_run"), pby_json_string(audit, "name")), "reason");
    } else if (search != NULL) {
        fprintf(out, ": inputs other than the %lld pairs that were tried", integer(search, "pairs"));
        if (integer(search, "passed_over") > 0)
            fprintf(out, " (the mechanism could not be run %lld times)", integer(search, "passed_over"));
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
        put(out, first, "method");
        if (first == NULL)
            fputs("some of the outputs choose events and the others judge them", out);
        fputs(". A search for inputs spends outputs of its own, which judge nothing. Nothing about a "
              "mechanism is assumed except that its outputs on an input are independent draws from one "
              "distribution.</p>\n",
              out);
    }
    if (canaries != NULL) {
        fputs(first != NULL ? "<p>Of canaries: " : "Of canaries: ", out);
        put(out, canaries, "method");
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
        put(out, tools, name[i]);
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
        put(out, result, "audit");
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
        if (integer(result, "starts") < 2)
            continue;
        fputs(again++ == 0 ? "<ul>\n<li>" : "<li>", out);
        put(out, result, "audit");
        fprintf(out,
                " was begun %lld times. Earlier runs ended before their verdict, and their outputs were not "
                "used.</li>\n",
                integer(result, "starts"));
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
    if (!marks_stated(dossier))
        return;
    for (size_t i = 0; i < json_array_size(results); i++)
        once = once || integer(json_array_get(results, i), "version") == 1;
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
        put_audit(out, dossier, json_array_get(audits, i));
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
