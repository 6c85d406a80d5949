/* SPDX-License-Identifier: MIT */
#include "audit/report/canary_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/canary/canary_scores.h"
#include "audit/report/page_parts.h"
#include "base/json.h"
#include "base/printed.h"
#include "base/status.h"
#include "number/scoped.h"
#include "picture/html.h"
#include "picture/svg.h"
#include "probity.h"
#include "probity/rational.h"

static void put(FILE *out, const json_t *object, const char *member)
{
    pby_html_text(out, pby_json_string(object, member));
}

static long long integer(const json_t *object, const char *member)
{
    return (long long)json_integer_value(json_object_get(object, member));
}

/* ---- parts ------------------------------------------------------------------------------------ */

void pby_canary_page_counts(FILE *out, const json_t *verdict)
{
    const json_t *runs = json_object_get(verdict, "runs");
    if (runs != NULL) {
        fprintf(out, "one canary; %lld runs with it and %lld without", integer(runs, "included"),
                integer(runs, "left_out"));
        return;
    }
    fprintf(out, "%lld of one run", integer(verdict, "canaries"));
    if (json_object_get(verdict, "included") != NULL)
        fprintf(out, ", %lld of them included", integer(verdict, "included"));
}

static void put_bound(FILE *out, const json_t *bound, const char *delta)
{
    const json_t *guesses = json_object_get(bound, "guesses");
    put(out, bound, "name");
    fputs(": epsilon &gt; ", out);
    put(out, bound, "epsilon_lower");
    fprintf(out, " at delta %s", delta);
    if (guesses != NULL)
        fprintf(out, ", by %lld right of %lld guesses", integer(guesses, "correct"),
                integer(guesses, "made"));
    if (json_object_get(bound, "mu_lower") != NULL) {
        fputs("; mu &gt; ", out);
        put(out, bound, "mu_lower");
        fputs(", if the curve is Gaussian", out);
    }
    fputs(json_is_false(json_object_get(bound, "proved")) ? "; as published, not proved" : "", out);
    fputs("<br>\n", out);
}

void pby_canary_page_bounds(FILE *out, const json_t *verdict)
{
    const json_t *bounds = json_object_get(verdict, "bounds");
    for (size_t i = 0; i < json_array_size(bounds); i++)
        put_bound(out, json_array_get(bounds, i), pby_json_string(verdict, "delta"));
}

const char *pby_canary_assumes(const json_t *verdict)
{
    return json_object_get(verdict, "runs") != NULL
               ? "the runs are independent, and the guesser saw only their outputs"
               : "each canary was included by a fair coin of its own; the guesser saw no coin";
}

/* ---- the head --------------------------------------------------------------------------------- */

static void put_title(FILE *out, const json_t *verdict, const pby_report *r)
{
    const char *word = pby_json_string(verdict, "verdict");
    fputs("<p class=\"about\">Privacy audit by canaries of ", out);
    pby_report_put_subject(out, r);
    fprintf(out, "</p>\n<h1 class=\"%s\">", word[0] == '\0' ? "plain" : word);
    if (word[0] == '\0') {
        fputs("No claim was judged: epsilon &gt; ", out);
        put(out, verdict, "epsilon_lower");
        fputs(" was shown", out);
    } else {
        fputs(strcmp(word, "violation") == 0    ? "Violation: the claim is refuted"
              : strcmp(word, "consistent") == 0 ? "Consistent: no violation was shown"
                                                : "Inconclusive: nothing could be shown",
              out);
    }
    fputs("</h1>\n", out);
}

static void put_verdict(FILE *out, const json_t *verdict)
{
    const json_t *claim = json_object_get(verdict, "claim");
    fputs("<table class=\"rows\">\n", out);
    if (claim != NULL) {
        pby_html_row(out, "Claim");
        fputs("epsilon ", out);
        put(out, claim, "epsilon");
        fputs(", delta ", out);
        put(out, claim, "delta");
        pby_html_row_end(out);
    }
    pby_html_row(out, "Shown");
    fputs("epsilon &gt; ", out);
    put(out, verdict, "epsilon_lower");
    fputs(" at delta ", out);
    put(out, verdict, "delta");
    pby_html_row_end(out);
    if (json_object_get(verdict, "reason") != NULL) {
        pby_html_row(out, "Reason");
        put(out, verdict, "reason");
        pby_html_row_end(out);
    }
    pby_html_row(out, "Error");
    fputs("a mechanism that keeps its claim is reported as a violation with a chance of at most ", out);
    put(out, verdict, "error");
    pby_html_row_end(out);
    pby_html_row(out, json_object_get(verdict, "runs") != NULL ? "Runs" : "Canaries");
    pby_canary_page_counts(out, verdict);
    pby_html_row_end(out);
    pby_html_row(out, "Bounds");
    pby_canary_page_bounds(out, verdict);
    pby_html_row_end(out);
    pby_html_row(out, "Assumed");
    fputs(pby_canary_assumes(verdict), out);
    pby_html_row_end(out);
    fputs("</table>\n", out);
}

/* ---- the picture ------------------------------------------------------------------------------ */

enum { POINTS = PBY_GUESS_LISTS / 2 };

/* The share of right guesses over the number of guesses, of the lists that guess both or only "included". */
static size_t fill_shares(double *x, double *y, const json_t *verdict, size_t first)
{
    const json_t *correct = json_object_get(verdict, "correct");
    const uint64_t canaries = (uint64_t)integer(verdict, "canaries");
    size_t n = 0;
    for (size_t i = first; i < json_array_size(correct) && n < POINTS; i += 2, n++) {
        const double made = (double)pby_canary_list_made(canaries, i);
        x[n] = made;
        y[n] = (double)json_integer_value(json_array_get(correct, i)) / made;
    }
    return n;
}

static double claimed_share(const json_t *verdict)
{
    PBY_MPQ(epsilon);
    const char *text = pby_json_string(json_object_get(verdict, "claim"), "epsilon");
    if (text[0] == '\0' || pby_rational_parse(epsilon, "epsilon", text, NULL) != PBY_OK)
        return NAN;
    return 1 / (1 + exp(-mpq_get_d(epsilon)));
}

static void put_level(FILE *out, const pby_frame *f, const char *class, double level)
{
    const double x[] = {f->x_least, f->x_most}, y[] = {level, level};
    if (!isnan(level))
        pby_svg_line(out, f, class, x, y, 2);
}

static void put_picture(FILE *out, const json_t *verdict)
{
    double x[POINTS], both[POINTS], included[POINTS];
    const size_t n = fill_shares(x, both, verdict, 0);
    const double claimed = claimed_share(verdict);
    if (n < 2)
        return;
    fill_shares(x, included, verdict, 1);
    pby_frame f = {.x_most = x[0], .y_least = 0.5, .y_most = 1};
    for (size_t i = 0; i < n; i++)
        f.y_least = fmin(f.y_least, fmin(both[i], included[i]));
    f.y_least = floor(10 * f.y_least) / 10;
    fputs("<h2>The guesses</h2>\n<figure>\n", out);
    pby_legend_begin(out);
    pby_legend_key(out, "seen", "guesses of both kinds");
    pby_legend_key(out, "law-line", "guesses of included alone");
    if (!isnan(claimed))
        pby_legend_key(out, "claimed", "most on average under the claim, at delta 0");
    pby_legend_end(out);
    pby_svg_begin(out, "The share of right guesses over the number of guesses");
    pby_svg_x_axis(out, &f, "guesses made, the surest ones");
    pby_svg_y_axis(out, &f, "share that is right");
    put_level(out, &f, "grid", 0.5);
    put_level(out, &f, "claimed", claimed);
    pby_svg_line(out, &f, "law-line", x, included, n);
    pby_svg_line(out, &f, "seen", x, both, n);
    pby_svg_end(out);
    fputs("<figcaption>Lists of the surest guesses, each fixed before the labels were seen. Coins are right "
          "half of the time. Short lists are above the dashed line by chance, too: the bounds take that into "
          "account.</figcaption>\n</figure>\n",
          out);
}

/* ---- the rest --------------------------------------------------------------------------------- */

static void put_limits(FILE *out, const json_t *verdict, const pby_report *r)
{
    fputs("<h2>What this cannot see</h2>\n<ul>\n"
          "<li>Other records than the canaries: each of them may be remembered better.</li>\n"
          "<li>Better guesses: a weak guesser shows nothing, whatever the mechanism gives away.</li>\n"
          "<li>Coins that were not fair, and a guesser who saw them.</li>\n</ul>\n<h2>Method</h2>\n<p>",
          out);
    put(out, verdict, "method");
    fputs(".</p>\n", out);
    if (r->how != NULL) {
        fputs("<h2>How to run it again</h2>\n<pre>", out);
        pby_html_text(out, r->how);
        fputs("</pre>\n", out);
    }
    fprintf(out, "<p>probity %s</p>\n", pby_version());
}

pby_status pby_canary_page(char **text, const json_t *verdict, const pby_report *r, pby_error *err)
{
    pby_printed printed;
    *text = NULL;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    pby_html_begin(out, "Privacy audit by canaries");
    put_title(out, verdict, r);
    put_verdict(out, verdict);
    if (pby_json_string(verdict, "warning")[0] != '\0') {
        fputs("<p><strong>Warning:</strong> ", out);
        put(out, verdict, "warning");
        fputs("</p>\n", out);
    }
    put_picture(out, verdict);
    pby_report_put_sources(out, r);
    put_limits(out, verdict, r);
    pby_html_end(out);
    return pby_printed_end(text, &printed, PBY_OK, err);
}
