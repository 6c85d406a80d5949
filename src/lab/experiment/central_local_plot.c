/* SPDX-License-Identifier: MIT */
/* Both errors against n as SVG that needs nothing from outside: doubles, for the eye; the numbers are in the
 * CSV. */
#include <math.h>

#include "lab/experiment/central_local.h"
#include "lab/experiment/plot_head.h"

const char *const pby_models_eps[PBY_MODELS_EPSILONS] = {"1/4", "1/2", "1", "2"};

enum { WIDTH = 760, HEIGHT = 520, LEFT = 76, TOP = 48, PLOT_WIDTH = 640, PLOT_HEIGHT = 380, DECADES = 8 };

static const char *const colours[PBY_MODELS_EPSILONS] = {"#c0392b", "#1f5fa8", "#27864a", "#8e44ad"};

static double x_of(int k)
{
    return LEFT + PLOT_WIDTH * (double)k / (PBY_MODELS_SIZES - 1);
}

/* From 10 down to 10^-7. */
static double y_of(double error)
{
    return TOP + PLOT_HEIGHT * (1 - log10(error)) / DECADES;
}

static void axes(FILE *out)
{
    for (int j = 0; j <= DECADES; j++) {
        const double y = TOP + PLOT_HEIGHT * (double)j / DECADES;
        fprintf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n", LEFT,
                LEFT + PLOT_WIDTH, y, y);
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0e</text>\n", LEFT - 6, y + 4,
                pow(10, 1 - j));
    }
    for (int k = 0; k < PBY_MODELS_SIZES; k++) {
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>\n", x_of(k), x_of(k),
                TOP, TOP + PLOT_HEIGHT);
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n", x_of(k),
                TOP + PLOT_HEIGHT + 18, pow(10, k + 1));
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">users</text>\n", LEFT + PLOT_WIDTH / 2,
            TOP + PLOT_HEIGHT + 38);
    fprintf(out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT, TOP,
            PLOT_WIDTH, PLOT_HEIGHT);
}

static void line(FILE *out, const pby_models_cell *cell, bool local, const char *colour)
{
    fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"", colour,
            local ? " stroke-dasharray=\"6 4\"" : "");
    for (int k = 0; k < PBY_MODELS_SIZES; k++)
        fprintf(out, "%.1f,%.1f ", x_of(k),
                y_of(mpfr_get_d(local ? cell[k].local.lo : cell[k].central.lo, MPFR_RNDN)));
    fputs("\"/>\n", out);
}

void pby_models_plot(FILE *out, const pby_models *m)
{
    pby_plot_head(out, WIDTH, HEIGHT,
                  "Standard errors of a mean of bits, by a curator and by randomised response");
    fprintf(out,
            "<text class=\"title\" x=\"%d\" y=\"26\">Standard error of a mean of bits: a curator, and dashed "
            "randomised response</text>\n",
            LEFT);
    axes(out);
    for (int i = 0; i < PBY_MODELS_EPSILONS; i++) {
        line(out, m->cell[i], false, colours[i]);
        line(out, m->cell[i], true, colours[i]);
        const int x = LEFT + 150 * i, y = HEIGHT - 26;
        fprintf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>\n", x,
                x + 26, y, y, colours[i]);
        fprintf(out, "<text x=\"%d\" y=\"%d\">epsilon = %s</text>\n", x + 32, y + 4, pby_models_eps[i]);
    }
    fputs("</svg>\n", out);
}
