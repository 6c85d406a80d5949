#include "audit/report/svg.h"

#include <math.h>
#include <string.h>

/* Narrow, so that a phone shows the text of the axes nearly as large as it is. */
enum { WIDTH = 480, HEIGHT = 300, LEFT = 62, RIGHT = 12, TOP = 10, BOTTOM = 66, TICKS = 5 };
enum { LABELS = 12, LABEL_SIZE = 10 }; /* of bars */

static const int plot_width = WIDTH - LEFT - RIGHT, plot_height = HEIGHT - TOP - BOTTOM;

void pby_html_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
}

struct frame {
    double x_most, y_most;
};

static double x_of(const struct frame *f, double x)
{
    return LEFT + plot_width * x / f->x_most;
}

static double y_of(const struct frame *f, double y)
{
    return TOP + plot_height * (1 - fmin(1, fmax(0, y / f->y_most)));
}

/* A round number about a fifth of the range. */
static double tick_step(double most)
{
    const double power = pow(10, floor(log10(most / TICKS)));
    const double ratio = most / TICKS / power;
    return power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
}

static void begin(FILE *out, const char *label)
{
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", WIDTH, HEIGHT, label);
}

static void y_axis(FILE *out, const struct frame *f, const char *title)
{
    const double step = tick_step(f->y_most);
    for (int i = 0; i * step <= f->y_most * 1.0001; i++) {
        const double y = y_of(f, i * step);
        fprintf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
                WIDTH - RIGHT, y, y);
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n", LEFT - 6, y + 4,
                i * step);
    }
    fprintf(out, "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            TOP + plot_height / 2, title);
}

static void x_axis(FILE *out, const struct frame *f, const char *title)
{
    const double step = tick_step(f->x_most);
    for (int i = 0; i * step <= f->x_most * 1.0001; i++)
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n", x_of(f, i * step),
                HEIGHT - BOTTOM + 18, i * step);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", LEFT + plot_width / 2,
            HEIGHT - BOTTOM + 42, title);
}

static void line(FILE *out, const struct frame *f, const char *class, const double *x, const double *y)
{
    if (isnan(y[0]))
        return;
    fprintf(out, "<polyline class=\"%s\" points=\"", class);
    for (size_t i = 0; i < PBY_CURVE_POINTS; i++)
        fprintf(out, "%.1f,%.1f ", x_of(f, x[i]), y_of(f, y[i]));
    fputs("\"/>\n", out);
}

/* Above the plot, as text of the page, which wraps. */
static void legend(FILE *out, const char *class, const char *text)
{
    fprintf(out,
            "<li><svg viewBox=\"0 0 30 12\"><line class=\"%s\" x1=\"0\" x2=\"30\" y1=\"6\" "
            "y2=\"6\"/></svg>%s</li>\n",
            class, text);
}

void pby_svg_profile(FILE *out, const pby_curves *c)
{
    struct frame f = {c->epsilon[PBY_CURVE_POINTS - 1], 0};
    for (size_t i = 0; i < PBY_CURVE_POINTS; i++)
        f.y_most = fmax(f.y_most,
                        fmax(c->upper[i], fmax(c->claimed[i], isnan(c->certified[i]) ? 0 : c->certified[i])));
    f.y_most = fmin(1, fmax(f.y_most * 1.05, 1e-9));
    fputs("<ul class=\"legend\">\n", out);
    legend(out, "seen", "seen by the judges, with its band");
    legend(out, "claimed", "the most that the claim allows");
    if (!isnan(c->certified[0]))
        legend(out, "certified", "certified");
    fputs("</ul>\n", out);
    begin(out, "delta against epsilon: seen, with its band, and claimed");
    y_axis(out, &f, "delta");
    x_axis(out, &f, "epsilon");
    fputs("<polygon class=\"band\" points=\"", out);
    for (size_t i = 0; i < PBY_CURVE_POINTS; i++)
        fprintf(out, "%.1f,%.1f ", x_of(&f, c->epsilon[i]), y_of(&f, c->upper[i]));
    for (size_t i = PBY_CURVE_POINTS; i-- > 0;)
        fprintf(out, "%.1f,%.1f ", x_of(&f, c->epsilon[i]), y_of(&f, c->lower[i]));
    fputs("\"/>\n", out);
    line(out, &f, "seen", c->epsilon, c->seen);
    line(out, &f, "claimed", c->epsilon, c->claimed);
    line(out, &f, "certified", c->epsilon, c->certified);
    fputs("</svg>\n", out);
}

static void bar_label(FILE *out, double x, const char *text)
{
    fprintf(out, "<text transform=\"translate(%.1f %d) rotate(-35)\" text-anchor=\"end\">", x,
            HEIGHT - BOTTOM + 14);
    char cut[LABEL_SIZE + 1];
    snprintf(cut, sizeof cut, "%s", text);
    pby_html_text(out, cut);
    if (strlen(text) > LABEL_SIZE)
        fputs("&#8230;", out);
    fputs("</text>\n", out);
}

void pby_svg_histogram(FILE *out, const pby_verdict *v)
{
    struct frame f = {(double)v->bars, 0};
    const double n[2] = {(double)v->judges[0], (double)v->judges[1]};
    for (size_t i = 0; i < v->bars; i++)
        f.y_most = fmax(f.y_most, fmax((double)v->bar[i].left / n[0], (double)v->bar[i].right / n[1]));
    f.y_most = f.y_most <= 0 ? 1 : f.y_most * 1.08;
    fputs("<ul class=\"legend\">\n", out);
    legend(out, "left-key", "left");
    legend(out, "right-key", "right");
    legend(out, "inside-key", "in the event");
    fputs("</ul>\n", out);
    begin(out, "how often each side gave each value");
    const double width = (double)plot_width / (double)(v->bars == 0 ? 1 : v->bars);
    const size_t every = 1 + v->bars / LABELS;
    for (size_t i = 0; i < v->bars; i++)
        if (v->bar[i].inside)
            fprintf(out, "<rect class=\"inside\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                    LEFT + width * (double)i, TOP, width, plot_height);
    y_axis(out, &f, "share of the judges");
    for (size_t i = 0; i < v->bars; i++) {
        const double share[2] = {(double)v->bar[i].left / n[0], (double)v->bar[i].right / n[1]};
        for (int side = 0; side < 2; side++) {
            const double y = y_of(&f, share[side]);
            fprintf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                    side == 0 ? "left" : "right", LEFT + width * ((double)i + 0.1 + 0.4 * side), y,
                    0.4 * width, TOP + plot_height - y);
        }
        if (i % every == 0)
            bar_label(out, LEFT + width * ((double)i + 0.6), v->bar[i].text);
    }
    fputs("</svg>\n", out);
}
