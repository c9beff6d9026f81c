// SPDX-License-Identifier: Apache-2.0
// Charts as SVG: self-contained, no script, readable on light and on dark. The same chart is the same bytes.
//
// Why not gnuplot, which draws docs/figures: `tocsin fig` is an installed program and draws where nothing else
// is installed; gnuplot writes its release into a picture and draws each otherwise, so that no test could hold one
// to its bytes on several systems; its pictures do not follow a reader's dark mode, and name a value that a pointer
// rests on by a script only.
#ifndef TOCSIN_SVG_H
#define TOCSIN_SVG_H

#include <stdbool.h>
#include <stdio.h>

// Groups are compared with each other; each has `parts` values at each of the `points`.
//
//   lines   a line for each group, of its first part; a <circle class="point"> for each value
//   bars    a bar for each group at each point, its parts stacked; a <rect class="point"> for each value
//
// A pointer that rests on a value is told which one it is.
typedef struct svg_chart {
  const char *title, *about[2];  // about: smaller lines below the title
  const char *x_label, *y_label;
  bool bars, log_x, log_y;  // log_y is for lines, and left out if a value is not above 0
  unsigned points, groups, parts;
  const double *x;           // [points], rising
  const double *y;           // [groups][parts][points]
  const char *const *group;  // [groups] names
  const char *const *unit;   // [groups] behind a value; ns or us: the axis says ns, us, ms or s, whichever is read best
  const char *const *part;   // [parts] names
} svg_chart;

enum { SVG_GROUPS = 2, SVG_PARTS = 5 };  // at most

double svg_value(const svg_chart *c, unsigned group, unsigned part, unsigned point);
void svg_write(FILE *out, const svg_chart *c);
#endif
