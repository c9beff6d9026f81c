// SPDX-License-Identifier: Apache-2.0
// cluster PROGRAM NAME=VALUE...: one run under smpirun; rank 0 prints a line of JSON. run.sh starts it.
#include <stdio.h>
#include <string.h>

#include "choice.h"
#include "run.h"
#include "volume.h"

static const program *const programs[] = {&dht, &getlog,   &counter, &sort, &gups,           &bfs,
                                          &uts, &pagerank, &cc,      &sssp, &triangle_count, NULL};

typedef struct asked {
  run r;
  const program *program;
  const char *costs;
  unsigned cells, skew;      // of the hash table's volumes: volume_use
  unsigned iommus, walkers;  // of a node; of each, 0: as the costs say
  aa_config iommu;
} asked;

static _Noreturn void bad(const char *what, const char *why) { choice_bad("cluster", what, why); }

// Whether a list of names, with blanks between them, has this one of n characters.
static bool names(const char *list, const char *name, size_t n) {
  for (size_t k; *list; list += k + (list[k] == ' ')) {
    k = strcspn(list, " ");
    if (k == n && !strncmp(list, name, n)) return true;
  }
  return false;
}

// Whether any program has an option of its own of this name.
static bool any_has(const char *name, size_t n) {
  for (unsigned i = 0; programs[i]; i++)
    if (names(programs[i]->options, name, n)) return true;
  return false;
}

// What would change nothing is refused: who asks for it expects something of it.
static void only_its_own(const program *p, int argc, char **argv) {
  for (int i = 2; i < argc; i++) {
    const size_t n = strcspn(argv[i], "=");
    if (any_has(argv[i], n) && !names(p->options, argv[i], n)) bad(argv[i], "this program has no such option");
  }
}

static void read_options(asked *a, int argc, char **argv) {
  run *r = &a->r;
  const choice table[] = {{"variant", CHOICE_TEXT, &r->variant, 0, 0},
                          {"costs", CHOICE_TEXT, &a->costs, 0, 0},
                          {"procs", CHOICE_COUNT, &r->procs, 1, 65536},
                          {"per", CHOICE_COUNT, &r->per, 1, 1 << 26},
                          {"window", CHOICE_COUNT, &r->window, 1, NET_WINDOW},
                          {"collide", CHOICE_REAL, &r->collide, 0, 0.99},
                          {"compute", CHOICE_REAL, &r->compute, 0, 1e9},
                          {"servers", CHOICE_COUNT, &r->servers, 0, NODE_PROCS},
                          {"block", CHOICE_COUNT, &r->block, 8, NET_MTU},
                          {"cells", CHOICE_COUNT, &a->cells, 8, 20},
                          {"skew", CHOICE_COUNT, &a->skew, 0, 4},
                          {"levels", CHOICE_COUNT, &r->levels, 1, 2},
                          {"most", CHOICE_COUNT, &r->most, 32, NET_MTU},
                          {"scale", CHOICE_COUNT, &r->scale, 1, 30},
                          {"tree", CHOICE_TEXT, &r->tree, 0, 0},
                          {"tolerance", CHOICE_REAL, &r->tolerance, 1e-15, 2},
                          {"pair", CHOICE_FLAG, &r->pair, 0, 1},
                          {"seed", CHOICE_WIDE, &r->seed, 0, 1e15},
                          {"iommus", CHOICE_COUNT, &a->iommus, 1, NODE_UNITS},
                          {"walkers", CHOICE_COUNT, &a->walkers, 0, COST_WALKERS},
                          {"iotlb", CHOICE_COUNT, &a->iommu.IotlbEntries, 1, 65536},
                          {"ways", CHOICE_COUNT, &a->iommu.IotlbWays, 1, 65536},
                          {"random", CHOICE_FLAG, &a->iommu.IotlbRandom, 0, 1},
                          {"psc", CHOICE_COUNT, &a->iommu.PscEntries, 0, 512},
                          {NULL, CHOICE_TEXT, NULL, 0, 0}};
  choice_read("cluster", table, argc, argv);
}

static void read_asked(asked *a, int argc, char **argv) {
  const char *why;
  aa_config_default(&a->iommu);
  // a log, a word of the scratchpad and a context for each process, and room for the tables that lead to their pages
  a->iommu.CtxEntries = NODE_PROCS;
  a->iommu.PscEntries = 512;
  a->iommu.IotlbEntries = 1024;
  a->cells = 20;
  a->iommus = NODE_UNITS;
  a->r = (run){.variant = "", .procs = 2, .per = 100, .window = 32, .seed = 1, .block = NET_MTU};
  a->r.levels = 1;
  a->r.most = NET_MTU;
  a->r.tree = "";
  a->r.tolerance = 1e-9;
  for (unsigned i = 0; programs[i] && argc > 1; i++)
    if (!strcmp(programs[i]->name, argv[1])) a->program = programs[i];
  if (!a->program) bad(argc > 1 ? argv[1] : "", "no such program");
  a->r.rule = a->program->rule;
  only_its_own(a->program, argc, argv);
  read_options(a, argc, argv);
  a->iommu.NumLogs = a->iommu.ScratchWords = NODE_PROCS / a->iommus;
  if (!a->program->does->takes(&a->r, &why)) bad(a->r.variant, why);
  if (a->r.per > a->program->does->most) bad("per", "so many elements a process this program does not take");
  volume_use(a->cells, a->skew);
  if (!a->costs) bad("costs", "which table?");
}

static void print(const asked *a, net *n, const share *all, uint64_t serial) {
  const run *r = &a->r;
  node_did did = {0};
  size_t bytes = 0;
  unsigned tasks = 0;
  for (unsigned i = 0; i < n->nodes; i++) {
    node_did d = node_sum(n->node[i]);
    did.hits += d.hits, did.walks += d.walks, did.loads += d.loads;
    did.records += d.records, did.pointers += d.pointers, did.intrs += d.intrs, did.atomics += d.atomics;
    tasks += n->accel[i].tasks;
    bytes = node_bytes(n->node[i]) > bytes ? node_bytes(n->node[i]) : bytes;
  }
  double took = all->end - all->begin;
  bool good = !all->wrong && !n->broken && all->digest == serial && took > 0;
  printf(
      "{\"program\": \"%s\", \"variant\": \"%s\", \"procs\": %u, \"inserts\": %llu, \"collisions\": %llu, \"ns\": "
      "%.3f, ",
      a->program->name, r->variant, r->procs, (unsigned long long)all->inserts, (unsigned long long)all->collisions,
      took);
  printf(
      "\"per_second\": %.6g, \"hits\": %u, \"walks\": %u, \"loads\": %u, \"records\": %u, \"pointers\": %u, \"intrs\": "
      "%u, ",
      (double)all->inserts / took * 1e9, did.hits, did.walks, did.loads, did.records, did.pointers, did.intrs);
  printf(
      "\"atomics\": %u, \"tasks\": %u, \"polls\": %llu, \"empty\": %llu, \"recovery_ns\": %.3f, \"node_in_2_mib\": %s, "
      "\"delegates\": %llu, \"messages\": %llu, \"bytes\": %llu, \"parts\": %llu, \"votes\": %llu, \"digest\": "
      "\"%016llx\", \"right\": "
      "%s}\n",
      did.atomics, tasks, (unsigned long long)all->polls, (unsigned long long)all->empty, all->recovery,
      bytes <= 2 << 20 ? "true" : "false", (unsigned long long)all->delegates, (unsigned long long)all->messages,
      (unsigned long long)all->bytes, (unsigned long long)all->parts, (unsigned long long)all->votes,
      (unsigned long long)all->digest, good ? "true" : "false");
  if (!good)
    fprintf(stderr, "cluster: wrong: %llu elements, digest %016llx, want %016llx%s\n", (unsigned long long)all->wrong,
            (unsigned long long)all->digest, (unsigned long long)serial, n->broken ? ", an access was refused" : "");
}

static void add(const share *mine, share *all) {
  all->begin = all->end <= 0 || mine->begin < all->begin ? mine->begin : all->begin;
  all->end = mine->end > all->end ? mine->end : all->end;
  all->inserts += mine->inserts;
  all->collisions += mine->collisions;
  all->digest += mine->digest;
  all->wrong += mine->wrong;
  all->recovery += mine->recovery;
  all->polls += mine->polls;
  all->empty += mine->empty;
  all->delegates += mine->delegates;
  all->messages += mine->messages;
  all->bytes += mine->bytes;
  all->parts += mine->parts;
  all->votes += mine->votes;
}

// Rank 0 has come last, when all have waited: their shares are in its own memory.
static void tell(const asked *a, net *n, const share *s) {
  share all = {0};
  for (unsigned i = 0; i < n->procs; i++) add(&s[i], &all);
  print(a, n, &all, a->program->does->serial(&a->r));
}

int main(int argc, char **argv) {
  asked a = {.program = NULL};
  cost c;
  int rank, size;
  net *n = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  read_asked(&a, argc, argv);
  cost_read(&c, a.costs);
  if (a.walkers && c.walkers <= 0) bad("walkers", "with these costs a walk stops its process, and nobody else");
  if (a.walkers) c.walkers = a.walkers;
  if (!rank) {
    n = net_open(&c, &a.iommu, a.r.procs);
    if ((unsigned)size != n->procs + 2 * n->nodes) bad("procs", "run.sh starts as many ranks as are needed");
    if (!a.program->does->prepare(&a.r, n)) bad("prepare", "out of memory");
  }
  n = net_join(n, (unsigned)rank);
  if ((unsigned)rank >= n->procs) {
    net_device(n, (unsigned)rank);
  } else {
    const program_does *does = a.program->does;
    share *mine = &n->share[rank];
    net_proc *p = &n->proc[rank];
    does->open(&a.r, n, p);
    sg_barrier_wait(n->players);
    mine->begin = net_now();
    does->play(&a.r, n, p);
    if (mine->end <= 0) mine->end = net_now();
    sg_barrier_wait(n->players);
    if (does->after) {
      does->after(&a.r, n, p);
      sg_barrier_wait(n->players);
    }
    does->check(&a.r, n, p, mine);
    if (!rank) net_stop(n);
  }
  sg_barrier_wait(n->all);
  if (!rank) tell(&a, n, n->share);
  MPI_Finalize();
  return 0;
}
