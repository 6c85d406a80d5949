/* SPDX-License-Identifier: MIT */
/* Drawings as SVG that needs nothing from outside, with the classes that the style of picture/html.c has.
 * They are made of doubles: they illustrate numbers that stand in the text beside them. */
#ifndef PBY_PICTURE_SVG_H
#define PBY_PICTURE_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The range of a plot. y_log requires 0 < y_least < y_most. */
typedef struct pby_frame {
    double x_least, x_most, y_least, y_most;
    bool y_log;
} pby_frame;

/* The keys of the lines, above the plot and as text of the page, which wraps. */
void pby_legend_begin(FILE *out);
void pby_legend_key(FILE *out, const char *class, const char *text);
void pby_legend_end(FILE *out);

/* label is what a screen reader says. */
void pby_svg_begin(FILE *out, const char *label);
void pby_svg_end(FILE *out);

void pby_svg_x_axis(FILE *out, const pby_frame *frame, const char *title);
void pby_svg_y_axis(FILE *out, const pby_frame *frame, const char *title);

/* Through n points; broken where y is NAN, and where it is 0 on a logarithmic scale. A point alone is a
 * circle. */
void pby_svg_line(FILE *out, const pby_frame *frame, const char *class, const double *x, const double *y,
                  size_t n);

/* Between two lines, which have a value everywhere. */
void pby_svg_band(FILE *out, const pby_frame *frame, const double *x, const double *lower,
                  const double *upper, size_t n);

/* A place on the axis with one bar, or two beside each other; shaded behind them if inside. */
typedef struct pby_svg_bar {
    const char *text;
    double height[2];
    bool inside;
} pby_svg_bar;

/* A whole drawing. sides is 1 or 2; x_title may be NULL. */
void pby_svg_bars(FILE *out, const pby_svg_bar *bar, size_t n, int sides, const char *label,
                  const char *y_title, const char *x_title);

#endif
