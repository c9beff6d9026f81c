// SPDX-License-Identifier: Apache-2.0
#include "svg.h"

#include <math.h>
#include <string.h>

enum {
  WIDTH = 760,
  HEIGHT = 476,
  LEFT = 84,
  RIGHT = 736,
  TOP = 128,
  BOTTOM = 404,
  SIDE = 30,
  MIDDLE_OF_LABEL = 4,
  LETTER = 7,
  LINE = 18
};

// Colours that colour-blind readers can tell apart; lines differ in dashes as well.
static const char style[] =
    "<style>\n"
    "text{font:13px sans-serif;fill:#222}.title{font-size:17px;font-weight:bold}.about{fill:#666}\n"
    ".paper{fill:#fff}.grid{stroke:#ddd}.axis{stroke:#222}\n"
    ".line{fill:none;stroke-width:2}.g0{stroke:#0072b2}.g1{stroke:#c04a00;stroke-dasharray:7 4}\n"
    ".m0{fill:#0072b2}.m1{fill:#c04a00}\n"
    ".p0{fill:#0072b2}.p1{fill:#e69f00}.p2{fill:#009e73}.p3{fill:#cc79a7}.p4{fill:#8a8a8a}\n"
    "@media(prefers-color-scheme:dark){\n"
    "text{fill:#e6e6e6}.about{fill:#aaa}.paper{fill:#17191c}.grid{stroke:#3a3d42}.axis{stroke:#e6e6e6}\n"
    ".g0{stroke:#56b4e9}.g1{stroke:#ff9a4d}.m0{fill:#56b4e9}.m1{fill:#ff9a4d}.p0{fill:#3f9bd8}}\n"
    "</style>\n";

double svg_value(const svg_chart *c, unsigned group, unsigned part, unsigned point) {
  return c->y[(group * c->parts + part) * c->points + point];
}

// ---- text -----------------------------------------------------------------------------------------------------------

static void escaped(FILE *out, const char *s) {
  for (; *s; s++) {
    switch (*s) {
      case '&': fputs("&amp;", out); break;
      case '<': fputs("&lt;", out); break;
      case '>': fputs("&gt;", out); break;
      default: putc(*s, out);
    }
  }
}

static void text(FILE *out, double x, double y, const char *class, const char *anchor, const char *s) {
  fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">", x, y, class, anchor);
  escaped(out, s);
  fputs("</text>\n", out);
}

static void number(char *to, size_t n, double v) { snprintf(to, n, v >= 1000 ? "%.0f" : "%.4g", v); }

static double wide(const char *s) { return LETTER * (double)strlen(s); }

// A value of the axis up, in the unit that reads best; large counts as powers of ten.
static void y_number(FILE *out, double y, double v, const char *unit, bool log) {
  static const char *const times[] = {"ns", "us", "ms", "s"};
  char s[32];
  unsigned k = !strcmp(unit, "us");
  if (k || !strcmp(unit, "ns")) {
    for (; v >= 1000 && k < 3; k++) v /= 1000;
    snprintf(s, sizeof s, v > 0 ? "%.4g %s" : "0", v, times[k]);
  } else if (log && v >= 10000) {
    fprintf(out,
            "<text x=\"%d\" y=\"%.1f\" class=\"tick\" text-anchor=\"end\">10<tspan dy=\"-5\" "
            "font-size=\"9\">%.0f</tspan></text>\n",
            LEFT - 8, y, log10(v));
    return;
  } else {
    number(s, sizeof s, v);
  }
  text(out, LEFT - 8, y, "tick", "end", s);
}

// A value of the axis right, unless it would touch the one before, which ends at *end.
static void x_number(FILE *out, double x, double y, double v, double *end) {
  char s[32];
  number(s, sizeof s, v);
  if (x - wide(s) / 2 < *end + LETTER) return;
  text(out, x, y, "tick", "middle", s);
  *end = x + wide(s) / 2;
}

// ---- scales ---------------------------------------------------------------------------------------------------------

typedef struct scale {
  double lo, hi, from, to;  // values, and where they are
  bool log;
} scale;

static double at(const scale *s, double v) {
  double part = s->log ? log10(v / s->lo) / log10(s->hi / s->lo) : (v - s->lo) / (s->hi - s->lo);
  return s->from + part * (s->to - s->from);
}

// 1, 2 or 5 times a power of ten: about five steps make `most`.
static double nice_step(double most) {
  double p = pow(10, floor(log10(most / 5))), times = most / 5 / p;
  return p * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static scale x_scale(const svg_chart *c) {
  scale s = {c->x[0], c->x[c->points - 1], LEFT + SIDE, RIGHT - SIDE, c->log_x && c->x[0] > 0};
  if (s.hi <= s.lo) s = (scale){s.lo - 1, s.lo + 1, s.from, s.to, false};
  return s;
}

// What the chart reaches: a bar as high as its parts together.
static scale y_scale(const svg_chart *c) {
  double least = INFINITY, most = 0;
  for (unsigned g = 0; g < c->groups; g++)
    for (unsigned i = 0; i < c->points; i++) {
      double sum = 0;
      for (unsigned p = 0; p < (c->bars ? c->parts : 1); p++) sum += svg_value(c, g, p, i);
      if (sum < least) least = sum;
      if (sum > most) most = sum;
    }
  if (most <= 0) return (scale){0, 1, BOTTOM, TOP, false};
  if (c->log_y && !c->bars && least > 0) {
    double lo = pow(10, floor(log10(least))), hi = pow(10, ceil(log10(most)));
    return (scale){lo, hi > lo ? hi : 10 * lo, BOTTOM, TOP, true};
  }
  double step = nice_step(most);
  return (scale){0, step * ceil(most / step), BOTTOM, TOP, false};
}

// ---- axes -----------------------------------------------------------------------------------------------------------

static void y_tick(FILE *out, const scale *y, double v, const char *unit) {
  fprintf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n", LEFT, RIGHT, at(y, v), at(y, v));
  y_number(out, at(y, v) + MIDDLE_OF_LABEL, v, unit, y->log);
}

static void axes(FILE *out, const svg_chart *c, const scale *y) {
  if (y->log)
    for (double v = y->lo; v < 1.01 * y->hi; v *= 10) y_tick(out, y, v, c->unit[0]);
  else
    for (unsigned i = 0; i * nice_step(y->hi) < 1.001 * y->hi; i++) y_tick(out, y, i * nice_step(y->hi), c->unit[0]);
  fprintf(out, "<path class=\"axis\" fill=\"none\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, BOTTOM, RIGHT);
  text(out, (LEFT + RIGHT) / 2.0, HEIGHT - 16, "label", "middle", c->x_label);
  fprintf(out, "<g transform=\"translate(18 %.1f) rotate(-90)\">", (TOP + BOTTOM) / 2.0);
  text(out, 0, 0, "label", "middle", c->y_label);
  fputs("</g>\n", out);
}

// ---- values ---------------------------------------------------------------------------------------------------------

// What a reader who points at a value is told, and the end of its element.
static void told(FILE *out, const svg_chart *c, unsigned group, unsigned part, unsigned i, const char *element) {
  char x[32], y[32];
  number(x, sizeof x, c->x[i]);
  number(y, sizeof y, svg_value(c, group, part, i));
  fputs("><title>", out);
  escaped(out, c->group[group]);
  if (c->parts > 1) fputs(", ", out), escaped(out, c->part[part]);
  fputs(", ", out);
  escaped(out, c->x_label);
  fprintf(out, " %s: %s ", x, y);
  escaped(out, c->unit[group]);
  fprintf(out, "</title></%s>\n", element);
}

static void lines(FILE *out, const svg_chart *c, const scale *y) {
  scale x = x_scale(c);
  double end = 0;
  for (unsigned i = 0; i < c->points; i++) x_number(out, at(&x, c->x[i]), BOTTOM + 20, c->x[i], &end);
  for (unsigned g = 0; g < c->groups; g++) {
    fprintf(out, "<polyline class=\"line g%u\" points=\"", g);
    for (unsigned i = 0; i < c->points; i++)
      fprintf(out, "%s%.1f,%.1f", i ? " " : "", at(&x, c->x[i]), at(y, svg_value(c, g, 0, i)));
    fputs("\"/>\n", out);
    for (unsigned i = 0; i < c->points; i++) {
      fprintf(out, "<circle class=\"point m%u\" r=\"4.5\" cx=\"%.1f\" cy=\"%.1f\"", g, at(&x, c->x[i]),
              at(y, svg_value(c, g, 0, i)));
      told(out, c, g, 0, i, "circle");
    }
  }
}

static void bars(FILE *out, const svg_chart *c, const scale *y) {
  double slot = (double)(RIGHT - LEFT) / c->points, each = 0.7 * slot / c->groups, end = 0;
  for (unsigned i = 0; i < c->points; i++) {
    double middle = LEFT + slot * (i + 0.5), from = middle - 0.5 * each * c->groups;
    x_number(out, middle, BOTTOM + 36, c->x[i], &end);
    for (unsigned g = 0; g < c->groups; g++) {
      double left = from + each * g, under = 0;
      text(out, left + 0.5 * each, BOTTOM + 18, "tick", "middle", c->group[g]);
      for (unsigned p = 0; p < c->parts; p++) {
        double over = under + svg_value(c, g, p, i);
        fprintf(out, "<rect class=\"point p%u\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", p,
                left + 0.05 * each, at(y, over), 0.9 * each, at(y, under) - at(y, over));
        told(out, c, g, p, i, "rect");
        under = over;
      }
    }
  }
}

// Groups of lines or parts of bars, side by side, in two lines if one is not enough; a letter is taken
// to be LETTER wide.
static void legend(FILE *out, const svg_chart *c) {
  unsigned keys = c->bars ? c->parts : c->groups;
  double x = LEFT, y = TOP - LINE, all = 0;
  const char *const *name = c->bars ? c->part : c->group;
  for (unsigned i = 0; i < keys; i++) all += wide(name[i]) + 28;
  if (LEFT + all > RIGHT) y -= LINE;
  for (unsigned i = 0; i < keys; i++) {
    if (x + wide(name[i]) + 28 > RIGHT) x = LEFT, y += LINE;
    if (c->bars)
      fprintf(out, "<rect class=\"p%u\" x=\"%.1f\" y=\"%.1f\" width=\"11\" height=\"11\"/>\n", i, x, y - 10);
    else
      fprintf(out, "<path class=\"line g%u\" d=\"M%.1f %.1fh30\"/>\n", i, x, y - MIDDLE_OF_LABEL);
    x += c->bars ? 16 : 36;
    text(out, x, y, "key", "start", name[i]);
    x += wide(name[i]) + 12;
  }
}

void svg_write(FILE *out, const svg_chart *c) {
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n",
          WIDTH, HEIGHT, WIDTH, HEIGHT);
  fputs("<title>", out);
  escaped(out, c->title);
  fputs("</title>\n", out);
  fputs(style, out);
  fprintf(out, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", WIDTH, HEIGHT);
  text(out, 18, 28, "title", "start", c->title);
  for (unsigned i = 0; i < 2; i++) text(out, 18, 49 + LINE * i, "about", "start", c->about[i]);
  scale y = y_scale(c);
  legend(out, c);
  axes(out, c, &y);
  (c->bars ? bars : lines)(out, c, &y);
  fputs("</svg>\n", out);
}
