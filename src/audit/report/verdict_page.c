/* SPDX-License-Identifier: MIT */
/* The report: one HTML page that needs nothing from outside and can be printed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/bound/guess.h"
#include "audit/judge/claimed_curve.h"
#include "audit/report/page_parts.h"
#include "audit/report/verdict_advice.h"
#include "audit/report/verdict_svg.h"
#include "base/printed.h"
#include "number/scoped.h"
#include "picture/html.h"
#include "probity.h"
#include "probity/experimental/losses.h"

/* ---- curves ----------------------------------------------------------------------------------- */

static double middle_of(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

static double certified_at(const pby_report *r, double epsilon)
{
    pby_enclosure delta;
    double value = NAN;
    pby_enclosure_init(&delta);
    PBY_MPQ(at);
    mpq_set_d(at, epsilon);
    if (pby_loss_delta(&delta, r->certified, r->neighbours, at, 6, NULL) == PBY_OK)
        value = mpfr_get_d(delta.hi, MPFR_RNDU);
    pby_enclosure_clear(&delta);
    return value;
}

static void fill_curves(pby_curves *c, const pby_verdict *v, const pby_report *r)
{
    PBY_FMPQ(error);
    PBY_ARB(epsilon, lower, seen, upper);
    fmpq_set_si(error, 1, PBY_BAND_PARTS);
    fmpq_mul(error, error, &v->error);
    const double e0 = pby_guess_of(&v->epsilon), d0 = pby_guess_of(&v->delta);
    const double most = fmax(2 * e0, 1.3 * fmax(0, middle_of(v->lower[PBY_REFUTE_EPSILON])));
    c->points = PBY_CURVE_POINTS;
    for (size_t i = 0; i < PBY_CURVE_POINTS; i++) {
        c->epsilon[i] = (most > 0 ? most : 1) * (double)i / (PBY_CURVE_POINTS - 1);
        arb_set_d(epsilon, c->epsilon[i]);
        pby_empirical_at(lower, seen, upper, &v->profile, epsilon, error);
        c->lower[i] = middle_of(lower);
        c->seen[i] = middle_of(seen);
        c->upper[i] = middle_of(upper);
        c->claimed[i] = pby_claimed_at(e0, d0, c->epsilon[i]);
        c->certified[i] = r->certified == NULL ? NAN : certified_at(r, c->epsilon[i]);
    }
}

/* ---- sections --------------------------------------------------------------------------------- */

static void put_title(FILE *out, const pby_verdict *v, const pby_report *r)
{
    fputs("<p class=\"about\">Privacy audit of ", out);
    pby_report_put_subject(out, r);
    fprintf(out, "</p>\n<h1 class=\"%s\">%s</h1>\n", pby_verdict_word(v),
            v->violation                  ? "Violation: the claim is refuted"
            : pby_verdict_inconclusive(v) ? "Inconclusive: nothing could be shown"
                                          : "Consistent: no violation was shown");
}

static void put_verdict(FILE *out, const pby_verdict *v)
{
    char epsilon[PBY_DECIMAL_SIZE], delta[PBY_DECIMAL_SIZE], error[PBY_DECIMAL_SIZE];
    pby_rational_text(epsilon, &v->epsilon);
    pby_rational_text(delta, &v->delta);
    pby_rational_text(error, &v->error);
    fputs("<table class=\"rows\">\n<tr><th>Claim</th><td>", out);
    if (!fmpq_is_zero(&v->value)) {
        char value[PBY_DECIMAL_SIZE];
        pby_rational_text(value, &v->value);
        fprintf(out, "%s %s, which allows ", pby_claimed_name(v->claimed), value);
    }
    fprintf(out, "epsilon %s, delta %s</td></tr>\n", epsilon, delta);
    if (v->violation)
        fprintf(out,
                "<tr><th>Refuted</th><td>every epsilon up to %s at the claimed delta;<br>every delta up to "
                "%s at the claimed epsilon</td></tr>\n",
                v->lower_text[PBY_REFUTE_EPSILON], v->lower_text[PBY_REFUTE_DELTA]);
    fprintf(
        out,
        "<tr><th>Error</th><td>a mechanism that keeps its claim is reported as a violation with a chance "
        "of at most %s</td></tr>\n"
        "<tr><th>Outputs</th><td>%llu left, %llu right; up to a quarter chose the events, the others judged "
        "them</td></tr>\n",
        error, (unsigned long long)v->outputs[0], (unsigned long long)v->outputs[1]);
    if (v->least_visible <= v->most_visible)
        fprintf(out,
                "<tr><th>Could see</th><td>randomised response with an epsilon of about %.3g or more; no "
                "epsilon beyond %.3g</td></tr>\n",
                v->least_visible, v->most_visible);
    if (v->kinds != PBY_EVENT_KINDS_ALL) {
        char kinds[PBY_EVENT_KINDS_TEXT_SIZE];
        pby_kinds_text(kinds, v->kinds);
        fprintf(out, "<tr><th>Judged by</th><td>these kinds of event alone: %s</td></tr>\n", kinds);
    }
    fputs("</table>\n", out);
}

static void put_counts(FILE *out, const char *name, const pby_evidence *e, int accused)
{
    const uint64_t n[2] = {accused == 0 ? e->n : e->m, accused == 0 ? e->m : e->n};
    const uint64_t x[2] = {accused == 0 ? e->x : e->y, accused == 0 ? e->y : e->x};
    fprintf(out, "<tr><td>%s</td>", name);
    for (int side = 0; side < 2; side++)
        fprintf(out, "<td class=\"number\">%llu of %llu (%.4g)</td>", (unsigned long long)x[side],
                (unsigned long long)n[side], n[side] == 0 ? 0 : (double)x[side] / (double)n[side]);
    fputs("</tr>\n", out);
}

static void put_evidence(FILE *out, const pby_verdict *v)
{
    const pby_judged *w = pby_verdict_witness(v);
    const char *side = w->event.accused == 0 ? "left" : "right";
    fprintf(out, "<h2>Evidence</h2>\n<p>%s: <code>",
            v->violation ? "The event" : "The strongest event found (not significant)");
    pby_html_text(out, w->text);
    if (v->violation)
        fprintf(out, "</code>. The %s side is accused of having it too often.</p>\n", side);
    else
        fprintf(out, "</code>. It was tried on the %s side, and chance explains what came of it.</p>\n",
                side);
    fputs("<table>\n<tr><th></th><th class=\"number\">left</th><th class=\"number\">right</th></tr>\n", out);
    put_counts(out, "choosing part", &w->chosen, w->event.accused);
    put_counts(out, "judging part", &w->judged, w->event.accused);
    fputs("</table>\n", out);
    if (v->bars == 0 || v->judges[0] == 0 || v->judges[1] == 0)
        return;
    fputs("<figure>\n", out);
    pby_svg_histogram(out, v);
    fprintf(out,
            "<figcaption>The judging part by %s: a bar for each value, or for each range from the value "
            "below it up to the next; shaded where it is in the event.",
            v->profile.feature);
    if (v->left_out > 0)
        fprintf(out, " These are the %d most frequent; %zu others are not drawn.", PBY_BARS, v->left_out);
    fputs("</figcaption>\n</figure>\n", out);
}

static void put_next(FILE *out, const pby_verdict *v)
{
    fputs("<h2>What to try next</h2>\n<ul>\n", out);
    pby_advice_next(out, v);
    fputs("</ul>\n", out);
}

static void put_profile(FILE *out, const pby_verdict *v, const pby_report *r)
{
    pby_curves curves;
    char error[PBY_DECIMAL_SIZE];
    if (v->profile.cells == 0)
        return;
    fill_curves(&curves, v, r);
    pby_rational_text(error, &v->error);
    fputs("<h2>Privacy profile</h2>\n<figure>\n", out);
    pby_svg_profile(out, &curves);
    fprintf(
        out,
        "<figcaption>Delta at each epsilon over the events that %s orders, with a band that holds for all "
        "of them at once (Dvoretzky, Kiefer, Wolfowitz, Massart) but for a chance of %s/%d. Where the lower "
        "edge is above the dashed curve the claim fails. The upper edge bounds only what these events show.",
        v->profile.feature, error, PBY_BAND_PARTS);
    if (r->certified != NULL) {
        fputs(" Certified: <code>", out);
        pby_html_text(out, pby_spec_text(r->certified));
        fprintf(out, "</code>, %s neighbours.", pby_neighbours_text(r->neighbours));
    }
    fputs("</figcaption>\n</figure>\n", out);
}

static void put_events(FILE *out, const pby_verdict *v)
{
    fputs("<h2>All that was judged</h2>\n<p>Of the error, one tenth is the band's; of the rest the first "
          "event has one half, the next one quarter, and so on, the last two the same.</p>\n"
          "<table>\n<tr><th>event</th><th>side</th><th class=\"number\">error</th><th>bound</th></tr>\n",
          out);
    for (size_t i = 0; i < v->events; i++) {
        const pby_judged *j = &v->event[i];
        fputs("<tr><td class=\"event\"><code>", out);
        pby_html_text(out, j->text);
        fprintf(out, "</code></td><td>%s</td><td class=\"number error\">%.3g</td>",
                j->event.accused == 0 ? "left" : "right", pby_guess_of(j->event.share.error));
        if (j->event.share.split == 0)
            fputs("<td>joint</td></tr>\n", out);
        else
            fprintf(out, "<td>split %u/%d</td></tr>\n", j->event.share.split, PBY_SPLITS);
    }
    fputs("</table>\n", out);
}

static void put_limits(FILE *out, const char *how)
{
    fputs("<h2>What this cannot see</h2>\n<ul>\n"
          "<li>Other inputs: only these two were compared.</li>\n"
          "<li>Events too rare for so many outputs, and events that no feature describes.</li>\n"
          "<li>Outputs that are not independent draws, or that were selected before they were written "
          "down.</li>\n"
          "<li>Anything but the outputs: time, memory, errors, order.</li>\n</ul>\n",
          out);
    if (how != NULL) {
        fputs("<h2>How to run it again</h2>\n<pre>", out);
        pby_html_text(out, how);
        fputs("</pre>\n", out);
    }
    fprintf(out,
            "<p>The same outputs in the same order give the same answer: which output chooses and which "
            "judges is a fixed hash of its place. probity %s</p>\n",
            pby_version());
    pby_html_end(out);
}

static void put_warning(FILE *out, const char *warning)
{
    if (warning == NULL)
        return;
    fputs("<p><strong>Warning:</strong> ", out);
    pby_html_text(out, warning);
    fputs("</p>\n", out);
}

pby_status pby_verdict_html(char **text, const pby_verdict *v, const pby_report *r, pby_error *err)
{
    pby_printed printed;
    *text = NULL;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    pby_html_begin(out, "Privacy audit");
    put_title(out, v, r);
    pby_advice_summary(out, v);
    put_verdict(out, v);
    put_warning(out, r->warning);
    if (v->events > 0)
        put_evidence(out, v);
    put_next(out, v);
    if (v->events > 0) {
        put_profile(out, v, r);
        put_events(out, v);
    }
    pby_report_put_sources(out, r);
    put_limits(out, r->how);
    return pby_printed_end(text, &printed, PBY_OK, err);
}
