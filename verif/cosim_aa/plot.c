// SPDX-License-Identifier: Apache-2.0
#include "plot.h"

#include <math.h>

enum { LEFT = 60, RIGHT = 700, TOP = 60, BOTTOM = 230, TICKS = 5 };

// 1, 2 or 5 times a power of ten, so that about TICKS of them make `most`.
static double round_step(double most) {
  double p = pow(10, floor(log10(most / TICKS))), times = most / TICKS / p;
  return p * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static double x_at(const plot *p, double x) {
  return LEFT + (RIGHT - LEFT) * (x < p->x_most ? x : p->x_most) / p->x_most;
}
static double y_at(const plot *p, double y) { return BOTTOM - (BOTTOM - TOP) * y / p->y_most; }

plot plot_open(FILE *out, const char *title, const char *x_name, double x_most, const char *y_name, double y_most,
               const char *key_a, const char *key_b) {
  double step = round_step(y_most > 0 ? y_most : 1), across = round_step(x_most > 0 ? x_most : 1);
  plot p = {out, x_most > 0 ? x_most : 1, step * ceil((y_most > 0 ? y_most : 1) / step)};
  fprintf(out,
          "<figure><svg viewBox=\"0 0 720 280\" role=\"img\" aria-label=\"%s\"><text class=\"t\" x=\"%d\" "
          "y=\"18\">%s</text>\n",
          title, LEFT, title);
  for (unsigned i = 0; step * i <= p.y_most * 1.001; i++)
    fprintf(out,
            "<line class=\"g\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"y\" x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%.10g</text>\n",
            LEFT, RIGHT, y_at(&p, step * i), y_at(&p, step * i), LEFT - 6, y_at(&p, step * i) + 4, step * i);
  for (unsigned i = 0; across * i <= p.x_most * 1.001; i++)
    fprintf(out, "<text class=\"x\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.10g</text>\n", x_at(&p, across * i),
            BOTTOM + 17, across * i);
  fprintf(
      out,
      "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text><text x=\"%d\" y=\"18\" text-anchor=\"end\">%s</text>\n",
      (LEFT + RIGHT) / 2, BOTTOM + 36, x_name, RIGHT, y_name);
  const char *const key[2] = {key_a, key_b};
  for (int i = 0; i < 2; i++)
    if (key[i])
      fprintf(out, "<path class=\"%c\" d=\"M%d 32h24\"/><text class=\"k\" x=\"%d\" y=\"36\">%s</text>\n", 'a' + i,
              LEFT + 200 * i, LEFT + 30 + 200 * i, key[i]);
  return p;
}

void plot_close(plot *p) { fputs("</svg></figure>\n", p->out); }

void plot_band(const plot *p, const char *cls, double from, double to, const char *word, const char *why) {
  if (to <= from) return;
  fprintf(p->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s</title></rect>\n", cls,
          x_at(p, from), TOP, x_at(p, to) - x_at(p, from), BOTTOM - TOP, why);
  if (word)
    fprintf(p->out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (x_at(p, from) + x_at(p, to)) / 2,
            TOP - 6, word);
}

void plot_level(const plot *p, double y, const char *word) {
  fprintf(p->out, "<path class=\"l\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
          LEFT, y_at(p, y), RIGHT, RIGHT, y_at(p, y) - 4, word);
}

void plot_line(const plot *p, const char *cls, const double *y, unsigned n, double x_step) {
  fprintf(p->out, "<polyline class=\"%s\" points=\"", cls);
  for (unsigned i = 0; i < n; i++) fprintf(p->out, "%.1f,%.1f ", x_at(p, x_step * i), y_at(p, y[i]));
  fputs("\"/>\n", p->out);
}

void plot_bar(const plot *p, double from, double to, double y) {
  fprintf(p->out,
          "<rect class=\"f\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%g to %g: %g</title></rect>\n",
          x_at(p, from), y_at(p, y), x_at(p, to) - x_at(p, from) - 1, BOTTOM - y_at(p, y), from, to, y);
}
