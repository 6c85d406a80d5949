/* SPDX-License-Identifier: MIT */
/* Figure 1 as SVG that needs nothing from outside: doubles, for the eye; the numbers are in the CSV. */
#include <math.h>

#include "lab/experiment/figure1.h"
#include "lab/experiment/plot_head.h"

const char *const pby_figure1_eps[PBY_FIGURE1_EPSILONS] = {"1/5", "1/10", "1/20"};

enum { WIDTH = 1000, HEIGHT = 438, TOP = 64, PLOT_WIDTH = 262, PLOT_HEIGHT = 270, LEFT = 66, STEP = 314 };

static const char *const colours[PBY_FIGURE1_GAMMAS] = {"#c0392b", "#1f5fa8", "#27864a"};

/* The part of one epsilon: where it begins, and the count at its upper end. */
struct part {
    double left, most;
};

static double x_of(const struct part *p, int k)
{
    return p->left + PLOT_WIDTH * (double)k / (PBY_FIGURE1_DELTAS - 1);
}

static double y_of(const struct part *p, double count)
{
    return TOP + PLOT_HEIGHT * (1 - count / p->most);
}

static void axes(FILE *out, const struct part *p, int i)
{
    fprintf(out, "<text class=\"title\" x=\"%.1f\" y=\"%d\">epsilon = %s</text>\n", p->left, TOP - 14,
            pby_figure1_eps[i]);
    for (int j = 0; j <= 4; j++) {
        const double count = p->most * j / 4, y = y_of(p, count);
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", p->left,
                p->left + PLOT_WIDTH, y, y);
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", p->left - 6, y + 4,
                count);
    }
    for (int k = 0; k < PBY_FIGURE1_DELTAS; k += 5) {
        const double x = x_of(p, k);
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>\n", x, x, TOP,
                TOP + PLOT_HEIGHT);
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", x,
                TOP + PLOT_HEIGHT + 18, PBY_FIGURE1_FIRST + k);
    }
    fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">log10(1/delta)</text>\n",
            p->left + PLOT_WIDTH / 2.0, TOP + PLOT_HEIGHT + 38);
    fprintf(out, "<rect class=\"frame\" x=\"%.1f\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", p->left, TOP,
            PLOT_WIDTH, PLOT_HEIGHT);
}

static void line(FILE *out, const struct part *p, const double *count, const char *colour, const char *style)
{
    fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" %s points=\"", colour, style);
    for (int k = 0; k < PBY_FIGURE1_DELTAS; k++)
        fprintf(out, "%.1f,%.1f ", x_of(p, k), y_of(p, count[k]));
    fputs("\"/>\n", out);
}

static void lines(FILE *out, const struct part *p, const pby_figure1_cell *cell)
{
    double count[PBY_FIGURE1_DELTAS];
    for (int j = 0; j < PBY_FIGURE1_GAMMAS; j++) {
        for (int k = 0; k < PBY_FIGURE1_DELTAS; k++)
            count[k] = (double)cell[k].exact[j];
        line(out, p, count, colours[j], "stroke-width=\"1.2\" stroke-dasharray=\"5 4\"");
        for (int k = 0; k < PBY_FIGURE1_DELTAS; k++)
            count[k] = mpfr_get_d(cell[k].theorem[j].lo, MPFR_RNDN);
        line(out, p, count, colours[j], "stroke-width=\"2\"");
    }
    for (int k = 0; k < PBY_FIGURE1_DELTAS; k++)
        count[k] = (double)cell[k].any;
    line(out, p, count, "#555", "stroke-width=\"2\" stroke-dasharray=\"1 4\" stroke-linecap=\"round\"");
}

static void key(FILE *out, int x, const char *colour, const char *style, const char *text)
{
    const int y = HEIGHT - 26;
    fprintf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" %s/>\n", x, x + 26, y, y,
            colour, style);
    fprintf(out, "<text x=\"%d\" y=\"%d\">%s</text>\n", x + 32, y + 4, text);
}

void pby_figure1_plot(FILE *out, const pby_figure1 *f)
{
    pby_plot_head(out, WIDTH, HEIGHT,
                  "Thresholds of Theorem 5, of the exact law, and what any mechanism needs");
    fprintf(out, "<text class=\"title\" x=\"%d\" y=\"22\">Threshold that delta needs, sensitivity 1</text>\n",
            LEFT);
    for (int i = 0; i < PBY_FIGURE1_EPSILONS; i++) {
        const double top = mpfr_get_d(f->cell[i][PBY_FIGURE1_DELTAS - 1].theorem[0].hi, MPFR_RNDU);
        const struct part p = {LEFT + i * STEP, 100 * ceil(top / 100)};
        axes(out, &p, i);
        lines(out, &p, f->cell[i]);
    }
    key(out, LEFT, colours[0], "stroke-width=\"2\"", "gamma = 1");
    key(out, LEFT + 118, colours[1], "stroke-width=\"2\"", "gamma = 1/10");
    key(out, LEFT + 256, colours[2], "stroke-width=\"2\"", "gamma = 1/100");
    key(out, LEFT + 402, "#222", "stroke-width=\"1.2\" stroke-dasharray=\"5 4\"",
        "dashed: the exact law, same noise");
    key(out, LEFT + 676, "#555", "stroke-width=\"2\" stroke-dasharray=\"1 4\" stroke-linecap=\"round\"",
        "any mechanism, chance 1/2");
    fputs("</svg>\n", out);
}
