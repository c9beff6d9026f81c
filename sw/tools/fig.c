// SPDX-License-Identifier: Apache-2.0
// tocsin fig: figures of the papers' programs. A figure is a line in the table below: a program, what is swept, which
// of the numbers that the program reports are drawn, for Tocsin and for the naive version.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "cli.h"
#include "svg.h"

enum { POINTS = 8, VARIANTS = 2 };
typedef enum sweep { BY_N, BY_NODES, BY_SIZE, BY_LOSS } sweep;

typedef struct figure {
  const char *name;
  const char *subject, *verb, *of;  // the title, once it is known: SUBJECT: Tocsin VERB 0.2 to 0.5 of the naive OF
  const char *depth;                // how much the naive version has under way, where that makes a difference
  const char *text, *program;       // why
  sweep by;
  uint64_t at[POINTS];  // the swept parameter
  unsigned points;
  const char *x_label, *y_label;
  const char *number[SVG_PARTS];  // names in the program's report
  bool log_x, log_y, bars;        // bars: the numbers are parts of a whole, stacked; else there is one
  bool hardware;                  // means something only where time is that of hardware: not on the model
  uint64_t nodes, n;              // what is not swept, 0: as the program has it
} figure;

static const figure figures[] = {
    {.name = "insert",
     .subject = "A remote insert",
     .verb = "takes",
     .of = "time",
     .depth = "one operation of a rank at a time",
     .text = "An active insert is one put, however full the table is",
     .program = "dht",
     .by = BY_N,
     .at = {50, 100, 200, 400, 800, 1600},
     .points = 6,
     .x_label = "keys inserted into 256 cells",
     .y_label = "time of a remote insert",
     .number = {"time of a remote insert"},
     .log_x = true,
     .log_y = true},
    {.name = "loss",
     .subject = "Inserts over a bad link",
     .verb = "takes",
     .of = "time",
     .depth = "one operation of a rank at a time",
     .text = "A stream finds lost frames by the next one, waiting by a time-out",
     .program = "dht",
     .by = BY_LOSS,
     .at = {0, 5, 10, 20, 40, 80},
     .points = 6,
     .x_label = "frames of 1000 lost, as many doubled, as many overtaken",
     .y_label = "time of a remote insert",
     .number = {"time of a remote insert"},
     .log_y = true},
    {.name = "checkpoint",
     .subject = "Checkpoints",
     .verb = "saves",
     .of = "pages",
     .text = "A checkpoint by logs of puts saves what was written, not all there is",
     .program = "checkpoint",
     .by = BY_N,
     .at = {64, 128, 256, 512, 1024, 2048, 4096, 8192},
     .points = 8,
     .x_label = "puts in all, between 8 checkpoints of 256 pages",
     .y_label = "pages saved",
     .number = {"pages saved"},
     .log_x = true},
    {.name = "dirty",
     .subject = "Finding dirty pages",
     .verb = "looks at",
     .of = "entries",
     .text = "Dirty pages: a log costs a record a put, a scan an entry a page",
     .program = "checkpoint",
     .by = BY_N,
     .at = {64, 128, 256, 512, 1024, 2048, 4096, 8192},
     .points = 8,
     .x_label = "puts in all, between 8 checkpoints of 256 pages",
     .y_label = "records, or page-table entries, looked at",
     .number = {"looked at"},
     .log_x = true,
     .log_y = true},
    {.name = "getlog",
     .subject = "A logged get",
     .verb = "moves",
     .of = "bytes",
     .depth = "up to 32 puts under way",
     .text = "A get that is logged where it is served does not go back over the link",
     .program = "getlog",
     .by = BY_SIZE,
     .at = {8, 16, 32, 64, 128, 256},
     .points = 6,
     .x_label = "bytes of a get",
     .y_label = "bytes on the link of a logged get",
     .number = {"bytes on the link of a get"},
     .log_x = true},
    {.name = "launch",
     .subject = "A launch",
     .verb = "takes",
     .of = "time",
     .depth = "one launch at a time, as Tocsin",
     .text = "With XTQ no CPU is woken between a message and its kernel",
     .program = "launch",
     .by = BY_SIZE,
     .at = {64, 1024, 4096},
     .points = 3,
     .x_label = "bytes of payload",
     .y_label = "time of a launch",
     .number = {"doorbell to first frame", "frame to first write", "first to last write", "last write to kernel"},
     .bars = true,
     .hardware = true,
     .n = 20},
    {.name = "accumulate",
     .subject = "An accumulate",
     .verb = "takes",
     .of = "time",
     .depth = "one of a rank under way, Tocsin four",
     .text = "Accumulates by XTQ follow each other; a CPU answers for each",
     .program = "accumulate",
     .by = BY_SIZE,
     .at = {8, 64, 256, 1024, 4000},
     .points = 5,
     .x_label = "bytes of an accumulate",
     .y_label = "time of an accumulate",
     .number = {"time of an accumulate"},
     .log_x = true,
     .log_y = true,
     .hardware = true,
     .n = 40},
    {.name = "allreduce",
     .subject = "An allreduce",
     .verb = "takes",
     .of = "time",
     .depth = "one message of a rank under way, Tocsin four",
     .text = "Allreduce: XTQ makes its first half short, and leaves the second as it is",
     .program = "allreduce",
     .by = BY_NODES,
     .at = {4, 5, 6, 7, 8},
     .points = 5,
     .x_label = "nodes",
     .y_label = "time",
     .number = {"time of reduce-scatter", "time of allgather"},
     .bars = true},
};
enum { FIGURES = sizeof figures / sizeof *figures };
static const char *const variants[VARIANTS] = {"tocsin", "naive"};
static const char *const parameters[] = {"n", "nodes", "size", "loss"};  // by sweep

static unsigned parts_of(const figure *f) {
  unsigned n = 0;
  while (n < SVG_PARTS && f->number[n]) n++;
  return n;
}

// ---- the sweep ------------------------------------------------------------------------------------------------------

// A point of a figure: the arguments with which `tocsin run` gives the same.
typedef struct setting {
  uint64_t nodes, n, size, loss;
} setting;

typedef struct sweeping {
  const figure *f;
  const app_program *program;
  const char *backend;
  uint64_t seed;
  setting at[POINTS];
  double value[VARIANTS * SVG_PARTS * POINTS];  // as svg_chart.y
  const char *unit[VARIANTS][SVG_PARTS];
  char title[128];  // what is seen
  // the bar
  unsigned run, shown;
} sweeping;

static setting setting_of(const sweeping *s, unsigned point) {
  const figure *f = s->f;
  setting t = {f->nodes ? f->nodes : s->program->nodes, f->n ? f->n : s->program->n, 0, 0};
  uint64_t *const swept[] = {&t.n, &t.nodes, &t.size, &t.loss};
  *swept[f->by] = f->at[point];
  return t;
}

static double *value_at(sweeping *s, unsigned variant, unsigned part, unsigned point) {
  return &s->value[(variant * parts_of(s->f) + part) * s->f->points + point];
}

static void step(void *ctx, uint64_t done, uint64_t all) {
  sweeping *s = ctx;
  uint64_t one = all ? 1000 * done / all : 1000;
  cli_bar(&s->shown, 1000 * s->run + (one < 1000 ? one : 1000), 1000 * (uint64_t)VARIANTS * s->f->points);
}

static int failed(const cli *c, const sweeping *s, unsigned point, unsigned variant, const char *why, int code) {
  const setting *t = &s->at[point];
  if (cli_terminal(2)) cli_bar_clear();
  return cli_fail(c, code, "%s: %s (%s, nodes %" PRIu64 ", n %" PRIu64 ", size %" PRIu64 ", loss %" PRIu64 "): %s",
                  s->f->name, s->program->name, variants[variant], t->nodes, t->n, t->size, t->loss, why);
}

// One run. 0, or the exit code, said.
static int run_one(const cli *c, sweeping *s, unsigned point, unsigned variant, uint64_t *digest) {
  const setting *t = &s->at[point];
  unsigned loss = (unsigned)t->loss;
  app a = {.open = {.backend = s->backend, .seed = s->seed, .drop = loss, .twice = loss, .swap = loss},
           .nodes = (unsigned)t->nodes,
           .n = t->n,
           .size = t->size,
           .naive = variant,
           .ctx = s};
  if (cli_terminal(2)) a.progress = step;
  toc_status e = app_run(&a, s->program);
  int code = cli_code_of(e, a.wrong);
  if (code) return failed(c, s, point, variant, a.why, code);
  for (unsigned p = 0; p < parts_of(s->f); p++) {
    const app_number *found = NULL;
    for (unsigned i = 0; i < a.numbers; i++)
      if (!strcmp(a.number[i].name, s->f->number[p])) found = &a.number[i];
    if (!found) return failed(c, s, point, variant, "the program does not report what is to be drawn", CLI_DIFFERENT);
    *value_at(s, variant, p, point) = found->value;
    s->unit[variant][p] = found->unit;
  }
  *digest = a.digest;
  s->run++;
  return CLI_OK;
}

// What is seen, whoever is ahead: the least and the most of the points.
static void say_title(sweeping *s) {
  double least = INFINITY, most = 0;
  for (unsigned i = 0; i < s->f->points; i++) {
    double sum[VARIANTS] = {0};
    for (unsigned v = 0; v < VARIANTS; v++)
      for (unsigned p = 0; p < parts_of(s->f); p++) sum[v] += *value_at(s, v, p, i);
    double share = sum[1] > 0 ? sum[0] / sum[1] : 0;
    if (share < least) least = share;
    if (share > most) most = share;
  }
  char from[16], to[16];
  snprintf(from, sizeof from, least < 0.1 ? "%.2g" : "%.2f", least);
  snprintf(to, sizeof to, most < 0.1 ? "%.2g" : "%.2f", most);
  snprintf(s->title, sizeof s->title, "%s: Tocsin %s %s to %s of the naive %s", s->f->subject, s->f->verb, from, to,
           s->f->of);
}

static int run_all(const cli *c, sweeping *s) {
  for (unsigned i = 0; i < s->f->points; i++) {
    uint64_t digest[VARIANTS];
    s->at[i] = setting_of(s, i);
    for (unsigned v = 0; v < VARIANTS; v++) {
      int e = run_one(c, s, i, v, &digest[v]);
      if (e) return e;
    }
    if (digest[0] != digest[1])
      return failed(c, s, i, 1, "its result differs from that of the other variant", CLI_DIFFERENT);
  }
  if (cli_terminal(2)) cli_bar_clear();
  say_title(s);
  return CLI_OK;
}

// ---- what comes of it -----------------------------------------------------------------------------------------------

static void write_csv(FILE *out, sweeping *s) {
  fputs("nodes,n,size,loss,variant,name,unit,value\n", out);
  for (unsigned i = 0; i < s->f->points; i++)
    for (unsigned v = 0; v < VARIANTS; v++)
      for (unsigned p = 0; p < parts_of(s->f); p++) {
        const setting *t = &s->at[i];
        fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,%s,%s,%.6g\n", t->nodes, t->n, t->size,
                t->loss, variants[v], s->f->number[p], s->unit[v][p], *value_at(s, v, p, i));
      }
}

static void write_svg(FILE *out, sweeping *s) {
  static const char *const group[VARIANTS] = {"Tocsin", "naive"};
  const char *const unit[VARIANTS] = {s->unit[0][0], s->unit[1][0]};
  const figure *f = s->f;
  char about[200];
  double x[POINTS];
  size_t n = 0;
  n += (size_t)snprintf(about, sizeof about, "%s on backend %s, seed %" PRIu64, f->program, s->backend, s->seed);
  if (f->by != BY_NODES) n += (size_t)snprintf(about + n, sizeof about - n, ", %" PRIu64 " nodes", s->at[0].nodes);
  if (f->by != BY_N)
    n += (size_t)snprintf(about + n, sizeof about - n, ", %" PRIu64 " %s", s->at[0].n, s->program->n_is);
  if (f->depth) snprintf(about + n, sizeof about - n, "; naive: %s", f->depth);
  for (unsigned i = 0; i < f->points; i++) x[i] = (double)f->at[i];
  svg_write(out, &(svg_chart){.title = s->title,
                              .about = {f->text, about},
                              .x_label = f->x_label,
                              .y_label = f->y_label,
                              .unit = unit,
                              .bars = f->bars,
                              .log_x = f->log_x,
                              .log_y = f->log_y,
                              .points = f->points,
                              .groups = VARIANTS,
                              .parts = parts_of(f),
                              .x = x,
                              .y = s->value,
                              .group = group,
                              .part = f->number});
}

static int write_file(const cli *c, sweeping *s, const char *path, void (*content)(FILE *out, sweeping *s)) {
  FILE *out = fopen(path, "w");
  if (!out) return cli_fail(c, CLI_FILE, "%s cannot be written: %s", path, strerror(errno));
  content(out, s);
  bool bad = ferror(out);
  if (fclose(out) || bad) return cli_fail(c, CLI_FILE, "%s cannot be written: %s", path, strerror(errno));
  return CLI_OK;
}

static void show_text(sweeping *s, const char *csv, const char *svg) {
  const figure *f = s->f;
  printf("%s: %s\n%s\n%s on %s, seed %" PRIu64 "\n\n  by %s: %s\n", f->name, s->title, f->text, f->program, s->backend,
         s->seed, parameters[f->by], f->x_label);
  printf("  %-8s %-28s %12s %12s\n", parameters[f->by], "", variants[0], variants[1]);
  for (unsigned i = 0; i < f->points; i++)
    for (unsigned p = 0; p < parts_of(f); p++) {
      if (p)
        printf("  %-8s", "");
      else
        printf("  %-8" PRIu64, f->at[i]);
      printf(" %-28s", f->number[p]);
      for (unsigned v = 0; v < VARIANTS; v++) printf(" %12.6g %s", *value_at(s, v, p, i), s->unit[v][p]);
      putchar('\n');
    }
  printf("\n%s\n%s\n", csv, svg);
}

static void show_json(cli *c, sweeping *s, const char *csv, const char *svg) {
  const figure *f = s->f;
  json *j = &c->json;
  json_open(j, NULL, '{');
  json_text(j, "figure", f->name);
  json_text(j, "title", s->title);
  json_text(j, "text", f->text);
  json_text(j, "program", f->program);
  json_text(j, "backend", s->backend);
  json_uint(j, "seed", s->seed);
  json_text(j, "by", parameters[f->by]);
  json_open(j, "points", '[');
  for (unsigned i = 0; i < f->points; i++)
    for (unsigned v = 0; v < VARIANTS; v++)
      for (unsigned p = 0; p < parts_of(f); p++) {
        json_open(j, NULL, '{');
        json_uint(j, "nodes", s->at[i].nodes);
        json_uint(j, "n", s->at[i].n);
        json_uint(j, "size", s->at[i].size);
        json_uint(j, "loss", s->at[i].loss);
        json_text(j, "variant", variants[v]);
        json_text(j, "name", f->number[p]);
        json_text(j, "unit", s->unit[v][p]);
        json_real(j, "value", *value_at(s, v, p, i));
        json_close(j, '}');
      }
  json_close(j, ']');
  json_text(j, "csv", csv);
  json_text(j, "svg", svg);
  json_close(j, '}');
}

// ---- the command ----------------------------------------------------------------------------------------------------

static int list(cli *c) {
  if (c->as_json) json_open(&c->json, NULL, '[');
  for (const figure *f = figures; f < figures + FIGURES; f++) {
    if (!c->as_json) {
      printf("  %-11s %s%s\n", f->name, f->text, f->hardware ? " [rtl]" : "");
      continue;
    }
    json_open(&c->json, NULL, '{');
    json_text(&c->json, "name", f->name);
    json_text(&c->json, "text", f->text);
    json_text(&c->json, "program", f->program);
    json_text(&c->json, "by", parameters[f->by]);
    json_uint(&c->json, "points", f->points);
    json_text(&c->json, "backend", f->hardware ? "rtl" : "model");
    json_close(&c->json, '}');
  }
  if (c->as_json) json_close(&c->json, ']');
  return CLI_OK;
}

static int draw(cli *c, sweeping *s, const char *dir) {
  char csv[4096], svg[4096];
  if (snprintf(csv, sizeof csv, "%s/%s.csv", dir, s->f->name) >= (int)sizeof csv)
    return cli_fail(c, CLI_FILE, "the name of the folder is too long");
  snprintf(svg, sizeof svg, "%s/%s.svg", dir, s->f->name);
  char folder[4096];  // before the work, not behind it
  snprintf(folder, sizeof folder, "%s/.", dir);
  if (access(folder, W_OK | X_OK)) return cli_fail(c, CLI_FILE, "%s cannot be written: %s", csv, strerror(errno));
  int e = run_all(c, s);
  if (!e) e = write_file(c, s, csv, write_csv);
  if (!e) e = write_file(c, s, svg, write_svg);
  if (e) return e;
  if (c->as_json)
    show_json(c, s, csv, svg);
  else
    show_text(s, csv, svg);
  return CLI_OK;
}

static const figure *figure_named(const char *name) {
  for (const figure *f = figures; f < figures + FIGURES; f++)
    if (!strcmp(f->name, name)) return f;
  return NULL;
}

int fig_about(const char *name) {
  const figure *f = name ? figure_named(name) : NULL;
  if (name && !f) {
    fprintf(stderr, "tocsin fig: no figure %s; see tocsin fig --list\n", name);
    return CLI_USAGE;
  }
  if (!f) {
    puts("\nFigures, with the backend that they need:");
    return list(&(cli){.command = "fig"});
  }
  printf("%s: %s\n  up: %s\n  right: %s, from %" PRIu64 " to %" PRIu64 "\n", f->name, f->text, f->y_label, f->x_label,
         f->at[0], f->at[f->points - 1]);
  printf(
      "Each of the %u points is two runs, `tocsin run %s --%s ...` with --variant tocsin and naive, by default on "
      "%s.\n\n",
      f->points, f->program, parameters[f->by], f->hardware ? "rtl" : "model");
  return CLI_OK;
}

int cmd_fig(cli *c) {
  const char *w, *dir = ".";
  bool listed = false;
  sweeping s = {.seed = 1, .shown = ~0U};
  for (int k; (k = cli_next(c, &w));) {
    if (k == 2 && !s.f) {
      if (!(s.f = figure_named(w))) return cli_usage(c, "no figure %s", w);
    } else if (k == 1 && !strcmp(w, "--backend")) {
      if (!(s.backend = cli_value(c, w))) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--seed")) {
      if (!cli_number(c, w, 0, UINT64_MAX, &s.seed)) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--out")) {
      if (!(dir = cli_value(c, w))) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--list")) {
      listed = true;
    } else {
      return cli_usage(c, "%s is not understood", w);
    }
  }
  if (listed) return list(c);
  if (!s.f) return cli_usage(c, "which figure? --list names them");
  if (!s.backend) s.backend = s.f->hardware ? "rtl" : "model";
  if (!cli_backend(s.backend)) return cli_fail(c, CLI_BACKEND, "no backend %s in this program", s.backend);
  if (s.f->hardware && !strcmp(s.backend, "model"))
    return cli_fail(c, CLI_BACKEND, "%s: the model has no time of hardware; take backend rtl", s.f->name);
  s.program = app_named(s.f->program);
  return draw(c, &s, dir);
}
