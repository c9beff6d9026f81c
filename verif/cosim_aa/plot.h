// SPDX-License-Identifier: Apache-2.0
// Plots of a report: SVG in HTML, round ticks, a key of colours, bands of time that say what goes on.
#ifndef TOCSIN_COSIM_PLOT_H
#define TOCSIN_COSIM_PLOT_H

#include <stdio.h>

typedef struct plot {
  FILE *out;
  double x_most, y_most;  // what the axes reach; plot_open makes y_most round
} plot;

// keys: names of the lines of class a and b, NULL for none.
plot plot_open(FILE *out, const char *title, const char *x_name, double x_most, const char *y_name, double y_most,
               const char *key_a, const char *key_b);
void plot_close(plot *p);

// A stretch of x, shaded, with a word above it (NULL: none) and what a pointer that rests there is told.
void plot_band(const plot *p, const char *cls, double from, double to, const char *word, const char *why);
void plot_level(const plot *p, double y, const char *word);  // a dashed line
void plot_line(const plot *p, const char *cls, const double *y, unsigned n, double x_step);
void plot_bar(const plot *p, double from, double to, double y);
#endif
