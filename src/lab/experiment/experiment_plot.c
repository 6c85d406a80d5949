/* SPDX-License-Identifier: MIT */
/* A panel as SVG that needs nothing from outside: doubles, for the eye; the numbers are in the CSV. */
#include <math.h>

#include "lab/experiment/figure.h"

enum { WIDTH = 890, HEIGHT = 440, LEFT = 64, TOP = 44, PLOT_WIDTH = 560, PLOT_HEIGHT = 330, SIDE = 650 };

static const char *const colours[PBY_CONTESTANTS] = {"#c0392b", "#1f5fa8", "#17a2b8", "#7f8c8d",
                                                     "#b8860b", "#27864a", "#8e44ad", "#e67e22"};
static const char *const labels[PBY_CONTESTANTS] = {
    "STLap (stlap)",           "BNS (threshold)", "ESA (threshold, shifted)",    "Exponential, as printed",
    "Exponential, all of eps", "PTR (ptr)",       "Smooth sensitivity (smooth)", "Choosing (choosing)"};

static double eps_value(int j)
{
    static const double value[PBY_FIGURE_EPSILONS] = {.05, .1, .2, .3, .4, .5, .75, 1};
    return value[j];
}

static double x_of(double eps)
{
    return LEFT + PLOT_WIDTH * log(eps / .05) / log(20);
}

static double y_of(double percent, double most)
{
    return TOP + PLOT_HEIGHT * (1 - percent / most);
}

/* The next multiple of 10 above all errors. */
static double height_of(const pby_figure_panel *p)
{
    double most = 0;
    for (int i = 0; i < PBY_CONTESTANTS; i++)
        for (int j = 0; j < PBY_FIGURE_EPSILONS; j++)
            most = fmax(most, p->cell[i][j].mean[0]);
    return fmin(100, fmax(10, 10 * ceil(most / 10 + .05)));
}

static void axes(FILE *out, double most)
{
    const double step = most > 50 ? 20 : most > 20 ? 10 : 5;
    for (int i = 0; i * step <= most; i++) {
        const double y = y_of(i * step, most);
        fprintf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n", LEFT,
                LEFT + PLOT_WIDTH, y, y);
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 8, y + 4, i * step);
    }
    for (int j = 0; j < PBY_FIGURE_EPSILONS; j++) {
        const double x = x_of(eps_value(j));
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>\n", x, x, TOP,
                TOP + PLOT_HEIGHT);
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x,
                TOP + PLOT_HEIGHT + 18, pby_figure_eps[j]);
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">epsilon (delta = 2^-20)</text>\n",
            LEFT + PLOT_WIDTH / 2, TOP + PLOT_HEIGHT + 40);
    fprintf(out,
            "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">mean error, %% of the "
            "range</text>\n",
            TOP + PLOT_HEIGHT / 2);
}

static void line(FILE *out, const pby_figure_panel *p, int who, bool flexible, double most)
{
    fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s points=\"", colours[who],
            who == PBY_CONTESTANT_STLAP ? "3" : "1.8", flexible ? " stroke-dasharray=\"6 4\"" : "");
    for (int j = 0; j < PBY_FIGURE_EPSILONS; j++) {
        fprintf(out, "%.1f,%.1f ", x_of(eps_value(j)), y_of(p->cell[who][j].mean[flexible ? 1 : 0], most));
    }
    fputs("\"/>\n", out);
}

static void legend(FILE *out)
{
    for (int i = 0; i < PBY_CONTESTANTS; i++) {
        const int y = TOP + 8 + 20 * i;
        fprintf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2.5\"/>\n",
                SIDE, SIDE + 26, y, y, colours[i]);
        fprintf(out, "<text x=\"%d\" y=\"%d\">%s</text>\n", SIDE + 34, y + 4, labels[i]);
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\">dashed: 1/200 of the records</text>\n", SIDE,
            TOP + 8 + 20 * PBY_CONTESTANTS);
    fprintf(out, "<text x=\"%d\" y=\"%d\">may be dropped</text>\n", SIDE, TOP + 24 + 20 * PBY_CONTESTANTS);
}

/* The first data set, under the legend. */
static void inset(FILE *out, const pby_figure_panel *p)
{
    enum { WIDE = 190, TALL = 90, Y = 290 };
    const size_t n = pby_panel_at(p->number)->bars;
    int64_t most = 1;
    for (size_t i = 0; i < n; i++)
        most = p->typical[i] > most ? p->typical[i] : most;
    fprintf(out, "<text x=\"%d\" y=\"%d\">the first data set</text>\n", SIDE, Y - 8);
    fprintf(out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", SIDE, Y, WIDE,
            TALL);
    fprintf(out, "<path fill=\"#9aa5b1\" d=\"M%d %d", SIDE, Y + TALL);
    for (size_t i = 0; i < n; i++) {
        const double y = Y + TALL - TALL * .95 * (double)p->typical[i] / (double)most;
        fprintf(out, "L%.2f %.2fL%.2f %.2f", SIDE + WIDE * (double)i / (double)n, y,
                SIDE + WIDE * (double)(i + 1) / (double)n, y);
    }
    fprintf(out, "L%d %dZ\"/>\n", SIDE + WIDE, Y + TALL);
    fprintf(out, "<text x=\"%d\" y=\"%d\">%zu bars, up to %lld records</text>\n", SIDE, Y + TALL + 18, n,
            (long long)most);
}

void pby_figure_plot(FILE *out, const pby_figure_panel *p)
{
    const double most = height_of(p);
    const char *title = pby_panel_at(p->number)->title;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "role=\"img\" aria-label=\"Panel %u: %s\">\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, p->number, title);
    fputs("<style>text{font:13px sans-serif;fill:#222}.grid{stroke:#ddd}.frame{fill:none;stroke:#888}"
          ".title{font-size:16px;font-weight:bold}</style>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
          out);
    fprintf(out, "<text class=\"title\" x=\"%d\" y=\"26\">(%u) %s%s</text>\n", LEFT, p->number, title,
            p->tuning == PBY_TUNING_CITED ? ", constants as cited" : "");
    axes(out, most);
    fprintf(out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT, TOP,
            PLOT_WIDTH, PLOT_HEIGHT);
    for (int i = PBY_CONTESTANTS; i-- > 0;) {
        line(out, p, i, true, most);
        line(out, p, i, false, most);
    }
    legend(out);
    inset(out, p);
    fputs("</svg>\n", out);
}
