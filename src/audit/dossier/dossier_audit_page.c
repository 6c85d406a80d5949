/* SPDX-License-Identifier: MIT */
/* The section of an audit on the page of a dossier. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/count_table.h"
#include "audit/dossier/dossier_parts.h"
#include "audit/report/canary_page.h"
#include "audit/report/verdict_advice.h"
#include "audit/report/verdict_svg.h"
#include "base/json.h"
#include "io/child.h"
#include "number/scoped.h"
#include "picture/html.h"
#include "probity/rational.h"

/* ---- one audit -------------------------------------------------------------------------------- */

/* A row of what nobody can recompute. */
static void stated_row(FILE *out, const json_t *dossier, const char *name)
{
    char text[40];
    snprintf(text, sizeof text, "%s%s", name, pby_dossier_marks_stated(dossier) ? " (stated)" : "");
    pby_html_row(out, text);
}

static void put_verdict(FILE *out, const json_t *verdict)
{
    const char *word = pby_json_string(verdict, "verdict");
    const bool canaries = json_object_get(verdict, "delta_lower") == NULL;
    pby_html_row(out, "Verdict");
    fprintf(out, "<strong>%s</strong>", pby_dossier_word(word));
    if (strcmp(word, "violation") == 0) {
        fputs(": every epsilon up to ", out);
        pby_dossier_put(out, verdict, "epsilon_lower");
        fputs(" fails at the claimed delta", out);
        if (!canaries) {
            fputs(", and every delta up to ", out);
            pby_dossier_put(out, verdict, "delta_lower");
            fputs(" at the claimed epsilon", out);
        }
    } else if (strcmp(word, "consistent") == 0 && canaries) {
        fputs(
            ": the guesses about the canaries do not contradict the claim, as those of a weak guesser never "
            "do",
            out);
    } else if (strcmp(word, "consistent") == 0) {
        fputs(": nothing in the outputs contradicts the claim. An epsilon of about ", out);
        pby_dossier_put(out, verdict, "smallest_visible");
        fputs(" or more would probably have been noticed, if the events that are looked at show it", out);
    } else {
        fputs(": ", out);
        pby_dossier_put(out, verdict, "reason");
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
        fprintf(out, "found by a search of %lld pairs of <code>", pby_dossier_integer(search, "pairs"));
        pby_dossier_put(out, audit, "search");
        fputs("</code>: <code>", out);
        pby_dossier_put(out, search, "left");
        fputs("</code> and <code>", out);
        pby_dossier_put(out, search, "right");
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
    pby_dossier_put(out, event, "text");
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
        fprintf(out, " %lld", pby_dossier_integer(counts, *names));
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
        fprintf(out, " --command-seconds %lld", pby_dossier_integer(audit, "command_seconds"));
    put_option(out, "--release", pby_json_string(audit, "release"));
    put_option(out, "--search", pby_json_string(audit, "search"));
    if (json_object_get(audit, "pairs") != NULL)
        fprintf(out, " --pairs %lld", pby_dossier_integer(audit, "pairs"));
    put_option(out, "--neighbours", runs ? pby_json_string(audit, "neighbours") : "");
    put_option(out, "--columns", pby_json_string(audit, "columns"));
    if (runs)
        fprintf(out, " -n %lld", pby_dossier_integer(audit, "outputs"));
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
    pby_dossier_put(out, audit, "name");
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
    pby_dossier_put(out, claim, "epsilon");
    fputs(", where the claim allows delta ", out);
    pby_dossier_put(out, claim, "delta");
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
            pby_dossier_integer(json_object_get(verdict, "outputs"), "left"),
            pby_dossier_integer(json_object_get(verdict, "outputs"), "right"));
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
        pby_dossier_put(out, verdict, "warning");
        pby_html_row_end(out);
    }
}

static void put_result(FILE *out, const json_t *dossier, const json_t *audit, const json_t *result)
{
    const json_t *verdict = json_object_get(result, "verdict");
    put_verdict(out, verdict);
    if (json_object_get(audit, "canaries") != NULL)
        put_canaries(out, dossier, audit, verdict);
    else
        put_outputs(out, dossier, audit, verdict);
    pby_html_row(out, "Error");
    fputs("if the claim is true, it is refuted with a probability of at most ", out);
    pby_dossier_put(out, verdict, "error");
    pby_html_row_end(out);
    stated_row(out, dossier, "Run");
    pby_dossier_put(out, result, "began");
    fputs(" to ", out);
    pby_dossier_put(out, result, "ended");
    if (pby_dossier_integer(result, "starts") > 1)
        fprintf(out, "; begun %lld times, see <a href=\"#runs\">interrupted runs</a>",
                pby_dossier_integer(result, "starts"));
    pby_html_row_end(out);
}

void pby_dossier_put_audit(FILE *out, const json_t *dossier, const json_t *audit)
{
    const json_t *result = pby_dossier_result(dossier, audit), *verdict = json_object_get(result, "verdict"),
                 *claim = json_object_get(audit, "claim");
    const char *word = pby_dossier_verdict(dossier, audit);
    const bool judged = strcmp(word, "violation") == 0 || strcmp(word, "consistent") == 0;
    fprintf(out, "<h3 class=\"%s\" id=\"", pby_dossier_class(word));
    pby_dossier_put(out, audit, "name");
    fputs("\">", out);
    pby_dossier_put(out, audit, "name");
    fputs("</h3>\n<table class=\"rows\">\n", out);
    if (json_object_get(audit, "mechanism") != NULL) {
        stated_row(out, dossier, "Mechanism");
        pby_dossier_put(out, audit, "mechanism");
        pby_html_row_end(out);
    }
    stated_row(out, dossier, "Claim");
    pby_dossier_put_claim(out, audit);
    if (json_object_get(claim, "deployment") != NULL) {
        fputs(", the claim ", out);
        pby_dossier_put(out, claim, "deployment");
        fputs(" of the deployment", out);
    }
    if (json_object_get(claim, "source") != NULL) {
        fputs(" (", out);
        pby_dossier_put(out, claim, "source");
        fputs(")", out);
    }
    pby_html_row_end(out);
    put_point(out, dossier, verdict);
    if (result == NULL) {
        stated_row(out, dossier, "Verdict");
        fputs("<strong>not run</strong>: ", out);
        pby_dossier_put(
            out, pby_dossier_named(json_object_get(dossier, "not_run"), pby_json_string(audit, "name")),
            "reason");
        pby_html_row_end(out);
    } else {
        put_result(out, dossier, audit, result);
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
        pby_dossier_put(out, audit, "name");
        fputs("</code>; judged again with the same claim and error they give the same verdict.</p>\n", out);
    }
}
