// SPDX-License-Identifier: Apache-2.0
// tocsin graph: what came of it, in words and as JSON.
#include <inttypes.h>
#include <string.h>

#include "graph.h"

enum { SHOWN_LEVELS = 20 };

static void what_json(json *j, const asked *a) {
  json_text(j, "program", a->kernel->name);
  json_text(j, "variant", a->variant->name);
  json_uint(j, "ranks", a->job.ranks);
  if (a->job.processes) json_bool(j, "processes", true);
  if (!strcmp(a->kernel->name, "uts")) json_text(j, "tree", a->tree.name);
  if (a->input) json_text(j, "input", a->input);
  if (!a->input && (a->kernel->graph || !strcmp(a->kernel->name, "gups"))) json_uint(j, "scale", a->scale);
  if (!a->input && a->kernel->graph) json_uint(j, "degree", a->degree);
  if (a->job.memory) json_uint(j, "memory", a->job.memory);
  if (a->kernel->graph && (!a->input || a->kernel->weighed)) json_uint(j, "seed", a->job.seed);
  if (!a->kernel->graph) return;
  json_uint(j, "vertices", a->list.vertices);
  json_uint(j, "edges", a->list.count);
  json_bool(j, "directed", a->list.directed);
  if (a->kernel->rooted) json_uint(j, "root", a->job.root);
}

static void report_json(json *j, const asked *a, const suite_result *r) {
  json_open(j, NULL, '{');
  what_json(j, a);
  json_uint(j, "count", r->count);
  if (r->valid != SUITE_OPEN) json_bool(j, "valid", r->valid == SUITE_VALID);
  if (*r->why) json_text(j, "why", r->why);
  json_hex(j, "digest", r->digest);
  for (unsigned i = 0; i < r->facts; i++) {
    const suite_fact *f = &r->fact[i];
    if (f->value >= 0 && f->value < 9e15 && f->value == (double)(uint64_t)f->value)
      json_uint(j, f->name, (uint64_t)f->value);
    else
      json_real(j, f->name, f->value);
  }
  if (r->level) {
    json_open(j, "levels", '[');
    for (unsigned i = 0; i < r->levels; i++) json_uint(j, NULL, r->level[i]);
    json_close(j, ']');
  }
  json_real(j, "seconds", r->seconds);
  json_text(j, "operation", a->kernel->operation);
  json_uint(j, "operations", r->operations);
  if (r->seconds > 0) json_real(j, "per_second", (double)r->operations / r->seconds);
  json_close(j, '}');
}

static void report_text(const asked *a, const suite_result *r) {
  static const char *const said[] = {"valid", "WRONG", "not checked"};
  const suite_kernel *k = a->kernel;
  printf("%s, %s, %u rank%s", k->name, a->variant->name, a->job.ranks, a->job.ranks > 1 ? "s" : "");
  if (a->job.processes) printf(", each a process");
  if (!strcmp(k->name, "uts")) printf(", tree %s", a->tree.name);
  if (!k->graph && strcmp(k->name, "uts")) printf(", a table of 2^%u words", a->job.scale);
  if (a->job.memory) printf(", %" PRIu64 " bytes of memory a rank", a->job.memory);
  if (k->graph) printf(", %" PRIu32 " vertices, %" PRIu64 " edges", a->list.vertices, a->list.count);
  if (k->rooted) printf(", from %" PRIu32, a->job.root);
  printf(":\n%" PRIu64 " %s, %s, digest 0x%" PRIx64 "\n", r->count, k->counted, said[r->valid], r->digest);
  if (*r->why) printf("  %s\n", r->why);
  for (unsigned i = 0; i < r->facts; i++) printf("  %-46s %10.10g\n", r->fact[i].text, r->fact[i].value);
  if (r->level) {
    printf("  vertices on each level                        ");
    for (unsigned i = 0; i < r->levels && i < SHOWN_LEVELS; i++) printf(" %" PRIu64, r->level[i]);
    puts(r->levels > SHOWN_LEVELS ? " ..." : "");
  }
  if (r->seconds > 0)
    printf("  %s a second, in %-27.3g s %12.4g\n", k->operation, r->seconds, (double)r->operations / r->seconds);
}

void graph_report(cli *c, const asked *a, const suite_result *r) {
  if (c->as_json)
    report_json(&c->json, a, r);
  else
    report_text(a, r);
}
