/* SPDX-License-Identifier: MIT */
#include "picture/svg.h"

#include <math.h>
#include <string.h>

#include "base/excerpt.h"
#include "picture/html.h"

/* Narrow, so that a phone shows the text of the axes nearly as large as it is. */
enum { WIDTH = 480, HEIGHT = 300, LEFT = 62, RIGHT = 12, TOP = 10, BOTTOM = 66, TICKS = 5 };
enum { LABELS = 12, LABEL_SIZE = 10 }; /* of bars */

static const int plot_width = WIDTH - LEFT - RIGHT, plot_height = HEIGHT - TOP - BOTTOM;

static double x_of(const pby_frame *f, double x)
{
    return LEFT + plot_width * (x - f->x_least) / (f->x_most - f->x_least);
}

static double y_of(const pby_frame *f, double y)
{
    const double part = f->y_log ? log(fmax(y, f->y_least) / f->y_least) / log(f->y_most / f->y_least)
                                 : (y - f->y_least) / (f->y_most - f->y_least);
    return TOP + plot_height * (1 - fmin(1, fmax(0, part)));
}

void pby_legend_begin(FILE *out)
{
    fputs("<ul class=\"legend\">\n", out);
}

void pby_legend_key(FILE *out, const char *class, const char *text)
{
    fprintf(out,
            "<li><svg viewBox=\"0 0 30 12\"><line class=\"%s\" x1=\"0\" x2=\"30\" y1=\"6\" "
            "y2=\"6\"/></svg>%s</li>\n",
            class, text);
}

void pby_legend_end(FILE *out)
{
    fputs("</ul>\n", out);
}

void pby_svg_begin(FILE *out, const char *label)
{
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", WIDTH, HEIGHT, label);
}

void pby_svg_end(FILE *out)
{
    fputs("</svg>\n", out);
}

/* A round number about a fifth of the range. */
static double tick_step(double range)
{
    const double power = pow(10, floor(log10(range / TICKS)));
    const double ratio = range / TICKS / power;
    return power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
}

/* 0.001 and 1e-4: no longer than the margin. */
static void y_tick(FILE *out, const pby_frame *f, double at)
{
    const int power = f->y_log ? (int)lround(log10(at)) : 0;
    char text[32];
    snprintf(text, sizeof text, power < -3 ? "1e%.0f" : "%.6g", power < -3 ? (double)power : at);
    const double y = y_of(f, at);
    fprintf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, y,
            y);
    fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 6, y + 4, text);
}

/* The multiples of step from first * step to most, which may be short of the last by a rounding; none
 * where the axis has no length. */
static int count_ticks(double first, double step, double most)
{
    return step > 0 ? 1 + (int)floor(most / step - first + 1e-3) : 0;
}

void pby_svg_y_axis(FILE *out, const pby_frame *f, const char *title)
{
    if (f->y_log) {
        const int low = (int)ceil(log10(f->y_least) - 1e-9), high = (int)floor(log10(f->y_most) + 1e-9);
        const int step = 1 + (high - low) / (TICKS + 2);
        for (int power = high; power >= low; power -= step)
            y_tick(out, f, pow(10, power));
    } else {
        const double step = tick_step(f->y_most - f->y_least), first = ceil(f->y_least / step);
        const int count = count_ticks(first, step, f->y_most);
        for (int i = 0; i < count; i++)
            y_tick(out, f, (first + i) * step);
    }
    fprintf(out, "<text transform=\"translate(9 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            TOP + plot_height / 2, title);
}

static void x_title(FILE *out, int below, const char *title)
{
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", LEFT + plot_width / 2,
            HEIGHT - BOTTOM + below, title);
}

void pby_svg_x_axis(FILE *out, const pby_frame *f, const char *title)
{
    const double step = tick_step(f->x_most - f->x_least), first = ceil(f->x_least / step);
    const int count = count_ticks(first, step, f->x_most);
    for (int i = 0; i < count; i++) {
        const double at = (first + i) * step;
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n", x_of(f, at),
                HEIGHT - BOTTOM + 18, at + 0.0);
    }
    x_title(out, 42, title);
}

/* ---- lines ------------------------------------------------------------------------------------ */

static bool is_drawn(const pby_frame *f, double y)
{
    return !isnan(y) && (!f->y_log || y > 0);
}

void pby_svg_line(FILE *out, const pby_frame *f, const char *class, const double *x, const double *y,
                  size_t n)
{
    for (size_t i = 0; i < n;) {
        if (!is_drawn(f, y[i])) {
            i++;
            continue;
        }
        if (i + 1 == n || !is_drawn(f, y[i + 1]))
            fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>\n", class, x_of(f, x[i]),
                    y_of(f, y[i]));
        fprintf(out, "<polyline class=\"%s\" points=\"", class);
        for (; i < n && is_drawn(f, y[i]); i++)
            fprintf(out, "%.1f,%.1f ", x_of(f, x[i]), y_of(f, y[i]));
        fputs("\"/>\n", out);
    }
}

void pby_svg_band(FILE *out, const pby_frame *f, const double *x, const double *lower, const double *upper,
                  size_t n)
{
    fputs("<polygon class=\"band\" points=\"", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%.1f,%.1f ", x_of(f, x[i]), y_of(f, upper[i]));
    for (size_t i = n; i-- > 0;)
        fprintf(out, "%.1f,%.1f ", x_of(f, x[i]), y_of(f, lower[i]));
    fputs("\"/>\n", out);
}

/* ---- bars ------------------------------------------------------------------------------------- */

static void bar_label(FILE *out, double x, const char *text)
{
    fprintf(out, "<text transform=\"translate(%.1f %d) rotate(-35)\" text-anchor=\"end\">", x,
            HEIGHT - BOTTOM + 14);
    char cut[LABEL_SIZE + 1];
    const size_t kept = pby_whole_characters(text, LABEL_SIZE);
    memcpy(cut, text, kept);
    cut[kept] = '\0';
    pby_html_text(out, cut);
    if (text[kept] != '\0')
        fputs("&#8230;", out);
    fputs("</text>\n", out);
}

static void put_bar(FILE *out, const pby_frame *f, const char *class, double x, double width, double height)
{
    const double y = y_of(f, height);
    fprintf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", class, x, y,
            width, TOP + plot_height - y);
}

void pby_svg_bars(FILE *out, const pby_svg_bar *bar, size_t n, int sides, const char *label,
                  const char *y_title, const char *title)
{
    pby_frame f = {.x_most = (double)n};
    for (size_t i = 0; i < n; i++)
        f.y_most = fmax(f.y_most, fmax(bar[i].height[0], sides == 1 ? 0 : bar[i].height[1]));
    f.y_most = f.y_most <= 0 ? 1 : f.y_most * 1.08;
    pby_svg_begin(out, label);
    const double width = (double)plot_width / (double)(n == 0 ? 1 : n);
    const size_t every = 1 + n / LABELS;
    for (size_t i = 0; i < n; i++)
        if (bar[i].inside)
            fprintf(out, "<rect class=\"inside\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                    LEFT + width * (double)i, TOP, width, plot_height);
    pby_svg_y_axis(out, &f, y_title);
    for (size_t i = 0; i < n; i++) {
        const double x = LEFT + width * (double)i;
        if (sides == 1)
            put_bar(out, &f, "law", x + 0.1 * width, 0.8 * width, bar[i].height[0]);
        for (int side = 0; side < sides && sides == 2; side++)
            put_bar(out, &f, side == 0 ? "left" : "right", x + (0.1 + 0.4 * side) * width, 0.4 * width,
                    bar[i].height[side]);
        if (i % every == 0)
            bar_label(out, x + 0.6 * width, bar[i].text);
    }
    if (title != NULL)
        x_title(out, BOTTOM - 2, title);
    pby_svg_end(out);
}
