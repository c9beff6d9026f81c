// SPDX-License-Identifier: Apache-2.0
// xtq PROGRAM NAME=VALUE...: one run under smpirun; rank 0 prints a line of JSON. ../run.sh starts it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "xrun.h"

static const char *const how_name[X_HOWS] = {"cpu", "hsa", "xtq"};

typedef struct asked {
  xrun r;
  const char *how, *algorithm, *costs;
} asked;

static _Noreturn void bad(const char *what, const char *why) { choice_bad("xtq", what, why); }

static void read_options(asked *a, int argc, char **argv) {
  xrun *r = &a->r;
  const choice table[] = {
      {"variant", CHOICE_TEXT, &a->how, 0, 0},       {"algorithm", CHOICE_TEXT, &a->algorithm, 0, 0},
      {"costs", CHOICE_TEXT, &a->costs, 0, 0},       {"procs", CHOICE_COUNT, &r->procs, 2, 1024},
      {"bytes", CHOICE_WIDE, &r->bytes, 8, 1 << 28}, {"parts", CHOICE_COUNT, &r->parts, 1, X_PARTS_MOST},
      {"cores", CHOICE_COUNT, &r->cores, 1, 8},      {"rounds", CHOICE_COUNT, &r->rounds, 1, 1000},
      {"warm", CHOICE_COUNT, &r->warm, 0, 100},      {"compute", CHOICE_REAL, &r->compute, 0, 1e9},
      {"slice", CHOICE_REAL, &r->slice, 10, 1e9},    {"sync", CHOICE_FLAG, &r->sync, 0, 1},
      {"seed", CHOICE_WIDE, &r->seed, 0, 1e15},      {NULL, CHOICE_TEXT, NULL, 0, 0}};
  choice_read("xtq", table, argc, argv);
}

static void read_program(asked *a) {
  xrun *r = &a->r;
  if (a->algorithm && strcmp(r->program, "allreduce")) bad(a->algorithm, "allreduce alone has algorithms");
  if (!a->algorithm) a->algorithm = "ring";
  if (!strcmp(r->program, "accumulate"))
    r->what = X_AS_ACCUMULATE;
  else if (!strcmp(r->program, "reduce") || !strcmp(r->program, "launch"))
    r->what = X_AS_REDUCE;
  else if (strcmp(r->program, "allreduce"))
    bad(r->program, "no such program; launch, accumulate, reduce, allreduce");
  else if (!strcmp(a->algorithm, "ring"))
    r->what = X_AS_RING;
  else if (!strcmp(a->algorithm, "halving"))
    r->what = X_AS_HALVING;
  else
    bad(a->algorithm, "no such algorithm; ring, halving");
  const bool pieces = r->what == X_AS_RING || r->what == X_AS_HALVING;
  if (!pieces && r->procs != 2) bad("procs", "this program is of 2 processes");
  if (r->what == X_AS_HALVING && r->procs & (r->procs - 1)) bad("procs", "halving wants a power of two");
  if (r->bytes % 8 || (pieces && r->bytes / 8 < r->procs)) bad("bytes", "whole elements of 8, one a process");
  if (r->warm >= r->rounds) bad("warm", "fewer than rounds");
}

static void read_asked(asked *a, int argc, char **argv) {
  *a = (asked){.how = ""};
  a->r = (xrun){.procs = 2, .bytes = 64, .parts = 1, .cores = 1, .rounds = 4, .warm = 1, .slice = 500, .seed = 1};
  a->r.program = argc > 1 ? argv[1] : "";
  read_options(a, argc, argv);
  unsigned how = 0;
  while (how < X_HOWS && strcmp(a->how, how_name[how])) how++;
  if (how == X_HOWS) bad(a->how, "no such variant; cpu, hsa, xtq");
  a->r.how = (x_how)how;
  read_program(a);
  if (!a->costs) bad("costs", "which table?");
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// What the NIC's registers and XTQ's tables hold: entries of a send ring, packets of a queue, bytes of a receive
// buffer.
enum { LOG2_ENTRIES = 15, LOG2_PACKETS = 16 };
#define BUFFER_MOST UINT32_MAX

static unsigned log2_of(uint64_t least) {
  unsigned n = 3;  // no ring is shorter
  while (1ull << n < least) n++;
  return n;
}

// Rings hold whatever the whole run puts into them, so nothing is charged for giving back; receive buffers as well, of
// which each XtqPut takes whole lines.
static x_sizes sizes(const xrun *r) {
  x_step *s = x_must(calloc(X_STEPS, sizeof *s));
  uint64_t chunks = 0;
  const unsigned steps = x_schedule(r, 0, s);
  for (unsigned k = 0; k < steps; k++) chunks += 2 + x_chunks(r, s[k].send_bytes) + x_chunks(r, s[k].recv_bytes);
  uint64_t staging = x_stage(r, s, steps);
  if (r->how == X_BY_XTQ) staging = r->rounds * (staging + 2 * X_LINE * chunks);
  free(s);
  const x_sizes z = {
      .qps = r->what == X_AS_HALVING ? log2_of(r->procs) : 2,
      .log2_entries = log2_of(r->what == X_AS_HALVING ? (2 * r->parts + 2) * r->rounds : chunks * r->rounds),
      .log2_events = log2_of(chunks * r->rounds),
      .log2_packets = log2_of(chunks * r->rounds),
      .vector = r->bytes + X_LINE,
      .staging = (staging + 4095) / 4096 * 4096};
  if (z.log2_entries > LOG2_ENTRIES || z.log2_packets > LOG2_PACKETS)
    bad("rounds", "fewer, or fewer parts: a ring of the device holds 2^15 entries");
  if (z.staging > BUFFER_MOST) bad("rounds", "fewer, or fewer bytes: what comes has to be below 4 GiB");
  return z;
}

// ---- the line -------------------------------------------------------------------------------------------------------

static void print_phases(const x_phase *f, unsigned rounds) {
  const struct {
    const char *name;
    double ns;
  } phase[] = {{"post", f->post}, {"wire", f->wire},     {"store", f->store}, {"handle", f->handle},
               {"read", f->read}, {"kernel", f->kernel}, {"seen", f->seen}};
  for (unsigned i = 0; i < sizeof phase / sizeof *phase; i++)
    printf("\"%s\": %.3f, ", phase[i].name, phase[i].ns / rounds);
}

static void tell(const asked *a, x_net *n, const x_share *share) {
  const xrun *r = &a->r;
  const unsigned rounds = r->rounds - r->warm;
  uint64_t wrong = 0, digest = 0, walks = 0, loads = 0, accesses = 0, frames = 0, adds = 0, tasks = 0;
  size_t bytes = 0;
  double busy = 0;
  for (unsigned i = 0; i < n->procs; i++) {
    const x_proc *p = &n->proc[i];
    wrong += share[i].wrong, digest += share[i].digest, busy += share[i].busy, adds += share[i].adds;
    walks += p->walks, loads += p->loads, accesses += p->accesses, frames += p->frames, tasks += p->tasks;
    bytes = xnode_bytes(p->node) > bytes ? xnode_bytes(p->node) : bytes;
  }
  const double ns = (share[0].end - share[0].begin) / rounds;
  const bool good = !wrong && !n->broken && ns > 0 && adds && (r->how == X_BY_CPU ? !tasks : tasks == adds);
  printf(
      "{\"program\": \"%s\", \"variant\": \"%s\", \"procs\": %u, \"bytes\": %llu, \"ns\": %.3f, \"per_second\": %.6g, ",
      r->program, a->how, r->procs, (unsigned long long)r->bytes, ns, 1e9 / ns);
  printf("\"busy\": %.3f, ", busy / rounds / n->procs);
  if (r->what == X_AS_REDUCE || r->what == X_AS_ACCUMULATE) print_phases(&share[0].phase, rounds);
  printf("\"adds\": %llu, \"tasks\": %llu, \"frames\": %llu, \"accesses\": %llu, \"walks\": %llu, \"loads\": %llu, ",
         (unsigned long long)adds, (unsigned long long)tasks, (unsigned long long)frames, (unsigned long long)accesses,
         (unsigned long long)walks, (unsigned long long)loads);
  printf("\"node_in_2_mib\": %s, \"digest\": \"%016llx\", \"right\": %s}\n", bytes <= 2 << 20 ? "true" : "false",
         (unsigned long long)digest, good ? "true" : "false");
  if (!good)
    fprintf(stderr, "xtq: wrong: %llu elements%s\n", (unsigned long long)wrong,
            n->broken ? ", a model refused something" : "");
}

// ---- a rank ---------------------------------------------------------------------------------------------------------

static void play(const xrun *r, x_net *n, unsigned me, x_share *s) {
  uint64_t *v = xnode_at(n->proc[me].node, X_VECTOR);
  x_fill(r, me, v);
  x_player *p = x_player_new(r, n, me);
  for (unsigned k = 0; k < r->rounds; k++) {
    sg_barrier_wait(n->players);
    if (k == r->warm) s->begin = x_now();
    x_player_round(p, s, k >= r->warm);
  }
  sg_barrier_wait(n->players);
  s->end = x_now();
  s->wrong = x_wrong(r, me, v, &s->digest);
}

int main(int argc, char **argv) {
  static x_share share[1024];
  static asked a;
  static cost c;
  int rank, size;
  x_net *n = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!rank) {
    read_asked(&a, argc, argv);
    cost_read(&c, a.costs);
    if ((unsigned)size != a.r.procs + 1) bad("procs", "run.sh starts as many ranks as are needed");
    const x_sizes z = sizes(&a.r);
    n = x_net_open(&c, a.r.procs, &z);
    x_connect_all(&a.r, n);
  }
  n = x_net_join(n, (unsigned)rank);
  if ((unsigned)rank == n->procs) {
    x_net_devices(n);
  } else {
    play(&a.r, n, (unsigned)rank, &share[rank]);
    sg_barrier_wait(n->players);
    if (!rank) x_net_stop(n);
  }
  sg_barrier_wait(n->all);
  if (!rank) tell(&a, n, share);
  MPI_Finalize();
  return 0;
}
