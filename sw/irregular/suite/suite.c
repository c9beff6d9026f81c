// SPDX-License-Identifier: Apache-2.0
#include "suite.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dist.h"

#define DELEGATES(program)                                                                                   \
  {"serial", "no network: what the others are held against", 1, SUITE_AA, serial_##program},                 \
      {"aa", "delegates in aggregates, each an active put", DIST_RANKS, SUITE_AA, dist_##program, true},     \
      {"am", "active messages: delegates in aggregates, each a SEND", DIST_RANKS, SUITE_AM, dist_##program}, \
      {"mp", "a SEND for each delegate", DIST_RANKS, SUITE_MP, dist_##program}, {                            \
    "naive", "active puts one by one, each waited for", DIST_RANKS, SUITE_NAIVE, dist_##program, true        \
  }
#define RMA(run) \
  { "rma", "gets, puts and atomics, 16 chains of them at once", DIST_RANKS, SUITE_RMA, run }

#define XTQ(run)                                                                                                    \
  {                                                                                                                 \
    "xtq", "delegates in aggregates, each an XtqPut: a kernel at the accelerator runs them", DIST_RANKS, SUITE_XTQ, \
        run, true                                                                                                   \
  }

const suite_kernel suite_kernels[] = {
    {.name = "gups",
     .counted = "updates",
     .operation = "updates",
     .variant = {DELEGATES(gups), RMA(rma_gups), XTQ(dist_gups)}},
    {.name = "uts", .counted = "nodes", .operation = "nodes", .variant = {DELEGATES(uts)}},
    {.name = "bfs",
     .counted = "vertices reached",
     .operation = "edges",
     .graph = true,
     .rooted = true,
     .variant = {DELEGATES(bfs), RMA(rma_bfs), XTQ(dist_bfs)}},
    {.name = "pagerank",
     .counted = "turns",
     .operation = "edges",
     .graph = true,
     .variant = {DELEGATES(pagerank), RMA(dist_pagerank), XTQ(dist_pagerank)}},
    {.name = "cc",
     .counted = "components",
     .operation = "edges",
     .graph = true,
     .variant = {DELEGATES(cc), RMA(rma_cc), XTQ(dist_cc)}},
    {.name = "sssp",
     .counted = "vertices reached",
     .operation = "edges",
     .graph = true,
     .rooted = true,
     .weighed = true,
     .variant = {DELEGATES(sssp), RMA(rma_sssp), XTQ(dist_sssp)}},
    {.name = "triangles",
     .counted = "triangles",
     .operation = "edges",
     .graph = true,
     .variant = {DELEGATES(triangles), XTQ(dist_triangles)}},
    {.name = NULL},
};

const suite_kernel *suite_named(const char *name) {
  const suite_kernel *k = suite_kernels;
  while (k->name && strcmp(k->name, name)) k++;
  return k->name ? k : NULL;
}

const suite_variant *suite_variant_named(const suite_kernel *k, const char *name) {
  for (const suite_variant *v = k->variant; v < k->variant + SUITE_VARIANTS && v->name; v++)
    if (!strcmp(v->name, name)) return v;
  return NULL;
}

void suite_say(suite_result *r, const char *name, const char *text, double value) {
  if (r->facts < SUITE_FACTS) r->fact[r->facts++] = (suite_fact){name, text, value};
}

void suite_wrong(suite_result *r, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  r->valid = SUITE_WRONG;
  vsnprintf(r->why, sizeof r->why, fmt, ap);
  va_end(ap);
}
