/* SPDX-License-Identifier: MIT */
#ifndef PBY_LAB_EXPERIMENT_PLOT_HEAD_H
#define PBY_LAB_EXPERIMENT_PLOT_HEAD_H

#include <stdio.h>

/* Begins the SVG of an experiment: its size, what a screen reader says of it, its style, a white ground. */
void pby_plot_head(FILE *out, int width, int height, const char *label);

#endif
