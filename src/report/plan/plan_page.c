/* SPDX-License-Identifier: MIT */
/* A release plan as one HTML page: what each statistic is worth, the changes that would help most, and the
 * error of each against the budget. */
#include <math.h>
#include <stdlib.h>

#include "base/printed.h"
#include "number/scoped.h"
#include "number/text.h"
#include "picture/html.h"
#include "picture/svg.h"
#include "plan/plan_advice.h"
#include "plan/plan_curve.h"
#include "probity.h"
#include "report/explain/page.h"
#include "report/plan/planned.h"
#include "report/plan/report_plan.h"

enum { PAGE_DIGITS = 4 };

static void put_cell(FILE *out, const char *open, const char *text, const char *close)
{
    fputs(open, out);
    pby_html_text(out, text);
    fputs(close, out);
}

static void put_row(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<tr><th>%s</th><td class=\"name\">", name);
    pby_html_text(out, text);
    fputs("</td></tr>\n", out);
}

/* ---- the whole ----------------------------------------------------------------------------------- */

static void put_loss(FILE *out, const pby_planned *p)
{
    fprintf(out, "<tr><th>%s</th><td>",
            p->plan->budget == PBY_ASK_DELTA ? "delta" : pby_plan_budget_name(p->plan));
    pby_page_enclosure(out, &p->choice.loss, PAGE_DIGITS);
    fputs(", of all releases together, enclosed</td></tr>\n", out);
}

static void put_budget(FILE *out, const pby_planned *p)
{
    pby_release_plan *plan = p->plan;
    char first[PBY_DECIMAL_SIZE], second[PBY_DECIMAL_SIZE], text[2 * PBY_DECIMAL_SIZE + 32];
    pby_mpq_text(first, pby_plan_budget(plan));
    pby_mpq_text(second, plan->delta);
    if (plan->budget != PBY_ASK_DELTA)
        snprintf(text, sizeof text, "%s %s", pby_plan_budget_name(plan), first);
    else
        snprintf(text, sizeof text, "epsilon %s, delta %s", first, second);
    put_row(out, "budget", text);
}

static void put_title(FILE *out, const pby_planned *p)
{
    const pby_release_plan *plan = p->plan;
    put_cell(out, "<p class=\"about\">A release plan checked, without data</p>\n<h1 class=\"plain\">",
             plan->name, "</h1>\n<table class=\"rows\">\n");
    put_row(out, "unit", plan->user == NULL ? "one record" : "all rows of one user");
    if (plan->user != NULL)
        put_row(out, "column of users", plan->user);
    put_row(out, "neighbours", pby_neighbours_text(plan->relation));
    fprintf(out, "<tr><th>releases</th><td>%llu</td></tr>\n", (unsigned long long)plan->times);
    put_budget(out, p);
    put_loss(out, p);
    put_row(out, "mechanisms", pby_spec_text(p->choice.all));
    fputs("</table>\n", out);
}

/* ---- statistics ---------------------------------------------------------------------------------- */

static pby_status put_statistic(FILE *out, const pby_planned *p, size_t i, pby_error *err)
{
    pby_plan_promise promise;
    pby_plan_told told;
    pby_plan_promise_init(&promise);
    const pby_status status = pby_plan_promise_of(&promise, p->plan, &p->choice.quantities, i, err);
    if (status == PBY_OK) {
        pby_plan_tell(&told, p->plan, &p->choice, i, &promise);
        put_cell(out, "<tr><td class=\"name\">", p->plan->statistic[i].name, "</td>");
        put_cell(out, "<td class=\"name\">", told.what, "</td>");
        fprintf(out,
                "<td class=\"number\">%s</td><td class=\"number\">%s</td><td class=\"number\">%s</td>"
                "<td class=\"number\">%s</td></tr>\n",
                told.groups, told.error, told.relative, told.budget);
    }
    pby_plan_promise_clear(&promise);
    return status;
}

static pby_status put_statistics(FILE *out, const pby_planned *p, pby_error *err)
{
    fputs("<h2>What each statistic is worth</h2>\n<div style=\"overflow-x: auto\"><table>\n"
          "<tr><th>statistic</th><th>of what</th><th class=\"number\">groups</th>"
          "<th class=\"number\">off by at most</th><th class=\"number\">relative</th>"
          "<th class=\"number\">budget</th></tr>\n",
          out);
    for (size_t i = 0; i < p->plan->statistics; i++)
        PBY_TRY(put_statistic(out, p, i, err));
    fputs("</table></div>\n"
          "<p>All groups of a statistic are off by no more than that at once, in 95 of 100 releases. This is "
          "about the rows that are left when each user's are bounded, values clipped and others dropped: "
          "what that takes away is not in these numbers. The error of a mean or a variance holds where a "
          "group has as many rows as <code>expect</code> says, that of a quantile is of its rank, in rows, "
          "and that of <code>top</code> is by how many rows a chosen group is behind the best.</p>\n",
          out);
    return PBY_OK;
}

static pby_status put_advice(FILE *out, const pby_planned *p, pby_error *err)
{
    pby_plan_advice advice[PBY_PLAN_ADVICE_MAX];
    size_t count;
    PBY_TRY(pby_plan_advise(advice, &count, p->plan, err));
    fputs("<h2>Changes that would help most</h2>\n", out);
    if (count == 0)
        fputs("<p>None of those that are tried.</p>\n", out);
    else
        fputs("<p>By estimates, on the weighted average of all statistics.</p>\n<table>\n"
              "<tr><th>change</th><th class=\"number\">errors smaller by</th></tr>\n",
              out);
    for (size_t i = 0; i < count; i++) {
        put_cell(out, "<tr><td><code>", advice[i].change, "</code></td>");
        fprintf(out, "<td class=\"number\">%.0f %%</td></tr>\n", 100 * (1 - advice[i].errors));
    }
    if (count > 0)
        fputs("</table>\n", out);
    return PBY_OK;
}

/* ---- errors against the budget -------------------------------------------------------------------- */

static void put_points(FILE *out, const pby_plan_curve *c, size_t statistic, const char *budget)
{
    char text[PBY_PLAN_WORDS], exact[PBY_DECIMAL_SIZE];
    fprintf(out, "<div style=\"overflow-x: auto\"><table>\n<tr><th>%s</th>", budget);
    for (size_t i = 0; i < PBY_PLAN_CURVE_POINTS; i++) {
        pby_mpq_text(exact, c->budget[i]);
        fprintf(out, "<td class=\"number\">%s</td>", exact);
    }
    fputs("</tr>\n<tr><th>error</th>", out);
    for (size_t i = 0; i < PBY_PLAN_CURVE_POINTS; i++) {
        const size_t at = statistic * PBY_PLAN_CURVE_POINTS + i;
        if (c->known[at])
            pby_plan_tell_error(text, c->error[at]);
        fprintf(out, "<td class=\"number\">%s</td>", c->known[at] ? text : "unknown");
    }
    fputs("</tr>\n</table></div>\n", out);
}

/* The axis goes from a power of ten to another. */
static void put_plot(FILE *out, const double *x, const double *y, const char *budget)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < PBY_PLAN_CURVE_POINTS; i++)
        if (!isnan(y[i]) && y[i] > 0) {
            least = fmin(least, y[i]);
            most = fmax(most, y[i]);
        }
    if (most == 0) {
        fputs("<p>There is no error to draw.</p>\n", out);
        return;
    }
    const double low = floor(log10(least)), high = ceil(log10(most));
    const pby_frame f = {0, x[PBY_PLAN_CURVE_POINTS - 1], pow(10, low), pow(10, high > low ? high : low + 1),
                         true};
    pby_svg_begin(out, "the error against the budget");
    pby_svg_y_axis(out, &f, "error");
    pby_svg_x_axis(out, &f, budget);
    pby_svg_line(out, &f, "seen", x, y, PBY_PLAN_CURVE_POINTS);
    pby_svg_line(out, &f, "claimed", &x[PBY_PLAN_CURVE_POINTS / 2], &y[PBY_PLAN_CURVE_POINTS / 2], 1);
    pby_svg_end(out);
}

static void put_curve(FILE *out, const pby_plan_curve *c, const pby_release_plan *plan, size_t statistic)
{
    const char *budget = pby_plan_budget_name(plan);
    double x[PBY_PLAN_CURVE_POINTS], y[PBY_PLAN_CURVE_POINTS];
    for (size_t i = 0; i < PBY_PLAN_CURVE_POINTS; i++) {
        const size_t at = statistic * PBY_PLAN_CURVE_POINTS + i;
        x[i] = mpq_get_d(c->budget[i]);
        y[i] = c->known[at] ? mpq_get_d(c->error[at]) : NAN;
    }
    put_cell(out, "<figure>\n<h3>", plan->statistic[statistic].name, "</h3>\n");
    put_plot(out, x, y, budget);
    put_points(out, c, statistic, budget);
    fputs("</figure>\n", out);
}

static pby_status put_curves(FILE *out, const pby_planned *p, pby_error *err)
{
    pby_plan_curve c;
    const pby_status status = pby_plan_curve_of(&c, p->plan, &p->choice, err);
    if (status == PBY_OK) {
        fprintf(out,
                "<h2>Errors against %s</h2>\n<p>The noise of all statistics is chosen anew for each budget. "
                "The circle is the plan's own.</p>\n",
                pby_plan_budget_name(p->plan));
        for (size_t i = 0; i < p->plan->statistics; i++)
            put_curve(out, &c, p->plan, i);
    }
    pby_plan_curve_clear(&c);
    return status;
}

static pby_status put_body(FILE *out, const pby_planned *p, pby_error *err)
{
    put_title(out, p);
    PBY_TRY(put_statistics(out, p, err));
    PBY_TRY(put_advice(out, p, err));
    PBY_TRY(put_curves(out, p, err));
    fprintf(out, "<p>These numbers: Probity %s, by <code>probity plan check</code>.</p>\n", pby_version());
    return PBY_OK;
}

pby_status pby_planned_page(char **page, pby_planned *p, pby_error *err)
{
    pby_printed printed;
    *page = NULL;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    pby_html_begin(out, p->plan->name);
    pby_status status = put_body(out, p, err);
    pby_html_end(out);
    return pby_printed_end(page, &printed, status, err);
}
