/* SPDX-License-Identifier: MIT */
#include "audit/report/verdict_svg.h"

#include <math.h>

#include "picture/svg.h"

double pby_claimed_at(double e0, double d0, double epsilon)
{
    return d0 + (1 - d0) * fmax(0, (exp(e0) - exp(epsilon)) / (1 + exp(e0)));
}

void pby_svg_profile(FILE *out, const pby_curves *c)
{
    const size_t n = c->points;
    pby_frame f = {.x_most = c->epsilon[n - 1]};
    for (size_t i = 0; i < n; i++)
        f.y_most = fmax(f.y_most,
                        fmax(c->upper[i], fmax(c->claimed[i], isnan(c->certified[i]) ? 0 : c->certified[i])));
    f.y_most = fmin(1, fmax(f.y_most * 1.05, 1e-9));
    pby_legend_begin(out);
    pby_legend_key(out, "seen", "seen in the outputs, with a band for chance");
    pby_legend_key(out, "claimed", "the most that the claim allows");
    if (!isnan(c->certified[0]))
        pby_legend_key(out, "certified", "certified");
    pby_legend_end(out);
    pby_svg_begin(out, "delta against epsilon: seen, with its band, and claimed");
    pby_svg_y_axis(out, &f, "delta");
    pby_svg_x_axis(out, &f, "epsilon");
    pby_svg_band(out, &f, c->epsilon, c->lower, c->upper, n);
    pby_svg_line(out, &f, "seen", c->epsilon, c->seen, n);
    pby_svg_line(out, &f, "claimed", c->epsilon, c->claimed, n);
    pby_svg_line(out, &f, "certified", c->epsilon, c->certified, n);
    pby_svg_end(out);
}

void pby_svg_histogram(FILE *out, const pby_verdict *v)
{
    pby_svg_bar bar[PBY_BARS];
    for (size_t i = 0; i < v->bars; i++)
        bar[i] = (pby_svg_bar){
            v->bar[i].text,
            {(double)v->bar[i].left / (double)v->judges[0], (double)v->bar[i].right / (double)v->judges[1]},
            v->bar[i].inside};
    pby_legend_begin(out);
    pby_legend_key(out, "left-key", "left");
    pby_legend_key(out, "right-key", "right");
    pby_legend_key(out, "inside-key", "in the event");
    pby_legend_end(out);
    pby_svg_bars(out, bar, v->bars, 2, "how often each side gave each value", "share of the judges", NULL);
}
