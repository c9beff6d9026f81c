// SPDX-License-Identifier: Apache-2.0
// tocsin graph: the irregular programs.
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "graph.h"
#include "kron.h"
#include "ranks.h"
#include "tocsin/irregular/paged.h"

enum { GRAPH = 6, GUPS_SCALE = 20, BFS_SCALE = 16, RANKS = 1024 };  // GRAPH: "graph " before a name

// ---- the command line -----------------------------------------------------------------------------------------------

static int variant_asked(cli *c, asked *a, const char *name) {
  if (!(a->variant = suite_variant_named(a->kernel, name)))
    return cli_usage(c, "%s has no variant %s", a->kernel->name, name);
  return CLI_OK;
}

static int tree_asked(cli *c, asked *a, const char *option) {
  const char *w = cli_value(c, option);
  if (!w) return CLI_USAGE;
  if (a->has_tree) return cli_usage(c, "one --tree, or one --tree-args");
  a->has_tree = true;
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
  if (!strcmp(w, "--record")) return (a->trace = cli_value(c, w)) ? CLI_OK : CLI_USAGE;
  if (!strcmp(w, "--record-of")) return (a->part = cli_value(c, w)) ? CLI_OK : CLI_USAGE;
  if (!strcmp(w, "--record-node")) {
    a->has_traced = true;
    return cli_number(c, w, 0, RANKS - 1, &a->traced) ? CLI_OK : CLI_USAGE;
  }
  if (!strcmp(w, "--processes")) {
    a->job.processes = true;
    return CLI_OK;
  }
  if (!strcmp(w, "--memory"))
    return cli_number(c, w, 2 * IRR_PAGE_BYTES, 1ULL << 40, &a->job.memory) ? CLI_OK : CLI_USAGE;
  if (!strcmp(w, "--store")) return (a->job.store = cli_value(c, w)) ? CLI_OK : CLI_USAGE;
  if (!strcmp(w, "--degree")) {
    a->has_degree = true;
    return cli_number(c, w, 1, 64, &a->degree) ? CLI_OK : CLI_USAGE;
  }
  if (!strcmp(w, "--seed")) {
    a->has_seed = true;
    return cli_number(c, w, 0, UINT64_MAX, &a->job.seed) ? CLI_OK : CLI_USAGE;
  }
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

static int recording_asked_for(cli *c, const asked *a) {
  if ((a->has_traced || a->part) && !a->trace) return cli_usage(c, "--record-of and --record-node go with --record");
  if (!a->trace) return CLI_OK;
  if (a->part && strcmp(a->part, "iommu") && strcmp(a->part, "node"))
    return cli_usage(c, "--record-of %s: it is iommu or node", a->part);
  if (a->job.processes) return cli_usage(c, "--record is of ranks that are in one process");
  if (a->variant->run == a->kernel->variant->run)
    return cli_usage(c, "--record: variant %s has no nodes", a->variant->name);
  if (a->traced >= a->job.ranks)
    return cli_usage(c, "--record-node %u: there are %u ranks", (unsigned)a->traced, a->job.ranks);
  return CLI_OK;
}

static int memory_asked_for(cli *c, const asked *a) {
  if (a->job.store && !a->job.memory) return cli_usage(c, "--store goes with --memory");
  if (!a->job.memory) return CLI_OK;
  if (a->job.memory % IRR_PAGE_BYTES) return cli_usage(c, "--memory is a multiple of %d", IRR_PAGE_BYTES);
  if (a->variant->run != dist_gups || (a->variant->way != SUITE_AA && a->variant->way != SUITE_NAIVE))
    return cli_usage(c, "--memory is of variants aa and naive");
  if (a->job.store && access(a->job.store, W_OK | X_OK))
    return cli_fail(c, CLI_FILE, "--store %s: %s", a->job.store, strerror(errno));
  return CLI_OK;
}

// What is said of a graph that is made, of one from a file, and of neither.
static int input_asked_for(cli *c, const asked *a) {
  if (a->input && a->has_scale) return cli_usage(c, "either --scale or --input");
  if (a->input && a->has_degree) return cli_usage(c, "--degree is of a graph that is made, not of an --input");
  if (a->input && a->has_seed && !a->kernel->weighed)
    return cli_usage(c, "--seed is of a graph that is made, and of weights; %s of an --input has none",
                     a->kernel->name);
  if (a->how.directed && !a->input) return cli_usage(c, "--directed is said of an --input");
  return CLI_OK;
}

static int parse(cli *c, asked *a) {
  const char *w;
  int e = CLI_OK, k;
  while (!e && (k = cli_next(c, &w))) e = k == 1 ? option(c, a, w) : cli_usage(c, "%s is not understood", w);
  if (e) return e;
  if ((e = input_asked_for(c, a)) || (e = ranks_asked_for(c, a))) return e;
  if (!a->variant) a->variant = &a->kernel->variant[a->job.ranks > 1];  // serial, or the first of the others
  if (a->job.ranks > a->variant->ranks)
    return cli_usage(c, "variant %s of %s runs on %u rank%s at most", a->variant->name, a->kernel->name,
                     a->variant->ranks, a->variant->ranks > 1 ? "s" : "");
  if (a->job.processes && !a->variant->processes)
    return cli_usage(c, "variant %s of %s runs in one process", a->variant->name, a->kernel->name);
  if ((e = recording_asked_for(c, a))) return e;
  if ((e = memory_asked_for(c, a))) return e;
  if (!a->has_scale) a->scale = a->kernel->graph ? BFS_SCALE : GUPS_SCALE;
  a->job.scale = (unsigned)a->scale;
  if (!a->job.updates) a->job.updates = 4ULL << a->scale;
  a->how.weights = a->kernel->weighed;
  return CLI_OK;
}

// ---- the graph ------------------------------------------------------------------------------------------------------

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

// ---- the commands ---------------------------------------------------------------------------------------------------

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

// What it was of, for a reader, in one line.
static void input_text(const asked *a, char *text, size_t n) {
  if (!strcmp(a->kernel->name, "uts"))
    snprintf(text, n, "tree %s", a->tree.name);
  else if (!a->kernel->graph)
    snprintf(text, n, "--scale %" PRIu64 " --updates %" PRIu64, a->scale, a->job.updates);
  else if (a->input)
    snprintf(text, n, "of a file");
  else
    snprintf(text, n, "--scale %" PRIu64 " --degree %" PRIu64 " --seed %" PRIu64, a->scale, a->degree, a->job.seed);
  for (; *text; text++)
    if (isspace((unsigned char)*text)) *text = ' ';  // of --tree-args
}

static int begin_recording(const cli *c, asked *a) {
  char what[200], of[80];
  if (!a->trace) return CLI_OK;
  const bool whole = a->part && !strcmp(a->part, "node");
  input_text(a, of, sizeof of);
  snprintf(what, sizeof what, "tocsin graph %s --variant %s --ranks %u, %s: %snode %u", a->kernel->name,
           a->variant->name, a->job.ranks, of, whole ? "" : "the IOMMU of ", (unsigned)a->traced);
  a->rec = record_open(&(record_options){
      .trace = a->trace, .node = (unsigned)a->traced, .nodes = a->job.ranks, .whole = whole, .what = what});
  if (!a->rec) return cli_fail(c, CLI_FILE, "'%s' cannot be written: %s", a->trace, strerror(errno));
  a->job.see = record_see;
  a->job.see_ctx = a->rec;
  return CLI_OK;
}

static int run(const cli *c, asked *a, suite_result *r) {
  int e = begin_recording(c, a);
  if (e) return e;
  a->job.way = a->variant->way;
  const suite_end end = a->variant->run(&a->job, r);
  const char *full = a->rec ? record_close(a->rec) : NULL;
  if (full) return cli_fail(c, CLI_FILE, "'%s' cannot be written: %s", full, strerror(errno));
  switch (end) {
    case SUITE_DONE: return CLI_OK;
    case SUITE_NO_MEMORY: return no_memory(c);
    default: return r->silent ? CLI_BACKEND : cli_fail(c, CLI_BACKEND, "%s", r->why);
  }
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
    graph_report(c, &a, &r);
    e = r.valid == SUITE_WRONG ? CLI_DIFFERENT : CLI_OK;
  }
  free(r.level);
  edges_free(&a.list);
  return e;
}
