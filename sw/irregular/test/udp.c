// SPDX-License-Identifier: Apache-2.0
// Ranks that are processes on link=udp: each updates random words of all and adds to one counter,
// and looks at its own share.
//
//   irr-udp RANKS GROUP SEED put|task
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"
#include "tocsin/irregular/net.h"

enum { WORDS = 1024, UPDATES = 3000, FINISHED = IRR_FUNCTION_USER, RANK_TIMEOUT_US = 1000000 };

typedef struct rank {
  ranks *all;
  unsigned me, n;
  toc_fabric *f;
  irr_net *net;
  uint64_t memory[WORDS + 1];  // the last is the counter, of rank 0
  unsigned finished, heard;
  uint64_t added;
  bool over;
} rank;

static void fail(rank *r, const char *what) {
  char why[RANKS_WHY];
  snprintf(why, sizeof why, "%s: %s", what, toc_why());
  fprintf(stderr, "rank %u: %s\n", r->me, why);
  ranks_fail(r->all, TOC_E_IO, why);
  exit(1);
}

static void must(rank *r, bool good, const char *what) {
  if (!good) fail(r, what);
}

static void together(rank *r, const void *mine, size_t bytes, void *all) {
  int status;
  char why[RANKS_WHY];
  if (ranks_gather(r->all, mine, bytes, all, &status, why)) return;
  fprintf(stderr, "rank %u: %s\n", r->me, why);
  exit(1);
}

// Everybody's faces go to everybody: by rank, and by whom they are for.
static void meet(rank *r) {
  irr_face *mine = calloc(r->n, sizeof *mine), *all = calloc((size_t)r->n * r->n, sizeof *all);
  const irr_topology *t = irr_net_topology(r->net);
  must(r, mine && all, "no memory");
  for (unsigned i = 0; i < irr_route_degree(t, r->me); i++) {
    const unsigned to = irr_route_neighbour(t, r->me, i);
    must(r, irr_net_face(r->net, to, &mine[to]) == IRR_OK, "a face");
  }
  together(r, mine, r->n * sizeof *mine, all);
  for (unsigned i = 0; i < irr_route_degree(t, r->me); i++) {
    const unsigned to = irr_route_neighbour(t, r->me, i);
    must(r, irr_net_connect(r->net, to, &all[(size_t)to * r->n + r->me]) == IRR_OK, "a connection");
  }
  free(mine);
  free(all);
  together(r, NULL, 0, NULL);
}

static void poll_net(rank *r) { must(r, irr_net_poll(r->net, NULL) == IRR_OK, "polling"); }

static void send(rank *r, const irr_delegate *d) {
  irr_status s;
  while ((s = irr_net_send(r->net, d)) == IRR_BUSY) poll_net(r);
  must(r, s == IRR_OK, irr_name(s));
}

static uint64_t next(uint64_t *x) {
  *x = *x << 1 ^ (*x >> 63 ? 7 : 0);
  return *x;
}

static uint64_t stream(unsigned rank, uint64_t seed) { return 0x123456789abcdef * (rank + seed + 1); }

static void on_word(void *arg, uint64_t value) {
  rank *r = arg;
  (void)value;
  r->added++;
}

static void update(rank *r, uint64_t seed) {
  uint64_t x = stream(r->me, seed);
  for (unsigned i = 0; i < UPDATES; i++) {
    const uint64_t v = next(&x);
    const irr_word_args a = {.place = v / r->n % WORDS * 8, .a = v}, one = {.place = 8 * WORDS, .a = 1};
    send(r, &(irr_delegate){.to = (unsigned)(v % r->n),
                            .function = IRR_WORD_XOR,
                            .args = &a,
                            .bytes = sizeof a,
                            .done = on_word,
                            .arg = r});
    send(r, &(irr_delegate){
                .to = 0, .function = IRR_WORD_ADD, .args = &one, .bytes = sizeof one, .done = on_word, .arg = r});
  }
}

// ---- the end: everybody has been told by everybody else, and knows that they have heard. Until all are there a rank
// goes on polling, since what others still say may come through it.
static irr_status run_finished(void *ctx, const irr_arrival *a, irr_answer *answer) {
  rank *r = ctx;
  (void)a;
  (void)answer;
  r->finished++;
  return IRR_OK;
}

static void on_heard(void *arg, uint64_t value) {
  rank *r = arg;
  (void)value;
  r->heard++;
}

static void *wait_for_all(void *arg) {
  rank *r = arg;
  together(r, NULL, 0, NULL);
  __atomic_store_n(&r->over, true, __ATOMIC_RELEASE);
  return NULL;
}

static void finish(rank *r) {
  while (r->added < 2 * UPDATES) poll_net(r);
  for (unsigned to = 0; to < r->n; to++)
    if (to != r->me) send(r, &(irr_delegate){.to = to, .function = FINISHED, .done = on_heard, .arg = r});
  (void)irr_net_flush_all(r->net);
  while (r->finished < r->n - 1 || r->heard < r->n - 1) poll_net(r);
  pthread_t waits;
  must(r, !pthread_create(&waits, NULL, wait_for_all, r), "a thread");
  while (!__atomic_load_n(&r->over, __ATOMIC_ACQUIRE)) poll_net(r);
  pthread_join(waits, NULL);
}

static unsigned errors(const rank *r, uint64_t seed) {
  uint64_t want[WORDS] = {0};
  unsigned wrong = r->me == 0 && r->memory[WORDS] != (uint64_t)r->n * UPDATES;
  for (unsigned from = 0; from < r->n; from++) {
    uint64_t x = stream(from, seed);
    for (unsigned i = 0; i < UPDATES; i++) {
      const uint64_t v = next(&x);
      if (v % r->n == r->me) want[v / r->n % WORDS] ^= v;
    }
  }
  for (unsigned i = 0; i < WORDS; i++) wrong += r->memory[i] != want[i];
  return wrong;
}

static void open_rank(rank *r, unsigned group, irr_by by) {
  char link[2 * RANKS_HOST];
  toc_proc *p;
  snprintf(link, sizeof link, "udp,local=%s:0", ranks_local(r->all));
  const toc_options o = {.link = link, .rank0 = r->me, .qps = r->n > 16 ? r->n : 16, .progress = TOC_PROGRESS_THREAD};
  must(r, toc_open(&o, &r->f) == TOC_OK && toc_proc_open(toc_node_at(r->f, 0), &p) == TOC_OK, "opening");
  const irr_net_options with = {.rank = r->me,
                                .ranks = r->n,
                                .group = group,
                                .timeout_us = RANK_TIMEOUT_US,
                                .probe_us = RANK_TIMEOUT_US,
                                .by = by};
  must(r, irr_net_open(r->f, p, &with, &r->net) == IRR_OK, "the net");
  must(r, irr_net_share(r->net, r->memory, sizeof r->memory) == IRR_OK, "the share");
  const irr_function finished = {.run = run_finished, .ctx = r};
  must(r, irr_net_register(r->net, FINISHED, &finished) == IRR_OK, "a function");
}

int main(int argc, char **argv) {
  static rank r;
  char why[RANKS_WHY];
  irr_traffic t;
  if (argc != 5) return 2;
  const irr_by by = strcmp(argv[4], "task") ? IRR_BY_PUT : IRR_BY_TASK;
  const uint64_t seed = strtoull(argv[3], NULL, 0);
  const ranks_asked asked = {.count = (unsigned)strtoul(argv[1], NULL, 0), .rank = -1, .job = seed};
  r.all = ranks_join(&asked, why);
  if (!r.all) {
    fprintf(stderr, "irr-udp: %s\n", why);
    return 1;
  }
  r.me = ranks_rank(r.all);
  r.n = ranks_count(r.all);
  open_rank(&r, (unsigned)strtoul(argv[2], NULL, 0), by);
  meet(&r);
  update(&r, seed);
  finish(&r);
  const unsigned wrong = errors(&r, seed);
  irr_net_counts(r.net, &t);
  must(&r, by == IRR_BY_TASK ? t.kernel > 0 : !t.kernel, "who runs delegates");
  if (wrong) fprintf(stderr, "rank %u: %u words are wrong\n", r.me, wrong);
  if (!r.me && !wrong)
    printf("%u processes in groups of %u, by %s: rank 0 sent %llu delegates, %.1f messages an aggregate, 0 errors\n",
           r.n, irr_net_topology(r.net)->group, argv[4], (unsigned long long)t.sent, irr_aggregation(&t));
  irr_net_close(r.net);
  toc_close(r.f);
  return !ranks_leave(r.all) || wrong;
}
