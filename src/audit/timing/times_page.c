/* SPDX-License-Identifier: MIT */
#include "audit/timing/times_page.h"

#include <stdlib.h>
#include <string.h>

#include "audit/count/count_table.h"
#include "audit/report/page_parts.h"
#include "audit/timing/times.h"
#include "base/json.h"
#include "base/printed.h"
#include "base/status.h"
#include "picture/html.h"
#include "picture/svg.h"
#include "probity.h"

static void put(FILE *out, const json_t *object, const char *member)
{
    pby_html_text(out, pby_json_string(object, member));
}

static long long integer(const json_t *object, const char *member)
{
    return (long long)json_integer_value(json_object_get(object, member));
}

/* ---- the verdict ------------------------------------------------------------------------------ */

static void put_title(FILE *out, const json_t *verdict, const pby_report *r)
{
    const char *word = pby_json_string(verdict, "verdict");
    fputs("<p class=\"about\">Audit of the running time of ", out);
    pby_report_put_subject(out, r);
    fprintf(out, "</p>\n<h1 class=\"%s\">%s</h1>\n", word,
            strcmp(word, "violation") == 0 ? "Violation: the running time alone refutes the claim"
            : strcmp(word, "consistent") == 0
                ? "Consistent: no violation was shown"
                : "Inconclusive: no times of so few runs could refute the claim");
}

/* An epsilon that is exceeded, or that there is none. */
static void put_epsilon(FILE *out, const json_t *verdict, const char *member)
{
    if (json_is_string(json_object_get(verdict, member))) {
        fputs("epsilon &gt; ", out);
        put(out, verdict, member);
    } else {
        fputs("no epsilon", out);
    }
    fputs(" at delta ", out);
    put(out, json_object_get(verdict, "claim"), "delta");
}

static void put_side(FILE *out, const json_t *verdict, const char *side)
{
    const json_t *own = json_object_get(verdict, side);
    pby_html_row(out, side);
    fprintf(out, "%lld runs", integer(own, "runs"));
    if (json_object_get(own, "median") != NULL)
        fprintf(out, ", half of them within %lld and %lld ns, the median %lld ns",
                integer(own, "lower_quartile"), integer(own, "upper_quartile"), integer(own, "median"));
    pby_html_row_end(out);
}

static void put_event(FILE *out, const json_t *event)
{
    if (event == NULL)
        return;
    pby_html_row(out, "Event");
    put(out, event, "accused");
    fputs(" has it too often: ", out);
    put(out, event, "text");
    fprintf(out, "; %lld times on the left and %lld on the right, of %lld runs", integer(event, "left"),
            integer(event, "right"), integer(event, "judging"));
    pby_html_row_end(out);
}

static void put_verdict(FILE *out, const json_t *verdict)
{
    const json_t *claim = json_object_get(verdict, "claim");
    fputs("<table class=\"rows\">\n", out);
    pby_html_row(out, "Claim");
    fputs("epsilon ", out);
    put(out, claim, "epsilon");
    fputs(", delta ", out);
    put(out, claim, "delta");
    fputs(", of the running time alone", out);
    pby_html_row_end(out);
    pby_html_row(out, "Shown");
    put_epsilon(out, verdict, "epsilon_lower");
    pby_html_row_end(out);
    put_event(out, json_object_get(verdict, "event"));
    pby_html_row(out, "Error");
    fputs("a program that keeps its claim is reported as a violation with a chance of at most ", out);
    put(out, verdict, "error");
    pby_html_row_end(out);
    put_side(out, verdict, "left");
    put_side(out, verdict, "right");
    pby_html_row(out, "Could see");
    put_epsilon(out, verdict, "largest_visible");
    fputs(", had every time told the side", out);
    pby_html_row_end(out);
    fputs("</table>\n", out);
}

/* ---- the picture ------------------------------------------------------------------------------ */

enum { POINTS = 129, NANOSECONDS = 1000 };

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The times of a side in microseconds, at shares of its runs from 0 to 63/64: the slowest would hide the
 * others. */
static pby_status quantiles(double x[POINTS], double y[POINTS], const pby_times *t, int side, pby_error *err)
{
    const size_t n = t->runs[side];
    uint64_t *sorted = malloc(n * sizeof *sorted);
    if (sorted == NULL)
        return pby_no_memory(err);
    memcpy(sorted, t->time[side], n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_size);
    for (size_t i = 0; i < POINTS; i++) {
        y[i] = 63.0 / 64 * (double)i / (POINTS - 1);
        x[i] = (double)sorted[(size_t)(y[i] * (double)(n - 1))] / NANOSECONDS;
    }
    free(sorted);
    return PBY_OK;
}

static pby_status put_picture(FILE *out, const pby_times *t, pby_error *err)
{
    static const char *const classes[] = {"seen", "claimed"};
    double x[2][POINTS] = {{0}}, y[2][POINTS] = {{0}};
    if (t->runs[0] < 2 || t->runs[1] < 2)
        return PBY_OK;
    pby_frame f = {.y_most = 1};
    for (int side = 0; side < 2; side++) {
        PBY_TRY(quantiles(x[side], y[side], t, side, err));
        f.x_least = side == 0 || x[side][0] < f.x_least ? x[side][0] : f.x_least;
        f.x_most = x[side][POINTS - 1] > f.x_most ? x[side][POINTS - 1] : f.x_most;
    }
    if (f.x_most <= f.x_least)
        return PBY_OK;
    fputs("<h2>The times</h2>\n<figure>\n", out);
    pby_legend_begin(out);
    for (int side = 0; side < 2; side++)
        pby_legend_key(out, classes[side], pby_side_names[side]);
    pby_legend_end(out);
    pby_svg_begin(out, "The share of runs that took at most a time");
    pby_svg_x_axis(out, &f, "microseconds");
    pby_svg_y_axis(out, &f, "share of the runs");
    for (int side = 0; side < 2; side++)
        pby_svg_line(out, &f, classes[side], x[side], y[side], POINTS);
    pby_svg_end(out);
    fputs(
        "<figcaption>The slowest 1/64 of the runs is left out of the picture, not of the judgement. The "
        "verdict does not compare these curves: a machine whose speed drifts would move them.</figcaption>\n"
        "</figure>\n",
        out);
    return PBY_OK;
}

/* ---- the page --------------------------------------------------------------------------------- */

static void put_limits(FILE *out, const pby_report *r)
{
    fputs("<h2>What this cannot see</h2>\n<ul>\n"
          "<li>Other inputs than these two, and other machines.</li>\n"
          "<li>Differences below the noise of these times; what an output and its time show together.</li>\n"
          "</ul>\n<h2>Method</h2>\n<p>Each run is on the input that a fair coin chooses. Bets on the coins, "
          "from events that are fixed before the run, win only if the times tell the inputs apart more than "
          "the claim allows.</p>\n",
          out);
    if (r->how != NULL) {
        fputs("<h2>How to run it again</h2>\n<pre>", out);
        pby_html_text(out, r->how);
        fputs("</pre>\n", out);
    }
    fprintf(out, "<p>probity %s</p>\n", pby_version());
}

pby_status pby_times_page(char **text, const pby_times_told *told, const pby_report *r, pby_error *err)
{
    pby_printed printed;
    *text = NULL;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    pby_html_begin(out, "Audit of a running time");
    put_title(out, told->verdict, r);
    put_verdict(out, told->verdict);
    const pby_status status = put_picture(out, told->times, err);
    pby_report_put_sources(out, r);
    put_limits(out, r);
    pby_html_end(out);
    return pby_printed_end(text, &printed, status, err);
}
