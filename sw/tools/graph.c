// SPDX-License-Identifier: Apache-2.0
// tocsin graph: the irregular programs.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "kron.h"
#include "ranks.h"
#include "read.h"
#include "suite.h"

enum { GRAPH = 6, GUPS_SCALE = 20, BFS_SCALE = 16, RANKS = 1024, SHOWN_LEVELS = 20 };  // GRAPH: "graph " before a name

typedef struct asked {
  const suite_kernel *kernel;
  const suite_variant *variant;
  suite_job job;
  uint64_t scale, degree, root;
  bool has_scale, has_root;
  const char *input;
  read_how how;
  uts_known tree;
  edge_list list;
} asked;

// ---- the command line ------------------------------------------------------------------------------------------------

static int variant_asked(cli *c, asked *a, const char *name) {
  if (!(a->variant = suite_variant_named(a->kernel, name)))
    return cli_usage(c, "%s has no variant %s", a->kernel->name, name);
  return CLI_OK;
}

static int tree_asked(cli *c, asked *a, const char *option) {
  const char *w = cli_value(c, option);
  if (!w) return CLI_USAGE;
  if (!strcmp(option, "--tree")) {
    const uts_known *k = uts_named(w);
    if (!k) return cli_usage(c, "no tree %s", w);
    a->tree = *k;
    return CLI_OK;
  }
  a->tree = (uts_known){.name = w};
  const char *why = uts_parse(w, &a->tree.tree);
  return why ? cli_usage(c, "--tree-args '%s': %s", w, why) : CLI_OK;
}

static int option(cli *c, asked *a, const char *w) {
  uint64_t v;
  const char *text;
  if (!strcmp(w, "--variant")) return (text = cli_value(c, w)) ? variant_asked(c, a, text) : CLI_USAGE;
  if (!strncmp(w, "--tree", 6)) return tree_asked(c, a, w);
  if (!strcmp(w, "--input")) return (a->input = cli_value(c, w)) ? CLI_OK : CLI_USAGE;
  if (!strcmp(w, "--directed")) {
    a->how.directed = true;
    return CLI_OK;
  }
  if (!strcmp(w, "--scale")) {
    a->has_scale = true;
    return cli_number(c, w, 1, a->kernel->graph ? KRON_SCALE : 32, &a->scale) ? CLI_OK : CLI_USAGE;
  }
  if (!strcmp(w, "--root")) {
    a->has_root = true;
    return cli_number(c, w, 0, EDGES_VERTICES - 1, &a->root) ? CLI_OK : CLI_USAGE;
  }
  if (!strcmp(w, "--ranks")) {
    if (!cli_number(c, w, 1, RANKS, &v)) return CLI_USAGE;
    a->job.ranks = (unsigned)v;
    return CLI_OK;
  }
  if (!strcmp(w, "--processes")) {
    a->job.processes = true;
    return CLI_OK;
  }
  if (!strcmp(w, "--degree")) return cli_number(c, w, 1, 64, &a->degree) ? CLI_OK : CLI_USAGE;
  if (!strcmp(w, "--seed")) return cli_number(c, w, 0, UINT64_MAX, &a->job.seed) ? CLI_OK : CLI_USAGE;
  return cli_number(c, w, 1, 1ULL << 40, &a->job.updates) ? CLI_OK : CLI_USAGE;  // --updates
}

// Who starts processes says how many there are.
static int ranks_asked_for(cli *c, asked *a) {
  const unsigned launched = ranks_launched_count();
  if (launched > 1 && a->job.ranks && a->job.ranks != launched)
    return cli_usage(c, "%u ranks were started, not %u", launched, a->job.ranks);
  if (launched > 1) {
    a->job.ranks = launched;
    a->job.processes = true;
  }
  if (!a->job.ranks) a->job.ranks = 1;
  if (a->job.processes && (a->job.ranks < 2 || a->job.ranks > RANKS_MOST))
    return cli_usage(c, "--processes takes 2 to %d --ranks", RANKS_MOST);
  return CLI_OK;
}

static int parse(cli *c, asked *a) {
  const char *w;
  int e = CLI_OK, k;
  while (!e && (k = cli_next(c, &w))) e = k == 1 ? option(c, a, w) : cli_usage(c, "%s is not understood", w);
  if (e) return e;
  if (a->input && a->has_scale) return cli_usage(c, "either --scale or --input");
  if (a->how.directed && !a->input) return cli_usage(c, "--directed is said of an --input");
  if ((e = ranks_asked_for(c, a))) return e;
  if (!a->variant) a->variant = &a->kernel->variant[a->job.ranks > 1];  // serial, or the first of the others
  if (a->job.ranks > a->variant->ranks)
    return cli_usage(c, "variant %s of %s runs on %u rank%s at most", a->variant->name, a->kernel->name,
                     a->variant->ranks, a->variant->ranks > 1 ? "s" : "");
  if (a->job.processes && !a->variant->processes)
    return cli_usage(c, "variant %s of %s runs in one process", a->variant->name, a->kernel->name);
  if (!a->has_scale) a->scale = a->kernel->graph ? BFS_SCALE : GUPS_SCALE;
  a->job.scale = (unsigned)a->scale;
  if (!a->job.updates) a->job.updates = 4ULL << a->scale;
  a->how.weights = a->kernel->weighed;
  return CLI_OK;
}

// ---- the graph -------------------------------------------------------------------------------------------------------

static int no_memory(const cli *c) {
  return cli_fail(c, cli_code_of(TOC_E_NOMEM, false), "there is not enough memory");
}

static int read_input(const cli *c, asked *a) {
  reader r;
  FILE *f = cli_open(c, a->input);
  if (!f) return CLI_FILE;
  const bool good = edges_read(&r, f, &a->how, &a->list);
  cli_close(f);
  if (good) return CLI_OK;
  return r.line ? cli_fail(c, CLI_FILE, "%s:%" PRIu64 ": %s", a->input, r.line, r.why)
                : cli_fail(c, CLI_FILE, "%s: %s", a->input, r.why);
}

static int load(const cli *c, asked *a) {
  if (!a->kernel->graph) return CLI_OK;
  if (a->input) {
    const int e = read_input(c, a);
    if (e) return e;
  } else if (!edges_kron(&a->list, a->job.scale, (unsigned)a->degree, a->job.seed)) {
    return no_memory(c);
  }
  a->job.list = &a->list;
  if (!a->kernel->rooted) return CLI_OK;
  if (a->has_root && a->root >= a->list.vertices)
    return cli_fail(c, CLI_USAGE, "--root %" PRIu64 ": the graph's %" PRIu32 " vertices are numbered from 0", a->root,
                    a->list.vertices);
  a->job.root = a->has_root ? (uint32_t)a->root : edges_hub(&a->list);
  return a->job.root == NO_VERTEX ? no_memory(c) : CLI_OK;
}

// ---- the report ------------------------------------------------------------------------------------------------------

static void what_json(json *j, const asked *a) {
  json_text(j, "program", a->kernel->name);
  json_text(j, "variant", a->variant->name);
  json_uint(j, "ranks", a->job.ranks);
  if (a->job.processes) json_bool(j, "processes", true);
  if (!strcmp(a->kernel->name, "uts")) json_text(j, "tree", a->tree.name);
  if (a->input) json_text(j, "input", a->input);
  if (!a->input && (a->kernel->graph || !strcmp(a->kernel->name, "gups"))) json_uint(j, "scale", a->scale);
  if (!a->input && a->kernel->graph) json_uint(j, "degree", a->degree);
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

// ---- the commands ----------------------------------------------------------------------------------------------------

static int variants(const suite_kernel *k) {
  puts("\nVariants:");
  for (const suite_variant *v = k->variant; v < k->variant + SUITE_VARIANTS && v->name; v++)
    printf("  --variant %-18s %s; up to %u rank%s\n", v->name, v->text, v->ranks, v->ranks > 1 ? "s" : "");
  return CLI_OK;
}

#define ABOUT(name) \
  int name##_about(const char *word) { return word ? CLI_OK : variants(suite_named(#name)); }
ABOUT(gups)
ABOUT(bfs)
ABOUT(pagerank)
ABOUT(cc)
ABOUT(sssp)
ABOUT(triangles)

int uts_about(const char *word) {
  if (word) return CLI_OK;
  variants(suite_named("uts"));
  puts("\nTrees whose sizes are published, for --tree:");
  for (const uts_known *k = uts_trees; k->name; k++) printf("  --tree %-21s %" PRIu64 " nodes\n", k->name, k->nodes);
  return CLI_OK;
}

static int run(const cli *c, asked *a, suite_result *r) {
  a->job.way = a->variant->way;
  switch (a->variant->run(&a->job, r)) {
    case SUITE_DONE: return CLI_OK;
    case SUITE_NO_MEMORY: return no_memory(c);
    default: return r->silent ? CLI_BACKEND : cli_fail(c, CLI_BACKEND, "%s", r->why);
  }
}

static void report(cli *c, const asked *a, const suite_result *r) {
  if (c->as_json)
    report_json(&c->json, a, r);
  else
    report_text(a, r);
}

int cmd_graph(cli *c) {
  asked a = {.job = {.seed = 1}, .degree = KRON_DEGREE, .tree = uts_trees[0]};
  suite_result r = {0};
  a.kernel = suite_named(c->command + GRAPH);
  a.job.tree = &a.tree;
  int e = parse(c, &a);
  if (!e) e = load(c, &a);
  if (!e) e = run(c, &a, &r);
  if (r.silent && !freopen("/dev/null", "w", stdout)) e = CLI_FILE;  // rank 0 reports
  if (!e) {
    report(c, &a, &r);
    e = r.valid == SUITE_WRONG ? CLI_DIFFERENT : CLI_OK;
  }
  free(r.level);
  edges_free(&a.list);
  return e;
}
