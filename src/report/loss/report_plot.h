/* SPDX-License-Identifier: MIT */
/* The certified band of a profile as a picture, .svg or .png, drawn by gnuplot.
 *
 * The file appears whole or not at all. delta is drawn on a logarithmic scale; its logarithms are taken
 * here and rounded outwards, so that a delta far below the least double is drawn as well. Where delta is
 * 0 there is nothing to draw, and a line marks the epsilon from which on it is. */
#ifndef PBY_REPORT_LOSS_REPORT_PLOT_H
#define PBY_REPORT_LOSS_REPORT_PLOT_H

#include "report/loss/report_points.h"

/* Checks that a plot can be made: PBY_BAD for a path that ends in neither .svg nor .png, PBY_FAILED, naming
 * the package, where gnuplot is missing. Call it before the work. */
PBY_CHECKED
pby_status pby_plot_check(const char *path, pby_error *err);

/* The title is one line; what does not fit is cut. */
PBY_CHECKED
pby_status pby_plot(const char *path, const pby_profile_points *points, const char *title,
                    const char *neighbours, pby_error *err);

#endif
